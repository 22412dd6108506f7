package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/pattern"
	"cairn/engine/plan/model"
)

// patternKeeper keeps which pattern was right for a question: a model is shown
// such as examples.
type patternKeeper interface {
	AcceptPattern(ctx context.Context, question string, p *pattern.Pattern) error
	ForgetPattern(ctx context.Context, question string) error
	// AcceptedPatterns are the latest last.
	AcceptedPatterns(ctx context.Context) ([]model.Example, error)
}

// acceptBar lets the user say that a question was read rightly, and take that
// back.
type acceptBar struct {
	root   *fyne.Container
	button *button
	note   *widget.Label
}

func newAcceptBar(onTapped func()) *acceptBar {
	b := &acceptBar{button: newButton("", onTapped), note: wrapped(caption(""))}
	b.root = container.NewBorder(nil, nil, container.NewCenter(b.button), nil, b.note)
	return b
}

// show says whether the reading on view was accepted.
func (b *acceptBar) show(accepted bool) {
	if accepted {
		b.button.SetText("Undo")
		b.button.SetIcon(theme.ContentUndoIcon())
		b.note.SetText("Accepted: kept as an example.")
		return
	}
	b.button.SetText("Accept this pattern")
	b.button.SetIcon(theme.ConfirmIcon())
	b.note.SetText("Was this read correctly? Keep it as an example.")
}

// loadAccepted looks up which readings were accepted, to show the state of the
// one on view.
func (w *window) loadAccepted() {
	w.accepted = nil
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		kept, err := g.AcceptedPatterns(ctx)
		post(func() {
			if err == nil && w.session != nil && w.session.openGraph == g {
				w.accepted = kept
				w.drawAccepted()
			}
		})
	})
}

// drawAccepted shows whether the reading on view was accepted.
func (w *window) drawAccepted() { w.match.accept.show(w.isAccepted()) }

func (w *window) isAccepted() bool {
	p := w.run.Pattern()
	if p == nil {
		return false
	}
	text := pattern.Format(p)
	for _, x := range w.accepted {
		if strings.EqualFold(x.Question, present.OneLine(w.run.Question)) {
			return x.Pattern == text
		}
	}
	return false
}

// toggleAccepted accepts the reading on view, or takes that back.
func (w *window) toggleAccepted() {
	p := w.run.Pattern()
	if p == nil || w.session == nil {
		return
	}
	question, back := w.run.Question, w.isAccepted()
	said := "Accepted. Models will now see this reading as an example."
	if back {
		said = "Undone: no longer kept as an example."
	}
	w.changeAccepted(said, func(ctx context.Context, g openGraph) error {
		if back {
			return g.ForgetPattern(ctx, question)
		}
		return g.AcceptPattern(ctx, question, p)
	})
}

// changeAccepted changes what is accepted and shows it; said goes to the status
// line.
func (w *window) changeAccepted(said string, change func(ctx context.Context, g openGraph) error) {
	w.change("The pattern was not saved", "save a pattern", change, func() {
		w.status.say(said)
		w.loadAccepted()
	})
}

// showAccepted lists the readings that were accepted, to forget them.
func (w *window) showAccepted() {
	consult(w, "The accepted patterns cannot be shown", "look up the accepted patterns",
		func(ctx context.Context, g openGraph) ([]model.Example, error) { return g.AcceptedPatterns(ctx) }, w.listAccepted)
}

func (w *window) listAccepted(kept []model.Example) {
	type row struct {
		twoLines
		forget *button
	}
	var shown *list
	shown = newList(
		func() int { return len(kept) },
		func() (fyne.CanvasObject, row) {
			texts, lines := newTwoLines()
			forget := newIconButton("Delete", theme.DeleteIcon(), nil)
			return container.NewBorder(nil, nil, nil, container.NewCenter(forget), texts), row{lines, forget}
		},
		func(id int, r row) {
			x := kept[len(kept)-1-id] // the latest first
			r.name.SetText(present.OneLine(x.Question))
			r.about.SetText(present.OneLine(x.Pattern))
			r.forget.OnTapped = func() {
				kept = slices.Delete(slices.Clone(kept), len(kept)-1-id, len(kept)-id)
				shown.Refresh()
				w.changeAccepted("Deleted.", func(ctx context.Context, g openGraph) error { return g.ForgetPattern(ctx, x.Question) })
			}
		},
	)
	help := wrapped(caption("Readings you accept are kept with this graph. A model that reads a question is shown the most similar ones. Accept one under “How it matched”."))
	w.showDialog("accepted", large, w.newDialog("Accepted patterns", container.NewBorder(help, nil, nil, nil, shown)))
}

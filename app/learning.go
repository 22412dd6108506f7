package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan/words"
)

// learner keeps with a graph what the choice of a reading teaches: which relation a
// word asks for.
type learner interface {
	// Teaches returns what the reading that a run followed teaches, if anything.
	Teaches(run *engine.Run) (words.Choice, bool)
	// Choices are the latest last.
	Choices(ctx context.Context) ([]words.Choice, error)
	Learn(ctx context.Context, choice words.Choice, ev *engine.Events) error
	Unlearn(ctx context.Context, word string, ev *engine.Events) error
}

// lesson is a quiet line that offers to keep what a chosen reading teaches, and then to
// take that back.
type lesson struct {
	root   *fyne.Container
	said   *widget.Label
	button *button
}

func newLesson() *lesson {
	l := &lesson{said: wrapped(caption("")), button: newButton("", nil)}
	l.button.Importance = widget.LowImportance
	l.root = container.NewBorder(nil, nil, nil, l.button, l.said)
	return l
}

// offer shows what can be done next.
func (l *lesson) offer(said, button string, press func()) {
	l.said.SetText(said)
	l.button.SetText(button)
	l.button.OnTapped = press
	enable(l.button, true)
}

// offerLesson offers to keep what the reading teaches that the user chose.
func (w *window) offerLesson(run *engine.Run) {
	if choice, ok := w.session.Teaches(run); ok {
		l := newLesson()
		w.offerToLearn(l, choice, "Remember for this graph: "+present.Choice(w.session.Graph(), choice))
		w.answer.lesson.Add(l.root)
	}
}

func (w *window) offerToLearn(l *lesson, choice words.Choice, text string) {
	l.offer(text, "Remember", func() {
		w.changeChoice(l, func(ctx context.Context, g openGraph) error { return g.Learn(ctx, choice, &engine.Events{}) }, func() {
			w.status.say("Saved, and used from now on.")
			l.offer("Remembered", "Undo", func() {
				w.unlearn(l, choice, func() { w.offerToLearn(l, choice, text) })
			})
		})
	})
}

// unlearn takes back what a word asks for.
func (w *window) unlearn(l *lesson, choice words.Choice, then func()) {
	w.changeChoice(l, func(ctx context.Context, g openGraph) error { return g.Unlearn(ctx, choice.Word, &engine.Events{}) }, func() {
		w.status.say("Undone.")
		then()
	})
}

// changeChoice changes what a word asks for, and then goes on; the line can be pressed
// again where that fails.
func (w *window) changeChoice(l *lesson, change func(ctx context.Context, g openGraph) error, then func()) {
	if w.session == nil {
		return
	}
	enable(l.button, false)
	w.status.say("Reading the graph with your choice …")
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		err := change(ctx, g)
		post(func() {
			if enable(l.button, true); err != nil {
				w.status.say("")
				w.fail("The choice was not saved", "save what a word asks for", err)
				return
			}
			then()
		})
	})
}

// choiceList lists what words ask for by the user's choice, to take it back.
func (w *window) choiceList(g *kg.Graph, choices []words.Choice) fyne.CanvasObject {
	box := container.NewVBox(bold("Your choices"))
	for _, choice := range choices {
		l := newLesson()
		l.offer(present.Choice(g, choice), "Undo", func() {
			w.unlearn(l, choice, func() {
				l.said.SetText("Undone: " + present.Choice(g, choice))
				enable(l.button, false)
			})
		})
		box.Add(l.root)
	}
	const most = 150 // the relations below are what the dialog is for
	return container.New(fixedHeight(min(most, box.MinSize().Height)), scrolled(box))
}

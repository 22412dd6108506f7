package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"

	"cairn/app/present"
	"cairn/engine"
)

var toneColors = map[present.Tone]fyne.ThemeColorName{
	present.Plain: theme.ColorNameForeground, present.Good: theme.ColorNameSuccess,
	present.Bad: theme.ColorNameError, present.Doubtful: theme.ColorNameWarning,
}

// comparer asks several retrievers the same.
type comparer interface {
	Compare(ctx context.Context, question string, methods []string, o engine.AskOptions, ev *engine.Events) (*engine.Comparison, error)
}

// compareDialog shows what several retrievers said to one question: each with its
// answer, all answers with who gave them, and the picture of what they found together.
type compareDialog struct {
	w      *window
	dialog *dialog.CustomDialog
	figure *figurePane
}

// showCompare asks all retrievers that can be asked the question on view, or else the
// one that stands in the entry.
func (w *window) showCompare() {
	question := strings.TrimSpace(w.question.entry.Text)
	if w.run != nil && question == "" {
		question = w.run.Question
	}
	if question == "" {
		w.status.say("Type a question first; all retrievers are then asked it.")
		return
	}
	w.status.say("Asking all retrievers …")
	consult(w, "The retrievers were not compared", "compare the retrievers",
		func(ctx context.Context, g openGraph) (*engine.Comparison, error) {
			return g.Compare(ctx, question, nil, engine.AskOptions{}, nil)
		}, w.showComparison)
}

func (w *window) showComparison(c *engine.Comparison) {
	g := w.session.Graph()
	rows := present.Compare(g, c)
	w.status.say(rows.Headline)
	d := &compareDialog{w: w}
	d.figure = newFigurePane(w.makeFigure, figureActions{hint: w.status.hint, export: w.exportPicture})
	d.figure.tools.Hide() // the picture is of this dialog alone
	left := container.New(stacked, wrapped(heading(rows.Question)), wrapped(caption(rows.Headline)))
	for i, o := range rows.Opinions {
		left.Add(d.opinion(o, c.Opinions[i].Run))
	}
	said := container.NewVSplit(scrolled(left), d.answers(rows))
	said.SetOffset(0.6)
	body := container.NewHSplit(said, newPane(d.figure.root))
	body.SetOffset(0.34)
	d.dialog = w.newDialog("Retrievers compared", quiet(body))
	d.dialog.SetOnClosed(d.figure.figure.Close)
	if w.showDialog("compare", largest, d.dialog) {
		d.figure.show(present.ComparisonModel(g, c), "What they found in total", "None of them found evidence.")
	}
}

// opinion is what one retriever said; pressed, its answer is opened in the window.
func (d *compareDialog) opinion(o present.OpinionRow, run *engine.Run) fyne.CanvasObject {
	f := newFlow(theme.SizeNameText)
	f.add(o.Letter, fyne.TextStyle{Bold: true}, theme.ColorNamePrimary)
	f.add(o.Retriever, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
	f.add(o.Answer, fyne.TextStyle{}, toneColors[o.Tone])
	box := container.New(stacked, container.New(textMargins, f))
	if run == nil {
		box.Add(wrapped(caption(o.Remedy)))
		return container.New(margins{LeftPadding: 4, TopPadding: 4, BottomPadding: 4}, box)
	}
	box.Add(wrapped(caption(o.Line())))
	return newPressable(box, "", func() {
		d.dialog.Hide()
		d.w.reopen(run)
	}).hinted(4, "Open this answer", d.w.status.hint)
}

// answers lists all answers with those who gave them.
func (d *compareDialog) answers(rows present.ComparisonRows) fyne.CanvasObject {
	l := newList(func() int { return len(rows.Answers) }, newTwoLines, func(id int, row twoLines) {
		row.name.SetText(rows.Answers[id].Text)
		row.about.SetText("given by " + present.List(strings.Split(rows.Answers[id].By, "")))
	})
	return container.NewBorder(caption("All answers, most common first"), nil, nil, nil, newQuote(l))
}

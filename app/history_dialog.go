package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
)

// historian is what the window needs of a graph to show what it was asked.
type historian interface {
	// History are the latest questions, the newest first.
	History(ctx context.Context, limit int) ([]engine.Past, error)
	// PastRecord is the record of one of them, for present.ReadPast.
	PastRecord(ctx context.Context, id int64) ([]byte, error)
	ForgetHistory(ctx context.Context) error
}

// shownHistory is how many questions of the history are listed.
const shownHistory = 500

// historyDialog lists what the graph was asked; of the question that is chosen
// it shows the answer as it was then.
type historyDialog struct {
	w      *window
	dialog *dialog.CustomDialog
	past   []engine.Past
	list   *dialogList
	detail *fyne.Container
	turn   int // counts selections; a late record is dropped
}

// showHistory opens the dialog.
func (w *window) showHistory() {
	consult(w, "The history cannot be shown", "read the history",
		func(ctx context.Context, g openGraph) ([]engine.Past, error) { return g.History(ctx, shownHistory) }, w.listHistory)
}

func (w *window) listHistory(past []engine.Past) {
	d := &historyDialog{w: w, past: past, detail: container.NewVBox()}
	d.list = newDialogList(
		func() int { return len(d.past) },
		func() fyne.CanvasObject { return container.New(stacked, clipped(bold("")), clipped(caption(""))) },
		func(id widget.ListItemID, o fyne.CanvasObject) {
			labels := o.(*fyne.Container).Objects                                                       //nolint:errcheck // made above
			labels[0].(*widget.Label).SetText(present.OneLine(d.past[id].Question))                     //nolint:errcheck // as above
			labels[1].(*widget.Label).SetText(d.past[id].Asked.Local().Format("2 January 2006, 15:04")) //nolint:errcheck // as above
		},
	)
	d.list.OnSelected = d.choose
	const listWidth = 300
	body := container.NewBorder(nil, nil, container.New(fixedWidth(listWidth), newQuote(d.list)), nil,
		container.New(margins{LeftPadding: 8}, container.NewVScroll(container.New(margins{RightPadding: 12}, d.detail))))
	forget := newIconButton("Forget all …", theme.DeleteIcon(), d.forget)
	enable(forget, len(past) > 0)
	d.dialog = w.newDialog("Earlier questions", body)
	shut := newButton("Close", d.dialog.Hide)
	shut.Importance = widget.HighImportance
	d.dialog.SetButtons([]fyne.CanvasObject{forget, shut})
	d.dialog.Resize(w.roomy())
	if !w.showOnce("history", d.dialog) {
		return
	}
	if len(past) == 0 {
		d.detail.Add(wrapped(caption("No question was asked yet. Every question is kept with the graph, with its answer and any prompts to a model.")))
		return
	}
	d.list.Select(0)
}

// choose shows the answer to a question of the list.
func (d *historyDialog) choose(id int) {
	d.turn++
	turn, chosen := d.turn, d.past[id]
	d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		record, err := g.PastRecord(ctx, chosen.ID)
		var past present.PastAnswer
		if err == nil {
			past, err = present.ReadPast(record, g.Graph())
		}
		post(func() {
			if d.turn != turn {
				return
			}
			d.detail.RemoveAll()
			if err != nil {
				sentence, remedy := d.w.explain("read a record", err)
				d.detail.Add(wrapped(widget.NewLabel(sentence + " " + remedy)))
				d.detail.Add(container.NewHBox(d.again(chosen.Question)))
				return
			}
			d.draw(past)
		})
	})
}

// again is the button that asks a question anew.
func (d *historyDialog) again(question string) *button {
	return newIconButton("Ask again", theme.SearchIcon(), func() {
		d.dialog.Hide()
		d.w.question.put(question)
	})
}

// draw shows an answer as it was.
func (d *historyDialog) draw(past present.PastAnswer) {
	d.detail.Add(wrapped(heading(past.Headline)))
	d.detail.Add(wrapped(caption("Answered " + past.When + ". This is the answer from then. Ask again for the answer of today.")))
	// The triples stand below: there is nothing to follow a citation to.
	pane := newAnswerPane(answerActions{copyText: d.w.copyText, cite: func(int) {}, light: func(int, bool) {}})
	for _, s := range past.Sentences[:min(len(past.Sentences), maxSentences)] {
		d.detail.Add(container.New(margins{TopPadding: 2, RightPadding: 7, BottomPadding: 2, LeftPadding: 7}, pane.sentence(s)))
	}
	lines := past.Makers
	if said := present.CheckSummary(past.Sentences); said != "" {
		lines = append([]string{said}, lines...)
	}
	about := container.New(stacked)
	for _, line := range lines {
		about.Add(wrapped(caption(line)))
	}
	d.detail.Add(about)
	evidence := container.New(stacked)
	for _, line := range past.Evidence[:min(len(past.Evidence), maxSentences)] {
		evidence.Add(wrapped(widget.NewLabel(line)))
	}
	if len(past.Evidence) > 0 {
		d.detail.Add(newQuote(evidence))
	}
	buttons := container.NewHBox(d.again(past.Question))
	if n := len(past.Prompts); n > 0 {
		buttons.Add(newIconButton("Prompts ("+present.Count(n)+")", theme.DocumentIcon(), func() {
			d.w.showPromptRows(past.Prompts, 0)
		}))
	}
	d.detail.Add(buttons)
	d.detail.Refresh()
}

// forget asks, and drops the whole history.
func (d *historyDialog) forget() {
	d.w.confirm("Forget the history?", "All earlier questions of this graph and their records are deleted. The graph itself stays as it is.", "Forget", func() {
		d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
			err := g.ForgetHistory(ctx)
			post(func() {
				d.dialog.Hide()
				if err != nil {
					d.w.fail("The history was not deleted", "forget the history", err)
					return
				}
				d.w.status.say("The history of this graph was deleted.")
			})
		})
	})
}

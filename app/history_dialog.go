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
	// PastRun is one of them, as it was answered.
	PastRun(ctx context.Context, id int64) (*engine.Run, error)
	ForgetHistory(ctx context.Context) error
}

// shownHistory is how many questions of the history are listed.
const shownHistory = 500

// historyDialog lists what the graph was asked; the answer to the question that is
// chosen can be opened in the window as it was then.
type historyDialog struct {
	w      *window
	dialog *dialog.CustomDialog
	past   []engine.Past
	list   *rowList
	detail *fyne.Container
	chosen latest // of the questions
}

// showHistory opens the dialog.
func (w *window) showHistory() {
	consult(w, "The history cannot be shown", "read the history",
		func(ctx context.Context, g openGraph) ([]engine.Past, error) { return g.History(ctx, shownHistory) }, w.listHistory)
}

func (w *window) listHistory(past []engine.Past) {
	d := &historyDialog{w: w, past: past, detail: container.NewVBox()}
	d.list = newRowList(func() int { return len(d.past) }, newTwoLines, func(id int, row twoLines) {
		row.name.SetText(present.OneLine(d.past[id].Question))
		row.about.SetText(present.When(d.past[id].Asked))
	})
	d.list.OnSelected = func(id int) { d.list.selected = id; d.choose(id) }
	const listWidth = 300
	body := container.NewBorder(nil, nil, container.New(fixedWidth(listWidth), newQuote(d.list)), nil,
		container.New(margins{LeftPadding: 8}, scrolled(d.detail)))
	forget := newIconButton("Delete all …", theme.DeleteIcon(), d.forget)
	enable(forget, len(past) > 0)
	d.dialog = w.newDialog("Earlier questions", body, forget, w.closeButton("Close"))
	if !w.showDialog("history", largest, d.dialog) {
		return
	}
	if len(past) == 0 {
		d.detail.Add(wrapped(caption("No questions yet. Each question is kept with the graph, with its answer and any prompts sent to a model.")))
		return
	}
	d.w.win.Canvas().Focus(d.list) // which chooses the first
}

// choose shows the answer to a question of the list.
func (d *historyDialog) choose(id int) {
	current, chosen := d.chosen.begin(), d.past[id]
	d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		run, err := g.PastRun(ctx, chosen.ID)
		post(func() {
			if !current() {
				return
			}
			d.detail.RemoveAll()
			again := newIconButton("Ask again", theme.SearchIcon(), func() {
				d.dialog.Hide()
				d.w.question.put(chosen.Question)
			})
			if err != nil {
				d.detail.Add(wrapped(widget.NewLabel(d.w.said("read a record", err))))
				d.detail.Add(container.NewHBox(again))
				return
			}
			d.draw(run, again)
		})
	})
}

// draw shows an answer as it was, in short.
func (d *historyDialog) draw(run *engine.Run, again fyne.CanvasObject) {
	head, _ := present.Glance(run)
	d.detail.Add(wrapped(heading(head)))
	d.detail.Add(wrapped(caption(present.AskedLine(run))))
	reopen := func() {
		d.dialog.Hide()
		d.w.reopen(run)
	}
	d.list.onOpen = func(int) { reopen() }
	open := primary(newIconButton("Open", theme.VisibilityIcon(), reopen))
	d.detail.Add(container.NewHBox(open, again))
	// The triples are in the window: here is nothing to follow a citation to.
	pane := newAnswerPane(answerActions{copyText: d.w.copyText, cite: func(int) {}, light: func(int, bool) {}, edges: func([]string) {}})
	for _, o := range pane.sentences(present.Sentences(run.Answer)) {
		d.detail.Add(o)
	}
	for _, line := range present.MakerLines(run) {
		d.detail.Add(wrapped(caption(line)))
	}
	d.detail.Refresh()
}

// forget asks, and drops the whole history.
func (d *historyDialog) forget() {
	d.w.confirmDelete("Delete the history?", "All earlier questions to this graph and their records will be deleted. The graph itself does not change.", func() {
		d.dialog.Hide()
		d.w.change("The history was not deleted", "delete the history",
			func(ctx context.Context, g openGraph) error { return g.ForgetHistory(ctx) },
			func() { d.w.status.say("The history of this graph was deleted.") })
	})
}

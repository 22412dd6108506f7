package app

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
)

// trainView is the panel of trainings while it is open.
//
//	┌ Train │ Trained · 2 ───────────────────────┐
//	│ what to learn from, and which method       │
//	│   or, while one is under way:              │
//	│ how far it is, its two curves, what it     │
//	│ learns from and what it cannot             │
//	├────────────────────────────────────────────┤
//	│                          [Close] [Train]   │
//	└────────────────────────────────────────────┘
type trainView struct {
	n      *trainings
	dialog *dialog.CustomDialog
	tabs   *tabs
	pages  *fyne.Container // of the first tab: the form or the progress
	form   *trainForm
	begun  *fyne.Container // interrupted trainings
	state  trainProgress
	rows   *fyne.Container // of the second tab
	shown  string          // what the rows and the buttons were made of
	setUp  bool            // the user wants to train another one
}

// showTrain opens the panel of trainings, unless it is open.
func (w *window) showTrain() *trainView {
	if w.session == nil {
		w.alert("No graph is open", "A retriever is trained on a graph. Open one first.", "")
		return nil
	}
	if w.session.Graph().Triples() == 0 {
		w.alert("This graph is empty", "It has nothing to learn from. Import files first.", "")
		return nil
	}
	if w.trainings.view != nil {
		return w.trainings.view
	}
	v := &trainView{n: w.trainings}
	v.dialog = w.newDialog("Train a retriever on “"+present.Shorten(w.session.Name(), 40)+"”", v.build())
	w.trainings.view = v
	v.dialog.SetOnClosed(func() {
		w.trainings.view = nil
		if !w.trainings.task.running() {
			w.trainings.task = nil // how it ended was seen
		}
	})
	v.refresh()
	w.showDialog("train", largest, v.dialog)
	w.trainings.load()
	return v
}

func (v *trainView) build() fyne.CanvasObject {
	v.begun, v.rows = container.NewVBox(), container.NewVBox()
	intro := wrapped(caption("A retriever finds the evidence for a question. Training teaches it, from example questions, how to get from the entities in a question to its answers in this graph. Everything runs on this computer, and the graph is not changed."))
	v.form = newTrainForm(v.n.w, v.buttons, intro, v.begun)
	v.pages = container.NewStack(v.form.root, v.state.build(v.n.w.win.Canvas().Size().Height))
	v.tabs = newTabs([]string{"Train", "Trained"}, v.pages, scrolled(v.rows))
	return quiet(v.tabs.root)
}

// refresh shows everything as it is now.
func (v *trainView) refresh() {
	t := v.n.task
	progress := t != nil && !v.setUp
	v.pages.Objects[0].Hide()
	v.pages.Objects[1].Hide()
	if progress {
		v.state.show(t)
		v.pages.Objects[1].Show()
	} else {
		v.pages.Objects[0].Show()
	}
	v.refreshRows()
	v.refreshBegun()
	v.buttons()
}

// refreshBegun offers to resume interrupted trainings.
func (v *trainView) refreshBegun() {
	v.begun.RemoveAll()
	for _, m := range v.n.methods {
		id := m.Info().ID
		left := v.n.unfinished[id]
		if left == "" {
			continue
		}
		resume := primary(newIconButton("Resume", theme.MediaPlayIcon(), func() {
			v.start(engine.TrainOptions{Method: id, Resume: true}, m.Info().Title)
		}))
		discard := newButton("Discard", func() {
			v.n.change("The training was not discarded", "discard a training", func(ctx context.Context, t trainer) error { return t.ForgetUnfinished(ctx, id) })
		})
		enable(resume, !v.n.task.running())
		enable(discard, !v.n.task.running())
		v.begun.Add(newQuote(container.NewBorder(nil, nil, nil, container.NewCenter(container.NewHBox(resume, discard)),
			wrapped(widget.NewLabel("A training was interrupted: "+present.Sentence(present.OneLine(left)))))))
	}
}

// start begins a training and shows it.
func (v *trainView) start(o engine.TrainOptions, title string) {
	v.setUp = false
	v.n.train(o, title)
	v.tabs.choose(0)
}

// buttons sets the panel's buttons by what can be done now.
func (v *trainView) buttons() {
	if v.dialog == nil {
		return // being built
	}
	t := v.n.task
	state := "set up"
	switch {
	case t.running() && t.stopping:
		state = "stopping"
	case t.running():
		state = "running"
	case t != nil && !v.setUp:
		state = "ended"
		if t.kept {
			state = "kept"
		}
	case !v.form.ready():
		state = "not ready"
	}
	before := v.state.buttonsFor
	if before == state {
		return
	}
	v.state.buttonsFor = state
	if before != "" && t != nil && !v.setUp {
		v.n.w.win.Canvas().Unfocus() // the button that was pressed goes, and would keep Escape to itself
	}
	shut := newButton("Close", v.dialog.Hide)
	train := primary(newIconButton("Train", theme.MediaPlayIcon(), func() {
		if o, err := v.form.options(); err == nil {
			v.start(o, v.form.title())
		}
	}))
	another := newButton("Train another …", func() {
		v.setUp = true
		v.refresh()
	})
	switch state {
	case "running":
		shut.SetText("Close and keep training")
		stop := newIconButton("Stop and keep the best", theme.MediaStopIcon(), v.n.stop)
		v.dialog.SetButtons([]fyne.CanvasObject{shut, stop})
	case "stopping":
		stop := newIconButton("Stopping …", theme.MediaStopIcon(), nil)
		stop.Disable()
		v.dialog.SetButtons([]fyne.CanvasObject{shut, stop})
	case "ended":
		v.dialog.SetButtons([]fyne.CanvasObject{shut, another})
	case "kept":
		ask := primary(newIconButton("Use it to ask", theme.SearchIcon(), func() {
			v.dialog.Hide()
			v.n.w.chooseRetriever(v.n.w.method(t.method))
			v.n.w.focusQuestion()
		}))
		v.dialog.SetButtons([]fyne.CanvasObject{shut, another, ask})
		if before != "" {
			v.n.w.win.Canvas().Focus(ask)
		}
	default:
		enable(train, state == "set up")
		v.dialog.SetButtons([]fyne.CanvasObject{shut, train})
	}
}

// refreshRows lists the trained retrievers.
func (v *trainView) refreshRows() {
	rows := present.TrainedRows(v.n.known)
	v.tabs.setTitle(1, "Trained · "+present.Count(len(rows)))
	key := fmt.Sprint(v.n.problem, rows)
	if v.shown == key {
		return
	}
	v.shown = key
	v.rows.RemoveAll()
	switch {
	case v.n.problem != "":
		v.rows.Add(warning(widget.NewLabel(v.n.problem)))
	case len(rows) == 0:
		v.rows.Add(wrapped(caption("No retriever is trained on this graph yet. Trained retrievers are saved in the graph's file and copied with it.")))
	}
	for _, r := range rows {
		v.rows.Add(v.row(r))
	}
}

func (v *trainView) row(r present.TrainedRow) fyne.CanvasObject {
	about := container.New(stacked, clipped(bold(r.Name)))
	for _, line := range r.Lines {
		about.Add(wrapped(caption(line)))
	}
	if r.Warning != "" {
		about.Add(warning(caption("! " + r.Warning)))
	}
	use := newButton("Use", func() { v.n.useModel(r.ID) })
	if r.InUse {
		use.SetText("In use")
	}
	enable(use, !r.InUse && r.Usable)
	drop := newIconButton("Delete …", theme.DeleteIcon(), func() {
		v.n.w.confirmDelete("Delete “"+present.Shorten(r.Name, 40)+"”?", "What it has learned will be lost. The graph is not changed.",
			func() { v.n.deleteModel(r.ID) })
	})
	return newQuote(container.NewBorder(nil, nil, nil, container.NewHBox(container.NewVBox(use), container.NewVBox(drop)), about))
}

// trainProgress shows a training under way, or how it ended.
type trainProgress struct {
	head, state, result, ended *widget.Label
	bar                        *widget.ProgressBar
	slim                       fyne.CanvasObject // holds the bar
	loss, first                *chart
	about                      *fyne.Container
	shown                      string // what about was made of
	buttonsFor                 string // what the panel's buttons were made for
}

// build makes the page for a window of some height.
func (p *trainProgress) build(height float32) fyne.CanvasObject {
	p.head, p.state = heading(""), wrapped(widget.NewLabel(""))
	p.result, p.ended = wrapped(bold("")), wrapped(widget.NewLabel(""))
	p.bar, p.slim = newSlim()
	p.loss, p.first = newCharts()
	p.about = container.New(stacked)
	const least, most, others = 190, 320, 480 // heights: of the charts, and of all else
	charts := container.New(fixedHeight(min(max(height-others, least), most)), newQuote(container.NewGridWithColumns(2, p.first.root, p.loss.root)))
	return scrolled(container.NewVBox(p.head, p.ended, p.state, p.slim, p.result, charts, p.about))
}

// show shows how far a training has come.
func (p *trainProgress) show(t *trainTask) {
	work := &t.work
	p.ended.Importance = widget.SuccessImportance
	switch {
	case t.failed:
		p.ended.Importance = widget.WarningImportance
	case t.stopped && !t.kept:
		p.ended.Importance = widget.MediumImportance
	}
	setLabel(p.ended, t.ended)
	switch {
	case t.running() && t.stopping:
		p.head.SetText("Stopping …")
	case t.running():
		p.head.SetText("Training · " + work.Title)
	case t.failed:
		p.head.SetText("Training failed")
	case t.stopped:
		p.head.SetText("Training stopped")
	default:
		p.head.SetText("Training finished")
	}
	if t.running() {
		setLabel(p.state, work.State())
	} else {
		setLabel(p.state, "")
	}
	if share, ok := work.Share(); ok && t.running() {
		p.bar.SetValue(share)
		p.slim.Show()
	} else {
		p.slim.Hide()
	}
	result := work.Result()
	if t.kept {
		result = "" // how it ended says it
	}
	setLabel(p.result, result)
	curves, epochs := work.Curves()
	if !t.running() {
		epochs = 0 // no more are to come
	}
	p.loss.show(curves, epochs)
	p.first.show(curves, epochs)
	p.showAbout(work)
}

// showAbout says what is learned from, and what went otherwise than it might have.
func (p *trainProgress) showAbout(work *present.Training) {
	lines := work.About()
	warn := len(lines)
	lines = append(lines, work.Restarts()...)
	if d := work.Data; d != nil {
		lines = append(lines, present.ProblemLines(d.Dropped, d.DroppedInAll)...)
	}
	key := strings.Join(lines, "\n")
	if p.shown == key {
		return
	}
	p.shown = key
	p.about.RemoveAll()
	for i, line := range lines {
		l := wrapped(caption(line))
		if i >= warn {
			l.Importance = widget.WarningImportance
		}
		p.about.Add(l)
	}
}

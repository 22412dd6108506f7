package app

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// taskRow shows something that is under way, or how it ended.
type taskRow struct {
	root fyne.CanvasObject
	kind string
	text *widget.Label
	bar  *widget.ProgressBar
	slim fyne.CanvasObject // holds the bar
	stop *button
}

func newTaskRow(kind string) *taskRow {
	r := &taskRow{kind: kind, text: wrapped(widget.NewLabel(""))}
	r.bar, r.slim = newSlim()
	r.stop = newIconButton("Stop", theme.CancelIcon(), nil)
	r.root = container.NewBorder(nil, nil, nil, r.stop, container.NewVBox(r.text, r.slim))
	r.root.Hide()
	return r
}

// show shows a task; quiet ones are hidden once they ended well.
func (r *taskRow) show(t *modelTask, quiet bool) {
	if t == nil || quiet && !t.running() && !t.failed {
		r.root.Hide()
		return
	}
	running := t.running()
	r.text.Importance = widget.MediumImportance
	if t.failed {
		r.text.Importance = widget.WarningImportance
	}
	about := t.ended
	if running {
		about = t.doing
		r.stop.OnTapped = t.stop
		r.stop.Show()
	} else {
		r.stop.Hide()
	}
	if !strings.Contains(about, t.name) {
		about = t.name + " · " + about
	}
	r.text.SetText(r.kind + " · " + about)
	if running && t.total > 0 {
		r.bar.SetValue(float64(t.done) / float64(t.total))
		r.slim.Show()
	} else {
		r.slim.Hide()
	}
	r.root.Show()
}

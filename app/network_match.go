package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// showNetwork shows how the answers of a run were found: where it looked, how it read
// the question, what to know about it, and the paths to each answer.
func (p *matchPane) showNetwork(g *kg.Graph, run *engine.Run) {
	for _, note := range present.NetworkNotes(run) {
		l := wrapped(widget.NewLabel(note))
		l.Importance = widget.WarningImportance
		p.box.Add(l)
	}
	reading := container.New(stacked)
	for _, line := range present.NetworkReading(g, run) {
		reading.Add(wrapped(widget.NewLabel(line)))
	}
	p.box.Add(reading)
	groups, more := present.PathGroups(g, run)
	if len(groups) == 0 {
		p.box.Add(wrapped(widget.NewLabel("It found no answer.")))
		p.root.ScrollToTop()
		return
	}
	says := "Each answer and the paths that lead to it"
	if t := present.ScaleTitle(run); t != "" {
		says = "Each answer with its score (" + t + ") and the paths that lead to it"
	}
	p.box.Add(wrapped(caption(says + ":")))
	for _, a := range groups {
		p.box.Add(p.answerPaths(a))
	}
	if more > 0 {
		p.box.Add(wrapped(caption("and " + present.Plural(more, "more answer", "more answers") + "; the answer and its copy list them")))
	}
	if runners := present.RunnersUp(g, run); len(runners) > 0 {
		box := container.New(stacked, wrapped(caption("Close behind, but not selected")))
		for _, r := range runners {
			box.Add(levelRow(r.Label, r.Score, false))
		}
		p.box.Add(newQuote(box))
	}
	p.root.ScrollToTop()
}

// answerPaths is one answer with its paths, each of which can be pressed.
func (p *matchPane) answerPaths(a present.PathGroup) fyne.CanvasObject {
	head := newPressable(levelRow(a.Answer, a.Score, true), "", func() { p.do.answer(a.Entity) })
	head.inset, head.hint, head.onHint = 0, "Light all paths to "+a.Answer, p.do.hint
	box := container.New(stacked, head)
	for _, path := range a.Paths {
		f := newFlow(theme.SizeNameCaptionText)
		f.add(path.Text, fyne.TextStyle{}, theme.ColorNameForeground)
		if path.Source != "" {
			f.add("· by "+path.Source, fyne.TextStyle{}, colorMuted)
		}
		row := newPressable(f, "", func() { p.do.path(path) })
		row.inset, row.hint, row.onHint = 7, "Light this path", p.do.hint
		box.Add(row)
	}
	switch {
	case len(a.Paths) == 0:
		box.Add(wrapped(caption("No path in this graph leads to it from what the question names.")))
	case a.More > 0:
		box.Add(caption("and " + present.Plural(a.More, "more path", "more paths")))
	}
	return newQuote(box)
}

// levelRow is a name with its score, a probability also as a bar.
func levelRow(name string, score evidence.Score, strong bool) fyne.CanvasObject {
	label, number := clipped(widget.NewLabel(name)), widget.NewLabel(present.ScoreText(score))
	label.TextStyle.Bold = strong
	if score.Scale != evidence.Probability {
		return container.NewBorder(nil, nil, nil, number, label)
	}
	number.Alignment = fyne.TextAlignTrailing
	const numberWidth, barWidth = 92, 46
	return container.NewBorder(nil, nil, nil, container.NewHBox(
		container.New(fixedWidth(barWidth), newLevel(score.Value)),
		container.New(fixedWidth(numberWidth), number),
	), label)
}

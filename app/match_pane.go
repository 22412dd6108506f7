package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/report"
)

// matchPane shows how the question was read, as a pattern in words, and how one
// match fits it: each node and edge with its share of the distance, adding up.
type matchPane struct {
	root   *container.Scroll
	box    *fyne.Container
	accept *acceptBar
	do     matchActions
}

// matchActions are what the user can do from the match.
type matchActions struct {
	accept func() // accepts the reading on view, or takes that back
	path   func(report.Path)
	answer func(kg.EntityID)
	hint   func(string)
}

func newMatchPane(do matchActions) *matchPane {
	p := &matchPane{box: container.NewVBox(), accept: newAcceptBar(do.accept), do: do}
	p.root = scrolled(p.box)
	return p
}

// show shows how the answers of a run were found: by its pattern and a match of it,
// or by paths.
func (p *matchPane) show(g *kg.Graph, run *engine.Run, c evidence.Candidate, found bool) {
	p.box.RemoveAll()
	switch {
	case run.Matched() != nil:
		p.showMatch(g, run, c, found)
	case run != nil && run.Method.Seeded:
		p.showPaths(g, run)
	default:
		text := "Ask a question to see what was looked for and how well each part matches."
		if run != nil {
			text = "No pattern was matched for this question."
		}
		l := wrapped(widget.NewLabel(text))
		l.Importance = widget.LowImportance
		p.box.Add(l)
	}
	p.root.ScrollToTop()
}

// lines stand one below the other.
func lines(texts []string) fyne.CanvasObject {
	box := container.New(stacked)
	for _, text := range texts {
		box.Add(wrapped(widget.NewLabel(text)))
	}
	return box
}

func (p *matchPane) showMatch(g *kg.Graph, run *engine.Run, c evidence.Candidate, found bool) {
	p.box.Add(lines(present.PatternWords(run.Matched())))
	p.box.Add(p.accept.root)
	if !found {
		p.box.Add(wrapped(widget.NewLabel("Nothing in this graph meets every condition.")))
		return
	}
	rows, total := present.PatternTable(g, run.Matched(), c)
	not := present.NoMatch(run, rows)
	if not != "" {
		p.box.Add(wrapped(bold(not)))
	}
	table := container.New(stacked)
	table.Add(matchRow("Looked for", "Found", "Distance", 0, true))
	for _, r := range rows {
		table.Add(matchRow(r.Asked, r.Found, present.PartOf(r), share(r.Distance, total), false))
	}
	if not == "" {
		table.Add(matchRow("Total", "lower is closer, 0 is exact", present.PartText(total), share(total, total), true))
	}
	p.box.Add(newQuote(table))
}

func share(part, total float64) float64 {
	if total <= 0 {
		return 0
	}
	return part / total
}

// showPaths shows where a retriever looked, how it read the question, what to know
// about it, and the paths to each answer.
func (p *matchPane) showPaths(g *kg.Graph, run *engine.Run) {
	n := present.Network(g, run)
	for _, note := range n.Notes {
		p.box.Add(warning(widget.NewLabel(note)))
	}
	p.box.Add(lines(n.Lines))
	if len(n.Answers) == 0 {
		p.box.Add(wrapped(widget.NewLabel("It found no answer.")))
		return
	}
	says := "Each answer and the paths that lead to it"
	if t := present.ScaleTitle(run); t != "" {
		says = "Each answer with its score (" + t + ") and the paths that lead to it"
	}
	p.box.Add(wrapped(caption(says + ":")))
	for i, a := range n.Answers {
		p.box.Add(p.answerPaths(run.Answers[i], a))
	}
	if n.More != "" {
		p.box.Add(wrapped(caption(n.More + "; the answer lists them")))
	}
	if runners := present.RunnersUp(run); len(runners) > 0 {
		box := container.New(stacked, wrapped(caption("Close, but not selected")))
		for _, r := range runners {
			box.Add(levelRow(present.OneLine(r.Label(g)), r.Score, false))
		}
		p.box.Add(newQuote(box))
	}
}

// answerPaths is one answer with its paths, each of which can be pressed.
func (p *matchPane) answerPaths(to evidence.Answer, a report.Ranked) fyne.CanvasObject {
	head := newPressable(levelRow(a.Name, to.Score, true), "", func() { p.do.answer(to.Entity) }).hinted(0, "Highlight all paths to "+a.Name, p.do.hint)
	box := container.New(stacked, head)
	for _, path := range a.Paths {
		f := newFlow(theme.SizeNameCaptionText)
		f.add(path.Text, fyne.TextStyle{}, theme.ColorNameForeground)
		if path.Source != "" {
			f.add("· by "+path.Source, fyne.TextStyle{}, colorMuted)
		}
		box.Add(newPressable(f, "", func() { p.do.path(path) }).hinted(7, "Highlight this path", p.do.hint))
	}
	switch {
	case len(a.Paths) == 0:
		box.Add(wrapped(caption("No path in this graph leads to it from the entities in the question.")))
	case a.More != "":
		box.Add(caption(a.More))
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
	return container.NewBorder(nil, nil, nil, shareAndNumber(newLevel(score.Value), number), label)
}

// matchRow is one line of the table. bar is the share of the total, as a bar
// beside the number.
func matchRow(asked, found, distance string, bar float64, strong bool) fyne.CanvasObject {
	cells := []*widget.Label{widget.NewLabel(asked), widget.NewLabel(found), widget.NewLabel(distance)}
	for i, c := range cells {
		c.SizeName = theme.SizeNameCaptionText
		c.TextStyle.Bold = strong
		if i < 2 {
			wrapped(c)
		}
	}
	cells[2].Alignment = fyne.TextAlignTrailing
	shown := newLevel(bar)
	if bar <= 0 {
		shown.Hide()
	}
	return container.NewBorder(nil, nil, nil, shareAndNumber(shown, cells[2]), container.NewGridWithColumns(2, cells[0], cells[1]))
}

// shareAndNumber sets a bar beside its number, in columns.
func shareAndNumber(bar, number fyne.CanvasObject) fyne.CanvasObject {
	return container.NewHBox(container.New(fixedWidth(46), bar), container.New(fixedWidth(80), number))
}

// newSlim is a progress bar without a number, and what holds it to its height.
func newSlim() (*widget.ProgressBar, *fyne.Container) {
	b := widget.NewProgressBar()
	b.TextFormatter = func() string { return "" }
	return b, container.New(fixedHeight(6), b)
}

// level is a bar that shows a part of 1 upon the track that 1 would fill.
type level struct {
	widget.BaseWidget
	part part
}

// newLevel is a bar from 0 to a share.
func newLevel(share float64) fyne.CanvasObject { return newSpan(0, share) }

// newSpan is a bar from one place to another.
func newSpan(from, until float64) fyne.CanvasObject {
	in := func(x float64) float32 { return float32(min(max(x, 0), 1)) }
	l := &level{part: part{in(from), in(until)}}
	l.ExtendBaseWidget(l)
	return container.NewVBox(fynelayout.NewSpacer(), container.New(fixedHeight(6), l), fynelayout.NewSpacer())
}

func (l *level) CreateRenderer() fyne.WidgetRenderer {
	track, fill := fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewRectangle(color.Transparent)
	track.CornerRadius, fill.CornerRadius = 3, 3
	return newPainted(container.NewStack(track, container.New(l.part, fill)), func() {
		track.FillColor, fill.FillColor = theme.Color(theme.ColorNameScrollBar), theme.Color(theme.ColorNamePrimary)
	})
}

// beside lays out two objects side by side, of which the first has so much of the width.
type beside float32

// Layout implements fyne.Layout.
func (b beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 8
	first := fyne.NewSize(size.Width*float32(b), size.Height)
	objects[0].Resize(first)
	objects[1].Move(fyne.NewPos(first.Width+gap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-first.Width-gap, size.Height))
}

// MinSize implements fyne.Layout.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width, max(a.Height, b.Height))
}

// part gives its one object a part of the width; of what begins later than 0 at least
// so much that it is seen.
type part struct{ from, until float32 }

func (p part) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const least = 3
	from, width := size.Width*p.from, size.Width*(p.until-p.from)
	if p.from > 0 && width < least {
		from, width = min(from, size.Width-least), least
	}
	objects[0].Move(fyne.NewPos(from, 0))
	objects[0].Resize(fyne.NewSize(width, size.Height))
}

func (part) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSquareSize(6) }

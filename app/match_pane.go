package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
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
	path   func(present.PathRow)
	answer func(kg.EntityID)
	hint   func(string)
}

func newMatchPane(do matchActions) *matchPane {
	p := &matchPane{box: container.NewVBox(), accept: newAcceptBar(do.accept), do: do}
	p.root = container.NewVScroll(p.box)
	return p
}

// show shows how the answers of a run were found: by its pattern and a match of it,
// or by paths.
func (p *matchPane) show(g *kg.Graph, run *engine.Run, c evidence.Candidate, found bool) {
	p.box.RemoveAll()
	switch {
	case run.Pattern() != nil:
		p.showMatch(g, run, c, found)
	case run != nil && run.Method.Seeded:
		p.showPaths(g, run)
	default:
		l := wrapped(widget.NewLabel("Once a question has been read, this says what was looked for and how well each part of it fits."))
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
	p.box.Add(lines(present.PatternWords(run.Pattern())))
	p.box.Add(p.accept.root)
	if !found {
		p.box.Add(wrapped(widget.NewLabel("Nothing in this graph fits all of it.")))
		return
	}
	rows, total := present.PatternTable(g, run.Pattern(), c)
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

func share(part, total float64) float32 {
	if total <= 0 {
		return 0
	}
	return float32(part / total)
}

// showPaths shows where a retriever looked, how it read the question, what to know
// about it, and the paths to each answer.
func (p *matchPane) showPaths(g *kg.Graph, run *engine.Run) {
	for _, note := range present.Notes(run) {
		l := wrapped(widget.NewLabel(note))
		l.Importance = widget.WarningImportance
		p.box.Add(l)
	}
	p.box.Add(lines(present.NetworkReading(g, run)))
	groups, more := present.PathGroups(g, run)
	if len(groups) == 0 {
		p.box.Add(wrapped(widget.NewLabel("It found no answer.")))
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

// matchRow is one line of the table. bar is the share of the total, as a bar
// beside the number.
func matchRow(asked, found, distance string, bar float32, strong bool) fyne.CanvasObject {
	cells := []*widget.Label{widget.NewLabel(asked), widget.NewLabel(found), widget.NewLabel(distance)}
	for i, c := range cells {
		c.SizeName = theme.SizeNameCaptionText
		c.TextStyle.Bold = strong
		if i < 2 {
			clipped(c)
		}
	}
	cells[2].Alignment = fyne.TextAlignTrailing
	return container.New(matchRowLayout{}, cells[0], cells[1], newBar(bar), cells[2])
}

// matchRowLayout gives the two texts what the bar and the number leave.
type matchRowLayout struct{}

// Layout implements fyne.Layout.
func (matchRowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const barWidth, number = 46, 68
	text := max(size.Width-barWidth-number, 0) / 2
	x := float32(0)
	for i, w := range []float32{text, text, barWidth, number} {
		h := o[i].MinSize().Height
		o[i].Move(fyne.NewPos(x, (size.Height-h)/2))
		o[i].Resize(fyne.NewSize(w, h))
		x += w
	}
}

// MinSize implements fyne.Layout.
func (matchRowLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	const narrowest = 220
	return fyne.NewSize(narrowest, o[0].MinSize().Height)
}

// bar is a short horizontal bar that shows a share of 1.
type bar struct {
	widget.BaseWidget
	share float32
	track bool // what it is a share of is drawn too
}

func newBar(s float32) *bar {
	b := &bar{share: s}
	b.ExtendBaseWidget(b)
	return b
}

// newLevel makes a bar upon the track that it would fill at 1.
func newLevel(s float64) *bar {
	b := newBar(float32(min(max(s, 0), 1)))
	b.track = true
	return b
}

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, fill: fynecanvas.NewRectangle(color.Transparent), ground: fynecanvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type barRenderer struct {
	b            *bar
	ground, fill *fynecanvas.Rectangle
}

const barHeight = 6

func (r *barRenderer) Layout(size fyne.Size) {
	r.ground.Move(fyne.NewPos(0, (size.Height-barHeight)/2))
	r.ground.Resize(fyne.NewSize(size.Width, barHeight))
	r.fill.Move(fyne.NewPos(0, (size.Height-barHeight)/2))
	r.fill.Resize(fyne.NewSize(size.Width*r.b.share, barHeight))
}

func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(barHeight, barHeight) }

func (r *barRenderer) Refresh() {
	r.fill.FillColor, r.fill.CornerRadius = theme.Color(theme.ColorNamePrimary), barHeight/2
	if r.b.share <= 0 {
		r.fill.FillColor = color.Transparent
	}
	r.ground.FillColor, r.ground.CornerRadius = color.Transparent, barHeight/2
	if r.b.track {
		r.ground.FillColor = theme.Color(theme.ColorNameScrollBar)
	}
	r.ground.Refresh()
	r.fill.Refresh()
}

func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.ground, r.fill} }

func (r *barRenderer) Destroy() {}

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

// show shows a match of a run; without one, the pattern alone.
func (p *matchPane) show(g *kg.Graph, run *engine.Run, c evidence.Candidate, found bool) {
	p.box.RemoveAll()
	if present.Ranked(run) {
		p.showNetwork(g, run)
		return
	}
	pat := present.PatternOf(run)
	if pat == nil {
		l := wrapped(widget.NewLabel("Once a question has been read, this says what was looked for and how well each part of it fits."))
		l.Importance = widget.LowImportance
		p.box.Add(l)
		return
	}
	words := container.New(stacked)
	for _, line := range present.PatternWords(pat) {
		words.Add(wrapped(widget.NewLabel(line)))
	}
	p.box.Add(words)
	p.box.Add(p.accept.root)
	if !found {
		p.box.Add(wrapped(widget.NewLabel("Nothing in this graph fits all of it.")))
		p.root.ScrollToTop()
		return
	}
	rows, total := present.PatternTable(g, pat, c)
	not := present.NoMatch(run, rows)
	if not != "" {
		p.box.Add(wrapped(bold(not)))
	}
	table := container.New(stacked)
	table.Add(matchRow("Looked for", "Found", "Distance", 0, true))
	for _, r := range rows {
		table.Add(matchRow(r.Asked, r.Found, r.PartOf(), share(r.Distance, total), false))
	}
	if not == "" {
		table.Add(matchRow("Total", "lower is closer, 0 is exact", present.PartText(total), share(total, total), true))
	}
	p.box.Add(newQuote(table))
	p.root.ScrollToTop()
}

func share(part, total float64) float32 {
	if total <= 0 {
		return 0
	}
	return float32(part / total)
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

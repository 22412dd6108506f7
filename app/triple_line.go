package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// tripleLine shows "head — relation → tail" on one line. Where there is no room
// the longer of head and tail gives way, so that both ends stay readable.
type tripleLine struct {
	widget.BaseWidget
	head, relation, tail string
}

func newTripleLine() *tripleLine {
	l := &tripleLine{}
	l.ExtendBaseWidget(l)
	return l
}

func (l *tripleLine) set(head, relation, tail string) {
	l.head, l.relation, l.tail = head, relation, tail
	l.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (l *tripleLine) CreateRenderer() fyne.WidgetRenderer {
	r := &tripleLineRenderer{l: l}
	for i := range r.texts {
		r.texts[i] = fynecanvas.NewText("", color.Black)
	}
	r.Refresh()
	return r
}

type tripleLineRenderer struct {
	l     *tripleLine
	texts [3]*fynecanvas.Text
}

const tripleText = 14

func (r *tripleLineRenderer) Layout(size fyne.Size) {
	words := [3]string{r.l.head, "— " + r.l.relation + " →", r.l.tail}
	var width [3]float32
	for i, t := range r.texts {
		width[i] = fyne.MeasureText(words[i], tripleText, t.TextStyle).Width
	}
	const gap = 6
	room := size.Width - 2*gap
	if over := width[0] + width[1] + width[2] - room; over > 0 {
		// The relation keeps at most two fifths; the ends share the rest.
		width[1] = min(width[1], max(room*2/5, room-width[0]-width[2]))
		ends := room - width[1]
		half := ends / 2
		switch {
		case width[0] <= half:
			width[2] = ends - width[0]
		case width[2] <= half:
			width[0] = ends - width[2]
		default:
			width[0], width[2] = half, half
		}
	}
	var x float32
	grid := pixelsOf(r.l)
	for i, t := range r.texts {
		t.Text = fit(words[i], width[i]+0.5, t.TextStyle)
		m := t.MinSize()
		t.Move(grid.snap(x, (size.Height-m.Height)/2))
		t.Resize(m)
		x += min(m.Width, max(width[i], 0)) + gap
	}
}

// fit cuts s with an ellipsis to a width.
func fit(s string, width float32, style fyne.TextStyle) string {
	if fyne.MeasureText(s, tripleText, style).Width <= width {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if fyne.MeasureText(string(runes[:mid])+"…", tripleText, style).Width <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return string(runes[:lo]) + "…"
}

func (r *tripleLineRenderer) MinSize() fyne.Size {
	const narrowest = 100
	return fyne.NewSize(narrowest, fyne.MeasureText("X", tripleText, fyne.TextStyle{Bold: true}).Height)
}

func (r *tripleLineRenderer) Refresh() {
	for i, t := range r.texts {
		t.TextSize, t.Color, t.TextStyle.Bold = tripleText, theme.Color(theme.ColorNameForeground), true
		if i == 1 {
			t.Color, t.TextStyle.Bold = theme.Color(colorMuted), false
		}
	}
	r.Layout(r.l.Size())
	fynecanvas.Refresh(r.l)
}

func (r *tripleLineRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.texts[0], r.texts[1], r.texts[2]}
}

func (r *tripleLineRenderer) Destroy() {}

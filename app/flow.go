package app

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// flow sets words and small objects, such as citations, in lines that break at
// the width it is given. Fyne's own rich text cannot hold widgets of ours.
type flow struct {
	widget.BaseWidget
	words []word
	size  fyne.ThemeSizeName
	gap   float32 // between lines
	width float32 // as last laid out
}

// word is text in one style, or an object.
type word struct {
	text   string
	style  fyne.TextStyle
	color  fyne.ThemeColorName
	object fyne.CanvasObject
	glued  bool // no space before it
}

func newFlow(size fyne.ThemeSizeName) *flow {
	f := &flow{size: size, gap: 4}
	f.ExtendBaseWidget(f)
	return f
}

// add appends text, word by word. Words too long for a line, and scripts
// without spaces, are broken into pieces.
func (f *flow) add(text string, style fyne.TextStyle, color fyne.ThemeColorName) {
	for w := range strings.FieldsSeq(text) {
		for i, part := range pieces(w) {
			f.words = append(f.words, word{text: part, style: style, color: color, glued: i > 0})
		}
	}
}

// pieces breaks a word that is too long for a line. An arrow at its beginning
// is a piece of its own: it comes from another font, which would lift the whole
// word off the line.
func pieces(w string) []string {
	const longest, piece = 22, 8
	var out []string
	if rest, ok := strings.CutPrefix(w, "←"); ok && rest != "" {
		out, w = append(out, "←"), rest
	}
	if utf8.RuneCountInString(w) <= longest {
		return append(out, w)
	}
	for part := range slices.Chunk([]rune(w), piece) {
		out = append(out, string(part))
	}
	return out
}

// addObject appends an object, a line of its own height at most.
func (f *flow) addObject(o fyne.CanvasObject) { f.words = append(f.words, word{object: o}) }

// Text returns the words as one line, for tests and the clipboard.
func (f *flow) Text() string {
	var words []string
	for _, w := range f.words {
		switch c := w.object.(type) {
		case nil:
			if w.glued && len(words) > 0 {
				words[len(words)-1] += w.text
				continue
			}
			words = append(words, w.text)
		case *chip:
			words = append(words, "["+c.text+"]")
		}
	}
	return strings.Join(words, " ")
}

// Resize implements fyne.CanvasObject: another width may need other lines.
func (f *flow) Resize(s fyne.Size) {
	changed := s.Width != f.width
	f.width = s.Width
	f.BaseWidget.Resize(s)
	if changed {
		f.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *flow) CreateRenderer() fyne.WidgetRenderer {
	r := &flowRenderer{f: f}
	r.rebuild()
	return r
}

type flowRenderer struct {
	f       *flow
	objects []fyne.CanvasObject
}

// rebuild makes the objects anew from the words.
func (r *flowRenderer) rebuild() {
	size := theme.Size(r.f.size)
	r.objects = r.objects[:0]
	for _, w := range r.f.words {
		if w.object != nil {
			r.objects = append(r.objects, w.object)
			continue
		}
		t := fynecanvas.NewText(w.text, theme.Color(w.color))
		t.TextSize, t.TextStyle = size, w.style
		r.objects = append(r.objects, t)
	}
}

// arrange walks the lines for a width, moves the objects there if place is
// set, and returns the height.
func (r *flowRenderer) arrange(width float32, place bool) float32 {
	size := theme.Size(r.f.size)
	space := fyne.MeasureText(" ", size, fyne.TextStyle{}).Width
	line := fyne.MeasureText("X", size, fyne.TextStyle{}).Height
	var x, y float32
	for i, o := range r.objects {
		m := o.MinSize()
		if x > 0 {
			if !r.f.words[i].glued {
				x += space
			}
			if x+m.Width > width {
				x, y = 0, y+line+r.f.gap
			}
		}
		if place {
			// On whole units, so that no word is smeared over two pixels.
			o.Move(fyne.NewPos(whole(x), whole(y+(line-m.Height)/2)))
			o.Resize(fyne.NewSize(min(m.Width, max(width-x, 1)), m.Height))
		}
		x += m.Width
	}
	return y + line
}

func whole(v float32) float32 { return float32(math.Round(float64(v))) }

func (r *flowRenderer) Layout(size fyne.Size) { r.arrange(size.Width, true) }

// MinSize is as high as the lines are at the last width.
func (r *flowRenderer) MinSize() fyne.Size {
	const narrowest, before = 120, 320
	width := r.f.width
	if width == 0 {
		width = before
	}
	return fyne.NewSize(narrowest, r.arrange(width, false))
}

func (r *flowRenderer) Refresh() {
	r.rebuild()
	r.arrange(r.f.width, true)
	fynecanvas.Refresh(r.f)
}

func (r *flowRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *flowRenderer) Destroy() {}

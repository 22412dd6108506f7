package app

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
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

type word struct {
	text   string
	style  fyne.TextStyle
	color  fyne.ThemeColorName
	object fyne.CanvasObject
	glued  bool // no space before it
	struck bool // a line goes through it
}

func newFlow(size fyne.ThemeSizeName) *flow {
	f := &flow{size: size, gap: 4}
	f.ExtendBaseWidget(f)
	return f
}

// add appends text, word by word. Words too long for a line, and scripts
// without spaces, are broken into pieces. Words written from right to left stay
// together, in which they are put in order.
func (f *flow) add(text string, style fyne.TextStyle, color fyne.ThemeColorName) {
	isRight := func(w string) bool { return strings.ContainsFunc(w, isRightToLeft) }
	joined, last := []string{}, false
	for w := range strings.FieldsSeq(text) {
		right := isRight(w)
		if n := len(joined) - 1; right && last && utf8.RuneCountInString(joined[n]+w) < longestWord {
			joined[n] += " " + w
		} else {
			joined = append(joined, w)
		}
		last = right
	}
	mixed := slices.ContainsFunc(joined, func(w string) bool { return !isRight(w) })
	for _, w := range joined {
		ends := "" // of a sentence that is not itself written from right to left
		if mixed && isRight(w) {
			named := strings.TrimRight(w, ".,;:?!")
			w, ends = named, w[len(named):]
		}
		for i, part := range pieces(w) {
			f.words = append(f.words, word{text: part, style: style, color: color, glued: i > 0})
		}
		if ends != "" {
			f.words = append(f.words, word{text: ends, style: style, color: color, glued: true})
		}
	}
}

// addMarked appends text that may be struck, and glued to what stands before it.
func (f *flow) addMarked(text string, style fyne.TextStyle, color fyne.ThemeColorName, struck, glued bool) {
	from := len(f.words)
	f.add(text, style, color)
	for i := from; i < len(f.words); i++ {
		f.words[i].struck = struck
		f.words[i].glued = f.words[i].glued || i == from && glued && from > 0
	}
}

// addStruck appends text with a line through it. Fyne's text has no such style.
func (f *flow) addStruck(text string, color fyne.ThemeColorName) {
	f.addMarked(text, fyne.TextStyle{}, color, true, false)
}

// isRightToLeft reports whether a rune is of a script that is written from right to left.
func isRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// longestWord is how many characters of a word stay together.
const longestWord = 22

// pieces breaks a word that is too long for a line. An arrow at its beginning
// is a piece of its own: it comes from another font, which would lift the whole
// word off the line.
func pieces(w string) []string {
	const piece = 8
	var out []string
	if rest, ok := strings.CutPrefix(w, "←"); ok && rest != "" {
		out, w = append(out, "←"), rest
	}
	if utf8.RuneCountInString(w) <= longestWord {
		return append(out, w)
	}
	for part := range slices.Chunk([]rune(w), piece) {
		out = append(out, string(part))
	}
	return out
}

// addObject appends an object, a line of its own height at most.
func (f *flow) addObject(o fyne.CanvasObject) { f.words = append(f.words, word{object: o}) }

// Resize implements fyne.CanvasObject: another width may need other lines.
func (f *flow) Resize(s fyne.Size) {
	changed := s.Width != f.width
	f.width = s.Width
	f.BaseWidget.Resize(s)
	if changed {
		f.Refresh()
	}
}

func (f *flow) CreateRenderer() fyne.WidgetRenderer {
	r := &flowRenderer{f: f}
	r.rebuild()
	return r
}

type flowRenderer struct {
	f       *flow
	objects []fyne.CanvasObject // one a word
	strikes []*fynecanvas.Line  // one a word, nil where it is not struck
	all     []fyne.CanvasObject
}

// rebuild makes the objects anew from the words.
func (r *flowRenderer) rebuild() {
	size := theme.Size(r.f.size)
	r.objects, r.all = r.objects[:0], r.all[:0]
	r.strikes = make([]*fynecanvas.Line, len(r.f.words))
	for i, w := range r.f.words {
		if w.object != nil {
			r.objects = append(r.objects, w.object)
			continue
		}
		t := fynecanvas.NewText(w.text, theme.Color(w.color))
		t.TextSize, t.TextStyle = size, w.style
		r.objects = append(r.objects, t)
		if w.struck {
			r.strikes[i] = fynecanvas.NewLine(t.Color)
			r.strikes[i].StrokeWidth = strikeWidth
		}
	}
	r.all = append(r.all, r.objects...)
	for _, s := range r.strikes {
		if s != nil {
			r.all = append(r.all, s)
		}
	}
}

// strikeWidth is how thick the line through a struck word is.
const strikeWidth = 1.4

// arrange walks the lines for a width, tells place, if set, where each word stands and how
// large it is, and returns the height.
func (f *flow) arrange(width float32, place func(i int, at fyne.Position, m fyne.Size)) float32 {
	size := theme.Size(f.size)
	space := fyne.MeasureText(" ", size, fyne.TextStyle{}).Width
	line := f.line()
	var x, y float32
	for i := range f.words {
		m := f.words[i].measure(size)
		if x > 0 {
			if !f.words[i].glued {
				x += space
			}
			need := m.Width // a mark, such as a question mark, stays with its word
			if next := i + 1; next < len(f.words) && f.words[next].glued && utf8.RuneCountInString(f.words[next].text) <= 2 {
				need += f.words[next].measure(size).Width
			}
			if x+need > width {
				x, y = 0, y+line+f.gap
			}
		}
		if place != nil {
			place(i, fyne.NewPos(x, y), m)
		}
		x += m.Width
	}
	return y + line
}

// line is how high a line is.
func (f *flow) line() float32 {
	return fyne.MeasureText("X", theme.Size(f.size), fyne.TextStyle{}).Height
}

func (w *word) measure(size float32) fyne.Size {
	if w.object != nil {
		return w.object.MinSize()
	}
	return fyne.MeasureText(w.text, size, w.style)
}

// place moves the objects to where they stand.
func (r *flowRenderer) place(width float32) {
	grid, line := pixelsOf(r.f), r.f.line()
	r.f.arrange(width, func(i int, at fyne.Position, m fyne.Size) {
		if i >= len(r.objects) { // a word that was added since
			return
		}
		r.objects[i].Move(grid.snap(at.X, at.Y+(line-m.Height)/2))
		r.objects[i].Resize(fyne.NewSize(min(m.Width, max(width-at.X, 1)), m.Height))
		r.strike(i, at.X, min(at.X+m.Width, max(width, at.X+1)), grid.snap(0, at.Y+line*strikeHeight).Y)
	})
}

// strikeHeight is where on a line of text it is struck, from its top.
const strikeHeight = 0.56

// strike draws the line through word i, and joins it to that of the word before
// it on the same line.
func (r *flowRenderer) strike(i int, from, to, y float32) {
	s := r.strikes[i]
	if s == nil {
		return
	}
	s.Position1, s.Position2 = fyne.NewPos(from, y), fyne.NewPos(to, y)
	if i > 0 && r.strikes[i-1] != nil && r.strikes[i-1].Position1.Y == y {
		r.strikes[i-1].Position2.X = from
	}
}

// pixels is how many of a screen's pixels make a unit.
type pixels float32

// pixelsOf returns those of the screen that o is on, 1 where it is on none.
func pixelsOf(o fyne.CanvasObject) pixels {
	const many = 1000 // as pixels are whole
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
		x, _ := c.PixelCoordinateForPosition(fyne.NewPos(many, 0))
		return pixels(x) / many
	}
	return 1
}

// snap moves a place onto whole pixels. Fyne stretches a text that begins between
// two of them over both, and smears it.
func (p pixels) snap(x, y float32) fyne.Position {
	whole := func(v float32) float32 { return float32(math.Round(float64(v)*float64(p)) / float64(p)) }
	return fyne.NewPos(whole(x), whole(y))
}

func (r *flowRenderer) Layout(size fyne.Size) { r.place(size.Width) }

// MinSize is as high as the lines are at the last width.
func (r *flowRenderer) MinSize() fyne.Size {
	const narrowest, before = 120, 320
	width := cmp.Or(r.f.width, before)
	return fyne.NewSize(narrowest, r.f.arrange(width, nil))
}

func (r *flowRenderer) Refresh() {
	r.rebuild()
	r.place(r.f.width)
	fynecanvas.Refresh(r.f)
}

func (r *flowRenderer) Objects() []fyne.CanvasObject { return r.all }

func (r *flowRenderer) Destroy() {}

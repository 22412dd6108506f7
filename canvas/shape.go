package canvas

import (
	"cmp"
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
	"cairn/internal/wording"
)

// Sizes at 100 %, in layout units.
const (
	labelSize   = 13
	typeSize    = 11
	lineHeight  = 17
	typeHeight  = 14
	markSize    = 11
	markHeight  = 14
	padX        = 13
	padY        = 9
	slimX       = 8 // of cards in a frame
	slimY       = 5 // of cards where there are many
	cellWidth   = 160
	slimLines   = 2
	narrowWidth = 112
	badgeWidth  = 25 // mark of the role, left of the label
	typeDot     = 9  // dot and gap before the type
	cardWidth   = 200
	minCard     = 64
	cardLines   = 3
	edgeSize    = 11
	chipSize    = 11
	pillPadX    = 6
	pillHeight  = 19
	chipHeight  = 14
	edgeWidth   = 150 // of the text in a pill
	headLength  = 9.5
)

// The radii of discs with a mark, and the least length of a card's bar.
const (
	leastMarked = 8
	mostMarked  = 22
	leastBar    = 44
)

const dotsAbove = 1500 // nodes, of which a status line says that they are small

// shape is what a node looks like, at 100 %.
type shape struct {
	label  string   // on one line, whole
	lines  []string // the same, wrapped
	short  string   // the label on one line
	width  float32  // of short at size 1: measuring anew would wear out the cache
	kind   string   // the type, cut to fit
	mark   string   // the number beside the bar
	level  float32  // of the bar, in [0, 1]
	markW  float32  // width of mark on a card
	w, h   float32
	padY   float32
	cell   bool    // stands in a frame
	radius float32 // as a disc
	hue    int     // of the type, into Palette.Hues; -1 without
}

// pill is what the label of an edge looks like, at 100 %.
type pill struct {
	text     string
	tag      string
	w        float32
	tagWidth float32
}

func (b *board) measured(f *paint.Fonts, d dress) []shape {
	m := &b.model
	degree := make([]int, len(m.Nodes))
	for _, e := range m.Edges {
		degree[e.From]++
		degree[e.To]++
	}
	named := map[string]int{}
	for i := range m.Nodes {
		named[m.Nodes[i].Label]++
	}
	out := make([]shape, len(m.Nodes))
	for i := range m.Nodes {
		n := &m.Nodes[i]
		s := &out[i]
		s.hue = -1
		if n.Hue > 0 {
			s.hue = (n.Hue - 1) % len(Palette{}.Hues)
		}
		s.radius = min(7+2.2*float32(math.Sqrt(float64(degree[i]))), 24)
		label := cmp.Or(clean(n.Label), "(no name)")
		s.label = label
		s.mark, s.level = clean(n.Mark), float32(min(max(n.Level, 0), 1))
		s.short = cut(f, label, labelSize, true, cardWidth)
		if s.mark != "" && !b.cards() {
			s.short += " · " + s.mark
			s.radius = leastMarked + (mostMarked-leastMarked)*s.level
		}
		s.width = f.Measure(s.short, 1, false)
		if !b.cards() {
			s.w, s.h = 2*s.radius, 2*s.radius
			continue
		}
		kind := clean(n.Type)
		if g := b.grids.node[i]; g >= 0 {
			s.cell = true
			if n.Type == b.grids.all[g].kind || n.Role == Rest {
				kind = ""
			}
		} else if d.slim && named[n.Label] == 1 {
			kind = ""
		}
		s.card(n, label, kind, d, f)
	}
	if b.cards() {
		sameWidth(m, out, Known)
		sameWidth(m, out, Answer)
	}
	return out
}

// sameWidth makes the cards of a role, which stand in one column, equally wide,
// and so those in frames.
func sameWidth(m *Model, shapes []shape, r Role) {
	var widest [2]float32
	in := func(i int) *float32 {
		if shapes[i].cell {
			return &widest[1]
		}
		return &widest[0]
	}
	for i := range shapes {
		if class(m, i) == r {
			*in(i) = max(*in(i), shapes[i].w)
		}
	}
	for i := range shapes {
		if class(m, i) == r {
			shapes[i].w = *in(i)
		}
	}
}

func (s *shape) card(n *Node, label, kind string, d dress, f *paint.Fonts) {
	width, lines, side := float32(cardWidth), cardLines, float32(padX)
	if s.padY = padY; s.cell || d.slim {
		lines, s.padY = slimLines, slimY
	}
	switch {
	case s.cell:
		width, side = cellWidth, slimX
	case d.narrow:
		width, lines = narrowWidth, cardLines
	}
	s.lines = wrap(f, label, labelSize, width, lines)
	text := float32(0)
	for _, line := range s.lines {
		text = max(text, f.Measure(line, labelSize, true))
	}
	s.h = 2*s.padY + lineHeight*float32(len(s.lines))
	if kind != "" {
		s.kind = cut(f, kind, typeSize, false, width-typeDot)
		text = max(text, f.Measure(s.kind, typeSize, false)+typeDot)
		s.h += typeHeight
	}
	if s.mark != "" {
		s.markW = f.Measure(s.mark, markSize, true)
		text = max(text, leastBar+s.markW)
		s.h += markHeight
	}
	if s.cell || d.slim { // shown small, its text shrinks less than the card
		text *= max(d.slack, dresses[1].slack)
	}
	s.w = max(text+2*side, minCard)
	if n.Role != Plain && n.Role != Rest && !s.cell {
		s.w += badgeWidth
	}
}

func measurePills(m *Model, g *grids, f *paint.Fonts) []pill {
	out := make([]pill, len(m.Edges))
	for i := range m.Edges {
		e := m.Edges[i]
		if n := g.cited(m, i); n > 1 {
			e.Tag = "×" + wording.Number(n)
		}
		if len(g.with[i]) > 0 {
			out[i] = newPill(&e, f)
		}
	}
	return out
}

func newPill(e *Edge, f *paint.Fonts) pill {
	p := pill{text: cut(f, clean(e.Label), edgeSize, false, edgeWidth), tag: cut(f, clean(e.Tag), chipSize, true, 60)}
	if p.text == "" && p.tag == "" {
		return p
	}
	p.w = 2 * pillPadX
	if p.text != "" {
		p.w += f.Measure(p.text, edgeSize, false)
	}
	if p.tag != "" {
		p.tagWidth = f.Measure(p.tag, chipSize, true) + 8
		p.w += p.tagWidth - 3
		if p.text != "" {
			p.w += 5
		}
	}
	return p
}

// graph is the model for package layout.
func (b *board) graph() layout.Graph {
	m, shapes, pills, cards := &b.model, b.shapes, b.pills, b.cards()
	g := layout.Graph{Nodes: make([]layout.Size, len(shapes)), Edges: make([]layout.Edge, len(m.Edges))}
	for i := range shapes {
		s := &shapes[i]
		g.Nodes[i] = layout.Size{W: float64(s.w), H: float64(s.h)}
		if !cards && len(shapes) <= 200 { // room for the label below
			g.Nodes[i].H += 2 * lineHeight
			g.Nodes[i].W += 30
		}
	}
	for i, e := range m.Edges {
		g.Edges[i] = layout.Edge{From: e.From, To: e.To}
		if pills[i].w > 0 && cards {
			g.Edges[i].Label = layout.Size{W: float64(pills[i].w), H: pillHeight}
		}
	}
	return g
}

// longestLabel is how much of a label is looked at; no picture shows more.
const longestLabel = 300

// clean makes one line of a label.
func clean(s string) string {
	if len(s) > longestLabel*utf8.UTFMax {
		s = s[:longestLabel*utf8.UTFMax]
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if runes := []rune(s); len(runes) > longestLabel {
		s = string(runes[:longestLabel-1]) + "…"
	}
	return s
}

// cut shortens s with an ellipsis to the width given.
func cut(f *paint.Fonts, s string, size float32, bold bool, width float32) string {
	if f.Measure(s, size, bold) <= width {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return f.Measure(string(runes[:n+1])+"…", size, bold) > width })
	return strings.TrimRight(string(runes[:n]), " ,.;:-") + "…"
}

// wrap breaks s, in bold, into at most lines lines no wider than width, as evenly as they
// go; what does not fit is cut.
func wrap(f *paint.Fonts, s string, size, width float32, lines int) []string {
	whole := f.Measure(s, size, true)
	if whole <= width {
		return []string{s}
	}
	pieces := breakable(s)
	full := fill(f, pieces, size, width, lines)
	// The narrowest width that takes as many lines looks best.
	best := full
	if whole < width*float32(lines)*0.98 {
		w := max(whole/float32(len(full)), width/2)
		for _, piece := range pieces { // but no word is broken for it
			w = max(w, f.Measure(strings.TrimRight(piece, " "), size, true))
		}
		for ; w < width; w += 6 {
			even := fill(f, pieces, size, w, lines)
			if len(even) == len(full) && !strings.HasSuffix(even[len(even)-1], "…") {
				best = even
				break
			}
		}
	}
	return best
}

// fill takes pieces onto lines greedily.
func fill(f *paint.Fonts, pieces []string, size, width float32, lines int) []string {
	var out []string
	line := ""
	for i := 0; i < len(pieces); i++ {
		next := line + pieces[i]
		if f.Measure(strings.TrimRight(next, " "), size, true) <= width {
			line = next
			continue
		}
		if line == "" { // one long word: as much of it as fits
			head, tail := splitWord(f, pieces[i], size, width)
			line = head
			if tail != "" {
				pieces = append(append(append([]string{}, pieces[:i+1]...), tail), pieces[i+1:]...)
			}
			continue
		}
		if len(out) == lines-1 {
			rest := line + strings.Join(pieces[i:], "")
			return append(out, cut(f, rest, size, true, width))
		}
		out = append(out, strings.TrimRight(line, " "))
		line = ""
		i--
	}
	if line != "" {
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

func splitWord(f *paint.Fonts, word string, size, width float32) (head, tail string) {
	runes := []rune(word)
	n := 1 + sort.Search(len(runes)-1, func(n int) bool { return f.Measure(string(runes[:n+2]), size, true) > width })
	return string(runes[:n]), string(runes[n:])
}

// breakable cuts s where a line may end: after spaces, hyphens, slashes and
// underscores, and between ideographs.
func breakable(s string) []string {
	var out []string
	start := 0
	var previous rune
	for i, c := range s {
		ends := previous == ' ' || previous == '-' || previous == '/' || previous == '_' || previous == '–'
		if i > start && (ends && c != ' ' || ideograph(previous) || ideograph(c)) {
			out = append(out, s[start:i])
			start = i
		}
		previous = c
	}
	return append(out, s[start:])
}

func ideograph(c rune) bool {
	return unicode.Is(unicode.Han, c) || unicode.Is(unicode.Hiragana, c) || unicode.Is(unicode.Katakana, c)
}

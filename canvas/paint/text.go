package paint

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	// Both caches hold two generations of at most this many entries.
	keptRuns  = 4000
	keptMasks = 6000
	// shapeSize is the size runs are shaped at; they are scaled from there.
	shapeSize = 64
	// longest is how many runes of a text are shaped. A label is cut long before.
	longest = 500
)

// Fonts shapes text and draws its glyphs. Characters that the fonts given lack
// are looked for in the system's fonts, once LoadSystem was called. All methods
// may be called from several goroutines.
type Fonts struct {
	mu      sync.Mutex
	faces   [2][]*font.Face // regular and bold, in order of preference
	ids     map[*font.Face]uint16
	shaper  shaping.HarfbuzzShaper
	split   shaping.Segmenter
	system  *fontscan.FontMap
	scanned bool
	wanted  bool // a character was missing and the system's fonts are not loaded
	runs    generations[runKey, *run]
	masks   generations[maskKey, *mask]
}

// NewFonts parses a regular and a bold face, and more faces to fall back on.
func NewFonts(regular, bold []byte, fallback ...[]byte) (*Fonts, error) {
	f := &Fonts{
		ids:   map[*font.Face]uint16{},
		runs:  newGenerations[runKey, *run](keptRuns),
		masks: newGenerations[maskKey, *mask](keptMasks),
	}
	for i, data := range [][]byte{regular, bold} {
		face, err := font.ParseTTF(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("parse font: %w", err)
		}
		f.faces[i] = append(f.faces[i], face)
	}
	for _, data := range fallback {
		face, err := font.ParseTTF(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("parse fallback font: %w", err)
		}
		f.faces[0] = append(f.faces[0], face)
		f.faces[1] = append(f.faces[1], face)
	}
	return f, nil
}

// WantsSystem tells whether a text had characters that only the system's fonts
// may have, and these were not loaded yet.
func (f *Fonts) WantsSystem() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wanted
}

// LoadSystem finds the fonts of the system. The first time on a machine this
// may take seconds; call it away from the user interface. Texts shaped before
// are shaped anew. A machine without fonts is no error.
func (f *Fonts) LoadSystem() {
	f.mu.Lock()
	if f.scanned {
		f.mu.Unlock()
		return
	}
	f.scanned = true
	f.wanted = false
	f.mu.Unlock()

	fm := fontscan.NewFontMap(silent{})
	if err := fm.UseSystemFonts(""); err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.system = fm
	f.runs.clear()
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// Measure returns the width of s at the size given.
func (f *Fonts) Measure(s string, size float32, bold bool) float32 {
	return f.shape(s, bold).advance * size
}

type runKey struct {
	text string
	bold bool
}

// run is a shaped text in units of its size.
type run struct {
	glyphs  []glyph
	advance float32
}

type glyph struct {
	face *font.Face
	gid  font.GID
	x, y float32
}

// resolver picks the face of each character.
type resolver struct {
	f    *Fonts
	bold bool
}

// ResolveFace is called by the segmenter.
func (r resolver) ResolveFace(c rune) *font.Face {
	weight := 0
	if r.bold {
		weight = 1
	}
	faces := r.f.faces[weight]
	for _, face := range faces {
		if _, ok := face.NominalGlyph(c); ok {
			return face
		}
	}
	if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
		return faces[0]
	}
	if r.f.system == nil {
		r.f.wanted = !r.f.scanned
		return faces[0]
	}
	aspect := font.Aspect{Weight: font.WeightNormal}
	if r.bold {
		aspect.Weight = font.WeightBold
	}
	r.f.system.SetQuery(fontscan.Query{Families: []string{fontscan.SansSerif}, Aspect: aspect})
	if face := r.f.system.ResolveFace(c); face != nil {
		if _, ok := face.NominalGlyph(c); ok {
			return face
		}
	}
	return faces[0]
}

// shape returns the glyphs of s in the order they are seen.
func (f *Fonts) shape(s string, bold bool) *run {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := runKey{s, bold}
	if r, ok := f.runs.get(key); ok {
		return r
	}
	text := []rune(strings.Map(visible, s))
	if len(text) > longest {
		text = text[:longest]
	}
	r := &run{}
	if len(text) > 0 {
		base := direction(text)
		parts := f.split.Split(shaping.Input{
			Text: text, RunEnd: len(text), Direction: base, Size: fixed.I(shapeSize), Language: language.NewLanguage("en"),
		}, resolver{f, bold})
		outputs := make([]shaping.Output, len(parts))
		for i := range parts {
			outputs[i] = f.shaper.Shape(parts[i])
		}
		for _, i := range visualOrder(outputs, base) {
			r.add(&outputs[i])
		}
	}
	f.runs.put(key, r)
	return r
}

// visible replaces what would break a line of text.
func visible(c rune) rune {
	switch {
	case c == '\n' || c == '\t' || c == '\r':
		return ' '
	case unicode.IsControl(c):
		return -1
	}
	return c
}

// direction is that of the first letter.
func direction(text []rune) di.Direction {
	for _, c := range text {
		if unicode.Is(unicode.Arabic, c) || unicode.Is(unicode.Hebrew, c) || unicode.Is(unicode.Syriac, c) || unicode.Is(unicode.Thaana, c) {
			return di.DirectionRTL
		}
		if unicode.IsLetter(c) {
			break
		}
	}
	return di.DirectionLTR
}

// visualOrder lists runs from left to right: runs against the base direction
// keep together and are turned round.
func visualOrder(outputs []shaping.Output, base di.Direction) []int {
	order := make([]int, 0, len(outputs))
	for i := 0; i < len(outputs); {
		j := i
		for j < len(outputs) && outputs[j].Direction == outputs[i].Direction {
			j++
		}
		for k := i; k < j; k++ {
			if outputs[i].Direction == base {
				order = append(order, k)
			} else {
				order = append(order, j-1-(k-i))
			}
		}
		i = j
	}
	if base == di.DirectionRTL {
		slices.Reverse(order)
	}
	return order
}

func (r *run) add(out *shaping.Output) {
	const unit = 64 * shapeSize
	for _, g := range out.Glyphs {
		r.glyphs = append(r.glyphs, glyph{
			face: out.Face, gid: g.GlyphID,
			x: r.advance + float32(g.XOffset)/unit, y: -float32(g.YOffset) / unit,
		})
		r.advance += float32(g.XAdvance) / unit
	}
}

// mask is the coverage of a shape: of one glyph at one size and one part of a pixel.
type mask struct {
	alpha          []uint8
	w, h           int
	left, baseline int // of the mask's corner, from the glyph's origin
}

type maskKey struct {
	face uint16
	gid  font.GID
	size uint16 // quarter pixels; halves above bigText
	sub  uint8  // quarter of a pixel
}

// placed is a glyph on the picture.
type placed struct {
	mask *mask
	x, y int
}

// place finds the masks of all texts, before the bands are painted, so that
// these share nothing that changes.
func (l *List) place() {
	l.glyphs = l.glyphs[:0]
	if l.fonts == nil {
		return
	}
	f := l.fonts
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range l.Items {
		it := &l.Items[i]
		if it.Kind != Text {
			continue
		}
		it.first = int32(len(l.glyphs))
		if it.maxX >= 0 && it.minX <= l.W && it.maxY >= 0 && it.minY <= l.H {
			l.placeText(it)
		}
		it.n = int32(len(l.glyphs)) - it.first
	}
}

const bigText = 20

func (l *List) placeText(it *Item) {
	quantum := float32(4)
	if it.Size > bigText {
		quantum = 2
	}
	size := min(float32(math.Round(float64(it.Size*quantum)))/quantum, 1000)
	base := int(math.Round(float64(it.P[0].Y)))
	for _, g := range it.run.glyphs {
		x := it.P[0].X + g.x*it.Size
		ix := floor(x)
		id, ok := l.fonts.ids[g.face]
		if !ok {
			id = uint16(len(l.fonts.ids))
			l.fonts.ids[g.face] = id
		}
		key := maskKey{face: id, gid: g.gid, size: uint16(size * 4), sub: uint8((x-float32(ix))*4) & 3}
		m, ok := l.fonts.masks.get(key)
		if !ok {
			m = drawGlyph(g.face, g.gid, size, float32(key.sub)/4)
			l.fonts.masks.put(key, m)
		}
		if m.alpha != nil {
			l.glyphs = append(l.glyphs, placed{m, ix + m.left, base + m.baseline + int(math.Round(float64(g.y*size)))})
		}
	}
}

func outlineOf(face *font.Face, gid font.GID) (font.GlyphOutline, bool) {
	switch data := face.GlyphData(gid).(type) {
	case font.GlyphOutline:
		return data, len(data.Segments) > 0
	case font.GlyphSVG:
		return data.Outline, len(data.Outline.Segments) > 0
	case font.GlyphBitmap:
		if data.Outline != nil {
			return *data.Outline, len(data.Outline.Segments) > 0
		}
	}
	return font.GlyphOutline{}, false
}

func drawGlyph(face *font.Face, gid font.GID, size, sub float32) *mask {
	outline, ok := outlineOf(face, gid)
	if !ok {
		return &mask{}
	}
	scale := size / float32(face.Upem())
	at := func(p opentype.SegmentPoint) Point { return Point{p.X*scale + sub, -p.Y * scale} }
	lo, hi := Point{math.MaxFloat32, math.MaxFloat32}, Point{-math.MaxFloat32, -math.MaxFloat32}
	for i := range outline.Segments {
		for _, p := range outline.Segments[i].ArgsSlice() {
			q := at(p)
			lo = Point{min(lo.X, q.X), min(lo.Y, q.Y)}
			hi = Point{max(hi.X, q.X), max(hi.Y, q.Y)}
		}
	}
	m := &mask{left: floor(lo.X), baseline: floor(lo.Y)}
	m.w, m.h = ceil(hi.X)-m.left+1, ceil(hi.Y)-m.baseline+1
	if m.w > 4000 || m.h > 4000 { // a broken font
		return &mask{}
	}
	shift := Point{float32(m.left), float32(m.baseline)}
	z := vector.NewRasterizer(m.w, m.h)
	for i := range outline.Segments {
		s := &outline.Segments[i]
		var a [3]Point
		for k, p := range s.ArgsSlice() {
			a[k] = at(p)
			a[k].X -= shift.X
			a[k].Y -= shift.Y
		}
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(a[0].X, a[0].Y)
		case opentype.SegmentOpLineTo:
			z.LineTo(a[0].X, a[0].Y)
		case opentype.SegmentOpQuadTo:
			z.QuadTo(a[0].X, a[0].Y, a[1].X, a[1].Y)
		case opentype.SegmentOpCubeTo:
			z.CubeTo(a[0].X, a[0].Y, a[1].X, a[1].Y, a[2].X, a[2].Y)
		}
	}
	m.alpha = maskOf(z).alpha
	return m
}

// maskOf is the coverage of the path that was drawn into z.
func maskOf(z *vector.Rasterizer) *mask {
	z.ClosePath()
	dst := image.NewAlpha(z.Bounds())
	z.DrawOp = draw.Src
	z.Draw(dst, dst.Rect, image.Opaque, image.Point{})
	return &mask{alpha: dst.Pix, w: dst.Rect.Dx(), h: dst.Rect.Dy()}
}

// generations is a bounded cache: when the young half is full the old half is
// dropped. What was used since stays.
type generations[K comparable, V any] struct {
	limit      int
	young, old map[K]V
}

func newGenerations[K comparable, V any](limit int) generations[K, V] {
	return generations[K, V]{limit: limit, young: map[K]V{}}
}

func (g *generations[K, V]) get(k K) (V, bool) {
	if v, ok := g.young[k]; ok {
		return v, true
	}
	v, ok := g.old[k]
	if ok {
		g.put(k, v)
	}
	return v, ok
}

func (g *generations[K, V]) put(k K, v V) {
	if len(g.young) >= g.limit {
		g.old, g.young = g.young, make(map[K]V, g.limit)
	}
	g.young[k] = v
}

func (g *generations[K, V]) clear() {
	g.young, g.old = map[K]V{}, nil
}

package canvas

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/canvas/paint"
	"cairn/internal/testing/golden"
)

// sceneOf draws a model into a list of w×h, everything in view.
func sceneOf(t *testing.T, m Model, w, h float32, prepare func(*board)) *scene {
	t.Helper()
	f, err := bundledFonts()
	if err != nil {
		t.Fatal(err)
	}
	b, err := arranged(m, f)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(b)
	}
	s := &scene{board: b, list: paint.NewList(f), pal: LightPalette(), px: 1, lens: lens{w: w, h: h}}
	all := b.extent()
	s.lens.camera = fitted(all.grown(fitMargin), w, h, fitZoom)
	s.draw()
	return s
}

// pictureOf lays out a model.
func pictureOf(t *testing.T, m Model) *Picture {
	t.Helper()
	p, err := NewPicture(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// svgOf is a model as a picture file.
func svgOf(t *testing.T, m Model) string {
	t.Helper()
	var out bytes.Buffer
	if err := pictureOf(t, m).WriteSVG(&out, LightPalette()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestScenes are goldens of whole pictures.
func TestScenes(t *testing.T) {
	for name, prepare := range map[string]func(*board){
		"path":        nil,
		"path-hover":  func(b *board) { b.hover = 0 },
		"path-select": func(b *board) { b.now.selected[1], b.now.pinned[1] = true, true },
		"path-lit":    func(b *board) { b.lit = []bool{true, false} },
		"path-hidden": func(b *board) { b.now.hidden[2] = true },
	} {
		t.Run(name, func(t *testing.T) {
			s := sceneOf(t, pathModel(), 900, 300, prepare)
			goldenPicture(t, name+".svg", s.list)
		})
	}
}

// TestLevelsAreDrawnToScale compares the bars of nodes with their levels, on cards
// and as the size of discs.
func TestLevelsAreDrawnToScale(t *testing.T) {
	m := weighedModel()
	m.Nodes[0].Mark, m.Nodes[0].Level = "1.00", 7 // no more than full
	s := sceneOf(t, m, 900, 300, nil)
	goldenPicture(t, "weighed.svg", s.list)
	for _, want := range []string{"0.05", "0.93", "1.00"} {
		if !slices.Contains(texts(s.list), want) {
			t.Errorf("the picture lacks the number %s", want)
		}
	}
	m.Layered = false
	shapes := newBoard(m, s.fonts()).shapes
	if !(shapes[1].radius < shapes[2].radius && shapes[2].radius < shapes[0].radius) || shapes[0].radius != mostMarked {
		t.Errorf("radii %v, %v, %v do not grow with the levels up to %v", shapes[1].radius, shapes[2].radius, shapes[0].radius, mostMarked)
	}
	if got := shapes[2].short; !strings.HasSuffix(got, " · 0.93") {
		t.Errorf("label of a disc = %q, want it to end in the number", got)
	}
	svg := svgOf(t, weighedModel())
	for _, want := range []string{"answer · 0.93 (probability, 0 to 1)", "Probability, 0 to 1"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the SVG lacks %q", want)
		}
	}
}

var decimals = regexp.MustCompile(`\d+\.\d+`)

// goldenPicture compares a picture, to a tenth of a pixel, with a file in testdata.
func goldenPicture(t *testing.T, name string, l *paint.List) {
	t.Helper()
	var svg bytes.Buffer
	if err := l.SVG(&svg, ""); err != nil {
		t.Fatal(err)
	}
	got := decimals.ReplaceAllStringFunc(svg.String(), func(s string) string {
		v, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(v, 'f', 1, 64)
	})
	golden.Compare(t, filepath.Join("testdata", name), got)
}

// TestRolesDifferWithoutColour compares the shapes of cards of each role.
func TestRolesDifferWithoutColour(t *testing.T) {
	type form struct {
		radius, width, dash float32
		boxes               int
	}
	seen := map[form]Role{}
	for r := Plain; r <= Rest; r++ {
		s := sceneOf(t, Model{Layered: true, Nodes: []Node{{ID: "a", Label: "A", Role: r}}}, 400, 300, nil)
		var f form
		for i := range s.list.Items {
			if it := &s.list.Items[i]; it.Kind == paint.RoundRect {
				if f.boxes == 0 {
					f.radius, f.width, f.dash = it.Radius, it.Width, it.Dash
				}
				f.boxes++
			}
		}
		if other, ok := seen[f]; ok {
			t.Errorf("roles %d and %d have the same shape %+v", other, r, f)
		}
		seen[f] = r
	}
}

func TestPalettesAreReadable(t *testing.T) {
	doubtful := &Model{Doubtful: true}
	for name, p := range map[string]Palette{
		"light": LightPalette(), "dark": DarkPalette(), "light, doubtful": LightPalette().For(doubtful), "dark, doubtful": DarkPalette().For(doubtful),
	} {
		s := scene{pal: p}
		for _, c := range []struct {
			what  string
			ink   color.NRGBA
			on    color.NRGBA
			least float64
		}{
			{"text", p.Text, p.Background, 7},
			{"text on a card", p.Text, p.Card, 7},
			{"text on a known card", p.Text, p.KnownFill, 7},
			{"text on a variable card", p.Text, p.VariableFill, 7},
			{"text on an answer card", p.Text, p.AnswerFill, 7},
			{"muted", p.Muted, p.Background, 4.5},
			{"muted on a card", p.Muted, p.Card, 4.5},
			{"muted on a known card", p.Muted, p.KnownFill, 4.5},
			{"muted on a variable card", p.Muted, p.VariableFill, 4.5},
			{"muted on an answer card", p.Muted, p.AnswerFill, 4.5},
			{"tag", p.ChipText, p.Chip, 4.5},
			{"tag of a cited edge", p.OnLit, p.Lit, 4.5},
			{"mark of a known node", p.OnRole, p.Known, 4.5},
			{"mark of a variable", p.OnRole, p.Variable, 4.5},
			{"mark of an answer", p.OnRole, p.Answer, 4.5},
			{"outline of a known node", p.Known, p.Background, 3},
			{"outline of a variable", p.Variable, p.Background, 3},
			{"outline of an answer", p.Answer, p.Background, 3},
			{"edge", p.Edge, p.Background, 3},
			{"cited edge", p.Lit, p.Background, 4.5},
			{"selection", p.Select, p.Background, 3},
			{"text that steps back", s.fadeText(p.Text, faint), p.Background, 3.5},
		} {
			if got := contrast(c.ink, c.on); got < c.least {
				t.Errorf("%s: contrast of %s = %.2f, want at least %.1f", name, c.what, got, c.least)
			}
		}
	}
}

func TestCardTextStaysInside(t *testing.T) {
	for _, m := range []Model{asthmaModel(), oddModel(true), starModel(30)} {
		for _, size := range []float32{1600, 600} {
			s := sceneOf(t, m, size, size*0.7, nil)
			for i := range s.shapes {
				frame := around(s.lens.project(s.now.at[i]), s.shapes[i].w*s.lens.zoom, s.shapes[i].h*s.lens.zoom).grown(0.5)
				for k := range s.list.Items {
					it := &s.list.Items[k]
					if it.Kind == paint.Text && frame.has(it.P[0]) && it.P[0].X+it.P[1].X > frame.x1 && !tagOrRelation(m, it.Text) {
						t.Errorf("%s at %v: %q leaves its card", m.Title, size, it.Text)
					}
				}
			}
		}
	}
}

func tagOrRelation(m Model, text string) bool {
	return slices.ContainsFunc(m.Edges, func(e Edge) bool {
		return e.Tag == text || e.Label == text || strings.HasPrefix(e.Label, strings.TrimSuffix(text, "…"))
	})
}

// TestPillsAreApart checks that labels of edges hide neither cards nor each
// other, in models where there is room.
func TestPillsAreApart(t *testing.T) {
	for _, m := range []Model{pathModel(), conjunctionModel(), bordersModel(), threeHopModel(), claimModel(), asthmaModel(), starModel(20), starModel(60)} {
		s := sceneOf(t, m, 1200, 800, nil)
		var pills []box
		for e, r := range s.ways() {
			p := around(r.label, s.pills[e].w, pillHeight)
			for i := range s.shapes {
				if p.overlap(s.bounds(i)) > 1 {
					t.Errorf("%s: label of edge %s lies on node %s", m.Title, m.Edges[e].ID, m.Nodes[i].ID)
				}
			}
			for k, q := range pills {
				if p.overlap(q) > 1 {
					t.Errorf("%s: labels of edges %s and %s overlap", m.Title, m.Edges[k].ID, m.Edges[e].ID)
				}
			}
			pills = append(pills, p)
		}
	}
}

// TestHeadsEndAtBorders checks that arrows touch their cards from outside.
func TestHeadsEndAtBorders(t *testing.T) {
	for _, m := range []Model{asthmaModel(), oddModel(true)} {
		s := sceneOf(t, m, 1200, 800, nil)
		for e, r := range s.ways() {
			to := m.Edges[e].To
			card := s.bounds(to)
			tip := r.points[len(r.points)-1]
			if !card.grown(0.5).has(tip) || card.grown(-0.5).has(tip) {
				t.Errorf("%s: edge %s ends at %v, not at the border %v", m.Title, m.Edges[e].ID, tip, card)
			}
		}
	}
}

func TestWrapKeepsWordsAndCuts(t *testing.T) {
	f, err := bundledFonts()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"Salbutamol", []string{"Salbutamol"}},
		{"The Lord of the Rings: The Return of the King", []string{"The Lord of the Rings:", "The Return of the King"}},
		{"", []string{""}},
	} {
		got := wrap(f, c.in, labelSize, cardWidth, cardLines)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("wrap(%q) differs (-want +got):\n%s", c.in, diff)
		}
	}
	word := f.Measure("Christopher", 11, true)
	if got, want := wrap(f, "Christopher Nolan", 11, word+4, 2), []string{"Christopher", "Nolan"}; !slices.Equal(got, want) {
		t.Errorf("wrap(Christopher Nolan) = %q, want %q: the first word has room", got, want)
	}
	for _, s := range []string{strings.Repeat("word ", 60), strings.Repeat("x", 300), "a/b-c_d " + strings.Repeat("東京", 80), strings.Repeat("é", 290)} {
		rows := wrap(f, clean(s), labelSize, cardWidth, cardLines)
		if len(rows) > cardLines {
			t.Errorf("wrap(%.20q…) takes %d lines", s, len(rows))
		}
		for _, row := range rows {
			if w := f.Measure(row, labelSize, true); w > cardWidth+1 {
				t.Errorf("wrap(%.20q…): line %q is %.0f wide", s, row, w)
			}
		}
		if !strings.HasSuffix(rows[len(rows)-1], "…") {
			t.Errorf("wrap(%.20q…) does not show that it was cut", s)
		}
	}
}

func TestWritePNG(t *testing.T) {
	for _, m := range []Model{{}, {Title: "Nothing", Note: "found"}, pathModel(), oddModel(false), webModel(100)} {
		var out bytes.Buffer
		if err := pictureOf(t, m).WritePNG(&out, LightPalette()); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() < 800 || b.Dy() < 120 {
			t.Errorf("%s: picture is %v", m.Title, b)
		}
	}
}

// TestExportsHoldEverything checks that nothing lies outside the picture.
func TestExportsHoldEverything(t *testing.T) {
	for _, m := range []Model{pathModel(), asthmaModel(), oddModel(true), oddModel(false), starModel(60), webModel(30)} {
		for _, scale := range []float64{1, 2} {
			list := pictureOf(t, m).draw(LightPalette(), scale)
			for i := range list.Items {
				it := &list.Items[i]
				if it.Kind == paint.RoundRect && (it.P[0].X < 0 || it.P[0].Y < 0 || it.P[0].X+it.P[1].X > list.W || it.P[0].Y+it.P[1].Y > list.H) {
					t.Errorf("%s at scale %v: box %v %v leaves the picture of %.0f×%.0f", m.Title, scale, it.P[0], it.P[1], list.W, list.H)
					break
				}
			}
		}
	}
}

func TestWriteSVGIsWellFormedAndSaysEverything(t *testing.T) {
	for _, m := range []Model{{}, pathModel(), oddModel(true), oddModel(false), webModel(70)} {
		text := svgOf(t, m)
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", m.Title, err)
			}
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "+Inf") || strings.Contains(text, "-Inf") {
			t.Errorf("%s: SVG has numbers that are none", m.Title)
		}
	}
	svg := svgOf(t, pathModel())
	for _, want := range []string{"J. R. R. Tolkien", "In the question", "Answer", "Cited triple", "Sample graph", "T1", "— wrote →"} {
		if !strings.Contains(svg, want) {
			t.Errorf("SVG lacks %q", want)
		}
	}
}

func TestExportsAreDeterministic(t *testing.T) {
	if diff := cmp.Diff(svgOf(t, asthmaModel()), svgOf(t, asthmaModel())); diff != "" {
		t.Errorf("two exports differ:\n%s", diff)
	}
}

func TestLargeGraphsGetASensibleScale(t *testing.T) {
	if testing.Short() {
		t.Skip("paints 36 megapixels")
	}
	var out bytes.Buffer
	if err := pictureOf(t, webModel(900)).WritePNG(&out, LightPalette()); err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(&out)
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Width * c.Height; n < 5e6 || n > 37e6 {
		t.Errorf("picture of 900 nodes has %d×%d pixels", c.Width, c.Height)
	}
}

// TestDashedEdgesSaySo looks for the dashes, and for their meaning in the legend
// and in the edge's title.
func TestDashedEdgesSaySo(t *testing.T) {
	m := claimModel()
	m.Dashed = "read in a text"
	dashed := func() (paths, legends int, svg string) {
		svg = svgOf(t, m)
		return strings.Count(svg, "stroke-dasharray"), strings.Count(svg, "Read in a text"), svg
	}
	before, legends, _ := dashed()
	if legends != 0 {
		t.Error("the legend explains dashes that are not there")
	}
	m.Edges = slices.Clone(m.Edges)
	m.Edges[0].Dashed = true
	paths, legends, svg := dashed()
	if paths != before+2 || legends != 1 {
		t.Errorf("%d dashed lines and %d entries of the legend, want 2 more than %d (the edge and the legend's) and 1", paths, legends, before)
	}
	if !strings.Contains(svg, "· read in a text</title>") {
		t.Error("the edge's title does not say what its dashes mean")
	}
}

// contrast is the contrast ratio of two opaque colours as WCAG 2 defines it,
// from 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of a colour, as WCAG 2 defines it.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// TestNamesTakeTheRowsThatFit: in a small picture, a card that is high enough for two rows of
// its name is not left with the beginning of it.
func TestNamesTakeTheRowsThatFit(t *testing.T) {
	m := starModel(30)
	for i := range m.Nodes[1:] {
		m.Nodes[i+1].Label = "Portraits, Helsinki " + strconv.Itoa(i)
	}
	s := sceneOf(t, m, 520, 312, nil)
	if high := s.shapes[0].h * s.lens.zoom; !s.crowded() || high < 2.2*leastText || s.named[0] != inFull {
		t.Errorf("%q is %g high, and its name is cut", m.Nodes[0].Label, high)
	}
}

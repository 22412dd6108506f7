package paint

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"cairn/internal/testing/golden"

	"fyne.io/fyne/v2/theme"
)

var (
	black = Color{A: 255}
	white = Color{R: 255, G: 255, B: 255, A: 255}
	red   = Color{R: 255, A: 255}
)

func fonts(tb testing.TB) *Fonts {
	tb.Helper()
	f, err := NewFonts(theme.DefaultTextFont().Content(), theme.DefaultTextBoldFont().Content())
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// darkness is the sum of darkness of a picture in pixels: the area of black on white.
func darkness(img *image.RGBA) float64 {
	sum := 0.0
	for i := 0; i < len(img.Pix); i += 4 {
		sum += 1 - float64(img.Pix[i+1])/255
	}
	return sum
}

func painted(l *List, workers int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, int(l.W), int(l.H)))
	l.Raster(img, workers)
	return img
}

// TestAreas checks anti-aliased shapes against their areas.
func TestAreas(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(*List)
		want float64
	}{
		{"level line", func(l *List) { l.Line(Point{10, 50}, Point{90, 50}, 2, black) }, 160},
		{"slanted line", func(l *List) { l.Line(Point{10.3, 10.7}, Point{80.1, 70.2}, 3, black) }, 3 * math.Hypot(69.8, 59.5)},
		{"thin line", func(l *List) { l.Line(Point{10, 20.5}, Point{90, 20.5}, 0.5, black) }, 40},
		{"slanted hair", func(l *List) { l.Line(Point{10.3, 10.7}, Point{80.1, 70.2}, 1, black) }, math.Hypot(69.8, 59.5) - 3},
		{"steep hair out of view", func(l *List) { l.Line(Point{50, -100}, Point{60, 300}, 1, black) }, 100},
		{"line out of view", func(l *List) { l.Line(Point{-100, 50}, Point{300, 60}, 3, black) }, 300},
		{"disc", func(l *List) { l.Disc(Point{50, 50}, 20, black, 0, black) }, math.Pi * 400},
		{"ring", func(l *List) { l.Disc(Point{50, 50}, 20, white, 5, black) }, math.Pi * (400 - 225)},
		{"open ring", func(l *List) { l.Disc(Point{50, 50}, 20, Color{}, 5, black) }, math.Pi * (400 - 225)},
		{"dot", func(l *List) { l.Disc(Point{50.3, 50.4}, 1, black, 0, black) }, math.Pi},
		{"box", func(l *List) { l.RoundRect(10.5, 10.5, 60, 40, 0, black, 0, black, 0) }, 2400},
		{"round box", func(l *List) { l.RoundRect(10, 10, 60, 40, 10, black, 0, black, 0) }, 2400 - (4-math.Pi)*100},
		{"outline", func(l *List) { l.RoundRect(10, 10, 60, 40, 10, white, 2, black, 0) }, 2400 - 56*36 - (4-math.Pi)*(100-64)},
		{"open outline", func(l *List) { l.RoundRect(10, 10, 60, 40, 10, Color{}, 2, black, 0) }, 2400 - 56*36 - (4-math.Pi)*(100-64)},
		{"triangle", func(l *List) { l.Polygon([]Point{{10, 10}, {80, 20}, {30, 70}}, black) }, 0.5 * (70*60 - 20*10)},
		{"straight path", func(l *List) { l.Path([]Point{{10, 50}, {40, 50}, {60, 50}, {90, 50}}, 2, 0, black) }, 160},
		{"dashed path", func(l *List) { l.Path([]Point{{10, 50}, {40, 50}, {60, 50}, {90, 50}}, 2, 8, black) }, 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := NewList(nil)
			l.Reset(100, 100, white)
			c.draw(l)
			got := darkness(painted(l, 1))
			if tolerance := 0.03*c.want + 1.2; math.Abs(got-c.want) > tolerance {
				t.Errorf("ink = %.1f pixels, want %.1f ± %.1f", got, c.want, tolerance)
			}
		})
	}
}

// TestCurvesHaveNoSeams looks for pixels on a thick curve that are not covered.
func TestCurvesHaveNoSeams(t *testing.T) {
	l := NewList(nil)
	l.Reset(200, 120, white)
	p := []Point{{10, 100}, {100, 100}, {100, 20}, {190, 20}}
	l.Path(p, 6, 0, black)
	img := painted(l, 1)
	for k := 2; k < 200; k++ {
		q := Bezier(p[0], p[1], p[2], p[3], float32(k)/202)
		if v := img.RGBAAt(int(q.X), int(q.Y)).R; v > 2 {
			t.Errorf("pixel %v on the curve has brightness %d", q, v)
		}
	}
}

func sample(f *Fonts) *List {
	l := NewList(f)
	l.Reset(240, 130, white)
	l.Begin("a", `A & <b> "c"`)
	l.RoundRect(8, 8, 120, 44, 8, Color{R: 230, G: 240, B: 255, A: 255}, 2, red, 6)
	l.Text("Wörter & <Zeichen>", Point{16, 34}, 13, true, black)
	l.End()
	l.Path([]Point{{128, 30}, {180, 30}, {150, 90}, {200, 90}}, 1.5, 0, black)
	l.Polygon([]Point{{210, 90}, {200, 86}, {200, 94}}, black)
	l.Disc(Point{60, 90}, 18, Color{G: 160, B: 90, A: 255}, 3, black)
	l.Line(Point{10, 120}, Point{230, 124}, 1, red)
	l.Text("مدينة 1952", Point{120, 112}, 12, false, black)
	return l
}

func TestBandsPaintTheSamePicture(t *testing.T) {
	l := sample(fonts(t))
	one := painted(l, 1)
	for _, workers := range []int{2, 3, 7, 1000} {
		if !bytes.Equal(one.Pix, painted(l, workers).Pix) {
			t.Errorf("%d workers paint another picture than one", workers)
		}
	}
}

func TestTextIsAsWideAsMeasured(t *testing.T) {
	f := fonts(t)
	for _, s := range []string{"Salbutamol", "AVAVA To", "β2-adrenergic", "i"} {
		l := NewList(f)
		l.Reset(300, 60, white)
		w := l.Text(s, Point{20, 40}, 24, false, black)
		img := painted(l, 1)
		left, right := 300, 0
		for y := range 60 {
			for x := range 300 {
				if img.RGBAAt(x, y).R < 128 {
					left, right = min(left, x), max(right, x)
				}
			}
		}
		if float32(left) < 18 || float32(right) > 22+w || float32(right-left) < w*0.7-5 {
			t.Errorf("%q covers x %d to %d, measured 20 to %.0f", s, left, right, 20+w)
		}
	}
}

func TestTextSurvivesAnything(t *testing.T) {
	f := fonts(t)
	for _, s := range []string{"", "\x00\x01", "\xff\xfe", strings.Repeat("long ", 5000), "a\nb\tc", "\u202eright\u202c", "👩‍👩‍👧 family", "漢字かな", "e\u0301\u0301\u0301"} {
		l := NewList(f)
		l.Reset(100, 30, white)
		l.Text(s, Point{2, 20}, 12, true, black)
		painted(l, 2)
	}
	if !f.WantsSystem() {
		t.Error("ideographs are missing from the bundled fonts, but WantsSystem() = false")
	}
	f.LoadSystem()
	if f.WantsSystem() {
		t.Error("WantsSystem() = true after LoadSystem")
	}
}

func TestRunsOfBothDirections(t *testing.T) {
	f := fonts(t)
	f.shape("مدينة", false) // asks for the system's fonts
	f.LoadSystem()
	r := f.shape("abc אבג def", false)
	last := float32(-1)
	for _, g := range r.glyphs {
		if g.x < last-0.5 {
			t.Errorf("glyphs go back from %.2f to %.2f", last, g.x)
		}
		last = g.x
	}
}

// TestListReadsAsText is a golden of the display list and of the SVG made of it.
func TestListReadsAsText(t *testing.T) {
	l := sample(fonts(t))
	var svg bytes.Buffer
	if err := l.SVG(&svg, `Title & "more"`); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/list.svg", svg.String())
}

func TestSVGIsWellFormed(t *testing.T) {
	l := NewList(fonts(t))
	for _, s := range []string{"<script>alert(1)</script>", "]]>", "&amp;", "a\x00b\x1f", "\xff", "\ufffe\uffff", `"'`, "-->", "😀"} {
		l.Reset(100, 40, white)
		l.Begin(s, s)
		l.Text(s, Point{5, 20}, 12, false, black)
		l.End()
		var svg bytes.Buffer
		if err := l.SVG(&svg, s); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(&svg)
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Errorf("label %q: %v", s, err)
				break
			}
		}
	}
}

func TestSVGReportsWriteErrors(t *testing.T) {
	l := sample(fonts(t))
	if err := l.SVG(failing{}, ""); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("SVG to a broken writer = %v, want io.ErrClosedPipe", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestCacheStaysBounded(t *testing.T) {
	g := newGenerations[int, int](10)
	for i := range 1000 {
		g.put(i, i)
		if v, ok := g.get(0); i < 5 && (!ok || v != 0) {
			t.Errorf("get(0) after %d = %d, %v", i, v, ok)
		}
	}
	if n := len(g.young) + len(g.old); n > 20 {
		t.Errorf("cache holds %d entries, want at most 20", n)
	}
	if _, ok := g.get(0); !ok {
		t.Error("the entry in constant use was dropped")
	}
}

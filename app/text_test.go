package app

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
)

// TestTextsKeepTheirDescenders computes what Fyne does on a graphics card: the
// image of a text has the rounded height of its line, and the line that letters
// stand on is the ascent, rounded up; what is lower than the image is lost.
func TestTextsKeepTheirDescenders(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	const unseen = 0.4 // of a row of pixels
	for _, c := range []struct {
		what  string
		size  float32
		style fyne.TextStyle
	}{
		{"text", theme.Size(theme.SizeNameText), fyne.TextStyle{}},
		{"bold text", theme.Size(theme.SizeNameText), fyne.TextStyle{Bold: true}},
		{"an answer", theme.Size(sizeBody), fyne.TextStyle{}},
		{"a caption", theme.Size(theme.SizeNameCaptionText), fyne.TextStyle{}},
		{"a heading", theme.Size(theme.SizeNameHeadingText), fyne.TextStyle{Bold: true}},
		{"a title", theme.Size(theme.SizeNameSubHeadingText), fyne.TextStyle{Bold: true}},
		{"a prompt", theme.Size(sizeMono), fyne.TextStyle{Monospace: true}},
		{"a chip", chipText, fyne.TextStyle{Bold: true}},
		{"a chart", chartText, fyne.TextStyle{}},
	} {
		size, baseline := fyne.CurrentApp().Driver().RenderedTextSize("gjpqy", c.size, c.style, nil)
		depth := lowest(t, theme.Font(c.style), "gjpqy") * float64(c.size)
		for _, scale := range []float64{1, 1.5, 2} {
			image := math.Round(float64(size.Height) * scale)
			if lost := math.Ceil(float64(baseline)*scale) + depth*scale - image; lost > unseen {
				t.Errorf("%s at size %v loses %.2f rows of its descenders at scale %v", c.what, c.size, lost, scale)
			}
		}
	}
}

// lowest is how far letters reach below their line at size 1.
func lowest(t *testing.T, r fyne.Resource, letters string) float64 {
	t.Helper()
	face, err := font.ParseTTF(bytes.NewReader(r.Content()))
	if err != nil {
		t.Fatal(err)
	}
	var depth float64
	for _, c := range letters {
		id, ok := face.NominalGlyph(c)
		if !ok {
			t.Fatalf("%s has no %q", r.Name(), c)
		}
		box, _ := face.GlyphExtents(id)
		depth = max(depth, -float64(box.YBearing+box.Height)/float64(face.Upem()))
	}
	return depth
}

// TestTextsBeginOnPixels holds the texts that we place ourselves to whole pixels:
// Fyne smears what begins between two.
func TestTextsBeginOnPixels(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	for _, scale := range []float32{1, 1.5, 2} {
		line, words := newTripleLine(), newFlow(sizeBody)
		line.set("Doodlebug", "directed by", "Christopher Nolan")
		words.add("Doodlebug was directed by Christopher Nolan; the release year is 1997.", fyne.TextStyle{}, colorMuted)
		w := test.NewTempWindow(t, container.NewVBox(line.root, words))
		w.Canvas().(test.WindowlessCanvas).SetScale(scale) //nolint:errcheck // the test driver's
		w.Resize(fyne.NewSize(333, 90))
		line.flow.Refresh()
		words.Refresh()
		for _, part := range slices.Concat(test.WidgetRenderer(line.flow).Objects(), test.WidgetRenderer(words).Objects()) {
			at := part.Position()
			for _, v := range []float32{at.X, at.Y} {
				if d := float64(v * scale); math.Abs(d-math.Round(d)) > 0.01 {
					t.Errorf("%v at scale %v stands at %v, between two pixels", part, scale, at)
					break
				}
			}
		}
	}
}

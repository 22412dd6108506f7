//go:build unix

package canvas

import (
	"fmt"
	"image"
	"syscall"
	"testing"
	"time"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
)

// BenchmarkPaint measures a frame at 1280×800: scene and pixels, everything in
// view, then a part of it.
func BenchmarkPaint(b *testing.B) {
	f, err := bundledFonts()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{50, 500, 5000} {
		m := webModel(n)
		if n == 5000 { // 10,000 edges
			for i := range n {
				m.Edges = append(m.Edges, Edge{ID: fmt.Sprint("x", i), From: i, To: (i*7 + 3) % n, Label: "also"})
			}
		}
		bd := newBoard(m, f)
		p := bd.plan(nil, layout.Size{})
		p.loose.Iterations = 60
		a, err := p.compute(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		bd.place(a)
		all := bd.extent()
		for _, zoom := range []float32{1, 4} {
			b.Run(fmt.Sprintf("%d-zoom%.0f", n, zoom), func(b *testing.B) {
				s := scene{board: bd, list: paint.NewList(f), pal: DarkPalette(), px: 1, lens: lens{w: 1280, h: 800}}
				s.lens.camera = fitted(all, 1280, 800, fitZoom)
				s.lens.zoom *= zoom
				img := image.NewRGBA(image.Rect(0, 0, 1280, 800))
				b.ReportAllocs()
				before := cpu()
				for b.Loop() {
					s.draw()
					s.list.Raster(img, 2)
				}
				b.ReportMetric(float64((cpu()-before).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(len(s.list.Items)), "items")
			})
		}
	}
}

// BenchmarkPaintGrid measures a frame with many answers in one frame.
func BenchmarkPaintGrid(b *testing.B) {
	f, err := bundledFonts()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{40, 100, 2000} {
		bd, err := arranged(starModel(n), f)
		if err != nil {
			b.Fatal(err)
		}
		all := bd.extent()
		for _, zoom := range []float32{1, 6} {
			b.Run(fmt.Sprintf("%d-zoom%.0f", n, zoom), func(b *testing.B) {
				s := scene{board: bd, list: paint.NewList(f), pal: DarkPalette(), px: 1, lens: lens{w: 1280, h: 800}}
				s.lens.camera = fitted(all, 1280, 800, fitZoom)
				s.lens.zoom *= zoom
				img := image.NewRGBA(image.Rect(0, 0, 1280, 800))
				before := cpu()
				for b.Loop() {
					s.draw()
					s.list.Raster(img, 2)
				}
				b.ReportMetric(float64((cpu()-before).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// BenchmarkHit measures finding what lies under the pointer.
func BenchmarkHit(b *testing.B) {
	f, err := bundledFonts()
	if err != nil {
		b.Fatal(err)
	}
	bd := newBoard(webModel(5000), f)
	bd.scatter(nil)
	for b.Loop() {
		if bd.nodeAt(paint.Point{X: 1e6}, 4) < 0 {
			bd.edgeAt(paint.Point{X: 100, Y: 100}, 7)
		}
	}
}

// cpu is the time that this process has used so far: on a busy machine it says
// more than the clock.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

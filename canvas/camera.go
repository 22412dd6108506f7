package canvas

import (
	"math"

	"fyne.io/fyne/v2"

	"cairn/canvas/paint"
)

// Zoom levels between which the user moves; 1 shows layout units as pixels.
const (
	minZoom = 0.02
	maxZoom = 6
	// fitZoom is the largest zoom that fitting chooses: three cards should not
	// fill a wall.
	fitZoom = 1.35
)

// box is a rectangle in the world or on screen.
type box struct{ x0, y0, x1, y1 float32 }

func around(c paint.Point, w, h float32) box {
	return box{c.X - w/2, c.Y - h/2, c.X + w/2, c.Y + h/2}
}

// nowhere is the box without points.
var nowhere = box{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}

func (b box) empty() bool         { return b.x0 > b.x1 }
func (b box) w() float32          { return b.x1 - b.x0 }
func (b box) h() float32          { return b.y1 - b.y0 }
func (b box) middle() paint.Point { return paint.Point{X: (b.x0 + b.x1) / 2, Y: (b.y0 + b.y1) / 2} }
func (b box) grown(by float32) box {
	return box{b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by}
}

func (b box) has(p paint.Point) bool {
	return p.X >= b.x0 && p.X <= b.x1 && p.Y >= b.y0 && p.Y <= b.y1
}

// holds tells whether c lies within b; the empty box lies in every box.
func (b box) holds(c box) bool {
	return b.x0 <= c.x0 && b.y0 <= c.y0 && b.x1 >= c.x1 && b.y1 >= c.y1
}

func (b box) union(c box) box {
	return box{min(b.x0, c.x0), min(b.y0, c.y0), max(b.x1, c.x1), max(b.y1, c.y1)}
}

// overlap returns the area that two boxes share.
func (b box) overlap(c box) float32 {
	w, h := min(b.x1, c.x1)-max(b.x0, c.x0), min(b.y1, c.y1)-max(b.y0, c.y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// camera says which part of the world is seen.
type camera struct {
	centre paint.Point // the point of the world in the middle of the view
	zoom   float32     // view units per world unit
}

// fitted returns the camera that shows a box whole in a view of w×h.
func fitted(b box, w, h, most float32) camera {
	if b.w() <= 0 || b.h() <= 0 || w <= 0 || h <= 0 {
		return camera{centre: b.middle(), zoom: 1}
	}
	zoom := min(w/b.w(), h/b.h(), most)
	return camera{centre: b.middle(), zoom: max(zoom, minZoom)}
}

// lens is a camera before a picture of w×h: it projects the world onto it.
type lens struct {
	camera
	w, h float32
}

func (l lens) project(p paint.Point) paint.Point {
	return paint.Point{X: (p.X-l.centre.X)*l.zoom + l.w/2, Y: (p.Y-l.centre.Y)*l.zoom + l.h/2}
}

func (l lens) world(p paint.Point) paint.Point {
	return paint.Point{X: (p.X-l.w/2)/l.zoom + l.centre.X, Y: (p.Y-l.h/2)/l.zoom + l.centre.Y}
}

// seen is the part of the world in view.
func (l lens) seen() box {
	a, b := l.world(paint.Point{}), l.world(paint.Point{X: l.w, Y: l.h})
	return box{a.X, a.Y, b.X, b.Y}
}

// zoomedAt returns the camera zoomed by a factor so that the point p of the view
// stays where it is.
func (l lens) zoomedAt(p paint.Point, factor float32) camera {
	zoom := min(max(l.zoom*factor, minZoom), maxZoom)
	w := l.world(p)
	return camera{
		centre: paint.Point{X: w.X - (p.X-l.w/2)/zoom, Y: w.Y - (p.Y-l.h/2)/zoom},
		zoom:   zoom,
	}
}

// glide is a change of state that is being shown bit by bit. The new state
// counts from the start: settle ends the show at once.
type glide struct {
	from, to  state
	animation *fyne.Animation
}

// glideTo shows a state, moving nodes and camera there where there is anything
// to move.
func (v *View) glideTo(to state) {
	v.settle()
	from := v.board.now
	if !to.moved {
		v.board.now = to
		v.board.routes = nil
		to.camera = v.fitCamera()
		v.board.now = from
	}
	if v.raster == nil || !fyne.CurrentApp().Settings().ShowAnimations() || len(to.at) == 0 || len(from.at) != len(to.at) {
		v.show(to)
		return
	}
	g := &glide{from: from, to: to}
	g.animation = fyne.NewAnimation(glideTime, func(done float32) {
		if v.glide != g {
			return
		}
		if done >= 1 {
			v.settle()
			return
		}
		v.show(partway(&g.from, &g.to, done))
	})
	g.animation.Curve = fyne.AnimationEaseOut
	v.glide = g
	// Selection, pins and hidden nodes change at once.
	v.show(partway(&from, &to, 0))
	g.animation.Start()
}

// partway is the state to that still looks like from at the start.
func partway(from, to *state, t float32) state {
	s := *to
	if &from.at[0] != &to.at[0] {
		s.at = make([]paint.Point, len(to.at))
		for i := range s.at {
			s.at[i] = paint.Between(from.at[i], to.at[i], t)
		}
	}
	s.camera.centre = paint.Between(from.camera.centre, to.camera.centre, t)
	s.camera.zoom = from.camera.zoom * float32(math.Pow(float64(to.camera.zoom/from.camera.zoom), float64(t)))
	return s
}

// settle ends a glide: what it led to is there.
func (v *View) settle() {
	g := v.glide
	if g == nil {
		return
	}
	v.glide = nil
	g.animation.Stop()
	v.show(g.to)
	v.autoFit()
}

func (v *View) show(s state) {
	v.board.now = s
	v.board.routes = nil
	v.repaint()
}

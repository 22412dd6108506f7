package canvas

import (
	"math"

	"cairn/canvas/paint"

	"fyne.io/fyne/v2"
)

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
	if v.raster == nil || !smooth() || len(to.at) == 0 || len(from.at) != len(to.at) {
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

// smooth tells whether the user wants things to move.
func smooth() bool {
	app := fyne.CurrentApp()
	return app != nil && app.Settings().ShowAnimations()
}

// partway is the state to that still looks like from at the start.
func partway(from, to *state, t float32) state {
	s := *to
	if &from.at[0] != &to.at[0] {
		s.at = make([]paint.Point, len(to.at))
		for i := range s.at {
			s.at[i] = between(from.at[i], to.at[i], t)
		}
	}
	s.camera.centre = between(from.camera.centre, to.camera.centre, t)
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

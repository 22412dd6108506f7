package app

import (
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// placed is an object that can be seen, where it stands in the window, and the part
// of the window that it may show in.
type placed struct {
	object fyne.CanvasObject
	at     fyne.Position
	within [2]fyne.Position // corners
}

// covers reports whether a point of the window is on the object, in view.
func (p placed) covers(at fyne.Position) bool {
	in := func(from, to fyne.Position) bool {
		return at.X >= from.X && at.Y >= from.Y && at.X < to.X && at.Y < to.Y
	}
	return in(p.at, p.at.Add(p.object.Size())) && in(p.within[0], p.within[1])
}

func (p placed) middle() fyne.Position {
	return p.at.AddXY(p.object.Size().Width/2, p.object.Size().Height/2)
}

// seen are all objects that can be seen under root, outer ones before what they hold.
func seen(root fyne.CanvasObject) []placed {
	var all []placed
	var walk func(o fyne.CanvasObject, at fyne.Position, within [2]fyne.Position)
	walk = func(o fyne.CanvasObject, at fyne.Position, within [2]fyne.Position) {
		if o == nil || !o.Visible() {
			return
		}
		at = at.Add(o.Position())
		if _, clips := o.(*container.Scroll); clips {
			to := at.Add(o.Size())
			within = [2]fyne.Position{
				fyne.NewPos(max(within[0].X, at.X), max(within[0].Y, at.Y)), fyne.NewPos(min(within[1].X, to.X), min(within[1].Y, to.Y)),
			}
		}
		all = append(all, placed{o, at, within})
		var children []fyne.CanvasObject
		switch c := o.(type) {
		case *fyne.Container:
			children = c.Objects
		case fyne.Widget:
			children = test.WidgetRenderer(c).Objects()
		}
		for _, child := range children {
			walk(child, at, within)
		}
	}
	walk(root, fyne.NewPos(0, 0), [2]fyne.Position{{}, fyne.NewPos(1e6, 1e6)})
	return all
}

// hit is the object that a click at a point goes to, by the rule of Fyne's driver for
// desktops: the innermost one that hears clicks of any kind.
func hit(all []placed, at fyne.Position) fyne.CanvasObject {
	var found fyne.CanvasObject
	for _, p := range all {
		switch p.object.(type) {
		case fyne.Tappable, fyne.SecondaryTappable, fyne.DoubleTappable, fyne.Focusable, desktop.Mouseable:
			if p.covers(at) {
				found = p.object
			}
		}
	}
	return found
}

func TestClicksOnTextReachWhatHoldsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		check := func(when string, want ...string) {
			r.ui(func() {
				all, met := seen(r.win.Content()), map[string]bool{}
				for _, p := range all {
					press, ok := p.object.(*pressable)
					if !ok {
						continue
					}
					for _, within := range all {
						text, ok := within.object.(*fynecanvas.Text)
						if !ok || text.Text == "" || !p.covers(within.middle()) {
							continue
						}
						met[text.Text] = true
						got := hit(all, within.middle())
						if _, other := got.(fyne.Tappable); got != press && !other {
							t.Errorf("%s: a click on %q reaches %T, which does not hear it", when, text.Text, got)
						}
					}
				}
				for _, w := range want {
					if !met[w] {
						t.Errorf("%s: %q is not among what can be pressed: %v", when, w, met)
					}
				}
			})
		}
		r.ui(r.openSample)
		synctest.Wait()
		check("sample questions", "Austria?", "slow", "Evidence")
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		check("readings", "its", "capital")
		r.close()
	})
}

package app

import (
	"os"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestWindowFitsSmallScreens: a new window fits a screen of 1280 × 800 with its borders
// and a panel of the desktop, and it and its dialogs can be made as small as 800 × 600.
func TestWindowFitsSmallScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		const borders, panel, menu = 16, 80, 40
		if s := r.prefs.size(); s.Width > 1280-borders || s.Height > 800-panel {
			t.Errorf("a new window takes %v", s)
		}
		small := func(what string, o fyne.CanvasObject) {
			if m := o.MinSize(); m.Width > 800 || m.Height > 600-menu {
				t.Errorf("%s takes at least %v", what, m)
			}
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		r.ui(func() {
			small("the window", r.win.Content())
			// The largest text leaves 1280 × 720 no more than this.
			if m, by := r.win.Content().MinSize(), textScales[textLargest]; m.Width > 640 || m.Height > 720/by-menu {
				t.Errorf("the window takes at least %v", m)
			}
		})
		for _, menu := range r.win.MainMenu().Items {
			for _, it := range menu.Items {
				if it.IsSeparator || it.IsQuit {
					continue
				}
				r.ui(it.Action)
				synctest.Wait()
				r.ui(func() {
					if top := r.win.Canvas().Overlays().Top(); top != nil {
						small(it.Label, top)
						r.closeTop()
					}
				})
			}
		}
		r.close()
	})
}

// TestRoomOfTheAnswer: without evidence, the answer has its room; with some, the two share it
// as the user left it.
func TestRoomOfTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			if r.side.Offset != noRoom {
				t.Errorf("before a question, the evidence has room: %g", r.side.Offset)
			}
			r.question.put("What is the capital of Austria?")
		})
		synctest.Wait()
		r.ui(func() {
			if r.side.Offset == noRoom {
				t.Error("the evidence of an answer has no room")
			}
			r.side.SetOffset(0.3)
			r.showEvidence(nil, noEvidence)
			r.showEvidence(r.run, noEvidence)
			if r.side.Offset != 0.3 {
				t.Errorf("the evidence is at %g, and the user put it at 0.3", r.side.Offset)
			}
		})
		r.close()
	})
}

// TestTextSize: the size that is chosen takes effect at once and is kept.
func TestTextSize(t *testing.T) {
	r := newRig(t)
	r.ui(func() {
		if r.scaled != 1 {
			t.Errorf("at first, everything is %g times as large", r.scaled)
		}
		r.setTextSize(textLargest)
		if got := r.prefs.textSize(); r.scaled != textScales[textLargest] || got != textLargest {
			t.Errorf("everything is %g times as large; %q is kept", r.scaled, got)
		}
	})
	r.close()
	t.Setenv("FYNE_SCALE", "1.5")
	scale := scaler(r.app.Settings())
	for by, want := range map[float32]string{1.2: "1.80", 1: "1.5"} {
		if scale(by); os.Getenv("FYNE_SCALE") != want {
			t.Errorf("on a screen with the scale 1.5, %g is %q, want %q", by, os.Getenv("FYNE_SCALE"), want)
		}
	}
}

// TestBrief: a summary that has no room gives way to its short form, and comes back.
func TestBrief(t *testing.T) {
	test.NewTempApp(t)
	b := newBrief()
	b.say("Austria, Hungary, euro", "3 names")
	for width, want := range map[float32]string{400: "Austria, Hungary, euro", 100: "3 names"} {
		b.root.Resize(fyne.NewSize(width, 30))
		if b.label.Text != want {
			t.Errorf("in %v: %q, want %q", width, b.label.Text, want)
		}
	}
}

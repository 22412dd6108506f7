package app

import (
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
		r.ui(func() { small("the window", r.win.Content()) })
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

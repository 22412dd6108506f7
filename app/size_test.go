package app

import (
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
)

// TestWindowFitsSmallScreens: a new window fits a screen of 1280 × 800 with its borders
// and a panel of the desktop, and it and its dialogs can be made as small as 1024 × 700.
func TestWindowFitsSmallScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		const borders, panel, menu = 16, 80, 40
		if s := r.prefs.size(); s.Width > 1280-borders || s.Height > 800-panel {
			t.Errorf("a new window takes %v", s)
		}
		small := func(what string, o fyne.CanvasObject) {
			if m := o.MinSize(); m.Width > 1024 || m.Height > 700-menu {
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

package app

import (
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
)

// TestDialogsOpenOnce: the keys of the menu work above dialogs, and a key that is
// held down or pressed twice must not pile them up.
func TestDialogsOpenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		for _, menu := range r.win.MainMenu().Items {
			for _, it := range menu.Items {
				if it.IsSeparator || it.IsQuit {
					continue
				}
				for range 3 {
					r.ui(it.Action)
					synctest.Wait()
				}
				shown := 0
				r.ui(func() {
					overlays := r.win.Canvas().Overlays()
					for shown = 0; overlays.Top() != nil; shown++ {
						overlays.Remove(overlays.Top())
					}
				})
				if shown > 1 {
					t.Errorf("%s, three times, shows %d dialogs", it.Label, shown)
				}
				if it.Label == "Settings …" && shown != 1 {
					t.Errorf("%s shows %d dialogs the second time it is looked at", it.Label, shown)
				}
			}
		}
		for range 2 { // one that was closed opens again
			r.ui(func() {
				r.showSettings()
				if overlays := r.win.Canvas().Overlays(); overlays.Top() == nil {
					t.Error("the settings do not open again")
				} else {
					overlays.Remove(overlays.Top())
				}
			})
		}
		r.close()
	})
}

// TestEscapeClosesDialogs: one who works by keys gets out of every dialog, also
// with the focus in one of its lists.
func TestEscapeClosesDialogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
		shown := 0
		for _, menu := range r.win.MainMenu().Items {
			for _, it := range menu.Items {
				if it.IsSeparator || it.IsQuit {
					continue
				}
				r.ui(it.Action)
				synctest.Wait()
				r.ui(func() {
					c := r.win.Canvas()
					if c.Overlays().Top() == nil {
						return
					}
					shown++
					if focused := c.Focused(); focused != nil {
						focused.TypedKey(escape)
					} else {
						c.OnTypedKey()(escape)
					}
					if c.Overlays().Top() != nil {
						t.Errorf("Escape leaves the dialog of %q open", it.Label)
						c.Overlays().Remove(c.Overlays().Top())
					}
				})
				synctest.Wait()
			}
		}
		if shown < 5 {
			t.Errorf("the menus showed %d dialogs; more were expected", shown)
		}
		left := false
		l := newDialogList(func() { left = true }, func() int { return 1 }, func() fyne.CanvasObject { return nil }, func(int, fyne.CanvasObject) {})
		l.TypedKey(escape)
		if !left {
			t.Error("a list of a dialog keeps Escape to itself")
		}
		r.close()
	})
}

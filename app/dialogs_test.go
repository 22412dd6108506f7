package app

import (
	"reflect"
	"slices"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/internal/testing/shared"
)

// TestDialogsOpenOnce: the keys of the menu work above dialogs, and a key that is
// held down or pressed twice must not pile them up.
func TestDialogsOpenOnce(t *testing.T) {
	shared.Sequential(t)
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

// opened runs an action of the menu and returns what can take the focus in the dialog
// that it opens; none where it opens no dialog.
func (r *rig) opened(action func()) []fyne.Focusable {
	r.ui(action)
	synctest.Wait()
	var all []fyne.Focusable
	r.ui(func() {
		top := r.win.Canvas().Overlays().Top()
		if top == nil {
			return
		}
		for _, p := range seen(top) {
			f, ok := p.object.(fyne.Focusable)
			if d, can := p.object.(fyne.Disableable); ok && (!can || !d.Disabled()) {
				all = append(all, f)
			}
		}
	})
	return all
}

// TestEscapeClosesDialogs: one who works by keys gets out of every dialog, wherever
// the focus is.
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
				tried := map[reflect.Type]bool{}
				for i, n := -1, 0; i == -1 || i < n; i++ { // -1 is what has the focus by itself
					all := r.opened(it.Action)
					n = len(all)
					r.ui(func() {
						c := r.win.Canvas()
						if c.Overlays().Top() == nil {
							n = 0
							return
						}
						shown++
						if i >= 0 {
							c.Focus(all[i])
						}
						for i+1 < n && tried[reflect.TypeOf(all[i+1])] { // one of a kind will do
							i++
						}
						if i+1 < n {
							tried[reflect.TypeOf(all[i+1])] = true
						}
						if focused := c.Focused(); focused != nil {
							focused.TypedKey(escape)
						} else {
							c.OnTypedKey()(escape)
						}
						if c.Overlays().Top() != nil {
							t.Errorf("Escape leaves the dialog of %q open with the focus on %T", it.Label, c.Focused())
							r.closeTop()
						}
					})
					synctest.Wait()
				}
			}
		}
		if shown < 25 {
			t.Errorf("Escape was tried %d times; more was expected", shown)
		}
		r.close()
	})
}

// TestKeysOfTheMenuOpenNothingOverADialog: they work above dialogs as well, and what
// they open or change would lie below or above one that waits for a choice.
func TestKeysOfTheMenuOpenNothingOverADialog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			r.question.put("capital?")
			r.showSettings()
		})
		synctest.Wait()
		for _, menu := range r.win.MainMenu().Items {
			for _, it := range menu.Items {
				if it.IsSeparator || it.IsQuit {
					continue
				}
				asked := len(r.opener.opened[0].asked)
				r.ui(it.Action)
				synctest.Wait()
				r.ui(func() {
					if n := len(r.win.Canvas().Overlays().List()); n != 1 {
						t.Errorf("%s over the settings: %d dialogs", it.Label, n)
						for r.closeTop() {
						}
						r.showSettings()
					}
					if len(r.opener.opened[0].asked) != asked {
						t.Errorf("%s asks a question behind the settings", it.Label)
					}
				})
			}
		}
		r.ui(func() {
			r.closeTop()
			showMenuBelow(r.question.examples, []*fyne.MenuItem{fyne.NewMenuItem("one", nil)})
			r.win.MainMenu().Items[0].Items[0].Action()
			if n := len(r.win.Canvas().Overlays().List()); n != 1 || !r.modal() {
				t.Errorf("a dialog opened from the keys over a menu that is popped up: %d overlays, dialog %v", n, r.modal())
			}
		})
		r.close()
	})
}

// TestImportButtonStaysWhereItIs: what is chosen must not move it under the pointer.
func TestImportButtonStaysWhereItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.showImport(nil) })
		synctest.Wait()
		places := map[string]fyne.Position{}
		for _, files := range [][]string{nil, {"/data/a.tsv"}, {"/data/a.txt"}, {"/data/a.txt", "/data/b.nt"}} {
			r.ui(func() {
				r.importing.files = nil
				r.importing.add(files)
			})
			synctest.Wait()
			r.ui(func() {
				for _, p := range seen(r.win.Canvas().Overlays().Top()) {
					b, ok := p.object.(*button)
					if !ok || b.Text != "Import" && b.Text != "Cancel" {
						continue
					}
					if was, ok := places[b.Text]; ok && was != p.at {
						t.Errorf("with %v, %s is at %v, and was at %v", files, b.Text, p.at, was)
					}
					places[b.Text] = p.at
				}
			})
		}
		if len(places) != 2 {
			t.Errorf("found %v, want two buttons", places)
		}
		r.close()
	})
}

// TestDroppedFilesJoinTheImport: the dialog says that files can be dropped.
func TestDroppedFilesJoinTheImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			r.showImport([]string{"/data/a.tsv"})
			r.dropped([]fyne.URI{storage.NewFileURI("/data/b.nt"), storage.NewFileURI("/data/a.tsv")})
			if want := []string{"/data/a.tsv", "/data/b.nt"}; !slices.Equal(r.importing.files, want) {
				t.Errorf("files %q, want %q", r.importing.files, want)
			}
			r.closeTop()
			if r.importing != nil || r.modal() {
				t.Error("the import is still open")
			}
			r.showSettings()
			r.dropped([]fyne.URI{storage.NewFileURI("/data/other.cairn")})
		})
		synctest.Wait()
		if n := len(r.opener.opened); n != 1 {
			t.Errorf("%d graphs were opened, want one: a dialog was open", n)
		}
		r.close()
	})
}

// TestChoicesCanBeSeenAndPressed: what is not in the tree that Fyne walks is neither
// drawn nor clicked, whatever its fields say.
func TestChoicesCanBeSeenAndPressed(t *testing.T) {
	shared.Sequential(t)
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		for _, c := range []struct {
			open   func()
			option string
			chosen func() bool
		}{
			{r.showSettings, "Dark", func() bool { return r.prefs.look() == lookDark }},
			{func() { r.showImport(nil) }, intoOpen("sample"), func() bool { return r.importing.into.Selected == intoOpen("sample") }},
			{func() { r.showTrain() }, fromFile, func() bool { return r.trainings.view.form.source.Selected == fromFile }},
			{func() { r.showTrain() }, "Thorough: ReaRev", func() bool { return r.trainings.view.form.fields[0].value() == "rearev" }},
		} {
			r.ui(c.open)
			synctest.Wait()
			r.ui(func() {
				for _, p := range seen(r.win.Canvas().Overlays().Top()) {
					if l, ok := p.object.(*widget.Label); ok && l.Text == c.option {
						if on, ok := hit(seen(r.win.Canvas().Overlays().Top()), p.middle()).(*pressable); ok {
							test.Tap(on)
						}
					}
				}
				if !c.chosen() {
					t.Errorf("%q cannot be chosen by a click", c.option)
				}
				r.closeTop()
			})
			synctest.Wait()
		}
		r.close()
	})
}

// TestDialogsFocusTheirButton: Return presses the button to press, also on the next page.
func TestDialogsFocusTheirButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		focused := func() string {
			synctest.Wait()
			text := ""
			r.ui(func() {
				b, ok := r.win.Canvas().Focused().(*button)
				if !ok {
					return
				}
				ring, _ := test.WidgetRenderer(b).(*ringed)
				if slices.ContainsFunc(seen(b), func(p placed) bool { return p.object == ring.ring }) {
					text = b.Text
				}
			})
			return text
		}
		r.ui(func() { r.showImport(nil) })
		if got := focused(); got != "Choose files …" {
			t.Errorf("without a file, the focus of the import is on %q", got)
		}
		r.ui(func() { r.importing.add([]string{"/data/films.tsv"}) })
		if got := focused(); got != "Import" {
			t.Errorf("with a file, the focus of the import is on %q", got)
		}
		r.ui(func() { r.confirmDelete("Delete it?", "It cannot be undone.", func() {}) })
		if got := focused(); got != "" {
			t.Errorf("a warning has the focus on %q", got)
		}
		r.ui(func() { r.closeTop(); r.closeTop() })
		r.close()
	})
}

// TestOneThingHasTheFocus: while a dialog is open, the question below has neither its ring nor
// its cursor; afterwards it has them again.
func TestOneThingHasTheFocus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		ringed := func() bool {
			for _, o := range test.WidgetRenderer(r.question.entry).Objects() {
				if border, ok := o.(*fynecanvas.Rectangle); ok && border.StrokeWidth > 0 && border.StrokeColor == theme.Color(theme.ColorNamePrimary) {
					return true
				}
			}
			return false
		}
		r.ui(func() {
			if !ringed() {
				t.Error("the question has no focus to begin with")
			}
			r.showImport(nil)
			r.chooseFile()
			if ringed() {
				t.Error("the question has the focus below a dialog")
			}
			r.closeTop()
			if ringed() {
				t.Error("the question has the focus below the second dialog")
			}
			r.closeTop()
			if !ringed() {
				t.Error("the question has not got its focus back")
			}
		})
		r.close()
	})
}

// TestFocusComesIntoView: what gets the focus by Tab is scrolled to, below and above.
func TestFocusComesIntoView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			r.win.Resize(fyne.NewSize(900, 420))
			c := r.win.Canvas()
			driver := fyne.CurrentApp().Driver()
			visible := func(o fyne.CanvasObject) bool {
				y := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(r.answer.scroll).Y
				return y >= 0 && y+o.Size().Height <= r.answer.scroll.Size().Height
			}
			questions := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
			r.answer.showEmpty("Ask", "one of these", questions)
			first, last := r.answer.box.Objects[2], r.answer.box.Objects[1+len(questions)]
			if visible(last) {
				t.Fatal("all is in view already")
			}
			for _, o := range []fyne.CanvasObject{last, first} {
				c.Focus(o.(fyne.Focusable)) //nolint:errcheck // a pressable is
				if !visible(o) {
					t.Errorf("the focus is out of view, at offset %v", r.answer.scroll.Offset)
				}
			}
		})
		r.close()
	})
}

// TestAnAlertIsClosedByReturn: the button of a sentence that asks nothing has the focus.
func TestAnAlertIsClosedByReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(func() {
			r.alert("No program to show the file", "It is at /tmp/x.", "")
			b, ok := r.win.Canvas().Focused().(*button)
			if !ok || b.Text != "Close" {
				t.Fatalf("the focus is on %v", r.win.Canvas().Focused())
			}
			b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			if r.modal() {
				t.Error("Return does not close it")
			}
		})
		r.close()
	})
}

package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
)

// fileRig is a window with a file dialog in a home folder of its own.
type fileRig struct {
	*rig
	home   string
	chosen string
}

// asked opens a dialog; what is chosen in it goes to chosen.
func (r *fileRig) asked(ask fileQuestion) {
	r.chosen = ""
	ask.chosen = func(path string) { r.chosen = path }
	r.ui(func() { r.pickFile(ask) })
	synctest.Wait()
}

func (r *fileRig) entry() *pathEntry {
	for _, p := range seen(r.win.Canvas().Overlays().Top()) {
		if e, ok := p.object.(*pathEntry); ok {
			return e
		}
	}
	return nil
}

// types puts a text into the path and presses keys.
func (r *fileRig) types(path string, keys ...fyne.KeyName) {
	r.ui(func() { r.entry().SetText(path) })
	synctest.Wait()
	for _, k := range keys {
		r.ui(func() {
			if f := r.win.Canvas().Focused(); f != nil {
				f.TypedKey(&fyne.KeyEvent{Name: k})
			}
		})
		synctest.Wait()
	}
}

func (r *fileRig) rows() string {
	var b strings.Builder
	r.ui(func() {
		for _, f := range r.entry().d.fits {
			b.WriteString(f.label() + "\n")
		}
	})
	return b.String()
}

func newFileRig(t *testing.T) *fileRig {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"graphs/films.cairn", "graphs/filters.tsv", "graphs/.secret.tsv", "graphs/photo.jpg", "notes.txt"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(home, name), "x")
	}
	return &fileRig{rig: newRig(t), home: home}
}

func TestTypedPathsAreTaken(t *testing.T) {
	home := ""
	for _, c := range []struct {
		typed  string
		keys   []fyne.KeyName
		chosen string // below the home folder
		says   string // HOME stands for that folder
	}{
		{"~/graphs/films.cairn", []fyne.KeyName{fyne.KeyReturn}, "graphs/films.cairn", ""},
		{"HOME/graphs/../notes.txt", []fyne.KeyName{fyne.KeyReturn}, "notes.txt", ""},
		{"notes.txt", []fyne.KeyName{fyne.KeyReturn}, "notes.txt", ""},
		{"HOME/graphs/HOME/notes.txt", []fyne.KeyName{fyne.KeyReturn}, "notes.txt", ""},
		{"/tmp/~/notes.txt", []fyne.KeyName{fyne.KeyReturn}, "notes.txt", ""},
		{"~/gr", []fyne.KeyName{fyne.KeyTab, fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn}, "graphs/films.cairn", ""},
		{"~/graphs/film", []fyne.KeyName{fyne.KeyReturn, fyne.KeyReturn}, "graphs/films.cairn", ""},
		{"~/graphs/flims.cairn", []fyne.KeyName{fyne.KeyReturn}, "", "There is no file “flims.cairn” in HOME/graphs."},
		{"~/grapsh/films.cairn", []fyne.KeyName{fyne.KeyReturn}, "", "There is no folder HOME/grapsh."},
		{"~/notes.txt/x", []fyne.KeyName{fyne.KeyReturn}, "", "HOME/notes.txt/x is not a valid path: part of it is a file, or it is too long."},
		{"", []fyne.KeyName{fyne.KeyEscape}, "", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newFileRig(t)
			home = r.home
			r.asked(fileQuestion{title: "Open", confirm: "Open", endings: []string{".cairn", ".tsv", ".txt"}})
			r.types(strings.ReplaceAll(c.typed, "HOME", home), c.keys...)
			want := ""
			if c.chosen != "" {
				want = filepath.Join(home, c.chosen)
			}
			r.ui(func() {
				if r.chosen != want {
					t.Errorf("%q and %v choose %q, want %q", c.typed, c.keys, r.chosen, want)
				}
				if closed := c.says == ""; closed == r.modal() {
					t.Errorf("%q and %v: open is %v", c.typed, c.keys, r.modal())
					return
				}
				if c.says != "" {
					if got, want := r.entry().d.said.Text, strings.ReplaceAll(c.says, "HOME", home); got != want {
						t.Errorf("%q says %q, want %q", c.typed, got, want)
					}
				}
			})
			r.close()
		})
	}
}

func TestFileDialogListsWhatFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newFileRig(t)
		r.asked(fileQuestion{title: "Open", confirm: "Open", endings: []string{".cairn", ".tsv", ".txt"}})
		for typed, want := range map[string]string{
			"~/":          ".. (parent folder)\ngraphs/\nnotes.txt\n",
			"~/graphs/":   ".. (parent folder)\nfilms.cairn\nfilters.tsv\n",
			"~/graphs/FI": "films.cairn\nfilters.tsv\n",
			"~/graphs/.":  ".secret.tsv\n",
			"~/graphs/x":  "",
		} {
			r.types(typed)
			if got := r.rows(); got != want {
				t.Errorf("%q lists %q, want %q", typed, got, want)
			}
		}
		r.types("~/graphs/fi", fyne.KeyTab)
		r.ui(func() {
			if got, want := r.entry().Text, filepath.Join(r.home, "graphs", "fil"); got != want {
				t.Errorf("Tab completes to %q, want %q", got, want)
			}
			r.entry().d.list.Select(0) // a click
		})
		r.types("~/")
		r.ui(func() { r.entry().d.list.Select(1) }) // a click on a folder
		synctest.Wait()
		r.ui(func() {
			if got, want := r.entry().Text, filepath.Join(r.home, "graphs")+"/"; got != want {
				t.Errorf("a click on a folder goes to %q, want %q", got, want)
			}
		})
		r.close()
	})
}

// TestAllFilesOfAFolder takes the files that are listed, and no folder, at once.
func TestAllFilesOfAFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newFileRig(t)
		var got []string
		r.asked(fileQuestion{title: "Choose files", confirm: "Choose", several: func(paths []string) { got = paths }})
		r.types("~/")
		if !r.entry().d.all.Disabled() {
			t.Error("all of one file can be chosen")
		}
		r.types("~/graphs/f")
		r.ui(func() { r.entry().d.all.OnTapped() })
		synctest.Wait()
		want := []string{filepath.Join(r.home, "graphs/films.cairn"), filepath.Join(r.home, "graphs/filters.tsv")}
		if !slices.Equal(got, want) || nameForAll(got) != "graphs" || nameForAll(got[:1]) != "films" {
			t.Errorf("got %q, want %q", got, want)
		}
		r.close()
	})
}

func TestFilesAreReplacedOnlyWhenTheUserSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newFileRig(t)
		r.asked(fileQuestion{title: "Save", confirm: "Save", kind: fileToWrite, name: "notes.txt"})
		r.types("~/notes.txt", fyne.KeyReturn)
		r.ui(func() {
			d := r.entry().d
			if r.chosen != "" || !strings.Contains(d.said.Text, "already") || d.take.Text != "Replace" {
				t.Errorf("chosen %q, says %q, the button says %q", r.chosen, d.said.Text, d.take.Text)
			}
		})
		r.types("~/notes.txt2")
		r.ui(func() {
			if d := r.entry().d; d.take.Text != "Save" {
				t.Errorf("for another name the button says %q", d.take.Text)
			}
		})
		r.types("~/notes.txt", fyne.KeyReturn, fyne.KeyReturn)
		if want := filepath.Join(r.home, "notes.txt"); r.chosen != want {
			t.Errorf("chosen %q, want %q", r.chosen, want)
		}
		r.asked(fileQuestion{title: "Save", confirm: "Save", kind: fileToWrite, name: "new.txt"})
		if got, want := r.rows(), ".. (parent folder)\ngraphs/\nnotes.txt\n"; got != want {
			t.Errorf("beside a name that is proposed are %q, want %q", got, want)
		}
		r.ui(func() { r.entry().d.list.Select(1) }) // a click on the folder
		synctest.Wait()
		r.types(r.entry().Text, fyne.KeyReturn)
		if want := filepath.Join(r.home, "graphs", "new.txt"); r.chosen != want {
			t.Errorf("in another folder, chosen %q, want %q", r.chosen, want)
		}
		r.asked(fileQuestion{title: "Folder", confirm: "Use it", kind: folderToUse})
		r.types("~/notes.txt", fyne.KeyReturn)
		r.ui(func() {
			if got := r.entry().d.said.Text; got != "notes.txt is a file, not a folder." {
				t.Errorf("a file for a folder: %q", got)
			}
		})
		r.types("~/graphs", fyne.KeyReturn)
		if want := filepath.Join(r.home, "graphs"); r.chosen != want {
			t.Errorf("chosen %q, want %q", r.chosen, want)
		}
		r.close()
	})
}

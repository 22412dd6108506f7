package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cairn/engine/ingest"
	"cairn/internal/testing/shared"
)

// roles is a table of actors as Sniff finds it.
func roles(tb testing.TB) ingest.Format {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "coached.csv")
	writeFile(tb, path, "film,performer,coach\nAlien,Weaver,Ripley\nAlien,Hurt,Kane\nHeat,Pacino,Hanna\nHeat,De Niro,McCauley\nAlien,Holm,Ash\nHeat,Kilmer,Shiherlis\n")
	f, err := ingest.Sniff(tb.Context(), []string{path}, ingest.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// sentence is what the columns page says of the first row.
func sentence(o fyne.CanvasObject) string {
	for _, obj := range test.LaidOutObjects(o) {
		if f, ok := obj.(*flow); ok && strings.HasPrefix(f.Text(), "The first row says") {
			return f.Text()
		}
	}
	return ""
}

// choose picks an option of the nth selector that has it.
func choose(tb testing.TB, root fyne.CanvasObject, n int, option string) {
	tb.Helper()
	for _, obj := range test.LaidOutObjects(root) {
		s, ok := obj.(*selector)
		if !ok || len(s.Options) != len(ingest.Roles) {
			continue
		}
		if n--; n < 0 {
			s.SetSelected(option)
			return
		}
	}
	tb.Fatalf("no selector offers %q", option)
}

// TestImportAsksForColumns opens the columns of a table that two readings fit, takes the
// other one, changes a role, tries it, and imports what the page says; the mapping is kept.
func TestImportAsksForColumns(t *testing.T) {
	format := roles(t)
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.asks, r.opener.format = "More than one reading is possible.", format
		var g *fakeGraph
		r.opener.make = func(path string) *fakeGraph {
			g = newFakeGraph(path)
			g.result = ingest.Report{Read: 7, Used: 6, Skipped: 1, Added: 6, Notes: []string{"kb.csv: left out: “weight”."}}
			return g
		}
		file := filepath.Join(t.TempDir(), "kb.csv")
		writeFile(t, file, "film,performer,coach\n")
		r.ui(func() { r.take([]string{file}) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		press := func(text string) {
			r.ui(func() { tapButton(t, top, text) })
			synctest.Wait()
		}
		press("Import")
		if got := labels(top); g != nil || !strings.Contains(got, "More than one reading is possible.") || !strings.Contains(got, "Shiherlis") {
			t.Fatalf("before it is confirmed, graph %v:\n%s", g, got)
		}
		if got := sentence(top); !strings.Contains(got, "Weaver (performer) — film → Alien; coach → Ripley") {
			t.Errorf("the first reading says %q", got)
		}
		press("Use the other interpretation")
		if got := sentence(top); !strings.Contains(got, "Alien (film) — performer → Weaver, coach Ripley") {
			t.Errorf("the other reading says %q", got)
		}
		r.ui(func() { choose(t, top, 1, "left out") })
		synctest.Wait()
		if got := labels(top); !strings.Contains(got, "No column is the tail") {
			t.Errorf("without a tail:\n%s", got)
		}
		r.ui(func() { choose(t, top, 1, "tail") })
		synctest.Wait()
		press("Try the first 10,000 rows")
		if got := labels(top); g != nil || !strings.Contains(got, "used + rejected + skipped") {
			t.Errorf("after the trial, graph %v:\n%s", g, got)
		}
		r.ui(r.escape) // goes back, too
		synctest.Wait()
		press("Import")
		if g == nil || g.choices.Reading == nil || g.choices.Reading.RolesText() != "head,tail,property,relation=performer,type=film" {
			t.Fatalf("imported by %+v", g)
		}
		if got := labels(top); !strings.Contains(got, "left out: “weight”.") || !strings.Contains(got, "is saved in /data/mappings/kb.csv") {
			t.Errorf("the result:\n%s", got)
		}
		if len(r.opener.kept) != 1 || r.opener.kept[0].Check() != nil {
			t.Errorf("kept %+v", r.opener.kept)
		}
		if r.session == nil || len(r.session.Examples()) == 0 {
			t.Error("there is nothing to ask")
		}
		r.close()
	})
}

// TestImportOfUnknownColumns lets the user say what the columns are of which Cairn can
// make nothing.
func TestImportOfUnknownColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "countries.csv")
	writeFile(t, path, "Peru,Lima,1\nChad,N'Djamena,2\nMali,Bamako,3\nCuba,Havana,4\nOman,Muscat,5\nIraq,Baghdad,6\nFiji,Suva,7\nTogo,Lome,8\n")
	format, wrong := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
	if !errors.Is(wrong, ingest.ErrColumns) {
		t.Fatal(wrong)
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.format, r.opener.wrong = format, wrong
		r.ui(func() { r.take([]string{path}) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		if got := labels(top); !strings.Contains(got, "Press “Columns …” to say what each column is.") || strings.Contains(got, "Could not import") {
			t.Errorf("the file's row:\n%s", got)
		}
		r.ui(func() { tapButton(t, top, "Import") })
		synctest.Wait()
		if got := labels(top); !strings.Contains(got, "does not look like relations") || !strings.Contains(got, "No column is the head") {
			t.Fatalf("of a table of capitals:\n%s", got)
		}
		for i, role := range []string{"head", "relation of the head"} {
			r.ui(func() { choose(t, top, i, role) })
			synctest.Wait()
		}
		if got := sentence(top); !strings.Contains(got, "Peru — column 2 → Lima") {
			t.Errorf("it says %q", got)
		}
		r.close()
	})
}

// TestWideTableLeavesRoomForItsColumns: of a row of 80 cells the page says the first ones, and
// how many more there are; the columns keep their place.
func TestWideTableLeavesRoomForItsColumns(t *testing.T) {
	shared.Sequential(t)
	var head, row strings.Builder
	head.WriteString("station")
	row.WriteString("Finse")
	for i := range 79 {
		fmt.Fprintf(&head, ",measure %d", i+1)
		fmt.Fprintf(&row, ",%d.5", i)
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	writeFile(t, path, head.String()+"\n"+row.String()+"\n"+strings.Replace(row.String(), "Finse", "Myrdal", 1)+"\n")
	format, err := ingest.Sniff(t.Context(), []string{path}, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.asks, r.opener.format = "Are these columns right?", format
		r.ui(func() { r.take([]string{path}) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() { tapButton(t, top, "Import") })
		synctest.Wait()
		if got := sentence(top); !strings.HasPrefix(got, "The first row says: Finse (station) — measure 1 → 0.5; measure 2 → 1.5; ") || !strings.HasSuffix(got, "measure 12 → 11.5 and 67 more values") {
			t.Errorf("it says %q", got)
		}
		if got := labels(top); !strings.Contains(got, "and 40 more columns, read as Cairn suggests") {
			t.Errorf("the columns that are not shown are not counted:\n%s", got)
		}
		r.close()
	})
}

// TestImportLeftBeforeItBegins closes the dialog, or stops, while the files are still looked
// at: nothing is imported, and the page that shows meanwhile offers no second import.
func TestImportLeftBeforeItBegins(t *testing.T) {
	for _, leave := range []string{"Stop", "Esc"} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			file := filepath.Join(t.TempDir(), "kb.csv")
			writeFile(t, file, "a|b|c\n")
			r.ui(func() { r.take([]string{file}) })
			synctest.Wait()
			top := r.win.Canvas().Overlays().Top()
			r.ui(func() {
				tapButton(t, top, "Import")
				if got := labels(top); !strings.Contains(got, "Reading the first rows …") {
					t.Errorf("while the files are looked at, the page is\n%s", got)
				}
				if leave == "Esc" {
					r.escape()
				} else {
					tapButton(t, top, leave)
				}
			})
			synctest.Wait()
			if len(r.opener.opened) != 0 {
				t.Errorf("%s: %d graphs were made", leave, len(r.opener.opened))
			}
			if r.modal() == (leave == "Esc") {
				t.Errorf("%s: a dialog is open: %v", leave, r.modal())
			}
			r.close()
		})
	}
}

// TestImportThatIsLeftSaysSo: one whose dialog is closed while it is under way ends, and the
// status line says what came of it.
func TestImportThatIsLeftSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		file := filepath.Join(t.TempDir(), "kb.csv")
		writeFile(t, file, "a|b|c\n")
		r.opener.make = func(path string) *fakeGraph {
			r.ui(r.escape)
			g := newFakeGraph(path)
			g.fail = context.Canceled
			return g
		}
		r.ui(func() { r.take([]string{file}) })
		synctest.Wait()
		r.ui(func() { tapButton(t, r.win.Canvas().Overlays().Top(), "Import") })
		synctest.Wait()
		if got := r.status.message; got != "You stopped the import. Nothing was added." {
			t.Errorf("it says %q", got)
		}
		r.close()
	})
}

package ingest_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
)

// TestUnitsBelowTheHeader reads a row of units as what the columns are measured in.
func TestUnitsBelowTheHeader(t *testing.T) {
	bridges := []string{
		"Forth — height (m) → 156 ^m", "Forth — length (m) → 2512 ^m", "Forth — opened → 1964 ^gYear",
		"Humber — height (m) → 155 ^m", "Humber — length (m) → 2220 ^m", "Humber — opened → 1981 ^gYear",
		"Severn — height (m) → 136 ^m", "Severn — length (m) → 1600 ^m", "Severn — opened → 1966 ^gYear",
	}
	const rows = "Humber,2220,155,1981\nSevern,1600,136,1966\nForth,2512,156,1964\n"
	for _, tt := range []struct {
		name, text string
		want       []string
		say        string
	}{
		{"symbols", "Bridge,Length,Height,Opened\n,m,m,year\n" + rows, bridges, "The row below the header was read as units: “Length (m)”, “Height (m)”."},
		{"in brackets, and called units", "Bridge,Length,Height,Opened\nUnit,[m],[m],-\n" + rows, bridges, "The row below the header was read as units"},
		{"below a title", "Bridges of Britain\n\nBridge,Length,Height,Opened\n,m,m,\n" + rows, bridges, "The row below the header was read as units"},
		{"in the header itself", "Bridge,Length (m),Height (m),Opened\n" + rows, bridges, ""},
		{
			"no units", "Tag,Power,Site\nP-1,,Leith\nP-2,7,Hull\nP-3,22,Hull\n",
			[]string{"P-1 — site → Leith", "P-2 — power → 7 ^integer", "P-2 — site → Hull", "P-3 — power → 22 ^integer", "P-3 — site → Hull"},
			"",
		},
		{"case counts", "Tag,Power,Site\n,kW,\nP-2,7,Hull\nP-3,22,Hull\n", []string{"P-2 — power (kW) → 7 ^kW", "P-2 — site → Hull", "P-3 — power (kW) → 22 ^kW", "P-3 — site → Hull"}, "“Power (kW)”"},
	} {
		st := store(t)
		r, err := stream(t, st, "x", tt.text, ingest.Options{})
		if err != nil || r.Check() != nil || r.Rejected > 0 {
			t.Errorf("%s: %v, %v", tt.name, err, r)
			continue
		}
		notes := strings.Join(r.Notes, " ")
		if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" || !strings.Contains(notes, tt.say) || tt.say == "" && strings.Contains(notes, "units") {
			t.Errorf("%s: notes %q, want %q\n%s", tt.name, notes, tt.say, diff)
		}
		// The mapping that is saved reads the file in the same way.
		o := ingest.Options{Reading: &r.Format.Reading, Header: ingest.HeaderYes}
		again := store(t)
		if _, err := stream(t, again, "x", tt.text, o); err != nil || !slices.Equal(said(graph(t, again)), tt.want) {
			t.Errorf("%s: by its own reading: %v, %q", tt.name, err, said(graph(t, again)))
		}
	}
}

// TestRowsThatMayBeHeaders asks about a row that stands alone and may be a header, and never
// about the names that a database gives its columns.
func TestRowsThatMayBeHeaders(t *testing.T) {
	for text, asks := range map[string]bool{"name,city,age\n": true, "Name;City;Age\n": true, "Ann,knows,Bob\n": false, "a\tb\tc\n": false, "Q1,P31,Q5\n": false} {
		if _, err := stream(t, store(t), "x", text, ingest.Options{}); errors.Is(err, ingest.ErrUnsure) != asks {
			t.Errorf("%q: %v", text, err)
		}
	}
	path := filepath.Join(t.TempDir(), "g.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE staff (name TEXT, boss TEXT, room TEXT); INSERT INTO staff VALUES ('Bob', 'Ann', 'R1')"); err != nil {
		t.Fatal(err)
	}
	st := store(t)
	if _, err := ingest.File(t.Context(), st, path, ingest.Options{Table: "SELECT name, boss, 3 AS n FROM staff"}, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Bob — boss → Ann", "Bob — n → 3 ^integer"}, said(graph(t, st))); diff != "" {
		t.Error(diff)
	}
}

// TestEncodingsAreSaid says in what letters a file is that is not UTF-8.
func TestEncodingsAreSaid(t *testing.T) {
	for name, text := range map[string]string{
		"UTF-16":       "\xff\xfen\x00a\x00m\x00e\x00,\x00c\x00i\x00t\x00y\x00,\x00a\x00g\x00e\x00\n\x00A\x00n\x00n\x00,\x00U\x00l\x00m\x00,\x003\x00\n\x00",
		"Windows-1252": "name,city,age\nAnn,M\xfcnchen,3\nBob,K\xf6ln,5\n",
	} {
		r, err := stream(t, store(t), "x", text, ingest.Options{AcceptGuess: true})
		if err != nil || !strings.Contains(strings.Join(r.Notes, " "), name) {
			t.Errorf("%s: %v, notes %q", name, err, r.Notes)
		}
	}
}

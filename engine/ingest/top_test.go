package ingest_test

import (
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
		{"symbols", "Bridge,Length,Height,Opened\n,m,m,year\n" + rows, bridges, "Below the header stand units, which were read as such: “Bridge”, “Length (m)”, “Height (m)”, “Opened”."},
		{"in brackets, and called units", "Bridge,Length,Height,Opened\nUnit,[m],[m],-\n" + rows, bridges, "Below the header stand units"},
		{"below a title", "Bridges of Britain\n\nBridge,Length,Height,Opened\n,m,m,\n" + rows, bridges, "Below the header stand units"},
		{"in the header itself", "Bridge,Length (m),Height (m),Opened\n" + rows, bridges, ""},
		{
			"no units", "Tag,Power,Site\nP-1,,Leith\nP-2,7,Hull\nP-3,22,Hull\n",
			[]string{"P-1 — site → Leith", "P-2 — power → 7 ^integer", "P-2 — site → Hull", "P-3 — power → 22 ^integer", "P-3 — site → Hull"}, "",
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

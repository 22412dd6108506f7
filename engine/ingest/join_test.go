package ingest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
)

// TestTablesAreJoinedByIDs imports tables that refer to each other: a column of ids leads to
// what they name, equal ids of two tables stay two things, and the report says both.
func TestTablesAreJoinedByIDs(t *testing.T) {
	tests := []struct {
		name  string
		files []string // name, text
		want  []string
		notes []string // parts of them
	}{
		{
			name: "a column of ids", files: []string{
				"staff.csv", "id,name,dept_id\n1,Ann,10\n2,Bob,20\n3,Cy,10\n",
				"departments.csv", "id,name,city\n10,Sales,London\n20,Ops,Paris\n",
			},
			want: []string{
				"Ann — dept → Sales", "Bob — dept → Ops", "Cy — dept → Sales", "Ops — city → Paris", "Sales — city → London",
			},
			notes: []string{"“dept_id” holds ids of “departments.csv”, such as “10”, which is “Sales”."},
		},
		{
			name: "ids that are called as the things of the table are", files: []string{
				"specimens.csv", "specimen_id,mineral_id,weight\nS-1,1,120\nS-2,2,85\nS-3,1,40\n",
				"minerals.csv", "mineral_id,name,hardness\n1,Quartz,7\n2,Topaz,8\n3,Talc,1\n",
			},
			want: []string{
				"Quartz — hardness → 7 ^integer", "S-1 — mineral → Quartz", "S-1 — weight → 120 ^integer", "S-2 — mineral → Topaz", "S-2 — weight → 85 ^integer", "S-3 — mineral → Quartz",
				"S-3 — weight → 40 ^integer", "Talc — hardness → 1 ^integer", "Topaz — hardness → 8 ^integer",
			},
			notes: []string{"“mineral_id” holds ids of “minerals.csv”, such as “1”, which is “Quartz”."},
		},
		{
			name: "an id beside the name of the thing", files: []string{
				"specimens.csv", "specimen,mineral_id\nS-1,1\nS-2,2\nS-3,1\n",
				"minerals.csv", "id,mineral_name,hardness\n1,Quartz,7\n2,Topaz,8\n3,Talc,1\n",
			},
			want: []string{
				"Quartz — hardness → 7 ^integer", "S-1 — mineral → Quartz", "S-2 — mineral → Topaz", "S-3 — mineral → Quartz", "Talc — hardness → 1 ^integer", "Topaz — hardness → 8 ^integer",
			},
		},
		{
			name: "equal ids are two things", files: []string{
				"staff.csv", "id,name,dept_id\n1,Ann,1\n2,Bob,2\n3,Cy,1\n",
				"departments.csv", "id,name,city\n1,Sales,London\n2,Ops,Paris\n",
			},
			want: []string{
				"Ann — dept → Sales", "Bob — dept → Ops", "Cy — dept → Sales", "Ops — city → Paris", "Sales — city → London",
			},
			notes: []string{"“dept_id” holds ids of “departments.csv”", "“staff.csv” and “departments.csv” have equal ids, such as “1”, which is “Ann” and “Sales”. They are kept apart."},
		},
		{
			name: "a column that may hold the ids of either", files: []string{
				"staff.csv", "id,name,boss_id\n1,Ann,2\n2,Bob,1\n", "ships.csv", "id,name,port\n1,Vega,Oslo\n2,Lyra,Bergen\n",
			},
			want: []string{
				"Ann — boss id → 2 ^integer", "Bob — boss id → 1 ^integer", "Lyra — port → Bergen", "Vega — port → Oslo",
			},
			notes: []string{"“boss_id” may hold ids of “staff.csv” or “ships.csv”, which have some ids in common, so it was joined to none of them.", "They are kept apart."},
		},
		{
			name: "a column called by the sort of thing whose ids it holds", files: []string{
				"persons.csv", "person_id,name,birthplace_id,father_id\n1,Ann,2,2\n2,Carl,1,\n", "places.csv", "place_id,name,county\n1,Rome,Lazio\n2,Oslo,Viken\n",
			},
			want:  []string{"Ann — birthplace → Oslo", "Ann — father → Carl", "Carl — birthplace → Rome", "Oslo — county → Viken", "Rome — county → Lazio"},
			notes: []string{"“father_id” holds ids of “persons.csv”", "“birthplace_id” holds ids of “places.csv”"},
		},
		{
			name: "ids of the table itself, and one that is nowhere", files: []string{"staff.csv", "id,name,boss_id\n1,Ann,\n2,Bob,1\n3,Cy,1\n4,Di,2\n"},
			want:  []string{"Bob — boss → Ann", "Cy — boss → Ann", "Di — boss → Bob"},
			notes: []string{"“boss_id” holds ids of “staff.csv”, such as “1”, which is “Ann”."},
		},
		{
			name: "edges to a node that nothing describes", files: []string{
				"parts.csv", "id,name,maker\nn1,Pump 1,KSB\nn2,Valve 7,ARI\n",
				"pipes.csv", "subject,predicate,object,bore\nn1,feeds,n2,3.5\nn2,feeds,n9,2.1\n",
			},
			want: []string{
				"Pump 1 — feeds → Valve 7, bore 3.5", "Pump 1 — maker → KSB", "Valve 7 — feeds → n9, bore 2.1", "Valve 7 — maker → ARI",
			},
			notes: []string{"Its ids refer to “parts.csv”.", "1 node appears only in edges. Its id is its name."},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			var paths []string
			for i := 0; i < len(test.files); i += 2 {
				paths = append(paths, filepath.Join(dir, test.files[i]))
				write(t, paths[i/2], test.files[i+1])
			}
			st := store(t)
			r, err := ingest.Files(t.Context(), st, paths, ingest.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Check(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(test.want, said(graph(t, st))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			notes := strings.Join(r.Notes, "\n")
			for _, n := range test.notes {
				if !strings.Contains(notes, n) {
					t.Errorf("no note says %q:\n%s", n, notes)
				}
			}
			trials, err := ingest.NewTrials(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer trials.Close()
			trials.Among(paths)
			try, err := trials.File(t.Context(), paths[0], ingest.Options{})
			if err != nil || !cmp.Equal(try.Format.Columns, r.Format.Columns) {
				t.Errorf("a trial reads it otherwise: %v\n%s", err, cmp.Diff(r.Format.Columns, try.Format.Columns))
			}
		})
	}
}

// TestIDsThatTheGraphHasAlready says where a second import numbers other things.
func TestIDsThatTheGraphHasAlready(t *testing.T) {
	dir := t.TempDir()
	st := store(t)
	imported := func(name, text string) []string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Notes
	}
	taken := func(note string) bool { return strings.Contains(note, "“1”, which is “Ann” and “Sales”") }
	imported("staff.csv", "id,name,city\n1,Ann,Oslo\n2,Bob,Rome\n")
	if notes := imported("again.csv", "id,name,born\n1,Ann,1970\n2,Bob,1980\n"); slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "other names") }) {
		t.Errorf("the same things: %q", notes)
	}
	if notes := imported("departments.csv", "id,name,city\n1,Sales,London\n2,Ops,Paris\n"); !slices.ContainsFunc(notes, taken) {
		t.Errorf("other things: %q", notes)
	}
}

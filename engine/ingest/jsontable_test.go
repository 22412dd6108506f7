package ingest_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
)

// TestListsInJSON reads a list of objects without names, or of lists, as a table, and refuses
// what is none by name.
func TestListsInJSON(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
		err        error
	}{
		{"statements", `[{"person":"Ann","company":"Acme","since":2001},{"person":"Bob","company":"Beta","since":2003},{"person":"Ann","since":2010,"company":"Beta"}]`, []string{
			"Ann — company → Acme, since 2001", "Ann — company → Beta, since 2010", "Bob — company → Beta, since 2003",
		}, nil},
		{"things with lists and objects", `[{"mineral":"Quartz","hardness":7,"colours":["white","pink"],"cell":{"a":4.9}},{"mineral":"Talc","hardness":1,"colours":["white"],"cell":{"a":5.3}},{"mineral":"Beryl","hardness":8,"colours":["green","white"],"cell":{"a":9.2}}]`, []string{
			"Beryl — cell a → 9.2 ^decimal", "Beryl — colours → green", "Beryl — colours → white", "Beryl — hardness → 8 ^integer",
			"Quartz — cell a → 4.9 ^decimal", "Quartz — colours → pink", "Quartz — colours → white", "Quartz — hardness → 7 ^integer",
			"Talc — cell a → 5.3 ^decimal", "Talc — colours → white", "Talc — hardness → 1 ^integer",
		}, nil},
		{"lists", `[["Ann","knows","Bob"],["Bob","knows","Cy"]]`, []string{"Ann — knows → Bob", "Bob — knows → Cy"}, nil},
		{"objects and lists", `[["Ann","knows","Bob"],{"a":"b","c":"d"}]`, nil, ingest.ErrFormat},
		{"no list", `{"Ann":{"born":1970},"Bob":{"born":1980}}`, nil, ingest.ErrFormat},
		{"cut short", `[{"person":"Ann","company":"Acme","since":2001},{"person":"Bob"`, nil, ingest.ErrFormat},
		{"deep", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), nil, ingest.ErrFormat},
	} {
		st := store(t)
		path := filepath.Join(t.TempDir(), "x.json")
		write(t, path, tt.text)
		r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
		if tt.err != nil {
			if !errors.Is(err, tt.err) {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err != nil || r.Check() != nil {
			t.Errorf("%s: %v, %v", tt.name, err, r)
			continue
		}
		if diff := cmp.Diff(tt.want, said(graph(t, st))); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}

// TestRecordsByKind reads JSON records also where the user says that they are, and refuses what has none.
func TestRecordsByKind(t *testing.T) {
	st := store(t)
	if r, err := stream(t, st, "trees.json", `[{"name":"Old Oak","height":21},{"name":"Tall Ash","height":30}]`, ingest.Options{Kind: ingest.JSONRecords}); err != nil || r.Added != 2 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := stream(t, st, "none.json", `{"a":1}`, ingest.Options{Kind: ingest.JSONRecords}); !errors.Is(err, ingest.ErrFormat) {
		t.Errorf("no records: %v", err)
	}
}

package ingest_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
)

// TestRecordsInThreeForms reads the same data as flat tables, as several JSON files and as one JSON object: the graph is
// the same.
func TestRecordsInThreeForms(t *testing.T) {
	forms := map[string][]string{
		"tables": {
			"depots.csv", "depot_id,depot,town\nD1,North Yard,Hove\nD2,Quay Side,Lewes\n",
			"trams.csv", "tram_no,name,built,depot_id,lines\nT1,Old Nan,1931,D1,red; blue\nT2,Sea Breeze,1948,D2,blue\nT3,Grey Lady,1952,D1,red; green\n",
			"drivers.csv", "name,licence since,depot_id\nAnn Hale,1999,D1\nBen Orr,2004,D2\n",
			"checks.csv", "check_no,tram,date,inspector\nC-01,T1,2024-01-05,Ann Hale\nC-02,T1,2024-03-09,Ben Orr\nC-03,T3,2024-02-01,Ben Orr\n",
		},
		"several JSON files": {
			"depots.json", `[{"depot_id":"D1","depot":"North Yard","town":"Hove"},{"depot_id":"D2","depot":"Quay Side","town":"Lewes"}]`,
			"trams.json", `[{"tram_no":"T1","name":"Old Nan","built":1931,"depot_id":"D1","lines":["red","blue"],"checks":[{"check_no":"C-01","date":"2024-01-05","inspector":"Ann Hale"},{"check_no":"C-02","date":"2024-03-09","inspector":"Ben Orr"}]},
{"tram_no":"T2","name":"Sea Breeze","built":1948,"depot_id":"D2","lines":["blue"]},
{"tram_no":"T3","name":"Grey Lady","built":1952,"depot_id":"D1","lines":["red","green"],"checks":[{"check_no":"C-03","date":"2024-02-01","inspector":"Ben Orr"}]}]`,
			"drivers.json", `[{"name":"Ann Hale","licence since":1999,"depot_id":"D1"},{"name":"Ben Orr","licence since":2004,"depot_id":"D2"}]`,
		},
		"one JSON object": {
			"trams.json", `{"depots":[{"depot_id":"D1","depot":"North Yard","town":"Hove"},{"depot_id":"D2","depot":"Quay Side","town":"Lewes"}],
"drivers":[{"name":"Ann Hale","licence since":1999,"depot_id":"D1"},{"name":"Ben Orr","licence since":2004,"depot_id":"D2"}],
"trams":[{"tram_no":"T1","name":"Old Nan","built":1931,"depot_id":"D1","lines":["red","blue"]},{"tram_no":"T2","name":"Sea Breeze","built":1948,"depot_id":"D2","lines":["blue"]},{"tram_no":"T3","name":"Grey Lady","built":1952,"depot_id":"D1","lines":["red","green"]}],
"checks":[{"check_no":"C-01","tram":"T1","date":"2024-01-05","inspector":"Ann Hale"},{"check_no":"C-02","tram":"T1","date":"2024-03-09","inspector":"Ben Orr"},{"check_no":"C-03","tram":"T3","date":"2024-02-01","inspector":"Ben Orr"}]}`,
		},
	}
	read := func(form string) (facts []string, types string) {
		dir := t.TempDir()
		var paths []string
		for i := 0; i < len(forms[form]); i += 2 {
			paths = append(paths, filepath.Join(dir, forms[form][i]))
			write(t, paths[len(paths)-1], forms[form][i+1])
		}
		st := store(t)
		r, err := ingest.Files(t.Context(), st, paths, ingest.Options{}, nil)
		if err != nil || r.Check() != nil || r.Rejected > 0 {
			t.Fatalf("%s: %v, %v", form, err, r)
		}
		g := graph(t, st)
		return said(g), typesOf(g)
	}
	want, types := read("tables")
	if len(want) < 20 || types != "check, depot, driver, tram" {
		t.Errorf("tables: %q, %q", want, types)
	}
	for _, form := range []string{"several JSON files", "one JSON object"} {
		got, gotTypes := read(form)
		if diff := cmp.Diff(want, got); diff != "" || gotTypes != types {
			t.Errorf("%s: %s\n%s", form, gotTypes, diff)
		}
	}
}

// TestRecordsOfCodes reads what no list of its own names: results by the codes of tests in another file, limits that are
// neither, and patients in their samples.
func TestRecordsOfCodes(t *testing.T) {
	dir := t.TempDir()
	tests, samples := filepath.Join(dir, "tests.json"), filepath.Join(dir, "samples.json")
	write(t, tests, `[{"code":"NA","name":"Sodium","limits":[{"sex":"all","low":135},{"sex":"all","low":130}]},{"code":"HB","name":"Haemoglobin","limits":[{"sex":"male","low":130}]},{"code":"K","name":"Potassium","limits":[{"sex":"all","low":3.5}]}]`)
	write(t, samples, `[{"sample_id":"24-1","patient":{"name":"Alma Kestrel","born":1951},"taken":"2024-06-03T08:10","results":[{"test":"NA","value":139},{"test":"HB","value":120}]},
{"sample_id":"24-2","patient":{"name":"Alma Kestrel","born":1951},"results":[{"test":"NA","value":141}]}]`)
	st := store(t)
	r, err := ingest.Files(t.Context(), st, []string{tests, samples}, ingest.Options{}, nil)
	if err != nil || r.Check() != nil {
		t.Fatalf("%v, %v", err, r)
	}
	want := []string{
		"24-1 — patient → Alma Kestrel", "24-1 — results → Haemoglobin, value 120", "24-1 — results → Sodium, value 139", "24-1 — taken → 2024-06-03T08:10:00 ^dateTime",
		"24-2 — patient → Alma Kestrel", "24-2 — results → Sodium, value 141", "Alma Kestrel — born → 1951 ^gYear",
		"Haemoglobin — code → HB ^", "Haemoglobin, limit male — low → 130 ^integer", "Haemoglobin, limit male — sex → male", "Haemoglobin, limit male — test → Haemoglobin",
		"Potassium — code → K ^", "Potassium, limit all — low → 3.5 ^decimal", "Potassium, limit all — sex → all", "Potassium, limit all — test → Potassium", "Sodium — code → NA ^",
		"Sodium, limit all 2 — low → 130 ^integer", "Sodium, limit all 2 — sex → all", "Sodium, limit all 2 — test → Sodium",
		"Sodium, limit all — low → 135 ^integer", "Sodium, limit all — sex → all", "Sodium, limit all — test → Sodium",
	}
	g := graph(t, st)
	if diff := cmp.Diff(want, said(g)); diff != "" || typesOf(g) != "limit, patient, sample, test" {
		t.Errorf("%s\n%s", typesOf(g), diff)
	}
}

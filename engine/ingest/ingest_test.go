package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// store opens an empty graph that closes with the test.
func store(tb testing.TB) *kg.Store {
	tb.Helper()
	return open(tb, filepath.Join(tb.TempDir(), "test"+kg.Ext))
}

func open(tb testing.TB, path string) *kg.Store {
	tb.Helper()
	st, err := kg.OpenStore(tb.Context(), path)
	if err != nil {
		tb.Fatalf("OpenStore: %v", err)
	}
	tb.Cleanup(func() {
		if err := st.Close(); err != nil {
			tb.Errorf("Close: %v", err)
		}
	})
	return st
}

// stream imports a text and checks that the counts add up.
func stream(tb testing.TB, st *kg.Store, name, text string, o ingest.Options) (ingest.Report, error) {
	tb.Helper()
	r, err := ingest.Stream(tb.Context(), st, name, strings.NewReader(text), int64(len(text)), o, nil)
	if e := r.Check(); e != nil {
		tb.Errorf("Check: %v", e)
	}
	return r, err
}

func graph(tb testing.TB, st *kg.Store) *kg.Graph {
	tb.Helper()
	g, err := st.Graph(tb.Context(), nil)
	if err != nil {
		tb.Fatalf("Graph: %v", err)
	}
	return g
}

// facts writes a graph as sorted lines: triples by key, then names and types.
func facts(g *kg.Graph) []string {
	var out []string
	for i := range g.Triples() {
		t := g.Triple(kg.TripleID(i))
		out = append(out, g.Key(t.Head)+" | "+g.RelationKey(t.Relation)+" | "+g.Key(t.Tail))
	}
	for e := range kg.EntityID(g.Entities()) {
		line := g.Key(e)
		if g.Label(e) != g.Key(e) {
			line += " = " + g.Label(e)
		}
		if a := g.Aliases(e); len(a) > 0 {
			line += " aka " + strings.Join(a, ", ")
		}
		for _, k := range g.Types(e) {
			line += " : " + g.TypeLabel(k)
		}
		if g.IsLiteral(e) {
			line += " literal"
		}
		if line != g.Key(e) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func TestImportDelimited(t *testing.T) {
	tests := []struct {
		name, text string
		options    ingest.Options
		want       []string
		counts     [4]int64 // added, duplicate, rejected, skipped
	}{
		{
			name: "pipes", text: "Kismet|directed_by|William Dieterle\nKismet|release_year|1944\n",
			want: []string{"Kismet | directed_by | William Dieterle", "Kismet | release_year | 1944"}, counts: [4]int64{2, 0, 0, 0},
		},
		{
			name: "tabs without a last line end, CRLF and a mark", text: "\xef\xbb\xbfa\tb\tc\r\n\r\nd\tb\tc",
			want: []string{"a | b | c", "d | b | c"}, counts: [4]int64{2, 0, 0, 1},
		},
		{
			name: "one triple", text: "a|b|c",
			want: []string{"a | b | c"}, counts: [4]int64{1, 0, 0, 0},
		},
		{
			name: "line ends of old Macintoshes", text: "a\tb\tc\rd\tb\te\r",
			want: []string{"a | b | c", "d | b | e"}, counts: [4]int64{2, 0, 0, 0},
		},
		{
			name: "CSV with a header, quotes and a line end in a field",
			text: "subject,predicate,object\n\"Paris, Texas\",directed by,Wim Wenders\n\"a \"\"b\"\"\",says,\"two\nlines\"\n",
			want: []string{"Paris, Texas | directed by | Wim Wenders", "a \"b\" | says | two\nlines"}, counts: [4]int64{2, 0, 0, 1},
		},
		{
			name: "a quotation mark that is never closed costs one line",
			text: "a,r,b\n\"c,r,d\ne,r,f\ng,r,h\n",
			want: []string{"a | r | b", "e | r | f", "g | r | h"}, counts: [4]int64{3, 0, 1, 0},
		},
		{
			name: "quotes in tabbed files are part of names",
			text: "\"Pimpernel\" Smith\tr\tb\n\"Aero 2\"\tr\t\"b\"\n",
			want: []string{"\"Pimpernel\" Smith | r | b", "Aero 2 | r | b"}, counts: [4]int64{2, 0, 0, 0},
		},
		{
			name: "a label names an identifier, and is a fact of what has a name",
			text: "Q42\tlabel\tDouglas Adams\nQ42\tknows\tMadonna\nMadonna\tlabel\tSire Records\n",
			want: []string{"Madonna | label | Sire Records", "Q42 = Douglas Adams", "Q42 | knows | Madonna"}, counts: [4]int64{2, 0, 0, 1},
		},
		{
			name: "semicolons and columns by name",
			text: "id;wer;tut;was;note\n1;Anna;liebt;Bernd;x\n2;Bernd;liebt;Anna;y\n",
			options: ingest.Options{Columns: ingest.Columns{
				Head: "wer", Relation: "tut", Tail: "was",
			}},
			want: []string{"Anna | liebt | Bernd", "Bernd | liebt | Anna"}, counts: [4]int64{2, 0, 0, 1},
		},
		{
			name: "columns by number", text: "likes,x,y\nlikes,y,z\n",
			options: ingest.Options{Columns: ingest.Columns{Head: "2", Relation: "1", Tail: "3"}},
			want:    []string{"x | likes | y", "y | likes | z"}, counts: [4]int64{2, 0, 0, 0},
		},
		{
			name: "ids tell names apart, and types",
			text: "head_id\thead\thead_type\trelation\ttail_id\ttail\ttail_type\n" +
				"q1\tKismet\tfilm|work\tyear\t\t1944\tyear\nq2\tKismet\tfilm\tyear\t\t1955\tyear\n",
			want:   []string{"1944 : year", "1955 : year", "q1 = Kismet : film : work", "q1 | year | 1944", "q2 = Kismet : film", "q2 | year | 1955"},
			counts: [4]int64{2, 0, 0, 1},
		},
		{
			name: "types, other names and labels by relation",
			text: "NL\tis a\tcountry\nNL\talso known as\tHolland\nNL\trdfs:label\tNetherlands\nNL\tcapital\tAmsterdam\n",
			want: []string{"NL = Netherlands aka Holland : country", "NL | capital | Amsterdam", "NL | is a | country"}, counts: [4]int64{2, 0, 0, 2},
		},
		{
			name: "duplicates and bad lines",
			text: "a|r|b\na|r|b\na|r\n|r|b\na||b\na|r|\na|r|b|c\n\xffa|r|b\na\x00|r|b\n \n",
			want: []string{"a | r | b"}, counts: [4]int64{1, 1, 7, 1},
		},
		{
			name: "a relation in the first column",
			text: func() string {
				var b strings.Builder
				for i := range 20 {
					fmt.Fprintf(&b, "likes\tp%d\tp%d\n", i, (i+1)%20)
				}
				return b.String()
			}(),
			want: func() (want []string) {
				for i := range 20 {
					want = append(want, fmt.Sprintf("p%d | likes | p%d", i, (i+1)%20))
				}
				slices.Sort(want)
				return want
			}(),
			counts: [4]int64{20, 0, 0, 0},
		},
		{
			name: "IRIs get names", text: "http://x.org/Paul_Boateng\thttp://x.org/successorOf\thttp://x.org/D%C3%BCrer\n",
			want: []string{
				"http://x.org/D%C3%BCrer = Dürer", "http://x.org/Paul_Boateng = Paul Boateng",
				"http://x.org/Paul_Boateng | http://x.org/successorOf | http://x.org/D%C3%BCrer",
			},
			counts: [4]int64{1, 0, 0, 0},
		},
		{
			name: "Latin-1", text: "Caf\xe9|in|Paris\n", options: ingest.Options{Encoding: "latin1"},
			want: []string{"Café | in | Paris"}, counts: [4]int64{1, 0, 0, 0},
		},
		{
			name: "UTF-16 with a mark", text: "\xff\xfea\x00|\x00r\x00|\x00\xe9\x00\n\x00",
			want: []string{"a | r | é"}, counts: [4]int64{1, 0, 0, 0},
		},
		{
			name: "a long line", text: "a|r|b\nx|r|" + strings.Repeat("y", 300) + "\nc|r|d\n", options: ingest.Options{MaxLine: 100},
			want: []string{"a | r | b", "c | r | d"}, counts: [4]int64{2, 0, 1, 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := store(t)
			for range 2 {
				r, err := stream(t, st, "x", tt.text, tt.options)
				if err != nil {
					t.Fatalf("Stream: %v", err)
				}
				if diff := cmp.Diff(tt.want, facts(graph(t, st))); diff != "" {
					t.Errorf("facts (-want +got):\n%s", diff)
				}
				if got := [4]int64{r.Added, r.Duplicate, r.Rejected, r.Skipped}; got != tt.counts {
					t.Errorf("counts = %v, want %v", got, tt.counts)
				}
				// The same again adds nothing.
				tt.counts[1] += tt.counts[0]
				tt.counts[0] = 0
			}
		})
	}
}

func TestImportNTriples(t *testing.T) {
	const text = `# a comment
<http://x/a> <http://x/knows> <http://x/b> . # another

<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "Anne"@fr .
<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "Ann"@en-GB .
<http://x/a> <http://www.w3.org/2004/02/skos/core#prefLabel> "Anna"@en .
<http://x/a> <http://www.w3.org/2004/02/skos/core#altLabel> "Annie" .
<http://x/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/NaturalPerson> .
<http://x/a> <http://www.w3.org/2000/01/rdf-schema#comment> "Somebody." .
<http://x/knows> <http://www.w3.org/2000/01/rdf-schema#label> "is acquainted with"@en .
<http://x/a> <http://x/born> "1970-01-01"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://x/a> <http://x/motto> "caf\u00E9 \"x\"\n"@FR .
_:n <http://x/knows> <http://x/a> .
<http://x/a> <http://x/bad> "not closed .
<relative> <http://x/knows> <http://x/a> .
`
	st := store(t)
	r, err := stream(t, st, "x.nt", text, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := [6]int64{r.Read, r.Added, r.Duplicate, r.Rejected, r.Skipped, r.Named}; got != [6]int64{15, 5, 0, 2, 8, 6} {
		t.Errorf("counts = %v: %v", got, r)
	}
	g := graph(t, st)
	if got := g.RelationText(0); got != "is acquainted with" {
		t.Errorf("RelationText(0) = %q", got)
	}
	var blank string
	for e := range kg.EntityID(g.Entities()) {
		if strings.HasPrefix(g.Key(e), "_:") {
			blank = g.Key(e)
		}
	}
	want := []string{
		`"1970-01-01"^^<http://www.w3.org/2001/XMLSchema#date> = 1970-01-01 literal`,
		"\"café \"x\"\n\"@fr = café \"x\"\n literal",
		blank + " = _:n",
		blank + " | http://x/knows | http://x/a",
		"http://x/NaturalPerson = NaturalPerson",
		"http://x/a = Anna aka Anne, Ann, Annie : natural person",
		`http://x/a | http://www.w3.org/1999/02/22-rdf-syntax-ns#type | http://x/NaturalPerson`,
		`http://x/a | http://x/born | "1970-01-01"^^<http://www.w3.org/2001/XMLSchema#date>`,
		"http://x/a | http://x/knows | http://x/b",
		"http://x/a | http://x/motto | \"café \"x\"\n\"@fr",
		"http://x/b = b",
		"http://x/knows = is acquainted with",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, facts(g)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	a, err := st.Entities(t.Context(), 0, 1)
	if err != nil || a[0].Description != "Somebody." || a[0].Language != "en" {
		t.Errorf("Entities(0, 1) = %+v, %v", a, err)
	}
}

func TestNQuadsKeepTheirGraphs(t *testing.T) {
	st := store(t)
	text := "<http://x/a> <http://x/r> <http://x/b> <http://x/g1> .\n<http://x/a> <http://x/r> <http://x/b> <http://x/g2> .\n<http://x/a> <http://x/r> <http://x/b> .\n"
	r, err := stream(t, st, "x.nq", text, ingest.Options{})
	if err != nil || r.Added != 1 || r.Duplicate != 2 || !r.Format.Quads {
		t.Fatalf("Stream = %v, %v", r, err)
	}
	var got []string
	for _, p := range provenance(t, st, 0) {
		got = append(got, fmt.Sprintf("%s %s:%d", p.Source, filepath.Base(p.File), p.Line))
	}
	want := []string{"http://x/g1 x.nq:1", "http://x/g2 x.nq:2", "x.nq x.nq:3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Provenance(0) (-want +got):\n%s", diff)
	}
}

func TestCancelIsQuick(t *testing.T) {
	st := store(t)
	text := lots(100_000)
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	ev := &ingest.Events{Progress: func(done, total int64) {
		if cancelled.IsZero() && done > total/2 {
			cancelled = time.Now()
			cancel()
		}
	}}
	r, err := ingest.Stream(ctx, st, "x", strings.NewReader(text), int64(len(text)), ingest.Options{BatchSize: 30_000}, ev)
	took := time.Since(cancelled)
	if !errors.Is(err, context.Canceled) || r.Check() != nil {
		t.Fatalf("Stream = %v, %v", r, err)
	}
	// The promise is 100 ms; a machine that is busy with other tests gets more.
	if t.Logf("the cancel took %v", took); took > time.Second {
		t.Errorf("the cancel took %v", took)
	}
	if got := graph(t, st).Triples(); int64(got) != r.Added {
		t.Errorf("%d triples are in, the report says %d", got, r.Added)
	}
}

func TestLanguagePreference(t *testing.T) {
	text := func(labels ...string) string {
		var b strings.Builder
		for _, l := range labels {
			b.WriteString("<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> " + l + " .\n")
		}
		return b.String()
	}
	tests := []struct {
		languages []string
		text      string
		want      string
	}{
		{nil, text(`"A"@de`, `"B"@en`, `"C"`), "B"},
		{nil, text(`"A"@de`, `"C"`), "C"},
		{nil, text(`"A"@de`, `"D"@fr`), "A"},
		{nil, text(`"G"@en-GB`, `"E"@EN`), "E"},
		{[]string{"fr", "de"}, text(`"A"@de`, `"B"@en`, `"C"`), "A"},
		{[]string{"fr", "de"}, text(`"A"@de`, `"F"@fr-CA`), "F"},
	}
	for _, tt := range tests {
		st := store(t)
		if _, err := stream(t, st, "x", tt.text, ingest.Options{Languages: tt.languages}); err != nil {
			t.Fatal(err)
		}
		if got := graph(t, st).Label(0); got != tt.want {
			t.Errorf("label with %v of %s= %q, want %q", tt.languages, tt.text, got, tt.want)
		}
	}
}

func TestLabelsFile(t *testing.T) {
	dir := t.TempDir()
	triples, names := filepath.Join(dir, "kg.txt"), filepath.Join(dir, "names.txt")
	write(t, triples, "/m/1\t/film/film/genre\t/m/2\n")
	write(t, names, "/m/1\tKismet\n/m/2\tDrama\n/m/3\tNobody\n/film/film/genre\tgenre\nbad\n")
	want := []string{"/m/1 = Kismet", "/m/1 | /film/film/genre | /m/2", "/m/2 = Drama"}
	for _, together := range []bool{true, false} {
		st := store(t)
		o := ingest.Options{}
		if together {
			o.Labels = names
		}
		r, err := ingest.File(t.Context(), st, triples, o, nil)
		if err == nil && !together {
			var second ingest.Report
			second, err = ingest.File(t.Context(), st, names, o, nil) // two columns of known keys
			r = r.Plus(second)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := [5]int64{r.Added, r.Rejected, r.Skipped, r.Named, r.Unknown}; got != [5]int64{1, 1, 4, 3, 1} || r.Check() != nil {
			t.Errorf("counts = %v, %v", got, r.Check())
		}
		g := graph(t, st)
		if diff := cmp.Diff(want, facts(g)); diff != "" {
			t.Errorf("facts (-want +got):\n%s", diff)
		}
		if got := g.RelationText(0); got != "genre" {
			t.Errorf("RelationText(0) = %q", got)
		}
	}
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func zip(tb testing.TB, text string) string {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestGzipByContent(t *testing.T) {
	st := store(t)
	r, err := stream(t, st, "no-extension", zip(t, "a|r|b\n"), ingest.Options{})
	if err != nil || r.Added != 1 || r.Format.Packed != "gzip" {
		t.Errorf("Stream = %+v, %v", r, err)
	}
	whole := zip(t, strings.Repeat("a|r|b\n", 1)+lots(5000))
	_, err = stream(t, st, "cut", whole[:len(whole)/2], ingest.Options{})
	if !errors.Is(err, ingest.ErrCut) {
		t.Errorf("cut short: %v, want ErrCut", err)
	}
}

// lots returns n different lines of triples.
func lots(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "entity %d|relation %d|entity %d\n", i*7919%n, i%7, i)
	}
	return b.String()
}

func TestProvenanceOfEveryPlace(t *testing.T) {
	st := store(t)
	text := "head,relation,tail,source\na,r,b,PubMed 1\na,r,b,PubMed 2\na,r,b,\n"
	if _, err := stream(t, st, "one.csv", text, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream(t, st, "two.txt", "x|y|z\na|r|b\n", ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream(t, st, "one-again.csv", text, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	places, err := st.Provenance(t.Context(), 0)
	var got []string
	for _, p := range places {
		got = append(got, fmt.Sprintf("%s %s:%d", p.Source, filepath.Base(p.File), p.Line))
	}
	if !filepath.IsAbs(places[0].File) { // the graph may be opened from another folder
		t.Errorf("the file is kept as %q, want an absolute path", places[0].File)
	}
	want := []string{"PubMed 1 one.csv:2", "PubMed 2 one.csv:3", "one.csv one.csv:4", "two.txt two.txt:2"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Provenance(0) (-want +got):\n%s%v", diff, err)
	}
	if sources, err := st.Sources(t.Context()); err != nil || len(sources) != 2 {
		t.Errorf("Sources = %+v, %v", sources, err)
	}
}

func TestRejectsFile(t *testing.T) {
	dir := t.TempDir()
	st := open(t, filepath.Join(dir, "g.cairn"))
	path := filepath.Join(dir, "g.rejects.tsv")
	bad := "a|r|b\nc|r\td\n" + strings.Repeat("x", 1000) + "\n"
	for range 2 {
		r, err := stream(t, st, "bad.txt", bad, ingest.Options{})
		if err != nil || r.RejectsFile != path || len(r.Rejects) != 2 || r.Rejects[0].Line != 2 {
			t.Fatalf("Stream = %+v, %v", r, err)
		}
	}
	if _, err := stream(t, st, "bad2.txt", "a|r|b\nq\n", ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := "file\tline\treason\ttext\n" +
		"bad.txt\t2\tit has 2 columns, not 3\tc|r d\n" +
		"bad.txt\t3\tit has 1 column, not 3\t" + strings.Repeat("x", 200) + "…\n" +
		"bad2.txt\t2\tit has 1 column, not 3\tq\n"
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("rejects (-want +got):\n%s%v", diff, err)
	}
	// Its lines are the graph's content: who may not read that may not read them.
	if err := os.Chmod(st.Path(), 0o600); err != nil || runtime.GOOS == "windows" {
		t.Skipf("Windows has no such permissions: %v", err)
	}
	if _, err := stream(t, st, "bad3.txt", "a|r|b\nq\n", ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the rejects of a private graph have mode %v, %v", info.Mode(), err)
	}
}

// TestRejectsFileOfSomebodyElse leaves a file alone that only has the name of the
// rejects file, and one that is being imported.
func TestRejectsFileOfSomebodyElse(t *testing.T) {
	dir := t.TempDir()
	st := open(t, filepath.Join(dir, "g.cairn"))
	path := filepath.Join(dir, "g.rejects.tsv")
	for _, text := range []string{
		"my notes\non what was rejected\n",
		"x",
		"file\tline\treason\ttext\n" + path + "\t1\tb\tc\nd\te\tf\tg\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(text, "file") {
			_, _ = ingest.File(t.Context(), st, path, ingest.Options{Columns: ingest.Columns{Head: "1", Relation: "2", Tail: "5"}}, nil)
		} else if r, err := stream(t, st, "bad.txt", "a|r|b\nc\n", ingest.Options{}); err != nil || r.RejectsFile != "" || !strings.Contains(strings.Join(r.Format.Notes, " "), "is another file") {
			t.Errorf("with %q there: %+v, %v", text, r, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	tests := []struct {
		name, text string
		kind       error
		say        string
	}{
		{"empty", "", ingest.ErrEmpty, "empty"},
		{"blank", " \n\n", ingest.ErrEmpty, "empty"},
		{"a program", "\x7fELF\x00\x01\x02", ingest.ErrBinary, "program"},
		{"a broken archive", "PK\x03\x04....", ingest.ErrCut, "damaged"},
		{"noise", "\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x10", ingest.ErrBinary, "not a text file"},
		{"one column", "hello\nworld\n", ingest.ErrFormat, "give the delimiter"},
		{"two columns", "hello\tworld\n", ingest.ErrFormat, "labels"},
		{"many columns", "France,Paris,67,550,FR\nSpain,Madrid,48,505,ES\n", ingest.ErrFormat, "which column is head"},
		{"a header", "head,relation,tail\n", ingest.ErrEmpty, "only a header"},
		{"broken statements", "<http://a> <http://b> \"x\" .\nnonsense here\nnor this\n", ingest.ErrFormat, "begins like N-Triples"},
		{"xml", "<?xml version=\"1.0\"?><rdf:RDF/>", ingest.ErrFormat, "RDF/XML"},
		{"json", "[{\"a\": 1}]", ingest.ErrFormat, "JSON"},
		{"a table", func() string {
			var b strings.Builder
			for i := range 60 {
				fmt.Fprintf(&b, "country %d,capital %d,%d\n", i, i, i*1000)
			}
			return b.String()
		}(), ingest.ErrFormat, "does not look like relations"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			st := open(t, filepath.Join(dir, "g.cairn"))
			path := filepath.Join(dir, "file")
			write(t, path, tt.text)
			r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.say) || !strings.Contains(err.Error(), path) || r.Check() != nil {
				t.Errorf("File = %v, want %v that says %q", err, tt.kind, tt.say)
			}
			if sources, err := st.Sources(t.Context()); err != nil || len(sources) != 0 {
				t.Errorf("Sources = %v, %v, want none", sources, err)
			}
		})
	}
	if _, err := ingest.File(t.Context(), store(t), filepath.Join(t.TempDir(), "missing"), ingest.Options{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestLineOfTenMegabytes(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for name, text := range map[string]string{
		"rows":      "a|r|b\n" + long + "\nc|r|d\n",
		"csv":       "a,r,b\n\"" + long + "\nc,r,d\n",
		"n-triples": "<x:a> <x:r> <x:b> .\n<x:a> <x:r> \"" + long + "\" .\n<x:c> <x:r> <x:d> .\n",
	} {
		st := store(t)
		r, err := stream(t, st, name, text, ingest.Options{})
		if err != nil || r.Added != 2 || r.Rejected != 1 || len(r.Rejects[0].Text) > 2*ingest.MaxRejectText || !strings.Contains(r.Rejects[0].Reason, "limit") {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, err := stream(t, store(t), "one line", long, ingest.Options{}); !errors.Is(err, ingest.ErrFormat) || len(err.Error()) > 1000 {
		t.Errorf("nothing but a long line: %v", err)
	}
}

func TestRejectLimits(t *testing.T) {
	text := "a|r|b\nbad\nc|r|d\nbad\nbad\n"
	for _, o := range []ingest.Options{{Strict: true}, {MaxRejects: 2}} {
		if _, err := stream(t, store(t), "x", text, o); !errors.Is(err, ingest.ErrRejects) {
			t.Errorf("Stream(%+v): %v, want ErrRejects", o, err)
		}
	}
	if _, err := stream(t, store(t), "x", text, ingest.Options{MaxRejects: 4}); err != nil {
		t.Errorf("Stream with a limit of 4: %v", err)
	}
	if _, err := stream(t, store(t), "x", "|b|c\na||c\n", ingest.Options{Columns: ingest.Columns{Head: "1", Relation: "2", Tail: "3"}}); !errors.Is(err, ingest.ErrFormat) {
		t.Errorf("all bad: %v, want ErrFormat", err)
	}
}

func TestCancelKeepsTheLastBatch(t *testing.T) {
	st := store(t)
	text := lots(20000)
	ctx, cancel := context.WithCancel(t.Context())
	ev := &ingest.Events{Progress: func(done, _ int64) {
		if done > 0 {
			cancel()
		}
	}}
	// Cancelled at the first report: nothing is committed.
	r, err := ingest.Stream(ctx, st, "x", strings.NewReader(text), int64(len(text)), ingest.Options{BatchSize: 1000}, ev)
	if !errors.Is(err, context.Canceled) || r.Check() != nil {
		t.Fatalf("Stream = %v, %v", r, err)
	}
	if got := graph(t, st).Triples(); int64(got) != r.Added {
		t.Errorf("%d triples are in, the report says %d", got, r.Added)
	}
	// Again, to the end: the same graph as in one go.
	r2, err := stream(t, st, "x", text, ingest.Options{BatchSize: 1000})
	if err != nil || r.Added+r2.Added != 20000 {
		t.Fatalf("Stream = %v, %v", r2, err)
	}
	other := store(t)
	if _, err := stream(t, other, "x", text, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facts(graph(t, other)), facts(graph(t, st))); diff != "" {
		t.Errorf("after a cancel (-whole +resumed):\n%s", diff)
	}
}

// TestEventsOfALargeImport follows what a large import does before and after it
// reads its file.
func TestEventsOfALargeImport(t *testing.T) {
	st, err := kg.OpenStore(t.Context(), filepath.Join(t.TempDir(), "x.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	st.SetLargeImport(100)
	defer st.Close()
	var told []string
	note := func(what string) func(done, total int64) {
		return func(done, total int64) {
			if done < 0 || done > total {
				t.Errorf("%s: %d of %d", what, done, total)
			}
			if done == total {
				what += ", to its end"
			}
			if len(told) == 0 || told[len(told)-1] != what {
				told = append(told, what)
			}
		}
	}
	for i := range 2 {
		told = nil
		ev := &ingest.Events{Load: note("load"), Progress: func(int64, int64) { told = nil }, Settle: note("settle")}
		text := lots(20_000) + fmt.Sprintf("one more|r|%d\n", i)
		if i == 1 {
			ev.Progress = nil
		}
		if _, err := ingest.Stream(t.Context(), st, "x", strings.NewReader(text), int64(len(text)), ingest.Options{}, ev); err != nil {
			t.Fatal(err)
		}
		want := [][]string{{"settle", "settle, to its end"}, {"load", "load, to its end"}}[i]
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("import %d (-want +told):\n%s", i, diff)
		}
	}
}

func TestRealFiles(t *testing.T) {
	tests := []struct {
		file   string
		labels string
		want   [3]int // triples, entities, relations
	}{
		{"metaqa/kb.txt", "", [3]int{133582, 43234, 9}},
		{"small-kgs/umls/train.txt", "", [3]int{5216, 135, 46}},
		{"small-kgs/nations/train.txt", "", [3]int{1619, 14, 56}},
		{"worldcup2014/kb.txt", "", [3]int{6482, 0, 0}},
		{"webqsp-cwq/freebase_subset.tsv", "", [3]int{13650, 0, 0}},
		{"pathquestion/2H-kb.txt", "", [3]int{0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			path := shared.Data(t, tt.file)
			if testing.Short() {
				t.Skip("real files")
			}
			st := store(t)
			r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
			if err != nil || r.Check() != nil {
				t.Fatal(err, r.Check())
			}
			g := graph(t, st)
			t.Logf("%v; %d triples, %d entities, %d relations; %s; %v", r, g.Triples(), g.Entities(), g.Relations(), r.Format, r.Took)
			for i, got := range []int{g.Triples(), g.Entities(), g.Relations()} {
				if tt.want[i] != 0 && got != tt.want[i] {
					t.Errorf("%s = %d, want %d", []string{"triples", "entities", "relations"}[i], got, tt.want[i])
				}
			}
		})
	}
}

func TestFileThatChangesWhileItIsRead(t *testing.T) {
	dir := t.TempDir()
	st := open(t, filepath.Join(dir, "g.cairn"))
	path := filepath.Join(dir, "file.csv")
	write(t, path, lots(20_000))
	var once sync.Once
	ev := &ingest.Events{Progress: func(int64, int64) { once.Do(func() { write(t, path, lots(20_000)+lots(10)) }) }}
	r, err := ingest.File(t.Context(), st, path, ingest.Options{}, ev)
	if !errors.Is(err, ingest.ErrChanged) || r.Check() != nil {
		t.Fatalf("File = %+v, %v; want ErrChanged", r, err)
	}
	if got := graph(t, st).Triples(); int64(got) != r.Added {
		t.Errorf("%d triples are in, the report says %d", got, r.Added)
	}
	if r, err = ingest.File(t.Context(), st, path, ingest.Options{}, nil); err != nil {
		t.Errorf("once more: %+v, %v", r, err)
	}
}

func TestProseIsForAModel(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"notes.txt": "Vienna is a city.\nIt lies on the Danube.\n",
		"notes.md":  "| a | b | c |\n|---|---|---|\n| d | e | f |\n",
	} {
		path := filepath.Join(dir, name)
		write(t, path, text)
		if _, err := ingest.File(t.Context(), store(t), path, ingest.Options{}, nil); !errors.Is(err, ingest.ErrFormat) || !strings.Contains(err.Error(), "cairn extract") {
			t.Errorf("File(%s) = %v, want ErrFormat that says how to read prose", name, err)
		}
	}
}

package synth

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"
)

// small is a world that is made in no time.
func small(tb testing.TB) *World {
	tb.Helper()
	w, err := New(Options{Entities: 20_000, Edges: 86_000, Seed: 1})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// written returns a world as it is written, with its census.
func written(tb testing.TB, w *World) (zipped []byte, c *Census) {
	tb.Helper()
	var b bytes.Buffer
	c, err := w.WriteNTriples(tb.Context(), &b, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), c
}

func unzip(tb testing.TB, zipped []byte) string {
	tb.Helper()
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		tb.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// graph is what the text of a world says, read without this package's help.
type graph struct {
	lines   int
	labels  map[string]string
	types   map[string]string
	triples map[[3]string]bool
	out, in map[string]int
}

func read(tb testing.TB, text string) graph {
	tb.Helper()
	g := graph{labels: map[string]string{}, types: map[string]string{}, triples: map[[3]string]bool{}, out: map[string]int{}, in: map[string]int{}}
	for line := range strings.Lines(text) {
		g.lines++
		body, ok := strings.CutSuffix(line, " .\n")
		head, rest, ok1 := strings.Cut(body, " ")
		relation, tail, ok2 := strings.Cut(rest, " ")
		if !ok || !ok1 || !ok2 || head[0] != '<' || relation[0] != '<' {
			tb.Fatalf("line %d is no triple: %s", g.lines, line)
		}
		head, relation = strings.Trim(head, "<>"), strings.Trim(relation, "<>")
		switch {
		case strings.HasSuffix(relation, "#label"):
			label, _, _ := strings.Cut(tail[1:], `"@`)
			g.labels[head] = strings.ReplaceAll(label, `\"`, `"`)
		case strings.HasSuffix(relation, "#type"):
			g.types[head] = strings.Trim(tail, "<>")
		default:
			if tail[0] == '<' {
				tail = strings.Trim(tail, "<>")
			}
			k := [3]string{head, relation, tail}
			if g.triples[k] {
				tb.Errorf("line %d says what was said: %s", g.lines, line)
			}
			if head == tail {
				tb.Errorf("line %d is a loop: %s", g.lines, line)
			}
			g.triples[k] = true
			g.out[head]++
			g.in[tail]++
		}
	}
	return g
}

func TestCensusIsWhatIsWritten(t *testing.T) {
	w := small(t)
	zipped, c := written(t, w)
	g := read(t, unzip(t, zipped))
	literals, maxIn, maxOut := 0, 0, 0
	for key, n := range g.in {
		maxIn = max(maxIn, n)
		if key[0] == '"' {
			literals++
		}
	}
	for _, n := range g.out {
		maxOut = max(maxOut, n)
	}
	for _, check := range []struct {
		name      string
		got, want int
	}{
		{"Edges", c.Edges, 86_000},
		{"edges written", len(g.triples), 86_000},
		{"Lines", c.Lines, g.lines},
		{"Bytes", int(c.Bytes), len(zipped)},
		{"Literals", c.Literals, literals},
		{"Entities", c.Entities, len(g.types) + literals},
		{"subjects", w.Subjects(), len(g.types)},
		{"labels", len(g.labels), len(g.types) + 467},
		{"MaxIn", c.MaxIn, maxIn},
		{"MaxOut", c.MaxOut, maxOut},
		{"relations", len(c.Relations), 522},
		{"types", len(c.Types), 467},
	} {
		if check.got != check.want {
			t.Errorf("%s = %d, want %d", check.name, check.got, check.want)
		}
	}
	if c.Entities < 19_900 || c.Entities > 20_000 {
		t.Errorf("Entities = %d, want about 20000", c.Entities)
	}
	different := map[string]bool{}
	for key := range g.types {
		different[g.labels[key]] = true
	}
	if off := c.Labels - len(different); off < -60 || off > 60 {
		t.Errorf("Labels = %d, want about %d", c.Labels, len(different))
	}
	counts := map[string]int{}
	for k := range g.triples {
		counts[strings.TrimPrefix(k[1], ontology)]++
	}
	for _, r := range c.Relations {
		if counts[r.Name] != r.N {
			t.Errorf("relation %s: %d, want %d", r.Name, r.N, counts[r.Name])
		}
	}
}

func TestEntitiesSayWhatIsWritten(t *testing.T) {
	w := small(t)
	zipped, _ := written(t, w)
	g := read(t, unzip(t, zipped))
	for e := range w.Entities() {
		key := w.Key(e)
		if e >= w.Subjects() {
			if key[0] != '"' || w.Type(e) != "" {
				t.Fatalf("Key(%d) = %s, Type = %s, want a literal", e, key, w.Type(e))
			}
			continue
		}
		if label, ok := g.labels[key]; !ok || label != w.Label(e) {
			t.Fatalf("Label(%d) = %q, want %q", e, w.Label(e), label)
		}
		if g.types[key] != w.Type(e) {
			t.Fatalf("Type(%d) = %s, want %s", e, w.Type(e), g.types[key])
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	w := small(t)
	want, _ := written(t, w)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		if got, _ := written(t, w); !bytes.Equal(got, want) {
			t.Errorf("with %d processors the bytes are others", procs)
		}
	}
	o := w.Options()
	o.Seed++
	other, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := written(t, other); bytes.Equal(got, want) {
		t.Error("another seed has the same bytes")
	}
}

// TestBytesStay fails when the worlds of all seeds change, and with them every
// figure that was measured on one.
func TestBytesStay(t *testing.T) {
	zipped, _ := written(t, small(t))
	const want = 0xb307a2b711c3b864
	if got := textHash(unzip(t, zipped)); got != want {
		t.Errorf("hash of the text = %#x, want %#x", got, uint64(want))
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for name, o := range map[string]Options{
		"few entities":   {Entities: 100},
		"many entities":  {Entities: 1 << 40},
		"few edges":      {Entities: 10_000, Edges: 10},
		"many edges":     {Entities: 10_000, Edges: 1_000_000},
		"many types":     {Types: 10_000},
		"few types":      {Types: 3},
		"many relations": {Relations: 10_000},
		"few relations":  {Relations: 9},
		"negative":       {Entities: -5},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: New = %v, want ErrOptions", name, err)
		}
	}
}

func TestWorldsAtTheBounds(t *testing.T) {
	for _, o := range []Options{
		{Entities: minEntities},
		{Entities: minEntities, Edges: minEntities},
		{Entities: minEntities, Edges: 8 * minEntities, Types: 27, Relations: minRelations},
		{Entities: 5_000, Types: 700, Relations: 700},
	} {
		w, err := New(o)
		if err != nil {
			t.Errorf("New(%+v): %v", o, err)
			continue
		}
		zipped, c := written(t, w)
		if g := read(t, unzip(t, zipped)); c.Edges != w.Options().Edges || len(g.triples) != c.Edges {
			t.Errorf("%+v: %d edges", o, len(g.triples))
		}
	}
}

// TestCancelledWriting also fails where a goroutine is left behind: the bubble waits
// for all that end, and no other test's are in it.
func TestCancelledWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := small(t)
		_, err := w.WriteNTriples(ctx, io.Discard, func(int, int) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("WriteNTriples = %v, want Canceled", err)
		}
		if _, err := w.Queries(ctx, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("Queries = %v, want Canceled", err)
		}
	})
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWritingToAFullDisk(t *testing.T) {
	if _, err := small(t).WriteNTriples(t.Context(), full{}, nil); !errors.Is(err, errFull) {
		t.Errorf("WriteNTriples = %v, want %v", err, errFull)
	}
}

func TestProgressGoesUp(t *testing.T) {
	last, w := 0, small(t)
	_, err := w.WriteNTriples(t.Context(), io.Discard, func(done, total int) {
		if done < last || total != w.Subjects() {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil || last != w.Subjects() {
		t.Errorf("progress ends at %d of %d, %v", last, w.Subjects(), err)
	}
}

func TestLabelsAreOfSeveralScripts(t *testing.T) {
	w := small(t)
	scripts := map[string]*unicode.RangeTable{
		"Greek": unicode.Greek, "Cyrillic": unicode.Cyrillic, "Arabic": unicode.Arabic, "Han": unicode.Han, "Katakana": unicode.Katakana,
	}
	found := map[string]int{}
	accents, words, brackets := 0, 0, 0
	for e := range w.Subjects() {
		label := w.Label(e)
		if label != strings.TrimSpace(label) || strings.Contains(label, "  ") || label == "" {
			t.Fatalf("Label(%d) = %q has odd spaces", e, label)
		}
		words += len(strings.Fields(label))
		if strings.HasSuffix(label, ")") {
			brackets++
		}
		for name, table := range scripts {
			if strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(table, r) }) {
				found[name]++
			}
		}
		if strings.ContainsFunc(label, func(r rune) bool { return r >= 0xC0 && r < 0x250 }) {
			accents++
		}
	}
	for name := range scripts {
		if found[name] < w.Subjects()/500 {
			t.Errorf("%d of %d labels are %s", found[name], w.Subjects(), name)
		}
	}
	if mean := float64(words) / float64(w.Subjects()); mean < 2 || mean > 3 {
		t.Errorf("a label has %.2f words, want 2 to 3", mean)
	}
	if accents < w.Subjects()/20 || brackets < w.Subjects()/50 {
		t.Errorf("%d labels with accents, %d with brackets of %d", accents, brackets, w.Subjects())
	}
}

func TestLiteralsDiffer(t *testing.T) {
	w := small(t)
	seen := map[string]bool{}
	for e := w.Subjects(); e < w.Entities(); e++ {
		key := w.Key(e)
		if seen[key] {
			t.Fatalf("Key(%d) = %s is not the only one", e, key)
		}
		seen[key] = true
	}
	if got := string(appendLiteral(nil, dateLiteral, 28*1+4)); got != "2024-02-05" {
		t.Errorf("date 32 = %s, want 2024-02-05", got)
	}
}

func TestFewTypesAreTheCommonest(t *testing.T) {
	w, err := New(Options{Entities: 20_000, Types: 120})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, ty := range w.types {
		names = append(names, ty.name)
	}
	for _, want := range []string{"SoccerPlayer", "Settlement", "Film", "Country"} {
		if !slices.Contains(names, want) {
			t.Errorf("type %s is not among the 120 commonest", want)
		}
	}
}

package evidence_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/testing/golden"
)

// films is a small world, with matches for "who wrote films that share actors
// with Anastasia": two of three steps, one in which the last step is the first
// one's, and a triple that no match has.
func films() (evidence.Writer, []evidence.Candidate) {
	var b kg.Builder
	add := func(h, r, t string) kg.TripleID { return b.Add(h, r, t) }
	t := []kg.TripleID{
		add("Anastasia", "starred_actors", "Ingrid Bergman"),
		add("Spellbound", "starred_actors", "Ingrid Bergman"),
		add("Spellbound", "written_by", "Ben Hecht"),
		add("Anastasia", "starred_actors", "John Cusack"),
		add("Floundering", "starred_actors", "John Cusack"),
		add("Floundering", "written_by", "Peter McCarthy"),
		add("Notorious", "starred_actors", "Ingrid Bergman"),
		add("Notorious", "written_by", "Ben Hecht"),
		add("Ben Hecht", "knew", "Peter McCarthy"),
	}
	cs := []evidence.Candidate{
		{Edges: []kg.TripleID{t[2], t[1], t[0]}},
		{Edges: []kg.TripleID{t[5], t[4], t[3]}},
		{Edges: []kg.TripleID{t[7], t[6], kg.NoTriple, t[0]}},
	}
	w := evidence.Writer{
		Quote:  strings.TrimSpace,
		Starts: []kg.EntityID{b.Entity("Anastasia")}, Ends: []kg.EntityID{b.Entity("Ben Hecht"), b.Entity("Peter McCarthy")},
	}
	w.Graph = b.Graph()
	w.Pack, _ = evidence.NewPack(cs, 0)
	w.Pack.Triples = append(w.Pack.Triples, t[8])
	w.Say = func(id kg.TripleID) string {
		x := w.Graph.Triple(id)
		return fmt.Sprintf("%s %s %s.", w.Graph.Label(x.Head), w.Graph.RelationText(x.Relation), w.Graph.Label(x.Tail))
	}
	return w, cs
}

// all are the numbers of a pack.
func all(p evidence.Pack) []int {
	numbers := make([]int, len(p.Triples))
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

func TestWriterGolden(t *testing.T) {
	w, cs := films()
	var b strings.Builder
	for _, s := range evidence.Styles {
		fmt.Fprintf(&b, "=== %s\n%s\n", s, strings.Join(w.Write(s, all(w.Pack), cs), "\n"))
		fmt.Fprintf(&b, "=== %s, without T4 and T9\n%s\n", s, strings.Join(w.Write(s, []int{8, 7, 6, 5, 3, 2, 1}, cs), "\n"))
	}
	claim := w
	claim.Starts, claim.Ends = []kg.EntityID{w.Graph.Triple(w.Pack.Triples[2]).Head, w.Graph.Triple(w.Pack.Triples[0]).Tail}, nil
	fmt.Fprintf(&b, "=== paths, of a claim\n%s\n", strings.Join(claim.Write(evidence.Paths, []int{1, 2, 3}, cs[:1]), "\n"))
	golden.Compare(t, filepath.Join("testdata", "styles.txt"), b.String())
}

var (
	number = regexp.MustCompile(`\bT(\d+)\b`)
	hop    = regexp.MustCompile(` (→|←) (.*?) \[T(\d+)\] (→|←) `)
)

// TestWriterNumbersEveryTriple checks that each style shows exactly the triples
// that there is room for, and that the hops of paths are triples of the graph in
// their own direction.
func TestWriterNumbersEveryTriple(t *testing.T) {
	w, cs := films()
	for drop := range w.Pack.Triples {
		shown := slices.Delete(all(w.Pack), drop, drop+1)
		for _, s := range evidence.Styles {
			var got []int
			for _, line := range w.Write(s, shown, cs) {
				for _, m := range number.FindAllStringSubmatch(line, -1) {
					n, _ := strconv.Atoi(m[1])
					got = append(got, n)
				}
				if s == evidence.Paths {
					checkHops(t, w, line)
				}
			}
			slices.Sort(got)
			if s != evidence.Paths && !slices.Equal(got, shown) {
				t.Errorf("%s without T%d has the numbers %v, want %v", s, drop+1, got, shown)
			}
			if got = slices.Compact(got); !slices.Equal(got, shown) {
				t.Errorf("%s without T%d has the numbers %v, want %v", s, drop+1, got, shown)
			}
		}
	}
}

func checkHops(t *testing.T, w evidence.Writer, line string) {
	t.Helper()
	names := hop.Split(line, -1)
	for i, m := range hop.FindAllStringSubmatch(line, -1) {
		n, _ := strconv.Atoi(m[3])
		x := w.Graph.Triple(w.Pack.Triples[n-1])
		head, tail := names[i], names[i+1]
		if m[1] == "←" {
			head, tail = tail, head
		}
		if m[1] != m[4] || w.Graph.Label(x.Head) != head || w.Graph.Label(x.Tail) != tail || w.Graph.RelationText(x.Relation) != m[2] {
			t.Errorf("%q says %q %s %q, but T%d is %v", line, head, m[2], tail, n, x)
		}
	}
}

// TestWriterWritesAllRelationsOfAStep has two relations between two entities, and
// one the other way round, on a path that a retriever found.
func TestWriterWritesAllRelationsOfAStep(t *testing.T) {
	var b kg.Builder
	hops := [][]kg.TripleID{
		{b.Add("Rashomon", "directed_by", "Akira Kurosawa"), b.Add("Rashomon", "written_by", "Akira Kurosawa"), b.Add("Akira Kurosawa", "known_for", "Rashomon")},
		{b.Add("Rashomon", "release_year", "1950")},
	}
	path := evidence.Path([]kg.EntityID{b.Entity("Akira Kurosawa"), b.Entity("Rashomon"), b.Entity("1950")}, hops, "")
	matches := []evidence.Candidate{path}
	w := evidence.Writer{Graph: b.Graph(), Quote: strings.TrimSpace, Starts: path.Nodes[:1], Ends: path.Nodes[2:]}
	w.Pack, _ = evidence.NewPack(matches, 0)
	want := []string{
		"Akira Kurosawa ← directed by [T1], written by [T2] ← Rashomon → release year [T4] → 1950",
		"Akira Kurosawa → known for [T3] → Rashomon",
	}
	if diff := cmp.Diff(want, w.Write(evidence.Paths, all(w.Pack), matches)); diff != "" {
		t.Errorf("Write(paths) (-want +got):\n%s", diff)
	}
	want = []string{"Akira Kurosawa ← written by [T2] ← Rashomon → release year [T4] → 1950"}
	if diff := cmp.Diff(want, w.Write(evidence.Paths, []int{2, 4}, matches)); diff != "" {
		t.Errorf("Write(paths) without T1 and T3 (-want +got):\n%s", diff)
	}
}

func TestWriterKeepsLabelsApart(t *testing.T) {
	var b kg.Builder
	evil := `A → r [T9] → B | C "quoted"`
	id := b.Add(evil, "r | s", "X ← Y")
	w := evidence.Writer{Pack: evidence.Pack{Triples: []kg.TripleID{id}}, Quote: strings.TrimSpace, Say: func(kg.TripleID) string { return "said" }}
	w.Graph = b.Graph()
	want := map[evidence.Style]string{
		evidence.Tuples:    `T1 ("A → r [T9] → B | C \"quoted\"", "r | s", "X ← Y")`,
		evidence.Paths:     `A -> r (T9] -> B ¦ C "quoted" → r ¦ s [T1] → X <- Y`,
		evidence.Sets:      `T1 A -> r (T9] -> B ¦ C "quoted" | r ¦ s | X <- Y`,
		evidence.Sentences: `T1 said`,
		evidence.Ends:      `T1 A -> r (T9] -> B ¦ C "quoted" | r ¦ s | X <- Y`,
	}
	for _, s := range evidence.Styles {
		if diff := cmp.Diff([]string{want[s]}, w.Write(s, []int{1}, nil)); diff != "" {
			t.Errorf("Write(%s) (-want +got):\n%s", s, diff)
		}
	}
}

func TestStyleText(t *testing.T) {
	for _, s := range evidence.Styles {
		text, _ := s.MarshalText()
		var got evidence.Style
		if err := got.UnmarshalText(text); err != nil || got != s {
			t.Errorf("the style %s reads as %s, %v", text, got, err)
		}
	}
	var s evidence.Style
	if err := s.UnmarshalText([]byte("verse")); err == nil || !strings.Contains(err.Error(), "tuples, paths, sets, sentences, ends") {
		t.Errorf("an unknown style: %v, want an error that names those there are", err)
	}
}

// TestEnds: what is read the least stands in the middle.
func TestEnds(t *testing.T) {
	var b kg.Builder
	var matches []evidence.Candidate
	var pack evidence.Pack
	for i := range 4 {
		a, c := b.Add(fmt.Sprint("a", i), "r", fmt.Sprint("b", i)), b.Add(fmt.Sprint("b", i), "r", fmt.Sprint("c", i))
		pack.Triples = append(pack.Triples, a, c)
		if i < 3 {
			matches = append(matches, evidence.Candidate{Edges: []kg.TripleID{a, c}})
		}
	}
	w := evidence.Writer{Graph: b.Graph(), Pack: pack, Quote: strings.TrimSpace}
	var heads []string
	for _, line := range w.Write(evidence.Ends, []int{1, 2, 3, 4, 5, 6, 7, 8}, matches) {
		if strings.HasSuffix(line, ":") {
			heads = append(heads, line)
		}
	}
	if want := []string{"Match 1:", "Match 3:", "Further triples:", "Match 2:"}; !slices.Equal(heads, want) {
		t.Errorf("in the order %q; want %q", heads, want)
	}
}

package synth

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/lexicon"
)

func cut(tb testing.TB, w *World, n int) []Query {
	tb.Helper()
	qs, err := w.Queries(tb.Context(), n)
	if err != nil {
		tb.Fatal(err)
	}
	return qs
}

func TestQueriesAreTrueInTheGraph(t *testing.T) {
	w := small(t)
	zipped, _ := written(t, w)
	g := read(t, unzip(t, zipped))
	names := map[string]int{}
	for key := range g.types {
		names[g.labels[key]]++
	}
	forms := map[Shape]map[int]int{Chain: {}, Star: {}, Cycle: {}}
	for i, q := range cut(t, w, 400) {
		if q.ID != i || q.Hops != len(q.Edges) {
			t.Errorf("query %d: id %d, %d hops of %d edges", i, q.ID, q.Hops, len(q.Edges))
		}
		forms[q.Shape][q.Hops]++
		for _, e := range q.Edges {
			if !g.triples[[3]string{q.Nodes[e.From].Key, e.Relation, q.Nodes[e.To].Key}] {
				t.Errorf("query %d: the graph has no %s %s %s", i, q.Nodes[e.From].Key, e.Relation, q.Nodes[e.To].Key)
			}
			if e.Text == "" {
				t.Errorf("query %d: no words for %s", i, e.Relation)
			}
		}
		told := false
		for j, n := range q.Nodes {
			for _, o := range q.Nodes[:j] {
				if o.Key == n.Key {
					t.Errorf("query %d binds %s twice", i, n.Key)
				}
			}
			if n.Key[0] == '"' {
				continue
			}
			told = told || n.Known()
			if g.labels[n.Key] != n.Label {
				t.Errorf("query %d: label %q of %s, want %q", i, n.Label, n.Key, g.labels[n.Key])
			}
			if n.Known() && n.Twins != names[n.Label]-1 {
				t.Errorf("query %d: %q has %d twins, want %d", i, n.Label, n.Twins, names[n.Label]-1)
			}
			if n.Text != n.Label && names[n.Text] > 0 {
				t.Errorf("query %d: %q is said as %q, which is another's name", i, n.Label, n.Text)
			}
			if n.Known() && n.Type != "" || (n.Text != n.Label) != (len(n.Noise) > 0) && n.Known() {
				t.Errorf("query %d: node %+v", i, n)
			}
		}
		if !told {
			t.Errorf("query %d knows no entity: %+v", i, q)
		}
		checkShape(t, &q)
	}
	want := map[Shape]map[int]int{Chain: {1: 60, 2: 60, 3: 60}, Star: {2: 60, 3: 80}, Cycle: {3: 80}}
	if diff := cmp.Diff(want, forms); diff != "" {
		t.Errorf("shapes (-want +got):\n%s", diff)
	}
}

// checkShape checks that a pattern is of its shape, directions aside.
func checkShape(t *testing.T, q *Query) {
	t.Helper()
	degree := make([]int, len(q.Nodes))
	for _, e := range q.Edges {
		degree[e.From]++
		degree[e.To]++
	}
	slices.Sort(degree)
	want := map[Shape]map[int][]int{
		Chain: {1: {1, 1}, 2: {1, 1, 2}, 3: {1, 1, 2, 2}},
		Star:  {2: {1, 1, 2}, 3: {1, 1, 1, 3}},
		Cycle: {3: {2, 2, 2}},
	}[q.Shape][q.Hops]
	if !slices.Equal(degree, want) {
		t.Errorf("query %d, a %s of %d edges, has the degrees %v, want %v", q.ID, q.Shape, q.Hops, degree, want)
	}
}

func TestQueriesFollowFromTheSeed(t *testing.T) {
	w := small(t)
	few, many := cut(t, w, 30), cut(t, w, 60)
	if diff := cmp.Diff(many[:30], few); diff != "" {
		t.Errorf("the first of many are others than few (-many +few):\n%s", diff)
	}
}

func TestQueriesKnowSomeAndNotAll(t *testing.T) {
	known, hints, words, noise := map[int]int{}, 0, 0, map[string]int{}
	qs := cut(t, small(t), 500)
	for _, q := range qs {
		n := 0
		for _, node := range q.Nodes {
			if node.Known() {
				n++
			}
			if node.Type != "" {
				hints++
			}
			for _, what := range node.Noise {
				noise[what]++
			}
		}
		known[n]++
		for _, e := range q.Edges {
			if strings.Join(lexicon.RelationWords(e.Relation), " ") != e.Text {
				words++
			}
		}
	}
	for n := 1; n <= 4; n++ {
		if known[n] < 5 {
			t.Errorf("%d of 500 queries know %d nodes", known[n], n)
		}
	}
	for _, what := range []string{dropped, swapped, abbreviated, misspelt} {
		if noise[what] < 25 {
			t.Errorf("%d names are %s", noise[what], what)
		}
	}
	if hints < 100 || words < 300 {
		t.Errorf("%d type hints, %d relations in other words", hints, words)
	}
}

func TestNamesInOtherWordsKeepWhatSaysMost(t *testing.T) {
	p := newParaphraser(loadWords())
	for _, c := range []struct {
		label, telling string
	}{
		{"John Zelimar", "Zelimar"}, {"The Valoria of Night (film)", "Valoria"}, {"FC Brenostadt", "Brenostadt"}, {"1994 Marenga election", "Marenga"},
	} {
		for i := range 200 {
			s := newStream(1, 1, i)
			p.s = &s
			text, noise := p.name(c.label, false)
			if !slices.Contains(noise, misspelt) && !strings.Contains(text, c.telling) {
				t.Errorf("%q is said as %q (%v) without %s", c.label, text, noise, c.telling)
			}
			if len(noise) > 2 || text == "" {
				t.Errorf("%q is said as %q (%v)", c.label, text, noise)
			}
			alone, noise := p.name(c.label, true)
			if slices.Contains(noise, dropped) || slices.Contains(noise, abbreviated) {
				t.Errorf("%q is said as %q (%v) where it is all that is known", c.label, alone, noise)
			}
		}
	}
}

func TestRelationsInOtherWords(t *testing.T) {
	p := newParaphraser(loadWords())
	for name, want := range map[string]string{"birthPlace": "place of birth", "starring": "actor", "militaryRank": "rank of military", "topSpeed": "speed of top"} {
		said := map[string]bool{}
		for i := range 300 {
			s := newStream(1, 1, i)
			p.s = &s
			said[p.relation(name)] = true
		}
		if !said[want] {
			t.Errorf("%s is never called %q but %v", name, want, said)
		}
	}
	for i := range 300 {
		s := newStream(1, 1, i)
		p.s = &s
		if got := p.relation("militaryRank"); got == "rating" || got == "thought of" {
			t.Errorf("militaryRank is called %q", got)
		}
	}
}

func TestShortNamesAreSaid(t *testing.T) {
	p := newParaphraser(loadWords())
	for _, label := range []string{"Я", "王", "a", "IC 7", "(x)", "1969", "A B"} {
		for i := range 100 {
			s := newStream(2, 1, i)
			p.s = &s
			if text, _ := p.name(label, i%2 == 0); strings.TrimSpace(text) == "" {
				t.Fatalf("%q is said as nothing", label)
			}
		}
	}
}

func TestAnswered(t *testing.T) {
	q := Query{
		Nodes: []QueryNode{{Text: "J. Smith", Label: "John Smith"}, {Label: "Dover"}},
		Edges: []QueryEdge{{From: 0, To: 1, Relation: "r"}},
	}
	for _, c := range []struct {
		labels, relations []string
		want              bool
	}{
		{[]string{"John Smith", "Dover"}, []string{"r"}, true},
		{[]string{"John Smith", "Bath"}, []string{"r"}, true}, // also born there
		{[]string{"Jane Smith", "Dover"}, []string{"r"}, false},
		{[]string{"John Smith", "Dover"}, []string{"s"}, false},
	} {
		if got := q.Answered(c.labels, c.relations); got != c.want {
			t.Errorf("Answered(%v, %v) = %v, want %v", c.labels, c.relations, got, c.want)
		}
	}
}

func TestQueriesAreReadAsWritten(t *testing.T) {
	for _, q := range cut(t, small(t), 40) {
		b, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var back Query
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(q, back); diff != "" {
			t.Errorf("query %d (-written +read):\n%s", q.ID, diff)
		}
	}
}

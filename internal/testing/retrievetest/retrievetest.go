// Package retrievetest holds the tests that every method of retrieval passes, and
// methods that show what it takes to be one: Neighbours, Counts, which learns, and
// Relations, which reads questions.
package retrievetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
)

// Graph is a graph of films that a method can be trained on.
func Graph() *kg.Graph {
	var b kg.Builder
	for _, f := range [][3]string{
		{"Alien", "Ridley Scott", "1979"},
		{"Gladiator", "Ridley Scott", "2000"},
		{"Anora", "Sean Baker", "2024"},
		{"Tangerine", "Sean Baker", "2015"},
		{"Gigi", "Vincente Minnelli", "1958"},
		{"Brigadoon", "Vincente Minnelli", "1954"},
	} {
		b.Add(f[0], "directed_by", f[1])
		b.Add(f[0], "release_year", f[2])
	}
	b.Add("Tangerine", "written_by", "Sean Baker") // two triples join them
	b.Add("island", "remake_of", "island")         // joined to nothing else
	return b.Graph()
}

// World is a graph with the built-in embedder of its names.
func World(g *kg.Graph) retrieve.World {
	labels := func(yield func(string) bool) {
		for e := range kg.EntityID(g.Entities()) {
			if !yield(g.Label(e)) {
				return
			}
		}
	}
	words := embed.NewLexical(labels, lexicon.Builtin())
	return retrieve.World{Graph: g, Embed: func(context.Context, string) (embed.Embedder, error) { return words, nil }}
}

// withWeights is World for a method that has learned.
func withWeights(g *kg.Graph, weights []byte) retrieve.World {
	w := World(g)
	w.Weights = weights
	return w
}

// Run holds a method to its contract. One that is Trainable is trained first, with the
// settings, which may be nil.
func Run(t *testing.T, m retrieve.Method, settings json.RawMessage) {
	t.Helper()
	c := contract{method: m, graph: Graph()}
	w := World(c.graph)
	trainable, ok := m.(retrieve.Trainable)
	if ok != m.Info().Trained {
		t.Fatalf("Info.Trained is %t, and it can be trained: %t", m.Info().Trained, ok)
	}
	if ok {
		tc := trainContract{contract: c, method: trainable, asked: lessons(c.graph, settings)}
		w.Weights = tc.train(t, tc.asked)
		tc.weights = w.Weights
		tc.run(t)
	}
	var err error
	if c.by, err = m.Open(t.Context(), w); err != nil {
		t.Fatalf("Open: %v", err)
	}
	c.reader, ok = c.by.(retrieve.Reader)
	if i := m.Info(); ok != i.Reads || i.Reads && !i.Seeded {
		t.Fatalf("Info.Reads is %t, Info.Seeded %t, and it reads: %t", i.Reads, i.Seeded, ok)
	}
	t.Run("info", c.info)
	if c.reader != nil {
		t.Run("readings", c.readings)
	}
	t.Run("evidence is real and supports every answer", c.supported)
	t.Run("same question, same result, also at once", c.determined)
	t.Run("limits are kept and said", c.limited)
	t.Run("a deadline that is over is no error", c.late)
	t.Run("a cancelled context is one", c.cancelled)
	t.Run("a context cancelled under way", c.interrupted)
	t.Run("nothing to look for", c.nothing)
	t.Run("what is left out of the graph is not found", func(t *testing.T) {
		less := c
		less.graph = c.graph.Without(0, 2, kg.TripleID(c.graph.Triples()-1))
		if less.by, err = m.Open(t.Context(), withWeights(less.graph, w.Weights)); err != nil {
			t.Fatalf("Open: %v", err)
		}
		less.reader, _ = less.by.(retrieve.Reader)
		less.supported(t)
	})
	t.Run("small graphs", func(t *testing.T) {
		var empty, one kg.Builder
		one.Add("Alien", "directed_by", "Ridley Scott")
		for _, g := range []*kg.Graph{empty.Graph(), one.Graph()} {
			r, err := m.Open(t.Context(), withWeights(g, w.Weights))
			if errors.Is(err, retrieve.ErrModel) {
				continue // it was trained on another graph, and says so
			}
			if err != nil {
				t.Fatalf("Open on %d triples: %v", g.Triples(), err)
			}
			small := contract{method: m, graph: g, by: r}
			small.reader, _ = r.(retrieve.Reader)
			small.nothing(t)
			small.supported(t)
		}
	})
}

// contract is a method under test over one graph.
type contract struct {
	method retrieve.Method
	graph  *kg.Graph
	by     retrieve.Retriever
	reader retrieve.Reader // by, where it reads questions
}

// queries ask, for each triple, what its relation leads to from its head. A Reader is
// asked with its own readings.
func (c contract) queries(t *testing.T) []retrieve.Query {
	t.Helper()
	var out []retrieve.Query
	for i := range c.graph.Triples() {
		x := c.graph.Triple(kg.TripleID(i))
		name := c.graph.Label(x.Head)
		p := &pattern.Pattern{
			Nodes: []pattern.Node{{Text: name, Entities: []kg.EntityID{x.Head}}, {Text: "?x", Variable: true}},
			Edges: []pattern.Edge{{From: 0, To: 1, Fixed: []kg.RelationID{x.Relation}}}, Asked: 1,
		}
		q := retrieve.Query{
			Question: name + " " + c.graph.RelationText(x.Relation), Seeds: []kg.EntityID{x.Head}, Readings: []plan.Reading{{Pattern: p}},
			Mentions: []link.Mention{{End: len(name), Text: name, Candidates: []link.Candidate{{Entity: x.Head}}}},
		}
		if !slices.ContainsFunc(out, func(o retrieve.Query) bool { return o.Question == q.Question }) {
			if c.reader != nil {
				q.Readings = c.read(t, q)
			}
			out = append(out, q)
		}
	}
	return out
}

func (c contract) ask(t *testing.T, q retrieve.Query) evidence.Found {
	t.Helper()
	f, err := c.by.Retrieve(t.Context(), q)
	if err != nil {
		t.Fatalf("Retrieve(%q): %v", q.Question, err)
	}
	return f
}

func (c contract) info(t *testing.T) {
	i := c.method.Info()
	for what, text := range map[string]string{"ID": i.ID, "Title": i.Title, "Help": i.Help, "Who": i.Who, "Plan": i.Plan, "Retrieve": i.Retrieve, "Basis": i.Basis} {
		if text == "" {
			t.Errorf("Info has no %s", what)
		}
	}
	if i != c.method.Info() {
		t.Error("Info is not always the same")
	}
}

func (c contract) supported(t *testing.T) {
	t.Helper()
	answered := 0
	for _, q := range c.queries(t) {
		f := c.ask(t, q)
		answered += len(f.Answers)
		for _, x := range f.Candidates {
			c.real(t, q, x)
		}
		for i, a := range f.Answers {
			c.answer(t, q, f, i)
			if i > 0 && worse(f.Answers[i-1].Score, a.Score) {
				t.Errorf("%s: answer %d is better than the one before, or has another scale: %+v", q.Question, i, f.Answers)
			}
		}
	}
	if c.graph.Triples() > 1 && answered == 0 {
		t.Error("no question has an answer")
	}
}

// worse reports whether a score is worse than one that comes after it.
func worse(first, next evidence.Score) bool {
	if first.Scale != next.Scale {
		return true
	}
	switch first.Scale {
	case evidence.Distance:
		return first.Value > next.Value
	case evidence.Probability, evidence.Conditions:
		return first.Value < next.Value
	case evidence.NoScale:
	}
	return false
}

// answer checks that an answer is an entity or a value, that its score is on its
// scale, and that candidates support it which lead to it.
func (c contract) answer(t *testing.T, q retrieve.Query, f evidence.Found, i int) {
	t.Helper()
	a := f.Answers[i]
	isValue := a.Entity == kg.NoEntity
	if isValue != (a.Value != "") || !isValue && int(a.Entity) >= c.graph.Entities() {
		t.Fatalf("%s: the answer %+v is neither an entity nor a value", q.Question, a)
	}
	if v := a.Score.Value; v < 0 || a.Score.Scale == evidence.Probability && v > 1+1e-9 {
		t.Errorf("%s: the score %v is not on its scale", q.Question, a.Score)
	}
	if len(a.Supports) == 0 && f.Completeness == evidence.Exhaustive {
		t.Errorf("%s: nothing supports %q, and the search is said to be whole", q.Question, a.Label(c.graph))
	}
	if i < evidence.Explained && len(a.Supports) > 0 && (a.Explanation.Message == "" || math.Abs(a.Explanation.Value-a.Score.Value) > 1e-9) {
		t.Errorf("%s: the score %v of %q is explained as %+v", q.Question, a.Score, a.Label(c.graph), a.Explanation)
	}
	if !slices.IsSorted(a.Supports) {
		t.Errorf("%s: the supports %v are not the best first", q.Question, a.Supports)
	}
	for _, s := range a.Supports {
		if s < 0 || s >= len(f.Candidates) {
			t.Fatalf("%s: %q is supported by candidate %d of %d", q.Question, a.Label(c.graph), s, len(f.Candidates))
		}
		x := f.Candidates[s]
		leads := isValue
		if x.Hops == nil {
			leads = leads || x.Nodes[q.Pattern().Asked] == a.Entity
		} else {
			leads = leads || x.End() == a.Entity
		}
		if !leads {
			t.Errorf("%s: %+v does not lead to %q, which it supports", q.Question, x, a.Label(c.graph))
		}
	}
}

// real checks that a candidate is in the graph, joined as it says.
func (c contract) real(t *testing.T, q retrieve.Query, x evidence.Candidate) {
	t.Helper()
	for _, id := range x.Triples() {
		if int(id) >= c.graph.Triples() {
			t.Fatalf("%s: there is no triple %d", q.Question, id)
		}
		if c.graph.Off(id) {
			t.Errorf("%s: triple %d is left out of the graph, and found", q.Question, id)
		}
		if tr := c.graph.Triple(id); !slices.Contains(x.Nodes, tr.Head) || !slices.Contains(x.Nodes, tr.Tail) {
			t.Errorf("%s: triple %d joins what is not in the candidate %+v", q.Question, id, x)
		}
	}
	if x.Hops == nil {
		return
	}
	if len(x.Nodes) != len(x.Hops)+1 || !slices.Contains(q.Seeds, x.Nodes[0]) {
		t.Fatalf("%s: the path %+v does not lead from a seed", q.Question, x)
	}
	for i := range x.Hops {
		a, b := x.Nodes[i], x.Nodes[i+1]
		for _, id := range x.Hop(i) {
			if tr := c.graph.Triple(id); tr.Head != a && tr.Tail != a || tr.Head != b && tr.Tail != b {
				t.Errorf("%s: triple %d does not join hop %d of %+v", q.Question, id, i, x)
			}
		}
	}
}

// apartFromTime compares results but for how long they took.
var apartFromTime = cmpopts.IgnoreFields(evidence.Stats{}, "Duration", "LookUp")

func (c contract) determined(t *testing.T) {
	for _, q := range c.queries(t) {
		want := c.ask(t, q)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				got, err := c.by.Retrieve(t.Context(), q)
				if diff := cmp.Diff(want, got, apartFromTime); diff != "" || err != nil {
					t.Errorf("%s: asked again: %v (-want +got):\n%s", q.Question, err, diff)
				}
			})
		}
		all.Wait()
	}
}

func (c contract) limited(t *testing.T) {
	for _, q := range c.queries(t) {
		whole := c.ask(t, q)
		q.Limits = retrieve.Limits{Answers: 1, K: 1}
		cut := c.ask(t, q)
		if len(cut.Candidates) > len(whole.Candidates) {
			t.Errorf("%s: a limit brings more", q.Question)
		}
		if len(cut.Answers) < len(whole.Answers) && cut.Completeness == evidence.Exhaustive {
			t.Errorf("%s: %d of %d answers are said to be all", q.Question, len(cut.Answers), len(whole.Answers))
		}
	}
}

func (c contract) late(t *testing.T) {
	for _, q := range c.queries(t) {
		whole := c.ask(t, q)
		q.Limits.WallTime = time.Nanosecond
		if f := c.ask(t, q); f.Completeness == evidence.Exhaustive && len(f.Answers) != len(whole.Answers) {
			t.Errorf("%s: out of time with %d of %d answers, and said to be whole", q.Question, len(f.Answers), len(whole.Answers))
		}
	}
}

func (c contract) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range append(c.queries(t), retrieve.Query{}) {
		if _, err := c.by.Retrieve(ctx, q); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Retrieve with a cancelled context = %v", q.Question, err)
		}
	}
}

func (c contract) interrupted(t *testing.T) {
	for _, q := range c.queries(t) {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if _, err := c.by.Retrieve(ctx, q); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Retrieve with a context that is cancelled under way = %v", q.Question, err)
		}
		cancel()
		c.ask(t, q) // and it goes on serving others
	}
}

func (c contract) nothing(t *testing.T) {
	t.Helper()
	if f := c.ask(t, retrieve.Query{Question: "who is that?"}); len(f.Answers)+len(f.Candidates) > 0 {
		t.Errorf("nothing to look for, and found %+v", f)
	}
}

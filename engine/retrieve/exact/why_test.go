package exact

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/testing/naive"
	"cairn/internal/testing/testkg"
)

// fixedRandom is a random graph with a random pattern that asks for entities and leaves
// nothing open.
func fixedRandom(seed uint64) (*kg.Graph, *pattern.Pattern, bool) {
	g, p := testkg.Random(seed)
	p.Order = nil
	for i := range p.Nodes {
		p.Nodes[i].Distances = nil
	}
	for i := range p.Edges {
		if e := &p.Edges[i]; len(e.Fixed) == 0 && e.Relation != "" {
			e.Fixed, _ = testkg.Nearest(g, e.Relation)
			e.Fixed = e.Fixed[:1]
		}
	}
	return g, p, p.Task == pattern.Find && p.Asked >= 0 && p.Nodes[p.Asked].Variable
}

func queryOf(p *pattern.Pattern) retrieve.Query {
	return retrieve.Query{Readings: []plan.Reading{{Pattern: p}}}
}

// with returns a graph with further triples, and the same entities and relations.
func with(g *kg.Graph, more []evidence.Missing) *kg.Graph {
	var b kg.Builder
	for e := range kg.EntityID(g.Entities()) {
		b.SetLabel(b.Entity(g.Key(e)), g.Label(e))
	}
	for r := range kg.RelationID(g.Relations()) {
		b.Relation(g.RelationKey(r))
	}
	for i := range g.Triples() {
		t := g.Triple(kg.TripleID(i))
		b.Add(g.Key(t.Head), g.RelationKey(t.Relation), g.Key(t.Tail))
	}
	for _, m := range more {
		if m.Head == kg.NoEntity || m.Tail == kg.NoEntity {
			continue
		}
		b.Add(g.Key(m.Head), g.RelationKey(relationOf(g, m)), g.Key(m.Tail))
	}
	return b.Graph()
}

// relationOf is the relation of what is missing, or the first where any would do.
func relationOf(g *kg.Graph, m evidence.Missing) kg.RelationID {
	for r := range kg.RelationID(g.Relations()) {
		if g.RelationText(r) == m.Relation {
			return r
		}
	}
	return 0
}

// TestMissingTriplesMakeAnAnswer adds what WhyNot says is missing: what does not fail for
// another reason is then an answer.
func TestMissingTriplesMakeAnAnswer(t *testing.T) {
	made := 0
	for seed := range uint64(3000) {
		g, p, ok := fixedRandom(seed)
		if !ok || g.Relations() == 0 {
			continue
		}
		for i := range p.Nodes {
			p.Nodes[i].Entities = p.Nodes[i].Entities[:min(1, len(p.Nodes[i].Entities))]
		}
		for i := range p.Edges {
			p.Edges[i].Conditions = nil // a new triple says nothing beside
		}
		if contradicts(p) {
			continue
		}
		for e := range kg.EntityID(g.Entities()) {
			w, err := WhyNot(context.Background(), retrieve.World{Graph: g}, queryOf(p), e)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			there := func(m evidence.Missing) bool { // beside one that another edge takes
				_, ok := g.Find(kg.Triple{Head: m.Head, Relation: relationOf(g, m), Tail: m.Tail})
				return ok
			}
			if w.Named || w.Apart || len(w.Missing) == 0 || slices.ContainsFunc(w.Missing, func(m evidence.Missing) bool { return m.Head == kg.NoEntity || m.Tail == kg.NoEntity }) || slices.ContainsFunc(w.Missing, there) {
				continue
			}
			after := with(g, w.Missing)
			again, err := WhyNot(context.Background(), retrieve.World{Graph: after}, queryOf(p), e)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Missing) > 0 { // conditions that share something may need more than one by one
				if again, err = WhyNot(context.Background(), retrieve.World{Graph: with(after, again.Missing)}, queryOf(p), e); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range w.Missing {
				if again.Outcomes[m.Condition].Status != evidence.Met && !again.Apart {
					t.Errorf("seed %d: %s: %d still lacks %q with %+v", seed, pattern.Format(p), e, again.Conditions[m.Condition].Text, w.Missing)
				}
			}
			made++
		}
	}
	if made < 300 {
		t.Errorf("only %d entities were made answers", made)
	}
}

// contradicts reports whether what a pattern asks for may be there in no graph, or only
// where triples are there twice: one entity is two of its names, or edges lie side by side.
func contradicts(p *pattern.Pattern) bool {
	seen, joined := map[kg.EntityID]bool{}, map[[2]int]bool{}
	for _, e := range p.Named() {
		if seen[e] {
			return true
		}
		seen[e] = true
	}
	for _, e := range p.Edges {
		ends := [2]int{min(e.From, e.To), max(e.From, e.To)}
		if joined[ends] {
			return true
		}
		joined[ends] = true
	}
	return false
}

// TestWhyIsMinimal holds the sets of triples to what they claim, with the naive engine:
// an entity is an answer in the graph of one set alone, and not without a triple of it
// or without a triple that all share.
func TestWhyIsMinimal(t *testing.T) {
	checked := 0
	for seed := range uint64(1500) {
		g, p, ok := fixedRandom(seed)
		if !ok {
			continue
		}
		f, err := matcher{graph: g}.Retrieve(context.Background(), queryOf(p))
		if err != nil {
			t.Fatal(err)
		}
		if f.Completeness != evidence.Exhaustive {
			continue
		}
		x, err := matcher{graph: g}.question(context.Background(), queryOf(p))
		if err != nil {
			t.Fatal(err)
		}
		x.engine = func(*match.Query) match.Engine { return naive.Engine{Graph: g} }
		// holds reports whether the triples that may be used make e an answer.
		holds := func(e kg.EntityID, may func(kg.TripleID) bool) bool {
			part := x.part(x.hard, e)
			for i := range part.Edges {
				before := part.Edges[i].Keep
				part.Edges[i].Keep = func(o kg.TripleID) bool { return may(o) && (before == nil || before(o)) }
			}
			_, ok, err := x.best(context.Background(), part)
			if err != nil {
				t.Fatal(err)
			}
			return ok
		}
		for _, a := range f.Answers[:min(3, len(f.Answers))] {
			why, err := WhyIs(context.Background(), retrieve.World{Graph: g}, queryOf(p), a.Entity)
			if err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("seed %d: %s: %d", seed, pattern.Format(p), a.Entity)
			for _, set := range why.Sets {
				if !holds(a.Entity, func(o kg.TripleID) bool { return slices.Contains(set, o) }) {
					t.Errorf("%s is no answer by %v alone", where, set)
				}
				for _, less := range set {
					if holds(a.Entity, func(o kg.TripleID) bool { return o != less && slices.Contains(set, o) }) {
						t.Errorf("%s: %v is not minimal: it goes without %d", where, set, less)
					}
				}
			}
			for o := range kg.TripleID(g.Triples()) {
				if bears := !holds(a.Entity, func(other kg.TripleID) bool { return other != o }); bears != slices.Contains(why.Shared, o) {
					t.Errorf("%s: triple %d bears the load: %t, and shared are %v", where, o, bears, why.Shared)
				}
			}
			checked++
		}
	}
	if checked < 300 {
		t.Errorf("only %d answers were checked", checked)
	}
}

func TestWhyNotOfNothing(t *testing.T) {
	g := testkg.Build("Alien|directed_by|Ridley Scott")
	w := retrieve.World{Graph: g}
	if _, err := WhyNot(t.Context(), w, retrieve.Query{}, 0); !errors.Is(err, ErrNoConditions) {
		t.Errorf("WhyNot without a pattern = %v", err)
	}
	p := testkg.Pattern(g, "?|directed_by|Ridley Scott")
	if _, err := WhyNot(t.Context(), w, queryOf(p), 99); err == nil {
		t.Error("WhyNot of an entity that is not there is no error")
	}
	s, err := WhyNot(t.Context(), w, queryOf(p), testkg.Find(g, "Ridley Scott"))
	if err != nil || !s.Named || s.Meets() {
		t.Errorf("WhyNot of the question's own name = %+v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WhyNot(ctx, w, queryOf(p), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("WhyNot with a cancelled context = %v", err)
	}
}

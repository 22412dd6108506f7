package simgrag_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

// TestWeighAgreesWithEveryMatch weighs all matches of random patterns, and random
// bindings, most of which are none.
func TestWeighAgreesWithEveryMatch(t *testing.T) {
	matches, others := 0, 0
	for seed := range uint64(500) {
		g, p := testkg.Random(seed)
		p.Order = nil
		b := &brute{g: g, p: p}
		b.run()
		bindings := map[string]bool{}
		for _, m := range b.all {
			bindings[string(keyOf(m.nodes))] = true
			d, ok, err := simgrag.Weigh(t.Context(), g, p, nearest{g}, simgrag.Options{}, m.nodes)
			if err != nil || !ok || billionths(d) != m.distance {
				t.Fatalf("seed %d: Weigh(%v) = %v, %v, %v, want %d billionths", seed, m.nodes, d, ok, err, m.distance)
			}
			matches++
		}
		r := rand.New(rand.NewPCG(seed, 2))
		for range 20 {
			nodes := make([]kg.EntityID, len(p.Nodes))
			for i := range nodes {
				nodes[i] = kg.EntityID(r.IntN(g.Entities()))
				if len(b.all) > 0 && b.all[0].nodes[i] == kg.NoEntity {
					nodes[i] = kg.NoEntity
				}
			}
			if bindings[string(keyOf(nodes))] || !slices.ContainsFunc(nodes, func(e kg.EntityID) bool { return e != kg.NoEntity }) {
				continue
			}
			if len(b.all) == 0 && len(p.Edges) == 0 {
				continue // which nodes stay unbound cannot be told
			}
			d, ok, err := simgrag.Weigh(t.Context(), g, p, nearest{g}, simgrag.Options{}, nodes)
			if err != nil || ok {
				t.Fatalf("seed %d: Weigh(%v) = %v, %v, %v, want no match", seed, nodes, d, ok, err)
			}
			others++
		}
	}
	if matches < 500 || others < 1000 {
		t.Errorf("weighed %d matches and %d bindings that are none; the test has lost its point", matches, others)
	}
}

func keyOf(nodes []kg.EntityID) []byte {
	var key []byte
	for _, n := range nodes {
		key = append(key, byte(n), byte(n>>8))
	}
	return key
}

func TestWeighWrongly(t *testing.T) {
	g := testkg.Build("a|r|b")
	p := testkg.Pattern(g, "a|r|?x")
	for _, nodes := range [][]kg.EntityID{nil, {0}, {0, 1, 1}, {0, 7}, {0, kg.NoEntity}} {
		if _, _, err := simgrag.Weigh(t.Context(), g, p, nil, simgrag.Options{}, nodes); !errors.Is(err, simgrag.ErrPattern) {
			t.Errorf("Weigh(%v) = %v, want %v", nodes, err, simgrag.ErrPattern)
		}
	}
	if _, _, err := simgrag.Weigh(t.Context(), g, &pattern.Pattern{Asked: -1}, nil, simgrag.Options{}, nil); !errors.Is(err, simgrag.ErrPattern) {
		t.Errorf("Weigh of no pattern = %v, want %v", err, simgrag.ErrPattern)
	}
}

package gnnrag

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/nn"
)

// flowSource is what found the paths of a flow, for people.
const flowSource = "relation flow"

// explain returns the likeliest ways along the flow to the answers, those of the
// first answer first: at most perAnswer for each from each thing that the question
// names. A hop has the triples of all relations that are picked for it. The steps are
// said as which relations are picked, with their shares: "directed by, backwards
// (0.99)"; where the question names several things, with which of them they lead from.
func (m *flow) explain(t *nn.Tape, x *example, answers []scored, perAnswer int) explanation {
	rs := m.read(t, x, m.toAsk(t))
	s := m.streams()
	defer m.release(s)
	for _, r := range rs {
		s.run(r, toAsk)
	}
	counts, _ := s.counts(rs)
	out := explanation{cut: s.cut}
	var ways []*tracer
	for k, steps := range counts {
		ways = append(ways, &tracer{s: s, k: k, most: perAnswer, known: map[stop][]trail{}})
		for i := range steps {
			said := m.said(s.flows[k].picked[i])
			if len(rs) > 1 {
				said = fmt.Sprintf("from %s: %s", m.graph.Label(rs[k].seeds[0]), said)
			}
			out.steps = append(out.steps, said)
		}
	}
	for _, a := range answers {
		for k, w := range ways {
			out.paths = append(out.paths, w.to(a.Entity, counts[k])...)
		}
	}
	return out
}

// tracer finds ways back along flow k.
type tracer struct {
	s     *streams
	k     int // number of the flow
	most  int // ways to an entity
	known map[stop][]trail
}

// stop is an entity at a step.
type stop struct {
	entity kg.EntityID
	step   int
}

// trail is a path to a stop with the product of the picks along it.
type trail struct {
	score float64
	path  []kg.EntityID
}

// to returns the likeliest paths to an entity in so many steps.
func (w *tracer) to(e kg.EntityID, steps int) []evidence.Candidate {
	var out []evidence.Candidate
	for _, found := range w.ways(stop{e, steps}) {
		hops := make([][]kg.TripleID, steps)
		for i := range steps {
			hops[i] = w.hop(i, found.path[i], found.path[i+1])
		}
		out = append(out, evidence.Path(found.path, hops, flowSource))
	}
	return out
}

// reached reports whether anything flowed to a stop.
func (w *tracer) reached(at stop) bool {
	i := int(w.s.place[at.entity]) - 1
	by := w.s.flows[w.k].score[at.step]
	return i >= 0 && i < len(by) && by[i] > 0
}

// ways returns the likeliest ways to a stop, likeliest first; ties by the entities.
func (w *tracer) ways(at stop) []trail {
	if !w.reached(at) {
		return nil
	}
	if at.step == 0 {
		return []trail{{1, []kg.EntityID{at.entity}}}
	}
	if known, ok := w.known[at]; ok {
		return known
	}
	var out []trail
	before := w.before(at)
	for _, u := range slices.Sorted(maps.Keys(before)) {
		for _, v := range w.ways(stop{u, at.step - 1}) {
			out = append(out, trail{v.score * before[u], append(slices.Clone(v.path), at.entity)})
		}
	}
	slices.SortStableFunc(out, func(a, b trail) int {
		return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(a.path, b.path))
	})
	out = out[:min(len(out), w.most)]
	w.known[at] = out
	return out
}

// before are the entities from which something flowed to a stop, and by which share.
func (w *tracer) before(at stop) map[kg.EntityID]float64 {
	out := map[kg.EntityID]float64{}
	w.each(at.step-1, func(r kg.RelationID, inverse bool, share float64) {
		es := w.s.graph.InBy(at.entity, r)
		if inverse {
			es = w.s.graph.OutBy(at.entity, r)
		}
		for _, e := range es {
			if w.reached(stop{e.Entity, at.step - 1}) {
				out[e.Entity] += share
			}
		}
	})
	return out
}

// hop are the triples that carry step i+1 from u to v, ascending.
func (w *tracer) hop(i int, u, v kg.EntityID) []kg.TripleID {
	var out []kg.TripleID
	w.each(i, func(r kg.RelationID, inverse bool, _ float64) {
		t := kg.Triple{Head: u, Relation: r, Tail: v}
		if inverse {
			t.Head, t.Tail = v, u
		}
		if id, ok := w.s.graph.Find(t); ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	})
	slices.Sort(out)
	return out
}

// each calls do with the relations that carry step i+1.
func (w *tracer) each(i int, do func(r kg.RelationID, inverse bool, share float64)) {
	n := int32(w.s.graph.Relations())
	for _, p := range w.s.flows[w.k].picked[i] {
		do(kg.RelationID(p.relation%n), p.relation >= n, float64(p.carried))
	}
}

const (
	// saidAtLeast is the share that a relation is picked with at least to be named in
	// a step, and saidAtMost how many are.
	saidAtLeast = 0.1
	saidAtMost  = 3
)

// said names the relations that are picked most, of those that are there.
func (m *flow) said(picks []flowPick) string {
	var parts []string
	n := int32(m.graph.Relations())
	for rank, p := range picks[:min(len(picks), saidAtMost)] {
		if rank > 0 && p.carried < saidAtLeast {
			break
		}
		name := m.graph.RelationText(kg.RelationID(p.relation % n))
		if p.relation >= n {
			name += ", backwards"
		}
		parts = append(parts, fmt.Sprintf("%s (%.2f)", name, p.share))
	}
	return strings.Join(parts, " or ")
}

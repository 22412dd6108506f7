package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	bymodel "cairn/engine/plan/model"
)

// chainFinder brings the relation chains by which a question may be answered, the
// likeliest first; *bymodel.Planner is one.
type chainFinder interface {
	Chains(ctx context.Context, question string) ([]bymodel.Chain, error)
}

const (
	// chainWide is how many entities of one step a chain is followed from.
	chainWide = 2000
	// chainAnswers is how many answers of one chain count, and chainPaths how many
	// paths lead to each.
	chainAnswers, chainPaths = 200, 8
)

// augment unites what the network found with what relation chains of the model lead
// to (GNN-RAG §4.5): their paths come first, those of the network follow where they
// are new, and an answer of both keeps the higher score. It says what was brought.
//
// Differs from the paper in: a chain has a score. Those of one question share a
// probability of 1, the chain of rank r in proportion to 1/(r+1), and each chain's
// part is shared by its answers, as a network's is.
func (r *ranking) augment(ctx context.Context) (details []string, err error) {
	finder, ok := r.planner.(chainFinder)
	if !ok || r.model == nil || !r.opts.Augment && !r.state.opts.Model.Chains {
		return nil, nil
	}
	source := "relation chain of " + r.model.Name()
	chains, err := finder.Chains(ctx, r.run.Question)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		// What the network found stands.
		return []string{fmt.Sprintf("The model brought no relation chain: %s.", strings.TrimSuffix(err.Error(), "."))}, nil
	}
	var total float64
	for _, c := range chains {
		total += 1 / float64(c.Rank+1)
	}
	scores := map[kg.EntityID]float64{}
	var paths []evidence.Path
	for _, c := range chains {
		found := r.follow(c, source)
		var answers []kg.EntityID
		for _, p := range found {
			answers = append(answers, p.Answer())
		}
		answers = slices.Compact(answers)
		for _, e := range answers {
			share := 1 / float64(c.Rank+1) / total / float64(len(answers))
			scores[e] = max(scores[e], share)
		}
		paths = append(paths, found...)
		details = append(details, fmt.Sprintf("%s: %s leads to %s", source, r.chainText(c), plural(len(answers), "entity", "entities")))
	}
	unite(r.run.Ranking, paths, scores)
	if len(paths) > 0 {
		r.run.Ranking.Notes = append(r.run.Ranking.Notes, fmt.Sprintf("Added to what the network found: %s of %s. An answer of both keeps its higher score, so that all of them may add up to more than 1.", plural(len(chains), "relation chain", "relation chains"), r.model.Name()))
	}
	return details, nil
}

// chainText says a chain in words: "Tangerine → directed by → written by (backwards)".
func (r *ranking) chainText(c bymodel.Chain) string {
	said := []string{r.graph.Label(c.From)}
	for _, s := range c.Steps {
		text := r.graph.RelationText(s.Relation)
		if s.Inverse {
			text += " (backwards)"
		}
		said = append(said, text)
	}
	return strings.Join(said, " → ")
}

// unite adds paths, and the scores of what they lead to, to a ranking.
func unite(r *evidence.Ranking, first []evidence.Path, scores map[kg.EntityID]float64) {
	at := map[string]int{} // a path by its entities
	var paths []evidence.Path
	for _, p := range slices.Concat(first, r.Paths) {
		key := fmt.Sprint(p.Entities)
		i, known := at[key]
		if !known {
			at[key] = len(paths)
			paths = append(paths, p)
			continue
		}
		hops := slices.Clone(paths[i].Hops)
		for j := range hops {
			both := slices.Concat(hops[j], p.Hops[j])
			slices.Sort(both)
			hops[j] = slices.Compact(both)
		}
		paths[i].Hops = hops
	}
	r.Paths = paths
	r.Answers, r.Nodes = raised(r.Answers, scores), raised(r.Nodes, scores)
}

// raised are the scored entities and those of scores, each with its higher score,
// the most probable first; ties go by id.
func raised(list []evidence.Scored, scores map[kg.EntityID]float64) []evidence.Scored {
	out := slices.Clone(list)
	seen := make(map[kg.EntityID]bool, len(out))
	for i := range out {
		seen[out[i].Entity] = true
		out[i].Probability = max(out[i].Probability, scores[out[i].Entity])
	}
	for e, p := range scores {
		if !seen[e] {
			out = append(out, evidence.Scored{Entity: e, Probability: p})
		}
	}
	slices.SortFunc(out, evidence.ByProbability)
	return out
}

// follow returns the paths that a chain takes in the graph, by their answers,
// ascending. None goes straight back to where it came from (as MetaQA's questions
// do not), and none ends where the question began.
func (r *ranking) follow(c bymodel.Chain, source string) []evidence.Path {
	// before[i][e] are the entities from which step i leads to e, ascending.
	before := make([]map[kg.EntityID][]kg.EntityID, len(c.Steps))
	at := []kg.EntityID{c.From}
	for i, step := range c.Steps {
		before[i] = map[kg.EntityID][]kg.EntityID{}
		for _, e := range at {
			for _, next := range r.along(e, step) {
				before[i][next.Entity] = append(before[i][next.Entity], e)
			}
		}
		at = at[:0:0]
		for e, from := range before[i] {
			before[i][e] = slices.Compact(from)
			at = append(at, e)
		}
		slices.Sort(at)
		at = at[:min(len(at), chainWide)]
	}
	at = slices.DeleteFunc(at, func(e kg.EntityID) bool { return e == c.From || slices.Contains(r.seeds.Topics, e) })
	var paths []evidence.Path
	for _, answer := range at[:min(len(at), chainAnswers)] {
		b := backwards{ranking: r, chain: c, source: source, before: before, most: len(paths) + chainPaths, found: paths}
		b.from([]kg.EntityID{answer})
		paths = b.found
	}
	return paths
}

// along returns the edges of a step from an entity. A relation that says the same in
// both directions is walked either way.
func (r *ranking) along(e kg.EntityID, s bymodel.Step) []kg.Edge {
	var edges []kg.Edge
	symmetric := r.builtin.Symmetric(s.Relation)
	if !s.Inverse || symmetric {
		edges = append(edges, r.graph.OutBy(e, s.Relation)...)
	}
	if s.Inverse || symmetric {
		edges = append(edges, r.graph.InBy(e, s.Relation)...)
	}
	return edges
}

// backwards finds the ways of a chain to one answer, from the answer on.
type backwards struct {
	*ranking

	chain  bymodel.Chain
	source string
	before []map[kg.EntityID][]kg.EntityID
	most   int // paths in found
	found  []evidence.Path
}

// from goes on from a way, which begins with the answer.
func (b *backwards) from(way []kg.EntityID) {
	step := len(b.chain.Steps) - len(way)
	if step < 0 {
		b.found = append(b.found, b.path(way))
		return
	}
	for _, e := range b.before[step][way[len(way)-1]] {
		if len(b.found) == b.most {
			return
		}
		if n := len(way); n < 2 || way[n-2] != e {
			b.from(append(way[:n:n], e))
		}
	}
}

// path makes a path of a way.
func (b *backwards) path(way []kg.EntityID) evidence.Path {
	p := evidence.Path{Entities: slices.Clone(way), Source: b.source}
	slices.Reverse(p.Entities)
	for i, s := range b.chain.Steps {
		var hop []kg.TripleID
		for _, x := range b.along(p.Entities[i], s) {
			if x.Entity == p.Entities[i+1] {
				hop = append(hop, x.Triple)
			}
		}
		slices.Sort(hop)
		p.Hops = append(p.Hops, slices.Compact(hop))
	}
	return p
}

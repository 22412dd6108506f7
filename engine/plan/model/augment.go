package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/internal/wording"
)

const (
	// chainWide is how many entities of one step a chain is followed from.
	chainWide = 2000
	// chainAnswers is how many answers of one chain count, and chainPaths how many
	// paths lead to each.
	chainAnswers, chainPaths = 200, 8
)

// Augment unites what was found from seeds with what relation chains of the model lead
// to (GNN-RAG §4.5): their paths come first, those that were found follow where they
// are new, and an answer of both keeps the higher score. It says what was brought.
//
// It is for probabilities only: other evidence stays as it is.
//
// Differs from the paper in: a chain has a score. Those of one question share a
// probability of 1, the chain of rank r in proportion to 1/(r+1), and each chain's
// part is shared by its answers, as a network's is.
func (p *Planner) Augment(ctx context.Context, question string, mentions []link.Mention, seeds []kg.EntityID, f *evidence.Found) (details []string, err error) {
	if best, found := f.Best(); found && best.Scale != evidence.Probability {
		return nil, nil
	}
	chains, err := p.chainsOf(ctx, question, mentions)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // what was found stands
		return []string{fmt.Sprintf("The model gave no relation chain: %s.", strings.TrimSuffix(err.Error(), "."))}, nil
	}
	source := "relation chain of " + p.model.Name()
	var total float64
	for _, c := range chains {
		total += 1 / float64(c.Rank+1)
	}
	scores := map[kg.EntityID]float64{}
	var paths []evidence.Candidate
	for _, c := range chains {
		found := p.paths(c, source, seeds)
		answers := slices.Compact(wording.Each(found, evidence.Candidate.End))
		for _, e := range answers {
			share := 1 / float64(c.Rank+1) / total / float64(len(answers))
			scores[e] = max(scores[e], share)
		}
		paths = append(paths, found...)
		details = append(details, fmt.Sprintf("%s: %s leads to %s", source, p.chainText(c), wording.Count(len(answers), "entity", "entities")))
	}
	unite(f, paths, scores)
	if len(paths) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Added to the answers: %s from %s. Answers found both ways keep the higher score, so the scores may add up to more than 1.", wording.Count(len(chains), "relation chain", "relation chains"), p.model.Name()))
	}
	return details, nil
}

// chainText says a chain in words: "Tangerine → directed by → written by (backwards)".
func (p *Planner) chainText(c chain) string {
	said := []string{p.w.Graph.Label(c.From)}
	for _, s := range c.Steps {
		text := p.w.Graph.RelationText(s.Relation)
		if s.Inverse {
			text += " (backwards)"
		}
		said = append(said, text)
	}
	return strings.Join(said, " → ")
}

// unite adds paths, and the scores of what they lead to, to what was found.
func unite(f *evidence.Found, first []evidence.Candidate, scores map[kg.EntityID]float64) {
	at := map[string]int{} // a path by its entities
	var paths []evidence.Candidate
	for _, p := range slices.Concat(first, f.Candidates) {
		key := fmt.Sprint(p.Nodes)
		i, known := at[key]
		if !known {
			at[key] = len(paths)
			paths = append(paths, p)
			continue
		}
		hops := make([][]kg.TripleID, len(p.Hops))
		for j := range hops {
			hops[j] = slices.Concat(paths[i].Hop(j), p.Hop(j))
			hops[j] = kg.Distinct(hops[j])
		}
		paths[i] = evidence.Path(p.Nodes, hops, paths[i].Source)
	}
	f.Candidates = paths
	f.Answers, f.Weighed = raised(f.Answers, scores), raised(f.Weighed, scores)
	f.Support(evidence.Candidate.End)
}

// raised are the answers and those of scores, each with its higher probability, the
// most probable first; ties go by id.
func raised(list []evidence.Answer, scores map[kg.EntityID]float64) []evidence.Answer {
	out := slices.Clone(list)
	seen := make(map[kg.EntityID]bool, len(out))
	for i := range out {
		a := &out[i]
		seen[a.Entity] = true
		if p := scores[a.Entity]; p > a.Score.Value {
			a.Score.Value, a.Explanation = p, ofChain(p)
		}
	}
	for e, p := range scores {
		if !seen[e] {
			out = append(out, evidence.Answer{Entity: e, Score: evidence.Score{Value: p, Scale: evidence.Probability}, Explanation: ofChain(p)})
		}
	}
	slices.SortFunc(out, evidence.ByScore)
	return out
}

// ofChain explains the probability of an answer that a relation chain leads to.
func ofChain(p float64) evidence.Explanation {
	return evidence.Explanation{Value: p, Message: "the share of an answer that a relation chain of the model leads to"}
}

// paths returns the paths that a chain takes in the graph, by their answers,
// ascending. None goes straight back to where it came from (as MetaQA's questions
// do not), and none ends where the question began.
func (p *Planner) paths(c chain, source string, seeds []kg.EntityID) []evidence.Candidate {
	// before[i][e] are the entities from which step i leads to e, ascending.
	before := make([]map[kg.EntityID][]kg.EntityID, len(c.Steps))
	at := []kg.EntityID{c.From}
	for i, step := range c.Steps {
		before[i] = map[kg.EntityID][]kg.EntityID{}
		for _, e := range at {
			for _, next := range p.along(e, step) {
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
	at = slices.DeleteFunc(at, func(e kg.EntityID) bool { return e == c.From || slices.Contains(seeds, e) })
	var paths []evidence.Candidate
	for _, answer := range at[:min(len(at), chainAnswers)] {
		b := backwards{p: p, chain: c, source: source, before: before, most: len(paths) + chainPaths, found: paths}
		b.from([]kg.EntityID{answer})
		paths = b.found
	}
	return paths
}

// backwards finds the ways of a chain to one answer, from the answer on.
type backwards struct {
	p      *Planner
	chain  chain
	source string
	before []map[kg.EntityID][]kg.EntityID
	most   int // paths in found
	found  []evidence.Candidate
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
func (b *backwards) path(way []kg.EntityID) evidence.Candidate {
	along := slices.Clone(way)
	slices.Reverse(along)
	hops := make([][]kg.TripleID, len(b.chain.Steps))
	for i, s := range b.chain.Steps {
		for _, x := range b.p.along(along[i], s) {
			if x.Entity == along[i+1] {
				hops[i] = append(hops[i], x.Triple)
			}
		}
		hops[i] = kg.Distinct(hops[i])
	}
	return evidence.Path(along, hops, b.source)
}

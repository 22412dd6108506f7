package present

import (
	"fmt"
	"slices"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// Tag is the mark of a citation: Tag(1) is "T1".
func Tag(number int) string { return fmt.Sprintf("T%d", number) }

// EvidenceRow is one triple of the evidence.
type EvidenceRow struct {
	Number               int // 1 is T1; 0 for a near miss, which is not cited
	Triple               kg.TripleID
	Head, Relation, Tail string
	HeadID, TailID       kg.EntityID
	Extracted            bool   // only a model vouches for it, which read it in a text
	Parts                []Part // its share of the distance of its best match
	MatchDistance        float64
	Matches              int // how many matches use it
	// Leads are the answers that it is on the way to, where a network found it.
	Leads []Lead
}

// Part is one number of an explanation.
type Part struct {
	Text  string
	Value float64
}

// EvidenceRows lists the triples that an answer cites, in citation order; for a
// refusal, then those of the closest matches.
func EvidenceRows(g *kg.Graph, run *engine.Run) []EvidenceRow {
	if run == nil || run.Answer == nil {
		return nil
	}
	if Ranked(run) {
		return rankedRows(g, run)
	}
	candidates := Matches(run)
	triples := run.Answer.Pack.Triples
	if run.Answer.Refusal != nil {
		pack, _ := evidence.NewPack(candidates, 0)
		for _, t := range pack.Triples {
			if run.Answer.Pack.Number(t) == 0 {
				triples = append(slices.Clip(triples), t)
			}
		}
	}
	type use struct{ first, n int }
	uses := make(map[kg.TripleID]use, len(triples))
	for i, c := range candidates {
		for _, t := range c.Triples() {
			u, ok := uses[t]
			if !ok {
				u.first = i
			}
			u.n++
			uses[t] = u
		}
	}
	rows := make([]EvidenceRow, 0, len(triples))
	for _, t := range triples {
		row := evidenceRow(g, run, t)
		if u, ok := uses[t]; ok && StandingOf(run).IsEvidence() {
			row.Matches = u.n
			row.MatchDistance = candidates[u.first].Distance
			row.Parts = parts(g, run, candidates[u.first], t)
		}
		rows = append(rows, row)
	}
	return rows
}

// rankedRows lists the triples of the paths that a network's answers rest on.
func rankedRows(g *kg.Graph, run *engine.Run) []EvidenceRow {
	triples := run.Answer.Pack.Triples
	rows := make([]EvidenceRow, 0, len(triples))
	to := leads(g, run)
	for _, t := range triples {
		row := evidenceRow(g, run, t)
		row.Leads = to[t]
		rows = append(rows, row)
	}
	return rows
}

// evidenceRow is the row of one triple, without what it weighs.
func evidenceRow(g *kg.Graph, run *engine.Run, t kg.TripleID) EvidenceRow {
	tr := g.Triple(t)
	return EvidenceRow{
		Number: run.Answer.Pack.Number(t), Triple: t,
		Head: OneLine(g.Label(tr.Head)), Relation: OneLine(g.RelationText(tr.Relation)), Tail: OneLine(g.Label(tr.Tail)),
		HeadID: tr.Head, TailID: tr.Tail, Extracted: g.Extracted(t),
	}
}

// parts are the shares of c's distance that triple t carries: those of the
// pattern edges that it binds and of the nodes at their ends.
func parts(g *kg.Graph, run *engine.Run, c evidence.Candidate, t kg.TripleID) []Part {
	p := PatternOf(run)
	if p == nil || len(c.Edges) != len(p.Edges) || len(c.Nodes) != len(p.Nodes) {
		return nil
	}
	var out []Part
	var ends []int
	for i, e := range p.Edges {
		if c.Edges[i] != t {
			continue
		}
		out = append(out, Part{
			Text:  fmt.Sprintf("relation “%s” matched “%s”", relationText(e), OneLine(g.RelationText(g.Triple(t).Relation))),
			Value: at(c.EdgeDistance, i),
		})
		ends = append(ends, e.From, e.To)
	}
	slices.Sort(ends)
	for _, n := range slices.Compact(ends) {
		if c.Nodes[n] == kg.NoEntity {
			continue
		}
		label := OneLine(g.Label(c.Nodes[n]))
		text := fmt.Sprintf("“%s” matched “%s”", nodeText(p.Nodes[n]), label)
		if p.Nodes[n].Variable {
			text = fmt.Sprintf("%s is “%s”", nodeText(p.Nodes[n]), label)
		}
		out = append(out, Part{Text: text, Value: at(c.NodeDistance, n)})
	}
	return out
}

func at(xs []float64, i int) float64 {
	if i < len(xs) {
		return xs[i]
	}
	return 0
}

// CandidateOf returns the best match that binds the asked node to e, and
// whether there is one; of a network's answer all its paths in one.
func CandidateOf(run *engine.Run, e kg.EntityID) (evidence.Candidate, bool) {
	if Ranked(run) {
		return answerPaths(run, e)
	}
	p := PatternOf(run)
	if p == nil || p.Asked < 0 {
		return evidence.Candidate{}, false
	}
	for _, c := range run.Candidates {
		if p.Asked < len(c.Nodes) && c.Nodes[p.Asked] == e {
			return c, true
		}
	}
	return evidence.Candidate{}, false
}

// Matches returns the matches that a run shows, best first: those of an answer; of a
// verdict those that it rests on; of a refusal the closest.
func Matches(run *engine.Run) []evidence.Candidate {
	switch {
	case run == nil:
		return nil
	case run.Answer != nil && run.Answer.Refusal != nil:
		cs := run.Answer.Refusal.Closest
		return cs[:min(len(cs), maxClosest)]
	case run.Answer == nil || run.Answer.Verdict == answer.NoVerdict:
		return run.Candidates
	}
	var cs []evidence.Candidate
	for _, c := range run.Candidates {
		if !slices.ContainsFunc(c.Triples(), func(t kg.TripleID) bool { return run.Answer.Pack.Number(t) == 0 }) {
			cs = append(cs, c)
		}
	}
	return cs
}

// BestCandidate returns the match that a run's pattern table shows first: the
// best one, or the closest where the run was refused.
func BestCandidate(run *engine.Run) (evidence.Candidate, bool) {
	p := PatternOf(run)
	for _, c := range Matches(run) {
		if p == nil || len(c.Nodes) == len(p.Nodes) {
			return c, true
		}
	}
	return evidence.Candidate{}, false
}

// EdgeIDs are the picture's ids of the triples of a match.
func EdgeIDs(c evidence.Candidate) []string {
	ts := c.Triples()
	ids := make([]string, len(ts))
	for i, t := range ts {
		ids[i] = EdgeID(t)
	}
	return ids
}

// CitedEdgeIDs are the picture's ids of the triples that citations name.
func CitedEdgeIDs(run *engine.Run, citations []int) []string {
	if run == nil || run.Answer == nil {
		return nil
	}
	var ids []string
	for _, n := range citations {
		if n >= 1 && n <= len(run.Answer.Pack.Triples) {
			ids = append(ids, EdgeID(run.Answer.Pack.Triples[n-1]))
		}
	}
	return ids
}

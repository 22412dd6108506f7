package present

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/report"
	"cairn/internal/wording"
)

// Tag is the mark of a citation: Tag(1) is "T1".
func Tag(number int) string { return fmt.Sprintf("T%d", number) }

// EvidenceRow is one triple of the evidence. Its sources are looked up apart.
type EvidenceRow struct {
	report.Triple

	ID kg.TripleID
	// Said is what its statements say beside it; empty for nothing.
	Said string
	// Lines say what it carries: its share of the distance of its best match, or the
	// answers that it leads to.
	Lines []string
	// LeftOut says that it is left out of the graph.
	LeftOut bool
}

// part is one number of an explanation.
type part struct {
	text  string
	value float64
}

// EvidenceRows lists the triples that an answer cites, in citation order; for a
// refusal, then those of the closest matches.
func EvidenceRows(g *kg.Graph, run *engine.Run) []EvidenceRow {
	if run == nil || run.Answer == nil {
		return nil
	}
	triples := run.Answer.Pack.Triples
	if run.Answer.Refusal != nil {
		pack, _ := evidence.NewPack(matchesOf(run), 0)
		for _, t := range pack.Triples {
			if run.Answer.Pack.Number(t) == 0 {
				triples = append(slices.Clip(triples), t)
			}
		}
	}
	carries := distanceLines
	if run.Matched() == nil {
		carries = leadLines
	}
	lines := carries(g, run)
	rows := make([]EvidenceRow, 0, len(triples))
	for _, t := range triples {
		row := evidenceRow(g, run, t)
		row.Lines = lines[t]
		rows = append(rows, row)
	}
	return rows
}

func evidenceRow(g *kg.Graph, run *engine.Run, t kg.TripleID) EvidenceRow {
	tr := g.Triple(t)
	return EvidenceRow{ID: t, Said: StatementsText(g, t), Triple: report.Triple{
		Number: run.Answer.Pack.Number(t), Head: OneLine(g.Label(tr.Head)), Relation: OneLine(g.RelationText(tr.Relation)),
		Tail: OneLine(g.Label(tr.Tail)), Sources: []string{}, Extracted: g.Extracted(t),
	}}
}

// LeftOutRows lists the triples that a run was asked without, to be put back.
func LeftOutRows(g *kg.Graph, run *engine.Run) (rows []EvidenceRow) {
	for _, t := range knownTriples(g, run.Without) {
		row := evidenceRow(g, run, t)
		row.Lines, row.LeftOut = []string{"This triple is left out of the graph for this answer."}, true
		rows = append(rows, row)
	}
	return rows
}

// distanceLines say of each triple its share of the distance of the best match that has
// it.
func distanceLines(g *kg.Graph, run *engine.Run) map[kg.TripleID][]string {
	lines := map[kg.TripleID][]string{}
	if !StandingOf(run).IsEvidence() {
		return lines
	}
	uses := map[kg.TripleID]int{}
	best := map[kg.TripleID]evidence.Candidate{}
	for _, c := range matchesOf(run) {
		for _, t := range c.Triples() {
			if uses[t]++; uses[t] == 1 {
				best[t] = c
			}
		}
	}
	for t, c := range best {
		for _, p := range parts(g, run, c, t) {
			lines[t] = append(lines[t], PartText(p.value)+"  "+Shorten(p.text, 90))
		}
		if len(lines[t]) > 0 {
			lines[t] = append(lines[t], fmt.Sprintf("Its match: distance %s (%s); used by %s.",
				PartText(c.Distance), scaleWords(evidence.Distance), Plural(uses[t], "match", "matches")))
		}
	}
	return lines
}

// leadLines say of each triple which answers the paths lead to that have it, the best
// first.
func leadLines(g *kg.Graph, run *engine.Run) map[kg.TripleID][]string {
	const most = 5 // answers that are named
	lines, leads := map[kg.TripleID][]string{}, map[kg.TripleID]int{}
	for _, a := range run.Answers {
		pack, _ := evidence.NewPack(run.SupportsOf(a), 0)
		for _, t := range pack.Triples {
			if leads[t]++; leads[t] <= most {
				lines[t] = append(lines[t], strings.TrimSpace(ScoreText(a.Score)+"  on a path to "+Shorten(OneLine(a.Label(g)), 80)))
			}
		}
	}
	best, _ := run.Best()
	for t, n := range leads {
		if n > most {
			lines[t] = append(lines[t], "and "+Plural(n-most, "more answer", "more answers"))
		}
		if best.Scale != evidence.NoScale {
			lines[t] = append(lines[t], "Scores of the answers: "+strings.ToLower(scaleName(best.Scale))+", "+scaleWords(best.Scale)+".")
		}
		lines[t] = append(lines[t], "The triple itself is stated in the graph.")
	}
	return lines
}

// citation is the number of a triple as a citation, in a list; nil where it has none.
func citation(run *engine.Run, t kg.TripleID) []int {
	if run.Answer == nil || run.Answer.Pack.Number(t) == 0 {
		return nil
	}
	return []int{run.Answer.Pack.Number(t)}
}

// parts are the shares of c's distance that triple t carries: those of the
// pattern edges that it binds and of the nodes at their ends.
func parts(g *kg.Graph, run *engine.Run, c evidence.Candidate, t kg.TripleID) []part {
	p := run.Matched()
	if p == nil || len(c.Edges) != len(p.Edges) || len(c.Nodes) != len(p.Nodes) {
		return nil
	}
	var out []part
	var ends []int
	for i, e := range p.Edges {
		if c.Edges[i] != t {
			continue
		}
		out = append(out, part{
			text:  fmt.Sprintf("relation “%s” matched “%s”", relationText(e), OneLine(g.RelationText(g.Triple(t).Relation))),
			value: at(c.EdgeDistance, i),
		})
		ends = append(ends, e.From, e.To)
	}
	for _, n := range kg.Distinct(ends) {
		if c.Nodes[n] == kg.NoEntity {
			continue
		}
		label := OneLine(g.Label(c.Nodes[n]))
		text := fmt.Sprintf("“%s” matched “%s”", nodeText(p.Nodes[n]), label)
		if p.Nodes[n].Variable {
			text = fmt.Sprintf("%s is “%s”", nodeText(p.Nodes[n]), label)
		}
		out = append(out, part{text, at(c.NodeDistance, n)})
	}
	return out
}

func at(xs []float64, i int) float64 {
	if i < len(xs) {
		return xs[i]
	}
	return 0
}

// CandidateOf returns the best match that binds the asked node to e, or all paths to
// it in one, and whether the run knows it.
func CandidateOf(run *engine.Run, e kg.EntityID) (c evidence.Candidate, ok bool) {
	a, known := weighed(run, e)
	for _, x := range run.SupportsOf(a) {
		if run.Matched() != nil {
			return x, true
		}
		c.Nodes, c.Edges = append(c.Nodes, x.Nodes...), append(c.Edges, x.Edges...)
	}
	return c, known && run.Matched() == nil
}

// matchesOf returns the matches that a run shows, best first: those of an answer; of a
// verdict those that it rests on; of a refusal the closest.
func matchesOf(run *engine.Run) []evidence.Candidate {
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
	p := run.Matched()
	for _, c := range matchesOf(run) {
		if p == nil || len(c.Nodes) == len(p.Nodes) {
			return c, true
		}
	}
	return evidence.Candidate{}, false
}

// EdgeIDs are the picture's ids of the triples of a match.
func EdgeIDs(c evidence.Candidate) []string {
	return wording.Each(c.Triples(), EdgeID)
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

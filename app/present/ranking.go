package present

import (
	"cmp"
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

// retrieverName says what looked for the evidence of a run.
func retrieverName(run *engine.Run) string {
	return OneLine(cmp.Or(run.By, run.Method.Title))
}

// weighed is the answer that an entity is to a run, or else one that it weighed.
func weighed(run *engine.Run, e kg.EntityID) (a evidence.Answer, ok bool) {
	for _, list := range [][]evidence.Answer{run.Answers, run.Weighed} {
		if i := slices.IndexFunc(list, func(a evidence.Answer) bool { return a.Entity == e }); i >= 0 {
			return list[i], true
		}
	}
	return a, false
}

// scoreOf is what a run gives an entity; ok is false where it says nothing of it.
func scoreOf(run *engine.Run, e kg.EntityID) (score evidence.Score, ok bool) {
	a, ok := weighed(run, e)
	return a.Score, ok
}

// ScoreLine says what a run gives an entity, with the scale; "" where it says nothing
// of it, or nothing but that it fits.
func ScoreLine(run *engine.Run, e kg.EntityID) string {
	score, _ := scoreOf(run, e)
	if score == (evidence.Score{Scale: evidence.Distance}) {
		return ""
	}
	return scoreWords(score)
}

// networkReading says line by line where a network looked, and how it read the
// question where it can say that.
func networkReading(g *kg.Graph, run *engine.Run) []string {
	who := capitalFirst(retrieverName(run))
	if run.Method.Trained {
		who += ", trained on this graph,"
	}
	var lines []string
	if begun := seeds(run); len(begun) > 0 || run.Region.Entities > 0 {
		names := wording.Each(begun, func(e kg.EntityID) string { return OneLine(g.Label(e)) })
		line := who + " found no entity to start from"
		if len(names) > 0 {
			line = who + " started from " + Shorten(List(names), 120)
		}
		r := run.Region
		if r.Entities > 0 {
			line += fmt.Sprintf(" and scored %s over %s", Plural(r.Entities, "entity", "entities"), Plural(r.Triples, "triple", "triples"))
		}
		if m := OneLine(r.Method); m != "" {
			line += " (" + strings.TrimSuffix(m, ".") + ")"
		}
		lines = append(lines, Sentence(line))
	}
	if steps := stepsRead(run); len(steps) > 0 {
		lines = append(lines, "It read the question as these steps (0 to 1, higher is more certain):")
		for _, s := range steps {
			lines = append(lines, "• "+s)
		}
	}
	return lines
}

// notes say in sentences what a reader of an answer must know about how it was found.
func notes(run *engine.Run) []string {
	notes := wording.Each(run.Notes, func(n string) string { return Sentence(OneLine(n)) })
	if run.Region.Completeness != evidence.Exhaustive {
		notes = append(notes, "The region around the question was "+CompleteWords(run.Region.Completeness)+"; anything outside it could not be found.")
	}
	return notes
}

// What a list of paths shows at most.
const (
	maxRanked = 40
	maxPaths  = 4 // of one answer
)

// Network says what a retriever found that scores entities: where it looked, and its
// answers, the best first as in run.Answers, each with the paths that lead to it. It is
// empty for any other.
func Network(g *kg.Graph, run *engine.Run) (n report.Network) {
	if !run.Method.Seeded {
		return n
	}
	best, _ := run.Best()
	n = report.Network{Lines: networkReading(g, run), Notes: notes(run), Score: scaleName(best.Scale), Scale: scaleWords(best.Scale)}
	mixed := slices.ContainsFunc(run.Candidates, func(p evidence.Candidate) bool { return p.Source != run.Candidates[0].Source })
	for i, a := range run.Answers {
		if i == maxRanked {
			n.More = "and " + Plural(len(run.Answers)-i, "more answer", "more answers")
			break
		}
		r := report.Ranked{Name: OneLine(a.Label(g)), Score: ScoreText(a.Score)}
		for j, p := range run.SupportsOf(a) {
			if j == maxPaths {
				r.More = "and " + Plural(len(a.Supports)-j, "more path", "more paths")
				break
			}
			path := report.Path{Text: PathText(g, p)}
			if mixed {
				path.Source = OneLine(p.Source)
			}
			for _, t := range p.Edges {
				path.Edges = append(path.Edges, EdgeID(t))
				path.Citations = append(path.Citations, citation(run, t)...)
			}
			r.Paths = append(r.Paths, path)
		}
		n.Answers = append(n.Answers, r)
	}
	return n
}

// PathText is a path in words, each arrow in the direction of its triple:
// "Austria ← capital of — Vienna". Several relations on one hop stand side by side.
func PathText(g *kg.Graph, p evidence.Candidate) string {
	var b strings.Builder
	b.WriteString(OneLine(g.Label(p.Nodes[0])))
	for i := range p.Hops {
		var on, back []string
		for _, t := range p.Hop(i) {
			tr := g.Triple(t)
			name := OneLine(g.RelationText(tr.Relation))
			if tr.Head == p.Nodes[i] {
				on = append(on, name)
			} else {
				back = append(back, name)
			}
		}
		var arrows []string
		if len(on) > 0 {
			arrows = append(arrows, "— "+strings.Join(on, ", ")+" →")
		}
		if len(back) > 0 {
			arrows = append(arrows, "← "+strings.Join(back, ", ")+" —")
		}
		b.WriteString(" " + strings.Join(arrows, " and ") + " " + OneLine(g.Label(p.Nodes[i+1])))
	}
	return b.String()
}

// RunnersUp are the most probable entities that were not selected as answers.
func RunnersUp(run *engine.Run) []evidence.Answer {
	const most = 5
	if !run.Method.Seeded {
		return nil
	}
	rows := slices.DeleteFunc(slices.Clone(run.Weighed), func(w evidence.Answer) bool {
		return slices.Contains(seeds(run), w.Entity) || slices.ContainsFunc(run.Answers, func(a evidence.Answer) bool { return a.Entity == w.Entity })
	})
	return rows[:min(len(rows), most)]
}

// seeds are the entities that a retrieval began at.
func seeds(run *engine.Run) []kg.EntityID {
	if run.Plan != nil && len(run.Plan.Seeds) > 0 {
		return run.Plan.Seeds
	}
	var out []kg.EntityID
	for _, p := range run.Candidates {
		out = kg.With(out, p.Nodes[0])
	}
	return out
}

// Compared says how the answers of two retrievers to one question go together; ""
// where they are not two of one question.
func Compared(before, now *engine.Run) string {
	if before == nil || now == nil || before.Answer == nil || now.Answer == nil ||
		before.Method.ID == now.Method.ID || OneLine(before.Question) != OneLine(now.Question) || !slices.Equal(before.Without, now.Without) {
		return ""
	}
	who := capitalFirst(before.Method.Who) + ", asked the same question, "
	switch {
	case before.Answer.Refusal != nil:
		return who + "found no answer."
	case now.Answer.Refusal != nil || before.Answer.Verdict != now.Answer.Verdict || len(before.Answer.Items) == 0 || len(now.Answer.Items) == 0:
		text, _ := Glance(before)
		return Sentence(who + "said: " + text)
	}
	has := map[kg.EntityID]bool{}
	for _, it := range before.Answer.Items {
		has[it.Entity] = true
	}
	common := 0
	for _, it := range now.Answer.Items {
		if has[it.Entity] {
			common++
		}
	}
	b, n := len(before.Answer.Items), len(now.Answer.Items)
	switch {
	case common == b && common == n:
		return who + "agreed."
	case common == 0:
		return who + "gave different answers: " + Sentence(few(before))
	}
	return fmt.Sprintf("%sgave %s (%s); %s here too.", who, Plural(b, "answer", "answers"), few(before), areThey(common, b))
}

// areThey says how many of all are: "all are", "1 of them is".
func areThey(n, all int) string {
	switch {
	case n == all && n == 1:
		return "it is"
	case n == all:
		return "all are"
	case n == 1:
		return "1 of them is"
	}
	return Count(n) + " of them are"
}

// few names the first answers of a run.
func few(run *engine.Run) string { return wording.Few(labels(run.Answer.Items), 4) }

// labels are the names of answers.
func labels(items []answer.Item) []string {
	return wording.Each(items, func(it answer.Item) string { return OneLine(it.Label) })
}

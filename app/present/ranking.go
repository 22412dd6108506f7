package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// RetrieverName says what looked for the evidence of a run.
func RetrieverName(run *engine.Run) string {
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

// NetworkReading says line by line where a network looked, and how it read the
// question where it can say that.
func NetworkReading(g *kg.Graph, run *engine.Run) []string {
	who := capitalFirst(RetrieverName(run))
	if run.Method.Trained {
		who += ", trained on this graph,"
	}
	var lines []string
	if begun := seeds(run); len(begun) > 0 || run.Region.Entities > 0 {
		names := make([]string, len(begun))
		for i, e := range begun {
			names[i] = OneLine(g.Label(e))
		}
		line := who + " found nothing to begin at"
		if len(names) > 0 {
			line = who + " began at " + Shorten(List(names), 120)
		}
		r := run.Region
		if r.Entities > 0 {
			line += fmt.Sprintf(" and weighed %s and %s", Plural(r.Entities, "entity", "entities"), Plural(r.Triples, "triple", "triples"))
		}
		if m := OneLine(r.Method); m != "" {
			line += " (" + strings.TrimSuffix(m, ".") + ")"
		}
		lines = append(lines, Sentence(line))
	}
	if len(run.Steps) > 0 {
		lines = append(lines, "It read the question as these steps (0 to 1, higher is surer):")
		for _, s := range run.Steps {
			lines = append(lines, "• "+OneLine(s))
		}
	}
	return lines
}

// Notes say in sentences what a reader of an answer must know about how it was found.
func Notes(run *engine.Run) []string {
	var notes []string
	for _, n := range run.Notes {
		notes = append(notes, Sentence(OneLine(n)))
	}
	if run.Region.Completeness != evidence.Exhaustive {
		notes = append(notes, "The region around the question was "+CompleteWords(run.Region.Completeness)+": what lies outside it could not be found.")
	}
	return notes
}

// PathRow is one path from what the question names to an answer.
type PathRow struct {
	Text   string   // "Anthony Mann ← directed by — Winchester ’73 — release year → 1950"
	Edges  []string // the picture's ids of its triples
	Source string   // what found it; empty where all paths are of one source
	Tags   []int    // numbers of its triples that the answer may cite
}

// PathGroup are the paths to one answer.
type PathGroup struct {
	Entity kg.EntityID
	Answer string
	Score  evidence.Score
	Paths  []PathRow
	More   int // paths that are left out
}

// What a list of paths shows at most.
const (
	maxPathGroups = 40
	maxPathRows   = 4 // of one answer
)

// PathGroups list the answers of a network, most probable first, each with the
// paths that lead to it; more says how many answers are left out.
func PathGroups(g *kg.Graph, run *engine.Run) (groups []PathGroup, more int) {
	if !run.Method.Seeded {
		return nil, 0
	}
	mixed := slices.ContainsFunc(run.Candidates, func(p evidence.Candidate) bool { return p.Source != run.Candidates[0].Source })
	for i, a := range run.Answers {
		if i == maxPathGroups {
			more = len(run.Answers) - i
			break
		}
		paths := run.SupportsOf(a)
		group := PathGroup{Entity: a.Entity, Answer: OneLine(a.Label(g)), Score: a.Score, More: max(0, len(paths)-maxPathRows)}
		for _, p := range paths[:len(paths)-group.More] {
			row := pathRow(g, run, p)
			if mixed {
				row.Source = OneLine(p.Source)
			}
			group.Paths = append(group.Paths, row)
		}
		groups = append(groups, group)
	}
	return groups, more
}

func pathRow(g *kg.Graph, run *engine.Run, p evidence.Candidate) PathRow {
	row := PathRow{Text: PathText(g, p)}
	for _, t := range p.Edges {
		row.Edges = append(row.Edges, EdgeID(t))
		if run.Answer == nil {
			continue
		}
		if n := run.Answer.Pack.Number(t); n > 0 {
			row.Tags = append(row.Tags, n)
		}
	}
	return row
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

// RunnerUp is an entity that a network held for possible, and did not choose.
type RunnerUp struct {
	Entity kg.EntityID
	Label  string
	Score  evidence.Score
}

// maxRunners is how many of them are listed.
const maxRunners = 5

// RunnersUp are the most probable entities that were not selected as answers.
func RunnersUp(g *kg.Graph, run *engine.Run) []RunnerUp {
	if !run.Method.Seeded {
		return nil
	}
	skip := map[kg.EntityID]bool{}
	for _, a := range run.Answers {
		skip[a.Entity] = true
	}
	for _, e := range seeds(run) {
		skip[e] = true
	}
	var rows []RunnerUp
	for _, s := range run.Weighed {
		if len(rows) == maxRunners {
			break
		}
		if !skip[s.Entity] {
			rows = append(rows, RunnerUp{Entity: s.Entity, Label: OneLine(s.Label(g)), Score: s.Score})
		}
	}
	return rows
}

// seeds are the entities that a retrieval began at.
func seeds(run *engine.Run) []kg.EntityID {
	if run.Plan != nil && len(run.Plan.Seeds) > 0 {
		return run.Plan.Seeds
	}
	var out []kg.EntityID
	for _, p := range run.Candidates {
		if !slices.Contains(out, p.Nodes[0]) {
			out = append(out, p.Nodes[0])
		}
	}
	return out
}

// Compared says how the answers of two retrievers to one question go together; ""
// where they are not two of one question.
func Compared(before, now *engine.Run) string {
	if before == nil || now == nil || before.Answer == nil || now.Answer == nil ||
		before.Method.ID == now.Method.ID || OneLine(before.Question) != OneLine(now.Question) {
		return ""
	}
	who := capitalFirst(before.Method.Who) + ", asked the same, "
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
		return who + "gave the same."
	case common == 0:
		return who + "gave other answers: " + Sentence(few(before))
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
func few(run *engine.Run) string {
	const shown = 4
	var names []string
	items := run.Answer.Items
	for _, it := range items[:min(len(items), shown)] {
		names = append(names, OneLine(it.Label))
	}
	if len(items) > shown {
		return strings.Join(names, ", ") + " and " + Count(len(items)-shown) + " more"
	}
	return List(names)
}

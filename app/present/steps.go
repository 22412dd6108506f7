package present

import (
	"fmt"
	"strconv"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// StepState is how far a step has come.
type StepState int

// The states.
const (
	Waiting StepState = iota
	Running
	Done
	Empty // done, and nothing was found
	Failed
	Stopped
)

// String returns the state in words for people.
func (s StepState) String() string {
	switch s {
	case Waiting:
		return "waiting"
	case Running:
		return "running"
	case Done:
		return "done"
	case Empty:
		return "nothing found"
	case Failed:
		return "failed"
	case Stopped:
		return "stopped"
	}
	return "unknown"
}

// Step is one step of a run as the step bar shows it.
type Step struct {
	Stage   engine.Stage
	Title   string
	Hint    string // what the step does, for while it waits
	State   StepState
	Time    string
	Summary string
	Details []string
	Prompts int // how many requests it made to a model
}

// NewSteps are the steps of a run that has not begun.
func NewSteps(m retrieve.Info) []Step {
	steps := make([]Step, len(engine.Stages))
	for i, s := range engine.Stages {
		title, hint := stageWords(s, m)
		steps[i] = Step{Stage: s, Title: title, Hint: hint}
	}
	return steps
}

func stageWords(s engine.Stage, m retrieve.Info) (title, hint string) {
	switch s {
	case engine.StageLink:
		return "Link", "find the names"
	case engine.StagePlan:
		return "Plan", m.Plan
	case engine.StageRetrieve:
		return "Retrieve", m.Retrieve
	case engine.StageAnswer:
		return "Answer", "say what was found"
	case engine.StageCheck:
		return "Check", "compare with triples"
	}
	return s.String(), ""
}

// EndStep fills a step from the record that its stage left.
func EndStep(st *Step, r engine.StageRecord) {
	st.Time = Elapsed(r.Duration)
	st.Summary = OneLine(r.Summary)
	st.Details = r.Details
	st.State = Done
	if r.Empty {
		st.State = Empty
	}
	if r.Err != "" {
		st.State = Failed
		st.Summary = OneLine(r.Err)
	}
}

// Steps are the steps of a finished run, with details for the step view.
func Steps(g *kg.Graph, run *engine.Run) []Step {
	steps := NewSteps(run.Method)
	for _, r := range run.Stages {
		for i := range steps {
			if steps[i].Stage != r.Stage {
				continue
			}
			EndStep(&steps[i], r)
			if own := StepDetails(g, run, r.Stage); len(own) > 0 {
				steps[i].Details = own
			}
		}
	}
	for _, x := range run.Exchanges {
		for i := range steps {
			if steps[i].Stage == x.Stage {
				steps[i].Prompts++
			}
		}
	}
	return steps
}

// StepDetails says line by line what a stage of a finished run did.
func StepDetails(g *kg.Graph, run *engine.Run, s engine.Stage) []string {
	switch s {
	case engine.StageLink:
		return linkDetails(g, run)
	case engine.StagePlan:
		return planDetails(run)
	case engine.StageRetrieve:
		return retrieveDetails(g, run)
	case engine.StageAnswer:
		return answerDetails(run)
	case engine.StageCheck:
		return checkDetails(run)
	}
	return nil
}

const maxDetailLines = 40

func linkDetails(g *kg.Graph, run *engine.Run) []string {
	if run.Plan == nil {
		return nil
	}
	var lines []string
	for _, m := range run.Plan.Mentions {
		lines = append(lines, fmt.Sprintf("“%s” may mean:", OneLine(m.Text)))
		for i, c := range m.Candidates {
			if i == 6 {
				lines = append(lines, fmt.Sprintf("      and %d more", len(m.Candidates)-i))
				break
			}
			about := c.Method.String()
			if c.Distance > 0 {
				about += ", distance " + Distance(c.Distance)
			}
			if t := typeOf(g, c.Entity); t != "" {
				about = t + ", " + about
			}
			lines = append(lines, fmt.Sprintf("      %s (%s)", OneLine(g.Label(c.Entity)), about))
		}
	}
	for _, u := range run.Plan.Unlinked {
		lines = append(lines, fmt.Sprintf("“%s” looks like a name, but nothing in this graph is called so.", OneLine(u)))
	}
	if len(lines) == 0 {
		lines = append(lines, "No name of this graph was found in the question.")
	}
	return limitLines(lines)
}

func planDetails(run *engine.Run) []string {
	if run.Plan == nil {
		return nil
	}
	if Ranked(run) {
		lines := []string{capitalFirst(run.Method.Who) + " needs no pattern: it begins at what the question names."}
		if r := run.Region; r.Entities > 0 {
			lines = append(lines, fmt.Sprintf("Within reach: %s and %s, %s.", Plural(r.Entities, "entity", "entities"), Plural(r.Triples, "triple", "triples"), r.Completeness))
		}
		if r := run.Region; r.Method != "" {
			lines = append(lines, Sentence(OneLine(r.Method)))
		}
		if why := Doubt(run); why != "" {
			lines = append(lines, why)
		}
		return lines
	}
	lines := []string{"Planner: " + run.Plan.Planner}
	for _, why := range []string{StoodIn(run), Doubt(run)} {
		if why != "" {
			lines = append(lines, why)
		}
	}
	for i, r := range run.Plan.Readings {
		mark := "Other reading"
		if i == run.Reading {
			mark = "Reading followed"
		}
		line := fmt.Sprintf("%s: %s (score %.2f, higher is better)", mark, OneLine(r.Text), r.Score)
		lines = append(lines, line)
		if len(r.Unused) > 0 {
			lines = append(lines, "      words not used: "+List(r.Unused))
		}
		if i == run.Reading {
			lines = explanationLines(lines, r.Explanation, 1)
			if r.Pattern != nil {
				lines = append(lines, PatternWords(r.Pattern)...)
			}
		}
	}
	return limitLines(lines)
}

// explanationLines appends the children of an explanation, indented.
func explanationLines(lines []string, x evidence.Explanation, depth int) []string {
	const maxDepth = 3
	if depth > maxDepth {
		return lines
	}
	for _, c := range x.Children {
		lines = append(lines, fmt.Sprintf("%*s%s  %s", 6*depth, "", Signed(c.Value), OneLine(c.Message)))
		lines = explanationLines(lines, c, depth+1)
	}
	return lines
}

// Signed writes a number with its sign and two digits.
func Signed(v float64) string { return fmt.Sprintf("%+.2f", v) }

func retrieveDetails(g *kg.Graph, run *engine.Run) []string {
	if Ranked(run) {
		return rankedDetails(g, run)
	}
	lines := []string{fmt.Sprintf("%s kept, %s.", Plural(len(run.Candidates), "match", "matches"), run.Completeness)}
	st := run.Stats
	lines = append(lines, fmt.Sprintf("Explored %s, pruned %s, completed %s, in %s.",
		Plural(st.Considered, "partial match", "partial matches"), Count(st.Pruned), Plural(st.Found, "match", "matches"), Elapsed(st.Duration)))
	if run.Vectors != "" {
		lines = append(lines, OneLine(run.Vectors))
	}
	p := PatternOf(run)
	c, ok := BestCandidate(run)
	if p == nil || !ok || len(c.Nodes) != len(p.Nodes) {
		return lines
	}
	rows, total := PatternTable(g, p, c)
	not := NoMatch(run, rows)
	if not != "" {
		lines = append(lines, not)
	} else {
		lines = append(lines, "Distance of the best match, part by part (lower is closer):")
	}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("      %-5s  %s: %s", r.PartOf(), r.Asked, r.Found))
	}
	if not != "" {
		return limitLines(lines)
	}
	return limitLines(append(lines, "      "+PartText(total)+"  in all"))
}

// rankedDetails says what a network found: its steps, its answers, the runners-up.
func rankedDetails(g *kg.Graph, run *engine.Run) []string {
	lines := []string{fmt.Sprintf("%s: %s and %s, in %s.", capitalFirst(RetrieverName(run)),
		Plural(len(run.Answers), "answer selected", "answers selected"), Plural(len(run.Candidates), "path", "paths"), Elapsed(run.Stats.Duration))}
	said := false // the stage's own record has the steps and the notes
	for _, rec := range run.Stages {
		if rec.Stage == engine.StageRetrieve {
			for _, d := range rec.Details {
				lines, said = append(lines, capitalFirst(OneLine(d))), true
			}
		}
	}
	if !said {
		lines = append(append(lines, run.Steps...), NetworkNotes(run)...)
	}
	if t := ScaleTitle(run); t != "" {
		lines = append(lines, t+":")
	}
	for _, a := range run.Answers {
		lines = append(lines, "      "+ScoreText(a.Score)+"  "+OneLine(a.Label(g)))
	}
	for _, x := range RunnersUp(g, run) {
		lines = append(lines, "      "+ScoreText(x.Score)+"  "+x.Label+", not selected")
	}
	return limitLines(lines)
}

func answerDetails(run *engine.Run) []string {
	if run.Answer == nil {
		return nil
	}
	a := run.Answer
	from := run.Method.Basis
	var lines []string
	switch {
	case a.Model != "" && !passed(a):
		lines = append(lines, "Worded directly: nothing that the model "+a.Model+" wrote passed the check.")
	case a.Model != "":
		lines = append(lines, "Worded by the model "+a.Model+" from the evidence alone.")
	case a.NotWorded != "":
		lines = append(lines, "Worded directly from "+from+".", NotWorded(run))
	default:
		lines = append(lines, "Worded directly from "+from+"; no language model was used.")
	}
	if a.Refusal != nil {
		lines = append(lines, Sentence(a.Refusal.Reason))
		for _, m := range a.Refusal.Missing {
			lines = append(lines, MissingText(m))
		}
		return lines
	}
	if len(a.Items) > 0 {
		lines = append(lines, Plural(max(a.Count, len(a.Items)), "answer", "answers")+", "+Plural(len(a.Pack.Triples), "triple cited", "triples cited")+".")
	}
	return lines
}

func checkDetails(run *engine.Run) []string {
	if run.Answer == nil {
		return nil
	}
	var lines []string
	for i, s := range run.Answer.Sentences {
		line := "Sentence " + strconv.Itoa(i+1) + ": " + s.Check.String()
		if s.Reason != "" && s.Check != answer.Covered {
			line += " (" + OneLine(s.Reason) + ")"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = append(lines, "There is no sentence to check.")
	}
	return limitLines(lines)
}

func limitLines(lines []string) []string {
	if len(lines) <= maxDetailLines {
		return lines
	}
	n := len(lines) - maxDetailLines + 1
	return append(lines[:maxDetailLines-1:maxDetailLines-1], fmt.Sprintf("and %s", Plural(n, "more line", "more lines")))
}

// StatusLine says how a run ended, for the line at the foot of the window.
func StatusLine(run *engine.Run) string {
	if run == nil || run.Answer == nil {
		return ""
	}
	var total time.Duration
	for _, r := range run.Stages {
		total += r.Duration
	}
	head, _ := Glance(run)
	if Ranked(run) {
		said := head
		if run.Region.Entities > 0 {
			said += " · " + Plural(run.Region.Entities, "entity", "entities") + " weighed"
		}
		return said + " · " + Elapsed(total)
	}
	return fmt.Sprintf("%s · %s looked at · %s", head,
		Plural(run.Stats.Considered, "partial match", "partial matches"), Elapsed(total))
}

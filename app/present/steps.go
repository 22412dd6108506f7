package present

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
	"cairn/internal/token"
	"cairn/internal/wording"
)

// StepState is how far a step has come.
type StepState int

// The states.
const (
	Waiting StepState = iota
	Running
	Done
	Empty   // done, and nothing was found
	Doubted // done, and what was found is in doubt
	Failed
	Stopped
)

// String returns the state in words for people.
func (s StepState) String() string {
	return token.Names{"waiting", "running", "done", "nothing found", "in doubt", "failed", "stopped"}.Of(int(s))
}

// Step is one step of a run as the step bar shows it.
type Step struct {
	Stage   engine.Stage
	Title   string
	Hint    string // what the step does, for while it waits
	State   StepState
	Time    string
	Summary string
	Short   string // the Summary, where there is no room for it; empty where it is short
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
	return capitalFirst(s.String()), map[engine.Stage]string{
		engine.StageLink: "find the names", engine.StagePlan: m.Plan, engine.StageRetrieve: m.Retrieve,
		engine.StageAnswer: "write the answer", engine.StageCheck: "compare triples",
	}[s]
}

// Ended is the step that a stage of a run has ended, as far as the run has come.
func Ended(g *kg.Graph, run *engine.Run, r engine.StageRecord) Step {
	title, hint := stageWords(r.Stage, run.Method)
	st := Step{
		Stage: r.Stage, Title: title, Hint: hint, State: Done, Time: Elapsed(r.Duration),
		Summary: OneLine(stageSummary(g, run, r.Stage)), Details: stepDetails(g, run, r),
	}
	st.Short = short(run, r.Stage)
	switch {
	case foundNothing(run, r.Stage):
		st.State = Empty
	case r.Stage == engine.StageAnswer && ToneOf(run) == Doubtful:
		st.State = Doubted
	}
	if r.Err != "" {
		st.State, st.Summary, st.Short = Failed, OneLine(r.Err), "failed"
	}
	for _, x := range run.Exchanges {
		if x.Stage == r.Stage {
			st.Prompts++
		}
	}
	return st
}

// Steps are the steps of a run, with details for the step view.
func Steps(g *kg.Graph, run *engine.Run) []Step {
	steps := NewSteps(run.Method)
	for _, r := range run.Stages {
		steps[r.Stage] = Ended(g, run, r)
	}
	return steps
}

// foundNothing reports whether a stage that has run left nothing for the next.
func foundNothing(run *engine.Run, s engine.Stage) bool {
	switch s {
	case engine.StageLink:
		return len(run.Mentions) == 0
	case engine.StagePlan:
		return run.Reading < 0 && (run.Plan == nil || len(run.Plan.Seeds) == 0)
	case engine.StageRetrieve:
		return len(run.Candidates) == 0 && len(run.Answers) == 0
	case engine.StageAnswer, engine.StageCheck:
		return run.Answer == nil || run.Answer.Refusal != nil
	}
	return false
}

// stageSummary says in a few words what a stage left.
func stageSummary(g *kg.Graph, run *engine.Run, s engine.Stage) string {
	const names = 4
	switch s {
	case engine.StageLink:
		if len(run.Mentions) == 0 {
			return "no name from the graph found"
		}
		used, weak := namesOf(run)
		said := wording.First(texts(used), names)
		if len(used) > 0 && len(weak) > 0 {
			said += "; weak: "
		}
		return said + wording.First(texts(weak), names)
	case engine.StagePlan:
		return planSummary(g, run)
	case engine.StageRetrieve:
		return retrieveSummary(run)
	case engine.StageAnswer:
		return answerSummary(run)
	case engine.StageCheck:
		return checkSummary(run)
	}
	return ""
}

// short says in a word or two how much a stage left; nothing where its summary says no more.
func short(run *engine.Run, s engine.Stage) string {
	if foundNothing(run, s) {
		return "nothing"
	}
	switch s {
	case engine.StageLink:
		used, _ := namesOf(run)
		return Plural(len(used), "name", "names")
	case engine.StagePlan:
		if p := run.Pattern(); p != nil && len(p.AllEdges()) == 0 { // a description, a comparison or paths
			return ""
		} else if p != nil {
			return Plural(len(p.AllEdges()), "relation", "relations")
		}
		return "from " + Plural(len(run.Plan.Seeds), "name", "names")
	case engine.StageRetrieve:
		if run.Method.Seeded || len(run.Answers) > len(run.Candidates) {
			return Plural(len(run.Answers), "answer", "answers")
		}
		return Plural(len(run.Candidates), "match", "matches")
	case engine.StageAnswer:
		switch a := run.Answer; {
		case a.Verdict != answer.NoVerdict:
			return a.Verdict.Words()
		case len(a.Items) == 0:
			return withoutItems(run)
		}
		return Plural(run.Answer.Count, "answer", "answers")
	case engine.StageCheck:
		holds, of := supported(run.Answer)
		return fmt.Sprintf("%d of %d hold", holds, of)
	}
	return ""
}

// namesOf divides what was linked into the names that the reading uses, and those that
// it does not; as long as there is no reading, all are of the first kind.
func namesOf(run *engine.Run) (used, weak []link.Mention) {
	named := namedEntities(run)
	if len(named) == 0 {
		return run.Mentions, nil
	}
	for _, m := range run.Mentions {
		if slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return named[c.Entity] }) {
			used = append(used, m)
		} else {
			weak = append(weak, m)
		}
	}
	return used, weak
}

func texts(ms []link.Mention) []string {
	return wording.Each(ms, func(m link.Mention) string { return OneLine(m.Text) })
}

func planSummary(g *kg.Graph, run *engine.Run) string {
	switch {
	case run.Pattern() != nil:
		r := run.Plan.Readings[run.Reading]
		if run.Method.Reads {
			return r.Text + " (" + evidence.ProbabilityText(r.Score) + ")"
		}
		return r.Text
	case run.Plan != nil && len(run.Plan.Seeds) > 0:
		return "from " + wording.First(wording.Each(run.Plan.Seeds, func(e kg.EntityID) string { return OneLine(g.Label(e)) }), 4)
	case run.Method.Seeded && run.Task == pattern.Verify:
		return "a claim, which this retriever cannot check"
	case run.Method.Seeded:
		return "nothing to start from"
	}
	return "the question was not understood"
}

// retrieveSummary says what was found, how much of it, and how good the best is.
func retrieveSummary(run *engine.Run) string {
	if run.Pattern() == nil && (run.Plan == nil || len(run.Plan.Seeds) == 0) {
		return "nothing to look for"
	}
	found := Plural(len(run.Candidates), "match", "matches")
	if run.Method.Seeded {
		found = Plural(len(run.Answers), "answer", "answers") + ", " + Plural(len(run.Candidates), "path", "paths")
	}
	best, ok := run.Best()
	words, exact := scoreWords(best), best.Scale == evidence.Distance && ScoreText(best) == "exact"
	switch {
	case run.Method.Seeded:
	case len(run.Answers) > len(run.Candidates): // very many are counted, and few matches kept
		found = Plural(len(run.Answers), "answer", "answers")
	case ok && exact:
		found = Plural(len(run.Candidates), "exact match", "exact matches")
	}
	found += ", " + CompleteWords(run.Completeness)
	if ok && words != "" && !exact {
		found += ", " + words
	}
	return found
}

func answerSummary(run *engine.Run) string {
	a := run.Answer
	switch {
	case a == nil:
		return ""
	case a.Refusal != nil:
		return "no evidence found"
	}
	said := a.Verdict.Words()
	if a.Verdict == answer.NoVerdict {
		if said = wording.First(labels(a.Items), 3); len(a.Items) == 0 {
			said = withoutItems(run)
		}
	}
	if _, of := supported(a); a.Model != "" {
		said += ", " + Plural(of, "sentence", "sentences") + " by " + a.Model + " to check"
	}
	return said
}

// withoutItems says in a word or two what an answer is that names nothing.
func withoutItems(run *engine.Run) string {
	switch run.Task {
	case pattern.Connect:
		return Plural(run.Answer.Count, "path", "paths")
	case pattern.Contrast:
		return "compared"
	default:
		return Count(run.Answer.Count)
	}
}

// checkSummary says how many of the sentences hold that say something of the graph.
// Where a model wrote some, they are those; the others are made of triples.
func checkSummary(run *engine.Run) string {
	a := run.Answer
	if a == nil || a.Refusal != nil {
		return "nothing to check"
	}
	holds, of := supported(a)
	return fmt.Sprintf("%d of %s supported", holds, Plural(of, "sentence", "sentences"))
}

// supported counts the sentences that are checked, and those of them that hold.
func supported(a *answer.Answer) (holds, of int) {
	for _, s := range a.Sentences {
		if s.Note || a.Model != "" && !s.Model {
			continue
		}
		of++
		if s.Check == check.Covered {
			holds++
		}
	}
	return holds, of
}

// stepDetails says line by line what a stage of a run did.
func stepDetails(g *kg.Graph, run *engine.Run, r engine.StageRecord) []string {
	switch r.Stage {
	case engine.StageLink:
		return linkDetails(g, run)
	case engine.StagePlan:
		return planDetails(run)
	case engine.StageRetrieve:
		return retrieveDetails(g, run, r.Details)
	case engine.StageAnswer:
		return append(answerDetails(run), r.Details...)
	case engine.StageCheck:
		return checkDetails(run)
	}
	return nil
}

const maxDetailLines = 40

func linkDetails(g *kg.Graph, run *engine.Run) []string {
	var lines []string
	used, weak := namesOf(run)
	for i, m := range slices.Concat(used, weak) {
		may := fmt.Sprintf("“%s” may mean:", OneLine(m.Text))
		if i >= len(used) {
			may = fmt.Sprintf("Weak match, not used: “%s” may mean:", OneLine(m.Text))
		}
		lines = append(lines, may)
		for i, c := range m.Candidates {
			if i == 6 {
				lines = append(lines, fmt.Sprintf("      and %d more", len(m.Candidates)-i))
				break
			}
			about := c.Method.Words()
			if c.Distance > 0 {
				about += ", distance " + Distance(c.Distance)
			}
			if t := typeOf(g, c.Entity); t != "" {
				about = t + ", " + about
			}
			lines = append(lines, fmt.Sprintf("      %s (%s)", OneLine(g.Label(c.Entity)), about))
		}
	}
	if run.Plan != nil {
		for _, u := range run.Plan.Unlinked {
			lines = append(lines, fmt.Sprintf("“%s” looks like a name, but nothing in this graph is called that.", OneLine(u)))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "No name from this graph was found in the question.")
	}
	return limitLines(lines)
}

func planDetails(run *engine.Run) []string {
	if run.Plan == nil {
		return nil
	}
	lines := []string{"Planner: " + run.Plan.Planner}
	if run.Method.Seeded {
		begins := " needs no pattern: it starts from the entities that the question names."
		if run.Method.Reads {
			begins = " reads the question itself, as steps from the entities it names."
		}
		lines = []string{capitalFirst(run.Method.Who) + begins}
		if r := run.Region; r.Entities > 0 {
			lines = append(lines, fmt.Sprintf("Within reach: %s and %s, %s.", Plural(r.Entities, "entity", "entities"), Plural(r.Triples, "triple", "triples"), CompleteWords(r.Completeness)))
		}
		if r := run.Region; r.Method != "" {
			lines = append(lines, Sentence(OneLine(r.Method)))
		}
	}
	for _, why := range []string{stoodIn(run), Doubt(run)} {
		if why != "" {
			lines = append(lines, why)
		}
	}
	return limitLines(append(lines, readingLines(run)...))
}

// readingLines say the ways to read the question, and of the one that was followed where
// it comes from.
func readingLines(run *engine.Run) (lines []string) {
	for i, r := range run.Plan.Readings {
		row := ReadingRow{Chosen: i == run.Reading}
		score := fmt.Sprintf("score %.2f, higher is better", r.Score)
		if run.Method.Reads {
			score = "probability " + evidence.ProbabilityText(r.Score)
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", row.standing(), OneLine(r.Text), score))
		if len(r.Unused) > 0 {
			lines = append(lines, "      ignored words: "+List(r.Unused))
		}
		switch {
		case !row.Chosen:
		case run.Method.Reads:
			for n, step := range stepsRead(run) {
				lines = append(lines, fmt.Sprintf("      %d. %s", n+1, step))
			}
		default:
			lines = explanationLines(lines, r.Explanation, 1)
			if i == 0 {
				lines = append(lines, confidenceLines(run)...)
			}
			if r.Pattern != nil {
				lines = append(lines, PatternWords(r.Pattern)...)
			}
		}
	}
	return lines
}

// stepsRead say the steps that a retriever read the question as, each with its
// probability where that is known, and what else the step might have been at which it
// hesitated: its least probable one, unless that is all but sure.
func stepsRead(run *engine.Run) (lines []string) {
	const sure, most = 0.8, 4
	if !run.Method.Reads || run.Pattern() == nil || len(run.Plan.Readings[run.Reading].Explanation.Children) == 0 {
		for _, s := range run.Steps {
			lines = append(lines, OneLine(s))
		}
		return lines
	}
	steps := run.Plan.Readings[run.Reading].Explanation.Children
	said := func(x evidence.Explanation) string {
		return OneLine(x.Message) + " (" + evidence.ProbabilityText(x.Value) + ")"
	}
	least := slices.MinFunc(steps, func(a, b evidence.Explanation) int { return cmp.Compare(a.Value, b.Value) }).Value
	for _, s := range steps {
		line := said(s)
		if s.Value == least && s.Value < sure {
			line += ": uncertain here"
			others := wording.Each(s.Children[:min(len(s.Children), most)], said)
			if len(others) > 0 {
				line += ", it might also be " + wording.Choice(others)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// confidenceLines say how likely the first reading is right, and what speaks against it.
func confidenceLines(run *engine.Run) (lines []string) {
	p := run.Plan
	const most, least = 3, 0.1
	if p.Confidence == 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("      confidence %.2f: how often such readings are right", p.Confidence))
	for _, s := range p.Signs[:min(len(p.Signs), most)] {
		if s.Cost >= least {
			lines = append(lines, fmt.Sprintf("            −%.2f  %s", s.Cost, OneLine(s.Message)))
		}
	}
	return lines
}

// explanationLines appends the children of an explanation, indented.
func explanationLines(lines []string, x evidence.Explanation, depth int) []string {
	const maxDepth = 3
	if depth > maxDepth {
		return lines
	}
	for _, c := range x.Children {
		lines = append(lines, fmt.Sprintf("%*s%+.2f  %s", 6*depth, "", c.Value, OneLine(c.Message)))
		lines = explanationLines(lines, c, depth+1)
	}
	return lines
}

// retrieveDetails says what was looked through and what was found, with the parts of a
// distance or the scores. about is what is known of the retriever beside that.
func retrieveDetails(g *kg.Graph, run *engine.Run, about []string) []string {
	lines := []string{fmt.Sprintf("%s: %s, in %s.", capitalFirst(retrieverName(run)), retrieveSummary(run), Elapsed(run.Stats.Duration))}
	for _, d := range about {
		lines = append(lines, capitalFirst(OneLine(d)))
	}
	p := run.Matched()
	if st := run.Stats; p != nil {
		lines = append(lines, fmt.Sprintf("Explored %s, pruned %s, completed %s.",
			Plural(st.Considered, "partial match", "partial matches"), Count(st.Pruned), Plural(st.Found, "match", "matches")))
	}
	if r := run.Region; r.Entities > 0 {
		lines = append(lines, fmt.Sprintf("Searched %s and %s: %s", Plural(r.Entities, "entity", "entities"), Plural(r.Triples, "triple", "triples"), OneLine(r.Method)))
	}
	if run.Pattern() == nil { // else the plan says it
		for i, step := range stepsRead(run) {
			lines = append(lines, fmt.Sprintf("%d. %s", i+1, step))
		}
	}
	lines = append(lines, notes(run)...)
	if run.Vectors != "" {
		lines = append(lines, OneLine(run.Vectors))
	}
	if p != nil {
		return limitLines(append(lines, tableLines(g, run)...))
	}
	if t := ScaleTitle(run); t != "" {
		lines = append(lines, t+":")
	}
	for _, a := range run.Answers {
		lines = append(lines, "      "+ScoreText(a.Score)+"  "+OneLine(a.Label(g)))
	}
	for _, x := range RunnersUp(run) {
		lines = append(lines, "      "+ScoreText(x.Score)+"  "+OneLine(x.Label(g))+", not selected")
	}
	return limitLines(lines)
}

// tableLines say the best match of the pattern part by part.
func tableLines(g *kg.Graph, run *engine.Run) []string {
	c, ok := BestCandidate(run)
	if !ok {
		return nil
	}
	rows, total := PatternTable(g, run.Matched(), c)
	not := NoMatch(run, rows)
	if not == "" && run.Matched().IsFixed() {
		lines := []string{"Exact match of the planned pattern; planning had already settled its names and relations."}
		for _, r := range rows {
			lines = append(lines, fmt.Sprintf("      %s: %s", r.Asked, r.Found))
		}
		return lines
	}
	lines := []string{cmp.Or(not, "Distance of the best match, part by part (lower is closer):")}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("      %-5s  %s: %s", PartOf(r), r.Asked, r.Found))
	}
	if not == "" {
		lines = append(lines, "      "+PartText(total)+"  in total")
	}
	return lines
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
		lines = append(lines, "Written without the model: nothing that "+a.Model+" wrote passed the check.")
	case a.Model != "":
		lines = append(lines, "Written by the model "+a.Model+" from the evidence alone.")
	case a.NotWorded != "":
		lines = append(lines, "Written directly from "+from+".", notWorded(run))
	default:
		lines = append(lines, "Written directly from "+from+"; no language model was used.")
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
		line := "Sentence " + strconv.Itoa(i+1) + ": " + s.Check.Words()
		if s.Reason != "" && s.Check != check.Covered {
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
	said, _ := Glance(run)
	if run.Region.Entities > 0 {
		said += " · " + Plural(run.Region.Entities, "entity", "entities") + " scored"
	}
	return said + " · " + Took(run)
}

// Took says how long a run took.
func Took(run *engine.Run) string {
	var total time.Duration
	for _, r := range run.Stages {
		total += r.Duration
	}
	return Elapsed(total)
}

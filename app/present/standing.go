package present

import (
	"strconv"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// Standing is what the triples that a run shows are to its question. Whatever shows
// them says it: what comes close to an answer must not look like one.
type Standing int

// The standings.
const (
	answering   Standing = iota // an answer rests on them
	supporting                  // they say what is claimed
	refuting                    // they speak against a claim
	undeciding                  // what there is beside a claim that they neither say nor deny
	comingClose                 // what comes closest to what was looked for
)

// StandingOf returns the standing of what a run shows.
func StandingOf(run *engine.Run) Standing {
	if run == nil || run.Answer == nil {
		return answering
	}
	switch run.Answer.Verdict {
	case answer.NoVerdict:
	case answer.Supported, answer.Likely:
		return supporting
	case answer.Refuted:
		return refuting
	case answer.NotFound:
		return undeciding
	}
	if run.Answer.Refusal != nil {
		return comingClose
	}
	return answering
}

// String returns the standing as the title of what has it.
func (s Standing) String() string {
	return [...]string{
		"Evidence", "Evidence for the claim", "Evidence against the claim",
		"The closest match (it does not decide the claim)", "The closest match (not an answer)",
	}[s]
}

// Word is the standing in a word, for programs.
func (s Standing) Word() string {
	return [...]string{"answers", "supports", "refutes", "closest", "closest"}[s]
}

// IsEvidence reports whether something rests on what has the standing.
func (s Standing) IsEvidence() bool { return s != undeciding && s != comingClose }

// ToneOf is the tone that the window shows an answer in: a doubtful one where a name was
// not taken literally, or the planner has a doubt.
func ToneOf(run *engine.Run) Tone {
	_, tone := Glance(run)
	if tone == Good && (isCut(run) || isDoubted(run)) {
		return Doubtful
	}
	return tone
}

// isDoubted reports whether a name was not taken literally, or the planner has a doubt.
func isDoubted(run *engine.Run) bool {
	for range taken(run) {
		return true
	}
	return run.Plan != nil && (run.Plan.Doubt == plan.Unsure || run.Plan.Doubt == plan.Ambiguous)
}

// Unsaid says what no triple says of a claim that is likely; "" for others.
func Unsaid(run *engine.Run) string {
	if run == nil || run.Answer == nil || run.Answer.Verdict != answer.Likely || len(run.Answer.Sentences) == 0 || !run.Answer.Sentences[0].Note {
		return ""
	}
	return OneLine(run.Answer.Sentences[0].Text)
}

// isCut reports whether the search ended before it had seen all answers.
func isCut(run *engine.Run) bool {
	return run.Answer.Verdict == answer.NoVerdict && (run.Completeness == evidence.TimedOut || run.Completeness == evidence.CutByBudget)
}

// Sure reports whether the window shows an answer, or a verdict, without any doubt.
func Sure(run *engine.Run) bool {
	tone := ToneOf(run)
	return tone == Good || tone == Bad
}

// What Confidence says of an answer.
const (
	Certain = "sure"
	Likely  = "likely"
	Refused = "refused"
)

// Confidence says how sure a run is of its answer, or verdict.
func Confidence(run *engine.Run) string {
	a := run.Answer
	switch {
	case a == nil, a.Verdict == answer.NotFound, a.Refusal != nil:
		return Refused
	case !Sure(run):
		return Likely
	}
	return Certain
}

// Answers are what a run answers, each by the names that it may go by; nil where it
// refuses.
func Answers(g *kg.Graph, run *engine.Run) [][]string {
	a := run.Answer
	switch {
	case a == nil || a.Refusal != nil || a.Verdict == answer.NotFound:
		return nil
	case a.Verdict == answer.Supported, a.Verdict == answer.Likely:
		return [][]string{{"yes", "true", a.Verdict.Words()}}
	case a.Verdict == answer.Refuted:
		return [][]string{{"no", "false", "refuted"}}
	case isCount(run):
		return [][]string{{strconv.Itoa(a.Count)}}
	}
	return wording.Each(a.Items, func(item answer.Item) []string { return []string{item.Label, item.Key(g)} })
}

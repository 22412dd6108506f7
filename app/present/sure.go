package present

import (
	"strconv"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/plan"
)

// ToneOf is the tone that the window shows an answer in: a doubtful one where a name was
// not taken literally, or the planner has a doubt.
func ToneOf(g *kg.Graph, run *engine.Run) Tone {
	_, tone := Glance(run)
	if tone == Good && (len(Taken(g, run)) > 0 || run.Plan != nil && (run.Plan.Doubt == plan.Unsure || run.Plan.Doubt == plan.Ambiguous)) {
		return Doubtful
	}
	return tone
}

// Sure reports whether the window shows an answer, or a verdict, without any doubt.
func Sure(g *kg.Graph, run *engine.Run) bool {
	tone := ToneOf(g, run)
	return tone == Good || tone == Bad
}

// Answers are what a run answers, each by the names that it may go by; nil where it
// refuses.
func Answers(g *kg.Graph, run *engine.Run) [][]string {
	a := run.Answer
	switch {
	case a == nil || a.Refusal != nil || a.Verdict == answer.NotFound:
		return nil
	case a.Verdict == answer.Supported:
		return [][]string{{"yes", "true", "supported"}}
	case a.Verdict == answer.Refuted:
		return [][]string{{"no", "false", "refuted"}}
	case isCount(run):
		return [][]string{{strconv.Itoa(a.Count)}}
	}
	var answers [][]string
	for _, item := range a.Items {
		answers = append(answers, []string{item.Label, item.Key(g)})
	}
	return answers
}

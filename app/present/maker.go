package present

import (
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
)

// Maker says who did one part of the work on an answer, and at what cost.
type Maker struct {
	Part string // "Read by" or "Worded by"
	Who  string // "qwen3:4b (2c9f41ab)", "the built-in planner"
	Cost string // "640 + 120 tokens · 5.1 s"; empty where no model was asked
	// Instead says why it was not the model that was asked, in a sentence; empty
	// where it was, or where none was asked.
	Instead string
	name    string // Who, without what is said about it
}

// modelAsked reports whether a model had to do with a run, be it in vain.
func modelAsked(run *engine.Run) bool {
	if run == nil {
		return false
	}
	_, planned := planningModel(run)
	return planned || len(run.Exchanges) > 0 || run.Answer != nil && run.Answer.Model != "" || stoodIn(run) != "" || notWorded(run) != ""
}

// Makers lists who read the question and who worded the answer of a run that a
// model had to do with; nil for any other.
func Makers(run *engine.Run) []Maker {
	if !modelAsked(run) {
		return nil
	}
	read := readBy(run)
	if run.Answer == nil || run.Answer.Refusal != nil {
		return []Maker{read}
	}
	worded := wordedBy(run)
	// Where both failed for one reason, such as a server that does not run, it is
	// said once.
	if _, why, ok := strings.Cut(worded.Instead, ": "); ok && strings.Contains(read.Instead, strings.TrimSuffix(why, ".")) {
		worded.Instead = "For the same reason, the model did not write the answer."
	}
	return []Maker{read, worded}
}

func readBy(run *engine.Run) Maker {
	m := Maker{Part: "Read by", Cost: cost(run, engine.StagePlan), Instead: stoodIn(run)}
	if run.Plan != nil {
		m.name = plannerName(run.Plan.Planner)
	}
	if run.Method.Seeded {
		m.name = retrieverName(run)
	}
	m.Who = m.name
	if model, ok := planningModel(run); ok {
		m.Who = named(run, engine.StagePlan, model)
	}
	return m
}

// plannerName is the name of a planner for people: a model's own name.
func plannerName(planner string) string {
	if planner == "built-in" {
		return "the built-in planner"
	}
	return strings.TrimPrefix(planner, modelPlanner)
}

// modelPlanner is how the names of planners begin that ask a model.
const modelPlanner = "model "

func wordedBy(run *engine.Run) Maker {
	m := Maker{Part: "Written by", Who: "Cairn, from " + supports(run) + " alone", Cost: cost(run, engine.StageAnswer), Instead: notWorded(run), name: "Cairn"}
	if name := run.Answer.Model; name != "" {
		m.name = name
		m.Who = named(run, engine.StageAnswer, name)
		if !passed(run.Answer) {
			m.name = "Cairn"
			m.Who = "Cairn, because nothing " + m.Who + " wrote passed the check"
		}
	}
	return m
}

// supports says what the answers of a run rest on.
func supports(run *engine.Run) string {
	if run.Method.Seeded {
		return "the paths"
	}
	return "the matches"
}

// passed reports whether a sentence that a model wrote passed the check. Where
// none did, Cairn's own sentences come first and are the answer.
func passed(a *answer.Answer) bool {
	return slices.ContainsFunc(a.Sentences, func(s answer.Sentence) bool {
		return s.Model && (s.Check == check.Covered || s.Check == check.Unchecked)
	})
}

// planningModel returns the model that made the plan, if one did.
func planningModel(run *engine.Run) (string, bool) {
	if run.Plan == nil {
		return "", false
	}
	return strings.CutPrefix(run.Plan.Planner, modelPlanner)
}

// stoodIn says in a sentence why another planner stood in for the one that was
// asked, or returns "".
func stoodIn(run *engine.Run) string {
	if run == nil || run.Plan == nil {
		return ""
	}
	return Sentence(OneLine(run.Plan.StoodIn))
}

// notWorded says in a sentence why a model that was asked to did not word the
// answer, or returns "".
func notWorded(run *engine.Run) string {
	if run == nil || run.Answer == nil {
		return ""
	}
	return Sentence(OneLine(run.Answer.NotWorded))
}

// named is a model's name with the beginning of its digest, where the requests
// of a stage know it.
func named(run *engine.Run, s engine.Stage, name string) string {
	const enough = 8 // digits, to tell two weights apart
	for _, x := range run.Exchanges {
		if x.Stage == s && x.Model == name && x.Digest != "" {
			digest := strings.TrimPrefix(x.Digest, "sha256:")
			return name + " (" + digest[:min(len(digest), enough)] + ")"
		}
	}
	return name
}

// cost sums up what the requests of a stage took; "" where there were none.
func cost(run *engine.Run, s engine.Stage) string {
	var n, read, written int
	var took time.Duration
	for _, x := range run.Exchanges {
		if x.Stage == s {
			n++
			read += x.PromptTokens
			written += x.ReplyTokens
			took += x.Duration
		}
	}
	if n == 0 {
		return ""
	}
	var said []string
	if n > 1 {
		said = append(said, Plural(n, "request", "requests"))
	}
	if read+written > 0 {
		said = append(said, Count(read)+" + "+Count(written)+" tokens")
	}
	return strings.Join(append(said, Elapsed(took)), " · ")
}

// MadeBy says in one line who read the question and who worded the answer; ""
// where no model had to do with it.
func MadeBy(run *engine.Run) string {
	makers := Makers(run)
	switch {
	case len(makers) == 0:
		return ""
	case len(makers) == 1:
		return "Read by " + makers[0].name
	case makers[0].name == makers[1].name:
		return "Read and written by " + makers[0].name + ", checked by Cairn"
	case makers[1].name == "Cairn":
		return "Read by " + makers[0].name + ", written by Cairn"
	}
	return "Read by " + makers[0].name + ", written by " + makers[1].name + ", checked by Cairn"
}

// MakerLines are the makers as lines of text.
func MakerLines(run *engine.Run) []string {
	var lines []string
	for _, m := range Makers(run) {
		line := m.Part + " " + m.Who
		if m.Cost != "" {
			line += " · " + m.Cost
		}
		lines = append(lines, line)
		if m.Instead != "" {
			lines = append(lines, m.Instead)
		}
	}
	return lines
}

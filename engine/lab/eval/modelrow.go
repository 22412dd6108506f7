package eval

import (
	"slices"
	"strings"
	"time"
)

// ModelRow is what a model did in one part of a set.
type ModelRow struct {
	N int `json:"n"`
	// Planned counts the questions by whose plan was followed: the model's, the
	// built-in planner's where it stood in or had better evidence, or both.
	Planned map[string]int `json:"planned"`
	// Repaired counts the questions whose pattern the model was asked to put right.
	Repaired int `json:"repaired"`
	// Worded counts the questions whose answer the model worded; Checks are the
	// check's verdicts on its sentences.
	Worded int            `json:"worded"`
	Checks map[string]int `json:"checks"`
	// Errors count the requests that failed, by what was wrong.
	Errors map[string]int `json:"errors"`
	Costs  []Cost         `json:"costs"`
	// Claims are FactKG's accuracy; nil for questions.
	Claims *FactKG `json:"claims,omitempty"`
}

// FactKG is the accuracy on claims as SimGRAG's code counts it: right where the
// gold word, true or false, is anywhere in the lower-cased reply. The reply is
// Cairn's verdict as that word, "false" for what is not found, and after it what
// the model wrote. A reply with both words is right in any case: Both counts them.
type FactKG struct {
	N     int `json:"n"`
	Right int `json:"right"`
	Both  int `json:"both"`
}

// Cost is what one kind of request took.
type Cost struct {
	Step         string        `json:"step"`
	Questions    int           `json:"questions"` // that needed one
	Requests     int           `json:"requests"`
	Failed       int           `json:"failed"`
	PromptTokens int           `json:"prompt_tokens"`
	ReplyTokens  int           `json:"reply_tokens"`
	Duration     time.Duration `json:"duration"`
}

// The steps that requests are counted by. Any other purpose is a step of its own.
const (
	stepSamples = "further samples"
	stepRepair  = "pattern repaired"
	stepAnswer  = "answer"
	stepAgain   = "answer put right"
	stepAll     = "all"
)

// stepOf sorts a request by its purpose.
func stepOf(purpose string) string {
	switch {
	case strings.HasSuffix(purpose, ", repaired"):
		return stepRepair
	case strings.HasSuffix(purpose, ", again"):
		return stepAgain
	case strings.HasPrefix(purpose, "pattern, sample"):
		return stepSamples
	case purpose == "claim":
		return stepAnswer
	}
	return purpose
}

func newModelRow() *ModelRow {
	return &ModelRow{Planned: map[string]int{}, Checks: map[string]int{}, Errors: map[string]int{}}
}

// add counts one question.
func (m *ModelRow) add(q Question, r *Record) {
	m.N++
	m.Planned[r.Planner]++
	m.spend(r)
	if r.Said != nil {
		m.Worded++
	}
	for _, s := range r.Said {
		m.Checks[s.Check]++
	}
	if q.Label != nil {
		m.claim(*q.Label, r)
	}
}

func (m *ModelRow) claim(label bool, r *Record) {
	if m.Claims == nil {
		m.Claims = &FactKG{}
	}
	words := [2]string{"false", "true"}
	verdict := words[0]
	if r.holds() {
		verdict = words[1]
	}
	reply := strings.ToLower(verdict + "\n" + strings.Join(r.text(), "\n"))
	gold := words[0]
	if label {
		gold = words[1]
	}
	m.Claims.N++
	count(&m.Claims.Right, strings.Contains(reply, gold))
	count(&m.Claims.Both, strings.Contains(reply, words[0]) && strings.Contains(reply, words[1]))
}

// spend counts the requests of one question.
func (m *ModelRow) spend(r *Record) {
	var steps []string
	for _, x := range r.Requests {
		step := stepOf(x.Purpose)
		first := !slices.Contains(steps, step)
		for _, s := range []string{step, stepAll} {
			c := m.cost(s)
			count(&c.Questions, first && s == step || len(steps) == 0 && s == stepAll)
			c.Requests++
			count(&c.Failed, x.Err != "")
			c.PromptTokens += x.PromptTokens
			c.ReplyTokens += x.ReplyTokens
			c.Duration += x.Duration
		}
		steps = append(steps, step)
		if x.Err != "" {
			kind, _, _ := strings.Cut(x.Err, " (")
			kind, _, _ = strings.Cut(kind, ";")
			m.Errors[kind]++
		}
	}
	count(&m.Repaired, slices.Contains(steps, stepRepair))
}

// cost returns the cost of a step. They stand in the order in which a question
// takes them, and their sum is the last.
func (m *ModelRow) cost(step string) *Cost {
	at := func(step string) int {
		return slices.Index([]string{stepSamples, stepRepair, stepAnswer, stepAgain, stepAll}, step) // -1 for the first ones
	}
	i := slices.IndexFunc(m.Costs, func(c Cost) bool { return at(c.Step) > at(step) || c.Step == step })
	switch {
	case i < 0:
		i = len(m.Costs)
		m.Costs = append(m.Costs, Cost{Step: step})
	case m.Costs[i].Step != step:
		m.Costs = slices.Insert(m.Costs, i, Cost{Step: step})
	}
	return &m.Costs[i]
}

package cli

import (
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/plan/words"
	"cairn/engine/report"
	"cairn/internal/wording"
)

// runResult is what ask --json writes.
type runResult struct {
	Question string         `json:"question"`
	Graph    graphResult    `json:"graph"`
	Outcome  string         `json:"outcome"` // answered, supported, refuted, not found, no answer
	Headline string         `json:"headline"`
	Answers  []answerResult `json:"answers"`
	Count    int            `json:"count"`
	// Excluded are what is no answer because of what triples say, the first of
	// ExcludedCount.
	Excluded      []excludedResult  `json:"excluded,omitempty"`
	ExcludedCount int               `json:"excluded_count,omitempty"`
	Sentences     []report.Sentence `json:"sentences"`
	Missing       []string          `json:"missing,omitempty"`
	Doubt         string            `json:"doubt,omitempty"`
	// Chosen says what others said that the automatic choice asked, and Rival which of
	// them says otherwise, as --retriever takes it.
	Chosen []string `json:"chosen,omitempty"`
	Rival  string   `json:"rival,omitempty"`
	// MadeBy says who read the question and who worded the answer, and why a model
	// that was asked did not.
	MadeBy   []string        `json:"made_by,omitempty"`
	Evidence []report.Triple `json:"evidence"`
	// EvidenceIs says what Evidence is to the question: it answers, supports or
	// refutes, or is the closest that was found.
	EvidenceIs string `json:"evidence_is"`
	Pattern    string `json:"pattern"` // as --pattern takes it
	Planner    string `json:"planner"`
	Retriever  string `json:"retriever"` // as --retriever takes it
	// Ranked are the answers of a method that matches no pattern, best first, with
	// their paths.
	Ranked   []rankedResult `json:"ranked,omitempty"`
	Model    string         `json:"model,omitempty"`
	Reading  int            `json:"reading"` // from 1; 0 for none
	Readings []string       `json:"readings"`
	// Remembered is what ask --remember kept; absent where that is nothing.
	Remembered *words.Choice `json:"remembered,omitempty"`
	// WhatIf is what ask --without changed; absent for the whole graph.
	WhatIf *present.WhatIf `json:"what_if,omitempty"`
	// Words are those of the question, with what the reading makes of each.
	Words []present.WordRow `json:"words,omitempty"`
	// Probabilities are those of Readings, where the retriever read the question.
	Probabilities []float64 `json:"reading_probabilities,omitempty"`
	// Distance is of the best match, 0 is exact; absent where there is none.
	Distance     *float64     `json:"distance,omitempty"`
	Completeness string       `json:"completeness"`
	Steps        []stepResult `json:"steps"`
	// Exchanges are what was sent to a model and what it said, whole.
	Exchanges []engine.Exchange `json:"exchanges,omitempty"`
}

type graphResult struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Entities  int    `json:"entities"`
	Relations int    `json:"relations"`
	Triples   int    `json:"triples"`
	Types     int    `json:"types"`
}

type answerResult struct {
	Label     string  `json:"label"`
	Key       string  `json:"key"`
	Citations []int   `json:"citations"`
	Distance  float64 `json:"distance"`
	// Amount is what was measured for it, or what it is ranked by.
	Amount *evidence.Amount `json:"amount,omitempty"`
	// Conditions are those of the question, where the method tells them apart.
	Conditions []present.ConditionRow `json:"conditions,omitempty"`
}

type excludedResult struct {
	Label   string   `json:"label"`
	Key     string   `json:"key"`
	Why     string   `json:"why"`
	Triples []string `json:"triples"`
}

type rankedResult struct {
	Label string `json:"label"`
	Key   string `json:"key"`
	// Probability is in [0, 1], higher is more likely; 0 where Score has another scale.
	Probability float64        `json:"probability"`
	Score       evidence.Score `json:"score"`
	Paths       []string       `json:"paths"`
}

type stepResult struct {
	Step         string  `json:"step"`
	Milliseconds float64 `json:"milliseconds"`
	Summary      string  `json:"summary"`
}

// runJSON puts a run into the form that --json promises: labels and sources
// rather than ids, which mean nothing outside one file.
func (s *session) runJSON(e *engine.Engine, run *engine.Run, page report.Report) runResult {
	g := e.Graph()
	r := runResult{
		Question: run.Question, Headline: page.Headline, Outcome: outcomeWord(run),
		Graph: graphResult{
			Name: page.Graph.Name, Path: page.Graph.Path, Entities: g.Entities(), Relations: g.Relations(), Triples: g.Triples(), Types: g.NumTypes(),
		},
		Missing: page.Missing, Doubt: present.Doubt(run), Chosen: present.Chosen(run), Rival: run.Rival, MadeBy: page.Makers, Pattern: page.Reading, EvidenceIs: present.StandingOf(run).Word(),
		Completeness: present.CompleteWords(run.Completeness), Reading: run.Reading + 1, Exchanges: run.Exchanges,
		Answers: []answerResult{}, Sentences: []report.Sentence{}, Evidence: []report.Triple{}, Readings: []string{},
	}
	if page.NoMatch == "" && len(page.Pattern) > 0 {
		r.Distance = &page.Distance
	}
	if r.Retriever = run.Method.ID; run.Method.Seeded {
		r.Ranked = rankedResults(g, run)
	}
	if run.Plan != nil {
		r.Planner = run.Plan.Planner
		for _, x := range run.Plan.Readings {
			r.Readings = append(r.Readings, x.Text)
			if run.Method.Reads {
				r.Probabilities = append(r.Probabilities, x.Score)
			}
		}
	}
	for _, w := range present.Words(run) {
		if !w.Gap {
			r.Words = append(r.Words, w)
		}
	}
	if a := run.Answer; a != nil {
		r.Count, r.Model = a.Count, a.Model
		for _, it := range a.Items {
			r.Answers = append(r.Answers, answerResult{
				Label: it.Label, Key: it.Key(g), Citations: append([]int{}, it.Citations...), Distance: it.Distance, Amount: it.Amount, Conditions: present.Conditions(g, run, it.Entity),
			})
		}
	}
	r.ExcludedCount = run.ExcludedCount
	for _, x := range run.Excluded {
		triples := wording.Each(x.Triples, func(t kg.TripleID) string { return present.TripleText(g, t) })
		r.Excluded = append(r.Excluded, excludedResult{Label: g.Label(x.Entity), Key: g.Key(x.Entity), Why: x.Why, Triples: triples})
	}
	for _, x := range page.Sentences {
		x.Citations = append([]int{}, x.Citations...)
		r.Sentences = append(r.Sentences, x)
	}
	r.Evidence = append(r.Evidence, page.Evidence...)
	for _, st := range run.Stages {
		r.Steps = append(r.Steps, stepResult{Step: st.Stage.String(), Milliseconds: float64(st.Duration.Microseconds()) / 1000, Summary: present.Ended(g, run, st).Summary})
	}
	return r
}

func rankedResults(g *kg.Graph, run *engine.Run) []rankedResult {
	results := make([]rankedResult, 0, len(run.Answers))
	for _, a := range run.Answers {
		r := rankedResult{Label: a.Label(g), Key: a.Key(g), Score: a.Score}
		r.Paths = wording.Each(run.SupportsOf(a), func(p evidence.Candidate) string { return present.PathText(g, p) })
		if a.Score.Scale == evidence.Probability {
			r.Probability = a.Score.Value
		}
		results = append(results, r)
	}
	return results
}

func outcomeWord(run *engine.Run) string {
	switch a := run.Answer; {
	case a == nil:
		return "no answer"
	case a.Verdict == answer.NotFound:
		return "not found"
	case a.Verdict != answer.NoVerdict:
		return a.Verdict.Words()
	case a.Refusal != nil:
		return "no answer"
	case run.Partial():
		return "answered in part"
	}
	return "answered"
}

package present

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// PastAnswer is what a record of the history says was answered.
type PastAnswer struct {
	Question  string
	When      string
	Headline  string
	Sentences []SentenceRow
	Makers    []string // who read and worded it, where a model had to do with it
	Evidence  []string // the triples cited, as the graph has them now
	// Prompts are what a model was asked.
	Prompts []PromptRow
}

// pastRun is what is read of a record: words, for its numbers mean nothing
// without the code that wrote them.
type pastRun struct {
	Question  string            `json:"question"`
	Started   time.Time         `json:"started"`
	Retriever string            `json:"retriever"`
	By        string            `json:"by"`
	Notes     []string          `json:"notes"`
	Answers   []evidence.Answer `json:"answers"`
	// Ranking is where records of before 0.3 have the three.
	Ranking *struct {
		Retriever string   `json:"retriever"`
		Notes     []string `json:"notes"`
		Answers   []struct {
			Entity      kg.EntityID `json:"entity"`
			Probability float64     `json:"probability"`
		} `json:"answers"`
	} `json:"ranking"`
	Plan *struct {
		Planner string `json:"planner"`
		StoodIn string `json:"stood_in"`
	} `json:"plan"`
	Answer *struct {
		Verdict   string `json:"verdict"`
		Count     int    `json:"count"`
		Model     string `json:"model"`
		NotWorded string `json:"not_worded"`
		Sentences []struct {
			Text      string `json:"text"`
			Citations []int  `json:"citations"`
			Check     string `json:"check"`
			Note      bool   `json:"note"`
			Model     bool   `json:"model"`
			Reason    string `json:"reason"`
		} `json:"sentences"`
		Items []struct {
			Label string `json:"label"`
		} `json:"items"`
		Pack struct {
			Triples []kg.TripleID `json:"triples"`
		} `json:"pack"`
		Refusal *struct {
			Reason string `json:"reason"`
		} `json:"refusal"`
	} `json:"answer"`
	Exchanges []json.RawMessage `json:"exchanges"`
}

// errNoRecord is returned for a record that says nothing.
var errNoRecord = errors.New("the record of this question cannot be read; ask it again")

// ReadPast reads a record of the history. g is the graph that was asked, as it
// is now.
func ReadPast(record []byte, g *kg.Graph) (PastAnswer, error) {
	var run pastRun
	if err := json.Unmarshal(record, &run); err != nil || run.Answer == nil {
		return PastAnswer{}, errNoRecord
	}
	run.migrate()
	past := PastAnswer{
		Question: OneLine(run.Question), When: run.Started.Local().Format("2 January 2006, 15:04"), Headline: pastHeadline(run),
	}
	for _, s := range run.Answer.Sentences {
		past.Sentences = append(past.Sentences, sentenceRow(answer.Sentence{
			Text: s.Text, Citations: s.Citations, Check: checkOf(s.Check), Reason: s.Reason, Note: s.Note, Model: s.Model,
		}))
	}
	if run.Answer.Refusal != nil && len(past.Sentences) == 0 {
		past.Sentences = []SentenceRow{{Text: Sentence(OneLine(run.Answer.Refusal.Reason)), Note: true}}
	}
	past.Makers = append(past.Makers, pastNetwork(run, g)...)
	if run.Plan != nil && run.By == "" {
		past.Makers = append(past.Makers, "Read by "+plannerName(OneLine(run.Plan.Planner)))
		if run.Plan.StoodIn != "" {
			past.Makers = append(past.Makers, Sentence(OneLine(run.Plan.StoodIn)))
		}
	}
	if run.Answer.NotWorded != "" {
		past.Makers = append(past.Makers, Sentence(OneLine(run.Answer.NotWorded)))
	}
	if m := run.Answer.Model; m != "" && slices.ContainsFunc(past.Sentences, func(r SentenceRow) bool { return r.Model && (r.Good || r.Check == "") }) {
		past.Makers = append(past.Makers, fmt.Sprintf("Worded by %s, checked against %s", OneLine(m), Plural(len(run.Answer.Pack.Triples), "triple", "triples")))
	}
	for i, t := range run.Answer.Pack.Triples {
		if int(t) < g.Triples() { // ids of a graph never change
			past.Evidence = append(past.Evidence, Tag(i+1)+"  "+TripleText(g, t))
		}
	}
	past.Prompts = pastPrompts(run.Exchanges)
	return past, nil
}

// migrate reads what records of other times have elsewhere.
func (run *pastRun) migrate() {
	if r := run.Ranking; r != nil {
		run.By, run.Notes = r.Retriever, r.Notes
		for _, a := range r.Answers {
			run.Answers = append(run.Answers, evidence.Answer{Entity: a.Entity, Score: evidence.Score{Value: a.Probability, Scale: evidence.Probability}})
		}
	}
}

// likely reports whether the answers were more or less probable.
func (run *pastRun) likely() bool {
	return len(run.Answers) > 0 && run.Answers[0].Score.Scale == evidence.Probability
}

func pastHeadline(run pastRun) string {
	a := run.Answer
	switch {
	case a.Verdict != "":
		return capitalFirst(a.Verdict)
	case a.Refusal != nil:
		return "No answer in this graph"
	case len(a.Items) == 1 && run.likely():
		return "Likely: " + OneLine(a.Items[0].Label)
	case run.likely() && max(a.Count, len(a.Items)) > 1:
		return Count(max(a.Count, len(a.Items))) + " ranked answers"
	case len(a.Items) == 1:
		return OneLine(a.Items[0].Label)
	case max(a.Count, len(a.Items)) > 1:
		return Count(max(a.Count, len(a.Items))) + " answers"
	}
	return "Answer"
}

// pastNetwork says what was found that has an answer of the history.
func pastNetwork(run pastRun, g *kg.Graph) []string {
	if run.By == "" {
		return nil
	}
	lines := []string{"Found by " + OneLine(run.By)}
	const shown = 5
	for i, a := range run.Answers {
		if i == shown {
			lines = append(lines, "and "+Plural(len(run.Answers)-i, "more answer", "more answers"))
			break
		}
		if int(a.Entity) < g.Entities() { // ids of a graph never change
			lines = append(lines, strings.TrimSuffix(OneLine(g.Label(a.Entity))+": "+scoreWords(a.Score), ": "))
		}
	}
	for _, n := range run.Notes {
		lines = append(lines, Sentence(OneLine(n)))
	}
	return lines
}

// checkOf is the check of a word.
func checkOf(word string) answer.Check {
	for c := answer.Unchecked; c.String() != unknownCheck; c++ {
		if c.String() == word {
			return c
		}
	}
	return answer.Unchecked
}

// unknownCheck is what a number says that is no check.
var unknownCheck = answer.Check(-1).String()

// pastPrompts are the requests of a record.
func pastPrompts(exchanges []json.RawMessage) []PromptRow {
	var rows []PromptRow
	for i, raw := range exchanges {
		var stage struct {
			Stage string `json:"stage"`
		}
		var x engine.Exchange
		if json.Unmarshal(raw, &stage) != nil || json.Unmarshal(raw, &x.Exchange) != nil {
			continue
		}
		for _, s := range engine.Stages {
			if s.String() == stage.Stage {
				x.Stage = s
			}
		}
		rows = append(rows, promptRow(i+1, x))
	}
	return rows
}

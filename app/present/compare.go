package present

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// OpinionRow is what one retriever said in a comparison.
type OpinionRow struct {
	Letter    string `json:"letter"` // stands for it in the rest of the comparison
	ID        string `json:"retriever"`
	Retriever string `json:"title"`
	// Answer is the outcome at a glance, or why there is none.
	Answer string `json:"answer"`
	Tone   Tone   `json:"-"`
	Sure   bool   `json:"sure"`
	// Evidence is the number of triples that the answer rests on, and Words how many tokens
	// these have in words, for whoever is to read them.
	Evidence     int     `json:"evidence"`
	Words        int     `json:"evidence_tokens"`
	Completeness string  `json:"completeness,omitempty"`
	Milliseconds float64 `json:"milliseconds"`
	// Calls and Tokens are what a model was asked, prompts and replies together.
	Calls  int `json:"model_calls"`
	Tokens int `json:"model_tokens"`
	// Remedy is set where it could not be asked.
	Remedy string `json:"remedy,omitempty"`
}

// Line says the rest of it, after the answer.
func (o OpinionRow) Line() string {
	parts := []string{"not sure"}
	if o.Sure {
		parts[0] = "sure"
	}
	parts = append(parts, Plural(o.Evidence, "triple", "triples")+", "+Plural(o.Words, "token", "tokens"), o.Completeness, Elapsed(time.Duration(o.Milliseconds*float64(time.Millisecond))))
	if o.Calls > 0 {
		parts = append(parts, fmt.Sprintf("%s to a model, %s", Plural(o.Calls, "call", "calls"), Plural(o.Tokens, "token", "tokens")))
	}
	return strings.Join(parts, " · ")
}

// SharedRow is an answer, or a triple, and who found it.
type SharedRow struct {
	Text string `json:"text"`
	Key  string `json:"key,omitempty"` // of an entity
	By   string `json:"by"`            // the letters of retrievers: "AC"
}

// ComparisonRows is a comparison as it is shown.
type ComparisonRows struct {
	Question string       `json:"question"`
	Headline string       `json:"headline"`
	Agree    float64      `json:"agreement"` // see engine.Comparison
	Opinions []OpinionRow `json:"opinions"`
	Answers  []SharedRow  `json:"answers"`
	Evidence []SharedRow  `json:"evidence"`
}

// letter stands for the i-th retriever of a comparison.
func letter(i int) string { return string(rune('A' + i)) }

// letters stand for retrievers.
func letters(by []int) string {
	return strings.Join(wording.Each(by, letter), "")
}

// Compare puts a comparison into rows.
func Compare(g *kg.Graph, c *engine.Comparison) ComparisonRows {
	rows := ComparisonRows{Question: OneLine(c.Question), Headline: agreeing(c), Agree: c.Agreement, Answers: []SharedRow{}, Evidence: []SharedRow{}}
	for i, op := range c.Opinions {
		row := OpinionRow{Letter: letter(i), ID: op.Method.ID, Retriever: op.Method.Title, Milliseconds: float64(op.Duration.Microseconds()) / 1000}
		if run := op.Run; run == nil {
			row.Answer, row.Remedy = Explain(op.Err)
		} else {
			row.Answer, _ = Glance(run)
			row.Tone, row.Sure, row.Completeness = ToneOf(run), Sure(run), CompleteWords(run.Completeness)
			row.Calls = len(run.Exchanges)
			for _, x := range run.Exchanges {
				row.Tokens += x.PromptTokens + x.ReplyTokens
			}
			if StandingOf(run).IsEvidence() {
				row.Evidence = len(run.Answer.Pack.Triples)
				for _, t := range run.Answer.Pack.Triples {
					row.Words += llm.EstimateTokens(say.Triple(g, t)) + 1 // and the line's end
				}
			}
		}
		rows.Opinions = append(rows.Opinions, row)
	}
	for _, a := range c.Answers {
		row := SharedRow{Text: OneLine(a.Label), By: letters(a.By)}
		if a.Entity != kg.NoEntity {
			row.Key = g.Key(a.Entity)
		}
		rows.Answers = append(rows.Answers, row)
	}
	for _, t := range c.Evidence {
		rows.Evidence = append(rows.Evidence, SharedRow{Text: TripleText(g, t.Triple), By: letters(t.By)})
	}
	return rows
}

// agreeing says in a sentence how far the retrievers agree.
func agreeing(c *engine.Comparison) string {
	peers, n := c.Peers(), c.Answered()
	of := fmt.Sprintf("%d of %s answered", n, Plural(len(peers), "retriever", "retrievers"))
	given, common, most := 0, 0, 0 // answers that peers gave, that all of them gave, and by how many at most
	for _, a := range c.Answers {
		by := len(slices.DeleteFunc(slices.Clone(a.By), func(i int) bool { return !slices.Contains(peers, i) }))
		if most = max(most, by); by > 0 {
			given++
		}
		if by == n {
			common++
		}
	}
	aside := ""
	if len(peers) < len(c.Opinions) {
		aside = " Baselines are not counted."
	}
	switch {
	case n < 2:
		return of + "." + aside
	case common == given:
		return of + ", and they all agree." + aside
	case common > 0:
		return fmt.Sprintf("%s; all of them gave %d of the %d answers.", of, common, given) + aside
	case most > 1:
		return of + "; no answer was given by all of them." + aside
	}
	return of + ", and they disagree." + aside
}

// ComparisonModel is the picture of all that retrievers found together. Each triple is
// tagged with the letters of those that brought it; what one alone brought is dashed. What
// baselines alone answer is not shown as an answer.
func ComparisonModel(g *kg.Graph, c *engine.Comparison) canvas.Model {
	d := drawing{g: g, run: &engine.Run{}, node: map[kg.EntityID]int{}, edge: map[kg.TripleID]bool{}}
	for _, f := range c.Evidence[:min(len(c.Evidence), maxDrawnEdges)] {
		d.triple(f.Triple)
		e := &d.model.Edges[len(d.model.Edges)-1]
		e.Tag, e.Dashed = letters(f.By), len(f.By) == 1 && c.Answered() > 1
	}
	for i := range d.model.Nodes {
		d.model.Nodes[i].Role = canvas.Variable
	}
	meant := func(i int) bool { return !c.Opinions[i].Method.Baseline }
	sure := func(i int) bool {
		r := c.Opinions[i].Run
		return meant(i) && r != nil && ToneOf(r) != Doubtful
	}
	d.model.Doubtful = !slices.ContainsFunc(c.Answers, func(a engine.Shared) bool { return slices.ContainsFunc(a.By, sure) })
	for _, a := range c.Answers {
		by := sure // beside sure answers, others are none
		if d.model.Doubtful {
			by = meant
		}
		if at, ok := d.node[a.Entity]; ok && slices.ContainsFunc(a.By, by) {
			d.model.Nodes[at].Role = canvas.Answer
		}
	}
	for _, op := range c.Opinions {
		if op.Run == nil {
			continue
		}
		for e := range namedEntities(op.Run) {
			if at, ok := d.node[e]; ok {
				d.model.Nodes[at].Role = canvas.Known
			}
		}
	}
	d.distinguish()
	d.model.Title, d.model.Tags, d.model.Dashed = Shorten(OneLine(c.Question), maxTitle), "retrievers that found it", "found by only one retriever"
	d.model.Layered = len(d.model.Nodes) <= maxLayered
	return d.model
}

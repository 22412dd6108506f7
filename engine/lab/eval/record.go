package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/plan"
	"cairn/engine/say"
)

// Record is what one question gave: all that the scores, the costs and the file
// of failures are made of, so that an evaluation that was interrupted goes on
// from its records.
type Record struct {
	Group string `json:"group"`
	Seed  uint64 `json:"seed,omitempty"` // of the training
	At    int    `json:"at"`             // the question's index in its part, from 0
	ID    string `json:"id"`

	Gold    []string `json:"gold,omitempty"`
	Label   *bool    `json:"label,omitempty"`   // the truth of a claim
	Answers []string `json:"answers,omitempty"` // the direct answers' labels, in order
	// Strict is how many of them, the likeliest first, it takes to have 0.95 of the
	// probability (GNN-RAG §4.1); 0 where answers have none.
	Strict  int    `json:"strict,omitempty"`
	Verdict string `json:"verdict,omitempty"` // of a claim
	// DeniesNothing says that a claim denies what nothing in the graph fits.
	DeniesNothing bool `json:"denies_nothing,omitempty"`
	// Adjacent says whether the claim's named entities are adjacent in the graph.
	Adjacent bool `json:"adjacent,omitempty"`

	Planner string     `json:"planner"` // whose plan was followed
	Reading string     `json:"reading,omitempty"`
	Doubt   plan.Doubt `json:"doubt"`
	Sure    bool       `json:"sure,omitempty"` // answered without a doubt and without a caution
	Reason  string     `json:"reason,omitempty"`
	// Confidence is the plan's that the reading is right; 0 where it does not say.
	Confidence float64 `json:"confidence,omitempty"`
	StoodIn    string  `json:"stood_in,omitempty"` // why the plan is not the planner's that was asked
	// Vectors says that texts were looked up by the vectors of an embedder other than the
	// built-in one.
	Vectors bool `json:"vectors,omitempty"`
	// Fault is the first stage that went wrong, where the answers are not gold.
	Fault Fault `json:"fault"`

	Match     time.Duration `json:"match"`
	Plain     time.Duration `json:"plain,omitempty"`
	Total     time.Duration `json:"total"`
	Different bool          `json:"different,omitempty"`

	Entities int `json:"entities,omitempty"` // that the retriever looked at
	Triples  int `json:"triples,omitempty"`
	Tokens   int `json:"tokens,omitempty"` // of all paths in words
	// Evidence is how many tokens the triples that the answer may cite have in words, and
	// Covered are the indexes of Gold that stand in one of them.
	Evidence int   `json:"evidence,omitempty"`
	Covered  []int `json:"covered,omitempty"`

	// Said are the sentences that a model wrote; nil where it worded nothing.
	Said     []Said    `json:"said,omitempty"`
	Requests []Request `json:"requests,omitempty"` // to a model, in order
}

// Said is one sentence of a model.
type Said struct {
	Text  string `json:"text"`
	Check string `json:"check"` // the check's verdict in words
	// Items are the direct answers that it names, in the order of the sentence.
	Items []string `json:"items,omitempty"`
}

// Request is one request to a model.
type Request struct {
	Purpose      string        `json:"purpose"`
	PromptTokens int           `json:"prompt_tokens"`
	ReplyTokens  int           `json:"reply_tokens"`
	Duration     time.Duration `json:"duration"`
	Err          string        `json:"error,omitempty"`
}

// recordOf makes the record of a run.
func recordOf(q Question, out outcome, w *world) Record {
	run := out.run
	r := Record{
		ID: q.ID, Gold: q.Gold, Label: q.Label, Answers: answerLabels(w.graph, run), Strict: strict(run.Answers, paperMass),
		Planner: run.Plan.Planner, Doubt: run.Plan.Doubt, Reason: run.Plan.Reason, Confidence: run.Plan.Confidence, StoodIn: run.Plan.StoodIn,
		Sure:    run.Plan.Doubt == plan.Sure && run.Calm() && (run.Answer == nil || run.Answer.Verdict != answer.Likely),
		Vectors: out.vectors,
		Match:   run.Stats.Duration, Plain: out.plain, Total: out.total, Different: out.different,
		Entities: run.Region.Entities, Triples: run.Region.Triples, Reading: strings.Join(run.Steps, "; "),
	}
	for _, c := range run.Candidates {
		if c.Hops != nil {
			r.Tokens += llm.EstimateTokens(verbalise(w.graph, c)) + 1 // and the line's end
		}
	}
	if run.Reading >= 0 {
		r.Reading = run.Plan.Readings[run.Reading].Text
	}
	if q.Label != nil {
		r.DeniesNothing = run.Reading >= 0 && run.Plan.Readings[run.Reading].Pattern.Negated && len(run.Candidates) == 0
		r.Adjacent = adjacent(w.graph, w.names, q.Topics)
	} else if !new(Scores).Score(q.Gold, r.Answers, false) {
		r.Fault = fault(run, q, w.names)
	}
	if run.Answer != nil {
		r.weigh(run.Answer.Pack, w.graph)
		r.Verdict = run.Answer.Verdict.String()
		r.Said = saidBy(run.Answer, w)
	}
	for _, x := range out.exchanges {
		r.Requests = append(r.Requests, Request{x.Purpose, x.PromptTokens, x.ReplyTokens, x.Duration, x.Err})
	}
	return r
}

// weigh says what the triples that an answer may cite cost a reader, and which of the
// gold answers they hold.
func (r *Record) weigh(pack evidence.Pack, g *kg.Graph) {
	held := map[string]bool{}
	for _, id := range pack.Triples {
		t := g.Triple(id)
		held[g.Label(t.Head)], held[g.Label(t.Tail)] = true, true
		r.Evidence += llm.EstimateTokens(say.Triple(g, id)) + 1 // and the line's end
	}
	for i, gold := range r.Gold {
		if held[gold] {
			r.Covered = append(r.Covered, i)
		}
	}
}

// paperMass is GNN-RAG's amount of probability (§4.1).
const paperMass = 0.95

// strict is how many of the answers, the likeliest first, it takes to have more
// than that much probability; all where they have less.
func strict(answers []evidence.Answer, mass float64) int {
	sum := 0.
	for i, a := range answers {
		if a.Score.Scale != evidence.Probability {
			return 0
		}
		if sum += a.Score.Value; sum > mass {
			return i + 1
		}
	}
	return len(answers)
}

// verbalise writes a path as GNN-RAG's prompts do: A → r → B.
func verbalise(g *kg.Graph, p evidence.Candidate) string {
	var b strings.Builder
	b.WriteString(g.Label(p.Nodes[0]))
	for i := range p.Hops {
		var names []string
		for _, id := range p.Hop(i) {
			names = append(names, g.RelationText(g.Triple(id).Relation))
		}
		slices.Sort(names)
		fmt.Fprintf(&b, " → %s → %s", strings.Join(slices.Compact(names), ", "), g.Label(p.Nodes[i+1]))
	}
	return b.String()
}

// answerLabels names the answers of a run, by their labels, which are shown cut where they
// are long.
func answerLabels(g *kg.Graph, run *engine.Run) []string {
	a := run.Answer
	if a == nil {
		return nil
	}
	var labels []string
	for _, it := range a.Items {
		label := it.Label
		if it.Entity != kg.NoEntity && strings.HasSuffix(label, "…") {
			label = g.Label(it.Entity)
		}
		labels = append(labels, label)
	}
	if len(labels) == 0 && a.Refusal == nil && a.Verdict == answer.NoVerdict && run.Reading >= 0 {
		labels = append(labels, fmt.Sprint(a.Count))
	}
	return labels
}

// saidBy returns a model's sentences with the answers that each names.
func saidBy(a *answer.Answer, w *world) []Said {
	if a.Model == "" {
		return nil
	}
	items := map[string]bool{}
	for _, it := range a.Items {
		items[it.Label] = true
	}
	// The other names of the evidence are looked for as well: "Harvey" is not
	// named where the sentence says "Harvey Keitel".
	var labels []string
	for label := range items {
		labels = append(labels, label)
	}
	for _, t := range a.Pack.Triples {
		x := w.graph.Triple(t)
		labels = append(labels, w.graph.Label(x.Head), w.graph.Label(x.Tail))
	}
	said := []Said{}
	for _, s := range a.Sentences {
		if s.Model {
			said = append(said, Said{s.Text, s.Check.Words(), slices.DeleteFunc(named(s.Text, labels), func(l string) bool { return !items[l] })})
		}
	}
	return said
}

// named returns the labels that stand in a text as whole names, in the text's
// order. Where two overlap the longer one stands there.
func named(text string, labels []string) []string {
	labels = slices.Clone(labels)
	slices.SortFunc(labels, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	at := map[int]string{} // where each name first stands
	for _, label := range slices.Compact(labels) {
		spans := wholeNames(text, label)
		if len(spans) > 0 {
			at[spans[0]] = label
		}
		for _, start := range spans { // so that no shorter name is found in it
			text = text[:start] + strings.Repeat("\x00", len(label)) + text[start+len(label):]
		}
	}
	var found []string
	for _, start := range slices.Sorted(maps.Keys(at)) {
		found = append(found, at[start])
	}
	return found
}

// holds reports whether a claim is judged true, if only likely so: also one that denies what
// the graph does not have, and a question that is answered for sure, which what it takes for
// granted must be true for.
func (r *Record) holds() bool {
	switch r.Verdict {
	case answer.Supported.String(), answer.Likely.String():
		return true
	case answer.NotFound.String():
		return r.DeniesNothing
	}
	return r.Verdict == "" && r.Sure && len(r.Answers) > 0
}

// supported returns the answers that the sentences name which the check supports.
func (r *Record) supported() []string {
	var items []string
	for _, s := range r.Said {
		if s.Check != check.Covered.Words() {
			continue
		}
		for _, item := range s.Items {
			if !slices.Contains(items, item) {
				items = append(items, item)
			}
		}
	}
	return items
}

// text returns the model's sentences, one a line.
func (r *Record) text() []string {
	var lines []string
	for _, s := range r.Said {
		lines = append(lines, s.Text)
	}
	return lines
}

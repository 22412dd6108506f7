package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"cairn/engine/answer"
	"cairn/engine/kg"
)

// tally scores the records in the order of the questions.
func tally(p part, records []Record, o Options) (Row, error) {
	row := Row{Group: p.Name, Faults: Faults{}}
	if o.asksModel() {
		row.Model = newModelRow()
	}
	var match, plain, total []time.Duration
	var tokens, sets []int
	for i, q := range p.questions {
		rec := &records[i]
		match = append(match, rec.Match)
		total = append(total, rec.Total)
		if o.Algorithm == "both" && rec.Reading != "" {
			plain = append(plain, rec.Plain)
		}
		count(&row.Different, rec.Different)
		count(&row.Vectors, rec.Vectors)
		row.Entities += float64(rec.Entities) / float64(len(records))
		row.Triples += float64(rec.Triples) / float64(len(records))
		if rec.Tokens > 0 {
			tokens, sets = append(tokens, rec.Tokens), append(sets, rec.Evidence)
		}
		var right bool
		if q.Label != nil {
			right = row.claim(q, rec)
		} else {
			right = row.question(q, rec, &o)
			row.reply("direct answers", true, q.Gold, rec.Answers)
			if o.Reader == "model" {
				row.reply("the model's text", false, q.Gold, rec.text())
				row.reply("named in its supported sentences", true, q.Gold, rec.supported())
			}
		}
		if row.Model != nil {
			row.Model.add(q, rec)
		}
		if !right && o.Failures != nil {
			if err := writeFailure(o.Failures, q, rec); err != nil {
				return row, fmt.Errorf("write the failures: %w", err)
			}
		}
	}
	row.Risk = risk(p.questions, records)
	row.Match, row.Plain, row.Total = times(match), times(plain), times(total)
	if len(tokens) > 0 {
		slices.Sort(tokens)
		slices.Sort(sets)
		row.Tokens, row.Set = tokens[len(tokens)/2], sets[len(sets)/2]
	}
	return row, nil
}

// question scores an answer set.
func (row *Row) question(q Question, rec *Record, o *Options) (exact bool) {
	if row.Scores == nil {
		row.Scores = &Scores{}
	}
	exact = row.Scores.Score(q.Gold, rec.Answers, rec.Sure)
	if o.info.Seeded {
		if row.Strict == nil {
			row.Strict = &Scores{}
		}
		row.Strict.Score(q.Gold, rec.Answers[:rec.Strict], rec.Sure)
	}
	for _, k := range q.Kinds {
		if row.Kinds == nil {
			row.Kinds = map[string]*Scores{}
		}
		if row.Kinds[k] == nil {
			row.Kinds[k] = &Scores{}
		}
		row.Kinds[k].Score(q.Gold, rec.Answers, rec.Sure)
	}
	if !exact {
		row.Faults[rec.Fault]++
	}
	return exact
}

// reply scores one kind of reply.
func (row *Row) reply(name string, list bool, gold, lines []string) {
	i := slices.IndexFunc(row.Replies, func(r ReplyRow) bool { return r.Reply == name })
	if i < 0 {
		i = len(row.Replies)
		row.Replies = append(row.Replies, ReplyRow{Reply: name, List: list})
	}
	row.Replies[i].Scores.Score(gold, lines, list)
}

// claim scores a verdict, beside the baseline that only looks whether the named
// entities are adjacent.
func (row *Row) claim(q Question, rec *Record) bool {
	if row.Claims == nil {
		row.Claims = &Claims{}
	}
	c := row.Claims
	right := rec.holds() == *q.Label
	baseline := rec.Adjacent == *q.Label
	c.N++
	count(&c.Right, right)
	count(&c.Baseline, baseline)
	switch rec.Verdict {
	case answer.Supported.String(), answer.Refuted.String():
		c.Decided++
		count(&c.DecidedOK, right)
	case answer.Likely.String():
		c.Likely++
		count(&c.LikelyOK, right)
	default:
		if !right {
			row.Faults[Abstained]++
		}
	}
	if len(q.Topics) == 2 && slices.Contains(q.Kinds, "num1") && !slices.Contains(q.Kinds, "negation") {
		c.PairN++
		count(&c.PairRight, right)
		count(&c.PairBaseline, baseline)
	}
	return right
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// adjacent reports whether every named entity has a triple with another one;
// a single entity counts as adjacent when the graph holds it.
func adjacent(g *kg.Graph, names *names, topics []string) bool {
	in := map[kg.EntityID]string{}
	for _, t := range topics {
		for _, e := range names.entities[t] {
			in[e] = t
		}
	}
	joined := map[string]bool{}
	for e, name := range in {
		for _, edges := range [2][]kg.Edge{g.Out(e), g.In(e)} {
			for _, x := range edges {
				if other, ok := in[x.Entity]; ok && other != name {
					joined[name] = true
				}
			}
		}
	}
	if len(topics) == 1 {
		return len(in) > 0
	}
	return len(joined) == len(topics)
}

// writeFailure writes what is needed to see why a question went wrong.
func writeFailure(w io.Writer, q Question, r *Record) error {
	rec := struct {
		ID      string   `json:"id"`
		Seed    uint64   `json:"seed,omitempty"`
		Text    string   `json:"question"`
		Topics  []string `json:"topics,omitempty"` // the set's
		Gold    []string `json:"gold,omitempty"`
		Label   *bool    `json:"label,omitempty"`
		Got     []string `json:"got"`
		Verdict string   `json:"verdict,omitempty"`
		Planner string   `json:"planner"`
		Reading string   `json:"reading"`
		Doubt   int      `json:"doubt"`
		Reason  string   `json:"reason,omitempty"`
		StoodIn string   `json:"stood_in,omitempty"`
		Fault   Fault    `json:"fault"`
		Said    []Said   `json:"said,omitempty"`
	}{q.ID, r.Seed, q.Text, q.Topics, q.Gold, q.Label, r.Answers, r.Verdict, r.Planner, r.Reading, int(r.Doubt), r.Reason, r.StoodIn, r.Fault, r.Said}
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/schema"
)

// Doubt is a question about one name whose answers several chains lead to alike.
type Doubt struct {
	Example *Example
	Chains  [][]schema.Step
}

const (
	// chainsAtMost is how many chains a model can choose among: of more, none is telling.
	chainsAtMost = 8
	// maxRelation is the longest name of a relation in a prompt, in characters.
	maxRelation = 100
	// choiceTokens is the room for one choice in a reply, in tokens.
	choiceTokens = 30
)

// Choose has a model say which of its chains each question asks for (GSR §4.2, where a
// model selects the retrieval data), and returns the number of that chain; −1 where it
// says none of them. Since all chains lead to the answers alike, a wrong choice is one
// that chance might have made.
//
// It is an inquiry, whose error or reason to stop leaves the other questions at −1.
// progress may be nil.
func Choose(ctx context.Context, m llm.Model, g *kg.Graph, doubts []Doubt, o InquiryOptions, progress func(done, total int64)) ([]int, error) {
	c := choosing{g: g, doubts: doubts, chosen: make([]int, len(doubts)), seed: o.Seed}
	var able []int
	for i, d := range doubts {
		c.chosen[i] = -1
		if _, ok := marked(*d.Example); ok && len(d.Chains) <= chainsAtMost {
			able = append(able, i)
		}
	}
	return c.chosen, newInquiry(m, o, c.ask).all(ctx, able, progress)
}

type choosing struct {
	g      *kg.Graph
	doubts []Doubt
	chosen []int
	seed   int
}

// doubted is a question of a prompt with its chains in words.
type doubted struct {
	numbered

	Chains []string
}

// ask asks about the questions with these indexes.
func (c *choosing) ask(ctx context.Context, q *inquiry, of []int) (useful bool, err error) {
	var data struct{ Questions []doubted }
	for i, at := range of {
		text, _ := marked(*c.doubts[at].Example)
		x := doubted{numbered: numbered{i + 1, llm.Quote(text, 2*maxQuestion)}}
		for _, chain := range c.doubts[at].Chains {
			x.Chains = append(x.Chains, c.words(chain))
		}
		data.Questions = append(data.Questions, x)
	}
	prompt, err := llm.Prompt(prompts.Choose, data)
	if err != nil {
		return false, err
	}
	return q.request(ctx, llm.Request{
		Purpose: "choice of chains", Prompt: prompt, Schema: json.RawMessage(fmt.Sprintf(choiceSchema, len(of))),
		MaxTokens: (len(of) + 2) * choiceTokens, Seed: c.seed + of[0],
	}, func(object json.RawMessage) bool {
		var said struct {
			Choices []struct{ Number, Chain int }
		}
		if json.Unmarshal(object, &said) != nil || len(said.Choices) == 0 {
			return false
		}
		for _, s := range said.Choices {
			if s.Number < 1 || s.Number > len(of) {
				continue
			}
			if at := of[s.Number-1]; s.Chain >= 1 && s.Chain <= len(c.doubts[at].Chains) {
				c.chosen[at] = s.Chain - 1
			}
		}
		return true
	})
}

// words writes a chain for a model.
func (c *choosing) words(chain []schema.Step) string {
	var b strings.Builder
	b.WriteString("[[name]]")
	for i, s := range chain {
		way := " -[%s]-> "
		if s.IsBack() {
			way = " <-[%s]- "
		}
		fmt.Fprintf(&b, way, llm.Quote(c.g.RelationText(s.Relation()), maxRelation))
		if i == len(chain)-1 {
			b.WriteString("answer")
		} else {
			fmt.Fprintf(&b, "x%d", i+1)
		}
	}
	return b.String()
}

// choiceSchema holds a reply to the form of the prompt.
const choiceSchema = `{
"type": "object",
"properties": {
	"choices": {"type": "array", "maxItems": %d, "items": {"type": "object", "properties": {
		"number": {"type": "integer"},
		"chain": {"type": "integer"}
	}, "required": ["number", "chain"], "additionalProperties": false}}
},
"required": ["choices"],
"additionalProperties": false
}`

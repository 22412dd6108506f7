package extract

import (
	"encoding/json"
	"fmt"
	"strings"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/schema"
)

// How much of a graph's vocabulary the prompt names: enough that a model calls
// things as the graph does, little enough for a small model's context.
const (
	maxRelations = 40
	maxTypes     = 30
	maxLabel     = 60     // characters of a name
	maxListed    = 1200   // tokens of a list, by estimate
	maxLine      = 20_000 // characters of a line; above any part
)

// vocabulary is how the graph calls things.
type vocabulary struct {
	Relations []string // each with an example: "capital of (Vienna → Austria)"
	Types     []string
}

// promptData is what the template of the prompt shows.
type promptData struct {
	vocabulary

	Name string // of the document
	Text string
}

// describe collects the most frequent relations and types of a graph.
func describe(g *kg.Graph) vocabulary {
	relations, example, types := schema.Frequent(g)
	var v vocabulary
	for _, r := range relations[:min(maxRelations, len(relations))] {
		t := g.Triple(example[r])
		v.Relations = append(v.Relations, fmt.Sprintf("%s (%s → %s)", llm.Quote(g.RelationText(r), maxLabel),
			llm.Quote(g.Label(t.Head), maxLabel), llm.Quote(g.Label(t.Tail), maxLabel)))
	}
	for _, t := range types[:min(maxTypes, len(types))] {
		v.Types = append(v.Types, llm.Quote(g.TypeLabel(t), maxLabel))
	}
	v.Relations, v.Types = affordable(v.Relations), affordable(v.Types)
	return v
}

// affordable returns the first of a list that have maxListed tokens together.
func affordable(list []string) []string {
	spent := 0
	for i, s := range list {
		if spent += llm.EstimateTokens(s); spent > maxListed {
			return list[:i]
		}
	}
	return list
}

// request is the request for one part. A part that was tried before is asked for
// in another way, since the same request gets the same reply. Where it does not
// fit the model's context, the graph's vocabulary is left out, then the reply gets
// less room.
func (x *Extractor) request(d *Document, part span, tries int) (llm.Request, error) {
	req, err := x.write(d, part, tries, x.vocabulary)
	if err != nil || x.fits(req) {
		return req, err
	}
	if req, err = x.write(d, part, tries, vocabulary{}); err != nil {
		return req, err
	}
	req.Left = "The relations and types of the graph were left out to fit the model's context."
	if !x.fits(req) {
		req.MaxTokens = min(req.MaxTokens, leastReply)
	}
	return req, nil
}

// leastReply is the room for a reply, in tokens, that a small part can do with.
const leastReply = 768

func (x *Extractor) fits(req llm.Request) bool {
	room, known := llm.Room(x.model, req)
	return !known || room >= 0
}

func (x *Extractor) write(d *Document, part span, tries int, v vocabulary) (llm.Request, error) {
	// The text keeps its lines, which lists and tables need; each is made safe by
	// itself, and none can end the quotation.
	lines := strings.Split(d.shown(part), "\n")
	for i, l := range lines {
		lines[i] = llm.Quote(l, maxLine)
	}
	prompt, err := llm.Prompt(prompts.Extract, promptData{v, llm.Quote(d.Name, maxLabel), strings.Join(lines, "\n")})
	if err != nil {
		return llm.Request{}, err
	}
	req := llm.Request{
		Purpose: "extract", Prompt: prompt, Schema: json.RawMessage(replySchema), MaxTokens: x.opts.ReplyTokens, Seed: tries,
	}
	if tries > 0 {
		req.Temperature = retryTemperature
	}
	return req, nil
}

// retryTemperature is how freely a model writes that failed on a part before.
const retryTemperature = 0.4

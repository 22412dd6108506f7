package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"cairn/assets/prompts"
	"cairn/engine/llm"
)

// How much of a graph's schema a prompt names, and how many examples it has at
// most: enough to show the vocabulary, few enough for a small model's context.
const (
	maxRelations = 80
	maxTypes     = 40
	maxLabel     = 80 // characters of a name within a prompt
	maxQuestion  = 2000
)

// replySchema returns what holds a reply to the form of the prompt. Bounds stay far below 2000,
// above which servers crash; they make any model finish.
func replySchema(conditions bool) json.RawMessage {
	more := ""
	if conditions {
		more = `"conditions": {"type": "array", "maxItems": 8, "items": {"type": "object", "properties": {"triple": {"type": "integer"}, "says": {"type": "string", "maxLength": 200}}, "required": ["triple", "says"]}},
	`
	}
	return json.RawMessage(fmt.Sprintf(patternSchema, more))
}

const patternSchema = `{
"type": "object",
"properties": {
	"divided": {"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 200}},
	"triples": {"type": "array", "minItems": 1, "maxItems": 8, "items": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "string", "maxLength": 200}}},
	"asked": {"type": "string", "maxLength": 100},
	"task": {"type": "string", "enum": ["find", "count", "verify"]},
	%s"negated": {"type": "boolean"}
},
"required": ["divided", "triples", "asked", "task", "negated"]
}`

// promptData is what the templates of the prompts show. All of it is quoted.
type promptData struct {
	Question  string
	Relations []string // the most telling first
	Directed  []string // triples that show how relations lie
	Types     []string // the most frequent first
	// Properties are what statements say beside their triples: "share", and
	// "from..to" for an interval.
	Properties []string
	Examples   []example
	repairData
	chainData

	all int // how many relations the graph has
}

// promptData collects what a prompt about a question shows.
func (p *Planner) promptData(q *question) promptData {
	d := p.about.promptData(p, q)
	d.Question = llm.Quote(q.text, maxQuestion)
	d.Examples = append(d.Examples, p.similar(q)...)
	return d
}

func (p *Planner) patternPrompt(q *question, req llm.Request) (llm.Request, error) {
	return p.fitted(req, prompts.Pattern, p.promptData(q))
}

// fitted writes a prompt into a request, short enough for the model. Where it is
// too long, this is left out, in order, and the request says so:
//
//  1. the types of the graph, the rarest first;
//  2. relations beyond the 24 most telling;
//  3. examples beyond three: the paper's after its first, then the graph's, then
//     the user's own that are least like the question;
//  4. the other relations, and examples but the first.
//
// The question and the rules stay. Where even that is too long, asking fails
// with a sentence about it.
func (p *Planner) fitted(req llm.Request, name string, d promptData) (llm.Request, error) {
	limits := []struct{ relations, types, examples int }{
		{maxRelations, 0, maxExamples},
		{24, 0, maxExamples},
		{24, 0, 3},
		{0, 0, 1},
	}
	full := d
	for {
		var err error
		if req.Prompt, err = llm.Prompt(name, d); err != nil {
			return req, err
		}
		if room, known := llm.Room(p.model, req); !known || room >= 0 {
			break
		}
		for len(limits) > 0 && !d.shrink(limits[0].relations, limits[0].types, limits[0].examples) {
			limits = limits[1:]
		}
		if len(limits) == 0 {
			break
		}
	}
	req.Left = d.left(&full)
	return req, nil
}

// shrink takes a part of what is beyond the limits away, and reports whether
// there was anything.
func (d *promptData) shrink(relations, types, examples int) bool {
	switch {
	case len(d.Types) > types:
		d.Types = d.Types[:max(types, len(d.Types)*3/4)]
	case len(d.Relations) > relations:
		d.Relations = d.Relations[:max(relations, len(d.Relations)*3/4)]
		d.Directed = d.Directed[:min(len(d.Directed), len(d.Relations))]
	case len(d.Examples) > examples:
		d.Examples = withoutLeast(d.Examples)
	default:
		return false
	}
	return true
}

// left says what a prompt does not show of what there is, or returns "".
func (d *promptData) left(full *promptData) string {
	var parts []string
	say := func(now, then int, what string) {
		if now < then {
			parts = append(parts, fmt.Sprintf("%d of %d %s", then-now, then, what))
		}
	}
	say(len(d.Relations), max(full.all, len(full.Relations)), "relations of the graph")
	say(len(d.Types), len(full.Types), "types")
	say(len(d.Examples), len(full.Examples), "examples")
	if len(parts) == 0 {
		return ""
	}
	return "Left out of the prompt: " + strings.Join(parts, ", ") + "."
}

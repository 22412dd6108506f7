package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"cairn/engine/llm"
)

// replySchema holds a reply to the form of the prompt. Its bounds stay far below 2000,
// above which servers crash; they make any model finish.
const replySchema = `{
"type": "object",
"properties": {
	"entities": {"type": "array", "maxItems": 60, "items": {"type": "object", "properties": {
		"name": {"type": "string", "maxLength": 120},
		"type": {"type": "string", "maxLength": 40}
	}, "required": ["name", "type"], "additionalProperties": false}},
	"triples": {"type": "array", "maxItems": 40, "items": {"type": "object", "properties": {
		"head": {"type": "string", "maxLength": 120},
		"relation": {"type": "string", "maxLength": 80},
		"tail": {"type": "string", "maxLength": 120},
		"quote": {"type": "string", "maxLength": 400}
	}, "required": ["head", "relation", "tail", "quote"], "additionalProperties": false}}
},
"required": ["entities", "triples"],
"additionalProperties": false
}`

// maxTriples is how many triples a reply may have where no schema held it.
const maxTriples = 200

// errReply is returned for a reply that is not of the form that was asked for.
var errReply = errors.New("the model's reply is not in the requested form")

// reply is what a model said of a part.
type reply struct {
	Entities []saidEntity `json:"entities"`
	Triples  []saidTriple `json:"triples"`
}

type saidEntity struct {
	Name llm.Text `json:"name"`
	Type llm.Text `json:"type"`
}

type saidTriple struct {
	Head     llm.Text `json:"head"`
	Relation llm.Text `json:"relation"`
	Tail     llm.Text `json:"tail"`
	Quote    llm.Text `json:"quote"`
}

// UnmarshalJSON also takes [head, relation, tail, quote].
func (t *saidTriple) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		type plain saidTriple
		return json.Unmarshal(b, (*plain)(t))
	}
	var row []llm.Text
	if err := json.Unmarshal(b, &row); err != nil {
		return err
	}
	row = append(row, "", "", "", "")
	t.Head, t.Relation, t.Tail, t.Quote = row[0], row[1], row[2], row[3]
	return nil
}

// parse reads a reply. Text around the JSON does not matter, as models without a
// schema write it.
func parse(text string) (*reply, error) {
	var r reply
	err := errors.New("it has no JSON")
	for object := range llm.Objects(text) {
		r = reply{}
		if err = json.Unmarshal(object, &r); err == nil && r.Triples != nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errReply, err)
	}
	if r.Triples == nil {
		return nil, fmt.Errorf("%w: it has no triples", errReply)
	}
	if len(r.Triples) > maxTriples {
		return nil, fmt.Errorf("%w: it has %d triples, more than the text can state", errReply, len(r.Triples))
	}
	return &r, nil
}

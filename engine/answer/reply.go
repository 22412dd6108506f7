package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/check"
	"cairn/engine/llm"
	"cairn/internal/wording"
)

// errNotWorded is returned for a model's reply that is no answer in sentences.
var errNotWorded = errors.New("the model's reply is not a list of sentences")

// maxSentences is how many sentences of a reply are kept.
const maxSentences = 20

// sentenceSchema holds a model's answer to its form. Bounds stay far below
// 2000, above which servers crash.
const sentenceSchema = `{
"type": "object",
"properties": {
	"sentences": {"type": "array", "minItems": 1, "maxItems": 12, "items": {
		"type": "object",
		"properties": {
			"text": {"type": "string", "maxLength": 500},
			"citations": {"type": "array", "maxItems": 40, "items": {"type": "integer"}}
		},
		"required": ["text", "citations"]
	}}
},
"required": ["sentences"]
}`

// parseSentences reads a model's answer: the JSON that the schema asks for,
// which may stand in a code fence or among other words.
func parseSentences(text string) ([]Sentence, error) {
	type sentence struct {
		Text      string `json:"text"`
		Citations []int  `json:"citations"`
	}
	var reply struct {
		Sentences []sentence `json:"sentences"`
	}
	err := errors.New("it is not JSON")
	for object := range llm.Objects(text) {
		reply.Sentences = nil
		if err = json.Unmarshal(object, &reply); err == nil && len(reply.Sentences) > 0 {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotWorded, err)
	}
	var said []Sentence
	for _, s := range reply.Sentences {
		line := closeGaps(check.WithoutCitations(strings.ToValidUTF8(s.Text, "")))
		if line == "" {
			continue
		}
		if len(said) == maxSentences {
			break
		}
		cites := slices.Sorted(slices.Values(s.Citations))
		said = append(said, Sentence{Text: line, Citations: slices.Compact(cites), Model: true})
	}
	if len(said) == 0 {
		return nil, fmt.Errorf("%w: it has no sentence", errNotWorded)
	}
	return said, nil
}

// closeGaps closes the gaps that citation marks leave: "Vienna [T1] ."
// becomes "Vienna.".
func closeGaps(s string) string {
	return strings.NewReplacer(" .", ".", " ,", ",", " ;", ";").Replace(wording.OneLine(s))
}

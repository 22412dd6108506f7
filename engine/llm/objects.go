package llm

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// maxObjects bounds how many beginnings of an object are tried in a reply.
const maxObjects = 64

// Objects yields the JSON objects that stand in a reply, by where they begin: the
// whole reply for models that keep to a schema, and what is left of one for those
// that put it in a code fence or among words. An object within another comes after
// it, so that a reader takes the first that has what was asked for.
func Objects(reply string) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		at := 0
		for range maxObjects {
			i := strings.IndexByte(reply[at:], '{')
			if i < 0 {
				return
			}
			at += i
			var object json.RawMessage
			if json.NewDecoder(strings.NewReader(reply[at:])).Decode(&object) == nil && !yield(object) {
				return
			}
			at++
		}
	}
}

// Text is a text of a reply that may be written as a number or left out.
type Text string

// UnmarshalJSON takes any value that is no list and no object.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = Text(s)
	case len(b) > 0 && (b[0] == '[' || b[0] == '{'):
		return fmt.Errorf("%s is no text", b[:1])
	default:
		*t = Text(b) // a number or a truth value; null was taken as ""
	}
	return nil
}

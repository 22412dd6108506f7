package answer

import (
	"encoding/json"
	"strings"
)

// textStream picks the values of "text" out of JSON that comes in pieces, so
// that people see sentences rather than JSON.
type textStream struct {
	show   func(string)
	key    []byte // the last string that was no shown value
	quoted bool
	value  bool // within the value of "text"
	colon  bool // a colon followed the last string
	escape bool
	hex    []byte // digits of an unfinished \u escape; nil outside one
	begun  bool   // a sentence was shown before
}

func (t *textStream) add(piece string) {
	var out strings.Builder
	for i := range len(piece) {
		t.next(piece[i], &out)
	}
	if out.Len() > 0 {
		t.show(out.String())
	}
}

func (t *textStream) next(c byte, out *strings.Builder) {
	switch {
	case !t.quoted:
		switch c {
		case '"':
			t.quoted = true
			t.value = t.colon && string(t.key) == "text"
			if t.value && t.begun {
				out.WriteByte(' ')
			}
			t.key = t.key[:0]
		case ':':
			t.colon = true
		case ' ', '\t', '\n', '\r':
		default:
			t.colon = false
		}
		return
	case t.hex != nil:
		if t.hex = append(t.hex, c); len(t.hex) == 4 {
			var s string
			if json.Unmarshal([]byte(`"\u`+string(t.hex)+`"`), &s) == nil && t.value {
				out.WriteString(s)
			}
			t.hex = nil
		}
		return
	case t.escape:
		t.escape = false
		switch c {
		case 'u':
			t.hex = []byte{}
			return
		case 'n', 't', 'r':
			c = ' '
		}
	case c == '\\':
		t.escape = true
		return
	case c == '"':
		t.begun = t.begun || t.value
		t.quoted, t.value, t.colon = false, false, false
		return
	}
	if t.value {
		out.WriteByte(c)
	} else if len(t.key) < 16 {
		t.key = append(t.key, c)
	}
}

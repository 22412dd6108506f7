package questions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Names of JSON fields, by what plain leaves of them.
var (
	// listNames hold the records of a file that is one object, as the published
	// WebQSP is.
	listNames = []string{"questions", "data", "examples", "items", "rows"}
	// nameNames say what an object in a list of entities is called.
	nameNames = []string{"text", "name", "label", "entityname", "answer", "string", "value", "answerargument", "kbid", "entity", "key", "mid", "id"}
)

// parses holds, in the published WebQSP, what a question was read as.
const parses = "parses"

// values reads the objects of a text, one after the other or in an array, that begins
// with a line of the file.
func (p *parser) values(ctx context.Context, text string, line int) error {
	at := 0
	// skip goes to the next byte that is not among cut.
	skip := func(cut string) {
		for at < len(text) && strings.IndexByte(cut, text[at]) >= 0 {
			if text[at] == '\n' {
				line++
			}
			at++
		}
	}
	skip(" \t\n")
	array := strings.HasPrefix(text[at:], "[")
	if array {
		at++
	}
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		skip(" \t\n,")
		if at >= len(text) || array && text[at] == ']' {
			return nil
		}
		var raw json.RawMessage
		in := json.NewDecoder(strings.NewReader(text[at:]))
		if err := in.Decode(&raw); err != nil {
			p.broken(text[at:], line, err, array)
			end := strings.IndexByte(text[at:], '\n')
			if array || end < 0 {
				return nil
			}
			at += end
			continue
		}
		if err := p.value(ctx, raw, line); err != nil {
			return err
		}
		line += bytes.Count(raw, []byte{'\n'})
		at += int(in.InputOffset())
	}
}

// broken tells of JSON that cannot be read.
func (p *parser) broken(text string, line int, err error, array bool) {
	why := "The JSON is truncated"
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line += strings.Count(text[:min(max(int(syntax.Offset)-1, 0), len(text))], "\n")
		why = "The JSON cannot be read: " + syntax.Error()
	}
	if array {
		why += "; the rest was not read"
	}
	p.problem(line, why+".")
}

// value reads one record, or an object that holds a list of them.
func (p *parser) value(ctx context.Context, raw json.RawMessage, line int) error {
	fields := fieldsOf(raw)
	if fields == nil {
		p.problem(line, "It is not a JSON object with a question and its answers.")
		return nil
	}
	q := Question{
		Text:    strings.Join(first(fields, questionNames, 1), ""),
		Topics:  first(fields, topicNames, -1),
		Answers: first(fields, answerNames, -1),
	}
	if q.Text == "" {
		for _, name := range listNames {
			if list := fields[name]; len(list) > 0 && list[0] == '[' {
				before, _, _ := bytes.Cut(raw, list)
				return p.values(ctx, string(list), line+bytes.Count(before, []byte{'\n'}))
			}
		}
	}
	if len(q.Answers) == 0 {
		var readings []json.RawMessage
		if json.Unmarshal(fields[parses], &readings) == nil {
			for _, r := range readings {
				f := fieldsOf(r)
				if q.Answers = first(f, answerNames, -1); len(q.Answers) > 0 {
					q.Topics = append(q.Topics, first(f, topicNames, -1)...)
					break
				}
			}
		}
	}
	p.add(line, q)
	return nil
}

// fieldsOf returns the fields of an object by their plain names, the first of those
// that share one; nil for what is no object.
func fieldsOf(raw json.RawMessage) map[string]json.RawMessage {
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) != nil || named == nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(named))
	for _, key := range slices.Sorted(maps.Keys(named)) {
		if name := plain(key); out[name] == nil {
			out[name] = named[key]
		}
	}
	return out
}

// first returns what the first field that says anything says, at most limit names
// (-1: all).
func first(fields map[string]json.RawMessage, names []string, limit int) []string {
	for _, name := range names {
		raw := fields[name]
		if raw == nil {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil && limit != 1 {
			if found := several(s); s != "" {
				return found
			}
			continue
		}
		if found := texts(raw); len(found) > 0 {
			if limit > 0 {
				found = found[:min(limit, len(found))]
			}
			return found
		}
	}
	return nil
}

// texts returns the names in a value: a text, a number, a list of them or of
// objects with a name, or an object from ids to names.
func texts(raw json.RawMessage) []string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	var out []string
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil && s != "" {
			out = append(out, s)
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			for _, v := range list {
				out = append(out, texts(v)...)
			}
		}
	case '{':
		fields := fieldsOf(raw)
		for _, name := range nameNames {
			if v := fields[name]; len(v) > 0 && v[0] != '{' && v[0] != '[' {
				if out = texts(v); len(out) > 0 {
					return out
				}
			}
		}
		for _, v := range fields {
			if len(v) > 0 && v[0] == '"' {
				out = append(out, texts(v)...)
			}
		}
		slices.Sort(out)
	case 't', 'f', 'n': // true, false and null name nothing
	default:
		out = append(out, string(raw))
	}
	return out
}

package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrReply is returned for a model's reply that holds no pattern.
var ErrReply = errors.New("the reply holds no pattern")

// Bounds on what is read from a reply. Models repeat themselves; people's
// questions need a handful of triples.
const (
	maxReply   = 1 << 20 // bytes
	maxTriples = 64
	maxDepth   = 32 // brackets within brackets
	maxStarts  = 64 // opening brackets tried
)

// reply is what a model was asked for by the query-to-pattern prompt (SimGRAG
// Tables 10 and 11), with two fields of ours.
type reply struct {
	// Triples are head, relation and tail, as the model wrote them.
	Triples [][3]string
	// Asked is the unknown that answers the question, or empty.
	Asked string
	// Task is "find", "count" or "verify", or empty.
	Task string
	// Negated says that a claim denies what the triples state.
	Negated bool
}

// Parse reads a model's reply and returns its pattern. It takes JSON as the
// prompt asks for and what models make of it: Python tuples and single quotes,
// trailing commas, quotes within quotes, code fences and words around it, the
// key graph or triples, or a bare list of triples.
func Parse(text string) (*Pattern, error) {
	r, err := parseReply(text)
	if err != nil {
		return nil, err
	}
	return r.pattern()
}

// parseReply finds the triples of a reply.
func parseReply(text string) (reply, error) {
	if len(text) > maxReply {
		return reply{}, fmt.Errorf("%w: it has %d bytes; at most %d are read", ErrReply, len(text), maxReply)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	tries := 0
	for i := 0; i < len(text) && tries < maxStarts; i++ {
		if strings.IndexByte("{[(", text[i]) < 0 {
			continue
		}
		tries++
		v, end, ok := parseValue(text, i)
		if !ok {
			continue
		}
		if r, ok := replyOf(v); ok {
			return r, nil
		}
		if text[i] != '{' {
			i = end - 1
		}
	}
	return reply{}, fmt.Errorf("%w: expected triples such as [\"head\", \"relation\", \"tail\"]", ErrReply)
}

// replyOf reads a parsed value as a reply.
func replyOf(v value) (reply, bool) {
	if v.kind == listValue {
		ts := triplesOf(v)
		return reply{Triples: ts}, len(ts) > 0
	}
	r := reply{}
	for i, key := range v.keys {
		item := v.items[i]
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "graph", "triples", "triple", "edges", "pattern":
			if len(r.Triples) == 0 {
				r.Triples = triplesOf(item)
			}
		case "asked", "answer", "target":
			r.Asked = strings.TrimSpace(item.text)
		case "task":
			r.Task = strings.ToLower(strings.TrimSpace(item.text))
		case "negated":
			r.Negated = strings.EqualFold(item.text, "true")
		}
	}
	return r, len(r.Triples) > 0
}

// triplesOf reads a list of triples; a single triple counts as such a list.
func triplesOf(v value) [][3]string {
	if t, ok := tripleOf(v); ok {
		return [][3]string{t}
	}
	var ts [][3]string
	for _, item := range v.items {
		if t, ok := tripleOf(item); ok && len(ts) < maxTriples {
			ts = append(ts, t)
		}
	}
	return ts
}

func tripleOf(v value) (t [3]string, ok bool) {
	if v.kind == objectValue {
		for i, key := range v.keys {
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "head", "subject", "h", "s", "source", "from":
				t[0] = v.items[i].text
			case "relation", "predicate", "r", "p", "rel", "edge":
				t[1] = v.items[i].text
			case "tail", "object", "t", "o", "target", "to":
				t[2] = v.items[i].text
			}
		}
	} else {
		if v.kind != listValue || len(v.items) != 3 {
			return t, false
		}
		for i, item := range v.items {
			if item.kind != textValue {
				return t, false
			}
			t[i] = item.text
		}
	}
	for i := range t {
		t[i] = strings.Join(strings.Fields(t[i]), " ")
	}
	return t, t[0] != "" && t[2] != ""
}

// pattern turns the triples into a pattern: equal texts are one node, unknown
// ones are variables with what remains of their text as the type hint, and
// edges lie either way, since models and graphs differ in direction (SimGRAG
// §4.2).
func (r reply) pattern() (*Pattern, error) {
	p := &Pattern{Asked: -1}
	ids := map[string]int{}
	names := map[string]bool{}
	node := func(text string) int {
		key := text
		if _, ok := unknown(text); ok {
			key = "?" + strings.ToLower(text)
		}
		if id, ok := ids[key]; ok {
			return id
		}
		n := nodeOf(text, names)
		ids[key] = len(p.Nodes)
		p.Nodes = append(p.Nodes, n)
		return ids[key]
	}
	for _, t := range r.Triples {
		if len(p.Nodes)+2 > maxNodes {
			return nil, fmt.Errorf("%w: it has more than %d nodes", ErrReply, maxNodes)
		}
		rel := t[1]
		if _, ok := unknown(rel); ok {
			rel = ""
		}
		from := node(t[0])
		p.Edges = append(p.Edges, Edge{From: from, To: node(t[2]), Relation: rel})
	}
	if len(p.Edges) == 0 {
		return nil, fmt.Errorf("%w: it has no triple", ErrReply)
	}
	p.Negated = r.Negated
	r.settle(p, ids)
	return p, nil
}

// settle decides what is asked for: what the model says where it makes sense,
// else the last unknown, else the pattern is to be verified.
func (r reply) settle(p *Pattern, ids map[string]int) {
	last := lastVariable(p.Nodes)
	if last < 0 || r.Task == "verify" {
		p.Task = Verify
		return
	}
	p.Asked = last
	if id, ok := ids["?"+strings.ToLower(strings.Join(strings.Fields(r.Asked), " "))]; ok {
		p.Asked = id
	}
	if r.Task == "count" {
		p.Task = Count
	}
}

// nodeOf makes the node of a text; names holds the variables' names so far.
func nodeOf(text string, names map[string]bool) Node {
	rest, ok := unknown(text)
	if !ok {
		return Node{Text: text}
	}
	hint := strings.TrimSpace(strings.TrimRight(rest, "0123456789 _"))
	hint = strings.Trim(strings.ReplaceAll(hint, "_", " "), " ")
	base := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, rest)
	if base == "" {
		base = "x"
	}
	name := "?" + base
	for k := 2; names[name]; k++ {
		name = "?" + base + "_" + strconv.Itoa(k)
	}
	names[name] = true
	return Node{Text: name, Variable: true, Type: hint}
}

var unknownSpellings = strings.Fields("UNKNOWN UNKNONWN UNKOWN UNKNWON UNKNOW UNKNON UNKNWN UNKNOWNN") //nolint:misspell // that is the point

// unknown reports whether a text stands for something unknown, and returns what
// it says beside that: "actor 1" for "UNKNOWN actor 1". The misspellings are
// those of the paper (§C.1) and of the authors' own prompts.
func unknown(text string) (rest string, ok bool) {
	if after, ok := strings.CutPrefix(text, "?"); ok {
		return strings.TrimSpace(after), true
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' || r == ':' })
	for i, w := range words {
		w = strings.Trim(w, "<>[](){}\"'")
		bare := strings.TrimRight(w, "0123456789")
		if slices.Contains(unknownSpellings, strings.ToUpper(bare)) {
			// In running text ("The Unknown") only capitals mean it.
			if i > 0 && bare != strings.ToUpper(bare) || len(words) > 1 && bare != strings.ToUpper(bare) && bare != strings.ToLower(bare) {
				continue
			}
			words[i] = w[len(bare):]
			return strings.Trim(strings.Join(words, " "), " <>[](){}\"'"), true
		}
	}
	return "", false
}

// A value is one value of a reply: text (numbers and bare words too), a list
// (JSON array or Python tuple) or an object.
type value struct {
	kind  valueKind
	text  string
	items []value
	keys  []string // of an object; keys[i] names items[i]
}

type valueKind int

const (
	textValue valueKind = iota
	listValue
	objectValue
)

// parseValue reads the value that starts at text[at] and returns the offset
// after it.
func parseValue(text string, at int) (v value, end int, ok bool) {
	s := scanner{text: text, at: at}
	v, ok = s.value(0)
	return v, s.at, ok
}

type scanner struct {
	text string
	at   int
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.at:])
		if !unicode.IsSpace(r) {
			return
		}
		s.at += n
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) value(depth int) (value, bool) {
	s.space()
	switch c := s.peek(); {
	case depth > maxDepth || s.at == len(s.text):
		return value{}, false
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.list(depth, ']')
	case c == '(':
		return s.list(depth, ')')
	case c == '"' || c == '\'':
		t, ok := s.quoted()
		return value{text: t}, ok
	default:
		t := s.bare()
		return value{text: t}, t != ""
	}
}

func (s *scanner) list(depth int, closing byte) (value, bool) {
	v := value{kind: listValue}
	s.at++
	for {
		s.space()
		switch s.peek() {
		case closing:
			s.at++
			return v, true
		case ',':
			s.at++
			continue
		}
		item, ok := s.value(depth + 1)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
	}
}

func (s *scanner) object(depth int) (value, bool) {
	v := value{kind: objectValue}
	s.at++
	for {
		s.space()
		c := s.peek()
		if c == '}' {
			s.at++
			return v, true
		}
		if c == ',' {
			s.at++
			continue
		}
		var key string
		var ok bool
		if c == '"' || c == '\'' {
			key, ok = s.quoted()
		} else {
			key = s.bare()
			ok = key != ""
		}
		s.space()
		if !ok || s.peek() != ':' {
			return v, false
		}
		s.at++
		item, ok := s.value(depth + 1)
		if !ok {
			return v, false
		}
		v.keys = append(v.keys, key)
		v.items = append(v.items, item)
	}
}

// bare reads a word without quotes, up to a delimiter.
func (s *scanner) bare() string {
	start := s.at
	for s.at < len(s.text) && strings.IndexByte(",:{}[]()\n\"", s.text[s.at]) < 0 {
		s.at++
	}
	return strings.TrimSpace(s.text[start:s.at])
}

// quoted reads a quoted text. A quotation mark ends it only where a delimiter
// follows: models write 'Schindler's List' and "the "best" film".
func (s *scanner) quoted() (string, bool) {
	quote := s.text[s.at]
	s.at++
	var b strings.Builder
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == quote && s.closes():
			s.at++
			return b.String(), true
		case c == '\\' && s.at+1 < len(s.text):
			s.escape(&b)
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return "", false
}

// closes reports whether the quotation mark at s.at is followed by a delimiter.
func (s *scanner) closes() bool {
	rest := strings.TrimLeftFunc(s.text[s.at+1:], unicode.IsSpace)
	return rest == "" || strings.IndexByte(",:]})", rest[0]) >= 0
}

// escape reads a backslash and what it escapes. An unknown escape is taken as
// it stands.
func (s *scanner) escape(b *strings.Builder) {
	c := s.text[s.at+1]
	s.at += 2
	switch c {
	case '"', '\'', '\\', '/':
		b.WriteByte(c)
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'u':
		r, ok := s.hex()
		if !ok {
			b.WriteString(`\u`)
			return
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(s.text[s.at:], `\u`) {
			mark := s.at
			s.at += 2
			low, ok := s.hex()
			if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
				b.WriteRune(pair)
				return
			}
			s.at = mark
		}
		b.WriteRune(r) // a lone surrogate becomes U+FFFD
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

// hex reads four hexadecimal digits.
func (s *scanner) hex() (rune, bool) {
	if s.at+4 > len(s.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[s.at:s.at+4], 16, 32)
	if err != nil {
		return 0, false
	}
	s.at += 4
	return rune(n), true
}

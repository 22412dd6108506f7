package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// errReply is returned for a model's reply that holds no pattern.
var errReply = errors.New("the reply has no pattern")

// What is read of a reply. Models repeat themselves; people's questions need a
// handful of triples.
const maxTriples = 64

// patternReply is what a model is asked for by the query-to-pattern prompt (SimGRAG Tables
// 10 and 11), with three fields of ours.
type patternReply struct {
	// Triples are head, relation and tail, as the model wrote them.
	Triples [][]llm.Text `json:"triples"`
	// Asked is the unknown that answers the question, or empty.
	Asked llm.Text `json:"asked"`
	// Task is "find", "count" or "verify", or empty.
	Task llm.Text `json:"task"`
	// Negated says that a claim denies what the triples state.
	Negated bool `json:"negated"`
	// Conditions are what statements say beside their triples, as patterns write it.
	Conditions []struct {
		Triple int      `json:"triple"` // from 1
		Says   llm.Text `json:"says"`
	} `json:"conditions"`
}

// parsePattern reads a model's reply, with words around its JSON or not, and returns
// its pattern.
func parsePattern(text string) (*pattern.Pattern, error) {
	for object := range llm.Objects(text) {
		var r patternReply
		if json.Unmarshal(object, &r) != nil {
			continue
		}
		p := r.pattern()
		if len(p.Edges) == 0 {
			continue
		}
		if err := r.addConditions(p); err != nil {
			return nil, fmt.Errorf("%w: %w", errReply, err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("%w: expected triples such as [\"head\", \"relation\", \"tail\"]", errReply)
}

// addConditions puts the conditions on their edges. One that is not understood is an
// error: without it the pattern would find more than the question asks for.
func (r patternReply) addConditions(p *pattern.Pattern) error {
	for _, c := range r.Conditions {
		if c.Triple < 1 || c.Triple > len(p.Edges) || len(p.Edges) != len(r.Triples) {
			return fmt.Errorf("there is no triple %d for the condition %q", c.Triple, oneLine(c.Says))
		}
		list, err := pattern.ParseConditions(oneLine(c.Says))
		if err != nil {
			return fmt.Errorf("the condition %q: %w", oneLine(c.Says), err)
		}
		e := &p.Edges[c.Triple-1]
		e.Conditions = append(e.Conditions, list...)
	}
	return nil
}

// pattern turns the triples into a pattern: equal texts are one node, unknown
// ones are variables with what remains of their text as the type hint, and
// edges lie either way, since models and graphs differ in direction (SimGRAG
// §4.2).
func (r patternReply) pattern() *pattern.Pattern {
	p := &pattern.Pattern{Asked: -1, Negated: r.Negated}
	ids := map[string]int{}
	names := map[string]bool{}
	node := func(text string) int {
		key := nodeKey(text)
		if id, ok := ids[key]; ok {
			return id
		}
		ids[key] = len(p.Nodes)
		p.Nodes = append(p.Nodes, nodeOf(text, names))
		return ids[key]
	}
	for _, t := range r.Triples[:min(len(r.Triples), maxTriples)] {
		if len(t) != 3 {
			continue
		}
		head, relation, tail := oneLine(t[0]), oneLine(t[1]), oneLine(t[2])
		if head == "" || tail == "" {
			continue
		}
		if _, ok := unknown(relation); ok {
			relation = ""
		}
		from := node(head)
		p.Edges = append(p.Edges, pattern.Edge{From: from, To: node(tail), Relation: relation})
	}
	// What is asked for is what the model says where it makes sense, else the last
	// unknown; without one, the pattern is to be verified.
	for i, n := range p.Nodes {
		if n.Variable {
			p.Asked = i
		}
	}
	task := strings.ToLower(oneLine(r.Task))
	if p.Asked < 0 || task == "verify" {
		p.Task, p.Asked = pattern.Verify, -1
		return p
	}
	if id, ok := ids[nodeKey(oneLine(r.Asked))]; ok && p.Nodes[id].Variable {
		p.Asked = id
	}
	if task == "count" {
		p.Task = pattern.Count
	}
	return p
}

// nodeKey is the same for texts of one node: an unknown one in any case.
func nodeKey(text string) string {
	if _, ok := unknown(text); ok {
		return "?" + strings.ToLower(text)
	}
	return text
}

// oneLine puts a text on one line.
func oneLine(t llm.Text) string { return wording.OneLine(string(t)) }

// nodeOf makes the node of a text; names holds the variables' names so far.
func nodeOf(text string, names map[string]bool) pattern.Node {
	rest, ok := unknown(text)
	if !ok {
		return pattern.Node{Text: text}
	}
	hint := strings.TrimSpace(strings.TrimRight(rest, "0123456789 _"))
	hint = strings.Trim(strings.ReplaceAll(hint, "_", " "), " ")
	base := cmp.Or(wording.Plain(rest), "x")
	name := "?" + base
	for k := 2; names[name]; k++ {
		name = "?" + base + "_" + strconv.Itoa(k)
	}
	names[name] = true
	return pattern.Node{Text: name, Variable: true, Type: hint}
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
			// In running text ("The Unknown") only capitals mean it, or the number that
			// an unknown thing has ("Unknown actor 1").
			capitals, small := bare == strings.ToUpper(bare), bare == strings.ToLower(bare)
			numbered := len(words) > 2 && strings.Trim(words[len(words)-1], "0123456789") == ""
			if !capitals && (i > 0 || len(words) > 1 && !small && !numbered) {
				continue
			}
			words[i] = w[len(bare):]
			return strings.Trim(strings.Join(words, " "), " <>[](){}\"'"), true
		}
	}
	return "", false
}

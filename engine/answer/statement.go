package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// statement is a claim in the words in which it is made. Whoever planned it, a
// verdict needs triples that say these words: the check that a model's sentences
// go through is the one that a claim goes through.
type statement struct {
	g    *kg.Graph
	p    *pattern.Pattern
	f    Found
	text string // empty where the pattern itself is the claim
	// single returns the stems of relations' names of one word.
	single func() map[string]bool
}

func newStatement(g *kg.Graph, p *pattern.Pattern, f Found) *statement {
	return &statement{g: g, p: p, f: f, single: sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		for r := range kg.RelationID(g.Relations()) {
			if stems := lexicon.Stems(g.RelationText(r)); len(stems) == 1 {
				names[stems[0]] = true
			}
		}
		return names
	})}
}

// maxBetween is how many other triples between the names of a claim are tried one
// by one.
const maxBetween = 64

// borneOut finds triples that say the claim as the match c reads its names: those
// of the match, or others between the same things. It returns them, or what none
// of them says.
func (s *statement) borneOut(c evidence.Candidate) (said evidence.Candidate, unsaid string) {
	if s.text == "" {
		return c, s.unsaidByRelations(c.Edges)
	}
	ch, x := s.checker(c.Edges)
	unnamed := kg.NoEntity
	for i, n := range s.p.Nodes {
		if !n.Variable {
			x.call(n.Text, c.Nodes[i])
		} else if unnamed == kg.NoEntity {
			unnamed = c.Nodes[i]
		}
	}
	own := ch.a.Pack.Triples
	for _, phrase := range s.descriptions(ch, x, unnamed) {
		ch, x := s.checker(c.Edges)
		for i, n := range s.p.Nodes {
			if !n.Variable {
				x.call(n.Text, c.Nodes[i])
			}
		}
		x.call(phrase, unnamed)
		if s.unsaid(ch, x, own) == "" {
			return c, ""
		}
	}
	if unsaid = s.unsaid(ch, x, own); unsaid == "" {
		return c, ""
	}
	others := ch.between(s.named())
	for _, t := range others[:min(len(others), maxBetween)] {
		if s.unsaid(ch, x, []kg.TripleID{t}) == "" {
			return evidence.Candidate{Edges: []kg.TripleID{t}}, ""
		}
	}
	if all := slices.Concat(own, others); len(others) > 0 && s.unsaid(ch, x, all) == "" {
		return evidence.Candidate{Edges: all}, ""
	}
	return c, unsaid
}

// contradicted returns what no triple would say even if the claim gave the value
// that the graph has; nothing where the claim and the graph differ in it alone.
func (s *statement) contradicted(x contrary) (unsaid string) {
	triples := append(slices.Clone(x.evidence), x.triple)
	if s.text == "" {
		return s.unsaidByRelations(triples)
	}
	ch, index := s.checker(triples)
	t := s.g.Triple(x.triple)
	value := t.Tail
	if x.inverse {
		value = t.Head
	}
	for _, n := range s.p.Nodes {
		if slices.Contains(n.Entities, x.claimed) {
			index.call(n.Text, value)
			continue
		}
		for _, e := range n.Entities {
			index.call(n.Text, e)
		}
	}
	for _, name := range append([]string{s.g.Label(x.claimed)}, s.g.Aliases(x.claimed)...) {
		index.call(name, value)
	}
	return s.unsaid(ch, index, slices.Concat(triples, ch.between(s.named())))
}

// checker returns a check of the claim against triples, and the names there are.
func (s *statement) checker(triples []kg.TripleID) (*checker, *nameIndex) {
	pack, _ := evidence.NewPack([]evidence.Candidate{{Edges: triples}}, 0)
	c := newChecker(s.g, &Answer{Pack: pack}, nil)
	c.claim, c.denied, c.means, c.single = true, s.p.Negated, s.f.Means, s.single
	if s.f.Lexicon != nil {
		c.lex = s.f.Lexicon
	}
	x := c.packNames()
	for _, e := range s.named() {
		x.add(s.g, e)
		if name, more, ok := strings.Cut(s.g.Label(e), "("); ok && len(c.bracketed(e)) > 0 {
			x.call(strings.TrimSuffix(more, ")")+" "+name, e) // "the Train song Mermaid"
		}
	}
	return c, x
}

// unsaid returns what of the claim triples do not say, in a sentence; nothing where
// they say all of it.
func (s *statement) unsaid(c *checker, x *nameIndex, triples []kg.TripleID) string {
	text := assertion(s.text, x)
	f := c.against(text, triples, triples, x)
	if f.check == Covered {
		return ""
	}
	r := c.newReading(text, triples, triples, x)
	r.scan()
	if len(r.unknown) == 0 {
		return f.reason
	}
	var said []string
	for _, t := range r.unknown {
		said = append(said, t.Text)
	}
	return "No triple says " + wording.Choice(quoted(said)) + "."
}

// descriptions are the phrases of a claim that may stand for a thing which it does
// not name: "someone", and "a country" where that is what the thing is.
func (s *statement) descriptions(c *checker, x *nameIndex, e kg.EntityID) []string {
	if e == kg.NoEntity {
		return nil
	}
	var out []string
	tokens := lexicon.Tokenize(s.text)
	for i, t := range tokens {
		if indefinite[t.Lower] {
			out = append(out, t.Text)
		}
		if !determiners[t.Lower] {
			continue
		}
		to := i + 1
		for to < len(tokens) {
			if n, _ := x.nameAt(s.text, tokens[to:]); n > 0 || !c.isOfKind(e, tokens[to].Stem, true) {
				break
			}
			to++
		}
		if to > i+1 {
			out = append(out, s.text[t.Start:tokens[to-1].End])
		}
	}
	return out
}

var (
	indefinite  = words("someone somebody something")
	determiners = words("a an the some one another")
)

// unsaidByRelations compares the relations that the user wrote with those of
// triples, which meet them one by one.
func (s *statement) unsaidByRelations(triples []kg.TripleID) string {
	c, _ := s.checker(triples)
	for i, e := range s.p.Edges {
		if i >= len(triples) || triples[i] == kg.NoTriple {
			return "No triple is there for every condition."
		}
		r := s.g.Triple(triples[i]).Relation
		if slices.Contains(e.Fixed, r) {
			continue
		}
		rd := c.newReading(e.Relation, triples[i:i+1], nil, c.packNames())
		for _, t := range lexicon.Tokenize(e.Relation) {
			if !glue(t.Lower) && !linking[t.Lower] && rd.relationOf(t) == nil {
				return fmt.Sprintf("No triple says %q.", t.Text)
			}
		}
	}
	return ""
}

// named are the entities that the claim names.
func (s *statement) named() []kg.EntityID {
	var es []kg.EntityID
	for _, n := range s.p.Nodes {
		if !n.Variable {
			es = append(es, n.Entities...)
		}
	}
	return es
}

// notFound says that the graph does not decide a claim, what in the claim no triple
// says, and what the graph has between its names.
func (s *statement) notFound(unsaid string) *Answer {
	closest := s.f.Closest
	if len(s.f.Candidates) > 0 {
		closest = s.f.Candidates
	}
	c, _ := s.checker(nil)
	between := c.between(s.named())
	if unsaid == "" {
		a := refuse(s.g, nil, s.p, closest)
		if s.text != "" && len(s.p.Edges) == 1 {
			s.quoteIn(a)
		}
		return a
	}
	if len(between) == 0 {
		a := refuse(s.g, nil, s.p, closest)
		a.Refusal.Reason = "Not found in this graph. " + unsaid
		a.Sentences[0].Text = a.Refusal.Reason
		return a
	}
	between = between[:min(len(between), maxShownBetween)]
	a := refusal(&Refusal{Reason: "Not found in this graph. " + unsaid, Closest: closest})
	shown := evidence.Candidate{Edges: between}
	a.Pack, _ = evidence.NewPack([]evidence.Candidate{shown}, 0)
	a.Sentences = append(a.Sentences, Sentence{
		Text:      "What it has between these names: " + clausesOf(s.g, a.Pack, shown) + ".",
		Citations: numbers(a.Pack, a.Pack.Triples),
	})
	return a
}

// quoteIn makes a refusal say in the claim's own words what was not found: its pattern
// may have been read the other way round.
func (s *statement) quoteIn(a *Answer) {
	a.Refusal.Reason = "Not found in this graph: “" + strings.TrimRight(oneLine(s.text), ".!") + "”."
	a.Refusal.Missing = slices.DeleteFunc(a.Refusal.Missing, func(m Missing) bool { return m.What == "match" })
	a.Sentences[0].Text = a.Refusal.Reason
}

// maxShownBetween is how many triples between the names of a claim are shown
// beside one that none of them says.
const maxShownBetween = 6

// call lets a text name an entity, beside its own names.
func (x *nameIndex) call(text string, e kg.EntityID) {
	var ws []string
	for _, w := range lexicon.Tokenize(plainText(text)) {
		ws = append(ws, w.Lower)
	}
	if len(ws) > 0 && e != kg.NoEntity {
		x.byWord[ws[0]] = append(x.byWord[ws[0]], name{ws, e, text})
	}
}

// fronted are the verbs with which a question for yes or no begins.
var fronted = words("is are was were do does did has have had")

// Forms that say a statement at more length: "It was X who …", "… is known as X".
var (
	cleft  = regexp.MustCompile(`^[Ii]t (?:is|was) (\p{Lu}.*?),? (?:who|that|which) `)
	called = regexp.MustCompile(`\b(is|are|was|were) (?:known as|called)\b`)
)

var expectsYes = regexp.MustCompile(`^\s*(\w+)n['’]t `)

// assertion writes a claim as a plain statement: without what is said around it,
// with its verb behind the name, and with "not" written out. The "not" of "Isn't X …?"
// denies nothing: it expects a yes.
func assertion(text string, x *nameIndex) string {
	text = expectsYes.ReplaceAllString(text, "$1 ")
	for _, n := range []string{"n't", "n’t"} {
		text = strings.ReplaceAll(text, n, " not")
	}
	tokens := lexicon.Tokenize(text)
	aside := lexicon.Aside(tokens, func(i int) bool {
		n, _ := x.nameAt(text, tokens[i:])
		return n > 0
	})
	if tokens = tokens[aside:]; len(tokens) > 0 {
		start := tokens[0].Start
		text = text[start:]
		tokens = lexicon.Tokenize(text)
	}
	if m := cleft.FindStringSubmatchIndex(text); m != nil {
		return text[m[2]:m[3]] + " " + text[m[1]:]
	}
	text = called.ReplaceAllString(text, "$1")
	tokens = lexicon.Tokenize(text)
	if len(tokens) < 3 || !fronted[tokens[0].Lower] {
		return text
	}
	from := 1
	for from < len(tokens)-1 && (tokens[from].Lower == "the" || tokens[from].Lower == "a" || tokens[from].Lower == "an") {
		from++
	}
	n, _ := x.nameAt(text, tokens[from:])
	to := from + n
	if n == 0 || to < len(tokens) && tokens[to].Lower == lexicon.Possessive {
		return text[tokens[1].Start:]
	}
	end := tokens[to-1].End
	return text[tokens[1].Start:end] + " " + tokens[0].Lower + text[end:]
}

package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// question is what planning keeps of a question.
type question struct {
	text    string
	tokens  []lexicon.Token
	content []lexicon.Token      // those that carry a meaning
	named   map[kg.EntityID]bool // what the question surely names
	without *plan.Plan           // what was planned without the model
	stems   map[string]bool      // of content
}

// light are the stems of words that carry little meaning of their own, beside
// the lexicon's stop words.
var light = lexicon.Stems("use make get take go come happen call kind thing number sort question answer tell say")

func (p *Planner) newQuestion(text string, without *plan.Plan) *question {
	q := &question{
		text: text, tokens: lexicon.Tokenize(text), without: without,
		named: map[kg.EntityID]bool{}, stems: map[string]bool{},
	}
	telling := lexicon.CapitalsTell(q.tokens, p.w.Lexicon.IsStop)
	for i, t := range q.tokens {
		// “Her” and “The One” are names, though they are made of stop words.
		name := telling && i > 0 && t.Capital && t.Lower != "i"
		if t.Lower == lexicon.Possessive || !name && (p.w.Lexicon.IsStop(t.Lower) || slices.Contains(light, t.Stem)) {
			continue
		}
		q.content = append(q.content, t)
		q.stems[t.Stem] = true
	}
	for _, m := range without.Mentions {
		for _, c := range m.Candidates {
			q.named[c.Entity] = true
		}
	}
	return q
}

// A cost says how much a reading leaves open; lower is better, 0 is nothing.
//
//	cost = distance + words left out or conditions added + names added
//	       + 1 if it answers in another form
//
// The graph semantic distance is a sum over the names and relations of a
// pattern, so that of two patterns the one with fewer conditions is nearer for
// no merit of its own: the empty pattern would always win. Dividing by the size
// is no remedy, since then a far name hides among near ones. So what a pattern
// leaves out is charged at what it would cost as the worst of names: two unit
// vectors without anything in common lie 1 and more apart (link's threshold), so
// a word of the question that no part of the pattern answers to costs 1. Leaving
// a condition out then never pays, as long as the graph has anything like it. A
// name that the question does not have costs the same, and so does a relation that
// no word asks for. Since such a word may ask for such a relation, in words that
// nobody has told us, the larger of their numbers counts, not both.
//
// The measure knows nothing of who made the reading: the model's and those of
// the planner without a model are held against each other by it.
type cost struct {
	distance float64
	unused   []string // words of the question
	unasked  int      // relations that no word of the question asks for
	added    []string // names that the question does not have
	form     bool     // it finds where a claim is to be checked, or the reverse
}

// A word left out, and a name added, cost as much as a name that is nothing like
// what was meant.
const unlike = 1.0

func (c cost) total() float64 {
	t := c.distance + unlike*float64(max(len(c.unused), c.unasked)+len(c.added))
	if c.form {
		t += unlike
	}
	return t
}

// noise is the difference of two costs that comes from rounding.
const noise = 1e-6

// costOf measures a reading that is grounded.
func (p *Planner) costOf(q *question, pat *pattern.Pattern, g Grounding) cost {
	c := cost{distance: g.Distance()}
	for i, n := range pat.Nodes {
		if !n.Variable && !p.inQuestion(q, &pat.Nodes[i]) {
			c.added = append(c.added, n.Text)
		}
	}
	kinds := p.kindsBeside(q, pat)
	for _, t := range q.content {
		if !kinds[t.Start] && !p.uses(q, pat, g, t) {
			c.unused = append(c.unused, t.Text)
		}
	}
	for i := range pat.Edges {
		if !p.isAsked(q, pat, g, i) {
			c.unasked++
		}
	}
	if rs := q.without.Readings; len(rs) > 0 && q.without.Doubt != plan.NoRelation {
		c.form = (rs[0].Pattern.Task == pattern.Verify) != (pat.Task == pattern.Verify)
	}
	return c
}

// inQuestion reports whether the question has a known node's name: a word of
// it, misspelt maybe, or another name of the same entity.
func (p *Planner) inQuestion(q *question, n *pattern.Node) bool {
	if slices.ContainsFunc(n.Entities, func(e kg.EntityID) bool { return q.named[e] }) {
		return true
	}
	name := lexicon.Tokenize(n.Text)
	if len(name) == 0 {
		return strings.Contains(q.text, n.Text)
	}
	all := !slices.ContainsFunc(name, func(t lexicon.Token) bool { return !p.w.Lexicon.IsStop(t.Lower) })
	for _, t := range name {
		if !all && p.w.Lexicon.IsStop(t.Lower) {
			continue // "the" of "the Hague" is in every question
		}
		if slices.ContainsFunc(q.tokens, func(w lexicon.Token) bool { return alike(w, t) }) {
			return true
		}
	}
	return false
}

// uses reports whether some part of a pattern answers to a word of the question.
func (p *Planner) uses(q *question, pat *pattern.Pattern, g Grounding, w lexicon.Token) bool {
	for _, n := range pat.Nodes {
		said := func(e kg.EntityID) bool { return has(p.w.Graph.Label(e), w) || p.mentions(q, e, w) }
		if !n.Variable && (has(n.Text, w) || slices.ContainsFunc(n.Entities[:min(len(n.Entities), lookups)], said)) {
			return true
		}
	}
	hints := make([]bool, len(pat.Nodes)) // a hint counts where a condition bears it
	for i, e := range pat.Edges {
		if e.Relation != "" {
			hints[e.From], hints[e.To] = true, true
		}
		joins := func(r kg.RelationID) bool { return p.w.Schema.Joins(r, w.Stem) }
		if p.asksFor(w, e, g, i) || slices.ContainsFunc(relationsOf(p.w.Graph, e, g, i), joins) {
			return true
		}
	}
	for i, n := range pat.Nodes {
		if n.Variable && (hints[i] || n.Within != nil) && p.namesKind(n.Type, w) {
			return true
		}
	}
	return false
}

// isAsked reports whether some word of the question asks for the relation of edge i.
func (p *Planner) isAsked(q *question, pat *pattern.Pattern, g Grounding, i int) bool {
	return slices.ContainsFunc(q.tokens, func(w lexicon.Token) bool { return p.asksFor(w, pat.Edges[i], g, i) })
}

// asksFor reports whether a word asks for the relation of edge i.
func (p *Planner) asksFor(w lexicon.Token, e pattern.Edge, g Grounding, i int) bool {
	if p.w.Lexicon.IsStop(w.Lower) {
		return false
	}
	return has(e.Relation, w) || slices.ContainsFunc(relationsOf(p.w.Graph, e, g, i), func(r kg.RelationID) bool {
		return has(p.w.Graph.RelationText(r), w) || p.w.Schema.AsksFor(r, w.Stem)
	})
}

// relationsOf returns the relations that edge i has, or that its best match has.
func relationsOf(graph *kg.Graph, e pattern.Edge, g Grounding, i int) []kg.RelationID {
	if len(e.Fixed) == 0 && e.Relation != "" && g.Found && g.Best.Edges[i] != kg.NoTriple {
		return []kg.RelationID{graph.Triple(g.Best.Edges[i]).Relation}
	}
	return e.Fixed
}

// kindsBeside returns the words, by where they start, that only say what kind of
// thing a known node is, beside its name: "the film Heat", "Heat the movie".
func (p *Planner) kindsBeside(q *question, pat *pattern.Pattern) map[int]bool {
	out := map[int]bool{}
	add := func(i int) {
		if i >= 0 && i < len(q.tokens) && p.isKind(q.tokens[i]) {
			out[q.tokens[i].Start] = true
		}
	}
	for _, n := range pat.Nodes {
		name := lexicon.Tokenize(n.Text)
		if n.Variable || len(name) == 0 {
			continue
		}
		for at := range q.tokens {
			to := at + len(name)
			if to > len(q.tokens) || !slices.EqualFunc(q.tokens[at:to], name, func(a, b lexicon.Token) bool { return a.Lower == b.Lower }) {
				continue
			}
			add(at - 1)
			add(to)
			if to < len(q.tokens) && q.tokens[to].Lower == "the" {
				add(to + 1)
			}
		}
	}
	return out
}

// isKind reports whether a word names a kind of things.
func (p *Planner) isKind(w lexicon.Token) bool {
	return len(p.w.Lexicon.KindsOf(w.Stem)) > 0 || len(p.typesOf(w.Lower)) > 0
}

// mentions reports whether a word lies in a span of the question that names an
// entity, by whatever name.
func (p *Planner) mentions(q *question, e kg.EntityID, w lexicon.Token) bool {
	for _, m := range q.without.Mentions {
		if m.Start <= w.Start && w.End <= m.End {
			for _, c := range m.Candidates {
				if c.Entity == e {
					return true
				}
			}
		}
	}
	return false
}

// namesKind reports whether a word names the kind that a hint does: "films" for
// "movie".
func (p *Planner) namesKind(hint string, w lexicon.Token) bool {
	return slices.ContainsFunc(lexicon.Stems(hint), func(s string) bool {
		return s == w.Stem || slices.Contains(p.w.Lexicon.KindsOf(s), w.Stem)
	})
}

// has reports whether a text has a word, misspelt maybe.
func has(text string, w lexicon.Token) bool {
	return slices.ContainsFunc(lexicon.Tokenize(text), func(t lexicon.Token) bool { return alike(t, w) })
}

// alike reports whether two words are the same but for their endings, or a typo where
// both have five letters or more.
func alike(a, b lexicon.Token) bool {
	return a.Stem == b.Stem || a.Lower == b.Lower ||
		min(utf8.RuneCountInString(a.Lower), utf8.RuneCountInString(b.Lower)) >= 5 && link.Edits(a.Lower, b.Lower, 1) == 1
}

// explain says where a cost comes from, as a score: higher is better.
func (c cost) explain(g Grounding, message string) evidence.Explanation {
	what := "the graph semantic distance of its best match"
	if !g.Found {
		what = "the distance of the closest names and relations; nothing matches all of them"
		switch {
		case g.far != "":
			what = fmt.Sprintf("the distance of the closest names and relations; nothing is like “%s”", g.far)
		case g.Cut:
			what = "the distance of the closest names and relations; no match was found before the search was cut off"
		}
	}
	out := evidence.Explanation{Value: 0 - c.total(), Message: message}
	add := func(value float64, message string) {
		out.Children = append(out.Children, evidence.Explanation{Value: 0 - value, Message: message})
	}
	add(c.distance, what)
	if len(c.unused) > 0 {
		add(unlike*float64(len(c.unused)), "words of the question that it ignores: "+wording.Quotes(c.unused))
	}
	if more := c.unasked - len(c.unused); more > 0 {
		add(unlike*float64(more), "relations that no word of the question asks for")
	}
	if len(c.added) > 0 {
		add(unlike*float64(len(c.added)), "names that the question does not have: "+wording.Quotes(c.added))
	}
	if c.form {
		add(unlike, "one planner reads it as a claim, the other as a question")
	}
	return out
}

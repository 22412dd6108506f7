package check

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
	"cairn/engine/say"
	"cairn/internal/wording"
)

// Claim is a claim in the words in which it is made. Whoever planned it, a verdict
// needs triples that say these words: the check that a model's sentences go through
// is the one that a claim goes through.
type Claim struct {
	g    *kg.Graph
	p    *pattern.Pattern
	w    Words
	text string
	// single returns the stems of relations' names of one word.
	single func() map[string]bool
}

// Words are the words that relations have.
type Words struct {
	// Lexicon knows the words for relations; nil is the built-in one.
	Lexicon *lexicon.Lexicon
	// Means returns the words of a relation's name as the graph shows them to be meant, and the words and
	// the lexicon's concepts that it has, where the user has changed them; nil where nobody could.
	Means func(kg.RelationID) (name, words, concepts []string)
}

// NewClaim makes a Claim of a pattern that text is read as; without text the pattern
// itself is the claim.
func NewClaim(g *kg.Graph, p *pattern.Pattern, text string, w Words) *Claim {
	return &Claim{g: g, p: p, w: w, text: text, single: sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		for r := range kg.RelationID(g.Relations()) {
			if stems := lexicon.Stems(g.RelationText(r)); len(stems) == 1 {
				names[stems[0]] = true
			}
		}
		return names
	})}
}

// Text returns the claim's words; "" where the pattern itself is the claim.
func (s *Claim) Text() string { return s.text }

// maxBetween is how many other triples between the names of a claim are tried one
// by one.
const maxBetween = 64

// Lack is what triples do not say of a claim.
type Lack struct {
	Reason string // in a sentence; "" where they say all of it
	// Beside says that they say all that joins the names of the claim, and not some word
	// beside it, which takes nothing of that back: "A, a scientist, was born in B".
	Beside bool
	// Otherwise says that they say it otherwise, or that a word denies it or names what they do not
	// have, and Against that or that a word may say something else.
	Otherwise, Against bool
	// Turned says that they say all of it the other way round.
	Turned bool
}

// Said finds triples that say the claim as the match c reads its names: those
// of the match, or others between the same things. It returns them, or what none
// of them says.
func (s *Claim) Said(c evidence.Candidate) (said evidence.Candidate, lack Lack) {
	if s.text == "" {
		return c, Lack{Reason: s.unsaidByRelations(c.Edges)}
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
	own := ch.ev.Pack.Triples
	var likely *Lack
	described := s.descriptions(ch, x, unnamed)
	for _, d := range described {
		ch, x := s.checker(c.Edges)
		for i, n := range s.p.Nodes {
			if !n.Variable {
				x.call(n.Text, c.Nodes[i])
			}
		}
		x.call(d.text, unnamed)
		switch got := s.lack(ch, x, own); {
		case got.Reason != "":
		case d.unsaid == "":
			return c, Lack{}
		case likely == nil:
			likely = &Lack{Reason: d.unsaid, Beside: true}
		}
	}
	if lack = s.lack(ch, x, own); lack.Reason == "" {
		return c, lack
	}
	if lack.Beside = lack.Beside && unnamed == kg.NoEntity; likely != nil {
		return c, *likely
	}
	lack.Against = lack.Against || unnamed != kg.NoEntity && len(described) == 0 && len(s.p.Edges) > 1
	others := ch.between(s.p.Named())
	for _, t := range others[:min(len(others), maxBetween)] {
		if s.lack(ch, x, []kg.TripleID{t}).Reason == "" {
			return evidence.Candidate{Edges: []kg.TripleID{t}}, Lack{}
		}
	}
	if all := slices.Concat(own, others); len(others) > 0 && s.lack(ch, x, all).Reason == "" {
		return evidence.Candidate{Edges: all}, Lack{}
	}
	return c, lack
}

// Unsaid returns what no triple would say even if the claim gave the value that the
// graph has in place of the one that is claimed: "" where the claim and the graph
// differ in it alone. triples show the value, with those between the claim's names.
func (s *Claim) Unsaid(triples []kg.TripleID, claimed, value kg.EntityID) string {
	if s.text == "" {
		return s.unsaidByRelations(triples)
	}
	ch, index := s.checker(triples)
	for _, n := range s.p.Nodes {
		if slices.Contains(n.Entities, claimed) {
			index.call(n.Text, value)
			continue
		}
		for _, e := range n.Entities {
			index.call(n.Text, e)
		}
	}
	for _, name := range append([]string{s.g.Label(claimed)}, s.g.Aliases(claimed)...) {
		index.call(name, value)
	}
	return s.lack(ch, index, slices.Concat(triples, ch.between(s.p.Named()))).Reason
}

// Between lists the triples between the claim's names, ascending.
func (s *Claim) Between() []kg.TripleID {
	c, _ := s.checker(nil)
	return c.between(s.p.Named())
}

// IsKindOf reports whether a relation says of which kind a thing is.
func (s *Claim) IsKindOf(r kg.RelationID) bool {
	c, _ := s.checker(nil)
	return c.hasMeaning(c.wordsOf(r), lexicon.InstanceOf) && !lexicon.IsSubclass(lexicon.RelationWords(s.g.RelationName(r)))
}

// checker returns a check of the claim against triples, and the names there are.
func (s *Claim) checker(triples []kg.TripleID) (*Checker, *nameIndex) {
	pack, _ := evidence.NewPack([]evidence.Candidate{{Edges: triples}}, 0)
	c := New(s.g, Evidence{Pack: pack}, nil)
	c.claim, c.denied, c.means, c.single = true, s.p.Negated, s.w.Means, s.single
	if s.w.Lexicon != nil {
		c.lex = s.w.Lexicon
	}
	x := c.packNames()
	for _, e := range s.p.Named() {
		x.add(s.g, e)
		if name, more, ok := strings.Cut(s.g.Label(e), "("); ok && len(c.bracketed(e)) > 0 {
			x.call(strings.TrimSuffix(more, ")")+" "+name, e) // "the Train song Mermaid"
		}
	}
	return c, x
}

// lack returns what of the claim triples do not say.
func (s *Claim) lack(c *Checker, x *nameIndex, triples []kg.TripleID) Lack {
	text := assertion(s.text, x)
	f := c.against(text, triples, triples, x)
	if f.check == Covered {
		return Lack{}
	}
	for _, said := range pronounsNamed(text, x) {
		if c.against(said.text, triples, triples, x).check == Covered {
			return Lack{Reason: said.unsaid, Beside: true}
		}
	}
	l := Lack{Reason: f.reason, Beside: f.check == Partly, Turned: strings.HasPrefix(f.reason, turnedRound)}
	r := c.newReading(text, triples, triples, x)
	if r.scan(); len(r.unknown) > 0 {
		l.Reason = "No triple says " + wording.Choice(say.Quoted(wording.Each(r.unknown, func(t lexicon.Token) string { return t.Text }))) + "."
		l.Beside = l.Beside && !slices.ContainsFunc(r.unknown, r.mayDeny) && !r.saysMoreAfterwards()
		l.Turned = false
	}
	l.Otherwise, l.Against = r.saysAgainst()
	if r.unclear && !l.Otherwise {
		r = c.newReading(text, triples, triples, x)
		r.plain = true
		r.scan()
		otherwise, against := r.saysAgainst()
		l.Otherwise, l.Against = otherwise, l.Against || against
	}
	return l
}

// saysMoreAfterwards reports whether a word that no triple says is of a clause of its own behind all names:
// "X was a miner and could read".
func (r *reading) saysMoreAfterwards() bool {
	last := 0
	for _, it := range r.items {
		if it.kind == nameItem {
			last = max(last, it.end)
		}
	}
	tokens := lexicon.Tokenize(r.text)
	at := slices.IndexFunc(tokens, func(t lexicon.Token) bool { return t.Start >= last && (t.Lower == "and" || t.Lower == "but") })
	return at >= 0 && slices.ContainsFunc(r.unknown, func(t lexicon.Token) bool { return t.Start > tokens[at].Start })
}

// saysAgainst reports whether what is read of a claim is not what the triples say: a fact of it
// is in them otherwise or not at all, or it has a name, a number or a denial that they do not have;
// and whether that is so, or any other word that nothing explains says something of its own.
func (r *reading) saysAgainst() (otherwise, against bool) {
	isName := func(t lexicon.Token) bool {
		return t.Capital && (strings.TrimSpace(r.text[:t.Start]) != "" || r.isSubject(t))
	}
	isUnit := func(t lexicon.Token) bool { // the graph has no unit or time that another could deny
		return len(r.units) == 0 && (t.Lower == "per" || len(kg.UnitsOf(t.Lower)) > 0) || lexicon.IsOfNow(t.Lower)
	}
	says := func(t lexicon.Token) bool {
		switch {
		case isUnit(t), !isName(t) && r.isKindOfThing(t):
			return false
		}
		return isName(t) || indefinite[t.Lower] || len(r.lex.ConceptsOf(t.Stem)) > 0 || isPast(t.Lower) || r.mayDeny(t)
	}
	denies := func(t lexicon.Token) bool {
		return !isUnit(t) && (isName(t) || r.changes(t) || r.namesAnother(t) && !r.isKindOfThing(t))
	}
	otherwise = slices.ContainsFunc(r.unknown, denies) || slices.ContainsFunc(lexicon.Tokenize(r.text), r.isPrefix) || r.judgeDenials().check != Covered
	against = otherwise || slices.ContainsFunc(r.unknown, says)
	if otherwise {
		return otherwise, against
	}
	r.group(false)
	r.judgeFacts()
	otherwise = r.against || r.isTurned() || r.judgeNumbers().check != Covered
	return otherwise, against || otherwise
}

// isKindOfThing reports whether a noun only says of what kind a thing of the claim is: behind
// an article, "a museum", and neither of something nor had by it.
func (r *reading) isKindOfThing(t lexicon.Token) bool {
	tokens := lexicon.Tokenize(r.text)
	at := slices.IndexFunc(tokens, func(o lexicon.Token) bool { return o.Start == t.Start })
	return at >= 0 && lexicon.SaysKind(tokens, at, func(i int) bool {
		return slices.ContainsFunc(r.unknown, func(u lexicon.Token) bool { return u.Start == tokens[i].Start })
	})
}

// isTurned reports whether a claim names the tail of a triple before its head, where it has no
// word for the relation that could say which is which, "Germany is in Berlin", or has a word that
// the check cannot follow, where each could be either.
func (r *reading) isTurned() bool {
	at := func(e kg.EntityID) int {
		return slices.IndexFunc(r.items, func(it item) bool { return it.means(e) })
	}
	return slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
		t := r.g.Triple(id)
		asks := func(it item) bool { return slices.Contains(it.relations, t.Relation) }
		if slices.ContainsFunc(r.items, asks) && !r.facts[t.Relation] && at(t.Head) >= 0 && MayTurn(r.g, t) {
			return at(t.Tail) >= 0
		}
		return !slices.ContainsFunc(r.items, asks) && at(t.Tail) >= 0 && at(t.Tail) < at(t.Head)
	})
}

// MayTurn reports whether a triple could as well be the other way round: its tail has the relation
// too, or is of the kind of its head.
func MayTurn(g *kg.Graph, t kg.Triple) bool {
	return len(g.OutBy(t.Tail, t.Relation)) > 0 || g.ShareType(t.Head, t.Tail)
}

var sentenceStart = regexp.MustCompile(`[.!?;]\s+([Hh]e|[Ss]he|[Ii]t|[Tt]hey)\s`)

// pronounsNamed writes a claim of several sentences with a name of the sentence before in the
// place of the pronouns that the others begin with, for each such name, the first one first.
func pronounsNamed(text string, x *nameIndex) (out []description) {
	at := sentenceStart.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	pronoun := text[at[2]:at[3]]
	tokens := lexicon.Tokenize(text[:at[0]])
	for i := 0; i < len(tokens); i++ {
		n, _ := x.nameAt(text[:at[0]], tokens[i:])
		if n == 0 {
			continue
		}
		name := text[tokens[i].Start:tokens[i+n-1].End]
		rest := sentenceStart.ReplaceAllStringFunc(text[at[0]:], func(m string) string {
			return strings.Replace(m, strings.TrimSpace(m[1:]), name, 1)
		})
		out = append(out, description{text[:at[0]] + rest, fmt.Sprintf("“%s” is read as %s.", pronoun, name)})
		i += n - 1
	}
	return out
}

// mayDeny reports whether a word that no triple says may make the others say something else:
// it is another relation's, an operator, another unit, or an adverb such as "formerly" and
// "allegedly".
func (r *reading) mayDeny(t lexicon.Token) bool {
	return r.namesAnother(t) || r.changes(t)
}

// changes reports whether a word that no triple says changes what the others say.
func (r *reading) changes(t lexicon.Token) bool {
	return r.isPrefix(t) || len(kg.UnitsOf(t.Lower)) > 0 || lexicon.IsOperator(t.Lower) || strings.HasSuffix(t.Lower, "ly")
}

// description is a phrase of a claim that may stand for a thing which it does not name,
// and what in it no triple says of that thing.
type description struct{ text, unsaid string }

// descriptions are those of a claim for e: "someone", "a country" where that is what e is,
// and, where no triple says so and the claim begins with it, "it" and "a building".
func (s *Claim) descriptions(c *Checker, x *nameIndex, e kg.EntityID) []description {
	if e == kg.NoEntity {
		return nil
	}
	var out []description
	tokens := lexicon.Tokenize(s.text)
	r := c.newReading(s.text, c.ev.Pack.Triples, nil, x)
	first := lexicon.Aside(tokens, func(i int) bool {
		n, _ := x.nameAt(s.text, tokens[i:])
		return n > 0
	})
	for i, named := first, 0; i < len(tokens); i++ {
		t := tokens[i]
		if n, _ := x.nameAt(s.text, tokens[i:]); n > 0 {
			named = i + n
		}
		if i < named {
			continue
		}
		if indefinite[t.Lower] {
			out = append(out, description{text: t.Text})
		}
		if i == first && aloneSubjects[t.Lower] {
			out = append(out, description{t.Text, fmt.Sprintf("The claim does not say what “%s” is.", t.Text)})
		}
		if !lexicon.IsDeterminer(t.Lower) {
			continue
		}
		to, of := i+1, 0 // the words that e is of the kind of end at of
		for to < len(tokens) && !glue(tokens[to].Lower) && !linking[tokens[to].Lower] && (t.Lower != "the" || r.relationOf(tokens[to]) == nil) {
			if n, _ := x.nameAt(s.text, tokens[to:]); n > 0 {
				break
			}
			if to++; of == 0 && !c.isOfKind(e, tokens[to-1].Stem, true) {
				of = to - 1
			}
		}
		switch text := s.text[t.Start:tokens[to-1].End]; {
		case of > i+1:
			out = append(out, description{text: s.text[t.Start:tokens[of-1].End]})
		case of > 0 && i == first && len(s.g.Types(e)) == 0:
			out = append(out, description{text, fmt.Sprintf("No triple says “%s” about %s.", s.text[tokens[i+1].Start:tokens[to-1].End], say.Name(s.g, e))})
		case of == 0 && to > i+1:
			out = append(out, description{text: text})
		}
	}
	return out
}

var (
	indefinite = lexicon.WordSet("someone somebody something")
	// aloneSubjects are the pronouns that a claim about something unnamed begins with.
	aloneSubjects = lexicon.WordSet("it he she they")
)

// unsaidByRelations compares the relations that the user wrote with those of
// triples, which meet them one by one.
func (s *Claim) unsaidByRelations(triples []kg.TripleID) string {
	c, _ := s.checker(triples)
	for i, e := range s.p.Edges {
		if i >= len(triples) || triples[i] == kg.NoTriple {
			return "Some conditions have no triple."
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

// call lets a text name an entity, beside its own names.
func (x *nameIndex) call(text string, e kg.EntityID) {
	ws := wording.Each(lexicon.Tokenize(WithoutCitations(text)), func(w lexicon.Token) string { return w.Lower })
	if len(ws) > 0 && e != kg.NoEntity {
		x.byWord[ws[0]] = append(x.byWord[ws[0]], name{ws, e, text})
	}
}

// fronted are the verbs with which a question for yes or no begins.
var fronted = lexicon.WordSet("is are was were do does did has have had")

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
	text = expectsYes.ReplaceAllString(text[:lexicon.Tag(text)], "$1 ")
	for _, n := range []string{"n't", "n’t"} {
		text = strings.ReplaceAll(text, n, " not")
	}
	tokens := lexicon.Tokenize(text)
	aside := lexicon.Aside(tokens, func(i int) bool {
		n, _ := x.nameAt(text, tokens[i:])
		return n > 0
	})
	if denied := lexicon.AsideDenies(tokens[:aside]); aside < len(tokens) {
		text = text[tokens[aside].Start:]
		if denied {
			text = "not " + text
		}
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

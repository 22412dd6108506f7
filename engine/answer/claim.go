package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/say"
	"cairn/internal/wording"
)

const (
	// nameDistance and relationDistance are how far the parts of a match may be
	// from the claim's words for it to count. With the built-in embedder
	// "Austria" and "Australia" are 0.65 apart, which must not count, "director"
	// and "directed by" 0.59, "wrote" and "author" 0.89, which must, and
	// relations that mean different things 1.2 and more.
	nameDistance     = 0.5
	relationDistance = 0.9
	// singleShare and singleSupport say when a relation has one value only: at
	// least this share of at least so many entities have just one.
	singleShare   = 0.95
	singleSupport = 10
	// fewSupport is how many heads do where each of them has one.
	fewSupport = 6
	// maxLooked bounds the entities looked at to tell that.
	maxLooked = 200_000
)

// judge makes the answer to a claim.
//
// A claim is supported where triples say it, word for word; it is refuted only
// where the graph shows the contrary: what it denies is there, or a relation that
// has one value has another one where the claim says this. That the graph is
// silent decides nothing.
//
// Where a match fits, and triples do not say all of the claim's words, it is likely.
func judge(g *kg.Graph, pl *plan.Plan, p *pattern.Pattern, f Found) *Answer {
	text := pl.Question
	if pl.Planner == plan.ByHand {
		text = "" // the pattern itself is the claim
	}
	conditional := slices.ContainsFunc(p.Edges, func(e pattern.Edge) bool { return len(e.Conditions) > 0 })
	if conditional && pl.Claimed != "" {
		text = pl.Claimed
	}
	claim := check.NewClaim(g, p, text, f.Words)
	unsaid := ""
	read := slices.IndexFunc(pl.Readings, func(r plan.Reading) bool { return r.Pattern == p })
	var rd plan.Reading
	if read >= 0 {
		rd = pl.Readings[read]
	}
	var likely *Answer
	for _, c := range f.Candidates {
		if !near(c) || conditional && !meets(g, p, c) {
			continue
		}
		if not := denied(g, c); not != "" && !lexicon.Denies(wording.Each(lexicon.Tokenize(pl.Question), func(w lexicon.Token) string { return w.Lower })) {
			unsaid = cmp.Or(unsaid, fmt.Sprintf("The graph says “%s”, and the claim does not say “not”.", not))
			continue
		}
		if pl.AskedAs != "" || rd.Plain && isExact(c) {
			a := claimHolds(g, p, c)
			if pl.Doubt != plan.Sure {
				a.Weaken()
			}
			return a
		}
		said, lack := claim.Said(c)
		if conditional && lack.Reason == "" && !slices.Equal(said.Edges, c.Edges) {
			continue // another triple says the words, and not the conditions
		}
		if lack.Reason == "" {
			return claimHolds(g, p, said)
		}
		if lack.Turned && !conditional {
			if a := turnedRound(g, p, said, claim.Text()); a != nil {
				return a
			}
		}
		unsaid = cmp.Or(unsaid, lack.Reason)
		if likely == nil && (lack.Beside || rd.Worded && !lack.Against || rd.Whole && !lack.Otherwise) && !p.Negated && isExact(c) {
			likely = claimHolds(g, p, said)
			likely.Verdict, likely.Sentences = Likely, append([]Sentence{note(lack.Reason)}, likely.Sentences...)
		}
	}
	if a := byRule(g, p, claim); a != nil {
		return a // a guide is a climber where all guides are, whatever else has one type alone
	}
	against := contraries(g, p, f.Closest)
	if conditional {
		against = nil // what was so at another time is nothing to the contrary, but in a statement of the triple
		a, instead := statedOtherwise(g, p, claim)
		if a != nil && !rd.Ended {
			return a
		}
		unsaid = cmp.Or(unsaid, instead)
	}
	for _, x := range against {
		why := claim.Unsaid(append(slices.Clone(x.evidence), x.triple), x.claimed, x.value(g))
		if why == "" || rd.Plain || pl.AskedAs != "" {
			return claimContradicted(g, p, x)
		}
		unsaid = cmp.Or(unsaid, why)
	}
	if likely != nil {
		return likely
	}
	a := notFound(g, p, f, claim, unsaid)
	a.Verdict = NotFound
	return a
}

// denied is what a relation of a match says is not so, "must not be taken with"; "" for none.
func denied(g *kg.Graph, c evidence.Candidate) string {
	for _, t := range c.Edges {
		if t != kg.NoTriple {
			if r := g.Triple(t).Relation; lexicon.Denies(lexicon.RelationWords(g.RelationName(r))) {
				return say.Readable(g.RelationText(r))
			}
		}
	}
	return ""
}

// Weaken makes what supports a claim less than a proof of it: the claim is likely.
func (a *Answer) Weaken() {
	if a.Verdict == Supported {
		a.Verdict = Likely
	}
}

// notFound says that the graph does not decide a claim, what in the claim no triple
// says, and what the graph has between its names.
func notFound(g *kg.Graph, p *pattern.Pattern, f Found, c *check.Claim, unsaid string) *Answer {
	closest := f.Closest
	if len(f.Candidates) > 0 {
		closest = f.Candidates
	}
	between := c.Between()
	if unsaid == "" && (p.Negated || len(between) == 0 || c.Text() == "") {
		a := refuse(g, nil, p, closest)
		if text := c.Text(); text != "" && len(p.Edges) == 1 {
			quoteIn(a, text)
		}
		if p.Negated && len(f.Candidates) == 0 {
			a.Sentences = append(a.Sentences, note("What the claim denies is not there either, but that alone proves nothing."))
		}
		return a
	}
	if len(between) == 0 {
		a := refuse(g, nil, p, closest)
		a.Refusal.Reason = "Not found in this graph. " + unsaid
		a.Sentences[0].Text = a.Refusal.Reason
		return a
	}
	between = between[:min(len(between), maxShownBetween)]
	a := refusal(&Refusal{Reason: "Not found in this graph. " + unsaid, Closest: closest})
	if unsaid == "" {
		quoteIn(a, c.Text())
	}
	shown := evidence.Candidate{Edges: between}
	a.Pack, _ = evidence.NewPack([]evidence.Candidate{shown}, 0)
	a.Sentences = append(a.Sentences, Sentence{
		Text:      "What the graph has between these names: " + clausesOf(g, a.Pack, shown) + ".",
		Citations: numbers(a.Pack, a.Pack.Triples),
	})
	return a
}

// quoteIn makes a refusal say in the claim's own words what was not found: its pattern
// may have been read the other way round.
func quoteIn(a *Answer, text string) {
	a.Refusal.Reason = "Not found in this graph: “" + strings.TrimRight(wording.OneLine(text), ".!") + "”."
	a.Refusal.Missing = slices.DeleteFunc(a.Refusal.Missing, func(m Missing) bool { return m.What == "match" })
	a.Sentences[0].Text = a.Refusal.Reason
}

// maxShownBetween is how many triples between the names of a claim are shown
// beside one that none of them says.
const maxShownBetween = 6

// meets reports whether the statements of a match say what the conditions ask.
func meets(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) bool {
	for i, e := range p.Edges {
		if len(e.Conditions) > 0 && (i >= len(c.Edges) || c.Edges[i] == kg.NoTriple || !pattern.NewTest(g, e.Conditions).Holds(c.Edges[i])) {
			return false
		}
	}
	return true
}

// near reports whether every part of a match is near enough to the claim.
func near(c evidence.Candidate) bool {
	far := func(limit float64) func(float64) bool { return func(d float64) bool { return d > limit } }
	return !slices.ContainsFunc(c.NodeDistance, far(nameDistance)) &&
		!slices.ContainsFunc(c.EdgeDistance, far(relationDistance))
}

// isExact reports whether a match has the things that the claim names, and none that is only
// called nearly so.
func isExact(c evidence.Candidate) bool {
	return !slices.ContainsFunc(c.NodeDistance, func(d float64) bool { return d > 0 })
}

func claimHolds(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) *Answer {
	a := stated(g, p, c, true)
	if p.Negated && !saysNo(g, c) {
		a.Sentences = append(a.Sentences, note("That is what the claim denies."))
	}
	a.Sentences = append(a.Sentences, approximate(g, p, c)...)
	return a
}

// stated is what a match says of a claim: that it holds, or the contrary.
func stated(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate, holds bool) *Answer {
	a := &Answer{Verdict: Refuted}
	if holds != p.Negated {
		a.Verdict = Supported
	}
	a.Pack, _ = evidence.NewPack([]evidence.Candidate{c}, 0)
	a.Sentences = []Sentence{{Text: say.Capital(clausesOf(g, a.Pack, c)) + ".", Citations: numbers(a.Pack, a.Pack.Triples)}}
	return a
}

// saysNo reports whether a match is one triple that says no to its relation: it is the claim that
// says yes.
func saysNo(g *kg.Graph, c evidence.Candidate) bool {
	if len(c.Edges) != 1 {
		return false
	}
	yes, is := lexicon.Truth(g.Label(g.Triple(c.Edges[0]).Tail))
	return is && !yes
}

// turnedRound refutes a claim that is a triple the other way round, where its words and the relation hold one way
// only or the graph has another value in its place; nil elsewhere.
func turnedRound(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate, text string) *Answer {
	if len(p.Edges) != 1 || len(c.Edges) != 1 || c.Edges[0] == kg.NoTriple {
		return nil
	}
	t := g.Triple(c.Edges[0])
	if !check.MayTurn(g, t) { // what only one way makes sense was misread
		return nil
	}
	single := newSingles(g)
	single.turned = true
	if found := single.against([]kg.EntityID{t.Tail}, t.Relation, []kg.EntityID{t.Head}); len(found) > 0 {
		return claimContradicted(g, p, found[0])
	}
	said := wording.Each(lexicon.Tokenize(text), func(w lexicon.Token) string { return w.Lower })
	if !lexicon.IsOneWay(lexicon.RelationWords(g.RelationName(t.Relation))) || !lexicon.IsOneWay(said) || !g.IsOneWay(t.Relation) || single.reaches(t.Tail, t.Relation, []kg.EntityID{t.Head}) {
		return nil
	}
	a := stated(g, p, c, false)
	a.Sentences = append(a.Sentences, note(fmt.Sprintf("The claim says it the other way round, and “%s” holds one way only.", say.Readable(g.RelationText(t.Relation)))))
	return a
}

// contrary is a triple that speaks against a claim.
type contrary struct {
	triple   kg.TripleID
	claimed  kg.EntityID // what the claim has in place of one end of the triple
	inverse  bool        // that end is the head
	evidence []kg.TripleID

	share // of the entities that have one value
}

// value is what the graph has in place of what is claimed.
func (x contrary) value(g *kg.Graph) kg.EntityID {
	if x.inverse {
		return g.Triple(x.triple).Head
	}
	return g.Triple(x.triple).Tail
}

func claimContradicted(g *kg.Graph, p *pattern.Pattern, x contrary) *Answer {
	relation := wording.Quote(say.Readable(g.RelationText(g.Triple(x.triple).Relation)))
	all := fmt.Sprintf("entities with %s have a single value", relation)
	if x.inverse {
		all = fmt.Sprintf("values of %s are of a single entity", relation)
	}
	if all = fmt.Sprintf("%d %s", x.all, all); x.single == x.all {
		all = "All " + all
	} else {
		all = fmt.Sprintf("%.0f%% of %s", 100*x.part(), all)
	}
	a := stated(g, p, evidence.Candidate{Edges: append(x.evidence, x.triple)}, false)
	a.Sentences = append(a.Sentences, note(fmt.Sprintf("The claim says “%s” instead. %s, so both cannot be true.", say.Name(g, x.claimed), all)))
	return a
}

// contraries lists what speaks against a claim that has no match: first for
// edges whose ends are both known, then for what comes closest to the claim.
func contraries(g *kg.Graph, p *pattern.Pattern, closest []evidence.Candidate) []contrary {
	var out []contrary
	single := newSingles(g)
	for _, e := range p.Edges {
		from, to := p.Nodes[e.From], p.Nodes[e.To]
		if len(from.Entities) == 0 || len(to.Entities) == 0 || e.From == e.To {
			continue
		}
		for _, r := range e.Fixed {
			out = append(out, single.against(from.Entities, r, to.Entities)...)
			if e.Direction == pattern.Either {
				out = append(out, single.against(to.Entities, r, from.Entities)...)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, c := range closest {
		if x, ok := single.differs(p, c, closest); ok {
			out = append(out, x)
		}
	}
	return out
}

// share is the part of the entities at one end of a relation that have a single
// value at the other.
type share struct {
	single, all int
	few         bool // they may be few, and each has one
	open        bool // what the relation is called leaves room for another
}

// count adds an entity with so many values; one with none is none of them.
func (s *share) count(values int) {
	if values > 0 {
		s.all++
	}
	if values == 1 {
		s.single++
	}
}

func (s share) part() float64 { return float64(s.single) / float64(s.all) }

func (s share) enough() bool {
	return !s.open && (s.all >= singleSupport && s.part() >= singleShare || s.few)
}

// singles finds out, from the data, which relations have a single value.
type singles struct {
	g     *kg.Graph
	known map[end]share
	// turned says that the claim is a triple the other way round, where any other value will do.
	turned bool
}

// end is one end of a relation: its heads or, for inverse, its tails.
type end struct {
	relation kg.RelationID
	inverse  bool
}

func newSingles(g *kg.Graph) *singles { return &singles{g: g, known: map[end]share{}} }

// of counts how many heads of r have a single tail or, for inverse, how many
// tails have a single head. Of many it looks at every nth.
func (s *singles) of(r kg.RelationID, inverse bool) share {
	n, ok := s.known[end{r, inverse}]
	if !ok {
		es := s.g.Having(r, inverse)
		for i := 0; i < len(es); i += 1 + len(es)/maxLooked {
			n.count(len(s.g.Along(es[i], r, inverse))) // none where what it has is in a layer that is off
		}
		isWhole := func(t kg.TypeID) bool { return slices.Equal(s.g.OfType(t), es) }
		by := strings.HasSuffix(strings.ToLower(s.g.RelationText(r)), " by") // others may do it, too
		n.few = !inverse && n.all >= fewSupport && n.single == n.all && (!by || slices.ContainsFunc(s.g.Types(es[0]), isWhole))
		n.open = !s.turned && n.all > 0 && s.isOpen(r, inverse, es[0])
		s.known[end{r, inverse}] = n
	}
	return n
}

// isOpen reports whether a relation that happens to have a single value may have more by its name: it
// says what a thing does, "affected", "depends on", or that there are several, "drivers", and not what it
// is, "made by", nor where, "flows into". Read backwards it is the other way round: what is owned has one owner, and who directed a
// film may direct more. A thing has one number or date of a kind, and one capital either way.
func (s *singles) isOpen(r kg.RelationID, inverse bool, e kg.EntityID) bool {
	if isOne(s.g, r) || !inverse && slices.ContainsFunc(s.g.OutBy(e, r), func(x kg.Edge) bool { return say.IsValue(s.g, x.Entity) }) {
		return false
	}
	c := say.ClauseOf(say.Readable(s.g.RelationText(r)))
	words := strings.Fields(strings.ToLower(c.Words))
	last := words[len(words)-1]
	isDone := len(words) > 2 && words[len(words)-2] == "to" && lexicon.IsParticiple(words[len(words)-3]) // "used to treat"
	does := c.Form == say.Past || c.Form == say.Verb && words[0] != "has" || isDone
	if inverse {
		return !does && last != "of"
	}
	if lexicon.IsWhere(last) {
		return c.Form != say.Noun && s.saysWhen(r, e)
	}
	return does || lexicon.Singular(last) != last
}

// saysWhen reports whether the statements that something has a value of a relation say when it was: who was "elected
// in" one place in a year may have been so in another, some other year.
func (s *singles) saysWhen(r kg.RelationID, e kg.EntityID) bool {
	return slices.ContainsFunc(s.g.OutBy(e, r), func(x kg.Edge) bool {
		for said := range s.g.Statements(x.Triple) {
			if slices.ContainsFunc(said, func(p kg.Property) bool { return pattern.IsMoment(s.g.PropertyText(p.Name)) }) {
				return true
			}
		}
		return false
	})
}

// against lists the triples of r that give one of heads another tail, where a
// head has one only, and one of tails another head, where a tail has one only.
// Where the graph says what is claimed, it says nothing against it, nor where
// several steps lead to it: what X needs may need what is claimed of X.
func (s *singles) against(heads []kg.EntityID, r kg.RelationID, tails []kg.EntityID) []contrary {
	var out []contrary
	for _, h := range heads {
		if slices.ContainsFunc(s.g.Along(h, r, false), func(x kg.Edge) bool { return s.sameThing(x.Entity, tails) }) {
			return nil
		}
		if !isOne(s.g, r) && s.reaches(h, r, tails) {
			return nil
		}
	}
	for _, side := range []struct {
		inverse bool
		at      []kg.EntityID
		claimed []kg.EntityID
	}{{false, heads, tails}, {true, tails, heads}} {
		n := s.of(r, side.inverse)
		if !n.enough() {
			continue
		}
		for _, e := range side.at {
			if side.inverse && say.IsValue(s.g, e) {
				continue // that others have the same number says nothing
			}
			for _, x := range s.g.Along(e, r, side.inverse) {
				if s.sameThing(x.Entity, side.claimed) || !s.sameKind(x.Entity, side.claimed[0], r, side.inverse) {
					continue
				}
				out = append(out, contrary{triple: x.Triple, claimed: side.claimed[0], inverse: side.inverse, share: n})
			}
		}
	}
	return out
}

// isOne reports whether a relation is called by a noun of which there is one at a time: the
// father of a father is not the father.
func isOne(g *kg.Graph, r kg.RelationID) bool {
	return slices.ContainsFunc(lexicon.RelationWords(g.RelationName(r)), func(w string) bool { return lexicon.Builtin().Is(lexicon.One, w) })
}

// reaches reports whether several triples of r in a row lead from an entity to one of others, or one of
// r and those that tell in what is wider that lies.
func (s *singles) reaches(from kg.EntityID, r kg.RelationID, to []kg.EntityID) bool {
	follows := func(at kg.EntityID, is kg.RelationID) bool {
		return is == r || at != from && lexicon.IsInside(lexicon.RelationWords(s.g.RelationName(is)))
	}
	return s.g.Chain(from, follows, func(e kg.EntityID) bool { return s.sameThing(e, to) }, maxLooked) != nil
}

// sameThing reports whether e is one of es, or its name is not clearly another:
// "United States" is no other than "the United States" or "United States of
// America", nor 5,012,345 than 5 million.
func (s *singles) sameThing(e kg.EntityID, es []kg.EntityID) bool {
	return slices.ContainsFunc(es, func(o kg.EntityID) bool {
		return o == e || slices.ContainsFunc(append([]string{s.g.Label(o)}, s.g.Aliases(o)...), func(name string) bool {
			return sameName(s.g.Label(e), name)
		})
	})
}

func sameName(a, b string) bool {
	// Claims round their numbers.
	const rounding = 0.05
	x, ok := kg.ParseValue(strings.Trim(a, `"`))
	y, okToo := kg.ParseValue(strings.Trim(b, `"`))
	if ok && okToo {
		if first, is := kg.ParseExtent(a); is && x.Kind == kg.DateValue && y.Kind == kg.DateValue {
			last, _ := kg.ParseExtent(b)
			return first.Number < last.Until && last.Number < first.Until // a day of the month that the other gives
		}
		return x.Kind != y.Kind || x.Unit != y.Unit ||
			(x.Kind == kg.NumberValue && math.Abs(x.Number-y.Number) <= rounding*max(math.Abs(x.Number), math.Abs(y.Number)) && !year(x, y)) ||
			x.Number == y.Number
	}
	return isWithin(a, b) || isWithin(b, a)
}

// isWithin reports whether a name is that of another from some word of it on, or begins it so, but
// for signs and spaces: "male" is no part of "female".
func isWithin(a, b string) bool {
	p := wording.Plain(a)
	for ws := strings.Fields(b); len(ws) > 0; ws = ws[1:] {
		if strings.HasPrefix(wording.Plain(strings.Join(ws, " ")), p) {
			return true
		}
	}
	return p == ""
}

// year reports whether both numbers look like years, which nobody rounds.
func year(x, y kg.Value) bool {
	looks := func(v kg.Value) bool { return v.Number == math.Trunc(v.Number) && v.Number > 1000 && v.Number < 2200 }
	return looks(x) && looks(y)
}

// sameKind reports whether what is claimed could stand where value stands in a
// triple of r: it does so elsewhere, it shares a type with value, or both are
// numbers or dates. "Its country is Enda Kenny" is a claim that was read wrongly,
// and not one that another country refutes.
func (s *singles) sameKind(value, claimed kg.EntityID, r kg.RelationID, inverse bool) bool {
	if (!inverse && len(s.g.InBy(claimed, r)) > 0) || (inverse && len(s.g.OutBy(claimed, r)) > 0) {
		return true
	}
	types := s.g.Types(value)
	if slices.ContainsFunc(s.g.Types(claimed), func(t kg.TypeID) bool { return slices.Contains(types, t) }) {
		return true
	}
	return say.IsValue(s.g, value) && say.IsValue(s.g, claimed)
}

// differs reports whether c, which comes close to a claim, speaks against it: it
// meets every edge, but binds one known node to another entity, over an edge
// whose relation has a single value, from a node for which nothing else came
// close.
func (s *singles) differs(p *pattern.Pattern, c evidence.Candidate, closest []evidence.Candidate) (contrary, bool) {
	node := otherName(p, c)
	if node < 0 || slices.Contains(c.Edges, kg.NoTriple) || !near(c) || s.sameThing(c.Nodes[node], p.Nodes[node].Entities) {
		return contrary{}, false
	}
	edge := -1
	for i, e := range p.Edges {
		if e.From != node && e.To != node {
			continue
		}
		if edge >= 0 {
			return contrary{}, false // two conditions on it: which one fails?
		}
		edge = i
	}
	if edge < 0 {
		return contrary{}, false
	}
	start := p.Edges[edge].From + p.Edges[edge].To - node
	for _, o := range closest {
		if otherName(p, o) == node && o.Nodes[start] != c.Nodes[start] {
			return contrary{}, false
		}
	}
	t := s.g.Triple(c.Edges[edge])
	inverse := t.Tail == c.Nodes[start]
	n := s.of(t.Relation, inverse)
	from, to := t.Head, p.Nodes[node].Entities
	if inverse {
		from, to = p.Nodes[node].Entities[0], []kg.EntityID{t.Tail}
	}
	if !isOne(s.g, t.Relation) && s.reaches(from, t.Relation, to) || !n.enough() || (inverse && say.IsValue(s.g, c.Nodes[start])) || !s.sameKind(c.Nodes[node], p.Nodes[node].Entities[0], t.Relation, inverse) {
		return contrary{}, false
	}
	x := contrary{triple: c.Edges[edge], claimed: p.Nodes[node].Entities[0], inverse: inverse, share: n}
	for i, e := range c.Edges {
		if i != edge {
			x.evidence = append(x.evidence, e)
		}
	}
	return x, true
}

// otherName returns the only known node that c binds to an entity that it is
// not linked to, or -1.
func otherName(p *pattern.Pattern, c evidence.Candidate) int {
	found := -1
	for i, n := range p.Nodes {
		if n.Variable || len(n.Entities) == 0 || c.Nodes[i] == kg.NoEntity || slices.Contains(n.Entities, c.Nodes[i]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

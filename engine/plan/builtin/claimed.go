package builtin

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/claim"
	"cairn/engine/plan/operators"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// possesses are verbs for having what the graph says yes or no of.
var possesses = lexicon.Words("possesses")

// quantities say of how many things something is so.
var quantities = lexicon.Words("quantities")

// copulas join a name with what it is.
var copulas = lexicon.Words("copulas")

// readClaim reads a claim. What it says of a statement, "in 2015", becomes a condition
// where the statements of the relation can say such a thing; otherwise its words are
// read like any others, and so are borne out by triples or not at all.
func (r *reader) readClaim(ctx context.Context, out *plan.Plan) error {
	if r.said = r.findSaid(); len(r.said) > 0 {
		if done, err := r.readSaidClaim(ctx, out); done || err != nil {
			return err
		}
	}
	claim.Read(ctx, r.Text, r.denied, out)
	r.turnTies(out, false)
	return ctx.Err()
}

// turnTies turns the triples that join the names of a claim, where one thing may be at
// either end, to the direction that the grammar tells: those that the graph has in both, or all of them.
func (r *reader) turnTies(out *plan.Plan, all bool) {
	if len(out.Readings) == 0 {
		return
	}
	rd, g := &out.Readings[0], r.p.g
	q := r.p.newQuestion(r.Words, r.SureNames())
	for i := range rd.Pattern.Edges {
		e := &rd.Pattern.Edges[i]
		from, to := rd.Pattern.Nodes[e.From].Entities, rd.Pattern.Nodes[e.To].Entities
		if len(from) != 1 || len(to) != 1 || len(e.Fixed) == 0 || e.Direction == pattern.Either || !r.p.schema.Coherent(schema.Forward(e.Fixed[0]).From(), schema.Forward(e.Fixed[0]).To()) || r.p.Symmetric(e.Fixed[0]) {
			continue
		}
		_, both := g.Find(kg.Triple{Head: to[0], Relation: e.Fixed[0], Tail: from[0]})
		if (all || both) && q.isTail(e.Fixed[0], from[0], to[0]) {
			e.From, e.To = e.To, e.From
			arrow := " " + r.p.Arrow(schema.Forward(e.Fixed[0])) + " "
			rd.Text = strings.Replace(rd.Text, g.Label(from[0])+arrow+g.Label(to[0]), g.Label(to[0])+arrow+g.Label(from[0]), 1)
		}
	}
}

// isTail reports whether the grammar puts one name of a claim at the tail of a relation, and another at its head.
func (q *question) isTail(r kg.RelationID, one, other kg.EntityID) bool {
	tails, heads := 0, 0
	for _, m := range q.Mentions {
		is := func(e kg.EntityID) bool {
			return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return c.Entity == e })
		}
		switch tail, known := q.tailByGrammar(r, m); {
		case !known || is(one) == is(other):
		case tail == is(one):
			tails++
		default:
			heads++
		}
	}
	return tails > 0 && heads == 0
}

// readAsOfNow reads a claim in the present, of which all that the graph says was so until some day before,
// as one of this day. That it has ended denies it only where it has a word for that, "still": who kept the
// graph may have kept it no longer than until then.
func (r *reader) readAsOfNow(out *plan.Plan) {
	if len(out.Readings) == 0 || !r.p.g.HasProperties() || !r.p.newQuestion(slices.Clone(r.Words[lexicon.Aside(words.Tokens(r.Words), r.PartOfName):]), nil).isOfNow() {
		return
	}
	day := time.Now().Format(time.DateOnly)
	saysNow := slices.ContainsFunc(upTo(0, len(r.Words)), func(i int) bool { return lexicon.IsOfNow(r.Words[i].Lower) && !r.PartOfName(i) })
	rd := &out.Readings[0]
	for i := range rd.Pattern.Edges {
		e := &rd.Pattern.Edges[i]
		if ends := r.endedBefore(rd.Pattern, e, day); ends != "" && len(e.Conditions) == 0 {
			rd.Ended = !saysNow
			e.Conditions = append(e.Conditions, pattern.Condition{Property: ends, Op: pattern.AtLeast, Value: day})
			rd.Text += ", on " + day
		}
	}
}

// endedBefore returns the property by which all statements of the triples that an edge may be end
// before a day; "" where some do not, or there are none.
func (r *reader) endedBefore(p *pattern.Pattern, e *pattern.Edge, day string) (ends string) {
	g, near, far := r.p.g, p.Nodes[e.From], p.Nodes[e.To]
	if near.Variable {
		near, far = far, near
	}
	for _, x := range near.Entities {
		for _, rel := range e.Fixed {
			for _, edge := range slices.Concat(g.OutBy(x, rel), g.InBy(x, rel)) {
				if !far.Variable && !slices.Contains(far.Entities, edge.Entity) {
					continue
				}
				ends = ""
				for said := range g.Statements(edge.Triple) {
					if ends = r.p.EndsBefore(said, day); ends == "" {
						return ""
					}
				}
				if ends == "" {
					return ""
				}
			}
		}
	}
	return ends
}

// readTruth reads a claim that says of one name nothing but the name of a relation that leads to
// yes or no, "X is certified", "X has no pool", "pets are allowed at X": it holds, or not, by the
// value that the graph has. It reports whether it is such a claim.
func (r *reader) readTruth(out *plan.Plan) bool {
	names := r.SureNames()
	if len(names) != 1 {
		return false
	}
	things := slices.DeleteFunc(slices.Clone(r.p.candidates(names[0])), func(e kg.EntityID) bool { return len(r.p.g.Out(e)) == 0 })
	if len(things) != 1 { // what is but an id or a name of a thing tells nothing
		return false
	}
	var all []string
	beside := map[string]bool{}        // words that a name may have, and that say nothing elsewhere
	not, non, least := false, false, 0 // least says that one of the words may be the noun that they describe
	e := things[0]
	q := r.p.newQuestion(r.Words, names)
	for i, w := range r.Words {
		switch {
		case names[0].From <= i && i < names[0].To:
		case w.Lower == "non":
			non = true
		case w.Lower == "not", w.Lower == "no", i > 0 && r.IsContractedNot(i):
			not = true
		case saysNothing[w.Lower], w.Lower == "any", w.Lower == "been", w.Lower == "still", i < 2 && w.Lower == "there", r.IsContractedNot(i), i+1 == names[0].From && i > 0 && prepositions[w.Lower]:
		default:
			isKind := len(q.Words[i].Types) > 0 && q.NamesEntity(&q.Words[i], e, nil) || q.Words[i].Silent && len(q.Words[i].Types) == 0 // "a crewed mission"
			isFor := (w.Lower == "for" || w.Lower == "under") && i >= names[0].To && r.Words[0].Lower != "there" && r.Words[1].Lower != "there"
			if isKind || isFor {
				beside[w.Lower] = true
			} else if len(all) == 0 && i > 0 && (r.Words[i-1].Lower == "a" || r.Words[i-1].Lower == "an") {
				least = 1
			}
			all = append(all, strings.Fields(w.Lower)...) // "first aider" is one word
		}
	}
	for rel := range r.p.g.RelationsOut(e) {
		own := lexicon.RelationWords(r.p.g.RelationName(rel))
		isLittle := func(in []string) func(string) bool { // "uses two factor", "needs a reboot" by "reboot required"
			return func(w string) bool {
				return (words.SaysLittle(w) || possesses[w] || words.Joins(w) || beside[w]) && !slices.Contains(in, w)
			}
		}
		said := slices.DeleteFunc(slices.Clone(all), isLittle(own))
		stems := lexicon.Stems(strings.Join(said, " "))
		name := slices.DeleteFunc(slices.DeleteFunc(own, isLittle(all)), func(w string) bool { return saysNothing[w] || lexicon.IsOfNow(w) })
		denied, isSaid, more := false, false, false
		name = slices.Sorted(slices.Values(lexicon.Stems(strings.Join(name, " "))))
		for n := len(said); n > 0 && n >= len(said)-least && !isSaid; n-- { // what is no vegetarian is no vegetarian dish
			more, isSaid = n < len(said), slices.Equal(name, slices.Sorted(slices.Values(stems[:n])))
			for _, is := range r.p.Qualities(strings.Join(said[:n], " ")) {
				if is.Relation == rel {
					denied, isSaid = is.Denied, true
				}
			}
		}
		values := r.p.g.Along(e, rel, false)
		if not != r.denied || len(name) == 0 || !isSaid || len(values) != 1 || !r.p.IsTruth(rel) || r.p.HasEnded(e, schema.Forward(rel)) {
			continue
		}
		value := values[0].Entity
		yes, _ := lexicon.Truth(r.p.g.Label(value))
		if more && yes != (denied != non) {
			continue
		}
		label, relation := r.p.g.Label(value), r.p.g.RelationText(rel)
		out.AskedAs = fmt.Sprintf("What does the graph say of %s, %s?", names[0].Text, wording.Quote(relation))
		out.Readings = []plan.Reading{{Score: 1, Plain: more, Text: fmt.Sprintf("Is %s of %s %s?", wording.Quote(relation), names[0].Text, wording.Quote(label)), Pattern: &pattern.Pattern{
			Nodes: []pattern.Node{{Text: names[0].Text, Entities: []kg.EntityID{e}}, {Text: label, Entities: []kg.EntityID{value}}},
			Edges: []pattern.Edge{r.p.Edge(0, 1, schema.Forward(rel))}, Asked: -1, Task: pattern.Verify, Negated: (yes == r.denied) != (denied != non),
		}}}
		return true
	}
	return false
}

// Asked reads a claim as a question for one of its names, and returns the plan of it where
// the name is one of the answers: "Did A train B?" holds where B is one that "What did A
// train?" surely asks for, and is likely where the plan has a doubt. Where one that is sure has other
// answers, it is the plan of that, and holds is false: they may speak against the claim. Nil where there is no
// such question.
func (p *Planner) Asked(ctx context.Context, claimed *plan.Plan) (found *plan.Plan, holds bool) {
	r := p.newReader(claimed.Question, claimed.Mentions)
	bounded := func(s *saying) bool { return s.first != "" || s.last != "" } // a question asks for what was so at some time of it
	isOfEach := func(i int) bool {                                           // one answer tells nothing of all
		return !r.PartOfName(i) && (quantities[r.Words[i].Lower] || lexicon.IsSuperlative(r.Words[i].Lower))
	}
	if !r.claim || r.denied || slices.ContainsFunc(upTo(0, len(r.Words)), isOfEach) || slices.ContainsFunc(r.findSaid(), bounded) || r.saysOtherKind() {
		return nil, false
	}
	names := r.SureNames()
	slices.SortFunc(names, func(a, b words.Span) int { return cmp.Compare(a.From, b.From) })
	read := r.Vocabulary.Read(slices.Clone(r.Words), names)
	// Two places have one in which both lie between them, and that is no record of both.
	places := slices.ContainsFunc(r.Words, func(w words.Word) bool { return lexicon.IsLocative(w.Lower) })
	for question, name := range r.questions(names) {
		asked, fit := p.askOpenly(ctx, question, name.From == names[0].From)
		if fit == unfit {
			continue
		}
		pat := *asked.Readings[0].Pattern
		isOf := func(st schema.Step) bool {
			return slices.ContainsFunc(pat.AllEdges(), func(e pattern.Edge) bool { return slices.Contains(e.Fixed, st.Relation()) })
		}
		if slices.ContainsFunc(p.NewText(question, nil).Words, func(w words.Word) bool { return w.Misspelt }) {
			continue // a claim says what it says
		}
		asksOther := func(w words.Word) bool { // more than for what the question is read as
			ours, others := 0.0, 0.0
			for st, weight := range w.Weight {
				if isOf(st) {
					ours = max(ours, weight)
				} else {
					others = max(others, weight)
				}
			}
			return w.Mention < 0 && others > ours
		}
		if fit == worded && slices.ContainsFunc(read.Words, asksOther) {
			continue
		}
		unsaid := slices.DeleteFunc(pat.AllEdges(), func(e pattern.Edge) bool { return slices.ContainsFunc(e.Fixed, read.AsksFor) })
		isFromNear := func(e pattern.Edge) bool { // who "trained" X, by "apprenticed to", may be either
			return slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool {
				isNear := func(w words.Word) bool {
					return w.Mention < 0 && w.ByMeaning && lexicon.IsVerbForm(w.Lower) && (w.Weight[schema.Forward(r)] > 0 || w.Weight[schema.Forward(r).Back()] > 0)
				}
				return lexicon.IsOneWay(lexicon.RelationWords(p.g.RelationName(r))) && slices.ContainsFunc(read.Words, isNear)
			})
		}
		if fit == worded && slices.ContainsFunc(pat.AllEdges(), isFromNear) {
			continue
		}
		if isRecord := fit == worded && len(pat.Edges) == 2 && len(unsaid) == 1 && !places; len(unsaid) > 0 && !isRecord {
			continue // only the kind in the question asks for it, and no word of the claim
		}
		answers := match.Anchored{Graph: p.g, Budget: realiseBudget}.Leads(ctx, &pat)
		at := slices.IndexFunc(name.Candidates, func(c link.Candidate) bool {
			return c.Method == name.Candidates[0].Method && slices.Contains(answers, c.Entity)
		})
		named := name.Candidates[0].Entity
		isAlike := len(p.g.Types(named)) == 0 || slices.ContainsFunc(answers, func(e kg.EntityID) bool { return p.g.ShareType(e, named) })
		isOther := at < 0 && fit == sure && isAlike // the question surely has other answers
		switch {
		case at >= 0 && fit == turned:
			return nil, false
		case at < 0 && !isOther, fit == turned, found != nil && !isOther && (fit != sure || found.Doubt == plan.Sure):
			continue
		}
		pat.Nodes = slices.Clone(pat.Nodes)
		pat.Nodes[pat.Asked] = pattern.Node{Text: name.Text, Entities: []kg.EntityID{name.Candidates[max(at, 0)].Entity}}
		pat.Asked, pat.Task = -1, pattern.Verify
		if len(unsaid) > 0 && isDoneByOther(read.Words, names, &pat) {
			continue
		}
		found = &plan.Plan{
			Question: claimed.Question, Planner: claimed.Planner, Claim: true, Mentions: claimed.Mentions, AskedAs: question, Doubt: asked.Doubt, Reason: asked.Reason,
			Readings: []plan.Reading{{Pattern: &pat, Text: fmt.Sprintf("Is %s one of the answers to “%s”?", name.Text, question)}},
		}
		p.takeText(found)
		if isOther {
			return found, false
		}
	}
	if found == nil {
		found = r.amountBetween(claimed)
	}
	return found, true
}

// isDoneByOther reports whether a claim says who did something, "reviewed by X", and a pattern has another of its
// names in that place.
func isDoneByOther(ws []words.Word, names []words.Span, pat *pattern.Pattern) bool {
	for i := range ws {
		by := words.DoneBy(ws, i)
		if by < 0 {
			continue
		}
		isDoer := func(n pattern.Node) bool {
			return slices.ContainsFunc(names[by].Candidates, func(c link.Candidate) bool { return slices.Contains(n.Entities, c.Entity) })
		}
		asks := func(r kg.RelationID) bool {
			return ws[i].Weight[schema.Forward(r)] > 0 || ws[i].Weight[schema.Forward(r).Back()] > 0
		}
		if slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool {
			return slices.ContainsFunc(e.Fixed, asks) && !isDoer(pat.Nodes[e.From]) && !isDoer(pat.Nodes[e.To])
		}) {
			return true
		}
	}
	return false
}

// openFit is how well what a question is read as fits the claim that is asked as it.
type openFit int

const (
	unfit  openFit = iota
	turned         // the grammar would have its ends the other way round
	worded         // it may say the same in other words
	sure
)

// askOpenly reads a question that a claim is asked as, for its first name or for its last.
func (p *Planner) askOpenly(ctx context.Context, question string, ofFirst bool) (*plan.Plan, openFit) {
	const likely = 0.5
	mentions, err := p.linker.Link(ctx, question)
	if err != nil {
		return nil, unfit
	}
	asked, err := operators.Read(ctx, operands{p}, p.Vocabulary, question, mentions, false)
	if err != nil {
		return nil, unfit
	}
	if asked != nil {
		p.account(asked)
		if asked.Doubt != plan.Sure || !asked.Readings[0].Pattern.IsPlain() || asked.Readings[0].Pattern.Asked < 0 || p.mayTurn(asked.Readings[0].Pattern) {
			return nil, unfit
		}
		return asked, sure
	}
	asked = &plan.Plan{Question: question, Mentions: mentions}
	r := p.newReader(question, mentions)
	best, err := r.readQuestion(ctx, asked)
	if err != nil || best == nil || len(best.shape.hops()) == 0 {
		return nil, unfit
	}
	p.account(asked)
	rd, hops := asked.Readings[0], best.shape.hops()
	loose := slices.ContainsFunc(best.shape.values, func(v valueLeg) bool { return v.loose }) // who directed it "since 1980" was no director when it was founded
	isOne, edge := len(hops) == 1, rd.Pattern.Edges[0]
	byKind := isOne && best.verdict.fits == 0 // the kinds of its ends alone tell one from the other
	isActive := (edge.From == rd.Pattern.Asked) == ofFirst
	isPlain := slices.ContainsFunc(r.Words, func(w words.Word) bool { return copulas[w.Lower] }) &&
		!slices.ContainsFunc(r.Words, func(w words.Word) bool { return w.Mention < 0 && lexicon.IsParticiple(w.Lower) }) // "X is on Y" of what X has
	isDeed := len(hops) == 2 && best.goesOverDeed(1)
	isRecord := (asked.Open || isDeed) && len(hops) == 2 && len(best.shape.legs) == 1 && !hasSeveral(p.g, hops[1].step) && !hasSeveral(p.g, hops[0].step.Back()) // what is between the names has each of them alone
	differ, oneTyped := p.kindsDiffer(rd.Pattern)
	isUnread := func(w plan.Word) bool { return w.Role == plan.Unread }
	switch {
	case len(best.verdict.turned) > 0:
		return asked, turned
	case loose, byKind && !isActive, p.mayTurn(rd.Pattern) && (!isOne || byKind): // nothing else tells "A cites B" from "B cites A"
	case asked.Doubt == plan.Sure && isDeed && isRecord:
		return asked, worded
	case asked.Doubt == plan.Sure && !isDeed && (!byKind || isPlain && differ):
		return asked, sure
	case asked.Doubt == plan.Unsure && (!byKind || oneTyped) && asked.Confidence >= likely && !r.first.isDoubted(closed, part) && (best.verdict.uncued == 0 || isRecord) && len(rd.Unused) == 0 && !slices.ContainsFunc(rd.Words, isUnread):
		return asked, worded
	}
	return nil, unfit
}

// kindsDiffer reports whether the graph's types tell the ends of all edges apart, as far as all ends have
// types, or one of each edge has.
func (p *Planner) kindsDiffer(pat *pattern.Pattern) (all, one bool) {
	const mostly = 0.5
	isTyped := func(at schema.Slot) bool {
		return p.schema.Typed(at) >= mostly || p.schema.Value(at) != schema.NoValue
	}
	if p.mayTurn(pat) {
		return false, false
	}
	all, one = true, true
	for _, e := range pat.AllEdges() {
		for _, r := range e.Fixed {
			from, to := isTyped(schema.Forward(r).From()), isTyped(schema.Forward(r).To())
			all, one = all && from && to, one && (from || to)
		}
	}
	return all, one
}

// mayTurn reports whether the ends of an edge could change places: they are of one kind.
func (p *Planner) mayTurn(pat *pattern.Pattern) bool {
	const mostly = 0.5
	return slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool {
		return slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool {
			from, to := schema.Forward(r).From(), schema.Forward(r).To()
			if p.schema.Typed(from) < mostly || p.schema.Typed(to) < mostly {
				return p.JoinsSame(r) || p.schema.Coherent(from, to)
			}
			types := p.schema.Types(to)
			for t := range p.schema.Types(from) {
				if types[t] > 0 {
					return true
				}
			}
			return false
		})
	})
}

// saysOtherKind reports whether a claim says beside a name that it is of a kind that nothing of
// the name is: "the thief Anna", "Anna, a thief". A question would ask for that kind.
func (r *reader) saysOtherKind() bool {
	read := r.Vocabulary.Read(slices.Clone(r.Words), nil).Words
	return slices.ContainsFunc(r.SureNames(), func(name words.Span) bool {
		beside := []int{name.From - 1}
		if to := name.To; strings.HasPrefix(strings.TrimSpace(r.Source[name.End:]), ",") {
			for to < len(read) && slices.Contains([]string{"a", "an", "the"}, read[to].Lower) {
				to++
			}
			beside = append(beside, to)
		}
		return slices.ContainsFunc(beside, func(i int) bool {
			if i < 0 || i >= len(read) || r.PartOfName(i) || len(read[i].Types) == 0 {
				return false
			}
			return !slices.ContainsFunc(name.Candidates, func(c link.Candidate) bool {
				return c.Method == name.Candidates[0].Method && slices.ContainsFunc(r.p.g.Types(c.Entity), func(t kg.TypeID) bool { return slices.Contains(read[i].Types, t) })
			})
		})
	})
}

var perfects, dos = lexicon.WordSet("has have had"), lexicon.WordSet("do does did")

// questions turns a claim into questions for the first of its names and for the last, by the kind of it
// and by none.
//
//	X led Y         Which K led Y         Which K did X lead
//	Is X on Y       Which K is on Y       Which K is X on
//	Did X win Y     Which K win Y         Which K did X win
func (r *reader) questions(names []words.Span) iter.Seq2[string, words.Span] {
	const maxKinds = 2
	whole := r.Vocabulary.Read(slices.Clone(r.Words), nil)
	read := whole.Words
	return func(yield func(string, words.Span) bool) {
		if len(names) < 2 || names[0].To < len(r.Words) && r.Words[names[0].To].Lower == lexicon.Possessive {
			return
		}
		text := strings.TrimRight(r.Source, " .!?")
		after := func(end int) string { return text[min(end, len(text)):] }
		// from is where a name begins with the noun of its kind and the article before it.
		from := func(s words.Span) int {
			at := s.From
			if at > 0 && slices.ContainsFunc(r.p.g.Types(s.Candidates[0].Entity), func(t kg.TypeID) bool { return slices.Contains(read[at-1].Types, t) }) {
				at--
			}
			if at > 0 && slices.Contains([]string{"a", "an", "the"}, r.Words[at-1].Lower) {
				at--
			}
			return at
		}
		// isOneOf reports whether a name stands beside another that the rest says the same of, and not that they share it.
		isOneOf := func(s words.Span) bool {
			if len(whole.Shared) > 0 {
				return false
			}
			joins := func(i int) bool {
				return i > 0 && i < len(r.Words) && (r.Words[i].Lower == "and" || r.Words[i].Lower == "or")
			}
			return s.From == names[0].From && joins(s.To) || s.From != names[0].From && joins(from(s)-1)
		}
		// ask asks for a name by its kinds, and by none.
		ask := func(rest string, name words.Span) bool {
			if isOneOf(name) {
				return true
			}
			kinds := r.p.g.Types(name.Candidates[0].Entity)
			for _, kind := range kinds[:min(len(kinds), maxKinds)] {
				if !yield("Which "+lexicon.Plural(strings.Join(lexicon.RelationWords(r.p.g.TypeLabel(kind)), " "))+rest+"?", name) {
					return false
				}
			}
			return yield("What"+rest+"?", name)
		}
		first, last, verb := names[0], names[len(names)-1], r.Words[0].Lower
		var start, behind int // of the first name, and of its verb
		mid := ""
		switch at := from(first); {
		case at == 1 && (copulas[verb] || perfects[verb] || dos[verb]):
			start, behind = r.Words[1].Start, first.End
			does := " " + verb
			if dos[verb] { // "Did X win Y?"
				does = ""
			}
			if !ask(does+after(first.End), first) {
				return
			}
		case at == 0 && (first.To == len(r.Words) || !r.p.NamesKind(r.Words[first.To].Lower)): // "late orders of X" says nothing
			if !ask(after(first.End), first) || first.To == len(r.Words) {
				return
			}
			start, verb, behind = r.Words[0].Start, r.Words[first.To].Lower, r.Words[first.To].End
			perfect := perfects[verb] && first.To+1 < len(r.Words) && lexicon.IsParticiple(r.Words[first.To+1].Lower)
			switch base := " " + lexicon.Base(verb); {
			case copulas[verb], perfect:
			case lexicon.IsThird(verb):
				verb, mid = "does", base
			case lexicon.IsVerbForm(verb):
				verb, mid = "did", base
			default:
				return
			}
		default:
			return
		}
		if at := r.Words[from(last)].Start; at > behind {
			ask(" "+verb+" "+text[start:first.End]+mid+text[behind:at]+strings.TrimLeft(after(last.End), " "), last)
		}
	}
}

// readSaidClaim reads the claim without its sayings, and puts each on the one edge that
// it can speak of. It reports false where one fits no edge, or several.
func (r *reader) readSaidClaim(ctx context.Context, out *plan.Plan) (done bool, err error) {
	rest := r.withoutSaid()
	mentions, err := r.p.linker.Link(ctx, rest)
	if err != nil {
		return false, err
	}
	plain := *out
	claim.Read(ctx, r.p.NewText(rest, mentions), r.denied, &plain)
	r.turnTies(&plain, false)
	if len(plain.Readings) == 0 {
		return false, ctx.Err()
	}
	rd := &plain.Readings[0]
	for _, s := range r.said {
		var on *pattern.Edge
		var conditions []pattern.Condition
		for i := range rd.Pattern.Edges {
			e := &rd.Pattern.Edges[i]
			for _, rel := range e.Fixed {
				c := r.p.said.conditions(s, rel)
				if c == nil {
					continue
				}
				if on != nil && (on != e || !slices.Equal(c, conditions)) {
					return false, nil
				}
				on, conditions = e, c
			}
		}
		if on == nil {
			return false, nil
		}
		if was := *on; s.first != "" && s.value == "" && pattern.IsMoment(r.p.g.PropertyText(conditions[0].Property)) { // once since then, or all the time since
			on.Conditions = []pattern.Condition{{Property: conditions[0].Property, Op: pattern.Greater, Value: s.first}}
			rd.Pattern.Asked = on.To
			later := match.Anchored{Graph: r.p.g, Budget: realiseBudget}.Leads(ctx, rd.Pattern)
			*on, rd.Pattern.Asked = was, -1
			if len(later) > 0 {
				out.Doubt, out.Reason = plan.NotSupported, fmt.Sprintf("The graph has this at a later time than %s, but does not say since when it has been so.", s.first)
				return true, nil
			}
		}
		on.Conditions = append(on.Conditions, conditions...)
		rd.Text += ", " + s.text
	}
	plain.Claimed = rest
	*out = plain
	return true, nil
}

// withoutSaid returns the text without the sayings and the words that tie them to it:
// "X is member of Y with the rank of secretary", "X owns 30 % of Y".
func (r *reader) withoutSaid() string {
	cut := make([]bool, len(r.Words))
	for _, s := range r.said {
		from, to := s.taken[0], s.taken[len(s.taken)-1]+1
		before := []string{"a", "an", "the", "with"}
		for !s.time && from > 0 && slices.Contains(before, r.Words[from-1].Lower) {
			from--
		}
		if !s.time && to < len(r.Words) && r.Words[to].Lower == "of" {
			to++
		}
		for i := from; i < to; i++ {
			cut[i] = true
		}
	}
	var b strings.Builder
	at := 0
	for i, w := range r.Words {
		if !cut[i] {
			continue
		}
		b.WriteString(r.Source[at:max(at, w.Start)])
		at = max(at, w.End)
		if i+1 < len(r.Words) && cut[i+1] {
			at = r.Words[i+1].Start // signs between them: "30 % of"
		} else {
			at += len(r.Source[at:]) - len(strings.TrimLeft(r.Source[at:], "%‰€$"+" "))
			b.WriteByte(' ')
		}
	}
	b.WriteString(r.Source[at:])
	return strings.TrimLeft(strings.Join(strings.Fields(b.String()), " "), ", ")
}

// bounds reads "since", "until" and "from … to …" of a claim: they say when something
// began and ended, and not only that it was so in between.
func (ps *properties) bounds(s *saying, uses map[string]*propertyUse, names []string) (fit []pattern.Condition) {
	dates := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !uses[n].isDate() })
	for _, a := range dates {
		for _, b := range dates {
			alone := len(dates) == 1 && (s.first == "" || s.last == "") && pattern.Ends(a) == (s.first == "") // a date alone is of the one end
			if !alone && !pattern.IsInterval(a, b) {
				continue
			}
			if fit != nil {
				return nil
			}
			if s.first != "" {
				fit = append(fit, pattern.Condition{Property: a, Op: pattern.Equal, Value: s.first})
			}
			if s.last != "" {
				fit = append(fit, pattern.Condition{Property: b, Op: pattern.Equal, Value: s.last})
			}
		}
	}
	return fit
}

// boundsAt is timeAt for what a claim says of the beginning and the end.
func (r *reader) boundsAt(i int) *saying {
	s := &saying{time: true}
	at := i
	read := func(to *string, after ...string) bool {
		if at >= len(r.Words) || !slices.Contains(after, r.Words[at].Lower) {
			return false
		}
		value, end := r.dateAt(r.skipYear(at + 1))
		if end > 0 {
			*to, at = value, end
		}
		return end > 0
	}
	first := read(&s.first, "from", "since", "between")
	last := read(&s.last, "until", "till") || first && read(&s.last, "to", "and", "through")
	if !first && !last {
		return nil
	}
	s.taken = upTo(i, at)
	return s
}

// skipYear passes "the year".
func (r *reader) skipYear(i int) int {
	for i < len(r.Words) && slices.Contains([]string{"the", "year", "years"}, r.Words[i].Lower) {
		i++
	}
	return i
}

package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/operators"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// operands reads for the operators what a question says without them.
type operands struct{ p *Planner }

var _ operators.Core = operands{}

// Read reads a question that has no operators.
func (o operands) Read(ctx context.Context, question string, mentions []link.Mention) (*plan.Plan, error) {
	out := &plan.Plan{Question: question, Planner: o.p.Name(), Mentions: mentions}
	r := o.p.newReader(question, mentions)
	r.claim, r.denied = false, false
	_, err := r.readQuestion(ctx, out)
	return out, err
}

// Compare reads a claim that compares a value of one thing.
func (o operands) Compare(claim string, mentions []link.Mention, known pattern.Node) (*plan.Reading, string, error) {
	r := &reader{Text: o.p.NewText(claim, mentions), p: o.p, work: newWork()}
	compared := r.findComparisons()
	if len(compared) == 0 {
		compared = r.exactly()
	}
	if r.unlike != "" {
		return nil, "", errors.New(r.unlike)
	}
	if len(compared) != 1 || compared[0].superlative {
		return nil, "", nil
	}
	c := compared[0]
	name := o.p.g.Label(known.Entities[0])
	var best *valueMeaning
	rival := false
	for _, m := range c.means {
		switch has := len(o.p.schema.Edges(known.Entities[0], m.step)) > 0; {
		case !has || m.fit <= looseFit:
		case best == nil || m.fit > best.fit:
			best, rival = &m, false
		default:
			rival = rival || m.fit == best.fit
		}
	}
	reason := ""
	if best == nil || rival || !o.saysNoMore(r, c, known, best.step, false) {
		date := o.onlyDate(r, c, known)
		switch {
		case date != nil:
			best = date
			reason = fmt.Sprintf("The reading takes %s to mean %s.", wording.Quote(c.text), wording.Quote(o.p.g.RelationText(date.step.Relation())))
		case best == nil && c.means[0].fit > looseFit:
			return nil, "", fmt.Errorf("the graph has no %s for %s", wording.Quote(o.p.g.RelationText(c.means[0].step.Relation())), name) //nolint:err113 // for users
		default:
			return nil, "", nil
		}
	}
	w := &writer{p: o.p, pat: &pattern.Pattern{Asked: -1, Task: pattern.Verify, Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{known}}}
	leg := &valueLeg{comparison: c, step: best.step, less: best.less}
	w.writeCompared(0, leg)
	if c.exact && !o.holds(known.Entities[0], best.step, w.pat.Filters) {
		if c.only && (c.scale > 1 || c.units[0].Symbol != o.p.schema.Measured(best.step.Relation()).Unit) {
			return nil, "", nil // in another unit, or so many millions, the unit may be what is wrong: only a number in the graph's own refutes
		}
		round := *c
		if round.loosen(); o.holds(known.Entities[0], best.step, []pattern.Filter{w.filter(1, &valueLeg{comparison: &round, step: best.step}, pattern.AtLeast, round.number), w.filter(1, leg, pattern.AtMost, *round.most)}) {
			return nil, "", nil // a round number may be rounded: that it is another one nearby refutes nothing
		}
	}
	doubt := cmp.Or(reason, o.p.unitDoubt([]valueLeg{*leg}))
	if best.fit == verbFit && o.p.IsAmount("money", best.step.Relation()) { // what a thing is worth need not be what it costs
		doubt = cmp.Or(doubt, fmt.Sprintf("The reading takes %s to mean %s.", wording.Quote(r.Words[slices.Min(c.taken)].Text), wording.Quote(o.p.g.RelationText(best.step.Relation()))))
	}
	return &plan.Reading{Pattern: w.pat, Text: name + ": " + w.valueText(leg)}, doubt, nil
}

// onlyDate is the one date of a thing, where a claim says no more than that something happened then, "X took place in May".
func (o operands) onlyDate(r *reader, c *comparison, known pattern.Node) *valueMeaning {
	var dates []valueMeaning
	for rel := range o.p.g.RelationsOut(known.Entities[0]) {
		if st := schema.Forward(rel); o.p.schema.Value(st.To()) == schema.DateValue {
			dates = append(dates, valueMeaning{step: st, fit: looseFit})
		}
	}
	if len(dates) != 1 || c.when == "" && !schema.IsYear(c.amount) || !o.saysNoMore(r, c, known, dates[0].step, true) {
		return nil
	}
	return &dates[0]
}

// exactly reads a claim of an amount by its unit and what it measures, "8849 m high", as
// precisely as the amount is given.
func (r *reader) exactly() []*comparison {
	for i := range r.Words {
		c := &comparison{noun: -1, op: pattern.AtLeast}
		end := 0
		if r.isAmount(i) {
			end = r.numberAt(i, c)
		}
		if end == 0 || c.units == nil {
			continue
		}
		c.taken = r.nameValues(c, upTo(i, end), end, false)
		c.only = len(c.means) > 0 && c.means[0].fit > looseFit && end == len(r.Words) // "a height of 220 m"
		if !c.only && (end == len(r.Words) || !dimensions[r.Words[end].Lower]) {
			continue
		}
		if r.inUnits(c); len(c.means) == 0 || c.means[0].fit <= looseFit {
			if c.only {
				r.unlike = "" // the claim is of one value, and need not compare anything
			}
			return nil
		}
		digits := strings.TrimRight(strings.ReplaceAll(numberPattern.FindString(c.amount), ",", ""), ".")
		_, decimals, _ := strings.Cut(digits, ".")
		half := math.Pow(10, -float64(len(decimals))) / 2 * max(1, c.scale)
		most := c.number + half
		c.number, c.most, c.exact = c.number-half, &most, true
		return []*comparison{c}
	}
	return nil
}

// loosen widens what an exact amount may be rounded from by the noughts that it ends in.
func (c *comparison) loosen() {
	digits := strings.ReplaceAll(numberPattern.FindString(c.amount), ",", "")
	noughts := len(digits) - len(strings.TrimRight(digits, "0"))
	if strings.Contains(digits, ".") || noughts == 0 {
		return
	}
	middle := (c.number + *c.most) / 2
	const furthest = 0.1 // nobody says 100 for 120
	half := min(math.Pow(10, float64(noughts))/2*max(1, c.scale), furthest*middle)
	most := middle + half
	c.number, c.most = middle-half, &most
}

// holds reports whether a value of an entity meets filters.
func (o operands) holds(e kg.EntityID, st schema.Step, filters []pattern.Filter) bool {
	return slices.ContainsFunc(o.p.schema.Edges(e, st), func(x kg.Edge) bool { return pattern.Passes(o.p.g, x.Entity, filters) })
}

// saysNoMore reports whether every word of a claim is of the thing, of what is compared, or
// says nothing: what a claim says beside that must hold, too. Loosely, a verb may say no more than that it happened.
func (o operands) saysNoMore(r *reader, c *comparison, known pattern.Node, st schema.Step, loosely bool) bool {
	name := slices.IndexFunc(r.Spans, func(s words.Span) bool { return s.Text == known.Text })
	if name < 0 {
		return false
	}
	e, span := known.Entities[0], r.Spans[name]
	q := o.p.Vocabulary.Read(r.Words, []words.Span{span})
	for i := range q.Words {
		w := &q.Words[i]
		isOf := span.From <= i && i < span.To || slices.Contains(c.taken, i) && (!loosely || !lexicon.IsVerbForm(w.Lower) && !lexicon.IsParticiple(w.Lower)) || saysNothing[w.Lower]
		isLight := loosely && (w.Stop || words.SaysLittle(w.Lower) || words.Joins(w.Lower) || w.Lower == "place")
		if !isOf && !isLight && (loosely || w.Weight[st] == 0) && (!w.IsNamedKind() || !q.NamesEntity(w, e, o.p.Slots(e))) {
			return false
		}
	}
	return true
}

// saysNothing are words that a claim may have beside what it says.
var saysNothing = func() map[string]bool {
	ws := lexicon.Words("auxiliaries", "copulas")
	for _, w := range []string{"has", "the", "a", "an", "of", "in", lexicon.Possessive} {
		ws[w] = true
	}
	return ws
}()

// Claim reads a claim that has no operators.
func (o operands) Claim(ctx context.Context, claim string, mentions []link.Mention) (*plan.Plan, error) {
	out := &plan.Plan{Question: claim, Planner: o.p.Name(), Mentions: mentions, Claim: true}
	r := o.p.newReader(claim, mentions)
	if !r.claim || r.denied {
		return out, nil
	}
	err := r.readClaim(ctx, out)
	r.turnTies(out, true)
	return out, err
}

// Answers finds what a plain pattern asks for.
func (o operands) Answers(ctx context.Context, p *pattern.Pattern) (es []kg.EntityID, ok bool) {
	q, err := match.Compile(o.p.g, p)
	if err != nil {
		return nil, false
	}
	es, _, err = match.Anchored{Graph: o.p.g, Budget: realiseBudget}.Answers(ctx, q, p.Asked, 0)
	return es, err == nil
}

// When returns the properties by which statements of a relation say when it was so.
func (o operands) When(of kg.RelationID) (property, to string) {
	if o.p.said == nil {
		return "", ""
	}
	for _, c := range o.p.said.conditions(&saying{time: true}, of) {
		property, to = c.Property, c.To
	}
	return property, to
}

// Property returns what statements say that words name.
func (o operands) Property(q *words.Question, word int, of kg.RelationID, number bool) (name string, end int) {
	if o.p.said == nil {
		return "", word
	}
	names, end := o.p.said.named(q.Words, word)
	for _, n := range names {
		if use := o.p.said.on[of][n]; use != nil && (use.isNumber() || !number) {
			return n, end
		}
	}
	isValue := func(st schema.Step) bool { return o.p.schema.Value(st.To()) != schema.NoValue }
	if word < len(q.Words) && !slices.ContainsFunc(slices.Collect(maps.Keys(q.Words[word].Names)), isValue) {
		name = o.p.said.measuredAs(&q.Words[word], of)
	}
	if name == "" {
		return "", word
	}
	return name, word + 1
}

// Stated returns what statements of a relation say.
func (o operands) Stated(of kg.RelationID, kind schema.ValueKind) (names []string) {
	if o.p.said == nil {
		return nil
	}
	for _, n := range slices.Sorted(maps.Keys(o.p.said.on[of])) {
		if use := o.p.said.on[of][n]; kind == schema.NoValue || kind == schema.DateValue && use.isDate() || kind == schema.NumberValue && use.isNumber() && !use.isDate() {
			names = append(names, n)
		}
	}
	return names
}

// Said returns what a question says of the statements of a relation. The question is read once, for the
// first relation.
func (o operands) Said(question string, mentions []link.Mention) func(of kg.RelationID) *operators.Said {
	if o.p.said == nil {
		return func(kg.RelationID) *operators.Said { return &operators.Said{} }
	}
	read := sync.OnceValues(func() ([]words.Word, []*saying) {
		r := o.p.newReader(question, mentions)
		return r.Words, r.findSaid() // whatever value of another relation it may be compared with
	})
	return func(of kg.RelationID) *operators.Said {
		ws, said := read()
		out := &operators.Said{}
		for _, s := range said {
			some := o.p.said.conditions(s, of)
			if some == nil {
				return nil
			}
			out.Conditions = append(out.Conditions, some...)
			for _, c := range some {
				out.Text += " and " + o.p.saidText(c)
			}
			for _, t := range s.taken {
				out.Starts = append(out.Starts, ws[t].Start)
			}
		}
		return out
	}
}

// Amount returns the one number that statements of a relation say, of those whose names have one of
// some words; nil for any.
func (o operands) Amount(of kg.RelationID, called map[string]bool) (name string) {
	if o.p.said == nil {
		return ""
	}
	var all, named []string
	for n, use := range o.p.said.on[of] {
		if !use.isNumber() || use.isDate() {
			continue
		}
		all = append(all, n)
		if slices.ContainsFunc(lexicon.RelationWords(o.p.g.PropertyText(n)), func(w string) bool { return called[w] }) {
			named = append(named, n)
		}
	}
	if called != nil {
		all = named
	}
	if len(all) != 1 {
		return ""
	}
	return all[0]
}

// Adds reports whether such numbers of several statements may be added up.
func (o operands) Adds(of kg.RelationID, property string) bool {
	return property != "" && !slices.ContainsFunc(slices.Collect(maps.Keys(o.p.said.on[of][property].units)), func(unit string) bool { return !kg.Adds(unit) })
}

// Things returns a node for all things of the kind that a word names, and what is in doubt.
func (o operands) Things(q *words.Question, word int) (n pattern.Node, doubt string, ok bool) {
	roots := o.p.rootsOf(&question{Question: q, p: o.p}, word)
	if len(roots) == 0 {
		return n, "", false
	}
	n = pattern.Node{Text: "?" + strings.ReplaceAll(q.Words[word].Lower, " ", "_"), Variable: true, Within: o.p.rootEntities(roots[0]), Type: q.Words[word].Lower}
	for _, t := range roots[0].types { // of several, the others are kinds of what the word says
		if stems := lexicon.Stems(o.p.g.TypeLabel(t)); len(roots[0].types) == 1 || stems[len(stems)-1] == q.Words[word].Stem && len(stems) == 1 {
			n.Type = o.p.g.TypeLabel(t)
		}
	}
	return n, o.p.rootDoubt(roots[0], &q.Words[word]), len(n.Within) > 0
}

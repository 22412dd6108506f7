package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// amountBetween reads a claim of two names and an amount, "X paid 24000 for Y", by what is said beside the one
// triple between them, "sponsors, fee 24000", though no word asks for it: it is in doubt. It returns nil where either
// name could be at either end, since the amount does not tell who paid whom; where the first is not the one that
// does something; and where a word asks for another relation of the two.
func (r *reader) amountBetween(claimed *plan.Plan) *plan.Plan {
	amount, ok := r.onlyAmount()
	if !ok {
		return nil
	}
	g := r.p.g
	isValue := func(s words.Span) bool { _, is := kg.ParseValue(s.Text); return is }
	names := slices.DeleteFunc(r.SureNames(), isValue)
	isPassive := slices.ContainsFunc(r.Words, func(w words.Word) bool { return w.Lower == "by" || copulas[w.Lower] })
	if len(names) != 2 || isPassive {
		return nil
	}
	if names[0].From > names[1].From {
		names[0], names[1] = names[1], names[0]
	}
	var on []kg.TripleID
	var said kg.Property
	for _, x := range r.p.candidates(names[0]) {
		for _, y := range r.p.candidates(names[1]) {
			for _, id := range g.Joining(x, y) {
				t := g.Triple(id)
				name := r.p.NameOf(t.Relation)
				_, byTail := lexicon.VerbOf(name)
				mayTurn := !byTail && len(name) == 2 && lexicon.IsParticiple(name[0]) || // what is "sold to" someone does nothing
					len(g.OutBy(t.Tail, t.Relation)) > 0 || g.ShareType(t.Head, t.Tail)
				if byTail != (t.Tail == x) || mayTurn {
					continue
				}
				for statement := range g.Statements(id) {
					for _, is := range statement {
						if r.isAmountOf(is, t.Relation, amount) && !slices.Contains(on, id) {
							on, said = append(on, id), is
						}
					}
				}
			}
		}
	}
	if len(on) != 1 {
		return nil
	}
	t := g.Triple(on[0])
	read := r.Vocabulary.Read(slices.Clone(r.Words), names)
	asksOther := func(w words.Word) bool {
		st := schema.Forward(t.Relation)
		return w.Mention < 0 && w.AsksStrongly() && w.Weight[st] == 0 && slices.ContainsFunc(slices.Collect(maps.Keys(w.Weight)), func(o schema.Step) bool {
			return len(r.p.schema.Edges(t.Head, o))+len(r.p.schema.Edges(t.Tail, o)) > 0
		})
	}
	if slices.ContainsFunc(read.Words, asksOther) {
		return nil
	}
	head, tail, property := g.Label(t.Head), g.Label(t.Tail), g.PropertyText(said.Name)
	edge := r.p.Edge(0, 1, schema.Forward(t.Relation))
	edge.Conditions = []pattern.Condition{{Property: said.Name, Op: pattern.Equal, Value: said.Value}}
	return &plan.Plan{
		Question: claimed.Question, Planner: claimed.Planner, Claim: true, Mentions: claimed.Mentions, Doubt: plan.Unsure,
		AskedAs: fmt.Sprintf("What does the graph say of %s and %s?", head, tail),
		Reason:  fmt.Sprintf("No word of the claim asks for %s, which has the amount as its %s.", wording.Quote(g.RelationText(t.Relation)), wording.Quote(property)),
		Readings: []plan.Reading{{Text: fmt.Sprintf("Is it true that %s %s %s, %s %s?", head, r.p.Arrow(schema.Forward(t.Relation)), tail, property, said.Value), Pattern: &pattern.Pattern{
			Nodes: []pattern.Node{{Text: head, Entities: []kg.EntityID{t.Head}}, {Text: tail, Entities: []kg.EntityID{t.Tail}}},
			Edges: []pattern.Edge{edge}, Asked: -1, Task: pattern.Verify,
		}}},
	}
}

// isAmountOf reports whether what a statement of a relation says is an amount, in the unit that is given, if any.
func (r *reader) isAmountOf(said kg.Property, of kg.RelationID, amount kg.Value) bool {
	use := r.p.said.on[of][said.Name]
	x, ok := said.Extent()
	if !ok || use == nil || use.isDate() || schema.IsTime(x) {
		return false
	}
	if x.Unit == "" {
		x.Unit = r.p.said.unit[said.Name]
	}
	if told, ok := x.In(amount.Unit); ok && x.Unit != "" && amount.Unit != "" {
		x.Value = told
	} else if amount.Unit != "" && !use.isShare(said.Name, amount.Unit) {
		return false
	}
	return x.Number == amount.Number
}

// onlyAmount is the one number that a text has outside its names: of two digits or more, no year, and with nothing
// that says it is a limit.
func (r *reader) onlyAmount() (amount kg.Value, ok bool) {
	after := 0
	for i := range r.Words {
		if _, n, _ := r.threshold(i); n > 0 {
			return amount, false
		}
		if i < after || !r.isAmount(i) {
			continue
		}
		var value string
		if value, amount.Unit, after = r.amount(i); ok || after == 0 || amount.Unit == "" && (len(r.Words[i].Text) < 2 && after == i+1 || schema.IsYear(r.Words[i].Lower)) {
			return amount, false
		}
		x, is := kg.ParseValue(strings.TrimSuffix(value, " "+amount.Unit))
		if amount.Number, ok = x.Number, is; !ok {
			return amount, false
		}
	}
	return amount, ok && r.p.said != nil
}

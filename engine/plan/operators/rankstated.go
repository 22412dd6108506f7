package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Ranks by what statements say: the largest share, the most of something.

// superlative is the end of a ranking of numbers that statements say, in words [from, to).
type superlative struct {
	from, to   int
	descending bool
	named      bool            // a word before to names the property
	called     map[string]bool // words of which the name of the property has one, where none names it; nil for any
	person     bool            // a noun names who has it: "the largest owner"
}

// superlativeOf finds "the largest share", "the most of" and "the biggest owner".
func (r *reader) superlativeOf(p *phrase) *superlative {
	for i := range p.len() {
		w := p.word(i).Lower
		s := &superlative{from: i, to: i + 1, descending: true}
		switch cs := r.voc.Lexicon().Comparisons(w); {
		case p.isName(i) || p.aside[i]:
			continue
		case p.is(i, mosts):
			s.descending = w == "most"
		case !lexicon.IsSuperlative(w) || len(cs) == 0 || r.voc.Lexicon().Concepts[cs[0].Concept].Answer == lexicon.Date:
			continue
		default:
			s.descending = !cs[0].Less
		}
		s.from = p.beforeThe(i-1) + 1
		if s.to >= p.len() {
			break
		}
		costly := i
		if p.is(i, mosts) {
			costly = s.to
		}
		switch cs := r.voc.Lexicon().Comparisons(p.word(costly).Lower); {
		case r.isProperty(p, s.to):
			s.to, s.named = s.to+1, true
		case r.isCostly(cs): // "the most expensive player sold to X"
			s.to, s.called = costly+1, prices
			s.descending = (costly == i || s.descending) != cs[0].Less
		case p.is(i, mosts) && p.nameAt(s.to) > 0: // "the most rice"
			s.called = measures
		case p.is(i, mosts) && p.says(s.to, "of"):
		case !p.is(i, mosts) && p.relationNoun(s.to, s.to+1) >= 0 && p.word(s.to).Types == nil:
			s.person = true
		default:
			continue
		}
		return s
	}
	return nil
}

var mosts = lexicon.WordSet("most least")

// isCostly reports whether what is compared is the price of things, which no relation of the graph says.
func (r *reader) isCostly(cs []lexicon.Comparison) bool {
	of := func(c lexicon.Comparison) string { return r.voc.Lexicon().Concepts[c.Concept].Name }
	return len(cs) > 0 && of(cs[0]) == "budget" && !slices.ContainsFunc(r.voc.Mappings(), func(m words.Mapping) bool { return slices.Contains(m.Concepts, of(cs[0])) })
}

// rankedStated reads who, or what, has the most or the least of something by a number that
// statements say: "Who has the largest share in X?", "Which firm does X own the most of?".
func (r *reader) rankedStated(_ context.Context, p *phrase) (*part, error) {
	s := r.superlativeOf(p)
	names := p.names(0, p.len())
	if s == nil || len(names) != 1 || r.isLiteral(p, names[0]) || slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, exclusions) || p.IsContractedNot(i) }) {
		return nil, nil
	}
	name := names[0]
	head := p.nounOrRole(0, s.from) // "Which inhibitor of X has the lowest Ki?"
	if head < 0 && s.called != nil {
		head = p.noun(s.to, min(s.to+3, p.len()))
	}
	asksNumber := head < 0 && s.named && p.begin(0, s.from) == s.from && !p.says(0, "who") // "What is the largest share in X?"
	var best *stated
	score, rival := 0.0, false
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		property := r.core.Amount(rel, s.called)
		if s.named {
			property, _ = r.core.Property(p.Question, s.to-1, rel, true)
		}
		if property == "" || !r.voc.Schema().IsKept(rel) {
			continue
		}
		for _, st := range []schema.Step{schema.Forward(rel), schema.Forward(rel).Back()} {
			fits, ok := r.fitsStated(p, s, st, name, head)
			switch {
			case !ok:
			case fits > score:
				best, score, rival = &stated{st, property}, fits, false
			case fits == score:
				rival = true
			}
		}
	}
	if best == nil {
		return nil, nil
	}
	limit, skip, _ := p.rankAt(s.to)
	if limit < 1 {
		return nil, refuse(p.text(s.from, s.to), "ask for one or more.")
	}
	got, err := r.aboutStated(p, best, name, head)
	if err != nil {
		return nil, err
	}
	m := &pattern.Measure{Func: pattern.Least, Node: got.pat.Asked, Of: -1, Property: best.property, Edge: 0, Per: got.pat.Asked}
	if s.descending {
		m.Func = pattern.Most
	}
	got.pat.Measure = m
	what := r.voc.Graph().PropertyText(best.property)
	if asksNumber && skip == 0 && limit == 1 {
		m.Per = -1
		got.text = "the " + rankText(s.descending, 1, 0, "largest", "smallest") + " " + what + " of: " + got.text
	} else {
		got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: s.descending, Limit: limit, Skip: skip}
		got.text += ", those with the " + rankText(s.descending, limit, skip, "largest", "smallest") + " " + what
	}
	p.doubtNames(got, name)
	if rival {
		got.unsure(plan.Ambiguous, "Several relations in this graph have such a number.")
	}
	r.doubtEnded(p, got, name, r.voc.Schema().Back(best.step))
	if s.person {
		got.unsure(plan.Unsure, fmt.Sprintf("The reading takes %s to mean %s.", wording.Quote(p.text(s.from, s.to)), wording.Quote(what)))
	}
	r.doubtWords(p, got, func(i int) bool {
		return i == head || i >= s.from && i < s.to || words.Joins(p.word(i).Lower) || p.word(i).Weight[best.step] > 0 || p.word(i).Weight[r.voc.Schema().Back(best.step)] > 0
	})
	return got, nil
}

// stated is a step from what is asked to a name, and what its statements say.
type stated struct {
	step     schema.Step
	property string
}

// fitsStated says how well a step leads from what is asked for to a name.
func (r *reader) fitsStated(p *phrase, s *superlative, st schema.Step, name, head int) (score float64, ok bool) {
	sc := r.voc.Schema()
	if !slices.ContainsFunc(p.entitiesOf(name)[:1], func(e kg.EntityID) bool { return len(sc.Edges(e, sc.Back(st))) > 0 }) {
		return 0, false
	}
	role := head >= 0 && p.word(head).Names[sc.Back(st)] // "the inhibitor of X": who does it
	if head >= 0 && !role && (!p.NamesSlot(p.word(head), st.From()) || p.Contradicts(p.word(head), st.From())) {
		return 0, false
	}
	cue, content := 0.0, false
	for i := range p.len() {
		if w := p.word(i); i != head && !p.isName(i) && (i < s.from || i >= s.to) {
			cue = max(cue, w.Weight[st], w.Weight[sc.Back(st)])
			content = content || r.isUnheard(p, i, st) && w.Weight[sc.Back(st)] == 0 && !words.Joins(p.word(i).Lower)
		}
	}
	if cue == 0 && (content || !s.named && s.called == nil) {
		return 0, false
	}
	// Who has a share of something is who does what the verb of the relation says, unless a noun tells
	// the ends apart.
	_, byTail := r.verbOf(st)
	after := p.nameAt(name) // "the painting X bought", "bought by X"
	done := p.says(p.beforeThe(name-1), "by") || after < p.len() && (p.word(after).Weight[st] > 0 || p.word(after).Weight[sc.Back(st)] > 0)
	asksDoer := name > s.from && !done
	if (st.IsBack() == byTail) != asksDoer && !role && (head < 0 || sc.JoinsSame(st.Relation())) {
		return 0, false
	}
	if role {
		cue = max(cue, p.word(head).Weight[sc.Back(st)])
	}
	return 1 + cue, true
}

// aboutStated is the pattern of what a step joins to a name.
func (r *reader) aboutStated(p *phrase, by *stated, name, head int) (*part, error) {
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?who", Variable: true}}, Reuse: pattern.ReuseVariables}, text: r.voc.Arrow(by.step) + " " + r.voc.Graph().Label(p.entitiesOf(name)[0])}
	if head >= 0 {
		got.pat.Nodes[0].Text = "?" + variableName(p.word(head))
		if r.narrows(p.word(head), r.voc.Schema().Back(by.step)) {
			root, err := r.root(p, head, p.word(head).Text)
			if err != nil {
				return nil, err
			}
			got.pat.Nodes[0] = root.pat.Nodes[0]
			got.doubted(root)
		}
	}
	to := addNode(got.pat, p.known(name))
	got.pat.Edges = []pattern.Edge{r.voc.Edge(0, to, by.step)}
	return got, nil
}

package operators

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// ofWhomSaid reads a question that names nothing but what statements say, where no plain reading answers it: "Who paid
// a deposit of more than 4000?". It asks for the things at the end of the one relation whose statements can say that,
// and is in doubt. It is nil where several relations can, or where words are left that may ask for something else.
func (r *reader) ofWhomSaid(ctx context.Context, p *phrase) (*part, error) {
	head, asked := p.noun(0, p.len()), p.AskedNoun()
	if i := p.begin(0, p.len()); head < 0 || head != i {
		head = -1
	} else {
		asked = head
	}
	if asked < 0 {
		return nil, nil
	}
	s, saidOf := r.voc.Schema(), r.core.Said(p.Source, p.mentions)
	var best *joint
	var bestSaid *Said
	for _, st := range s.Steps() {
		said := saidOf(st.Relation())
		if s.Canonical(st) != st || s.Value(st.To()) != schema.NoValue || said == nil || len(said.Starts) == 0 || !r.mayBeAsked(p, head, asked, st) {
			continue
		}
		j := &joint{step: st}
		unheard := 0
		for i := range p.len() {
			switch w := p.word(i); {
			case slices.Contains(said.Starts, w.Start) || i == asked:
			case p.isName(i):
				unheard = p.len()
			case w.Weight[st] > 0 || w.Weight[s.Back(st)] > 0:
				j.score++
			case r.isUnheard(p, i, st) && !lightVerbs[lexicon.Base(w.Lower)] && !r.pays(p, i, st.Relation()):
				unheard++
			}
		}
		if unheard > 1 {
			continue
		}
		if best == nil || j.score > best.score {
			best, bestSaid = j, said
		} else if j.score == best.score {
			best.rival = j
		}
	}
	if best == nil || best.rival != nil {
		return nil, nil
	}
	if other, err := r.core.Read(ctx, p.Source, p.mentions); err != nil || len(other.Readings) > 0 && other.Doubt < plan.NoMention && (other.Doubt == plan.Sure || best.score == 0 || !goesBack(other.Readings[0].Pattern) && !r.leadsElsewhere(p, head, asked, other.Readings[0].Pattern)) {
		return nil, err
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + strings.ToLower(p.word(asked).Text), Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anything"}
	if head >= 0 {
		var err error
		if got, err = r.root(p, head, p.word(head).Text); err != nil {
			return nil, err
		}
	}
	more, _ := r.extend(got.pat, 0, best.step, nil, "thing")
	more.Edges[0].Conditions = bestSaid.Conditions
	add(got.pat, more)
	got.text += " " + r.voc.Arrow(best.step) + bestSaid.Text
	r.doubtJoint(p, got, best, slices.DeleteFunc(upTo(0, p.len()), func(i int) bool { return slices.Contains(bestSaid.Starts, p.word(i).Start) }))
	got.unsure(plan.Unsure, fmt.Sprintf("No word asks for %s, which has what is asked.", wording.Quote(r.voc.Graph().RelationText(best.step.Relation()))))
	p.counted(got)
	return got, nil
}

// goesBack reports whether a pattern leads out along a relation and back: to what has something in common with others.
func goesBack(p *pattern.Pattern) bool {
	for i, a := range p.Edges {
		for _, b := range p.Edges[:i] {
			if slices.Equal(a.Fixed, b.Fixed) && len(a.Fixed) > 0 && (a.From == b.From) != (a.To == b.To) {
				return true
			}
		}
	}
	return false
}

// leadsElsewhere reports whether a pattern asks for what the question does not.
func (r *reader) leadsElsewhere(p *phrase, head, asked int, pat *pattern.Pattern) bool {
	return !slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool {
		return len(e.Fixed) > 0 && (e.From == pat.Asked && r.mayBeAsked(p, head, asked, schema.Forward(e.Fixed[0])) ||
			e.To == pat.Asked && r.mayBeAsked(p, head, asked, r.voc.Schema().Back(schema.Forward(e.Fixed[0]))))
	})
}

// mayBeAsked reports whether what a question asks for may be where a step begins: a kind that is called so, persons
// for "who", and what the graph does not call otherwise for a noun that names no kind of it.
func (r *reader) mayBeAsked(p *phrase, head, asked int, st schema.Step) bool {
	at, back := st.From(), r.voc.Schema().Back(st)
	switch {
	case head >= 0:
		return r.isKind(p, p.word(head), back)
	case p.says(asked, "who"):
		return r.voc.IsAnswer(at, lexicon.Person)
	}
	return p.MayHave(asked, st)
}

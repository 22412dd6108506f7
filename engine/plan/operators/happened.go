package operators

import (
	"context"
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

// happened reads what something is said of, by its verb alone: "Which books were ordered in 2023?",
// "What was ordered?". What is said of the statement beside it, such as when, is a condition. It is
// nil where the question says more than that, and where the verb leads to a value.
func (r *reader) happened(_ context.Context, p *phrase) (*part, error) {
	head := p.noun(0, p.len())
	from := p.begin(0, p.len())
	switch {
	case len(p.names(0, p.len())) > 0 || !p.is(0, questions) && !p.says(0, "how many") && head < 0:
		return nil, nil
	case head >= 0 && p.isBare(0, head+1, head) && from <= head:
		from = head + 1
	case head < 0 && p.says(0, "what", "who"):
		from = 1
	default:
		return nil, nil
	}
	verb := from
	for verb < p.len() && (p.is(verb, auxiliary) || p.is(verb, relatives) || p.says(verb, "has", "have", "had")) {
		verb++
	}
	if verb+1 == p.len() && p.says(verb-1, "is", "are") || verb == from && verb < p.len() && lexicon.Agent(lexicon.Singular(p.word(verb).Lower)) != "" {
		return nil, nil // how things are: "which members are married"; or who does it: "dog handlers"
	}
	if verb >= p.len() || p.word(verb).IsNamedKind() && !p.word(verb).IsPast() || !p.word(verb).IsPast() && (!p.word(verb).IsCue() || p.word(verb).ByMeaning) {
		return nil, nil
	}
	between := upTo(from, p.len())
	saidOf, said := r.core.Said(p.Source, p.mentions), map[schema.Step]*Said{}
	var stating []schema.Step // those whose statements have a property that the verb names: "approved in 2015"
	j := r.joinsOf(p, head, -1, []int{verb}, false, func(st schema.Step) bool {
		if p.word(verb).Weight[st] <= 0 && len(r.core.Stated(st.Relation(), schema.NoValue)) == 0 {
			return false
		}
		said[st] = saidOf(st.Relation())
		says := func(i int) bool {
			return said[st] != nil && i < p.len() && slices.Contains(said[st].Starts, p.word(i).Start)
		}
		if !says(verb) && (p.word(verb).Weight[st] <= 0 || p.word(verb).ByMeaning || p.word(verb).Deed && !st.IsBack() || r.voice(p, st, -1, []int{verb}) < 0 && (head < 0 || !p.says(verb+1, "by") || !says(verb+1)) || p.isPassive(verb) && r.leavesDoer(st)) ||
			r.voc.Schema().Value(st.To()) != schema.NoValue || r.voc.IsTruth(st.Relation()) {
			return false
		}
		fits := said[st] != nil && !slices.ContainsFunc(between, func(i int) bool {
			w := p.word(i)
			return i != verb && !slices.Contains(said[st].Starts, w.Start) && (!w.Stop && !auxiliary[w.Lower] || p.is(i, prepositions))
		})
		if fits && says(verb) && head >= 0 && r.isKind(p, p.word(head), r.voc.Schema().Back(st)) {
			stating = append(stating, st)
		}
		return fits
	})
	if j == nil && len(stating) == 1 {
		j = &joint{step: stating[0]}
	}
	if j == nil {
		return nil, nil
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?" + p.word(0).Lower, Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anything"}
	if head >= 0 {
		var err error
		if got, err = r.root(p, head, p.word(verb).Text); err != nil {
			return nil, err
		}
	}
	more, _ := r.extend(got.pat, 0, j.step, nil, "thing")
	more.Edges[0].Conditions = said[j.step].Conditions
	add(got.pat, more)
	got.text += " " + r.voc.Arrow(j.step) + said[j.step].Text
	if head < 0 && p.says(0, "who") && !r.voc.IsAnswer(j.step.From(), lexicon.Person) {
		got.unsure(plan.Unsure, mayMiss)
	}
	if len(stating) == 0 {
		r.doubtJoint(p, got, j, []int{verb})
	}
	p.counted(got)
	return got, nil
}

// leavesDoer reports whether a step begins at who does what its relation says: what "was bought" is
// nothing that "owns". What is "opened at" something was opened, unless both are things of one kind.
func (r *reader) leavesDoer(st schema.Step) bool {
	name := r.voc.NameOf(st.Relation())
	verb, byTail := lexicon.VerbOf(name)
	if len(name) == 2 && lexicon.IsParticiple(name[0]) && name[1] != "by" && prepositions[name[1]] && !r.voc.JoinsSame(st.Relation()) {
		return false
	}
	return verb != "" && st.IsBack() == byTail && (byTail || lexicon.IsThird(name[0]) || lexicon.IsPast(name[0]))
}

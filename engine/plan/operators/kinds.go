package operators

import (
	"context"
	"fmt"
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

// Questions whose predicate is a kind of thing.

// ofKinds reads "Which ships are ferries?", "Which of them are tankers or barges?" and "Which ships
// built in 2007 are not ferries?": the things of the rest that are, or are not, of the kinds at the
// end.
func (r *reader) ofKinds(ctx context.Context, p *phrase) (*part, error) {
	if !p.says(0, "which", "what", "how many") {
		return nil, nil
	}
	be := -1
	for i := p.len() - 1; i > 0 && be < 0; i-- {
		if p.is(i, copulas) || p.IsContractedNot(i) && copulas[strings.TrimSuffix(p.word(i).Lower, "n")] {
			be = i
		}
	}
	head := p.noun(1, be)
	if role := p.relationNoun(1, be); head < 0 && p.begin(0, be) == role { // "which shareholders of X are people"
		head = role
	}
	if head < 1 || be < 0 {
		return nil, nil
	}
	not, from := p.IsContractedNot(be) || p.says(be+1, "not", "neither"), be+1
	if not {
		from++
	}
	var set []kg.EntityID
	var kinds []string
	doubt, joined := "", true
	for i := from; i < p.len(); i++ {
		w := p.word(i)
		switch {
		case p.isName(i) || p.aside[i]:
			return nil, nil
		case p.says(i, "a", "an", "either"):
		case p.says(i, "or", "nor"):
			joined = true
		case w.Silent && len(w.Types) == 0: // "car" of "car ferry"
		case len(w.Types) == 0 || w.AsksStrongly() || !joined && !p.isParted(i) || slices.Equal(w.Types, p.word(head).Types):
			return nil, nil
		default:
			part, err := r.root(p, i, w.Text)
			if err != nil {
				return nil, err
			}
			set, kinds, joined = append(set, part.pat.Nodes[0].Within...), append(kinds, part.pat.Nodes[0].Type), false
			if doubt == "" {
				doubt = part.reason
			}
		}
	}
	if len(kinds) == 0 || joined {
		return nil, nil
	}
	main, err := r.list(ctx, p, []piece{span(0, be)}, p.text(be, p.len()))
	if err != nil {
		return nil, err
	}
	pat := main.pat
	if all, ok := r.core.Answers(ctx, pat); not && ok && pat.Asked >= 0 && pat.Nodes[pat.Asked].Within == nil {
		pat.Nodes[pat.Asked].Within = all
	}
	if !main.isPlainList() || !pat.Nodes[pat.Asked].Variable || not && pat.Nodes[pat.Asked].Within == nil {
		return nil, refuse(p.text(be, p.len()), "what should be of that type is not a list.")
	}
	set = kg.Distinct(set)
	asked := &pat.Nodes[pat.Asked]
	is := pattern.Kinds{Any: kinds}
	switch was := pattern.ReadKinds(asked.Type); {
	case not:
		asked.Within = slices.DeleteFunc(slices.Clone(asked.Within), func(e kg.EntityID) bool { return kg.Holds(set, e) })
		was.No = append(slices.Clip(was.No), kinds...)
		is = was
	case asked.Within != nil:
		asked.Within = slices.DeleteFunc(slices.Clone(set), func(e kg.EntityID) bool { return !slices.Contains(asked.Within, e) })
		if len(kinds) > 1 && len(was.Also) == 0 {
			was.Also = kinds
			is = was
		}
	default:
		asked.Within = set
	}
	asked.Type = is.String()
	if doubt != "" {
		main.unsure(plan.Unsure, doubt)
	}
	main.text += ", " + p.text(from, p.len())
	return main, nil
}

// severalKinds reads "How many novels and poems are there?" and "Which ships and ferries …": what
// is asked of the first kind is asked of all.
func (r *reader) severalKinds(ctx context.Context, p *phrase) (*part, error) {
	first := 1
	if p.says(0, "how many") {
		first = 2
	} else if !p.says(0, "which", "what") {
		return nil, nil
	}
	kind := func(i int) bool {
		return i < p.len() && !p.isName(i) && !p.aside[i] && p.word(i).IsNamedKind() && lexicon.IsPlural(p.word(i).Lower)
	}
	var kinds []int
	end := first
	for joined := true; ; joined = false {
		for len(kinds) > 0 && (p.says(end, "and") || p.says(end, "or") || p.says(end, "how many")) {
			if joined = true; p.says(end, "how") {
				end++
			}
			end++
		}
		if !kind(end) || len(kinds) > 0 && !joined && !p.isParted(end) {
			break
		}
		kinds, end = append(kinds, end), end+1
	}
	if len(kinds) < 2 || end != kinds[len(kinds)-1]+1 {
		return nil, nil
	}
	word := p.text(kinds[0], end)
	main, err := r.list(ctx, p, []piece{span(0, kinds[0]+1), span(end, p.len())}, word)
	if err != nil {
		return nil, err
	}
	pat := main.pat
	if pat.Task > pattern.Count || pat.Asked < 0 || !pat.Nodes[pat.Asked].Variable || pat.Order != nil || pat.Measure != nil {
		return nil, refuse(word, "what is asked of them is no list.")
	}
	var all []kg.EntityID
	var is pattern.Kinds
	for _, i := range kinds {
		of, err := r.root(p, i, word)
		if err != nil {
			return nil, err
		}
		main.doubted(of)
		if r.lacksStep(pat, p.word(i)) {
			main.unsure(plan.Unsure, fmt.Sprintf("The reading takes a relation that no %s has.", wording.Quote(lexicon.Singular(p.word(i).Lower))))
		}
		all, is.Any = append(all, of.pat.Nodes[0].Within...), append(is.Any, of.pat.Nodes[0].Type)
	}
	slices.Sort(all)
	asked := &pat.Nodes[pat.Asked]
	asked.Within, asked.Type = slices.Compact(all), is.String()
	main.text += ", and " + p.text(kinds[1], end)
	return main, nil
}

// lacksStep reports whether a pattern asks of what it asks for what things of a kind never have: vets have no "base town"
// where rescuers have one.
func (r *reader) lacksStep(pat *pattern.Pattern, kind *words.Word) bool {
	return slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool {
		isEnd := func(at schema.Slot) bool {
			return slices.ContainsFunc(kind.Types, func(t kg.TypeID) bool { return r.voc.Schema().Types(at)[t] > 0 })
		}
		if e.From != pat.Asked && e.To != pat.Asked || len(e.Fixed) == 0 {
			return false
		}
		return !slices.ContainsFunc(e.Fixed, func(rel kg.RelationID) bool {
			st := schema.Forward(rel)
			return e.From == pat.Asked && isEnd(st.From()) || e.To == pat.Asked && isEnd(st.To())
		})
	})
}

package operators

import (
	"context"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

// Questions whose predicate is a kind of thing.

// ofKinds reads "Which ships are ferries?", "Which of them are tankers or barges?" and "Which ships
// built in 2007 are not ferries?": the things of the rest that are, or are not, of the kinds at the
// end.
func (r *reader) ofKinds(ctx context.Context, p *phrase) (*part, error) {
	if !p.says(0, "which", "what") {
		return nil, nil
	}
	head := p.noun(1, p.len())
	be := -1
	for i := p.len() - 1; i > max(head, 0) && be < 0; i-- {
		if p.is(i, copulas) || p.IsContractedNot(i) && copulas[strings.TrimSuffix(p.word(i).Lower, "n")] {
			be = i
		}
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
	if pat.Task != pattern.Find || pat.Asked < 0 || !pat.Nodes[pat.Asked].Variable || pat.Order != nil || pat.Measure != nil || not && pat.Nodes[pat.Asked].Within == nil {
		return nil, refuse(p.text(be, p.len()), "what should be of that type is not a list.")
	}
	slices.Sort(set)
	set = slices.Compact(set)
	asked := &pat.Nodes[pat.Asked]
	switch text := wording.Choice(kinds); {
	case not:
		asked.Within = slices.DeleteFunc(slices.Clone(asked.Within), func(e kg.EntityID) bool { _, is := slices.BinarySearch(set, e); return is })
		asked.Type += words.ButNo + text
	case asked.Within != nil:
		asked.Within = slices.DeleteFunc(slices.Clone(set), func(e kg.EntityID) bool { return !slices.Contains(asked.Within, e) })
		if asked.Type += " that is a " + text; len(kinds) == 1 {
			asked.Type = text
		}
	default:
		asked.Within, asked.Type = set, text
	}
	if doubt != "" {
		main.unsure(plan.Unsure, doubt)
	}
	main.text += ", " + p.text(from, p.len())
	return main, nil
}

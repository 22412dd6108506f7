package operators

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// mostInside is how many things in a wider one are looked at.
const mostInside = 10_000

// inside reads what is asked of a place, a kind or a whole as asked also of what is in it, where the
// graph tells of that what is asked: a volcano in a range of the Andes is in the Andes.
//
//	volcano ─in range→ Cordillera Blanca ─part of→ Andes
func (r *reader) inside(ctx context.Context, p *phrase) (*part, error) {
	if at, _ := p.find(indirect); r.depth > 1 || at >= 0 {
		return nil, nil
	}
	g := r.voc.Graph()
	for _, at := range p.names(0, p.len()) {
		es := p.entitiesOf(at)
		if len(es) > 1 {
			continue
		}
		all, seen := slices.Clone(es), map[kg.EntityID]bool{es[0]: true}
		tells := map[kg.RelationID]kg.EntityID{} // of what is in it, that of which a relation tells most
		for i := 0; i < len(all) && len(all) < mostInside; i++ {
			for rel, edges := range g.RelationsIn(all[i]) {
				name := lexicon.RelationWords(g.RelationName(rel))
				if e, known := tells[rel]; i > 0 && lexicon.Places(name) && (!known || len(edges) > len(g.InBy(e, rel))) {
					tells[rel] = all[i]
				}
				if !lexicon.IsInside(name) {
					continue
				}
				for _, x := range edges {
					if !seen[x.Entity] {
						seen[x.Entity], all = true, append(all, x.Entity)
					}
				}
			}
		}
		as := slices.Concat(es, slices.Sorted(maps.Values(tells)))
		for k := 0; k < len(as) && len(all) > 1; k++ {
			if k > 0 && slices.Contains(as[:k], as[k]) {
				continue
			}
			got, done, err := r.insideAs(ctx, p, at, as[k], all)
			if got != nil || err != nil {
				return got, err
			}
			if done {
				break
			}
		}
	}
	return nil, nil
}

// insideAs reads a phrase with something else in the place of the name at word at, of which a relation
// tells what is asked; nil where none does, or where what is in the name adds nothing. It is done where
// the name itself is surely read.
func (r *reader) insideAs(ctx context.Context, p *phrase, at int, as kg.EntityID, all []kg.EntityID) (got *part, done bool, err error) {
	m := p.Question.Mentions[p.word(at).Mention]
	mentions := slices.Clone(p.mentions)
	for i := range mentions {
		if mentions[i].Start == m.Start && mentions[i].End == m.End {
			mentions[i].Candidates = []link.Candidate{{Entity: as, Method: link.Exact}}
		}
	}
	got, err = r.read(ctx, r.phrase(p.Source, mentions), p.text(at, at+1))
	if err != nil || as != all[0] && got.doubt != plan.Sure {
		return nil, false, ctx.Err()
	}
	g := r.voc.Graph()
	places := func(rel kg.RelationID) bool { return lexicon.Places(lexicon.RelationWords(g.RelationName(rel))) }
	for _, e := range got.pat.Edges {
		n := &got.pat.Nodes[e.To]
		if e.Closure || !slices.Equal(n.Entities, []kg.EntityID{as}) || !slices.ContainsFunc(e.Fixed, places) || n.Text != m.Text {
			continue
		}
		wide := copied(got.pat)
		wide.Nodes[e.To].Entities = all
		if one, ok := r.core.Answers(ctx, got.pat); as == all[0] && ok {
			if more, ok := r.core.Answers(ctx, wide); ok && len(more) == len(one) {
				return nil, true, nil
			}
		}
		got.pat, got.text = wide, strings.ReplaceAll(got.text, g.Label(as), m.Text)
		got.unsure(plan.Unsure, fmt.Sprintf("What is in a part of %s counts too, such as in %s.", wording.Quote(m.Text), g.Label(all[1])))
		return got, true, nil
	}
	return nil, as == all[0] && got.doubt == plan.Sure, nil
}

package operators

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Comparisons with an average: "heavier than average", "an above-average price".

var averages = lexicon.Phrases("averages")

// meanAt returns the words of a comparison with an average, from its first to the one behind it, and
// the words that stand for it, with a number for the average: none where it is unclear. It returns 0
// where there is no such comparison.
//
//	lines longer than average            longer than 1
//	lines of above-average length        length above 1
//	firms with more staff than average   staff above 1
//	firms with more than average staff   staff above 1
//	lines longer than the average line   longer than 1
func (r *reader) meanAt(p *phrase, number string) (from, to int, as []piece) {
	for i := 2; i < p.len(); i++ {
		op, behind := p.beforeThe(i-1), i+p.match(i, averages)
		above := p.says(op, "above", "over", "below", "under")
		if behind == i || !above && !p.says(op, "than") {
			continue
		}
		if p.says(behind, "number of") {
			behind += 2
		}
		names := p.names(0, op)
		switch {
		case !above && behind == p.len() && !p.isName(op-1) && r.bound(p, op-2) != "" && !strings.HasSuffix(p.word(op-1).Lower, "er") && r.isValue(p, op-1): // "more staff than average"
			return op - 2, behind, []piece{span(op-1, op), text(r.bound(p, op-2) + " " + number)}
		case behind == p.len() || p.word(behind).Stop && !p.is(behind, prepositions):
			return op, behind, []piece{span(op, op+1), text(number)}
		case p.isName(behind) || p.word(behind).Stop:
			return op, behind, nil
		case p.noun(behind, behind+1) == behind && !r.isValue(p, behind):
			head := p.noun(0, op)
			if head >= 0 && p.word(head).Stem == p.word(behind).Stem || head < 0 && len(names) == 1 && p.isOfKind(names[0], behind) {
				return op, behind + 1, []piece{span(op, op+1), text(number)}
			}
		case above && op == i-1:
			return op, behind + 1, []piece{span(behind, behind+1), span(op, op+1), text(number)}
		case r.bound(p, op-1) != "":
			return op - 1, behind + 1, []piece{span(behind, behind+1), text(r.bound(p, op-1) + " " + number)}
		}
		return op, behind, nil
	}
	return 0, 0, nil
}

// bound returns the word for a bound that a word before "than" makes of a value; "" for none.
func (r *reader) bound(p *phrase, i int) string {
	switch {
	case p.is(i, moreWords):
		return "above"
	case p.is(i, lessWords):
		return "below"
	}
	return ""
}

// withMean reads a comparison with an average as one with the number that it is: of the values of
// all things of the kind that have one. It is nil where a text has none such.
func (r *reader) withMean(ctx context.Context, p *phrase, claim bool) (*plan.Plan, error) {
	from, to, as := r.meanAt(p, "1")
	if to == 0 {
		return nil, nil
	}
	refused := refuse(p.text(from, to), "it is unclear of which values.")
	if as == nil {
		return nil, refused
	}
	read := func(number string) (*plan.Plan, kg.RelationID, *pattern.Pattern, error) {
		_, _, as := r.meanAt(p, number)
		out, err := r.whole(ctx, r.cut(p, slices.Concat([]piece{span(0, from)}, as, []piece{span(to, p.len())})...), claim)
		if err != nil {
			return nil, 0, nil, err
		}
		rel, pat := comparedRelation(out)
		return out, rel, pat, nil
	}
	_, rel, pat, err := read("1")
	if err == nil && pat == nil { // nothing may be below it
		_, rel, pat, err = read("1000000000")
	}
	if err != nil {
		return nil, err
	}
	if pat == nil {
		return nil, refused
	}
	mean, unit, ok := r.meanOf(rel, pat)
	if !ok {
		return nil, refused
	}
	digits := 3
	if math.Abs(mean) < 1 {
		digits = -1
	}
	out, again, pat, err := read(strings.TrimSpace(strconv.FormatFloat(mean, 'f', digits, 64) + " " + unit))
	if err != nil {
		return nil, err
	}
	if pat == nil || again != rel || math.Abs(pat.Filters[0].Value-mean) > 0.001 {
		return nil, refused
	}
	pat = copied(pat)
	pat.Filters[0].Told = fmt.Sprintf("the average %s = %s", r.voc.Graph().RelationText(rel), wording.Amount(mean, unit))
	out.Readings = out.Readings[:1]
	out.Readings[0].Pattern = pat
	if len(pat.Edges) > 1 && out.Doubt == plan.Sure {
		out.Doubt, out.Reason = plan.Unsure, "The average is that of all that have such a value."
	}
	return out, nil
}

// whole reads a text with or without operators.
func (r *reader) whole(ctx context.Context, p *phrase, claim bool) (*plan.Plan, error) {
	out, err := Read(ctx, r.core, r.voc, p.Source, p.mentions, claim)
	switch {
	case err != nil || out != nil:
		return out, err
	case claim:
		return r.core.Claim(ctx, p.Source, p.mentions)
	}
	return r.core.Read(ctx, p.Source, p.mentions)
}

// comparedRelation returns the relation to the one value that the first reading of a plan compares
// with a number, and its pattern; nil for none.
func comparedRelation(out *plan.Plan) (kg.RelationID, *pattern.Pattern) {
	if len(out.Readings) == 0 || len(out.Readings[0].Pattern.Filters) != 1 {
		return 0, nil
	}
	p := out.Readings[0].Pattern
	i := slices.IndexFunc(p.Edges, func(e pattern.Edge) bool { return e.To == p.Filters[0].Node && e.From == max(p.Asked, 0) })
	if i < 0 || len(p.Edges[i].Fixed) != 1 || p.Filters[0].Than != nil {
		return 0, nil
	}
	return p.Edges[i].Fixed[0], p
}

// meanOf returns the average of the values of a relation, of things of the kind that a pattern asks
// for or claims something of, and their unit; false where they cannot be averaged.
func (r *reader) meanOf(rel kg.RelationID, p *pattern.Pattern) (mean float64, unit string, ok bool) {
	g, n := r.voc.Graph(), 0
	node := p.Nodes[max(p.Asked, 0)]
	for _, e := range g.Heads(rel) {
		if node.Within != nil && !slices.Contains(node.Within, e) || !node.Variable && len(g.Types(e)) > 0 && !g.ShareType(node.Entities[0], e) {
			continue
		}
		for _, x := range r.voc.Schema().Edges(e, schema.Forward(rel)) {
			v, is := g.Value(x.Entity)
			if !is || v.Kind != kg.NumberValue {
				return 0, "", false
			}
			if n == 0 {
				unit = v.Unit
			}
			if v, is = v.In(unit); unit != "" && !is || unit == "" && v.Unit != "" {
				return 0, "", false
			}
			mean, n = mean+v.Number, n+1
		}
	}
	return mean / float64(max(n, 1)), unit, n > 0
}

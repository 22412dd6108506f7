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
	"cairn/internal/wording"
)

var shares = lexicon.Phrases("share of")

// shareOf reads "what percentage of the films by X won an award": of all that the first part
// says, "films by X", how many meet what the rest says of them. The two are parted before the
// first verb that is not of a clause within the first.
func (r *reader) shareOf(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(shares)
	if i < 0 || p.begin(0, i) < i { // "Which companies own a share of X" asks for companies
		return nil, nil
	}
	if end := p.len() - 2; p.says(end, "in percent", "in %") {
		p = r.cut(p, span(0, end))
	}
	word, from := p.text(i, i+n), p.behind(i+n, "all", "the")
	noun := p.noun(from, p.len())
	if noun == p.len()-1 && p.hasName(from, noun) { // "share of poetry books"
		return r.shareAmong(ctx, p, from, noun, word)
	}
	if noun < 0 && !p.hasName(from, p.len()) || noun == p.len()-1 {
		return nil, refuse(word, "it is unclear which entities have what.")
	}
	if noun < 0 || p.hasName(from, noun) && slices.ContainsFunc(upTo(from, noun), func(k int) bool { return p.is(k, prepositions) || p.is(k, relatives) }) {
		return nil, nil // "the share of X in Y" may be a value
	}
	if r.isValue(p, noun) {
		return nil, refuse(word, "asking for part of a number is not supported yet.")
	}
	verb := r.predicate(p, noun)
	if verb < 0 {
		return nil, refuse(word, fmt.Sprintf("it is unclear what is said about the %s.", p.word(noun).Lower))
	}
	if and := slices.IndexFunc(upTo(0, verb), func(k int) bool { return k > from && p.says(k, "and") }); and >= 0 {
		return nil, refuse(p.word(and).Text, "it is unclear whether both are meant, or either.")
	}
	all, err := r.things(ctx, p, from, verb, word)
	if err != nil {
		return nil, err
	}
	got, err := r.read(ctx, r.cut(p, text("Which"), span(noun, noun+1), span(verb, p.len())), word)
	if err != nil {
		return nil, err
	}
	return r.shareThat(p, all, got, noun, word)
}

// shareAmong reads the share of those that a name says more of.
func (r *reader) shareAmong(ctx context.Context, p *phrase, from, noun int, word string) (*part, error) {
	all, err := r.root(p, noun, word)
	if err != nil {
		return nil, err
	}
	got, err := r.things(ctx, p, from, p.len(), word)
	if err != nil {
		return nil, err
	}
	return r.shareThat(p, all, got, noun, word)
}

// shareThat is the share of what one part finds that another finds too.
func (r *reader) shareThat(p *phrase, all, got *part, noun int, word string) (*part, error) {
	all.pat = copied(all.pat)
	within := all.pat.Nodes[max(0, all.pat.Asked)].Within
	among := slices.ContainsFunc(within, func(e kg.EntityID) bool { return r.mayBe(got.pat, got.pat.Asked, e) })
	if !all.isPlainList() || !got.isPlainList() || got.pat.Task != pattern.Find || !got.pat.Nodes[got.pat.Asked].Variable || within != nil && !among {
		return nil, refuse(word, fmt.Sprintf("the rest does not say which %s.", p.word(noun).Lower))
	}
	for _, one := range []*part{all, got} { // half of it understood would be another share
		if one.doubt != plan.Sure || len(one.unused) > 0 {
			why := one.reason
			if len(one.unused) > 0 {
				why = fmt.Sprintf("The reading ignores %s.", wording.Quotes(one.unused))
			}
			return nil, refuse(word, fmt.Sprintf("%s may not be what is meant. %s", wording.Quote(one.text), why))
		}
	}
	more := graft(all.pat, got.pat, got.pat.Asked, all.pat.Asked)
	if len(more.Edges)+len(more.Filters) > 0 {
		all.pat.Branches = append(all.pat.Branches, pattern.Branch{Kind: pattern.OneOf, Edges: more.Edges, Filters: more.Filters})
	}
	all.pat.Branches = append(all.pat.Branches, more.Branches...)
	all.pat.Task = pattern.Find
	all.pat.Measure = &pattern.Measure{Func: pattern.Share, Node: all.pat.Asked, Of: -1, Per: -1}
	all.text = fmt.Sprintf("of %s, in percent: %s", all.text, got.text)
	return all, nil
}

// predicate returns the verb by which something is said of the noun at a word, and not the
// verb of a clause that narrows it down: "films that X directed won", "bridges built in Y are".
// It is -1 where there is none.
func (r *reader) predicate(p *phrase, noun int) int {
	reduced, open, whose := -1, false, false // a participle that may be a clause of its own; a clause with "that"
	for k := noun + 1; k < p.len(); k++ {
		w := p.word(k)
		if b, ok := r.voc.BoundAt(p.Question.Words, k); ok { // "longer than 300 km"
			k = b.To - 1
			continue
		}
		if strings.ContainsAny(w.Lower, "0123456789") {
			_, n := p.Vocabulary.Schema().LeadingUnit(p.Source[w.End:])
			for k+1 < p.len() && p.word(k+1).Start < w.End+n {
				k++
			}
			continue
		}
		switch {
		case p.is(k, relatives):
			open, whose = true, p.says(k, "whose")
			continue
		case open && whose && !p.is(k, auxiliary) && !p.is(k, finite): // "whose home port is X"
			continue
		case p.isName(k) || p.is(k, prepositions) || w.Stop && !p.is(k, auxiliary) && !p.is(k, finite):
			continue
		case p.is(k, auxiliary), p.is(k, finite):
		case k-1 != noun && !p.isName(k-1) && !p.is(k-1, relatives) && !strings.ContainsAny(p.text(max(noun+1, k-3), k), "0123456789"):
			continue // it is of the words before: "with home port X"
		case !w.IsCue() && !w.Silent && !lexicon.IsPast(w.Lower) && !lexicon.IsParticiple(w.Lower), len(w.Types) > 0:
			continue
		}
		if open {
			for p.is(k, auxiliary) && k+1 < p.len() && !p.isName(k+1) && (p.is(k+1, auxiliary) || lexicon.IsParticiple(p.word(k+1).Lower)) {
				k++
			}
			open = false
			continue
		}
		if ing := strings.HasSuffix(w.Lower, "ing"); !p.is(k, auxiliary) && (ing || lexicon.IsParticiple(w.Lower) && p.is(k+1, prepositions)) {
			if reduced < 0 && !ing {
				reduced = k
			}
			continue
		}
		return k
	}
	return reduced
}

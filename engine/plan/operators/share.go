package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

var shares = lexicon.Phrases("share of")

// shareOf reads "what percentage of the films are by X": how many of all of a kind meet
// what the rest asks. What is narrowed down before that, "of the films by X", is no kind.
func (r *reader) shareOf(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(shares)
	if i < 0 || p.begin(0, i) < i { // "Which companies own a share of X" asks for companies
		return nil, nil
	}
	word, from := p.text(i, i+n), i+n
	for p.says(from, "all") || p.says(from, "the") {
		from++
	}
	noun := p.noun(from, p.len())
	if noun < 0 && !p.hasName(from, p.len()) || noun == p.len()-1 {
		return nil, refuse(word, "it is not clear which things have what.")
	}
	if noun < 0 || !p.isBare(from, noun+1, noun) || p.hasName(from, noun) {
		return nil, nil // "the share of X in Y" may be a value
	}
	all, err := r.root(p, noun, word)
	if err != nil {
		return nil, err
	}
	if r.isValue(p, noun) {
		return nil, refuse(word, "a part of a number cannot be asked for yet.")
	}
	if p.narrowed(noun) {
		return nil, refuse(word, "it can be asked of all things of a kind only.")
	}
	got, err := r.read(ctx, r.cut(p, text("Which"), span(noun, p.len())), word)
	if err != nil {
		return nil, err
	}
	within := all.pat.Nodes[0].Within
	if !got.isPlainList() || got.pat.Task != pattern.Find || !r.isAmong(got.pat, within) {
		return nil, refuse(word, fmt.Sprintf("the rest does not say which %s.", p.word(noun).Lower))
	}
	got.pat = copied(got.pat)
	asked := &got.pat.Nodes[got.pat.Asked]
	asked.Within, asked.Type = within, all.pat.Nodes[0].Type
	got.pat.Measure = &pattern.Measure{Func: pattern.Share, Node: got.pat.Asked, Of: -1, Per: -1}
	got.text = fmt.Sprintf("of %s %s, in percent: %s", wording.Number(len(within)), p.word(noun).Lower, got.text)
	return got, nil
}

// narrowed reports whether what stands behind a noun narrows it down before anything is
// said of it: "bridges in Germany are …", "films that X directed won …".
func (p *phrase) narrowed(noun int) bool {
	says := func(k int) bool { return !p.isName(k) && !p.is(k, prepositions) && !p.word(k).Stop }
	isVerb := func(k int) bool { return p.is(k, finite) || p.is(k, auxiliary) }
	behind := upTo(noun+1, p.len())
	if p.is(noun+1, relatives) {
		return true
	}
	if verb := slices.IndexFunc(behind, isVerb); verb > 0 && slices.ContainsFunc(behind[:verb], func(k int) bool { return p.isName(k) || says(k) }) {
		return true
	}
	// Of a verb that is in no list, the name before it tells.
	name := slices.IndexFunc(behind, p.isName)
	return name > 0 && !slices.ContainsFunc(behind[:name], func(k int) bool { return says(k) || isVerb(k) }) && slices.ContainsFunc(behind[name:], says)
}

// isAmong reports whether what a pattern asks for may be among some entities.
func (r *reader) isAmong(p *pattern.Pattern, es []kg.EntityID) bool {
	return p.Nodes[p.Asked].Variable && len(es) > 0 && slices.ContainsFunc(es, func(e kg.EntityID) bool { return r.mayBe(p, p.Asked, e) })
}

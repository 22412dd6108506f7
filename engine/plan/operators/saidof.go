package operators

import (
	"context"
	"fmt"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// Claims of how many things, or of which alone, something is said: the question of which things
// it is so of tells who is meant, and the claim how many they may be.

// saidOf returns the things of which words [verb, end) are said, by the question with the noun
// that stands before them; nil where that is not sure.
func (r *reader) saidOf(ctx context.Context, p *phrase, of piece, verb int) (*part, error) {
	q := r.cut(p, text("Which"), of, span(verb, p.len()))
	got, err := r.read(ctx, q, p.text(0, 1))
	if err != nil || got.doubt != plan.Sure || !got.isPlainList() || len(got.pat.Edges) == 0 {
		return nil, ctx.Err()
	}
	got.pat = copied(got.pat)
	return got, nil
}

// sentenceVerb is predicate for what is surely a sentence: "three films directed by X" may be none.
func (r *reader) sentenceVerb(p *phrase, noun int) int {
	verb := r.predicate(p, noun)
	if verb >= 0 && !p.is(verb, auxiliary) && !p.is(verb, finite) && p.is(verb+1, prepositions) && lexicon.IsParticiple(p.word(verb).Lower) {
		return -1
	}
	return verb
}

// verified asks of how many of what a part finds its pattern holds.
func (p *part) verified(op pattern.Op, n int) *part {
	pat := p.pat
	pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: pat.Edges, Filters: pat.Filters, Node: pat.Asked, Op: op, N: n})
	pat.Task, pat.Asked, pat.Edges, pat.Filters = pattern.Verify, -1, nil, nil
	return p
}

// quantifiedClaim reads "At least two persons have a mentor in Oslo" and "Some ships carry oil":
// of so many of a kind something is said. It is nil where the text is no such claim.
func (r *reader) quantifiedClaim(ctx context.Context, p *phrase) (*part, error) {
	from := 0
	if p.is(0, auxiliary) || p.is(0, finite) {
		from = 1 // "Do at least two …?"
	}
	q := p.quantityAt(from)
	if p.says(from, "some") || from > 0 && p.says(from, "any") {
		q = &quantity{from: from, to: from + 1, op: pattern.AtLeast, n: 1}
	}
	if q == nil || q.most > 0 || q.n >= mostCounted || r.isValue(p, q.to) || p.says(q.to, "the") { // "Is 738 the page count of X?"
		return nil, nil
	}
	noun := p.noun(q.to, min(q.to+3, p.len()))
	if noun < 0 || from == 0 && r.sentenceVerb(p, noun) < 0 {
		return nil, nil
	}
	got, err := r.saidOf(ctx, p, span(q.to, q.to), q.to)
	if got == nil || err != nil || len(got.pat.Branches) > 0 {
		return nil, err
	}
	got.text = fmt.Sprintf("%s %d of: %s", q.op.Words(), q.n, got.text)
	if got.verified(q.op, q.n); q.op == pattern.Equal && q.n == 0 {
		got.unsure(plan.Unsure, untold)
	}
	return got, nil
}

// onlyOfThem reads "Only persons in Bern work for Acme": all of whom it is said are so. It is nil
// where nothing is said, and never a list.
func (r *reader) onlyOfThem(ctx context.Context, p *phrase) (*part, error) {
	n := p.match(0, onlys)
	if n == 0 {
		return nil, nil
	}
	noun := p.noun(n, p.len())
	if k := p.relationNoun(n, min(n+2, p.len())); noun < 0 || k >= 0 && k < noun {
		noun = k
	}
	word := p.text(0, n)
	if p.nameAt(n) > 0 && (noun < 0 || noun > p.nameAt(n)) {
		return r.onlyNames(ctx, p, n, word)
	}
	if noun < 0 {
		return nil, refuse(word, "it is not clear what it is about.")
	}
	verb := r.sentenceVerb(p, noun)
	if verb < 0 {
		return nil, nil
	}
	if verb <= noun+1 && p.isBare(n, verb, noun) {
		return nil, refuse(word, "it says nothing of which of them are meant.")
	}
	all, err := r.saidOf(ctx, p, span(noun, noun+1), verb)
	if err != nil {
		return nil, err
	}
	them, err := r.things(ctx, p, n, verb, word)
	if err != nil {
		return nil, err
	}
	if all == nil || !them.isCertain() {
		return nil, refuse(word, "it is not surely understood what is said, or of what.")
	}
	return r.allAre(ctx, all, them, word)
}

// onlyOfKind reads "X brews only ales" and "Does X brew only ales?": all that X brews is of that kind.
// It is nil where no name is said to do so, and never a list.
func (r *reader) onlyOfKind(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(onlys)
	asked := p.is(0, auxiliary)
	begin := p.afterThe(map[bool]int{true: 1}[asked])
	end, last := p.nameAt(begin), p.len()-1
	if i < 0 || end == 0 || i < end || p.quantityAt(i+n) != nil || len(p.names(0, p.len())) != 1 || p.noun(last, p.len()) != last || r.denies(p) {
		return nil, nil
	}
	word := p.text(i, i+n)
	rest := r.cut(p, span(end, i), span(i+n, last)) // the verb and what goes with it
	if rest.len() == 0 {
		return nil, nil
	}
	does := "does"
	switch {
	case asked:
		does = p.text(0, 1)
	case rest.is(0, copulas):
		does, rest = rest.text(0, 1), r.cut(rest, span(1, rest.len()))
	case rest.word(0).IsPast():
		does = "did"
	}
	verb := ""
	if rest.len() > 0 && (does == "does" || does == "did") {
		verb, rest = lexicon.Base(rest.word(0).Lower), r.cut(rest, span(1, rest.len()))
	}
	all, err := r.read(ctx, r.cut(p, text("What "+strings.ToLower(does)), span(begin, end), text(verb), text(rest.Source)), word)
	if err != nil {
		return nil, err
	}
	them, err := r.root(p, last, word)
	if err != nil {
		return nil, err
	}
	if !all.isCertain() || len(all.pat.Branches) > 0 || len(all.pat.Edges) != 1 || them.doubt != plan.Sure {
		return nil, refuse(word, "it is not surely understood what is said.")
	}
	return r.allOf(ctx, all, them, word)
}

// onlyNames reads "Only A and B work for Acme": it is said of these, and of nothing else.
func (r *reader) onlyNames(ctx context.Context, p *phrase, at int, word string) (*part, error) {
	var names []int
	for at < p.len() && (p.nameAt(at) > 0 || p.says(at, "and")) {
		if p.nameAt(at) == 0 {
			at++
			continue
		}
		names, at = append(names, at), p.nameAt(at)
	}
	question := r.cut(p, text("Who"), span(at, p.len()))
	got, err := r.read(ctx, question, word)
	if err != nil {
		return nil, err
	}
	if !got.isCertain() || len(got.pat.Branches) > 0 {
		return nil, refuse(word, "it is not surely understood what is said.")
	}
	said := got.pat
	got.pat = copied(said)
	got.text = "of nothing else: " + got.text
	got.verified(pattern.Equal, len(names))
	for _, name := range names {
		n := addNode(got.pat, p.known(name))
		more := graft(got.pat, said, said.Asked, n)
		add(got.pat, more)
	}
	p.doubtNames(got, names...)
	return got, nil
}

// isCertain reports whether a part lists things beyond doubt, by some relation.
func (p *part) isCertain() bool {
	return p.doubt == plan.Sure && p.isPlainList() && len(p.pat.Branches) == 0 && len(p.pat.Edges) > 0
}

// allAre asks whether all that one part finds are among what another finds: as many as there are.
func (r *reader) allAre(ctx context.Context, all, them *part, word string) (*part, error) {
	for _, one := range []*part{all, them} {
		if !one.isCertain() {
			return nil, refuse(word, fmt.Sprintf("%s may not be what is meant. %s", wording.Quote(one.text), one.reason))
		}
	}
	return r.allOf(ctx, all, them, word)
}

// allOf is allAre for what is sure.
func (r *reader) allOf(ctx context.Context, all, them *part, word string) (*part, error) {
	n, err := r.howMany(ctx, all.pat, word)
	if err != nil {
		return nil, err
	}
	all.pat = copied(all.pat)
	add(all.pat, graft(all.pat, them.pat, them.pat.Asked, all.pat.Asked))
	all.text = fmt.Sprintf("of all %s (%s): %s", wording.Number(n), all.text, them.text)
	return all.verified(pattern.AtLeast, n), nil
}

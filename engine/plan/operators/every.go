package operators

import (
	"context"
	"fmt"
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

// All and only: what holds of every thing of a kind, and of nothing else.

var (
	alls   = lexicon.Phrases("all of them")
	almost = lexicon.Words("not quite")
	anyOne = lexicon.Words("some one")
)

// everyOf is "all the ships" in words [from, to), and the kind that they name.
type everyOf struct {
	from, to    int   // to is the word after the noun
	first, noun int   // the words that name the kind, up to the noun
	of          *part // all things of the kind
	only        int   // how many of them are meant; 0 for all
}

// isOfCompound reports whether another noun follows the one at a word, which is not what is meant
// then: "every team leader is", "is every team leader".
func (p *phrase) isOfCompound(noun int) bool {
	i := noun + 1
	if i >= p.len() || p.isName(i) || p.word(i).Stop || p.is(i, prepositions) || p.is(i, auxiliary) || p.is(i, finite) || p.is(i, relatives) {
		return false
	}
	w := p.word(i).Lower
	isSaid := lexicon.IsParticiple(w) || lexicon.IsPast(w) || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ly")
	return !isSaid && (p.is(i+1, auxiliary) || p.is(i+1, finite) || p.is(0, copulas))
}

// count is how many there are.
func (e *everyOf) count() int {
	if e.only > 0 {
		return e.only
	}
	return len(e.of.pat.Nodes[0].Within)
}

// everyAt finds "all" and "every" before a kind of thing that is not itself asked for; nil for
// none.
func (r *reader) everyAt(p *phrase, claim bool) (*everyOf, error) {
	for i := range p.len() {
		n := p.match(i, alls)
		if n == 0 || p.is(i-1, almost) {
			continue
		}
		noun := p.noun(i+n, min(i+n+3, p.len()))
		if noun < 0 || noun > i+n && !r.areOfType(p, i+n, noun) || p.says(noun+1, "of") || p.isOfCompound(noun) {
			continue
		}
		if subject := p.noun(0, i); !claim && subject < 0 && (!p.says(0, "who", "what") || i < 2 || p.is(i-1, copulas)) {
			continue // "What are all the ships?"
		}
		of, err := r.root(p, noun, p.text(i, i+n))
		if err != nil {
			return nil, err
		}
		e := &everyOf{from: i, to: noun + 1, first: i + n, noun: noun, of: of}
		if e.count() >= mostCounted {
			return nil, refuse(p.text(i, noun+1), fmt.Sprintf("there are %s of them, too many to check each.", wording.Number(e.count())))
		}
		return e, nil
	}
	return nil, nil
}

// everyOne reads "Which port do all ships call at?" as the ports at which as many ships call as
// there are.
func (r *reader) everyOne(ctx context.Context, p *phrase) (*part, error) {
	if many := p.says(0, "how many"); !p.is(0, questions) || p.says(0, "how") && (!many || r.isValue(p, 2) || p.noun(2, min(3, p.len())) < 0) {
		return nil, nil
	}
	e, err := r.everyAt(p, false)
	if e == nil || err != nil {
		return nil, err
	}
	if p.says(0, "how") && p.says(e.from, "every") { // a number for each
		return nil, nil
	}
	got, err := r.quantified(ctx, r.atLeastAll(p, e))
	if got == nil || err != nil {
		return got, err
	}
	b := &got.pat.Branches[len(got.pat.Branches)-1]
	if b.Edges[0].From != b.Node && b.Edges[0].To != b.Node {
		return nil, refuse(p.text(e.from, e.to), "it is not clear what all of them have.")
	}
	if narrower := b.Edges[1:]; len(narrower)+len(b.Filters) > 0 { // "every book published by X"
		all := &pattern.Pattern{Nodes: got.pat.Nodes, Edges: narrower, Filters: b.Filters, Asked: b.Node, Reuse: got.pat.Reuse}
		if e.only, err = r.howMany(ctx, all, p.text(e.from, e.to)); err != nil {
			return nil, err
		}
		b.N = e.only
	}
	return r.ofAll(p, got, e), nil
}

// howMany counts what a pattern asks for, to ask for all of it.
func (r *reader) howMany(ctx context.Context, all *pattern.Pattern, word string) (int, error) {
	found, ok := r.core.Answers(ctx, all)
	switch n := len(found); {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case !ok || n == 0 || n >= mostCounted:
		return 0, refuse(word, "there are none of them, or too many to check each.")
	}
	return len(found), nil
}

// atLeastAll is a phrase with how many there are for all of them.
func (r *reader) atLeastAll(p *phrase, e *everyOf) *phrase {
	return r.cut(p, span(0, e.from), text("at least "+strconv.Itoa(e.count())), span(e.first, p.len()))
}

// ofAll says of what was read that all of a kind are meant.
func (r *reader) ofAll(p *phrase, got *part, e *everyOf) *part {
	got.text = fmt.Sprintf("%s (all %s: %s)", got.text, wording.Number(e.count()), p.text(e.first, e.to))
	got.doubted(e.of)
	return got
}

// everyClaim reads "Do all ships call at X?" and "Is every disease treated by a drug?".
func (r *reader) everyClaim(ctx context.Context, p *phrase) (*part, error) {
	e, err := r.everyAt(p, true)
	if e == nil && err == nil {
		return r.everyOfValue(ctx, p)
	}
	if err != nil || e.from > 1 || e.from == 1 && !p.is(0, auxiliary) && !p.is(0, finite) {
		return nil, err
	}
	word := p.text(e.from, e.to)
	if verb := r.predicate(p, e.noun); verb > e.to && (p.is(e.to, relatives) || p.hasName(e.to, verb)) {
		return r.everyNarrowed(ctx, p, e.first, e.first, e.noun, verb, word)
	}
	if p.hasName(0, p.len()) {
		got, err := r.countedClaim(r.atLeastAll(p, e))
		if got == nil || err != nil {
			return got, err
		}
		return r.ofAll(p, got, e), nil
	}
	one := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return i >= e.to && p.is(i, anyOne) })
	other := p.noun(max(one, e.to), p.len())
	if something := p.len() - 1; p.says(something, "something", "anything") {
		one, other = something, something
	}
	between := upTo(e.to, max(e.to, one))
	isKind := len(between) > 0 && !slices.ContainsFunc(between, func(i int) bool { return !p.is(i, copulas) }) // "is a Y"
	if one < 0 || other < 0 || p.trim(other+1, p.len()) > other+1 || isKind || !r.areOfType(p, one+1, other) {
		return nil, nil
	}
	what := other
	if one == other {
		what = -1
	}
	j := r.joins(p, e.noun, what, between, false)
	if j == nil {
		return nil, nil
	}
	got := &part{pat: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseVariables, Nodes: slices.Clone(e.of.pat.Nodes)}}
	of, err := r.narrowed(p, other, j.step, word)
	if err != nil {
		return nil, err
	}
	more, _ := r.extend(got.pat, 0, j.step, of, variableName(p.word(other)))
	got.pat.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: more.Edges, Filters: more.Filters, Node: 0, Op: pattern.AtLeast, N: e.count()}}
	got.text = r.voc.Arrow(j.step)
	r.doubtJoint(p, got, j, between)
	return r.ofAll(p, got, e), nil
}

// everyOfValue reads "Are all gas plants operated by X?": of as many as are so, both is.
func (r *reader) everyOfValue(ctx context.Context, p *phrase) (*part, error) {
	i := 0
	if p.is(0, auxiliary) || p.is(0, finite) {
		i = 1
	}
	from := i + p.match(i, alls)
	const most = 4 // words before the noun
	noun := p.noun(from, min(from+most, p.len()))
	if from == i || noun <= from || slices.ContainsFunc(upTo(from, noun), func(k int) bool { return p.is(k, prepositions) || p.is(k, relatives) || p.is(k, auxiliary) }) {
		return nil, nil
	}
	verb := r.predicate(p, noun)
	if verb < noun {
		return nil, nil
	}
	return r.everyNarrowed(ctx, p, from, noun, noun, verb, p.text(i, noun+1))
}

// areOfType reports whether the words from i on before a noun are of the name of its type:
// "production lines".
func (r *reader) areOfType(p *phrase, i, noun int) bool {
	return !slices.ContainsFunc(upTo(i, noun), func(k int) bool {
		return !p.word(k).Silent && !slices.ContainsFunc(p.word(noun).Types, func(t kg.TypeID) bool {
			return slices.Contains(lexicon.Stems(r.voc.Graph().TypeLabel(t)), p.word(k).Stem)
		})
	})
}

// everyNarrowed reads "Do all drugs that target X treat Y?": of as many as the first part finds,
// both are so. The words of the kind, from kind to noun, are among those from first on.
func (r *reader) everyNarrowed(ctx context.Context, p *phrase, first, kind, noun, verb int, word string) (*part, error) {
	all, err := r.things(ctx, p, first, verb, word)
	if err != nil {
		return nil, err
	}
	got, err := r.read(ctx, r.cut(p, text("Which"), span(kind, noun+1), span(verb, p.len())), word)
	if err != nil {
		return nil, err
	}
	return r.allAre(ctx, all, got, word)
}

// onlyClaim reads "Is X supplied only by Y?": that it is so of Y, and of nothing else.
func (r *reader) onlyClaim(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(onlys)
	if names := p.names(0, p.len()); i < 0 || len(names) != 2 {
		return nil, nil
	}
	at := p.skip(i + n)
	if p.nameAt(at) == 0 {
		return nil, nil
	}
	rest := r.without(p, i, i+n)
	read, err := r.core.Claim(ctx, rest.Source, rest.mentions)
	if err != nil || len(read.Readings) == 0 || read.Doubt != plan.Sure {
		return nil, err
	}
	got := &part{pat: copied(read.Readings[0].Pattern), text: read.Readings[0].Text}
	only := p.known(at)
	place := slices.IndexFunc(got.pat.Nodes, func(x pattern.Node) bool { return !x.Variable && slices.Contains(x.Entities, only.Entities[0]) })
	if len(got.pat.Edges) != 1 || len(got.pat.Nodes) != 2 || place < 0 || got.pat.Negated || len(got.pat.Filters)+len(got.pat.Branches) > 0 {
		return nil, nil
	}
	edge := got.pat.Edges[0]
	end := schema.Forward(edge.Fixed[0])
	if edge.From == place {
		end = end.Back()
	}
	if !slices.ContainsFunc(r.voc.Slots(only.Entities[0]), func(at schema.Slot) bool { return r.voc.Schema().SameKind(at, end.To()) }) {
		return nil, refuse(p.text(i, i+n), fmt.Sprintf("the graph does not say %s of anything like %s.", wording.Quote(r.voc.Graph().RelationText(edge.Fixed[0])), only.Text))
	}
	other := addNode(got.pat, pattern.Node{Text: "?any", Variable: true})
	if edge.From == place {
		edge.From = other
	} else {
		edge.To = other
	}
	got.pat.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: []pattern.Edge{edge}, Node: other, Op: pattern.Equal, N: 1}}
	got.text += ", and of nothing else"
	p.doubtNames(got, p.names(0, p.len())...)
	return got, nil
}

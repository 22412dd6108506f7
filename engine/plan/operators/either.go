package operators

import (
	"context"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// onlyThose reads "drugs that treat only asthma".
func (r *reader) onlyThose(ctx context.Context, p *phrase) (*part, error) {
	i, n := p.find(onlys)
	if _, _, counts := p.threshold(max(i, 0)); i < 0 || counts > 0 {
		return nil, nil
	}
	if got, err := r.onlyOfThem(ctx, p); got != nil || err != nil {
		return got, err
	}
	word := p.text(i, i+n)
	got, err := r.read(ctx, r.without(p, i, i+n), word)
	if err != nil {
		return nil, err
	}
	name := -1
	for j := i + n; j < p.len() && name < 0; j++ {
		if p.nameAt(j) > 0 {
			name = j
		}
	}
	if name < 0 {
		name = p.lastName(0, i)
	}
	if !got.isPlainList() || name < 0 && p.limited(i, n, name) < 0 {
		return nil, refuse(word, "it says “only” about something that the question does not name.")
	}
	var es []kg.EntityID
	if name >= 0 {
		es = p.entitiesOf(name)
	}
	if limited := p.limited(i, n, name); limited >= 0 {
		if isBeyond, isWhole := r.onlyBeyond(got, p.word(limited), es); isBeyond {
			if got.text += ", and nothing else"; !isWhole {
				got.unsure(plan.Unsure, "The relation leads to other types of entities as well.")
			}
			return got, nil
		}
	}
	pat := copied(got.pat)
	for _, e := range got.pat.Edges {
		for _, x := range []int{e.From, e.To} {
			if pat.Nodes[x].Variable || !slices.Contains(es, pat.Nodes[x].Entities[0]) {
				continue
			}
			pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Only, Edges: []pattern.Edge{e}})
			got.pat = pat
			got.text += ", and " + r.voc.Graph().RelationText(e.Fixed[0]) + " of nothing else"
			return got, nil
		}
	}
	return nil, refuse(word, "the reading has no relation to what it limits.")
}

// limited returns the noun for the things of which "only" at word i, n words long, says which they
// are: "only dams in X", "only arch dams". It is -1 where "only" is said of the name at word name itself.
func (p *phrase) limited(i, n, name int) int {
	from, to := i+n, p.len()
	if name > from {
		to = name
	} else if name == from {
		from = p.nameAt(name)
		to = min(from+1, to)
	}
	return p.noun(from, to)
}

// onlyBeyond narrows a list to those of which all that their edge to a kind of thing leads to meets
// the rest: who "built only arch dams" built no other dams. named are the entities by which the rest
// is told, none where the kind alone tells. It reports whether such an edge leads to them, and whether
// all that it ever leads to is of the kind: of what has an arch dam, others may have a river.
func (r *reader) onlyBeyond(got *part, kind *words.Word, named []kg.EntityID) (ok, isWhole bool) {
	pat := copied(got.pat)
	all := graft(pat, got.pat, got.pat.Asked, pat.Asked)
	for _, first := range all.Edges {
		far := first.From + first.To - pat.Asked
		if first.From != pat.Asked && first.To != pat.Asked || !pat.Nodes[far].Variable {
			continue
		}
		b := pattern.Branch{Kind: pattern.Only, Edges: []pattern.Edge{first}}
		beyond := []int{far}
		for k := 0; k < len(beyond); k++ {
			for _, e := range all.Edges {
				isEnd := e.From == beyond[k] || e.To == beyond[k]
				if !isEnd || e.From == pat.Asked || e.To == pat.Asked || slices.ContainsFunc(b.Edges, func(o pattern.Edge) bool { return sameEdge(o, e) }) {
					continue
				}
				b.Edges, beyond = append(b.Edges, e), append(beyond, e.From+e.To-beyond[k])
			}
		}
		for _, f := range all.Filters {
			if slices.Contains(beyond, f.Node) {
				b.Filters = append(b.Filters, f)
			}
		}
		tells := func(n int) bool { return !pat.Nodes[n].Variable && slices.Contains(named, pat.Nodes[n].Entities[0]) }
		if slices.ContainsFunc(beyond, tells) || len(named) == 0 && pat.Nodes[far].Within != nil {
			st := schema.Forward(first.Fixed[0])
			if first.From == far {
				st = st.Back()
			}
			types := r.voc.Schema().Types(st.To())
			isWhole = len(named) == 0 || len(types) == 0 || slices.ContainsFunc(kind.Types, func(t kg.TypeID) bool { return types[t] >= 1 })
			pat.Branches = append(pat.Branches, b)
			got.pat = pat
			return true, isWhole
		}
	}
	return false, false
}

// either reads "or" between two names, two verbs or two clauses.
func (r *reader) either(ctx context.Context, p *phrase) (*part, error) {
	i := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "or") && !r.voc.IsOfBound(p.Question.Words, i) })
	if i < 1 || i+1 >= p.len() {
		return nil, nil
	}
	word := p.word(i).Text
	if k := slices.IndexFunc(upTo(0, i), func(j int) bool { return p.says(j, "either") }); k >= 0 {
		return r.either(ctx, r.without(p, k, k+1))
	}
	if p.is(0, auxiliary) || p.is(i-1, questions) && p.is(i+1, questions) {
		return nil, nil // "is it a man or a woman", "who or what": no alternatives of the graph
	}
	first, second := p.alternatives(i)
	if compared, other := r.comparedEither(p, i); compared != nil {
		first, second = compared, other
	} else if first == nil {
		first, second = p.predicates(i)
	}
	if first == nil {
		return nil, refuse(word, "it is unclear what it joins.")
	}
	a, err := r.read(ctx, r.valueNouns(r.cut(p, first...)), word)
	if err != nil {
		return nil, err
	}
	before, after := p.lastName(0, i), p.skip(i+1)
	b := p.inPlaceOf(a, before, after)
	if p.nameAt(before) != i || b == nil || p.otherPreposition(i+1, before) > 0 {
		if b, err = r.read(ctx, r.valueNouns(r.cut(p, second...)), word); err != nil {
			return nil, err
		}
	}
	if !a.isPlainList() || !b.isPlainList() {
		return nil, refuse(word, "what it joins are not lists.")
	}
	return r.eitherOf(word, a, b)
}

// eitherOf is what either of two parts asks for, which a word joins.
func (r *reader) eitherOf(word string, a, b *part) (*part, error) {
	asked, other := a.pat.Nodes[a.pat.Asked], b.pat.Nodes[b.pat.Asked]
	if asked.Type == "" && other.Type != "" { // "are closed or deeper than 200 m": one noun stands for both
		asked, other = other, asked
	}
	if other.Type != "" && other.Type != asked.Type {
		return nil, refuse(word, "its two sides ask for different types of entities.")
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{asked}, Task: a.pat.Task, Reuse: a.pat.Reuse}, text: a.text + " or " + b.text}
	for k, one := range []*part{a, b} {
		x := graft(got.pat, one.pat, one.pat.Asked, 0)
		if len(x.Edges) == 0 || len(x.Branches) > 0 {
			return nil, refuse(word, "one side of it has its own operator.")
		}
		got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: pattern.OneOf + pattern.BranchKind(k), Edges: x.Edges, Filters: x.Filters})
		got.doubted(one)
	}
	return got, nil
}

// comparedEither returns the two questions that an "or" at word i joins by two bounds of one value:
// "drilled before 1990 or after 2015".
func (r *reader) comparedEither(p *phrase, i int) (first, second []piece) {
	isBound := func(k int) bool {
		_, ok := r.voc.BoundAt(p.Question.Words, k)
		return ok
	}
	if !isBound(i + 1) {
		return nil, nil
	}
	for k := i - 1; k > 0 && !p.isName(k); k-- {
		if isBound(k) {
			return []piece{span(0, i)}, []piece{span(0, k), span(i+1, p.len())}
		}
	}
	return nil, nil
}

var possessives = lexicon.Words("possessives")

// predicates returns the two questions that an "or" at word i joins by what they say of their
// subject: "are closed or deeper than 200 m", "were closed or were never used".
func (p *phrase) predicates(i int) (first, second []piece) {
	says := slices.IndexFunc(upTo(0, i), func(k int) bool { return k > 0 && p.is(k, copulas) })
	if says < 0 || says == i-1 || possessives[p.word(i+1).Lower] || strings.HasSuffix(p.word(i-1).Lower, "ly") { // "directly or through others"
		return nil, nil
	}
	if p.is(i+1, copulas) {
		return []piece{span(0, i)}, []piece{span(0, says), span(i+1, p.len())}
	}
	return []piece{span(0, i)}, []piece{span(0, says+1), span(i+1, p.len())}
}

// alternatives returns the two questions that an "or" at word i joins.
func (p *phrase) alternatives(i int) (first, second []piece) {
	after := p.skip(i + 1)
	end := p.nameAt(after)
	before := p.lastName(0, i)
	if p.isYear(i-1) && p.isYear(after) { // in 1898 or 1899
		start := i - 1
		if after > i+1 {
			after = i + 1
			for start > 0 && !p.says(start, p.word(after).Lower) {
				start--
			}
		}
		return []piece{span(0, i), span(p.skip(i+1)+1, p.len())}, []piece{span(0, start), span(after, p.len())}
	}
	switch {
	case p.is(i-2, copulas) && i+2 == p.len() && (!p.isName(i-1) || !p.isName(i+1)): // "are tankers or ferries"
		return []piece{span(0, i)}, []piece{span(0, i-1), span(i+1, i+2)}
	case end > 0 && before >= 0 && p.nameAt(before) == i: // A or B
		start := before
		if at := i + 1; at < after && !p.says(at, "the") { // by A or by B
			if start = p.otherPreposition(at, before); start == 0 {
				for start = before; start > 0 && !p.says(start, p.word(at).Lower); start-- {
				}
			}
			after = at
		}
		return []piece{span(0, i), span(end, p.len())}, []piece{span(0, start), span(after, p.len())}
	case before >= 0 && p.hasName(i, p.len()): // clauses
		return []piece{span(0, i)}, []piece{span(0, p.headEnd(before)), span(i+1, p.len())}
	case p.hasName(i, p.len()) && p.word(i-1).IsCue() && p.word(after).IsCue(): // wrote or directed X
		return []piece{span(0, i), span(after+1, p.len())}, []piece{span(0, i-1), span(after, p.len())}
	}
	return nil, nil
}

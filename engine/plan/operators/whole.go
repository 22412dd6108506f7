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

// Operators about a whole question: connections, descriptions, comparisons of two
// things, closures, and two questions in one.

var (
	secondWords = lexicon.Words("second questions")
	pronouns    = lexicon.Words("pronouns")
	describes   = lexicon.Phrases("describe")
	compares    = lexicon.Phrases("compare")
	connects    = lexicon.Words("connect")
	goes        = lexicon.Words("goes")
	ofPaths     = lexicon.Words("of connections")
	vias        = lexicon.Phrases("via")
	avoids      = lexicon.Phrases("avoiding")
	withins     = lexicon.Phrases("steps")
	hops        = lexicon.Words("hops")
	indirect    = lexicon.Phrases("indirectly")
	ultimate    = lexicon.Phrases("ultimately")
	requests    = lexicon.Words("give me")
)

// twoQuestions refuses a text that asks two things, which one answer would answer by
// half: "Who directed Jaws and when was it released?"
func (r *reader) twoQuestions(_ context.Context, p *phrase) (*part, error) {
	if !p.is(0, questions) {
		return nil, nil
	}
	for i := 2; i+2 < p.len(); i++ {
		if !p.says(i, "and") {
			continue
		}
		if p.says(i+1, "also") {
			i++
		}
		much := i + 1
		if p.is(much, prepositions) {
			much++
		}
		isMuch := p.says(much, "how much") && much+2 == p.len() // "and for how much"
		if !isMuch && !p.is(i+1, secondWords) {
			continue
		}
		refers := slices.ContainsFunc(upTo(i+2, p.len()), func(j int) bool { return p.is(j, pronouns) })
		if isMuch || refers || p.word(i+1).Lower != "who" && p.is(i+2, auxiliary) {
			return nil, &refusal{fmt.Sprintf("These are two questions in one; ask %s and %s separately.",
				wording.Quote(p.text(0, i)), wording.Quote(p.text(i+1, p.len())))}
		}
	}
	return nil, nil
}

// names returns where the names of words [from, to) begin.
func (p *phrase) names(from, to int) (at []int) {
	for i := from; i < to; i++ {
		if p.nameAt(i) > 0 {
			at = append(at, i)
		}
	}
	return at
}

// onlyNames is a part that names things and says nothing of them.
func (p *phrase) onlyNames(task pattern.Task, at []int) (*part, []string) {
	got := &part{pat: &pattern.Pattern{Task: task}}
	var names []string
	for _, i := range at {
		n := p.known(i)
		got.pat.Nodes = append(got.pat.Nodes, n)
		names = append(names, p.Vocabulary.Graph().Label(n.Entities[0]))
	}
	p.doubtNames(got, at...)
	return got, names
}

// others reports whether words outside names are all of some sets, or stop words.
func (p *phrase) others(skip map[int]bool, sets ...map[string]bool) bool {
	return !slices.ContainsFunc(upTo(0, p.len()), func(i int) bool {
		w := p.word(i)
		return w.Mention < 0 && !skip[i] && w.Lower != lexicon.Possessive && !slices.ContainsFunc(sets, func(s map[string]bool) bool { return s[w.Lower] })
	})
}

// covers marks the words of phrases.
func covers(at map[int]bool, from, n int) {
	for i := from; i < from+n; i++ {
		at[i] = true
	}
}

// contrasted reads what two things have in common and what not.
func (r *reader) contrasted(_ context.Context, p *phrase) (*part, error) {
	at, n := p.find(compares)
	names := p.names(0, p.len())
	if at < 0 || len(names) != 2 {
		return nil, nil
	}
	used := map[int]bool{}
	covers(used, at, n)
	if !p.others(used, asking, fillers, ofPaths) {
		return nil, nil
	}
	got, labels := p.onlyNames(pattern.Contrast, names)
	got.text = "what " + strings.Join(labels, " and ") + " have in common, and what not"
	return got, nil
}

// connected reads the paths that join two things.
func (r *reader) connected(_ context.Context, p *phrase) (*part, error) {
	names := p.names(0, p.len())
	whither := slices.ContainsFunc(names, func(i int) bool { return p.says(p.beforeThe(i-1), "to") })
	at := slices.IndexFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, connects) || whither && p.is(i, goes) })
	if len(names) < 2 || at < 0 {
		return nil, nil
	}
	c := &pattern.Connection{}
	used := map[int]bool{}
	var ends, via, avoid []int
	for k, i := range names {
		before := 0
		if k > 0 {
			before = p.nameAt(names[k-1])
		}
		to := &ends
		for j := before; j < i && to == &ends; j++ {
			if n := p.match(j, avoids); n > 0 {
				to = &avoid
				covers(used, j, n)
			} else if n := p.match(j, vias); n > 0 {
				to = &via
				covers(used, j, n)
			}
		}
		if to == &ends && len(ends) == 2 && len(via)+len(avoid) > 0 && p.says(i-1, "and", "or") { // via A and B
			to = &via
			if len(avoid) > 0 {
				to = &avoid
			}
		}
		*to = append(*to, i)
	}
	for i := range p.len() {
		n := p.match(i, withins)
		if k := p.match(i+1, atMost); k > 0 && p.is(i, prepositions) { // "of at most two hops"
			n = 1 + k
		}
		if k, ok := p.number(i + n); ok && n > 0 && p.is(i+n+1, hops) {
			c.Within = k
			covers(used, i, n+2)
		}
	}
	if k, ok := p.number(at - 2); ok && p.says(at-1, "shortest") {
		c.K = k
		covers(used, at-2, 2)
	}
	if len(ends) != 2 || !p.others(used, connects, goes, ofPaths, fillers) {
		return nil, nil
	}
	got, labels := p.onlyNames(pattern.Connect, slices.Concat(ends, via, avoid))
	got.text = "the paths between " + labels[0] + " and " + labels[1]
	if c.Within > 0 {
		got.text += fmt.Sprintf(" of at most %d steps", c.Within)
	}
	for i := range via {
		c.Via = append(c.Via, 2+i)
		got.text += " through " + labels[2+i]
	}
	for i := range avoid {
		c.Avoid = append(c.Avoid, 2+len(via)+i)
		got.text += " avoiding " + labels[2+len(via)+i]
	}
	if c.Within > 0 || c.K > 0 || len(c.Via)+len(c.Avoid) > 0 {
		got.pat.Connection = c
	}
	return got, nil
}

// mostSteps is how many steps away things are looked for.
const mostSteps = 4

// near reads "What is within two steps of X?" and "Which films are connected to X within 3 steps?":
// what so many triples lead to, whatever their relations are.
func (r *reader) near(_ context.Context, p *phrase) (*part, error) {
	names := p.names(0, p.len())
	if len(names) != 1 || !p.is(0, asking) {
		return nil, nil
	}
	used, steps := map[int]bool{}, 0
	for i := range p.len() {
		n := p.match(i, withins)
		if k := p.match(i, atMost); k > 0 {
			n = k
		}
		if k, ok := p.number(i + n); ok && n > 0 && p.is(i+n+1, hops) {
			steps = k
			covers(used, i, n+2)
		}
	}
	if steps < 1 {
		return nil, nil
	}
	if steps > mostSteps {
		return nil, refuse(p.text(0, p.len()), fmt.Sprintf("more than %d steps lead to nearly everything.", mostSteps))
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{{Text: "?thing", Variable: true}}, Reuse: pattern.ReuseVariables}, text: "anything"}
	if head := p.noun(0, names[0]); head >= 0 && !used[head] {
		var err error
		if got, err = r.root(p, head, p.word(head).Text); err != nil {
			return nil, err
		}
		used[head] = true
	}
	if !p.others(used, connects, ofPaths, fillers, asking, map[string]bool{"away": true, "things": true, "many": true}) {
		return nil, nil
	}
	to := addNode(got.pat, p.known(names[0]))
	for k := range steps {
		b := pattern.Branch{Kind: pattern.OrElse}
		if k == 0 {
			b.Kind = pattern.OneOf
		}
		from := to
		for range k {
			next := addNode(got.pat, pattern.Node{Text: "?between", Variable: true})
			b.Edges = append(b.Edges, pattern.Edge{From: from, To: next})
			from = next
		}
		b.Edges = append(b.Edges, pattern.Edge{From: from, To: 0})
		got.pat.Branches = append(got.pat.Branches, b)
	}
	if steps == 1 { // an either of one
		got.pat.Edges, got.pat.Branches = got.pat.Branches[0].Edges, nil
	}
	got.text += fmt.Sprintf(", at most %d steps from %s", steps, r.voc.Graph().Label(p.entitiesOf(names[0])[0]))
	p.doubtNames(got, names[0])
	p.counted(got)
	return got, nil
}

// described reads what the graph says of a thing.
func (r *reader) described(ctx context.Context, p *phrase) (*part, error) {
	first := 0
	for (p.is(first, requests) || p.says(first, "some", "any")) && p.match(first, describes) == 0 {
		first++
	}
	n := p.match(first, describes)
	asked := p.is(0, questions) && p.word(1%p.len()).Stop && p.len() > 2 && p.says(1, "is", "are", "was", "were") && p.says(0, "who", "what")
	switch {
	case n > 0:
		first += n
	case asked && p.says(0, "who") && p.says(2, "a", "an"), asked && p.nameAt(2) == p.len() && r.isQuality(p, 2):
		return nil, nil // "who is a smith", "who is Scottish" asks for those who are
	case asked:
		first = 2
	default:
		return nil, nil
	}
	for p.is(first, map[string]bool{"the": true, "a": true, "an": true}) {
		first++
	}
	if end := p.nameAt(first + 1); end > 0 && p.word(first).IsNamedKind() && !p.isName(first) {
		first++ // "the film Jaws"
	}
	if end := p.nameAt(first); end > 0 && end == p.len() {
		got, labels := p.onlyNames(pattern.Describe, []int{first})
		got.text = "what the graph says of " + labels[0]
		if rel, ok := r.onlyRelation(got.pat.Nodes[0].Entities[0]); ok && p.says(first-1, "the") && p.says(0, "who") { // "the Deputy Head" is who has that post
			got.pat.Task, got.pat.Reuse = pattern.Find, pattern.ReuseVariables
			more, who := r.extend(got.pat, 0, schema.Forward(rel).Back(), nil, "who")
			add(got.pat, more)
			got.pat.Asked, got.text = who, labels[0]+" "+r.voc.Arrow(schema.Forward(rel).Back())
		}
		return got, nil
	}
	if n == 0 || first >= p.len() {
		return nil, nil
	}
	got, err := r.read(ctx, r.cut(p, text("What is the"), span(first, p.len())), p.text(first-n, first))
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil || got.doubt != plan.Sure || !got.isPlainList() {
		return nil, nil //nolint:nilerr // the core tells what it does not understand
	}
	got.pat = copied(got.pat)
	got.pat.Task = pattern.Describe
	got.text = "what the graph says of: " + got.text
	return got, nil
}

// onlyRelation returns the one relation by which the graph tells of an entity, of which it says nothing and
// which is no person there.
func (r *reader) onlyRelation(e kg.EntityID) (rel kg.RelationID, ok bool) {
	g := r.voc.Graph()
	in := g.In(e)
	if len(in) == 0 || len(g.Out(e)) > 0 {
		return 0, false
	}
	rel = in[0].Relation
	others := slices.ContainsFunc(in, func(x kg.Edge) bool { return x.Relation != rel })
	return rel, !others && !r.voc.IsAnswer(schema.Forward(rel).To(), lexicon.Person)
}

// isQuality reports whether the name at word at is what things are like, and no thing: a value by
// which the graph says a trait, or a value that is an adjective.
func (r *reader) isQuality(p *phrase, at int) bool {
	g, lex := r.voc.Graph(), r.voc.Lexicon()
	isAdjective := len(lex.NamesOf(p.word(at).Lower)) > 0
	return !slices.ContainsFunc(p.entitiesOf(at), func(e kg.EntityID) bool {
		return len(g.Out(e)) > 0 || len(g.In(e)) == 0 || !isAdjective && slices.ContainsFunc(g.In(e), func(x kg.Edge) bool {
			return !lex.IsTrait(lexicon.RelationWords(g.RelationName(x.Relation)))
		})
	})
}

// closed reads relations that are followed over several triples: indirectly, ultimate,
// and all before the noun of a relation.
func (r *reader) closed(ctx context.Context, p *phrase) (*part, error) {
	at, n := p.find(indirect)
	last := false
	if at < 0 {
		at, n = p.find(ultimate)
		last = at >= 0
	}
	strong := at >= 0
	for i := 0; at < 0 && i+1 < p.len(); i++ {
		if next := p.roleAt(i + 1); p.says(i, "all") && next >= 0 {
			at, n = i, 1
		}
	}
	if at < 0 {
		return nil, nil
	}
	rest := r.without(p, at, at+n)
	got, err := r.read(ctx, rest, p.text(at, at+n))
	if err != nil {
		if !strong {
			return nil, nil // "all" is no operator then
		}
		return nil, err
	}
	goesOn := func(e pattern.Edge) bool {
		return len(e.Fixed) > 0 && (strong || r.isNamedBy(p, at+n, &e)) && r.isHierarchy(e.Fixed[0])
	}
	if i := slices.IndexFunc(got.others, func(o plan.Reading) bool { return slices.ContainsFunc(o.Pattern.Edges, goesOn) }); i >= 0 && strong && !slices.ContainsFunc(got.pat.Edges, goesOn) {
		got.pat, got.text = got.others[i].Pattern, got.others[i].Text // the one that can be meant
		got.unsure(plan.Unsure, "Another relation matches the words better, but is not transitive.")
	}
	pat := copied(got.pat)
	asked := -1
	for i := range pat.Edges {
		e := &pat.Edges[i]
		if e.Closure = goesOn(*e); e.Closure && (e.From == pat.Asked || e.To == pat.Asked) {
			asked = i
		}
	}
	if !slices.ContainsFunc(pat.Edges, func(e pattern.Edge) bool { return e.Closure }) {
		if !strong {
			return nil, nil
		}
		return nil, refuse(p.text(at, at+n), "no relation of the reading can be followed step by step without running in a circle.")
	}
	if last {
		if asked < 0 {
			return nil, refuse(p.text(at, at+n), "it is unclear what the end is.")
		}
		e := pat.Edges[asked]
		beyond := addNode(pat, pattern.Node{Text: "?beyond", Variable: true})
		e.Closure = false
		if e.From == pat.Asked {
			e.From, e.To = beyond, e.From
		} else {
			e.From, e.To = e.To, beyond
		}
		pat.Branches = append(pat.Branches, pattern.Branch{Kind: pattern.Without, Edges: []pattern.Edge{e}})
	}
	got.pat = pat
	got.text += ", directly or indirectly"
	if last {
		got.text += ", to the end"
	}
	return got, nil
}

// isNamedBy reports whether the next noun from word i on names the relation of an edge.
func (r *reader) isNamedBy(p *phrase, i int, e *pattern.Edge) bool {
	i = p.roleAt(i)
	return i >= 0 && slices.ContainsFunc(e.Fixed, func(rel kg.RelationID) bool {
		st := r.voc.Schema().Canonical(schema.Forward(rel))
		return p.word(i).Weight[st] >= words.StrongCue || p.word(i).Weight[r.voc.Schema().Back(st)] >= words.StrongCue
	})
}

// roleAt returns the word that asks for a relation by the next noun from word i on: "of"
// in "parts of", "subclasses"; -1 where that noun names none.
func (p *phrase) roleAt(i int) int {
	i = p.skip(i)
	phrase := false
	for i < p.len() && p.word(i).Silent {
		i, phrase = i+1, true
	}
	if i >= p.len() || p.isName(i) || !phrase && (len(p.word(i).Names) == 0 || p.word(i).ByMeaning || p.word(i).IsNamedKind()) {
		return -1
	}
	return i
}

const (
	// hierarchyEdges is how many triples of a relation are looked at for cycles.
	hierarchyEdges = 1_000_000
	// functional is the share of things with one end only that a hierarchy has upwards.
	functional = 0.6
)

// isHierarchy reports whether a relation goes on from thing to thing and never round,
// mostly with one way up: its head and tail are in part the same things.
func (r *reader) isHierarchy(rel kg.RelationID) bool {
	s := r.voc.Schema()
	st := schema.Forward(rel)
	if s.IsSymmetric(rel) || s.Shared(st.From(), st.To()) == 0 {
		return false
	}
	g := s.Graph()
	state := make(map[kg.EntityID]bool) // entered; true when left
	single, singleTail, edges := 0, 0, 0
	heads, tails := g.Heads(rel), g.Tails(rel)
	for _, e := range heads {
		n := len(g.OutBy(e, rel))
		if n == 1 {
			single++
		}
		if edges += n; edges > hierarchyEdges || !leaves(g, rel, e, state) {
			return false
		}
	}
	for _, e := range tails {
		if len(g.InBy(e, rel)) == 1 {
			singleTail++
		}
	}
	return float64(single) >= functional*float64(len(heads)) || float64(singleTail) >= functional*float64(len(tails))
}

// leaves walks all that a relation leads to from e and reports whether it never comes
// back.
func leaves(g *kg.Graph, rel kg.RelationID, e kg.EntityID, state map[kg.EntityID]bool) bool {
	type frame struct {
		e    kg.EntityID
		next int
	}
	if _, seen := state[e]; seen {
		return true
	}
	state[e] = false
	stack := []frame{{e: e}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		out := g.OutBy(top.e, rel)
		if top.next == len(out) {
			state[top.e] = true
			stack = stack[:len(stack)-1]
			continue
		}
		to := out[top.next].Entity
		top.next++
		left, seen := state[to]
		switch {
		case seen && !left:
			return false
		case !seen:
			state[to] = false
			stack = append(stack, frame{e: to})
		}
	}
	return true
}

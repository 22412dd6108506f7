package grammar

import (
	"cmp"
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// way is one reading of the words up to next.
type way struct {
	node  *Node  // of a noun phrase
	edges []Edge // of a verb phrase: on its subject, or on what its gap stands for
	next  int
	cost  float64
	// plural is 1 where the head is plural, -1 where it is not.
	plural int
	// open says that the head is a noun with nothing behind it.
	open bool
}

// phrase is a kind of phrase at a place.
type phrase struct{ kind, at int }

const (
	nounPhrase = iota
	verbPhrase
	modifierPhrase = verbPhrase + 2 // and one less or more by number, and three more where a name may follow
)

// parser holds the words and what was read of them.
type parser struct {
	toks []token
	memo map[phrase][]way
}

func (p *parser) reset(toks []token) { p.toks, p.memo = toks, map[phrase][]way{} }

// What readings cost: the dearer, the less usual.
const (
	attach    = 0.05 // a modifier
	reduced   = 0.2  // a clause without "that"
	fragment  = 1.0  // no verb where there might be one
	joinNouns = 0.3
	bare      = 0.15 // one thing without an article
	outer     = 0.1  // what might belong to the nearer noun
)

// remember reads a phrase once.
func (p *parser) remember(kind, i int, read func(i int) []way) []way {
	at := phrase{kind, i}
	if ws, ok := p.memo[at]; ok {
		return ws
	}
	p.memo[at] = nil // a phrase is no part of itself
	ws := prune(read(i))
	p.memo[at] = ws
	return ws
}

// prune keeps the cheapest ways to each end.
func prune(ws []way) []way {
	slices.SortStableFunc(ws, func(a, b way) int { return cmp.Compare(a.cost, b.cost) })
	var out []way
	count := map[int]int{}
	for _, w := range ws {
		if count[w.next]++; count[w.next] <= 3 && w.cost < impossible {
			out = append(out, w)
		}
	}
	return out
}

func (n *Node) with(edges ...Edge) *Node {
	m := *n
	m.Edges = append(slices.Clone(n.Edges), edges...)
	return &m
}

func newNode() *Node { return &Node{Name: -1} }

// nominal reads adjectives and nouns: the node has their words as its kind.
func (p *parser) nominal(i int) []way {
	for p.is(i, determiners) {
		i++
	}
	same := p.word(i, "same")
	if same {
		i++
	}
	var out []way
	n := newNode()
	start := i
	if p.isSuperlative(i) || p.word(i, "most", "least") && p.nounCost(i+1) < impossible {
		to := i + 1
		if p.word(i, "most", "least") {
			to++
		}
		w, at := p.join(i, to)
		n = n.with(Edge{Word: w, Compare: "^", At: at})
		i, start = to, to
	}
	cost := 0.0
	if start > 0 && len(n.Edges) > 0 {
		out = append(out, way{node: n, next: start, cost: 0.3, plural: -1})
	}
	for ; i < len(p.toks) && i-start < 5; i++ {
		c := p.nounCost(i)
		if c >= impossible {
			break
		}
		cost += c
		m := *n
		m.Kind, m.KindAt = p.join(start, i+1)
		w := way{node: &m, next: i + 1, cost: cost + 0.02*float64(i-start), plural: -1, open: true}
		if p.isPlural(i) {
			w.plural = 1
		}
		if same {
			w.node = m.with(Edge{Compare: "same"})
		}
		out = append(out, w)
	}
	return out
}

func (p *parser) isPlural(i int) bool { return lexicon.IsPlural(p.toks[i].lower) }

// np reads a noun phrase with all that belongs to it.
func (p *parser) np(i int) []way { return p.remember(nounPhrase, i, p.readNP) }

func (p *parser) readNP(i int) []way {
	var out []way
	j := i
	for p.is(j, determiners) || p.word(j, "both", "neither", "either") {
		j++
	}
	switch {
	case j >= len(p.toks):
		return nil
	case p.isName(j):
		n := newNode()
		n.Name = p.toks[j].name
		out = p.possessed(way{node: n, next: j + 1})
		if c := p.participleCost(j + 1); c < impossible && !p.is(j+2, determiners) { // "X directed films"
			for _, k := range p.nominal(j + 2) {
				if by := (Edge{Word: p.toks[j+1].stem, Back: true, To: n, At: []int{p.toks[j+1].at}}); k.node.Kind != "" {
					out = append(out, p.modified(way{node: k.node.with(by), next: k.next, cost: c + k.cost, plural: k.plural})...)
				}
			}
		}
	case p.toks[j].value:
		out = append(out, way{node: &Node{Name: -1, Value: true}, next: j + 1})
		for q := j + 1; q < len(p.toks) && p.nounCost(q) < impossible && q < j+3; q++ {
			out = append(out, way{node: &Node{Name: -1, Value: true, Kind: p.toks[q].stem}, next: q + 1, cost: 0.1})
		}
	case p.word(j, "what") && j > 0:
		for _, v := range p.vp(j+1, -1) {
			out = append(out, way{node: newNode().with(v.edges...), next: v.next, cost: v.cost})
		}
		for _, s := range p.np(j + 1) {
			for _, g := range p.gap(s.next, s) {
				out = append(out, way{node: newNode().with(g.edges...), next: g.next, cost: s.cost + g.cost})
			}
		}
	}
	for _, w := range p.nominal(i) {
		if w.plural < 0 && !p.is(i, determiners) {
			w.cost += bare
		}
		out = append(out, p.possessed(way{node: w.node, next: w.next, cost: w.cost, plural: w.plural, open: w.open})...)
	}
	return p.joined(prune(out))
}

// possessed reads what follows a head: a possessive, "of", a name that it stands before,
// and modifiers.
func (p *parser) possessed(w way) []way {
	out := []way{}
	if p.word(w.next, lexicon.Possessive) {
		owners := []way{w}
		for _, o := range owners {
			for _, n := range p.nominal(o.next + 1) {
				if n.node.Kind == "" {
					continue
				}
				of := way{node: p.relational(n, o.node), next: n.next, cost: o.cost + n.cost, plural: n.plural}
				out = append(out, p.possessed(of)...)
			}
		}
		return out
	}
	if w.open && p.word(w.next, "of") {
		for _, o := range p.np(w.next + 1) {
			rel := way{node: p.relational(w, o.node), next: o.next, cost: w.cost + o.cost, plural: w.plural}
			out = append(out, costing(p.modified(rel), outer)...)
			out = append(out, rel)
		}
		// "the place of birth of X" is one noun.
		if n := w.next + 1; p.nounCost(n) < impossible && (!p.isPlural(n) || p.word(w.next-1, "number")) && p.toks[n].stem != p.toks[w.next-1].stem {
			m := *w.node
			m.Kind += "_" + p.toks[n].stem
			m.KindAt = append(slices.Clone(m.KindAt), p.toks[n].at)
			out = append(out, p.possessed(way{node: &m, next: n + 1, cost: w.cost, plural: w.plural, open: true})...)
		}
	}
	if w.open && p.is(w.next, determiners) { // an "of" left out
		for _, o := range p.np(w.next) {
			if o.node.Name < 0 {
				out = append(out, way{node: p.relational(w, o.node), next: o.next, cost: w.cost + o.cost + 0.8, plural: w.plural})
			}
		}
	}
	if w.node.Name >= 0 && p.is(w.next-2, determiners) { // "the X director"
		for _, n := range p.nominal(w.next) {
			if n.node.Kind != "" {
				out = append(out, p.modified(way{node: p.relational(n, w.node), next: n.next, cost: w.cost + n.cost + 0.3, plural: n.plural})...)
			}
		}
	}
	if w.open && p.isName(w.next) && len(w.node.Edges) == 0 { // "the film X
		n := newNode()
		n.Name = p.toks[w.next].name
		c := w.cost + 0.1
		if w.plural > 0 {
			c += 0.3
		}
		out = append(out, p.possessed(way{node: n, next: w.next + 1, cost: c, plural: -1})...)
	}
	return append(out, p.modified(w)...)
}

// relational is what a noun names of another thing: the capital of it.
func (p *parser) relational(n way, of *Node) *Node {
	out := &Node{Name: -1}
	e := Edge{Word: n.node.Kind, Noun: true, To: of, At: n.node.KindAt}
	for _, was := range n.node.Edges {
		if was.Compare == "same" {
			e.Compare = "same"
		} else {
			out.Edges = append(out.Edges, was)
		}
	}
	out.Edges = append(out.Edges, e)
	return out
}

func hasWord(joined, stem string) bool { return slices.Contains(strings.Split(joined, "_"), stem) }

// joined reads "and" and "or" between noun phrases.
func (p *parser) joined(ws []way) []way {
	out := slices.Clone(ws)
	for _, w := range ws {
		at := w.next
		or := p.word(at, "or")
		if !or && !p.word(at, "and") || w.node.Name < 0 && !w.node.Value && len(w.node.Edges) == 0 {
			continue
		}
		for _, o := range p.np(at + 1) {
			if (o.node.Name >= 0) != (w.node.Name >= 0) || o.node.Value {
				continue
			}
			n := *w.node
			n.More, n.Or = append(slices.Clone(n.More), o.node), or
			cost := w.cost + o.cost
			if n.Name < 0 {
				cost += joinNouns
			}
			out = append(out, way{node: &n, next: o.next, cost: cost, plural: 1})
		}
	}
	return prune(out)
}

// modified reads what narrows a thing down, three times at most: clauses, participles,
// prepositions.
func (p *parser) modified(w way) []way {
	out := []way{w}
	if w.node.Name >= 0 || w.next >= len(p.toks) {
		return out
	}
	for level, more := out, 3; more > 0; more-- {
		var next []way
		for _, w := range level {
			kind := modifierPhrase + w.plural
			if w.open {
				kind += 3
			}
			for _, m := range p.remember(kind, w.next, func(i int) []way { return p.modifiers(i, w.plural, w.open) }) {
				c := w.cost + m.cost + attach
				if n := len(w.node.Edges); n > 0 && isCommon(w.node.Edges[n-1].To) {
					c += outer
				}
				next = append(next, way{node: w.node.with(m.edges...), next: m.next, cost: c, plural: w.plural})
			}
		}
		level = prune(next)
		out = append(out, level...)
	}
	return prune(out)
}

// modifiers reads one thing that narrows down what stands before it.
func (p *parser) modifiers(i, plural int, open bool) []way {
	var mods []way
	switch {
	case p.word(i, "whose"):
		for _, n := range p.nominal(i + 1) {
			for _, v := range p.whose(n, n.next) {
				mods = append(mods, way{edges: v.edges, next: v.next, cost: n.cost + v.cost})
			}
		}
	case p.word(i, "that", "which", "who", "whom"):
		mods = append(mods, p.vp(i+1, plural)...)
		for _, s := range p.np(i + 1) {
			mods = append(mods, costing(p.gap(s.next, s), s.cost)...)
		}
	case p.word(i, "where", "when"):
		for _, s := range p.np(i + 1) {
			mods = append(mods, costing(p.gap(s.next, s), s.cost)...)
		}
	case p.is(i, prepositions) && p.word(i+1, "which", "whom"):
		for _, s := range p.np(i + 2) {
			for _, g := range p.gap(s.next, s) {
				mods = append(mods, way{edges: p.fronted(g.edges, i), next: g.next, cost: g.cost + s.cost})
			}
		}
	default:
		mods = append(mods, p.prep(i)...)
		if p.word(i, "without") {
			for _, o := range p.np(i + 1) {
				mods = append(mods, way{edges: []Edge{{Word: "with", Not: true, To: o.node, At: []int{p.toks[i].at}}}, next: o.next, cost: o.cost})
			}
		}
		mods = append(mods, costing(p.passive(i), reduced/2)...)
		if i < len(p.toks) && p.toks[i].name < 0 && len(p.toks[i].lower) > 4 && lexicon.Gerund(lexicon.Base(p.toks[i].lower)) != "" && strings.HasSuffix(p.toks[i].lower, "ing") {
			mods = append(mods, costing(p.verb(i, 0), reduced/2)...)
		}
		if p.nounCost(i) < impossible && i+1 < len(p.toks) && p.adjectival(i) {
			mods = append(mods, costing(p.adjective(i), reduced)...)
		}
		if open || plural != 0 {
			for _, s := range p.np(i) {
				if s.node.Value {
					continue
				}
				c := reduced
				if s.node.Name < 0 && !p.is(i, determiners) {
					c += 0.5
				}
				mods = append(mods, costing(p.gap(s.next, s), s.cost+c)...)
			}
		}
	}
	return mods
}

// isCommon reports whether a node is a thing without a name: it may have modifiers of its own.
func isCommon(n *Node) bool { return n != nil && n.Name < 0 && !n.Value }

func costing(ws []way, more float64) []way {
	out := slices.Clone(ws)
	for i := range out {
		out[i].cost += more
	}
	return out
}

// whose reads the rest of "whose N …": what is said of the N of the thing.
func (p *parser) whose(n way, i int) []way {
	noun := func(to *Node) Edge {
		e := p.relational(n, to).Edges
		last := e[len(e)-1]
		last.Back = true
		return last
	}
	var out []way
	if p.is(i, be) {
		for _, o := range p.np(i + 1) {
			out = append(out, way{edges: []Edge{noun(o.node)}, next: o.next, cost: o.cost})
		}
	}
	for _, v := range p.vp(i, n.plural) {
		out = append(out, way{edges: []Edge{noun(newNode().with(v.edges...))}, next: v.next, cost: v.cost + 0.1})
	}
	return out
}

// prep reads a preposition with its phrase, as a modifier.
func (p *parser) prep(i int) []way {
	if !p.is(i, prepositions) && !p.is(i, compared) || p.word(i, "of", "as", "than") {
		return nil
	}
	var out []way
	if p.word(i, "with", "having") {
		for _, h := range p.having(i) {
			if c := h.edges[0].Compare; c != "" {
				out = append(out, h)
			}
		}
	}
	for _, o := range p.np(i + 1) {
		c := o.cost
		if p.is(i, compared) {
			c += reduced
		}
		out = append(out, way{edges: []Edge{p.prepEdge(i, o.node)}, next: o.next, cost: c})
	}
	return out
}

func (p *parser) prepEdge(i int, to *Node) Edge {
	e := Edge{Word: p.toks[i].stem, To: to, At: []int{p.toks[i].at}}
	if to.Value {
		e.Compare = more[p.toks[i].lower]
	}
	return e
}

// passive reads a participle with what follows it: "directed by X", "born in Y".
func (p *parser) passive(i int) []way {
	if c := p.participleCost(i); c >= impossible {
		return nil
	}
	var out []way
	if p.word(i+1, "by") {
		w, at := p.join(i, i+1)
		for _, o := range p.np(i + 2) {
			v := way{edges: []Edge{{Word: w, Back: true, To: o.node, At: at}}, next: o.next, cost: o.cost}
			out = append(out, v)
			out = append(out, p.more(v, i)...)
		}
	}
	out = append(out, p.complement(i, 0, true)...)
	return out
}

// adjectival reports whether a word may be an adjective before a preposition: "similar to".
func (p *parser) adjectival(i int) bool {
	return p.is(i+1, prepositions) && !p.word(i+1, "of", "by") || p.word(i, "older", "younger", "higher", "taller", "larger", "longer", "smaller", "more", "less", "fewer") && p.word(i+1, "than")
}

// adjective reads "official in X" and "older than 30".
func (p *parser) adjective(i int) []way {
	if p.nounCost(i) >= impossible {
		return nil
	}
	if p.word(i+1, "than") {
		w, at := p.join(i, i+1)
		var out []way
		for _, o := range p.np(i + 2) {
			e := Edge{Word: w, To: o.node, At: at}
			if o.node.Value {
				e.Compare = ">"
			}
			out = append(out, way{edges: []Edge{e}, next: o.next, cost: o.cost})
		}
		return out
	}
	if !p.adjectival(i) {
		return nil
	}
	return p.complement(i, 0, true)
}

// complement reads the words of a verb, an adjective or a participle from i on with a
// preposition and its phrase, or with an object, and what follows.
func (p *parser) complement(i int, cost float64, prepOnly bool) []way {
	var out []way
	add := func(e Edge, o way) {
		v := way{edges: []Edge{e}, next: o.next, cost: o.cost + cost}
		out = append(out, v)
		out = append(out, p.more(v, i)...)
	}
	doer := p.word(i+1, "by") && p.participleCost(i) < impossible
	if !doer && (p.is(i+1, prepositions) || p.is(i+1, compared)) {
		w, at := p.join(i, i+2)
		for _, o := range p.np(i + 2) {
			e := Edge{Word: w, To: o.node, At: at}
			if o.node.Value && more[p.toks[i+1].lower] != "" {
				e.Word, e.Compare = p.toks[i].stem, more[p.toks[i+1].lower]
			}
			add(e, o)
		}
	}
	if prepOnly {
		return out
	}
	w, at := p.join(i, i+1)
	if p.word(i+1, "more", "less", "fewer") && p.word(i+2, "than") {
		for _, o := range p.np(i + 3) {
			if o.node.Value {
				c := map[bool]string{true: ">", false: "<"}[p.word(i+1, "more")]
				add(Edge{Word: w, To: o.node, Compare: c, At: at}, o)
			}
		}
	}
	for _, o := range p.np(i + 1) {
		add(Edge{Word: w, To: o.node, At: at}, o)
	}
	if p.isSuperlative(i + 1) {
		out = append(out, way{edges: []Edge{{Word: w + " ^" + p.toks[i+1].stem, At: at}}, next: i + 2, cost: cost})
	}
	out = append(out, way{edges: []Edge{{Word: w, At: at}}, next: i + 1, cost: cost + 0.4})
	return out
}

// more reads the other prepositions of a verb: "to Oslo" of "fly from Vienna to Oslo".
func (p *parser) more(v way, verb int) []way {
	var out []way
	for _, m := range p.prep(v.next) {
		e := m.edges[0]
		if first := v.edges[0]; !first.Back && len(v.edges) == 1 && hasWord(first.Word, p.toks[verb].stem) && first.Word != p.toks[verb].stem && e.To != nil && !e.To.Value {
			e.Word = p.toks[verb].stem + "_" + e.Word
		}
		w := way{edges: append(slices.Clone(v.edges), e), next: m.next, cost: v.cost + m.cost + attach}
		if isCommon(v.edges[0].To) {
			w.cost += outer
		}
		out = append(out, w)
	}
	return out
}

// vp reads a verb phrase: its edges are those of its subject.
func (p *parser) vp(i, plural int) []way {
	return p.remember(verbPhrase+1+plural, i, func(i int) []way { return p.readVP(i, plural) })
}

func (p *parser) readVP(i, plural int) []way {
	not := false
	j := i
	if p.is(j, modals) && !p.is(j+1, determiners) {
		j++
		plural = 0
	}
	if p.is(j, have) && (p.participleCost(j+1) < impossible || p.is(j+1, be)) {
		j++
	}
	for p.word(j, "not", "never", "neither", "nor", "t", "both") {
		not = not || !p.word(j, "both")
		j++
	}
	var out []way
	switch {
	case p.is(j, be):
		for p.is(j, be) {
			j++
		}
		for p.word(j, "not", "never", "both") {
			not = not || !p.word(j, "both")
			j++
		}
		out = p.predicate(j)
	case p.is(j, have):
		out = p.having(j)
	default:
		out = p.verb(j, p.verbCost(j, plural))
	}
	for k := range out {
		out[k].edges = negated(out[k].edges, not)
	}
	both := slices.Clone(out)
	for _, v := range out {
		k := v.next
		if !p.is(k, conjunctions) {
			continue
		}
		for _, w := range p.vp(k+1, plural) {
			e := negated(w.edges, p.word(k, "nor"))
			both = append(both, way{edges: append(slices.Clone(v.edges), e...), next: w.next, cost: v.cost + w.cost + attach})
		}
		for _, o := range p.np(k + 2) { // "but not X"
			if last := len(v.edges) - 1; p.word(k, "but", "and") && p.word(k+1, "not") && o.node.Name >= 0 {
				e := v.edges[last]
				e.Not, e.To = true, o.node
				both = append(both, way{edges: append(slices.Clone(v.edges), e), next: o.next, cost: v.cost})
			}
		}
	}
	return both
}

func negated(edges []Edge, not bool) []Edge {
	out := slices.Clone(edges)
	for i := range out {
		out[i].Not = out[i].Not != not
	}
	return out
}

// verb reads a verb in any form at i with what it takes.
func (p *parser) verb(i int, cost float64) []way {
	if cost >= impossible || p.nounCost(i) >= impossible {
		return nil
	}
	out := p.complement(i, cost, false)
	if p.word(i, "share", "shares", "shared", "sharing") { // "shares a director with X"
		for _, n := range p.nominal(i + 1) {
			if p.word(n.next, "with") {
				for _, o := range p.np(n.next + 1) {
					e := p.relational(n, o.node).Edges
					if !lexicon.IsTouching(e[len(e)-1].Word) {
						e[len(e)-1].Compare = "same"
					}
					out = append(out, way{edges: e, next: o.next, cost: n.cost + o.cost - 0.1})
				}
			}
		}
	}
	return out
}

// predicate reads what follows "is": "directed by X", "in Y", "the capital of Z",
// "official in W", "flowing through V".
func (p *parser) predicate(i int) []way {
	out := p.passive(i)
	if p.participleCost(i) < impossible {
		w, at := p.join(i, i+1)
		if p.isSuperlative(i + 1) {
			out = append(out, way{edges: []Edge{{Word: w + " ^" + p.toks[i+1].stem, At: at}}, next: i + 2})
		}
		out = append(out, way{edges: []Edge{{Word: w, At: at}}, next: i + 1, cost: 0.4})
	}
	out = append(out, p.prep(i)...)
	if i < len(p.toks) && p.toks[i].name < 0 && strings.HasSuffix(p.toks[i].lower, "ing") {
		out = append(out, p.verb(i, 0.1)...)
	}
	if p.nounCost(i) < impossible {
		out = append(out, costing(p.adjective(i), 0.1)...)
	}
	for _, n := range p.np(i) {
		if n.node.Name < 0 && !n.node.Value && len(n.node.Edges) > 0 {
			out = append(out, way{edges: n.node.Edges, next: n.next, cost: n.cost + 0.1})
		}
	}
	return out
}

// having reads what follows "has": "Nairobi as its capital", "the same director as X",
// "a half-life above 20", "the most runways".
func (p *parser) having(i int) []way {
	var out []way
	for _, o := range p.np(i + 1) {
		if !p.word(o.next, "as") {
			continue
		}
		for _, n := range p.nominal(o.next + 1) {
			e := p.relational(n, o.node).Edges
			e[len(e)-1].Back = true
			out = append(out, way{edges: e, next: n.next, cost: o.cost + n.cost})
		}
	}
	j := i + 1
	if p.word(j, "more", "less", "fewer") && p.word(j+1, "than") {
		compare := map[bool]string{true: ">", false: "<"}[p.word(j, "more")]
		j += 2
		if j+1 < len(p.toks) && p.toks[j].value {
			for _, n := range p.nominal(j + 1) {
				w, at := n.node.Kind, []int{p.toks[j+1].at}
				out = append(out, way{edges: []Edge{{Word: w, Compare: compare, To: &Node{Name: -1, Value: true}, At: at}}, next: n.next, cost: n.cost})
			}
		}
		return out
	}
	for _, n := range p.nominal(i + 1) {
		same := len(n.node.Edges) > 0 && n.node.Edges[0].Compare == "same"
		switch {
		case same && p.word(n.next, "as", "of", "with"):
			for _, o := range p.np(n.next + 1) {
				out = append(out, way{edges: p.relational(n, o.node).Edges, next: o.next, cost: n.cost + o.cost})
			}
		case len(n.node.Edges) > 0 && n.node.Edges[0].Compare == "^":
			e := n.node.Edges[0]
			if n.node.Kind != "" {
				e.Word += "_" + n.node.Kind
			}
			out = append(out, way{edges: []Edge{e}, next: n.next, cost: n.cost})
		case p.isName(n.next) && n.node.Kind != "": // "has the capital Austin"
			o := &Node{Name: p.toks[n.next].name}
			e := p.relational(n, o).Edges
			e[len(e)-1].Back = true
			out = append(out, way{edges: e, next: n.next + 1, cost: n.cost})
		}
		at := n.next
		comp := ""
		switch {
		case p.word(at, "of") && p.word(at+1, "more", "less") && p.word(at+2, "than"):
			comp = map[bool]string{true: ">", false: "<"}[p.word(at+1, "more")]
			at += 3
		case p.is(at, prepositions) && more[p.toks[at].lower] != "":
			comp = more[p.toks[at].lower]
			at++
		}
		if comp != "" {
			for _, o := range p.np(at) {
				if o.node.Value {
					_, w := p.join(n.next-1, n.next)
					out = append(out, way{edges: []Edge{{Word: n.node.Kind, Compare: comp, To: o.node, At: w}}, next: o.next, cost: n.cost + o.cost})
				}
			}
		}
	}
	for _, o := range p.np(i + 1) {
		w, at := p.join(i, i+1)
		out = append(out, way{edges: []Edge{{Word: w, To: o.node, At: at}}, next: o.next, cost: o.cost + 0.3})
	}
	return out
}

// gap reads what follows a subject where the object is missing, as in "the film that X
// directed": the edges are those of what is missing.
func (p *parser) gap(i int, subject way) []way {
	s := subject.node
	not := false
	j := i
	if p.is(j, modals) {
		j++
	}
	if p.is(j, have) && (p.participleCost(j+1) < impossible) {
		j++
	}
	for p.word(j, "not", "never", "t") {
		not, j = true, j+1
	}
	var out []way
	passive := p.is(j, be)
	for p.is(j, be) {
		j++
	}
	c := p.verbCost(j, subject.plural)
	if passive || j > i || s.Name >= 0 {
		c = min(c, p.nounCost(j)/2)
	}
	if passive {
		c = min(p.participleCost(j), c+0.3)
		// "X is the capital of", "X is in"
		for _, n := range p.nominal(j) {
			if p.word(n.next, "of") {
				e := p.relational(n, s).Edges
				e[len(e)-1].Back = true
				out = append(out, way{edges: e, next: n.next + 1, cost: n.cost})
			}
		}
		if p.is(j, prepositions) {
			e := p.prepEdge(j, s)
			e.Back = true
			out = append(out, way{edges: []Edge{e}, next: j + 1, cost: 0.2})
		}
	}
	if c < impossible && p.nounCost(j) < impossible {
		for to := j + 1; to <= j+2 && to <= len(p.toks); to++ {
			if to == j+2 && (!p.is(j+1, prepositions) || p.word(j+1, "of") && p.isName(j+2)) {
				break
			}
			w, at := p.join(j, to)
			e := Edge{Word: w, Back: true, To: s, At: at}
			if passive && to == j+2 && p.word(j+1, "by") {
				e.Word, e.Back = p.toks[j].stem, false
			}
			v := way{edges: []Edge{e}, next: to, cost: c}
			out = append(out, v)
			for _, m := range p.prep(to) {
				if passive && p.word(to, "by") {
					continue
				}
				out = append(out, way{edges: append(slices.Clone(v.edges), m.edges...), next: m.next, cost: c + m.cost + attach})
			}
			if p.isSuperlative(to) {
				out = append(out, way{edges: append(slices.Clone(v.edges), Edge{Word: p.toks[to].stem, Compare: "^", At: []int{p.toks[to].at}}), next: to + 1, cost: c})
			}
		}
	}
	for k := range out {
		out[k].edges = negated(out[k].edges, not)
	}
	return prune(out)
}

// fronted puts a preposition that stands before "which" behind the verb.
func (p *parser) fronted(edges []Edge, prep int) []Edge {
	out := slices.Clone(edges)
	e := &out[0]
	switch {
	case p.word(prep, "by"):
		e.Back = false
	case p.word(prep, "of"):
		e.Noun = true
	case e.Word == "is":
		e.Word = p.toks[prep].stem
	case !e.Noun && (len(e.Word) <= 3 || !hasWord(e.Word, p.toks[prep].stem)):
		e.Word += "_" + p.toks[prep].stem
	}
	return out
}

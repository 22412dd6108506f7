package grammar

import (
	"cmp"
	"slices"
)

// asked reads the phrase that asks, "which films by X", at i; the node says how.
func (p *parser) asked(i int) []way {
	if !p.is(i, questions) {
		return nil
	}
	node := func(asked string) *Node { return &Node{Name: -1, Asked: asked} }
	switch w := p.toks[i].lower; w {
	case "who", "whom", "where", "when", "why":
		if w == "whom" {
			w = "who"
		}
		return []way{{node: node(w), next: i + 1}}
	case "whose":
		return []way{{node: node("who"), next: i + 1}}
	case "how":
		switch {
		case p.word(i+1, "many"):
			return p.kinds(i+2, "#")
		case p.word(i+1, "much"):
			return []way{{node: node("~"), next: i + 2}}
		case p.nounCost(i+1) < impossible && p.is(i+2, be):
			n := node("~")
			n.Kind = p.toks[i+1].stem
			return []way{{node: n, next: i + 2}}
		}
		return []way{{node: node("how"), next: i + 1}}
	}
	out := p.kinds(i+1, "")
	return append(out, way{node: node("what"), next: i + 1})
}

// kinds reads the noun of a question word, with what narrows it down.
func (p *parser) kinds(i int, asked string) []way {
	var out []way
	for _, n := range p.nominal(i) {
		if n.node.Kind == "" {
			continue
		}
		node := *n.node
		node.Asked = asked
		n.node = &node
		out = append(out, p.modified(n)...)
		if p.word(n.next, "of") { // "which member of X"
			for _, o := range p.np(n.next + 1) {
				of := node.with(Edge{Word: node.Kind, Noun: true, To: o.node, At: node.KindAt})
				out = append(out, p.modified(way{node: of, next: o.next, cost: n.cost + o.cost, plural: n.plural})...)
			}
		}
	}
	return prune(out)
}

// question reads the whole.
func (p *parser) question() []way {
	start, front := 0, -1
	if p.is(0, requests) && len(p.toks) > 1 && p.nounCost(1) < impossible || p.is(0, requests) && p.is(1, determiners) || p.is(0, requests) && p.is(1, questions) {
		start = 1
	}
	count := p.word(0, "count") && start == 1
	if p.is(start, prepositions) && p.is(start+1, questions) {
		front, start = start, start+1
	}
	var out []way
	for _, w := range p.asked(start) {
		out = append(out, p.clause(w, front)...)
	}
	if front < 0 {
		out = append(out, p.yesNo(start)...)
		out = append(out, p.titles(start, count)...)
		out = append(out, p.inSitu(start)...)
	}
	return out
}

// clause reads what follows the phrase that asks.
func (p *parser) clause(w way, front int) []way {
	var out []way
	ask := func(edges []Edge, next int, cost float64) {
		out = append(out, way{node: w.node.with(edges...), next: next, cost: w.cost + cost})
	}
	i := w.next
	measure := w.node.Asked == "~"
	if front < 0 && !measure {
		plural := w.plural
		if w.node.Asked != "" && w.node.Asked != "#" {
			plural = 0
		}
		for _, v := range p.vp(i, plural) {
			c := v.cost
			if w.node.Asked == "what" && !p.is(i, be) && !p.is(i, have) && !p.is(i, modals) {
				c += 0.35 // "what rivers run": a noun, rather
			}
			if w.node.Asked == "where" || w.node.Asked == "when" {
				c += 1
			}
			ask(v.edges, v.next, c)
		}
		// "which rivers in X?"
		ask(nil, i, fragment+0.2)
	}
	if front < 0 && !measure { // "tell me where X was born"
		for _, s := range p.np(i) {
			for _, g := range p.gap(s.next, s) {
				c := s.cost + g.cost + reduced
				if isCommon(s.node) && !p.is(i, determiners) {
					c += fragment
				}
				ask(g.edges, g.next, c)
			}
		}
	}
	aux := p.is(i, modals) || p.is(i, have) || p.is(i, be)
	if !aux {
		return out
	}
	isBe := p.is(i, be)
	not := p.word(i+1, "not", "t")
	j := i + 1
	if not {
		j++
	}
	for _, s := range p.np(j) {
		var ways []way
		switch {
		case isBe:
			ways = p.beGap(s, w, j)
		case p.is(i, have):
			ways = p.gap(s.next, s)
			if p.participleCost(s.next) >= impossible { // "which symptoms has X"
				ways = nil
				if w.node.Kind != "" {
					agrees := fragment
					if p.word(i, "has") == (w.plural > 0) {
						agrees = 0
					}
					ways = []way{{edges: []Edge{{Word: w.node.Kind, Noun: true, To: s.node, At: w.node.KindAt}}, next: s.next, cost: agrees}}
				}
			}
		default:
			s.plural = 1 // "does X work": the verb is in base form
			ways = p.gap(s.next, s)
			if p.is(s.next, have) && w.node.Kind != "" { // "which effects does X have"
				e := Edge{Word: w.node.Kind, Noun: true, To: s.node, At: w.node.KindAt}
				n := *w.node
				n.Edges = append([]Edge{e}, n.Edges...)
				n.Asked = cmp.Or(n.Asked, "what")
				out = append(out, way{node: &n, next: s.next + 1, cost: w.cost + s.cost})
				continue
			}
		}
		for _, g := range ways {
			edges := negated(g.edges, not)
			if g.node != nil && front >= 0 {
				continue
			}
			if g.node != nil { // the phrase itself is asked
				n := *g.node
				n.Asked = w.node.Asked
				if n.Asked == "~" {
					out = append(out, way{node: &n, next: g.next, cost: w.cost + s.cost + g.cost})
					continue
				}
				if n.Kind != "" && n.Asked != "~" {
					n.Asked = ""
				}
				n.Edges = append(n.Edges, w.node.Edges...)
				out = append(out, way{node: &n, next: g.next, cost: w.cost + s.cost + g.cost})
				continue
			}
			if front >= 0 {
				edges = p.fronted(edges, front)
			}
			ask(edges, g.next, s.cost+g.cost)
		}
	}
	return out
}

// beGap reads what follows "WH is N": nothing, a participle, a preposition, "a part of".
func (p *parser) beGap(s, w way, from int) []way {
	end := s.next
	out := p.gapOf(s)
	n := s.node
	whole := n.Name < 0 && (len(n.Edges) > 0 || n.Kind != "")
	switch asked := w.node.Asked; {
	case asked == "~":
		e := Edge{Word: w.node.Kind, Noun: true, To: n, At: []int{p.toks[w.next-1].at}}
		v := way{edges: []Edge{e}, next: end}
		out = []way{v}
		for _, m := range p.prep(end) {
			out = append(out, way{edges: append(slices.Clone(v.edges), m.edges...), next: m.next, cost: m.cost})
		}
		bare := *w.node
		bare.Kind = ""
		for k := range out {
			out[k].node = bare.with(out[k].edges...)
		}
	case whole && (asked == "what" || asked == "who"):
		out = append(out, way{node: n, next: end})
	case whole && w.node.Kind != "" && len(n.Edges) > 0 && n.Kind == "" && n.Edges[len(n.Edges)-1].Noun && p.is(from, determiners):
		m := *n // "which city is the capital of X"
		m.Edges = append(slices.Clone(n.Edges), w.node.Edges...)
		m.Kind = w.node.Kind
		which := 0.2
		if p.word(0, "which") {
			which = 0
		}
		out = append(out, way{node: &m, next: end, cost: which}, way{edges: []Edge{{Word: "is", Back: true, To: n}}, next: end, cost: 0.2 - which})
	default:
		out = append(out, way{edges: []Edge{{Word: "is", Back: true, To: n}}, next: end, cost: 0.1})
	}
	return out
}

// gapOf reads the gap after a subject that "is" stands before.
func (p *parser) gapOf(s way) []way {
	var out []way
	i := s.next
	if p.participleCost(i) < impossible || p.nounCost(i) < impossible || p.is(i, prepositions) || p.is(i, determiners) {
		q := *p
		q.toks = slices.Insert(slices.Clone(p.toks), i, token{lower: "is", stem: "be", name: -1, stop: true, at: -1})
		q.memo = map[phrase][]way{}
		for _, g := range q.gap(i, s) {
			g.next--
			out = append(out, g)
		}
	}
	return out
}

// yesNo reads "is X the capital of Y".
func (p *parser) yesNo(i int) []way {
	var out []way
	if !p.is(i, be) && !p.is(i, modals) && !p.is(i, have) {
		return nil
	}
	for _, s := range p.np(i + 1) {
		var ways []way
		if p.is(i, be) {
			ways = p.predicate(s.next)
		} else {
			ways = p.vp(s.next, 1)
		}
		for _, v := range ways {
			n := s.node.with(v.edges...)
			out = append(out, way{node: &Node{Name: -1, Asked: "yes", More: nil, Edges: []Edge{{To: n}}}, next: v.next, cost: s.cost + v.cost})
		}
	}
	return out
}

// titles reads questions without a verb: "films by X", "X capital", "capital of X".
func (p *parser) titles(i int, count bool) []way {
	var out []way
	asked := func(n *Node) *Node {
		m := *n
		if m.Kind == "" || m.Name >= 0 {
			m.Asked = "what"
		}
		if count {
			m.Asked = "#"
			if m.Kind == "" && len(m.Edges) > 0 {
				m.Kind = m.Edges[len(m.Edges)-1].Word
			}
		}
		return &m
	}
	for _, s := range p.np(i) {
		c := s.cost + fragment
		if s.node.Name >= 0 {
			c += 1
		}
		out = append(out, way{node: asked(s.node), next: s.next, cost: c})
		if s.node.Name >= 0 {
			for _, n := range p.nominal(s.next) { // "X capital"
				if n.node.Kind != "" {
					out = append(out, way{node: asked(p.relational(n, s.node)), next: n.next, cost: n.cost + s.cost + fragment})
				}
			}
		}
	}
	for _, n := range p.nominal(i) { // "capital X"
		if n.node.Kind != "" && p.isName(n.next) {
			o := &Node{Name: p.toks[n.next].name}
			out = append(out, way{node: asked(p.relational(n, o)), next: n.next + 1, cost: n.cost + fragment})
		}
	}
	return out
}

// inSitu reads a question word at the end: "X was born in which city".
func (p *parser) inSitu(i int) []way {
	var out []way
	for _, s := range p.np(i) {
		// "X, who directed it?"
		for _, g := range p.gap(s.next, s) {
			for _, w := range p.asked(g.next) {
				out = append(out, way{node: w.node.with(g.edges...), next: w.next, cost: s.cost + g.cost + w.cost})
			}
		}
	}
	return out
}

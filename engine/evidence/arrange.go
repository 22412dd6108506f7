package evidence

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Order is the order in which the triples of a subgraph are written.
type Order int

// The orders. The first two go outwards from the entities that the question names.
const (
	BreadthFirst Order = iota
	DepthFirst
	ByMatch // as the matches have them, the best match first
)

// Orders lists every order.
var Orders = []Order{BreadthFirst, DepthFirst, ByMatch}

// Arranging are the choices of Arrange (SG-RAG MOT: merging and ordering triplets); the
// zero value is the default. The paper's likeness, threshold and root are not public:
// these are ours.
type Arranging struct {
	// Threshold is how alike two subgraphs are at least that become one, in (0, 1].
	//
	// The default value is (n−1)/(n+1) for matches of n triples, those of the middle one:
	// it is what paths have in common that part at the last step. Of single triples
	// none is merged.
	Threshold float64
	Order     Order
}

// Subgraph is what matches that overlap hold together.
type Subgraph struct {
	Triples []kg.TripleID // distinct, in the order in which they are written
	Matches []int         // that were merged into it, ascending
}

// Merging says what merging saved. Redundant is 1 − Distinct/Triples, of the triples that
// stand in a text which writes each subgraph in full.
type Merging struct {
	Matches   int     `json:"matches"`   // with different triples
	Subgraphs int     `json:"subgraphs"` // that they were merged into
	Threshold float64 `json:"threshold"`
	// Before and After are the triples of all matches, and of all subgraphs, repeated
	// ones as often as they stand there; Distinct are those that differ.
	Before   int `json:"triples_before"`
	After    int `json:"triples_after"`
	Distinct int `json:"triples_distinct"`
	// Tokens are the costs of these.
	TokensBefore   int `json:"tokens_before"`
	TokensAfter    int `json:"tokens_after"`
	TokensDistinct int `json:"tokens_distinct"`
	// Unmerged counts the matches beyond the best that were looked at for merging.
	Unmerged int `json:"unmerged,omitempty"`
}

// Redundant returns the share of repeated triples before and after merging.
func (m Merging) Redundant() (before, after float64) {
	share := func(all int) float64 {
		if all == 0 {
			return 0
		}
		return 1 - float64(m.Distinct)/float64(all)
	}
	return share(m.Before), share(m.After)
}

// maxMerged is how many matches are looked at for merging: far more than any reader is
// shown.
const maxMerged = 400

// Arrange merges matches that overlap, best first, and orders what results: the best
// subgraphs first, which are those of the best matches, and their triples outwards from
// starts, unless o says otherwise. cost is how many tokens a triple takes; nil where nobody asks.
//
// Merging is agglomerative: the two most alike become one for as long as any two are
// alike enough; of equals those of the better matches go first.
func (o Arranging) Arrange(g *kg.Graph, starts []kg.EntityID, matches []Candidate, cost func(kg.TripleID) int) ([]Subgraph, Merging) {
	var parts []Subgraph
	seen := map[string]int{}
	for i, c := range matches {
		ts := c.Triples()
		if len(ts) == 0 {
			continue
		}
		key := keyOf(ts)
		if at, ok := seen[key]; ok {
			parts[at].Matches = append(parts[at].Matches, i)
			continue
		}
		seen[key] = len(parts)
		parts = append(parts, Subgraph{Triples: ts, Matches: []int{i}})
	}
	m := Merging{Matches: len(parts), Threshold: o.threshold(parts)}
	m.Before, m.TokensBefore = sizeOf(parts, cost)
	n := min(len(parts), maxMerged)
	m.Unmerged = len(parts) - n
	merged := slices.Concat(merge(parts[:n], m.Threshold), parts[n:])
	m.Subgraphs = len(merged)
	m.After, m.TokensAfter = sizeOf(merged, cost)
	all := Subgraph{}
	for _, s := range merged {
		all.Triples = append(all.Triples, s.Triples...)
	}
	all.Triples = kg.Distinct(all.Triples)
	m.Distinct, m.TokensDistinct = sizeOf([]Subgraph{all}, cost)
	for i := range merged {
		merged[i].Triples = o.order(g, starts, matches, merged[i])
	}
	return merged, m
}

// keyOf tells sets of triples apart.
func keyOf(ts []kg.TripleID) string {
	b := make([]byte, 0, 4*len(ts))
	for _, t := range ts {
		b = append(b, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	return string(b)
}

// sizeOf counts the triples of subgraphs and what they cost.
func sizeOf(parts []Subgraph, cost func(kg.TripleID) int) (triples, tokens int) {
	for _, s := range parts {
		triples += len(s.Triples)
		for _, t := range s.Triples {
			if cost != nil {
				tokens += cost(t)
			}
		}
	}
	return triples, tokens
}

// threshold is how alike subgraphs must be.
func (o Arranging) threshold(parts []Subgraph) float64 {
	if o.Threshold > 0 || len(parts) == 0 {
		return o.Threshold
	}
	sizes := wording.Each(parts, func(s Subgraph) int { return len(s.Triples) })
	slices.Sort(sizes)
	n := float64(sizes[len(sizes)/2])
	return (n - 1) / (n + 1)
}

// alike returns what two sets of triples share, of all that either has (Jaccard); both
// ascend.
func alike(a, b []kg.TripleID) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// merge joins the two that are most alike for as long as two are alike enough.
func merge(parts []Subgraph, threshold float64) []Subgraph {
	parts = slices.Clone(parts)
	like := make([][]float64, len(parts)) // like[i][j] for j < i
	for i := range parts {
		like[i] = make([]float64, i)
		for j := range i {
			like[i][j] = alike(parts[i].Triples, parts[j].Triples)
		}
	}
	const slack = 1e-9 // sevenths are no binary fractions
	for {
		a, b, best := 0, 0, 0.0
		for i, row := range like {
			for j, x := range row {
				if x > best {
					a, b, best = j, i, x
				}
			}
		}
		if best == 0 || best < threshold-slack {
			break
		}
		parts[a] = joined(parts[a], parts[b])
		parts, like = slices.Delete(parts, b, b+1), slices.Delete(like, b, b+1)
		for i := b; i < len(like); i++ {
			like[i] = slices.Delete(like[i], b, b+1)
		}
		for i := range parts {
			if i != a {
				like[max(i, a)][min(i, a)] = alike(parts[i].Triples, parts[a].Triples)
			}
		}
	}
	return parts
}

// joined is the union of two subgraphs.
func joined(a, b Subgraph) Subgraph {
	s := Subgraph{Triples: slices.Concat(a.Triples, b.Triples), Matches: slices.Concat(a.Matches, b.Matches)}
	slices.Sort(s.Triples)
	slices.Sort(s.Matches)
	s.Triples = slices.Compact(s.Triples)
	return s
}

// order returns the triples of a subgraph in the order in which they are written.
func (o Arranging) order(g *kg.Graph, starts []kg.EntityID, matches []Candidate, s Subgraph) []kg.TripleID {
	own := wording.Each(s.Matches, func(m int) Candidate { return matches[m] })
	pack, _ := NewPack(own, 0)
	ts := pack.Triples // as the matches have them
	if o.Order == ByMatch {
		return ts
	}
	w := walk{g: g, left: ts, at: map[kg.EntityID][]kg.TripleID{}, done: make(map[kg.TripleID]bool, len(ts)), deep: o.Order == DepthFirst}
	for _, t := range ts {
		x := g.Triple(t)
		w.at[x.Head] = append(w.at[x.Head], t)
		if x.Tail != x.Head {
			w.at[x.Tail] = append(w.at[x.Tail], t)
		}
	}
	for _, ts := range w.at {
		slices.SortStableFunc(ts, w.siblings)
	}
	return w.outwards(starts)
}

// walk goes through triples from entity to entity.
type walk struct {
	g    *kg.Graph
	left []kg.TripleID
	at   map[kg.EntityID][]kg.TripleID // those of an entity
	done map[kg.TripleID]bool
	deep bool
	out  []kg.TripleID
}

// siblings sorts the triples of one entity: by relation, then by what they say of it.
func (w *walk) siblings(a, b kg.TripleID) int {
	x, y := w.g.Triple(a), w.g.Triple(b)
	return cmp.Or(cmp.Compare(x.Relation, y.Relation), cmp.Compare(x.Tail, y.Tail), cmp.Compare(x.Head, y.Head), cmp.Compare(a, b))
}

// outwards begins at the starts that are there. What hangs together with none of them
// follows, from the entity that has most of it.
func (w *walk) outwards(starts []kg.EntityID) []kg.TripleID {
	for _, e := range starts {
		w.from(e)
	}
	for len(w.out) < len(w.left) {
		best, most := kg.NoEntity, 0
		for _, t := range w.left {
			if w.done[t] {
				continue
			}
			for _, e := range []kg.EntityID{w.g.Triple(t).Head, w.g.Triple(t).Tail} {
				if n := len(w.at[e]); n > most {
					best, most = e, n
				}
			}
		}
		w.from(best)
	}
	return w.out
}

// from takes all that is joined to an entity.
func (w *walk) from(e kg.EntityID) {
	for next := []kg.EntityID{e}; len(next) > 0; {
		e := next[0]
		next = next[1:]
		var reached []kg.EntityID
		for _, t := range w.at[e] {
			if w.done[t] {
				continue
			}
			w.done[t] = true
			w.out = append(w.out, t)
			other := across(w.g, t, e)
			if w.deep { // all of what lies behind it before its sibling
				w.from(other)
			} else {
				reached = append(reached, other)
			}
		}
		next = append(next, reached...)
	}
}

// across returns the other end of a triple.
func across(g *kg.Graph, t kg.TripleID, e kg.EntityID) kg.EntityID {
	x := g.Triple(t)
	if x.Head == e {
		return x.Tail
	}
	return x.Head
}

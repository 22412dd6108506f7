package evidence

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// Writer writes a pack as text for a model to read, in one of the styles.
//
//	Tuples     T1 ("Austria", "capital", "Vienna")
//	Paths      Slovenia → borders [T3] → Austria → capital [T1], seat of government [T2] → Vienna
//	Sets       T1 Austria | capital | Vienna
//	Sentences  T1 The capital of Austria is Vienna.
//
// In every style each triple carries its number, so that a sentence can cite it,
// and its true direction: the papers' code writes paths with all arrows pointing
// away from the question's entity, whatever the graph says (GNN-RAG), and tuples
// in the direction in which they were met (SimGRAG). What a label holds cannot be
// taken for a number, an arrow or a divider.
type Writer struct {
	Graph *kg.Graph
	Pack  Pack
	// Quote makes a label or a relation's name fit to stand on one line of a
	// prompt, and bounds it.
	Quote func(string) string
	// Say words a triple as a sentence, for Sentences.
	Say func(kg.TripleID) string
	// Starts are the entities that the question names: paths begin at them, and
	// sets are written from them outwards. Ends are the answers: paths end there.
	Starts, Ends []kg.EntityID
	// Subgraphs are what Sets writes; nil for the matches of each Write, arranged by
	// default. Arranging many takes a while, and does not depend on what is shown.
	Subgraphs []Subgraph
}

// Write returns the lines for the triples with the given numbers, which is what
// there is room for. matches say which triples belong together, best first; in
// Sets and Ends they are arranged. No triple is written twice: its number stands for it.
func (w Writer) Write(s Style, shown []int, matches []Candidate) []string {
	p := page{Writer: w, numbers: make(map[kg.TripleID]int, len(shown))}
	shown = slices.Sorted(slices.Values(shown))
	for _, n := range shown {
		p.numbers[w.Pack.Triples[n-1]] = n
	}
	switch s {
	case Paths:
		p.paths(matches)
	case Sets, Ends:
		p.sets(s, matches)
	case Tuples, Sentences:
		for _, n := range shown {
			p.line(s, w.Pack.Triples[n-1])
		}
	}
	return p.lines
}

// page is a text in the making.
type page struct {
	Writer
	numbers map[kg.TripleID]int // of the triples that are shown
	done    map[kg.TripleID]bool
	lines   []string
}

// line writes one triple.
func (p *page) line(s Style, t kg.TripleID) {
	x, n := p.Graph.Triple(t), p.numbers[t]
	head, relation, tail := p.Graph.Label(x.Head), p.Graph.RelationText(x.Relation), p.Graph.Label(x.Tail)
	switch s {
	case Tuples:
		p.lines = append(p.lines, fmt.Sprintf("T%d (%q, %q, %q)", n, p.Quote(head), p.Quote(relation), p.Quote(tail)))
	case Sets, Ends:
		p.lines = append(p.lines, fmt.Sprintf("T%d %s | %s | %s", n, p.plain(head), p.plain(relation), p.plain(tail)))
	case Sentences:
		p.lines = append(p.lines, fmt.Sprintf("T%d %s", n, p.Say(t)))
	case Paths:
		p.lines = append(p.lines, p.path(x.Head, [][]kg.TripleID{{t}}))
	}
}

// marks are what has a meaning in the lines of Paths, Sets and Ends.
var marks = strings.NewReplacer("→", "->", "←", "<-", "|", "¦", "[T", "(T", "[t", "(t")

// plain is a label as it stands unquoted in a line.
func (p *page) plain(s string) string { return p.Quote(marks.Replace(s)) }

// triples are those of a match that are shown, in the order of its edges.
func (p *page) triples(c Candidate) []kg.TripleID {
	var ts []kg.TripleID
	for _, t := range c.Edges {
		if t != kg.NoTriple && p.numbers[t] > 0 && !slices.Contains(ts, t) {
			ts = append(ts, t)
		}
	}
	return ts
}

// rest lists the shown triples that no line has yet, by number.
func (p *page) rest() []kg.TripleID {
	var ts []kg.TripleID
	for t := range p.numbers {
		if !p.done[t] {
			ts = append(ts, t)
		}
	}
	slices.SortFunc(ts, func(a, b kg.TripleID) int { return p.numbers[a] - p.numbers[b] })
	return ts
}

// sets writes the triples of each subgraph in its order, each triple once: with the
// first that has it (SG-RAG: s|r|o, breadth first; GSR Table 4: without repetition).
// Subgraphs of one triple each need no headings.
func (p *page) sets(s Style, matches []Candidate) {
	p.done = map[kg.TripleID]bool{}
	subgraphs := p.Subgraphs
	if subgraphs == nil {
		subgraphs, _ = Arranging{}.Arrange(p.Graph, p.Starts, matches, nil)
	}
	var shown [][]kg.TripleID
	titled := false
	for _, sub := range subgraphs {
		ts := slices.DeleteFunc(slices.Clone(sub.Triples), func(t kg.TripleID) bool { return p.numbers[t] == 0 })
		titled = titled || len(ts) > 1
		ts = slices.DeleteFunc(ts, func(t kg.TripleID) bool { return p.done[t] })
		for _, t := range ts {
			p.done[t] = true
		}
		if len(ts) > 0 {
			shown = append(shown, ts)
		}
	}
	order := make([]int, 0, len(shown)+1) // of these, and of the rest
	for i := range len(shown) + 1 {
		order = append(order, i)
	}
	if s == Ends && len(shown) > 1 {
		order = append(slices.Delete(order, 1, 2), 1)
	}
	shown = append(shown, p.rest())
	for _, i := range order {
		switch {
		case !titled || len(shown[i]) == 0:
		case i < len(shown)-1:
			p.lines = append(p.lines, fmt.Sprintf("Match %d:", i+1))
		default:
			p.lines = append(p.lines, "Further triples:")
		}
		for _, t := range shown[i] {
			p.line(s, t)
		}
	}
}

func (p *page) touches(t kg.TripleID, e kg.EntityID) bool {
	x := p.Graph.Triple(t)
	return x.Head == e || x.Tail == e
}

// paths writes, for each match, the shortest path from each of the question's
// entities to each answer in it (GNN-RAG §4.3, GSR §4.4), and after it the
// triples that are on none of them, as paths of one step. A step has all relations
// that lead from the one entity to the other in that direction. No path is written
// twice; a claim, which has no answer, is written as the paths between its
// entities.
func (p *page) paths(matches []Candidate) {
	p.done = map[kg.TripleID]bool{}
	written := map[string]bool{}
	write := func(from kg.EntityID, steps [][]kg.TripleID) {
		line := p.path(from, steps)
		if written[line] {
			return
		}
		written[line] = true
		p.lines = append(p.lines, line)
		for _, step := range steps {
			for _, t := range step {
				p.done[t] = true
			}
		}
	}
	for _, c := range matches {
		ts := p.triples(c)
		ends := p.among(p.Ends, ts)
		starts := p.among(p.Starts, ts)
		if len(ends) == 0 && len(starts) > 1 {
			starts, ends = starts[:1], starts[1:]
		}
		for _, from := range starts {
			for _, to := range ends {
				if steps := p.shortest(ts, from, to); len(steps) > 0 {
					write(from, p.beside(ts, steps))
				}
			}
		}
		for _, t := range ts {
			if !p.done[t] {
				write(p.Graph.Triple(t).Head, [][]kg.TripleID{{t}})
			}
		}
	}
	for _, t := range p.rest() {
		write(p.Graph.Triple(t).Head, [][]kg.TripleID{{t}})
	}
}

// among keeps the entities that are an end of one of ts, each once.
func (p *page) among(es []kg.EntityID, ts []kg.TripleID) []kg.EntityID {
	var in []kg.EntityID
	for _, e := range es {
		if !slices.Contains(in, e) && slices.ContainsFunc(ts, func(t kg.TripleID) bool { return p.touches(t, e) }) {
			in = append(in, e)
		}
	}
	return in
}

// shortest returns the steps of the shortest path between two entities over ts
// in either direction, the first such in the order of ts; nil where there is
// none.
func (p *page) shortest(ts []kg.TripleID, from, to kg.EntityID) []kg.TripleID {
	if from == to {
		return nil
	}
	by := map[kg.EntityID]kg.TripleID{from: kg.NoTriple} // the step that first led to an entity
	for queue := []kg.EntityID{from}; len(queue) > 0; queue = queue[1:] {
		e := queue[0]
		if e == to {
			break
		}
		for _, t := range ts {
			if !p.touches(t, e) {
				continue
			}
			if next := across(p.Graph, t, e); !hasKey(by, next) {
				by[next] = t
				queue = append(queue, next)
			}
		}
	}
	if !hasKey(by, to) {
		return nil
	}
	var steps []kg.TripleID
	for e := to; e != from; e = across(p.Graph, by[e], e) {
		steps = append(steps, by[e])
	}
	slices.Reverse(steps)
	return steps
}

func hasKey(m map[kg.EntityID]kg.TripleID, e kg.EntityID) bool {
	_, ok := m[e]
	return ok
}

// beside joins to each step those of ts that lead from the same head to the same
// tail.
func (p *page) beside(ts, steps []kg.TripleID) [][]kg.TripleID {
	out := make([][]kg.TripleID, len(steps))
	for i, step := range steps {
		x := p.Graph.Triple(step)
		for _, t := range ts {
			if y := p.Graph.Triple(t); y.Head == x.Head && y.Tail == x.Tail {
				out[i] = append(out[i], t)
			}
		}
	}
	return out
}

// path writes steps from an entity on, each with its true direction.
func (p *page) path(from kg.EntityID, steps [][]kg.TripleID) string {
	var b strings.Builder
	b.WriteString(p.plain(p.Graph.Label(from)))
	for _, step := range steps {
		arrow := "→"
		if p.Graph.Triple(step[0]).Head != from {
			arrow = "←"
		}
		relations := make([]string, len(step))
		for i, t := range step {
			relations[i] = fmt.Sprintf("%s [T%d]", p.plain(p.Graph.RelationText(p.Graph.Triple(t).Relation)), p.numbers[t])
		}
		from = across(p.Graph, step[0], from)
		fmt.Fprintf(&b, " %s %s %s %s", arrow, strings.Join(relations, ", "), arrow, p.plain(p.Graph.Label(from)))
	}
	return b.String()
}

// Style is how evidence is written for a model to read.
type Style int

// The styles.
const (
	// Tuples are numbered tuples (head, relation, tail), the matches' in order
	// (SimGRAG, Tables 12 and 13).
	Tuples Style = iota
	// Paths are reasoning paths A → r → B → …, in true directions (GNN-RAG §4.3).
	Paths
	// Sets are triples h, r, t without repetition, grouped by match (GSR, Table 4;
	// SG-RAG's subject|relation|object).
	Sets
	// Sentences are triples as plain sentences.
	Sentences
	// Ends are Sets with the best match first and the second best last: what stands in the
	// middle is read the least (SG-RAG MOT).
	Ends
)

// Styles lists every style.
var Styles = []Style{Tuples, Paths, Sets, Sentences, Ends}

var styles = token.Names{"tuples", "paths", "sets", "sentences", "ends"}

// String returns the style's name.
func (s Style) String() string { return styles.Of(int(s)) }

// MarshalText writes the style's name.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a style's name; an empty one is Tuples.
func (s *Style) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Tuples
		return nil
	}
	return token.Read(styles, "style", text, s)
}

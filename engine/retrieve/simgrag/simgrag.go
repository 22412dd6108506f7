// Package simgrag finds the subgraphs of a knowledge graph that are most
// similar to a pattern (SimGRAG, Cai et al., "Leveraging Similar Subgraphs for
// Knowledge Graphs Driven Retrieval-Augmented Generation").
//
//	pattern ─compile─▶ candidates ─search─▶ matches ─collect─▶ evidence.Found
//	                   (§5.1)       (§5.2)   (§4.2, §4.3)
//
//	query      a pattern with the candidates of its nodes and relations
//	match      one binding of the pattern's nodes; the triples follow from it
//	distance   the graph semantic distance, Definition 2 and Equation (3)
//	bond       the pattern edges that join the same two nodes, matched together
//
// Letters: P the pattern, G the graph, u and w nodes of P, a and b entities of
// G, f the binding.
//
// Differs from the paper in:
//   - A match is a binding of nodes. Where several triples join two bound
//     entities, a pattern edge takes the nearest one (then the lowest id); the
//     paper's list would hold one subgraph for each.
//   - Pattern edges that join the same two nodes must take different triples,
//     unless any node may share an entity (pattern.ReuseAll).
//   - The lower bound counts a node once. Equation (9) sums over unmapped nodes,
//     which is right, but a recurrence over the ordered edges that adds the
//     minimum of every remaining edge's target counts the target of an edge
//     that closes a cycle twice, and then prunes matches that belong in the
//     result.
//   - Nodes are bound in an order chosen by how many neighbours there really
//     are, not in depth-first order; the result does not depend on it.
//   - Matches up to some distance are looked for first, dearer ones only where
//     those are too few; and the bound looks ahead: what it must cost to bind the
//     nodes that hang on one entity is found once for all partial matches that
//     have it.
//   - K counts matches with different sets of triples.
//   - A node of unknown name is limited to the entities of near types only where
//     the hint is near enough to a type of the graph (Options.TypeDistance), and
//     Found.Steps says which hints were followed.
//
// Distances are held as whole billionths while searching, so that sums do not
// depend on their order and equal distances are equal.
package simgrag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
)

// ErrPattern is returned when a pattern cannot be matched because it is
// malformed: an index out of range, no nodes, or too many of them.
var ErrPattern = errors.New("malformed pattern")

// ErrNoVocabulary is returned when a pattern names an entity or a relation by
// text only and there is nothing to look the text up in.
var ErrNoVocabulary = errors.New("the pattern has names that are not linked, and there is no vocabulary to look them up in")

// Vocabulary is what matching needs of label search.
type Vocabulary = retrieve.Names

// Algorithm is one of the paper's two retrieval algorithms. They find the same
// matches.
type Algorithm int

// The algorithms.
const (
	Optimised Algorithm = iota // §5.2: greedy order, pruning by a lower bound
	Plain                      // Algorithm 1: every match is enumerated
)

// String returns the algorithm's name.
func (a Algorithm) String() string {
	if a == Plain {
		return "plain"
	}
	return "optimised"
}

// Options are the choices of one search; the zero value is the default.
type Options struct {
	// K is how many matches with different triples to return.
	//
	// The default value is 3, the paper's k.
	K int
	// AllBest asks for every answer at the best distance as well, each with its first
	// match, for questions that list.
	AllBest bool
	// MaxBest is the most answers to return with their matches; it has no effect
	// without AllBest.
	//
	// The default value is 2000.
	MaxBest int
	// NodeCandidates is how many entities a node known by text alone may bind
	// to. It is k(n) in the paper.
	//
	// The default value is 16, the authors' for MetaQA; theirs for FactKG is
	// 16384.
	NodeCandidates int
	// RelationCandidates is how many relations an edge known by text alone may
	// have. It is k(r) in the paper.
	//
	// The default value is 16, the authors' for MetaQA; theirs for FactKG is 512.
	RelationCandidates int
	// TypeCandidates is how many types a type hint may mean. It is k(t) in the
	// paper.
	//
	// The default value is 16, the authors'.
	TypeCandidates int
	// TypeDistance is how far a type may be from a hint that restricts a
	// variable. A negative value turns type hints off.
	//
	// The default value is 0.6.
	TypeDistance float64
	// Algorithm is how to search.
	//
	// The default value is Optimised.
	Algorithm Algorithm
	// MaxWallTime is the soft deadline: what was found until then is returned
	// and marked as timed out. A negative value means none.
	//
	// The default value is 10s.
	MaxWallTime time.Duration
	// Budget is how many partial matches to look at; what was found until then
	// is returned and marked as cut. A negative value means no limit.
	//
	// The default value is 50,000,000.
	Budget int
	// MaxComponent is how many matches of one part of a disconnected pattern
	// are combined with those of the others.
	//
	// The default value is 20,000.
	MaxComponent int
}

// setDefaults fills the fields that are zero with their default values.
func (o *Options) setDefaults() {
	o.K = cmp.Or(o.K, 3)
	o.MaxBest = cmp.Or(o.MaxBest, 2000)
	o.NodeCandidates = cmp.Or(o.NodeCandidates, 16)
	o.RelationCandidates = cmp.Or(o.RelationCandidates, 16)
	o.TypeCandidates = cmp.Or(o.TypeCandidates, 16)
	o.TypeDistance = cmp.Or(o.TypeDistance, 0.6)
	o.MaxWallTime = cmp.Or(o.MaxWallTime, 10*time.Second)
	o.Budget = cmp.Or(o.Budget, 50_000_000)
	o.MaxComponent = cmp.Or(o.MaxComponent, 20_000)
}

// Search returns the matches of p in g with the smallest graph semantic
// distance (Equation (3)). v may be nil where every known node and every edge
// of p is linked already.
//
// Candidates are ordered by distance, then by the value that the pattern orders by,
// then by the entities bound, in the order of the pattern's nodes. Without AllBest
// they are the K best with different triples; with it, the first match of each
// answer at the best distance is here too, within the limit of MaxBest.
//
// Answers are the different entities that the asked node is bound to at the best
// distance, with the number of matches of each; filled with AllBest only. They are
// whole even where Candidates was cut by MaxBest.
//
// A cancelled ctx is an error; running out of time or budget is not: what was
// found is returned and Completeness says so.
func Search(ctx context.Context, g *kg.Graph, p *pattern.Pattern, v Vocabulary, o Options) (evidence.Found, error) {
	o.setDefaults()
	start := time.Now()
	q, err := compile(ctx, g, p, v, o)
	if err != nil {
		return evidence.Found{}, fmt.Errorf("match pattern: %w", err)
	}
	m := &meter{ctx: ctx, budget: o.Budget}
	if o.MaxWallTime > 0 {
		m.deadline = start.Add(o.MaxWallTime)
	}
	c := &collector{q: q, o: o, answers: map[kg.EntityID]*answer{}}
	if q.possible() {
		err = q.run(m, c, o)
	}
	if err != nil {
		return evidence.Found{}, fmt.Errorf("match pattern: %w", err)
	}
	r := c.result(m)
	r.Steps = append(q.notes, r.Steps...)
	r.Stats = evidence.Stats{
		Considered: m.considered, Pruned: m.pruned, Found: c.found, LookUp: q.lookedUp, Duration: time.Since(start),
	}
	return r, nil
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/questions"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// ErrNoStars is returned for a graph that has no bridge-stars to ask about.
var ErrNoStars = errors.New("the graph is too small for questions with several conditions")

// A Star is a question with several conditions, made from a bridge-star of a graph
// (SG-RAG, appendix G): its answer and a second entity, and what both are joined to,
// the bridges.
//
//	answer ── name, name, …          conditions that only the answer meets
//	   └───── bridge ───── second    named itself, or by the second ("the same … as")
type Star struct {
	Conditions int // of the question as it was made
	Legs       []questions.Leg
	Text       string
	Pattern    *pattern.Pattern
	// Answers meet every condition of the question as it was made, ascending. Edits
	// leave them as they are.
	Answers []kg.EntityID
	Edits   []Edit
	// Chance is the expected Hits@1 of naming one of those that meet the most
	// conditions, any of them: what conditions alone can tell. -1 where it takes
	// long to count.
	Chance float64
}

const (
	// starAnswers is how many answers a question has at most.
	starAnswers = 10
	// starBudget is how many entities and triples are looked at to find them.
	starBudget = 1_000_000
	// starTries is how many entities are tried for each question.
	starTries = 400
	// starNeighbours is how many neighbours of one relation are drawn from.
	starNeighbours = 128
	// slotSample is how many entities of each slot conditions are exchanged for.
	slotSample = 64
)

// starMaker makes stars out of one graph. The same seed makes the same.
type starMaker struct {
	g      *kg.Graph
	schema *schema.Schema
	words  *questions.Maker
	rng    *rand.Rand
	slots  [][]kg.EntityID // by slot: some entities that can be named
	starts []kg.EntityID   // those that can be named, that three triples or more are about
}

func newStarMaker(ctx context.Context, p questions.Planner, seed uint64) (*starMaker, error) {
	s := p.Schema()
	m := &starMaker{g: s.Graph(), schema: s, words: questions.NewMaker(p), rng: rand.New(rand.NewPCG(seed, seed)), slots: make([][]kg.EntityID, s.Slots())}
	seen := make([]int, s.Slots())
	for e := range kg.EntityID(m.g.Entities()) {
		if e%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !m.words.CanName(e) {
			continue
		}
		if !m.g.IsLiteral(e) && m.g.Degree(e) > 2 {
			m.starts = append(m.starts, e)
		}
		for _, at := range s.SlotsOf(e, nil) {
			seen[at]++
			if len(m.slots[at]) < slotSample {
				m.slots[at] = append(m.slots[at], e)
			} else if i := m.rng.IntN(seen[at]); i < slotSample {
				m.slots[at][i] = e
			}
		}
	}
	if len(m.starts) == 0 {
		return nil, fmt.Errorf("%w: of its %s none has a name and is in three triples", ErrNoStars, wording.Count(m.g.Entities(), "entity", "entities"))
	}
	return m, nil
}

// Stars makes n questions with so many conditions each. Every second names the second
// entity instead of a bridge. There are fewer where the graph has no more; it fails
// with ErrNoStars where it has none.
func (m *starMaker) Stars(ctx context.Context, conditions, n int) ([]Star, error) {
	var out []Star
	seen := map[string]bool{}
	for try := 0; len(out) < n && try < n*starTries; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, ok := m.star(ctx, conditions, len(out)%2 == 1)
		if ok && !seen[s.Text] {
			seen[s.Text] = true
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no entity is joined to %d others that can be named, one of them joined to a second such entity", ErrNoStars, conditions)
	}
	return out, nil
}

// star draws one question.
func (m *starMaker) star(ctx context.Context, conditions int, through bool) (s Star, ok bool) {
	a := m.starts[m.rng.IntN(len(m.starts))]
	around := m.around(a)
	if len(around) < conditions {
		return s, false
	}
	bridge := around[m.rng.IntN(len(around))]
	second, ok := m.second(a, bridge)
	if !ok {
		return s, false
	}
	var shared, own []questions.Leg
	for _, l := range around {
		switch {
		case l.Entity == bridge.Entity || l.Entity == second:
		case m.joined(second, l):
			shared = append(shared, l)
		default:
			own = append(own, l)
		}
	}
	first := bridge
	if through {
		first = questions.Leg{Entity: second, Steps: []schema.Step{m.schema.Back(bridge.Steps[0]), bridge.Steps[0]}}
	}
	// A third of the names are bridges, where there are so many; the others tell the
	// answer from the second entity.
	k := min(len(shared), conditions/3)
	s.Legs = slices.Concat([]questions.Leg{first}, shared[:k], own, shared[k:])
	if len(s.Legs) < conditions {
		return s, false
	}
	s.Conditions, s.Legs = conditions, s.Legs[:conditions]
	m.rng.Shuffle(conditions, func(i, j int) { s.Legs[i], s.Legs[j] = s.Legs[j], s.Legs[i] })
	s.Text, s.Pattern = m.words.Star(s.Legs)
	s.Answers, ok = m.answers(ctx, s.Pattern, starAnswers+1)
	s.Chance = 1
	return s, ok && len(s.Answers) > 0 && len(s.Answers) <= starAnswers
}

// around returns the conditions of one step that an entity meets, each about another
// neighbour, in a drawn order.
func (m *starMaker) around(a kg.EntityID) (legs []questions.Leg) {
	for _, at := range m.schema.SlotsOf(a, nil) {
		s := schema.Step(at) // a step has the number of its slot
		if m.schema.Canonical(s) != s || m.schema.IsMediator(s.To()) || m.schema.Value(s.To()) == schema.NumberValue {
			continue
		}
		es := m.schema.Edges(a, s)
		for i := range min(len(es), starNeighbours) {
			if len(es) > starNeighbours {
				i = m.rng.IntN(len(es))
			}
			if x := es[i].Entity; x != a && m.words.CanName(x) {
				legs = append(legs, questions.Leg{Entity: x, Steps: []schema.Step{m.schema.Back(s)}})
			}
		}
	}
	m.rng.Shuffle(len(legs), func(i, j int) { legs[i], legs[j] = legs[j], legs[i] })
	seen := map[kg.EntityID]bool{}
	return slices.DeleteFunc(legs, func(l questions.Leg) bool {
		again := seen[l.Entity]
		seen[l.Entity] = true
		return again
	})
}

// second draws another entity that meets the condition of a bridge.
func (m *starMaker) second(a kg.EntityID, bridge questions.Leg) (kg.EntityID, bool) {
	es := m.schema.Edges(bridge.Entity, bridge.Steps[0])
	for range min(2*len(es), 16) {
		if b := es[m.rng.IntN(len(es))].Entity; b != a && b != bridge.Entity && m.words.CanName(b) && !m.g.IsLiteral(b) {
			return b, true
		}
	}
	return 0, false
}

// joined reports whether an entity meets a condition of one step.
func (m *starMaker) joined(e kg.EntityID, l questions.Leg) bool {
	return slices.ContainsFunc(m.schema.Edges(e, m.schema.Back(l.Steps[0])), func(x kg.Edge) bool { return x.Entity == l.Entity })
}

// answers are what binds the asked node, ascending, at most limit of them; ok is false
// where it takes long to tell.
func (m *starMaker) answers(ctx context.Context, p *pattern.Pattern, limit int) (es []kg.EntityID, ok bool) {
	q, err := match.Compile(m.g, p)
	if err != nil {
		return nil, false // never: names are linked, and relations settled
	}
	es, _, err = match.Anchored{Graph: m.g, Budget: starBudget}.Answers(ctx, q, p.Asked, limit)
	return es, err == nil
}

// chance is Star.Chance.
func (m *starMaker) chance(ctx context.Context, s *Star) float64 {
	met := map[kg.EntityID]int{}
	most := 0
	for _, l := range s.Legs {
		_, p := m.words.Star([]questions.Leg{l})
		es, ok := m.answers(ctx, p, 0)
		if !ok {
			return -1
		}
		for _, e := range es {
			met[e]++
			most = max(most, met[e])
		}
	}
	top, right := 0, 0
	for e, n := range met {
		if n < most || slices.ContainsFunc(s.Legs, func(l questions.Leg) bool { return l.Entity == e }) {
			continue // what the question names is not its answer
		}
		top++
		if slices.Contains(s.Answers, e) {
			right++
		}
	}
	return float64(right) / float64(max(top, 1))
}

package questions

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

// Generated is a question made from the graph, with the reading that it was
// made from.
type Generated struct {
	Text string
	// Pattern is what the question means.
	Pattern *pattern.Pattern
	// Answers bind the asked node, ascending.
	Answers []kg.EntityID
	// Legs are the chains that the pattern is made of.
	Legs []Leg
	// Chain names the steps that the question asks for, without its names.
	Chain string
}

const (
	// anchorSample is how many entities of each slot questions may name.
	anchorSample = 64
	// generatedAnswers is how many answers a generated question has at most:
	// nobody asks for more in earnest.
	generatedAnswers = 300
	// answersBudget is how many entities and triples are looked at to find them.
	answersBudget = 1_000_000
	// longestChain is the most hops from a name to what is asked.
	longestChain = 3
	// longestName is the longest name, in bytes, that a question is made about.
	longestName = 80
)

// worded makes a question of a shape that has some answers; ask words it.
func (m *Maker) worded(ctx context.Context, ask func(s *shape, answers []kg.EntityID) string, s *shape) (Generated, bool) {
	p := m.patternOf(s)
	answers := m.answers(ctx, p)
	if len(answers) == 0 {
		p.Reuse = pattern.ReuseAll
		answers = m.answers(ctx, p)
	}
	if len(answers) == 0 || len(answers) > generatedAnswers {
		return Generated{}, false
	}
	text := ask(s, answers)
	if text == "" {
		return Generated{}, false
	}
	return Generated{Text: text, Pattern: p, Answers: answers, Legs: s.legs, Chain: chainKey(s)}, true
}

// answers are what binds the asked node of a pattern, ascending: one more than a question
// may have where there are more, and none where it takes long to tell.
func (m *Maker) answers(ctx context.Context, p *pattern.Pattern) []kg.EntityID {
	q, err := match.Compile(m.g, p)
	if err != nil {
		return nil // never: names are linked, and relations settled
	}
	es, _, err := match.Anchored{Graph: m.g, Budget: answersBudget}.Answers(ctx, q, p.Asked, generatedAnswers+1)
	if err != nil {
		return nil
	}
	return es
}

func (m *Maker) patternOf(s *shape) *pattern.Pattern {
	out := &pattern.Pattern{Reuse: pattern.ReuseVariables}
	node := func(n pattern.Node) int {
		out.Nodes = append(out.Nodes, n)
		return len(out.Nodes) - 1
	}
	variable := func() int {
		return node(pattern.Node{Text: fmt.Sprintf("?thing%d", len(out.Nodes)), Variable: true})
	}
	meet := variable()
	for _, l := range s.legs {
		at := node(pattern.Node{Text: m.g.Label(l.Entity), Entities: []kg.EntityID{l.Entity}})
		for i, st := range l.Steps {
			to := meet
			if i < len(l.Steps)-1 {
				to = variable()
			}
			out.Edges = append(out.Edges, m.p.Edge(at, to, st))
			at = to
		}
	}
	out.Asked = meet
	return out
}

// chainKey names the steps of a shape without its names.
func chainKey(s *shape) string {
	var parts []string
	for _, l := range s.legs {
		parts = append(parts, fmt.Sprint(l.Steps))
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

// shape is what a question asks before it is put in words: where legs meet.
type shape struct{ legs []Leg }

// drawer draws shapes from what the graph holds.
type drawer struct {
	m       *Maker
	rng     *rand.Rand
	anchors [][]kg.EntityID // by slot: some entities that a question can name
	starts  []schema.Step   // those that leave slots with anchors, ascending
	// simple keeps to chains that go neither back nor over values, nor twice over
	// one relation.
	simple bool
}

func newDrawer(ctx context.Context, m *Maker, seed uint64) *drawer {
	d := &drawer{m: m, rng: rand.New(rand.NewPCG(seed, seed)), anchors: make([][]kg.EntityID, m.schema.Slots())}
	seen := make([]int, len(d.anchors))
	var in []schema.Slot
	for e := range m.g.Entities() {
		if e%1024 == 0 && ctx.Err() != nil {
			return d
		}
		id := kg.EntityID(e)
		if !m.canName(id) {
			continue
		}
		in = m.schema.SlotsOf(id, in[:0])
		for _, at := range in {
			seen[at]++
			if len(d.anchors[at]) < anchorSample {
				d.anchors[at] = append(d.anchors[at], id)
			} else if i := d.rng.IntN(seen[at]); i < anchorSample {
				d.anchors[at][i] = id
			}
		}
	}
	for s := range schema.Step(m.schema.Slots()) {
		if m.schema.Canonical(s) == s && len(d.anchors[s.From()]) > 0 && m.schema.Value(s.From()) != schema.NumberValue {
			d.starts = append(d.starts, s)
		}
	}
	return d
}

// canName reports whether a question can be about an entity by its name.
func (m *Maker) canName(e kg.EntityID) bool {
	label := m.g.Label(e)
	return len(label) > 1 && len(label) <= longestName && !schema.IsNameless(m.g, e) && !strings.Contains(label, "://") &&
		!strings.ContainsFunc(label, unicode.IsControl)
}

const (
	// backShare is how often a chain goes back the way that it came: "the films
	// with the same director as X".
	backShare = 0.15
	// longLegShare is how often the first leg of a star has two hops.
	longLegShare = 0.2
)

// shape draws a shape with an instance in the graph: a chain of so many hops, or a
// star for 0.
func (d *drawer) shape(hops int) (shape, bool) {
	start := d.starts[d.rng.IntN(len(d.starts))]
	if hops == 0 {
		return d.star(start)
	}
	l, _, ok := d.chain(start, hops)
	return shape{legs: []Leg{l}}, ok
}

// chain draws a chain that begins with a step, and returns where it ends.
func (d *drawer) chain(start schema.Step, hops int) (Leg, kg.EntityID, bool) {
	anchors := d.anchors[start.From()]
	l := Leg{Entity: anchors[d.rng.IntN(len(anchors))]}
	at, s := l.Entity, start
	for h := range hops {
		if h > 0 {
			var ok bool
			if s, ok = d.next(at, l.Steps[len(l.Steps)-1]); !ok {
				return l, at, false
			}
		}
		var ok bool
		if l.Steps, at, ok = d.follow(l.Steps, at, s); !ok {
			return l, at, false
		}
	}
	return l, at, true
}

// follow takes a step, and another over a nameless entity.
func (d *drawer) follow(steps []schema.Step, at kg.EntityID, s schema.Step) ([]schema.Step, kg.EntityID, bool) {
	for {
		es := d.m.schema.Edges(at, s)
		if len(es) == 0 {
			return steps, at, false
		}
		steps, at = append(steps, s), es[d.rng.IntN(len(es))].Entity
		if !d.m.schema.IsMediator(s.To()) {
			return steps, at, true
		}
		if len(steps) > 2*longestChain {
			return steps, at, false
		}
		var ok bool
		if s, ok = d.next(at, s); !ok {
			return steps, at, false
		}
	}
}

// next draws one of the steps that leave an entity, each equally likely. Back
// along the step before it goes seldom, and never over a nameless entity.
func (d *drawer) next(at kg.EntityID, before schema.Step) (schema.Step, bool) {
	back := d.m.schema.Back(before)
	if v := d.m.schema.Value(before.To()); v == schema.NumberValue || v == schema.DateValue && d.simple {
		return 0, false
	}
	options := slices.DeleteFunc(d.leaving(at), func(s schema.Step) bool {
		return s == back || d.simple && s.Relation() == before.Relation() || !d.m.schema.Coherent(before.To(), s.From())
	})
	canGoBack := !d.simple && !d.m.schema.IsMediator(before.To()) && !d.m.schema.IsMediator(before.From()) && len(d.m.schema.Edges(at, back)) > 1
	if canGoBack && d.rng.Float64() < backShare {
		return back, true
	}
	if len(options) == 0 {
		return 0, false
	}
	return options[d.rng.IntN(len(options))], true
}

// leaving returns the steps that leave an entity, ascending.
func (d *drawer) leaving(e kg.EntityID) []schema.Step {
	var out []schema.Step
	for _, at := range d.m.schema.SlotsOf(e, nil) {
		out = append(out, d.m.schema.Canonical(schema.Step(at))) // a step has the number of its slot
	}
	return kg.Distinct(out)
}

// star draws two legs that meet.
func (d *drawer) star(start schema.Step) (shape, bool) {
	hops := 1
	if d.rng.Float64() < longLegShare {
		hops = 2
	}
	first, meet, ok := d.chain(start, hops)
	if !ok {
		return shape{}, false
	}
	options := slices.DeleteFunc(d.leaving(meet), func(s schema.Step) bool { return d.m.schema.IsMediator(s.To()) })
	if len(options) == 0 {
		return shape{}, false
	}
	s := options[d.rng.IntN(len(options))]
	es := d.m.schema.Edges(meet, s)
	if len(es) == 0 {
		return shape{}, false
	}
	other := es[d.rng.IntN(len(es))].Entity
	if other == first.Entity || other == meet || !d.m.canName(other) {
		return shape{}, false
	}
	second := Leg{Entity: other, Steps: []schema.Step{d.m.schema.Back(s)}}
	return shape{legs: []Leg{first, second}}, true
}

// mostCommon returns the type of most entities in a slot, if half have it.
func mostCommon(s *schema.Schema, at schema.Slot) (kg.TypeID, bool) {
	shares := s.Types(at)
	if len(shares) == 0 {
		return 0, false
	}
	most := slices.MinFunc(slices.Collect(maps.Keys(shares)), func(a, b kg.TypeID) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b))
	})
	return most, shares[most] >= 0.5
}

// Planner is what making questions needs of the planner that will read them.
type Planner interface {
	plan.Planner
	// Schema is what the planner knows of its graph, and Lexicon what of words.
	Schema() *schema.Schema
	Lexicon() *lexicon.Lexicon
	// Meaning returns the concepts of the lexicon that a relation means, and the
	// words besides theirs that ask for it.
	Meaning(r kg.RelationID) (concepts, words []string)
	// Edge writes a step between two nodes of a pattern.
	Edge(from, to int, st schema.Step, or ...kg.RelationID) pattern.Edge
	// NamesKind reports whether a word names a kind of thing in the graph.
	NamesKind(word string) bool
	// IsAnswer reports whether what is in a slot is a kind of answer.
	IsAnswer(at schema.Slot, a lexicon.Answer) bool
}

// Maker makes questions out of a graph. It is safe for concurrent use.
type Maker struct {
	p      Planner
	g      *kg.Graph
	schema *schema.Schema
	lex    *lexicon.Lexicon
}

// NewMaker makes questions in the words of a planner, out of its graph.
func NewMaker(p Planner) *Maker {
	return &Maker{p: p, g: p.Schema().Graph(), schema: p.Schema(), lex: p.Lexicon()}
}

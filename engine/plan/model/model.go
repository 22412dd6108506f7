// Package model plans with a language model: the paper's query-to-pattern
// prompt (SimGRAG §4.1, Tables 10 and 11), held to a JSON schema.
//
//	question ─prompt─▶ reply ─parse─▶ pattern ─link─▶ ─ground─▶ reading
//	             ▲                │
//	             └────repair──────┘ once, where it does not parse or link
//
//	sample   one reply of the model, repaired where need be, as a reading
//	ground   what a pattern finds in the graph, and how far away (GSD)
//	cost     how much a reading leaves open: the distance of its best match, the
//	         words of the question that it ignores, the names that it adds
//	chain    a topic and the relations to follow from it (RoG), as a reading
//
// The aim is that a model makes answers better and never makes them wrong.
// So a reading of the model's is followed only where its evidence is at least
// as good as that of the planner which needs no model, see Planner.decide, and
// whatever goes wrong with the model, that planner stands in. The plan says
// which of the two was followed.
package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// Linker is what planning needs of link.Linker.
type Linker interface {
	// Lookup returns the entities that a name may mean, best first.
	Lookup(ctx context.Context, text string, k int) ([]link.Candidate, error)
}

// Names finds what in the graph has the names nearest to a text, however far.
type Names interface {
	Entities(ctx context.Context, text string, k int) ([]link.Neighbour[kg.EntityID], error)
	Relations(ctx context.Context, text string, k int) ([]link.Neighbour[kg.RelationID], error)
}

// Grounder finds what a pattern matches in the graph.
type Grounder interface {
	// Ground returns the best match of a pattern, within a budget that does not
	// depend on the machine.
	Ground(ctx context.Context, p *pattern.Pattern) (Grounding, error)
	// Answers returns what the asked node of a pattern is bound to at the best
	// distance, and whether that is all of them.
	Answers(ctx context.Context, p *pattern.Pattern) (answers []kg.EntityID, whole bool, err error)
}

// Grounding is what a pattern finds in the graph.
type Grounding struct {
	Found bool
	// Best is the best match where there is one.
	Best evidence.Candidate
	// Floor is the least distance that any match could have: that of the nearest
	// names of its nodes and relations.
	Floor float64
	// Cut says that the budget ran out, so that there may be more.
	Cut bool
	// far is what a match was dropped for, see Planner.ground.
	far string
}

// Distance returns the graph semantic distance of the best match, or what it
// would be at least.
func (g Grounding) Distance() float64 {
	if g.Found {
		return g.Best.Distance
	}
	return g.Floor
}

// Schema is what planning needs to know of the graph's relations.
type Schema interface {
	// AsksFor reports whether a word of a question, by its stem, asks for r.
	AsksFor(r kg.RelationID, stem string) bool
	// Joins reports whether a word, by its stem, names the kind of what r joins.
	Joins(r kg.RelationID, stem string) bool
	// Symmetric reports whether r says the same in both directions.
	Symmetric(r kg.RelationID) bool
	// JoinsSame reports whether r joins things of one kind, so that only its
	// direction tells which is which.
	JoinsSame(r kg.RelationID) bool
}

// World is the graph that is planned for, and what is known of it.
type World struct {
	Graph    *kg.Graph
	Lexicon  *lexicon.Lexicon
	Linker   Linker
	Names    Names
	Grounder Grounder
	Schema   Schema
	// Fallback plans without a model: it stands in, and is what a reading of the
	// model's is measured against.
	Fallback plan.Planner
}

// Options are the choices of a Planner; the zero value is the default.
type Options struct {
	// Samples is how many patterns the model is asked for; the one with the best
	// evidence in the graph is followed. The first is asked for at temperature
	// 0, each other with a seed of its own.
	//
	// The default value is 1.
	Samples int
	// Chains asks for relation chains instead of patterns (RoG).
	Chains bool
	// Accepted are the user's own examples, the latest last.
	Accepted []Example
	// Alone follows the model's best reading whatever the planner without a
	// model reads: this is what an evaluation of a model measures.
	Alone bool
}

// Example is a question with the pattern that a user accepted for it.
type Example struct {
	Question string `json:"question"`
	Pattern  string `json:"pattern"` // as pattern.Format writes it
}

// Planner asks a model for the pattern of a question. It is safe for
// concurrent use where its parts are.
type Planner struct {
	w         World
	model     llm.Model
	opts      Options
	about     description
	accepted  []accepted
	relations map[string][]kg.RelationID // by folded key and text
	types     map[string][]kg.TypeID     // by folded label
}

// New returns a planner for w that asks m. It reads the graph's relations once.
func New(m llm.Model, w World, o Options) *Planner {
	if o.Samples < 1 {
		o.Samples = 1
	}
	p := &Planner{
		w: w, model: m, opts: o, about: describe(w.Graph),
		relations: map[string][]kg.RelationID{}, types: map[string][]kg.TypeID{},
	}
	p.nameRelations()
	p.readAccepted(o.Accepted)
	return p
}

// Name returns the planner's name for people.
func (p *Planner) Name() string { return "model " + p.model.Name() }

// Plan asks the model how the question is to be read, and lets evidence decide between
// its plan and the one without it. Only a cancelled context
// is an error; any other failure is the fallback's plan, with the reason.
func (p *Planner) Plan(ctx context.Context, question string, mentions []link.Mention) (*plan.Plan, error) {
	without, err := p.w.Fallback.Plan(ctx, question, mentions)
	if err != nil {
		return nil, err
	}
	operators := len(without.Readings) > 0 && !without.Readings[0].Pattern.IsPlain()
	if (without.Doubt == plan.NotSupported || operators) && !p.opts.Alone {
		// A model's patterns have no operators: they would say something else.
		return without, nil
	}
	q := p.newQuestion(question, without)
	ask := p.sampled
	if p.opts.Chains {
		ask = p.chained
	}
	readings, err := ask(ctx, q)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return p.standIn(without, err), nil
	}
	return p.decide(ctx, q, readings, without)
}

// standIn returns the plan made without the model, and says why.
func (p *Planner) standIn(without *plan.Plan, err error) *plan.Plan {
	without.StoodIn = fmt.Sprintf("The %s planner was used instead of %s: %s.", p.w.Fallback.Name(), p.model.Name(), strings.TrimSuffix(err.Error(), "."))
	return without
}

// errNotSensible is returned for a pattern that a question cannot mean.
var errNotSensible = errors.New("its pattern makes no sense")

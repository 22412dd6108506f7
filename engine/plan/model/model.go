// Package model plans with a language model: the paper's query-to-pattern
// prompt (SimGRAG §4.1, Tables 10 and 11), held to a JSON schema.
//
//	question ─prompt─▶ reply ─pattern.Parse─▶ Pattern ─link─▶ Plan
//
// Whatever goes wrong, the planner that needs no model stands in, and the plan
// says so.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"cairn/engine/evidence"
	"cairn/engine/kg"
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

// lookups is how many entities are kept for each name.
const lookups = 8

// Planner asks a model for the pattern of a question. It is safe for
// concurrent use where its parts are.
type Planner struct {
	model      llm.Model
	graph      *kg.Graph
	linker     Linker
	fallback   plan.Planner
	template   *template.Template
	schemaData promptData
	relations  map[string][]kg.RelationID // by folded key and text
	types      map[string][]kg.TypeID     // by folded label
}

// Example is a question with the pattern that a user accepted for it.
type Example struct {
	Question string `json:"question"`
	Pattern  string `json:"pattern"` // as pattern.Format writes it
}

// Options are the choices of a Planner; the zero value is the default.
type Options struct {
	// Samples is how many patterns the model is asked for; the one with the best
	// evidence in the graph is followed.
	//
	// The default value is 1.
	Samples int
	// Chains asks for relation chains instead of patterns (RoG).
	Chains bool
	// Accepted are the user's own examples, the latest last.
	Accepted []Example
}

// New returns a planner that asks m, links names with l and falls back on
// fallback.
func New(m llm.Model, g *kg.Graph, l Linker, fallback plan.Planner, o Options) *Planner {
	p := &Planner{
		model: m, graph: g, linker: l, fallback: fallback, template: newTemplate(), schemaData: describe(g),
		relations: map[string][]kg.RelationID{}, types: map[string][]kg.TypeID{},
	}
	for i := range g.Relations() {
		r := kg.RelationID(i)
		p.relations[fold(g.RelationText(r))] = append(p.relations[fold(g.RelationText(r))], r)
		if key := fold(g.RelationKey(r)); key != fold(g.RelationText(r)) {
			p.relations[key] = append(p.relations[key], r)
		}
	}
	for i := range g.NumTypes() {
		label := fold(g.TypeLabel(kg.TypeID(i)))
		p.types[label] = append(p.types[label], kg.TypeID(i))
	}
	return p
}

// Name returns the planner's name for people.
func (p *Planner) Name() string { return "model " + p.model.Name() }

// Plan asks the model for the question's pattern. Only a cancelled context is
// an error; any other failure is the fallback's plan, with the reason.
func (p *Planner) Plan(ctx context.Context, question string) (*plan.Plan, error) {
	made, err := p.ask(ctx, question)
	switch {
	case err == nil:
		return made, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	stand, fallbackErr := p.fallback.Plan(ctx, question)
	if fallbackErr != nil {
		return nil, fallbackErr
	}
	reason := fmt.Sprintf("The %s planner stood in, since %s could not plan this: %s.", p.fallback.Name(), p.model.Name(), strings.TrimSuffix(err.Error(), "."))
	stand.Reason = strings.TrimSpace(reason + " " + stand.Reason)
	return stand, nil
}

func (p *Planner) ask(ctx context.Context, question string) (*plan.Plan, error) {
	text, err := p.prompt(question)
	if err != nil {
		return nil, err
	}
	// Temperature 0, not the code's 0.2: the same question gets the same plan.
	reply, err := p.model.Ask(ctx, llm.Request{Prompt: text, Schema: json.RawMessage(schema), MaxTokens: 1024})
	if err != nil {
		return nil, err
	}
	pat, err := pattern.Parse(reply.Text)
	if err != nil {
		return nil, err
	}
	if err := sensible(pat); err != nil {
		return nil, err
	}
	return p.link(ctx, question, pat)
}

// maxEdges is the size of the largest pattern that a question can mean; the
// paper's questions have up to three hops.
const maxEdges = 8

var errNotSensible = errors.New("its pattern makes no sense")

// sensible refuses patterns that would match anything.
func sensible(p *pattern.Pattern) error {
	if len(p.Edges) > maxEdges {
		return fmt.Errorf("%w: it has %d conditions", errNotSensible, len(p.Edges))
	}
	if !slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool { return !n.Variable }) {
		return fmt.Errorf("%w: it names nothing", errNotSensible)
	}
	return nil
}

// link ties the pattern's names, relations and types to the graph where they
// are the graph's own; the rest is left to the matcher, which looks for the
// nearest.
func (p *Planner) link(ctx context.Context, question string, pat *pattern.Pattern) (*plan.Plan, error) {
	made := &plan.Plan{Question: question, Planner: p.Name()}
	for i := range pat.Nodes {
		n := &pat.Nodes[i]
		if n.Variable {
			n.Within = p.within(n.Type)
			continue
		}
		cs, err := p.linker.Lookup(ctx, n.Text, lookups)
		if err != nil {
			return nil, fmt.Errorf("look up %q: %w", n.Text, err)
		}
		if len(cs) == 0 {
			made.Unlinked = append(made.Unlinked, n.Text)
			continue
		}
		made.Mentions = append(made.Mentions, mention(question, n.Text, cs))
		bind(n, cs)
	}
	for i := range pat.Edges {
		if e := &pat.Edges[i]; e.Relation != "" {
			e.Fixed = p.relations[fold(e.Relation)]
		}
	}
	slices.SortStableFunc(made.Mentions, func(a, b link.Mention) int { return a.Start - b.Start })
	made.Readings = []plan.Reading{{
		Pattern: pat,
		Score:   1,
		Explanation: evidence.Explanation{
			Value: 1, Message: fmt.Sprintf("the only reading that %s gave", p.model.Name()),
		},
		Text: pattern.Format(pat),
	}}
	if len(made.Unlinked) > 0 {
		made.Doubt = plan.Unsure
		made.Reason = fmt.Sprintf("Nothing in this graph has the name %q; the most similar names are tried.", made.Unlinked[0])
	}
	return made, nil
}

// bind fixes a node to the entities of its name where the name is sure. Names
// that are merely similar are left to the matcher, which weighs them with the
// rest of the pattern.
func bind(n *pattern.Node, cs []link.Candidate) {
	for _, c := range cs {
		if c.Method == link.Near || c.Distance > cs[0].Distance {
			break
		}
		n.Entities = append(n.Entities, c.Entity)
		n.Distances = append(n.Distances, c.Distance)
	}
}

// mention finds a name in the question. A name that the model reworded has an
// empty span at 0.
func mention(question, text string, cs []link.Candidate) link.Mention {
	m := link.Mention{Text: text, Candidates: cs, Strength: 1}
	if at := strings.Index(question, text); at >= 0 {
		m.Start, m.End = at, at+len(text)
	}
	return m
}

// within returns the entities of a type that the graph has by that name, in
// the singular or the plural; nil where it has none.
func (p *Planner) within(hint string) []kg.EntityID {
	hint = fold(hint)
	if hint == "" {
		return nil
	}
	ts := p.types[hint]
	for _, variant := range []string{strings.TrimSuffix(hint, "s"), hint + "s"} {
		if len(ts) == 0 {
			ts = p.types[variant]
		}
	}
	var es []kg.EntityID
	for _, t := range ts {
		es = append(es, p.graph.OfType(t)...)
	}
	slices.Sort(es)
	return slices.Compact(es)
}

// fold makes spellings of a relation or type equal: "releaseYear" is "release
// year" is "release_year".
func fold(s string) string {
	return strings.ToLower(kg.RelationText(strings.ReplaceAll(s, " ", "_")))
}

package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/assets/prompts"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
)

const (
	maxChains  = 5 // that a model is asked for
	maxSteps   = 4 // of one chain
	maxTopics  = 3
	maxTurns   = 4     // ways in which one chain of the model's is read
	maxAlong   = 2_000 // entities that are gone on from at each step
	sameTopics = 3     // entities of one name that a chain is tried from
)

// step is one hop of a chain.
type step struct {
	Relation kg.RelationID `json:"relation"`
	// Inverse says that it is walked from tail to head. A relation that says the
	// same in both directions is walked either way.
	Inverse bool `json:"inverse,omitempty"`
}

// chain is a way to answers that the graph has: the relations to follow from an
// entity that the question names (RoG's relation path, GSR's chain).
type chain struct {
	From  kg.EntityID `json:"from"`
	Steps []step      `json:"steps"`
	// Rank is the place of the chain in the model's reply, from 0.
	Rank int `json:"rank"`
}

// errNoChain is returned where no chain of a reply can be followed.
var errNoChain = errors.New("none of its relation chains can be followed in the graph")

// chainsOf asks the model by which relations a question is answered, and returns
// the chains that the graph has, in the model's order. They are readings of the
// question, and what retrieval augmentation adds to other evidence.
func (p *Planner) chainsOf(ctx context.Context, text string, mentions []link.Mention) ([]chain, error) {
	without, err := p.w.Fallback.Plan(ctx, text, mentions)
	if err != nil {
		return nil, err
	}
	_, chains, err := p.chains(ctx, p.newQuestion(text, without))
	return chains, err
}

// topic is a thing that the question names.
type topic struct {
	mention link.Mention
	from    []kg.EntityID
}

// chains asks for chains and follows them.
func (p *Planner) chains(ctx context.Context, q *question) ([]topic, []chain, error) {
	topics := p.topics(q)
	if len(topics) == 0 {
		return nil, nil, fmt.Errorf("%w: the question names no entity to start from", errNoChain)
	}
	req := llm.Request{Purpose: "relation chains", Schema: json.RawMessage(chainSchema), MaxTokens: maxTokens}
	d := promptData{Question: llm.Quote(q.text, maxQuestion), chainData: chainData{Most: maxChains, Longest: maxSteps}}
	for _, t := range topics {
		d.Topics = append(d.Topics, llm.Quote(p.w.Graph.Label(t.from[0]), maxLabel))
	}
	near := p.relationsNear(topics)
	for _, r := range p.telling(q) {
		if near[r] && len(d.Relations) < maxRelations {
			d.Relations = append(d.Relations, llm.Quote(p.w.Graph.RelationText(r), maxLabel))
		}
	}
	d.all = len(near)
	req, err := p.fitted(req, prompts.Chains, d)
	if err != nil {
		return nil, nil, err
	}
	reply, err := p.model.Ask(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	said, err := parseChains(reply.Text)
	if err != nil {
		return nil, nil, err
	}
	f := follower{p: p, q: q, topics: topics}
	for rank, c := range said {
		if err := f.follow(ctx, rank, c); err != nil {
			return nil, nil, err
		}
	}
	if len(f.found) == 0 {
		return nil, nil, fmt.Errorf("%w: %s", errNoChain, strings.Join(f.dropped, "; "))
	}
	return topics, f.found, nil
}

// chainData is what the prompt for chains shows beside relations and question.
type chainData struct {
	Topics        []string
	Most, Longest int
}

// chainSchema holds a reply to the form of the chain prompt.
const chainSchema = `{
"type": "object",
"properties": {"chains": {"type": "array", "minItems": 1, "maxItems": 5, "items": {
	"type": "object",
	"properties": {
		"from": {"type": "string", "maxLength": 200},
		"relations": {"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "string", "maxLength": 120}}
	},
	"required": ["from", "relations"]
}}},
"required": ["chains"]
}`

// saidChain is a chain as a model writes it.
type saidChain struct {
	From      string   `json:"from"`
	Relations []string `json:"relations"`
}

// parseChains reads the chains out of a reply, with words around it or not.
func parseChains(text string) ([]saidChain, error) {
	for object := range llm.Objects(text) {
		var said struct {
			Chains []saidChain `json:"chains"`
		}
		if json.Unmarshal(object, &said) == nil && len(said.Chains) > 0 {
			return said.Chains[:min(len(said.Chains), maxChains)], nil
		}
	}
	return nil, fmt.Errorf("%w: the reply has no relation chains", errNoChain)
}

// topics returns the things that the question names, the surest first, no two of
// them in the same words.
func (p *Planner) topics(q *question) []topic {
	const sure = 0.5
	var out []topic
	for _, m := range q.without.Mentions {
		overlaps := slices.ContainsFunc(out, func(t topic) bool { return t.mention.Start < m.End && m.Start < t.mention.End })
		if overlaps || len(m.Candidates) == 0 || len(out) > 0 && m.Strength < sure || len(out) == maxTopics {
			continue
		}
		t := topic{mention: m}
		same := link.SameName(p.w.Graph, m.Text, m.Candidates)
		for _, c := range same[:min(len(same), sameTopics)] {
			t.from = append(t.from, c.Entity)
		}
		out = append(out, t)
	}
	return out
}

// relationsNear returns the relations within the reach of a chain.
func (p *Planner) relationsNear(topics []topic) map[kg.RelationID]bool {
	const perHop = 60 // entities: enough to see what there is near a thing
	near := map[kg.RelationID]bool{}
	var at []kg.EntityID
	for _, t := range topics {
		at = append(at, t.from...)
	}
	seen := map[kg.EntityID]bool{}
	for range maxSteps {
		var next []kg.EntityID
		for _, e := range at {
			for _, edges := range [2][]kg.Edge{p.w.Graph.Out(e), p.w.Graph.In(e)} {
				for _, x := range edges[:min(len(edges), maxLooked)] {
					near[x.Relation] = true
					if !seen[x.Entity] && len(next) < perHop {
						seen[x.Entity] = true
						next = append(next, x.Entity)
					}
				}
			}
		}
		at = next
	}
	return near
}

// follower follows the chains of a reply in the graph.
type follower struct {
	p       *Planner
	q       *question
	topics  []topic
	found   []chain
	dropped []string // why chains were not followed
}

func (f *follower) drop(rank int, why string, args ...any) {
	f.dropped = append(f.dropped, fmt.Sprintf("chain %d: ", rank+1)+fmt.Sprintf(why, args...))
}

// follow adds the ways in which the graph has a chain. A model says the relations
// and not which way round they lie: walking finds that, forwards first.
func (f *follower) follow(ctx context.Context, rank int, c saidChain) error {
	t, ok := f.topic(c.From)
	if !ok {
		f.drop(rank, "“%s” is not a topic of the question", c.From)
		return nil
	}
	if len(c.Relations) == 0 || len(c.Relations) > maxSteps {
		f.drop(rank, "it has %d relations", len(c.Relations))
		return nil
	}
	var names [][]kg.RelationID
	for _, name := range c.Relations {
		rs, err := f.relations(ctx, name)
		if err != nil {
			return err
		}
		if len(rs) == 0 {
			f.drop(rank, "the graph has no relation like “%s”", name)
			return nil
		}
		names = append(names, rs)
	}
	for _, from := range t.from {
		w := walk{follower: f, names: names, chain: chain{From: from, Rank: rank}}
		before := len(f.found)
		w.from([]kg.EntityID{from})
		if len(f.found) > before {
			return ctx.Err()
		}
		if w.loops {
			f.drop(rank, "it only goes back along the same relation")
		} else {
			f.drop(rank, "nothing is connected to “%s” in this way", f.p.w.Graph.Label(from))
		}
	}
	return ctx.Err()
}

// topic returns the topic that a model means; where there is one only, that.
func (f *follower) topic(name string) (topic, bool) {
	words := lexicon.Tokenize(name)
	best, most := -1, 0
	for i, t := range f.topics {
		n := 0
		for _, w := range words {
			if has(t.mention.Text, w) || has(f.p.w.Graph.Label(t.from[0]), w) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 && len(f.topics) == 1 {
		best = 0
	}
	if best < 0 {
		return topic{}, false
	}
	return f.topics[best], true
}

// relations returns the relations of a name, or the one whose name is nearest.
func (f *follower) relations(ctx context.Context, name string) ([]kg.RelationID, error) {
	if rs := f.p.relations[pattern.Fold(name)]; len(rs) > 0 {
		return rs, nil
	}
	if strings.TrimSpace(name) == "" {
		return nil, nil
	}
	near, err := f.p.w.Names.Relations(ctx, name, 1)
	if err != nil {
		return nil, fmt.Errorf("look for relations like %q: %w", name, err)
	}
	if len(near) == 0 || near[0].Distance >= unlike {
		return nil, nil
	}
	return []kg.RelationID{near[0].ID}, nil
}

// walk follows one chain from one entity.
type walk struct {
	*follower
	names [][]kg.RelationID // by step
	chain chain
	turns int
	loops bool // a way was left since it only went back
}

// from goes on from where the chain has led.
func (w *walk) from(at []kg.EntityID) {
	hop := len(w.chain.Steps)
	if hop == len(w.names) {
		c := w.chain
		c.Steps = slices.Clone(c.Steps)
		w.found = append(w.found, c)
		w.turns++
		return
	}
	for _, r := range w.names[hop] {
		ways := []bool{false, true}
		if w.p.w.Schema.Symmetric(r) {
			ways = ways[:1]
		}
		for _, inverse := range ways {
			s := step{r, inverse}
			if w.turns == maxTurns {
				return
			}
			if hop > 0 && w.undoes(s, w.chain.Steps[hop-1]) && !w.q.shares() {
				w.loops = true
				continue
			}
			if next := w.reach(at, s); len(next) > 0 {
				w.chain.Steps = append(w.chain.Steps, s)
				w.from(next)
				w.chain.Steps = w.chain.Steps[:hop]
			}
		}
	}
}

// undoes reports whether a step goes back along the one before. Where the question
// does not ask for what things share, such a chain only finds what it came from
// and its like (GSR's loops).
func (w *walk) undoes(s, before step) bool {
	return s.Relation == before.Relation && (s.Inverse != before.Inverse || w.p.w.Schema.Symmetric(s.Relation))
}

// reach returns what a step leads to from some of the entities, ascending.
func (w *walk) reach(at []kg.EntityID, s step) []kg.EntityID {
	var next []kg.EntityID
	for _, e := range at {
		if len(next) > maxAlong {
			break
		}
		for _, x := range w.p.along(e, s) {
			next = append(next, x.Entity)
		}
	}
	next = kg.Distinct(next)
	return next[:min(len(next), maxAlong)]
}

// along returns the edges of a step from an entity. A relation that says the same in
// both directions is walked either way.
func (p *Planner) along(e kg.EntityID, s step) []kg.Edge {
	switch g := p.w.Graph; {
	case p.w.Schema.Symmetric(s.Relation):
		return slices.Concat(g.OutBy(e, s.Relation), g.InBy(e, s.Relation))
	case s.Inverse:
		return g.InBy(e, s.Relation)
	default:
		return g.OutBy(e, s.Relation)
	}
}

// sharing are the stems of the words that ask for what things have in common, and
// so for a way there and back.
var sharing = lexicon.Stems("same share also together common other another alongside too costar similar else")

// shares reports whether a question asks for what things have in common.
func (q *question) shares() bool {
	return slices.ContainsFunc(q.tokens, func(t lexicon.Token) bool {
		return slices.Contains(sharing, t.Stem) || t.Lower == "co"
	})
}

package extract

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/wording"
)

// Linker is what finding the meaning of names needs of link.Linker.
type Linker interface {
	// Lookup returns the entities that a name may mean, best first.
	Lookup(ctx context.Context, text string, k int) ([]link.Candidate, error)
}

// maxCandidates is how many meanings are offered for a name.
const maxCandidates = 6

// Proposal is what one name of a document may mean in the graph. It is a
// suggestion: a person decides, and no name is made one with another by force.
type Proposal struct {
	Kind       kg.NameKind `json:"kind"`
	Name       string      `json:"name"`
	Type       string      `json:"type,omitempty"` // what the model says that it is
	Statements int         `json:"statements"`     // how many use it
	Candidates []Candidate `json:"candidates"`     // best first
	// Suggested is the key of what the name means unless a person decides
	// otherwise; empty for something new. Why gives the reason in words.
	Suggested string `json:"suggested"`
	Why       string `json:"why"`
	// Decided says that a person has decided; Existing is then the key of what
	// the name means, empty for something new.
	Decided  bool   `json:"decided"`
	Existing string `json:"existing,omitempty"`
	// Turned says that it means Existing with head and tail exchanged.
	Turned bool `json:"turned,omitempty"`
	// Made is the key of what was made for the name when it was added.
	Made string `json:"made,omitempty"`
}

// Meaning returns the key of what the name means as things stand, and whether it
// is something new; the key is then that of what was made for it, or empty.
func (p *Proposal) Meaning() (key string, isNew bool) {
	switch {
	case p.Decided && p.Existing != "":
		return p.Existing, false
	case p.Decided || p.Suggested == "":
		return p.Made, true
	}
	return p.Suggested, false
}

// Candidate is something in the graph that a name may mean.
type Candidate struct {
	Key    string `json:"key"`
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"` // its types and how much is known of it
	// Distance is 0 for an equal name; lower is closer.
	Distance float64 `json:"distance"`
	Method   string  `json:"method"` // how it was found, in words
	// Turned says that the relation would say the same with head and tail
	// exchanged.
	Turned bool `json:"turned,omitempty"`
}

// NameKey is the same for names that differ in case, accents, white space and
// punctuation only: they share one Proposal.
func NameKey(name string) string { return fold(name) }

// named is a name with its kind; name is its NameKey.
type named struct {
	kind kg.NameKind
	name string
}

// Resolver finds what names may mean in one graph.
type Resolver struct {
	graph   *kg.Graph
	linker  Linker
	lexicon *lexicon.Lexicon
	// relations[k] are the relations whose name is k; meaning[c] those whose name
	// stands for concept c of the lexicon.
	relations map[string][]kg.RelationID
	meaning   map[int][]kg.RelationID
}

// NewResolver returns a Resolver for a graph.
func NewResolver(g *kg.Graph, l Linker, lex *lexicon.Lexicon) *Resolver {
	r := &Resolver{graph: g, linker: l, lexicon: lex, relations: map[string][]kg.RelationID{}, meaning: map[int][]kg.RelationID{}}
	for i := range g.Relations() {
		id := kg.RelationID(i)
		text := relationKey(g.RelationText(id))
		r.relations[text] = append(r.relations[text], id)
		for _, c := range lex.Meanings(words(g.RelationText(id))) {
			r.meaning[c] = append(r.meaning[c], id)
		}
	}
	return r
}

// copulas begin a relation's name and do not tell it from another: "is capital
// of", "was born in".
var copulas = lexicon.WordSet("is was are were be been being has have had the a an")

// relationKey is the same for relation names that differ only in number, tense of
// the first verb, and such little words.
func relationKey(text string) string {
	ws := words(kg.RelationText(strings.ReplaceAll(text, " ", "_")))
	for len(ws) > 1 && copulas[ws[0]] {
		ws = ws[1:]
	}
	for i, w := range ws {
		ws[i] = lexicon.Stem(w)
	}
	return strings.Join(ws, " ")
}

// Propose returns what the names of a document's statements may mean: entities in
// the order of the document, then relations. namings are what was decided.
func (r *Resolver) Propose(ctx context.Context, statements []kg.Statement, namings []kg.Naming) ([]Proposal, error) {
	at := map[named]int{}
	var ps, relations []Proposal
	note := func(list *[]Proposal, kind kg.NameKind, name, entityType string) {
		n := named{kind, NameKey(name)}
		i, ok := at[n]
		if !ok {
			i = len(*list)
			at[n] = i
			*list = append(*list, Proposal{Kind: kind, Name: name, Candidates: []Candidate{}})
		}
		p := &(*list)[i]
		p.Statements++
		p.Type = cmp.Or(p.Type, entityType)
	}
	for i := range statements {
		x := &statements[i]
		if x.State == kg.StatementInvalid || x.State == kg.StatementDeclined {
			continue
		}
		note(&ps, kg.EntityName, x.Head, x.HeadType)
		note(&relations, kg.RelationName, x.Relation, "")
		note(&ps, kg.EntityName, x.Tail, x.TailType)
	}
	decided := map[named]kg.Naming{}
	for _, n := range namings {
		decided[named{n.Kind, n.Name}] = n
	}
	ps = append(ps, relations...)
	for i := range ps {
		p := &ps[i]
		var err error
		if p.Kind == kg.EntityName {
			err = r.entity(ctx, p)
		} else {
			r.relation(p)
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if n, ok := decided[named{p.Kind, NameKey(p.Name)}]; ok {
			p.Decided, p.Existing, p.Turned, p.Made = true, n.Existing, n.Turned, n.Made
		}
	}
	return ps, nil
}

// entity fills in what the name of an entity may mean. It suggests what has the
// very name, as its label or an alias, and is alone in that.
func (r *Resolver) entity(ctx context.Context, p *Proposal) error {
	found, err := r.linker.Lookup(ctx, p.Name, maxCandidates)
	if err != nil {
		return fmt.Errorf("look up %q: %w", p.Name, err)
	}
	var same []Candidate
	for _, f := range found {
		c := Candidate{
			Key: r.graph.Key(f.Entity), Label: r.graph.Label(f.Entity), Detail: r.detail(f.Entity),
			Distance: f.Distance, Method: f.Method.Words(),
		}
		p.Candidates = append(p.Candidates, c)
		if f.Method == link.Exact || f.Method == link.Alias {
			same = append(same, c)
		}
	}
	switch {
	case len(same) == 1:
		p.Suggested, p.Why = same[0].Key, "the only one in the graph with exactly this name"
	case len(same) > 1:
		p.Why = fmt.Sprintf("%d entities in the graph have this name; choose one, or keep it separate", len(same))
	case len(found) > 0:
		p.Why = "nothing in the graph has exactly this name; similar names are offered"
	default:
		p.Why = "nothing in the graph has this or a similar name"
	}
	return nil
}

// detail says what an entity is and how much is known of it.
func (r *Resolver) detail(e kg.EntityID) string {
	const most = 2 // types
	var kinds []string
	types := r.graph.Types(e)
	for _, t := range types[:min(most, len(types))] {
		kinds = append(kinds, r.graph.TypeLabel(t))
	}
	return strings.Join(append(kinds, wording.Count(r.graph.Degree(e), "triple", "triples")), ", ")
}

// relation fills in what the name of a relation may mean. It suggests what has the
// same words. Relations that the lexicon takes for the same are offered only, as
// they are and turned round, since it does not tell "directed by" from "director
// of"; those that it knows to be the inverse are offered turned round.
func (r *Resolver) relation(p *Proposal) {
	same := r.relations[relationKey(p.Name)]
	r.offer(p, same, Candidate{Method: "the same words"})
	for _, c := range r.lexicon.Meanings(words(p.Name)) {
		inverse := r.lexicon.Concepts[c].Inverse
		if inverse >= 0 {
			r.offer(p, r.meaning[inverse], Candidate{Distance: likeMeaning, Method: "the same with its ends swapped", Turned: true})
		}
		r.offer(p, r.meaning[c], Candidate{Distance: likeMeaning, Method: "a similar meaning"})
		if inverse < 0 {
			r.offer(p, r.meaning[c], Candidate{Distance: likeMeaning, Method: "a similar meaning, with its ends swapped", Turned: true})
		}
	}
	switch {
	case len(same) == 1:
		p.Suggested, p.Why = r.graph.RelationKey(same[0]), "the graph has a relation with these words"
	case len(same) > 1:
		p.Why = fmt.Sprintf("%d relations in the graph have these words; choose one, or keep it separate", len(same))
	case len(p.Candidates) > 0:
		p.Why = "no relation in the graph has these words; those with a similar meaning are offered"
	default:
		p.Why = "no relation in the graph has these words"
	}
}

// likeMeaning is the distance at which relations of a like meaning are offered:
// further than equal words, near enough to be looked at.
const likeMeaning = 0.5

// offer adds relations to what a name may mean, with what as says of each. What has
// the same words is not offered a second time.
func (r *Resolver) offer(p *Proposal, relations []kg.RelationID, as Candidate) {
	for _, id := range relations {
		as.Key, as.Label = r.graph.RelationKey(id), r.graph.RelationText(id)
		known := slices.ContainsFunc(p.Candidates, func(c Candidate) bool {
			return c.Key == as.Key && (c.Distance == 0 || c.Turned == as.Turned)
		})
		if !known && len(p.Candidates) < maxCandidates {
			p.Candidates = append(p.Candidates, as)
		}
	}
}

package bench

import (
	"context"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/retrieve/simgrag"
)

// Parameters are the numbers of candidates of a search, with the paper's letters.
type Parameters struct {
	Nodes     int `json:"nodes"`     // k(n)
	Relations int `json:"relations"` // k(r)
	Types     int `json:"types"`     // k(t)
}

// remembered is the vocabulary of one query. It asks another vocabulary once for
// each text, for the most neighbours that are ever needed, and hands out the
// nearest of them: those for a smaller k are the first of those for a larger one.
// So searches with many parameters differ by their matching alone.
type remembered struct {
	v         simgrag.Vocabulary
	most      Parameters
	entities  map[string][]link.Neighbour[kg.EntityID]
	relations map[string][]link.Neighbour[kg.RelationID]
	types     map[string][]link.Neighbour[kg.TypeID]
}

var _ simgrag.Vocabulary = (*remembered)(nil)

func newRemembered(v simgrag.Vocabulary, most Parameters) *remembered {
	return &remembered{
		v: v, most: most,
		entities:  map[string][]link.Neighbour[kg.EntityID]{},
		relations: map[string][]link.Neighbour[kg.RelationID]{},
		types:     map[string][]link.Neighbour[kg.TypeID]{},
	}
}

// EntitiesAll returns the k entities whose names are nearest to each text.
func (r *remembered) EntitiesAll(ctx context.Context, texts []string, k int) ([][]link.Neighbour[kg.EntityID], error) {
	var missing []string
	for _, t := range texts {
		if _, ok := r.entities[t]; !ok {
			missing = append(missing, t)
		}
	}
	if len(missing) > 0 {
		found, err := r.v.EntitiesAll(ctx, missing, max(k, r.most.Nodes))
		if err != nil {
			return nil, err
		}
		for i, t := range missing {
			r.entities[t] = found[i]
		}
	}
	all := make([][]link.Neighbour[kg.EntityID], len(texts))
	for i, t := range texts {
		all[i] = first(r.entities[t], k)
	}
	return all, nil
}

// Relations returns the k relations whose names are nearest to text.
func (r *remembered) Relations(ctx context.Context, text string, k int) ([]link.Neighbour[kg.RelationID], error) {
	return remember(ctx, r.relations, text, k, r.most.Relations, r.v.Relations)
}

// Types returns the k types whose names are nearest to text.
func (r *remembered) Types(ctx context.Context, text string, k int) ([]link.Neighbour[kg.TypeID], error) {
	return remember(ctx, r.types, text, k, r.most.Types, r.v.Types)
}

func remember[ID ~uint32](ctx context.Context, known map[string][]link.Neighbour[ID], text string, k, most int,
	ask func(ctx context.Context, text string, k int) ([]link.Neighbour[ID], error),
) ([]link.Neighbour[ID], error) {
	if _, ok := known[text]; !ok {
		found, err := ask(ctx, text, max(k, most))
		if err != nil {
			return nil, err
		}
		known[text] = found
	}
	return first(known[text], k), nil
}

// first returns the first k of ns, which nobody may append to.
func first[ID ~uint32](ns []link.Neighbour[ID], k int) []link.Neighbour[ID] {
	k = min(k, len(ns))
	return ns[:k:k]
}

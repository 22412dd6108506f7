package link

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/kg"
)

// Vocabulary finds the names of a graph that are nearest to a text by
// embedding. It is immutable and safe for concurrent use.
type Vocabulary struct {
	embedder  embed.Embedder
	entities  *nearest[kg.EntityID]
	relations *nearest[kg.RelationID]
	types     *nearest[kg.TypeID]
}

// nearest finds the owners of the texts that are nearest to a text. Every
// distinct text is embedded once.
type nearest[ID ~uint32] struct {
	index  index.Index
	at     []uint32 // owners[at[t]:at[t+1]] have text t, ascending
	owners []ID
	total  int // distinct owners
}

// batch is how many texts are embedded at a time.
const batch = 512

// NewVocabulary embeds the labels and aliases of the entities, the texts of the
// relations and the labels of the types of g. progress may be nil; it is told
// how many texts are done, in order, on the caller's goroutine.
func NewVocabulary(ctx context.Context, g *kg.Graph, emb embed.Embedder, progress func(done, total int64)) (*Vocabulary, error) {
	entities, relations, types := newTexts[kg.EntityID](), newTexts[kg.RelationID](), newTexts[kg.TypeID]()
	for e := range kg.EntityID(g.Entities()) {
		entities.add(g.Label(e), e)
		for _, alias := range g.Aliases(e) {
			entities.add(alias, e)
		}
	}
	for r := range kg.RelationID(g.Relations()) {
		relations.add(g.RelationText(r), r)
	}
	for t := range kg.TypeID(g.NumTypes()) {
		types.add(g.TypeLabel(t), t)
	}
	total := int64(len(entities.texts) + len(relations.texts) + len(types.texts))
	done := int64(0)
	tell := func(n int) {
		done += int64(n)
		if progress != nil {
			progress(done, total)
		}
	}
	v := &Vocabulary{embedder: emb}
	var err error
	if v.entities, err = newNearest(ctx, emb, entities, tell); err != nil {
		return nil, fmt.Errorf("embed the names of entities: %w", err)
	}
	if v.relations, err = newNearest(ctx, emb, relations, tell); err != nil {
		return nil, fmt.Errorf("embed the names of relations: %w", err)
	}
	if v.types, err = newNearest(ctx, emb, types, tell); err != nil {
		return nil, fmt.Errorf("embed the names of types: %w", err)
	}
	return v, nil
}

// Embedder returns the embedder that the vocabulary was made with.
func (v *Vocabulary) Embedder() embed.Embedder { return v.embedder }

// Entities returns the k entities whose label or alias is nearest to text,
// nearest first, ties by id. An entity appears once, at its nearest name.
func (v *Vocabulary) Entities(ctx context.Context, text string, k int) ([]Neighbour[kg.EntityID], error) {
	return v.entities.find(ctx, v.embedder, text, k)
}

// Relations returns the k relations whose text is nearest to text, nearest
// first, ties by id.
func (v *Vocabulary) Relations(ctx context.Context, text string, k int) ([]Neighbour[kg.RelationID], error) {
	return v.relations.find(ctx, v.embedder, text, k)
}

// Types returns the k types whose label is nearest to text, nearest first, ties
// by id.
func (v *Vocabulary) Types(ctx context.Context, text string, k int) ([]Neighbour[kg.TypeID], error) {
	return v.types.find(ctx, v.embedder, text, k)
}

// texts collects distinct texts and who has them.
type texts[ID ~uint32] struct {
	ids   map[string]uint32
	texts []string
	pairs []textOwner[ID]
}

type textOwner[ID ~uint32] struct {
	text  uint32
	owner ID
}

func newTexts[ID ~uint32]() *texts[ID] {
	return &texts[ID]{ids: map[string]uint32{}}
}

// add notes that owner has the text; owners come in ascending order.
func (t *texts[ID]) add(text string, owner ID) {
	id, ok := t.ids[text]
	if !ok {
		id = uint32(len(t.texts))
		t.ids[text] = id
		t.texts = append(t.texts, text)
	}
	t.pairs = append(t.pairs, textOwner[ID]{id, owner})
}

func newNearest[ID ~uint32](ctx context.Context, emb embed.Embedder, t *texts[ID], tell func(n int)) (*nearest[ID], error) {
	n := &nearest[ID]{at: make([]uint32, len(t.texts)+1), owners: make([]ID, len(t.pairs))}
	for _, p := range t.pairs {
		n.at[p.text+1]++
	}
	for i := 1; i < len(n.at); i++ {
		n.at[i] += n.at[i-1]
	}
	next := slices.Clone(n.at)
	for i, p := range t.pairs {
		n.owners[next[p.text]] = p.owner
		next[p.text]++
		if i == 0 || t.pairs[i-1].owner != p.owner {
			n.total++
		}
	}
	rows := index.Vectors{Dims: emb.Dims(), Rows: make([]float32, 0, len(t.texts)*emb.Dims())}
	for from := 0; from < len(t.texts); from += batch {
		to := min(from+batch, len(t.texts))
		vectors, err := emb.Embed(ctx, embed.Document, t.texts[from:to])
		if err != nil {
			return nil, err
		}
		rows.Rows = append(rows.Rows, index.Pack(emb.Dims(), vectors).Rows...)
		tell(to - from)
	}
	var err error
	n.index, err = index.Build(ctx, rows, index.Options{})
	return n, err
}

// find returns the k nearest owners of texts.
func (n *nearest[ID]) find(ctx context.Context, emb embed.Embedder, text string, k int) ([]Neighbour[ID], error) {
	if k = min(k, n.total); k <= 0 {
		return nil, ctx.Err()
	}
	vectors, err := emb.Embed(ctx, embed.Query, []string{text})
	if err != nil {
		return nil, fmt.Errorf("embed %q: %w", text, err)
	}
	// An owner may have several texts, so that k texts may be too few; and where
	// the k-th distance is shared, all that share it are needed to tell the ties
	// by id.
	for ask := k + 1; ; ask *= 2 {
		hits, err := n.index.Nearest(ctx, vectors[0], ask)
		if err != nil {
			return nil, fmt.Errorf("find the names nearest to %q: %w", text, err)
		}
		found := n.expand(hits)
		if len(hits) < ask || len(found) >= k && found[k-1].Distance < float64(hits[len(hits)-1].Distance) {
			return found[:min(k, len(found))], nil
		}
	}
}

// expand turns hits into owners by (distance, id), each at its nearest text.
func (n *nearest[ID]) expand(hits []index.Hit) []Neighbour[ID] {
	var out []Neighbour[ID]
	seen := make(map[ID]bool, len(hits))
	for from := 0; from < len(hits); {
		to := from
		var tied []ID
		for ; to < len(hits) && hits[to].Distance == hits[from].Distance; to++ {
			t := hits[to].ID
			for _, owner := range n.owners[n.at[t]:n.at[t+1]] {
				if !seen[owner] {
					seen[owner] = true
					tied = append(tied, owner)
				}
			}
		}
		slices.Sort(tied)
		for _, owner := range tied {
			out = append(out, Neighbour[ID]{ID: owner, Distance: float64(hits[from].Distance)})
		}
		from = to
	}
	return out
}

package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/kg"
)

// Vocabulary finds the names of a graph that are nearest to a text by
// embedding. It is immutable and safe for concurrent use.
//
// All its vectors are of one embedder, and texts are embedded by the same one.
// Where that one fails, the vocabulary behind it, if there is one, answers; see
// Watch.
type Vocabulary struct {
	embedder  embed.Embedder
	scale     Calibration
	behind    *Vocabulary // may be nil
	entities  *nearest[kg.EntityID]
	relations *nearest[kg.RelationID]
	types     *nearest[kg.TypeID]
}

// nearest finds the owners of the texts that are nearest to a text. Every
// distinct text is embedded once; one that the embedder has no vector for is not
// in the index, because the zero vector would be nearer to any text than most.
type nearest[ID ~uint32] struct {
	index  index.Index
	rows   []uint32 // rows[r] is the text of the index's row r; nil where it is r
	at     []uint32 // owners[at[t]:at[t+1]] have text t, ascending
	owners []ID
	total  int                           // distinct owners
	named  func(id ID, text string) bool // whether text is a name of id, letter by letter
}

// batch is how many texts are embedded at a time.
const batch = 64

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
	v.entities.named = func(e kg.EntityID, text string) bool {
		return g.Label(e) == text || slices.Contains(g.Aliases(e), text)
	}
	v.relations.named = func(r kg.RelationID, text string) bool { return g.RelationText(r) == text }
	v.types.named = func(t kg.TypeID, text string) bool { return g.TypeLabel(t) == text }
	return v, nil
}

// Behind returns v with its distances on the scale of c, and with other to
// answer where v's embedder fails.
func (v *Vocabulary) Behind(c Calibration, other *Vocabulary) *Vocabulary {
	w := *v
	w.scale, w.behind = c, other
	return &w
}

// Embedder returns the embedder that the vocabulary was made with.
func (v *Vocabulary) Embedder() embed.Embedder { return v.embedder }

// Entities returns the k entities whose label or alias is nearest to text,
// nearest first, ties by id. An entity appears once, at its nearest name. A text
// that the embedder has no vector for has no neighbours.
func (v *Vocabulary) Entities(ctx context.Context, text string, k int) ([]Neighbour[kg.EntityID], error) {
	v, query, err := v.embed(ctx, text)
	if err != nil {
		return nil, err
	}
	return v.entities.find(ctx, query, text, k, v.scale.Names)
}

// EntitiesAll returns what Entities returns of each of the texts, in their order.
func (v *Vocabulary) EntitiesAll(ctx context.Context, texts []string, k int) ([][]Neighbour[kg.EntityID], error) {
	all := make([][]Neighbour[kg.EntityID], len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = v.Entities(ctx, text, k); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Relations returns the k relations whose text is nearest to text, nearest
// first, ties by id.
func (v *Vocabulary) Relations(ctx context.Context, text string, k int) ([]Neighbour[kg.RelationID], error) {
	v, query, err := v.embed(ctx, text)
	if err != nil {
		return nil, err
	}
	return v.relations.find(ctx, query, text, k, v.scale.Phrases)
}

// Types returns the k types whose label is nearest to text, nearest first, ties
// by id.
func (v *Vocabulary) Types(ctx context.Context, text string, k int) ([]Neighbour[kg.TypeID], error) {
	v, query, err := v.embed(ctx, text)
	if err != nil {
		return nil, err
	}
	return v.types.find(ctx, query, text, k, v.scale.Phrases)
}

// embed returns the vector of a text and the vocabulary to look it up in, which
// is the one behind v where v's embedder fails or has failed this question.
func (v *Vocabulary) embed(ctx context.Context, text string) (*Vocabulary, []float32, error) {
	watch := watchOf(ctx)
	watch.looked()
	if v.behind != nil && watch.Err() != nil {
		v = v.behind
	}
	vectors, err := v.embedder.Embed(ctx, embed.Query, []string{text})
	if err != nil && v.behind != nil && ctx.Err() == nil {
		watch.failed(err)
		v = v.behind
		vectors, err = v.embedder.Embed(ctx, embed.Query, []string{text})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("embed %q: %w", text, err)
	}
	return v, vectors[0], nil
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
		for i, v := range vectors {
			n.addRow(&rows, v, from+i)
		}
		tell(to - from)
	}
	var err error
	n.index, err = index.Build(ctx, rows, index.Options{})
	return n, err
}

// addRow adds the vector of a text, unless it has none.
func (n *nearest[ID]) addRow(rows *index.Vectors, v []float32, text int) {
	switch {
	case blank(v):
		if n.rows == nil { // so far, every row was its own text
			n.rows = make([]uint32, text, len(n.at)-1)
			for i := range n.rows {
				n.rows[i] = uint32(i)
			}
		}
		return
	case n.rows != nil:
		n.rows = append(n.rows, uint32(text))
	}
	if len(v) != rows.Dims {
		panic(badDims)
	}
	rows.Rows = append(rows.Rows, v...)
}

const badDims = "link: an embedder's vector has another length than it says"

// find returns the k nearest owners of texts.
func (n *nearest[ID]) find(ctx context.Context, query []float32, text string, k int, scale Scale) ([]Neighbour[ID], error) {
	if k = min(k, n.total); k <= 0 || blank(query) {
		return nil, ctx.Err()
	}
	// An owner may have several texts, so that k texts may be too few; and where
	// the k-th distance is shared, all that share it are needed to tell the ties
	// by id.
	for ask := k + 1; ; ask *= 2 {
		hits, err := n.index.Nearest(ctx, query, ask)
		if err != nil {
			return nil, fmt.Errorf("find the names nearest to %q: %w", text, err)
		}
		found := n.expand(hits)
		if len(hits) < ask || len(found) >= k && found[k-1].Distance < float64(hits[len(hits)-1].Distance) {
			return n.scaled(found[:min(k, len(found))], text, scale), nil
		}
	}
}

// scaled brings distances to the scale. A name that is the text itself is at
// distance 0, also with embedders that embed questions and names differently.
func (n *nearest[ID]) scaled(found []Neighbour[ID], text string, scale Scale) []Neighbour[ID] {
	if len(scale) == 0 {
		return found
	}
	for i, f := range found {
		if found[i].Distance = scale.Of(f.Distance); n.named(f.ID, text) {
			found[i].Distance = 0
		}
	}
	slices.SortFunc(found, func(a, b Neighbour[ID]) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	return found
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
			if n.rows != nil {
				t = n.rows[t]
			}
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

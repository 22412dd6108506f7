package link

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/internal/guard"
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

// NewVocabulary embeds the labels and aliases of the entities, the texts of the
// relations and the labels of the types of g. progress may be nil; it is told
// how many texts are done, in order, on the caller's goroutine.
func NewVocabulary(ctx context.Context, g *kg.Graph, emb embed.Embedder, progress func(done, total int64)) (*Vocabulary, error) {
	b := newVocabularyBuilder(g, emb, progress)
	entities, err := entityTexts(ctx, g)
	if err != nil {
		return nil, err
	}
	b.total += int64(entities.size())
	n, err := newNearest(ctx, emb, entities, b.tell)
	if err != nil {
		return nil, fmt.Errorf("embed the names of entities: %w", err)
	}
	return b.finish(ctx, n)
}

// vocabularyBuilder makes a vocabulary and tells how far it has come.
type vocabularyBuilder struct {
	g           *kg.Graph
	v           *Vocabulary
	relations   *tableBuilder[kg.RelationID]
	types       *tableBuilder[kg.TypeID]
	progress    func(done, total int64) // may be nil
	done, total int64                   // texts
}

func newVocabularyBuilder(g *kg.Graph, emb embed.Embedder, progress func(done, total int64)) *vocabularyBuilder {
	b := &vocabularyBuilder{
		g: g, v: &Vocabulary{embedder: emb}, progress: progress,
		relations: newTableBuilder[kg.RelationID](g.Relations(), labelBytes*g.Relations(), g.Relations()), types: newTableBuilder[kg.TypeID](g.NumTypes(), labelBytes*g.NumTypes(), g.NumTypes()),
	}
	for r := range kg.RelationID(g.Relations()) {
		b.relations.putString(g.RelationText(r), r)
	}
	for t := range kg.TypeID(g.NumTypes()) {
		b.types.putString(g.TypeLabel(t), t)
	}
	b.total = int64(b.relations.size() + b.types.size())
	return b
}

// labelBytes is about how long a name is.
const labelBytes = 16

// entityTexts collects the labels and aliases of the entities. The only error is
// the context's.
func entityTexts(ctx context.Context, g *kg.Graph) (*tableBuilder[kg.EntityID], error) {
	entities := newTableBuilder[kg.EntityID](g.Entities(), labelBytes*g.Entities(), g.Entities())
	declares := declarations(g)
	for e := range kg.EntityID(g.Entities()) {
		if e%namesPiece == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.Gone(e) || declares(e) {
			continue
		}
		entities.putString(g.Label(e), e)
		for _, alias := range g.Aliases(e) {
			entities.putString(alias, e)
		}
	}
	return entities, nil
}

func (b *vocabularyBuilder) tell(n int) {
	b.done += int64(n)
	if b.progress != nil {
		b.progress(b.done, b.total)
	}
}

// finish embeds the names of the relations and types beside those of the entities.
func (b *vocabularyBuilder) finish(ctx context.Context, entities *nearest[kg.EntityID]) (*Vocabulary, error) {
	v, g := b.v, b.g
	var err error
	if v.relations, err = newNearest(ctx, v.embedder, b.relations, b.tell); err != nil {
		return nil, fmt.Errorf("embed the names of relations: %w", err)
	}
	if v.types, err = newNearest(ctx, v.embedder, b.types, b.tell); err != nil {
		return nil, fmt.Errorf("embed the names of types: %w", err)
	}
	v.entities = entities
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
	return one(v.EntitiesAll(ctx, []string{text}, k))
}

// EntitiesAll returns what Entities returns of each of the texts, in their order.
// It reads the vectors once for all of them.
func (v *Vocabulary) EntitiesAll(ctx context.Context, texts []string, k int) ([][]Neighbour[kg.EntityID], error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	v, queries, err := v.embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	return v.entities.find(ctx, queries, texts, k, v.scale.Names)
}

// Relations returns the k relations whose text is nearest to text, nearest
// first, ties by id.
func (v *Vocabulary) Relations(ctx context.Context, text string, k int) ([]Neighbour[kg.RelationID], error) {
	v, queries, err := v.embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return one(v.relations.find(ctx, queries, []string{text}, k, v.scale.Phrases))
}

// Types returns the k types whose label is nearest to text, nearest first, ties
// by id.
func (v *Vocabulary) Types(ctx context.Context, text string, k int) ([]Neighbour[kg.TypeID], error) {
	v, queries, err := v.embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return one(v.types.find(ctx, queries, []string{text}, k, v.scale.Phrases))
}

// one returns the only one of the results.
func one[ID any](all [][]Neighbour[ID], err error) ([]Neighbour[ID], error) {
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// embed returns the vectors of texts and the vocabulary to look them up in, which
// is the one behind v where v's embedder fails or has failed this question.
func (v *Vocabulary) embed(ctx context.Context, texts []string) (*Vocabulary, [][]float32, error) {
	watch := watchOf(ctx)
	watch.looked(len(texts))
	if v.behind != nil && watch.Err() != nil {
		v = v.behind
	}
	vectors, err := v.embedder.Embed(ctx, embed.Query, texts)
	if err != nil && v.behind != nil && ctx.Err() == nil {
		watch.failed(err)
		v = v.behind
		vectors, err = v.embedder.Embed(ctx, embed.Query, texts)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("embed %q: %w", strings.Join(texts, ", "), err)
	}
	return v, vectors, nil
}

const (
	// batch is how many texts are embedded at a time.
	batch = 64
	// parallelBatch is how many, where several goroutines embed: some 3 ms of the
	// built-in embedder.
	parallelBatch = 1024
)

// embedAll embeds texts a batch at a time and gives put the vectors, in order, on
// the caller's goroutine. An embedder that can is used on all processors.
func embedAll(ctx context.Context, emb embed.Embedder, texts *dictionary, put func(from int, vectors [][]float32) error) error {
	from := 0
	next := func(vectors [][]float32) error {
		if err := put(from, vectors); err != nil {
			return err
		}
		from += len(vectors)
		return nil
	}
	if _, ok := emb.(embed.Parallel); ok {
		return guard.InOrder(ctx, runtime.GOMAXPROCS(0), texts.size(), parallelBatch, func(ctx context.Context, _, from, to int) ([][]float32, error) {
			return emb.Embed(ctx, embed.Document, texts.between(from, to))
		}, next)
	}
	for from < texts.size() {
		vectors, err := emb.Embed(ctx, embed.Document, texts.between(from, min(from+batch, texts.size())))
		if err != nil {
			return err
		}
		if err := next(vectors); err != nil {
			return err
		}
	}
	return nil
}

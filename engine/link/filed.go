package link

import (
	"context"
	"errors"
	"fmt"
	"os"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
	"cairn/engine/kg"
)

// filedFrom is the number of entities from which the vectors of their names are
// kept in a file that is read where it lies. It is a variable for tests.
var filedFrom = 300_000

// namesFormat is part of the tag of the files: raise it with any change to which
// names an entity has, or to what the files hold.
const namesFormat = 2

// OpenVocabulary is NewVocabulary for a graph whose version kept names. Where the
// graph is large, the vectors of the names of entities are made once and kept in
// its folder, half a kilobyte a name with the built-in embedder; they are then
// read where they lie. Files of another state of the graph or another embedder,
// damaged ones and half of a pair are made anew.
//
//	names-….vectors   the vectors of the distinct names, as index.Scan keeps them
//	names-….owners    who has each of them
//	names-….links     which are near each other; only where IndexNames made it
//
// A vocabulary in a folder that cannot be written is made in memory where it fits.
func OpenVocabulary(ctx context.Context, g *kg.Graph, emb embed.Embedder, kept arrays.Folder, progress func(done, total int64)) (*Vocabulary, error) {
	if kept.Nowhere() || g.Entities() < filedFrom {
		return NewVocabulary(ctx, g, emb, progress)
	}
	f := filed{
		vectors: kept.Path("names", emb.ID(), "vectors"), owners: kept.Path("names", emb.ID(), "owners"),
		links: kept.Path("names", emb.ID(), "links"),
		tag:   fmt.Sprintf("names %d of %s by %s", namesFormat, kept.Version, emb.ID()), dims: emb.Dims(),
	}
	b := newVocabularyBuilder(g, emb, progress)
	entities, err := f.open(g.Entities())
	if err == nil {
		return b.finish(ctx, entities)
	}
	if err := beside.Make(kept.Dir); err != nil {
		return inMemory(ctx, g, emb, err, progress)
	}
	kept.Prune("names")
	if progress != nil {
		progress(0, int64(g.Entities()))
	}
	t, err := entityTexts(ctx, g)
	if err != nil {
		return nil, err
	}
	b.total += int64(t.size())
	err = f.write(ctx, emb, t, b.tell)
	var cannot *os.PathError
	switch {
	case errors.As(err, &cannot) && ctx.Err() == nil:
		return inMemory(ctx, g, emb, err, progress)
	case err != nil:
		return nil, fmt.Errorf("embed the names of entities: %w", err)
	}
	if entities, err = f.open(g.Entities()); err != nil {
		return nil, fmt.Errorf("open the vectors of the names of entities: %w", err)
	}
	return b.finish(ctx, entities)
}

// mostInMemory is how many bytes the vectors of names may take that cannot be kept
// in a file.
const mostInMemory = 4 << 30

// inMemory is NewVocabulary where vectors cannot be kept because of why.
func inMemory(ctx context.Context, g *kg.Graph, emb embed.Embedder, why error, progress func(done, total int64)) (*Vocabulary, error) {
	if need := int64(g.Entities()) * int64(emb.Dims()) * 4; need > mostInMemory {
		return nil, fmt.Errorf("save the vectors of %d names: %w; make the folder next to the graph writable, with %d GB free", g.Entities(), why, need>>31+1)
	}
	return NewVocabulary(ctx, g, emb, progress)
}

// filed are the names of entities in files.
type filed struct {
	vectors, owners, links string // paths
	tag                    string
	dims                   int
}

// errOwners is returned for owners that do not go with the vectors or the graph.
var errOwners = fmt.Errorf("%w: it does not match the graph", arrays.ErrDamaged)

// open opens the files, where both are sound and of one making.
func (f filed) open(entities int) (*nearest[kg.EntityID], error) {
	n := &nearest[kg.EntityID]{}
	err := arrays.Open(f.owners, f.tag, func(sections [][]byte) error {
		if err := arrays.Set(sections, n.views()); err != nil {
			return err
		}
		scan, err := index.OpenScan(f.vectors, f.tag)
		if err != nil {
			return err
		}
		if scan.Dims() != f.dims || !n.sound(scan.Len(), entities) {
			return errOwners
		}
		n.index, n.filed = scan, &f
		if near, err := index.OpenNear(f.links, f.tag, scan); err == nil {
			n.index = index.NewMixed(near, scan) // without the file, or with a bad one, all is scanned
		}
		n.scan = scan
		n.count()
		return nil
	})
	return n, err
}

func (n *nearest[ID]) views() []arrays.View {
	return []arrays.View{arrays.ViewOf(&n.at), arrays.ViewOf(&n.owners), arrays.ViewOf(&n.rows)}
}

// sound reports whether every number of n is within bounds.
func (n *nearest[ID]) sound(rows, ids int) bool {
	texts := len(n.at) - 1
	if texts < 0 || n.at[0] != 0 || int(n.at[texts]) != len(n.owners) {
		return false
	}
	for t := range texts {
		if n.at[t] >= n.at[t+1] { // every text has an owner
			return false
		}
	}
	for _, o := range n.owners {
		if int(o) >= ids {
			return false
		}
	}
	if n.rows == nil {
		return rows == texts || rows == 0
	}
	for _, t := range n.rows {
		if int(t) >= texts {
			return false
		}
	}
	return rows == len(n.rows)
}

// write makes the files, each whole or not at all, the owners last: without them
// the vectors are nothing.
func (f filed) write(ctx context.Context, emb embed.Embedder, t *tableBuilder[kg.EntityID], tell func(n int)) error {
	w, err := index.CreateScan(f.vectors, f.dims, f.tag)
	if err != nil {
		return err
	}
	n := &nearest[kg.EntityID]{}
	n.at, n.owners = grouped(t.pairs, t.size())
	var rows []float32 // of one batch
	err = embedAll(ctx, emb, &t.dictionary, func(from int, vectors [][]float32) error {
		rows = rows[:0]
		for i, v := range vectors {
			if n.hasRow(v, f.dims, from+i) {
				rows = append(rows, v...)
			}
		}
		if err := w.Add(ctx, rows); err != nil {
			return err
		}
		tell(len(vectors))
		return nil
	})
	if err != nil {
		w.Abort()
		return err
	}
	if err := w.Close(ctx); err != nil {
		return err
	}
	return arrays.Write(f.owners, f.tag, arrays.Sections(n.views())...)
}

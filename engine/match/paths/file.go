package paths

import (
	"context"
	"fmt"

	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
)

// The file of an index:
//
//	counts  entities, triples, dims and paths of each length, 0 where there are none
//	notes   one line each
//	order   the entity of each rank
//	signs   by rank
//	weights  of a Weighted signature
//	paths, low, high, tops  of each of the three trees
const (
	fileFormat = "paths 1 "
	sections   = 5 + 3*4
)

// tag names what an index is made from.
func tag(version string, s Signature) string { return fileFormat + s.Name() + " " + version }

// Write keeps the index at path, whole or not at all, as made from that version of its
// graph.
func (x *Index) Write(ctx context.Context, path, version string) error {
	w, err := arrays.Create(path, tag(version, x.sign), sections)
	if err != nil {
		return fmt.Errorf("write path index: %w", err)
	}
	defer w.Abort()
	var weights []uint32
	if s, ok := x.sign.(Weighted); ok {
		weights = s.Weights()
	}
	all := [][]byte{arrays.Bytes(x.counts()), []byte(x.note), arrays.Bytes(x.order), x.signs, arrays.Bytes(weights)}
	for i := range x.trees {
		t := &x.trees[i]
		all = append(all, arrays.Bytes(t.paths), arrays.Bytes(t.low), arrays.Bytes(t.high), t.tops)
	}
	if err = w.Put(ctx, all...); err == nil {
		err = w.Finish()
	}
	if err != nil {
		return fmt.Errorf("write path index: %w", err)
	}
	return nil
}

// counts are what must be as the graph has it.
func (x *Index) counts() []uint32 {
	return []uint32{
		uint32(x.graph.Entities()), uint32(x.graph.Triples()), uint32(x.dims),
		uint32(len(x.trees[0].paths)), uint32(len(x.trees[1].paths)), uint32(len(x.trees[2].paths)),
	}
}

// Open reads the index at path, which was made from that version of the graph, with that
// signature; the weights of a Weighted one are the file's. The file stays where it is,
// and mapped for as long as the program runs: one that replaces it has another name
// (arrays.Folder). The error is errStale or ErrDamaged where it is to be built again, or
// one of the file system.
func Open(path, version string, g *kg.Graph, s Signature) (*Index, error) {
	x := &Index{graph: g, sign: s, dims: s.Dims()}
	if err := arrays.Open(path, tag(version, s), x.read); err != nil {
		return nil, fmt.Errorf("path index in %s; remove it and build it again: %w", path, err)
	}
	return x, nil
}

// read takes the sections of a file, and refuses numbers that lead outside of it.
func (x *Index) read(parts [][]byte) error {
	if len(parts) != sections {
		return fmt.Errorf("%w: it has %d sections, not %d", ErrDamaged, len(parts), sections)
	}
	counts, err := arrays.Of[uint32](parts[0])
	if err == nil {
		x.note = string(parts[1])
		x.order, err = arrays.Of[uint32](parts[2])
	}
	if err != nil {
		return err
	}
	x.signs = parts[3]
	if s, ok := x.sign.(Weighted); ok {
		w, err := arrays.Of[uint32](parts[4])
		if err != nil {
			return err
		}
		if x.sign, err = s.WithWeights(w); err != nil {
			return err
		}
	}
	for i := range x.trees {
		t := &x.trees[i]
		t.length = i
		if err := t.read(x, parts[5+4*i:]); err != nil {
			return err
		}
	}
	if have := x.counts(); fmt.Sprint(counts) != fmt.Sprint(have) || len(x.order) != int(have[0]) || len(x.signs) != len(x.order)*x.dims {
		return fmt.Errorf("%w: it counts %v, not %v", errStale, counts, have)
	}
	return x.invert()
}

func (t *tree) read(x *Index, parts [][]byte) (err error) {
	for i, into := range []*[]path{&t.paths, &t.low, &t.high} {
		if *into, err = arrays.Of[path](parts[i]); err != nil {
			return err
		}
	}
	t.tops, t.levels = parts[3], levelsOf(len(t.paths))
	nodes := t.levels[len(t.levels)-1]
	if len(t.low) != nodes || len(t.high) != nodes || len(t.tops) != nodes*t.width(x) {
		return fmt.Errorf("%w: a tree has other nodes than its paths need", ErrDamaged)
	}
	for _, p := range t.paths {
		if max(p[0], p[1], p[2]) >= uint32(len(x.order)) {
			return fmt.Errorf("%w: a path leads outside the graph", ErrDamaged)
		}
	}
	return nil
}

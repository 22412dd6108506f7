// Package export writes a graph, or a selection of it, in formats that other programs
// read, and Cairn too.
//
//	Formats    what can be written
//	Selection  the part that is written: triples, and the entities that they join
//	Write      writes it, streaming
//
// What a format cannot hold is counted and told; nothing is dropped in silence.
package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// Format is one form that a graph can be written in.
type Format struct {
	ID     string // on the command line
	Title  string
	Ending string // of its file
	// Pair says that it is two files, of nodes and of edges: see PairNames.
	Pair bool

	sink func(*writing) sink
}

// Formats returns all formats, the one that keeps most first.
func Formats() []Format {
	return []Format{
		{ID: "nquads", Title: "N-Quads", Ending: ".nq", sink: newQuads},
		{ID: "turtle", Title: "Turtle", Ending: ".ttl", sink: newTurtle},
		{ID: "graphml", Title: "GraphML", Ending: ".graphml", sink: newGraphML},
		{ID: "csv", Title: "CSV for spreadsheets and Neo4j", Ending: ".csv", Pair: true, sink: newCSV},
		{ID: "kgx", Title: "KGX", Ending: ".tsv", Pair: true, sink: newKGX},
	}
}

// ByEnding returns the format whose files have the ending of a name.
func ByEnding(name string) (Format, bool) {
	all := Formats()
	at := slices.IndexFunc(all, func(f Format) bool { return strings.HasSuffix(strings.ToLower(name), f.Ending) })
	if at < 0 {
		return Format{}, false
	}
	return all[at], true
}

// Files returns the files that a format writes for a name: graph_nodes.csv and
// graph_edges.csv for graph.csv, and the name itself for one that is no pair.
func (f Format) Files(name string) []string {
	if !f.Pair {
		return []string{name}
	}
	stem := name
	if strings.HasSuffix(strings.ToLower(name), f.Ending) {
		stem = name[:len(name)-len(f.Ending)]
	}
	return []string{stem + "_nodes" + f.Ending, stem + "_edges" + f.Ending}
}

// Graph is what is written from: the snapshot of a store, as it is.
type Graph struct {
	*kg.Graph
	Store *kg.Store
}

// Report says what was written.
type Report struct {
	Entities   int64 `json:"entities"`
	Triples    int64 `json:"triples"`
	Statements int64 `json:"statements"` // that say more than their triples
	// LeftOut are sentences about what the format cannot hold.
	LeftOut []string `json:"left_out,omitempty"`
}

// sink is one format being written: entities first, ascending, then what is said of
// triples, ascending. An error of writing stays in the writers of the files, which are
// asked for it.
type sink interface {
	begin()
	entity(e kg.EntityID, x *kg.Entity)
	// say writes what a source says of a triple.
	say(t kg.Triple, x *kg.Saying)
	end()
}

// writing is one export under way.
type writing struct {
	g         Graph
	only      *Selection
	out       []*bufio.Writer
	relations []kg.Named
	types     []kg.Named
	report    Report
	left      map[string]int64     // what was left out, and how often
	extra     map[kg.EntityID]bool // that name relations and types of what is written
}

// leave counts something that the format cannot hold.
func (w *writing) leave(what string) { w.left[what]++ }

// Write writes what only selects of a graph, all of it for nil, to as many writers as
// the format has files. progress, which may be nil, is told how far it has come.
func Write(ctx context.Context, g Graph, f Format, only *Selection, progress func(done, total int64), to ...io.Writer) (Report, error) {
	w := &writing{g: g, only: only, left: map[string]int64{}, extra: map[kg.EntityID]bool{}}
	for _, t := range to {
		w.out = append(w.out, bufio.NewWriterSize(t, 1<<16))
	}
	if err := w.run(ctx, f, progress); err != nil {
		return Report{}, err
	}
	for _, o := range w.out {
		if err := o.Flush(); err != nil {
			return Report{}, err
		}
	}
	for what, n := range w.left {
		w.report.LeftOut = append(w.report.LeftOut, fmt.Sprintf("%s cannot hold %s: %d left out", f.Title, what, n))
	}
	slices.Sort(w.report.LeftOut)
	return w.report, nil
}

// block is how many entities or triples are read at once.
const block = 4096

func (w *writing) run(ctx context.Context, f Format, progress func(done, total int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	var err error
	if w.relations, w.types, err = w.g.Store.Vocabulary(ctx); err != nil {
		return err
	}
	w.nameVocabulary()
	out := f.sink(w)
	out.begin()
	entities, triples := int64(w.g.Entities()), int64(w.g.Triples())
	for lo := int64(0); lo < entities; lo += block {
		progress(lo, entities+triples)
		if err := w.entities(ctx, out, lo, min(lo+block, entities)); err != nil {
			return err
		}
	}
	for lo := int64(0); lo < triples; lo += block {
		progress(entities+lo, entities+triples)
		if err := w.triples(ctx, out, lo, min(lo+block, triples)); err != nil {
			return err
		}
	}
	progress(entities+triples, entities+triples)
	out.end()
	return nil
}

// failed returns the error of writing, if there was one, or the context's.
func (w *writing) failed(ctx context.Context) error {
	err := ctx.Err()
	for _, o := range w.out {
		_, failed := o.Write(nil)
		err = cmp.Or(failed, err)
	}
	return err
}

// nameVocabulary adds the entities that name what a selection uses.
func (w *writing) nameVocabulary() {
	if w.only == nil {
		return
	}
	used := make([]bool, w.g.Relations())
	for t := range w.only.triples.all() {
		used[w.g.Triple(kg.TripleID(t)).Relation] = true
	}
	for r, yes := range used {
		if e := w.relations[r].Entity; yes && e != kg.NoEntity {
			w.extra[e] = true
		}
	}
	for e := range w.only.entities.all() {
		for _, k := range w.g.Types(kg.EntityID(e)) {
			if e := w.types[k].Entity; e != kg.NoEntity {
				w.extra[e] = true
			}
		}
	}
}

func (w *writing) wants(e kg.EntityID) bool {
	return !w.g.Gone(e) && (w.only == nil || w.only.entities.has(uint32(e)) || w.extra[e])
}

func (w *writing) wantsTriple(t kg.TripleID) bool {
	return !w.g.Off(t) && (w.only == nil || w.only.triples.has(uint32(t)))
}

func (w *writing) entities(ctx context.Context, out sink, lo, hi int64) error {
	wanted := false
	for e := lo; e < hi && !wanted; e++ {
		wanted = w.wants(kg.EntityID(e))
	}
	if !wanted {
		return ctx.Err()
	}
	all, err := w.g.Store.Entities(ctx, kg.EntityID(lo), kg.EntityID(hi))
	if err != nil {
		return err
	}
	for i := range all {
		if e := kg.EntityID(lo) + kg.EntityID(i); w.wants(e) && !all[i].Literal {
			w.report.Entities++
			out.entity(e, &all[i])
		}
	}
	return w.failed(ctx)
}

func (w *writing) triples(ctx context.Context, out sink, lo, hi int64) error {
	wanted := false
	for t := lo; t < hi && !wanted; t++ {
		wanted = w.wantsTriple(kg.TripleID(t))
	}
	if !wanted {
		return ctx.Err()
	}
	all, err := w.g.Store.Sayings(ctx, w.g.Graph, kg.TripleID(lo), kg.TripleID(hi))
	if err != nil {
		return err
	}
	last := kg.NoTriple
	for i := range all {
		x := &all[i]
		if !w.wantsTriple(x.Triple) {
			continue
		}
		if x.Triple != last {
			last = x.Triple
			w.report.Triples++
		}
		if len(x.Properties) > 0 {
			w.report.Statements++
		}
		out.say(w.g.Triple(x.Triple), x)
	}
	return w.failed(ctx)
}

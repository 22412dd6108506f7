package kg

import (
	"fmt"
	"slices"

	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
)

// A snapshot is the Graph's own arrays in a file of package arrays, so that a reader
// may use them where they lie, mapped rather than read. All of it is checked before it
// is used: the checksums, then that every offset and id stays within bounds. A file
// that fails is made anew.

// snapshotFormat is raised when the parts change, and when what is derived for them
// does, such as the texts of relations.
const snapshotFormat = 10

// CacheFolder returns the folder beside the file that holds what can be made
// anew at any time.
func (s *Store) CacheFolder() string { return beside.Folder(s.path) }

// snapshots is where the snapshots of a version are.
func (s *Store) snapshots(version string) arrays.Folder {
	return arrays.Folder{Dir: s.CacheFolder(), Version: version}
}

// snapshotKind begins the names of snapshots.
const snapshotKind = "graph"

// snapshotTag is the tag of the snapshot of a version, and what its name says.
func snapshotTag(version string) string { return fmt.Sprintf("graph %d %s", snapshotFormat, version) }

// words are the names of relations, types and properties as a snapshot holds them.
type words struct{ relationKeys, relationTexts, typeLabels, propertyNames, propertyTexts texts }

func (g *Graph) words() *words {
	return &words{textsOf(g.relationKeys), textsOf(g.relationTexts), textsOf(g.typeLabels), textsOf(g.said.names), textsOf(g.said.texts)}
}

// The parts of a snapshot in the order of the file. Reading and writing walk the
// same lists, so they cannot disagree.

func (g *Graph) parts(w *words) []part {
	var list []part
	for _, of := range [][]part{w.parts(), g.nameParts(), g.typeParts(), g.statementParts(), g.edgeParts()} {
		list = append(list, of...)
	}
	return list
}

func (w *words) all() []*texts {
	return []*texts{&w.relationKeys, &w.relationTexts, &w.typeLabels, &w.propertyNames, &w.propertyTexts}
}

func (w *words) parts() []part {
	return textParts(w.all()...)
}

func (g *Graph) nameParts() []part {
	return append(textParts(&g.keys, &g.labels, &g.aliases), offsets(&g.aliasAt), array(&g.literal, nil))
}

func (g *Graph) typeParts() []part {
	return []part{
		offsets(&g.typeAt),
		array(&g.types, func(lo, hi int) bool { return below(g.types[lo:hi], len(g.typeLabels)) }),
		offsets(&g.ofTypeAt),
		array(&g.ofType, func(lo, hi int) bool { return below(g.ofType[lo:hi], g.Entities()) }),
	}
}

func (g *Graph) edgeParts() []part {
	list := []part{array(&g.triples, g.soundTriples), array(&g.extracted, nil), array(&g.off, nil), array(&g.gone, nil), array(&g.symmetric, nil)}
	for _, a := range []*adjacency{&g.out, &g.in} {
		list = append(
			list,
			array(&a.at, func(lo, hi int) bool { return slices.IsSorted(a.at[max(lo-1, 0):hi]) && a.hubsAreThere(lo, hi) }),
			array(&a.edges, func(lo, hi int) bool { return g.soundEdges(a.edges[lo:hi]) }),
			array(&a.hubs, func(lo, hi int) bool { return a.soundHubs(lo, hi, g.Relations()) }),
			offsets(&a.runsAt),
			array(&a.runs, nil), // looked at with the hubs
			offsets(&a.havingAt),
			array(&a.having, func(lo, hi int) bool { return below(a.having[lo:hi], g.Entities()) }),
		)
	}
	return list
}

func textParts(list ...*texts) []part {
	var parts []part
	for _, t := range list {
		parts = append(parts, offsets(&t.at), array(&t.bytes, nil))
	}
	return parts
}

// part is an array of a snapshot.
type part struct {
	arrays.View
	// sound reports whether the elements from lo to hi lie within bounds, whatever
	// the other arrays hold; nil for elements that may be anything.
	sound func(lo, hi int) bool
}

func array[T any](p *[]T, sound func(lo, hi int) bool) part { return part{arrays.ViewOf(p), sound} }

// offsets views a slice of numbers of which none is smaller than the one before.
func offsets[N uint32 | uint64](p *[]N) part {
	return array(p, func(lo, hi int) bool { return slices.IsSorted((*p)[max(lo-1, 0):hi]) })
}

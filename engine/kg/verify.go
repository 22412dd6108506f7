package kg

import (
	"context"
	"errors"
	"fmt"

	"cairn/engine/internal/arrays"
	"cairn/engine/internal/mapped"
)

// openSnapshot opens the snapshot at path if it is sound and of version. A large
// one is mapped, for good: what the Graph hands out may outlive it.
func openSnapshot(ctx context.Context, path, version string) (*Graph, error) {
	f, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	g, err := parseSnapshot(ctx, f.Bytes(), version)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Questions go over the edges and the types, and name no more than answers.
	for _, p := range append(g.nameParts(), array(&g.triples, nil)) {
		f.ForgetPart(p.Bytes())
	}
	if f.Mapped() {
		g.version = version
	}
	return g, nil
}

// parseSnapshot makes a Graph of the content of a snapshot, and leaves it where
// it lies.
func parseSnapshot(ctx context.Context, b []byte, version string) (*Graph, error) {
	var g Graph
	var w words
	parts := g.parts(&w)
	f, err := arrays.Parse(b, snapshotTag(version))
	if err != nil {
		return nil, err
	}
	if len(f.Sections) != len(parts) {
		return nil, fmt.Errorf("%w: it has %d sections, not %d", arrays.ErrDamaged, len(f.Sections), len(parts))
	}
	for i, p := range parts {
		if err := p.Set(f.Sections[i]); err != nil {
			return nil, err
		}
	}
	sound := func(i, lo, hi int) bool {
		p := &parts[i]
		return p.sound == nil || p.sound(lo/p.Size, hi/p.Size)
	}
	// The names of relations, types and properties come first: the others refer to them.
	inFront := len(w.parts())
	if err := f.Verify(ctx, 0, inFront, sound); err != nil {
		return nil, err
	}
	for _, t := range w.all() {
		if !t.ends() {
			return nil, fmt.Errorf("%w: a name lies outside it", arrays.ErrDamaged)
		}
	}
	g.relationKeys, g.relationTexts, g.typeLabels = w.relationKeys.list(), w.relationTexts.list(), w.typeLabels.list()
	g.said.names, g.said.texts = w.propertyNames.list(), w.propertyTexts.list()
	if !g.fits() {
		return nil, fmt.Errorf("%w: its sections do not fit together", arrays.ErrDamaged)
	}
	for r, key := range g.relationKeys {
		g.nameRelation(key, g.relationTexts[r])
	}
	if err := f.Verify(ctx, inFront, len(parts), sound); err != nil {
		return nil, err
	}
	return &g, nil
}

// fits reports whether the lengths of g's arrays agree with each other and with
// the offsets at their ends.
func (g *Graph) fits() bool {
	n, t, r, k := g.labels.size(), len(g.triples), len(g.relationKeys), len(g.typeLabels)
	for _, names := range []*texts{&g.keys, &g.labels, &g.aliases} {
		if !names.ends() {
			return false
		}
	}
	for _, a := range []*adjacency{&g.out, &g.in} {
		if len(a.edges) != t-count(g.off) || !spans(a.at, n, len(a.edges)) || !spans(a.runsAt, len(a.hubs), len(a.runs)) ||
			len(a.havingAt) > r+1 || !spans(a.havingAt, max(len(a.havingAt)-1, 0), len(a.having)) {
			return false
		}
	}
	return g.keys.size() == n && len(g.literal) == n && len(g.relationTexts) == r &&
		spans(g.aliasAt, n, g.aliases.size()) && spans(g.typeAt, n, len(g.types)) &&
		g.said.fits() && spans(g.ofTypeAt, k, len(g.ofType)) && len(g.types) == len(g.ofType) &&
		(len(g.extracted) == 0 || len(g.extracted) == (t+63)/64) &&
		(len(g.off) == 0 || len(g.off) == (t+63)/64) && (len(g.gone) == 0 || len(g.gone) == (n+63)/64)
}

// spans reports whether offsets of so many rows begin and end where so many
// elements do.
func spans(at []uint32, rows, elements int) bool {
	return len(at) == rows+1 && at[0] == 0 && int(at[rows]) == elements
}

func below[ID ~uint32](ids []ID, n int) bool {
	for _, id := range ids {
		if int(id) >= n {
			return false
		}
	}
	return true
}

func (g *Graph) soundTriples(lo, hi int) bool {
	n, r := g.Entities(), g.Relations()
	for _, x := range g.triples[lo:hi] {
		if int(x.Head) >= n || int(x.Tail) >= n || int(x.Relation) >= r {
			return false
		}
	}
	return true
}

func (g *Graph) soundEdges(edges []Edge) bool {
	n, r, t := g.Entities(), g.Relations(), g.Triples()
	for _, e := range edges {
		if int(e.Entity) >= n || int(e.Relation) >= r || int(e.Triple) >= t {
			return false
		}
	}
	return true
}

// hubsAreThere reports whether each row that ends at one of the offsets from lo to
// hi has a table where it is long enough for one. The offsets ascend.
func (a *adjacency) hubsAreThere(lo, hi int) bool {
	for i := max(lo, 1); i < hi; i++ {
		if a.at[i]-a.at[i-1] < hubDegree {
			continue
		}
		if !Holds(a.hubs, EntityID(i-1)) {
			return false
		}
	}
	return true
}

// soundHubs reports whether the tables of hubs from lo to hi lie within the rows:
// each begins where its row does, and goes up in relations and edges.
func (a *adjacency) soundHubs(lo, hi, relations int) bool {
	for i := lo; i < hi; i++ {
		hub, from, to := a.hubs[i], a.runsAt[i], a.runsAt[i+1]
		if int(hub) >= len(a.at)-1 || i > 0 && a.hubs[i-1] >= hub || from >= to || int(to) > len(a.runs) || a.runs[from].at != a.at[hub] {
			return false
		}
		for j := from; j < to; j++ {
			x := a.runs[j]
			if int(x.relation) >= relations || x.at >= a.at[hub+1] || j > from && (a.runs[j-1].relation >= x.relation || a.runs[j-1].at >= x.at) {
				return false
			}
		}
	}
	return true
}

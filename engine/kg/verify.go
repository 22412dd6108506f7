package kg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"cairn/engine/internal/mapped"
	"cairn/internal/guard"
)

// openSnapshot opens the snapshot at path if it is sound and of version. A large
// one is mapped, for good: what the Graph hands out may outlive it.
func openSnapshot(ctx context.Context, path, version string) (*Graph, error) {
	f, err := mapped.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errStale
		}
		return nil, err
	}
	g, err := parseSnapshot(ctx, f.Bytes(), version)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// Questions go over the edges and the types, and name no more than answers.
	for _, p := range append(g.nameParts(), array(&g.triples, nil)) {
		f.ForgetPart(p.bytes())
	}
	if f.Mapped() {
		g.version = version
	}
	return g, nil
}

// anyVersion is the version of no graph: with it all snapshots are read.
const anyVersion = ""

// VerifySnapshot reports what is wrong with the snapshot at path, of whatever state
// of the graph it is.
func VerifySnapshot(ctx context.Context, path string) error {
	f, err := mapped.Open(path)
	if err != nil {
		return err
	}
	_, err = parseSnapshot(ctx, f.Bytes(), anyVersion)
	return errors.Join(err, f.Close())
}

// parseSnapshot makes a Graph of the content of a snapshot, and leaves it where
// it lies.
func parseSnapshot(ctx context.Context, b []byte, version string) (*Graph, error) {
	var g Graph
	var w words
	parts := g.parts(&w)
	table, err := readTable(b, version, len(parts))
	if err != nil {
		return nil, err
	}
	end := topSize(len(parts))
	for i, p := range parts {
		sec := table[i]
		if sec.Offset != align(end) || sec.Offset > uint64(len(b)) || sec.Length > uint64(len(b))-sec.Offset {
			return nil, fmt.Errorf("%w: section %d lies elsewhere", errSnapshot, i)
		}
		if gap := b[end:sec.Offset]; bytes.Count(gap, []byte{0}) != len(gap) {
			return nil, fmt.Errorf("%w: something lies before section %d", errSnapshot, i)
		}
		end = sec.Offset + sec.Length
		if !p.set(b[sec.Offset:end:end]) {
			return nil, fmt.Errorf("%w: section %d has a wrong length", errSnapshot, i)
		}
	}
	if end != uint64(len(b)) {
		return nil, fmt.Errorf("%w: it has a wrong length", errSnapshot)
	}
	// The names of relations and types come first: the others refer to them.
	inFront := len(w.parts())
	if err := verify(ctx, parts[:inFront], table); err != nil {
		return nil, err
	}
	for _, t := range []*texts{&w.relationKeys, &w.relationTexts, &w.typeLabels} {
		if !t.ends() {
			return nil, fmt.Errorf("%w: a name lies outside it", errSnapshot)
		}
	}
	g.relationKeys, g.relationTexts, g.typeLabels = w.relationKeys.list(), w.relationTexts.list(), w.typeLabels.list()
	if !g.fits() {
		return nil, fmt.Errorf("%w: its sections do not fit together", errSnapshot)
	}
	if err := verify(ctx, parts[inFront:], table[inFront:]); err != nil {
		return nil, err
	}
	return &g, nil
}

// readTable reads and checks header and table.
func readTable(b []byte, version string, sections int) ([]snapshotSection, error) {
	var head snapshotHead
	n, err := binary.Decode(b, binary.NativeEndian, &head)
	if err != nil || string(head.Magic[:]) != snapshotMagic || head.Order != snapshotOrder || head.Format != snapshotFormat {
		return nil, fmt.Errorf("%w: its header is not ours", errSnapshot)
	}
	if int(head.Sections) != sections {
		return nil, fmt.Errorf("%w: it has %d sections, not %d", errSnapshot, head.Sections, sections)
	}
	table := make([]snapshotSection, sections)
	m, err := binary.Decode(b[n:], binary.NativeEndian, table)
	if err != nil || len(b) < n+m+crc32.Size || binary.NativeEndian.Uint32(b[n+m:]) != crc32.Checksum(b[:n+m], castagnoli) {
		return nil, fmt.Errorf("%w: the checksum of its header is wrong", errSnapshot)
	}
	if version != anyVersion && strings.TrimRight(string(head.Version[:]), "\x00") != version {
		return nil, errStale
	}
	return table, nil
}

// verify checks that the parts have the checksums of the table and are sound,
// block by block, on all processors: a block that was summed is still in the cache
// when its bounds are looked at. The parts are set and fit together.
func verify(ctx context.Context, parts []part, table []snapshotSection) error {
	sums := make([][]uint32, len(parts)) // of each block
	var first []int                      // the number of each part's first block, and that of all
	blocks := 0
	for i, p := range parts {
		first = append(first, blocks)
		sums[i] = make([]uint32, (len(p.bytes())+snapshotBlock-1)/snapshotBlock)
		blocks += len(sums[i])
	}
	var next atomic.Int64
	var unsound atomic.Bool
	var all guard.Group
	for range min(runtime.GOMAXPROCS(0), blocks) {
		all.Go(func() {
			for !unsound.Load() && ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= blocks {
					return
				}
				i := len(first) - 1
				for first[i] > n || len(sums[i]) == 0 {
					i--
				}
				b := parts[i].bytes()
				lo := (n - first[i]) * snapshotBlock
				hi := min(lo+snapshotBlock, len(b))
				sums[i][n-first[i]] = crc32.Checksum(b[lo:hi], castagnoli)
				if p := parts[i]; p.sound != nil && !p.sound(lo/p.size, hi/p.size) {
					unsound.Store(true)
				}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if unsound.Load() {
		return fmt.Errorf("%w: an id lies outside it", errSnapshot)
	}
	for i := range parts {
		sum := uint32(0)
		for _, s := range sums[i] {
			sum = addSum(sum, s)
		}
		if sum != table[i].Sum {
			return fmt.Errorf("%w: the checksum of a section is wrong", errSnapshot)
		}
	}
	return nil
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
		if len(a.edges) != t || !spans(a.at, n, t) || !spans(a.runsAt, len(a.hubs), len(a.runs)) {
			return false
		}
	}
	return g.keys.size() == n && len(g.literal) == n && len(g.relationTexts) == r &&
		spans(g.aliasAt, n, g.aliases.size()) && spans(g.typeAt, n, len(g.types)) &&
		spans(g.ofTypeAt, k, len(g.ofType)) && len(g.types) == len(g.ofType) &&
		(len(g.extracted) == 0 || len(g.extracted) == (t+63)/64)
}

// spans reports whether offsets of so many rows begin and end where so many
// elements do.
func spans(at []uint32, rows, elements int) bool {
	return len(at) == rows+1 && at[0] == 0 && int(at[rows]) == elements
}

// below reports whether all ids are below n.
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
		if _, found := slices.BinarySearch(a.hubs, EntityID(i-1)); !found {
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

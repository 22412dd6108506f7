package index

import (
	"fmt"

	"cairn/engine/internal/arrays"
)

// hnswFormat is part of the tag of every file: raise it with any change to the
// arrays or to how they are made.
const hnswFormat = "hnsw 1 "

// Save writes the links to path, whole or not at all. The vectors are not in the
// file; tag says which they are, and by which options they are linked.
func (h *HNSW) Save(path, tag string) error {
	err := arrays.Write(path, hnswFormat+tag, arrays.Sections(h.views(&[]linksHead{h.head}))...)
	if err != nil {
		return fmt.Errorf("save the links of %d vectors: %w", h.head.N, err)
	}
	return nil
}

// OpenHNSW opens the links at path, a large file where it lies. exact has the
// vectors that tag names. The error is ErrStale where the file was saved with
// another tag or for other vectors, ErrDamaged where it cannot be used, and
// fs.ErrNotExist where there is none.
func OpenHNSW(path, tag string, exact Exact) (*HNSW, error) {
	h := &HNSW{ef: defaultEf}
	err := arrays.Open(path, hnswFormat+tag, func(sections [][]byte) (err error) {
		if h.links, err = linksOf(sections); err != nil {
			return err
		}
		if int(h.head.N) != exact.Len() || int(h.head.Dims) != exact.Dims() {
			return fmt.Errorf("%w: it links %d vectors of %d numbers, not %d of %d",
				arrays.ErrStale, h.head.N, h.head.Dims, exact.Len(), exact.Dims())
		}
		return nil
	})
	if err == nil {
		h.o = HNSWOptions{M: int(h.head.M)}
		err = h.attach(exact)
	}
	if err != nil {
		return nil, fmt.Errorf("open the links %s: %w", path, err)
	}
	return h, nil
}

// linksOf reads the sections of a file. Every number in them is within bounds, so
// that a search of what it returns never leaves the arrays.
func linksOf(sections [][]byte) (links, error) {
	var l links
	var head []linksHead
	if len(sections) == 7 { // of a file from before vectors could no longer be deleted
		sections = sections[:6]
	}
	if err := arrays.Set(sections, l.views(&head)); err != nil {
		return l, err
	}
	if len(head) != 1 {
		return l, fmt.Errorf("%w: its head has another length", arrays.ErrDamaged)
	}
	l.head = head[0]
	return l, l.check()
}

func (l *links) views(head *[]linksHead) []arrays.View {
	return []arrays.View{
		arrays.ViewOf(head), arrays.ViewOf(&l.level), arrays.ViewOf(&l.base), arrays.ViewOf(&l.upAt), arrays.ViewOf(&l.upper), arrays.ViewOf(&l.same),
	}
}

// check returns ErrDamaged where a number is out of bounds.
func (l *links) check() error {
	n, m := int(l.head.N), int(l.head.M)
	bad := func(what string) error { return fmt.Errorf("%w: %s", arrays.ErrDamaged, what) }
	switch {
	case m < 2 || m > maxM:
		return bad("its M is impossible")
	case len(l.level) != n || len(l.upAt) != n || len(l.same) != n,
		len(l.base) != n*(1+2*m) || len(l.upper)%(1+m) != 0:
		return bad("its arrays differ in length")
	case n == 0:
		return nil
	case int(l.head.Entry) >= n || uint32(l.level[l.head.Entry]) != l.head.Top:
		return bad("its entry is no vector of the highest layer")
	}
	rows := uint32(0)
	for i, level := range l.level {
		if l.upAt[i] != rows {
			return bad("its layers overlap")
		}
		rows += uint32(level)
		if next := l.same[i]; next != noVector && (next <= uint32(i) || int(next) >= n) {
			return bad("equal vectors are out of order")
		}
	}
	if int(rows) != len(l.upper)/(1+m) {
		return bad("its layers are not all there")
	}
	for i, level := range l.level {
		for layer := range int(level) + 1 {
			row := l.row(uint32(i), layer)
			if int(row[0]) >= len(row) {
				return bad("a vector has too many neighbours")
			}
			for _, j := range row[1 : 1+row[0]] {
				if int(j) >= n || int(l.level[j]) < layer {
					return bad("a neighbour is not in its layer")
				}
			}
		}
	}
	return nil
}

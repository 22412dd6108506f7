package bench

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/engine/index"
	"cairn/engine/lab/process"
)

// brute is the pass that the others are measured against.
func (b *indexBench) brute(context.Context) (IndexPeer, error) {
	return IndexPeer{
		Linked: b.v.Len(), Memory: int64(4 * len(b.v.Rows)),
		Searches: []IndexSearch{
			{K: b.o.K, Times: timesOf(slices.Clone(b.bruteK)), Recall: 1},
			{K: b.o.Wide, Times: timesOf(slices.Clone(b.bruteW)), Recall: 1},
		},
	}, nil
}

func (b *indexBench) flat(ctx context.Context) (IndexPeer, error) {
	return b.exact(ctx, peerFlat, int64(4*len(b.v.Rows)), func() index.Exact { return index.NewFlat(b.v) })
}

func (b *indexBench) scan(ctx context.Context) (IndexPeer, error) {
	return b.exact(ctx, peerScan, 0, func() index.Exact { return index.NewScan(b.v) })
}

// exact measures an exact index; vectors are the bytes that it shares with others.
func (b *indexBench) exact(ctx context.Context, name string, vectors int64, build func() index.Exact) (IndexPeer, error) {
	b.o.Progress(name+": build", 0, 0)
	p := IndexPeer{Linked: b.v.Len()}
	var idx index.Exact
	held := b.hold(&p, func() { idx = build() })
	p.Memory = held + vectors
	for _, k := range []int{b.o.K, b.o.Wide} {
		s, err := b.search(ctx, fmt.Sprintf("%s: k = %d", name, k), idx, k, 0)
		if err != nil {
			return p, err
		}
		p.Searches = append(p.Searches, s)
	}
	return p, nil
}

// hold times build, and returns what it leaves on the heap.
func (b *indexBench) hold(p *IndexPeer, build func()) int64 {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	process.ResetPeak()
	resident := process.ReadMemory()
	began, worked := time.Now(), process.ProcessorTime()
	build()
	p.Build, p.Processor = time.Since(began), process.ProcessorTime()-worked
	p.Peak = max(0, process.ReadMemory().Peak-resident.Anonymous-resident.Mapped)
	return max(0, heap()-before)
}

// hnsw measures our graph of neighbours, on the codes of a Scan.
func (b *indexBench) hnsw(ctx context.Context) (IndexPeer, error) {
	limited, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	var p IndexPeer
	var h *index.HNSW
	var scan *index.Scan
	var err error
	p.Memory = b.hold(&p, func() {
		scan = index.NewScan(b.v)
		h, err = index.NewHNSW(limited, scan, index.HNSWOptions{
			M: b.o.M, EfConstruction: b.o.EfConstruction, Seed: b.o.Seed,
			Progress: func(done, total int64) {
				p.Linked = int(done)
				b.o.Progress("hnsw: link", done, total)
			},
		})
	})
	if cut := b.cut(ctx, err, &p); cut || err != nil {
		return p, b.unlessCut(cut, err)
	}
	if err := b.keep(&p, h, scan); err != nil {
		return p, err
	}
	return p, b.approximate(ctx, peerHNSW, &p, scan, func(ef int) index.Index { return h.WithEf(ef) })
}

// cut notes that building ended because its time was over.
func (b *indexBench) cut(ctx context.Context, err error, p *IndexPeer) bool {
	p.Cut = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	return p.Cut
}

func (b *indexBench) unlessCut(cut bool, err error) error {
	if cut {
		return nil
	}
	return err
}

// keep writes the graph to a file and opens it again.
func (b *indexBench) keep(p *IndexPeer, h *index.HNSW, scan *index.Scan) (err error) {
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the index: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "links")
	if err := h.Save(path, "bench"); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	p.File = info.Size()
	began := time.Now()
	if _, err := index.OpenHNSW(path, "bench", scan); err != nil {
		return err
	}
	p.Open = time.Since(began)
	return nil
}

// approximate measures a graph of neighbours at every ef, and probes it.
func (b *indexBench) approximate(ctx context.Context, name string, p *IndexPeer, exact index.Exact, with func(ef int) index.Index) (err error) {
	if p.Probed, err = index.Probe(ctx, with(128), exact); err != nil {
		return err
	}
	for _, ef := range b.o.Ef {
		s, err := b.search(ctx, fmt.Sprintf("%s: ef = %d", name, ef), with(ef), b.o.K, ef)
		if err != nil {
			return err
		}
		p.Searches = append(p.Searches, s)
	}
	return nil
}

// programReply is what the program of another index writes.
type programReply struct {
	BuildSeconds     float64 `json:"build_seconds"`
	ProcessorSeconds float64 `json:"processor_seconds"`
	Linked           int     `json:"linked"`
	Memory           int64   `json:"memory"`
	Searches         []struct {
		Ef      int `json:"ef"`
		Answers []struct {
			Nanoseconds float64  `json:"nanoseconds"`
			IDs         []uint32 `json:"ids"`
		} `json:"answers"`
	} `json:"searches"`
}

// hnswlib and faiss are measured in processes of their own.
func (b *indexBench) hnswlib(ctx context.Context) (IndexPeer, error) {
	return b.program(ctx, peerHNSWLib, b.o.HNSWLib)
}

func (b *indexBench) faiss(ctx context.Context) (IndexPeer, error) {
	return b.program(ctx, peerFAISS, b.o.FAISS)
}

// program measures an index by a program, which is given the vectors and the queries
// as files.
func (b *indexBench) program(ctx context.Context, name, program string) (p IndexPeer, err error) {
	dir, err := os.MkdirTemp("", "cairn-bench-")
	if err != nil {
		return p, fmt.Errorf("make a folder for the vectors: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	vectors, queries := filepath.Join(dir, "vectors"), filepath.Join(dir, "queries")
	if err := errors.Join(writeFloats(vectors, b.v.Rows), writeFloats(queries, slices.Concat(b.queries...))); err != nil {
		return p, err
	}
	b.o.Progress(name+": link and search", 0, 0)
	number := strconv.Itoa
	var ef []string
	for _, e := range b.o.Ef {
		ef = append(ef, number(e))
	}
	out, err := exec.CommandContext(ctx, program, vectors, queries, number(b.v.Dims), number(b.o.M), number(b.o.EfConstruction),
		number(runtime.GOMAXPROCS(0)), strconv.FormatFloat(b.o.Limit.Seconds(), 'f', -1, 64), number(b.o.K), strings.Join(ef, ",")).Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return p, errors.Join(ctx.Err(), fmt.Errorf("run %s: %w", program, err))
	}
	var r programReply
	if err := json.Unmarshal(out, &r); err != nil {
		return p, fmt.Errorf("read what %s writes: %w", program, err)
	}
	return b.ofProgram(name, r)
}

// ofProgram is what the reply of a program says.
func (b *indexBench) ofProgram(name string, r programReply) (IndexPeer, error) {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	p := IndexPeer{
		Build: seconds(r.BuildSeconds), Processor: seconds(r.ProcessorSeconds), Linked: r.Linked, Cut: r.Linked < b.v.Len(),
		Memory: r.Memory, Peak: r.Memory, // all of it is taken before the first vector
	}
	for _, rs := range r.Searches {
		if len(rs.Answers) != len(b.queries) {
			return p, fmt.Errorf("%s answers %d of %d queries", name, len(rs.Answers), len(b.queries))
		}
		s := IndexSearch{K: b.o.K, Ef: rs.Ef}
		var took []time.Duration
		for i, a := range rs.Answers {
			if slices.ContainsFunc(a.IDs, func(id uint32) bool { return int(id) >= b.v.Len() }) {
				return p, fmt.Errorf("%s answers query %d with a vector that is not there", name, i)
			}
			took = append(took, time.Duration(a.Nanoseconds))
			s.Recall += b.recall(i, b.o.K, a.IDs) / float64(len(b.queries))
		}
		s.Times = timesOf(took)
		p.Searches = append(p.Searches, s)
	}
	return p, nil
}

// writeFloats writes numbers as they lie in memory.
func writeFloats(path string, x []float32) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const some = 1 << 16
	var buf []byte
	for ; len(x) > 0; x = x[min(len(x), some):] {
		if buf, err = binary.Append(buf[:0], binary.NativeEndian, x[:min(len(x), some)]); err != nil {
			return err
		}
		if _, err := f.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

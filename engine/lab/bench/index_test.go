package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func someNames(n int) []string {
	first := strings.Fields("Ada Grace Alan Edsger Barbara Donald Niklaus Frances John Radia")
	last := strings.Fields("Lovelace Hopper Turing Dijkstra Liskov Knuth Wirth Allen Backus Perlman Hamilton")
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("%s %s %c", first[i%10], last[i/10%11], 'A'+i/110))
	}
	return append(names, names[0], "", "…")
}

func TestIndex(t *testing.T) {
	tasks := map[string]bool{}
	o := IndexOptions{
		Queries: 20, Wide: 200, M: 8, EfConstruction: 40, Ef: []int{16, 400},
		Progress: func(task string, _, _ int64) { tasks[task] = true },
	}
	set, err := Index(t.Context(), "some", someNames(400), o)
	if err != nil {
		t.Fatalf("Index: %v", err)
	}
	if set.Vectors != 401 || set.Dims != 256 { // "…" has a vector of its own
		t.Errorf("%d vectors of %d numbers, want 401 of 256", set.Vectors, set.Dims)
	}
	var got []string
	for _, p := range set.Peers {
		got = append(got, p.Name)
		if p.Linked != set.Vectors || p.Cut || p.Memory == 0 {
			t.Errorf("%s: %+v, want all vectors linked", p.Name, p)
		}
		for _, s := range p.Searches {
			exact := s.Ef == 0
			if want := 0.98; s.Times.Median <= 0 || exact && s.Recall < want || p.Name == peerHNSW && s.Ef == 400 && s.Recall < want {
				t.Errorf("%s: %+v, want a recall of %v at least", p.Name, s, want)
			}
		}
	}
	if want := []string{"brute", "flat", "scan", "hnsw", "coder"}; !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
	if hnsw := set.Peers[3]; hnsw.File == 0 || hnsw.Probed < 0.9 || len(hnsw.Searches) != 2 {
		t.Errorf("hnsw: %+v, want a file, a probe and two searches", hnsw)
	}
	if len(tasks) < 5 {
		t.Errorf("progress tells of %v only", tasks)
	}
	var text, js bytes.Buffer
	r := NewIndexReport([]IndexSet{*set})
	if err := errors.Join(r.WriteText(&text), r.WriteJSON(&js)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"some: 401 distinct names", "recall@k", "scan", "400", "not admitted", "hnswlib"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, text.String())
		}
	}
	var back IndexReport
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || len(back.Sets) != 1 || len(back.Sets[0].Peers) != 5 {
		t.Errorf("JSON: %v, %+v", err, back)
	}
}

// TestIndexCut: a build whose time is over is said so, and the rest is measured.
func TestIndexCut(t *testing.T) {
	set, err := Index(t.Context(), "some", someNames(1100), IndexOptions{
		Queries: 5, Limit: time.Nanosecond, Peers: []string{peerHNSW, peerCoder, peerScan},
	})
	if err != nil || len(set.Peers) != 3 || !set.Peers[0].Cut || !set.Peers[1].Cut || set.Peers[2].Cut {
		t.Fatalf("Index = %+v, %v, want two peers cut", set, err)
	}
	var text bytes.Buffer
	if err := NewIndexReport([]IndexSet{*set}).WriteText(&text); err != nil || strings.Count(text.String(), "was cut after") != 2 {
		t.Errorf("the table, %v:\n%s", err, text.String())
	}
}

func TestIndexRefuses(t *testing.T) {
	if _, err := Index(t.Context(), "none", []string{"", " "}, IndexOptions{}); err == nil {
		t.Error("no names: no error")
	}
	if _, err := Index(t.Context(), "some", someNames(50), IndexOptions{Peers: []string{"best"}}); err == nil {
		t.Error("an unknown index: no error")
	}
	missing := filepath.Join(t.TempDir(), "hnswlib")
	if _, err := Index(t.Context(), "some", someNames(50), IndexOptions{Peers: []string{peerHNSWLib}, HNSWLib: missing}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no program: %v, want %v", err, os.ErrNotExist)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Index(ctx, "some", someNames(50), IndexOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, want %v", err, context.Canceled)
	}
}

// TestIndexHNSWLib runs the peer where it has been made (make -C engine/lab/hnswlib).
func TestIndexHNSWLib(t *testing.T) {
	program, err := filepath.Abs("../hnswlib/hnswlib")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("make -C engine/lab/hnswlib first")
	}
	o := IndexOptions{Queries: 20, M: 8, EfConstruction: 40, Ef: []int{16, 400}, Peers: []string{peerHNSWLib}, HNSWLib: program}
	set, err := Index(t.Context(), "some", someNames(400), o)
	if err != nil {
		t.Fatalf("Index: %v", err)
	}
	p := set.Peers[0]
	if p.Linked != set.Vectors || len(p.Searches) != 2 || p.Searches[1].Recall < 0.98 || p.Searches[1].Times.Median <= 0 {
		t.Errorf("hnswlib: %+v", p)
	}
}

func TestProgramReply(t *testing.T) {
	b := &indexBench{o: IndexOptions{Queries: 1, K: 1}.withDefaults(), set: &IndexSet{}}
	if err := b.embed(t.Context(), someNames(20)); err != nil {
		t.Fatal(err)
	}
	if err := b.findTruth(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := func(text string) (IndexPeer, error) {
		var r programReply
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		return b.ofProgram("hnswlib", r)
	}
	if p, err := read(`{"build_seconds":1.5,"processor_seconds":2,"linked":3,"memory":9,"searches":[]}`); err != nil || !p.Cut || p.Build != 1500*time.Millisecond || p.Processor != 2*time.Second || p.Memory != 9 {
		t.Errorf("a reply that is cut = %+v, %v", p, err)
	}
	for _, bad := range []string{
		`{"linked":21,"searches":[{"ef":1,"answers":[]}]}`,
		`{"linked":21,"searches":[{"ef":1,"answers":[{"ids":[99]}]}]}`,
	} {
		if p, err := read(bad); err == nil {
			t.Errorf("%s = %+v, want an error", bad, p)
		}
	}
}

func TestSelectNth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 16, 17, 18, 100, 1000} {
		for _, values := range []int{1, 3, 1 << 20} {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(rng.IntN(values))
			}
			sorted := slices.Sorted(slices.Values(x))
			for _, k := range []int{0, n / 3, n - 1} {
				if got := selectNth(slices.Clone(x), k); got != sorted[k] {
					t.Errorf("selectNth(%d numbers, %d) = %v, want %v", n, k, got, sorted[k])
				}
			}
		}
	}
}

func TestChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	differ := 0
	for kind := range 500 {
		for _, name := range []string{"", "x", "Ürü", "Moby", "Ada Lovelace", "Die Leiden des jungen Werther", "東京 都"} {
			got := changed(name, kind, rng)
			if !utf8.ValidString(got) || got == "" && name != "" {
				t.Fatalf("changed(%q, %d) = %q", name, kind, got)
			}
			if got != name {
				differ++
			}
		}
	}
	if differ < 1500 {
		t.Errorf("%d of 3,500 names are changed, want most of those that are long enough", differ)
	}
}

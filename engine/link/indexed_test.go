package link

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/index"
	"cairn/engine/internal/arrays"
)

func TestIndexNames(t *testing.T) {
	fileAll(t)
	g := manyNames()
	emb := lexicalOf(t, g)
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	exact := mustOpen(t, g, emb, kept)
	var last int64
	made, err := exact.IndexNames(t.Context(), index.KindHNSW, index.HNSWOptions{M: 32, EfConstruction: 200, Progress: func(done, _ int64) { last = done }})
	if err != nil {
		t.Fatalf("IndexNames: %v", err)
	}
	if !made.Kept || made.Recall < 0.98 || made.Names != int(last) || made.Bytes == 0 || made.Scan <= 0 || made.Search <= 0 {
		t.Fatalf("IndexNames = %+v, after %d names", made, last)
	}
	near := mustOpen(t, g, emb, kept)
	if _, ok := near.entities.index.(*index.Mixed); !ok {
		t.Fatalf("the next opening looks names up in %T", near.entities.index)
	}
	missed := 0
	for i := range 100 {
		text := fmt.Sprintf("King o %c%d", 'A'+i%7, i*9)
		for _, k := range []int{5, 1000} {
			want, err := exact.Entities(t.Context(), text, k)
			if err != nil {
				t.Fatal(err)
			}
			got, err := near.Entities(t.Context(), text, k)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" && k == 1000 {
				t.Fatalf("the %d names nearest to %q (-exact +found):\n%s", k, text, diff)
			}
			for _, w := range want {
				// Of names that are equally near, any will do.
				if w.Distance < got[len(got)-1].Distance && !slices.Contains(got, w) {
					missed++
				}
			}
		}
	}
	if missed > 25 { // these texts are far from all names, unlike what the probe asks for
		t.Errorf("%d of the 500 nearest names are missed, want 25 at most", missed)
	}
	// A file that is damaged is as none.
	if err := os.WriteFile(near.entities.filed.links, []byte("CAIRNARR"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := mustOpen(t, g, emb, kept); again.entities.index != index.Index(again.entities.scan) {
		t.Errorf("with a damaged file names are looked up in %T", again.entities.index)
	}
	for _, want := range []bool{true, false} {
		if got, err := near.DropNameIndex(); got != want || err != nil {
			t.Errorf("DropNameIndex = %v, %v, want %v", got, err, want)
		}
	}
}

func TestIndexNamesRefuses(t *testing.T) {
	g := manyNames()
	emb := lexicalOf(t, g)
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	small := mustOpen(t, g, emb, kept)
	if _, err := small.IndexNames(t.Context(), index.KindHNSW, index.HNSWOptions{}); !errors.Is(err, ErrFewNames) {
		t.Errorf("IndexNames of few = %v, want %v", err, ErrFewNames)
	}
	if was, err := small.DropNameIndex(); was || err != nil {
		t.Errorf("DropNameIndex of few = %v, %v", was, err)
	}
	fileAll(t)
	v := mustOpen(t, g, emb, kept)
	// So few links that most names are missed.
	made, err := v.IndexNames(t.Context(), index.KindHNSW, index.HNSWOptions{M: 2, EfConstruction: 1})
	if err != nil || made.Kept || made.Bytes != 0 || made.Recall >= 0.98 {
		t.Errorf("IndexNames with bad links = %+v, %v, want them refused", made, err)
	}
	if _, err := os.Stat(v.entities.filed.links); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("bad links are kept: %v", err)
	}
}

// TestIndexNamesByCoder: coder/hnsw is tried where it is asked for, and what the probe
// finds of it is told; the names are then scanned as before.
func TestIndexNamesByCoder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("coder/hnsw does not compile on Windows")
	}
	fileAll(t)
	g := manyNames()
	emb := lexicalOf(t, g)
	kept := arrays.Folder{Dir: t.TempDir(), Version: "1"}
	v := mustOpen(t, g, emb, kept)
	made, err := v.IndexNames(t.Context(), index.KindCoder, index.HNSWOptions{M: 16, EfConstruction: 64})
	if err != nil || made.Kind != index.KindCoder || made.Recall <= 0 || made.Recall > 1 {
		t.Fatalf("IndexNames = %+v, %v", made, err)
	}
	if made.Kept != (made.Recall >= index.MinRecall) {
		t.Errorf("a recall of %.3f is kept: %v", made.Recall, made.Kept)
	}
	t.Logf("coder/hnsw finds %.3f of the nearest 16 of %d names", made.Recall, made.Names)
	_, mixed := mustOpen(t, g, emb, kept).entities.index.(*index.Mixed)
	if mixed != made.Kept {
		t.Errorf("the next opening uses it: %v, kept: %v", mixed, made.Kept)
	}
}

package kg_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/kg"
)

// TestCheckAndRepair turns bits over in all parts of a file: each is found, said
// where it is, and put right, with the damaged file kept.
func TestCheckAndRepair(t *testing.T) {
	path := made(t, 3000)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := kg.Check(t.Context(), path, nil); err != nil || !r.Sound() || r.Pages != int64(len(good)/4096) {
		t.Fatalf("Check of a sound file = %+v, %v", r, err)
	}
	if good, err = os.ReadFile(path); err != nil { // opening it may have written
		t.Fatal(err)
	}
	triples := bytes.LastIndex(good, []byte("entity 2999"))
	if triples < 0 {
		t.Fatal("an entity is not in the file")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	parts := map[string]bool{}
	for i := range 25 {
		bad := bytes.Clone(good)
		at := []int{20, 30, 63, triples}[min(i, 3)]
		if i > 3 {
			at = rng.IntN(len(bad))
		}
		bad[at] ^= 1 << rng.IntN(8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := kg.Check(t.Context(), path, nil)
		if err != nil || len(r.Damaged) != 1 || r.Damaged[0].Page != int64(at/4096)+1 || !r.Damaged[0].OneBit {
			t.Fatalf("byte %d: Check = %+v, %v, want its page", at, r, err)
		}
		if d := r.Damaged[0]; i == 3 && (d.First < 0 || d.First != d.Last || !strings.Contains(d.String(), "entities")) {
			t.Errorf("the name of entity 2999 is damaged; Check says %s", d)
		}
		parts[r.Damaged[0].Part] = true
		kept, _, err := kg.Repair(t.Context(), path, nil, nil)
		if err != nil {
			t.Fatalf("byte %d: Repair: %v", at, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, good) {
			t.Errorf("byte %d: the repaired file is not what it was: %v", at, err)
		}
		if was, err := os.ReadFile(kept); err != nil || !bytes.Equal(was, bad) {
			t.Errorf("byte %d: the damaged file was not kept: %v", at, err)
		}
	}
	if len(parts) < 3 {
		t.Errorf("only %v were damaged", parts)
	}
}

// TestBeyondRepair: what is not known is not made up, and the file stays as it is.
func TestBeyondRepair(t *testing.T) {
	path := made(t, 500)
	bad, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(bad, []byte("made.tsv")) // the source, which nothing else holds
	copy(bad[at:], "else.txt")
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := kg.Check(t.Context(), path, nil); err != nil || len(r.Damaged) != 1 || r.Damaged[0].OneBit {
		t.Errorf("Check = %+v, %v, want one page of more than one bit", r, err)
	}
	if _, _, err := kg.Repair(t.Context(), path, nil, nil); !errors.Is(err, kg.ErrBeyondRepair) {
		t.Errorf("Repair: %v, want ErrBeyondRepair", err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bad) {
		t.Errorf("the file was changed: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) > 2 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestIndexIsMadeAnew: a lost page of an index needs no source.
func TestIndexIsMadeAnew(t *testing.T) {
	path := made(t, 500)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; ; at++ {
		next := bytes.Index(good[at:], []byte("entity 499"))
		if next < 0 {
			t.Fatal("no page of an index was found")
		}
		at += next
		bad := bytes.Clone(good)
		copy(bad[at:], "a whole other name")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := kg.Check(t.Context(), path, nil)
		if err != nil || len(r.Damaged) != 1 {
			t.Fatalf("Check = %+v, %v", r, err)
		}
		if strings.HasPrefix(r.Damaged[0].Part, "an index") {
			break
		}
	}
	want := walk(graph(t, open(t, path))) // which needs no index, and may be cached
	if _, missed, err := kg.Repair(t.Context(), path, nil, nil); err != nil || len(missed) > 0 {
		t.Fatalf("Repair: %v, missed %q", err, missed)
	}
	if r, err := kg.Check(t.Context(), path, nil); err != nil || !r.Sound() {
		t.Errorf("Check after it = %+v, %v", r, err)
	}
	if err := os.RemoveAll(path + ".d"); err != nil {
		t.Fatal(err)
	}
	if got := walk(graph(t, open(t, path))); got != want {
		t.Errorf("another graph came out")
	}
}

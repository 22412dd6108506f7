package ingest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// TestMain lets the test program be the import that is killed.
func TestMain(m *testing.M) {
	if graphFile := os.Getenv("CAIRN_TEST_IMPORT_INTO"); graphFile != "" {
		large, _ := strconv.Atoi(os.Getenv("CAIRN_TEST_LARGE_IMPORT"))
		if err := importForever(graphFile, os.Getenv("CAIRN_TEST_IMPORT_FROM"), large); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// importForever imports and makes the snapshot, as a program would.
func importForever(graphFile, from string, large int) error {
	ctx := context.Background()
	st, err := kg.OpenStore(ctx, graphFile)
	if err != nil {
		return err
	}
	st.SetLargeImport(large)
	if _, err := ingest.File(ctx, st, from, ingest.Options{BatchSize: 2000}, nil); err != nil {
		return err
	}
	if _, err := st.Graph(ctx, nil); err != nil {
		return err
	}
	return st.Close()
}

// TestKillAtAnyMoment kills an import at random moments: the file stays readable
// with what was there before, and importing again gives the same graph, places
// included, as an import that was left alone. So it does for an import that is a
// large one.
func TestKillAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Run("small", func(t *testing.T) { killAtAnyMoment(t, 0) })
	t.Run("large", func(t *testing.T) { killAtAnyMoment(t, 500) })
}

// killAtAnyMoment is the test for imports that are large ones with so many new
// entities.
func killAtAnyMoment(t *testing.T, large int) {
	t.Helper()
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, seed))
	dir := t.TempDir()
	from := filepath.Join(dir, "lots.txt")
	var names strings.Builder // of entities that were written long before
	for i := range 3000 {
		fmt.Fprintf(&names, "entity %d|http://www.w3.org/2000/01/rdf-schema#label|number %d\n", i*6007%20000, i)
	}
	write(t, from, lots(20000)+names.String()+"entity 1|also known as|number one\nentity 2|is a|number\n"+lots(100)) // duplicates at the end
	whole := open(t, filepath.Join(dir, "whole.cairn"))
	began := time.Now()
	if _, err := ingest.File(t.Context(), whole, from, ingest.Options{BatchSize: 2000}, nil); err != nil {
		t.Fatal(err)
	}
	length := time.Since(began)
	want, places := facts(graph(t, whole)), provenance(t, whole, 3)

	// Three files, each killed three times.
	var path string
	last := 0
	for i := range 9 {
		if i%3 == 0 {
			path, last = filepath.Join(dir, fmt.Sprintf("killed%d.cairn", i)), 0
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "CAIRN_TEST_IMPORT_INTO="+path, "CAIRN_TEST_IMPORT_FROM="+from, "CAIRN_TEST_LARGE_IMPORT="+strconv.Itoa(large))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(length) * 3 / 4)))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		st, err := kg.OpenStore(t.Context(), path)
		if err != nil {
			t.Fatalf("after kill %d: %v", i, err)
		}
		if err := st.Check(t.Context()); err != nil {
			t.Errorf("after kill %d: %v", i, err)
		}
		now := graph(t, st).Triples()
		if now < last {
			t.Errorf("after kill %d: %d triples, there were %d", i, now, last)
		}
		last = now
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 9; i += 3 {
		st := open(t, filepath.Join(dir, fmt.Sprintf("killed%d.cairn", i)))
		before := graph(t, st).Triples()
		r, err := ingest.File(t.Context(), st, from, ingest.Options{BatchSize: 2000}, nil)
		if err != nil || r.Check() != nil || r.Added+r.Duplicate != 20101 {
			t.Fatalf("File = %v, %v", r, err)
		}
		if diff := cmp.Diff(want, facts(graph(t, st))); diff != "" {
			t.Errorf("after the kills (-whole +killed):\n%s", diff)
		}
		if diff := cmp.Diff(places, provenance(t, st, 3)); diff != "" {
			t.Errorf("places after the kills (-whole +killed):\n%s", diff)
		}
		t.Logf("killed imports of about %v three times; %d triples were in before the last", length, before)
	}
}

// provenance returns the places of a triple without their time.
func provenance(tb testing.TB, st *kg.Store, id kg.TripleID) []kg.Provenance {
	tb.Helper()
	places, err := st.Provenance(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range places {
		places[i].Imported = time.Time{}
	}
	return places
}

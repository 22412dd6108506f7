package extract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"cairn/engine/kg"
	"cairn/engine/llm"
)

// TestMain lets the test program be the reading that is killed.
func TestMain(m *testing.M) {
	if graphFile := os.Getenv("CAIRN_TEST_EXTRACT_INTO"); graphFile != "" {
		if err := readSlowly(graphFile); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// towns is a text of n sentences, each a paragraph, some of which say the same.
func towns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Town%d lies on the river R%d.\n\n", i%(n*3/4), i%7)
	}
	return b.String()
}

// townsModel says of each part what it says.
func townsModel(pause time.Duration) *script {
	return &script{reply: func(_ int, req llm.Request) (string, error) {
		time.Sleep(pause)
		var ts [][4]string
		for line := range strings.Lines(piece(req)) {
			if ws := strings.Fields(line); len(ws) == 6 {
				ts = append(ts, [4]string{ws[0], "lies on", strings.Trim(ws[5], "."), strings.TrimSpace(line)})
			}
		}
		return says(ts...), nil
	}}
}

func readSlowly(graphFile string) error {
	ctx := context.Background()
	st, err := kg.OpenStore(ctx, graphFile)
	if err != nil {
		return err
	}
	d, err := New("towns.txt", []byte(towns(300)))
	if err != nil {
		return err
	}
	if _, err := NewExtractor(townsModel(3*time.Millisecond), world(), Options{ChunkTokens: 30}).Run(ctx, st, d, nil); err != nil {
		return err
	}
	return st.Close()
}

// TestKillAtAnyMoment kills a reading again and again: what was read stays, no
// part is lost or read twice, and in the end the text says what it says to a
// reading that was left alone.
func TestKillAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	text := towns(300)
	o := Options{ChunkTokens: 30}
	statements := func(st *kg.Store, document int64) []kg.Statement {
		t.Helper()
		xs, err := st.Statements(t.Context(), document)
		if err != nil {
			t.Fatal(err)
		}
		return xs
	}
	whole := store(t)
	left, err := NewExtractor(townsModel(0), world(), o).Run(t.Context(), whole, doc(t, "towns.txt", text), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := statements(whole, left.ID)
	if len(want) < 200 {
		t.Fatalf("only %d statements", len(want))
	}

	path := filepath.Join(t.TempDir(), "killed.cairn")
	rng := rand.New(rand.NewPCG(1, 1))
	read := 0
	for kill := range 5 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "CAIRN_TEST_EXTRACT_INTO="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50*time.Millisecond + time.Duration(rng.Int64N(int64(150*time.Millisecond))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		st, err := kg.OpenStore(t.Context(), path)
		if err != nil {
			t.Fatalf("after kill %d: %v", kill, err)
		}
		if err := st.Check(t.Context()); err != nil {
			t.Errorf("after kill %d: %v", kill, err)
		}
		all, err := st.Documents(t.Context())
		if err != nil || len(all) > 1 {
			t.Fatalf("after kill %d: %+v, %v", kill, all, err)
		}
		for _, d := range all {
			if d.Read < read {
				t.Errorf("after kill %d: %d parts read, there were %d", kill, d.Read, read)
			}
			read = d.Read
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	st, err := kg.OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	m := townsModel(0)
	got, err := NewExtractor(m, world(), o).Run(t.Context(), st, doc(t, "towns.txt", text), nil)
	if err != nil || !got.Complete() {
		t.Fatalf("the last run = %+v, %v", got, err)
	}
	if len(m.asked) != got.Chunks-read {
		t.Errorf("the last run asked %d times for the %d parts that were left", len(m.asked), got.Chunks-read)
	}
	if diff := cmp.Diff(want, statements(st, got.ID)); diff != "" {
		t.Errorf("statements (-left alone +killed):\n%s", diff)
	}
	t.Logf("killed five times; %d of %d parts were read before the last run", read, got.Chunks)
}

package engine

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cairn/engine/embed"
)

// killedGraph is the environment variable that makes TestKilledWhileEmbedding the
// program that is killed.
const killedGraph = "CAIRN_TEST_EMBED_AND_BE_KILLED"

// slowly embeds a batch in a while.
type slowly struct{ *letters }

func (s slowly) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	time.Sleep(20 * time.Millisecond)
	return s.letters.Embed(ctx, kind, texts)
}

// TestKilledWhileEmbedding ends a program in the middle, as kill -9 does. What it
// had kept is there and sound, and the next run embeds the rest and nothing else.
func TestKilledWhileEmbedding(t *testing.T) {
	emb := &letters{id: "letters/1", dims: 32}
	if path := os.Getenv(killedGraph); path != "" {
		e := openWith(t, path, nil)
		t.Fatal("the program ended by itself: ", e.SetEmbedder(t.Context(), slowly{emb}, nil))
	}
	path := filepath.Join(t.TempDir(), "g.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 20_000)
	names := e.Graph().Entities() + e.Graph().Relations()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledWhileEmbedding$")
	program.Env = append(os.Environ(), killedGraph+"="+path)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	e = openWith(t, path, nil)
	kept := 0
	for deadline := time.Now().Add(time.Minute); kept == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		sets, err := e.EmbeddingSets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(sets) > 0 && sets[0].Texts > 500 {
			kept = sets[0].Texts
		}
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait() // it was killed
	if kept == 0 {
		t.Fatal("the program kept nothing")
	}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	if got := e.Embedder().Stats; got.Found < kept || got.Found%64 != 0 || got.Found+got.Made != names {
		t.Errorf("after the kill: %+v of %d names, at least %d of them kept in whole batches", got, names, kept)
	}
}

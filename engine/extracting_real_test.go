package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/engine"
	"cairn/engine/extract"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

// The tests of this file read texts with a model of a real Ollama server.

// shelf returns an engine over an empty file, a text beside it, and a model.
func shelf(t *testing.T, s *ollamatest.Server, m tinymodel.Model, text string) (*engine.Engine, string, llm.Model) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "notes.md")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), filepath.Join(dir, "x.cairn"), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := server.Model(s.Install(t, m), ollama.ModelOptions{NumCtx: realContext})
	if err != nil {
		t.Fatal(err)
	}
	return e, path, model
}

const harvey = "# Films\r\n\r\n*Harvey* was directed by Henry Koster. Did James Stewart star in it?\r\n"

func TestRealModelReadsAText(t *testing.T) {
	reply := `{"entities":[{"name":"Harvey","type":"film"}],"triples":[` +
		`{"head":"Harvey","relation":"directed by","tail":"Henry Koster","quote":"Harvey was directed by Henry Koster."},` +
		`{"head":"Harvey","relation":"starred actors","tail":"James Stewart","quote":"Did James Stewart star in it?"},` +
		`{"head":"Harvey","relation":"starred actors","tail":"Josephine Hull","quote":"Josephine Hull starred in Harvey."}]}`
	e, path, model := shelf(t, ollamatest.Shared(t), tinymodel.Script(reply), harvey)
	r, err := e.Extract(t.Context(), []string{path}, model, engine.ExtractOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Documents[0]
	if !d.Complete() || d.PromptTokens == 0 || d.Statements[kg.StatementProposed] != 2 || d.Statements[kg.StatementInvalid] != 1 {
		t.Fatalf("document %+v, want two statements proposed and one invalid", d)
	}
	if n, doubtful, err := e.AcceptAll(t.Context(), d.ID); err != nil || n != 1 || doubtful != 1 {
		t.Fatalf("AcceptAll = %d, %d, %v; want one, and the question in doubt", n, doubtful, err)
	}
	if _, err := e.AddExtracted(t.Context(), d.ID, nil); err != nil {
		t.Fatal(err)
	}
	found, err := e.Sources(t.Context(), []kg.TripleID{0})
	sources := found[0]
	if err != nil || len(sources) != 1 || sources[0].Extraction == nil || !e.Graph().Extracted(0) {
		t.Fatalf("Source = %+v, %v", sources, err)
	}
	if x := sources[0].Extraction; x.Quote != "*Harvey* was directed by Henry Koster." || harvey[x.Start:x.End] != x.Quote || x.Model != model.Name() || x.Digest == "" {
		t.Errorf("extraction %+v, want the very text with model and digest", x)
	}
}

func TestRealNonsenseForAText(t *testing.T) {
	e, path, model := shelf(t, ollamatest.Shared(t), tinymodel.Babble(), harvey)
	said := 0
	for seed := range seeds() / 4 {
		o := engine.ExtractOptions{Again: true, Options: extract.Options{ReplyTokens: 4096}}
		r, err := e.Extract(t.Context(), []string{path}, seeded{model, seed}, o, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		d := r.Documents[0]
		said += r.Statements
		for state, n := range d.Statements {
			if state != kg.StatementInvalid && n > 0 {
				t.Errorf("seed %d: %d statements of nonsense are %s", seed, n, state)
			}
		}
	}
	if said == 0 {
		t.Error("no reply had a triple, so that nothing was checked")
	}
	t.Logf("%d replies with %d triples of nonsense", seeds()/4, said)
}

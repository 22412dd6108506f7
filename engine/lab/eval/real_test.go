package eval

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets/prompts"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// TestRealModelIsMeasured evaluates a model of a real Ollama server, which dies on
// the way. The model knows one question; its server counts the tokens.
func TestRealModelIsMeasured(t *testing.T) {
	s := ollamatest.Start(t)
	name := s.Install(t, tinymodel.Scenes(
		tinymodel.Scene{
			Cue:  prompts.Text(prompts.Pattern)[:24],
			Text: `{"divided":["the director of Film A"],"triples":[["Film A","directed by","UNKNOWN person 1"]],"asked":"UNKNOWN person 1","task":"find","negated":false}`,
		},
		tinymodel.Scene{Text: `{"sentences":[{"text":"Film A was directed by Director A.","citations":[1]},{"text":"Director B is tall.","citations":[1]}]}`},
	))
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := server.Model(name, ollama.ModelOptions{NumCtx: 24 << 10})
	if err != nil {
		t.Fatal(err)
	}
	d, err := server.Details(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Dataset: "metaqa", Groups: []string{"1"}, Dir: miniSet(t), Planner: "model", Reader: "model", Model: model, Digest: d.Digest,
		Journal: filepath.Join(t.TempDir(), "journal.jsonl"),
	}
	o.Progress = func(p Progress) {
		if p.Done == 3 {
			s.Kill()
		}
	}
	_, err = Run(t.Context(), o)
	if stopped, ok := errors.AsType[*InterruptedError](err); !ok || !errors.Is(err, llm.ErrNotRunning) || stopped.Done != 3 {
		t.Fatalf("Run with a server that dies: %v", err)
	}
	s.Restart(t)
	o.Progress = nil
	interrupted, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Journal = ""
	whole, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, interrupted, sameTable); diff != "" {
		t.Errorf("the table of the interrupted evaluation (-whole +interrupted):\n%s", diff)
	}
	row := whole.Rows[0]
	m := row.Model
	all := m.Costs[len(m.Costs)-1]
	if m.N != 8 || m.Worded == 0 || all.PromptTokens == 0 || all.ReplyTokens == 0 || all.Requests < 9 {
		t.Errorf("what the model did: %+v", m)
	}
	if m.Checks["supported"] == 0 || m.Checks["supported"] == 2*m.Worded {
		t.Errorf("the check said %v", m.Checks)
	}
	if row.Scores.Exact != 8 { // the built-in planner's evidence is better but for Film A
		t.Errorf("%v of 8 are right", row.Scores.Exact)
	}
}

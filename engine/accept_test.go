package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/ingest"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
)

// asker is a model that keeps what it is asked and never has a good reply.
type asker struct{ prompts []string }

func (*asker) Name() string { return "asker" }

func (a *asker) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	a.prompts = append(a.prompts, r.Prompt)
	return llm.Reply{}, llm.ErrCut
}

func TestAcceptedPatterns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "films.cairn")
	e, err := Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.Close() }()
	file := filepath.Join(t.TempDir(), "films.tsv")
	if err := os.WriteFile(file, []byte("Tangerine\tdirected_by\tSean Baker\nTangerine\tstarred_actors\tMya Taylor\nAnora\tdirected_by\tSean Baker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}

	accept := func(question, text string) {
		t.Helper()
		p, err := pattern.ParseText(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.AcceptPattern(t.Context(), question, p); err != nil {
			t.Fatalf("AcceptPattern(%q): %v", question, err)
		}
	}
	want := func(questions ...string) {
		t.Helper()
		kept, err := e.AcceptedPatterns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range kept {
			got = append(got, k.Question)
		}
		if diff := cmp.Diff(questions, got); diff != "" {
			t.Errorf("accepted (-want +got):\n%s", diff)
		}
	}
	m := &asker{}
	e.SetModel(m)
	last := func(question string) string {
		t.Helper()
		if _, err := e.Ask(t.Context(), question, AskOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		return m.prompts[0]
	}

	accept("Who made Tangerine?", "(Tangerine) -directed by-> (?who:person)")
	accept("Who was in it: Tangerine?", "(Tangerine) -starred actors- (?who)")
	accept("who made  tangerine?", "(Tangerine) -directed by- (?who)") // takes the first's place
	want("Who was in it: Tangerine?", "who made tangerine?")
	prompt := last("Who made Anora?")
	if !strings.Contains(prompt, "query: <<<who made tangerine?>>>\n   output: {\"divided\":[\"who made tangerine?\"],\"triples\":[[\"Tangerine\",\"directed by\",\"UNKNOWN thing 2\"]]") {
		t.Errorf("the prompt does not show what was accepted:\n%s", prompt)
	}
	e.SetPlanning(bymodel.Options{Samples: 3}) // keeps them
	m.prompts = nil
	if prompt := last("Who made Anora?"); !strings.Contains(prompt, "who made tangerine?") || len(m.prompts) != 3 {
		t.Errorf("asked %d times, want 3 samples; prompt:\n%s", len(m.prompts), prompt)
	}

	// They are kept with the file.
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = Open(t.Context(), path, Options{}, nil); err != nil {
		t.Fatal(err)
	}
	want("Who was in it: Tangerine?", "who made tangerine?")
	m = &asker{}
	e.SetModel(m)
	if prompt := last("Who made Anora?"); !strings.Contains(prompt, "who made tangerine?") {
		t.Errorf("the prompt of a graph opened anew lacks what was accepted:\n%s", prompt)
	}
	if err := e.ForgetPattern(t.Context(), "Who made Tangerine?"); err != nil {
		t.Fatal(err)
	}
	want("Who was in it: Tangerine?")
	m.prompts = nil
	if prompt := last("Who made Anora?"); strings.Contains(prompt, "who made tangerine?") {
		t.Errorf("the prompt still shows what was forgotten:\n%s", prompt)
	}
	for i := range maxKept + 5 {
		accept(fmt.Sprintf("Question %d?", i), "(Tangerine) -directed by- (?who)")
	}
	kept, err := e.AcceptedPatterns(t.Context())
	if err != nil || len(kept) != maxKept || kept[maxKept-1].Question != fmt.Sprintf("Question %d?", maxKept+4) {
		t.Errorf("%d are kept, the last %+v, %v; want the latest %d", len(kept), kept[len(kept)-1], err, maxKept)
	}
}

func TestAcceptRefuses(t *testing.T) {
	e := films(t)
	p, err := pattern.ParseText("(Tangerine) -directed by- (?who)")
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[error]error{
		ErrInMemory:   e.AcceptPattern(t.Context(), "q", p),
		ErrNoQuestion: e.AcceptPattern(t.Context(), " \n", p),
		errNoPattern:  e.AcceptPattern(t.Context(), "q", nil),
	} {
		if !errors.Is(got, want) {
			t.Errorf("AcceptPattern: %v, want %v", got, want)
		}
	}
}

// TestChoosingWaitsForNothing: a window sets models and planning on the goroutine
// that draws it, also while an import makes a new state of the graph.
func TestChoosingWaitsForNothing(t *testing.T) {
	e := openSample(t)
	e.changing.Lock() // as an import does
	coming, err := newState(t.Context(), e.Graph(), e.now().lexicon, e.opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen := make(chan struct{})
	m := &asker{}
	go func() {
		defer close(chosen)
		e.SetModel(m)
		e.SetPlanning(bymodel.Options{Samples: 3})
	}()
	select {
	case <-chosen:
	case <-time.After(time.Minute):
		t.Fatal("choosing a model waits for the state that is being made")
	}
	e.put(coming)
	e.changing.Unlock()
	if got := e.now(); got.model != m || got.opts.Model.Samples != 3 || got.planner == plan.Planner(got.builtin) {
		t.Errorf("after the import: model %v, %d samples; want what was chosen meanwhile", got.model, got.opts.Model.Samples)
	}
}

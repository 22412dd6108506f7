package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
)

// films is a small graph in memory.
func films(t *testing.T) *Engine {
	t.Helper()
	var b kg.Builder
	b.Add("Tangerine", "directed_by", "Sean Baker")
	b.Add("Tangerine", "starred_actors", "Mya Taylor")
	b.Add("Anora", "directed_by", "Sean Baker")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// said returns a run's answers as the sample's file writes them, sorted.
func said(run *Run) []string {
	a := run.Answer
	switch {
	case a.Verdict == answer.Supported:
		return []string{"yes"}
	case a.Verdict == answer.Refuted:
		return []string{"no"}
	case a.Refusal != nil:
		return nil
	}
	if run.Plan.Readings[run.Reading].Pattern.Task.String() == "count" {
		return []string{strconv.Itoa(a.Count)}
	}
	var labels []string
	for _, it := range a.Items {
		labels = append(labels, it.Label)
	}
	slices.Sort(labels)
	return labels
}

func TestAskTellsEveryStageInOrder(t *testing.T) {
	e := films(t)
	var began, ended []Stage
	run, err := e.Ask(t.Context(), "who directed Tangerine?", AskOptions{}, &Events{
		StageBegin: func(s Stage) { began = append(began, s) },
		StageEnd:   func(_ *Run, r StageRecord) { ended = append(ended, r.Stage) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(began, Stages) || !cmp.Equal(ended, Stages) || len(run.Stages) != len(Stages) {
		t.Errorf("stages begun %v, ended %v, recorded %d; want all of %v", began, ended, len(run.Stages), Stages)
	}
	if got := said(run); !cmp.Equal(got, []string{"Sean Baker"}) {
		t.Errorf("answer = %q", got)
	}
}

func TestAskRefusesWithAReason(t *testing.T) {
	e := films(t)
	for _, question := range []string{
		"who directed Nosferatu?",
		"¿quién dirigió esta película?",
		"гдe",
		strings.Repeat("quick brown foxes jump ", 500),
		"\x00\xff",
		"?",
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Errorf("Ask(%.40q): %v, want a refusal", question, err)
			continue
		}
		if run.Answer.Refusal == nil || run.Answer.Refusal.Reason == "" {
			t.Errorf("Ask(%.40q) = %+v, want a refusal with a reason", question, run.Answer)
		}
	}
	if _, err := e.Ask(t.Context(), "  ", AskOptions{}, nil); !errors.Is(err, ErrNoQuestion) {
		t.Errorf("an empty question gave %v, want ErrNoQuestion", err)
	}
}

func TestAskStopsWhenCancelled(t *testing.T) {
	e := films(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Ask(ctx, "who directed Tangerine?", AskOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Ask with a cancelled context gave %v", err)
	}
}

func TestFollowPattern(t *testing.T) {
	e := films(t)
	p, err := pattern.ParseText("(Sean Baker) <-directed by- (?film)")
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.FollowPattern(t.Context(), "films by Sean Baker", p, AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(run); !cmp.Equal(got, []string{"Anora", "Tangerine"}) {
		t.Errorf("answer = %q, want both films", got)
	}
}

// brokenModel answers nonsense: the built-in ways must stand in.
type brokenModel struct{}

func (brokenModel) Name() string { return "broken" }

func (brokenModel) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: "I am a teapot"}, nil
}

func TestABrokenModelChangesNoAnswer(t *testing.T) {
	e := films(t)
	e.SetModel(brokenModel{})
	var direct []*Run
	restarts := 0
	run, err := e.Ask(t.Context(), "who directed Tangerine?", AskOptions{}, &Events{
		Direct:  func(r *Run) { direct = append(direct, r) },
		Restart: func() { restarts++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(direct) != 1 || !cmp.Equal(said(direct[0]), []string{"Sean Baker"}) || direct[0].Answer.Sentences[0].Check != check.Covered {
		t.Errorf("while the model wrote, the direct answer was told %d times: %+v", len(direct), direct)
	}
	if restarts != 1 {
		t.Errorf("the model began anew %d times, want once after a reply in the wrong form", restarts)
	}
	if got := said(run); !cmp.Equal(got, []string{"Sean Baker"}) {
		t.Errorf("answer = %q", got)
	}
	if !strings.HasPrefix(run.Plan.StoodIn, "The built-in planner was used instead of broken: ") || run.Plan.Reason != "" {
		t.Errorf("who stood in: %q, doubt: %q; want the one without the other", run.Plan.StoodIn, run.Plan.Reason)
	}
	if !strings.HasPrefix(run.Answer.NotWorded, "The model did not write the answer: ") || run.Answer.Model != "" {
		t.Errorf("why the model words nothing: %q, worded by %q", run.Answer.NotWorded, run.Answer.Model)
	}
}

// liar words an answer that the evidence does not bear out.
type liar struct{ brokenModel }

func (liar) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: `{"sentences":[{"text":"Tangerine was directed by Federico Fellini.","citations":[1]}]}`}, nil
}

func TestImportAskReopen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "films.txt")
	if err := os.WriteFile(file, []byte("Tangerine|directed_by|Sean Baker\nAnora|directed_by|Sean Baker\nAnora|release_year|2024\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "films.cairn")
	e, err := Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil)
	if err != nil || r.Added != 3 {
		t.Fatalf("Import = %v, %v, want 3 added", r, err)
	}
	if err := e.SetOverrides(t.Context(), []words.Override{{RelationKey: "directed_by", Words: []string{"megaphoned"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e, err = Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run, err := e.Ask(t.Context(), "who megaphoned Anora?", AskOptions{Save: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := said(run); !cmp.Equal(got, []string{"Sean Baker"}) {
		t.Errorf("answer by the user's own word = %q", got)
	}
	info, err := e.Info(t.Context())
	if err != nil || info.Name != "films" || info.Triples != 3 || len(info.Sources) != 1 {
		t.Errorf("Info = %+v, %v", info, err)
	}
}

func TestGraphInMemoryKeepsNothing(t *testing.T) {
	e := films(t)
	if err := e.SetLexicon(t.Context(), "", nil); !errors.Is(err, ErrInMemory) {
		t.Errorf("SetLexicon gave %v, want ErrInMemory", err)
	}
	if _, err := e.Import(t.Context(), []string{"x"}, ingest.Options{}, nil); !errors.Is(err, ErrInMemory) {
		t.Errorf("Import gave %v, want ErrInMemory", err)
	}
}

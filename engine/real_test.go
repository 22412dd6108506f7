package engine_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/assets/prompts"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/pattern"
	bymodel "cairn/engine/plan/model"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/testkg"
	"cairn/internal/testing/tinymodel"
)

// The tests of this file ask questions with a model of a real Ollama server.

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// realContext is in tokens, which are bytes to these models: three times what a
// prompt of this graph needs of another one.
const realContext = 24 << 10

// with returns an engine over the films whose model is m.
func with(t *testing.T, s *ollamatest.Server, m tinymodel.Model) *engine.Engine {
	t.Helper()
	return planning(t, s, m, bymodel.Options{})
}

// alone is the same without the built-in planner's word.
func alone(t *testing.T, s *ollamatest.Server, m tinymodel.Model) *engine.Engine {
	t.Helper()
	return planning(t, s, m, bymodel.Options{Alone: true})
}

func planning(t *testing.T, s *ollamatest.Server, m tinymodel.Model, o bymodel.Options) *engine.Engine {
	t.Helper()
	server, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := server.Model(s.Install(t, m), ollama.ModelOptions{NumCtx: realContext})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.OnGraph(t.Context(), testkg.Films(), engine.Options{Model: o}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.SetModel(model)
	return e
}

// scenes is a model that gives one reply to the prompt for a pattern, and another
// to any other prompt.
func scenes(first, other string) tinymodel.Model {
	const cue = 24 // characters of the prompt, before anything is filled in
	return tinymodel.Scenes(tinymodel.Scene{Cue: prompts.Text(prompts.Pattern)[:cue], Text: first}, tinymodel.Scene{Text: other})
}

const (
	colleagues = `{"divided":["the actors of Harvey","their other films"],"triples":[["Harvey","starred actors","UNKNOWN actor 1"],["UNKNOWN film 1","starred actors","UNKNOWN actor 1"]],"asked":"UNKNOWN film 1","task":"find","negated":false}`
	otherFilms = `{"sentences":[{"text":"James Stewart starred in Winchester '73 and The Far Country.","citations":[2,3]}]}`
)

func TestRealModelReadsAndWords(t *testing.T) {
	e := alone(t, ollamatest.Shared(t), scenes(colleagues, otherFilms))
	var streamed strings.Builder
	run, err := e.Ask(t.Context(), "In which other films did the actors of Harvey play?", engine.AskOptions{}, &engine.Events{
		Token: func(piece string) { streamed.WriteString(piece) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(run.Plan.Planner, "model ") {
		t.Errorf("planned by %s: %s", run.Plan.Planner, run.Plan.Reason)
	}
	var films []string
	for _, item := range run.Answer.Items {
		films = append(films, item.Label)
	}
	slices.Sort(films)
	if want := []string{"The Far Country", "Winchester '73"}; !slices.Equal(films, want) {
		t.Errorf("answers = %q, want %q", films, want)
	}
	said := sentences(run)
	if len(said) == 0 || said[0].Text != "James Stewart starred in Winchester '73 and The Far Country." {
		t.Fatalf("sentences = %+v", run.Answer.Sentences)
	}
	if !strings.Contains(streamed.String(), "James Stewart starred in Winchester '73") {
		t.Errorf("streamed %q", streamed.String())
	}
}

// sentences are the sentences of a run that a model said.
func sentences(run *engine.Run) []answer.Sentence {
	var said []answer.Sentence
	for _, s := range run.Answer.Sentences {
		if s.Model {
			said = append(said, s)
		}
	}
	return said
}

func TestRealFabricationsDoNotPass(t *testing.T) {
	s := ollamatest.Shared(t)
	for name, text := range map[string]string{
		"another entity":   "Anthony Mann starred in Winchester '73.",
		"another number":   "The release year of Winchester '73 is 1954.",
		"turned round":     "Winchester '73 starred in James Stewart.",
		"denied":           "James Stewart did not star in Winchester '73.",
		"not in the graph": "James Stewart starred in Vertigo.",
	} {
		t.Run(name, func(t *testing.T) {
			reply := `{"sentences":[{"text":"` + text + `","citations":[1,2,3]}]}`
			run, err := alone(t, s, scenes(colleagues, reply)).Ask(t.Context(), "In which other films did the actors of Harvey play?", engine.AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range sentences(run) {
				if said.Check == check.Covered || said.Check == check.Unchecked {
					t.Errorf("%q passed as %q", said.Text, said.Check)
				}
			}
		})
	}
}

func TestRealModelThatCannotPlan(t *testing.T) {
	s := ollamatest.Shared(t)
	for name, m := range map[string]tinymodel.Model{
		"repeats":       tinymodel.Loop(),
		"names nothing": scenes(`{"divided":[],"triples":[["UNKNOWN a 1","is","UNKNOWN b 2"]],"asked":"","task":"find","negated":false}`, "no more"),
	} {
		t.Run(name, func(t *testing.T) {
			run, err := with(t, s, m).Ask(t.Context(), "Who directed Harvey?", engine.AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(run.Answer.Items) != 1 || run.Answer.Items[0].Label != "Henry Koster" || !strings.Contains(run.Plan.StoodIn, "was used instead") {
				t.Errorf("answers %+v, planned by %s: %q", run.Answer.Items, run.Plan.Planner, run.Plan.StoodIn)
			}
			nothingPasses(t, 0, run)
		})
	}
}

func TestRealModelThatSaysNoJSON(t *testing.T) {
	// The grammar makes JSON of what it says, full of names that nothing has.
	e := with(t, ollamatest.Shared(t), tinymodel.Script("I am afraid that I cannot say."))
	run, err := e.Ask(t.Context(), "Who directed Harvey?", engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range run.Answer.Items {
		if item.Label != "Henry Koster" {
			t.Errorf("it answers %q", item.Label)
		}
	}
	nothingPasses(t, 0, run)
}

// seeded asks with a seed and a temperature of its own, so that the same prompt
// gets many replies.
type seeded struct {
	llm.Model
	seed int
}

func (s seeded) Ask(ctx context.Context, req llm.Request) (llm.Reply, error) {
	req.Seed, req.Temperature = s.seed, 1
	return s.Model.Ask(ctx, req)
}

// seeds is how many replies of nonsense a test reads.
func seeds() int {
	if testing.Short() {
		return 20
	}
	return 200
}

func TestRealNonsenseForAPattern(t *testing.T) {
	e := with(t, ollamatest.Shared(t), tinymodel.Babble())
	model := e.Model()
	replies, answered := 0, 0
	planned := map[string]int{}
	for seed := 0; replies < seeds(); seed++ {
		e.SetModel(seeded{model, seed})
		run, err := e.Ask(t.Context(), "Who directed Harvey?", engine.AskOptions{}, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if run.Plan == nil || run.Answer == nil || run.Answer.Refusal == nil && len(run.Answer.Sentences) == 0 {
			t.Fatalf("seed %d: no plan or no answer: %+v", seed, run)
		}
		for _, x := range run.Exchanges { // a reply, and one that puts it right
			if x.Stage == engine.StagePlan {
				replies++
			}
		}
		if len(run.Exchanges) == 0 {
			t.Fatalf("seed %d: nothing was asked", seed)
		}
		for _, item := range run.Answer.Items {
			answered++
			if item.Label != "Henry Koster" {
				t.Errorf("seed %d: nonsense made %q an answer", seed, item.Label)
			}
		}
		planned[run.Plan.Planner]++
		nothingPasses(t, seed, run)
	}
	t.Logf("of %d replies, plans were followed of %v; %d questions were answered", replies, planned, answered)
}

func TestRealNonsenseForAnAnswer(t *testing.T) {
	e := with(t, ollamatest.Shared(t), tinymodel.Babble())
	model := e.Model()
	p, err := pattern.ParseText("(Harvey) -starred actors-> (?actor); (?film) -starred actors-> (?actor)")
	if err != nil {
		t.Fatal(err)
	}
	worded := 0
	checks := map[check.Result]int{}
	for seed := range seeds() {
		e.SetModel(seeded{model, seed})
		run, err := e.FollowPattern(t.Context(), "What else were the actors of Harvey in?", p, engine.AskOptions{}, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(run.Answer.Items) == 0 {
			t.Errorf("seed %d: the direct answer is gone", seed)
		}
		worded += min(1, len(sentences(run)))
		for _, s := range sentences(run) {
			checks[s.Check]++
		}
		nothingPasses(t, seed, run)
	}
	if worded == 0 {
		t.Error("no reply was taken for an answer, so that nothing was checked")
	}
	t.Logf("of %d replies %d were taken for an answer; the check said %v", seeds(), worded, checks)
}

// nothingPasses checks that no sentence of a model counts as supported.
func nothingPasses(t *testing.T, seed int, run *engine.Run) {
	t.Helper()
	for _, s := range sentences(run) {
		if s.Check == check.Covered || s.Check == check.Unchecked {
			t.Errorf("seed %d: the nonsense %q, citing %v, is %q", seed, s.Text, s.Citations, s.Check)
		}
	}
}

func TestRealStopAmidTheAnswer(t *testing.T) {
	long := `{"sentences":[{"text":"James Stewart starred in ` + strings.Repeat("Winchester '73 and then in ", 40) + `The Far Country.","citations":[2,3]}]}`
	e := with(t, ollamatest.Shared(t), scenes(colleagues, long))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stopped time.Time
	_, err := e.Ask(ctx, "Which other films do the actors of Harvey star in?", engine.AskOptions{}, &engine.Events{Token: func(string) {
		if stopped.IsZero() {
			stopped = time.Now()
			cancel()
		}
	}})
	if took := time.Since(stopped); !errors.Is(err, context.Canceled) || took > 100*time.Millisecond {
		t.Errorf("Ask = %v, %v after the stop; want it over within 100 ms", err, took)
	}
	t.Logf("over %v after the stop", time.Since(stopped))
}

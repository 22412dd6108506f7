package model

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/plan"
)

// planned asks a planner by script, with nothing to hold the model against unless
// w says otherwise.
func planned(t *testing.T, w World, m *script, o Options, question string) *plan.Plan {
	t.Helper()
	got, err := New(m, w, o).Plan(t.Context(), question, nil)
	if err != nil {
		t.Fatalf("Plan(%q): %v", question, err)
	}
	return got
}

func alone(t *testing.T) World {
	t.Helper()
	w := around(t, films())
	w.Fallback = silent
	return w
}

func TestOneSample(t *testing.T) {
	w := alone(t)
	m := replies(find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "directed by", "Michael Mann"}, [3]string{"UNKNOWN film 1", "starred actors", "Al Pacino"}))
	got := planned(t, w, m, Options{}, "Which films directed by Michael Mann starred Al Pacino?")
	if got.Planner != "model script" || got.Doubt != plan.Sure || len(got.Readings) != 1 {
		t.Fatalf("Plan = %+v, want one sure reading by the model", got)
	}
	if diff := cmp.Diff([]string{"Heat"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if m := got.Mentions; len(m) != 2 || m[0].Text != "Michael Mann" || m[0].Start != 24 || m[0].End != 36 {
		t.Errorf("mentions %+v, want Michael Mann at 24-36, then Al Pacino", m)
	}
	r := m.got[0]
	if r.Purpose != "pattern" || r.Temperature != 0 || r.Seed != 0 || r.Left != "" {
		t.Errorf("request for %q at temperature %g with seed %d, left %q; want the pattern, at 0", r.Purpose, r.Temperature, r.Seed, r.Left)
	}
}

func TestSamplesAreChosenByEvidence(t *testing.T) {
	w := alone(t)
	nothing := find("UNKNOWN x 1", [3]string{"Scarface", "directed by", "UNKNOWN x 1"}, [3]string{"Scarface", "starred actors", "UNKNOWN x 1"})
	right := find("UNKNOWN person 1", [3]string{"Scarface", "directed by", "UNKNOWN person 1"})
	loose := find("UNKNOWN person 1", [3]string{"Scarface", "UNKNOWN relation 1", "UNKNOWN person 1"})
	m := replies(
		loose, nothing, loose, "I am a teapot.", "still a teapot", right,
		find("UNKNOWN x 1", [3]string{"Scarface", "directed_by", "UNKNOWN x 1"}),
	)
	got := planned(t, w, m, Options{Samples: 6}, "Who is the director of Scarface?")
	if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	// The same pattern in other words is one reading; what finds nothing is last.
	if len(got.Readings) != 3 {
		t.Fatalf("%d readings, want 3: %+v", len(got.Readings), got.Readings)
	}
	if s := got.Readings[0].Explanation.Message; !strings.Contains(s, "sample 5 (temperature 0.7, seed 4)") || !strings.Contains(s, "2 of 5 samples agreed") {
		t.Errorf("explanation %q, want the sample, its seed and how many agreed", s)
	}
	if answersOf(t, w, got.Readings[2].Pattern) != nil {
		t.Errorf("the last reading %s has a match", got.Readings[2].Text)
	}
	want := []string{"pattern", "pattern, sample 2", "pattern, sample 3", "pattern, sample 4", "pattern, sample 4, repaired", "pattern, sample 5", "pattern, sample 6"}
	if diff := cmp.Diff(want, m.purposes()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	for i, seed := range []int{0, 1, 2, 3, 3, 4, 5} {
		if r := m.got[i]; r.Seed != seed || (r.Temperature == 0) != (seed == 0) {
			t.Errorf("request %d: seed %d at temperature %g, want seed %d", i, r.Seed, r.Temperature, seed)
		}
	}
	again := planned(t, w, replies(m.replies...), Options{Samples: 6}, "Who is the director of Scarface?")
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("the same replies make another plan (-first +second):\n%s", diff)
	}
}

func TestFewerConditionsDoNotWin(t *testing.T) {
	w := alone(t)
	all := find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "film director", "Michael Mann"}, [3]string{"UNKNOWN film 1", "starring", "Al Pacino"})
	part := find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "directed by", "Michael Mann"})
	got := planned(t, w, replies(part, all), Options{Samples: 2}, "Which films by the director Michael Mann are starring Al Pacino?")
	if diff := cmp.Diff([]string{"Heat"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if second := got.Readings[1]; !slices.Contains(second.Unused, "Pacino") || second.Score >= got.Readings[0].Score {
		t.Errorf("second reading %+v, want it to leave Pacino out, with a lower score", second)
	}
}

func TestRepair(t *testing.T) {
	right := find("UNKNOWN person 1", [3]string{"Scarface", "directed by", "UNKNOWN person 1"})
	for name, first := range map[string]string{
		"prose":            "The director of Scarface is Brian De Palma.",
		"cut":              `{"triples": [["Scarface", "dir`,
		"names nothing":    find("UNKNOWN a 1", [3]string{"UNKNOWN a 1", "directed by", "UNKNOWN b 1"}),
		"recites":          find("UNKNOWN book 1", [3]string{"42", "author", "UNKNOWN book 1"}),
		"recites examples": find("UNKNOWN film 1", [3]string{"UNKNOWN actor 1", "actor of", "Flashpoint"}),
		"another name":     find("UNKNOWN person 1", [3]string{"Heat", "directed by", "UNKNOWN person 1"}),
		"too large":        "[" + strings.Repeat(`["Scarface","r","b"],`, 20) + "]",
		"empty":            "",
	} {
		t.Run(name, func(t *testing.T) {
			w := alone(t)
			m := replies(first, right)
			got := planned(t, w, m, Options{}, "Who directed Scarface?")
			if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if len(m.got) != 2 || m.got[1].Purpose != "pattern, repaired" {
				t.Fatalf("requests for %v, want the pattern and its repair", m.purposes())
			}
			if prompt := strings.TrimSpace(m.got[0].Prompt); !strings.HasPrefix(m.got[1].Prompt, prompt) {
				t.Errorf("the repair prompt does not go on from the first, which servers have read:\n%s", m.got[1].Prompt)
			}
			if shown := llm.Quote(first, maxShownReply); !strings.Contains(m.got[1].Prompt, "your first reply: <<<"+shown+">>>") {
				t.Errorf("the repair prompt does not show the reply:\n%s", m.got[1].Prompt)
			}
			if !strings.Contains(got.Readings[0].Explanation.Message, "repaired") {
				t.Errorf("explanation %q does not say that it was repaired", got.Readings[0].Explanation.Message)
			}
		})
	}
}

func TestRepairOffersNearNames(t *testing.T) {
	w := alone(t)
	w.Linker = exactly{w.Graph}
	m := replies(
		find("UNKNOWN person 1", [3]string{"Scarfaze the movie", "directed by", "UNKNOWN person 1"}),
		find("UNKNOWN person 1", [3]string{"Scarface", "directed by", "UNKNOWN person 1"}),
	)
	got := planned(t, w, m, Options{}, "Who directed Scarfaze the movie?")
	if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	prompt := m.got[1].Prompt
	for _, want := range []string{"names of this graph that may be meant: <<<Scarface;", "the graph has nothing by the name “Scarfaze the movie”"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the repair prompt lacks %q:\n%s", want, prompt)
		}
	}

	// A repair that links no better leaves the first reply, whose name the matcher
	// looks for.
	m = replies(find("UNKNOWN person 1", [3]string{"Scarfaze", "directed by", "UNKNOWN person 1"}), "no")
	got = planned(t, w, m, Options{}, "Who directed Scarfaze?")
	if got.Planner != "model script" || got.Doubt != plan.Unsure || !slices.Equal(got.Unlinked, []string{"Scarfaze"}) {
		t.Errorf("Plan = %+v, want the first reply's, unsure, with the name unlinked", got)
	}
	if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestFallsBackAndSaysSo(t *testing.T) {
	w := alone(t)
	for name, m := range map[string]*script{
		"server": {err: llm.ErrNotRunning},
		"cut":    {err: llm.ErrCut},
		"prose":  replies("I am a teapot."),
		"recite": replies(find("UNKNOWN book 1", [3]string{"42", "author", "UNKNOWN book 1"})),
		"alien":  replies("Я не знаю такого фильма, извините."),
	} {
		got := planned(t, w, m, Options{Samples: 2}, "Who directed Scarface?")
		if got.Planner != "built-in" || !strings.HasPrefix(got.StoodIn, "The built-in planner was used instead of script: ") || got.Reason != "Nothing says what to look for." {
			t.Errorf("%s: Plan = %+v, want the fallback's plan with both reasons", name, got)
		}
		if want := map[string]int{"server": 1, "cut": 2}[name]; want > 0 && len(m.got) != want {
			t.Errorf("%s: asked %d times, want %d", name, len(m.got), want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(replies("x"), w, Options{}).Plan(ctx, "q", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan with a cancelled context: %v, want context.Canceled", err)
	}
}

// stuck is a model that never answers.
type stuck struct{ asked chan struct{} }

func (stuck) Name() string { return "stuck" }

func (s stuck) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	close(s.asked)
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

func TestCancelWhileTheModelThinks(t *testing.T) {
	for _, o := range []Options{{Samples: 5}, {Chains: true}} {
		ctx, cancel := context.WithCancel(t.Context())
		m := stuck{make(chan struct{})}
		var at time.Time
		go func() {
			<-m.asked
			at = time.Now()
			cancel()
		}()
		_, err := New(m, mentioning(t), o).Plan(ctx, "Who directed Scarface?", nil)
		if took := time.Since(at); !errors.Is(err, context.Canceled) || took > 100*time.Millisecond {
			t.Errorf("Plan: %v, %v after the cancel; want context.Canceled within 100 ms", err, took)
		}
	}
}

func TestEmptyGraph(t *testing.T) {
	var b kg.Builder
	w := around(t, b.Graph())
	for _, o := range []Options{{}, {Chains: true}, {Alone: true}} {
		planned(t, w, replies(find("UNKNOWN x 1", [3]string{"Heat", "directed by", "UNKNOWN x 1"})), o, "Who directed Heat?")
		planned(t, w, replies("-"), o, "")
	}
}

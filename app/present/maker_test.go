package present

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/llm"
)

// asked is a request of a stage to qwen3:4b.
func asked(s engine.Stage, read, written int, took time.Duration) engine.Exchange {
	return engine.Exchange{Stage: s, Exchange: llm.Exchange{
		Model: "qwen3:4b", Digest: "sha256:2c9f41ab77d0e1", PromptTokens: read, ReplyTokens: written, Duration: took,
	}}
}

// wordedByModel gives a run sentences that qwen3:4b wrote, with what the check
// found of them.
func wordedByModel(r *engine.Run, checks ...check.Result) {
	r.Answer.Model = "qwen3:4b"
	for _, c := range checks {
		r.Answer.Sentences = append(r.Answer.Sentences, answer.Sentence{Text: "In 1940.", Citations: []int{2}, Check: c, Model: true})
	}
}

func TestMakers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*engine.Run)
		want   []Maker
		basis  string
		short  string
	}{
		{
			"no model", func(*engine.Run) {}, nil,
			"Based on 2 triples · distance 0.25, lower is closer · complete search · no language model used", "",
		},
		{
			"both by the model", func(r *engine.Run) {
				wordedByModel(r, check.Covered)
				r.Plan.Planner = "model qwen3:4b"
				r.Exchanges = []engine.Exchange{
					asked(engine.StagePlan, 1000, 80, 2*time.Second), asked(engine.StagePlan, 204, 6, 1200*time.Millisecond),
					asked(engine.StageAnswer, 640, 120, 5100*time.Millisecond),
				}
			},
			[]Maker{
				{Part: "Read by", Who: "qwen3:4b (2c9f41ab)", Cost: "2 requests · 1,204 + 86 tokens · 3.2 s"},
				{Part: "Written by", Who: "qwen3:4b (2c9f41ab)", Cost: "640 + 120 tokens · 5.1 s"},
			},
			"Written by qwen3:4b, checked against 2 triples · distance 0.25, lower is closer · complete search",
			"Read and written by qwen3:4b, checked by Cairn",
		},
		{
			"the built-in planner stood in", func(r *engine.Run) {
				r.Plan.StoodIn = "The stand-in planned, since qwen3:4b could not plan this: its reply is no pattern."
				r.Exchanges = []engine.Exchange{asked(engine.StagePlan, 1000, 80, 2*time.Second)}
				r.Answer.NotWorded = "Its reply says nothing."
			},
			[]Maker{
				{
					Part: "Read by", Who: "the built-in planner", Cost: "1,000 + 80 tokens · 2.0 s",
					Instead: "The stand-in planned, since qwen3:4b could not plan this: its reply is no pattern.",
				},
				{
					Part: "Written by", Who: "Cairn, from the matches alone",
					Instead: "Its reply says nothing.",
				},
			},
			"Based on 2 triples · distance 0.25, lower is closer · complete search",
			"Read by the built-in planner, written by Cairn",
		},
		{
			"refused", func(r *engine.Run) {
				r.Plan.Planner = "model qwen3:4b"
				r.Answer = &answer.Answer{Refusal: &answer.Refusal{Reason: "nothing fits"}}
			},
			[]Maker{{Part: "Read by", Who: "qwen3:4b"}},
			"",
			"Read by qwen3:4b",
		},
		{
			"the user's pattern", func(r *engine.Run) {
				wordedByModel(r, check.Partly, check.Covered)
				r.Plan.Planner = "your pattern"
			},
			[]Maker{{Part: "Read by", Who: "your pattern"}, {Part: "Written by", Who: "qwen3:4b"}},
			"Written by qwen3:4b, checked against 2 triples · distance 0.25, lower is closer · complete search",
			"Read by your pattern, written by qwen3:4b, checked by Cairn",
		},
		{
			"nothing that the model wrote passed", func(r *engine.Run) {
				wordedByModel(r, check.NotInEvidence, check.Partly)
				r.Plan.Planner = "model qwen3:4b"
			},
			[]Maker{{Part: "Read by", Who: "qwen3:4b"}, {Part: "Written by", Who: "Cairn, because nothing qwen3:4b wrote passed the check"}},
			"Based on 2 triples · distance 0.25, lower is closer · complete search",
			"Read by qwen3:4b, written by Cairn",
		},
		{
			"both failed for one reason", func(r *engine.Run) {
				r.Plan.StoodIn = "The built-in planner was used instead of qwen3:4b: no Ollama server responds at 127.0.0.1."
				r.Answer.NotWorded = "The model did not write the answer: no Ollama server responds at 127.0.0.1."
			},
			[]Maker{
				{Part: "Read by", Who: "the built-in planner", Instead: "The built-in planner was used instead of qwen3:4b: no Ollama server responds at 127.0.0.1."},
				{Part: "Written by", Who: "Cairn, from the matches alone", Instead: "For the same reason, the model did not write the answer."},
			},
			"Based on 2 triples · distance 0.25, lower is closer · complete search",
			"Read by the built-in planner, written by Cairn",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, run := films(t, 1)
			c.change(run)
			if diff := cmp.Diff(c.want, Makers(run), cmpopts.IgnoreUnexported(Maker{})); diff != "" {
				t.Errorf("Makers() (-want +got):\n%s", diff)
			}
			if got := MadeBy(run); got != c.short {
				t.Errorf("MadeBy() = %q, want %q", got, c.short)
			}
			if got := Basis(run); got != c.basis {
				t.Errorf("Basis() = %q, want %q", got, c.basis)
			}
		})
	}
}

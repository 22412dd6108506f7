package model

import (
	"strings"
	"testing"
	"time"

	"cairn/engine/plan"
)

// FuzzReply gives the planner any reply to any question: it plans or falls back,
// and what it plans can be matched.
func FuzzReply(f *testing.F) {
	for _, reply := range []string{
		find("UNKNOWN person 1", [3]string{"Heat", "directed by", "UNKNOWN person 1"}),
		chainsReply("Heat: directed by", "Al Pacino: child, child"),
		`{"divided": [""], "triples": [["", "", ""]], "asked": "", "task": "verify", "negated": true}`,
		`[["Heat", "UNKNOWN relation 1", "Heat"], ["?x", "child", "?x"]]`,
		"(('Heat', 'directed_by', 'UNKNOWN'), )",
		strings.Repeat("{[(", 100), "```json\n{}\n```", "\x00\xff", "42",
	} {
		f.Add("Who directed Heat?", reply, false)
		f.Add("Al Pacino is the child of "+reply, reply, true)
	}
	w := around(f, films())
	f.Fuzz(func(t *testing.T, question, reply string, chains bool) {
		if len(question) > 2000 || len(reply) > 20_000 {
			t.Skip()
		}
		for _, o := range []Options{{Samples: 2, Chains: chains}, {Alone: true, Chains: chains}} {
			start := time.Now()
			got, err := New(replies(reply, "no", reply), w, o).Plan(t.Context(), question, nil)
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			if err != nil {
				t.Fatalf("Plan: %v", err)
			}
			if got.Planner != "built-in" && len(got.Readings) == 0 {
				t.Errorf("%s planned without a reading", got.Planner)
			}
			if got.Planner == "model script" && got.Doubt == plan.NotSupported {
				t.Error("a plan by the model's is not supported")
			}
			for _, r := range got.Readings {
				if _, err := w.Grounder.Ground(t.Context(), r.Pattern); err != nil {
					t.Errorf("%s cannot be matched: %v", r.Text, err)
				}
			}
		}
	})
}

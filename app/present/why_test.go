package present_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/testkg"
)

func clinic(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.OnGraph(t.Context(), testkg.Build(
		"influenza|symptom|fever", "influenza|symptom|cough", "influenza|treated by|oseltamivir",
		"covid|symptom|fever", "covid|symptom|cough", "covid|treated by|paxlovid",
		"malaria|symptom|fever", "malaria|treated by|quinine", "malaria|carried by|mosquito",
		"ague|symptom|fever", "ague|treated by|quinine", "quinine|treated by|quinine",
	), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func follow(t *testing.T, e *engine.Engine, text string) *engine.Run {
	t.Helper()
	run, err := e.FollowPattern(t.Context(), "", parse(t, text), engine.AskOptions{Retriever: "exact"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestWhatIsLeftOpenIsNeverSure: answers that leave a condition open are amber, and say
// how much they meet and what they do not.
func TestWhatIsLeftOpenIsNeverSure(t *testing.T) {
	e := clinic(t)
	for _, c := range []struct {
		pattern, glance string
		said            []string
	}{
		{
			"(?x) -symptom-> (fever); (?x) -symptom-> (cough); (?x) -treated by-> (quinine); (?x) -carried by-> (mosquito)",
			"Closest: malaria, meeting 3 of 4 conditions",
			[]string{
				"No answer meets all 4 conditions. malaria [T1][T2][T3] meets 3.",
				"The symptom of malaria is fever [T1]; malaria is treated by quinine [T2]; malaria is carried by mosquito [T3].",
				"Not met: symptom: cough.",
			},
		},
		{
			"(?x) -treated by-> (fever); (?x) -treated by-> (cough)", "influenza and covid, linked to names in the question",
			[]string{
				"Nothing meets any condition of the question. Linked to most of its names: influenza [T1][T2] and covid [T3][T4].",
				"The symptom of influenza is fever [T1]; the symptom of influenza is cough [T2].",
				"For influenza, not met: treated by: fever and treated by: cough.",
				"The symptom of covid is fever [T3]; the symptom of covid is cough [T4].",
				"For covid, not met: treated by: fever and treated by: cough.",
			},
		},
	} {
		run := follow(t, e, c.pattern)
		glance, tone := present.Glance(run)
		if glance != c.glance || tone != present.Doubtful || present.Sure(run) {
			t.Errorf("%s: %q with tone %d, sure: %t; want %q", c.pattern, glance, tone, present.Sure(run), c.glance)
		}
		var said []string
		for _, s := range run.Answer.Sentences {
			said = append(said, s.Text)
		}
		if diff := cmp.Diff(c.said, said); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.pattern, diff)
		}
	}
	all := follow(t, e, "(?x) -symptom-> (fever); (?x) -treated by-> (paxlovid)")
	if glance, tone := present.Glance(all); glance != "covid" || tone != present.Good {
		t.Errorf("what meets everything: %q with tone %d", glance, tone)
	}
	guess, unsure := *all, *all.Plan
	unsure.Doubt, unsure.Confidence = plan.Unsure, 0.18
	guess.Plan = &unsure
	if glance, tone := present.Glance(&guess); glance != "A guess, 18% likely: covid" || present.Sure(&guess) {
		t.Errorf("a reading that is likely wrong: %q with tone %d", glance, tone)
	}
	claim := follow(t, e, "(malaria) -symptom-> (fever); (malaria) -symptom-> (cough)")
	if claim.Answer.Verdict != answer.NotFound || present.Sure(claim) {
		t.Errorf("a claim that holds in part is %q", claim.Answer.Verdict)
	}
	count := follow(t, e, "(?x) -symptom-> (cough); (?x) -treated by-> (quinine) | count ?x")
	if count.Answer.Refusal == nil {
		t.Errorf("the number of what does not exist: %+v", count.Answer.Sentences)
	}
}

func TestReasons(t *testing.T) {
	e := clinic(t)
	const asked = "(?x) -symptom-> (fever); (?x) -symptom-> (cough); (?x) -treated by-> (quinine)"
	run := follow(t, e, asked)
	for name, wants := range map[string][]string{
		"covid": {
			"covid is an answer: it meets 2 of 3 conditions.", "It is answer 3 of 4.", "✓ symptom: cough (met)",
			"✗ treated by: quinine (not met)", "instead: covid — treated by → paxlovid", "What would make it an answer\n  covid — treated by → quinine",
			"Supported by these triples\n  covid — symptom → fever\n  covid — symptom → cough",
		},
		"mosquito": {
			"mosquito is not an answer: it meets 0 of 3 conditions.", "It was not a candidate", "? symptom: fever (unknown to this graph)",
			"mosquito — symptom → fever\n  mosquito — symptom → cough\n  mosquito — treated by → quinine",
		},
		"quinine": {"quinine is not an answer: the question itself names it."},
	} {
		es, exact, err := e.Called(t.Context(), name)
		if err != nil || !exact || len(es) != 1 {
			t.Fatalf("Called(%q) = %v, %t, %v", name, es, exact, err)
		}
		w, err := e.WhyNot(t.Context(), run, es[0])
		if err != nil {
			t.Fatal(err)
		}
		why, err := e.Why(t.Context(), run, es[0])
		if err != nil {
			t.Fatal(err)
		}
		got := present.ReasonsOf(e.Graph(), w, why).Text()
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("of %s is not said %q:\n%s", name, want, got)
			}
		}
	}
	if _, err := e.WhyNot(context.Background(), follow(t, e, "(malaria) -symptom-> (fever)"), 0); !errors.Is(err, engine.ErrNoConditions) {
		t.Errorf("WhyNot of a claim = %v", err)
	}
	// It works for the run of another method that matches patterns.
	other, err := e.FollowPattern(t.Context(), "", parse(t, asked), engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := e.WhyNot(t.Context(), other, testkg.Find(e.Graph(), "covid"))
	if err != nil || w.Place != 0 || w.CountMet() != 2 || len(w.Missing) != 1 {
		t.Errorf("of a run of pattern matching: %+v, %v", w, err)
	}
}

func parse(t *testing.T, text string) *pattern.Pattern {
	t.Helper()
	p, err := pattern.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWhereItWasCut asks of one that came behind all that were kept.
func TestWhereItWasCut(t *testing.T) {
	triples := []string{"first|symptom|fever", "first|symptom|cough", "quinine|treats|malaria"}
	for i := range 60 {
		triples = append(triples, fmt.Sprintf("disease %d|symptom|fever", i))
	}
	g := testkg.Build(triples...)
	e, err := engine.OnGraph(t.Context(), g, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run := follow(t, e, "(?x) -symptom-> (fever); (?x) -symptom-> (cough); (quinine) -treats-> (?x)")
	for name, want := range map[string]string{
		"disease 59": "It was a candidate, but the first answer meets 2, and the last of the 21 kept meets 1.",
		"disease 0":  "It ranked",
	} {
		w, err := e.WhyNot(t.Context(), run, testkg.Find(g, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := present.ReasonsOf(g, w, nil).Text(); !strings.Contains(got, want) {
			t.Errorf("of %s is not said %q:\n%s", name, want, got)
		}
	}
}

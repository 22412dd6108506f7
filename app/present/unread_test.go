package present

import (
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/plan"
)

// TestWhatWasNotReadIsInTheFirstLine asks for more than is read.
func TestWhatWasNotReadIsInTheFirstLine(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for question, unread := range map[string][]string{
		"Which companies are located in Germany and were founded before 1900?": {"founded", "before", "1900"},
		"Which countries border Germany or France?":                            nil,
		"Which rivers flow through Germany and were poisoned?":                 {"poisoned"},
		"What is the capital of Mongolia?":                                     nil,
		"Which countries in South America have more than 40 million people?":   nil,
	} {
		run, err := e.Ask(t.Context(), question, engine.AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, says := range []func(*engine.Run) (string, Tone){headline, Glance} {
			text, tone := says(run)
			if (tone == Good) != (unread == nil) {
				t.Errorf("%q: %q has the tone %d", question, text, tone)
			}
			for _, w := range unread {
				if !strings.Contains(text, "“"+w+"”") {
					t.Errorf("%q: the first line is %q, want %q in it", question, text, w)
				}
			}
		}
	}
}

// TestWhatCanBeReadOtherwiseIsNotSure asks what has another reading that fits as well.
func TestWhatCanBeReadOtherwiseIsNotSure(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	run, err := e.Ask(t.Context(), "Which countries border Germany?", engine.AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for doubt, sure := range map[plan.Doubt]bool{plan.Sure: true, plan.Ambiguous: false, plan.Unsure: false} {
		run.Plan.Doubt = doubt
		if Sure(e.Graph(), run) != sure {
			t.Errorf("with the doubt %v it is sure: %v", doubt, !sure)
		}
	}
}

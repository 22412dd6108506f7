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
		"Who was the first person on the moon?":                                {"moon"},
		"Who was awarded the 1911 Nobel Prize in Chemistry?":                   nil,
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
				if strings.Count(text, "“"+w+"”") != 1 {
					t.Errorf("%q: the first line is %q, want %q in it once", question, text, w)
				}
			}
		}
	}
}

// TestWordsOfTheQuestion cuts a question into its words with what the reading makes of them.
func TestWordsOfTheQuestion(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for question, want := range map[string]string{
		"What is the capital of Mongolia?":         "capital asks for capital; Mongolia a name",
		"How many countries border Germany?":       "many an operator; countries a type; border asks for borders; Germany a name",
		"Which rivers poisoned the sea at Oslo":    "",
		"Austria, a small country, borders Italy.": "Austria a name; small ignored; country a type; borders asks for borders; Italy a name",
	} {
		run, err := e.Ask(t.Context(), question, engine.AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, said := "", []string{}
		for _, w := range Words(run) {
			if whole += w.Text; !w.Gap && w.Role != plan.Filler {
				said = append(said, w.Text+" "+w.Means())
			}
		}
		if run.Reading >= 0 && whole != question {
			t.Errorf("the pieces of %q are %q", question, whole)
		}
		if got := strings.Join(said, "; "); want != "" && got != want {
			t.Errorf("%s: %s, not %s", question, got, want)
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
		if Sure(run) != sure {
			t.Errorf("with the doubt %v it is sure: %v", doubt, !sure)
		}
	}
}

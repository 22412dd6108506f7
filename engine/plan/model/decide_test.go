package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/plan"
)

// TestDecide holds a model's reply against what the built-in planner reads.
func TestDecide(t *testing.T) {
	directorOf := func(film string) string {
		return find("UNKNOWN person 1", [3]string{film, "directed by", "UNKNOWN person 1"})
	}
	for _, test := range []struct {
		name, question, reply string
		planner               string
		doubt                 plan.Doubt
		want                  []string
		reason                string
		offered               bool // the model's reading is among those to choose from
	}{
		{
			"both read the same", "Who directed Scarface?", directorOf("Scarface"),
			"model script", plan.Sure,
			[]string{"Brian De Palma"},
			"", false,
		},
		{
			"the model's finds nothing", "Who directed Scarface?",
			find("UNKNOWN x 1", [3]string{"Scarface", "directed by", "UNKNOWN x 1"}, [3]string{"Scarface", "starred actors", "UNKNOWN x 1"}),
			"built-in", plan.Sure,
			[]string{"Brian De Palma"},
			"has no match", true,
		},
		{
			"the model leaves a condition out", "Which films directed by Michael Mann starred Al Pacino?",
			find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "directed by", "Michael Mann"}),
			"built-in", plan.Sure,
			[]string{"Heat"},
			"without better evidence", true,
		},
		{
			"as good evidence for something else", "Who directed Scarface?",
			find("UNKNOWN film 1", [3]string{"Scarface", "directed by", "UNKNOWN person 1"}, [3]string{"UNKNOWN film 1", "directed by", "UNKNOWN person 1"}),
			"built-in", plan.Ambiguous,
			[]string{"Brian De Palma"},
			"without better evidence", true,
		},
		{
			"the model recites", "Who directed Scarface?", directorOf("Flashpoint"),
			"built-in", plan.Sure,
			[]string{"Brian De Palma"},
			"the question has nothing like “Flashpoint”", false,
		},
		{
			"a form that no pattern can say", "Which films did not star Al Pacino?",
			find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "starred actors", "Al Pacino"}),
			"built-in", plan.Sure, nil, "", false,
		},
		{
			"a true claim", "Heat was directed by Michael Mann.",
			reply("verify", "", [3]string{"Heat", "directed by", "Michael Mann"}),
			"model script", plan.Sure, nil, "", false,
		},
		{
			// That they are joined at all is no evidence that they are joined so.
			"a false claim, read too loosely", "Heat was directed by Al Pacino.",
			reply("verify", "", [3]string{"Heat", "UNKNOWN relation 1", "Al Pacino"}),
			"built-in", plan.Sure, nil, "without better evidence", true,
		},
		{
			"a claim that names what the graph has not", "Heat was directed by Michael Mann and Zaphod Beeblebrox.",
			reply("verify", "", [3]string{"Heat", "directed by", "Michael Mann"}),
			"built-in", plan.NoMention, nil, "ignores “Zaphod”", false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := around(t, films())
			got := planned(t, w, replies(test.reply), Options{}, test.question)
			if got.Question != test.question {
				t.Errorf("the plan is of the question %q", got.Question)
			}
			if got.Planner != test.planner || got.Doubt != test.doubt {
				t.Errorf("planner %s, doubt %v; want %s, %v (reason: %s)", got.Planner, got.Doubt, test.planner, test.doubt, reasons(got))
			}
			if !strings.Contains(reasons(got), test.reason) || test.reason == "" && reasons(got) != "" {
				t.Errorf("reason %q, want %q", reasons(got), test.reason)
			}
			offered := slices.ContainsFunc(got.Readings, func(r plan.Reading) bool {
				return strings.HasPrefix(r.Explanation.Message, "read by script")
			})
			if offered != test.offered {
				t.Errorf("the model's reading is offered: %v, want %v", offered, test.offered)
			}
			if test.want != nil {
				if diff := cmp.Diff(test.want, answers(t, w, got)); diff != "" {
					t.Errorf("answers (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestOtherLanguages: a model reads what no word list does. That nothing else
// bears its reading out is said.
func TestOtherLanguages(t *testing.T) {
	w := alone(t)
	m := replies(find("UNKNOWN persona 1", [3]string{"Scarface", "directed by", "UNKNOWN persona 1"}))
	got := planned(t, w, m, Options{}, "¿Quién dirigió Scarface?")
	if got.Planner != "model script" || got.Doubt != plan.Unsure || got.Reason != "The reading ignores “Quién”, “dirigió”." {
		t.Errorf("Plan = %+v, want the model's, unsure", got)
	}
	if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	// A relation in that language too is asked for once more.
	foreign := find("UNKNOWN persona 1", [3]string{"Scarface", "dirigida por", "UNKNOWN persona 1"})
	m = replies(foreign, m.replies[0])
	got = planned(t, w, m, Options{}, "¿Quién dirigió Scarface?")
	if diff := cmp.Diff([]string{"Brian De Palma"}, answers(t, w, got)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if p := m.got[1].Prompt; !strings.Contains(p, "the graph has no relation like “dirigida por”: use one of its relations") {
		t.Errorf("the repair prompt does not say what is wrong:\n%s", p)
	}
}

// TestNothingLikeIt: the nearest of all relations is no answer where it has nothing
// in common with the one that is asked for.
func TestNothingLikeIt(t *testing.T) {
	w := alone(t)
	m := replies(find("UNKNOWN thing 1", [3]string{"Heat", "zzyzx quux", "UNKNOWN thing 1"}))
	got := planned(t, w, m, Options{}, "What is the zzyzx quux of Heat?")
	if got.Planner != "built-in" || got.Doubt != plan.NoRelation || !strings.Contains(got.StoodIn, "nothing in the graph is like “zzyzx quux”") || len(got.Readings) != 1 {
		t.Errorf("Plan = %+v, want a refusal with the model's reading to choose", got)
	}
}

// TestKnownWordsAreNotIgnored: a pattern that leaves the point of a question out
// answers another one.
func TestKnownWordsAreNotIgnored(t *testing.T) {
	w := alone(t)
	m := replies(find("UNKNOWN person 1", [3]string{"Heat", "directed by", "UNKNOWN person 1"}))
	got := planned(t, w, m, Options{}, "Who is the wife of the director of Heat?")
	if got.Planner != "built-in" || got.Doubt != plan.NoRelation || !strings.Contains(got.StoodIn, "ignores “wife”") || len(got.Readings) != 1 {
		t.Errorf("Plan = %+v, want a refusal with the model's reading to choose", got)
	}
}

func TestAloneFollowsTheModel(t *testing.T) {
	w := around(t, films())
	m := replies(find("UNKNOWN film 1", [3]string{"UNKNOWN film 1", "directed by", "Michael Mann"}))
	got := planned(t, w, m, Options{Alone: true}, "Which films directed by Michael Mann starred Al Pacino?")
	if got.Planner != "model script" || len(got.Readings) != 1 || got.Doubt != plan.Unsure {
		t.Errorf("Plan = %+v, want the model's reading only, unsure", got)
	}
}

// TestBreaksATie: where the built-in planner cannot choose between two readings,
// the model may. That makes none of them sure.
func TestBreaksATie(t *testing.T) {
	w := around(t, films())
	builtin := func(question string) plan.Reading {
		made, err := w.Fallback.Plan(t.Context(), question, nil)
		if err != nil || len(made.Readings) == 0 {
			t.Fatalf("Plan(%q) = %+v, %v", question, made, err)
		}
		return made.Readings[0]
	}
	w.Fallback = without{plan.Plan{Doubt: plan.Ambiguous, Readings: []plan.Reading{
		builtin("Who starred in Casino?"), builtin("Who directed Casino?"),
	}}}
	m := replies(find("UNKNOWN person 1", [3]string{"Casino", "directed by", "UNKNOWN person 1"}))
	got := planned(t, w, m, Options{}, "Who was the director of Casino?")
	if got.Planner != "model script" || got.Doubt != plan.Ambiguous {
		t.Errorf("planner %s, doubt %v, want the model, in doubt", got.Planner, got.Doubt)
	}
	if diff := cmp.Diff([]string{"Martin Scorsese"}, answers(t, w, got)); diff != "" || len(got.Readings) != 2 {
		t.Errorf("%d readings, want 2; answers (-want +got):\n%s", len(got.Readings), diff)
	}
}

// reasons are all that a plan says of itself: why another planner stood in, and
// its doubt.
func reasons(p *plan.Plan) string { return strings.TrimSpace(p.StoodIn + " " + p.Reason) }

package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
)

// crews are films with two kinds of people that may be said to have made them, and
// people with two managers each.
const crews = "Jaws|directed by|Steven Spielberg\nJaws|produced by|Richard Zanuck\nAlien|directed by|Ridley Scott\nAlien|produced by|Walter Hill\n" +
	"Blade Runner|directed by|Ridley Scott\nBlade Runner|produced by|Michael Deeley\nDuel|directed by|Steven Spielberg\nDuel|produced by|George Eckstein\n" +
	"Jaws|release year|1975\nAlien|release year|1979\nAnn Lee|line manager|Bob Ray\nAnn Lee|account manager|Cy Poe\nTim Wu|line manager|Dora Fox\nTim Wu|account manager|Eve Orr\n"

// openCrews opens a file of crews, made where there is none.
func openCrews(t *testing.T, path string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if e.Graph().Triples() > 0 {
		return e
	}
	file := filepath.Join(t.TempDir(), "crews.txt")
	if err := os.WriteFile(file, []byte(crews), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return e
}

// chooses asks a question and follows the first reading with a text.
func chooses(t *testing.T, e *Engine, question, reading string) *Run {
	t.Helper()
	run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(run.Plan.Readings, func(r plan.Reading) bool { return r.Text == reading })
	if i < 0 {
		t.Fatalf("%q has no reading %q: %+v", question, reading, run.Plan.Readings)
	}
	if run, err = e.Ask(t.Context(), question, AskOptions{Reading: i, Chosen: true}, nil); err != nil {
		t.Fatal(err)
	}
	return run
}

// TestChoiceIsLearned chooses a reading, learns what it teaches, and takes it back.
func TestChoiceIsLearned(t *testing.T) {
	others := []string{"Who directed Alien?", "Who produced Alien?", "Who is the producer of Duel?", "Which films did Ridley Scott direct?", "When was Jaws released?", "What is the release year of Alien?", "Who is the line manager of Ann Lee?", "Who is Tim Wu's account manager?"}
	for _, test := range []struct {
		question, reading, word, relation string
		then                              map[string]string // what is sure from now on
	}{
		{"Who made Jaws?", "Jaws —directed by→", "made", "directed by", map[string]string{
			"Who made Jaws?": "Steven Spielberg", "Who makes Alien?": "Ridley Scott", "Who was Jaws made by?": "Steven Spielberg", "Which films did Ridley Scott make?": "Alien", "What did Ridley Scott make?": "Alien",
		}},
		{"Who made Jaws?", "Jaws —produced by→", "made", "produced by", map[string]string{
			"Who made Jaws?": "Richard Zanuck", "Who was Jaws made by?": "Richard Zanuck", "What did Walter Hill make?": "Alien",
		}},
		{"Who was Jaws made by?", "Jaws —produced by→", "made", "produced by", map[string]string{"Who was Alien made by?": "Walter Hill", "Who made Alien?": "Walter Hill"}},
		{"Who created Jaws?", "Jaws —directed by→", "created", "directed by", map[string]string{"Who created Alien?": "Ridley Scott", "Who was Alien created by?": "Ridley Scott"}},
		{"Who is the manager of Tim Wu?", "Tim Wu —account manager→", "manager", "account manager", map[string]string{
			"Who is the manager of Tim Wu?": "Eve Orr", "Who is the manager of Ann Lee?": "Cy Poe", "Who are Ann Lee's managers?": "Cy Poe",
		}},
		{"Who frobbed Jaws?", "Jaws —directed by→", "frobbed", "directed by", map[string]string{"Who frobbed Alien?": "Ridley Scott"}},
	} {
		path := filepath.Join(t.TempDir(), "crews.cairn")
		e := openCrews(t, path)
		ask := func(question string) (answer string, sure bool) {
			t.Helper()
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if answers := said(run); len(answers) > 0 {
				answer = answers[0]
			}
			return answer, run.Plan.Doubt == plan.Sure
		}
		type answered struct {
			answer string
			sure   bool
		}
		before := map[string]answered{}
		for _, q := range append([]string{test.question}, others...) {
			a, sure := ask(q)
			before[q] = answered{a, sure}
		}
		asBefore := func(when string, questions ...string) {
			t.Helper()
			for _, q := range questions {
				if a, sure := ask(q); (answered{a, sure}) != before[q] {
					t.Errorf("%s, %q is answered by %q, sure %t; before by %+v", when, q, a, sure, before[q])
				}
			}
		}
		choice, ok := e.Teaches(chooses(t, e, test.question, test.reading))
		if want := (words.Choice{Word: test.word, RelationKey: test.relation}); !ok || choice != want {
			t.Errorf("%s as %s teaches %+v, %t; want %+v", test.question, test.reading, choice, ok, want)
			continue
		}
		asBefore("before it is learned", test.question)
		if err := e.Learn(t.Context(), choice, nil); err != nil {
			t.Fatal(err)
		}
		for range 2 { // and opened again
			for q, want := range test.then {
				if a, sure := ask(q); a != want || !sure {
					t.Errorf("%q for %s: %q is answered by %q, sure %t; want %q, sure", test.word, test.relation, q, a, sure, want)
				}
			}
			asBefore("with "+test.word+" learned", others...)
			e.Close()
			e = openCrews(t, path)
		}
		if err := e.Unlearn(t.Context(), test.word, nil); err != nil {
			t.Fatal(err)
		}
		asBefore("taken back", append([]string{test.question}, others...)...)
		if kept, err := e.Choices(t.Context()); err != nil || len(kept) > 0 {
			t.Errorf("taken back, %+v is kept, %v", kept, err)
		}
	}
}

// TestChoiceThatTeachesNothing chooses readings that no single word tells apart.
func TestChoiceThatTeachesNothing(t *testing.T) {
	e := openCrews(t, filepath.Join(t.TempDir(), "crews.cairn"))
	for question, reading := range map[string]string{
		"Who made Jaws?":        "Jaws —produced by→ ←produced by—", // the same relation
		"Who was Jaws made by?": "Jaws —directed by→ ←directed by—", // of the other
	} {
		if choice, ok := e.Teaches(chooses(t, e, question, reading)); ok {
			t.Errorf("%s as %s teaches %+v", question, reading, choice)
		}
	}
	if choice, ok := e.Teaches(&Run{}); ok {
		t.Errorf("a run without a plan teaches %+v", choice)
	}
}

// TestLaterChoiceOfAWordReplacesTheEarlier learns two relations for one word, in two forms.
func TestLaterChoiceOfAWordReplacesTheEarlier(t *testing.T) {
	e := openCrews(t, filepath.Join(t.TempDir(), "crews.cairn"))
	for _, c := range []words.Choice{{Word: "made", RelationKey: "directed by"}, {Word: "frobbed", RelationKey: "produced by"}, {Word: "makes", RelationKey: "produced by"}} {
		if err := e.Learn(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := []words.Choice{{Word: "frobbed", RelationKey: "produced by"}, {Word: "makes", RelationKey: "produced by"}}
	if kept, err := e.Choices(t.Context()); err != nil || !slices.Equal(kept, want) {
		t.Errorf("kept are %+v, %v; want %+v", kept, err, want)
	}
}

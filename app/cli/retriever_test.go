package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine"
	"cairn/internal/testing/retrievetest"
)

// TestAnotherMethod has a method that no command knows: it is in the help, can be
// chosen, is measured, and its page says what found the answer.
func TestAnotherMethod(t *testing.T) {
	dir := t.TempDir()
	at := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	triples := at("films.tsv", "Alien\tdirected_by\tRidley Scott\nAlien\trelease_year\t1979\nGladiator\tdirected_by\tRidley Scott\n")
	asked := at("questions.csv", "question,answers\nwho directed Gladiator?,Ridley Scott\n")
	degrees := at("degrees.csv", "question,answers\nwhat is next to Alien?,2\n")
	graph, page := filepath.Join(dir, "films.cairn"), filepath.Join(dir, "page.html")
	run := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Methods: append(engine.Methods(), retrievetest.Neighbours{}, retrievetest.Degree{})}.Run(t.Context())
		return out.String()
	}
	run("import", triples, "--into", graph)
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{[]string{"ask", "--help"}, []string{"neighbours (what is next to the named", "gnn ("}},
		{[]string{"ask", graph, "who directed Alien?", "--retriever", "magic"}, []string{`"pattern","gnn","gsr","exact","templates","dense","triples","neighbours","degree"`}},
		{[]string{"ask", graph, "who directed Alien?", "--retriever", "neighbours", "--html", page, "--explain"}, []string{"Ridley Scott and 1979", "Found by the list of neighbours", "Neighbours started from Alien"}},
		{[]string{"ask", graph, "who directed Alien?", "--retriever", "neighbours", "--json"}, []string{`"retriever": "neighbours"`, `"scale": "none"`}},
		{[]string{"eval", graph, asked, "--retriever", "neighbours"}, []string{"right", "100.0%"}},
		{[]string{"ask", graph, "what is next to Alien?", "--retriever", "degree", "--html", page + "2", "--explain"}, []string{"Found by the list of neighbours: 2", "Alien — directed by → Ridley Scott"}},
		{[]string{"ask", graph, "what is next to Alien?", "--retriever", "degree", "--json"}, []string{`"label": "2"`, `"scale": "conditions`}},
		{[]string{"eval", graph, degrees, "--retriever", "degree"}, []string{"right", "100.0%"}},
		{[]string{"ask", graph, "Alien was directed by Ridley Scott.", "--retriever", "neighbours"}, []string{"check claims with pattern matching"}},
	} {
		got := run(c.args...)
		for _, want := range c.wants {
			if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
				t.Errorf("cairn %s lacks %q:\n%s", strings.Join(c.args, " "), want, got)
			}
		}
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "Neighbours: what is next to the named entities is listed") {
		t.Errorf("the page does not say what found the answer: %v", err)
	}
}

// TestMethodThatReads asks a method that reads questions by itself: its readings are
// listed with their probabilities, and another one is followed on request.
func TestMethodThatReads(t *testing.T) {
	dir := t.TempDir()
	triples, graph, page, picture := filepath.Join(dir, "films.tsv"), filepath.Join(dir, "films.cairn"), filepath.Join(dir, "page.html"), filepath.Join(dir, "all.svg")
	if err := os.WriteFile(triples, []byte("Alien\tdirected_by\tRidley Scott\nAlien\trelease_year\t1979\nGladiator\tdirected_by\tRidley Scott\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Methods: append(engine.Methods(), retrievetest.Relations{Odds: [3]float64{0.45, 0.3}}, retrievetest.Neighbours{})}.Run(t.Context())
		return strings.Join(strings.Fields(out.String()), " ")
	}
	run("import", triples, "--into", graph)
	ask := func(more ...string) []string {
		return append([]string{"ask", graph, "who directed Alien?", "--retriever", "relations"}, more...)
	}
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{ask(), []string{"Ridley Scott (probability 0.45)", "Note: Cairn is not sure it read the question correctly (probability 0.45). It could also mean", "--reading 2: Alien → release year (probability 0.30)"}},
		{ask("--reading", "2", "--html", page), []string{"1979 (probability 0.30)", "--reading 1: Alien → directed by (probability 0.45)"}},
		{ask("--explain"), []string{"Readings * 1. Alien → directed by (probability 0.45) 2. Alien → release year (probability 0.30)", "uncertain here, it might also be release year (0.30)", "Pattern (for --pattern) (Alien) -directed by-> (?answer)"}},
		{ask("--json", "--reading", "2"), []string{`"reading": 2, "readings": [ "Alien → directed by", "Alien → release year" ], "reading_probabilities": [ 0.45, 0.3 ]`}},
		{ask("--reading", "3"), []string{"There is no reading 3. The question has 2 readings."}},
		{ask("--plain"), []string{"Omit --pattern and --plain"}},
		{[]string{"ask", graph, "who directed Alien?", "--retriever", "neighbours", "--reading", "2"}, []string{"Omit --pattern, --reading and --plain"}},
		{[]string{"whynot", graph, "who directed Alien?", "1979", "--retriever", "relations"}, []string{"1979 is not an answer: it meets 0 of 1 condition"}},
		{[]string{"whynot", graph, "who directed Alien?", "1979", "--retriever", "relations", "--reading", "2"}, []string{"1979 is an answer: it meets the condition"}},
		{[]string{"ask", graph, "Alien was directed by Ridley Scott.", "--retriever", "relations"}, []string{"check claims with pattern matching"}},
		{[]string{"compare", graph, "who directed Alien?", "--with", "pattern,relations,neighbours,gnn", "--svg", picture}, []string{
			"3 of 4 retrievers answered; all of them gave 1 of the 2 answers.", "A Pattern matching Ridley Scott sure · 1 triple", "D Trained network No retriever of this kind is trained",
			"ABC Ridley Scott", "C 1979", "ABC Alien — directed by → Ridley Scott",
		}},
		{[]string{"compare", graph, "who directed Alien?", "--with", "pattern", "--json"}, []string{`"agreement": -1`, `"text": "Ridley Scott", "key": "Ridley Scott", "by": "A"`}},
		{[]string{"compare", graph, "who directed Alien?", "--with", "none"}, []string{"Choose one of pattern"}},
		{[]string{"compare", graph}, []string{"The question is missing"}},
	} {
		got := run(c.args...)
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("cairn %s lacks %q:\n%s", strings.Join(c.args, " "), want, got)
			}
		}
	}
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "ABC") {
		t.Errorf("the picture says not who found what: %v", err)
	}
	html, err := os.ReadFile(page)
	for _, want := range []string{"Alien → release year (probability 0.30)", "Other reading", "It could also mean", "uncertain here"} {
		if err != nil || !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q: %v", want, err)
		}
	}
}

// TestAnotherMethodIsTrained trains a method that no command knows: its options are
// flags, and what comes of it is listed, used and deleted.
func TestAnotherMethodIsTrained(t *testing.T) {
	dir := home(t)
	graph, asked := filmsGraph(t, dir)
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{[]string{"train", "--help"}, []string{"train gnn", "train counts", "Train the retriever “Counted relations” on a graph"}},
		{[]string{"train", "counts", "--help"}, []string{"--direction=WAY", "Which way relations are followed: both (Both ways) or forwards (From head to tail); default: both.", "--passes=N", "--seed"}},
		{[]string{"train", "counts", graph, "--passes", "0"}, []string{"--passes must be a whole number from 1 to 100."}},
		{[]string{"train", "counts", graph, "--direction", "up"}, []string{`--direction cannot be "up". Choose from both or forwards.`}},
		{[]string{"ask", graph, "--retriever", "counts", "Who directed Film C?"}, []string{"cairn train counts " + graph}},
		{[]string{"train", "counts", graph, "--questions", asked, "--passes", "2", "--name", "mine"}, []string{"epoch 2 of 2", "in use: mine, number 1", "--retriever counts"}},
		{[]string{"ask", graph, "--retriever", "counts", "Who directed Film C?"}, []string{"Director C", "Found by the counted relations"}},
		{[]string{"train", "counts", graph, "--generated", "50"}, []string{"number 2"}},
		{[]string{"train", "counts", graph, "--use", "1"}, []string{"mine", "in use"}},
		{[]string{"train", "gnn", graph, "--use", "1"}, []string{"The graph has no retriever 1"}},
		{[]string{"info", graph}, []string{"Trained retrievers", "mine"}},
		{[]string{"train", "counts", graph, "--delete", "1"}, []string{"Counted relations on"}},
		{[]string{"eval", graph, asked, "--retriever", "counts"}, []string{"right"}},
		{[]string{"train", "counts", graph, "--resume"}, []string{"No training on this graph was interrupted"}},
	} {
		var out bytes.Buffer
		Program{Args: c.args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Methods: append(engine.Methods(), retrievetest.Counts{})}.Run(t.Context())
		for _, want := range c.wants {
			if got := out.String(); !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
				t.Errorf("cairn %s lacks %q:\n%s", strings.Join(c.args, " "), want, got)
			}
		}
	}
}

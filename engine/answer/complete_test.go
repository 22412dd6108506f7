package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/say"
)

// worded returns an answer of five neighbours, of which a model wrote the given
// sentences.
func worded(said ...Sentence) (*kg.Graph, *Answer) {
	var b kg.Builder
	a := &Answer{Model: "m", Count: 5}
	for i, name := range []string{"Austria", "Hungary", "Croatia", "Italy", "Malta"} {
		a.Pack.Triples = append(a.Pack.Triples, b.Add("Slovenia", "borders", name))
		a.Items = append(a.Items, Item{Entity: b.Entity(name), Label: name, Citations: []int{i + 1}})
	}
	a.Direct = []Sentence{
		{Text: "Slovenia borders Austria [T1], Hungary [T2], Croatia [T3], Italy [T4] and Malta [T5].", Citations: []int{1, 2, 3, 4, 5}, Check: check.Covered},
		note("The search ran out of time, so answers may be missing."),
	}
	for i := range said {
		said[i].Model = true
	}
	a.Sentences = append(said, a.Direct[1], note("1 of 6 triples were left out to fit the model's context."))
	return b.Graph(), a
}

// outline is what an answer says, a line a sentence.
func outline(a *Answer) []string {
	var lines []string
	for _, s := range a.Sentences {
		who, how := "cairn", s.Check.Words()
		if s.Model {
			who = "model"
		}
		if s.Note {
			how = "note"
		}
		lines = append(lines, fmt.Sprintf("%s, %s: %s %v", who, how, s.Text, s.Citations))
	}
	return lines
}

func TestAnswersThatAModelLeavesOutAreListed(t *testing.T) {
	g, a := worded(Sentence{Text: "Slovenia borders Austria and Italy.", Citations: []int{1, 4}}, Sentence{Text: "Slovenia borders Malta and France.", Citations: []int{5}})
	CheckSentences(g, a, newMapped(g))
	want := []string{
		"model, supported: Slovenia borders Austria and Italy. [1 4]",
		"model, not in the graph: Slovenia borders Malta and France. [5]",
		"cairn, supported: m left out 3 of 5 answers: Hungary [T2], Croatia [T3] and Malta [T5]. [2 3 5]",
		"cairn, note: The search ran out of time, so answers may be missing. []",
		"cairn, note: 1 of 6 triples were left out to fit the model's context. []",
	}
	if diff := cmp.Diff(want, outline(a)); diff != "" {
		t.Errorf("the answer (-want +got):\n%s", diff)
	}
	CheckSentences(g, a, newMapped(g))
	if diff := cmp.Diff(want, outline(a)); diff != "" {
		t.Errorf("checked again (-want +got):\n%s", diff)
	}
}

func TestDirectSentencesStandWhereNothingPasses(t *testing.T) {
	g, a := worded(Sentence{Text: "Slovenia borders France.", Citations: []int{1}})
	CheckSentences(g, a, newMapped(g))
	want := []string{
		"cairn, supported: Slovenia borders Austria [T1], Hungary [T2], Croatia [T3], Italy [T4] and Malta [T5]. [1 2 3 4 5]",
		"cairn, note: No sentence written by m passed the check against the triples, so the answer above was made without it. It wrote: []",
		"model, not in the graph: Slovenia borders France. [1]",
		"cairn, note: The search ran out of time, so answers may be missing. []",
		"cairn, note: 1 of 6 triples were left out to fit the model's context. []",
	}
	if diff := cmp.Diff(want, outline(a)); diff != "" {
		t.Errorf("the answer (-want +got):\n%s", diff)
	}
}

func TestAWholeAnswerIsLeftAlone(t *testing.T) {
	g, a := worded(Sentence{Text: "Slovenia borders Austria, Hungary, Croatia, Italy and Malta.", Citations: []int{1, 2, 3, 4, 5}})
	CheckSentences(g, a, nil)
	for _, line := range outline(a) {
		if strings.Contains(line, "leaves out") || strings.Contains(line, "No sentence") {
			t.Errorf("the answer names all, but is followed by %q", line)
		}
	}
}

func TestCheckOfOtherLanguages(t *testing.T) {
	g, pack := checkWorld()
	tests := []struct {
		text string
		want check.Result
	}{
		{"Die Hauptstadt von Austria ist Vienna.", check.Partly},
		{"La capitale de l'Austria est Vienna.", check.Partly},
		{"Vienna es la capital del Austria.", check.Partly},
		{"Vienna non è la capitale di Austria.", check.NotInGraph},
		{"Vienna ist kaum die Hauptstadt von Austria.", check.Partly}, // what it says of them is not read
		{"Die Hauptstadt von Austria ist Budapest.", check.NotInEvidence},
		{"Die Hauptstadt von Österreich ist Wien.", check.NotInEvidence},
		{"Столица Austria — Vienna.", check.Partly},
		{"オーストリアの首都はウィーンです。", check.NotInEvidence},
		{"Kilimanjaro ist 5895 m hoch und 12 km breit.", check.NotInGraph},
		{"The capital of Austria is Vienna, la bella.", check.Partly},
	}
	for _, test := range tests {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: []int{1, 11}}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; s.Check != test.want || s.Reason == "" {
			t.Errorf("%q: %v (%s), want %v", test.text, s.Check, s.Reason, test.want)
		}
	}
}

func TestCheckOfClaims(t *testing.T) {
	g, pack := checkWorld()
	tests := []struct {
		verdict Verdict
		text    string
		want    bool
	}{
		{Supported, "Yes, the capital of Austria is Vienna.", true},
		{Supported, "The claim is supported: the capital of Austria is Vienna.", true},
		{Supported, "The claim is supported.", true},
		{Supported, "Yes.", true},
		{Refuted, "Yes.", false},
		{Supported, "Vienna.", false},
		{Supported, "No, the capital of Austria is Vienna.", false},
		{Supported, "The claim is false: the capital of Austria is Vienna.", false},
		{Refuted, "No, the capital of Austria is Vienna.", true},
		{Refuted, "The claim is false: the capital of Austria is Vienna.", true},
		{Refuted, "The statement is refuted: the capital of Austria is Vienna.", true},
		{Refuted, "The claim is not true: the capital of Austria is Vienna.", true},
		{Refuted, "The claim is not supported: the capital of Austria is not Vienna.", false},
		{Supported, "The claim is not supported: the capital of Austria is Vienna.", false},
		{Refuted, "Yes, the capital of Austria is Vienna.", false},
		{Refuted, "The claim is true: the capital of Austria is Vienna.", false},
		{Refuted, "The capital of Austria is not Vienna.", false},
		{Refuted, "No, Vienna is not the capital of Austria.", false},
		{Refuted, "The claim is not false: the capital of Austria is Vienna.", false},
		{Refuted, "The claim that Vienna is the capital of Austria is false.", false},
	}
	for _, test := range tests {
		a := &Answer{Verdict: test.verdict, Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: []int{1}}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; (s.Check == check.Covered) != test.want {
			t.Errorf("%v: %q: %v (%s), want supported %v", test.verdict, test.text, s.Check, s.Reason, test.want)
		}
	}
}

// TestCheckFollowsTheQuestion has true sentences that answer something else.
func TestCheckFollowsTheQuestion(t *testing.T) {
	g, pack := checkWorld()
	vienna := g.Triple(pack.Triples[0]).Tail
	for text, want := range map[string]bool{
		"Vienna.": true, "The answer is Vienna.": true, "The capital is Vienna.": true, "The capital of Austria is Vienna.": true,
		"Budapest.": false, "The answer is Budapest.": false, "The capital is Budapest.": false, "The answers are Vienna and Budapest.": false,
		"There are 2 answers: Vienna and Budapest.": false, "There is 1 answer: Vienna.": true, "There are 3 answers, such as Vienna.": false,
	} {
		a := &Answer{Items: []Item{{Entity: vienna, Label: "Vienna"}}, Count: 1, Pack: pack, Sentences: []Sentence{{Text: text, Citations: []int{1, 15}}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; (s.Check == check.Covered) != want {
			t.Errorf("%q: %v (%s), want supported %v", text, s.Check, s.Reason, want)
		}
	}
}

func TestRelationThatDenies(t *testing.T) {
	var b kg.Builder
	pack := evidence.Pack{Triples: []kg.TripleID{b.Add("Austria", "borders", "Hungary"), b.Add("Austria", "does not border", "Malta")}}
	g := b.Graph()
	for text, want := range map[string]bool{
		"Austria borders Hungary.": true, "Austria does not border Malta.": true,
		"Austria borders Malta.": false, "Austria does not border Hungary.": false, "Austria never borders Malta.": false,
	} {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: text, Citations: []int{1, 2}}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; (s.Check == check.Covered) != want {
			t.Errorf("%q: %v (%s), want supported %v", text, s.Check, s.Reason, want)
		}
	}
}

func TestPrizesAreAwardedBothWays(t *testing.T) {
	for relation, right := range map[string]map[string]bool{
		"awarded to":     {"Prize was awarded to Ada.": true, "Ada was awarded Prize.": true, "Ada was awarded to Prize.": false, "Prize was awarded Ada.": false},
		"award received": {"Ada was awarded Prize.": true, "Prize was awarded to Ada.": true, "Ada was awarded to Prize.": false},
	} {
		var b kg.Builder
		id := b.Add("Prize", relation, "Ada")
		if relation == "award received" {
			b = kg.Builder{}
			id = b.Add("Ada", relation, "Prize")
		}
		g := b.Graph()
		for text, want := range right {
			a := &Answer{Pack: evidence.Pack{Triples: []kg.TripleID{id}}, Sentences: []Sentence{{Text: text, Citations: []int{1}}}}
			CheckSentences(g, a, newMapped(g))
			if s := a.Sentences[0]; (s.Check == check.Covered) != want {
				t.Errorf("%s: %q: %v (%s), want supported %v", relation, text, s.Check, s.Reason, want)
			}
		}
	}
}

// BenchmarkCheckSentences checks twenty sentences, half of them false, against a
// pack of two hundred triples.
func BenchmarkCheckSentences(b *testing.B) {
	g := sampleWorld(b)
	names := newMapped(g)
	var pack evidence.Pack
	var sentences []Sentence
	for i := range 200 {
		pack.Triples = append(pack.Triples, kg.TripleID(i*7))
		if i%10 == 0 {
			cite := i + 1
			if i%20 == 0 {
				cite = i + 2
			}
			sentences = append(sentences, Sentence{Text: say.Triple(g, pack.Triples[i]) + ", or so.", Citations: []int{cite}})
			if i%40 == 0 {
				sentences[len(sentences)-1].Text = say.Triple(g, pack.Triples[i]) + "."
			}
		}
	}
	for b.Loop() {
		a := &Answer{Pack: pack, Sentences: append([]Sentence(nil), sentences...)}
		CheckSentences(g, a, names)
	}
}

package templates

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

func TestContract(t *testing.T) { retrievetest.Run(t, Method{}, nil) }

// asked is a question as a retriever gets it: the names in brackets are its topics.
func asked(t *testing.T, g *kg.Graph, text string) retrieve.Query {
	t.Helper()
	x := retrievetest.Asked(t, g, text)
	q := retrieve.Query{Question: x.Text, Seeds: x.Topics}
	for i, s := range x.Spans {
		q.Mentions = append(q.Mentions, link.Mention{Start: s.Start, End: s.End, Text: x.Text[s.Start:s.End], Candidates: []link.Candidate{{Entity: x.Topics[i]}}})
	}
	return q
}

// labels are the answers' names, in order.
func labels(g *kg.Graph, f evidence.Found) (names []string) {
	for _, a := range f.Answers {
		names = append(names, a.Label(g))
	}
	slices.Sort(names)
	return names
}

// TestLearned: questions with answers become templates, whose shapes are asked of other
// names, also in other words and of two names at once.
func TestLearned(t *testing.T) {
	g := retrievetest.Graph()
	examples := []questions.Example{
		retrievetest.Asked(t, g, "who directed [Alien]", "Ridley Scott"),
		retrievetest.Asked(t, g, "who directed [Gigi]", "Vincente Minnelli"),
		retrievetest.Asked(t, g, "when did [Anora] come out", "2024"),
		retrievetest.Asked(t, g, "when did [Gigi] come out", "1958"),
		retrievetest.Asked(t, g, "when did the films by [Sean Baker] come out", "2015", "2024"),
		retrievetest.Asked(t, g, "what did [Ridley Scott] film in [2000]", "Gladiator"),
		retrievetest.Asked(t, g, "what did [Sean Baker] film in [2015]", "Tangerine"),
	}
	weights, err := Method{}.Train(t.Context(), retrieve.Training{World: retrieve.World{Graph: g}, Train: examples})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		question string
		want     []string
		cypher   string
		note     string
	}{
		{"who directed [Tangerine]", []string{"Sean Baker"}, "MATCH (x)-[:directed_by]->(answer) RETURN answer", ""},
		{"when did [Alien] come out", []string{"1979"}, "MATCH (x)-[:release_year]->(answer) RETURN answer", ""},
		{"when did the films by [Ridley Scott] come out", []string{"1979", "2000"}, "MATCH (x)<-[:directed_by]-()-[:release_year]->(answer) WHERE answer <> x RETURN answer", ""},
		{"what did [Vincente Minnelli] film in [1954]", []string{"Brigadoon"}, "MATCH (x)<-[:directed_by]-(answer), (y)<-[:release_year]-(answer) RETURN answer", ""},
		{"who directed the beautiful [Anora]", []string{"Sean Baker"}, "MATCH (x)-[:directed_by]->(answer) RETURN answer", "The template used ignores “beautiful”."},
	}
	for _, tt := range tests {
		f, err := r.Retrieve(t.Context(), asked(t, g, tt.question))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, labels(g, f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.question, diff)
		}
		if len(f.Steps) != 2 || f.Steps[1] != tt.cypher {
			t.Errorf("%s: steps %q; want the query %s", tt.question, f.Steps, tt.cypher)
		}
		if got := strings.Join(f.Notes, " "); got != tt.note {
			t.Errorf("%s: notes %q; want %q", tt.question, got, tt.note)
		}
	}
}

// TestNameWithoutASlot: what a name stands for that nothing is known of, or that was named
// before, is no slot, and a template with such a name is asked as any other.
func TestNameWithoutASlot(t *testing.T) {
	g := retrievetest.Graph()
	weights, err := Method{}.Train(t.Context(), retrieve.Training{World: retrieve.World{Graph: g}, Train: []questions.Example{
		retrievetest.Asked(t, g, "[Alien] , who directed [Alien]", "Ridley Scott"), retrievetest.Asked(t, g, "[Gigi] , when did [Gigi] come out", "1958"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Retrieve(t.Context(), asked(t, g, "[Tangerine] , who directed [Tangerine]"))
	if err != nil || !slices.Equal(labels(g, f), []string{"Sean Baker"}) || !strings.Contains(f.Steps[0], "{x} who directed {?}") {
		t.Errorf("it answers %q by %q, %v", labels(g, f), f.Steps, err)
	}
}

// TestUsersTemplates: templates that a user wrote may use all of Cypher; what is compared
// is evidence too, and a number has its own line.
func TestUsersTemplates(t *testing.T) {
	g := retrievetest.Graph()
	text := header + `

template
  ask     which films since 2000 are by {person}
  cypher  MATCH (f)-[:directed_by]->(person)
  cypher  WHERE f.release_year >= 2000 RETURN f

template
  ask     how many films are by {person}
  cypher  MATCH (f)-[:directed_by]->(person) RETURN count(f)
`
	set, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := Seal(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Retrieve(t.Context(), asked(t, g, "which films since 2000 are by [Ridley Scott]"))
	if err != nil || !slices.Equal(labels(g, f), []string{"Gladiator"}) {
		t.Fatalf("since 2000: %v, %v", labels(g, f), err)
	}
	var triples []string
	for _, c := range f.SupportsOf(f.Answers[0]) {
		for _, id := range c.Triples() {
			x := g.Triple(id)
			triples = append(triples, g.Label(x.Head)+" "+g.RelationKey(x.Relation)+" "+g.Label(x.Tail))
		}
	}
	if want := []string{"Gladiator directed_by Ridley Scott", "Gladiator release_year 2000"}; !slices.Equal(triples, want) {
		t.Errorf("evidence %q; want %q", triples, want)
	}
	f, err = r.Retrieve(t.Context(), asked(t, g, "how many films are by [Ridley Scott]"))
	if err != nil || !slices.Equal(labels(g, f), []string{"2"}) || len(f.Answers[0].Supports) == 0 {
		t.Errorf("how many: %v %v, %v", labels(g, f), f.Answers, err)
	}
	reader, ok := r.(retrieve.Reader)
	if !ok {
		t.Fatal("it reads no questions")
	}
	readings, err := reader.Read(t.Context(), asked(t, g, "how many films are by [Ridley Scott]"))
	if err != nil || len(readings) == 0 || readings[0].Pattern == nil {
		t.Errorf("readings: %v, %v", readings, err)
	}
}

// TestBadTemplates: what is wrong is said with its line.
func TestBadTemplates(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `line 1: the text begins with "# Cairn question templates 1"`},
		{header + "\nask x", `line 2: "ask" stands before the first template`},
		{header + "\ntemplate\n  ask who is {x}", "line 2: this template has no cypher"},
		{header + "\ntemplate\n  cypher RETURN 1", "line 2: this template has no ask: write a question with {x} in place of a name"},
		{header + "\ntemplate\n  ask who is it\n  cypher RETURN 1", `line 2: "who is it" has no slot: write {x} in place of a name`},
		{header + "\ntemplate\n  ask who is {x}\n  ask who was {y}\n  cypher RETURN 1", `line 2: "who was {y}" does not have the same slots as "who is {x}"`},
		{header + "\n\ntemplate\n  ask who is {x}\n  cypher MATCH (x RETURN x", "line 3: its Cypher cannot be read: line 1, column 10: expected “)”, found “RETURN”"},
		{header + "\ntemplate\n  answer {x}", `line 3: expected template, ask, cypher or from, found "answer"`},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		if !errors.Is(err, ErrText) || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%q: %v; want %s", tt.text, err, tt.want)
		}
	}
}

// TestFormatIsRead: what is written is read back.
func TestFormatIsRead(t *testing.T) {
	s := &Set{About: retrieve.About{Title: "Question templates", Data: "a file"}, Templates: []Template{{Asks: []string{"who is {x} of {y}", "{y} {x}"}, Cypher: "MATCH (x)-->(y) RETURN x"}}}
	got, err := Parse(Format(s))
	if err != nil {
		t.Fatal(err)
	}
	if Format(got) != Format(s) || !slices.Equal(got.Templates[0].slots, []string{"x", "y"}) {
		t.Errorf("%s", Format(got))
	}
}

// TestRows: what the user changed, wrote and deleted is told from what was learned, and
// holds when templates are learned anew.
func TestRows(t *testing.T) {
	parse := func(text string) []Template {
		set, err := Parse(header + "\n" + text)
		if err != nil {
			t.Fatal(err)
		}
		return set.Templates
	}
	const (
		directed = "template\n  ask who directed {x}\n  cypher MATCH (x)-[:directed_by]->(a) RETURN a\n"
		year     = "template\n  ask when was {x}\n  ask year of {x}\n  cypher MATCH (x)-[:release_year]->(a) RETURN a\n"
		films    = "template\n  ask films by {x}\n  cypher MATCH (x)<-[:directed_by]-(a) RETURN a\n"
		genre    = "template\n  ask genre of {x}\n  ask year of {x}\n  cypher MATCH (x)-[:genre]->(a) RETURN a\n"
	)
	learned := parse(directed + "  from relation names\n" + year + films)
	rows := Rows(parse(
		"template\n  ask year of {x}\n  cypher MATCH (x)-[:release_year]->(a) RETURN a ORDER BY a\n"+
			"template\n  ask count of {x}\n  cypher MATCH (x)<--(a) RETURN count(a)\n"+directed), learned)
	var got []string
	for _, r := range rows {
		got = append(got, string(r.State)+" "+string(r.From)+": "+r.Asks[0])
	}
	want := []string{"changed you: year of {x}", "own you: count of {x}", "learned relation names: who directed {x}", "deleted : films by {x}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if rows[0].Was == nil || rows[0].Was.Asks[0] != "when was {x}" {
		t.Errorf("changed from %v", rows[0].Was)
	}
	got = nil
	for _, x := range Renewed(rows, parse(directed+year+films+genre)) {
		got = append(got, strings.Join(x.Asks, " | ")+": "+x.Cypher)
	}
	want = []string{
		"year of {x}: MATCH (x)-[:release_year]->(a) RETURN a ORDER BY a", "count of {x}: MATCH (x)<--(a) RETURN count(a)",
		"who directed {x}: MATCH (x)-[:directed_by]->(a) RETURN a", "genre of {x}: MATCH (x)-[:genre]->(a) RETURN a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("renewed (-want +got):\n%s", diff)
	}
}

// TestTheFirstHasAShape: a template before another takes its shapes.
func TestTheFirstHasAShape(t *testing.T) {
	g := retrievetest.Graph()
	set, err := Parse(header + "\ntemplate\n  ask who made {x}\n  cypher MATCH (x)-[:directed_by]->(a) RETURN a\n" +
		"template\n  ask who made {x}\n  ask when was {x}\n  cypher MATCH (x)-[:release_year]->(a) RETURN a\n")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := Seal(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"who made [Alien]": "Ridley Scott", "when was [Alien]": "1979"} {
		f, err := r.Retrieve(t.Context(), asked(t, g, question))
		if err != nil || !slices.Equal(labels(g, f), []string{want}) || f.Answers[0].Score.Value < 0.9 {
			t.Errorf("%s: %v, %v; want %s, and no doubt", question, labels(g, f), err, want)
		}
	}
}

// TestShapesAreReadAsQuestionsAre: users write questions as they do elsewhere.
func TestShapesAreReadAsQuestionsAre(t *testing.T) {
	tests := []struct{ shape, want, wrong string }{
		{"Which films did {x} direct?", "which films did {x} direct", ""},
		{"{x}'s “best” film,", "{x} 's best film", ""},
		{"films({x})", "films {x}", ""},
		{"who is {the man}", "", "{the man} is not a slot"},
		{"who is {}", "", "{} is not a slot"},
		{"who is {x}}", "", "a } has no partner"},
		{"who is {x} of {x}", "", "has a slot twice"},
	}
	for _, tt := range tests {
		x, err := New([]string{tt.shape}, "MATCH (x) RETURN x")
		switch {
		case tt.wrong != "":
			if !errors.Is(err, ErrTemplate) || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%q: %v, want %q", tt.shape, err, tt.wrong)
			}
		case err != nil || x.Asks[0] != tt.want:
			t.Errorf("%q: %q, %v, want %q", tt.shape, x.Asks, err, tt.want)
		}
	}
}

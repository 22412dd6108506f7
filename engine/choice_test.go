package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/query"
	"cairn/internal/testing/testkg"
)

const choiceFilms = `Ida Crane	is a	director
Omar Diaz	is a	director
Ann Lee	is a	director
Bob Ray	is a	director
Ida Crane	directed	Low Tide
Ida Crane	directed	Paper Moons
Ida Crane	directed	Iron Road
Omar Diaz	directed	Glass Hill
Omar Diaz	directed	Salt
Ann Lee	directed	North Wind
Ann Lee	date of birth	1950-03-02
Bob Ray	date of birth	1948-07-11
Ida Crane	date of birth	1961-01-01
Ann Lee	born in	Leeds
Bob Ray	born in	York
Low Tide	is a	film
Paper Moons	is a	film
Iron Road	is a	film
Glass Hill	is a	film
Salt	is a	film
North Wind	is a	film
Low Tide	running time	112
Paper Moons	running time	98
Iron Road	running time	112
Glass Hill	running time	141
Low Tide	released in	1990
Paper Moons	released in	1994
Iron Road	released in	2001
Glass Hill	released in	1985
Salt	released in	1999
Low Tide	won	Amber Prize
Glass Hill	won	Amber Prize
Emma	is a	novel
Jane Austen	is a	writer
Emily Brontë	is a	writer
Jane Austen	wrote	Emma
Jane Austen	wrote	Persuasion
Emily Brontë	wrote	Wuthering Heights
Persuasion	is a	novel
Wuthering Heights	is a	novel`

const choiceFarms = `Old Mill	is a	mill
New Mill	is a	mill
Far Mill	is a	mill
Weir Mill	is a	mill
Old Mill	built in	1790
New Mill	built in	1850
Weir Mill	built in	1850
Old Mill	height (m)	14
New Mill	height (m)	11
Far Mill	height (m)	9
Hill Farm	is a	farm
Mill Farm	is a	farm
Brook Farm	is a	farm
Hill Farm	area (ha)	120
Mill Farm	area (ha)	85
Hill Farm	grows	barley
Hill Farm	grows	rye
Mill Farm	grows	wheat
Mill Farm	grows	oats
Mill Farm	grows	rye
Hill Farm	employees	4
Mill Farm	employees	9
Brook Farm	employees	2
Hill Farm	owned by	Tess Hull
Mill Farm	owned by	Rod Hull
barley	is a	crop
rye	is a	crop
wheat	is a	crop
oats	is a	crop
Hill Farm	located in	Kent
Mill Farm	located in	Essex
Brook Farm	located in	Kent`

// choiceGraph makes a graph of lines.
func choiceGraph(text string) *kg.Graph {
	var b kg.Builder
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if f[1] == "is a" {
			b.AddType(b.Entity(f[0]), f[2])
		} else {
			b.Add(f[0], f[1], f[2])
		}
	}
	return b.Graph()
}

// TestChoice asks questions that offer named things: the one that meets what is asked is found, and
// what it is compared with is shown beside it.
func TestChoice(t *testing.T) {
	books, _ := bankGraph(t, "books")
	graphs := map[string]*kg.Graph{"sample": testkg.Sample(), "films": choiceGraph(choiceFilms), "farms": choiceGraph(choiceFarms), "books": books}
	for _, c := range []struct {
		graph, ask, want string
		beside           string // with what it is compared
		doubt            string // of what a doubt tells; "" for none
	}{
		{"sample", "Which country is bigger, France or Germany?", "France", "Germany", ""},
		{"sample", "Which has more people, France or Germany?", "Germany", "France", ""},
		{"sample", "Which has the larger population, France or Germany?", "Germany", "France", ""},
		{"sample", "Is France or Germany larger?", "France", "Germany", ""},
		{"sample", "Which of France and Germany is larger?", "France", "Germany", ""},
		{"sample", "Which of the two borders Spain, France or Germany?", "France", "", ""},
		{"sample", "Which of the two borders Japan, France or Germany?", "", "", "says nothing about that"},
		{"sample", "Which borders Spain, France or Germany?", "France", "", "may also be one of the choices"},
		{"sample", "Is Canberra or Sydney the capital of Australia?", "Canberra", "", ""},
		{"sample", "Which is larger, France, Spain or Italy?", "France", "Italy|Spain", ""},
		{"sample", "Which has the most people, France, Germany or Spain?", "Germany", "France|Spain", ""},
		{"sample", "Which country borders more countries, France or Germany?", "France", "Germany", ""},
		{"sample", "Is the Rhine or the Moselle longer?", "Rhine", "Moselle", ""},
		{"films", "Who was born first, Ann Lee or Bob Ray?", "Bob Ray", "Ann Lee", ""},
		{"films", "Who is younger, Ann Lee or Bob Ray?", "Ann Lee", "Bob Ray", ""},
		{"films", "Who is older, Ann Lee or Omar Diaz?", "Ann Lee", "", "Omar Diaz"},
		{"films", "Who directed more films, Ida Crane or Omar Diaz?", "Ida Crane", "Omar Diaz", ""},
		{"films", "Who directed fewer films, Ann Lee, Ida Crane or Bob Ray?", "Bob Ray", "Ann Lee|Ida Crane", ""},
		{"films", "Who wrote Emma, Jane Austen or Emily Brontë?", "Jane Austen", "", ""},
		{"films", "Who wrote Low Tide, Jane Austen or Emily Brontë?", "", "", "This graph has no “wrote” for “Low Tide”."},
		{"films", "Which film is longer, Low Tide or Iron Road?", "Iron Road|Low Tide", "", ""},
		{"films", "Which has the shorter running time, Paper Moons or Glass Hill?", "Paper Moons", "Glass Hill", ""},
		{"films", "Which was released earlier, Salt, Glass Hill or Paper Moons?", "Glass Hill", "Paper Moons|Salt", ""},
		{"films", "Which of Low Tide and Salt won the Amber Prize?", "Low Tide", "", ""},
		{"films", "Did Ida Crane or Omar Diaz direct Salt?", "Omar Diaz", "", ""},
		{"films", "Was Salt directed by Ida Crane or Omar Diaz?", "Omar Diaz", "", ""},
		{"films", "Did Omar Diaz direct Low Tide or Salt?", "Salt", "", ""},
		{"sample", "Is Berlin in France or Germany?", "Germany", "", ""},
		{"sample", "Is Berlin in France or Spain?", "", "", ""},
		{"films", "Which film did Ida Crane direct, Salt or Low Tide?", "Low Tide", "", ""},
		{"films", "Of Salt and Low Tide, which is longer?", "Low Tide", "", "Salt"},
		{"films", "Who was born in Leeds, Omar Diaz or Bob Ray?", "", "", ""},
		{"films", "Which is longer, Salt or North Wind?", "", "", "no such value"},
		{"films", "Which films did Ida Crane or Ann Lee direct?", "Iron Road|Low Tide|North Wind|Paper Moons", "", ""},
		{"films", "Which was directed by Ida Crane and is longer, Low Tide or Glass Hill?", "Glass Hill", "Low Tide", "directed"},
		{"farms", "Which is older, the Old Mill or the New Mill?", "Old Mill", "New Mill", "built in"},
		{"farms", "Which was built first, the Old Mill or the Far Mill?", "Old Mill", "", "Far Mill"},
		{"farms", "Which was built later, the New Mill or the Weir Mill?", "New Mill|Weir Mill", "", ""},
		{"farms", "Which of Hill Farm and Mill Farm is larger?", "Hill Farm", "Mill Farm", ""},
		{"farms", "Between Hill Farm and Mill Farm, which is larger?", "Hill Farm", "Mill Farm", ""},
		{"farms", "Which farm has more employees, Hill Farm or Brook Farm?", "Hill Farm", "Brook Farm", ""},
		{"farms", "Is Hill Farm or Brook Farm larger?", "Hill Farm", "Brook Farm", "area"},
		{"farms", "Which farm grows more crops, Hill Farm or Mill Farm?", "Mill Farm", "Hill Farm", ""},
		{"farms", "Does Hill Farm or Mill Farm grow wheat?", "Mill Farm", "", ""},
		{"farms", "Who owns Mill Farm, Tess Hull or Rod Hull?", "Rod Hull", "", ""},
		{"farms", "Which farms grow barley or oats?", "Hill Farm|Mill Farm", "", ""},
		{"books", "Which is longer, Low Tide or Paper Moons?", "Low Tide", "Paper Moons", ""},
	} {
		g := graphs[c.graph]
		lex := lexicon.Builtin()
		got, err := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{}).Plan(t.Context(), c.ask, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sure := got.Doubt == plan.Sure; sure != (c.doubt == "") || !strings.Contains(got.Reason, c.doubt) {
			t.Errorf("%s: the doubt is %v, %q; want %q", c.ask, got.Doubt, got.Reason, c.doubt)
		}
		if found := strings.Join(bankAnswers(t, g, got), "|"); c.doubt == "" && found != c.want {
			t.Errorf("%s: finds %q, want %q", c.ask, found, c.want)
		}
		if len(got.Readings) == 0 {
			if c.want != "" {
				t.Errorf("%s: is refused: %s", c.ask, got.Reason)
			}
			continue
		}
		p := got.Readings[0].Pattern
		found, err := query.Evaluate(t.Context(), g, p, query.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var answers, beside []string
		for _, a := range found.Answers {
			answers = append(answers, g.Label(a.Entity))
		}
		for _, x := range found.Excluded {
			beside = append(beside, g.Label(x.Entity))
			if len(x.Triples) == 0 {
				t.Errorf("%s: nothing is shown of %s", c.ask, g.Label(x.Entity))
			}
		}
		slices.Sort(answers)
		slices.Sort(beside)
		if a, b := strings.Join(answers, "|"), strings.Join(beside, "|"); a != c.want || b != c.beside {
			t.Errorf("%s: finds %q beside %q, want %q beside %q", c.ask, a, b, c.want, c.beside)
		}
		var kept pattern.Pattern // as a record has it
		if data, err := json.Marshal(p); err != nil || json.Unmarshal(data, &kept) != nil {
			t.Fatal(err)
		}
		if again := strings.Join(bankAnswers(t, g, &plan.Plan{Readings: []plan.Reading{{Pattern: &kept}}}), "|"); again != c.want {
			t.Errorf("%s: finds %q when it is read from a record, want %q", c.ask, again, c.want)
		}
		text := pattern.Format(p)
		if back, err := pattern.ParseText(text); err != nil || pattern.Format(back) != text {
			t.Errorf("%s is read back as %v, %v", text, back, err)
		}
	}
}

// TestValueOfAnother compares the value that a question names with "that of" a name.
func TestValueOfAnother(t *testing.T) {
	g, lex := testkg.Sample(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	ask := func(text string) string {
		got, err := p.Plan(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Doubt != plan.Sure {
			t.Errorf("%s: the doubt is %v, %q", text, got.Doubt, got.Reason)
		}
		return strings.Join(bankAnswers(t, g, got), ", ")
	}
	if got, want := ask("How much larger is the population of France than that of Spain?"), number6(68_400_000-48_800_000); got != want {
		t.Errorf("the difference is %s, want %s", got, want)
	}
	want := ask("Which countries have a larger population than Germany?")
	for _, text := range []string{"Which countries have a population larger than that of Germany?", "Countries whose population is larger than that of Germany"} {
		if got := ask(text); got != want || want == "" {
			t.Errorf("%s: finds %s, want %s", text, got, want)
		}
	}
}

// TestAsIsAsked asks what is easily taken for something else. An answer is surely right, but where
// it is told in brackets, and none is sure where none is told; "-" is refused. A claim has its
// verdict.
func TestAsIsAsked(t *testing.T) {
	cases := []string{"Saln : language", "Tesk : language", "Mird : language", "Saln|cases|0", "Tesk|cases|4"}
	for _, c := range []struct {
		triples []string
		right   map[string]string
	}{
		{cases, map[string]string{ // who has none of a thing has 0 of them, or the graph says nothing of it
			"Which language has no cases?": "Saln", "Which languages do not have any cases?": "(Saln, Mird)", "Which languages have cases?": "Tesk", "How many cases does Saln have?": "0",
			"Which language has the fewest cases?": "Saln", "Which languages have fewer than 3 cases?": "Saln",
			"Saln has cases.": "refuted", "Saln has no cases.": "supported", "Does Tesk have cases?": "supported", "Mird has cases.": "not found in this graph", "Tesk has three cases.": "refuted", "Saln has zero cases.": "supported",
		}},
		{slices.Concat(cases, []string{"Orun : language", "Orun|cases|0"}), map[string]string{"Which languages have the same number of cases as Saln?": "Orun"}},
		{[]string{"Town Hall|seats|1100", "Ann|titles|1990", "Ann|titles|1994", "Bob|titles|1991", "Dora|rooms|900", "Town Hall|built in|1980", "Ann|wrote|Low Tide"}, map[string]string{ // a number of things is no year
			"How many seats does the Town Hall have?": "1100", "How many rooms does Dora have?": "900", "How many titles does Ann have?": "2: 1990 and 1994", "How many titles does Bob have?": "1: 1991", "How many books did Ann write?": "1: Low Tide",
		}},
		// Which language is so is asked of languages, and not what such a language has.
		{[]string{"Tesk|official in|Land", "Tesk|spoken in|Teskia"}, map[string]string{"Which language is official in Land?": "Tesk", "What is official in Land?": "Tesk"}},
		{[]string{"Orun : language", "Tesk : language", "Orun|intelligible with|Tesk", "Orun|spoken in|Teskia"}, map[string]string{"Which language is intelligible with Tesk?": "Orun"}},
		{[]string{"Ada|painted|Mona", "Mona|language|Latin", "Mona|located in|Paris", "Ben|born in|York", "York|in country|England"}, map[string]string{
			"Which city did Ada paint?": "", "Which language did Ada paint?": "", "What did Ada paint?": "Mona", "Which country was Ben born in?": "England",
		}},
		{[]string{"Upper : branch", "Velic : family", "Tesk|belongs to|Upper", "Upper|branch of|Velic", "Tesk|word order|SVO"}, map[string]string{"Which family does Tesk belong to?": "(Velic)"}},
		{[]string{"Old Mird : language", "Mird : language", "Mird|word order|SVO", "Mird|cases|4", "Mird|descended from|Old Mird", "In Bruges|director|Ann", "Ben|lives in|Bruges"}, map[string]string{ // a longer name is not cut
			"What is the word order of Old Mird?": "-", "What is the word order of old mird?": "-", "How many cases does Old Mird have?": "-", "What is the word order of Mird?": "SVO",
			"What descended from Old Mird?": "Mird", "Who lives in Bruges?": "Ben", "Who directed In Bruges?": "Ann",
		}},
		// What has nothing of a relation has not that of another thing, nor the other end of its own.
		{[]string{"Norda|owns|Balt", "Norda|chief executive|Greta", "Elsa Ford|voted for|Park Motion", "Ann Roe|elected|2011-05-05", "Park Motion|moved by|Ann Roe", "Park Motion : motion"}, map[string]string{
			"What does Balt own?": "-", "Who owns Norda?": "-", "Who owns Balt?": "Norda", "Who is the chief executive of Balt?": "-", "Who is Balt's chief executive?": "-", "Who is the chief executive of Norda?": "Greta",
			"When was Elsa Ford elected?": "-", "When was Ann Roe elected?": "2011-05-05", "Which motion did Elsa Ford move?": "", "Who moved Park Motion?": "Ann Roe",
		}},
		{[]string{"Norby|backup of|Estow", "Comte|pairs with|Barolo", "Comte|fat content|48", "Emil|teacher of|Boris", "Boris|plays|violin", "Tesk|lexifier|Orun"}, map[string]string{
			"What is the backup of Norby?": "-", "What is the backup of Estow?": "Norby", "What is the fat content of Barolo?": "-", "What does Emil play?": "-", "What is the lexifier of Orun?": "-", "What is the lexifier of Tesk?": "Orun",
		}},
		{[]string{"Ann|works at|Acme", "Acme|industry|Steel", "Vienna|located in|Austria", "Austria|currency|euro"}, map[string]string{"What industry does Ann work in?": "(Steel)", "What is the currency of Vienna?": "(euro)"}},
		{[]string{"Parks Committee : committee", "Agnes : councillor", "Parks Committee|chaired by|Agnes", "Agnes|member of|Green Party", "Roquefort|similar to|Brie", "Roquefort|made by|Soc", "Roquefort|milk|sheep", "Tesk : language", "Mird : language", "Tesk|word order|SVO", "Mird|word order|SVO"}, map[string]string{
			"Which councillor from the Green Party chairs a committee?": "(Agnes)", "What is similar to Roquefort?": "Brie", "Which languages have SVO word order?": "Tesk, Mird",
		}},
		{[]string{ // without types, "who" are those that were born
			"Ann|born in|York", "Ben|born in|York", "Cid|born in|Leeds", "Ann|lives in|Leeds", "Dan|lives in|Leeds", "Ann|works for|Acme", "Cid|works for|Acme", "Ann|studied at|Elm College", "Ben|studied at|Elm College",
		}, map[string]string{
			"Who was born in the same city as Ann?": "Ben", "Who else was born in the same place as Ann?": "Ben", "Who works for the same company as Ann?": "Cid",
		}},
		{[]string{"F1|origin|Rome", "F1|destination|Oslo", "F2|origin|Oslo", "F1 : flight", "F2 : flight", "Ann|country of origin|Norway"}, map[string]string{ // where from is not where to
			"Where does F1 go to?": "Oslo", "Where does F1 leave from?": "Rome", "Where does F1 come from?": "Rome", "Which flights leave from Oslo?": "F2", "Which flights go to Oslo?": "F1", "F1 goes to Rome.": "-", "Who left Norway?": "",
		}},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(c.triples...), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for question, want := range c.right {
			run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var labels []string
			for _, item := range run.Answer.Items {
				labels = append(labels, item.Label)
			}
			got := strings.Join(labels, ", ")
			switch p := run.Pattern(); {
			case run.Answer.Verdict != answer.NoVerdict:
				got = run.Answer.Verdict.Words()
			case p != nil && p.Task == pattern.Count && got != "":
				got = fmt.Sprintf("%d: %s", len(labels), strings.Join(labels, " and "))
			}
			switch {
			case run.Answer.Refusal != nil:
				got = "-"
			case run.Plan.Doubt != plan.Sure:
				got = "(" + got + ")"
			}
			if got != want && (want != "" || run.Plan.Doubt == plan.Sure && got != "-") {
				t.Errorf("%s %q, want %q (%s)", question, got, want, run.Plan.Reason)
			}
		}
		e.Close()
	}
}

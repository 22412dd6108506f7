package operators_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/shared"
)

// cinema is a graph with types, a hierarchy, values, and names that hold the words of
// operators.
func cinema() *builtin.Planner {
	var b kg.Builder
	of := func(kind string, names ...string) {
		for _, n := range names {
			b.AddType(b.Entity(n), kind)
		}
	}
	of("film", "No Country for Old Men", "The Most Dangerous Game", "Either/Or", "Without a Trace", "Jaws", "Duel")
	of("director", "Ann Lee", "Bob Ray")
	of("studio", "Big Studio", "Mid Studio", "Low Studio")
	for film, said := range map[string][4]string{
		"No Country for Old Men":  {"Ann Lee", "Low Studio", "2007", "122 min"},
		"The Most Dangerous Game": {"Ann Lee", "Low Studio", "1932", "63 min"},
		"Either/Or":               {"Bob Ray", "Mid Studio", "1997", "90 min"},
		"Without a Trace":         {"Bob Ray", "Mid Studio", "1983", "120 min"},
		"Jaws":                    {"Bob Ray", "Low Studio", "1975", "124 min"},
		"Duel":                    {"Ann Lee", "Mid Studio", "1971", "90 min"},
	} {
		b.Add(film, "directed by", said[0])
		b.Add(film, "produced by", said[1])
		b.Add(film, "release year", said[2])
		b.Add(film, "runtime", said[3])
	}
	b.Add("Jaws", "award", "Gold Reel")
	b.Add("Low Studio", "subsidiary of", "Mid Studio")
	b.Add("Mid Studio", "subsidiary of", "Big Studio")
	g, lex := b.Graph(), lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

func TestOperators(t *testing.T) {
	p := cinema()
	for _, tt := range []struct{ question, want string }{
		{"Which films were directed by Ann Lee but not produced by Low Studio?", "(Ann Lee) <-directed by- (?films) | without (?films) -produced by-> (Low Studio)"},
		{"Which films lack an award?", "(?films:film) | without (?films) -award-> (?none)"},
		{"How many films lack an award?", "count ?films | without (?films) -award-> (?none)"},
		{"Which directors have only one film?", "exactly 1 ?film: (?directors) <-directed by- (?film)"},
		{"Which studios have just two films?", "exactly 2 ?films"},
		{"What is the average runtime of the Bob Ray films?", "(Bob Ray) <-directed by- (?films) -runtime-> (?runtime) | find ?films | average ?runtime of ?films"},
		{"How many films and studios are there?", "(?films:film or studio) | count ?films"},
		{"How many films and how many studios are there?", "(?films:film or studio) | count ?films"},
		{"Which films have no award?", "(?films:film) | without (?films) -award-> (?none)"},
		{"Films other than Jaws directed by Bob Ray", "?films != (Jaws)"},
		{"Which films other than Jaws, Duel and Either/Or were produced by Mid Studio?", "?films != (Jaws) | ?films != (Duel) | ?films != (Either/Or)"},
		{"Which directors have films, but not Ann Lee?", "?directors != (Ann Lee)"},
		{"Which films were produced by Low Studio, but not Jaws?", "(Low Studio) <-produced by- (?films); (Jaws) | ?films != (Jaws)"},
		{"Which films were directed by a director other than Bob Ray?", "?director != (Bob Ray)"},
		{"Which director other than Ann Lee made the most films?", "?director != (Ann Lee) | largest count"},
		{"Which film not counting Jaws has the longest runtime?", "?film != (Jaws) | largest ?runtime"},
		{"All films but Jaws", "?films != (Jaws)"},
		{"Could you please list the films that Ann Lee did not direct?", "without (?films) -directed by-> (Ann Lee)"},
		{"Films that nobody directed", "(?films:film) | without (?films) -directed by-> (?none)"},
		{"Films whose runtime exceeds that of Jaws", "?value > ?value2"},
		{"The fewest films were directed by which director?", "count ?films per every ?director | smallest count"},
		{"Ann Lee directed how many more films than Bob Ray?", "difference ?films to (Bob Ray)"},
		{"Number of directors with three or more films", "count ?directors | at least 3 ?films"},
		{"Share of Bob Ray films", "share ?films"},
		{"Which films, except jaws, were produced by Low Studio?", "?films != (jaws)"},
		{"Which films were directed by Ann Lee or Bob Ray?", "either (?films) -directed by-> (Ann Lee) | or (?films) -directed by-> (Bob Ray)"},
		{"Which films were produced only by Low Studio?", "only (?films) -produced by-> (Low Studio)"},
		{"Which directors directed at least three films?", "at least 3 ?films: (?directors) <-directed by- (?films"},
		{"Directors with 3 or more films", "at least 3 ?films"},
		{"Which director made the most films?", "count ?films per ?director | largest count"},
		{"Which director made the fewest films?", "count ?films per every ?director | smallest count"},
		{"What is the average number of films per director?", "count ?films per every ?director | average count"},
		{"On average, how many films does a director have?", "count ?films per every ?director | average count"},
		{"What percentage of films were directed by Ann Lee?", "(?films:film) | either (?films) -directed by-> (Ann Lee) | share ?films"},
		{"What share of the films have an award?", "share ?films"},
		{"What percentage of films by Ann Lee have an award?", "(Ann Lee) <-directed by- (?films) | either (?films) -award-> (?award:award) | share ?films"},
		{"What percentage of films directed by Ann Lee were produced by Low Studio?", "(Ann Lee) <-directed by- (?films) | either (?films) -produced by-> (Low Studio) | share ?films"},
		{"What share of the films that were produced by Low Studio are longer than 2 hours?", "either (?films) -runtime-> (?runtime) where ?runtime > 120 min | share ?films"},
		{"Which films were directed by neither Ann Lee nor Bob Ray?", "(?films:film) | without (?films) -directed by-> (Ann Lee) | without (?films) -directed by-> (Bob Ray)"},
		{"Which films were released in neither 1932 nor 1997?", "where ?release_year = 1932 | without (?films) -release year-> (?release_year2) where ?release_year2 = 1997"},
		{"Which films were not directed by Ann Lee or Bob Ray?", "without (?films) -directed by-> (Ann Lee) | without (?films) -directed by-> (Bob Ray)"},
		{"Which director made as many films as Bob Ray?", "exactly (Bob Ray) ?films: (?director) <-directed by- (?films) | ?director != (Bob Ray)"},
		{"Which directors made at least as many films as Bob Ray?", "at least (Bob Ray) ?films"},
		{"Which studio produced the same number of films as Mid Studio?", "exactly (Mid Studio) ?films"},
		{"Which films are as long as Duel?", "?value = ?value2"},
		{"Which films are not longer than Duel?", "?value <= ?value2"},
		{"Which films are no longer than 90 minutes?", "?runtime <= 90 min"},
		{"Which films are 2 hours long or longer?", "?runtime >= 120 min"},
		{"Which films have a runtime between 80 and 100 minutes?", "?runtime >= 80 min | ?runtime <= 100 min"},
		{"Which films were released in 1983 or later?", "?release_year >= 1983"},
		{"Which films were released on or before 1975?", "?release_year <= 1975"},
		{"Which films were released no later than 1975?", "?release_year <= 1975"},
		{"Which films were released by 1975 at the latest?", "?release_year <= 1975"},
		{"Which films were released not before 1983?", "?release_year >= 1983"},
		{"Was Jaws released before 1980?", "(Jaws) -release year-> (?release_year) | verify | ?release_year < 1980"},
		{"Is Jaws longer than 2 hours?", "(Jaws) -runtime-> (?runtime) | verify | ?runtime > 120 min"},
		{"Which director made the second most films?", "largest count 1 after 1"},
		{"What are the three films with the longest runtime?", "largest ?runtime 3"},
		{"What is the average runtime of the films directed by Bob Ray?", "average ?runtime of ?films"},
		{"How many films did each director direct?", "count ?films per ?director"},
		{"Which films were released after Jaws?", "?value > ?value2"},
		{"How are Jaws and Duel connected within 2 steps?", "path (Jaws) to (Duel) | within 2"},
		{"What is within two steps of Jaws?", "(?thing) | either (Jaws) -- (?thing) | or (Jaws) -- (?between) -- (?thing)"},
		{"Which directors are within 1 step of Big Studio?", "(Big Studio) -- (?directors)"},
		{"Which studios are direct or indirect subsidiaries of Big Studio?", "(Big Studio) <-subsidiary of+- (?studios)"},
		{"Tell me everything about Jaws.", "describe (Jaws)"},
		{"What do Jaws and Duel have in common?", "compare (Jaws) with (Duel)"},
		{"How many more films did Ann Lee direct than Bob Ray?", "(Ann Lee) <-directed by- (?films); (Bob Ray) | difference ?films to (Bob Ray)"},
		{"How many fewer films were directed by Ann Lee than by Bob Ray?", "(Bob Ray) <-directed by- (?films); (Ann Lee) | difference ?films to (Ann Lee)"},
		{"How many times as many films were produced by Low Studio as by Mid Studio?", "ratio ?films to (Mid Studio)"},
		{"Were more films directed by Ann Lee than by Bob Ray?", "more than (Bob Ray) ?films: (Ann Lee) <-directed by- (?films)"},
		{"Which directors directed all films?", "at least 6 ?films: (?directors) <-directed by- (?films"},
		{"Were all films directed by Ann Lee?", "(Ann Lee) | at least 6 ?films: (Ann Lee) <-directed by- (?films"},
		{"Does every film have an award?", "at least 6 ?film: (?film) -award-> (?award"},
		{"Were all films that were directed by Ann Lee produced by Low Studio?", "at least 3 ?films: (Ann Lee) <-directed by- (?films) -produced by-> (Low Studio)"},
		{"Was Jaws directed only by Bob Ray?", "(Jaws) -directed by-> (Bob Ray) | exactly 1 ?any: (Jaws) -directed by-> (?any)"},
		{"In which year were the most films released?", "(?year) <-release year- (?films:film) | count ?films per ?year | largest count"},
		{"How many films were released in each year?", "count ?films per ?year"},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 {
			t.Errorf("Plan(%q): %s", tt.question, got.Reason)
			continue
		}
		text := pattern.Format(got.Readings[0].Pattern)
		back, err := pattern.ParseText(text)
		switch {
		case !strings.Contains(text, tt.want) && !strings.Contains(flipped(text), tt.want):
			t.Errorf("Plan(%q) = %s, want %s", tt.question, text, tt.want)
		case got.Doubt != plan.Sure:
			t.Errorf("Plan(%q): doubt %v, %s", tt.question, got.Doubt, got.Reason)
		case err != nil:
			t.Errorf("ParseText(%s): %v", text, err)
		case pattern.Format(back) != text:
			t.Errorf("ParseText(%s) is written %s", text, pattern.Format(back))
		}
	}
}

// orchestra is a graph whose statements say when they were so, and how much.
func orchestra() *builtin.Planner {
	var b kg.Builder
	said := func(pairs ...string) (ps []kg.Property) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i+1] != "" {
				ps = append(ps, kg.Property{Name: pairs[i], Value: pairs[i+1], Entity: kg.NoEntity})
			}
		}
		return ps
	}
	for _, x := range [][4]string{
		{"Ada Kern", "Opera House", "1980", "1990"},
		{"Ben Holt", "Opera House", "1990", "2004"},
		{"Cleo Marr", "Opera House", "2004", ""},
		{"Ada Kern", "City Hall", "1991", "1999"},
		{"Dora Finn", "City Hall", "", ""},
		{"Egon Wald", "City Hall", "1999", "2001"},
	} {
		b.AddType(b.Entity(x[0]), "person")
		b.AddStatement(x[0], "director of", x[1], said("from", x[2], "to", x[3])...)
	}
	for _, x := range [][4]string{{"Ada Kern", "Gold Lyre", "1985", "100 euro"}, {"Ada Kern", "Oak Prize", "1979", "300 euro"}, {"Ben Holt", "Gold Lyre", "2001", "200 euro"}} {
		b.AddType(b.Entity(x[1]), "award")
		b.AddStatement(x[0], "received", x[1], said("year", x[2], "prize", x[3])...)
	}
	g, lex := b.Graph(), lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

// TestWhatStatementsSay asks when something was so, how long, how much of it, and in what
// order. A doubt is what the plan must say where it is not sure.
func TestWhatStatementsSay(t *testing.T) {
	p := orchestra()
	for _, tt := range []struct{ question, want, doubt string }{
		{"When was Ben Holt director of the Opera House?", "values from..to of (Ben Holt) -director of-> (Opera House)", ""},
		{"From when to when was Ben Holt director of the Opera House?", "values from..to of", ""},
		{"Since when has Cleo Marr been director of the Opera House?", "values from of (Cleo Marr)", ""},
		{"Since when is Ben Holt director of the Opera House?", "values from of (Ben Holt)", "when it ended"},
		{"Until when was Ben Holt director of the Opera House?", "values to of (Ben Holt)", ""},
		{"When did Ben Holt become director of the Opera House?", "values from of (Ben Holt)", ""},
		{"When did Ben Holt receive the Gold Lyre?", "values year of (Ben Holt)", ""},
		{"When did Ben Holt stop being director of the Opera House?", "values to of (Ben Holt)", ""},
		{"How long was Ben Holt director of the Opera House?", "sum from..to of (Ben Holt)", ""},
		{"How long was Cleo Marr director of the Opera House?", "", "when it began and ended"},
		{"When was Dora Finn director of City Hall?", "", "its statement does not have that detail"},
		{"When did Cleo Marr receive the Oak Prize?", "", "does not say this"},
		{"In which year did Ben Holt receive the Gold Lyre?", "values year of (Ben Holt)", ""},
		{"Which awards were received in 2001?", "(?awards:award) <-received [year = 2001]- (?thing) | find ?awards", ""},
		{"How many awards were received after 1980?", "(?awards:award) <-received [year > 1980]- (?thing) | count ?awards", ""},
		{"What was received in 1979?", "(?what) <-received [year = 1979]- (?thing) | find ?what", ""},
		{"Which award was received most recently?", "most year of (?award) <-received- (?thing) per ?award | largest most", ""},
		{"What prize did Ben Holt receive the Gold Lyre with?", "values prize of (Ben Holt)", ""},
		{"Who was the first director of the Opera House?", "least from of (Opera House) <-director of- (?director) per ?director | smallest least", ""},
		{"Who was the last director of the Opera House?", "most from of", ""},
		{"Who was the second director of the Opera House?", "smallest least 1 after 1", ""},
		{"Who was the previous director of the Opera House?", "largest most 1 after 1", ""},
		{"Who was the first director of City Hall?", "least from of", "“Dora Finn” has no date"},
		{"Who was director of the Opera House the longest?", "sum from..to of", "“Cleo Marr” has no start or end"},
		{"Who was director of the Opera House before Cleo Marr?", "[from < 2004]", ""},
		{"Who succeeded Ada Kern as director of the Opera House?", "[from > 1980]", ""},
		{"Who was director of the Opera House before Ada Kern?", "", "no statement in this graph says that it was so before 1980"},
		{"Which awards did Ada Kern receive before the Gold Lyre?", "[year < 1985]", ""},
		{"What was the most recent award that Ada Kern received?", "most year of (Ada Kern) -received-> (?award) per ?award | largest most", ""},
		{"Which award did Ada Kern receive with the largest prize?", "most prize of (?award) <-received- (Ada Kern)", ""},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		if len(got.Readings) > 0 {
			text = pattern.Format(got.Readings[0].Pattern)
		}
		if !strings.Contains(text, tt.want) || tt.want == "" && text != "" {
			t.Errorf("Plan(%q) = %s, want %s", tt.question, text, tt.want)
		}
		if (got.Doubt == plan.Sure) != (tt.doubt == "") || !strings.Contains(got.Reason, tt.doubt) {
			t.Errorf("Plan(%q): %v, %q, want %q", tt.question, got.Doubt, got.Reason, tt.doubt)
		}
		if back, err := pattern.ParseText(text); text != "" && (err != nil || pattern.Format(back) != text) {
			t.Errorf("%s is read back as %v, %v", text, back, err)
		}
	}
}

// flipped writes clauses of one edge the other way round, as the order of nodes may be.
func flipped(text string) string {
	clauses := strings.Split(text, " | ")
	for i, c := range clauses {
		for _, word := range []string{"without ", "either ", "or ", "only "} {
			rest, is := strings.CutPrefix(c, word)
			if a, b, ok := strings.Cut(rest, " <-"); is && ok {
				if rel, c, ok := strings.Cut(b, "- "); ok {
					clauses[i] = word + c + " -" + rel + "-> " + a
				}
			}
		}
	}
	return strings.Join(clauses, " | ")
}

// TestNamesAreNoOperators asks for names that hold the words of operators.
func TestNamesAreNoOperators(t *testing.T) {
	p := cinema()
	for _, name := range []string{"No Country for Old Men", "The Most Dangerous Game", "Either/Or", "Without a Trace"} {
		got, err := p.Plan(t.Context(), "Who directed "+name+"?", nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || !got.Readings[0].Pattern.IsPlain() || got.Doubt != plan.Sure {
			t.Errorf("%s: %v, %v", name, got.Readings, got.Doubt)
		}
	}
}

// TestOperatorsAreRefusedByName asks what cannot be applied: the refusal says which word
// it was, and nothing is answered without it.
func TestOperatorsAreRefusedByName(t *testing.T) {
	p := cinema()
	for _, tt := range []struct{ question, word string }{
		{"Which films are longer than 90 kg?", "90 kg"},
		{"Is Jaws longer than 90 kg?", "90 kg"},
		{"Which films were directed by neither Ann Lee?", "neither"},
		{"How many more films than Bob Ray did Ann Lee make?", "How many more"},
		{"Which films have at least zero awards?", "at least zero"},
		{"Who directed Jaws and when was it released?", "when was it released"},
		{"Top 0 films by runtime", "Top 0"},
		{"Which films did Bob Ray not?", "not"},
		{"What percentage of films by Ann Lee?", "percentage of"},
		{"What percentage of purple films have an award?", "purple"},
		{"What share of the runtime is of Jaws?", "share of"},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) > 0 || got.Doubt != plan.NotSupported || !strings.Contains(got.Reason, tt.word) {
			t.Errorf("Plan(%q): %v, %v: %s; want a refusal that names %q", tt.question, got.Readings, got.Doubt, got.Reason, tt.word)
		}
	}
}

// TestAnyWords plans soups of operator words, nouns and names: none may panic, and what
// is read must be a pattern whose text reads back.
func TestAnyWords(t *testing.T) {
	shared.Sequential(t)
	p := cinema()
	soup := strings.Fields("which who how many what is there are the films directors that not no without but or only either at least most 3 two 0 second top " +
		"total average per each than longer more after before directed made runtime award Jaws Duel Ann_Lee Low_Studio connected path from to via within steps " +
		"directly indirectly all everything about compare and in common first people by of with except nothing whose latest fewest neither nor as many same number share of percentage 5 km minutes before or later on at 1990 when did was become every last succeeded as year")
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var ws []string
		for range 1 + r.IntN(11) {
			ws = append(ws, strings.ReplaceAll(soup[r.IntN(len(soup))], "_", " "))
		}
		question := strings.Join(ws, " ")
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, reading := range got.Readings[:min(1, len(got.Readings))] {
			if text := pattern.Format(reading.Pattern); !reading.Pattern.IsPlain() {
				if _, err := pattern.ParseText(text); err != nil {
					t.Errorf("%q is read as %s: %v", question, text, err)
				}
			}
		}
	}
}

// TestLacking asks what has nothing of a kind, where other kinds are joined to it alike, and where
// nothing ever is.
func TestLacking(t *testing.T) {
	var b kg.Builder
	for _, x := range [][3]string{
		{"D-101", "defibrillator", "Ward 1"}, {"D-102", "defibrillator", "Ward 3"}, {"V-7", "ventilator", "Ward 1"}, {"V-8", "ventilator", "Ward 2"},
	} {
		b.AddType(b.Entity(x[0]), x[1])
		b.Add(x[0], "located in", x[2])
	}
	for _, w := range []string{"Ward 1", "Ward 2", "Ward 3", "Ward 4"} {
		b.AddType(b.Entity(w), "ward")
		b.Add(w, "headed by", "Jon Bay")
	}
	b.Add("Night and Day", "painted by", "Eva Lind")
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct {
		question, want string
		doubt          plan.Doubt
	}{
		{"Which wards lack a defibrillator?", "without (?wards) <-located in- (?defibrillator:defibrillator)", plan.Sure},
		{"Which wards have no ventilator?", "without (?wards) <-located in- (?ventilator:ventilator)", plan.Sure},
		{"Which wards are not painted by Eva Lind?", "without (?wards) -painted by-> (Eva Lind)", plan.Unsure},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 {
			t.Errorf("Plan(%q): %s", tt.question, got.Reason)
			continue
		}
		if text := pattern.Format(got.Readings[0].Pattern); !strings.Contains(flipped(text), tt.want) && !strings.Contains(text, tt.want) || got.Doubt != tt.doubt {
			t.Errorf("Plan(%q) = %s, %v, want %s, %v", tt.question, text, got.Doubt, tt.want, tt.doubt)
		}
	}
}

// TestDenied asks what a question finds nothing of: it denies what the question without the
// negation says, in its direction.
func TestDenied(t *testing.T) {
	var b kg.Builder
	for _, row := range [][5]string{
		{"Radio Alba", "Orion Media", "Turin", "Radio Vento", "news"},
		{"Radio Vento", "Bruno Rossi", "Genoa", "Radio Alba", "rock"},
		{"Onda Blu", "Orion Media", "Genoa", "Jazz Nova", "jazz"},
		{"Jazz Nova", "Nova Group", "Milan", "Onda Blu", "jazz"},
		{"City Talk", "Nova Group", "Milan", "Radio Alba", "talk"},
		{"Alpenwelle", "Jakob Egger", "Bolzano", "", "folk"},
	} {
		b.AddType(b.Entity(row[0]), "station")
		for i, rel := range []string{"", "owner", "city", "rival", "genre"} {
			if i > 0 && row[i] != "" {
				b.Add(row[0], rel, row[i])
			}
		}
	}
	b.Add("Alpenwelle", "covered", "Palio")
	b.Add("Radio Alba", "covered", "Palio")
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for question, want := range map[string]string{
		"Which owners have no jazz station?":                "without (jazz) <-genre- (?station) -owner-> (?owners)",
		"Which owners have no station in Milan?":            "without (Milan) <-city- (?station) -owner-> (?owners)",
		"Which cities do not have a jazz station?":          "without (jazz) <-genre- (?station) -city-> (?cities)",
		"Which stations have no rival in Milan?":            "without (Milan) <-city- (?stations2) <-rival- (?stations)",
		"Which stations have no rivals in Milan?":           "without (Milan) <-city- (?stations2) <-rival- (?stations)",
		"Which stations without a rival covered the Palio?": "(Palio) <-covered- (?stations) | without (?stations) -rival-> (?none)",
		"Which stations have no rival?":                     "without (?stations) -rival-> (?none)",
		"Which stations are not the rival of any station?":  "without (?stations) <-rival- (?none)",
		"Which stations are nobody's rival?":                "without (?stations) <-rival- (?none)",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Doubt != plan.Sure || !strings.Contains(pattern.Format(got.Readings[0].Pattern), want) {
			t.Errorf("Plan(%q) = %v, %s, want %s", question, got.Doubt, got.Reason, want)
			if len(got.Readings) > 0 {
				t.Log(pattern.Format(got.Readings[0].Pattern))
			}
		}
	}
}

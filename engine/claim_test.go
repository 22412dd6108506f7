package engine

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"
)

// TestClaimsNeedTheirWords checks claims whose names are joined, or nearly, by
// something else than they say.
func TestClaimsNeedTheirWords(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	for _, c := range []struct {
		claim string
		want  answer.Verdict
	}{
		{"Marie Curie murdered Pierre Curie.", answer.NotFound},
		{"Marie Curie's husband was Pierre Curie.", answer.Likely}, // that he is a man, the graph does not say
		{"Marie Curie's spouse was Pierre Curie.", answer.Supported},
		{"Pierre Curie married Marie Curie.", answer.Supported},
		{"Berlin hates Germany", answer.NotFound},
		{"Canberra destroyed Australia", answer.NotFound},
		{"Germany borders Spain", answer.NotFound},
		{"Germany shares a border with France.", answer.Supported},
		{"Germany does not share a border with France.", answer.Refuted},
		{"Germany shares a border with Spain.", answer.NotFound},
		{"Germany borders Narnia", answer.NotFound},
		{"The Danube flows through Narnia.", answer.NotFound},
		{"Germany has the capital New Narnia.", answer.NotFound},
		{"Austria adjoins the Kingdom of Narnia.", answer.NotFound},
		{"Germany borders both France and Poland.", answer.Supported},
		{"Germany borders both France and Spain.", answer.NotFound},
		{"Germany does not border France.", answer.Refuted},
		{"Isn't Canberra the capital of Australia?", answer.Supported},
		{"Isn’t Canberra the capital of New Zealand?", answer.Refuted},
		{"Doesn't Germany border France?", answer.Supported},
		{"Germany does not border Spain.", answer.NotFound},
		{"Canberra is the capital of Australia", answer.Supported},
		{"I know that Canberra is the capital of Australia.", answer.Supported},
		{"Is it true that Canberra is not the capital of Australia?", answer.Refuted},
		{"Canberra is the capztal of Australia", answer.NotFound},
		{"Canberra is the largest capital of Australia", answer.NotFound},
		{"Australia is the capital of Canberra", answer.NotFound},
		{"Canberra is the capital of New Zealand", answer.Refuted},
		{"Canberra is the capztal of New Zealand", answer.NotFound},
		{"Canberra is not the capital of New Zealand.", answer.Supported},
		{"Paris is a city", answer.Supported},
		{"Is Paris a river?", answer.NotFound},
		{"Is Paris a country?", answer.NotFound},
		{"Mount Everest is the highest mountain", answer.Supported},
		{"Berlin is in Germany.", answer.Supported},
		{"Is it true that Tellurium is named after Earth?", answer.Supported},
		{"Germany is in Berlin.", answer.NotFound},
		{"The population of France is 68 million.", answer.Supported},
		{"The height of Kilimanjaro is 5000 m.", answer.NotFound},
		{"Germany has a capital.", answer.Supported},
		{"Germany has a nightmare.", answer.NotFound},
		// What a claim says beside its triples leaves it likely, unless it may deny them.
		{"Canberra, a beautiful place, is the capital of Australia.", answer.Likely},
		{"The volcano Danube flows through Serbia.", answer.Likely},
		{"The volcano Danube flows through Spain.", answer.NotFound},
		{"Canberra is allegedly the capital of Australia.", answer.NotFound},
		{"Zorro is the capital of Australia.", answer.NotFound},
		{"Commonwealth of Nations founded 1949 Nobel Prize in Physics.", answer.NotFound},
		// What is said around a claim says nothing of it.
		{"As far as I know, Canberra is the capital of Australia.", answer.Supported},
		{"They say Canberra is the capital of Australia.", answer.Supported},
		{"Canberra is the capital of Australia, isn't it?", answer.Supported},
		{"Canberra is the capital of New Zealand, right?", answer.Refuted},
		{"Canberra is not the capital of Australia, is it?", answer.Refuted},
		// The value that is named is compared, and not another that the adjective may mean.
		{"Is Germany's population larger than France's?", answer.Supported},
		{"The population of France is larger than that of Germany.", answer.Refuted},
		{"The area of France is larger than that of Germany.", answer.Supported},
		// What holds both ways may be said of two.
		{"Germany and France share a border.", answer.Supported},
		{"Germany and France are neighbours.", answer.Supported},
		{"Germany and Spain are neighbours.", answer.NotFound},
		{"Marie Curie and Pierre Curie were married.", answer.Supported},
	} {
		run, err := e.Ask(t.Context(), c.claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != c.want {
			t.Errorf("%q: %v (%s), want %v", c.claim, got, reading(run), c.want)
		}
	}
}

// TestWhoDoesWhatAVerbSays checks the direction of verbs that are not in the names
// of relations.
func TestWhoDoesWhatAVerbSays(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{
		{"Arrow Six", "operator", "Skyline Agency"},
		{"Arrow Six", "manufacturer", "Boltworks"},
		{"Boltworks", "owner", "Granite Holding"},
		{"Anna Berg", "successor", "Carl Dorn"},
		{"Anna Berg", "place of birth", "Marbach"},
		{"Basalt", "contains", "Feldspar"},
		{"Boltworks", "employee", "Ada Ray"},
		{"Ben Holt", "trainee of", "Ada Ray"},
	} {
		b.Add(f[0], f[1], f[2])
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Arrow Six was manufactured by Boltworks.":    answer.Supported,
		"Boltworks manufactured Arrow Six.":           answer.Supported,
		"Arrow Six manufactured Boltworks.":           answer.NotFound,
		"Granite Holding owns Boltworks.":             answer.Supported,
		"Boltworks owns Granite Holding.":             answer.NotFound,
		"Boltworks is owned by Granite Holding.":      answer.Supported,
		"Carl Dorn succeeded Anna Berg.":              answer.Supported,
		"Anna Berg succeeded Carl Dorn.":              answer.NotFound,
		"Anna Berg was the predecessor of Carl Dorn.": answer.Supported,
		"Carl Dorn was the predecessor of Anna Berg.": answer.NotFound,
		"Anna Berg was born in Marbach.":              answer.Supported,
		"Marbach was born in Anna Berg.":              answer.NotFound,
		"Basalt contains Feldspar.":                   answer.Supported,
		"Feldspar contains Basalt.":                   answer.NotFound,
		"Boltworks employs Ada Ray.":                  answer.Supported,
		"Ada Ray trained Ben Holt.":                   answer.Supported,
		"Ben Holt was trained by Ada Ray.":            answer.Supported,
		"Ben Holt trained Ada Ray.":                   answer.NotFound,
		"Ada Ray was trained by Ben Holt.":            answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != want {
			t.Errorf("%q: %v (%s), want %v", claim, got, reading(run), want)
		}
	}
}

// TestAVerdictDoesNotTrustThePlan follows a reading, as a model may give it, that
// leaves out what the claim says; a pattern that the user wrote is a claim itself.
func TestAVerdictDoesNotTrustThePlan(t *testing.T) {
	e := openSample(t)
	for planner, want := range map[string]answer.Verdict{"model qwen": answer.NotFound, plan.ByHand: answer.Supported} {
		p, err := pattern.ParseText("(Pierre Curie) -spouse-> (Marie Curie)")
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.Follow(t.Context(), &plan.Plan{
			Question: "Marie Curie murdered Pierre Curie.", Planner: planner, Readings: []plan.Reading{{Pattern: p}},
		}, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != want {
			t.Errorf("planned by %s: %v, want %v", planner, got, want)
		}
	}
}

// TestNobodyDoesTheOpposite checks claims about who does what to whom, and who is what
// of whom, in every form of sentence, over relations named in every form: as verb,
// passive, and noun for either end. A claim with its ends exchanged is never supported.
func TestNobodyDoesTheOpposite(t *testing.T) {
	shared.Sequential(t)
	type named struct {
		relation string
		aFirst   bool // its head is A
	}
	ofNouns := func(noun string) []named {
		return []named{{noun + " of", true}, {"is " + noun + " of", true}, {noun, false}, {"has " + noun, false}}
	}
	nounForms := func(noun string) []string {
		return []string{
			"A is the " + noun + " of B.", "The " + noun + " of B is A.", "B's " + noun + " is A.", "A is B's " + noun + ".",
			"Is A the " + noun + " of B?", "B has the " + noun + " A.", "B has A as " + noun + ".",
		}
	}
	var tests []struct {
		relations []named
		forms     []string
	}
	add := func(relations []named, forms []string) {
		tests = append(tests, struct {
			relations []named
			forms     []string
		}{relations, forms})
	}
	for _, v := range [][3]string{
		{"owns", "owned", "owner"},
		{"directs", "directed", "director"},
		{"employs", "employed", "employer"},
		{"inhibits", "inhibited", "inhibitor"},
		{"regulates", "regulated", "regulator"},
		{"supplies", "supplied", "supplier"},
		{"advises", "advised", "advisor"},
		{"leads", "led", "leader"},
	} {
		add(append(ofNouns(v[2]), named{v[0], true}, named{v[1] + " by", false}),
			append(nounForms(v[2]), "A "+v[0]+" B.", "B is "+v[1]+" by A.", "Is B "+v[1]+" by A?"))
	}
	for _, noun := range []string{
		"parent", "child", "capital", "symptom", "member", "part", "cause", "treatment", "subsidiary", "tributary", "complication", "author", "chairman", "teacher",
	} {
		add(ofNouns(noun), nounForms(noun))
	}
	supported, asked := 0, 0
	for _, tt := range tests {
		for _, r := range tt.relations {
			var b kg.Builder
			for _, pair := range [][2]string{{"Northwind Ltd", "Southgate Bank"}, {"Tidewater Shipping", "Eastfield Press"}} {
				if !r.aFirst {
					pair[0], pair[1] = pair[1], pair[0]
				}
				b.Add(pair[0], r.relation, pair[1])
			}
			e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			verdict := func(form, a, b string) (string, answer.Verdict) {
				claim := strings.NewReplacer("A", a, "B", b).Replace(form)
				run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				return claim, run.Answer.Verdict
			}
			for _, form := range tt.forms {
				if claim, got := verdict(form, "Southgate Bank", "Northwind Ltd"); got == answer.Supported {
					t.Errorf("%q over %q is supported", claim, r.relation)
				}
				claim, got := verdict(form, "Northwind Ltd", "Southgate Bank")
				if got == answer.Refuted {
					t.Errorf("%q over %q is refuted", claim, r.relation)
				}
				if asked++; got == answer.Supported {
					supported++
				}
			}
		}
	}
	t.Logf("%d of %d true claims are supported", supported, asked)
	if supported*10 < asked*7 {
		t.Errorf("%d of %d true claims are supported", supported, asked)
	}
}

// TestClaimsKnowTheOtherEnd checks what each of two is called to whom the lexicon or the deed
// gives a name, over relations that say it of the one or of the other.
func TestClaimsKnowTheOtherEnd(t *testing.T) {
	shared.Sequential(t)
	for _, c := range []struct {
		relation, tail, head string // what Emil, and what Dora is called
	}{
		{"student of", "teacher", "student"},
		{"pupil of", "teacher", "pupil"},
		{"child of", "parent", "child"},
		{"son of", "father", "son"},
		{"advisor of", "student", "advisor"},
		{"parent", "parent", "child"},
		{"teacher", "teacher", "student"},
		{"doctoral advisor", "doctoral advisor", "student"},
		{"student", "student", "teacher"},
		{"parent of", "child", "parent"},
		{"husband", "husband", "wife"},
		{"wife", "wife", "husband"},
		{"husband of", "wife", "husband"},
		{"father", "father", "-mother"},
		{"son", "son", "-daughter"},
		{"brother", "brother", "-sister"},
		{"coaches", "", "coach"},
		{"coached", "", "coach"},
		{"hosts", "", "host"},
		{"hosted", "", "host"},
		{"guides", "", "guide"},
		{"judged", "", "judge"},
		{"guarded", "", "guard"},
		{"nursed", "", "nurse"},
		{"piloted", "", "pilot"},
		{"captained", "", "captain"},
		{"chairs", "", "chair"},
		{"headed", "", "head"},
		{"sponsors", "", "sponsor"},
		{"mentors", "", "mentor"},
		{"refereed", "", "referee"},
		{"tutored", "", "tutor"},
		{"doctored", "", "doctor"},
		{"authored", "", "author"},
		{"fathered", "", "father"},
		{"edited", "", "editor"},
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Dora|"+c.relation+"|Emil"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []struct{ noun, who, whose string }{{c.tail, "Emil", "Dora"}, {c.head, "Dora", "Emil"}} {
			noun, isNot := strings.CutPrefix(end.noun, "-")
			for _, form := range []string{"X is the N of Y.", "X was the N of Y.", "Is X the N of Y?", "Y's N is X.", "X is Y's N."} {
				for _, turned := range []bool{false, true} {
					x, y, want := end.who, end.whose, answer.Supported
					if turned {
						x, y = y, x
					}
					if turned || isNot {
						want = answer.NotFound
					}
					claim := strings.NewReplacer("X", x, "N", noun, "Y", y).Replace(form)
					run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
					if err != nil {
						t.Fatal(err)
					}
					if c.relation == "son of" && noun == "father" && !turned {
						want = answer.Likely // "son of" does not say that the parent is the father
					}
					if got := run.Answer.Verdict; noun != "" && got != want {
						t.Errorf("%q over %q: %v (%s), want %v", claim, c.relation, got, reading(run), want)
					}
				}
			}
		}
	}
}

// TestTheDoerIsTheOneNamedForTheDeed: the operator of something operates it, and is not operated.
func TestTheDoerIsTheOneNamedForTheDeed(t *testing.T) {
	for relation, verb := range map[string]string{
		"operator": "operated", "owner": "owned", "producer": "produced", "sponsor": "sponsored", "host": "hosted", "guide": "guided", "judge": "judged", "pilot": "piloted", "mentor": "mentored", "cause": "caused",
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Dora|"+relation+"|Emil"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for claim, want := range map[string]answer.Verdict{
			"Emil " + verb + " Dora.": answer.Supported, "Dora was " + verb + " by Emil.": answer.Supported, "Dora " + verb + " Emil.": answer.NotFound, "Emil was " + verb + " by Dora.": answer.NotFound,
		} {
			run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := run.Answer.Verdict; got != want {
				t.Errorf("%q over %q: %v (%s), want %v", claim, relation, got, reading(run), want)
			}
		}
	}
}

// TestFoundIsNotFounded: the past of one verb may look like the base of another.
func TestFoundIsNotFounded(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Dora|founded|Acme"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Dora founded Acme.": answer.Supported, "Did Dora found Acme?": answer.Supported, "Dora found Acme.": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != want {
			t.Errorf("%q: %v (%s), want %v", claim, got, reading(run), want)
		}
	}
}

// TestThePassiveTurnsAnActiveRelation checks that what was done by A was not done to A, where
// the graph's own name for it is a verb of which the head is the subject.
func TestThePassiveTurnsAnActiveRelation(t *testing.T) {
	for relation, participle := range map[string]string{
		"arrested": "arrested", "acquired": "acquired", "taught": "taught", "hired": "hired", "succeeded": "succeeded", "follows": "followed", "founded": "founded",
		"led": "led", "built": "built", "robbed": "robbed", "questioned": "questioned", "sentenced": "sentenced", "shelters": "sheltered", "eats": "eaten",
	} {
		e, err := OnGraph(t.Context(), testkg.Build("Anna|"+relation+"|Boris"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{
			"A was P by B.", "A is P by B.", "A has been P by B.", "A had been P by B.", "A is being P by B.", "Was A P by B?", "Has A been P by B?", "Is it true that A was P by B?",
		} {
			for _, ends := range []struct {
				done, by string
				want     answer.Verdict
			}{{"Boris", "Anna", answer.Supported}, {"Anna", "Boris", answer.NotFound}} {
				claim := strings.NewReplacer("A", ends.done, "P", participle, "B", ends.by).Replace(form)
				run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := run.Answer.Verdict; got != ends.want {
					t.Errorf("%q over %q: %v (%s), want %v", claim, relation, got, reading(run), ends.want)
				}
			}
		}
	}
}

// TestUnfoundClaimsKeepTheirWords: a pattern may lie the other way round than the claim
// that was read as it, so what was not found is the claim.
func TestUnfoundClaimsKeepTheirWords(t *testing.T) {
	var b kg.Builder
	b.Add("aspirin", "inhibits", "PTGS1")
	b.Add("aspirin", "interacts with", "warfarin")
	b.Add("warfarin", "inhibits", "VKORC1")
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "Aspirin inhibits warfarin.", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Not found in this graph: “Aspirin inhibits warfarin”."; run.Answer.Refusal == nil || run.Answer.Refusal.Reason != want {
		t.Errorf("got %+v, want %q", run.Answer.Refusal, want)
	}
}

// TestNamesWrittenSmallAreNames checks claims over a graph that writes its names
// small, and some in words that lexicons have.
func TestNamesWrittenSmallAreNames(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{
		{"space_or_junction", "interconnects", "cell"},
		{"tissue", "part_of", "human"},
		{"medical_device", "prevents", "injury_or_poisoning"},
		{"medical_device", "treats", "pathologic_function"},
		{"steroid", "affects", "molecular_function"},
		{"medical_device", "disrupts", "cell"},
		{"molecular_function", "process_of", "cell"},
	} {
		b.Add(f[0], f[1], f[2])
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"space_or_junction interconnects cell.":               answer.Supported,
		"space or junction interconnects cell.":               answer.Supported,
		"cell interconnects space_or_junction.":               answer.NotFound,
		"Is tissue part of human?":                            answer.Supported,
		"Is human part of tissue?":                            answer.NotFound,
		"Does medical device prevent injury or poisoning?":    answer.Supported,
		"Does medical_device prevent pathologic_function?":    answer.NotFound,
		"medical_device treats pathologic_function.":          answer.Supported,
		"Is it true that steroid affects molecular_function?": answer.Supported,
		"steroid affects cell.":                               answer.NotFound,
		"steroid disrupts molecular_function.":                answer.NotFound, // which is a relation of its own here
		"medical_device disrupts cell.":                       answer.Supported,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != want {
			t.Errorf("%q: %v (%s), want %v", claim, got, reading(run), want)
		}
	}
}

// TestClaimsInOtherWords checks forms of claims that say what triples say, each beside
// one that says a little else.
func TestClaimsInOtherWords(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{
		{"Dawn (Train song)", "musical artist", "Train"},
		{"Dawn (Train song)", "record label", "Columbia Records"},
		{"Harbour Hall", "builder", "Granite Works"},
		{"Harbour Hall", "number of floors", "23"},
		{"Harbour Hall", "completion date", "1976"},
		{"Harbour Hall", "location", "Oldport"},
		{"Harbour Hall", "architect", "Ilse Reed"},
		{"Harbour Hall", "ISBN", "0842"},
		{"Oldport", "country", "Norland"},
		{"Norland", "leader", "Otto Frost"},
		{"Ilse Reed", "birth place", "Oldport"},
		{"Ilse Reed", "occupation", "Pilot"},
		{"Ilse Reed", "party", "Green Union"},
		{"Ilse Reed", "college", "Norland Academy"},
		{"Ilse Reed", "death place", "Norland"},
		{"Basalt", "contains", "Feldspar"},
		{"Granite Works", "governs", "Quarry Board"},
	} {
		b.Add(f[0], f[1], f[2])
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		claim string
		want  answer.Verdict
	}{
		// Words around a claim.
		{"I know that the architect of Harbour Hall is Ilse Reed.", answer.Supported},
		{"I would bet that the architect of Harbour Hall is Ilse Reed.", answer.Supported},
		{"Did you notice that the architect of Harbour Hall is Otto Frost?", answer.NotFound},
		{"Interestingly, Ilse Reed is actually the architect of Harbour Hall.", answer.Supported},
		{"Ilse Reed is formerly the architect of Harbour Hall.", answer.NotFound},
		{"It was Ilse Reed who was born in Oldport.", answer.Supported},
		{"It was Otto Frost who was born in Oldport.", answer.NotFound},
		{"The architect of Harbour Hall is known as Ilse Reed.", answer.Supported},
		// What a name has in brackets.
		{"The musical artist of the Train song Dawn is Train.", answer.Supported},
		{"The musical artist of the Train film Dawn is Train.", answer.NotFound},
		// Verbs and the nouns that come from them.
		{"Granite Works built Harbour Hall.", answer.Supported},
		{"Harbour Hall built Granite Works.", answer.NotFound},
		{"Harbour Hall was completed in 1976.", answer.Supported},
		{"Harbour Hall was commenced in 1976.", answer.NotFound},
		// Numbers and what they count.
		{"Harbour Hall has 23 floors.", answer.Supported},
		{"There are 23 floors in Harbour Hall.", answer.Supported},
		{"There are 24 floors in Harbour Hall.", answer.NotFound},
		{"Harbour Hall has 1976 floors.", answer.Refuted},
		// Places.
		{"Harbour Hall is in Oldport.", answer.Supported},
		{"Harbour Hall, in Oldport, was built by Granite Works.", answer.Supported},
		{"Oldport is in Harbour Hall.", answer.NotFound},
		{"Ilse Reed is in Oldport.", answer.NotFound},
		{"Ilse Reed was born in Oldport, Norland.", answer.Supported},
		{"Ilse Reed was born in Norland.", answer.NotFound},
		// Roles.
		{"Ilse Reed is a pilot.", answer.Supported},
		{"Otto Frost is a pilot.", answer.NotFound},
		{"Otto Frost is one of Norland's leaders.", answer.Supported},
		{"Ilse Reed is one of Norland's leaders.", answer.NotFound},
		{"Ilse Reed is a member of the Green Union party.", answer.Supported},
		{"The Green Union is a member of Ilse Reed.", answer.NotFound},
		// What is not named.
		{"Ilse Reed died in a country that is led by Otto Frost.", answer.Supported},
		{"Ilse Reed died in a film that is led by Otto Frost.", answer.NotFound},
		{"Ilse Reed attended a college.", answer.Supported},
		{"Otto Frost attended a college.", answer.NotFound},
		{"Ilse Reed went to college.", answer.Likely},
		{"Ilse Reed is from college.", answer.NotFound},
		// Kinds that no triple says, where every other word is a relation's.
		{"A senior politician who was born in Oldport is a member of the Green Union party.", answer.Likely},
		{"A senior politician who was robbed in Oldport is a member of the Green Union party.", answer.NotFound},
		{"A former member of the Green Union party was born in Oldport.", answer.NotFound},
		// The passive.
		{"Feldspar is contained in Basalt.", answer.Supported},
		{"Basalt is contained in Feldspar.", answer.NotFound},
		{"Quarry Board is governed by Granite Works.", answer.Supported},
		{"Granite Works is governed by Quarry Board.", answer.NotFound},
	} {
		run, err := e.Ask(t.Context(), c.claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != c.want {
			t.Errorf("%q: %v (%s), want %v", c.claim, got, reading(run), c.want)
		}
	}
}

// TestClaimsAreReadAsQuestions checks claims whose words no triple has, where the question
// for one of their names is surely answered by it, and the same turned round.
func TestClaimsAreReadAsQuestions(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Jones Case|judge|Ivan Petrov", "Smith Case|judge|Helen Park", "Jones Case|cites|Smith Case", "Ann Rossi|trained under|Mary White", "Luke Gray|trained under|Ann Rossi",
		"Tiramisu|is a|Dessert", "Lasagne|is a|Casserole", "Bologna|in country|Italy", "Eve Hill|wife of|Carl Hill",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Did Ivan Petrov judge Jones Case?": answer.Supported, "Ivan Petrov judged Jones Case.": answer.Supported, "Jones Case was judged by Ivan Petrov.": answer.Supported,
		"Is tiramisu a dessert?": answer.Supported, "Ann Rossi trained under Mary White.": answer.Supported,
		"Did Helen Park judge Jones Case?": answer.NotFound, "Did Smith Case cite Jones Case?": answer.NotFound,
		"Did Ann Rossi train Mary White?": answer.NotFound, "Was Mary White trained by Ann Rossi?": answer.NotFound, "Mary White trained under Ann Rossi.": answer.NotFound,
		"Is tiramisu a casserole?": answer.NotFound, "Is dessert a tiramisu?": answer.NotFound, "Is Italy in Bologna?": answer.NotFound, "Is Eve Hill the wife of Carl Hill?": answer.Supported, "Is Carl Hill the wife of Eve Hill?": answer.NotFound, "Was Bologna born in Italy?": answer.NotFound,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want || want == answer.Supported && run.Plan.Doubt != plan.Sure {
			t.Errorf("%s %v (%v), want %v", claim, run.Answer.Verdict, run.Plan.Doubt, want)
		}
	}
}

// TestAClaimThatIsContradicted checks claims that the graph supports, and speaks against as
// well: they are in doubt, and the other triple is named.
func TestAClaimThatIsContradicted(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("aspirin|inhibits|COX1", "aspirin|does not inhibit|COX1", "ibuprofen|inhibits|COX1"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]plan.Doubt{"Does aspirin inhibit COX1?": plan.Unsure, "Does ibuprofen inhibit COX1?": plan.Sure} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != answer.Supported || run.Plan.Doubt != want || want == plan.Unsure && !strings.Contains(run.Plan.Reason, "aspirin does not inhibit COX1. It says the opposite.") {
			t.Errorf("%s %v, %v: %s", claim, run.Answer.Verdict, run.Plan.Doubt, run.Plan.Reason)
		}
	}
	run, err := e.Ask(t.Context(), "What does aspirin inhibit?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	why, err := e.Why(t.Context(), run, run.Answer.Items[0].Entity)
	if err != nil || len(why.Against) != 1 {
		t.Errorf("Why = %+v, %v", why, err)
	}
}

// TestClaimsThatSupposeAreNotSure checks claims that say not that something is so, but that it
// may, will or should be, and claims that are said to be false.
func TestClaimsThatSupposeAreNotSure(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Anna|arrested|Boris", "Boris|robbed|Emil", "Will Smith|arrested|Anna", "aspirin|can cause|asthma"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	verdict := func(claim string) (answer.Verdict, plan.Doubt) {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run.Answer.Verdict, run.Plan.Doubt
	}
	for _, claim := range []string{
		"Anna will arrest Boris.", "Anna would arrest Boris.", "Anna could arrest Boris.", "Anna should arrest Boris.", "Anna may arrest Boris.",
		"Anna might have arrested Boris.", "Anna can arrest Boris.", "Could Anna arrest Boris?", "Anna had to arrest Boris.", "Anna is about to arrest Boris.",
		"Anna is going to arrest Boris.", "Anna will not arrest Boris.", "Boris will be arrested by Anna.", "Perhaps Anna arrested Boris.", "Maybe Anna arrested Boris.",
		"Probably Anna arrested Boris.", "Anna probably arrested Boris.", "Apparently Anna arrested Boris.",
	} {
		if got, doubt := verdict(claim); (got == answer.Supported || got == answer.Refuted) && doubt == plan.Sure || got == answer.Supported {
			t.Errorf("%q: %v (%v)", claim, got, doubt)
		}
	}
	if got, _ := verdict("Perhaps Anna arrested Boris."); got != answer.Likely {
		t.Errorf("perhaps: %v", got)
	}
	for claim, want := range map[string]answer.Verdict{
		"Anna arrested Boris.": answer.Supported, "Anna did arrest Boris.": answer.Supported, "Anna has arrested Boris.": answer.Supported,
		"Anna also arrested Boris.": answer.Supported, "Anna arrested Boris too.": answer.Supported, "Anna arrested Boris as well.": answer.Supported,
		"Will Smith arrested Anna.": answer.Supported, "Did Will Smith arrest Anna?": answer.Supported, "Aspirin can cause asthma.": answer.Supported,
		"Is it true that Anna arrested Boris?": answer.Supported, "It is true that Anna arrested Boris.": answer.Supported,
		"It is false that Anna arrested Boris.": answer.Refuted, "Is it false that Anna arrested Boris?": answer.Refuted, "Is it wrong that Anna arrested Boris?": answer.Refuted,
		"It is not true that Anna arrested Boris.": answer.Refuted, "It's not true that Anna arrested Boris.": answer.Refuted, "It isn't true that Anna arrested Boris.": answer.Refuted,
		"It is untrue that Anna arrested Boris.": answer.Refuted, "It is not true that Boris was arrested by Anna.": answer.Refuted,
		"It is false that Boris arrested Anna.": answer.NotFound,
	} {
		if got, doubt := verdict(claim); got != want || want != answer.NotFound && doubt != plan.Sure {
			t.Errorf("%q: %v (%v), want %v", claim, got, doubt, want)
		}
	}
	// Why it is so no triple says.
	for _, claim := range []string{"Anna arrested Boris for robbing Emil.", "Did Anna arrest Boris for robbing Emil?", "Anna arrested Boris by robbing Emil."} {
		if got, doubt := verdict(claim); got == answer.Supported && doubt == plan.Sure {
			t.Errorf("%q: %v", claim, got)
		}
	}
	for _, claim := range []string{"It is not false that Anna arrested Boris.", "It is false that Anna did not arrest Boris.", "That Anna arrested Boris is false."} {
		if got, _ := verdict(claim); got != answer.NotFound {
			t.Errorf("%q: %v", claim, got)
		}
	}
}

// TestQuestionsThatSupposeAreNotSure asks what may, will or should be; who asks may do so with the
// same words.
func TestQuestionsThatSupposeAreNotSure(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Ann : player", "Ben : player", "Ann|won|Cup", "Will Smith|won|Shield"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]bool{
		"Who will win Cup?": false, "Who could win Cup?": false, "What will Ann win?": false, "Who would have won the Cup?": false,
		"Which players may not win the Cup?": false, "Which players will not win the Cup?": false, "Which players should win the Cup?": false,
		"Who won Cup?": true, "Which players did not win the Cup?": true, "What did Will Smith win?": true, "Could you tell me who won Cup?": true, "Can you name who won Cup?": true, "What can be won by Ann?": true, "Which players can not win the Cup?": false,
	} {
		run, err := e.Ask(t.Context(), question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Plan.Doubt == plan.Sure; got != want {
			t.Errorf("%q: sure %v (%s)", question, got, run.Plan.Reason)
		}
	}
}

// TestPluralsAreClaims checks what is said of all of a kind, and that "both" of a kind is not passed
// over.
func TestPluralsAreClaims(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build("Ann : Person", "Ben : Person", "Rex : Dog", "Max : Dog", "Ann|owns|Rex", "Ann|owns|Max", "Ben|likes|Rex", "Ann|likes|Rex"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]answer.Verdict{"All persons own a dog.": answer.Refuted, "All persons like a dog.": answer.Supported} {
		run, err := e.Ask(t.Context(), text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Answer.Verdict; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"Who owns both dogs?", "How many persons like both dogs?"} {
		run, err := e.Ask(t.Context(), text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt == plan.Sure {
			t.Errorf("%q: sure", text)
		}
	}
}

// TestAKindBesideANameIsChecked checks claims that say of what kind something is in passing.
func TestAKindBesideANameIsChecked(t *testing.T) {
	for _, graph := range [][]string{
		{"Anna : officer", "Boris : thief", "Anna|arrested|Boris"},
		{"Anna : officer", "Anna|is a|officer", "Boris : thief", "Boris|is a|thief", "Anna|arrested|Boris"},
	} {
		e, err := OnGraph(t.Context(), testkg.Build(graph...), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for claim, holds := range map[string]bool{
			"The officer Anna arrested Boris.": true, "Anna arrested the thief Boris.": true, "The officer Anna arrested the thief Boris.": true,
			"Boris was arrested by the officer Anna.": true, "Anna, an officer, arrested Boris.": true, "Did the officer Anna arrest Boris?": true,
			"The thief Anna arrested Boris.": false, "Anna arrested the officer Boris.": false, "The thief Anna arrested the officer Boris.": false,
			"Boris was arrested by the thief Anna.": false, "Anna, a thief, arrested Boris.": false, "Did the thief Anna arrest Boris?": false,
		} {
			run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := run.Answer.Verdict; (got == answer.Supported) != holds || got == answer.Refuted {
				t.Errorf("%q: %v (%s)", claim, got, reading(run))
			}
		}
	}
}

// TestClaimsNeedWhatQualifiesThem checks claims over relations whose names have a word that
// changes what the others mean: without it they say something else.
func TestClaimsNeedWhatQualifiesThem(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Build(
		"Ann|deputy head of|Firm", "web01|owner|Team Atlas", "web01|backup_owner|Team Boreas", "Dov|formerlyWorkedFor|Nitto", "Vanessa|larva_feeds_on|Nettle",
		"Eva|step_mother_of|Tim", "Max|ex-husband|Ina", "Ole|nearly bought|Farm", "Sue|wants to visit|Rome", "Lea|was born in|Ulm", "Aurora|home port|Bergen",
		"Gadget|sold to|Hall", "Mona|lost to|Nora", "Yan|married to|Xia",
	), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for claim, want := range map[string]answer.Verdict{
		"Ann is head of Firm.": answer.NotFound, "Ann is deputy head of Firm.": answer.Supported, "Ann is not head of Firm.": answer.NotFound,
		"Team Boreas owns web01.": answer.NotFound, "Team Boreas is the backup owner of web01.": answer.Supported, "Team Atlas owns web01.": answer.Supported,
		"Dov works for Nitto.": answer.NotFound, "Dov formerly worked for Nitto.": answer.Supported, "Vanessa feeds on Nettle.": answer.NotFound,
		"Eva is the mother of Tim.": answer.NotFound, "Eva is the step mother of Tim.": answer.Supported, "Ina is the husband of Max.": answer.NotFound, "Ina is the ex-husband of Max.": answer.Supported,
		"Ole bought Farm.": answer.NotFound, "Ole nearly bought Farm.": answer.Supported, "Sue visits Rome.": answer.NotFound, "Sue wants to visit Rome.": answer.Supported,
		"Gadget sold Hall.": answer.NotFound, "Gadget was sold to Hall.": answer.Supported, "Mona lost Nora.": answer.NotFound, "Mona lost to Nora.": answer.Supported, "Yan married Xia.": answer.Supported,
		"Lea was born in Ulm.": answer.Supported, "Bergen is the port of Aurora.": answer.Supported,
	} {
		run, err := e.Ask(t.Context(), claim, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Answer.Verdict != want {
			t.Errorf("%s %v (%s), want %v", claim, run.Answer.Verdict, reading(run), want)
		}
	}
}

// everydayGraph has twelve persons and twelve huts, of which each relation has one value.
func everydayGraph() []string {
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	towns, people := []string{"Paris", "Sete", "Lyon", "Nice"}, strings.Fields("Anna Bruno Carla Dario Elena Fabio Gina Hugo Irina Jonas Karin Lukas")
	for _, t := range towns {
		add("%s : town", t)
	}
	for i, p := range people {
		add("%s : person", p)
		add("%s|lives in|%s", p, towns[i%4])
		add("%s|born in|%s", p, towns[i/2%4])
		add("%s|birth date|%d-0%d-12", p, 1950+i/2, 1+i%9)
		add("%s|gender|%s", p, map[bool]string{true: "female", false: "male"}[strings.HasSuffix(p, "a")])
		add("%s|number of children|%d", p, i%5)
	}
	for i, h := range strings.Fields("Adlerhorst Birkkar Carlhaus Dreizinnen Eishof Falkenhut Gamshut Hirschalm Igelsberg Jochhaus Krumhaus Lechhaus") {
		add("%s : hut", h)
		add("%s|elevation|%d m", h, 3000-100*i)
		add("%s|opened|%d", h, 1900+i/2)
		add("%s|rooms|%d", h, 20+i)
		add("%s|colour|%s", h, []string{"red", "blue", "green"}[i%3])
		add("%s|status|%s", h, []string{"retired", "active"}[i%2])
		add("%s|headed by|%s", h, people[(i+1)%12])
	}
	return facts
}

// everyday is a text with what becomes of it: the verdict of a claim in a word, or the answers to
// a question, and "?" behind where they are in doubt.
type everyday struct{ text, want string }

func checkEveryday(t *testing.T, facts []string, table []everyday) {
	t.Helper()
	checkOn(t, testkg.Build(facts...), table)
}

func checkOn(t *testing.T, g *kg.Graph, table []everyday) {
	t.Helper()
	e, err := OnGraph(t.Context(), g, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range table {
		run, err := e.Ask(t.Context(), c.text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := run.Answer.Verdict.String()
		if run.Answer.Verdict == answer.NoVerdict {
			var labels []string
			for _, it := range run.Answer.Items {
				labels = append(labels, it.Label)
			}
			got = strings.Join(labels, ", ")
		}
		if run.Plan.Doubt != plan.Sure && got != "" && run.Answer.Verdict != answer.NotFound && run.Answer.Verdict != answer.Likely {
			got += "?"
		}
		if got != c.want {
			t.Errorf("%s %s (%s; %s), want %s", c.text, got, run.Plan.Reason, reading(run), c.want)
		}
	}
}

// TestTheSameAs checks what two things are said to have in common.
func TestTheSameAs(t *testing.T) {
	checkEveryday(t, everydayGraph(), []everyday{
		{"Anna was born in the same town as Bruno.", "supported"},
		{"Was Anna born in the same town as Bruno?", "supported"},
		{"Anna lives in the same town as Elena.", "supported"},
		{"Adlerhorst has the same colour as Dreizinnen.", "supported"},
		{"Anna was born in the same town as Carla.", "not_found"},
		{"Anna lives in the same town as Bruno.", "not_found"},
		{"Adlerhorst has the same colour as Birkkar.", "not_found"},
		{"Anna was born in the same hut as Bruno.", "not_found"},
		{"Anna was not born in the same town as Bruno.", "not_found"},
		{"Anna was born in the same town as Adlerhorst.", "not_found"},
		{"Who was born in the same town as Anna?", "Bruno, Irina, Jonas"},
		{"Who lives in the same town as Anna?", "Elena, Irina"},
		// A verb says of which date, and the noun how much of it counts.
		{"Anna was born in the same year as Bruno.", "supported"},
		{"Adlerhorst was opened in the same year as Birkkar.", "supported"},
		{"Anna was born in the same year as Carla.", "refuted"},
		{"Adlerhorst was opened in the same year as Carlhaus.", "refuted"},
		{"Anna was born on the same day as Bruno.", "refuted"},
		{"Anna was born in the same month as Bruno.", "not_found"},
		{"Anna was not born in the same year as Bruno.", "not_found"},
		{"Adlerhorst was painted in the same year as Birkkar.", "not_found"},
		{"Who was born in the same year as Anna?", "Bruno"},
		{"Which hut was opened in the same year as Adlerhorst?", "Birkkar"},
	})
}

// TestTheHighestOf checks claims that one thing comes before all others of its kind.
func TestTheHighestOf(t *testing.T) {
	checkEveryday(t, append(everydayGraph(), "Ortsee : lake", "Blausee : lake", "Ortsee|depth|40 m", "Nordsee : lake", "Blausee|depth|30 m"), []everyday{
		{"Adlerhorst is the highest hut.", "supported"},
		{"Is Adlerhorst the highest hut?", "supported"},
		{"Lechhaus is the lowest hut.", "supported"},
		{"Adlerhorst is the highest red hut.", "supported"},
		{"Anna is the oldest person.", "supported"},
		{"The hut Birkkar isn't the highest hut.", "not_found"},
		{"Birkkar is the highest hut.", "refuted"},
		{"Is Birkkar the highest hut?", "refuted"},
		{"Adlerhorst is the lowest hut.", "refuted"},
		{"Anna is the youngest person.", "refuted"},
		{"Birkkar is not the highest hut.", "supported"},
		{"Birkkar isn't the highest hut.", "supported"},
		{"Adlerhorst is not the highest hut.", "refuted"},
		// The kind, and what else is said.
		{"Adlerhorst is the highest town.", "not_found"},
		{"Anna is the highest hut.", "not_found"},
		{"Adlerhorst is the highest hut in Paris.", "not_found"},
		{"Birkkar is the second highest hut.", "not_found"},
		{"Adlerhorst is the highest blue hut.", "not_found"},
		{"Adlerhorst is one of the highest huts.", "not_found"},
		// One of two that are alike, and one that is compared with all but one.
		{"Adlerhorst is the oldest hut.", "supported?"},
		{"Ortsee is the deepest lake.", "supported?"},
		{"Blausee is the deepest lake.", "refuted?"},
	})
}

// TestClaimsTheOtherWayRound checks claims that turn a triple round: they are refuted where the relation holds one way
// only, and the graph has no way back.
func TestClaimsTheOtherWayRound(t *testing.T) {
	checkEveryday(t, []string{
		"Act A : act", "Act B : act", "Act C : act", "Act D : act", "Act B|repeals|Act A", "Act B|cites|Act A", "Act C|part of|Act D", "Act D|part of|Act B", "Act B|part of|Act C",
		"Ole : person", "Pia : person", "Rita : person", "Ole|reports to|Pia", "Ole|likes|Pia", "Pia|mother of|Rita", "Pia|taught|Ole", "Pia|supervises|Ole",
		"Act A|feeds|Act B", "Act B|feeds|Act A", "Act C|feeds|Act A",
	}, []everyday{
		{"Act B repeals Act A.", "supported"},
		{"Act A repeals Act B.", "refuted"},
		{"Act B was repealed by Act A.", "refuted"},
		{"Act A does not repeal Act B.", "supported"},
		{"Act A cites Act B.", "not_found"},
		{"Act D is part of Act C.", "not_found"}, // round and round
		{"Pia reports to Ole.", "refuted"},
		{"Pia likes Ole.", "not_found"},
		{"Ole taught Pia.", "not_found"},
		{"Ole supervises Pia.", "refuted"},
		{"Act A feeds Act C.", "not_found"}, // some feed each other
		{"Rita is the mother of Pia.", "refuted"},
		{"Rita is a child of Pia.", "supported"},
		{"Pia is a child of Rita.", "refuted"},
	})
}

// TestPlainClaims checks claims that say nothing but that a thing is something, or in something: which relation
// they mean, the kinds at both ends tell.
func TestPlainClaims(t *testing.T) {
	graph := []string{"Bern : city", "Rome : city", "Ann : person", "Ann|birthplace|Bern", "Bo : person", "Bo|birthplace|Rome"}
	for i := range 10 {
		name := string(rune('A'+i)) + "lan"
		graph = append(graph, name+" : trial", name+"|phase|Phase 1", name+"|status|completed", name+"|zone|North Field", name+"|country|Peru")
	}
	graph = append(graph, "Dora : trial", "Dora|phase|Phase 2", "Dora|status|terminated", "Dora|zone|South Field", "Dora|country|Chile")
	checkEveryday(t, graph, []everyday{
		{"Alan was completed.", "supported"},
		{"Alan was terminated.", "refuted"},
		{"Alan is a phase 1 trial.", "supported"},
		{"Alan is a phase 2 trial.", "refuted"},
		{"Is Alan a phase 2 trial?", "refuted"},
		{"Alan is not a phase 2 trial.", "supported"},
		{"Alan is in the South Field.", "refuted"},
		{"Alan is in Chile.", "refuted"},
		{"Alan is in Peru.", "supported"},
		// Other words, another kind, and a word that says more than where something is.
		{"Alan is a failed phase 2 trial.", "not_found"},
		{"Alan is a phase 2 city.", "not_found"},
		{"Ann is in Rome.", "not_found"},
	})
}

// TestCarersAndDonors checks verbs for what relations of everyday call by a noun.
func TestCarersAndDonors(t *testing.T) {
	checkEveryday(t, []string{
		"Rex : dog", "Bo : dog", "Ole : person", "Pia : person", "Rex|keeper|Ole", "Bo|keeper|Pia", "Jar : object", "Jar|donor|Pia", "Cup|donor|Ole", "Cup : object",
	}, []everyday{
		{"Who looks after Rex?", "Ole"},
		{"Ole looks after Rex.", "likely"},
		{"Pia looks after Rex.", "not_found"},
		{"Rex looks after Ole.", "not_found"},
		{"Rex is looked after by Ole.", "likely"},
		{"Pia donated the jar.", "supported"},
		{"The jar donated Pia.", "not_found"},
		{"Who donated the jar?", "Pia"},
		{"The jar was donated by Pia.", "supported"},
	})
}

// TestKinHasAGender checks claims of kin by nouns that say more than the relation does.
func TestKinHasAGender(t *testing.T) {
	checkEveryday(t, append(everydayGraph(), "Momo : person", "Fabio|father of|Gina", "Fabio|father of|Hugo", "Anna|mother of|Hugo", "Hugo|parent of|Momo", "Hugo|parent of|Irina", "Elena|sibling|Bruno", "Momo|spouse|Anna"), []everyday{
		{"Hugo is the son of Fabio.", "supported"},
		{"Hugo is Anna's son.", "supported"},
		{"Irina is the daughter of Hugo.", "supported"},
		{"Hugo is the father of Irina.", "supported"},
		{"Momo is a child of Hugo.", "supported"},
		{"Bruno is the brother of Elena.", "supported"},
		{"Elena is the sister of Bruno.", "supported"},
		{"Fabio is the father of Gina.", "supported"},
		{"Anna is the wife of Momo.", "supported"},
		{"Hugo is the daughter of Fabio.", "not_found"},
		{"Fabio's daughter is Hugo.", "not_found"},
		{"Irina is the son of Hugo.", "not_found"},
		{"Hugo is the mother of Irina.", "not_found"},
		{"Fabio is the mother of Gina.", "not_found"},
		{"Anna is the father of Hugo.", "not_found"},
		{"Elena is the brother of Bruno.", "not_found"},
		{"Fabio is the son of Hugo.", "refuted"}, // he is the father
		{"Anna is the husband of Momo.", "not_found"},
		{"Hugo is not the daughter of Fabio.", "not_found"},
		{"Momo is the son of Hugo.", "likely"},
		{"Momo is the daughter of Hugo.", "likely"},
		{"Hugo is not the son of Fabio.", "refuted"},
	})
}

// TestTraitsAreSaidByTheirValues checks claims that give a value of a relation without its name.
func TestTraitsAreSaidByTheirValues(t *testing.T) {
	checkEveryday(t, append(everydayGraph(), "Lasagne|ingredient|pasta", "Anna|eye colour|green", "Anna|rank|captain", "Bruno|rank|lieutenant", "Fire 1|occurred in|Norda",
		"Rex|species|grey wolf", "Rex|prey|rabbit", "Rex|prey species|hare", "Rex|IUCN status|endangered",
		"Fire 1|investigated by|Anna", "Anna|lives in|Sudland", "Bruno|lives in|Norda", "Fire 1|owned by|Marks & Spencer", "Spencer|lives in|Norda"), []everyday{
		{"Rex is a grey wolf.", "supported"},
		{"Rex is not a grey wolf.", "refuted"},
		{"Rex is endangered.", "supported"},
		{"Rex is a rabbit.", "not_found"},
		{"Rex is a hare.", "not_found"}, // the species that it hunts
		{"Anna is a captain.", "supported"},
		{"Is Anna still a captain?", "likely"},
		{"Anna was a captain.", "likely"},
		{"Anna is not a captain.", "refuted"},
		{"Bruno is a captain.", "not_found"},
		{"Anna is a captain friend.", "not_found"},
		{"Fire 1 was in Norda.", "supported?"},
		{"Fire 1 was investigated by Anna and owned by The Marks and Spencer.", "supported"},
		{"Anna is female.", "supported"},
		{"Is Anna female?", "supported"},
		{"Adlerhorst is retired.", "supported"},
		{"Birkkar is active.", "supported"},
		{"The hut Adlerhorst is red.", "supported"},
		{"Anna is male.", "refuted"},
		{"Is Bruno female?", "refuted"},
		{"Birkkar is retired.", "refuted"},
		{"Adlerhorst is blue.", "refuted"},
		{"Birkkar is not retired.", "supported"},
		{"Birkkar isn't retired.", "supported"},
		{"Anna is not male.", "supported"},
		{"Adlerhorst is not retired.", "refuted"},
		{"Anna is retired.", "not_found"},
		{"Paris is red.", "not_found"},
		{"Anna is Paris.", "not_found"},
		{"Adlerhorst is Bruno.", "not_found"},
		{"Adlerhorst was red.", "likely"},
		{"Lasagne is pasta.", "not_found"},
		{"Anna is green.", "not_found"},
		{"Red is Adlerhorst.", "not_found"},
		{"Adlerhorst is red and blue.", "not_found"},
	})
}

// TestUnitsOfTheGraph asks about amounts whose unit only the values of the graph tell.
func TestUnitsOfTheGraph(t *testing.T) {
	checkEveryday(t, []string{
		"Maren : ship", "Heron : ship", "Wave : ship", "Maren|capacity|2400 TEU", "Heron|capacity|5100 TEU", "Wave|capacity|8600 TEU",
		"Maren|crew|12 sailors", "Heron|crew|20 sailors", "Wave|crew|25 sailors",
	}, []everyday{
		{"Which ship has the largest capacity?", "Wave"},
		{"Which ships have a capacity above 5000 TEU?", "Heron, Wave"},
		{"Which ships have a capacity of 5100 TEU?", "Heron"},
		{"Which ships have more than 15 sailors?", "Heron, Wave"},
		{"Heron has a larger capacity than Maren.", "supported"},
		{"Maren has a larger capacity than Heron.", "refuted"},
		{"The capacity of Maren is 2400 TEU.", "supported"},
		{"Which ships have a capacity above 5000 km?", ""},
	})
}

// TestYesAndNo checks claims about what a table has a column of yes and no for, and dates less
// exact than the claim.
func TestYesAndNo(t *testing.T) {
	facts := []string{
		"Sun : hotel", "Moon : hotel", "Star : hotel", "Sun|pool|yes", "Moon|pool|no", "Star|pool|yes", "Sun|pets allowed|no", "Moon|pets allowed|yes", "Star|pets allowed|yes",
		"Sun|opened|Apr 1983", "Moon|opened|Sep 2011", "Star|opened|Jun 1976",
	}
	for i := range 12 { // so many have one date alone
		facts = append(facts, fmt.Sprintf("Inn %d|opened|May %d", i, 1950+i))
	}
	checkEveryday(t, facts, []everyday{
		{"Sun has a pool.", "supported"},
		{"Moon has no pool.", "supported"},
		{"Does Moon have a pool?", "refuted"},
		{"Moon does not have a pool.", "supported"},
		{"Sun has no pool.", "refuted"},
		{"There is no pool at Moon.", "supported"},
		{"Moon allows pets.", "supported"},
		{"Are pets allowed at Sun?", "refuted"},
		{"Sun doesn't allow pets.", "supported"},
		{"Sun opened on 12 April 1983.", "not_found"},
		{"Sun opened on 12 May 1983.", "refuted"},
	})
}

// TestWhoHeads checks verbs for who heads something, and questions by the noun for a value.
func TestWhoHeads(t *testing.T) {
	checkEveryday(t, append(everydayGraph(), "K-200|manager|Anna", "K-201|manager|Bruno", "K-200|supplier|Carla"), []everyday{
		{"Who heads Adlerhorst?", "Bruno"},
		{"Who runs Adlerhorst?", "Bruno"},
		{"Who leads Adlerhorst?", "Bruno"},
		{"Who manages K-200?", "Anna"},
		{"Bruno runs Adlerhorst.", "supported"},
		{"Bruno leads Adlerhorst.", "supported"},
		{"Anna runs Adlerhorst.", "refuted"},
		{"Carla runs K-200.", "not_found"},
		{"Adlerhorst runs Bruno.", "not_found"},
		{"Which colour is Adlerhorst?", "red"},
		{"What color is Birkkar?", "blue"},
		{"What status is Birkkar?", "active"},
	})
}

// TestClaimsOfAmounts checks amounts with a word for a scale and a unit.
func TestClaimsOfAmounts(t *testing.T) {
	var facts []string
	for i := range 11 {
		facts = append(facts, fmt.Sprintf("K-%d|budget|%d EUR", 200+i, 2_000_000+500_000*i), fmt.Sprintf("K-%d|length|%d m", 200+i, 30+i))
	}
	checkEveryday(t, facts, []everyday{
		{"The budget of K-200 is 2 million euros.", "supported"},
		{"K-201 has a budget of 2.5 million euros.", "supported"},
		{"K-201 has a budget of over 2 million euros.", "supported"},
		{"The length of K-200 is 30 metres.", "supported"},
		{"The budget of K-200 is 2 million dollars.", "not_found"},
		{"The budget of K-200 is 2 million metres.", "not_found"},
		{"The budget of K-200 is 2 billion euros.", "not_found"},
		{"The length of K-200 is 30 kilometres.", "not_found"},
		{"The budget of K-200 is 3 million euros.", "refuted"},
		{"K-200 has a budget of over 2.5 million euros.", "refuted"},
	})
}

// TestNumbersInWords: a number in words is the number, where the graph has it as a value, and
// how many there are, where it has things; a name that begins with one is a name.
func TestNumbersInWords(t *testing.T) {
	checkEveryday(t, []string{
		"Orun : language", "Orun|cases|9", "Tesk : language", "Tesk|cases|4", "Orun|rank|2", "Tesk|rank|1", "Linz|lines|12", "Bahn A : line", "Bahn B : line", "Bahn A|starts at|Norby", "Bahn B|starts at|Norby", "Bahn A|ends at|Oslo",
		"Seven Samurai|director|Elena", "Seven|director|Bruno",
	}, []everyday{
		{"Orun has nine cases.", "supported"},
		{"Does Orun have nine cases?", "supported"},
		{"Does Orun have 9 cases?", "supported"},
		{"Orun does not have nine cases.", "refuted"},
		{"Which language has nine cases?", "Orun"},
		{"Linz has a dozen lines.", "supported"},
		{"Two lines start at Norby.", "supported"},
		{"Elena directed Seven Samurai.", "supported"},
		{"Bruno directed Seven.", "supported"},
		{"Orun has four cases.", "refuted"},
		{"Orun has two cases.", "refuted"},
		{"Tesk has nine cases.", "refuted"},
		{"Tesk has one case.", "refuted"},
		{"Orun has nine lines.", "not_found"},
		{"One of Tesk's cases is Orun.", "not_found"},
		{"Orun does not have four cases.", "supported"},
		{"Three lines start at Norby.", "refuted"},
	})
}

// TestWhatIsDoneWithAPreposition: what was voted for by A was not voting for A.
func TestWhatIsDoneWithAPreposition(t *testing.T) {
	checkEveryday(t, []string{"Anna|votedFor|Bike", "Carla|relies on|Dario", "Bergdorf|named after|Elena"}, []everyday{
		{"Anna voted for Bike.", "supported"},
		{"Bike was voted for by Anna.", "supported"},
		{"Was Bike voted for by Anna?", "supported"},
		{"Dario is relied on by Carla.", "supported"},
		{"Bergdorf was named after Elena.", "supported"},
		{"Anna was voted for by Bike.", "not_found"},
		{"Was Anna voted for by Bike?", "not_found"},
		{"Bike voted for Anna.", "not_found"},
		{"Carla is relied on by Dario.", "not_found"},
		{"Is Carla relied on by Dario?", "not_found"},
		{"What was voted for by Anna?", "Bike"},
		{"What was Anna voted for by?", ""},
		{"What was voted for by Bike?", "Anna?"},
	})
}

// TestWhatHoldsBothWays checks relations whose names say the same read backwards.
func TestWhatHoldsBothWays(t *testing.T) {
	checkEveryday(t, []string{
		"Comté|similar to|Banon", "Anna|rival of|Bruno", "Anna|friend of|Carla", "Barolo|pairs with|Banon", "Tesk|mutually intelligible with|Orun", "Anna|shareWardWith|Dario",
		"Anna|teacher of|Elena", "Beule|treated with|Salbe", "Anna|loves|Bruno", "Anna|works with|Jodel AG",
	}, []everyday{
		{"Banon is similar to Comté.", "supported"},
		{"Bruno is a rival of Anna.", "supported"},
		{"Carla is a friend of Anna.", "supported"},
		{"Banon pairs with Barolo.", "supported"},
		{"Is Orun mutually intelligible with Tesk?", "supported"},
		{"Anna shares a ward with Dario.", "supported"},
		{"Dario shares a ward with Anna.", "supported"},
		{"Dario and Anna share a ward.", "supported"},
		{"Banon is not similar to Comté.", "refuted"},
		{"What is Banon similar to?", "Comté"},
		{"Who is a rival of Bruno?", "Anna"},
		{"What does Banon pair with?", "Barolo"},
		{"Elena is a teacher of Anna.", "not_found"},
		{"Salbe is treated with Beule.", "not_found"},
		{"Bruno loves Anna.", "not_found"},
		{"Dario shares a ward with Carla.", "not_found"},
		{"Dario shares a room with Anna.", "not_found"},
		{"Banon pairs with Comté.", "not_found"},
		{"Barolo is similar to Banon.", "not_found"},
	})
}

// TestUnitsOfClaimsAreCompared claims and asks amounts in other units than the graph has.
func TestUnitsOfClaimsAreCompared(t *testing.T) {
	checkEveryday(t, []string{"Ann|price|10 EUR", "Ann|weight|10 kg", "Ann|length|10 km", "Bob|mass (g)|900", "Bob|fee (eur)|10"}, []everyday{
		{"Ann costs 10 EUR.", "supported"},
		{"Ann costs 10 USD.", "not_found"},
		{"Does Ann cost 10 USD?", "not_found"},
		{"Ann weighs 10 kg.", "supported"},
		{"Ann weighs 10000 g.", "supported"},
		{"Ann weighs 10 g.", "not_found"},
		{"Ann weighs 10 lb.", "not_found"},
		{"The length of Ann is 10 m.", "not_found"},
		{"The length of Ann is 10 km.", "supported"},
		{"The mass of Bob is 900 g.", "supported"},
		{"The mass of Bob is 0.9 kg.", "supported"},
		{"The mass of Bob is 900 kg.", "not_found"},
		{"The fee of Bob is 10 EUR.", "supported"},
		{"The fee of Bob is 10 USD.", "not_found"},
	})
	checkEveryday(t, []string{"Ann|price|10 EUR", "Ben|price|12 USD", "Ann : Wine", "Ben : Wine"}, []everyday{
		{"What is the total price of the wines?", "$12?"}, {"What is the average price of the wines?", "$12?"}, {"Which wine is the cheapest?", "Ann?"},
	})
}

// TestBareVerbsHaveNoPreposition puts behind a verb a preposition that the relation does not have.
func TestBareVerbsHaveNoPreposition(t *testing.T) {
	checkEveryday(t, []string{"Ann|wrote|Book", "Ann|sold|House", "Ann|attacked|Ben", "Tale|written by|Ann", "Ann|resides|Rome"}, []everyday{
		{"Who wrote Book?", "Ann"},
		{"What did Ann sell?", "House"},
		{"Who attacked Ben?", "Ann"},
		{"Who wrote Tale?", "Ann"},
		{"Who wrote to Book?", "Ann?"},
		{"Who wrote about Book?", "Ann?"},
		{"Who wrote about Tale?", "Ann?"},
		{"What did Ann attack with?", "Ben?"},
		{"Who did Ann sell to?", "House?"},
		{"Ann wrote Book.", "supported"},
		{"Ann wrote to Book.", "not_found"},
		{"Ann wrote about Book.", "not_found"},
		{"Ann wrote in Book.", "not_found"},
		{"Ann sold House.", "supported"},
		{"Ann sold to House.", "not_found"},
		{"Ben was attacked by Ann.", "supported"},
		{"Ann attacked with Ben.", "not_found"},
		{"Ann attacked without Ben.", "not_found"},
	})
}

// TestPrefixesAreNotCutOff says verbs with another's beginning.
func TestPrefixesAreNotCutOff(t *testing.T) {
	checkEveryday(t, []string{"Ann|wrote|Book", "Ann|founded|Acme", "Ben|co-directed|Film"}, []everyday{
		{"Who wrote Book?", "Ann"},
		{"Who co-wrote Book?", "Ann?"},
		{"Who re-founded Acme?", "Ann?"},
		{"Ann wrote Book.", "supported"},
		{"Ben co-directed Film.", "supported"},
		{"Ann co-wrote Book.", "not_found"},
		{"Ann under-wrote Book.", "not_found"},
		{"Ann re-founded Acme.", "not_found"},
	})
}

// TestEndedTermsAreNotNow says in the present what was so until some day, by a verb whose cue may be
// its preposition.
func TestEndedTermsAreNotNow(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{{"Ann", "works for", "Acme"}, {"Ben", "plays for", "Lions"}} {
		b.AddStatement(f[0], f[1], f[2], kg.Property{Name: "start", Value: "2010", Entity: kg.NoEntity}, kg.Property{Name: "end", Value: "2015", Entity: kg.NoEntity})
	}
	b.Add("Zed", "president of", "Norland")
	b.AddStatement("Zed", "spouse", "Tom", kg.Property{Name: "end", Value: "1995", Entity: kg.NoEntity})
	checkOn(t, b.Graph(), []everyday{
		{"Who is the spouse of the president of Norland?", "Tom?"},
		{"Who was the spouse of the president of Norland?", "Tom"},
		{"Who works for Acme?", "Ann?"},
		{"Who plays for Lions?", "Ben?"},
		{"Who worked for Acme?", "Ann"},
		{"Ann works for Acme.", "not_found"},
		{"Ben plays for Lions.", "not_found"},
		{"Ann worked for Acme.", "supported"},
	})
}

// TestPlacesCountFromTheFirst compares numbers of which the first may be the highest.
func TestPlacesCountFromTheFirst(t *testing.T) {
	checkEveryday(t, []string{"Ann|rank|1", "Ben|rank|2", "Ann|age|40", "Ben|age|30", "Ann : Player", "Ben : Player"}, []everyday{
		{"Which player is the best?", "Ben?"},
		{"Which player has the highest rank?", "Ben?"},
		{"Which player is the oldest?", "Ann"},
		{"Ben is ranked higher than Ann.", "not_found"},
		{"Ann is ranked higher than Ben.", "not_found"},
		{"Ann is older than Ben.", "supported"},
	})
}

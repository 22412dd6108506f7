package answer

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// checkWorld returns a graph and a pack of all its triples but the last ones,
// which the evidence lacks.
func checkWorld() (*kg.Graph, evidence.Pack) {
	var b kg.Builder
	for _, t := range [][3]string{
		{"Austria", "capital", "Vienna"},                   // T1
		{"Austria", "currency", "euro"},                    // T2
		{"Slovenia", "borders", "Austria"},                 // T3
		{"Slovenia", "borders", "Hungary"},                 // T4
		{"Slovenia", "currency", "euro"},                   // T5
		{"Spellbound", "written_by", "Ben Hecht"},          // T6
		{"Spellbound", "starred_actors", "Ingrid Bergman"}, // T7
		{"Anastasia", "starred_actors", "Ingrid Bergman"},  // T8
		{"Spellbound", "release_year", "1945"},             // T9
		{"Danube", "flows through", "Vienna"},              // T10
		{"Kilimanjaro", "height (m)", "5895"},              // T11
		{"Emma", "author", "Jane Austen"},                  // T12
		{"Austria", "member of", "European Union"},         // T13
		{"Nile", "flows into", "Mediterranean Sea"},        // T14
		{"Hungary", "capital", "Budapest"},                 // T15
	} {
		b.Add(t[0], t[1], t[2])
	}
	n := 15
	b.Add("Austria", "borders", "Slovenia") // so that borders is known both ways
	b.Add("France", "capital", "Paris")
	b.AddType(b.Entity("Austria"), "country")
	b.AddType(b.Entity("Spellbound"), "film")
	g := b.Graph()
	var p evidence.Pack
	for i := range n {
		p.Triples = append(p.Triples, kg.TripleID(i))
	}
	return g, p
}

func TestCheckSentencesCovers(t *testing.T) {
	g, pack := checkWorld()
	tests := []struct {
		text  string
		cites []int
	}{
		{"The capital of Austria is Vienna.", []int{1}},
		{"Vienna is the capital of Austria.", []int{1}},
		{"Austria's capital is Vienna [T1].", []int{1}},
		{"The Austrian capital is Vienna.", []int{1}},
		{"Vienna", []int{1}},
		{"The answer is Vienna.", []int{1}},
		{"Slovenia borders Austria and Hungary.", []int{3, 4}},
		{"Slovenia borders Austria and Hungary and uses the euro.", []int{3, 4, 5}},
		{"Austria borders Slovenia.", []int{3}},
		{"The currency of Austria is the euro.", []int{2}},
		{"The capital of Austria is Vienna, and the currency of Austria is the euro.", []int{1, 2}},
		{"Spellbound was written by Ben Hecht.", []int{6}},
		{"Ben Hecht wrote Spellbound.", []int{6}},
		{"The writer of Spellbound is Ben Hecht.", []int{6}},
		{"Ben Hecht is the writer of Spellbound.", []int{6}},
		{"Spellbound was written by Ben Hecht; Spellbound and Anastasia starred Ingrid Bergman.", []int{6, 7, 8}},
		{"Ingrid Bergman starred in Spellbound and Anastasia.", []int{7, 8}},
		{"The film Spellbound was released in 1945.", []int{9}},
		{"The Danube flows through Vienna.", []int{10}},
		{"The height of Kilimanjaro is 5,895.", []int{11}},
		{"Jane Austen is the author of Emma.", []int{12}},
		{"Jane Austen wrote Emma.", []int{12}},
		{"Emma was written by Jane Austen.", []int{12}},
		{"Austria is a member of the European Union.", []int{13}},
		{"The Nile flows into the Mediterranean Sea.", []int{14}},
		{"The film written by Ben Hecht was released in 1945.", []int{6, 9}},
		{"There are 2 answers: Kilimanjaro (5895) and Spellbound (1945).", []int{9, 11}},
		{"Slovenia borders Hungary and the capital of Hungary is Budapest.", []int{4, 15}},
	}
	for _, test := range tests {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: test.cites}}}
		CheckSentences(g, a, nil)
		if s := a.Sentences[0]; s.Check != check.Covered {
			t.Errorf("%q citing %v: %v (%s), want covered", test.text, test.cites, s.Check, s.Reason)
		}
	}
}

func TestCheckSentencesCatchesFabrications(t *testing.T) {
	g, pack := checkWorld()
	tests := []struct {
		name, text string
		cites      []int
		want       check.Result
		reason     string
	}{
		{"wrong entity of the evidence", "The capital of Austria is Budapest.", []int{1}, check.NotInGraph, "Budapest"},
		{"wrong entity, both cited", "The capital of Austria is Budapest.", []int{1, 15}, check.Joined, "T1 and T15"},
		{"entity of the graph", "The capital of Austria is Paris.", []int{1}, check.NotInGraph, "(Austria, capital, Paris)"},
		{"entity of nowhere", "The capital of Austria is Zorgon.", []int{1}, check.NotInGraph, "Zorgon"},
		{"entity of nowhere, first", "Zorgon is the capital of Austria.", []int{1}, check.NotInGraph, "Zorgon"},
		{"entity in lower case", "The currency of Austria is the zloty.", []int{2}, check.NotInGraph, "zloty"},
		{"one entity too many", "Slovenia borders Austria, Hungary and Italy.", []int{3, 4}, check.NotInGraph, "Italy"},
		{"wrong number", "Spellbound was released in 1946.", []int{9}, check.NotInGraph, "1946"},
		{"wrong number with commas", "The height of Kilimanjaro is 15,895.", []int{11}, check.NotInGraph, "15,895"},
		{"number of another triple", "The height of Kilimanjaro is 1945.", []int{9, 11}, check.Joined, "No triple"},
		{"number word", "Slovenia borders seven countries.", []int{3, 4}, check.NotInGraph, "seven"},
		{"direction, noun", "Austria is the capital of Vienna.", []int{1}, check.NotInGraph, "direction"},
		{"direction, possessive", "Vienna's capital is Austria.", []int{1}, check.NotInGraph, "direction"},
		{"direction, passive", "Ben Hecht was written by Spellbound.", []int{6}, check.NotInGraph, "direction"},
		{"direction, active", "Spellbound wrote Ben Hecht.", []int{6}, check.NotInGraph, "direction"},
		{"direction, star", "Spellbound starred in Ingrid Bergman.", []int{7}, check.NotInGraph, "direction"},
		{"direction, flow", "Vienna flows through the Danube.", []int{10}, check.NotInGraph, "direction"},
		{"direction, member", "The European Union is a member of Austria.", []int{13}, check.NotInGraph, "direction"},
		{"direction, author", "Emma is the author of Jane Austen.", []int{12}, check.NotInGraph, "direction"},
		{"negation", "Vienna is not the capital of Austria.", []int{1}, check.NotInGraph, "denies"},
		{"contracted negation", "Vienna isn't the capital of Austria.", []int{1}, check.NotInGraph, "isn't"},
		{"curly contraction", "Vienna isn’t the capital of Austria.", []int{1}, check.NotInGraph, "isn’t"},
		{"never", "Slovenia never borders Austria.", []int{3}, check.NotInGraph, "denies"},
		{"wrong relation", "The Danube flows into Vienna.", []int{10}, check.NotInGraph, "flows into"},
		{"wrong relation, both cited", "The Danube flows into Vienna.", []int{10, 14}, check.NotInGraph, ""},
		{"more than is there", "The capital of Austria is Vienna, a beautiful place.", []int{1}, check.Partly, "beautiful"},
		{"superlative", "The largest capital of Austria is Vienna.", []int{1}, check.Partly, "largest"},
		{"swapped pairs", "The capital of Austria is Budapest and the capital of Hungary is Vienna.", []int{1, 15}, check.Joined, "No triple"},
		{"borrowed subject", "Slovenia borders Austria and Hungary and the capital of Slovenia is Budapest.", []int{3, 4, 15}, check.Joined, "No triple"},
		{"wrong citation", "The capital of Austria is Vienna.", []int{2}, check.Misattributed, "T1"},
		{"wrong citation, near", "The capital of Austria is Vienna.", []int{15}, check.Misattributed, "T1"},
		{"no citation", "The capital of Austria is Vienna.", nil, check.Misattributed, "no triple"},
		{"citation out of range", "The capital of Austria is Vienna.", []int{99}, check.Misattributed, "T99"},
		{"one citation out of range", "The capital of Austria is Vienna.", []int{1, 0}, check.Misattributed, "T0"},
		{"fabrication out of range", "The capital of Austria is Paris.", []int{99}, check.NotInGraph, "T99"},
		{"fabrication without citation", "The capital of France is Paris.", nil, check.NotInEvidence, "The graph says so"},
		{"no words", "", []int{1}, check.NotInGraph, ""},
		{"another script", "Столица Австрии — Вена.", []int{1}, check.NotInEvidence, ""},
		{"names without relation", "Austria: Budapest.", []int{1, 15}, check.Joined, ""},
		{"hops with a relation left out", "The capital of Slovenia is Budapest.", []int{4, 15}, check.Joined, ""},
		{"value in brackets of another", "The answers are Kilimanjaro (1945) and Spellbound (5895).", []int{9, 11}, check.Joined, ""},
		{"verb of another relation", "Austria borders Vienna.", []int{1, 3}, check.NotInGraph, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := &Answer{Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: test.cites}}}
			CheckSentences(g, a, newMapped(g))
			s := a.Sentences[0]
			if s.Check != test.want || !strings.Contains(s.Reason, test.reason) || s.Reason == "" {
				t.Errorf("%q citing %v: %v (%s), want %v with %q", test.text, test.cites, s.Check, s.Reason, test.want, test.reason)
			}
		})
	}
}

// crafted are false sentences about checkWorld that come near to true ones.
var crafted = []string{
	"Ben Hecht starred with Ingrid Bergman.",
	"Ben Hecht and Ingrid Bergman starred in Spellbound.",
	"Anastasia stars the writer Ben Hecht.",
	"Ben Hecht, the writer of Spellbound, starred Ingrid Bergman.",
	"Ingrid Bergman, who starred in Spellbound, wrote Anastasia.",
	"Spellbound starred Ben Hecht and was written by Ingrid Bergman.",
	"Slovenia borders Austria, and its capital is Vienna.",
	"Slovenia borders Austria, whose capital is Budapest.",
	"Slovenia borders Austria and the capital is Budapest.",
	"Austria has Budapest as its capital.",
	"Vienna has Austria as its capital.",
	"The capital of Austria, Budapest, is in Hungary.",
	"The capital of Austria and Hungary is Vienna.",
	"Both Austria and Hungary have the capital Budapest.",
	"Vienna and Budapest are the capitals of Austria.",
	"Vienna and Budapest are the capitals of Austria and Hungary.",
	"Spellbound and Anastasia were written by Ben Hecht.",
	"The film written by Ben Hecht starred Ingrid Bergman and was released in 5895.",
	"The film written by Ingrid Bergman was released in 1945.",
	"The film starring Ingrid Bergman was Emma.",
	"Emma is a film.",
	"Vienna is a film.",
	"Austria is in Vienna.",
	"Austria is Vienna.",
	"Vienna is Austria.",
	"The Danube flows through Vienna into the Mediterranean Sea.",
	"The Danube flows through Vienna and into the Mediterranean Sea.",
	"The Danube and the Nile flow into the Mediterranean Sea.",
	"Hungary borders Slovenia and Austria.",
	"Hungary and Austria border each other.",
	"Slovenia, Austria and Hungary border each other.",
	"Austria and Hungary border Slovenia and use the euro.",
	"Austria, Slovenia and Hungary use the euro.",
	"The euro is the currency of Hungary.",
	"The currency of Slovenia is not the forint but the euro.",
	"There is no capital of Austria but Vienna.",
	"Vienna ceased to be the capital of Austria.",
	"Vienna used to be the capital of Austria.",
	"Vienna was the former capital of Austria.",
	"Vienna was to be the capital of Austria.",
	"Is Vienna the capital of Austria?",
	"Vienna is said to be the capital of Austria.",
	"The capital of the European Union is Vienna.",
	"The capital of Austria is Vienna, Budapest.",
	"The capital of Austria is Vienna (Budapest).",
	"The capital of Austria: Budapest.",
	"Capital: Budapest. Country: Austria.",
	"Austria - capital - Budapest.",
	"Budapest, capital of Austria.",
	"1945 is the height of Kilimanjaro.",
	"Kilimanjaro has a height of 5896.",
	"Kilimanjaro is 5895 km high.",
	"Kilimanjaro was released in 1945.",
	"Spellbound has a height of 1945.",
	"Spellbound was released on 1 May 1945.",
	"Spellbound was released in the 1945th year.",
	"Spellbound was released in 1945 and 1946.",
	"Spellbound was released from 1945 to 1946.",
	"Spellbound was released by 1945.",
	"Jane Austen wrote Emma in 1945.",
	"Jane Austen wrote Emma and Spellbound.",
	"Emma was written by Jane Austen for Ben Hecht.",
	"Emma was written by Jane Austen with Ben Hecht.",
	"Emma was written for Jane Austen.",
	"Emma was written about Jane Austen.",
	"Emma was written to Jane Austen.",
	"Emma wrote to Jane Austen.",
	"Emma and Jane Austen wrote Spellbound.",
	"Emma by Ben Hecht was released in 1945.",
	"It was written by Ben Hecht.",
	"This was written by Ben Hecht.",
	"He wrote Spellbound.",
	"He wrote Anastasia.",
	"Anastasia starred Ingrid Bergman. It was written by Ben Hecht.",
	"Anastasia starred Ingrid Bergman and was written by Ben Hecht.",
	"Anastasia starred Ingrid Bergman; it was written by Ben Hecht.",
	"Anastasia starred Ingrid Bergman, written by Ben Hecht.",
	"Anastasia, starring Ingrid Bergman, was written by Ben Hecht.",
	"Anastasia, with Ingrid Bergman, was released in 1945.",
	"Anastasia (1945) starred Ingrid Bergman.",
	"The writer of Anastasia is Ben Hecht.",
	"The writer is Ingrid Bergman.",
	"The star of the film written by Ben Hecht is Jane Austen.",
	"The capital of the country that borders Hungary is Vienna.",
	"The country bordering Slovenia has the capital Budapest.",
	"The member of Austria is the European Union.",
	"The European Union's member is Hungary.",
	"The members of the European Union include Hungary.",
	"Austria has the member European Union.",
	"The European Union includes Austria as its capital.",
	"Slovenia's neighbours use the euro.",
	"All countries that border Slovenia use the euro.",
	"The capital of Austria is [T1] Budapest.",
	"Vienna is capital of Austria of Hungary.",
	"Vienna the capital of Hungary.",
	"The Vienna capital is Austria.",
	"Austria is a capital; Vienna is a country.",
	"Slovenia does border neither Austria nor Hungary.",
	"Slovenia borders Austria but Hungary.",
	"Slovenia borders Austria without Hungary.",
	"There are 3 answers: Austria, Hungary.",
	"Three answers: Austria and Hungary.",
	"Two countries border Austria: Slovenia and Hungary.",
}

func TestCheckSentencesCatchesCraftedLies(t *testing.T) {
	g, pack := checkWorld()
	var all []int
	for i := range pack.Triples {
		all = append(all, i+1)
	}
	for _, text := range crafted {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: text, Citations: all}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; s.Check == check.Covered || s.Check == check.Unchecked || s.Reason == "" {
			t.Errorf("%q: %v (%s), want a reason against it", text, s.Check, s.Reason)
		}
	}
}

// free are true sentences about checkWorld in words that nobody agreed on.
var free = []string{
	"According to the evidence, the capital of Austria is Vienna.",
	"Slovenia borders Austria, whose capital is Vienna.",
	"Slovenia borders Austria, which has the capital Vienna.",
	"Spellbound, which was written by Ben Hecht, starred Ingrid Bergman.",
	"Spellbound (written by Ben Hecht) starred Ingrid Bergman.",
	"Ben Hecht wrote Spellbound, which starred Ingrid Bergman.",
	"Ben Hecht wrote Spellbound and Jane Austen wrote Emma.",
	"Austria has Vienna as its capital.",
	"The film Spellbound, starring Ingrid Bergman, was written by Ben Hecht.",
	"Both Spellbound and Anastasia starred Ingrid Bergman.",
	"Spellbound and Anastasia both starred Ingrid Bergman.",
	"Ingrid Bergman starred in both Spellbound and Anastasia.",
	"Ingrid Bergman was in Spellbound.",
	"Ingrid Bergman acted in Anastasia.",
	"Ingrid Bergman is an actor in Anastasia.",
	"Ingrid Bergman is an actress who starred in Anastasia.",
	"Spellbound is a 1945 film written by Ben Hecht.",
	"Spellbound came out in 1945.",
	"Kilimanjaro is 5895 m high.",
	"Kilimanjaro's height is 5,895 metres.",
	"Kilimanjaro has a height of 5895 m.",
	"Austria's currency is the euro.",
	"Austria uses the euro as its currency.",
	"Slovenia and Austria use the euro.",
	"The euro is the currency of Slovenia and Austria.",
	"Slovenia shares a border with Austria.",
	"Austria belongs to the European Union.",
	"Emma's author is Jane Austen.",
	"Emma is by Jane Austen.",
	"The author of Emma was Jane Austen.",
	"Vienna is Austria's capital.",
	"The Danube flows through Vienna, the capital of Austria.",
	"Slovenia borders two countries: Austria and Hungary.",
	"The countries that Slovenia borders are Austria and Hungary.",
	"The capital of Hungary, which Slovenia borders, is Budapest.",
	"Hungary's capital Budapest.",
	"T1 states that the capital of Austria is Vienna.",
	"The answers are: Austria and Hungary.",
}

// TestCheckSentencesReadsFreeWords states how much of freely worded truth the
// check can follow: what it cannot is doubted, not believed.
func TestCheckSentencesReadsFreeWords(t *testing.T) {
	g, pack := checkWorld()
	var all []int
	for i := range pack.Triples {
		all = append(all, i+1)
	}
	var missed []string
	for _, text := range free {
		a := &Answer{Pack: pack, Sentences: []Sentence{{Text: text, Citations: all}}}
		CheckSentences(g, a, newMapped(g))
		if s := a.Sentences[0]; s.Check != check.Covered {
			missed = append(missed, fmt.Sprintf("%s (%v: %s)", text, s.Check, s.Reason))
		}
	}
	t.Logf("%d of %d freely worded truths are not followed:\n%s", len(missed), len(free), strings.Join(missed, "\n"))
	if len(missed)*5 > len(free) {
		t.Errorf("%d of %d freely worded truths are not followed, want at most a fifth", len(missed), len(free))
	}
}

func TestCheckSentencesVerdicts(t *testing.T) {
	g, pack := checkWorld()
	said := func(v Verdict, text string, cites ...int) Sentence {
		a := &Answer{Verdict: v, Pack: pack, Sentences: []Sentence{{Text: text, Citations: cites}}}
		CheckSentences(g, a, nil)
		return a.Sentences[0]
	}
	if s := said(Supported, "Yes: the capital of Austria is Vienna.", 1); s.Check != check.Covered {
		t.Errorf("a supported claim: %v (%s), want covered", s.Check, s.Reason)
	}
	if s := said(Refuted, "Yes: the capital of Austria is Vienna.", 1); s.Check != check.NotInEvidence {
		t.Errorf("agreement with a refuted claim: %v (%s), want not in the evidence", s.Check, s.Reason)
	}
	if s := said(Refuted, "No, the capital of Austria is Vienna.", 1); s.Check != check.Covered {
		t.Errorf("the refutation of a claim: %v (%s), want covered", s.Check, s.Reason)
	}
}

func TestCheckSentencesKeepsWhatIsChecked(t *testing.T) {
	g, pack := checkWorld()
	a := &Answer{Pack: pack, Sentences: []Sentence{{Text: "Anything.", Check: check.Covered}}}
	CheckSentences(g, a, nil)
	if a.Sentences[0].Check != check.Covered {
		t.Error("a sentence that was checked before was checked again")
	}
	CheckSentences(g, &Answer{Sentences: []Sentence{{Text: "Nothing to cite.", Citations: []int{1}}}}, nil)
}

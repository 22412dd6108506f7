package answer

import (
	"strings"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
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

// labels finds the entities of a small graph by their labels.
type labels struct{ g *kg.Graph }

func (l labels) Named(text string) []kg.EntityID {
	var es []kg.EntityID
	for e := range kg.EntityID(l.g.Entities()) {
		if lexicon.Fold(l.g.Label(e)) == lexicon.Fold(text) {
			es = append(es, e)
		}
	}
	return es
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
		if s := a.Sentences[0]; s.Check != Covered {
			t.Errorf("%q citing %v: %v (%s), want covered", test.text, test.cites, s.Check, s.Reason)
		}
	}
}

func TestCheckSentencesCatchesFabrications(t *testing.T) {
	g, pack := checkWorld()
	tests := []struct {
		name, text string
		cites      []int
		want       Check
		reason     string
	}{
		{"wrong entity of the evidence", "The capital of Austria is Budapest.", []int{1}, NotInGraph, "Budapest"},
		{"wrong entity, both cited", "The capital of Austria is Budapest.", []int{1, 15}, Joined, "T1 and T15"},
		{"entity of the graph", "The capital of Austria is Paris.", []int{1}, NotInGraph, "(Austria, capital, Paris)"},
		{"entity of nowhere", "The capital of Austria is Zorgon.", []int{1}, NotInGraph, "Zorgon"},
		{"entity of nowhere, first", "Zorgon is the capital of Austria.", []int{1}, NotInGraph, "Zorgon"},
		{"entity in lower case", "The currency of Austria is the zloty.", []int{2}, NotInGraph, "zloty"},
		{"one entity too many", "Slovenia borders Austria, Hungary and Italy.", []int{3, 4}, NotInGraph, "Italy"},
		{"wrong number", "Spellbound was released in 1946.", []int{9}, NotInGraph, "1946"},
		{"wrong number with commas", "The height of Kilimanjaro is 15,895.", []int{11}, NotInGraph, "15,895"},
		{"number of another triple", "The height of Kilimanjaro is 1945.", []int{9, 11}, Joined, "No triple"},
		{"number word", "Slovenia borders seven countries.", []int{3, 4}, NotInGraph, "seven"},
		{"direction, noun", "Austria is the capital of Vienna.", []int{1}, NotInGraph, "direction"},
		{"direction, possessive", "Vienna's capital is Austria.", []int{1}, NotInGraph, "direction"},
		{"direction, passive", "Ben Hecht was written by Spellbound.", []int{6}, NotInGraph, "direction"},
		{"direction, active", "Spellbound wrote Ben Hecht.", []int{6}, NotInGraph, "direction"},
		{"direction, star", "Spellbound starred in Ingrid Bergman.", []int{7}, NotInGraph, "direction"},
		{"direction, flow", "Vienna flows through the Danube.", []int{10}, NotInGraph, "direction"},
		{"direction, member", "The European Union is a member of Austria.", []int{13}, NotInGraph, "direction"},
		{"direction, author", "Emma is the author of Jane Austen.", []int{12}, NotInGraph, "direction"},
		{"negation", "Vienna is not the capital of Austria.", []int{1}, NotInGraph, "denies"},
		{"contracted negation", "Vienna isn't the capital of Austria.", []int{1}, NotInGraph, "isn't"},
		{"curly contraction", "Vienna isn’t the capital of Austria.", []int{1}, NotInGraph, "isn’t"},
		{"never", "Slovenia never borders Austria.", []int{3}, NotInGraph, "denies"},
		{"wrong relation", "The Danube flows into Vienna.", []int{10}, NotInGraph, "flows into"},
		{"wrong relation, both cited", "The Danube flows into Vienna.", []int{10, 14}, NotInGraph, ""},
		{"more than is there", "The capital of Austria is Vienna, a beautiful place.", []int{1}, Partly, "beautiful"},
		{"superlative", "The largest capital of Austria is Vienna.", []int{1}, Partly, "largest"},
		{"swapped pairs", "The capital of Austria is Budapest and the capital of Hungary is Vienna.", []int{1, 15}, Joined, "No triple"},
		{"borrowed subject", "Slovenia borders Austria and Hungary and the capital of Slovenia is Budapest.", []int{3, 4, 15}, Joined, "No triple"},
		{"wrong citation", "The capital of Austria is Vienna.", []int{2}, Misattributed, "T1"},
		{"wrong citation, near", "The capital of Austria is Vienna.", []int{15}, Misattributed, "T1"},
		{"no citation", "The capital of Austria is Vienna.", nil, Misattributed, "no triple"},
		{"citation out of range", "The capital of Austria is Vienna.", []int{99}, Misattributed, "T99"},
		{"one citation out of range", "The capital of Austria is Vienna.", []int{1, 0}, Misattributed, "T0"},
		{"fabrication out of range", "The capital of Austria is Paris.", []int{99}, NotInGraph, "T99"},
		{"fabrication without citation", "The capital of France is Paris.", nil, NotInEvidence, "The graph says so"},
		{"no words", "", []int{1}, NotInGraph, ""},
		{"another script", "Столица Австрии — Вена.", []int{1}, NotInEvidence, ""},
		{"names without relation", "Austria: Budapest.", []int{1, 15}, Joined, ""},
		{"hops with a relation left out", "The capital of Slovenia is Budapest.", []int{4, 15}, Joined, ""},
		{"value in brackets of another", "The answers are Kilimanjaro (1945) and Spellbound (5895).", []int{9, 11}, Joined, ""},
		{"verb of another relation", "Austria borders Vienna.", []int{1, 3}, NotInGraph, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := &Answer{Pack: pack, Sentences: []Sentence{{Text: test.text, Citations: test.cites}}}
			CheckSentences(g, a, labels{g})
			s := a.Sentences[0]
			if s.Check != test.want || !strings.Contains(s.Reason, test.reason) || s.Reason == "" {
				t.Errorf("%q citing %v: %v (%s), want %v with %q", test.text, test.cites, s.Check, s.Reason, test.want, test.reason)
			}
		})
	}
}

func TestCheckSentencesVerdicts(t *testing.T) {
	g, pack := checkWorld()
	check := func(v Verdict, text string, cites ...int) Sentence {
		a := &Answer{Verdict: v, Pack: pack, Sentences: []Sentence{{Text: text, Citations: cites}}}
		CheckSentences(g, a, nil)
		return a.Sentences[0]
	}
	if s := check(Supported, "Yes: the capital of Austria is Vienna.", 1); s.Check != Covered {
		t.Errorf("a supported claim: %v (%s), want covered", s.Check, s.Reason)
	}
	if s := check(Refuted, "Yes: the capital of Austria is Vienna.", 1); s.Check != NotInEvidence {
		t.Errorf("agreement with a refuted claim: %v (%s), want not in the evidence", s.Check, s.Reason)
	}
	if s := check(Refuted, "No, the capital of Austria is Vienna.", 1); s.Check != Covered {
		t.Errorf("the refutation of a claim: %v (%s), want covered", s.Check, s.Reason)
	}
}

func TestCheckSentencesKeepsWhatIsChecked(t *testing.T) {
	g, pack := checkWorld()
	a := &Answer{Pack: pack, Sentences: []Sentence{{Text: "Anything.", Check: Covered}}}
	CheckSentences(g, a, nil)
	if a.Sentences[0].Check != Covered {
		t.Error("a sentence that was checked before was checked again")
	}
	CheckSentences(g, &Answer{Sentences: []Sentence{{Text: "Nothing to cite.", Citations: []int{1}}}}, nil)
}

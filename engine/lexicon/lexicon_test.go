package lexicon

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// load reads the built-in lexicon from its file.
func load(t *testing.T) *Lexicon {
	t.Helper()
	f, err := os.Open("../../assets/lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := Parse(f, "lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestBuiltinIsClean(t *testing.T) {
	for _, s := range load(t).Lint() {
		t.Error(s)
	}
}

func TestMeaningsTakeTheLongestEntry(t *testing.T) {
	l := load(t)
	for _, test := range []struct{ key, want string }{
		{"directed_by", "director"},
		{"place_of_birth", "birthplace"},
		{"people.person.place_of_birth", "birthplace"},
		{"plays_for_country", "national team"},
		{"birthPlace", "birthplace"},
		{"has_imdb_votes", "votes"},
		{"capital", "capital"},
		{"pages", "page count"},
		{"page count", "page count"},
		{"page", ""},
		{"first page", ""},
		{"xyzzy", ""},
	} {
		var got []string
		for _, i := range l.Meanings(RelationWords(test.key)) {
			got = append(got, l.Concepts[i].Name)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("Meanings(%q) = %v, want %s", test.key, got, test.want)
		}
	}
}

func TestLookups(t *testing.T) {
	l := load(t)
	if diff := cmp.Diff([]string{"France"}, l.NamesOf("french")); diff != "" {
		t.Errorf("NamesOf(french): (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"child", "child"}, l.Compound("granddaughter")); diff != "" {
		t.Errorf("Compound(granddaughter): (-want +got)\n%s", diff)
	}
	long := l.Comparisons("longest")
	if len(long) == 0 || l.Concepts[long[0].Concept].Name != "length" || long[0].Less {
		t.Errorf("Comparisons(longest) = %v, want length first, more", long)
	}
	if !l.IsStop("the") || l.IsStop("film") {
		t.Error("IsStop: want the to be a stop word, and film not")
	}
	if len(l.ConceptsOf(Stem("directed"))) != 1 {
		t.Errorf("ConceptsOf(direct) = %v, want one concept", l.ConceptsOf(Stem("directed")))
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"  tail x", "before any section"},
		{"concept", "no name"},
		{"conzept a", "does not start a section"},
		{"concept a\n  relation x\n  answer planet", "not a kind of answer"},
		{"concept a\nconcept a", "twice"},
		{"concept a\n  inverse b", "not a concept"},
		{"concept a\n  tail x..y", "for the field ask only"},
		{"concept a\n  colour red", "not a field"},
		{"compounds\n  a = b", "not a compound"},
		{"adjectives\n  France", "gives no adjective"},
		{"comparisons\n  big = size", "not a concept"},
		{"concept a\n  ask ..", "no words"},
	} {
		_, err := Parse(strings.NewReader(test.in), "mine.txt")
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "mine.txt:") {
			t.Errorf("Parse(%q) = %v, want an error with place and %q", test.in, err, test.want)
		}
	}
}

func TestMergeAddsAndTakesOut(t *testing.T) {
	user, err := Parse(strings.NewReader("concept director\n  answer person\n  ask lens, !helm\nconcept gizmo\n  relation gizmo\n"), "mine.txt")
	if err != nil {
		t.Fatal(err)
	}
	base := load(t)
	m := base.Merge(user)
	i, _ := m.Concept("director")
	if !m.Knows(Stem("lens")) || len(m.ConceptsOf(Stem("lens"))) != 1 || m.ConceptsOf(Stem("lens"))[0] != i {
		t.Errorf("ConceptsOf(lens) = %v, want the director", m.ConceptsOf(Stem("lens")))
	}
	if got := m.ConceptsOf(Stem("helm")); len(got) != 0 {
		t.Errorf("ConceptsOf(helm) = %v, want none", got)
	}
	if len(base.ConceptsOf(Stem("helm"))) != 1 {
		t.Error("Merge changed its receiver")
	}
	if _, ok := m.Concept("gizmo"); !ok {
		t.Error("Merge lost the user's concept")
	}
}

func TestLintFinds(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"concept a\n  answer text", "no relation name"},
		{"concept a\n  relation x\n  answer date\nconcept b\n  relation x\n  answer place", "leads to"},
		{"concept a\n  relation x\n  tail y\n  head y", "both ends"},
		{"concept a\n  relation x\n  tail y, y", "twice"},
		{"concept c\n  relation p\n  answer person\n  tail player\nconcept d\n  relation q\n  answer org\n  tail club\nconcept a\n  relation x\n  answer place\n  head player, club", "different kinds"},
	} {
		l, err := Parse(strings.NewReader(test.in), "mine.txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(l.Lint(), "\n"); !strings.Contains(got, test.want) {
			t.Errorf("Lint of %q = %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("concept a\n  relation x, y z\n  ask ~b..c\n  answer person\nstop\n  the\n")
	f.Add("comparisons\n  big = -a\nconcept a\n inverse a")
	f.Fuzz(func(_ *testing.T, s string) {
		if l, err := Parse(strings.NewReader(s), "fuzz.txt"); err == nil {
			l.Lint()
			l.Merge(l)
		}
	})
}

func TestMistaken(t *testing.T) {
	m := Mistaken()
	for word, other := range map[string]string{"who": "which", "did": "made", "has": "was", "the": "a"} {
		if !slices.Contains(m[word], other) {
			t.Errorf("Mistaken()[%q] = %v, want %q among them", word, m[word], other)
		}
	}
	if got := m["by"]; got != nil {
		t.Errorf("Mistaken()[by] = %v, want none: it says who did it", got)
	}
}

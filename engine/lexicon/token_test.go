package lexicon

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTokenize(t *testing.T) {
	for _, test := range []struct {
		in   string
		want string // lower forms joined by |
	}{
		{"", ""},
		{"who directed Kismet?", "who|directed|kismet"},
		{"Xavier's films", "xavier|'s|films"},
		{"the films’ and the film’s", "the|films|and|the|film|'s"},
		{"O'Brien's", "o|brien|'s"},
		{"place_of_birth co-star", "place|of|birth|co|star"},
		{"São Paulo, Łódź, Straße", "sao|paulo|lodz|strasse"},
		{"İstanbul", "istanbul"},
		{"東京はどこ", "東|京|は|ど|こ"},
		{"Ελλάδα Москва", "ελλαδα|москва"},
		{"13th 1,234", "13th|1|234"},
		{"bad \xff byte", "bad|byte"},
		{"a \u0300 b", "a|b"},
		{"rock 'n' \u0301 roll", "rock|n|roll"},
		{"\u0300\u0344", ""},
	} {
		var lower []string
		for _, tok := range Tokenize(test.in) {
			lower = append(lower, tok.Lower)
			if tok.Text != test.in[tok.Start:tok.End] {
				t.Errorf("Tokenize(%q): token %q lies at %d..%d", test.in, tok.Text, tok.Start, tok.End)
			}
		}
		if got := strings.Join(lower, "|"); got != test.want {
			t.Errorf("Tokenize(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestStemMeets(t *testing.T) {
	for _, group := range [][]string{
		{"movie", "movies"},
		{"story", "stories"},
		{"act", "acted", "acting", "acts"},
		{"write", "wrote", "written", "writes", "writing"},
		{"marry", "married", "marries"},
		{"run", "running", "ran"},
		{"die", "died", "dies"},
		{"child", "children"},
		{"language", "languages"},
		{"class", "classes"},
		{"country", "countries"},
		{"direct", "directed", "directing"},
		{"use", "used", "uses", "using"},
	} {
		for _, w := range group[1:] {
			if Stem(w) != Stem(group[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q, want the same", w, Stem(w), group[0], Stem(group[0]))
			}
		}
	}
}

func TestStemKeepsApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"director", "direction"}, {"string", "str"}, {"speed", "spe"}, {"born", "bear"}, {"people", "person"},
	} {
		if Stem(pair[0]) == Stem(pair[1]) {
			t.Errorf("Stem(%q) = Stem(%q) = %q, want different stems", pair[0], pair[1], Stem(pair[0]))
		}
	}
}

func TestParseRelation(t *testing.T) {
	for _, test := range []struct {
		key            string
		head, property string
		inverse        bool
	}{
		{"directed_by", "", "directed by", false},
		{"placeOfBirth", "", "place of birth", false},
		{"http://dbpedia.org/ontology/birthPlace", "", "birth place", false},
		{"http://www.w3.org/2000/01/rdf-schema#subClassOf", "", "sub class of", false},
		{"people.person.place_of_birth", "person", "place of birth", false},
		{"/film/film/starring./film/performance/actor", "film", "starring actor", false},
		{"plays_in_club_inverse", "", "plays in club", true},
		{"inverse", "", "inverse", false},
		{"price (EUR/kg)", "", "price", false},
		{"hasHTTPServer", "", "has http server", false},
		{"soil pH", "", "soil ph", false},
		{"interacts-with", "", "interacts with", false},
		{"", "", "", false},
		{"\u0300.\u0301", "", "", false},
		{"born_\u0301_in", "", "born in", false},
	} {
		got := ParseRelation(test.key)
		want := RelationName{Head: fields(test.head), Property: fields(test.property), Inverse: test.inverse}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseRelation(%q): (-want +got)\n%s", test.key, diff)
		}
	}
}

func fields(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Fields(s)
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"who's Kismet's", "İ’s", "東京 's", "\xff'S", "ﬁlm ǅ", "a \u0300 b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, tok := range Tokenize(s) {
			if tok.Start < end || tok.End <= tok.Start || s[tok.Start:tok.End] != tok.Text {
				t.Fatalf("Tokenize(%q): token %+v after offset %d", s, tok, end)
			}
			end = tok.End
			if tok.Lower == "" || tok.Stem == "" || strings.ContainsAny(tok.Lower, " \x00") {
				t.Fatalf("Tokenize(%q): token %+v folds to no word", s, tok)
			}
			if utf8.ValidString(s) && Fold(tok.Lower) != tok.Lower {
				t.Fatalf("Fold(%q) = %q, want it unchanged", tok.Lower, Fold(tok.Lower))
			}
		}
	})
}

func TestIsFamily(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"governor", "government", true},
		{"register", "registration", true},
		{"describes", "description", true},
		{"publisher", "publication", true},
		{"count", "country", false},
		{"count", "county", false},
		{"company", "compass", false},
	} {
		if got := IsFamily(Stem(tt.a), Stem(tt.b), 5); got != tt.want {
			t.Errorf("IsFamily(%s, %s) = %v", tt.a, tt.b, got)
		}
	}
}

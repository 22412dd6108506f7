package model

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/pattern"
)

func TestParsePattern(t *testing.T) {
	tests := []struct{ name, reply, want string }{
		{"as asked", `{"divided": ["a"], "triples": [["UNKNOWN actor 1", "actor of", "Flashpoint"], ["UNKNOWN actor 1", "actor of", "UNKNOWN film 1"]]}`, "(?actor1:actor) -actor of- (Flashpoint); (?actor1) -actor of- (?film1:film)"},
		{"fenced, with talk", "Sure! The set {x} is:\n```json\n{\"triples\": [[\"a } b\", \"r\", \"c { d ] (\"]]}\n```\nAnything else?", `(a } b) -r- ("c { d ] (")`},
		{"a claim", `{"triples": [["UNKNONWN person 1", "wife", "UNK` + `OWN person 2"]], "task": "verify"}`, "(?person1:person) -wife- (?person2:person) | verify"},
		{"a number of things", `{"triples": [["?x", "UNKNOWN relation 1", "Her"]], "asked": "?x", "task": "count"}`, "(?x:x) -- (Her) | count ?x"},
		{"denied", `{"triples": [["A", "wife", "B"]], "negated": true}`, "(A) -wife- (B) | not"},
		{"a name that says unknown", `{"triples": [["The Unknown", "release year", "UNKNOWN"]]}`, "(The Unknown) -release year- (?x)"},
		{"what is asked", `{"triples": [["unknown film 1", "has genre", "Unknown Pleasures"], ["UNKNOWN_film_2","x","UNKNOWN film 1"]], "asked": "UNKNOWN film 1"}`, "(?film1:film) -has genre- (Unknown Pleasures); (?film2:film) -x- (?film1) | find ?film1"},
		{"as a name", `{"triples": [["Unknown film 1", "has genre", "Unknown Pleasures"], ["The Unknown 2","x","Unknown film 1"]], "asked": "Unknown film 1"}`, "(?film1:film) -has genre- (Unknown Pleasures); (The Unknown 2) -x- (?film1)"},
		{"a number for a name", `{"triples": [["a", "year", 1967]]}`, "(a) -year- (1967)"},
		{"conditions", `{"triples": [["UNKNOWN person 1", "director of", "Radium Institute"]], "conditions": [{"triple": 1, "says": "valid_from..valid_to = 2015"}, {"triple": 1, "says": "share > 25 %"}]}`, "(?person1:person) -director of [valid_from..valid_to = 2015, share > 25 %]- (Radium Institute)"},
		{"wrong lengths are skipped", `{"triples": [["a", "b"], ["a", "r", " b  c "], []]}`, "(a) -r- (b c)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := parsePattern(test.reply)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, pattern.Format(p)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestParsePatternOfNone(t *testing.T) {
	for _, text := range []string{
		"", "I do not know.", "{}", "[]", `{"triples": []}`, `{"triples": [["a","r"`, strings.Repeat("{", 100000), `{"triples": "none"}`, `{"triples": [["a","r","b"]], "conditions": [{"triple": 2, "says": "year = 2015"}]}`, `{"triples": [["a","r","b"]], "conditions": [{"triple": 1, "says": "about 2015"}]}`,
		"\x00\xff",
	} {
		if _, err := parsePattern(text); !errors.Is(err, errReply) {
			t.Errorf("parsePattern(%.30q) error = %v, want errReply", text, err)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	for _, s := range []string{
		`{"divided": ["a"], "triples": [["UNKNOWN actor 1", "actor of", "Flashpoint"]], "asked": "UNKNOWN actor 1"}`,
		`{"triples":[["a","r","b\ud83d"]], "task": "count"}`, `{"triples": [["?  1", "-", "#2"], ["? 1", "a-", "?"]]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parsePattern(s)
		if err != nil {
			return
		}
		again, err := pattern.ParseText(pattern.Format(p))
		if err != nil {
			t.Fatalf("%s, of %s, is not read: %v", pattern.Format(p), s, err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Fatalf("%s does not print back (-want +got):\n%s", pattern.Format(p), diff)
		}
	})
}

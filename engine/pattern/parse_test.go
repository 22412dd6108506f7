package pattern

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseReply(t *testing.T) {
	paper := [][3]string{{"UNKNOWN actor 1", "actor of", "Flashpoint"}, {"UNKNOWN actor 1", "actor of", "UNKNOWN film 1"}}
	tests := []struct {
		name, text string
		want       [][3]string
	}{
		{"JSON", `{"divided": ["a"], "triples": [["UNKNOWN actor 1", "actor of", "Flashpoint"], ["UNKNOWN actor 1", "actor of", "UNKNOWN film 1"]]}`, paper},
		{"the paper's Python", `{
  'divided': [ "the actor in Flashpoint", "this actor also appears in another films", ],
  "triples": [ ("UNKNOWN actor 1", "actor of", "Flashpoint"), ("UNKNOWN actor 1", "actor of", "UNKNOWN film 1"), ]
}`, paper},
		{"the code's key, fenced, with talk", "Sure! Here it is:\n```json\n{\"graph\": [(\"UNKNOWN actor 1\", \"actor of\", \"Flashpoint\"),\n(\"UNKNOWN actor 1\", \"actor of\", \"UNKNOWN film 1\")]}\n```\nAnything else?", paper},
		{"a bare list", `[['UNKNOWN actor 1', 'actor of', 'Flashpoint'], ['UNKNOWN actor 1', 'actor of', 'UNKNOWN film 1']]`, paper},
		{"objects", `{"triples":[{"head":"a","relation":"r","tail":"b"},{"subject":"b","predicate":"s","object":"c"}]}`, [][3]string{{"a", "r", "b"}, {"b", "s", "c"}}},
		{"apostrophes and quotes", `{'triples': [('Schindler's List', 'said "no"', '"1940-11-27"')]}`, [][3]string{{"Schindler's List", `said "no"`, `"1940-11-27"`}}},
		{"braces in strings", `{"triples": [["a } b", "r", "c { d ] ("]]}`, [][3]string{{"a } b", "r", "c { d ] ("}}},
		{"a brace in the talk before", `The set {x} is: {"triples": [["a", "r", "b"]]}`, [][3]string{{"a", "r", "b"}}},
		{"escapes", `{"triples": [["caf\u00e9", "r\/s", "\ud83d\ude00"]]}`, [][3]string{{"café", "r/s", "😀"}}},
		{"numbers unquoted", `{"triples": [["a", "year", 1967]]}`, [][3]string{{"a", "year", "1967"}}},
		{"wrong lengths are skipped", `{"triples": [["a", "b"], ["a", "r", "b"], "x"]}`, [][3]string{{"a", "r", "b"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseReply(test.text)
			if err != nil {
				t.Fatalf("parseReply: %v", err)
			}
			if diff := cmp.Diff(test.want, got.Triples); diff != "" {
				t.Errorf("parseReply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseReplyWithoutPattern(t *testing.T) {
	for _, text := range []string{
		"", "I do not know.", "{}", "[]", `{"triples": []}`, `{"triples": [["a","r"`, strings.Repeat("[", 1000), strings.Repeat("{", 100000),
		`{"triples": "none"}`, "\x00\xff", strings.Repeat("x", maxReply+1),
	} {
		if _, err := Parse(text); !errors.Is(err, ErrReply) {
			t.Errorf("Parse(%.30q) error = %v, want ErrReply", text, err)
		}
	}
}

func TestParseMakesPattern(t *testing.T) {
	tests := []struct{ reply, want string }{
		{`{"triples": [("UNKNOWN actor 1", "actor of", "Flashpoint"), ("UNKNOWN actor 1", "actor of", "UNKNOWN film 1")]}`, "(?actor1:actor) -actor of- (Flashpoint); (?actor1) -actor of- (?film1:film)"},
		{`{"triples": [("UNKNONWN person 1", "wife", "UNK` + `OWN person 2")], "task": "verify"}`, "(?person1:person) -wife- (?person2:person) | verify"},
		{`{"triples": [("?x", "UNKNOWN relation 1", "Her")], "asked": "?x", "task": "count"}`, "(?x:x) -- (Her) | count ?x"},
		{`{"triples": [("A", "wife", "B")], "negated": true}`, "(A) -wife- (B) | not"},
		{`{"triples": [("The Unknown", "release year", "UNKNOWN")]}`, "(The Unknown) -release year- (?x)"},
		{`{"triples": [("unknown film 1", "has genre", "Unknown Pleasures"), ("UNKNOWN_film_2","x","UNKNOWN film 1")], "asked": "UNKNOWN film 1"}`, "(?film1:film) -has genre- (Unknown Pleasures); (?film2:film) -x- (?film1) | find ?film1"},
	}
	for _, test := range tests {
		p, err := Parse(test.reply)
		if err != nil {
			t.Errorf("Parse(%s): %v", test.reply, err)
			continue
		}
		if got := Format(p); got != test.want {
			t.Errorf("Parse(%s)\n got %s\nwant %s", test.reply, got, test.want)
		}
	}
}

func TestParseTextPrintsBack(t *testing.T) {
	tests := []struct{ text, want string }{ // an empty want is text itself
		{"(Austria) -borders-> (?country:Country) -currency-> (euro)", ""},
		{"(Anthony Mann) <-directed by- (?film) -release year-> (?year)", ""},
		{"(Tom Hanks) <-starred actors- (?film) | count ?film", ""},
		{"(Vienna) -capital of-> (Austria)", ""},
		{"(Vienna) -capital of-> (?) | verify", "(Vienna) -capital of-> (?1) | verify"},
		{"(?)--(?1)<--(?2:Big City)", "(?3) -- (?1) <-- (?2:Big City)"},
		{"(?x) -r-> (A) ; (B) -r-> (A)", "(?x) -r-> (A) <-r- (B)"},
		{"(Kismet (1955 film)) -co-writer-> (?w)", `("Kismet (1955 film)") -"co-writer"-> (?w)`},
		{`("Kismet") -a- ("Kismet"#2:Film)`, `(Kismet) -a- ("Kismet"#2:Film)`},
		{"(Nile) -length-> (?km); (Nile) -mouth- (?sea) | find ?km | ?km >= 6000.5 | largest ?km 3", ""},
		{"(a) -r-> (?n) | ?n > 40000000 | ?n < 1e+20 | ?n = -1e-09", ""},
		{"(a) -r-> (a)", ""},
		{"(Mission: Impossible) -has tags- (?t)", ""},
		{"(a); (b) -r-> (c)", ""},
		{`(?"my film") -r- (b) | count ?"my film" | not | reuse variables`, ""},
		{`(?my film) -?- (b) | smallest ?"my film" | reuse all`, `(?"my film") -- (b) | smallest ?"my film" | reuse all`},
	}
	for _, test := range tests {
		p, err := ParseText(test.text)
		if err != nil {
			t.Errorf("ParseText(%s): %v", test.text, err)
			continue
		}
		want := test.want
		if want == "" {
			want = test.text
		}
		if got := Format(p); got != want {
			t.Errorf("Format(ParseText(%s))\n got %s\nwant %s", test.text, got, want)
		}
		printsBack(t, p)
	}
}

func TestParseTextDefaults(t *testing.T) {
	p, err := ParseText("(Austria) -borders-> (?country:Country) -currency-> (euro)")
	if err != nil {
		t.Fatal(err)
	}
	want := &Pattern{
		Nodes: []Node{{Text: "Austria"}, {Text: "?country", Variable: true, Type: "Country"}, {Text: "euro"}},
		Edges: []Edge{{From: 0, To: 1, Relation: "borders", Direction: Forward}, {From: 1, To: 2, Relation: "currency", Direction: Forward}},
		Asked: 1,
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("ParseText (-want +got):\n%s", diff)
	}
}

func TestParseTextErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "expected a node"},
		{"Austria", "expected a node"},
		{"(Austria", "expected ) after the node"},
		{"()", "a node needs a name"},
		{"(a) borders (b)", "expected an edge"},
		{"(a) -borders (b)", "expected the end of the relation"},
		{"(a) <-r-> (b)", "only one arrowhead"},
		{"(a) -r-> ", "expected a node"},
		{"(a) -r-> (?b) | find ?c", "?c is not part of the pattern"},
		{"(a) -r-> (?b) | count ?b | verify", "may stand only once"},
		{"(a) -r-> (?b) | ?b < many", "expected a number"},
		{"(a) -r-> (?b) | ?b < Inf", "expected a number"},
		{"(a) -r-> (?b:X) -r-> (?b:Y)", `is of type "Y" here and "X" before`},
		{"(a) -r-> (?b) | dance", "expected find, count"},
		{`("a) -r-> (?b)`, "quoted text"},
		{"(a\xff)", "UTF-8"},
	}
	for _, test := range tests {
		_, err := ParseText(test.text)
		if !errors.Is(err, ErrText) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseText(%q) error = %v, want ErrText with %q", test.text, err, test.want)
		}
	}
}

// printsBack checks that what was parsed prints back to the same value.
func printsBack(t *testing.T, p *Pattern) {
	t.Helper()
	text := Format(p)
	again, err := ParseText(text)
	if err != nil {
		t.Fatalf("ParseText(%s), printed from %+v: %v", text, p, err)
	}
	if diff := cmp.Diff(p, again); diff != "" {
		t.Fatalf("%s does not print back (-want +got):\n%s", text, diff)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"divided": ["a"], "triples": [["UNKNOWN actor 1", "actor of", "Flashpoint"]], "asked": "UNKNOWN actor 1"}`,
		`{'graph': [('UNKOWN film 1', 'it's', "Schindler's List"),], "task": "count"}`,
		"```json\n[[\"?x\", \"UNKNOWN\", \"b\"]]\n```", `{"triples":[{"head":"a","relation":"r","tail":"b\ud83d"}]}`, "{[(", `{"triples": [["?  1", "-", "#2"], ["? 1", "a-", "?"]]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err == nil {
			printsBack(t, p)
		}
		if !json.Valid([]byte(s)) || !utf8.ValidString(s) {
			return
		}
		// Valid JSON is read as JSON.
		var strict struct {
			Triples [][]string `json:"triples"`
		}
		if json.Unmarshal([]byte(`{"triples":[["h","r",`+s+`]]}`), &strict) != nil || len(strict.Triples) != 1 {
			return
		}
		r, err := parseReply(`{"triples":[["h","r",` + s + `]]}`)
		want := strings.Join(strings.Fields(strict.Triples[0][2]), " ")
		if want == "" || strings.TrimSpace(s) == "null" {
			return
		}
		if err != nil || r.Triples[0][2] != want {
			t.Fatalf("parseReply of the JSON string %s = %v, %v; want %q", s, r, err, want)
		}
	})
}

func FuzzParseText(f *testing.F) {
	for _, s := range []string{
		"(Austria) -borders-> (?country:Country) -currency-> (euro)", `("a"#2:T) <-"-"- (?"b c"#2) | count ?"b c"#2`,
		"(a) -r- (b) ; (?) -- (?) | largest ?1 2 | reuse all", "(?x)|?x<1|?x>=-2e3|not|verify",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := ParseText(s); err == nil {
			printsBack(t, p)
		}
	})
}

package pattern

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

func FuzzParseText(f *testing.F) {
	for _, s := range []string{
		"(Austria) -borders-> (?country:Country) -currency-> (euro)", `("a"#2:T) <-"-"- (?"b c"#2) | count ?"b c"#2`,
		"(a) -r- (b) ; (?) -- (?) | largest ?1 2 | reuse all", `(a) -r [from..to = 2015, "a=b" > 25 %]-> (?b)`, "(a) -[x = 1]- (b)", "(?x)|?x<1|?x>=-2e3|not|verify",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := ParseText(s); err == nil {
			printsBack(t, p)
		}
	})
}

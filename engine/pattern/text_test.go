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
		{"(?x) -r-> (b) -s-> (?y); (c) | find ?x | ?x != (c) | ?x != ?y | ?y != 3", ""},
		{`(?"my film") -r- (b) | count ?"my film" | not | reuse variables`, ""},
		{`(?my film) -?- (b) | smallest ?"my film" | reuse all`, `(?"my film") -- (b) | smallest ?"my film" | reuse all`},
		{"(?film) -directed by-> (Anthony Mann) | without (?film) -genre-> (Horror)", ""},
		{"(?x:Country) | either (?x) -borders-> (Germany) | or (?x) -borders-> (France) | only (?x) -speaks-> (?l:Language) -family-> (Romance)", ""},
		{"(?film) -year-> (?y) | find ?film | at least 3 ?award: (?film) -award-> (?award) | exactly 0 ?b: (?film) -ban-> (?b) | fewer than 2 ?y: (?film) -year-> (?y)", ""},
		{"(?r) -country-> (?c) | either (?r) -length-> (?km) where ?km > 100 km and ?km < 2000 | or (?r) where ?r = 3", ""},
		{"(?film) -directed by-> (?d) | count ?film per ?d | largest count 5", ""},
		{"(?film) -directed by-> (?d:director) | count ?film per every ?d | smallest count", ""},
		{"(?film) -directed by-> (?d) | count ?film per every ?d | average count", ""},
		{"(?d:director); (?film); (Mann) | find ?d | more than (Mann) ?film: (?d) <-directed by- (?film)", ""},
		{"(?film:film) -directed by-> (Mann) | share ?film", ""},
		{"(?film) -directed by-> (?d); (?film) -length-> (?km) | find ?d | smallest ?km of ?film 2 after 1", ""},
		{"(?film) -directed by-> (?d) | find ?film | count ?film per ?d | largest count 1 after 1", ""},
		{"(Nile) -length-> (?km) | in mi from km", ""},
		{"(Nile) -length-> (?a); (Rhine) -length-> (?b) | ratio ?a to ?b", ""},
		{"(?x) -length-> (?a); (Rhine) -length-> (?b) | find ?x | ?a >= 2 * ?b", ""},
		{"(?x) -opened on-> (?day) | find ?x | ?day = 5 May", ""},
		{"(?x) -opened on-> (?day) | find ?x | ?day = May", ""},
		{"(?x); (Acme) | exactly 0.5 * (Acme) ?d: (?x) -director-> (?d)", ""},
		{"(?river) -length-> (?km); (?river) -country-> (?c) | average ?km of ?river per ?c | ?km > ?c | smallest average", ""},
		{"(?river) -length-> (?km) | sum ?km of ?river | ?km > 100 sq mi", ""},
		{"(?a) -owns-> (?b); (Acme) -owns [share > 5 %]-> (?x) | most voting share of (Acme) -owns [share > 5 %]-> (?x)", ""},
		{"(Ann) -director-> (Acme) | values from..to of (Ann) -director-> (Acme)", ""},
		{`(?x) -director-> (Acme) | sum "a..b"..to of (?x) -director-> (Acme) per ?x | largest sum`, ""},
		{"(Acme) -owns-> (?b); (Bolt) | difference ?b to (Bolt)", ""},
		{"(?b) -by-> (?a); (?b) -pages-> (?n) | sum ?n of ?b per ?a where sum > 2000 sq mi and sum <= 3e+20 | largest and smallest sum 2", ""},
		{"(?a) -owns-> (?b) | sum share of (?a) -owns-> (?b) per ?a where sum >= 50 % | count sum", ""},
		{"(?b) -by-> (?a) | count ?b per every ?a where count < 3 | median count", ""},
		{"(?c) -won-> (?r) | count medal of (?c) -won-> (?r) per ?c where count >= 3", ""},
		{"(?b) -by-> (?a); (?b) -pages-> (?n) | find ?b | largest ?n per ?a", ""},
		{"(?b) -pages-> (?n) | find ?b | smallest and largest ?n 2 after 1", ""},
		{"(?b) -year-> (?y); (Low) -year-> (?z) | find ?b | ?y >= ?z - 5 | ?y <= 2 * ?z + 1.5", ""},
		{`(?a) -owns-> (?b) | least "share of votes" of (?a) -owns-> (?b) per ?a`, ""},
		{"(?x) -part of+-> (Europe) <-? +- (?y)", "(?x) -part of+-> (Europe) <-+- (?y)"},
		{`(?x) -"part+"-> (Europe) <-"co-owns"+ [x = 1]- (?y)`, ""},
		{"path (Austria) to (France) | avoiding (Germany) | shortest 3 | via (Italy) | within 4", "path (Austria) to (France) | within 4 | shortest 3 | avoiding (Germany) | via (Italy)"},
		{`path (Kismet) to ("Kismet"#2:Film)`, ""},
		{"describe (Vienna)", ""},
		{"(Kismet) -directed by-> (?d) | describe ?d", ""},
		{"compare (Austria) with (Hungary)", ""},
		{"(a) -r-> (?y); (?z) | find ?y | without (?y) -s-> (b)", ""},
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
		{"(a) -r-> (?b) | count ?b | verify", "can be used only once"},
		{"(a) -r-> (?b) | ?b < many", "expected a number"},
		{"(a) -r-> (?b) | ?b < Inf", "expected a number"},
		{"(a) -r-> (?b:X) -r-> (?b:Y)", `is of type "Y" here and "X" before`},
		{"(a) -r-> (?b) | dance", "expected find, count"},
		{`("a) -r-> (?b)`, "quoted text"},
		{"(a\xff)", "UTF-8"},
		{"(a) -r-> (?b) | or (?b) -s-> (c)", "or continues an either clause"},
		{"(a) -r-> (?b) | without (?b)", "expected an edge such as -genre->"},
		{"(a) -r-> (?b) | at least many ?c: (?b) -s-> (?c)", "expected how many, a number from 0 on"},
		{"(a) -r-> (?b) | at least 2 ?c (?b) -s-> (?c)", "expected a colon"},
		{"(a) -r-> (?b) | at least 2 ?d: (?b) -s-> (?c)", "expected ?d, which is counted"},
		{"(a) -r-> (?b) | sum ?b", "expected of"},
		{"(a) -r-> (?b) | sum share of (a) -s-> (?b)", "one of the edges"},
		{"(a) -r-> (?b) | sum share", "expected a node such as ?km, or a property"},
		{"(a) -r-> (?b) | largest count", "| count ?film per ?director"},
		{"(a) -r-> (?b) | largest ?b 0", "expected how many, a number from 1 on"},
		{"path (a)", "expected to and the second"},
		{"path (a) to (a)", "expected a different name"},
		{"path (a) to (?b)", "not a variable"},
		{"path (a) to (b) | without (a) -r-> (?c)", "expected within, shortest, via or avoiding"},
		{"path (a) to (b) | within 0", "a number from 1 on"},
		{"compare (a) with (b) | not", "expected nothing after"},
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
		"(?x)|either(?x)-r->(?z)|or(?y)-s->(?x)where ?y>1 km and ?x=?y|at most 2?z:(?z)-q+-(?x)|only(?x)-r->(?k)", "(?f) -d-> (?p)|count?f per?p|largest count 2after 1",
		"(?a)-o->(?b)|sum \"x y\" of (?a)-o->(?b)per?a|smallest sum", "path(a)to(b)|via(c)|avoiding(d)|within 3|shortest 2", "describe(a)|reuse all", "compare(a)with(b)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := ParseText(s); err == nil {
			printsBack(t, p)
		}
	})
}

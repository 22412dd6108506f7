package lexicon

import "testing"

func TestForms(t *testing.T) {
	for _, test := range []struct {
		name string
		form func(string) string
		want map[string]string
	}{
		{"Past", Past, map[string]string{
			"write": "wrote", "direct": "directed", "star in": "starred in", "study": "studied", "cast": "cast", "own": "owned",
			"play": "played", "found": "found", "wrote": "wrote", "directed by": "directed by", "interacts with": "interacts with", "": "",
		}},
		{"Gerund", Gerund, map[string]string{
			"write": "writing", "star": "starring", "act in": "acting in", "study": "studying", "lie": "lying", "see": "seeing", "starring": "starring",
		}},
		{"Participle", Participle, map[string]string{
			"write": "written", "sing in": "sung in", "direct": "directed", "run": "run", "born": "born", "seen": "seen",
		}},
		{"Base", Base, map[string]string{
			"wrote": "write", "borders": "border", "carries": "carry", "studied": "study", "produced by": "produce by", "starred": "star",
			"passed": "pass", "teaches": "teach", "has genre": "have genre", "lies on": "lie on", "was": "was", "focus": "focus",
			"sued": "sue", "freed": "free", "mimicked by": "mimic by", "tracked": "track", "robbed": "rob", "tagged": "tag", "added": "add", "managed": "manage", "bit": "bite",
		}},
		{"Plural", Plural, map[string]string{
			"film": "films", "country": "countries", "place of birth": "places of birth", "film person": "film people", "businessperson": "businesspeople",
			"status": "statuses", "diagnosis": "diagnoses", "church": "churches", "children": "children", "cast": "cast", "series": "series", "day": "days", "": "",
		}},
		{"WithArticle", WithArticle, map[string]string{
			"actor": "an actor", "member": "a member", "university": "a university", "uncle": "an uncle", "European": "a European",
		}},
	} {
		for in, want := range test.want {
			if got := test.form(in); got != want {
				t.Errorf("%s(%q) = %q, want %q", test.name, in, got, want)
			}
		}
	}
	for _, test := range []struct {
		name    string
		is      func(string) bool
		yes, no []string
	}{
		{"IsPlural", IsPlural, []string{"films", "people", "places of birth", "Series"}, []string{"film", "class", "virus", "analysis", ""}},
		{"IsParticiple", IsParticiple, []string{"born", "found", "directed"}, []string{"wrote", "run", "speed", "red"}},
		{"IsPast", IsPast, []string{"wrote", "led", "made"}, []string{"write", "played", "cut", "starred", "written"}},
		{"IsThird", IsThird, []string{"borders", "flows through"}, []string{"was", "has", "class", "focus"}},
	} {
		for _, w := range test.yes {
			if !test.is(w) {
				t.Errorf("%s(%q) = false", test.name, w)
			}
		}
		for _, w := range test.no {
			if test.is(w) {
				t.Errorf("%s(%q) = true", test.name, w)
			}
		}
	}
}

func TestUsesOfWords(t *testing.T) {
	l := Builtin()
	if !l.Is(Verb, "borders") || l.Is(Verb, "genres") || !l.Is(State, "located") || !l.Is(One, "capital") || l.Is(One, "member") {
		t.Error("the section names of the built-in lexicon is not read")
	}
}

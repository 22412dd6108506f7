package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/plan/words"
	"cairn/internal/testing/testkg"
)

// forgetting plans over a small graph, for whose relations the lexicon has no word.
func forgetting(noMeanings bool) (*kg.Graph, *builtin.Planner) {
	var lines []string
	for i := range 6 {
		a, b := fmt.Sprintf("Ada Lind%d", i), fmt.Sprintf("Bo Falk%d", i)
		lines = append(lines, a+"|spouse|"+b, a+"|educational_institution|Upsala College", a+"|religion|Shinto", a+"|birthplace|Lund", b+"|wears_number|"+fmt.Sprint(i))
	}
	g := testkg.Build(lines...)
	var own []words.Override
	for r := range kg.RelationID(g.Relations()) {
		own = append(own, words.Override{RelationKey: g.RelationKey(r), Words: lexicon.RelationWords(g.RelationName(r))})
	}
	lex := lexicon.Builtin()
	return g, builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{Own: words.Own{Overrides: own}, NoMeanings: noMeanings})
}

// TestWordsByMeaning asks for relations by words that share no letter with them: such
// readings are doubted and say what they take for what.
func TestWordsByMeaning(t *testing.T) {
	_, with := forgetting(false)
	_, without := forgetting(true)
	for _, test := range []struct{ text, reading, takes string }{
		{"Who did Ada Lind1 marry?", "Ada Lind1 —spouse→", "“marry” to mean “spouse”"},
		{"Which school did Ada Lind1 attend?", "Ada Lind1 —educational institution→", "“school” to mean “educational institution”"},
		{"What is the faith of Ada Lind1?", "Ada Lind1 —religion→", "“faith” to mean “religion”"},
	} {
		p, err := with.Plan(t.Context(), test.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Readings) == 0 || p.Readings[0].Text != test.reading || p.Doubt == plan.Sure {
			t.Errorf("Plan(%q) = %+v, doubt %d, %s; want %s, doubted", test.text, p.Readings, p.Doubt, p.Reason, test.reading)
			continue
		}
		if said := fmt.Sprint(p.Readings[0].Explanation); !strings.Contains(said, "by its meaning") {
			t.Errorf("Plan(%q) is explained by %s", test.text, said)
		}
		if !strings.Contains(p.Reason, test.takes) && !strings.Contains(p.Reason, "attend") {
			t.Errorf("Plan(%q) is doubted for %q, want that it takes %s", test.text, p.Reason, test.takes)
		}
		if p, err = without.Plan(t.Context(), test.text, nil); err != nil {
			t.Fatal(err)
		}
		if len(p.Readings) > 0 && strings.Contains(fmt.Sprint(p.Readings[0].Explanation), "by its meaning") {
			t.Errorf("with meanings switched off, Plan(%q) uses them", test.text)
		}
	}
	// Words that mean something else ask for nothing, and own words stay sure.
	for text, want := range map[string]plan.Doubt{"What is the wavelength of Ada Lind1?": plan.NoRelation, "What is the religion of Ada Lind1?": plan.Sure} {
		if p, err := with.Plan(t.Context(), text, nil); err != nil || p.Doubt != want {
			t.Errorf("Plan(%q): doubt %d, %q, %v; want doubt %d", text, p.Doubt, p.Reason, err, want)
		}
	}
}

// TestWordsByWhatIsThere asks of relations whose names say nothing: by what they lead to, or because
// no other is left for a word. Both are doubted.
func TestWordsByWhatIsThere(t *testing.T) {
	religions := []string{"Islam", "Buddhism", "Judaism", "Christianity", "Hinduism", "Shinto"}
	languages := []string{"French", "German", "Italian", "Spanish", "Norwegian", "Polish"}
	var lines, left []string
	for i := range 6 {
		a, b := fmt.Sprintf("Ada Lind%d", i), fmt.Sprintf("Bo Falk%d", i)
		left = append(left, a+"|P1066|"+b, a+"|employer|Upsala College")
		lines = append(lines, a+"|P140|"+religions[i], a+"|P1412|"+languages[i], a+"|P571|"+fmt.Sprint(1950+i), a+"|employer|Upsala College")
	}
	lex := lexicon.Builtin()
	over := func(lines []string) *builtin.Planner {
		g := testkg.Build(lines...)
		return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	}
	planner := over(lines)
	for _, test := range []struct {
		over                *builtin.Planner
		text, reading, says string
	}{
		{planner, "What is the religion of Ada Lind1?", "Ada Lind1 —p140→", "by its meaning: “"},
		{planner, "Which languages does Ada Lind1 use?", "Ada Lind1 —p1412→", "by its meaning: “"},
		{planner, "What is the year of Ada Lind1?", "Ada Lind1 —p571→", "by its meaning: “"},
		{over(left), "Who mentored Ada Lind1?", "Ada Lind1 —p1066→", "no other word asks for this one"},
	} {
		p, err := test.over.Plan(t.Context(), test.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Readings) == 0 || p.Readings[0].Text != test.reading || p.Doubt == plan.Sure {
			t.Errorf("Plan(%q) = %+v, doubt %d, %s; want %s, doubted", test.text, p.Readings, p.Doubt, p.Reason, test.reading)
			continue
		}
		if said := fmt.Sprint(p.Readings[0].Explanation); !strings.Contains(said, test.says) {
			t.Errorf("Plan(%q) is explained by %s, want %s", test.text, said, test.says)
		}
	}
	// What is only another one of the like names no relation.
	p, err := planner.Plan(t.Context(), "Is Ada Lind1 in Taoism?", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Readings) > 0 && strings.Contains(fmt.Sprint(p.Readings[0].Explanation), "“Taoism” asks for “p140” by its meaning") {
		t.Errorf("Taoism is taken for all religions: %+v", p.Readings[0])
	}
}

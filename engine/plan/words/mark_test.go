package words_test

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// TestMark says what words stand for in a pattern, whoever made it.
func TestMark(t *testing.T) {
	g := testkg.Build(
		"Jaws|directed by|Ann Oak", "Duel|directed by|Ann Oak", "Elm|directed by|Bo Fir", "Jaws|year|1975", "Duel|year|1971", "Elm|year|1980",
		"Jaws : film", "Duel : film", "Elm : film",
	)
	lex := lexicon.Builtin()
	linker := link.NewLinker(g, nil, lex)
	p := builtin.New(g, linker, lex, builtin.Options{})
	for _, c := range []struct{ question, pattern, want string }{
		{"Who directed Jaws?", "Jaws|directed by>|?who", "Who:filler directed:relation=directed by Jaws:name=Jaws"},
		{"Who hated Jaws?", "Jaws|directed by>|?who", "Who:filler hated:unread Jaws:name=Jaws"},
		{"Which films did Ann Oak direct after 1972?", "?film|directed by>|Ann Oak", "Which:filler films:kind did:filler Ann:name=Ann Oak Oak:name=Ann Oak direct:relation=directed by after:unread 1972:unread"},
	} {
		ms, err := linker.Link(t.Context(), c.question)
		if err != nil {
			t.Fatal(err)
		}
		pat := testkg.Pattern(g, c.pattern)
		var got []string
		for _, w := range p.Mark(c.question, ms, pat) {
			text := c.question[w.Start:w.End] + ":" + w.Role.String()
			if w.For != "" {
				text += "=" + w.For
			}
			got = append(got, text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s by %s:\n%s, not\n%s", c.question, c.pattern, s, c.want)
		}
	}
	// What the planner reads itself is marked, and what it leaves out is named.
	for question, want := range map[string]string{
		"Which films did Ann Oak direct after 1972?": "sure",
		"Which films did Ann Oak direct gladly?":     "unsure: The reading ignores “gladly”.",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.TrimSuffix(fmt.Sprintf("%s: %s", got.Doubt, got.Reason), ": "); s != want {
			t.Errorf("%s is %s, not %s", question, s, want)
		}
	}
}

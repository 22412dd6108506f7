package words_test

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan/builtin"
)

// TestMark says what words stand for in a pattern, whoever made it.
func TestMark(t *testing.T) {
	var b kg.Builder
	for _, l := range []string{
		"Jaws|directed by|Ann Oak", "Duel|directed by|Ann Oak", "Elm|directed by|Bo Fir", "Jaws|year|1975", "Duel|year|1971", "Elm|year|1980",
	} {
		f := strings.Split(l, "|")
		b.Add(f[0], f[1], f[2])
		b.AddType(b.Entity(f[0]), "film")
	}
	g, lex := b.Graph(), lexicon.Builtin()
	linker := link.NewLinker(g, nil, lex)
	p := builtin.New(g, linker, lex, builtin.Options{})
	for _, c := range []struct{ question, pattern, want string }{
		{"Who directed Jaws?", "(Jaws)-[directed by]->(?who)", "Who:filler directed:relation=directed by Jaws:name=Jaws"},
		{"Who hated Jaws?", "(Jaws)-[directed by]->(?who)", "Who:filler hated:unread Jaws:name=Jaws"},
		{"Which films did Ann Oak direct after 1972?", "(?film)-[directed by]->(Ann Oak)", "Which:filler films:kind did:filler Ann:name=Ann Oak Oak:name=Ann Oak direct:relation=directed by after:unread 1972:unread"},
	} {
		ms, err := linker.Link(t.Context(), c.question)
		if err != nil {
			t.Fatal(err)
		}
		pat := byHand(t, g, c.pattern)
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
		"Which films did Ann Oak direct gladly?":     "unsure: The reading leaves “gladly” out.",
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

// byHand makes a pattern of one edge.
func byHand(t *testing.T, g *kg.Graph, text string) *pattern.Pattern {
	t.Helper()
	p := &pattern.Pattern{}
	from, rest, _ := strings.Cut(strings.TrimPrefix(text, "("), ")-[")
	relation, to, ok := strings.Cut(rest, "]->(")
	if !ok {
		t.Fatalf("no edge in %s", text)
	}
	for _, name := range []string{from, strings.TrimSuffix(to, ")")} {
		n := pattern.Node{Text: name, Variable: name[0] == '?'}
		for e := range kg.EntityID(g.Entities()) {
			if g.Label(e) == name {
				n.Entities = []kg.EntityID{e}
			}
		}
		if n.Variable {
			p.Asked = len(p.Nodes)
		}
		p.Nodes = append(p.Nodes, n)
	}
	for r := range kg.RelationID(g.Relations()) {
		if g.RelationKey(r) == relation {
			p.Edges = []pattern.Edge{{From: 0, To: 1, Relation: relation, Fixed: []kg.RelationID{r}, Direction: pattern.Forward}}
		}
	}
	return p
}

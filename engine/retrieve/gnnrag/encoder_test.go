package gnnrag

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/gradcheck"
	"cairn/internal/testing/testkg"
)

// asked is a question about topics, whose labels are marked by brackets.
func asked(tb testing.TB, g *kg.Graph, text string, answers ...string) questions.Example {
	tb.Helper()
	var q questions.Example
	for {
		before, rest, ok := strings.Cut(text, "[")
		q.Text += before
		if !ok {
			break
		}
		name, after, _ := strings.Cut(rest, "]")
		q.Spans = append(q.Spans, questions.Span{Start: len(q.Text), End: len(q.Text) + len(name)})
		q.Text += name
		q.Topics = append(q.Topics, entity(tb, g, name))
		text = after
	}
	for _, a := range answers {
		q.Answers = append(q.Answers, entity(tb, g, a))
	}
	slices.Sort(q.Answers)
	return q
}

func entity(tb testing.TB, g *kg.Graph, label string) kg.EntityID {
	tb.Helper()
	for e := range kg.EntityID(g.Entities()) {
		if g.Label(e) == label {
			return e
		}
	}
	tb.Fatalf("there is no entity %q", label)
	return 0
}

// lexicalWorld is a graph with the built-in embedder.
func lexicalWorld(g *kg.Graph) retrieve.World {
	e := embed.NewLexical(slices.Values([]string{"film", "director"}), lexicon.Builtin())
	return retrieve.World{Graph: g, Embed: func(_ context.Context, id string) (embed.Embedder, error) {
		if id != "" {
			return nil, nil
		}
		return e, nil
	}}
}

func films() *kg.Graph {
	return testkg.Build(
		"Alien|directed by|Ridley Scott", "Alien|starred actors|Sigourney Weaver",
		"Gladiator|directed by|Ridley Scott", "Gladiator|starred actors|Russell Crowe",
		"Heat|directed by|Michael Mann", "Heat|starred actors|Al Pacino",
		"The Insider|directed by|Michael Mann", "The Insider|starred actors|Russell Crowe",
	)
}

func TestTokensHaveOneWordForEachName(t *testing.T) {
	g := testkg.Build("The Way Back|directed by|Peter Weir")
	for _, test := range []struct{ text, want string }{
		{"who directed [The Way Back]?", "who directed *"},
		{"[The Way Back]'s director", "* 's director"},
		{"films by [Peter Weir] like [The Way Back]", "films by * like *"},
		{"", "*"},
		{"?", "*"},
	} {
		tokens, span := tokensOf(asked(t, g, test.text))
		var got []string
		for i, x := range tokens {
			if span[i] >= 0 {
				x.Lower = "*"
			}
			got = append(got, x.Lower)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("tokensOf(%q) = %q, want %q", test.text, s, test.want)
		}
	}
}

func TestNamesGoByTheirSpans(t *testing.T) {
	g := testkg.Build("Heat|directed by|Michael Mann", "Alien|directed by|Ridley Scott", "m1|directed by|Ridley Scott")
	m1 := entity(t, g, "m1")
	for _, test := range []struct {
		name string
		q    questions.Example
		want []named
	}{
		{"two names", asked(t, g, "is [Alien] like [Heat]"), []named{{0, []kg.EntityID{entity(t, g, "Alien")}}, {1, []kg.EntityID{entity(t, g, "Heat")}}}},
		{"one name of two", questions.Example{Text: "the heat", Topics: []kg.EntityID{m1, 0}, Spans: []questions.Span{{Start: 4, End: 8}}}, []named{{0, []kg.EntityID{m1, 0}}}},
		{"no names", questions.Example{Text: "x", Topics: []kg.EntityID{m1, 0}}, []named{{-1, []kg.EntityID{m1}}, {-1, []kg.EntityID{0}}}},
	} {
		if diff := cmp.Diff(test.want, namesOf(g, test.q), cmp.AllowUnexported(named{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

func TestVocabulary(t *testing.T) {
	g := testkg.Build("Heat|directed by|Michael Mann")
	v := newVocabulary([]questions.Example{asked(t, g, "who made [Heat]"), asked(t, g, "Who shot [Heat]")}, g)
	if diff := cmp.Diff([]string{"by", "directed", "who"}, v.Words); diff != "" {
		t.Errorf("words: (-want +got)\n%s", diff)
	}
	if !slices.Contains(v.Concepts, "director") {
		t.Errorf("concepts %v are without director", v.Concepts)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var again vocabulary
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*v, again); diff != "" {
		t.Errorf("saved and read: (-want +got)\n%s", diff)
	}
	known, unseen := v.compare(testkg.Build("Heat|directed by|Michael Mann", "Heat|was shot in|Los Angeles"))
	if known != 1 || len(unseen) != 1 || unseen[0] != "was shot in" {
		t.Errorf("compare = %d, %v, want 1, [was shot in]", known, unseen)
	}
}

func TestEncoderGradients(t *testing.T) {
	g := films()
	q := asked(t, g, "who directed [Alien] and xyzzy [Heat]")
	for _, name := range []string{tokensEncoder, "lexical"} {
		t.Run(name, func(t *testing.T) {
			p := nn.NewParams(1)
			e, err := newEncoder(t.Context(), p, name, newVocabulary([]questions.Example{q, q}, g), lexicalWorld(g), Options{Width: 6})
			if err != nil {
				t.Fatal(err)
			}
			w, err := e.words(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			gradcheck.CheckGradients(t, p, func(tape *nn.Tape) *nn.Tensor {
				states, whole := e.question(tape, w)
				forward, inverse := e.relations(tape, nil)
				some, _ := e.relations(tape, []kg.RelationID{1})
				return tape.Stack(states, whole, forward, inverse, some)
			})
		})
	}
}

func TestRelationsByIDAreThoseOfAll(t *testing.T) {
	g := films()
	p := nn.NewParams(1)
	e, err := newEncoder(t.Context(), p, tokensEncoder, newVocabulary(nil, g), retrieve.World{Graph: g}, Options{Width: 6})
	if err != nil {
		t.Fatal(err)
	}
	tape := nn.NewTape(p)
	tape.Begin(false, 0)
	_, all := e.relations(tape, nil)
	_, one := e.relations(tape, []kg.RelationID{1})
	if diff := cmp.Diff(all.Row(1), one.Row(0)); diff != "" {
		t.Errorf("relation 1 among all and by itself: (-all +one)\n%s", diff)
	}
}

func TestUnseenRelationIsKnownByItsName(t *testing.T) {
	v := newVocabulary(nil, films())
	p := nn.NewParams(1)
	g := testkg.Build("Heat|director|Michael Mann", "Heat|qqqq|Al Pacino", "Heat|directed by|Michael Mann")
	e, err := newEncoder(t.Context(), p, tokensEncoder, v, retrieve.World{Graph: g}, Options{Width: 6})
	if err != nil {
		t.Fatal(err)
	}
	x, ok := e.(*textEncoder)
	if !ok {
		t.Fatalf("newEncoder = %T, want a textEncoder", e)
	}
	if x.free[0] != -1 || x.free[2] < 0 {
		t.Errorf("rows of free vectors %v, want one for the known relation alone", x.free)
	}
	director, _ := x.rows.concepts["director"]
	if !slices.ContainsFunc(x.names.rows[0], func(m nn.Term) bool { return m.From == director }) {
		t.Errorf("the relation “director” is read as %v, without the concept %d", x.names.rows[0], director)
	}
}

func TestEncoderWithoutEmbedder(t *testing.T) {
	g := films()
	v := newVocabulary(nil, g)
	gone := errors.New("gone")
	for name, w := range map[string]retrieve.World{
		"none":    {Graph: g},
		"unknown": {Graph: g, Embed: func(context.Context, string) (embed.Embedder, error) { return nil, nil }},
		"broken":  {Graph: g, Embed: func(context.Context, string) (embed.Embedder, error) { return nil, gone }},
	} {
		if _, err := newEncoder(t.Context(), nn.NewParams(1), "lexical", v, w, Options{Width: 6}); err == nil {
			t.Errorf("%s: newEncoder fails not, want an error", name)
		} else if name == "broken" && !errors.Is(err, gone) {
			t.Errorf("%s: newEncoder fails with %v, want %v", name, err, gone)
		}
	}
}

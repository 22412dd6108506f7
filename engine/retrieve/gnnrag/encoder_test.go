package gnnrag

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/testing/gradcheck"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

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

func TestEncoderGradients(t *testing.T) {
	g := films()
	q := retrievetest.Asked(t, g, "who directed [Alien] and xyzzy [Heat]")
	for _, name := range []string{tokensEncoder, "lexical"} {
		t.Run(name, func(t *testing.T) {
			p := nn.NewParams(1)
			e, err := newEncoder(t.Context(), p, name, learn.NewVocabulary([]questions.Example{q, q}, g), lexicalWorld(g), Options{Width: 6})
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

// namesOnly is an encoder that knows no words but those of the relations of a graph, with a
// tape that does not train.
func namesOnly(t *testing.T, g *kg.Graph) (encoder, *nn.Tape) {
	t.Helper()
	p := nn.NewParams(1)
	e, err := newEncoder(t.Context(), p, tokensEncoder, learn.NewVocabulary(nil, g), retrieve.World{Graph: g}, Options{Width: 6})
	if err != nil {
		t.Fatal(err)
	}
	tape := nn.NewTape(p)
	tape.Begin(false, 0)
	return e, tape
}

func TestRelationsByIDAreThoseOfAll(t *testing.T) {
	g := films()
	e, tape := namesOnly(t, g)
	_, all := e.relations(tape, nil)
	_, one := e.relations(tape, []kg.RelationID{1})
	if diff := cmp.Diff(all.Row(1), one.Row(0)); diff != "" {
		t.Errorf("relation 1 among all and by itself: (-all +one)\n%s", diff)
	}
}

func TestUnseenRelationIsKnownByItsName(t *testing.T) {
	v := learn.NewVocabulary(nil, films())
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
	director := x.rows.Meaning(nil, "director")
	if len(director) == 0 || !slices.Contains(x.names.rows[0], director[0]) {
		t.Errorf("the relation “director” is read as %v, without the concept %v", x.names.rows[0], director)
	}
}

func TestEncoderWithoutEmbedder(t *testing.T) {
	g := films()
	v := learn.NewVocabulary(nil, g)
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

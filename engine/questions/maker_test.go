package questions_test

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/engine/questions"
	"cairn/internal/testing/testkg"
)

// planner makes the planner of a graph.
func planner(g *kg.Graph) *builtin.Planner {
	lex := lexicon.Builtin()
	return builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

func maker(g *kg.Graph) *questions.Maker { return questions.NewMaker(planner(g)) }

func newSampleMaker() (*kg.Graph, *questions.Maker) {
	g := testkg.Sample()
	return g, maker(g)
}

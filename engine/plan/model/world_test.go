package model

import (
	"context"
	"fmt"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/retrieve/simgrag"
)

// script is a model that gives its replies in turn, the last for ever.
type script struct {
	replies []string
	err     error
	room    int // tokens; 0 for no end
	got     []llm.Request
}

func replies(rs ...string) *script { return &script{replies: rs} }

func (s *script) Name() string { return "script" }

func (s *script) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	s.got = append(s.got, r)
	if s.err != nil {
		return llm.Reply{}, s.err
	}
	return llm.Reply{Text: s.replies[min(len(s.got), len(s.replies))-1]}, nil
}

// Room counts a token for three bytes.
func (s *script) Room(r llm.Request) int {
	if s.room == 0 {
		return 1
	}
	return s.room - len(r.Prompt)/3
}

func (s *script) purposes() []string {
	var out []string
	for _, r := range s.got {
		out = append(out, r.Purpose)
	}
	return out
}

// matcher grounds with the real matcher.
type matcher struct {
	g *kg.Graph
	v *link.Vocabulary
}

func (m matcher) Ground(ctx context.Context, p *pattern.Pattern) (Grounding, error) {
	r, err := simgrag.Search(ctx, m.g, p, m.v, simgrag.Options{K: 1})
	if err != nil || len(r.Candidates) == 0 {
		return Grounding{}, err
	}
	return Grounding{Found: true, Best: r.Candidates[0]}, nil
}

func (m matcher) Answers(ctx context.Context, p *pattern.Pattern) (es []kg.EntityID, whole bool, err error) {
	r, err := simgrag.Search(ctx, m.g, p, m.v, simgrag.Options{K: 1, AllBest: true})
	for _, b := range r.Answers {
		es = append(es, b.Entity)
	}
	return es, true, err
}

// around returns everything that planning needs of a graph.
func around(tb testing.TB, g *kg.Graph) World {
	tb.Helper()
	lex := lexicon.Builtin()
	labels := func(yield func(string) bool) {
		for e := range g.Entities() {
			if !yield(g.Label(kg.EntityID(e))) {
				return
			}
		}
	}
	v, err := link.NewVocabulary(tb.Context(), g, embed.NewLexical(labels, lex), nil)
	if err != nil {
		tb.Fatalf("NewVocabulary: %v", err)
	}
	l := link.NewLinker(g, v, lex)
	b := builtin.New(g, l, lex, builtin.Options{})
	return World{Graph: g, Lexicon: lex, Linker: l, Names: v, Grounder: matcher{g, v}, Schema: b, Fallback: b}
}

// without is a planner that makes the same plan of everything.
type without struct{ made plan.Plan }

func (without) Name() string { return "built-in" }

func (w without) Plan(_ context.Context, question string, mentions []link.Mention) (*plan.Plan, error) {
	made := w.made
	made.Question, made.Planner, made.Mentions = question, "built-in", mentions
	return &made, nil
}

// silent is a planner that reads nothing.
var silent = without{plan.Plan{Doubt: plan.NoRelation, Reason: "Nothing says what to look for."}}

// films is a graph of films and families.
func films() *kg.Graph {
	var b kg.Builder
	for _, t := range [][3]string{
		{"Heat", "directed_by", "Michael Mann"},
		{"Heat", "starred_actors", "Al Pacino"},
		{"Heat", "starred_actors", "Robert De Niro"},
		{"Heat", "release_year", "1995"},
		{"Collateral", "directed_by", "Michael Mann"},
		{"Collateral", "starred_actors", "Tom Cruise"},
		{"Collateral", "release_year", "2004"},
		{"Scarface", "directed_by", "Brian De Palma"},
		{"Scarface", "starred_actors", "Al Pacino"},
		{"Scarface", "release_year", "1983"},
		{"Casino", "directed_by", "Martin Scorsese"},
		{"Casino", "starred_actors", "Robert De Niro"},
		{"Casino", "release_year", "1995"},
		{"A Bronx Tale", "directed_by", "Robert De Niro"},
		{"A Bronx Tale", "starred_actors", "Robert De Niro"},
		{"A Bronx Tale", "release_year", "1993"},
		{"Sal Pacino", "child", "Al Pacino"},
		{"Al Pacino", "child", "Julie Pacino"},
		{"Al Pacino", "sibling", "Josette Pacino"},
		{"Roberta Pacino", "sibling", "Al Pacino"},
	} {
		b.Add(t[0], t[1], t[2])
	}
	for i := range 6 { // families enough to see that children are people with children
		b.Add(fmt.Sprint("Grandma ", i), "child", fmt.Sprint("Mother ", i))
		b.Add(fmt.Sprint("Mother ", i), "child", fmt.Sprint("Baby ", i))
	}
	return b.Graph()
}

// find writes a reply that asks for something.
func find(asked string, triples ...[3]string) string { return reply("find", asked, triples...) }

func reply(task, asked string, triples ...[3]string) string {
	f := answerForm{Divided: []string{"the whole"}, Triples: triples, Asked: asked, Task: task}
	return f.example("", fromPaper).Output
}

// answers returns the labels of what the first reading of a plan finds.
func answers(tb testing.TB, w World, p *plan.Plan) []string {
	tb.Helper()
	if len(p.Readings) == 0 {
		return nil
	}
	return answersOf(tb, w, p.Readings[0].Pattern)
}

func answersOf(tb testing.TB, w World, p *pattern.Pattern) []string {
	tb.Helper()
	es, _, err := w.Grounder.Answers(tb.Context(), p)
	if err != nil {
		tb.Fatalf("Answers: %v", err)
	}
	var out []string
	for _, e := range es {
		out = append(out, w.Graph.Label(e))
	}
	return out
}

// exactly links by equal labels only.
type exactly struct{ g *kg.Graph }

func (l exactly) Lookup(_ context.Context, text string, _ int) (cs []link.Candidate, err error) {
	for e := range kg.EntityID(l.g.Entities()) {
		if l.g.Label(e) == text {
			cs = append(cs, link.Candidate{Entity: e})
		}
	}
	return cs, nil
}

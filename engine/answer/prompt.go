package answer

import (
	"fmt"

	"cairn/assets/prompts"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// How much of a text of the user's, the graph's or the model's a prompt shows, in
// characters.
const (
	maxPromptLabel = check.MaxLabel
	maxPromptText  = check.MaxText
	maxPromptReply = 400
)

func promptWriter(g *kg.Graph, pack evidence.Pack) evidence.Writer {
	return evidence.Writer{
		Graph: g, Pack: pack,
		Quote: func(s string) string { return llm.Quote(s, maxPromptLabel) },
		Say:   func(t kg.TripleID) string { return llm.Quote(say.Capital(say.Triple(g, t)), 3*maxPromptLabel) + "." },
	}
}

// styleWords are what a prompt calls evidence in a style, and how it is read.
var styleWords = map[evidence.Style]struct{ Name, Note string }{
	evidence.Tuples:    {"evidences", "A triple (head, relation, tail) is directed: keep its direction."},
	evidence.Paths:     {"reasoning paths", "A step A → relation [T1] → B is the triple T1 with head A and tail B; A ← relation [T2] ← B is T2 with head B and tail A. Keep these directions."},
	evidence.Sets:      {"KG triples", "A line T1 head | relation | tail is a triple. It is directed: keep its direction. The triples of a match belong together."},
	evidence.Ends:      {"KG triples", "A line T1 head | relation | tail is a triple. It is directed: keep its direction. The triples of a match belong together; Match 1 fits best."},
	evidence.Sentences: {"statements", "Each line is one statement with its number. Keep who does what to whom."},
}

// text writes the prompt with the triples of the given numbers.
func (p *prompter) text(shown []int) (string, error) {
	name := prompts.AnswerQuestion
	if p.direct.Verdict != NoVerdict {
		name = prompts.AnswerClaim
	}
	words := styleWords[p.opts.Style]
	return llm.Prompt(name, struct {
		Question, Verdict, Name, Note string
		Examples                      [][]string
		Lines                         []string
		Left                          int
	}{
		Question: llm.Quote(p.question, maxPromptText), Verdict: p.direct.Verdict.Words(), Name: words.Name, Note: words.Note,
		Examples: examples(name, p.opts.Style), Lines: p.writer.Write(p.opts.Style, shown, p.matches),
		Left: len(p.order) - len(shown),
	})
}

// repair asks for a reply once more.
func repair(reply string, err error) string {
	return fmt.Sprintf(`
Your reply was: <<<%s>>>
It cannot be used: %s. Reply again with the JSON object alone, in exactly the form of note 8.
`, llm.Quote(reply, maxPromptReply), llm.Quote(err.Error(), maxPromptReply))
}

// shot is the evidence of one example of a prompt.
type shot struct {
	triples [][3]string
	matches [][]int // which triples make a match, by index; nil for all
	from    string  // what the question names
	to      []string
}

// shots are the evidence of the examples: SimGRAG's, and one of another field.
var shots = map[string][]shot{
	prompts.AnswerQuestion: {
		{
			triples: [][3]string{
				{"Anastasia", "starred actors", "Ingrid Bergman"},
				{"Spellbound", "starred actors", "Ingrid Bergman"},
				{"Spellbound", "written by", "Ben Hecht"},
				{"Anastasia", "starred actors", "John Cusack"},
				{"Floundering", "starred actors", "John Cusack"},
				{"Floundering", "written by", "Peter McCarthy"},
			},
			matches: [][]int{{0, 1, 2}, {3, 4, 5}},
			from:    "Anastasia", to: []string{"Ben Hecht", "Peter McCarthy"},
		},
		{
			triples: [][3]string{{"Austria", "capital", "Vienna"}, {"Austria", "currency", "euro"}},
			from:    "Vienna", to: []string{"euro"},
		},
	},
	prompts.AnswerClaim: {
		{
			triples: [][3]string{
				{"Mick Walker (footballer, born 1940)", "manager", "1993–94 Notts County F.C. season"},
				{"Mick Walker (footballer, born 1940)", "birth date", "1940-11-27"},
			},
			from: "Mick Walker (footballer, born 1940)", to: []string{"1993–94 Notts County F.C. season"},
		},
		{triples: [][3]string{{"Romano Prodi", "spouse", "Flavia Franzoni"}}, from: "Romano Prodi", to: []string{"Flavia Franzoni"}},
	},
}

// examples writes the examples' evidence in the style of the task's, so that
// what a model is shown and what it is given look alike.
func examples(prompt string, s evidence.Style) [][]string {
	return wording.Each(shots[prompt], func(x shot) []string { return x.write(s) })
}

func (x shot) write(s evidence.Style) []string {
	var b kg.Builder
	var all evidence.Candidate
	numbers := make([]int, len(x.triples))
	for i, t := range x.triples {
		all.Edges = append(all.Edges, b.Add(t[0], t[1], t[2]))
		numbers[i] = i + 1
	}
	matches := []evidence.Candidate{all}
	if x.matches != nil {
		matches = nil
	}
	for _, m := range x.matches {
		matches = append(matches, evidence.Candidate{Edges: wording.Each(m, func(i int) kg.TripleID { return all.Edges[i] })})
	}
	starts, ends := []kg.EntityID{b.Entity(x.from)}, wording.Each(x.to, b.Entity)
	w := promptWriter(b.Graph(), evidence.Pack{Triples: all.Edges})
	w.Starts, w.Ends = starts, ends
	return w.Write(s, numbers, matches)
}

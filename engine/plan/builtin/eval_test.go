package builtin_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/shared"
	"cairn/internal/testing/testkg"
)

// asked is one question of a data set with its gold answers.
type asked struct {
	text string
	gold map[string]bool
}

// dataSet is a graph with questions and the Hits@1 that planning must reach.
type dataSet struct {
	name      string
	graph     string // file
	separator string
	questions func(t *testing.T) []asked
	want      float64 // percent
}

var dataSets = []dataSet{
	{"MetaQA-1", "metaqa/kb.txt", "|", metaQA("1-hop/qa_dev.txt"), 97},
	{"MetaQA-2", "metaqa/kb.txt", "|", metaQA("2-hop/qa_dev.txt"), 99.9},
	{"MetaQA-3", "metaqa/kb.txt", "|", metaQA("3-hop/qa_dev.txt"), 99.9},
	{"MetaQA-1-paraphrased", "metaqa/kb.txt", "|", metaQA("1-hop/qa_dev_ntm.txt"), 92},
	{"PathQuestion-2", "pathquestion/2H-kb.txt", "\t", pathQuestion("PQ-2H.txt"), 98},
	{"PathQuestion-3", "pathquestion/3H-kb.txt", "\t", pathQuestion("PQ-3H.txt"), 97.5},
	{"WorldCup-path1", "worldcup2014/kb.txt", "\t", worldCup("path1.txt"), 99},
	{"WorldCup-path2", "worldcup2014/kb.txt", "\t", worldCup("path2.txt"), 99},
	{"WorldCup-conjunctive", "worldcup2014/kb.txt", "\t", worldCup("conjunctive.txt"), 99},
	{"WebQSP", "webqsp-cwq/freebase_subset.tsv", "\t", natural("webqsp_test.jsonl.gz"), 0},
	{"CWQ", "webqsp-cwq/freebase_subset.tsv", "\t", natural("cwq_test.jsonl.gz"), 0},
}

const (
	// sliceSize is how many questions of a set are asked where CAIRN_EVAL is not
	// set, and sliceSlack how much lower than the whole a slice may be, in points.
	sliceSize  = 120
	sliceSlack = 4
)

// TestEval plans and executes the questions of the data sets: a slice of them,
// or all where CAIRN_EVAL is set.
func TestEval(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the data sets")
	}
	type world struct {
		g *kg.Graph
		p *builtin.Planner
	}
	worlds := map[string]world{}
	for _, set := range dataSets {
		t.Run(set.name, func(t *testing.T) {
			w, ok := worlds[set.graph]
			if !ok {
				lex := lexicon.Builtin()
				w.g = readGraph(t, set.graph, set.separator)
				w.p = builtin.New(w.g, link.NewLinker(w.g, nil, lex), lex, builtin.Options{})
				worlds[set.graph] = w
			}
			evaluate(t, w.g, w.p, set)
		})
	}
}

// tally is what a run over a data set found.
type tally struct {
	n, hit, exact, sure, sureHit, abstained int
	took, worst                             time.Duration
	slowest                                 string
	errors                                  map[string]int
	example                                 map[string]string
}

func evaluate(t *testing.T, g *kg.Graph, p *builtin.Planner, set dataSet) {
	t.Helper()
	all := set.questions(t)
	stride := max(1, len(all)/sliceSize)
	if os.Getenv("CAIRN_EVAL") != "" {
		stride = 1
	}
	c := tally{errors: map[string]int{}, example: map[string]string{}}
	for i := 0; i < len(all); i += stride {
		start := time.Now()
		got, err := p.Plan(t.Context(), all[i].text, nil)
		if err != nil {
			t.Fatalf("Plan(%q): %v", all[i].text, err)
		}
		took := time.Since(start)
		c.took += took
		if took > c.worst {
			c.worst, c.slowest = took, all[i].text
		}
		c.count(g, all[i], got)
	}
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	t.Logf("n %d, Hits@1 %.2f, exact %.2f, sure %.2f of which Hits@1 %.2f, abstained %.2f; %v a question, worst %v (%.80s)",
		c.n, percent(c.hit, c.n), percent(c.exact, c.n), percent(c.sure, c.n), percent(c.sureHit, c.sure), percent(c.abstained, c.n),
		(c.took / time.Duration(max(1, c.n))).Round(time.Microsecond), c.worst.Round(time.Microsecond), c.slowest)
	c.logErrors(t)
	want := set.want
	if stride > 1 {
		want -= sliceSlack
	}
	if percent(c.hit, c.n) < want {
		t.Errorf("Hits@1 = %.2f, want %.2f at least", percent(c.hit, c.n), want)
	}
}

func (c *tally) count(g *kg.Graph, q asked, got *plan.Plan) {
	c.n++
	if len(got.Readings) == 0 {
		c.abstained++
		c.note("abstained: "+got.Reason, q.text)
		return
	}
	answers := testkg.Execute(g, got.Readings[0].Pattern)
	right := 0
	for _, a := range answers {
		if q.gold[g.Label(a)] {
			right++
		}
	}
	hit := len(answers) > 0 && q.gold[g.Label(answers[0])]
	if hit {
		c.hit++
	}
	if right == len(answers) && right == len(q.gold) {
		c.exact++
	}
	if got.Doubt == plan.Sure {
		c.sure++
		if hit {
			c.sureHit++
		}
	}
	if !hit {
		var path []string
		for _, e := range got.Readings[0].Pattern.Edges {
			path = append(path, e.Relation)
		}
		c.note(strings.Join(path, "/"), q.text+" → "+got.Readings[0].Text)
	}
}

func (c *tally) note(what, example string) {
	if c.errors[what]++; c.example[what] == "" {
		c.example[what] = example
	}
}

func (c *tally) logErrors(t *testing.T) {
	t.Helper()
	var kinds []string
	for k := range c.errors {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.errors[b], c.errors[a]), cmp.Compare(a, b))
	})
	for _, k := range kinds[:min(12, len(kinds))] {
		t.Logf("  %4d  %s", c.errors[k], c.example[k])
	}
}

// readGraph reads a file of triples.
func readGraph(t *testing.T, file, separator string) *kg.Graph {
	t.Helper()
	var b kg.Builder
	for _, line := range readLines(t, file) {
		if f := strings.Split(line, separator); len(f) >= 3 {
			b.Add(f[0], f[1], f[2])
		}
	}
	return b.Graph()
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(shared.Data(t, file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	var out []string
	for sc.Scan() {
		out = append(out, strings.TrimRight(sc.Text(), "\r"))
	}
	if err := sc.Err(); err != nil {
		t.Fatal(fmt.Errorf("read %s: %w", file, err))
	}
	return out
}

// metaQA reads questions of MetaQA without the brackets that mark the topic.
func metaQA(file string) func(t *testing.T) []asked {
	return func(t *testing.T) []asked {
		t.Helper()
		var out []asked
		for _, line := range readLines(t, "metaqa/"+file) {
			text, answers, ok := strings.Cut(line, "\t")
			if ok {
				out = append(out, asked{strings.NewReplacer("[", "", "]", "").Replace(text), set(answers, "|")})
			}
		}
		return out
	}
}

// pathQuestion reads questions of PathQuestion: "answer(answer/answer/)".
func pathQuestion(file string) func(t *testing.T) []asked {
	return func(t *testing.T) []asked {
		t.Helper()
		var out []asked
		for _, line := range readLines(t, "pathquestion/"+file) {
			f := strings.Split(line, "\t")
			if len(f) < 3 {
				continue
			}
			first, rest, _ := strings.Cut(f[1], "(")
			gold := set(strings.TrimSuffix(rest, ")"), "/")
			gold[first] = true
			out = append(out, asked{f[0], gold})
		}
		return out
	}
}

func worldCup(file string) func(t *testing.T) []asked {
	return func(t *testing.T) []asked {
		t.Helper()
		var out []asked
		for _, line := range readLines(t, "worldcup2014/"+file) {
			if f := strings.Split(line, "\t"); len(f) >= 4 {
				out = append(out, asked{f[0], set(f[3], "/")})
			}
		}
		return out
	}
}

func set(list, separator string) map[string]bool {
	out := map[string]bool{}
	for part := range strings.SplitSeq(list, separator) {
		if part != "" {
			out[part] = true
		}
	}
	return out
}

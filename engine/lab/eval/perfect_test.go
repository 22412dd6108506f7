package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/llm"
	bymodel "cairn/engine/plan/model"
	"cairn/internal/testing/shared"
)

// perfect is a model that always writes the pattern that a question's gold chain
// stands for, in the words of the paper's prompt: what it reaches is what
// planning by model, matching and answering leave of a perfect reply.
type perfect struct{ replies, chains map[string]string }

func (*perfect) Name() string { return "perfect" }

func (m *perfect) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	text := strings.TrimSpace(r.Prompt)
	at := strings.LastIndex(text, "query: <<<")
	question, _, _ := strings.Cut(text[at+len("query: <<<"):], ">>>")
	replies := m.replies
	if r.Purpose == "relation chains" {
		replies = m.chains
	}
	reply, ok := replies[question]
	if !ok {
		return llm.Reply{}, fmt.Errorf("the question %q is not of the set", question)
	}
	return llm.Reply{Text: reply}, nil
}

// metaQAKind is what a model would call the far end of a step of MetaQA.
var metaQAKind = map[string]string{
	"starred_actors": "actor", "directed_by": "director", "written_by": "writer", "release_year": "year",
	"has_genre": "genre", "in_language": "language", "has_tags": "tag", "has_imdb_rating": "rating", "has_imdb_votes": "votes",
}

// perfectChains writes a gold chain as a reply to the prompt for relation chains,
// which says nothing of directions.
func perfectChains(c Chain) (string, error) {
	var relations []string
	for _, s := range c.Steps {
		relations = append(relations, kg.RelationText(s.Relation))
	}
	b, err := json.Marshal(map[string]any{"chains": []any{map[string]any{"from": c.Topic, "relations": relations}}})
	return string(b), err
}

// perfectReply writes a gold chain as a reply, as the prompt asks for it.
func perfectReply(c Chain) (string, error) {
	var f struct {
		Divided []string    `json:"divided"`
		Triples [][3]string `json:"triples"`
		Asked   string      `json:"asked"`
		Task    string      `json:"task"`
		Negated bool        `json:"negated"`
	}
	f.Divided, f.Task = []string{"the whole"}, "find"
	at := c.Topic
	for i, s := range c.Steps {
		kind := "movie"
		if !s.Inverse {
			kind = cmp.Or(metaQAKind[s.Relation], "thing")
		}
		f.Asked = fmt.Sprintf("UNKNOWN %s %d", kind, i+1)
		t := [3]string{at, kg.RelationText(s.Relation), f.Asked}
		if s.Inverse {
			t[0], t[2] = t[2], t[0]
		}
		f.Triples = append(f.Triples, t)
		at = f.Asked
	}
	b, err := json.Marshal(f)
	return string(b), err
}

// TestPerfectModel measures what a perfect reply reaches through the planner by
// model on MetaQA: as much as the oracle, whose patterns are the gold chains.
func TestPerfectModel(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("asks 39,138 questions in four ways; set CAIRN_EVAL to run this test")
	}
	dir := filepath.Dir(filepath.Dir(shared.Data(t, "metaqa/kb.txt")))
	o := Options{Dataset: "metaqa", Groups: []string{"1-hop", "2-hop", "3-hop"}, Dir: dir}
	m := &perfect{replies: map[string]string{}, chains: map[string]string{}}
	for _, g := range metaQA().Groups[:3] {
		qs, err := g.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range qs {
			text := llm.Quote(q.Text, 2000)
			if m.replies[text], err = perfectReply(q.Chains[0]); err != nil {
				t.Fatal(err)
			}
			if m.chains[text], err = perfectChains(q.Chains[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := func(planner string, choices bymodel.Options) []Row {
		o.Planner, o.Model, o.Planning = planner, m, choices
		table, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return table.Rows
	}
	oracle := run("oracle", bymodel.Options{})
	for _, test := range []struct {
		name string
		o    bymodel.Options
		// least is how much of the oracle's Hits@1 must be reached.
		least float64
	}{
		{"alone", bymodel.Options{Alone: true}, 1},
		// Where both are sure of different things, the built-in planner's is followed.
		{"held against the built-in planner", bymodel.Options{}, 0.998},
		// Relations without directions leave films and people of one name open.
		{"chains alone", bymodel.Options{Chains: true, Alone: true}, 0.998},
	} {
		for i, row := range run("model", test.o) {
			want, got := oracle[i].Scores, row.Scores
			percent := func(n float64) float64 { return 100 * n / float64(got.N) }
			t.Logf("%s, %s: n %d, Hits@1 %.2f (oracle %.2f), exact %.2f (%.2f), sure %.2f", row.Group, test.name, got.N,
				percent(got.Hits1), percent(want.Hits1), percent(got.Exact), percent(want.Exact), percent(float64(got.SureN)))
			if got.N != want.N || got.Hits1 < test.least*want.Hits1 || got.Exact < test.least*want.Exact {
				t.Errorf("%s, %s: %+v, want %g of the oracle's %+v", row.Group, test.name, *got, test.least, *want)
			}
		}
	}
}

// poor is a model whose replies are well-formed patterns that have nothing to do
// with the question but a name of it. They tempt: half of them have one relation,
// which the named thing really has, so that they match.
type poor struct {
	topics map[string]string
	steps  map[string][]Step // by the label of what they begin at
	all    []string          // relations
}

func (*poor) Name() string { return "poor" }

func (m *poor) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	text := strings.TrimSpace(r.Prompt)
	at := strings.LastIndex(text, "query: <<<")
	question, _, _ := strings.Cut(text[at+len("query: <<<"):], ">>>")
	h := fnv.New64a()
	h.Write([]byte(question))
	rng := rand.New(rand.NewPCG(h.Sum64(), 1))
	c := Chain{Topic: m.topics[question]}
	if own := m.steps[c.Topic]; len(own) > 0 {
		c.Steps = append(c.Steps, own[rng.IntN(len(own))])
	}
	for len(c.Steps) == 0 || len(c.Steps) < 3 && rng.IntN(2) == 0 {
		c.Steps = append(c.Steps, Step{Relation: m.all[rng.IntN(len(m.all))], Inverse: rng.IntN(2) == 0})
	}
	reply, err := perfectReply(c)
	return llm.Reply{Text: reply}, err
}

// newPoor returns a poor model for the questions of a set.
func newPoor(t *testing.T, d *Dataset, dir string) *poor {
	t.Helper()
	m := &poor{topics: map[string]string{}, steps: map[string][]Step{}}
	for _, s := range d.KG {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(s.File)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			cells := strings.FieldsFunc(strings.TrimSpace(line), func(r rune) bool { return r == '\t' || r == '|' })
			if len(cells) != 3 {
				continue
			}
			m.steps[cells[0]] = append(m.steps[cells[0]], Step{Relation: cells[1]})
			m.steps[cells[2]] = append(m.steps[cells[2]], Step{Relation: cells[1], Inverse: true})
			m.all = append(m.all, cells[1])
		}
	}
	slices.Sort(m.all)
	m.all = slices.Compact(m.all)
	for _, g := range d.Groups {
		qs, err := g.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range qs {
			if len(q.Topics) > 0 {
				m.topics[llm.Quote(q.Text, 2000)] = q.Topics[0]
			}
		}
	}
	return m
}

// TestPoorModel: with a model that is wrong no more answers are sure and wrong than
// without it, and hardly fewer are right.
func TestPoorModel(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the data sets")
	}
	dir := filepath.Dir(filepath.Dir(shared.Data(t, "metaqa/kb.txt")))
	o := Options{Dir: dir, Sample: 60, Seed: 2}
	slack := 1.0 // one of 60 is chance: a wrong reading that both agree on is sure
	if os.Getenv("CAIRN_EVAL") != "" {
		o.Sample, slack = 2000, 0
	}
	for _, test := range []struct {
		d *Dataset
		// most is the share of answers that may be lost. Questions as people put
		// them leave the planner without a model in doubt four times in five.
		most float64
	}{
		{metaQA(), 0.005}, {webQSP(), 0.05}, {cwq(), 0.05},
	} {
		shared.Data(t, test.d.KG[0].File)
		o.Dataset, o.Model = test.d.Name, newPoor(t, test.d, dir)
		run := func(planner string) []Row {
			o.Planner = planner
			table, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			return table.Rows
		}
		without, with := run("built-in"), run("model")
		for i, row := range with {
			name := test.d.Name + " " + row.Group
			t.Logf("%s: of %d, first answers right with the poor model %.0f, without %.0f; sure %d and %d", name, row.Scores.N,
				row.Scores.Hits1, without[i].Scores.Hits1, row.Scores.SureN, without[i].Scores.SureN)
			sureWrong := func(s *Scores) float64 { return float64(s.SureN) - s.SureHits1 }
			t.Logf("%s: sure and wrong with it %.0f, without %.0f", name, sureWrong(row.Scores), sureWrong(without[i].Scores))
			if sureWrong(row.Scores) > sureWrong(without[i].Scores)+slack {
				t.Errorf("%s: %.0f answers are sure and wrong with the poor model, %.0f without", name, sureWrong(row.Scores), sureWrong(without[i].Scores))
			}
			if lost := without[i].Scores.Hits1 - row.Scores.Hits1; lost > test.most*float64(row.Scores.N) {
				t.Errorf("%s: the poor model makes %.0f answers wrong", name, lost)
			}
		}
	}
}

// TestGoodModel measures a model that reads questions as people put them better than
// the planner without one does: its reply is the way of one or two steps from a name of
// the question whose ends are most like the gold answers.
func TestGoodModel(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("asks 814 questions three times; set CAIRN_EVAL to run this test")
	}
	dir := filepath.Dir(filepath.Dir(shared.Data(t, "metaqa/kb.txt")))
	m := &perfect{replies: map[string]string{}}
	g := readTriples(t, filepath.Join(dir, filepath.FromSlash(webQSP().KG[0].File)))
	qs, err := webQSP().Groups[0].Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range qs {
		var best Chain
		most := 0.0
		for _, topic := range q.Topics {
			for _, c := range g.chains(topic) {
				found := g.ends(c)
				right := 0
				for e := range found {
					right += int(one(slices.Contains(q.Gold, e)))
				}
				if f := f1(share(right, len(found)), share(right, len(q.Gold))); f > most {
					best, most = c, f
				}
			}
		}
		text := llm.Quote(q.Text, 2000)
		if m.replies[text] = "{}"; most > 0 {
			if m.replies[text], err = perfectReply(best); err != nil {
				t.Fatal(err)
			}
		}
	}
	hits := func(planner string, alone bool) float64 {
		table, err := Run(t.Context(), Options{Dataset: webQSP().Name, Dir: dir, Model: m, Planner: planner, Planning: bymodel.Options{Alone: alone}})
		if err != nil {
			t.Fatal(err)
		}
		return table.Rows[0].Scores.Hits1
	}
	alone, without, decided := hits("model", true), hits("built-in", false), hits("model", false)
	t.Logf("of %d, first answers right with the good model alone %.0f, held against the built-in planner %.0f, without it %.0f", len(qs), alone, decided, without)
	if decided < without {
		t.Errorf("the good model makes %.0f answers wrong", without-decided)
	}
}

// hops are the steps from each name, with what each leads to.
type hops map[string][]hop

type hop struct {
	step Step
	to   string
}

// readTriples reads a file of triples, a tab between their parts.
func readTriples(t *testing.T, path string) hops {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := hops{}
	for line := range strings.Lines(string(text)) {
		if x := strings.Split(strings.TrimSpace(line), "\t"); len(x) == 3 {
			h[x[0]] = append(h[x[0]], hop{Step{Relation: x[1]}, x[2]})
			h[x[2]] = append(h[x[2]], hop{Step{Relation: x[1], Inverse: true}, x[0]})
		}
	}
	return h
}

// chains are the ways of one step from a name, and then those of two.
func (h hops) chains(from string) (all []Chain) {
	seen := map[string]bool{}
	add := func(steps ...Step) {
		if key := fmt.Sprint(steps); !seen[key] {
			seen[key] = true
			all = append(all, Chain{Topic: from, Steps: steps})
		}
	}
	for _, a := range h[from] {
		add(a.step)
	}
	for _, a := range h[from] {
		for _, b := range h[a.to] {
			add(a.step, b.step)
		}
	}
	return all
}

// ends are what a way leads to, but for where it begins.
func (h hops) ends(c Chain) map[string]bool {
	at := map[string]bool{c.Topic: true}
	for _, s := range c.Steps {
		next := map[string]bool{}
		for from := range at {
			for _, x := range h[from] {
				if x.step == s && x.to != c.Topic {
					next[x.to] = true
				}
			}
		}
		at = next
	}
	return at
}

package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/internal/shared"
	"cairn/engine/kg"
	"cairn/engine/llm"
)

// perfect is a model that always writes the pattern that a question's gold chain
// stands for, in the words of the paper's prompt: what it reaches is what
// planning by model, matching and answering leave of a perfect reply.
type perfect struct{ replies map[string]string }

func (*perfect) Name() string { return "perfect" }

func (m *perfect) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	text := strings.TrimSpace(r.Prompt)
	at := strings.LastIndex(text, "query: <<<")
	question, _, _ := strings.Cut(text[at+len("query: <<<"):], ">>>")
	reply, ok := m.replies[question]
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
			kind = metaQAKind[s.Relation]
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
// It asks a slice of each part, or all where CAIRN_EVAL is set.
func TestPerfectModel(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the data sets")
	}
	dir := filepath.Dir(filepath.Dir(shared.Data(t, "metaqa/kb.txt")))
	o := Options{Dataset: "metaqa", Groups: []string{"1-hop", "2-hop", "3-hop"}, Dir: dir, Sample: 150, Seed: 1}
	if os.Getenv("CAIRN_EVAL") != "" {
		o.Sample = 0
	}
	m := &perfect{replies: map[string]string{}}
	for _, g := range metaQA().Groups[:3] {
		qs, err := g.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range qs {
			if m.replies[llm.Quote(q.Text, 2000)], err = perfectReply(q.Chains[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := func(planner string, alone bool) []Row {
		o.Planner, o.Model, o.Planning.Alone = planner, m, alone
		table, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return table.Rows
	}
	oracle := run("oracle", false)
	for name, rows := range map[string][]Row{"model alone": run("model", true), "model held against the built-in planner": run("model", false)} {
		for i, row := range rows {
			want, got := oracle[i].Scores, row.Scores
			of := float64(got.N) / 100
			t.Logf("%s, %s: n %d, Hits@1 %.2f, exact %.2f (oracle %.2f, %.2f), sure %.2f", row.Group, name, got.N,
				float64(got.Hits1)/of, float64(got.Exact)/of, float64(want.Hits1)/of, float64(want.Exact)/of, float64(got.SureN)/of)
			if got.N != want.N || got.Hits1 < want.Hits1 || got.Exact < want.Exact {
				t.Errorf("%s, %s: %+v, want no less than the oracle's %+v", row.Group, name, *got, *want)
			}
		}
	}
}

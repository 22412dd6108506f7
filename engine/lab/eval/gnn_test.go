package eval

import (
	stdcmp "cmp"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
)

var update = flag.Bool("update", false, "write the golden tables again")

// trainSet is miniSet with questions to learn from: those that are measured.
func trainSet(t *testing.T) string {
	t.Helper()
	dir := miniSet(t)
	for _, hop := range []string{"1-hop", "2-hop"} {
		path := filepath.Join(dir, "metaqa", hop)
		b, err := os.ReadFile(filepath.Join(path, "qa_dev.txt"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(filepath.Join(path, "qa_train.txt.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		if _, err := z.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if b, err = os.ReadFile(filepath.Join(path, "qa_dev_qtype.txt")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "qa_train_qtype.txt"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pupil stands in for a trained network: it knows who directed what, and when the
// films of a director came out. Of Film A it holds the year for possible too, and
// with an even seed it knows nothing of Film B.
type pupil struct {
	graph *kg.Graph
	seed  uint64
}

func (p pupil) Rank(_ context.Context, q questions.Example, o gnnrag.RetrieveOptions) (evidence.Found, error) {
	if len(q.Topics) == 0 {
		return evidence.Found{}, gnnrag.ErrNoSeed
	}
	topic := q.Topics[0]
	res := evidence.Found{Region: evidence.Region{Entities: 10, Triples: 20}}
	if p.seed%2 == 0 && p.graph.Label(topic) == "Film B" {
		return res, nil
	}
	add := func(probability float64, entities []kg.EntityID, hops ...kg.TripleID) {
		each := make([][]kg.TripleID, len(hops))
		for i, h := range hops {
			each[i] = []kg.TripleID{h}
		}
		path := evidence.Path(append([]kg.EntityID{topic}, entities...), each, "")
		res.Answers = append(res.Answers, evidence.Answer{Entity: path.End(), Score: evidence.Score{Value: probability, Scale: evidence.Probability}})
		res.Candidates = append(res.Candidates, path)
	}
	for _, e := range p.graph.Out(topic) {
		relation := p.graph.RelationKey(p.graph.Triple(e.Triple).Relation)
		switch {
		case relation == "directed_by":
			add(0.97, []kg.EntityID{e.Entity}, e.Triple)
		case p.graph.Label(topic) == "Film A" && o.Mass != 0.75:
			add(0.02, []kg.EntityID{e.Entity}, e.Triple)
		}
	}
	for _, film := range p.graph.In(topic) {
		for _, e := range p.graph.Out(film.Entity) {
			if e.Entity != topic {
				add(0.5, []kg.EntityID{film.Entity, e.Entity}, film.Triple, e.Triple)
			}
		}
	}
	return res, nil
}

// lessonOf is what a pupil was taught.
type lessonOf struct{ train, held []questions.Example }

// pupils train pupils, and note what they are taught.
func pupils(taught *[]lessonOf) trainer {
	return func(_ context.Context, w gnnrag.World, train, held []questions.Example, o gnnrag.Options, _ *gnnrag.Events) (gnnrag.About, retriever, error) {
		*taught = append(*taught, lessonOf{train, held})
		return gnnrag.About{Options: o, Epochs: 3, Tries: 1, Weights: 1234}, pupil{w.Graph, o.Seed}, nil
	}
}

// What differs from run to run, and the padding that goes with it.
var (
	measured = regexp.MustCompile(`\d+\.\d\d / \d+\.\d\d / \d+\.\d +- +\d+|\d+ MB`)
	padding  = regexp.MustCompile(` {2,}`)
)

func TestGNNTable(t *testing.T) {
	var taught []lessonOf
	var seen []string
	var failures strings.Builder
	table, err := RunGNN(t.Context(), GNNOptions{
		Dataset: "metaqa", Groups: []string{"1", "2"}, Dir: trainSet(t), Train: 5, Together: true, Seeds: 2, Seed: 1,
		Masses: []float64{0.75, 0.99}, Failures: &failures, train: pupils(&taught),
		Row: func(r GNNRow) { seen = append(seen, fmt.Sprintf("%s, seed %d", r.Part, r.Seed)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1-hop, seed 1", "2-hop, seed 1", "1-hop, seed 2", "2-hop, seed 2"}; !slices.Equal(seen, want) {
		t.Errorf("rows in the order %v, want %v", seen, want)
	}
	var b strings.Builder
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	got := padding.ReplaceAllString(measured.ReplaceAllString(b.String(), "-"), "  ") + "\n" + failures.String()
	path := filepath.Join("testdata", "gnn.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the table changed; look at it and run with -update (-want +got):\n%s", diff)
	}
	for i, l := range taught {
		if len(l.train) != 10 || len(l.held) != 1 {
			t.Errorf("network %d learnt from %d questions and was picked by %d, want 10 and 1", i+1, len(l.train), len(l.held))
		}
		for _, h := range l.held {
			if slices.ContainsFunc(l.train, func(x questions.Example) bool { return x.Text == h.Text }) {
				t.Errorf("network %d learnt from %q and was picked by it", i+1, h.Text)
			}
		}
	}
}

func TestGNNFolds(t *testing.T) {
	var p part
	for i := range 23 {
		if i%5 == 4 { // asked once more
			again := p.questions[i-1]
			again.ID = fmt.Sprint(i)
			p.questions = append(p.questions, again)
			continue
		}
		p.questions = append(p.questions, Question{ID: fmt.Sprint(i), Text: fmt.Sprintf("who made thing %d in way %d", i, i%7), Topics: []string{fmt.Sprintf("thing %d", i)}})
	}
	for _, o := range []GNNOptions{{Folds: 5}, {Folds: 5, HeldWordings: true}, {Folds: 4, Sample: 9}} {
		l := lesson{parts: []part{p}}
		if err := l.plan(&o); err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, r := range l.rounds {
			for _, q := range r.asked[0] {
				if asked[q.ID] {
					t.Errorf("%+v: question %s is measured twice", o, q.ID)
				}
				asked[q.ID] = true
				for _, x := range slices.Concat(r.train, r.held) {
					if x.Text == q.Text || o.HeldWordings && wordingOf(x) == wordingOf(q) {
						t.Errorf("%+v: question %s is measured by a network that learnt from %s", o, q.ID, x.ID)
					}
				}
			}
			if len(r.train) < 8 || len(r.held) == 0 && !o.HeldWordings {
				t.Errorf("%+v: a network learns from %d questions and is picked by %d", o, len(r.train), len(r.held))
			}
		}
		if want := stdcmp.Or(o.Sample, len(p.questions)); len(asked) != want {
			t.Errorf("%+v: %d questions are measured, want %d", o, len(asked), want)
		}
	}
}

func TestWordingHasNoTopic(t *testing.T) {
	for _, same := range [][2]Question{
		{{Marked: "who directed [Film A]"}, {Marked: "who directed [Heat  2]"}},
		{{Text: "who is ann 's spouse", Topics: []string{"ann"}}, {Text: "who is bob 's spouse", Topics: []string{"bob"}}},
	} {
		if a, b := wordingOf(same[0]), wordingOf(same[1]); a != b {
			t.Errorf("%+v and %+v have the wordings %d and %d, want one", same[0], same[1], a, b)
		}
	}
	if a, b := wordingOf(Question{Marked: "who directed [Heat]"}), wordingOf(Question{Marked: "who wrote [Heat]"}); a == b {
		t.Error("two wordings are taken for one")
	}
}

func TestStrict(t *testing.T) {
	answers := []evidence.Answer{{Score: evidence.Score{Value: 0.5}}, {Score: evidence.Score{Value: 0.25}}, {Score: evidence.Score{Value: 0.25}}, {Score: evidence.Score{Value: 0.1}}}
	for _, test := range []struct {
		mass float64
		want int
	}{{0.4, 1}, {0.5, 2}, {0.75, 3}, {0.95, 3}, {1.1, 4}} {
		if got := strict(answers, test.mass); got != test.want {
			t.Errorf("strict(%v) = %d, want %d", test.mass, got, test.want)
		}
	}
}

func TestGNNPublished(t *testing.T) {
	d := &Dataset{Published: func(string) (map[string]map[string][]string, error) {
		return map[string]map[string][]string{
			"1": {"rearev-sbert": {"x", "y"}},
			"2": {"rearev-sbert": {"z"}},
			"9": {"rearev-sbert": {"not asked"}},
		}, nil
	}}
	asked := [][]Question{{{ID: "1", Gold: []string{"y"}}, {ID: "2", Gold: []string{"z"}}}}
	got, err := published(d, []lesson{{parts: []part{{Group: Group{Name: "half"}}}, rounds: []round{{asked: asked}}}}, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []PublishedRow{{Part: "half", Name: publishedNames["rearev-sbert"], Scores: Scores{N: 2, Hits1: 1, Hit: 2, AMR: 2, Precision: 1.5, F1: 1 + 2./3, Exact: 1}}}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

func TestGNNRefusals(t *testing.T) {
	var taught []lessonOf
	if _, err := RunGNN(t.Context(), GNNOptions{Dataset: "nosuch", train: pupils(&taught)}); err == nil {
		t.Error("an unknown set is measured")
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "factkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "factkg", "claims.jsonl"), []byte(`{"id":"1","claim":"A is B.","label":true}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RunGNN(t.Context(), GNNOptions{Dataset: "factkg", Dir: dir, train: pupils(&taught)}); err == nil || !strings.Contains(err.Error(), "claims") {
		t.Errorf("claims are measured: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	table, err := RunGNN(ctx, GNNOptions{
		Dataset: "metaqa", Groups: []string{"1", "2"}, Dir: trainSet(t), Train: 5, train: pupils(&taught),
		Row: func(GNNRow) { cancel() },
	})
	if !errors.Is(err, context.Canceled) || table == nil || len(table.Rows) != 1 {
		t.Errorf("RunGNN, interrupted after the first row = %+v, %v", table, err)
	}
}

// TestGNNLearns trains a real network on eight films, and measures it on them.
func TestGNNLearns(t *testing.T) {
	for _, linked := range []bool{false, true} {
		table, err := RunGNN(t.Context(), GNNOptions{Dataset: "metaqa", Groups: []string{"1"}, Dir: trainSet(t), Train: 8, Seed: 1, Linked: linked})
		if err != nil {
			t.Fatal(err)
		}
		if r := table.Rows[0]; r.Scores.Exact != 8 || r.Region.All != 1 || r.Paths.Covered != 8 || r.Trained.Epochs == 0 {
			t.Errorf("linked %v: the network that learnt all questions: %+v", linked, r)
		}
	}
}

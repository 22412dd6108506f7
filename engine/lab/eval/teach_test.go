package eval

import (
	stdcmp "cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/questions"
)

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

func TestTrainedMethodIsMeasured(t *testing.T) {
	var seen []string
	o := Options{
		Dataset: "metaqa", Groups: []string{"1", "2"}, Dir: trainSet(t), Retriever: "gnn", Seed: 1, Journal: filepath.Join(t.TempDir(), "journal.jsonl"),
		Teaching: Teaching{Train: 7, Together: true, Seeds: 2}, Row: func(r Row) { seen = append(seen, r.part()) },
	}
	table, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1-hop, seed 1", "2-hop, seed 1", "1-hop, seed 2", "2-hop, seed 2"}; !slices.Equal(seen, want) {
		t.Errorf("rows in the order %v, want %v", seen, want)
	}
	for _, r := range table.Rows {
		if m := r.Trained; m.Models != 1 || m.Epochs == 0 || m.Last.About.Questions != 14 || m.Last.About.Held != 1 {
			t.Errorf("%s: trained %+v, want one model that learned from 14 questions and was picked by 1", r.part(), m)
		}
		if r.Scores.N != 8 || r.Strict.N != 8 || r.Scores.Exact < 6 || r.Tokens == 0 || r.Set == 0 || r.Entities != 20 {
			t.Errorf("%s: %+v", r.part(), r)
		}
	}
	var b strings.Builder
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1-hop, worst", "2-hop, mean", "learned from 7 questions of each part's training split", "sure and wrong"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}

	// What the journal has is neither asked nor learned again.
	o.TrainEvents = &engine.TrainEvents{Data: func(engine.TrainingData) { t.Error("it was trained again") }}
	again, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range again.Rows {
		if diff := cmp.Diff(table.Rows[i].Scores, r.Scores); diff != "" {
			t.Errorf("%s from the journal (-want +got):\n%s", r.part(), diff)
		}
	}
	o.Given = true
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "given false, here true") {
		t.Errorf("the journal of another evaluation: %v", err)
	}
}

// TestGivenTopics has names told that the question does not hold.
func TestGivenTopics(t *testing.T) {
	dir := trainSet(t)
	if err := os.WriteFile(filepath.Join(dir, "metaqa", "1-hop", "qa_dev.txt"), []byte("who directed it, [Film A]?\tDirector A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	eng, _, err := open(t.Context(), filepath.Join(dir, "films.cairn"), dir, metaQA().KG, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	w := world{eng.Graph(), namesOf(eng.Graph()), questions.NewGrounder(eng.Graph())}
	got, err := w.given(t.Context(), Question{Text: "who directed film b and that other one", Topics: []string{"Film A", "Film B", "Film B", "Nothing"}})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range got {
		texts = append(texts, fmt.Sprintf("%d-%d %s = %s", m.Start, m.End, m.Text, eng.Graph().Label(m.Candidates[0].Entity)))
	}
	if want := []string{"0-0 Film A = Film A", "13-19 film b = Film B"}; !slices.Equal(texts, want) {
		t.Errorf("given = %q, want %q", texts, want)
	}
	// Of what is linked, what the names are among is told, where it says more.
	id := func(name string) kg.EntityID { return w.names.entities[name][0] }
	linked := []link.Mention{
		{Start: 13, End: 17, Text: "film", Strength: 0.1, Candidates: []link.Candidate{{Entity: id("Film A")}}},
		{Start: 27, End: 32, Text: "other", Strength: 0.1, Candidates: []link.Candidate{{Entity: id("Film A")}, {Entity: id("Director A")}}},
		{Start: 33, End: 36, Text: "one", Candidates: []link.Candidate{{Entity: id("Film A")}}},
	}
	among := w.among(Question{Among: []string{"Film B", "Director A"}}, got, linked)
	if last := among[len(among)-1]; len(among) != 3 || last.Text != "other" || last.Strength < 1 || len(last.Candidates) != 1 || last.Candidates[0].Entity != id("Director A") {
		t.Errorf("told are %+v", among)
	}
	got[0].Start, got[0].End = 13, 17
	run, err := eng.Ask(t.Context(), "who directed that?", engine.AskOptions{Mentions: got[:1]}, nil)
	if err != nil || run.Answer == nil || len(run.Answer.Items) != 1 || run.Answer.Items[0].Label != "Director A" {
		t.Errorf("asked of a given name: %+v, %v", run, err)
	}
}

func TestFolds(t *testing.T) {
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
	for _, o := range []Options{{Teaching: Teaching{Folds: 5}}, {Teaching: Teaching{Folds: 5, HeldWordings: true}}, {Teaching: Teaching{Folds: 4}, Sample: 9}} {
		o.info.Trained = true
		l := lesson{parts: []part{p}}
		if err := l.plan(&o); err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, r := range l.rounds {
			for _, at := range r.asked[0] {
				q := l.parts[0].questions[at]
				if asked[q.ID] {
					t.Errorf("%+v: question %s is measured twice", o.Teaching, q.ID)
				}
				asked[q.ID] = true
				for _, x := range slices.Concat(r.train, r.held) {
					if x.Text == q.Text || o.Teaching.HeldWordings && wordingOf(x) == wordingOf(q) {
						t.Errorf("%+v: question %s is measured by a network that learnt from %s", o.Teaching, q.ID, x.ID)
					}
				}
			}
			if len(r.train) < 8 || len(r.held) == 0 && !o.Teaching.HeldWordings {
				t.Errorf("%+v: a network learns from %d questions and is picked by %d", o.Teaching, len(r.train), len(r.held))
			}
		}
		if want := stdcmp.Or(o.Sample, len(p.questions)); len(asked) != want {
			t.Errorf("%+v: %d questions are measured, want %d", o.Teaching, len(asked), want)
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
	var answers []evidence.Answer
	for _, p := range []float64{0.5, 0.25, 0.25, 0.1} {
		answers = append(answers, evidence.Answer{Score: evidence.Score{Value: p, Scale: evidence.Probability}})
	}
	for _, test := range []struct {
		mass float64
		want int
	}{{0.4, 1}, {0.5, 2}, {0.75, 3}, {0.95, 3}, {1.1, 4}} {
		if got := strict(answers, test.mass); got != test.want {
			t.Errorf("strict(%v) = %d, want %d", test.mass, got, test.want)
		}
	}
	if got := strict([]evidence.Answer{{Score: evidence.Score{Value: 1, Scale: evidence.Distance}}}, 0.95); got != 0 {
		t.Errorf("strict of distances = %d, want 0", got)
	}
}

func TestPublished(t *testing.T) {
	d := &Dataset{Published: func(string) (map[string]map[string][]string, error) {
		return map[string]map[string][]string{
			"1": {"rearev-sbert": {"x", "y"}},
			"2": {"rearev-sbert": {"z"}},
			"9": {"rearev-sbert": {"not asked"}},
		}, nil
	}}
	parts := []part{{Group: Group{Name: "half"}, questions: []Question{{ID: "1", Gold: []string{"y"}}, {ID: "2", Gold: []string{"z"}}}}}
	got, err := published(d, parts, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []PublishedRow{{Part: "half", Name: publishedNames["rearev-sbert"], Scores: Scores{N: 2, Hits1: 1, Hit: 2, AMR: 2, Precision: 1.5, F1: 1 + 2./3, Exact: 1}}}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

func TestRefusedEvaluations(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "factkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "factkg", "claims.jsonl"), []byte(`{"id":"1","claim":"A is B.","label":true}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Dataset: "nosuch", Retriever: "gnn"}, "no question set"},
		{Options{Dataset: "factkg", Dir: dir, Retriever: "gnn"}, "claims to judge"},
		{Options{Dataset: "factkg", Dir: dir, Retriever: "gnn", Planner: "oracle"}, "follows no plan"},
		{Options{Dataset: "factkg", Dir: dir, Retriever: "telepathy"}, "no retriever"},
	} {
		if _, err := Run(t.Context(), test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s by %s: %v, want %q", test.o.Dataset, test.o.Retriever, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	table, err := Run(ctx, Options{
		Dataset: "metaqa", Groups: []string{"1", "2"}, Dir: trainSet(t), Retriever: "gnn", Teaching: Teaching{Train: 5}, Row: func(Row) { cancel() },
	})
	if !errors.Is(err, context.Canceled) || table == nil || len(table.Rows) != 1 {
		t.Errorf("interrupted after the first row = %+v, %v", table, err)
	}
}

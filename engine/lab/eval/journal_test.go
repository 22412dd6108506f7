package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/llm"
)

// miniSet writes a set in MetaQA's form into a folder of the test: eight questions
// of one hop and eight of two.
func miniSet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var kb, one, oneTypes, two, twoTypes strings.Builder
	for i := range 8 {
		film, director := fmt.Sprintf("Film %c", 'A'+i), fmt.Sprintf("Director %c", 'A'+i/2)
		fmt.Fprintf(&kb, "%s|directed_by|%s\n%s|release_year|%d\n", film, director, film, 1950+i)
		fmt.Fprintf(&one, "who directed [%s]\t%s\n", film, director)
		fmt.Fprintf(&oneTypes, "movie_to_director\n")
		fmt.Fprintf(&two, "the films by [%s] were released in which years\t%d|%d\n", director, 1950+i/2*2, 1951+i/2*2)
		fmt.Fprintf(&twoTypes, "director_to_movie_to_year\n")
	}
	for name, text := range map[string]string{
		"kb.txt": kb.String(), "1-hop/qa_dev.txt": one.String(), "1-hop/qa_dev_qtype.txt": oneTypes.String(),
		"2-hop/qa_dev.txt": two.String(), "2-hop/qa_dev_qtype.txt": twoTypes.String(),
	} {
		path := filepath.Join(dir, "metaqa", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// parrot is a model that plans by a set's gold chains, and answers by reading the
// first triple out that it is shown.
type parrot struct {
	perfect
	asked int
	// before, if set, is called before request n, from 1 on; its error is the
	// reply's.
	before func(n int) error
}

func newParrot(t *testing.T, dir string) *parrot {
	t.Helper()
	p := &parrot{perfect: perfect{replies: map[string]string{}}}
	for _, g := range metaQA().Groups[:2] {
		qs, err := g.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range qs {
			if p.replies[q.Text], err = perfectReply(q.Chains[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

func (*parrot) Name() string { return "parrot" }

var shownTriple = regexp.MustCompile(`T(\d+) \("(.*?)", "(.*?)", "(.*?)"\)`)

func (p *parrot) Ask(ctx context.Context, r llm.Request) (reply llm.Reply, err error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	p.asked++
	x := llm.Exchange{Purpose: r.Purpose, Model: p.Name(), Digest: "d1", PromptTokens: len(r.Prompt), Duration: time.Millisecond}
	if p.before != nil {
		err = p.before(p.asked)
	}
	switch {
	case err != nil:
		x.Err = err.Error()
	case r.Purpose == "answer":
		_, task, _ := strings.Cut(r.Prompt, "Your task)")
		t := shownTriple.FindStringSubmatch(task)
		if t == nil {
			return llm.Reply{}, errors.New("no triple in the prompt")
		}
		reply.Text = fmt.Sprintf(`{"sentences":[{"text":"%s was %s %s.","citations":[%s]},{"text":"It is true.","citations":[]}]}`, t[2], t[3], t[4], t[1])
	default:
		reply, err = p.perfect.Ask(ctx, r)
	}
	x.Reply, x.ReplyTokens = reply.Text, len(reply.Text)
	llm.Trace(ctx, x)
	return reply, err
}

func evaluation(dir string, m llm.Model) Options {
	return Options{Dataset: "metaqa", Groups: []string{"1", "2"}, Dir: dir, Planner: "model", Reader: "model", Model: m, Digest: "d1"}
}

// sameTable compares tables but for the time and the memory that they took.
var sameTable = cmp.Options{
	cmp.Comparer(func(time.Duration, time.Duration) bool { return true }),
	cmpopts.IgnoreFields(Row{}, "PeakMB"),
}

func TestModelIsMeasured(t *testing.T) {
	dir := miniSet(t)
	table, err := Run(t.Context(), evaluation(dir, newParrot(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	one, two := table.Rows[0], table.Rows[1]
	if one.Scores.N != 8 || one.Scores.Exact != 8 || two.Scores.Exact != 8 {
		t.Errorf("exact: %v of %d, %v of %d; want all", one.Scores.Exact, one.Scores.N, two.Scores.Exact, two.Scores.N)
	}
	// Of one hop the sentence names the answer, and the check supports it; of two it
	// names the film on the way.
	scores := func(r Row) (text, supported ReplyScores) { return r.Replies[1].Scores, r.Replies[2].Scores }
	if text, supported := scores(one); text.SimGRAG != 8 || text.FirstLine != 8 || supported.GSRF1 != 8 || supported.AMR != 8 {
		t.Errorf("1-hop: text %+v, supported %+v", text, supported)
	}
	if text, supported := scores(two); text.SimGRAG != 0 || supported.Said != 0 {
		t.Errorf("2-hop: text %+v, supported %+v", text, supported)
	}
	m := one.Model
	sentences := 0
	for _, n := range m.Checks {
		sentences += n
	}
	if m.Worded != 8 || m.Checks["supported"] != 8 || sentences != 16 {
		t.Errorf("worded %d, checks %v", m.Worded, m.Checks)
	}
	followed := 0
	for planner, n := range m.Planned {
		if strings.Contains(planner, "parrot") {
			followed += n
		}
	}
	if followed != 8 {
		t.Errorf("plans followed: %v", m.Planned)
	}
	var steps []string
	for _, c := range m.Costs {
		steps = append(steps, fmt.Sprint(c.Step, " ", c.Requests))
		if c.PromptTokens == 0 || c.ReplyTokens == 0 || c.Duration == 0 || c.Failed != 0 {
			t.Errorf("cost %+v", c)
		}
	}
	if want := []string{"pattern 8", "answer 8", "all 16"}; !slices.Equal(steps, want) {
		t.Errorf("requests: %q, want %q", steps, want)
	}
	var text strings.Builder
	if err := table.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())
	for _, want := range []string{"model: parrot (d1)", "SimGRAG Hits@1", "its 16 sentences", "supported 50.00 %", "seconds a question"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
}

func TestPlannerAndReaderAreChosenApart(t *testing.T) {
	dir := miniSet(t)
	for _, test := range []struct {
		planner, reader string
		requests        int
	}{{"model", "direct", 8}, {"built-in", "model", 8}, {"oracle", "model", 8}, {"built-in", "direct", 0}} {
		m := newParrot(t, dir)
		o := evaluation(dir, m)
		o.Groups, o.Planner, o.Reader = []string{"1"}, test.planner, test.reader
		table, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		row := table.Rows[0]
		if row.Scores.Exact != 8 || m.asked != test.requests || (row.Model != nil) != (test.requests > 0) {
			t.Errorf("%s and %s: exact %v, %d requests, %+v", test.planner, test.reader, row.Scores.Exact, m.asked, row.Model)
		}
		if row.Model != nil && row.Model.Costs[len(row.Model.Costs)-1].Requests != test.requests {
			t.Errorf("%s and %s: on record: %+v", test.planner, test.reader, row.Model.Costs)
		}
	}
}

func TestInterruptedEvaluationGoesOn(t *testing.T) {
	dir := miniSet(t)
	whole, err := Run(t.Context(), evaluation(dir, newParrot(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	o := evaluation(dir, nil)
	o.Journal = path

	// First it is cancelled, amid the ninth question's answer.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	first := newParrot(t, dir)
	first.before = func(n int) error {
		if n == 18 {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	o.Model = first
	_, err = Run(ctx, o)
	stopped, ok := errors.AsType[*InterruptedError](err)
	if !ok || !errors.Is(err, context.Canceled) || stopped.Done != 8 || stopped.Total != 16 {
		t.Fatalf("Run = %v, want it to stop after 8 of 16", err)
	}

	// Then the server goes: the built-in planner would stand in, unseen.
	second := newParrot(t, dir)
	second.before = func(n int) error {
		if n == 5 {
			return fmt.Errorf("ask: %w", llm.ErrNotRunning)
		}
		return nil
	}
	o.Model = second
	if _, err = Run(t.Context(), o); !errors.Is(err, llm.ErrNotRunning) {
		t.Fatalf("Run = %v, want ErrNotRunning", err)
	}

	// And it was killed while it wrote.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"group":"2-hop","at":2,"id":"x`); err != nil {
		t.Fatal(err)
	}
	f.Close()

	last := newParrot(t, dir)
	o.Model = last
	var seen []Progress
	o.Progress = func(p Progress) { seen = append(seen, p) }
	got, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, got, sameTable); diff != "" {
		t.Errorf("the table of the interrupted evaluation (-whole +interrupted):\n%s", diff)
	}
	if want := 2 * (16 - 8 - 2); last.asked != want {
		t.Errorf("the last run asked %d times, want %d", last.asked, want)
	}
	if len(seen) != 6 || seen[0].Done != 11 || seen[5].Done != 16 || seen[0].Total != 16 || seen[0].Rate <= 0 {
		t.Errorf("progress: %+v", seen)
	}

	// A journal that is complete asks nothing.
	idle := newParrot(t, dir)
	o.Model, o.Progress = idle, nil
	got, err = Run(t.Context(), o)
	if err != nil || idle.asked != 0 {
		t.Errorf("Run with a complete journal: %v, %d requests", err, idle.asked)
	}
	if diff := cmp.Diff(whole, got, sameTable); diff != "" {
		t.Errorf("the table of the journal (-want +got):\n%s", diff)
	}
}

func TestReplacedModelEndsTheEvaluation(t *testing.T) {
	dir := miniSet(t)
	o := evaluation(dir, newParrot(t, dir))
	o.Digest = "d0"
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "was replaced") {
		t.Errorf("Run = %v", err)
	}
}

func TestJournalOfAnotherEvaluation(t *testing.T) {
	dir := miniSet(t)
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	o := evaluation(dir, newParrot(t, dir))
	o.Journal, o.Groups = path, []string{"1"}
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(o *Options){
		"digest":                  func(o *Options) { o.Digest = "d2" },
		"samples 1, here 3":       func(o *Options) { o.Planning.Samples = 3 },
		`reader "model", here "d`: func(o *Options) { o.Reader = "direct" },
		"questions":               func(o *Options) { o.Groups = []string{"2"} },
		"leaked":                  func(o *Options) { o.Leaked = true },
		"forget":                  func(o *Options) { o.Forget = 50 },
		"graph": func(o *Options) {
			o.Dir = miniSet(t)
			if err := os.WriteFile(filepath.Join(o.Dir, "metaqa", "kb.txt"), []byte("a|directed_by|b\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		other := o
		change(&other)
		_, err := Run(t.Context(), other)
		known, ok := errors.AsType[*JournalError](err)
		if !ok || !strings.Contains(err.Error(), what) || known.Remedy() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the refused journal was changed: %v", err)
	}
}

func TestJournalThatIsNone(t *testing.T) {
	c := Config{Journal: journalVersion}
	head, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"another kind of file": "{\"a\": 1}\n", "no JSON": "Dear diary,\n", "no whole line": "Dear diary", "a damaged line": string(head) + "\n{\"at\":\n",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openJournal(path, c); !isJournalError(err) {
			t.Errorf("%s: %v", what, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%s: the file is now %q, %v", what, now, err)
		}
	}
	if _, err := openJournal(filepath.Join(t.TempDir(), "none", "file"), c); !isJournalError(err) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func isJournalError(err error) bool {
	_, ok := errors.AsType[*JournalError](err)
	return ok
}

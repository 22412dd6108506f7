package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/assets/sample"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/shared"
)

func TestHistoryKeepsQuestionsWithTheirRecords(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "films.txt")
	if err := os.WriteFile(file, []byte("Tangerine|directed_by|Sean Baker\nAnora|directed_by|Sean Baker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), filepath.Join(dir, "films.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	e.SetModel(brokenModel{})
	for _, q := range []string{"who directed Tangerine?", "who directed Anora?"} {
		if _, err := e.Ask(t.Context(), q, AskOptions{Save: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	past, err := e.History(t.Context(), 10)
	if err != nil || len(past) != 2 || past[0].Question != "who directed Anora?" {
		t.Fatalf("History = %+v, %v, want the latest first", past, err)
	}
	run, err := e.PastRun(t.Context(), past[0].ID)
	if err != nil || run.Question != "who directed Anora?" || !slices.Equal(said(run), []string{"Sean Baker"}) || *run.Since != (Since{}) {
		t.Errorf("PastRun = %+v, %v", run, err)
	}
	more := filepath.Join(dir, "more.txt")
	if err := os.WriteFile(more, []byte("Anora|release_year|2024\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Import(t.Context(), []string{more}, ingest.Options{AcceptGuess: true}, nil); err != nil {
		t.Fatal(err)
	}
	if run, err = e.PastRun(t.Context(), past[0].ID); err != nil || *run.Since != (Since{Changed: true}) {
		t.Errorf("PastRun of a graph that has changed = %+v, %v", run, err)
	}
	if err := e.ForgetHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	if past, err := e.History(t.Context(), 10); err != nil || len(past) != 0 {
		t.Errorf("after it was forgotten: History = %+v, %v", past, err)
	}
}

func TestALargeRecordIsCut(t *testing.T) {
	run := &Run{Question: "q", Answer: &answer.Answer{}, Found: evidence.Found{Candidates: make([]evidence.Candidate, 50)}}
	small, err := recordOf(run)
	if err != nil || strings.Count(string(small), `"distance"`) != 50 {
		t.Errorf("a small record is not kept whole: %v", err)
	}
	for i := range 100 {
		run.Exchanges = append(run.Exchanges, Exchange{Stage: StagePlan, Exchange: llm.Exchange{Model: "m", Sent: strings.Repeat("x", 50_000), Reply: fmt.Sprint(i)}})
	}
	run.Candidates = make([]evidence.Candidate, 20_000)
	run.Answers = make([]evidence.Answer, 20_000)
	record, err := recordOf(run)
	if err != nil || len(record) > maxRecord {
		t.Fatalf("recordOf: %d bytes, %v, want at most %d", len(record), err, maxRecord)
	}
	var kept struct {
		Exchanges  []llm.Exchange       `json:"exchanges"`
		Candidates []evidence.Candidate `json:"candidates"`
		Answers    []evidence.Answer    `json:"answers"`
	}
	if err := json.Unmarshal(record, &kept); err != nil || len(kept.Exchanges) != 100 || !strings.Contains(kept.Exchanges[0].Left, "50000 bytes sent") {
		t.Errorf("the record does not say what it leaves out: %v, %+v", err, kept.Exchanges[:1])
	}
	if len(kept.Candidates) != keptMatches || len(kept.Answers) != keptSentences {
		t.Errorf("%d matches and %d answers are kept, want %d and %d", len(kept.Candidates), len(kept.Answers), keptMatches, keptSentences)
	}
	if len(run.Answers) != 20_000 || run.Exchanges[0].Sent == "" || len(run.Candidates) != 20_000 {
		t.Error("the run itself was cut")
	}
}

// TestARunIsReadBackWhole writes runs of every kind, reads them back, and compares
// both the bytes and the values.
func TestARunIsReadBackWhole(t *testing.T) {
	shared.Sequential(t)
	e, err := OpenSample(t.Context(), t.TempDir(), Options{Methods: append(Methods(), retrievetest.Neighbours{})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	questions := []string{"Where is Atlantis?", "What is the capitol of Mongolai?", "Kilimanjaro?"}
	for _, q := range sample.Questions() {
		questions = append(questions, q.Text)
	}
	ask := func(name string, o AskOptions) {
		for _, q := range questions {
			run, err := e.Ask(t.Context(), q, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			readBack(t, e, name, run)
		}
	}
	ask("pattern", AskOptions{})
	ask("another reading", AskOptions{Reading: 1, Chosen: true})
	ask("neighbours", AskOptions{Retriever: "neighbours"})
	e.SetModel(liar{})
	ask("a model that lies", AskOptions{})
	e.SetModel(brokenModel{})
	ask("a model that fails", AskOptions{})
}

func readBack(t *testing.T, e *Engine, name string, run *Run) {
	t.Helper()
	record, err := recordOf(run)
	if err != nil {
		t.Fatalf("%s: %s: %v", name, run.Question, err)
	}
	again, err := ReadRun(record, e.Graph(), e.Methods())
	if err != nil {
		t.Errorf("%s: %s: %v", name, run.Question, err)
		return
	}
	if *again.Since != (Since{}) {
		t.Errorf("%s: %s: %+v of the graph that was asked", name, run.Question, again.Since)
	}
	if twice, err := recordOf(again); err != nil || string(twice) != string(record) {
		t.Errorf("%s: %s: written again it is another record: %v\n%s", name, run.Question, err, cmp.Diff(string(record), string(twice)))
	}
	again.Since = nil
	opts := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Run{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Within" }, cmp.Ignore())}
	if diff := cmp.Diff(run, again, opts); diff != "" {
		t.Errorf("%s: %s (-asked +read back):\n%s", name, run.Question, diff)
	}
}

// firstRecords are records of the first form, as build 4f8f0c6 kept them with the sample
// graph; the last but one is of a network that gives the neighbours, the last one of a
// model that failed.
func firstRecords(t *testing.T) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "records_first.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

func TestRecordsOfTheFirstFormAreRead(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	for _, record := range firstRecords(t) {
		run, err := ReadRun(record, e.Graph(), e.Methods())
		if err != nil {
			t.Fatalf("%v\n%s", err, record)
		}
		if run.Method.ID == "gnn" {
			if len(run.Answers) != 11 || len(run.SupportsOf(run.Answers[0])) == 0 || run.Answers[0].Score.Scale != evidence.Probability || len(run.Candidates) != 11 || run.By != "GNN-RAG (neighbours)" ||
				len(run.Plan.Seeds) != 1 || run.Region.Triples != 7407 || len(run.Steps) != 1 || len(run.Notes) != 1 {
				t.Errorf("the network's record is read as %+v", run)
			}
			continue
		}
		// The same question has the same answer today, from the same matches.
		now, err := e.Ask(t.Context(), run.Question, AskOptions{Reading: run.Reading, Chosen: run.Reading > 0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{now.Task, now.Completeness, now.Answer.Verdict, now.Answer.Items, now.Plan.Doubt},
			[]any{run.Task, run.Completeness, run.Answer.Verdict, run.Answer.Items, run.Plan.Doubt}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-today +its record):\n%s", run.Question, diff)
		}
		if diff := cmp.Diff(now.Pattern(), run.Pattern(), cmpopts.IgnoreFields(pattern.Node{}, "Within")); diff != "" {
			t.Errorf("%s: pattern (-today +its record):\n%s", run.Question, diff)
		}
		for i, s := range run.Answer.Sentences {
			if s.Check != now.Answer.Sentences[i].Check {
				t.Errorf("%s: “%s” is %s, want %s", run.Question, s.Text, s.Check, now.Answer.Sentences[i].Check)
			}
		}
		if len(run.Mentions) == 0 || run.Mentions[0].Candidates[0].Method != now.Mentions[0].Candidates[0].Method {
			t.Errorf("%s: mentions %+v, want %+v", run.Question, run.Mentions, now.Mentions)
		}
	}
}

// TestARunOfAnotherGraphHasItsTexts reads a record for a graph that lacks what it names.
func TestARunOfAnotherGraphHasItsTexts(t *testing.T) {
	var b kg.Builder
	b.Add("Vienna", "capital_of", "Austria")
	for _, record := range firstRecords(t) {
		run, err := ReadRun(record, b.Graph(), MethodInfos(Methods()))
		if err != nil || !run.Since.Gone || len(run.Candidates)+len(run.Answers)+len(run.Answer.Pack.Triples) > 0 || run.Question == "" {
			t.Errorf("ReadRun = %+v, %v, want texts alone", run, err)
		}
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	var b kg.Builder
	b.Add("Vienna", "capital_of", "Austria")
	for _, bad := range []string{
		"", "{}", "null", "7", `{"answer":7}`, `{"form":3,"answer":{},"plan":{}}`, `{"form":2,"answer":{},"plan":null}`,
		`{"form":2,"answer":{},"plan":{},"stages":[{"stage":"dance"}]}`,
		`{"form":2,"answer":{},"plan":{},"reading":4}`,
		`{"form":2,"answer":{},"plan":{"readings":[{"pattern":null}]},"reading":0}`,
		`{"form":2,"answer":{},"plan":{"readings":[{"pattern":{"nodes":[],"edges":[{"from":0,"to":1}],"asked":0}}]},"reading":0}`,
		`{"form":2,"answer":{},"plan":{},"reading":-1,"candidates":[{"nodes":[],"edges":[],"hops":[]}]}`,
		`{"form":2,"answer":{},"plan":{},"reading":-1,"candidates":[{"nodes":[0,1],"edges":[0],"hops":[2]}]}`,
	} {
		if run, err := ReadRun([]byte(bad), b.Graph(), []retrieve.Info{}); !errors.Is(err, errRecord) {
			t.Errorf("ReadRun(%s) = %+v, %v, want ErrRecord", bad, run, err)
		}
	}
}

// TestAnotherProgramChangesTheGraph: a question to a graph that was read before another
// program added to it is answered, and that is said.
func TestAnotherProgramChangesTheGraph(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := func() *Engine {
		e, err := Open(t.Context(), filepath.Join(dir, "films.cairn"), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	mine := open()
	if _, err := mine.Import(t.Context(), []string{write("a.txt", "Tangerine|directed_by|Sean Baker\n")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		run, err := mine.Ask(t.Context(), "who directed Tangerine?", AskOptions{Save: true}, nil)
		if run == nil || !slices.Equal(said(run), []string{"Sean Baker"}) {
			t.Errorf("Ask = %+v, %v", run, err)
		}
		return err
	}
	for _, own := range []string{"Tangerine|directed_by|Sean Baker\n\n", ""} { // which says no more, or nothing
		if err := ask(); err != nil {
			t.Error(err)
		}
		_, _ = mine.Import(t.Context(), []string{write("again.txt", own)}, ingest.Options{}, nil)
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	if _, err := open().Import(t.Context(), []string{write("b.txt", "Anora|directed_by|Sean Baker\n")}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := ask(); err == nil || !strings.Contains(err.Error(), "another program has changed it since it was opened; open the graph again") {
		t.Errorf("after another program changed the graph: %v", err)
	}
}

package present

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets/sample"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/report"
	"cairn/internal/testing/retrievetest"
)

// views is all that is made of a run.
type views struct {
	Head, Glance, Basis, Doubt, Text, Status, Prompts string
	Picture                                           canvas.Model
	Evidence                                          []EvidenceRow
	Answers                                           []AnswerRow
	Sentences                                         []report.Sentence
	Readings                                          []ReadingRow
	Steps                                             []Step
	Network                                           report.Network
	Lines                                             []string
	Page                                              report.Report
}

func viewsOf(g *kg.Graph, run *engine.Run) (v views) {
	v.Head, _ = headline(run)
	v.Glance, _ = Glance(run)
	v.Basis, v.Doubt, v.Text, v.Status, v.Prompts = Basis(run), Doubt(run), AnswerText(g, run), StatusLine(run), PromptsText(run)
	v.Picture, v.Evidence, v.Answers, v.Sentences = CanvasModel(g, run), EvidenceRows(g, run), AnswerRows(g, run), Sentences(run.Answer)
	v.Readings, v.Steps = Readings(g, run), Steps(g, run)
	v.Network = Network(g, run)
	v.Lines = slices.Concat(Taken(g, run), MakerLines(run), []string{fmt.Sprint(RunnersUp(run))})
	for _, a := range v.Answers {
		c, ok := CandidateOf(run, a.Entity)
		v.Lines = append(v.Lines, ScoreLine(run, a.Entity), fmt.Sprint(c, ok, EdgeIDs(c), CitedEdgeIDs(run, a.Citations)))
	}
	if c, ok := BestCandidate(run); ok && run.Pattern() != nil {
		rows, total := PatternTable(g, run.Pattern(), c)
		v.Lines = append(v.Lines, fmt.Sprint(rows, total, NoMatch(run, rows)), fmt.Sprint(PatternWords(run.Pattern())))
	}
	return v
}

// TestARunReadBackLooksAsItDid asks the sample's questions by patterns and by paths,
// reads each run back from the history, and compares all views of the two.
func TestARunReadBackLooksAsItDid(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{Methods: append(engine.Methods(), retrievetest.Neighbours{})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, method := range []string{"pattern", "neighbours"} {
		for _, q := range sample.Questions() {
			run, err := e.Ask(t.Context(), q.Text, engine.AskOptions{Retriever: method, Save: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			past, err := e.History(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			again, err := e.PastRun(t.Context(), past[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			want, got := viewsOf(e.Graph(), run), viewsOf(e.Graph(), again)
			if want.Page, err = Page(t.Context(), e, run, "1"); err != nil {
				t.Fatal(err)
			}
			asked := AskedLine(again)
			again.Since = nil
			if got.Page, err = Page(t.Context(), e, again, "1"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" || asked == "" {
				t.Errorf("%s by %s (-asked +read back, %q):\n%s", q.Text, method, asked, diff)
			}
		}
	}
}

// TestHostileRecordsShow puts wrong numbers into records, one at a time: each is refused
// or can be shown.
func TestHostileRecordsShow(t *testing.T) {
	e, err := engine.OpenSample(t.Context(), t.TempDir(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text, err := os.ReadFile(filepath.Join("..", "..", "engine", "testdata", "records_first.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	shown, refused := 0, 0
	for i, record := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		run, err := engine.ReadRun(record, e.Graph(), e.Methods())
		if err != nil {
			t.Fatal(err)
		}
		now, err := json.Marshal(struct {
			Form int `json:"form"`
			*engine.Run
		}{2, run})
		if err != nil {
			t.Fatal(err)
		}
		for n := i; ; n += 11 { // some of the numbers of each
			bad, more := withNumber(t, now, n)
			if !more {
				break
			}
			run, err := engine.ReadRun(bad, e.Graph(), e.Methods())
			if err != nil {
				refused++
				continue
			}
			shown++
			viewsOf(e.Graph(), run)
		}
	}
	if shown == 0 || refused == 0 {
		t.Errorf("%d were shown and %d refused, want both", shown, refused)
	}
}

// withNumber puts a wrong number in the place of the n-th of a record; more is false
// where it has fewer.
func withNumber(t *testing.T, record []byte, n int) (bad []byte, more bool) {
	t.Helper()
	var root any
	d := json.NewDecoder(bytes.NewReader(record))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	wrong := []json.Number{"-1", "7", "2908", "4294967295", "9999"}[n%5]
	at := 0
	var walk func(x any) any
	walk = func(x any) any {
		switch x := x.(type) {
		case map[string]any:
			keys := make([]string, 0, len(x))
			for k := range x {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				x[k] = walk(x[k])
			}
		case []any:
			for i := range x {
				x[i] = walk(x[i])
			}
		case json.Number:
			if at++; at == n+1 {
				more = true
				return wrong
			}
		}
		return x
	}
	bad, err := json.Marshal(walk(root))
	if err != nil {
		t.Fatal(err)
	}
	return bad, more
}

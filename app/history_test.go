package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/report"
)

// fakeHistory is that of a fakeGraph, which was asked nothing.
type fakeHistory struct{}

func (fakeHistory) History(context.Context, int) ([]engine.Past, error) { return nil, nil }
func (fakeHistory) PastRun(context.Context, int64) (*engine.Run, error) { return nil, kg.ErrNoRun }
func (fakeHistory) ForgetHistory(context.Context) error                 { return nil }

// realRig is a window over the engine itself.
func realRig(t *testing.T) *rig {
	t.Helper()
	return newRigOver(t, engineOpener{log: slog.New(slog.DiscardHandler)})
}

// await waits until something holds on the UI goroutine.
func (r *rig) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 3000 {
		var ok bool
		r.ui(func() { ok = holds() })
		if ok {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain until %s", what)
}

// view is all that the window shows of a run.
type view struct {
	Answer, Match, Title string
	Steps                []present.Step
	Evidence             []present.EvidenceRow
	Picture              canvas.Model
	Prompts              []report.Prompt
}

func (r *rig) view() view {
	return view{
		Answer: labels(r.answer.root), Match: labels(r.match.root), Title: r.figure.title.Text, Steps: r.steps.steps,
		Evidence: r.evidence.rows, Picture: r.figure.model, Prompts: present.PromptRows(r.run),
	}
}

// TestHistoryOpensAnAnswerAsItWas asks questions, opens each from the history, and
// compares all that the window shows with what it showed first.
func TestHistoryOpensAnAnswerAsItWas(t *testing.T) {
	if testing.Short() {
		t.Skip("opens the sample graph")
	}
	r := realRig(t)
	defer r.close()
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	questions := []string{
		"Which country borders Austria and Hungary and uses the euro?", "How many countries does the Danube flow through?",
		"Canberra is the capital of New Zealand.", "Who composed the national anthem of Peru?", "What is the capitol of Mongolai?",
	}
	fresh, headlines := map[string]view{}, map[string]string{}
	for _, q := range questions {
		r.ui(func() { r.ask(q, engine.AskOptions{}) })
		r.await(t, "the answer is there", func() bool { return r.run != nil && r.run.Question == q && r.asking.cancel == nil })
		r.ui(func() { fresh[q] = r.view(); headlines[q], _ = present.Glance(r.run) })
	}
	open := func(q string) (quiet string, is view) {
		r.ui(r.showHistory)
		r.await(t, "the history is shown", func() bool { return strings.Contains(r.top(), "Asked ") })
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() {
			for _, o := range test.LaidOutObjects(top) {
				if list, ok := o.(*rowList); ok && list.Length() == len(questions) {
					for i := range questions {
						if q == questions[len(questions)-1-i] { // the newest first
							list.Select(i)
						}
					}
				}
			}
		})
		r.await(t, "the answer is shown in short", func() bool { return strings.Contains(r.top(), headlines[q]+"\n") })
		r.ui(func() { tapButton(t, top, "Open") })
		r.await(t, "the answer is opened", func() bool { return r.run != nil && r.run.Question == q && r.run.Since != nil })
		r.ui(func() { quiet, is = present.AskedLine(r.run), r.view() })
		if !strings.Contains(is.Answer, quiet+"\n") || !strings.HasPrefix(quiet, "Asked ") {
			t.Errorf("%s: the window does not say %q:\n%s", q, quiet, is.Answer)
		}
		is.Answer = strings.Replace(is.Answer, quiet+"\n", "", 1)
		return quiet, is
	}
	for _, q := range questions {
		quiet, again := open(q)
		if diff := cmp.Diff(fresh[q], again); diff != "" || strings.Contains(quiet, "changed since") {
			t.Errorf("%s: %s (-asked +opened again):\n%s", q, quiet, diff)
		}
	}
	past, err := r.session.History(t.Context(), 100)
	if err != nil || len(past) != len(questions) {
		t.Errorf("%d questions in the history, %v: opening one asked it anew", len(past), err)
	}
	more := filepath.Join(t.TempDir(), "more.txt")
	writeFile(t, more, "Mongolia|has poet|Dashdorjiin Natsagdorj\n")
	g := r.session.openGraph.(*engineGraph) //nolint:errcheck // opened by engineOpener
	if _, err := g.Engine.Import(t.Context(), []string{more}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if quiet, again := open(questions[0]); !strings.Contains(quiet, "The graph has changed since") || !cmp.Equal(again, fresh[questions[0]]) {
		t.Errorf("of a graph that has changed: %q\n%s", quiet, cmp.Diff(fresh[questions[0]], again))
	}
}

// top are the texts of the dialog that is open.
func (r *rig) top() string {
	if o := r.win.Canvas().Overlays().Top(); o != nil {
		return labels(o)
	}
	return ""
}

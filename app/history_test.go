package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2/test"

	"cairn/engine"
)

// fakeHistory is what a fakeGraph was asked before.
type fakeHistory struct{ records []string }

func (f *fakeHistory) History(context.Context, int) ([]engine.Past, error) {
	var past []engine.Past
	for i := range f.records {
		past = append(past, engine.Past{ID: int64(i), Question: "question " + string(rune('a'+i))})
	}
	return past, nil
}

func (f *fakeHistory) PastRecord(_ context.Context, id int64) ([]byte, error) {
	if f.records[id] == "" {
		return nil, errors.New("this question is not in the history any more")
	}
	return []byte(f.records[id]), nil
}

func (f *fakeHistory) ForgetHistory(context.Context) error {
	f.records = nil
	return nil
}

const pastRecord = `{"question":"capital?","started":"2026-05-04T13:07:00Z","plan":{"planner":"model tiny"},
"answer":{"count":1,"items":[{"label":"Vienna"}],"model":"tiny","pack":{"triples":[0]},"sentences":[
{"text":"Vienna is the capital of Austria [T1].","citations":[1],"check":"supported","model":true},
{"text":"It lies in Japan.","citations":[1],"check":"not in the evidence","reason":"no triple names “Japan”","model":true}]},
"exchanges":[{"stage":"answer","purpose":"answer","model":"tiny","sent":"{}","reply":"said"}]}`

func TestHistoryShowsTheAnswerAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.records = []string{pastRecord, ""}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(r.showHistory)
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		got := labels(top)
		for _, want := range []string{"question a", "Vienna\n", "Read by tiny\n", "T1  Vienna — capital of → Austria", "1 of 2 sentences of the model is not supported"} {
			if !strings.Contains(got, want) {
				t.Errorf("history lacks %q:\n%s", want, got)
			}
		}
		r.ui(func() {
			pressed := 0
			for _, o := range test.LaidOutObjects(top) {
				if c, ok := o.(*chip); ok {
					c.MouseIn(nil) // a citation of the past leads nowhere, but does no harm
					test.Tap(c)
					pressed++
				}
			}
			if pressed == 0 {
				t.Error("the answer of the past has no citations")
			}
			tapButton(t, top, "Prompts (1)")
		})
		prompts := r.win.Canvas().Overlays().Top()
		if got := labels(prompts); !strings.Contains(got, "1 · Answer\n") {
			t.Errorf("prompts of the record:\n%s", got)
		}
		r.ui(func() { tapButton(t, prompts, "Close"); tapButton(t, top, "Ask again") })
		synctest.Wait()
		g := r.opener.opened[0]
		if r.run == nil || r.run.Question != "capital?" || !g.asked[len(g.asked)-1].Save {
			t.Errorf("asked again: %+v, %+v, want the question, to be kept", r.run, g.asked)
		}
		r.close()
	})
}

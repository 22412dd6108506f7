package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2/test"

	"cairn/engine/pattern"
	"cairn/engine/plan/model"
)

// fakePatterns are the patterns that a fakeGraph keeps.
type fakePatterns struct {
	lock   sync.Mutex
	kept   []model.Example
	broken bool
}

func (f *fakePatterns) AcceptPattern(_ context.Context, question string, p *pattern.Pattern) error {
	if f.broken {
		return errors.New("keep the pattern: the disk is full; free some space")
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.kept = append(f.kept, model.Example{Question: question, Pattern: pattern.Format(p)})
	return nil
}

func (f *fakePatterns) ForgetPattern(_ context.Context, question string) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.kept = slices.DeleteFunc(f.kept, func(x model.Example) bool { return x.Question == question })
	return nil
}

func (f *fakePatterns) AcceptedPatterns(context.Context) ([]model.Example, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	return slices.Clone(f.kept), nil
}

func TestAPatternIsAcceptedAndTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		g := r.opener.opened[0]
		r.ui(r.toggleAccepted) // nothing is on view
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		press := func() {
			t.Helper()
			r.ui(func() { test.Tap(r.match.accept.button) })
			synctest.Wait()
		}
		press()
		if len(g.kept) != 1 || g.kept[0].Question != "capital?" || r.match.accept.button.Text != "Undo" {
			t.Fatalf("kept %+v, button %q, want the pattern of the question and a way back", g.kept, r.match.accept.button.Text)
		}
		r.ui(func() { r.question.put("another?") })
		synctest.Wait()
		if got := r.match.accept.button.Text; got != "Accept this pattern" {
			t.Errorf("button for another question = %q", got)
		}
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		press()
		if len(g.kept) != 0 || r.match.accept.button.Text != "Accept this pattern" {
			t.Errorf("taken back: kept %+v, button %q", g.kept, r.match.accept.button.Text)
		}
		g.broken = true
		press()
		if got := labels(r.win.Canvas().Overlays().Top()); !strings.Contains(got, "the disk is full.") {
			t.Errorf("a failure is shown as:\n%s", got)
		}
		r.close()
	})
}

func TestAcceptedPatternsAreListedAndForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.kept = []model.Example{{Question: "first?", Pattern: "(a) -r- (b)"}, {Question: "second?", Pattern: "(c) -r- (d)"}}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(r.showAccepted)
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		got := labels(top)
		if first, second := strings.Index(got, "first?"), strings.Index(got, "second?"); first < second || second < 0 {
			t.Errorf("want the latest first:\n%s", got)
		}
		r.ui(func() { tapButton(t, top, "Delete") })
		synctest.Wait()
		if kept := r.opener.opened[0].kept; len(kept) != 1 || kept[0].Question != "first?" {
			t.Errorf("kept %+v, want the first", kept)
		}
		if got := labels(top); strings.Contains(got, "second?") {
			t.Errorf("what was forgotten is still listed:\n%s", got)
		}
		r.close()
	})
}

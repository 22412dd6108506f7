package app

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cairn/app/present"
)

// TestWhatIf unticks two triples of an answer, one after the other, puts one back and then
// all: each time the window says what was left out and what that changed.
func TestWhatIf(t *testing.T) {
	if testing.Short() {
		t.Skip("opens the sample graph")
	}
	r := realRig(t)
	defer r.close()
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	const question = "Which countries border Liechtenstein?"
	r.ui(func() { r.question.put(question) })
	answered := func(without int) {
		t.Helper()
		r.await(t, "the answer is there", func() bool { return r.run != nil && len(r.run.Without) == without && r.asking.cancel == nil })
	}
	answered(0)
	fresh := r.view()
	for n := 1; n <= 2; n++ {
		r.ui(func() { r.press(t, "Ask again as if this triple") })
		answered(n)
		got := r.read(func() string { return labels(r.answer.root) })
		for _, want := range []string{present.WhatIfTitle(r.run), "Before: ", "Now: ", "Without " + present.Plural(n, "triple", "triples")} {
			if !strings.Contains(got, want) {
				t.Errorf("with %d left out, the answer does not say %q:\n%s", n, want, got)
			}
		}
		if last := r.evidence.rows[len(r.evidence.rows)-1]; !last.LeftOut || !strings.Contains(labels(r.evidence.root), "left out") {
			t.Errorf("the list does not show what is left out: %+v", r.evidence.rows)
		}
	}
	r.ui(func() { r.press(t, "Put this triple back") })
	answered(1)
	r.ui(func() { tapButton(t, r.answer.root, "Put it back") })
	answered(0)
	if again := r.view(); again.Answer != fresh.Answer || !slices.EqualFunc(again.Evidence, fresh.Evidence, func(a, b present.EvidenceRow) bool { return a.ID == b.ID }) {
		t.Errorf("with all put back, the window shows\n%s\nand not\n%s", again.Answer, fresh.Answer)
	}
	past, err := r.session.History(t.Context(), 10)
	if err != nil || len(past) != 1 {
		t.Errorf("the history has %v, %v, want the one question", past, err)
	}
}

// press presses the first thing in the evidence that has a hint.
func (r *rig) press(t *testing.T, hint string) {
	t.Helper()
	for _, o := range test.LaidOutObjects(r.evidence.root) {
		if p, ok := o.(*pressable); ok && strings.HasPrefix(p.hint, hint) {
			p.Tapped(nil)
			return
		}
	}
	t.Fatalf("nothing in the evidence says %q", hint)
}

// TestWhatIfStops: a slow what-if leaves the window free, can be stopped, and the answer on
// the whole graph is then shown; other questions are asked of the whole graph.
func TestWhatIfStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		whole, g := r.run, r.opener.opened[0]
		g.delay = time.Minute
		r.ui(func() {
			r.evidence.list.FocusGained()
			r.evidence.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
		})
		time.Sleep(time.Second)
		synctest.Wait()
		if r.run != nil || r.asking.cancel == nil {
			t.Error("the question is not under way")
		}
		r.ui(r.escape)
		synctest.Wait()
		if r.run != whole || len(r.evidence.rows) != 1 || r.evidence.rows[0].LeftOut {
			t.Errorf("after the stop the window shows %+v", r.run)
		}
		g.delay = 0
		r.ui(func() { r.question.put("What is the capital of Hungary?") })
		synctest.Wait()
		var left []int // how many triples were left out of each question
		for _, o := range g.asked {
			left = append(left, len(o.Without))
		}
		if !slices.Equal(left, []int{0, 1, 0}) || r.whole != nil {
			t.Errorf("the questions were asked without %v triples", left)
		}
		r.close()
	})
}

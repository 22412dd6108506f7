package app

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/llm"
)

// worded turns the fake's run into one that a model planned and worded, with a
// sentence that is right, one that is wrong in part and one made up.
func worded(run *engine.Run) {
	run.Plan.Planner, run.Answer.Model = "model tiny", "tiny"
	run.Answer.Sentences = []answer.Sentence{
		{Text: "Vienna is the capital of Austria.", Citations: []int{1}, Check: check.Covered, Model: true},
		{Text: "It has been so since 1156.", Citations: []int{1}, Check: check.Partly, Reason: "“1156” is not in T1", Model: true},
		{Text: "Vienna is the capital of Japan.", Citations: []int{1}, Check: check.NotInEvidence, Reason: "no triple names “Japan”", Model: true},
	}
	run.Exchanges = []engine.Exchange{
		{Stage: engine.StagePlan, Exchange: llm.Exchange{
			Purpose: "pattern", Model: "tiny", Digest: "sha256:0011223344", Host: "127.0.0.1:11434",
			Sent: `{"messages":[{"role":"user","content":"first line\nsecond line"}]}`, Reply: "{}", PromptTokens: 12, Duration: time.Second,
		}},
		{Stage: engine.StageAnswer, Exchange: llm.Exchange{Purpose: "answer", Model: "tiny", Sent: "{}", Reply: "said", Duration: time.Second}},
	}
}

func TestStruckSentencesAreShownWithTheirReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.edit = worded
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		got := texts(r.answer.box)
		for _, want := range []string{
			"Vienna is the capital of Austria. [T1]\n",
			"It has been so since 1156. [T1]\n! Partly supported: “1156” is not in T1.",
			"~~Vienna is the capital of Japan.~~ [T1]\n✗ Not in the evidence: no triple names “Japan”.",
			"2 of 3 sentences by the model are not supported by the triples they cite; 1 of them is unsupported and struck out.",
			"Read by tiny (00112233) · 12 + 0 tokens · 1.0 s",
			"Written by tiny, checked against 1 triple",
			"What the model was asked (2 requests)",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("answer lacks %q:\n%s", want, got)
			}
		}
		r.close()
	})
}

func TestPromptsOfAStepAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.edit = worded
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.showPrompts(engine.StageLink) })
		if r.win.Canvas().Overlays().Top() != nil {
			t.Error("a dialog opens though no model was asked")
		}
		r.ui(func() { r.question.put("capital?") })
		synctest.Wait()
		answerStep := slices.Index(engine.Stages, engine.StageAnswer)
		r.ui(func() { r.steps.toggle(answerStep) })
		if got := r.steps.prompts.Text; got != "Prompts (1)" || !r.steps.prompts.Visible() {
			t.Errorf("button of the answer step = %q, want %q", got, "Prompts (1)")
		}
		r.ui(func() { r.steps.toggle(slices.Index(engine.Stages, engine.StageCheck)) })
		if r.steps.prompts.Visible() {
			t.Error("a step that asked no model offers its prompts")
		}
		r.ui(func() { r.steps.toggle(answerStep); test.Tap(r.steps.prompts) })
		top := r.win.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("no dialog")
		}
		if got := labels(top); !strings.Contains(got, "2 · Answer\n") || !strings.Contains(got, "Model: tiny\n") {
			t.Errorf("dialog shows:\n%s", got)
		}
		r.close()
	})
}

func TestPromptsViewCopiesTheVeryBytes(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	run := &engine.Run{}
	run.Plan = newFakeGraph("a.cairn").answer("q", engine.AskOptions{}).Plan
	run.Answer = &answer.Answer{}
	worded(run)
	var copied, saved, name string
	p := newPromptsView(present.PromptRows(run), func(s string) { copied = s }, func(n, s string) { name, saved = n, s })
	w := test.NewTempWindow(t, p.root)
	w.Resize(fyne.NewSize(900, 500))
	p.list.Select(0)
	if want := []string{"── user ──", "first line", "second line"}; !slices.Equal(p.text.lines, want) {
		t.Errorf("lines = %q, want %q", p.text.lines, want)
	}
	p.look(1)
	tapButton(t, p.root, "Copy")
	tapButton(t, p.root, "Save as …")
	if copied != run.Exchanges[0].Sent || saved != run.Exchanges[0].Sent {
		t.Errorf("copied %q, saved %q, want the body as it was sent", copied, saved)
	}
	if name != "1 · Plan- pattern, Bytes sent.json" {
		t.Errorf("file name = %q", name)
	}
	p.list.Select(1)
	if got := p.current().Name; got != "Bytes sent" {
		t.Errorf("the next request is shown by its %q, want the same view", got)
	}
}

func TestBreakLines(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 5, []string{""}},
		{"a\n\nb", 5, []string{"a", "", "b"}},
		{"one two three", 7, []string{"one ", "two ", "three"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"漢字漢字", 4, []string{"漢字", "漢字"}},
		{"é→é", 1, []string{"é", "→", "é"}},
	} {
		got := breakLines(c.text, c.columns)
		if !slices.Equal(got, c.want) {
			t.Errorf("breakLines(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
		if strings.Join(got, "") != strings.ReplaceAll(c.text, "\n", "") {
			t.Errorf("breakLines(%q, %d) loses text: %q", c.text, c.columns, got)
		}
	}
}

func TestTextLinesDrawsOnlyWhatIsInView(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	l := newTextLines()
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(600, 400))
	l.setText(strings.Repeat("The quick brown fox jumps over the lazy dog. ", 30_000))
	if len(l.lines) < 10_000 {
		t.Fatalf("%d lines, want a long text", len(l.lines))
	}
	drawn := 0
	for _, o := range test.LaidOutObjects(l) {
		if _, ok := o.(*widget.List); !ok {
			drawn++
		}
	}
	if drawn > 500 {
		t.Errorf("%d objects are drawn for %d lines", drawn, len(l.lines))
	}
}

// BenchmarkTextLines is the time to show a prompt of 50 kB.
func BenchmarkTextLines(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(newTheme(lookLight))
	l := newTextLines()
	w := test.NewTempWindow(b, l)
	w.Resize(fyne.NewSize(800, 600))
	text := strings.Repeat(`{"content":"T1 (\"Vienna\", \"capital of\", \"Austria\")\n"}`, 50_000/57)
	for b.Loop() {
		l.setText(text)
	}
}

func TestTheDirectAnswerStandsWhileAModelWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay, g.edit = time.Minute, worded
			g.wording = func(ev *engine.Events, direct *engine.Run) {
				ev.Direct(direct)
				ev.Token("Vienna, I ")
				time.Sleep(time.Second)
				ev.Token("believe")
				time.Sleep(time.Second)
				ev.Restart()
				time.Sleep(time.Second)
				ev.Token("Wien is")
			}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		shows := func(when string, wants ...string) {
			t.Helper()
			synctest.Wait()
			got := r.read(func() string { return texts(r.answer.box) })
			for _, want := range wants {
				if !strings.Contains(got, want) {
					t.Errorf("%s: answer lacks %q:\n%s", when, want, got)
				}
			}
		}
		lacks := func(when, bad string) {
			t.Helper()
			if got := r.read(func() string { return texts(r.answer.box) }); strings.Contains(got, bad) {
				t.Errorf("%s: answer still has %q:\n%s", when, bad, got)
			}
		}
		const direct = "Vienna is the capital of Austria. [T1]"
		r.ui(func() { r.question.put("capital?") })
		shows("at once", direct, "not checked yet", "Vienna, I")
		if len(r.fig.model.Edges) != 1 {
			t.Error("the evidence of the direct answer is not drawn")
		}
		time.Sleep(1100 * time.Millisecond)
		shows("a second later", "Vienna, I believe")
		time.Sleep(time.Second)
		synctest.Wait()
		lacks("after it began anew", "believe")
		time.Sleep(time.Second)
		shows("then", "Wien is", direct)
		r.ui(func() { r.stop() })
		shows("stopped", direct, "You stopped the model before it had written the answer")
		lacks("stopped", "Wien is")
		if r.run == nil {
			t.Error("the direct answer cannot be copied after a stop")
		}

		r.ui(func() { r.question.put("capital?") })
		time.Sleep(2 * time.Minute)
		shows("in the end", "Written by tiny", "~~Vienna is the capital of Japan.~~")
		lacks("in the end", "not checked yet")
		r.close()
	})
}

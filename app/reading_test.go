package app

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

// readingOpener opens a graph of films as the sample, which is asked by a method that
// reads questions first.
type readingOpener struct{ engineOpener }

func (readingOpener) Sample(ctx context.Context, _ string, _ connectFunc, ev *engine.Events) (openGraph, error) {
	methods := append([]retrieve.Method{retrievetest.Relations{Odds: [3]float64{0.45, 0.3}}}, engine.Methods()...)
	e, err := engine.OnGraph(ctx, retrievetest.Graph(), engine.Options{Methods: methods}, ev)
	if err != nil {
		return nil, err
	}
	return newEngineGraph(ctx, e, "/data/films.cairn", "films"), nil
}

// TestReadingOfAMethodIsChosen asks a method that reads questions by itself: its readings
// are offered with their probabilities, and a click on another one follows that, in all
// panes.
func TestReadingOfAMethodIsChosen(t *testing.T) {
	r := realRig(t)
	defer r.close()
	r.window.opener = readingOpener{}
	const question = "who directed Alien?"
	r.ui(func() {
		r.methods = append([]retrieve.Info{retrievetest.Relations{}.Info()}, r.methods...)
		r.openSample()
	})
	r.await(t, "the graph is open", func() bool { return r.session != nil && r.session.Ready() })
	r.ui(func() { r.ask(question, engine.AskOptions{Retriever: "relations"}) })
	shows := func(reading int, lacks string, wants ...string) {
		t.Helper()
		r.await(t, "the answer is there", func() bool { return r.run != nil && r.run.Reading == reading && r.asking.cancel == nil })
		r.ui(func() {
			got := texts(r.answer.box)
			for _, want := range append(wants, "Did you mean", "is not sure it read the question correctly", "· 0.45", "· 0.30") {
				if !strings.Contains(got, want) {
					t.Errorf("the answer lacks %q:\n%s", want, got)
				}
			}
			if r.run.Method.ID != "relations" || r.retriever().ID != "relations" || r.tabs.titles[1].Text != "How it was found" {
				t.Errorf("answered by %q, asked next is %q, and the tab says %q", r.run.Method.ID, r.retriever().ID, r.tabs.titles[1].Text)
			}
			if labels := edgeLabels(r.fig.model); !slices.Equal(labels, []string{strings.TrimPrefix(r.run.Plan.Readings[reading].Text, "Alien → ")}) || !r.fig.model.Doubtful {
				t.Errorf("the picture has the edges %q, doubtful %t", labels, r.fig.model.Doubtful)
			}
			if text := strings.Join(r.steps.steps[engine.StagePlan].Details, "\n"); !strings.Contains(text, "uncertain here, it might also be "+lacks) {
				t.Errorf("the step lacks where it hesitated:\n%s", text)
			}
			r.tabs.choose(1)
			if text := texts(r.match.box); !strings.Contains(text, "Alien — ") || !strings.Contains(text, "uncertain here") {
				t.Errorf("how it was found lacks the path or the steps:\n%s", text)
			}
		})
	}
	shows(0, "release year (0.30)", "Possibly: Ridley Scott (0.45)", "● Alien → directed by", "○ Alien → release year")
	r.ui(func() {
		for _, o := range test.LaidOutObjects(r.answer.box) {
			if p, ok := o.(*pressable); ok && strings.Contains(texts(p), "○ Alien → release year") {
				test.Tap(p)
				return
			}
		}
		t.Error("the other reading cannot be pressed")
	})
	shows(1, "directed by (0.45)", "Possibly: 1979 (0.30)", "○ Alien → directed by", "● Alien → release year")
	r.ui(func() { r.whyNot("1979") })
	r.await(t, "the reading says why", func() bool {
		return strings.Contains(texts(r.answer.box), "1979 is an answer: it meets the condition.")
	})
}

func edgeLabels(m canvas.Model) (labels []string) {
	for _, e := range m.Edges {
		labels = append(labels, e.Label)
	}
	return labels
}

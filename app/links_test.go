package app

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/report"
	"cairn/internal/testing/retrievetest"
)

// twoTriples makes the fake graph cite both of its triples.
func twoTriples(path string) *fakeGraph {
	g := newFakeGraph(path)
	g.edit = func(run *engine.Run) {
		run.Answer.Pack.Triples = []kg.TripleID{0, 1}
		run.Answer.Sentences[0].Citations = []int{1, 2}
	}
	return g
}

func TestListAndPictureAgreeOnTheTriple(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = twoTriples
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		agree := func(when string, row int) {
			t.Helper()
			var want []string
			if row >= 0 {
				want = []string{present.EdgeID(r.evidence.rows[row].ID)}
			}
			if !slices.Equal(r.fig.highlighted, want) || r.evidence.list.selected != row {
				t.Errorf("%s: the picture lights %q and the list selects row %d, want %q and %d", when, r.fig.highlighted, r.evidence.list.selected, want, row)
			}
		}
		r.ui(func() {
			cited := chips(r.answer.box)
			test.Tap(cited[1])
			agree("a citation", 1)
			cited[0].MouseIn(nil)
			cited[0].MouseOut()
			agree("the pointer on another citation and away", 1)
			r.evidence.list.Select(0)
			agree("a row", 0)
			// As the picture does for a click: it lights the edge by itself.
			r.fig.Highlight([]string{present.EdgeID(1)})
			r.fig.events.selectEdge(present.EdgeID(1))
			agree("an edge", 1)
			cited[0].MouseIn(nil)
			cited[0].MouseOut()
			agree("an edge, and the pointer on a citation and away", 1)
			r.fig.events.selectNode("")
			agree("a click beside everything", -1)
			r.evidence.list.Select(0)
			r.escape()
			agree("Escape", -1)
			r.evidence.list.Select(0)
			r.fig.events.selectEdge("more1")
			if r.evidence.list.selected != -1 {
				t.Error("the list still shows a triple after a click on an edge that is none of its rows")
			}
		})
		r.close()
	})
}

// TestWhatThePictureLeavesOutIsInTheList chooses the card for it, as a click does:
// the list goes to the first triple that is not drawn.
func TestWhatThePictureLeavesOutIsInTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = twoTriples
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		r.ui(func() {
			first := present.EdgeID(r.evidence.rows[0].ID)
			r.figure.model.Edges = slices.DeleteFunc(slices.Clone(r.figure.model.Edges), func(e canvas.Edge) bool { return e.ID != first })
			r.tabs.choose(1)
			r.fig.events.selectNode(present.MoreNodeID)
			if !r.tabs.panes[0].Visible() || r.evidence.list.selected != 1 {
				t.Errorf("list shown: %t, row %d, want the list at its second row", r.tabs.panes[0].Visible(), r.evidence.list.selected)
			}
		})
		r.close()
	})
}

func TestRetrieverBesideTheQuestionIsTheOneThatAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.trained = []engine.TrainedModel{{ID: 1, Method: "gnn", Name: "flow", InUse: true}}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		for range 3 {
			r.ui(r.askOther)
			synctest.Wait()
			r.ui(func() {
				if got, want := r.question.by.Text, r.run.Method.Title; got != want {
					t.Errorf("the selector says %q over an answer by %q", got, want)
				}
				if r.retriever().ID != r.run.Method.ID {
					t.Errorf("the next question goes to %v, the selector says %q", r.retriever().ID, r.question.by.Text)
				}
			})
		}
		r.close()
	})
}

func TestAnotherGraphBeginsAfresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		const asked = "What is the capital of Austria?"
		for when, change := range map[string]func(){
			"another graph is open": func() { r.open("/data/other.cairn") },
			"an import into it":     func() { r.refreshGraph() },
		} {
			r.ui(func() { r.question.put(asked) })
			synctest.Wait()
			r.ui(change)
			synctest.Wait()
			r.ui(func() {
				if got := r.question.entry.Text; got != "" {
					t.Errorf("after %s the question is still %q", when, got)
				}
				if got := texts(r.answer.box); strings.Contains(got, "Vienna") {
					t.Errorf("after %s the old answer stands:\n%s", when, got)
				}
				if len(r.evidence.rows) > 0 || len(r.figure.model.Nodes) > 0 || r.run != nil {
					t.Errorf("after %s the old evidence stands", when)
				}
			})
		}
		// A question under way is of the old graph, too.
		r.ui(func() {
			r.opener.opened[len(r.opener.opened)-1].delay = 1e9
			r.question.put(asked)
			r.refreshGraph()
		})
		synctest.Wait()
		r.ui(func() {
			if r.asking.cancel != nil {
				t.Error("the old question goes on")
			}
		})
		r.close()
	})
}

func TestChosenTripleStaysInViewAboveItsSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			r.question.put("What is the capital of Austria?")
			r.win.Resize(fyne.NewSize(900, 560))
		})
		synctest.Wait()
		r.ui(func() {
			rows := make([]present.EvidenceRow, 12)
			for i := range rows {
				rows[i] = present.EvidenceRow{ID: kg.TripleID(i), Triple: report.Triple{Number: i + 1, Head: "Vienna", Relation: "capital of", Tail: "Austria"}}
			}
			r.evidence.show(rows, "")
			r.evidence.selectTriple(6)
			r.evidence.inspect("world.txt, line 7", "Vienna\tcapital of\tAustria")
			for _, p := range seen(r.win.Content()) {
				if c, ok := p.object.(*chip); ok && c.text == "T7" && p.covers(p.middle()) {
					return
				}
			}
			t.Error("the row of the chosen triple is out of view")
		})
		r.close()
	})
}

// TestAnotherMethodIsInTheWindow has a method that the window does not know: it is
// offered, can be gone on to, and its name stands beside the question.
func TestAnotherMethodIsInTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.methods = append(r.methods, retrievetest.Neighbours{}.Info())
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			if !slices.ContainsFunc(r.retrieverMenu(), func(it *fyne.MenuItem) bool { return it.Label == "Neighbours" }) {
				t.Error("the menu does not offer it")
			}
			for range len(r.methods) - 1 {
				r.switchRetriever()
			}
			if r.question.by.Text != "Neighbours" || !strings.Contains(r.status.message, "answered by the list of neighbours") {
				t.Errorf("at the last: the selector says %q, the status %q", r.question.by.Text, r.status.message)
			}
			r.steps.begin(r.retriever())
			if got := r.steps.steps[engine.StageRetrieve].Hint; got != "list the neighbours" {
				t.Errorf("the step says %q", got)
			}
		})
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			if r.retriever().ID != "neighbours" {
				t.Errorf("opened again, questions go to %q", r.retriever().ID)
			}
		})
		r.close()
	})
}

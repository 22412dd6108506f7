package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

// fakeTrainer trains in a few turns of pace each.
type fakeTrainer struct {
	mu         sync.Mutex
	trained    []engine.TrainedModel
	unfinished string
	pace       time.Duration // of one turn
	turns      int
	failWith   error // what a training fails with, after its data is known
	requests   []engine.TrainOptions
}

func (f *fakeTrainer) models() []engine.TrainedModel {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.trained)
}

func (f *fakeTrainer) Trained(context.Context) ([]engine.TrainedModel, error) {
	return f.models(), nil
}

func (f *fakeTrainer) Unfinished(_ context.Context, method string) (string, error) {
	if n := len(f.requests); n > 0 && f.requests[n-1].Method != method {
		return "", nil
	}
	return f.unfinished, nil
}

func (f *fakeTrainer) ForgetUnfinished(context.Context, string) error {
	f.unfinished = ""
	return nil
}

func (f *fakeTrainer) UseTrained(_ context.Context, id int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.trained {
		f.trained[i].InUse = f.trained[i].ID == id
	}
	return nil
}

func (f *fakeTrainer) DeleteTrained(_ context.Context, id int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trained = slices.DeleteFunc(f.trained, func(m engine.TrainedModel) bool { return m.ID == id })
	return nil
}

func (f *fakeTrainer) Train(ctx context.Context, o engine.TrainOptions, ev *engine.TrainEvents) (engine.TrainedModel, error) {
	f.requests = append(f.requests, o)
	ev.Progress("make questions", 1, 2)
	ev.Data(engine.TrainingData{
		About: "questions generated from the graph", Train: 180, Held: 20,
		Dropped: []questions.Problem{{Line: 3, Why: "no answer of it is in this graph"}}, DroppedInAll: 1,
	})
	ev.Notes([]string{"98 % of the right answers lie within the regions."})
	if f.failWith != nil {
		return engine.TrainedModel{}, f.failWith
	}
	keep := func(h1 float64) engine.TrainedModel {
		f.mu.Lock()
		defer f.mu.Unlock()
		for i := range f.trained {
			f.trained[i].InUse = false
		}
		m := engine.TrainedModel{
			ID: int64(len(f.trained) + 1), Method: o.Method, Name: "relation flow", InUse: true,
			About: retrieve.About{Data: "180 made questions", Questions: 180, Held: 20, Dev: retrieve.Metrics{H1: h1}, Seconds: 9},
		}
		f.trained = slices.Insert(f.trained, 0, m)
		return m
	}
	for turn := range f.turns {
		select {
		case <-time.After(f.pace):
		case <-ctx.Done():
			f.unfinished = "relation flow on 180 made questions, stopped at turn " + fmt.Sprint(turn)
			if turn == 0 {
				return engine.TrainedModel{}, ctx.Err()
			}
			return keep(float64(turn) / float64(f.turns)), ctx.Err()
		}
		ev.Epoch(retrieve.Epoch{
			Part: 1, Parts: 1, Try: 1, Epoch: turn + 1, Epochs: f.turns, Loss: 1 / float64(turn+1),
			Dev: &retrieve.Metrics{H1: float64(turn+1) / float64(f.turns)}, Best: true, Seconds: (time.Duration(turn+1) * f.pace).Seconds(),
		})
	}
	f.unfinished = ""
	return keep(1), nil
}

// openTrain opens a graph and the panel of trainings, in ten turns of a minute each.
func openTrain(tb testing.TB, r *rig) (g *fakeGraph, v *trainView) {
	tb.Helper()
	r.ui(r.openSample)
	synctest.Wait()
	g = r.opener.opened[len(r.opener.opened)-1]
	g.turns, g.pace = 10, time.Minute
	r.ui(func() { v = r.showTrain() })
	synctest.Wait()
	return g, v
}

// panelButton is a button of the dialog that lies on top, by its text.
func panelButton(tb testing.TB, r *rig, text string) *button {
	tb.Helper()
	var found *button
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		b, ok := o.(*button)
		if ok && b.Text == text {
			found = b
			return
		}
		if c, ok := o.(*fyne.Container); ok {
			for _, child := range c.Objects {
				walk(child)
			}
			return
		}
		if w, ok := o.(fyne.Widget); ok {
			for _, child := range test.WidgetRenderer(w).Objects() {
				walk(child)
			}
		}
	}
	walk(r.win.Canvas().Overlays().Top())
	if found == nil {
		tb.Fatalf("there is no button %q", text)
	}
	return found
}

func TestTrainingShowsHowFarItIsAndGoesOnWhileItsPanelIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		g, v := openTrain(t, r)
		r.ui(func() { test.Tap(panelButton(t, r, "Train")) })
		time.Sleep(4*time.Minute + 30*time.Second)
		synctest.Wait()
		r.ui(func() {
			if got := g.requests[0]; got.Questions != usualMade || got.File != "" || got.Method != "gnn" || len(got.Chosen) > 0 {
				t.Errorf("trained with %+v, want %d made questions and the quick network", got, usualMade)
			}
			for label, want := range map[*widget.Label]string{
				v.state.state:  "Epoch 4 of at most 10 · at most about 6 min left",
				v.state.result: "Best so far: the first answer was right for 8 of 20 held-back questions (H@1 0.40).",
			} {
				if label.Text != want {
					t.Errorf("the panel says %q, want %q", label.Text, want)
				}
			}
			about := texts(v.state.about)
			for _, want := range []string{"It learns from questions generated from the graph and is measured on 20", "98 % of the right answers lie within the regions", "1 question cannot be used", "No answer of it is in this graph (line 3)"} {
				if !strings.Contains(about, want) {
					t.Errorf("the panel lacks %q:\n%s", want, about)
				}
			}
			if v.state.bar.Value != 0.4 || len(v.state.first.curves) != 1 || len(v.state.first.curves[0].Points) != 4 {
				t.Errorf("bar at %v, curves %+v", v.state.bar.Value, v.state.first.curves)
			}
			v.dialog.Hide()
			if got := r.status.work.Text; got != "training, 40%" || !r.status.working.Visible() {
				t.Errorf("the status line says %q", got)
			}
			if r.trainings.view != nil {
				t.Error("the panel is still there")
			}
		})
		time.Sleep(time.Hour)
		synctest.Wait()
		r.ui(func() {
			if want := "“Relation flow” is trained and in use. The first answer was right for 20 of 20 held-back questions"; !strings.HasPrefix(r.status.message, want) {
				t.Errorf("status = %q, want %q", r.status.message, want)
			}
			if r.status.working.Visible() {
				t.Error("the status line still shows a training")
			}
			r.showTrain()
		})
		synctest.Wait()
		r.ui(func() {
			if f, ok := r.win.Canvas().Focused().(*button); !ok || f.Text != "Use it to ask" {
				t.Error("Return does not press the button to press of a panel that was just opened")
			}
			test.Tap(panelButton(t, r, "Use it to ask"))
			if r.retriever().ID != "gnn" || r.question.by.Text != "Trained network" {
				t.Errorf("questions go to %q", r.question.by.Text)
			}
		})
		r.close()
	})
}

func TestTrainingStopKeepsTheBestAndCanBeGoneOnWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		g, v := openTrain(t, r)
		r.ui(func() { test.Tap(panelButton(t, r, "Train")) })
		time.Sleep(3*time.Minute + time.Second)
		synctest.Wait()
		r.ui(func() { test.Tap(panelButton(t, r, "Stop and keep the best")) })
		synctest.Wait()
		r.ui(func() {
			if got := v.state.ended.Text; v.state.head.Text != "Training stopped" || !strings.Contains(got, "The best so far is kept as “Relation flow”") || !strings.Contains(got, "6 of 20") {
				t.Errorf("the panel says %q and %q", v.state.head.Text, got)
			}
			test.Tap(panelButton(t, r, "Train another …"))
			if got := texts(v.begun); !strings.Contains(got, "A training was interrupted: Relation flow on 180 made questions, stopped at turn 3.") {
				t.Errorf("the form lacks the training that was not ended:\n%s", got)
			}
			test.Tap(panelButton(t, r, "Resume"))
		})
		synctest.Wait()
		if !g.requests[1].Resume {
			t.Errorf("trained anew with %+v, want it gone on with", g.requests[1])
		}
		r.close()
	})
}

func TestTrainingClosesWithItsWindowAndItsGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		g, _ := openTrain(t, r)
		r.ui(func() { test.Tap(panelButton(t, r, "Train")) })
		time.Sleep(3 * time.Minute)
		r.ui(func() { r.open("/data/other.cairn") })
		synctest.Wait()
		if g.unfinished == "" {
			t.Error("the training goes on without its graph")
		}
		r.ui(func() {
			if r.trainings.task != nil || len(r.trainings.known) != 0 || r.status.working.Visible() {
				t.Error("the other graph shows the training of the first")
			}
		})
		other := r.opener.opened[1]
		other.turns, other.pace = 10, time.Minute
		r.ui(func() { r.trainings.train(engine.TrainOptions{}, "") })
		synctest.Wait()
		r.close()
		synctest.Wait()
		if other.unfinished == "" || other.closed != 1 {
			t.Errorf("after the window closed: unfinished %q, graph closed %d times", other.unfinished, other.closed)
		}
	})
}

func TestTrainingFailsInWords(t *testing.T) {
	for want, err := range map[string]error{
		"There is nothing to learn from": fmt.Errorf("train: %w", retrieve.ErrNothingToLearn),
		"grew without bound":             fmt.Errorf("epoch 3: %w", retrieve.ErrDiverged),
		"inside Cairn":                   errors.New("runtime error: index out of range [3]"),
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			g, v := openTrain(t, r)
			g.failWith = err
			r.ui(func() { test.Tap(panelButton(t, r, "Train")) })
			synctest.Wait()
			r.ui(func() {
				if got := v.state.ended.Text; !strings.Contains(got, want) || strings.Contains(got, "epoch 3") {
					t.Errorf("the panel says %q, want %q in it", got, want)
				}
				if !strings.Contains(texts(v.state.about), "1 question cannot be used") {
					t.Error("the panel does not say why questions cannot be used")
				}
				panelButton(t, r, "Train another …")
			})
			r.close()
		})
	}
}

func TestTrainFormOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		_, v := openTrain(t, r)
		r.ui(func() {
			f := v.form
			field := func(name string) *optionField {
				i := slices.IndexFunc(f.fields, func(x *optionField) bool { return x.Name == name })
				if i < 0 {
					t.Fatalf("there is no option %q", name)
				}
				return f.fields[i]
			}
			if !strings.Contains(f.estimate.Text, "You can stop at any time") {
				t.Errorf("estimate = %q", f.estimate.Text)
			}
			if field("hub").row.Visible() {
				t.Error("the quick network has a hub limit")
			}
			field("network").set("rearev")
			for name, value := range map[string]string{"hub": "200", "epochs": "7", "encoder": "tokens,lexical", "rate": "0.002"} {
				field(name).set(value)
			}
			f.seed.set("3")
			want := retrieve.Values{"network": "rearev", "hub": "200", "epochs": "7", "encoder": "tokens,lexical"}
			if o, err := f.options(); err != nil || !maps.Equal(o.Chosen, want) || o.Seed != 3 || f.title() != "Thorough: ReaRev" {
				t.Errorf("options = %+v, %v, want %v", o, err, want)
			}
			field("encoder").set("")
			if _, err := f.options(); err == nil || !strings.Contains(err.Error(), "Word vectors, under Advanced, needs at least one choice") {
				t.Errorf("without word vectors: %v", err)
			}
			field("encoder").set("tokens")
			field("network").set("flow") // the hub limit is not its option
			if o, err := f.options(); err != nil || !maps.Equal(o.Chosen, retrieve.Values{"epochs": "7"}) {
				t.Errorf("options of the quick network = %+v, %v", o, err)
			}
			f.seed.set("often")
			if got := f.estimate.Text; !strings.Contains(got, "Seed, under Advanced, must be a whole number") || !panelButton(t, r, "Train").Disabled() {
				t.Errorf("a seed that is no number: %q", got)
			}
			f.seed.set("")
			f.setHeld("/data/held.csv")
			if o, _ := f.options(); o.Held != "/data/held.csv" || f.heldPath.Text != "held.csv" {
				t.Errorf("held = %q, shown as %q", o.Held, f.heldPath.Text)
			}
			f.setHeld("")
			if f.heldPath.Text != heldBack {
				t.Errorf("without a file it says %q", f.heldPath.Text)
			}
			f.source.setSelected(fromFile)
			if got := f.estimate.Text; got != "Choose a file of questions first." || !panelButton(t, r, "Train").Disabled() {
				t.Errorf("without a file: %q", got)
			}
			if f.assist.Visible() {
				t.Error("a model that there is not can help")
			}
			r.prefs.setModel("qwen3:4b")
			f = newTrainForm(r.window, nil)
			for _, test := range []struct{ source, method, want string }{
				{fromFile, "gnn", "word questions about each relation: "}, {fromFile, "gsr", "and say which relations"}, {fromGraph, "gsr", "reword them"},
			} {
				f.source.setSelected(test.source)
				f.choose(test.method)
				if !f.assist.Visible() || !strings.Contains(f.assist.Text, "Have qwen3:4b ") || !strings.Contains(f.assist.Text, test.want) {
					t.Errorf("%s for %s: %q, want %q", test.source, test.method, f.assist.Text, test.want)
				}
			}
			f.assist.SetChecked(true)
			if o, err := f.options(); err != nil || !o.Assist {
				t.Errorf("with the model's help: %+v, %v", o, err)
			}
		})
		r.close()
	})
}

func TestTrainFormLooksIntoAFile(t *testing.T) {
	dir := t.TempDir()
	for name, x := range map[string]struct {
		text, want string
		ready      bool
	}{
		"good.csv":  {"question,topics,answers\nWhat is the capital of Austria?,Austria,Vienna\nWhat borders Austria?,Austria,Hungary\n", "2 questions with answers.", true},
		"empty.csv": {"", "the file is empty", false},
		"prose.txt": {"It was a dark and stormy night.\n", "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(x.text), 0o600); err != nil {
				t.Fatal(err)
			}
			r := newRig(t)
			_, v := openTrain(t, r)
			r.ui(func() {
				v.form.source.setSelected(fromFile)
				v.form.setFile(path)
			})
			synctest.Wait()
			r.ui(func() {
				if got := v.form.facts.Text; !strings.Contains(got, x.want) || got == "" {
					t.Errorf("%s: the form says %q, want %q in it", name, got, x.want)
				}
				if v.form.ready() != x.ready {
					t.Errorf("%s: ready = %t, want %t", name, v.form.ready(), x.ready)
				}
			})
			r.close()
		})
	}
}

func TestTrainedAreListedUsedAndDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.trained = []engine.TrainedModel{
				{ID: 2, Method: "gnn", Name: "two", InUse: true, Stale: "the graph has changed since it was trained", About: retrieve.About{Data: "a.csv", Questions: 9, Held: 10, Dev: retrieve.Metrics{H1: 0.9}}},
				{ID: 1, Method: "gnn", Name: "one", Problem: "it was made by a newer version"},
			}
			return g
		}
		g, v := openTrain(t, r)
		r.ui(func() {
			got := texts(v.rows)
			for _, want := range []string{"Two", "In use", "right for 9 of 10 held-back questions", "! The graph has changed since it was trained.", "! It was made by a newer version."} {
				if !strings.Contains(got, want) {
					t.Errorf("the list lacks %q:\n%s", want, got)
				}
			}
			r.trainings.deleteModel(2)
		})
		synctest.Wait()
		r.ui(func() {
			if got := texts(v.rows); strings.Contains(got, "Two") || len(g.models()) != 1 {
				t.Errorf("after deleting:\n%s", got)
			}
			r.trainings.useModel(1)
		})
		synctest.Wait()
		if !g.models()[0].InUse {
			t.Error("it is not in use")
		}
		r.close()
	})
}

func TestRetrieverIsRememberedAndExplainedWhereNothingIsTrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			r.switchRetriever()
			r.switchRetriever()
			if got := r.status.message; !strings.Contains(got, untrainedText) {
				t.Errorf("status = %q", got)
			}
			r.question.put("What is the capital of Austria?")
		})
		synctest.Wait()
		r.ui(func() {
			got := texts(r.answer.box)
			for _, want := range []string{untrainedText, "Train a retriever …", "Ask with the automatic choice instead"} {
				if !strings.Contains(got, want) {
					t.Errorf("the explanation lacks %q:\n%s", want, got)
				}
			}
			if strings.Contains(got, "could not be answered") {
				t.Errorf("it looks like an error:\n%s", got)
			}
			if f, ok := r.win.Canvas().Focused().(*button); !ok || f.Text != "Train a retriever …" {
				t.Error("the keyboard is not at the button that helps")
			}
			r.open("/data/other.cairn")
		})
		synctest.Wait()
		r.ui(func() {
			if r.retriever().ID != engine.Auto || r.question.by.Text != "Automatic" {
				t.Errorf("the other graph begins with %q", r.question.by.Text)
			}
			r.openSample()
		})
		synctest.Wait()
		r.ui(func() {
			if r.question.by.Text != "Trained network" {
				t.Error("the choice was not remembered with its graph")
			}
		})
		r.close()
	})
}

func TestAskTheOtherRetrieverCompares(t *testing.T) {
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
		r.ui(func() {
			if got := texts(r.answer.box); !strings.Contains(got, "Ask the same question with the trained network") {
				t.Errorf("the answer does not offer the other retriever:\n%s", got)
			}
			r.askOther()
		})
		synctest.Wait()
		r.ui(func() {
			got := texts(r.answer.box)
			for _, want := range []string{"Likely: Vienna (0.93)", "0 to 1, higher is more likely", "Pattern matching, asked the same question, agreed.", "Ask the same question with exact matching"} {
				if !strings.Contains(got, want) {
					t.Errorf("the network's answer lacks %q:\n%s", want, got)
				}
			}
			match := texts(r.match.box)
			for _, want := range []string{"The graph has changed since.", "Austria ← capital of — Vienna", "0.93", "• capital of, backwards (0.98)", "Close, but not selected", "Hungary"} {
				if !strings.Contains(match, want) {
					t.Errorf("How it matched lacks %q:\n%s", want, match)
				}
			}
			if m := r.fig.model; len(m.Nodes) != 2 || m.Nodes[1].Mark != "0.93" {
				t.Errorf("picture = %+v", m.Nodes)
			}
			r.fig.events.selectNode(present.NodeID(0))
			if got := r.status.message; !strings.Contains(got, "probability 0.93 (0 to 1, higher is more likely)") {
				t.Errorf("the node says %q", got)
			}
			r.showAnswer(0)
		})
		synctest.Wait()
		if want := []string{present.EdgeID(0)}; !slices.Equal(r.fig.highlighted, want) {
			t.Errorf("highlighted %q, want %q", r.fig.highlighted, want)
		}
		r.ui(r.askOther)
		synctest.Wait()
		if asked := r.opener.opened[0].asked; asked[1].Retriever != "gnn" || asked[2].Retriever != "exact" {
			t.Errorf("asked with %+v", asked)
		}
		r.close()
	})
}

func TestChartDrawsTriesApart(t *testing.T) {
	test.NewTempApp(t)
	work := present.Training{}
	for i := range 12 {
		e := retrieve.Epoch{Part: 1, Parts: 1, Try: 1 + i/4, Epoch: 1 + i%4, Epochs: 20, Loss: 2 / float64(1+i%4), Stalled: i == 3 || i == 7}
		if i%2 == 1 {
			e.Dev, e.Best = &retrieve.Metrics{H1: float64(i) / 20}, i == 11
		}
		work.Epochs = append(work.Epochs, e)
	}
	loss, first := newCharts()
	for _, c := range []*chart{loss, first} {
		curves, epochs := work.Curves()
		c.show(curves, epochs)
		c.root.Resize(fyne.NewSize(400, 200))
		var said []string
		for _, o := range c.root.Objects {
			if s := chartWord(o); s != "" {
				said = append(said, s)
			}
			if p, size := o.Position(), o.Size(); p.X < -1 || p.Y < -1 || p.X+size.Width > 401 || p.Y+size.Height > 201 {
				t.Errorf("%q lies outside the chart: %v, %v", chartWord(o), p, size)
			}
		}
		for _, want := range []string{"better", "epochs", "attempt 1", "attempt 2", "attempt 3", "✗"} {
			if !strings.Contains(strings.Join(said, "|"), want) {
				t.Errorf("the chart lacks %q: %q", want, said)
			}
		}
		if epochs != 28 {
			t.Errorf("the axis ends at %d turns, want 12 and the 16 to come", epochs)
		}
		c.root.Resize(fyne.NewSize(40, 40)) // too small to draw in
	}
}

// chartWord is the text of a part of a chart.
func chartWord(o fyne.CanvasObject) string {
	if t, ok := o.(*fynecanvas.Text); ok {
		return t.Text
	}
	return ""
}

func TestTrainingEndsWithTheKeyboardAtTheNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		openTrain(t, r)
		r.ui(func() { test.Tap(panelButton(t, r, "Train")) })
		time.Sleep(time.Hour)
		synctest.Wait()
		r.ui(func() {
			ask, ok := r.win.Canvas().Focused().(*button)
			if !ok || ask.Text != "Use it to ask" {
				t.Fatalf("the focus is on %T, want the button to ask with it", r.win.Canvas().Focused())
			}
			ask.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if r.trainings.view != nil {
				t.Error("Escape does not close the panel")
			}
			if r.retriever().ID != engine.Auto {
				t.Error("Escape chose the network")
			}
		})
		r.close()
	})
}

// TestAnotherMethodIsTrainedInTheWindow has a method that the window does not know: the
// form is made of its options, and what is trained is shown and used by its own ID.
func TestAnotherMethodIsTrainedInTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		counts := retrievetest.Counts{}
		r.methods = append(r.methods, counts.Info())
		r.trainings.methods = append(r.trainings.methods, counts)
		g, v := openTrain(t, r)
		r.ui(func() {
			v.form.setMethod(optionless{counts})
			if o, err := v.form.options(); err != nil || len(o.Chosen) > 0 || v.form.title() != "Counted relations" {
				t.Errorf("without options: %q with %+v, %v", v.form.title(), o, err)
			}
			v.form.setMethod(counts)
			v.form.fields[0].set("forwards")
			v.form.fields[1].set("often")
			if got := v.form.estimate.Text; got != "Passes, under Advanced, must be a whole number from 1 to 100." {
				t.Errorf("the form says %q", got)
			}
			v.form.fields[1].set("7")
			test.Tap(panelButton(t, r, "Train"))
		})
		synctest.Wait()
		r.ui(func() {
			want := retrieve.Values{"direction": "forwards", "passes": "7"}
			if got := g.requests[0]; got.Method != "counts" || !maps.Equal(got.Chosen, want) {
				t.Errorf("trained with %+v, want %v", got, want)
			}
			if got := v.state.head.Text; got != "Training · From head to tail" {
				t.Errorf("the panel is headed %q", got)
			}
		})
		time.Sleep(3*time.Minute + time.Second)
		synctest.Wait()
		r.ui(func() { test.Tap(panelButton(t, r, "Stop and keep the best")) })
		synctest.Wait()
		r.ui(func() {
			test.Tap(panelButton(t, r, "Use it to ask"))
			if r.retriever().ID != "counts" || !r.ready(r.retriever()) || r.ready(r.method("gnn")) {
				t.Errorf("questions go to %q", r.retriever().ID)
			}
			r.showTrain()
		})
		synctest.Wait()
		r.ui(func() { test.Tap(panelButton(t, r, "Resume")) })
		synctest.Wait()
		if got := g.requests[1]; got.Method != "counts" || !got.Resume {
			t.Errorf("resumed with %+v", got)
		}
		r.close()
	})
}

// optionless is a method whose training has no options.
type optionless struct{ retrieve.Trainable }

func (optionless) Options() []retrieve.Option { return nil }

package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cairn/engine/evidence"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/selftest"
)

// twoModels are one to ask and one to embed with.
var twoModels = []ollama.ModelInfo{
	{Name: "nomic-embed-text:latest", Size: 274e6, Parameters: "137M", Quantization: "F16", Digest: "d1"},
	{Name: "qwen3:4b", Size: 2_500_000_000, Parameters: "4.0B", Quantization: "Q4_K_M", Digest: "d2"},
}

// openModels opens a graph and then the panel, and returns the panel.
func openModels(r *rig) *modelsView {
	r.ui(r.openSample)
	synctest.Wait()
	var v *modelsView
	r.ui(func() { v = r.showModels() })
	synctest.Wait()
	return v
}

// choose shows a model of the list.
func (v *modelsView) choose(name string) {
	for i, n := range v.names {
		if n == name {
			v.list.Select(i + 1)
		}
	}
}

func TestModelsPanelListsAndChooses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		v := openModels(r)
		r.ui(func() {
			if got := v.state.Text; !strings.Contains(got, "Ollama 0.17.4 runs on this computer, with 2 models") {
				t.Errorf("state = %q", got)
			}
			if v.selected != "" || v.detail.use.Text != "Used for everything" || !v.detail.use.Disabled() {
				t.Errorf("at first %q is shown with button %q", v.selected, v.detail.use.Text)
			}
			v.choose("qwen3:4b")
			if got := v.detail.facts.Text; !strings.Contains(got, "Reading questions and writing answers.") || !strings.Contains(got, "8,192 tokens") {
				t.Errorf("facts = %q", got)
			}
			test.Tap(v.detail.use)
		})
		synctest.Wait()
		g := r.opener.opened[0]
		if g.model == nil || g.model.Name() != "qwen3:4b" || r.prefs.model() != "qwen3:4b" || r.status.model.Text != "model: qwen3:4b" {
			t.Errorf("chosen model: graph has %v, preferences %q, status %q", g.model, r.prefs.model(), r.status.model.Text)
		}
		r.ui(func() {
			if got := v.inUse("qwen3:4b"); got != "used for questions" {
				t.Errorf("the row says %q", got)
			}
			v.choose("nomic-embed-text:latest")
			if v.detail.use.Text != "Use for names" {
				t.Errorf("an embedding model offers %q", v.detail.use.Text)
			}
			test.Tap(v.detail.use)
		})
		synctest.Wait()
		if g.embedder == nil || r.models.embedder() != "nomic-embed-text:latest" {
			t.Errorf("embedder %v, named %q", g.embedder, r.models.embedder())
		}
		r.ui(func() {
			v.choose("qwen3:4b")
			test.Tap(v.detail.use) // stop using it
		})
		if g.model != nil || r.prefs.model() != "" {
			t.Errorf("after it was given up: graph has %v, preferences %q", g.model, r.prefs.model())
		}
		r.ui(func() {
			v.list.Select(0)
			test.Tap(v.detail.use) // built-in for everything
		})
		synctest.Wait()
		if g.embedder != nil || r.models.embedder() != "" {
			t.Errorf("after the built-in one was chosen: embedder %v, named %q", g.embedder, r.models.embedder())
		}
		r.close()
	})
}

func TestModelsPanelStates(t *testing.T) {
	tests := []struct {
		name  string
		set   func(s *fakeServer)
		state string
	}{
		{"not running", func(s *fakeServer) {
			s.fail = &llm.Error{Kind: llm.ErrNotRunning, Detail: "at http://127.0.0.1:11434", Remedy: "start it with `ollama serve`, or continue without a model"}
		}, "No Ollama server responds at http://127.0.0.1:11434. Start it with"},
		{"no model", func(*fakeServer) {}, "has no model yet"},
		{"a raw error", func(s *fakeServer) { s.fail = errors.New("unexpected EOF") }, "It ends too early."},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				tc.set(&r.opener.server)
				v := openModels(r)
				r.ui(func() {
					if !strings.Contains(v.state.Text, tc.state) {
						t.Errorf("state = %q, want %q in it", v.state.Text, tc.state)
					}
					if len(v.names) != 0 {
						t.Errorf("models %q are listed", v.names)
					}
				})
				r.close()
			})
		})
	}
}

func TestModelsPanelDoesNotWaitForASlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.delay = time.Hour
		v := openModels(r)
		r.ui(func() {
			if v.state.Text != "Looking for Ollama …" {
				t.Errorf("state = %q", v.state.Text)
			}
			v.dialog.Hide()
		})
		r.close() // returns at once: the look is given up
	})
}

func TestModelsPanelManyModels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for i := range 30 {
			r.opener.server.found = append(r.opener.server.found, ollama.ModelInfo{Name: fmt.Sprintf("model-%02d:4b", i), Size: 1e9})
		}
		v := openModels(r)
		r.ui(func() {
			if v.list.Length() != 31 {
				t.Errorf("%d rows, want 31", v.list.Length())
			}
			v.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
			if v.selected != "model-29:4b" {
				t.Errorf("End shows %q", v.selected)
			}
			v.detail.use.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		})
		if r.prefs.model() != "model-29:4b" {
			t.Errorf("Space on the button chose %q", r.prefs.model())
		}
		r.ui(func() {
			if m := r.win.Canvas().Overlays().Top().MinSize(); m.Width > 560 || m.Height > 420 {
				t.Errorf("the panel needs %v, too much for a small window", m)
			}
		})
		r.close()
	})
}

func TestModelsRemoteHostHasToBeAllowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		v := openModels(r)
		r.ui(func() {
			if v.remote.Visible() {
				t.Error("this computer needs no permission, but there is a box for it")
			}
			v.host.SetText("192.168.1.7:11434")
			if !v.remote.Visible() || v.remote.Checked {
				t.Errorf("another computer: box visible %t, checked %t; want true, false", v.remote.Visible(), v.remote.Checked)
			}
			v.host.OnSubmitted(v.host.Text)
		})
		synctest.Wait()
		r.ui(func() {
			if !strings.Contains(v.state.Text, "is another computer; nothing was sent to it") || r.prefs.remote() {
				t.Errorf("not allowed: state %q, remote %t", v.state.Text, r.prefs.remote())
			}
			v.remote.SetChecked(true)
		})
		synctest.Wait()
		r.ui(func() {
			if !strings.Contains(v.state.Text, "another computer, which you allowed") || !r.prefs.remote() {
				t.Errorf("allowed: state %q, remote %t", v.state.Text, r.prefs.remote())
			}
			v.host.SetText("192.168.1.8:11434")
			if v.remote.Checked {
				t.Error("the permission went over to another address")
			}
		})
		r.close()
	})
}

func TestModelsTestShowsItsResultAndKeepsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found, r.opener.server.replies = twoModels, "I would rather chat."
		v := openModels(r)
		r.ui(func() {
			v.choose("qwen3:4b")
			test.Tap(v.detail.test)
		})
		synctest.Wait()
		r.ui(func() {
			if got := texts(v.detail.checksHolder); !strings.Contains(got, "does not write valid JSON") || !strings.Contains(got, "✗ A claim") {
				t.Errorf("the result is shown as:\n%s", got)
			}
		})
		if again := newModels(r.window); again.tested["d2"].Report.Verdict != selftest.Unsuited || len(again.tested["d2"].Report.Checks) == 0 {
			t.Errorf("kept reports = %+v", again.tested)
		}
		r.close()
	})
}

func TestModelsTestCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		v := openModels(r)
		r.opener.server.delay = time.Minute
		r.ui(func() {
			v.choose("qwen3:4b")
			test.Tap(v.detail.test)
			if !v.tasks[0].root.Visible() || !v.detail.test.Disabled() {
				t.Error("a test that is under way is not shown")
			}
			test.Tap(v.tasks[0].stop)
		})
		synctest.Wait()
		r.ui(func() {
			if r.models.test.running() || r.status.message != "Stopped." {
				t.Errorf("after Stop: running %t, status %q", r.models.test.running(), r.status.message)
			}
			if _, ok := r.models.report(twoModels[1]); ok {
				t.Error("a stopped test left a report")
			}
		})
		r.close()
	})
}

func TestModelsPull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		v := openModels(r)
		r.opener.server.delay = 10 * time.Second
		r.ui(func() {
			v.pullName.SetText(" qwen3:4b ")
			test.Tap(v.pull)
		})
		time.Sleep(25 * time.Second)
		synctest.Wait()
		r.ui(func() {
			got := v.tasks[1].text.Text
			for _, want := range []string{"qwen3:4b", "Pulling 8934d96d3f08: 1.0 GB of 2.0 GB", "50 MB a second", "20 s left"} {
				if !strings.Contains(got, want) {
					t.Errorf("the pull says %q, want %q in it", got, want)
				}
			}
			if v.tasks[1].bar.Value != 0.5 || !v.pull.Disabled() {
				t.Errorf("bar at %v, button disabled %t", v.tasks[1].bar.Value, v.pull.Disabled())
			}
			if again := r.showModels(); again != v {
				t.Error("the panel was opened twice")
			}
			v.dialog.Hide() // it goes on
			if got := r.status.model.Text; got != "pulling qwen3:4b, 50%" {
				t.Errorf("the status line says %q", got)
			}
		})
		r.ui(func() { r.opener.server.found = twoModels }) // before the window looks again
		time.Sleep(time.Minute)
		synctest.Wait()
		r.ui(func() {
			if got := r.models.pull.ended; got != "qwen3:4b is ready to use." || len(r.models.found) != 2 {
				t.Errorf("the pull ended with %q and %d models", got, len(r.models.found))
			}
		})
		r.close()
	})
}

func TestModelMissingAtStartIsSaidOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.prefs.setModel("gone:7b")
		r.opener.server.found = twoModels
		r.ui(func() { r.begin(nil) })
		synctest.Wait()
		r.ui(func() {
			if !strings.Contains(r.status.message, "gone:7b cannot be used now") || !strings.Contains(r.status.model.Text, "unavailable") {
				t.Errorf("status %q, model %q", r.status.message, r.status.model.Text)
			}
			r.status.say("")
			r.models.look()
		})
		synctest.Wait()
		if r.status.message != "" {
			t.Errorf("it was said again: %q", r.status.message)
		}
		r.close()
	})
}

func TestEmbeddingGoesOnlyAsFarAsItIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay = time.Hour
			return g
		}
		v := openModels(r)
		r.ui(func() {
			v.choose("nomic-embed-text:latest")
			test.Tap(v.detail.use)
		})
		synctest.Wait()
		r.ui(func() {
			if got := v.tasks[2].text.Text; !strings.Contains(got, "Embed the names: 1 of 2 (50%)") {
				t.Errorf("the embedding says %q", got)
			}
			test.Tap(v.tasks[2].stop)
		})
		synctest.Wait()
		r.ui(func() {
			if r.models.embed.running() {
				t.Error("it goes on after Stop")
			}
		})
		r.close() // waits for the graph, which must not be held
	})
}

// TestAnotherGraphEndsEmbedding: the names of a graph that is not shown any more
// are not embedded to the end, which would keep its file open for hours.
func TestAnotherGraphEndsEmbedding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay = time.Hour
			return g
		}
		v := openModels(r)
		r.ui(func() {
			v.choose("nomic-embed-text:latest")
			test.Tap(v.detail.use)
		})
		synctest.Wait()
		r.ui(func() { r.open("/data/other.cairn") })
		synctest.Wait()
		r.ui(func() {
			if r.path() != "/data/other.cairn" {
				t.Fatalf("the graph %q is open", r.path())
			}
			if r.models.embed.running() {
				t.Error("embedding the old graph's names goes on")
			}
		})
		if g := r.opener.opened[0]; g.closed != 1 {
			t.Errorf("the old graph was closed %d times, want once", g.closed)
		}
		r.close()
	})
}

func TestAskingUsesTheChosenStyle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		v := openModels(r)
		_ = v
		r.prefs.setStyle(evidence.Paths)
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		asked := r.opener.opened[0].asked
		if asked[0].Style != evidence.Paths {
			t.Errorf("asked with style %v, want paths", asked[0].Style)
		}
		r.close()
	})
}

func TestConnectionsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.showConnections)
		got := texts(r.win.Canvas().Overlays().Top().(*widget.PopUp).Content) //nolint:errcheck // dialogs are pop-ups
		if !strings.Contains(got, "contacted nothing outside this computer") {
			t.Errorf("connections are shown as:\n%s", got)
		}
		r.close()
	})
}

func TestMemTotal(t *testing.T) {
	if got := memTotal("MemFree: 1 kB\nMemTotal:       16252928 kB\n"); got != 16252928<<10 {
		t.Errorf("memTotal = %d", got)
	}
	for _, bad := range []string{"", "MemTotal: lots kB", "MemTotal: 12 MB"} {
		if got := memTotal(bad); got != 0 {
			t.Errorf("memTotal(%q) = %d, want 0", bad, got)
		}
	}
}

func TestSameModel(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"nomic-embed-text", "nomic-embed-text:latest", true},
		{"host:5000/a/b", "host:5000/a/b:latest", true},
		{"qwen3:4b", "qwen3:8b", false},
		{"", "qwen3", false},
		{"", "", true},
	} {
		if got := same(tc.a, tc.b); got != tc.want {
			t.Errorf("same(%q, %q) = %t", tc.a, tc.b, got)
		}
	}
}

func TestServerThatDiesIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.server.found = twoModels
		v := openModels(r)
		r.ui(func() {
			v.choose("qwen3:4b")
			r.opener.server.fail = &llm.Error{Kind: llm.ErrNotRunning, Detail: "at http://127.0.0.1:11434", Remedy: "start it with `ollama serve`"}
			test.Tap(v.detail.test)
		})
		synctest.Wait()
		r.ui(func() {
			if got := v.tasks[0].text.Text; !strings.Contains(got, "No Ollama server responds") || !v.tasks[0].root.Visible() {
				t.Errorf("the test ended with %q", got)
			}
			if got := v.state.Text; !strings.Contains(got, "No Ollama server responds") {
				t.Errorf("the server's state is still %q", got)
			}
		})
		r.close()
	})
}

func TestKeptReportsOfAnotherVersionAreNoHarm(t *testing.T) {
	for _, kept := range []string{"null", "{", `{"d1": {"report": {"verdict": "splendid"}}}`} {
		r := newRig(t)
		r.prefs.setTested(kept)
		m := newModels(r.window)
		m.keepReport(twoModels[0], selftest.Report{Model: "x"})
		if len(m.tested) == 0 {
			t.Errorf("with %s kept, a new report is not", kept)
		}
	}
}

package app

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2/test"
	"go.uber.org/goleak"

	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/lexicon"
	"cairn/engine/report"
	"cairn/internal/guard"
)

// busyGraph is a graph whose work does as held says.
type busyGraph struct {
	*fakeGraph
	held func() error
}

func (g *busyGraph) Ask(context.Context, string, engine.AskOptions, *engine.Events) (*engine.Run, error) {
	return nil, g.held()
}
func (g *busyGraph) Prepare(context.Context, *engine.Events) error { return g.held() }
func (g *busyGraph) Import(context.Context, []string, ingest.Options, *engine.Events) (ingest.Report, error) {
	return ingest.Report{}, g.held()
}

func (g *busyGraph) Train(context.Context, engine.TrainOptions, *engine.TrainEvents) (engine.TrainedModel, error) {
	return engine.TrainedModel{}, g.held()
}

func (g *busyGraph) SetEmbedder(context.Context, embed.Embedder, *engine.Events) error {
	return g.held()
}

func (g *busyGraph) ReadTexts(context.Context, []string, *engine.Events) (engine.ExtractReport, error) {
	return engine.ExtractReport{}, g.held()
}
func (g *busyGraph) Backup(context.Context, string, *engine.Events) error { return g.held() }
func (g *busyGraph) Report(context.Context, *engine.Run, string) (report.Report, error) {
	return report.Report{}, g.held()
}

// busyOpener opens busyGraphs; where the path says so, that itself is held.
type busyOpener struct {
	*fakeOpener
	held func() error
}

func (o busyOpener) Open(ctx context.Context, path string, connect connectFunc, ev *engine.Events) (openGraph, error) {
	if strings.Contains(path, "slow") {
		if err := o.held(); err != nil {
			return nil, err
		}
	}
	if _, err := o.fakeOpener.Open(ctx, path, connect, ev); err != nil {
		return nil, err
	}
	return &busyGraph{o.opened[len(o.opened)-1], o.held}, nil
}

func (o busyOpener) Sample(ctx context.Context, _ string, connect connectFunc, ev *engine.Events) (openGraph, error) {
	return o.Open(ctx, "/data/sample.cairn", connect, ev)
}

// busy are the works of a window, each begun on a graph that is open, and whether the
// window takes it for under way.
func busy(dir string) map[string]struct {
	begin func(*rig)
	is    func(*rig) bool
} {
	importing := func(into int) func(*rig) {
		return func(r *rig) {
			r.showImport([]string{filepath.Join(dir, "kb.tsv")})
			r.importing.into.setSelected(r.importing.targets()[into])
			r.importing.name.SetText("new")
			r.importing.start()
		}
	}
	imports := func(r *rig) bool { return r.importing.cancel != nil }
	writes := func(r *rig) bool { return strings.HasPrefix(r.status.message, "Writing") }
	var reading *extractDialog
	return map[string]struct {
		begin func(*rig)
		is    func(*rig) bool
	}{
		"open":   {func(r *rig) { r.open("/data/slow.cairn") }, func(r *rig) bool { return r.cancel != nil }},
		"ask":    {func(r *rig) { r.question.put("slow") }, func(r *rig) bool { return r.asking.cancel != nil }},
		"import": {importing(1), imports},
		"new":    {importing(0), imports},
		"train":  {func(r *rig) { r.trainings.train(engine.TrainOptions{}, "") }, func(r *rig) bool { return r.trainings.task.running() }},
		"embed": {func(r *rig) {
			r.models.begin(&r.models.embed, "tiny", "Embedding", func(ctx context.Context, _ tellFunc) (func() string, error) {
				emb := embed.NewLexical(func(func(string) bool) {}, lexicon.Builtin())
				return func() string { return "" }, r.session.SetEmbedder(ctx, emb, nil)
			})
		}, func(r *rig) bool { return r.models.embed.running() }},
		"read": {func(r *rig) {
			reading = &extractDialog{pages: r.newPages("Read")}
			reading.dialog.Show()
			reading.read([]string{"a.txt"})
		}, func(*rig) bool { return reading.bar != nil }},
		"copy": {func(r *rig) {
			r.writeFile(filepath.Join(dir, "copy.cairn"), saving{what: "copy", graph: func(ctx context.Context, g openGraph, into string, _ func(func())) error {
				return g.Backup(ctx, into, nil)
			}})
		}, writes},
		"export": {func(r *rig) {
			r.writeFile(filepath.Join(dir, "a.html"), saving{what: "report", write: func(ctx context.Context, g openGraph, _ io.Writer, _ string) error {
				_, err := g.Report(ctx, nil, "")
				return err
			}})
		}, writes},
	}
}

// busyRig is a window with a graph open whose work does as held says.
func busyRig(t *testing.T, held func() error) *rig {
	t.Helper()
	r := newRig(t)
	r.window.opener = busyOpener{r.opener, held}
	r.ui(r.openSample)
	synctest.Wait()
	return r
}

// TestCloseWhileBusy closes the window while something is done that takes a minute to
// keep what it must: the window is gone at once, and what was done is waited for.
func TestCloseWhileBusy(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	works := busy(dir)
	works["prepare"] = works["ask"]
	for name, work := range works {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.window.opener = busyOpener{r.opener, func() error { time.Sleep(time.Minute); return nil }}
				r.opener.late = name == "prepare"
				r.ui(r.openSample)
				synctest.Wait()
				if name != "prepare" {
					r.ui(func() { work.begin(r) })
					synctest.Wait()
					if !work.is(r) {
						t.Fatal("it is not under way")
					}
				}
				closed := false
				r.win.SetOnClosed(func() { closed = true })
				began := time.Now()
				r.ui(r.window.close)
				if took := time.Since(began); took != 0 || !closed {
					t.Errorf("the window was closed: %v, after %v", closed, took)
				}
				r.end()
				if took := time.Since(began); took != time.Minute {
					t.Errorf("waited %v for what takes a minute", took)
				}
				for _, g := range r.opener.opened {
					if g.closed != 1 {
						t.Errorf("%s was closed %d times", g.path, g.closed)
					}
				}
			})
		})
	}
}

// TestPanicEndsWhatWasBusy: where work panics, the window says so, and does not take it
// for under way.
func TestPanicEndsWhatWasBusy(t *testing.T) {
	for name, work := range busy(t.TempDir()) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := busyRig(t, func() error { panic("a test") })
				r.ui(func() { work.begin(r) })
				synctest.Wait()
				if work.is(r) {
					t.Error("it is taken for under way")
				}
				seen := texts(r.answer.box) + r.status.message
				if top := r.win.Canvas().Overlays().Top(); top != nil {
					seen += labels(top)
				}
				if !strings.Contains(seen, "An error in Cairn stopped this task") {
					t.Errorf("the window says:\n%s", seen)
				}
				r.close()
			})
		})
	}
}

// TestPanicOfAControl: a control that panics is a sentence on the window.
func TestPanicOfAControl(t *testing.T) {
	fail := func() { panic(errors.New("a test")) }
	synctest.Test(t, func(t *testing.T) {
		for name, press := range map[string]func(r *rig){
			"button":    func(r *rig) { test.Tap(newButton("a", fail)) },
			"pressable": func(r *rig) { test.Tap(newPressable(caption("a"), "", fail)) },
			"check":     func(r *rig) { test.Tap(newCheck("a", func(bool) { fail() })) },
			"menu":      func(r *rig) { r.window.command(fail)() },
		} {
			r := newRig(t)
			if err := guard.Do(func() error { r.ui(func() { press(r) }); return nil }); err != nil {
				t.Errorf("%s: %v ends the window", name, err)
			} else if top := r.win.Canvas().Overlays().Top(); top == nil || !strings.Contains(labels(top), "An error in Cairn stopped this task") {
				t.Errorf("%s: nothing is said", name)
			}
			r.close()
		}
	})
}

package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/export"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/plan/words"
	"cairn/engine/report"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/simgrag"
)

// fakeGraph is an open graph with one thing to say about Vienna.
type fakeGraph struct {
	fakeTexts
	fakePatterns
	fakeHistory
	fakeTrainer
	comparer
	querier
	learner
	fakeTemplates

	path      string
	sources   []kg.Source
	graph     *kg.Graph
	delay     time.Duration // how long Ask takes
	fail      error         // what Ask fails with
	result    ingest.Report
	model     llm.Model
	planning  bymodel.Options
	embedder  embed.Embedder
	embedding engine.EmbedderInfo
	edit      func(*engine.Run) // changes what Ask returns; may be nil
	wording   func(*engine.Events, *engine.Run)
	own       []words.Override
	choices   ingest.Options
	late      bool // not ready until it is prepared
	prepared  atomic.Bool
	mu        sync.Mutex
	closed    int
	asked     []engine.AskOptions
}

func newFakeGraph(path string) *fakeGraph {
	var b kg.Builder
	b.Add("Vienna", "capital_of", "Austria")
	b.Add("Austria", "borders", "Hungary")
	return &fakeGraph{path: path, graph: b.Graph()}
}

func (f *fakeGraph) Name() string     { return graphName(f.path) }
func (f *fakeGraph) Path() string     { return f.path }
func (f *fakeGraph) Graph() *kg.Graph { return f.graph }
func (f *fakeGraph) Report(_ context.Context, run *engine.Run, version string) (report.Report, error) {
	return report.Report{Question: run.Question, App: version}, f.fail
}

func (f *fakeGraph) Ready() bool { return !f.late || f.prepared.Load() }

func (f *fakeGraph) Prepare(context.Context, *engine.Events) error {
	f.prepared.Store(true)
	return nil
}

func (f *fakeGraph) Examples() []string { return []string{"What is the capital of Austria?", "slow"} }

func (f *fakeGraph) SetModel(m llm.Model)          { f.model = m }
func (f *fakeGraph) SetPlanning(o bymodel.Options) { f.planning = o }

func (f *fakeGraph) Embedder() engine.EmbedderInfo { return f.embedding }

func (f *fakeGraph) SetEmbedder(ctx context.Context, e embed.Embedder, ev *engine.Events) error {
	ev.Progress("embed the names", 1, 2)
	select {
	case <-time.After(f.delay):
	case <-ctx.Done():
		return ctx.Err()
	}
	f.embedder, f.embedding = e, engine.EmbedderInfo{}
	if e != nil {
		f.embedding.Model = "nomic-embed-text:latest"
	}
	return f.fail
}

func (f *fakeGraph) Info(context.Context) (engine.Info, error) {
	return engine.Info{Path: f.path, Sources: f.sources}, nil
}

func (f *fakeGraph) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}

func (f *fakeGraph) Backup(_ context.Context, target string, ev *engine.Events) error {
	ev.Progress("copy the graph", 1, 2)
	if f.fail != nil {
		return f.fail
	}
	return os.WriteFile(target, []byte("copy"), 0o600)
}

func (f *fakeGraph) Export(_ context.Context, _ export.Format, _ engine.ExportPart, _ *engine.Events, to ...io.Writer) (export.Report, error) {
	for _, w := range to {
		if _, err := io.WriteString(w, "graph"); err != nil {
			return export.Report{}, err
		}
	}
	return export.Report{Entities: 2, Triples: 1, LeftOut: []string{"it cannot hold colours: 1 left out"}}, f.fail
}

func (f *fakeGraph) Sources(_ context.Context, ts []kg.TripleID) (map[kg.TripleID][]kg.Provenance, error) {
	found := map[kg.TripleID][]kg.Provenance{}
	for _, t := range ts {
		found[t] = []kg.Provenance{{Source: "world", File: "/nowhere/world.txt", Line: 7}}
	}
	return found, nil
}

func (f *fakeGraph) Import(_ context.Context, files []string, c ingest.Options, ev *engine.Events) (ingest.Report, error) {
	ev.Progress("import a.txt", 1, 2)
	f.choices = c
	r := f.result
	return r, f.fail
}

func (f *fakeGraph) Mappings(context.Context) ([]words.Mapping, error) {
	return []words.Mapping{{Name: "capital of", Words: []string{"capital"}}}, nil
}

func (f *fakeGraph) SetOverrides(_ context.Context, own []words.Override, _ *engine.Events) error {
	f.own = own
	return nil
}

func (f *fakeGraph) Teaches(*engine.Run) (choice words.Choice, ok bool) { return choice, false }

func (f *fakeGraph) Choices(context.Context) ([]words.Choice, error) { return nil, f.fail }

func (f *fakeGraph) Ask(ctx context.Context, q string, o engine.AskOptions, ev *engine.Events) (*engine.Run, error) {
	f.mu.Lock()
	f.asked = append(f.asked, o)
	f.mu.Unlock()
	ev.StageBegin(engine.StageLink)
	if f.wording != nil {
		f.wording(ev, f.answer(q, o))
	}
	select {
	case <-time.After(f.delay):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if f.fail != nil {
		return nil, f.fail
	}
	run := f.answer(q, o)
	if o.Retriever == "gnn" {
		if len(f.models()) == 0 {
			return nil, fmt.Errorf("answer: %w", engine.ErrUntrained)
		}
		run = f.ranked(q)
	}
	for _, m := range engine.MethodInfos(engine.Methods()) {
		if m.ID == o.Retriever && m.ID != engine.Auto {
			run.Method = m
		}
	}
	if f.edit != nil {
		f.edit(run)
	}
	return run, nil
}

// answer is a run that says that Vienna is the capital of Austria, or refuses.
func (f *fakeGraph) answer(q string, o engine.AskOptions) *engine.Run {
	p := &pattern.Pattern{
		Nodes: []pattern.Node{{Text: "Austria", Entities: []kg.EntityID{1}}, {Text: "?capital", Variable: true}},
		Edges: []pattern.Edge{{From: 1, To: 0, Relation: "capital"}},
		Asked: 1,
	}
	run := &engine.Run{
		Question: q,
		Plan: &plan.Plan{
			Planner: "built-in", Doubt: plan.Ambiguous, Reason: "“capital” may be a city or money",
			Mentions: []link.Mention{{Text: "Austria", Candidates: []link.Candidate{{Entity: 1}}}},
			Readings: []plan.Reading{
				{Pattern: p, Text: "what is the capital of Austria", Score: 2},
				{Pattern: p, Text: "what has Austria as its capital", Score: 1.9, Unused: []string{"the"}},
			},
		},
		Reading: o.Reading, Method: simgrag.Method{}.Info(),
		Found: evidence.Found{Candidates: []evidence.Candidate{{Nodes: []kg.EntityID{1, 0}, Edges: []kg.TripleID{0}, NodeDistance: []float64{0, 0}, EdgeDistance: []float64{0}}}},
		Answer: &answer.Answer{
			Items:     []answer.Item{{Entity: 0, Label: "Vienna", Citations: []int{1}}},
			Count:     1,
			Sentences: []answer.Sentence{{Text: "Vienna is the capital of Austria [T1].", Citations: []int{1}, Check: check.Covered}},
			Pack:      evidence.Pack{Triples: []kg.TripleID{0}},
		},
	}
	for _, s := range engine.Stages {
		run.Stages = append(run.Stages, engine.StageRecord{Stage: s, Duration: time.Millisecond})
	}
	if q == "refuse" {
		run.Candidates = nil
		run.Answer = &answer.Answer{Refusal: &answer.Refusal{
			Reason:  "no entity of this graph fits",
			Missing: []answer.Missing{{What: "mention", Text: "Atlantis", Closest: "Atlanta"}},
		}}
	}
	return run
}

// ranked is a run of a network that finds Vienna.
func (f *fakeGraph) ranked(q string) *engine.Run {
	run := f.answer(q, engine.AskOptions{})
	run.Method, run.Reading = gnnrag.Method{}.Info(), -1
	run.Plan = &plan.Plan{Planner: "Trained network", Seeds: []kg.EntityID{1}}
	likely := func(e kg.EntityID, p float64) evidence.Answer {
		return evidence.Answer{Entity: e, Score: evidence.Score{Value: p, Scale: evidence.Probability}}
	}
	run.Found = evidence.Found{
		By: "GNN-RAG (relation flow)", Candidates: []evidence.Candidate{evidence.Path([]kg.EntityID{1, 0}, [][]kg.TripleID{{0}}, "graph network")},
		Region:  evidence.Region{Entities: 3, Triples: 2, Method: "the whole graph"},
		Answers: []evidence.Answer{likely(0, 0.93)}, Weighed: []evidence.Answer{likely(0, 0.93), likely(2, 0.04)},
		Steps: []string{"capital of, backwards (0.98)"}, Notes: []string{"the graph has changed since"},
	}
	run.Support(evidence.Candidate.End)
	return run
}

// fakeOpener opens fakeGraphs.
type fakeOpener struct {
	mu     sync.Mutex
	opened []*fakeGraph
	fail   error
	make   func(path string) *fakeGraph
	server fakeServer
	hosts  []string      // that were asked for a server
	late   bool          // what is opened is not ready
	format ingest.Format // of every file
	kept   []ingest.MappingFile
	wrong  error  // of a file whose columns are not known
	asks   string // what the user should confirm before a file is read
}

func (o *fakeOpener) Open(_ context.Context, path string, _ connectFunc, _ *engine.Events) (openGraph, error) {
	if o.fail != nil {
		return nil, o.fail
	}
	g := newFakeGraph(path)
	if o.make != nil {
		g = o.make(path)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	g.late = g.late || o.late
	o.opened = append(o.opened, g)
	return g, nil
}

func (o *fakeOpener) Sample(ctx context.Context, _ string, connect connectFunc, ev *engine.Events) (openGraph, error) {
	return o.Open(ctx, "/data/sample.cairn", connect, ev)
}

func (o *fakeOpener) Sniff(_ context.Context, _ []string, c ingest.Options) (fileLook, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.wrong != nil && c.Reading == nil {
		return fileLook{Format: o.format}, o.wrong
	}
	if o.asks != "" && c.Reading == nil {
		return fileLook{Lines: []string{"rows divided by |"}, Asks: o.asks, Format: o.format}, nil
	}
	return fileLook{Lines: []string{"rows divided by |"}}, nil
}

func (o *fakeOpener) Trial(context.Context, string, ingest.Options) (ingest.Report, error) {
	return ingest.Report{Read: 3, Used: 2, Skipped: 1, Added: 4}, nil
}

func (o *fakeOpener) Keep(m ingest.MappingFile) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, m)
	return "/data/mappings/" + m.For, nil
}

// Server is that of the fake, at this computer; others have to be allowed.
func (o *fakeOpener) Server(host string, remote bool) (modelServer, error) {
	_, local, err := ollama.Host(host)
	if err != nil {
		return nil, err
	}
	if !local && !remote {
		return nil, &llm.Error{Kind: llm.ErrHost, Detail: "(another machine)", Remedy: "allow it"}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hosts = append(o.hosts, host)
	return &o.server, nil
}

// fakeServer is an Ollama with two models, or with whatever a test gives it.
type fakeServer struct {
	fail    error // what every request fails with
	found   []ollama.ModelInfo
	delay   time.Duration // of every step
	replies string        // what its models say
	pulled  []string
}

func (s *fakeServer) wait(ctx context.Context) error {
	select {
	case <-time.After(s.delay):
		return s.fail
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *fakeServer) Version(ctx context.Context) (string, error) { return "0.17.4", s.wait(ctx) }

func (s *fakeServer) Models(ctx context.Context) ([]ollama.ModelInfo, error) {
	return s.found, s.wait(ctx)
}

func (s *fakeServer) Details(ctx context.Context, name string) (ollama.Details, error) {
	embeds := strings.Contains(name, "embed")
	return ollama.Details{Name: name, Context: 8192, Completes: !embeds, Embeds: embeds}, s.wait(ctx)
}

func (s *fakeServer) Pull(ctx context.Context, name string, progress func(ollama.Pulling)) error {
	s.pulled = append(s.pulled, name)
	for done := range int64(5) {
		progress(ollama.Pulling{Status: "pulling 8934d96d3f08", Done: done * 5e8, Total: 2e9})
		if err := s.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *fakeServer) Model(name string, _ int) (llm.Model, error) {
	return fakeModel{s, name}, nil
}

func (s *fakeServer) Reopen(ctx context.Context, _ string) (embed.Embedder, error) {
	return s.Embedder(ctx, "")
}

func (s *fakeServer) Embedder(ctx context.Context, _ string) (embed.Embedder, error) {
	return embed.NewLexical(func(func(string) bool) {}, lexicon.Builtin()), s.wait(ctx)
}

type fakeModel struct {
	server *fakeServer
	name   string
}

func (m fakeModel) Name() string { return m.name }

func (m fakeModel) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: m.server.replies, ReplyTokens: 7}, m.server.wait(ctx)
}

// fakeFigure notes what it is told.
type fakeFigure struct {
	widget.Label
	model       canvas.Model
	highlighted []string
	events      figureEvents
	undone      int
}

func (f *fakeFigure) SetModel(m canvas.Model)  { f.model = m }
func (f *fakeFigure) Highlight(edges []string) { f.highlighted = slices.Clone(edges) }
func (f *fakeFigure) Fit()                     {}
func (f *fakeFigure) ZoomIn()                  {}
func (f *fakeFigure) ZoomOut()                 {}
func (f *fakeFigure) Undo()                    { f.undone++ }
func (f *fakeFigure) Redo()                    {}
func (f *fakeFigure) Relayout()                {}
func (f *fakeFigure) CanUndo() bool            { return true }
func (f *fakeFigure) CanRedo() bool            { return false }
func (f *fakeFigure) Close()                   {}

func (f *fakeFigure) WritePNG(w io.Writer, _ canvas.Palette) error {
	_, err := io.WriteString(w, "png")
	return err
}

func (f *fakeFigure) WriteSVG(w io.Writer, _ canvas.Palette) error {
	_, err := io.WriteString(w, "svg")
	return err
}

// rig is a window over fakes. ui stands in for the UI goroutine.
type rig struct {
	*window
	opener *fakeOpener
	fig    *fakeFigure
	shown  string  // the file that the desktop was asked to show last
	scaled float32 // by what everything is drawn larger
	mu     sync.Mutex
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	o := &fakeOpener{}
	r := newRigOver(tb, o)
	r.opener = o
	return r
}

func newRigOver(tb testing.TB, o opener) *rig {
	tb.Helper()
	r := &rig{fig: &fakeFigure{}}
	r.fig.ExtendBaseWidget(r.fig)
	a := test.NewTempApp(tb)
	a.Preferences().SetString(prefFolder, tb.TempDir())
	r.ui(func() {
		r.window = newWindow(desktopApp{a, &r.shown}, parts{
			opener: o,
			figure: func(ev figureEvents) (figure, func() picture) {
				r.fig.events = ev
				return r.fig, func() picture { return r.fig }
			},
			scale: func(by float32) { r.scaled = by },
			do:    r.ui, log: slog.New(slog.DiscardHandler),
		})
		r.win.Resize(fyne.NewSize(1200, 800))
	})
	return r
}

// desktopApp is an app on a desktop that shows files.
type desktopApp struct {
	fyne.App
	shown *string
}

func (a desktopApp) OpenURL(u *url.URL) error {
	*a.shown = u.Path
	return nil
}

func (r *rig) ui(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// close closes the window as Run does.
func (r *rig) close() {
	r.ui(r.window.close)
	r.end()
}

// read returns what f reads on the UI goroutine, for while work goes on.
func (r *rig) read(f func() string) (s string) {
	r.ui(func() { s = f() })
	return s
}

func writeFile(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/selftest"
	"cairn/internal/guard"
)

// modelServer is what the window needs of an Ollama server.
type modelServer interface {
	Version(ctx context.Context) (string, error)
	Models(ctx context.Context) ([]ollama.ModelInfo, error)
	Details(ctx context.Context, name string) (ollama.Details, error)
	// Pull makes the server fetch a model; what was fetched before a cancel stays.
	Pull(ctx context.Context, name string, progress func(ollama.Pulling)) error
	// Model returns a model to be asked, with room for so many tokens.
	Model(name string, size int) (llm.Model, error)
	Embedder(ctx context.Context, name string) (embed.Embedder, error)
	// Reopen returns the embedder that had an id before.
	Reopen(ctx context.Context, id string) (embed.Embedder, error)
}

// models is what the window knows of language models: which the server has,
// which are in use, and what is being done with them. What is being done goes on
// while the panel is closed. Fields and methods belong to the UI goroutine.
type models struct {
	w       *window
	server  serverState
	found   []ollama.ModelInfo
	details map[string]ollama.Details // by name, as far as known
	tested  map[string]testedModel    // by digest, or name where the server gives none

	// What was begun last; nil for nothing.
	pull, test, embed *modelTask

	looking context.CancelFunc // the look that is under way, if any
	looks   latest             // for models
	missing string             // why the chosen model cannot be used; empty where it can
	said    bool               // and whether that was said
	view    *modelsView        // the panel; nil while it is closed
}

// serverState is what is known of the server.
type serverState struct {
	looked           bool // it was looked for, and the rest says what was found
	version          string
	sentence, remedy string // what is wrong; empty where it answers
}

type modelTask struct {
	name   string // the model's
	doing  string // in words
	done   int64
	total  int64 // 0 where unknown
	cancel context.CancelFunc
	// ended says how it ended; empty while it is under way.
	ended  string
	failed bool
}

// testedModel is a self-test's report, as it is kept between starts.
type testedModel struct {
	When   time.Time       `json:"when"`
	Report selftest.Report `json:"report"`
}

// maxTested bounds the reports that are kept.
const maxTested = 40

func newModels(w *window) *models {
	m := &models{w: w, details: map[string]ollama.Details{}, tested: map[string]testedModel{}}
	if err := json.Unmarshal([]byte(w.prefs.tested()), &m.tested); err != nil || m.tested == nil {
		m.tested = map[string]testedModel{} // of another version: a test makes it anew
	}
	return m
}

// update shows a change in the panel, if it is open, and in the status line.
func (m *models) update() {
	if m.view != nil {
		m.view.refresh()
	}
	for _, t := range []struct {
		task  *modelTask
		doing string
	}{{m.pull, "pulling "}, {m.embed, "embedding names with "}, {m.test, "testing "}} {
		if t.task.running() {
			text := t.doing + present.Shorten(t.task.name, 30)
			if done := present.Percent(t.task.done, t.task.total); done != "" {
				text += ", " + done
			}
			m.w.status.model.SetText(text)
			return
		}
	}
	m.w.status.setModel(m.w.prefs.model(), m.missing != "")
}

// look asks the server which models it has, and of each what it can do. A look
// that is under way is given up.
func (m *models) look() {
	if m.looking != nil {
		m.looking()
	}
	current := m.looks.begin()
	m.server = serverState{}
	connect := m.connect()
	if u, local, err := ollama.Host(m.w.prefs.host()); err == nil && !local && !m.w.prefs.remote() {
		m.unreachable(&llm.Error{
			Kind: llm.ErrHost, Detail: "yet (" + u.Hostname() + " is another computer; nothing was sent to it)",
			Remedy: "allow it, or use " + ollama.DefaultHost,
		})
		m.update()
		return
	}
	m.update()
	m.looking = m.w.jobs.start(func(ctx context.Context, post func(func())) {
		tell := func(f func()) {
			post(func() {
				if current() {
					f()
					m.update()
				}
			})
		}
		server, err := connect()
		if err != nil {
			tell(func() { m.unreachable(err) })
			return
		}
		found, err := server.Models(ctx)
		if err != nil {
			if ctx.Err() == nil {
				tell(func() { m.unreachable(err) })
			}
			return
		}
		version, err := server.Version(ctx)
		if err != nil {
			version = "" // it has models: that is what counts
		}
		tell(func() {
			m.server = serverState{looked: true, version: version}
			m.found = found
			m.noteMissing()
		})
		loadDetails(ctx, server, found, func(d map[string]ollama.Details) { tell(func() { m.details = d }) })
	})
}

// loadDetails asks of each model what it can do; what an older server does not
// say stays unknown.
func loadDetails(ctx context.Context, server modelServer, found []ollama.ModelInfo, show func(map[string]ollama.Details)) {
	known := map[string]ollama.Details{}
	var t throttle
	for i, info := range found {
		d, err := server.Details(ctx, info.Name)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			known[info.Name] = d
		}
		if t.ready() || i == len(found)-1 {
			show(maps.Clone(known))
		}
	}
}

func (m *models) unreachable(err error) {
	sentence, remedy := m.w.explain("look for models", err)
	m.server = serverState{looked: true, sentence: sentence, remedy: remedy}
	m.found = nil
	m.noteMissing()
}

// noteMissing finds out whether the chosen model can be used now.
func (m *models) noteMissing() {
	name := m.w.prefs.model()
	m.missing = ""
	switch {
	case name == "":
	case m.server.sentence != "":
		m.missing = m.server.sentence
	case !slices.ContainsFunc(m.found, func(i ollama.ModelInfo) bool { return ollama.SameName(i.Name, name) }):
		m.missing = "Ollama no longer has it."
	}
	m.sayMissing()
}

// sayMissing says once that the chosen model cannot be used, when a graph is
// open and the sentence is not overwritten by those of its opening.
func (m *models) sayMissing() {
	if m.missing == "" {
		m.said = false
		return
	}
	if m.said || m.w.session == nil {
		return
	}
	m.said = true
	m.w.status.say("The model " + present.Shorten(m.w.prefs.model(), 40) + " cannot be used now: " + m.missing + " Cairn answers without it.")
}

func (m *models) info(name string) (ollama.ModelInfo, bool) {
	i := slices.IndexFunc(m.found, func(i ollama.ModelInfo) bool { return i.Name == name })
	if i < 0 {
		return ollama.ModelInfo{}, false
	}
	return m.found[i], true
}

// row describes a model for the list.
func (m *models) row(i ollama.ModelInfo) present.ModelRow {
	var d *ollama.Details
	if known, ok := m.details[i.Name]; ok {
		d = &known
	}
	memory := int64(0)
	if _, local, err := ollama.Host(m.w.prefs.host()); err == nil && local {
		memory = physicalMemory()
	}
	return present.Model(i, d, memory)
}

// report returns the last self-test of a model with these very weights.
func (m *models) report(i ollama.ModelInfo) (testedModel, bool) {
	t, ok := m.tested[testKey(i)]
	return t, ok
}

func testKey(i ollama.ModelInfo) string {
	if i.Digest != "" {
		return i.Digest
	}
	return i.Name
}

// connectFunc reaches a model server. It may be called on any goroutine.
type connectFunc func() (modelServer, error)

// connect returns how to reach the server that is set now, for work off the UI
// goroutine.
func (m *models) connect() connectFunc {
	host, remote := m.w.prefs.host(), m.w.prefs.remote()
	return func() (modelServer, error) { return m.w.opener.Server(host, remote) }
}

// tellFunc says how far work has come; total 0 is unknown.
type tellFunc func(done, total int64, doing string)

// begin starts something with a model, off the UI goroutine, unless the same is
// under way. work returns what its end means to the window, in words.
func (m *models) begin(slot **modelTask, name, doing string, work func(context.Context, tellFunc) (end func() string, err error)) {
	if (*slot).running() {
		return
	}
	t := &modelTask{name: name, doing: doing}
	*slot = t
	t.cancel = m.w.jobs.start(func(ctx context.Context, post func(func())) {
		var pace throttle
		tell := func(done, total int64, doing string) {
			if pace.ready() {
				post(func() {
					t.done, t.total, t.doing = done, total, doing
					m.update()
				})
			}
		}
		end, err := guard.Get(func() (func() string, error) { return work(ctx, tell) })
		stopped := ctx.Err() != nil
		post(func() {
			t.cancel = nil
			switch {
			case stopped:
				t.ended = "Stopped."
			case err != nil:
				t.ended, t.failed = m.w.said(doing, err), true
				if errors.Is(err, llm.ErrNotRunning) {
					m.look() // what is said of the server no longer holds
				}
			default:
				t.ended = end()
			}
			m.w.status.say(t.ended)
			m.update()
		})
	})
	m.update()
}

// forget drops what has ended.
func (m *models) forget() {
	for _, slot := range []**modelTask{&m.pull, &m.test, &m.embed} {
		if !(*slot).running() {
			*slot = nil
		}
	}
}

// running reports whether t is under way; a nil task is not.
func (t *modelTask) running() bool { return t != nil && t.cancel != nil }

// stop ends a task soon, if it is under way.
func (t *modelTask) stop() {
	if t.running() {
		t.cancel()
		t.doing = "Stopping"
	}
}

// runTest puts the self-test to a model.
func (m *models) runTest(info ollama.ModelInfo, use present.ModelUse) {
	connect, size := m.connect(), m.w.prefs.context()
	m.begin(&m.test, info.Name, "Loading the model", func(ctx context.Context, tell tellFunc) (func() string, error) {
		report, err := testModel(ctx, connect, info.Name, use, size, func(p selftest.Progress) {
			tell(int64(p.Done), int64(p.Total), present.TrialText(p))
		})
		return func() string {
			m.keepReport(info, report)
			return info.Name + ": " + report.Sentence()
		}, err
	})
}

func testModel(ctx context.Context, connect connectFunc, name string, use present.ModelUse, size int, progress func(selftest.Progress)) (selftest.Report, error) {
	server, err := connect()
	if err != nil {
		return selftest.Report{}, err
	}
	if use == present.UseNames {
		e, err := server.Embedder(ctx, name)
		if err != nil {
			return selftest.Report{}, err
		}
		return selftest.RunEmbedder(ctx, name, e, progress)
	}
	lm, err := server.Model(name, size)
	if err != nil {
		return selftest.Report{}, err
	}
	return selftest.Run(ctx, lm, progress)
}

// keepReport keeps a report between starts, the oldest ones only as long as
// there is room.
func (m *models) keepReport(info ollama.ModelInfo, r selftest.Report) {
	m.tested[testKey(info)] = testedModel{When: time.Now(), Report: r}
	for len(m.tested) > maxTested {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(m.tested)), func(a, b string) int {
			return m.tested[a].When.Compare(m.tested[b].When)
		})
		delete(m.tested, oldest)
	}
	text, err := json.Marshal(m.tested)
	if err != nil {
		m.w.log.Warn("save a self-test report", slog.Any("error", err))
		return
	}
	m.w.prefs.setTested(string(text))
}

// fetch makes the server pull a model, and looks again.
func (m *models) fetch(name string) {
	name = strings.TrimSpace(name)
	if name == "" {
		return
	}
	connect := m.connect()
	m.begin(&m.pull, name, "Asking Ollama for the model", func(ctx context.Context, tell tellFunc) (func() string, error) {
		server, err := connect()
		if err != nil {
			return nil, err
		}
		var r present.Rate
		err = server.Pull(ctx, name, func(p ollama.Pulling) {
			tell(p.Done, p.Total, present.PullText(p, r.At(time.Now(), p.Done)))
		})
		return func() string {
			m.look()
			return name + " is ready to use."
		}, err
	})
}

// useForQuestions chooses the model that reads questions and words answers; ""
// is none.
func (m *models) useForQuestions(name string) {
	m.w.prefs.setModel(name)
	m.missing = ""
	m.w.applyModel()
	m.update()
}

// embedder is the name of the model that finds the open graph's names; "" is the
// built-in one.
func (m *models) embedder() string {
	if m.w.session == nil {
		return ""
	}
	return m.w.session.Embedder().Model
}

// useForNames gives the open graph an embedder; "" is the built-in one. Its names
// are embedded by it, which may take a while; what was done before a stop is kept.
func (m *models) useForNames(name string) {
	m.embed.stop() // another choice takes its place
	m.embed = nil
	s := m.w.session
	if s == nil {
		return
	}
	connect := m.connect()
	s.busy.Add(1)
	m.begin(&m.embed, cmp.Or(name, "the built-in embedder"), "Embedding the names", func(ctx context.Context, tell tellFunc) (func() string, error) {
		defer s.busy.Done()
		var e embed.Embedder // nil is the built-in one
		if name != "" {
			server, err := connect()
			if err != nil {
				return nil, err
			}
			if e, err = server.Embedder(ctx, name); err != nil {
				return nil, err
			}
		}
		err := s.SetEmbedder(ctx, e, &engine.Events{Progress: func(task string, done, total int64) {
			tell(done, total, present.ProgressText(task, done, total, false))
		}})
		return func() string { return present.Embedded(s.Name(), s.Embedder()) }, err
	})
}

// physicalMemory is this computer's memory in bytes; 0 where the system does
// not tell it in a file, as only Linux does.
var physicalMemory = sync.OnceValue(func() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	return memTotal(string(text))
})

// memTotal reads the line "MemTotal:  16252928 kB".
func memTotal(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

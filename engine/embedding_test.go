package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cairn/assets/sample"
	"cairn/engine/embed"
	"cairn/engine/ingest"
	"cairn/engine/internal/pagesum"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/vec"
)

// letters is an embedder of pairs of letters, as a model on a server is one: it
// can be gone, and it counts what it embeds.
type letters struct {
	id   string
	dims int

	mu    sync.Mutex
	gone  error
	names int // texts of names that were embedded
	asked int // texts of questions
	// stopAfter ends the run after so many names, as a kill does; 0 for never.
	stopAfter int
}

func (l *letters) ID() string    { return l.id }
func (l *letters) Dims() int     { return l.dims }
func (l *letters) Model() string { return "letters" }

var errStopped = errors.New("stopped")

func (l *letters) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone != nil {
		return nil, l.gone
	}
	if kind == embed.Query {
		l.asked += len(texts)
	} else {
		l.names += len(texts)
		if l.stopAfter > 0 && l.names > l.stopAfter {
			return nil, errStopped
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, l.dims)
		word := "^" + strings.ToLower(text) + "$"
		for j := range len(word) - 1 {
			h := fnv.New32a()
			_, _ = h.Write([]byte(word[j : j+2]))
			out[i][h.Sum32()%uint32(l.dims)]++
		}
		vec.Normalize(out[i])
	}
	return out, ctx.Err()
}

func (l *letters) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// filmFile makes a graph of n films on disk.
func filmFile(t *testing.T, dir string, n int) string {
	t.Helper()
	path := filepath.Join(dir, fmt.Sprintf("films%d.tsv", n))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Film number %d\tdirected by\tDirector %d\n", i, i%7)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openWith(t *testing.T, path string, emb embed.Embedder) *Engine {
	t.Helper()
	o := Options{}
	if emb != nil {
		o.Embedder = func(context.Context, string) (embed.Embedder, error) { return emb, nil }
	}
	e, err := Open(t.Context(), path, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func importFilms(t *testing.T, e *Engine, n int) {
	t.Helper()
	if _, err := e.Import(t.Context(), []string{filmFile(t, t.TempDir(), n)}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
}

// directorOf follows a pattern whose film is misspelt and whose relation is
// worded otherwise, so that both are looked up by their vectors.
func directorOf(t *testing.T, e *Engine) (answers []string, details []string) {
	t.Helper()
	p, err := pattern.ParseText("(Film nunber 3) -director-> (?who)")
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.FollowPattern(t.Context(), "who?", p, AskOptions{}, nil)
	if err != nil {
		t.Fatalf("FollowPattern: %v", err)
	}
	return said(run), []string{run.Vectors}
}

func TestSetEmbedderServesAndIsRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 50)
	builtin := e.Embedder()
	if builtin.Model != "" || builtin.Notice != "" {
		t.Errorf("a new graph: %+v, want the built-in embedder", builtin)
	}
	emb := &letters{id: "letters/1", dims: 32}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatalf("SetEmbedder: %v", err)
	}
	names := e.Graph().Entities() + e.Graph().Relations() + e.Graph().NumTypes()
	if got := e.Embedder(); got.ID != "letters/1" || got.Model != "letters" || got.Stats.Made != names {
		t.Errorf("Embedder = %+v, want letters/1 with %d made", got, names)
	}
	if answers, details := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) || !mention(details, "letters") {
		t.Errorf("answers %q, details %q", answers, details)
	}
	e.Close()

	// Opening it again finds every vector, and embeds no name.
	emb.set(func() { emb.names = 0 })
	e = openWith(t, path, emb)
	if got := e.Embedder(); got.ID != "letters/1" || got.Notice != "" || emb.names != 0 {
		t.Errorf("opened again: %+v, %d names embedded; want letters/1 and none", got, emb.names)
	}
	if answers, _ := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) {
		t.Errorf("opened again: %q", answers)
	}

	// An import after that embeds what is new.
	importFilms(t, e, 51)
	if got := e.Embedder(); got.Model != "letters" || emb.names != 1 {
		t.Errorf("imported after opening again: %q, %d names embedded, want letters and 1", got.Model, emb.names)
	}
	emb.set(func() { emb.names = 0 })

	// The built-in one, and back: both sets stay, so nothing is embedded.
	if err := e.SetEmbedder(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := e.Embedder(); got.Model != "" || got.Dims != builtin.Dims {
		t.Errorf("back to the built-in embedder: %+v", got)
	}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil || emb.names != 0 {
		t.Errorf("and to the model again: %v, %d names embedded, want none", err, emb.names)
	}
}

func mention(lines []string, part string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, part) })
}

// TestOpenGoesOnWithoutTheEmbedder: whatever is wrong with it, the graph opens,
// answers with the built-in embedder and says why.
func TestOpenGoesOnWithoutTheEmbedder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 50)
	if err := e.SetEmbedder(t.Context(), &letters{id: "letters/1", dims: 32}, nil); err != nil {
		t.Fatal(err)
	}
	e.Close()
	down := func(context.Context, string) (embed.Embedder, error) {
		return nil, &llm.Error{Kind: llm.ErrNotRunning, Remedy: "start it"}
	}
	other := func(context.Context, string) (embed.Embedder, error) {
		return &letters{id: "letters/2", dims: 32}, nil
	}
	same := func(context.Context, string) (embed.Embedder, error) {
		return &letters{id: "letters/1", dims: 32}, nil
	}
	for what, c := range map[string]struct {
		embedder func(context.Context, string) (embed.Embedder, error)
		says     string
	}{
		"no host":     {nil, "letters: no model server is set"},
		"server down": {down, "no Ollama server responds"},
		"pulled anew": {other, "not the one that embedded the names"},
		"not whole":   {same, "is used instead of letters: some names have no vector from it yet"},
	} {
		if what == "not whole" {
			if _, err := lite(t, path).ExecContext(t.Context(), "DELETE FROM embedding WHERE text = 'Film number 7'"); err != nil {
				t.Fatal(err)
			}
		}
		e, err := Open(t.Context(), path, Options{Embedder: c.embedder}, nil)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := e.Embedder(); got.Model != "" || !strings.Contains(got.Notice, c.says) {
			t.Errorf("%s: %+v, want the built-in one and a notice with %q", what, got, c.says)
		}
		if answers, details := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) || !mention(details, c.says) {
			t.Errorf("%s: answers %q, details %q", what, answers, details)
		}
		e.Close()
	}
}

// TestOpenMakesADamagedCalibrationAnew, since it takes no names.
func TestOpenMakesADamagedCalibrationAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 50)
	emb := &letters{id: "letters/1", dims: 32}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	want := e.Embedder()
	e.Close()
	for _, value := range []string{"", "{", `{"names":[{"from":1,"to":1},{"from":0,"to":2}]}`} {
		if _, err := lite(t, path).ExecContext(t.Context(), "UPDATE setting SET value = ? WHERE key LIKE 'calibration%'", value); err != nil {
			t.Fatal(err)
		}
		e := openWith(t, path, emb)
		if got := e.Embedder(); got.ID != want.ID || got.Notice != "" {
			t.Errorf("calibration %q: %+v", value, got)
		}
		e.Close()
	}
}

// lite opens a graph's file behind the program's back.
func lite(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open(pagesum.Driver, "file:"+path+"?"+pagesum.Query(true))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestQuestionOutlivesTheEmbedder: the server dies between two questions, and
// between two lookups of one.
func TestQuestionOutlivesTheEmbedder(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	importFilms(t, e, 50)
	emb := &letters{id: "letters/1", dims: 32}
	dying := &diesAfter{letters: emb, left: -1}
	if err := e.SetEmbedder(t.Context(), dying, nil); err != nil {
		t.Fatal(err)
	}
	for left := range 3 {
		dying.left = left
		answers, details := directorOf(t, e)
		if !slices.Equal(answers, []string{"Director 3"}) {
			t.Errorf("dead after %d lookups: answers %q", left, answers)
		}
		if said := mention(details, "The built-in embedder is used instead of letters: gone."); said != (left < 2) {
			t.Errorf("dead after %d lookups: the run says so: %v; details %q", left, said, details)
		}
	}
	dying.left = -1
	if _, details := directorOf(t, e); mention(details, "built-in") {
		t.Errorf("back again: details %q", details)
	}
}

// diesAfter is gone after some texts of questions; a negative number is never.
type diesAfter struct {
	*letters
	left int
}

func (d *diesAfter) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Query && d.left == 0 {
		return nil, errors.New("gone")
	}
	if kind == embed.Query && d.left > 0 {
		d.left--
	}
	return d.letters.Embed(ctx, kind, texts)
}

// TestImportEmbedsOnlyNewNames, and goes on with the built-in embedder where the
// model is gone.
func TestImportEmbedsOnlyNewNames(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	importFilms(t, e, 50)
	emb := &letters{id: "letters/1", dims: 32}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	emb.set(func() { emb.names = 0 })
	importFilms(t, e, 60)
	if got := e.Embedder(); got.Model != "letters" || emb.names != 10 {
		t.Errorf("10 new films: %d names embedded by %q, want 10", emb.names, got.Model)
	}
	emb.set(func() { emb.gone = errors.New("gone") })
	importFilms(t, e, 61)
	if got := e.Embedder(); got.Model != "" || !strings.Contains(got.Notice, "instead of letters") || !strings.Contains(got.Notice, "gone") {
		t.Errorf("a new film without the server: %+v, want the built-in embedder and a notice", got)
	}
	if answers, _ := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) {
		t.Errorf("answers %q", answers)
	}
	emb.set(func() { emb.gone, emb.names = nil, 0 })
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil || emb.names != 1 || e.Embedder().Notice != "" {
		t.Errorf("chosen again: %v, %d names embedded, notice %q; want 1 and none", err, emb.names, e.Embedder().Notice)
	}
}

// waiting waits, once armed, before it embeds names.
type waiting struct {
	*letters
	wait func(context.Context) error
}

func (w *waiting) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if w.wait != nil && kind == embed.Document {
		if err := w.wait(ctx); err != nil {
			return nil, err
		}
	}
	return w.letters.Embed(ctx, kind, texts)
}

// TestImportLeavesTheEngineFree: while new names are embedded, which may take
// long, questions are answered and other models chosen.
func TestImportLeavesTheEngineFree(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	importFilms(t, e, 50)
	emb := &waiting{letters: &letters{id: "letters/1", dims: 32}}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	waited := 0
	emb.wait = func(context.Context) error { // a lock that was held here would be waited for without end
		waited++
		e.SetModel(nil)
		if answers, details := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) || !strings.Contains(strings.Join(details, " "), "being embedded") {
			t.Errorf("answers %q, details %q", answers, details)
		}
		if got := e.Graph().Entities(); got != 67 {
			t.Errorf("%d entities, want those of the import too", got)
		}
		return nil
	}
	importFilms(t, e, 60)
	if got := e.Embedder(); waited == 0 || got.Model != "letters" || got.ID != "letters/1" || got.Notice != "" {
		t.Errorf("waited %d times; %+v, want the embedder to serve", waited, got)
	}
	// Another choice meanwhile is the one that holds.
	emb.wait = func(ctx context.Context) error { return e.SetEmbedder(ctx, nil, nil) }
	importFilms(t, e, 70)
	if got := e.Embedder(); got.Model != "" || got.Notice != "" {
		t.Errorf("%+v, want the built-in embedder, as chosen", got)
	}
}

// TestSetEmbedderGoesOnAfterAStop: what served before serves on, and what was
// embedded is kept.
func TestSetEmbedderGoesOnAfterAStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.cairn")
	e := openWith(t, path, nil)
	importFilms(t, e, 500)
	emb := &letters{id: "letters/1", dims: 32, stopAfter: 300}
	if err := e.SetEmbedder(t.Context(), emb, nil); !errors.Is(err, errStopped) {
		t.Fatalf("SetEmbedder: %v, want %v", err, errStopped)
	}
	if got := e.Embedder(); got.Model != "" || got.Notice != "" {
		t.Errorf("stopped: %+v, want the built-in embedder as before", got)
	}
	e.Close()
	e = openWith(t, path, emb)
	emb.set(func() { emb.stopAfter, emb.names = 0, 0 })
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	// 500 films, 7 directors, 1 relation; the first run kept 4 batches of 64. The
	// phrases of the calibration are not names of the graph.
	if got := e.Embedder().Stats; got.Found != 256 || got.Made != 508-256 {
		t.Errorf("resumed: %+v, want 256 found and 252 made", got)
	}
}

// TestCalibrationIsMeasuredAgainOnceItCanBeBetter: what was measured on a handful
// of names says little of the thousands that come later.
func TestCalibrationIsMeasuredAgainOnceItCanBeBetter(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	emb := &letters{id: "letters/1", dims: 32}
	measured := func(films int) bool {
		t.Helper()
		importFilms(t, e, films)
		emb.set(func() { emb.asked = 0 })
		if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
			t.Fatal(err)
		}
		key, err := e.store.Setting(t.Context(), settingCalibration+emb.ID())
		if err != nil || key == "" {
			t.Errorf("the calibration of %d films is not kept: %v", films, err)
		}
		return emb.asked > 0
	}
	if !measured(5) || measured(6) {
		t.Error("measured for 5 films: no; or measured again for 6")
	}
	importFilms(t, e, 500)
	if measured(500) {
		t.Error("the import of 500 films left it to the next choice to measure again")
	}
	if c, err := e.calibration(t.Context(), e.Graph(), emb, nil); err != nil || c.Labels < 100 {
		t.Errorf("the calibration of 500 films is of %d labels, %v", c.Labels, err)
	}
}

func TestSetEmbedderCancelled(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	importFilms(t, e, 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.SetEmbedder(ctx, &letters{id: "letters/1", dims: 32}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	if got := e.Embedder(); got.Model != "" {
		t.Errorf("cancelled: %+v", got)
	}
}

// TestEmbeddersOfOtherDimsNeverMeet switches between two that share nothing.
func TestEmbeddersOfOtherDimsNeverMeet(t *testing.T) {
	e := openWith(t, filepath.Join(t.TempDir(), "g.cairn"), nil)
	importFilms(t, e, 50)
	for _, emb := range []*letters{{id: "letters/a", dims: 32}, {id: "letters/b", dims: 48}, {id: "letters/c", dims: 32}} {
		if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
			t.Fatal(err)
		}
		names := e.Graph().Entities() + e.Graph().Relations()
		if got := e.Embedder().Stats; got.Found != 0 || got.Made != names {
			t.Errorf("%s: %+v, want nothing found and %d made", emb.id, got, names)
		}
		if answers, _ := directorOf(t, e); !slices.Equal(answers, []string{"Director 3"}) {
			t.Errorf("%s: answers %q", emb.id, answers)
		}
	}
	sets, err := e.EmbeddingSets(t.Context())
	if err != nil || len(sets) != 3 || !sets[2].InUse || sets[0].InUse {
		t.Fatalf("EmbeddingSets = %+v, %v", sets, err)
	}
	if _, err := e.DeleteEmbeddings(t.Context(), "letters/c"); !errors.Is(err, errSetInUse) {
		t.Errorf("deleting the set in use: %v", err)
	}
	if _, err := e.DeleteEmbeddings(t.Context(), "letters/z"); !errors.Is(err, errNoSuchSet) {
		t.Errorf("deleting a set that is not there: %v", err)
	}
	if n, err := e.DeleteEmbeddings(t.Context(), "letters/a"); err != nil || n != sets[0].Texts {
		t.Errorf("DeleteEmbeddings = %d, %v, want %d", n, err, sets[0].Texts)
	}
}

func TestSetEmbedderOfGraphsWithoutAFile(t *testing.T) {
	var empty kg.Builder
	for name, g := range map[string]*kg.Graph{"empty": empty.Graph(), "films": films(t).Graph()} {
		e, err := OnGraph(t.Context(), g, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.SetEmbedder(t.Context(), &letters{id: "letters/1", dims: 32}, nil); err != nil {
			t.Errorf("%s: SetEmbedder: %v", name, err)
		}
		if run, err := e.Ask(t.Context(), "who directed Tangerine?", AskOptions{}, nil); err != nil {
			t.Errorf("%s: Ask: %v", name, err)
		} else if got := said(run); name == "films" && !slices.Equal(got, []string{"Sean Baker"}) {
			t.Errorf("%s: answers %q", name, got)
		}
	}
}

// rightOnTour counts the sample's questions that are answered right: as they
// are asked, and by the pattern of that reading written out, so that its
// relations and names are looked up by their vectors.
func rightOnTour(t *testing.T, e *Engine) (asked, written, of int) {
	t.Helper()
	for _, q := range sample.Questions() {
		want := slices.Sorted(slices.Values(q.Answers))
		run, err := e.Ask(t.Context(), q.Text, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		of++
		if slices.Equal(said(run), want) {
			asked++
		}
		if run.Reading < 0 {
			continue
		}
		p, err := pattern.ParseText(pattern.Format(run.Plan.Readings[run.Reading].Pattern))
		if err != nil {
			continue // what a pattern's text cannot say
		}
		if run, err = e.FollowPattern(t.Context(), q.Text, p, AskOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		if slices.Equal(said(run), want) {
			written++
		}
	}
	return asked, written, of
}

// TestSampleWithAnotherEmbedder: what the tour shows stays right, and patterns in
// words are answered about as well.
func TestSampleWithAnotherEmbedder(t *testing.T) {
	e := openSample(t)
	asked, written, of := rightOnTour(t, e)
	t.Logf("built in: %d of %d right as asked, %d as written patterns", asked, of, written)
	if asked != of {
		t.Errorf("built in: %d of %d right", asked, of)
	}
	if err := e.SetEmbedder(t.Context(), &letters{id: "letters/1", dims: 128}, nil); err != nil {
		t.Fatal(err)
	}
	a, w, _ := rightOnTour(t, e)
	t.Logf("pairs of letters: %d of %d right as asked, %d as written patterns", a, of, w)
	if a != of || w < written-1 {
		t.Errorf("pairs of letters: %d of %d right as asked, %d as written patterns; the built-in embedder has %d", a, of, w, written)
	}
}

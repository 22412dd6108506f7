package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/extract"
	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// fakeTexts is what a fakeGraph has read in texts.
type fakeTexts struct {
	mu         sync.Mutex
	file       string // the last text
	parts      int    // that were read so far, of 3
	statements []kg.Statement
	writes     []engine.Decisions
	looking    time.Duration // that looking up names takes
}

func (f *fakeTexts) ReadTexts(ctx context.Context, files []string, ev *engine.Events) (engine.ExtractReport, error) {
	f.mu.Lock()
	f.file = files[0]
	f.mu.Unlock()
	for ; f.parts < 3; f.parts++ {
		ev.Progress("read "+filepath.Base(files[0])+" with tiny", int64(f.parts), 3)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return engine.ExtractReport{Documents: f.documents()}, ctx.Err()
		}
	}
	return engine.ExtractReport{Documents: f.documents()}, nil
}

func (f *fakeTexts) documents() []kg.Document {
	if f.file == "" {
		return nil
	}
	return []kg.Document{{
		ID: 7, Name: filepath.Base(f.file), File: f.file, Model: "tiny", Chunks: 3, Read: f.parts,
		Statements: map[kg.StatementState]int{kg.StatementProposed: len(f.statements)},
	}}
}

func (f *fakeTexts) Extractions(context.Context) ([]kg.Document, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.documents(), nil
}

func (f *fakeTexts) Statements(context.Context, int64) ([]kg.Statement, error) {
	return slices.Clone(f.statements), nil
}

func (f *fakeTexts) Proposals(context.Context, int64) ([]extract.Proposal, error) {
	time.Sleep(f.looking)
	return []extract.Proposal{
		{
			Kind: kg.EntityName, Name: "Wien", Suggested: "Vienna", Why: "it is another name of Vienna",
			Candidates: []extract.Candidate{{Key: "Vienna", Label: "Vienna", Method: "alias"}},
		},
		{Kind: kg.RelationName, Name: "lies on"},
	}, nil
}

func (f *fakeTexts) Decide(_ context.Context, _ int64, d engine.Decisions) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, d)
	for i := range f.statements {
		if s, ok := d.States[f.statements[i].ID]; ok {
			f.statements[i].State = s
		}
	}
	return nil
}

func (f *fakeTexts) AddExtracted(context.Context, int64, *engine.Events) (extract.Added, error) {
	var a extract.Added
	for _, s := range f.statements {
		switch s.State {
		case kg.StatementAccepted:
			a.Added++
		case kg.StatementProposed:
			a.Left++
		default:
		}
	}
	return a, nil
}

func (f *fakeTexts) ForgetExtraction(context.Context, int64) error {
	f.file = ""
	return nil
}

// textRig is a window on a graph whose model has read file.
func textRig(t *testing.T, statements []kg.Statement) (r *rig, texts *fakeTexts) {
	t.Helper()
	r = newRig(t)
	r.app.Preferences().SetString(prefModel, "")
	r.opener.make = func(path string) *fakeGraph {
		g := newFakeGraph(path)
		g.statements = statements
		return g
	}
	r.ui(r.openSample)
	synctest.Wait()
	r.app.Preferences().SetString(prefModel, "tiny")
	return r, &r.opener.opened[0].fakeTexts
}

func someStatements() []kg.Statement {
	return []kg.Statement{
		{ID: 1, Head: "Wien", Relation: "lies on", Tail: "Danube", Spans: []kg.Span{{Start: 0, End: 23, Line: 1, Quote: "Wien lies on the Danube"}}},
		{ID: 2, Head: "Graz", Relation: "lies on", Tail: "Mur", Spans: []kg.Span{{Line: 2, Quote: "Graz might lie on the Mur", Doubt: "the text is not sure"}}},
		{ID: 3, Head: "Linz", Relation: "lies on", Tail: "Danube", Spans: []kg.Span{{Line: 3, Quote: "So does Linz"}}},
		{ID: 4, Head: "Rome", Relation: "lies on", Tail: "Tiber", State: kg.StatementInvalid, Reason: "“Rome” is not in the text"},
	}
}

func TestATextIsReadReviewedAndAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, texts := textRig(t, someStatements())
		file := filepath.Join(t.TempDir(), "rivers.md")
		writeFile(t, file, "Wien lies on the Danube.\nGraz might lie on the Mur.\nSo does Linz.\n")
		r.ui(func() { r.dropped([]fyne.URI{storage.NewFileURI(file)}) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("dropping a text opens no dialog")
		}
		r.ui(func() { tapButton(t, top, "Read with tiny") })
		synctest.Wait()
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if got := r.read(func() string { return labels(top) }); !strings.Contains(got, "Read rivers.md with tiny: 1 of 3 parts") {
			t.Errorf("while reading:\n%s", got)
		}
		r.ui(func() { tapButton(t, top, "Stop") })
		synctest.Wait()
		if got := labels(top); !strings.Contains(got, "What was read so far is kept") {
			t.Errorf("after a stop:\n%s", got)
		}
		r.ui(func() { tapButton(t, top, "Back") })
		r.ui(func() { tapButton(t, top, "Continue reading") })
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if texts.parts != 3 {
			t.Errorf("%d parts were read, want it to go on to the third", texts.parts)
		}
		got := labels(top)
		for _, want := range []string{"All 4\n", "Undecided 3\n", "Doubtful 1\n", "Not in the text 1\n", "“Wien” is\n", "It is another name of Vienna."} {
			if !strings.Contains(got, want) {
				t.Errorf("review lacks %q:\n%s", want, got)
			}
		}
		r.ui(func() { tapButton(t, top, "Accept 2 of the list") })
		synctest.Wait()
		r.ui(func() { tapButton(t, top, "Add 2 to the graph") })
		synctest.Wait()
		if got := labels(top); !strings.Contains(got, "2 triples added from rivers.md") {
			t.Errorf("in the end:\n%s", got)
		}
		if s := texts.statements; s[1].State != kg.StatementProposed || s[3].State != kg.StatementInvalid {
			t.Errorf("accepting all took in what is doubtful or not in the text: %+v", s)
		}
		r.close()
	})
}

// A text without a graph leads on: to the model that is to read it, and to a new graph, which
// is not made before there is one.
func TestATextWithoutAGraphLeadsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.app.Preferences().SetString(prefModel, "")
		file := filepath.Join(t.TempDir(), "rivers.txt")
		writeFile(t, file, "Wien lies on the Danube. Graz might lie on the Mur.\n")
		r.ui(func() { r.dropped([]fyne.URI{storage.NewFileURI(file)}) })
		synctest.Wait()
		top := func() fyne.CanvasObject { return r.win.Canvas().Overlays().Top() }
		if got := r.read(func() string { return labels(top()) }); !strings.Contains(got, "needs a language model, and none is selected") {
			t.Errorf("without a model:\n%s", got)
		}
		r.ui(func() { tapButton(t, top(), "Models …") })
		synctest.Wait()
		r.app.Preferences().SetString(prefModel, "tiny")
		r.ui(func() { r.closeTop() })
		synctest.Wait()
		if got := r.read(func() string { return labels(top()) }); !strings.Contains(got, "Statements read from rivers.txt are added to a graph") {
			t.Errorf("without a graph:\n%s", got)
		}
		r.ui(func() { tapButton(t, top(), "Create the graph") })
		synctest.Wait()
		if r.session == nil || r.session.Name() != "rivers" {
			t.Fatalf("the graph that is open: %+v, want one that is called as the text is", r.session)
		}
		if got := r.read(func() string { return labels(top()) }); !strings.Contains(got, file) {
			t.Errorf("with a model and a graph:\n%s", got)
		}
		r.ui(func() { tapButton(t, top(), "Read with tiny") })
		synctest.Wait()
		if texts := &r.opener.opened[0].fakeTexts; texts.file != file {
			t.Errorf("%q is read, want %q", texts.file, file)
		}
		r.ui(func() { tapButton(t, top(), "Stop") })
		synctest.Wait()
		r.close()
	})
}

// A text that is dropped on the sample goes into a graph of the user's own, unless they say
// otherwise.
func TestATextDoesNotGoIntoTheSample(t *testing.T) {
	for choice, want := range map[string]string{"Create the graph": "rivers", "Use the sample": sampleName} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.app.Preferences().SetString(prefModel, "tiny")
			r.ui(func() {
				r.load("Opening", "", func(ctx context.Context, ev *engine.Events) (openGraph, error) {
					return r.opener.Open(ctx, "/data/"+sampleName+graphEnding, nil, ev)
				})
			})
			synctest.Wait()
			file := filepath.Join(t.TempDir(), "rivers.txt")
			writeFile(t, file, "Wien lies on the Danube. Graz might lie on the Mur.\n")
			r.ui(func() { r.dropped([]fyne.URI{storage.NewFileURI(file)}) })
			synctest.Wait()
			top := func() fyne.CanvasObject { return r.win.Canvas().Overlays().Top() }
			if got := r.read(func() string { return labels(top()) }); !strings.Contains(got, "the open graph is the built-in sample") {
				t.Errorf("on the sample:\n%s", got)
			}
			r.ui(func() { tapButton(t, top(), choice) })
			synctest.Wait()
			if got := r.read(func() string { return labels(top()) }); r.session.Name() != want || !strings.Contains(got, file) {
				t.Errorf("%s: %q is open, want %q:\n%s", choice, r.session.Name(), want, got)
			}
			r.close()
		})
	}
}

// What is looked up for a review that was left does not come up later.
func TestBackFromALookUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, texts := textRig(t, someStatements())
		texts.file, texts.parts, texts.looking = filepath.Join(t.TempDir(), "gone.md"), 3, time.Second
		r.ui(func() { r.showExtract(nil) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() { tapButton(t, top, "Review") })
		r.ui(func() { tapButton(t, top, "Back") })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := r.read(func() string { return labels(top) }); !strings.Contains(got, "Read before") {
			t.Errorf("after Back:\n%s", got)
		}
		r.close()
	})
}

func TestReviewByKeyboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, texts := textRig(t, someStatements())
		texts.file, texts.parts = filepath.Join(t.TempDir(), "gone.md"), 3
		r.ui(func() { r.showExtract(nil) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() { tapButton(t, top, "Review") })
		synctest.Wait()
		list := r.win.Canvas().Focused().(*statementList) //nolint:errcheck // the test fails where it is not
		r.ui(func() {
			list.TypedRune('a') // and on to the next
			list.TypedRune('d')
			list.TypedRune('a')
			list.TypedRune('a') // the last cannot be accepted
			list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
			list.TypedRune('u')
		})
		synctest.Wait()
		var states []kg.StatementState
		for _, s := range texts.statements {
			states = append(states, s.State)
		}
		want := []kg.StatementState{kg.StatementProposed, kg.StatementDeclined, kg.StatementAccepted, kg.StatementInvalid}
		if !slices.Equal(states, want) {
			t.Errorf("states = %v, want %v", states, want)
		}
		r.ui(func() {
			for _, o := range test.LaidOutObjects(top) {
				if s, ok := o.(*selector); ok && s.Selected == "Vienna · alias" {
					s.SetSelectedIndex(0)
					return
				}
			}
			t.Error("Vienna is not offered for Wien")
		})
		synctest.Wait()
		last := texts.writes[len(texts.writes)-1]
		if want := (kg.Naming{Kind: kg.EntityName, Name: "Wien"}); len(last.Names) != 1 || last.Names[0] != want {
			t.Errorf("kept %+v, want Wien as something new", last.Names)
		}
		r.close()
	})
}

func TestReviewOfTenThousandIsFluent(t *testing.T) {
	shared.Sequential(t)
	synctest.Test(t, func(t *testing.T) {
		var many []kg.Statement
		for i := range 10_000 {
			many = append(many, kg.Statement{
				ID: int64(i + 1), Head: fmt.Sprintf("Town %d", i), Relation: "lies on", Tail: "Danube",
				Spans: []kg.Span{{Line: int64(i), Quote: "It lies on the Danube"}},
			})
		}
		r, texts := textRig(t, many)
		texts.file, texts.parts = filepath.Join(t.TempDir(), "gone.md"), 3
		r.ui(func() { r.showExtract(nil) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() { tapButton(t, top, "Review") })
		synctest.Wait()
		rows := 0
		for _, o := range test.LaidOutObjects(top) {
			if f, ok := o.(*flow); ok && strings.HasSuffix(f.Text(), "Danube") {
				rows++
			}
		}
		if rows == 0 || rows > 60 {
			t.Errorf("%d rows are drawn, want those in view", rows)
		}
		r.ui(func() { tapButton(t, top, "Accept 10,000 of the list") })
		synctest.Wait()
		if n := len(texts.writes); n > 2 {
			t.Errorf("accepting all took %d writes, want them together", n)
		}
		r.close()
	})
}

func TestTextsAreToldFromTriples(t *testing.T) {
	dir := t.TempDir()
	prose, triples := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	writeFile(t, prose, "Vienna lies on the Danube.\nIt is the capital of Austria.\n")
	writeFile(t, triples, "Vienna|capital_of|Austria\n")
	for path, want := range map[string]bool{prose: true, triples: false, filepath.Join(dir, "gone.txt"): false} {
		if got := readsAsProse(path); got != want {
			t.Errorf("readsAsProse(%s) = %v, want %v", filepath.Base(path), got, want)
		}
	}
}

func TestReadPassage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	text := strings.Repeat("Before it. ", 100) + "Wien lies on\nthe Danube. " + strings.Repeat("After it. ", 100)
	writeFile(t, file, text)
	start := int64(strings.Index(text, "Wien"))
	row := present.StatementRow{Quote: "Wien lies on the Danube.", Start: start, End: start + 24}
	p := readPassage(file, row)
	if p.place != row.Quote || !strings.HasSuffix(p.before, "Before it.") || !strings.HasPrefix(p.after, "After it.") {
		t.Errorf("passage = %+v", p)
	}
	row.Start, row.End = start+1, start+25
	if p := readPassage(file, row); p != (passage{place: row.Quote}) {
		t.Errorf("where the file is another: %+v, want the place alone", p)
	}
	if p := readPassage(file+"x", row); p != (passage{place: row.Quote}) {
		t.Errorf("where the file is gone: %+v, want the place alone", p)
	}
	for _, place := range [][2]int64{{start, 1 << 60}, {start, -1}, {-1 << 60, start}, {1 << 60, start}} {
		row.Start, row.End = place[0], place[1]
		if p := readPassage(file, row); p != (passage{place: row.Quote}) {
			t.Errorf("bytes %d to %d, as in a damaged graph: %+v, want the place alone", row.Start, row.End, p)
		}
	}
}

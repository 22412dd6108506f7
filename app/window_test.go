package app

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/report"
)

// texts are all words that can be seen under an object, in order.
func texts(o fyne.CanvasObject) string {
	var b strings.Builder
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if o == nil || !o.Visible() {
			return
		}
		switch c := o.(type) {
		case *fyne.Container:
			for _, child := range c.Objects {
				walk(child)
			}
		case *widget.Label:
			fmt.Fprintln(&b, c.Text)
		case *button:
			fmt.Fprintln(&b, c.Text)
		case *flow:
			fmt.Fprintln(&b, c.Text())
		case *panel:
			walk(c.content)
		case *copyable:
			walk(c.content)
		case *pressable:
			walk(c.content)
		}
	}
	walk(o)
	return b.String()
}

// chips are the citations under an object.
func chips(o fyne.CanvasObject) []*chip {
	var found []*chip
	switch c := o.(type) {
	case *fyne.Container:
		for _, child := range c.Objects {
			found = append(found, chips(child)...)
		}
	case *panel:
		found = chips(c.content)
	case *copyable:
		found = chips(c.content)
	case *pressable:
		found = chips(c.content)
	case *flow:
		for _, w := range c.words {
			if chip, ok := w.object.(*chip); ok {
				found = append(found, chip)
			}
		}
	}
	return found
}

func TestWindowAnswersAndLinksItsPanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		if got := texts(r.answer.box); !strings.Contains(got, "What is the capital of Austria?") {
			t.Errorf("empty answer pane lacks the examples:\n%s", got)
		}
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		got := texts(r.answer.box)
		for _, want := range []string{"Vienna is the capital of Austria. [T1]", "supported by the triples", "Did you mean", "what has Austria as its capital"} {
			if !strings.Contains(got, want) {
				t.Errorf("answer lacks %q:\n%s", want, got)
			}
		}
		if len(r.fig.model.Edges) != 1 || r.fig.model.Edges[0].Tag != "T1" {
			t.Errorf("picture edges = %+v, want one tagged T1", r.fig.model.Edges)
		}
		r.ui(func() { test.Tap(chips(r.answer.box)[0]) })
		synctest.Wait()
		edge := present.EdgeID(0)
		if !slices.Equal(r.fig.highlighted, []string{edge}) || r.evidence.list.selected != 0 {
			t.Errorf("after the citation: highlighted %q, row %d, want %q, 0", r.fig.highlighted, r.evidence.list.selected, edge)
		}
		if got := r.evidence.where.Text; got != "world.txt, line 7" {
			t.Errorf("source = %q, want %q", got, "world.txt, line 7")
		}
		r.ui(func() { r.fig.events.selectEdge(edge) })
		synctest.Wait()
		r.ui(func() { r.answer.do.reading(1) })
		synctest.Wait()
		asked := r.opener.opened[0].asked
		if asked[len(asked)-1].Reading != 1 {
			t.Errorf("last question asked with reading %d, want 1", asked[len(asked)-1].Reading)
		}
		r.ui(r.copyAnswer)
		if got := r.app.Clipboard().Content(); !strings.Contains(got, "[T1] Vienna — capital of → Austria") {
			t.Errorf("clipboard = %q", got)
		}
		r.close()
	})
}

func TestWindowRefusesInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("refuse") })
		synctest.Wait()
		got := texts(r.answer.box)
		for _, want := range []string{"No answer in this graph", "No entity of this graph fits.", "Nothing in this graph is called “Atlantis”", "“Atlanta”"} {
			if !strings.Contains(got, want) {
				t.Errorf("refusal lacks %q:\n%s", want, got)
			}
		}
		if got := r.figure.title.Text; !strings.Contains(got, "not evidence") {
			t.Errorf("picture title = %q, want it to say that it is not evidence", got)
		}
		r.close()
	})
}

func TestWindowShowsNoRawError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.fail = &fs.PathError{Op: "read", Path: "/data/a.cairn", Err: fs.ErrPermission}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("anything") })
		synctest.Wait()
		got := texts(r.answer.box)
		if !strings.Contains(got, "You do not have permission to use /data/a.cairn.") || !strings.Contains(got, "change its permissions") {
			t.Errorf("error shown as:\n%s", got)
		}
		r.close()
	})
}

func TestWindowOpenFailsInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.fail = &fs.PathError{Op: "open", Path: "/data/gone.cairn", Err: fs.ErrNotExist}
		r.prefs.opened("/data/gone.cairn")
		r.ui(func() { r.open("/data/gone.cairn") })
		synctest.Wait()
		if got := texts(r.answer.box); !strings.Contains(got, "/data/gone.cairn does not exist.") {
			t.Errorf("failure shown as:\n%s", got)
		}
		if len(r.prefs.recent()) != 0 || r.prefs.last() != "" {
			t.Error("a graph that is gone stays among the recent ones")
		}
		r.close()
	})
}

func TestWindowCloseWhileBusyLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay = time.Hour
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("slow") })
		synctest.Wait()
		r.close()
		synctest.Wait()
		if n := r.opener.opened[0].closed; n != 1 {
			t.Errorf("graph closed %d times, want once", n)
		}
	})
}

func TestWindowSwitchingGraphsClosesTheOldOneAfterItsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay = time.Minute
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("slow") })
		synctest.Wait()
		r.ui(func() { r.open("/data/other.cairn") })
		synctest.Wait()
		if r.opener.opened[0].closed != 1 || r.opener.opened[1].closed != 0 {
			t.Errorf("closed %d and %d times, want 1 and 0", r.opener.opened[0].closed, r.opener.opened[1].closed)
		}
		if got := r.win.Title(); got != "other – Cairn" {
			t.Errorf("title = %q", got)
		}
		if r.run != nil {
			t.Error("the old graph's answer is still shown")
		}
		r.close()
	})
}

func TestWindowEscStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.delay = time.Minute
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("slow") })
		synctest.Wait()
		r.ui(func() { r.question.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) })
		synctest.Wait()
		if got := texts(r.answer.box); !strings.Contains(got, "You stopped this question") {
			t.Errorf("after Esc:\n%s", got)
		}
		r.ui(func() {
			r.steps.toggle(1)
			r.question.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if r.steps.details.Visible() {
				t.Error("Esc leaves the details of a step open")
			}
		})
		r.close()
	})
}

func TestImportCountsAreShownAndTheGraphOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		file := filepath.Join(t.TempDir(), "kb.txt")
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.result = ingest.Report{Read: 10, Used: 9, Added: 7, Duplicate: 2, Rejected: 1, RejectsFile: "/data/r.txt", Rejects: []ingest.Reject{{File: file, Line: 4, Reason: "a quotation mark is not closed"}}}
			return g
		}
		writeFile(t, file, "a|b|c\n")
		r.ui(func() { r.dropped([]fyne.URI{storage.NewFileURI(file)}) })

		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("dropping a file opens no dialog")
		}
		r.ui(func() { tapButton(t, top, "Import") })
		synctest.Wait()
		if r.session == nil || graphName(r.session.Path()) != "kb" {
			t.Errorf("the imported graph is not open")
		}
		if got := labels(top); !strings.Contains(got, "7 statements added from kb.txt") || !strings.Contains(got, "used + rejected + skipped") || !strings.Contains(got, "kb.txt, line 4: A quotation mark is not closed") {
			t.Errorf("result page:\n%s", got)
		}
		r.close()
	})
}

// labels are the texts of all labels in a window's overlay.
func labels(o fyne.CanvasObject) string {
	var b strings.Builder
	for _, obj := range test.LaidOutObjects(o) {
		if l, ok := obj.(*widget.Label); ok && l.Visible() {
			fmt.Fprintln(&b, l.Text)
		}
	}
	return b.String()
}

func tapButton(tb testing.TB, root fyne.CanvasObject, text string) {
	tb.Helper()
	for _, obj := range test.LaidOutObjects(root) {
		if b, ok := obj.(*button); ok && b.Text == text && b.Visible() {
			test.Tap(b)
			return
		}
	}
	tb.Fatalf("no button %q", text)
}

func TestImportWithNothingAddedLeavesNoFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			writeFile(t, path, "")
			g := newFakeGraph(path)
			g.fail = errors.New("import bad.bin: it is not text; choose a text file")
			return g
		}
		file := filepath.Join(t.TempDir(), "bad.txt")
		writeFile(t, file, "\x00")
		r.ui(func() { r.take([]string{file}) })
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		r.ui(func() { tapButton(t, top, "Import") })
		synctest.Wait()
		if r.session != nil {
			t.Error("a graph without a triple was opened")
		}
		if _, err := os.Stat(r.opener.opened[0].path); err == nil {
			t.Error("the empty graph's file is still there")
		}
		if got := labels(top); !strings.Contains(got, "it is not text.") || !strings.Contains(got, "Choose a text file.") {
			t.Errorf("result page:\n%s", got)
		}
		r.close()
	})
}

// TestStoppedImportIsSaid: a graph of a file that was not read to the end says so, also when
// the dialog that could have said it is closed.
func TestStoppedImportIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.sources = []kg.Source{{Name: "whole.tsv", Complete: true}, {Name: "kb.txt"}}
			return g
		}
		r.ui(func() { r.open("/data/kb.cairn") })
		synctest.Wait()
		if got := r.header.counts.Text; !strings.HasSuffix(got, " · only part of kb.txt is imported; import it again to add the rest") {
			t.Errorf("the header says %q", got)
		}
		r.close()
	})
}

func TestEvidenceListByKeyboard(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	var chosen []int
	p := newEvidencePane(func(row int) { chosen = append(chosen, row) })
	w := test.NewTempWindow(t, p.root)
	w.Resize(fyne.NewSize(400, 300))
	rows := []present.EvidenceRow{
		{ID: 4, Triple: report.Triple{Number: 1, Head: "A", Relation: "r", Tail: "B"}, Lines: []string{"0.200  relation"}},
		{ID: 5, Triple: report.Triple{Number: 2, Head: "C", Relation: "r", Tail: "D"}},
	}
	p.show(rows, "")
	p.list.FocusGained()
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !slices.Equal(chosen, []int{0, 1, 0}) {
		t.Errorf("rows chosen = %v, want [0 1 0]", chosen)
	}
	if !p.open[0] {
		t.Error("Enter does not open the row")
	}
}

func TestEvidenceThatAModelReadIsMarked(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	p := newEvidencePane(func(int) {})
	w := test.NewTempWindow(t, p.root)
	w.Resize(fyne.NewSize(400, 300))
	p.show([]present.EvidenceRow{{ID: 4, Triple: report.Triple{Number: 1, Head: "A", Relation: "r", Tail: "B", Extracted: true}}, {ID: 5, Triple: report.Triple{Number: 2, Head: "C", Relation: "r", Tail: "D"}}}, "")
	if got := strings.Count(labels(p.root), present.Extracted); got != 1 {
		t.Errorf("%d rows say that a model read them, want 1:\n%s", got, labels(p.root))
	}
	p.setSources(map[kg.TripleID]string{4: "notes.md:3, extracted by tiny"})
	for _, o := range test.LaidOutObjects(p.root) {
		if l, ok := o.(*widget.Label); ok && strings.Contains(l.Text, "extracted by") && l.Importance != widget.WarningImportance {
			t.Error("the source of what a model read looks like any other")
		}
	}
}

func TestReadLine(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 1<<17)
	text := "first\nsecond\ttab\r\n" + long + "\nlast \xff"
	plain := filepath.Join(dir, "a.txt")
	writeFile(t, plain, text)
	zipped := filepath.Join(dir, "a.txt.gz")
	f, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	fmt.Fprint(z, text)
	z.Close()
	f.Close()
	for _, path := range []string{plain, zipped} {
		for n, want := range map[int64]string{1: "first", 2: "second ⇥ tab", 4: "last \uFFFD"} {
			if got, err := readLine(t.Context(), path, n); err != nil || got != want {
				t.Errorf("readLine(%s, %d) = %q, %v, want %q", filepath.Base(path), n, got, err, want)
			}
		}
		if got, err := readLine(t.Context(), path, 3); err != nil || len([]rune(got)) != longestQuote {
			t.Errorf("readLine of a long line: %d runes, %v, want %d", len([]rune(got)), err, longestQuote)
		}
		if _, err := readLine(t.Context(), path, 9); !errors.Is(err, errNoLine) {
			t.Errorf("readLine past the end: %v, want %v", err, errNoLine)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readLine(ctx, plain, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("readLine cancelled: %v", err)
	}
}

func TestFreePathNeverTakesAnothersPlace(t *testing.T) {
	dir := t.TempDir()
	if got, want := filepath.Base(freePath(dir, "a/b: c ")), "a-b- c.cairn"; got != want {
		t.Errorf("freePath = %q, want %q", got, want)
	}
	writeFile(t, filepath.Join(dir, "kb.cairn"), "")
	if got, want := filepath.Base(freePath(dir, "kb")), "kb 2.cairn"; got != want {
		t.Errorf("freePath = %q, want %q", got, want)
	}
}

func TestFlowBreaksLinesAndLongWords(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	f := newFlow(sizeBody)
	f.add("one two three four five six seven "+strings.Repeat("漢", 60), fyne.TextStyle{}, colorMuted)
	test.NewTempWindow(t, f)
	f.Resize(fyne.NewSize(400, 100))
	wide := f.MinSize().Height
	f.Resize(fyne.NewSize(130, 100))
	narrow := f.MinSize().Height
	if narrow <= wide {
		t.Errorf("height %v at 130, %v at 400, want more lines where it is narrow", narrow, wide)
	}
	if !strings.Contains(f.Text(), strings.Repeat("漢", 60)) {
		t.Errorf("Text() = %q breaks the long word", f.Text())
	}
}

func TestMappingIsSavedForTheRelationsThatWereChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(r.showMapping)
		synctest.Wait()
		top := r.win.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("no dialog")
		}
		r.ui(func() {
			for _, o := range test.LaidOutObjects(top) {
				if e, ok := o.(*entry); ok && e.Text == "capital" {
					e.SetText("Capital, seat of government,")
				}
			}
			tapButton(t, top, "Save")
		})
		synctest.Wait()
		own := r.opener.opened[0].own
		if len(own) != 1 || own[0].RelationKey != "capital_of" || !slices.Equal(own[0].Words, []string{"capital", "seat of government"}) {
			t.Errorf("saved %+v, want the two words", own)
		}
		r.close()
	})
}

func TestQuestionOfTenThousandCharactersIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		long := strings.Repeat("why? ", 2000)
		r.ui(func() { r.question.put(long) })
		synctest.Wait()
		if !r.question.entry.MultiLine {
			t.Error("a long question stands on one line")
		}
		if r.run == nil || r.run.Question != strings.TrimSpace(long) {
			t.Error("a long question is not asked whole")
		}
		r.ui(func() {
			r.question.entry.SetText("short")
			r.question.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		})
		synctest.Wait()
		if r.question.entry.MultiLine || r.run.Question != "short" {
			t.Errorf("after a short question: on several lines %v, asked %q", r.question.entry.MultiLine, r.run.Question)
		}
		r.close()
	})
}

// Text returns the words as one line; what is struck stands between
// ~~.
func (f *flow) Text() string {
	var b strings.Builder
	struck := false
	for i, w := range f.words {
		text := w.text
		switch c := w.object.(type) {
		case nil:
		case *chip:
			text = "[" + c.text + "]"
		default:
			continue
		}
		if struck && !w.struck {
			b.WriteString("~~")
		}
		if b.Len() > 0 && !w.glued {
			b.WriteByte(' ')
		}
		if w.struck && !struck {
			b.WriteString("~~")
		}
		struck = w.struck
		b.WriteString(text)
		if struck && i == len(f.words)-1 {
			b.WriteString("~~")
		}
	}
	return b.String()
}

// TestThePictureSaysWhatItLeavesOut: it shows only some triples of a large answer.
func TestThePictureSaysWhatItLeavesOut(t *testing.T) {
	m := canvas.Model{Nodes: []canvas.Node{{ID: "e1"}, {ID: "e2"}, {ID: present.MoreNodeID}}, Edges: []canvas.Edge{{ID: "t1", From: 0, To: 1}}}
	for all, want := range map[int]string{1: "Evidence: 2 entities, 1 triple", 680: "Evidence: 2 entities, 1 of 680 triples"} {
		if got := figureTitle(m, false, present.Standing(0), all); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

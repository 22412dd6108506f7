package app

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/engine/report"
)

// TestListHasItsRoomAgain: the source of a triple makes the list of the evidence shorter,
// and the next answer makes it as high as before, with all of its rows.
func TestListHasItsRoomAgain(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	p := newEvidencePane(nil)
	w := test.NewWindow(p.root)
	defer w.Close()
	w.Resize(fyne.NewSize(480, 240))
	rows := make([]present.EvidenceRow, 4)
	for i := range rows {
		rows[i] = present.EvidenceRow{ID: kg.TripleID(i), Triple: report.Triple{Number: i + 1, Head: "Ann", Relation: "knows", Tail: "Bob"}}
	}
	p.show(rows, "")
	whole := p.list.Size().Height
	p.list.Select(0)
	p.inspect("people.csv, line 2", "Ann,knows,Bob")
	if p.list.Size().Height >= whole {
		t.Error("the source takes no room")
	}
	p.show(rows, "")
	if got := p.list.Size().Height; got != whole || !p.help.Visible() {
		t.Errorf("the list of the next answer is %g high, want %g; the ticks are explained: %t", got, whole, p.help.Visible())
	}
	p.past = true
	if p.show(rows, ""); p.help.Visible() {
		t.Error("an answer of the history has no ticks, and they are explained")
	}
}

// TestNamesInTheEvidenceAreWhole: a triple takes as many lines as it needs, at any width, and
// lies within its row; one that is higher than the list shows its beginning.
func TestNamesInTheEvidenceAreWhole(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	p := newEvidencePane(nil)
	w := test.NewWindow(p.root)
	defer w.Close()
	long := report.Triple{Number: 2, Head: "beta-adrenergic receptor antagonist", Relation: "contraindicated in patients with", Tail: "severe chronic obstructive pulmonary disease"}
	rows := []present.EvidenceRow{{ID: 1, Triple: report.Triple{Number: 1, Head: "Ann", Relation: "knows", Tail: "Bob"}}, {ID: 2, Triple: long}}
	p.show(rows, "")
	for _, width := range []float32{480, 300, 700} {
		w.Resize(fyne.NewSize(width, 400))
		all := seen(p.list)
		var text []string
		var row placed
		for _, o := range all {
			if o.object.Size().Width == p.list.Size().Width {
				row = o
			}
			if at, ok := o.object.(*fynecanvas.Text); ok {
				text = append(text, at.Text)
				if o.at.X+at.MinSize().Width > row.at.X+row.object.Size().Width || o.at.Y+at.MinSize().Height > row.at.Y+row.object.Size().Height+1 {
					t.Errorf("%g wide: %q at %v ends outside its row, which is %v at %v", width, at.Text, o.at, row.object.Size(), row.at)
				}
			}
		}
		if got := strings.Join(text, " "); !strings.Contains(got, long.Head+" — "+long.Relation+" → "+long.Tail) {
			t.Errorf("%g wide: the list says %q", width, got)
		}
	}
	w.Resize(fyne.NewSize(300, 80))
	p.selectTriple(2)
	if first := p.height(0, p.list.Size().Width) + theme.Padding(); p.list.GetScrollOffset() != first {
		t.Errorf("the list begins at %g, want the beginning of its second row, %g", p.list.GetScrollOffset(), first)
	}
}

// TestWordsFromRightToLeftStayTogether: a name of several words is one piece, which is put
// in order as a whole.
func TestWordsFromRightToLeftStayTogether(t *testing.T) {
	for text, want := range map[string][]string{
		"Where is תל אביב in ישראל now?": {"Where", "is", "תל אביב", "in", "ישראל", "now?"},
		"Tel Aviv is in ישראל.":          {"Tel", "Aviv", "is", "in", "ישראל", "."}, // which ends the sentence on its right
		"איפה תל אביב?":                  {"איפה תל אביב?"},
	} {
		f := newFlow(theme.SizeNameText)
		f.add(text, fyne.TextStyle{}, theme.ColorNameForeground)
		var got []string
		for _, w := range f.words {
			got = append(got, w.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the pieces are %q, want %q", got, want)
		}
	}
}

// TestNamesOfImportedGraphs: a graph is called as its file is, without what says its format.
func TestNamesOfImportedGraphs(t *testing.T) {
	for path, want := range map[string]string{
		"/d/films.nt.gz": "films", "/d/people.xlsx": "people", "/d/records.parquet": "records", "/d/kb": "kb",
		"/d/E. coli genes": "E. coli genes", "/d/.hidden": ".hidden",
	} {
		if got := nameFor(path); got != want {
			t.Errorf("nameFor(%q) = %q, want %q", path, got, want)
		}
	}
}

// TestHistoryByKeys: the list of earlier questions has the focus, and Enter opens one.
func TestHistoryByKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("opens the sample graph")
	}
	r := realRig(t)
	defer r.close()
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	for _, q := range []string{"What is the capital of Austria?", "What is the capital of Mongolia?"} {
		r.ui(func() { r.question.put(q) })
		r.await(t, "it is answered", func() bool { return r.run != nil && r.run.Question == q && r.asking.cancel == nil })
	}
	r.ui(r.showHistory)
	var list *rowList
	r.await(t, "the list has the focus", func() bool { list, _ = r.win.Canvas().Focused().(*rowList); return list != nil })
	r.ui(func() { list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) })
	r.await(t, "the older one can be opened", func() bool { return list.selected == 1 && list.onOpen != nil })
	r.await(t, "Enter opens it", func() bool {
		list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		return r.run.Since != nil && r.run.Question == "What is the capital of Austria?"
	})
}

// TestOpeningIsSaid: while the first graph is being opened, the window says so.
func TestOpeningIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		r.ui(func() {
			if got := labels(r.answer.root); r.session == nil && !strings.Contains(got, "Opening the sample …") {
				t.Errorf("while it is being opened, the window says:\n%s", got)
			}
		})
		synctest.Wait()
		r.close()
	})
}

// TestLongQuestionIsTypedInOrder: the entry breaks a long question into lines under the
// cursor, which stays where it is in the text, both ways.
func TestLongQuestionIsTypedInOrder(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(newTheme(lookLight))
	e := &questionEntry{}
	e.ExtendBaseWidget(e)
	e.OnChanged = func(string) { e.fit() }
	w := test.NewWindow(e)
	defer w.Close()
	w.Resize(fyne.NewSize(600, 200))
	long := strings.Repeat("Which rivers ", longLine/13)
	e.write(long)
	more := []rune("flow through Austria and Germany?")
	for _, r := range more {
		e.TypedRune(r)
	}
	if want := long + string(more); e.Text != want {
		t.Errorf("typed %q, and the entry has %q", want, e.Text)
	}
	for range more {
		e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
	if e.Text != long || e.MultiLine {
		t.Errorf("taken back to %q, in several lines: %t; want %q in one", e.Text, e.MultiLine, long)
	}
	e.write(long + long)
	if e.TypedRune('?'); e.Text != long+long+"?" {
		t.Errorf("what is typed into a question that was put there is not at its end: %q", e.Text)
	}
}

// TestQuestionThatIsNotReadIsWhole: it takes several lines, and what it may mean is offered.
func TestQuestionThatIsNotReadIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() {
			l, ok := r.answer.question("Who composed the national anthem of Peru?").(*widget.Label)
			if !ok || l.Truncation != fyne.TextTruncateOff || l.Wrapping != fyne.TextWrapWord {
				t.Error("a long question is cut off")
			}
			run := r.session.openGraph.(*fakeGraph).answer("capital?", engine.AskOptions{}) //nolint:errcheck // of a rig
			run.Plan = &plan.Plan{Readings: []plan.Reading{{Text: "Peru —capital→"}, {Text: "Peru —area→"}}}
			run.Reading = -1
			got := labels(r.answer.readings(r.session.Graph(), run).(*panel).content) //nolint:errcheck // a quotation is a panel
			if !strings.Contains(got, "Did you mean") || strings.Contains(got, "other reading") {
				t.Errorf("where no reading was followed, it offers %q", got)
			}
		})
		r.close()
	})
}

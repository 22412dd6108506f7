package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TestCypherDialog runs the query of an answer, chooses a row, and a query with a mistake.
func TestCypherDialog(t *testing.T) {
	r := realRig(t)
	defer r.close()
	r.ui(r.showCypher)
	if r.modal() {
		t.Error("a dialog without a graph")
	}
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	r.ui(func() {
		r.question.entry.SetText("Which countries border Austria?")
		r.question.submit()
	})
	r.await(t, "the answer is there", func() bool { return r.run != nil && r.run.Answer != nil && len(r.run.Answers) == 8 })
	var query *entry
	var run *button
	var rows *table
	r.ui(func() {
		r.showCypher()
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			switch o := at.object.(type) {
			case *entry:
				query = o
			case *button:
				if o.Text == "Run" {
					run = o
				}
			case *table:
				rows = o
			}
		}
	})
	if query == nil || run == nil || rows == nil {
		t.Fatal("the dialog lacks an entry, a button or a table")
	}
	if !strings.HasPrefix(query.Text, "MATCH (") || !strings.Contains(query.Text, "{name: 'Austria'}") || !strings.Contains(query.Text, "\nRETURN DISTINCT") {
		t.Errorf("the query of the answer: %q", query.Text)
	}
	says := func(want string) func() bool {
		return func() bool {
			var b strings.Builder
			for _, at := range seen(r.win.Canvas().Overlays().Top()) {
				b.WriteString(texts(at.object) + "\n")
			}
			return strings.Contains(b.String(), want)
		}
	}
	r.ui(run.OnTapped)
	r.await(t, "the rows are there", says("8 rows."))
	r.ui(func() {
		if n, columns := rows.Length(); n != 8 || columns != 1 {
			t.Errorf("the table has %d rows and %d columns, want 8 and 1", n, columns)
		}
		rows.Select(widget.TableCellID{Row: 2})
	})
	r.await(t, "the evidence of a row is there", says("Evidence of row 3: 2 triples"))
	r.ui(func() {
		query.SetText("MATCH (a) RETURN b")
		run.OnTapped()
	})
	r.await(t, "a mistake has a place", says("Line 1, column 18: b is not defined."))
	r.ui(func() {
		if query.CursorRow != 0 || query.CursorColumn != 17 {
			t.Errorf("the cursor is in row %d, column %d; want it at the mistake", query.CursorRow, query.CursorColumn)
		}
	})
	r.ui(func() {
		query.SetText("MATCH (a)-[*]-(b)-[*]-(c)-[*]-(d) RETURN count(*)")
		run.OnTapped()
	})
	r.await(t, "a long query runs", func() bool { return run.Text == "Stop" && run.Icon == theme.MediaStopIcon() })
	r.ui(run.OnTapped)
	r.await(t, "it is stopped", func() bool { return run.Text == "Run" && run.Icon == theme.MediaPlayIcon() })
	r.await(t, "that is said", says("Stopped."))
	r.ui(func() {
		r.closeTop()
		r.showCypher()
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			if o, ok := at.object.(*entry); ok && !strings.Contains(o.Text, "(c)-[*]-(d)") {
				t.Errorf("opened again for the same answer, the dialog has %q, want what was written", o.Text)
			}
		}
	})
}

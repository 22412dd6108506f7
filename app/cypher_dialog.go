package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/cypher"
	"cairn/engine/kg"
)

type querier interface {
	Cypher(ctx context.Context, text string, o cypher.Options, ev *engine.Events) (*cypher.Result, error)
	// CypherOf writes the pattern of a run as a query; empty where it cannot be.
	CypherOf(run *engine.Run) string
}

// exampleQuery is what the dialog begins with where no answer is on view.
const exampleQuery = "MATCH (a)-[r]->(b)\nRETURN type(r) AS relation, count(*) AS triples\nORDER BY triples DESC LIMIT 20"

// cypherDialog runs queries and shows their rows, and the triples that each rests on.
type cypherDialog struct {
	w       *window
	entry   *entry
	run     *button
	stop    context.CancelFunc // the query that runs; nil for none
	summary *widget.Label
	table   *rowTable
	triples *list
	about   *widget.Label // what the triples are

	g     *kg.Graph
	shown []kg.TripleID
}

// showCypher shows the console, with the query of the answer on view, where it has one.
func (w *window) showCypher() {
	if w.session == nil {
		w.status.say("Open a graph first.")
		return
	}
	d := &cypherDialog{w: w, g: w.session.Graph(), table: newRowTable()}
	d.entry = newEntry()
	d.entry.MultiLine, d.entry.Wrapping = true, fyne.TextWrapWord
	d.entry.TextStyle.Monospace = true
	d.entry.SetMinRowsVisible(5)
	text := ""
	if w.run != nil {
		text = strings.NewReplacer(" MATCH ", "\nMATCH ", " WHERE ", "\nWHERE ", " RETURN ", "\nRETURN ").Replace(w.session.CypherOf(w.run))
	}
	if text == "" {
		text = exampleQuery
	}
	s := w.session
	d.entry.SetText(cmp.Or(s.queries[text], text))
	d.entry.OnSubmitted = func(string) { d.start() }
	d.run = primary(newIconButton("Run", theme.MediaPlayIcon(), d.start))
	d.summary = wrapped(caption("Entities are nodes, types are labels, triples are relationships, and values are also properties. Queries are read-only. Press Shift+Enter to run."))
	d.table.OnSelected = func(at widget.TableCellID) { d.choose(at.Row) }
	d.about = caption("Evidence")
	d.triples = newList(func() int { return len(d.shown) }, func() (fyne.CanvasObject, *widget.Label) {
		l := clipped(widget.NewLabel(""))
		return l, l
	}, func(id int, l *widget.Label) { l.SetText(present.TripleText(d.g, d.shown[id])) })
	below := container.NewHSplit(newQuote(d.table.table), container.NewBorder(d.about, nil, nil, nil, newQuote(d.triples)))
	below.SetOffset(0.6)
	top := container.NewBorder(nil, d.summary, nil, container.NewVBox(d.run), d.entry)
	shown := w.newDialog("Query in Cypher", quiet(container.New(fynelayout.NewBorderLayout(top, nil, nil, nil), top, below)))
	shown.SetOnClosed(func() {
		if s.queries == nil {
			s.queries = map[string]string{}
		}
		s.queries[text] = d.entry.Text
		if d.stop != nil {
			d.stop()
		}
	})
	if w.showDialog("cypher", largest, shown) {
		w.win.Canvas().Focus(d.entry)
	}
}

// table is Fyne's; it gives Escape away.
type table struct{ widget.Table }

func (t *table) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(t, k) {
		t.Table.TypedKey(k)
	}
}

func fillCell(o fyne.CanvasObject, text string) {
	if l, ok := o.(*widget.Label); ok {
		l.SetText(present.OneLine(text))
	}
}

type rowTable struct {
	*table
	result *cypher.Result
	rows   [][]string // the names of the columns first
}

func newRowTable() *rowTable {
	t := &rowTable{table: &table{}, result: &cypher.Result{}, rows: [][]string{nil}}
	t.Length = func() (int, int) { return len(t.rows) - 1, len(t.result.Columns) }
	t.CreateCell = func() fyne.CanvasObject { return clipped(widget.NewLabel("")) }
	t.UpdateCell = func(at widget.TableCellID, o fyne.CanvasObject) { fillCell(o, t.rows[at.Row+1][at.Col]) }
	t.ShowHeaderRow = true
	t.ExtendBaseWidget(t.table)
	t.UpdateHeader = func(at widget.TableCellID, o fyne.CanvasObject) { fillCell(o, t.rows[0][at.Col]) }
	t.CreateHeader = func() fyne.CanvasObject { return clipped(bold("")) }
	return t
}

func (t *rowTable) show(g *kg.Graph, r *cypher.Result) {
	t.result, t.rows = r, present.CypherTable(g, r)
	for i := range r.Columns {
		t.SetColumnWidth(i, t.width(i))
	}
	t.UnselectAll()
	t.Refresh()
	t.ScrollToTop()
}

// said says how many rows there are, and what else there is to say.
func (t *rowTable) said() string {
	return strings.Join(append([]string{present.CypherSummary(t.result)}, t.result.Notes...), " ")
}

// start runs the query that stands in the entry, or stops the one that runs. What is shown
// stays until it is done.
func (d *cypherDialog) start() {
	if d.stop != nil {
		d.stop()
		return
	}
	text := d.entry.Text
	stopped, stop := context.WithCancel(context.Background())
	d.stop = stop
	d.run.running(true, "Run")
	d.summary.Importance = widget.LowImportance
	d.summary.SetText("Running …")
	d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stopped, cancel)()
		r, err := g.Cypher(ctx, text, cypher.Options{}, nil)
		post(func() {
			stop()
			d.stop = nil
			d.run.running(false, "Run")
			if err != nil {
				if at := (*cypher.Error)(nil); errors.As(err, &at) && at.Line > 0 && d.entry.Text == text {
					d.entry.goTo(at.Line, at.Column)
				}
				d.show(&cypher.Result{}) // what stood there is no answer to this
				d.summary.Importance = widget.WarningImportance
				d.summary.SetText(d.w.said("run a query", err))
				return
			}
			d.show(r)
		})
	})
}

// show shows a result, with the triples of all of its rows.
func (d *cypherDialog) show(r *cypher.Result) {
	d.table.show(d.g, r)
	if len(r.Rows) == 0 && len(r.Notes) > 0 {
		d.summary.Importance = widget.WarningImportance
	}
	d.summary.SetText(d.table.said())
	ts, cut := present.CypherEvidence(r)
	d.evidence("Evidence of all rows", ts, cut)
}

// width is as much as the first rows of a column need, within bounds.
func (t *rowTable) width(column int) float32 {
	const narrow, wide, looked = 70, 320, 200
	most := float32(narrow)
	for _, row := range t.rows[:min(len(t.rows), looked)] {
		size := fyne.MeasureText(row[column], theme.TextSize(), fyne.TextStyle{Bold: true})
		most = max(most, size.Width+2*theme.InnerPadding())
	}
	return min(most, wide)
}

// choose shows the triples of one row.
func (d *cypherDialog) choose(row int) {
	if row < 0 || row >= len(d.table.result.Rows) {
		return
	}
	ts, cut := present.CypherEvidence(&cypher.Result{Rows: d.table.result.Rows[row : row+1]})
	d.evidence(fmt.Sprintf("Evidence of row %d", row+1), ts, cut)
}

func (d *cypherDialog) evidence(of string, ts []kg.TripleID, cut bool) {
	d.shown = ts
	some := ""
	if cut {
		some = "at least "
	}
	d.about.SetText(of + ": " + some + present.Plural(len(ts), "triple", "triples"))
	d.triples.Refresh()
	d.triples.ScrollToTop()
}

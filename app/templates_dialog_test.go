package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cairn/engine"
	"cairn/engine/retrieve/templates"
)

// fakeTemplates has two templates and keeps nothing.
type fakeTemplates struct{}

func (fakeTemplates) Templates(context.Context) ([]templates.Row, error) {
	set, err := templates.Parse("# Cairn question templates 1\ntemplate\n  ask capital of {x}\n  cypher MATCH (y)-[:capital_of]->(x) RETURN y\ntemplate\n  ask what borders {x}\n  cypher MATCH (y)-[:borders]->(x) RETURN y\n")
	return templates.Rows(set.Templates, set.Templates), err
}

func (fakeTemplates) SetTemplates(context.Context, string) (m engine.TrainedModel, notes []string, err error) {
	return m, nil, engine.ErrInMemory
}

func (fakeTemplates) CheckTemplate(_ context.Context, asks []string, text string) (t templates.Template, notes []string, err error) {
	t, err = templates.New(asks, text)
	return t, nil, err
}

func (fakeTemplates) TryTemplate(context.Context, []templates.Template, int, string) (*templates.Trial, error) {
	return &templates.Trial{Taken: -1}, nil
}

// templatesRig is the dialog over the sample, with what is in it.
type templatesRig struct {
	*rig
	search, asks, cypher, question *entry
	list                           *list
}

// open opens the dialog and waits for what it says.
func (r *templatesRig) open(t *testing.T) {
	t.Helper()
	r.ui(r.showTemplates)
	r.await(t, "the dialog is open", r.modal)
	r.ui(func() {
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			switch o := at.object.(type) {
			case *entry:
				switch {
				case o.PlaceHolder == "Search":
					r.search = o
				case o.PlaceHolder == "A question to try it on":
					r.question = o
				case o.TextStyle.Monospace:
					r.cypher = o
				default:
					r.asks = o
				}
			case *list:
				r.list = o
			}
		}
	})
}

// says reports whether the dialog says something.
func (r *templatesRig) says(want string) func() bool {
	return func() bool {
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			if strings.Contains(texts(at.object), want) {
				return true
			}
		}
		return false
	}
}

// write writes a template and waits until the dialog has something to say of it.
func (r *templatesRig) write(t *testing.T, asks, cypher, want string) {
	t.Helper()
	r.ui(func() {
		r.asks.SetText(asks)
		r.cypher.SetText(cypher)
	})
	r.await(t, fmt.Sprintf("%q is said of %q and %q", want, asks, cypher), r.says(want))
}

// press presses a button of the dialog.
func (r *templatesRig) press(t *testing.T, text string) {
	t.Helper()
	r.ui(func() {
		for _, at := range seen(r.win.Canvas().Overlays().Top()) {
			if b, ok := at.object.(*button); ok && b.Text == text {
				if b.Disabled() {
					t.Errorf("%q cannot be pressed", text)
				}
				b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
				return
			}
		}
		t.Errorf("there is no button %q", text)
	})
}

// kept are the questions and states of the graph's templates.
func (r *templatesRig) kept(t *testing.T) (rows []string) {
	t.Helper()
	all, err := r.session.Templates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		rows = append(rows, string(row.State)+": "+row.Asks[0])
	}
	return rows
}

func (r *templatesRig) want(t *testing.T, when string, want ...string) {
	t.Helper()
	if got := r.kept(t); !slices.Equal(got, want) {
		t.Errorf("%s: templates %q, want %q", when, got, want)
	}
}

// TestTemplatesDialog: the templates of a graph are written, tried, saved, changed and
// deleted; what is wrong is said while it is written, and what is not saved is not lost.
func TestTemplatesDialog(t *testing.T) {
	r := &templatesRig{rig: realRig(t)}
	defer r.close()
	r.ui(r.showTemplates)
	if r.modal() {
		t.Error("a dialog without a graph")
	}
	r.ui(r.openSample)
	r.await(t, "the sample is open", func() bool { return r.session != nil && r.session.Ready() })
	r.open(t)
	r.await(t, "there are none", r.says("no question templates yet"))

	r.press(t, "Add")
	r.await(t, "it says what to write", r.says("Write a question with {x}"))
	const neighbours = "MATCH (x)-[:borders]->(y)\nRETURN y"
	r.write(t, "which countries touch it", neighbours, "has no slot: write {x}")
	r.write(t, "which countries touch {x", neighbours, "a { has no partner")
	r.write(t, "which countries touch {z}", neighbours, "its Cypher does not use {z}")
	r.write(t, "which countries touch {x}\nwhat touches {y}", neighbours, "does not have the same slots as")
	r.write(t, "which countries touch {x}", "MATCH (x)-[:borders]->(y\nRETURN y", "line 2, column 1: expected “)”, found “RETURN”")
	r.write(t, "which countries touch {x}", "MATCH (x)-[:borders]->(y) WHERE y.name = $name RETURN y", "none of its questions has a slot of that name")
	r.write(t, "which countries touch {x}", "MATCH (x)-[:borders]->(y) RETURN z", "z is not defined")
	r.write(t, "which countries touch {x}", "MATCH (x)-[:bordrs]->(y) RETURN y", "No relationship has the type bordrs; did you mean borders?")
	r.write(t, "Which countries touch {x}?", neighbours, "The template works.")

	r.ui(func() {
		r.question.SetText("which countries touch Austria")
		r.question.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	})
	r.await(t, "it is tried", r.says("8 rows."))
	for _, want := range []string{"{x} is “Austria”.", "MATCH (x {name: 'Austria'})\nMATCH (x)-[:borders]->(y)"} {
		if !r.says(want)() {
			t.Errorf("the trial does not say %q", want)
		}
	}
	r.want(t, "before it is saved")

	// What is not saved is there when the dialog is opened again.
	r.ui(func() { r.asks.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) })
	r.await(t, "the dialog is closed", func() bool { return !r.modal() })
	r.open(t)
	r.await(t, "the draft is there", func() bool { return r.cypher.Text == neighbours })
	r.await(t, "it can be saved", r.says("The template works."))
	r.press(t, "Save")
	r.await(t, "it is saved", r.says("Saved with the graph."))
	r.want(t, "saved", "own: which countries touch {x}")

	r.press(t, "Add")
	r.write(t, "capital of {place}", "MATCH (place)-[:capital]->(c) RETURN c", "The template works.")
	r.press(t, "Save")
	r.await(t, "the second is saved", r.says("Saved with the graph."))
	r.want(t, "two", "own: capital of {place}", "own: which countries touch {x}")
	r.ui(func() { r.search.SetText("BORDERS touch") })
	r.await(t, "no text has both words", r.says("0 of 2 templates"))
	r.ui(func() { r.search.SetText("touch") })
	r.await(t, "one is found", r.says("1 of 2 templates"))
	r.ui(func() { r.list.Select(0) })
	r.write(t, "which countries touch {x}", neighbours+" LIMIT 3", "The template works.")
	r.press(t, "Undo changes")
	r.await(t, "the change is undone", func() bool { return r.cypher.Text == neighbours })
	r.press(t, "Delete")
	r.await(t, "it is asked", r.says("You wrote “which countries touch {x}”"))
	r.press(t, "Delete")
	r.await(t, "one is left", func() bool { return len(r.kept(t)) == 1 })
	r.await(t, "that is shown", func() bool { return r.asks.Text == "capital of {place}" })
}

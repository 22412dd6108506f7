package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/plan/words"
)

// crewsOpener opens a file of films, which two kinds of people may be said to have made,
// as the sample.
type crewsOpener struct {
	engineOpener
	dir string
}

func (o crewsOpener) Sample(ctx context.Context, _ string, _ connectFunc, ev *engine.Events) (openGraph, error) {
	file, path := filepath.Join(o.dir, "films.txt"), filepath.Join(o.dir, "films.cairn")
	if err := os.WriteFile(file, []byte("Jaws|directed by|Steven Spielberg\nJaws|produced by|Richard Zanuck\nAlien|directed by|Ridley Scott\nAlien|produced by|Walter Hill\n"), 0o600); err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, path, engine.Options{}, ev)
	if err == nil {
		_, err = e.Import(ctx, []string{file}, ingest.Options{}, ev)
	}
	if err != nil {
		return nil, err
	}
	return newEngineGraph(ctx, e, path, "films"), nil
}

// TestChosenReadingIsRemembered chooses a reading by a click, keeps what it teaches, and
// takes that back, under the answer and in the list of meanings.
func TestChosenReadingIsRemembered(t *testing.T) {
	r := realRig(t)
	defer r.close()
	r.window.opener = crewsOpener{dir: t.TempDir()}
	r.ui(r.openSample)
	r.await(t, "the graph is open", func() bool { return r.session != nil && r.session.Ready() })
	ask := func(question string) {
		t.Helper()
		r.ui(func() { r.question.put(question) })
		r.await(t, "the answer is there", func() bool { return r.run != nil && r.run.Question == question && r.asking.cancel == nil })
	}
	shows := func(want string, there bool) {
		t.Helper()
		r.ui(func() {
			if got := texts(r.answer.box); strings.Contains(got, want) != there {
				t.Errorf("the answer has %q: %t, want %t:\n%s", want, !there, there, got)
			}
		})
	}
	press := func(button, then string) {
		t.Helper()
		r.ui(func() { tapButton(t, r.answer.box, button) })
		r.await(t, then, func() bool { return strings.Contains(texts(r.answer.box), then) })
	}
	kept := func(want ...words.Choice) {
		t.Helper()
		if got, err := r.session.Choices(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("kept are %+v, %v; want %+v", got, err, want)
		}
	}
	made := words.Choice{Word: "made", RelationKey: "directed by"}
	const offer = "Remember for this graph: “made” asks for “directed by”"
	ask("Who made Jaws?")
	shows("Remember for this graph", false)
	r.ui(func() {
		for _, o := range test.LaidOutObjects(r.answer.box) {
			if p, ok := o.(*pressable); ok && strings.Contains(texts(p), "other readings") {
				test.Tap(p)
			}
		}
		for _, o := range test.LaidOutObjects(r.answer.box) {
			if p, ok := o.(*pressable); ok && strings.HasPrefix(texts(p), "○ Jaws —directed by→") {
				test.Tap(p)
				return
			}
		}
		t.Errorf("the other reading cannot be pressed:\n%s", texts(r.answer.box))
	})
	r.await(t, "what is learned is offered", func() bool { return r.asking.cancel == nil && strings.Contains(texts(r.answer.box), offer) })
	kept()
	press("Remember", "Remembered")
	kept(made)
	press("Undo", offer)
	kept()
	press("Remember", "Remembered")
	ask("Who made Alien?")
	shows("Ridley Scott", true)
	shows("Remember", false)

	r.ui(r.showMapping)
	r.await(t, "the meanings are shown", func() bool { return r.win.Canvas().Overlays().Top() != nil })
	r.ui(func() {
		top := r.win.Canvas().Overlays().Top()
		if got := labels(top); !strings.Contains(got, "“made” asks for “directed by”") {
			t.Errorf("the meanings lack the choice:\n%s", got)
		}
		tapButton(t, top, "Undo")
	})
	r.await(t, "it is taken back", func() bool {
		return strings.Contains(labels(r.win.Canvas().Overlays().Top()), "Undone: “made”")
	})
	kept()
}

// TestChoiceThatCannotBeKept says so, and can be tried again.
func TestChoiceThatCannotBeKept(t *testing.T) {
	r := realRig(t)
	defer r.close()
	r.window.opener = readingOpener{} // in memory
	r.ui(r.openSample)
	r.await(t, "the graph is open", func() bool { return r.session != nil && r.session.Ready() })
	l := newLesson()
	r.ui(func() {
		r.offerToLearn(l, words.Choice{Word: "made", RelationKey: "directed by"}, "Remember?")
		test.Tap(l.button)
	})
	r.await(t, "it is said why", func() bool {
		top := r.win.Canvas().Overlays().Top()
		return top != nil && strings.Contains(labels(top), "only in memory")
	})
	r.ui(func() {
		if l.button.Text != "Remember" || l.button.Disabled() {
			t.Errorf("the button says %q, disabled %t", l.button.Text, l.button.Disabled())
		}
	})
}

package app

import (
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/retrieve"
)

// This file is about who looks for the evidence: one of the methods, which are known
// here by their descriptions alone.

// method returns the method with an ID, or else the default one.
func (w *window) method(id string) retrieve.Info {
	i := slices.IndexFunc(w.methods, func(m retrieve.Info) bool { return m.ID == id })
	return w.methods[max(i, 0)]
}

// following returns the method that stands after another one in the list.
func (w *window) following(id string) retrieve.Info {
	i := slices.IndexFunc(w.methods, func(m retrieve.Info) bool { return m.ID == id })
	return w.methods[(max(i, 0)+1)%len(w.methods)]
}

// other returns the method to compare a run with: that which says otherwise, or else the
// next one after the run's that can be asked.
func (w *window) other(run *engine.Run) retrieve.Info {
	if run.Rival != "" {
		return w.method(run.Rival)
	}
	id := run.Method.ID
	next := w.following(id)
	for next.ID != id && (next.ID == engine.Auto || !w.ready(next)) {
		next = w.following(next.ID)
	}
	return next
}

// same is the choice that a run came of: the automatic one, where that stands and the run
// is of the method that it begins with.
func (w *window) same(run *engine.Run) string {
	m := w.method(run.Method.ID)
	if w.retriever().ID == engine.Auto && m.ID == w.following(engine.Auto).ID {
		return engine.Auto
	}
	return m.ID
}

// retriever is the one that questions to the open graph go to.
func (w *window) retriever() retrieve.Info {
	if w.session == nil {
		return w.method("")
	}
	return w.method(w.prefs.retriever(w.path()))
}

// chooseRetriever makes questions to the open graph go to a method, also after a
// restart.
func (w *window) chooseRetriever(m retrieve.Info) {
	if w.session == nil {
		return
	}
	id := m.ID
	if id == w.method("").ID {
		id = ""
	}
	w.prefs.setRetriever(w.path(), id)
	w.question.setRetriever(m)
	if !w.ready(m) {
		w.status.say(untrainedText + ". Ctrl+Shift+R trains one.")
		return
	}
	w.status.say("Questions to this graph are answered by " + m.Who + ".")
}

// ready reports whether a method can be asked: one that is trained needs a training.
func (w *window) ready(m retrieve.Info) bool { return !m.Trained || w.trainings.usable(m.ID) }

// switchRetriever chooses the next one.
func (w *window) switchRetriever() { w.chooseRetriever(w.following(w.retriever().ID)) }

// retrieverMenu offers the methods, and what can be done about them.
func (w *window) retrieverMenu() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, m := range w.methods {
		about := ""
		if m.Trained {
			about = ": not trained yet"
			if t, ok := present.InUse(w.trainings.known, m.ID); ok {
				about = ": " + present.Shorten(present.TrainedName(t), 40)
			}
		}
		it := fyne.NewMenuItem(m.Title+about, func() { w.chooseRetriever(m) })
		it.Checked = w.retriever().ID == m.ID
		items = append(items, it)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	if w.run != nil && len(w.methods) > 1 {
		items = append(items, fyne.NewMenuItem(askBy(w.other(w.run)), w.askOther), fyne.NewMenuItem("Compare all retrievers …", w.showCompare))
	}
	return append(items, fyne.NewMenuItem("Train a retriever …", func() { w.showTrain() }))
}

// askOther asks the question on view of the next method, to compare.
func (w *window) askOther() {
	if w.run == nil {
		w.status.say("Ask a question first; this then asks the next retriever.")
		return
	}
	w.ask(w.run.Question, engine.AskOptions{Retriever: w.other(w.run).ID})
}

// askBy offers to ask the question on view of a method.
func askBy(m retrieve.Info) string { return "Ask the same question with " + m.Who }

// comparison is what an answer says of another retriever, and of the whole graph.
type comparison struct {
	whatIf []string // what changed since triples were left out; nil for the whole graph
	said   string   // how its answer to the same question compares; empty where there is none
	offer  string   // to ask it; empty where it cannot be asked
}

// compare says how the answer on view goes with that of another retriever.
func (w *window) compare(run *engine.Run) comparison {
	c := comparison{said: present.Compared(w.before, run)}
	if len(run.Without) > 0 && w.whole != nil {
		c.whatIf = present.WhatIfOf(w.session.Graph(), w.whole, run).Lines()
	}
	if next := w.other(run); next.ID != run.Method.ID {
		c.offer = askBy(next)
	}
	return c
}

// untrainedText says that a method has nothing to answer with.
const untrainedText = "This retriever is not trained on this graph yet"

// untrained explains, where a question went to a method that is trained, why there is
// nothing to answer it, and reports whether that was it.
func (w *window) untrained(err error) bool {
	train := primary(newButton("Train a retriever …", func() { w.showTrain() }))
	question := w.asking.question
	instead := newButton("Ask with "+w.method("").Who+" instead", func() { w.ask(question, engine.AskOptions{}) })
	switch {
	case errors.Is(err, engine.ErrUntrained):
		w.steps.halt(present.Stopped)
		w.answer.showActions(untrainedText,
			"Another retriever can answer right away. This one must be trained first: it learns from example questions how to find answers in this graph. Cairn can generate the questions from the graph. Everything runs on this computer, usually within seconds or a few minutes.",
			train, instead)
		w.status.say(untrainedText + ".")
		w.win.Canvas().Focus(train)
	case errors.Is(err, retrieve.ErrModel):
		sentence, remedy := w.explain("ask "+w.retriever().Who, err)
		w.steps.halt(present.Failed)
		w.answer.showError("The trained retriever cannot be used", sentence, remedy, train, instead)
		w.status.say(sentence)
	default:
		return false
	}
	return true
}

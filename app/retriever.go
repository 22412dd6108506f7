package app

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/gnnrag"
)

// This file is about who looks for the evidence: pattern matching, or a network that
// was trained on the graph.

// retriever is the one that questions to the open graph go to.
func (w *window) retriever() engine.Retriever {
	if w.session != nil && w.prefs.byNetwork(w.path()) {
		return engine.ByGNN
	}
	return engine.ByPattern
}

// chooseRetriever makes questions to the open graph go to r, also after a restart.
func (w *window) chooseRetriever(r engine.Retriever) {
	if w.session == nil {
		return
	}
	w.prefs.setByNetwork(w.path(), r == engine.ByGNN)
	w.question.setRetriever(r)
	switch {
	case r == engine.ByPattern:
		w.status.say("Questions to this graph are answered by pattern matching.")
	case w.networks.usable():
		w.status.say("Questions to this graph go to the network that was trained on it.")
	default:
		w.status.say("No network is trained on this graph yet. Ctrl+Shift+R trains one.")
	}
}

// switchRetriever chooses the other one.
func (w *window) switchRetriever() { w.chooseRetriever(present.OtherRetriever(w.retriever())) }

// retrieverMenu offers the retrievers, and what can be done about them.
func (w *window) retrieverMenu() []*fyne.MenuItem {
	item := func(r engine.Retriever, about string) *fyne.MenuItem {
		it := fyne.NewMenuItem(present.RetrieverChoice(r)+about, func() { w.chooseRetriever(r) })
		it.Checked = w.retriever() == r
		return it
	}
	about := ": none is trained yet"
	if m, ok := present.InUse(w.networks.known); ok {
		about = ": " + present.Shorten(present.TrainedName(m), 40)
	}
	items := []*fyne.MenuItem{item(engine.ByPattern, ""), item(engine.ByGNN, about), fyne.NewMenuItemSeparator()}
	if w.run != nil {
		items = append(items, fyne.NewMenuItem(askOther(w.run), w.askOther))
	}
	return append(items, fyne.NewMenuItem("Train a retriever …", func() { w.showTrain() }))
}

// askOther asks the question on view of the other retriever, to compare.
func (w *window) askOther() {
	if w.run == nil {
		w.status.say("Ask a question first; this then asks it of the other retriever.")
		return
	}
	w.ask(w.run.Question, engine.AskOptions{Retriever: present.OtherRetriever(w.run.Retriever)})
}

// askOther says what askOther does.
func askOther(run *engine.Run) string {
	if run.Retriever == engine.ByGNN {
		return "Ask the same by pattern matching"
	}
	return "Ask the trained network the same"
}

// comparison is what an answer says of the other retriever.
type comparison struct {
	said  string // how its answer to the same question compares; empty where there is none
	offer string // to ask it; empty where it cannot be asked
}

// compare says how the answer on view goes with that of the other retriever.
func (w *window) compare(run *engine.Run) comparison {
	c := comparison{said: present.Compared(w.before, run)}
	if run.Retriever == engine.ByGNN || w.networks.usable() {
		c.offer = askOther(run)
	}
	return c
}

// untrained explains, where a question went to a network, why there is none to
// answer it, and reports whether that was it.
func (w *window) untrained(err error) bool {
	train := widget.NewButton("Train a retriever …", func() { w.showTrain() })
	train.Importance = widget.HighImportance
	question := w.question.text()
	pattern := widget.NewButton("Ask by pattern matching instead", func() { w.ask(question, engine.AskOptions{}) })
	switch {
	case errors.Is(err, engine.ErrUntrained):
		w.steps.halt(present.Stopped)
		w.answer.showActions("No network is trained on this graph yet",
			"Pattern matching answers right away. A network has to be trained first: it learns from example questions how their words lead to answers in this graph. Cairn can make the questions out of the graph, and the quick network takes seconds; all of it happens on this computer.",
			train, pattern)
		w.status.say("No network is trained on this graph yet.")
		w.win.Canvas().Focus(train)
	case errors.Is(err, gnnrag.ErrModel):
		sentence, remedy := w.explain("ask a trained network", err)
		w.steps.halt(present.Failed)
		w.answer.showError("The trained network cannot be used", sentence, remedy, train, pattern)
		w.status.say(sentence)
	default:
		return false
	}
	return true
}

package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan"
)

// keepTriple puts a triple of the evidence back, or leaves it out of the graph, and asks
// the question on view again so.
func (w *window) keepTriple(t kg.TripleID, keep bool) {
	run := w.run
	if run == nil {
		return
	}
	without := slices.DeleteFunc(slices.Clone(run.Without), func(x kg.TripleID) bool { return x == t })
	if !keep {
		without = append(without, t)
	}
	if len(without) == 0 {
		w.putBack()
		return
	}
	if len(run.Without) == 0 {
		w.whole = run
	}
	whole := w.whole
	w.ask(whole.Question, engine.AskOptions{
		Retriever: w.same(whole), Reading: max(whole.Reading, 0), Without: without,
		// Without a choice it is the first one, or none where nothing fits.
		Chosen: whole.Reading > 0 || whole.Reading == 0 && whole.Plan.Doubt == plan.NoRelation,
	})
}

// putBack shows the answer on the whole graph again.
func (w *window) putBack() {
	whole := w.whole
	if whole == nil { // an answer of the history
		w.ask(w.run.Question, engine.AskOptions{Retriever: w.same(w.run)})
		return
	}
	w.asking.drop()
	w.before, w.whole = nil, nil
	w.showFinished(whole)
	w.showEvidence(whole, noEvidence)
	w.status.say(present.StatusLine(whole))
}

// whatIf says above an answer that triples were left out for it, and what that changed.
func (p *answerPane) whatIf(run *engine.Run, lines []string) fyne.CanvasObject {
	back := newButton(present.PutBack(run), p.do.putBack)
	objects := []fyne.CanvasObject{container.NewBorder(nil, nil, nil, back, warning(bold(present.WhatIfTitle(run))))}
	for _, l := range lines {
		objects = append(objects, wrapped(caption(l)))
	}
	return newQuote(container.New(stacked, objects...))
}

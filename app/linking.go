package app

import (
	"context"
	"fmt"
	"strings"

	"cairn/app/present"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// This file links the three panes: what is chosen in one shows in the others.

var noCandidate evidence.Candidate

// cite follows a citation: its edge lights up and its row is selected.
func (w *window) cite(number int) {
	if w.run == nil || w.run.Answer == nil {
		return
	}
	triples := w.run.Answer.Pack.Triples
	if number < 1 || number > len(triples) {
		return
	}
	w.tabs.choose(0)
	w.reveal(triples[number-1])
}

// light lights a citation's edge for as long as the pointer is on it.
func (w *window) light(number int, on bool) {
	if w.run == nil || !on {
		return
	}
	w.figure.figure.Highlight(present.CitedEdgeIDs(w.run, []int{number}))
}

// showAnswer shows how one entity was found: its match in the table, its edges
// in the picture.
func (w *window) showAnswer(e kg.EntityID) {
	if w.run == nil {
		return
	}
	c, ok := present.CandidateOf(w.run, e)
	if !ok {
		return
	}
	if !present.Ranked(w.run) { // a network's paths are all on view
		w.match.show(w.session.Graph(), w.run, c, true)
	}
	w.figure.figure.Highlight(present.EdgeIDs(c))
	if ts := c.Triples(); len(ts) > 0 {
		w.evidence.selectTriple(c.Edges[firstBound(c)])
		w.inspect(c.Edges[firstBound(c)])
	}
	if line := present.ProbabilityLine(w.run, e); line != "" {
		w.status.say(w.session.Graph().Label(e) + ": " + line)
		return
	}
	w.status.say(fmt.Sprintf("%s: distance %s (0 is exact, lower is closer)", w.session.Graph().Label(e), present.Distance(c.Distance)))
}

// firstBound is the first pattern edge of c that has a triple.
func firstBound(c evidence.Candidate) int {
	for i, t := range c.Edges {
		if t != kg.NoTriple {
			return i
		}
	}
	return 0
}

// reveal shows one triple everywhere.
func (w *window) reveal(t kg.TripleID) {
	w.figure.figure.Highlight([]string{present.EdgeID(t)})
	w.evidence.selectTriple(t)
	w.inspect(t)
}

// selectRow follows a row that the user chose.
func (w *window) selectRow(row int) {
	t := w.evidence.rows[row].Triple
	w.figure.figure.Highlight([]string{present.EdgeID(t)})
	w.inspect(t)
}

// selectEdge follows an edge that the user chose in the picture.
func (w *window) selectEdge(id string) {
	if t, ok := present.TripleOf(id); ok {
		w.tabs.choose(0)
		w.evidence.selectTriple(t)
		w.inspect(t)
	}
}

// selectNode says what a node of the picture is.
func (w *window) selectNode(id string) {
	if w.session == nil {
		return
	}
	if id == present.MoreNodeID {
		w.status.say("The answers that are not drawn are in the list on the left.")
		return
	}
	e, ok := present.EntityOf(id)
	if !ok {
		return
	}
	line := entityLine(w.session.Graph(), e)
	if p := present.ProbabilityLine(w.run, e); p != "" {
		line += " · " + p
	}
	w.status.say(line)
}

// showPath lights one path of a network.
func (w *window) showPath(p present.PathRow) {
	w.figure.figure.Highlight(p.Edges)
	if len(p.Edges) == 0 {
		return
	}
	if t, ok := present.TripleOf(p.Edges[0]); ok {
		w.evidence.selectTriple(t)
		w.inspect(t)
	}
	w.status.say(p.Text)
}

// entityLine describes an entity in one line.
func entityLine(g *kg.Graph, e kg.EntityID) string {
	said := []string{present.OneLine(g.Label(e))}
	var types []string
	for _, t := range g.Types(e) {
		types = append(types, present.OneLine(g.TypeLabel(t)))
	}
	if len(types) > 0 {
		said = append(said, present.List(types[:min(len(types), 3)]))
	}
	if as := g.Aliases(e); len(as) > 0 {
		said = append(said, "also "+present.List(as[:min(len(as), 3)]))
	}
	if key := g.Key(e); key != g.Label(e) {
		said = append(said, present.Shorten(present.OneLine(key), 60))
	}
	return strings.Join(append(said, present.Plural(g.Degree(e), "triple", "triples")+" in this graph"), " · ")
}

// inspect shows where a triple comes from, with the very line of its file.
func (w *window) inspect(t kg.TripleID) {
	if w.session == nil {
		return
	}
	run := w.run
	text := present.TripleText(w.session.Graph(), t)
	w.status.say(text)
	w.use(func(ctx context.Context, g openGraph, post func(func())) {
		sources, err := g.Source(ctx, t)
		if ctx.Err() != nil {
			return
		}
		where, line := sourceWords(ctx, sources, err)
		if where == "" {
			where, line = "Source not recorded", text
		}
		post(func() {
			if w.run == run {
				w.evidence.inspect(where, line)
			}
		})
	})
}

// sourceWords says where a triple comes from and quotes the line.
func sourceWords(ctx context.Context, sources []present.Source, err error) (where, line string) {
	if err != nil {
		sentence, remedy := present.Explain(err)
		return "The source cannot be read", strings.TrimSpace(sentence + " " + remedy)
	}
	if len(sources) == 0 {
		return "", ""
	}
	s := sources[0]
	if s.Model != "" {
		// What the model quoted is what to check, whether or not the file is there.
		return present.Sentence(present.ExtractionPlace(s)), present.ExtractionQuote(s)
	}
	where = present.SourceText(s)
	if s.Line > 0 {
		where = fmt.Sprintf("%s, line %s", strings.TrimSuffix(where, fmt.Sprintf(":%d", s.Line)), present.Count(s.Line))
	}
	if n := len(sources) - 1; n > 0 {
		where += " and " + present.Plural(n, "other source", "other sources")
	}
	if s.File == "" || s.Line < 1 {
		return where, ""
	}
	quote, err := readLine(ctx, s.File, s.Line)
	if err != nil {
		return where, "The file is not at " + s.File + " any more; the line cannot be shown."
	}
	return where, quote
}

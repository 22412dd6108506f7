package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/app/present"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/report"
	"cairn/internal/wording"
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
	w.reveal(triples[number-1])
}

// highlight lights edges of the picture until others are.
func (w *window) highlight(edges []string) {
	w.lit = edges
	w.figure.figure.Highlight(edges)
}

// light lights a citation's edge for as long as the pointer is on it, and then again
// what was lit before.
func (w *window) light(number int, on bool) {
	if w.run == nil {
		return
	}
	edges := w.lit
	if on {
		edges = present.CitedEdgeIDs(w.run, []int{number})
	}
	w.figure.figure.Highlight(edges)
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
	if !w.run.Method.Seeded { // a network's paths are all on view
		w.match.show(w.session.Graph(), w.run, c, true)
	}
	w.highlight(present.EdgeIDs(c))
	if i := slices.IndexFunc(c.Edges, func(t kg.TripleID) bool { return t != kg.NoTriple }); i >= 0 {
		w.list(c.Edges[i])
	}
	if line := present.ScoreLine(w.run, e); line != "" {
		w.status.say(w.session.Graph().Label(e) + ": " + line)
		return
	}
	if w.run.Method.Seeded {
		w.status.say(w.session.Graph().Label(e))
		return
	}
	w.status.say(fmt.Sprintf("%s: distance %s (0 is exact, lower is closer)", w.session.Graph().Label(e), present.Distance(c.Distance)))
}

// list shows one triple in the list, with its source.
func (w *window) list(t kg.TripleID) {
	w.evidence.selectTriple(t)
	w.inspect(t)
}

// reveal shows one triple everywhere.
func (w *window) reveal(t kg.TripleID) {
	w.highlight([]string{present.EdgeID(t)})
	w.tabs.choose(0)
	w.list(t)
}

// selectRow follows a row that the user chose.
func (w *window) selectRow(row int) {
	t := w.evidence.rows[row].ID
	w.highlight([]string{present.EdgeID(t)})
	w.inspect(t)
}

// selectEdge follows an edge that the user chose in the picture, which lights it.
func (w *window) selectEdge(id string) {
	w.lit = []string{id}
	t, ok := present.TripleOf(id)
	if !ok {
		w.evidence.unselect()
		return
	}
	w.tabs.choose(0)
	w.list(t)
}

// chooseNothing takes the choice of a triple off, in the list and in the picture.
func (w *window) chooseNothing() {
	w.highlight(nil)
	w.evidence.unselect()
}

// selectNode says what a node of the picture is.
func (w *window) selectNode(id string) {
	if w.session == nil {
		return
	}
	if id == "" {
		w.chooseNothing()
		return
	}
	if id == present.MoreNodeID {
		w.showRest()
		return
	}
	e, ok := present.EntityOf(id)
	if !ok {
		return
	}
	line := entityLine(w.session.Graph(), e)
	if p := present.ScoreLine(w.run, e); p != "" {
		line += " · " + p
	}
	w.status.say(line)
}

// showRest goes to the first triple in the list that the picture leaves out.
func (w *window) showRest() {
	drawn := map[string]bool{}
	for _, e := range w.figure.model.Edges {
		drawn[e.ID] = true
	}
	for _, row := range w.evidence.rows {
		if !drawn[present.EdgeID(row.ID)] {
			w.reveal(row.ID)
			break
		}
	}
	w.status.say("The rest is listed here; the picture leaves it out.")
}

// showPath lights one path of a network.
func (w *window) showPath(p report.Path) {
	w.highlight(p.Edges)
	if len(p.Edges) == 0 {
		return
	}
	if t, ok := present.TripleOf(p.Edges[0]); ok {
		w.list(t)
	}
	w.status.say(p.Text)
}

func entityLine(g *kg.Graph, e kg.EntityID) string {
	said := []string{present.OneLine(g.Label(e))}
	types := wording.Each(g.Types(e), func(t kg.TypeID) string { return present.OneLine(g.TypeLabel(t)) })
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
		sources, err := g.Sources(ctx, []kg.TripleID{t})
		if ctx.Err() != nil {
			return
		}
		where, line := sourceWords(ctx, sources[t], err)
		if said := present.StatementsText(g.Graph(), t); said != "" {
			where = present.Sentence(said) + " " + where
		}
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
func sourceWords(ctx context.Context, sources []kg.Provenance, err error) (where, line string) {
	if err != nil {
		sentence, remedy := present.Explain(err)
		return "The source cannot be read", strings.TrimSpace(sentence + " " + remedy)
	}
	if len(sources) == 0 {
		return "", ""
	}
	s := sources[0]
	if x := s.Extraction; x != nil {
		// What the model quoted is what to check, whether or not the file is there.
		return present.Sentence(present.ExtractionPlace(s)), present.ExtractionQuote(x)
	}
	where = present.SourceText(s)
	if s.Line > 0 {
		where = strings.Replace(where, fmt.Sprintf(":%d", s.Line), ", line "+present.Count(s.Line), 1)
	}
	if n := len(sources) - 1; n > 0 {
		where += " and " + present.Plural(n, "other source", "other sources")
	}
	if s.File == "" || s.Line < 1 {
		return where, ""
	}
	quote, err := readLine(ctx, s.File, s.Line)
	if err != nil {
		return where, "The file is no longer at " + s.File + "; the line cannot be shown."
	}
	return where, quote
}

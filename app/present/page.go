package present

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
	"cairn/internal/wording"
)

// Page puts a run of e into the words of a report: the HTML page, and what the commands
// print. version is Cairn's.
func Page(ctx context.Context, e *engine.Engine, run *engine.Run, version string) (report.Report, error) {
	g := e.Graph()
	info, err := e.Info(ctx)
	if err != nil {
		return report.Report{}, err
	}
	r := report.Report{
		Question: Shorten(OneLine(run.Question), maxPageQuestion),
		When:     run.Started,
		App:      "Cairn " + version,
		Graph: report.Graph{
			Name: info.Name, Path: info.Path, Entities: info.Entities, Relations: info.Relations, Triples: info.Triples,
		},
		Basis: Basis(run),
		Doubt: Doubt(run),
	}
	for _, src := range info.Sources {
		how := "imported"
		if src.Model != "" {
			how = src.Mapping + ", added"
		}
		r.Graph.Sources = append(r.Graph.Sources, fmt.Sprintf("%s (%s, %s %s)", src.Name, Plural(src.Added, "triple", "triples"), how, src.Imported.UTC().Format(time.DateOnly)))
	}
	r.WhatIf = WhatIfLines(g, run)
	r.Headline, _ = headline(run)
	r.Standing = StandingOf(run).String()
	for _, a := range AnswerRows(g, run) {
		label := a.Label
		if a.Detail != "" && a.Detail != label {
			label += " (" + a.Detail + ")"
		}
		r.Answers = append(r.Answers, label)
	}
	if bars := Bars(run.Answer); len(bars) > 1 && len(bars) == len(r.Answers) {
		r.Bars = bars
	}
	r.Timeline = Timeline(g, run)
	r.Excluded = Excluded(g, run)
	r.Cards = Cards(g, run)
	r.Sentences = Sentences(run.Answer)
	r.Checked = CheckSummary(r.Sentences)
	r.Makers = MakerLines(run)
	if asked := AskedLine(run); asked != "" {
		r.Makers = append(r.Makers, asked)
	}
	r.Prompts = PromptRows(run)
	if run.Answer != nil && run.Answer.Refusal != nil {
		if len(r.Sentences) == 0 {
			r.Missing = append(r.Missing, Sentence(run.Answer.Refusal.Reason))
		}
		r.Missing = append(r.Missing, wording.Each(run.Answer.Refusal.Missing, MissingText)...)
	}
	if p := run.Pattern(); p != nil {
		r.Reading = pattern.Format(p)
		if c, ok := BestCandidate(run); ok && run.Matched() != nil {
			rows, total := PatternTable(g, p, c)
			if r.NoMatch = NoMatch(run, rows); r.NoMatch == "" {
				r.Distance = total
			}
			r.Pattern = rows
		}
	}
	r.Network = Network(g, run)
	if r.Evidence, err = evidenceRows(ctx, e, run); err != nil {
		return r, err
	}
	if err := addFigure(&r, CanvasModel(g, run)); err != nil {
		return r, err
	}
	r.Method = method(g, run)
	for _, st := range run.Stages {
		r.Steps = append(r.Steps, report.Fact{Name: st.Stage.String(), Value: Elapsed(st.Duration) + ", " + Ended(g, run, st).Summary})
	}
	return r, nil
}

// maxPageQuestion is how many characters of a question are repeated.
const maxPageQuestion = engine.MaxQuestion / 4

// evidenceRows lists the triples that an answer may cite, each with where it
// comes from.
func evidenceRows(ctx context.Context, e *engine.Engine, run *engine.Run) ([]report.Triple, error) {
	g := e.Graph()
	rows := EvidenceRows(g, run)
	ids := wording.Each(rows, func(row EvidenceRow) kg.TripleID { return row.ID })
	sources, err := e.Sources(ctx, ids)
	if err != nil {
		return nil, err
	}
	ts := make([]report.Triple, 0, len(rows))
	for _, row := range rows {
		t := row.Triple
		t.Sources = sourcesOf(sources[row.ID], SourceText)
		if row.Said != "" {
			t.Places = sourcesOf(sources[row.ID], func(p kg.Provenance) string { return PlaceText(g, p) })
		}
		for said := range g.Statements(row.ID) {
			t.Statements = append(t.Statements, statement(g, said))
		}
		for _, p := range sources[row.ID] {
			if x := p.Extraction; x != nil {
				t.Extractions = append(t.Extractions, report.Extraction{
					Text: ExtractionPlace(p) + ": " + ExtractionQuote(x), Document: p.File, Line: p.Line,
					Model: x.Model, Digest: x.Digest, Start: x.Start, End: x.End, Quote: x.Quote,
				})
			}
		}
		ts = append(ts, t)
	}
	return ts, nil
}

// Excluded lists what is no answer because of what triples say, each with the first.
func Excluded(g *kg.Graph, run *engine.Run) (x report.Excluded) {
	if run.ExcludedCount == 0 { // what is there speaks against a claim
		return x
	}
	for _, e := range run.Excluded {
		left := report.Left{Name: OneLine(g.Label(e.Entity))}
		for _, t := range e.Triples[:min(len(e.Triples), 1)] {
			left.Why = TripleText(g, t)
		}
		x.Things = append(x.Things, left)
	}
	x.More = run.ExcludedCount - len(x.Things)
	return x
}

// addFigure draws the evidence for light and dark pages.
func addFigure(r *report.Report, m canvas.Model) error {
	if len(m.Nodes) == 0 {
		return nil
	}
	picture, err := canvas.NewPicture(m)
	if err != nil {
		return fmt.Errorf("draw the evidence: %w", err)
	}
	var light, dark bytes.Buffer
	if err := errors.Join(picture.WriteSVG(&light, canvas.LightPalette()), picture.WriteSVG(&dark, canvas.DarkPalette())); err != nil {
		return fmt.Errorf("draw the evidence: %w", err)
	}
	r.Figure, r.FigureDark = light.Bytes(), dark.Bytes()
	r.FigureAlt = figureText(m)
	return nil
}

// figureText says a picture in words, for those who do not see it.
func figureText(m canvas.Model) string {
	const most = 8 // edges that are said one by one
	if len(m.Edges) == 0 {
		return fmt.Sprintf("A graph of %s.", Plural(len(m.Nodes), "node", "nodes"))
	}
	said := make([]string, 0, most)
	for _, e := range m.Edges[:min(most, len(m.Edges))] {
		said = append(said, fmt.Sprintf("%s %s %s", m.Nodes[e.From].Label, e.Label, m.Nodes[e.To].Label))
	}
	text := fmt.Sprintf("A graph of %s and %s: %s", Plural(len(m.Nodes), "node", "nodes"), Plural(len(m.Edges), "edge", "edges"), strings.Join(said, "; "))
	if left := len(m.Edges) - most; left > 0 {
		text += fmt.Sprintf("; and %d more", left)
	}
	return OneLine(text) + "."
}

// method lists how the answer came about.
func method(g *kg.Graph, run *engine.Run) []report.Fact {
	var facts []report.Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	if run.Plan != nil {
		add("Planner", run.Plan.Planner)
		if n := len(run.Plan.Readings); run.Method.Reads {
			for _, r := range Readings(g, run) {
				add(r.standing(), r.Line())
			}
		} else if n > 1 && run.Reading >= 0 {
			add("Reading", fmt.Sprintf("%d of %d", run.Reading+1, n))
		}
	}
	add("Retriever", retrieverName(run)+": "+run.Method.Help)
	for _, said := range Chosen(run) {
		add("Also asked", said)
	}
	looked := fmt.Sprintf("%s explored, %s pruned", Plural(run.Stats.Considered, "partial match", "partial matches"), Count(run.Stats.Pruned))
	if run.Method.Seeded {
		looked = fmt.Sprintf("%s scored, %s selected", Plural(run.Stats.Considered, "entity", "entities"), Count(run.Stats.Found))
	}
	add("Search", CompleteWords(run.Completeness)+"; "+looked)
	return append(facts, howWorded(run))
}

func howWorded(run *engine.Run) report.Fact {
	words := "no model; from " + supports(run) + " alone"
	for _, m := range Makers(run) {
		if m.Part == "Written by" {
			words = m.Who + ", with each sentence compared to the triples it cites"
		}
	}
	return report.Fact{Name: "Written by", Value: words}
}

// statement lists what a statement says beside its triple.
func statement(g *kg.Graph, properties []kg.Property) []report.Property {
	var list []report.Property
	for _, p := range properties {
		x := report.Property{Name: OneLine(g.PropertyText(p.Name)), Value: OneLine(g.PropertyValue(p)), Key: p.Name, Datatype: p.Datatype}
		if p.Entity != kg.NoEntity {
			x.Entity = g.Key(p.Entity)
		}
		list = append(list, x)
	}
	return list
}

package present

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
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
		r.Graph.Sources = append(r.Graph.Sources, fmt.Sprintf("%s (%s, %s %s)", src.Name, Plural(src.Added, "triple", "triples"), howAdded(src), src.Imported.UTC().Format(time.DateOnly)))
	}
	r.Headline, _ = Headline(run)
	r.Standing = StandingOf(run).String()
	for _, a := range AnswerRows(g, run) {
		label := a.Label
		if a.Detail != "" && a.Detail != label {
			label += " (" + a.Detail + ")"
		}
		r.Answers = append(r.Answers, label)
	}
	r.Sentences = Sentences(run.Answer)
	r.Checked = CheckSummary(r.Sentences)
	r.Makers = MakerLines(run)
	if asked := AskedLine(run); asked != "" {
		r.Makers = append(r.Makers, asked)
	}
	for _, x := range PromptRows(run) {
		p := report.Prompt{Title: x.Title, Facts: x.Facts}
		for _, v := range x.Views {
			p.Texts = append(p.Texts, report.Text{Name: v.Title, Note: v.Note, Text: Printable(v.Text)})
		}
		r.Prompts = append(r.Prompts, p)
	}
	if run.Answer != nil && run.Answer.Refusal != nil {
		if len(r.Sentences) == 0 {
			r.Missing = append(r.Missing, Sentence(run.Answer.Refusal.Reason))
		}
		for _, m := range run.Answer.Refusal.Missing {
			r.Missing = append(r.Missing, MissingText(m))
		}
	}
	if p := run.Pattern(); p != nil {
		r.Reading = pattern.Format(p)
		if c, ok := BestCandidate(run); ok {
			rows, total := PatternTable(g, p, c)
			if r.NoMatch = NoMatch(run, rows); r.NoMatch == "" {
				r.Distance = total
			}
			r.Pattern = rows
		}
	}
	if run.Method.Seeded {
		r.Network = network(g, run)
	}
	if r.Evidence, err = evidenceRows(ctx, e, run); err != nil {
		return r, err
	}
	if err := addFigure(&r, CanvasModel(g, run)); err != nil {
		return r, err
	}
	r.Method = method(run)
	for _, st := range run.Stages {
		r.Steps = append(r.Steps, report.Fact{Name: st.Stage.String(), Value: Elapsed(st.Duration) + ", " + Ended(g, run, st).Summary})
	}
	return r, nil
}

// network is what a trained network found.
func network(g *kg.Graph, run *engine.Run) report.Network {
	best, _ := run.Best()
	n := report.Network{Lines: NetworkReading(g, run), Notes: Notes(run), Score: scaleName(best.Scale), Scale: ScaleWords(best.Scale)}
	groups, more := PathGroups(g, run)
	for _, group := range groups {
		a := report.Ranked{Name: group.Answer, Score: ScoreText(group.Score)}
		for _, p := range group.Paths {
			a.Paths = append(a.Paths, report.Path{Text: p.Text, Citations: p.Tags, Source: p.Source})
		}
		if group.More > 0 {
			a.More = "and " + Plural(group.More, "more path", "more paths")
		}
		n.Answers = append(n.Answers, a)
	}
	if more > 0 {
		n.More = "and " + Plural(more, "more answer", "more answers")
	}
	return n
}

// maxPageQuestion is how many characters of a question are repeated.
const maxPageQuestion = engine.MaxQuestion / 4

// evidenceRows lists the triples that an answer may cite, each with where it
// comes from.
func evidenceRows(ctx context.Context, e *engine.Engine, run *engine.Run) ([]report.Triple, error) {
	rows := EvidenceRows(e.Graph(), run)
	ids := make([]kg.TripleID, len(rows))
	for i, row := range rows {
		ids[i] = row.Triple
	}
	sources, err := e.Sources(ctx, ids)
	if err != nil {
		return nil, err
	}
	ts := make([]report.Triple, 0, len(rows))
	for _, row := range rows {
		t := report.Triple{Number: row.Number, Head: row.Head, Relation: row.Relation, Tail: row.Tail, Sources: []string{}, Extracted: row.Extracted}
		for _, p := range sources[row.Triple] {
			// A file that was imported again after a change is two sources of one name.
			if text := SourceText(p); !slices.Contains(t.Sources, text) {
				t.Sources = append(t.Sources, text)
			}
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

// howAdded says how a source came into its graph, before the day.
func howAdded(s kg.Source) string {
	if s.Model != "" {
		return s.Mapping + ", added"
	}
	return "imported"
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
func method(run *engine.Run) []report.Fact {
	var facts []report.Fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	if run.Plan != nil {
		add("Planner", run.Plan.Planner)
		if n := len(run.Plan.Readings); n > 1 && run.Reading >= 0 {
			add("Reading", fmt.Sprintf("%d of %d", run.Reading+1, n))
		}
	}
	add("Retriever", RetrieverName(run)+": "+run.Method.Help)
	looked := fmt.Sprintf("%s considered, %s pruned", Plural(run.Stats.Considered, "partial match", "partial matches"), Count(run.Stats.Pruned))
	if run.Method.Seeded {
		looked = fmt.Sprintf("%s weighed, %s selected", Plural(run.Stats.Considered, "entity", "entities"), Count(run.Stats.Found))
	}
	add("Search", CompleteWords(run.Completeness)+"; "+looked)
	return append(facts, howWorded(run))
}

// howWorded says who worded the answer.
func howWorded(run *engine.Run) report.Fact {
	words := "no model; from " + supports(run) + " alone"
	for _, m := range Makers(run) {
		if m.Part == "Worded by" {
			words = m.Who + ", each sentence compared with the triples that it cites"
		}
	}
	return report.Fact{Name: "Worded by", Value: words}
}

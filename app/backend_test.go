package app

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/ingest"
)

func TestEngineGraphAnswersWithSources(t *testing.T) {
	if testing.Short() {
		t.Skip("opens the sample graph")
	}
	o := engineOpener{log: slog.New(slog.DiscardHandler)}
	g, err := o.Sample(t.Context(), t.TempDir(), nil, &engine.Events{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Name() != sampleName {
		t.Errorf("Name() = %q, want %q", g.Name(), sampleName)
	}
	if len(g.Examples()) < 12 {
		t.Errorf("Examples() has %d questions, want a dozen", len(g.Examples()))
	}
	run, err := g.Ask(t.Context(), "What is the capital of Mongolia?", engine.AskOptions{}, &engine.Events{})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Answer.Items) != 1 || run.Answer.Items[0].Label != "Ulaanbaatar" {
		t.Fatalf("answers = %+v, want Ulaanbaatar", run.Answer.Items)
	}
	found, err := g.Sources(t.Context(), run.Answer.Pack.Triples)
	sources := found[run.Answer.Pack.Triples[0]]
	if err != nil || len(sources) == 0 {
		t.Fatalf("Sources() = %v, %v", found, err)
	}
	line, err := readLine(t.Context(), sources[0].File, sources[0].Line)
	if err != nil || !strings.Contains(line, "Ulaanbaatar") {
		t.Errorf("the source line reads %q, %v, want one that names Ulaanbaatar", line, err)
	}
}

func TestEngineGraphImportsByChosenColumns(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "kb.csv")
	writeFile(t, file, "what,who,how\nAustria,Vienna,capital of\nHungary,Budapest,capital of\n")
	o := engineOpener{log: slog.New(slog.DiscardHandler)}
	choices := ingest.Options{Columns: ingest.Columns{Head: "who", Relation: "how", Tail: "what"}}
	if look, err := o.Sniff(t.Context(), []string{file}, choices); err != nil || !strings.Contains(look.Lines[0], "commas") || look.Asks != "" {
		t.Errorf("Sniff = %+v, %v, want it to see commas and be sure", look, err)
	}
	cities := filepath.Join(dir, "cities.csv")
	writeFile(t, cities, "Ann,Berlin,Germany\nBob,Paris,France\nCem,Rome,Italy\n")
	if look, err := o.Sniff(t.Context(), []string{cities}, ingest.Options{}); err != nil || !strings.Contains(look.Asks, "little hint") {
		t.Errorf("Sniff of what may be no triples = %+v, %v, want a question", look, err)
	}
	g, err := o.Open(t.Context(), filepath.Join(dir, "new", "kb.cairn"), nil, &engine.Events{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r, err := g.Import(t.Context(), []string{file}, choices, &engine.Events{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Added != 2 || r.Read != r.Added+r.Duplicate+r.Rejected+r.Skipped {
		t.Errorf("Import = %+v, want 2 added and counts that add up", r)
	}
	tr := g.Graph().Triple(0)
	if got := g.Graph().Label(tr.Head) + " " + g.Graph().RelationText(tr.Relation) + " " + g.Graph().Label(tr.Tail); got != "Vienna capital of Austria" {
		t.Errorf("first triple = %q", got)
	}
	if len(g.Examples()) == 0 {
		t.Error("no examples after an import")
	}
}

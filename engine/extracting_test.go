package engine

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/check"
	"cairn/engine/extract"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/fakeollama"
)

// reader is a model that finds the triples of its list whose quote is in the
// prompt's last piece.
type reader struct{ triples [][4]string }

func (r *reader) Name() string { return "reader" }

func (r *reader) Ask(ctx context.Context, req llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: r.reply(req.Prompt)}, ctx.Err()
}

func (r *reader) reply(prompt string) string {
	piece := prompt[strings.LastIndex(prompt, "piece: <<<"):]
	said := map[string]any{"entities": []any{map[string]string{"name": "Graz", "type": "city"}, map[string]string{"name": "Styria", "type": "Region"}}}
	triples := [][4]string{}
	for _, t := range r.triples {
		if strings.Contains(piece, t[3]) {
			triples = append(triples, t)
		}
	}
	said["triples"] = triples
	b, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	return string(b)
}

const austria = "Graz is the capital of Styria. Styria borders Hungary.\n\nVienna is the capital of Austria, which borders Hungary. Linz may border Graz.\n"

func austrian() *reader {
	return &reader{[][4]string{
		{"Graz", "capital of", "Styria", "Graz is the capital of Styria."},
		{"Styria", "borders", "Hungary", "Styria borders Hungary."},
		{"Vienna", "is capital of", "Austria", "Vienna is the capital of Austria"},
		{"Austria", "borders", "Hungary", "Austria, which borders Hungary"},
		{"Linz", "borders", "Graz", "Linz may border Graz."},
		{"Linz", "borders", "Salzburg", "Linz may border Graz."},
	}}
}

// atlas makes a graph's file with a few triples of a file.
func atlas(t *testing.T) (e *Engine, dir string) {
	t.Helper()
	dir = t.TempDir()
	kb := filepath.Join(dir, "kb.txt")
	writeText(t, kb, "Vienna|capital_of|Austria\nAustria|borders|Hungary\nGraz|is a|Region\nStyria|is a|Region\n")
	e, err := Open(t.Context(), filepath.Join(dir, "atlas.cairn"), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if _, err := e.Import(t.Context(), []string{kb}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return e, dir
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTextBecomesALayerOfItsOwn(t *testing.T) {
	e, dir := atlas(t)
	ctx := t.Context()
	notes := filepath.Join(dir, "notes.md")
	writeText(t, notes, austria)
	before := e.Graph().Triples()
	report, err := e.Extract(ctx, []string{notes}, austrian(), ExtractOptions{}, nil)
	if err != nil || len(report.Documents) != 1 || report.Statements != 6 || report.Parts != 1 {
		t.Fatalf("Extract = %+v, %v; want a document with 6 statements", report, err)
	}
	if e.Graph().Triples() != before {
		t.Error("reading a text changed the graph")
	}
	doc := report.Documents[0].ID
	proposals, err := e.Proposals(ctx, doc)
	if err != nil {
		t.Fatal(err)
	}
	meanings := map[string]string{}
	for _, p := range proposals {
		key, isNew := p.Meaning()
		if isNew {
			key = "new"
		}
		meanings[p.Kind.String()+" "+p.Name] = key
	}
	if diff := cmp.Diff(map[string]string{
		"entity Graz": "Graz", "entity Styria": "Styria", "entity Hungary": "Hungary", "entity Vienna": "Vienna", "entity Austria": "Austria", "entity Linz": "new",
		"relation capital of": "capital_of", "relation is capital of": "capital_of", "relation borders": "borders",
	}, meanings); diff != "" {
		t.Errorf("what names mean (-want +got):\n%s", diff)
	}
	// Styria is kept apart from the graph's own, and the doubtful statement is not
	// accepted with the others.
	if err := e.Decide(ctx, doc, Decisions{Names: []kg.Naming{{Kind: kg.EntityName, Name: "STYRIA"}}}); err != nil {
		t.Fatal(err)
	}
	accepted, doubtful, err := e.AcceptAll(ctx, doc)
	if err != nil || accepted != 4 || doubtful != 1 {
		t.Fatalf("AcceptAll = %d, %d, %v; want 4 and one doubtful", accepted, doubtful, err)
	}
	added, err := e.AddExtracted(ctx, doc, nil)
	added.Took = 0
	if diff := cmp.Diff(extract.Added{Added: 2, Duplicate: 2, Entities: 1, Left: 1}, added); diff != "" || err != nil {
		t.Fatalf("AddExtracted, %v (-want +got):\n%s", err, diff)
	}
	g := e.Graph()
	var extracted []string
	for i := range g.Triples() {
		if id := kg.TripleID(i); g.Extracted(id) {
			x := g.Triple(id)
			extracted = append(extracted, g.Key(x.Head)+" "+g.RelationKey(x.Relation)+" "+g.Key(x.Tail))
		}
	}
	if diff := cmp.Diff([]string{"Graz capital_of Styria (notes.md)", "Styria (notes.md) borders Hungary"}, extracted); diff != "" {
		t.Errorf("extracted (-want +got):\n%s", diff)
	}
	// The doubtful one, accepted by a person, comes in by itself, and what was made
	// for Styria is used again.
	xs, err := e.Statements(ctx, doc)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(xs, func(x kg.Statement) bool { return x.State == kg.StatementProposed })
	if err := e.Decide(ctx, doc, Decisions{States: map[int64]kg.StatementState{xs[i].ID: kg.StatementAccepted}}); err != nil {
		t.Fatal(err)
	}
	if again, err := e.AddExtracted(ctx, doc, nil); err != nil || again.Added != 1 || again.Entities != 1 || again.Left != 0 {
		t.Errorf("AddExtracted again = %+v, %v; want one triple and Linz", again, err)
	}
	if none, err := e.AddExtracted(ctx, doc, nil); err != nil || none != (extract.Added{}) {
		t.Errorf("AddExtracted with nothing accepted = %+v, %v", none, err)
	}
	info, err := e.Info(ctx)
	if err != nil || len(info.Sources) != 2 || info.Sources[1].Model != "reader" || info.Sources[1].Added != 3 {
		t.Errorf("Info = %+v, %v; want a layer by the model with 3 triples", info.Sources, err)
	}
	// The same text again asks the model nothing; a forgotten one does.
	if r, err := e.Extract(ctx, []string{notes}, austrian(), ExtractOptions{}, nil); err != nil || r.Parts != 0 || r.Statements != 0 {
		t.Errorf("Extract again = %+v, %v; want nothing read", r, err)
	}
	// What was decided is not given up for a server that is away.
	kept, err := e.Statements(ctx, doc)
	if err != nil {
		t.Fatal(err)
	}
	gone := &awayModel{name: austrian().Name()}
	if _, err := e.Extract(ctx, []string{notes}, gone, ExtractOptions{Again: true}, nil); !errors.Is(err, llm.ErrNotRunning) {
		t.Errorf("Extract anew without a server: %v, want ErrNotRunning", err)
	}
	if after, err := e.Statements(ctx, doc); err != nil || len(after) != len(kept) {
		t.Errorf("without a server %d of %d statements are left (%v)", len(after), len(kept), err)
	}
	if r, err := e.Extract(ctx, []string{notes}, austrian(), ExtractOptions{Again: true}, nil); err != nil || r.Parts != 1 || r.Statements != 6 {
		t.Errorf("Extract anew = %+v, %v; want all read", r, err)
	}
}

func TestAnswersSayWhatOnlyAModelVouchesFor(t *testing.T) {
	e, dir := atlas(t)
	ctx := t.Context()
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, austria)
	report, err := e.Extract(ctx, []string{notes}, austrian(), ExtractOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.AcceptAll(ctx, report.Documents[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := e.AddExtracted(ctx, report.Documents[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	notesOf := func(question string) []string {
		t.Helper()
		run, err := e.Ask(ctx, question, AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, s := range run.Answer.Sentences {
			if s.Note && s.Check == check.Unchecked && strings.Contains(s.Text, "read from a text") {
				said = append(said, s.Text)
			}
		}
		return said
	}
	if diff := cmp.Diff([]string{"The only triple that supports this was read from a text by reader; the quotes show where."}, notesOf("What is Graz the capital of?")); diff != "" {
		t.Errorf("notes of an extracted answer (-want +got):\n%s", diff)
	}
	if said := notesOf("What is Vienna the capital of?"); said != nil {
		t.Errorf("notes of an answer that a file vouches for: %q", said)
	}
	run, err := e.Ask(ctx, "What is Graz the capital of?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := e.Sources(ctx, run.Answer.Pack.Triples[:1])
	ps := sources[run.Answer.Pack.Triples[0]]
	if err != nil || len(ps) != 1 || ps[0].Extraction == nil {
		t.Fatalf("Source = %+v, %v", ps, err)
	}
	if x := ps[0].Extraction; austria[x.Start:x.End] != x.Quote || x.Quote != "Graz is the capital of Styria." || x.Model != "reader" || ps[0].Line != 1 {
		t.Errorf("Source = %+v, %+v", ps[0], x)
	}
}

func TestNamesakesAreNotMadeOne(t *testing.T) {
	e, dir := atlas(t)
	ctx := t.Context()
	second := filepath.Join(dir, "more.txt")
	writeText(t, second, "Graz2|label of|Graz\n")
	labels := filepath.Join(dir, "labels.txt")
	writeText(t, labels, "Graz2|Graz\nGraz|Graz\n")
	if _, err := e.Import(ctx, []string{second}, ingest.Options{Labels: labels}, nil); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, "Graz is the capital of Styria.")
	report, err := e.Extract(ctx, []string{notes}, austrian(), ExtractOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc := report.Documents[0].ID
	ps, err := e.Proposals(ctx, doc)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(ps, func(p extract.Proposal) bool { return p.Name == "Graz" })
	if _, isNew := ps[i].Meaning(); !isNew || len(ps[i].Candidates) < 2 || !strings.Contains(ps[i].Why, "2 entities") {
		t.Errorf("two things of one name: %+v; want both offered and neither chosen", ps[i])
	}
	if err := e.Decide(ctx, doc, Decisions{Names: []kg.Naming{{Name: "Graz", Existing: "Nowhere"}}}); !errors.Is(err, errNoSuchKey) {
		t.Errorf("Decide with a key that is not there: %v, want ErrNoSuchKey", err)
	}
	if err := e.Decide(ctx, doc+1, Decisions{}); !errors.Is(err, kg.ErrNoDocument) {
		t.Errorf("Decide about no document: %v, want ErrNoDocument", err)
	}
	if err := e.Decide(ctx, doc, Decisions{Names: []kg.Naming{{Name: "graz", Existing: "Graz2"}}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.AcceptAll(ctx, doc); err != nil {
		t.Fatal(err)
	}
	if added, err := e.AddExtracted(ctx, doc, nil); err != nil || added.Entities != 0 {
		t.Fatalf("AddExtracted = %+v, %v; want nothing new made", added, err)
	}
	g := e.Graph()
	if x := g.Triple(kg.TripleID(g.Triples() - 1)); g.Key(x.Head) != "Graz2" {
		t.Errorf("the triple is of %s, want Graz2", g.Key(x.Head))
	}
}

// TestAddExtractedCanStopEmbedding: what was added stays, and the built-in
// embedder finds its names.
func TestAddExtractedCanStopEmbedding(t *testing.T) {
	e, dir := atlas(t)
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, "Salzburg borders Hungary.")
	salzburg := &reader{[][4]string{{"Salzburg", "borders", "Hungary", "Salzburg borders Hungary."}}}
	emb := &waiting{letters: &letters{id: "letters/1", dims: 32}}
	if err := e.SetEmbedder(t.Context(), emb, nil); err != nil {
		t.Fatal(err)
	}
	report, err := e.Extract(t.Context(), []string{notes}, salzburg, ExtractOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	document := report.Documents[0].ID
	if _, _, err := e.AcceptAll(t.Context(), document); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	emb.wait = func(ctx context.Context) error {
		cancel()
		<-ctx.Done() // without end where the cancel does not come through
		return ctx.Err()
	}
	added, err := e.AddExtracted(ctx, document, nil)
	if err != nil || added.Added == 0 || !e.Graph().HasExtracted() {
		t.Errorf("AddExtracted = %+v, %v; want what was accepted in the graph", added, err)
	}
	if got := e.Embedder(); got.Model != "" || !strings.Contains(got.Notice, "embedding was stopped") {
		t.Errorf("Embedder = %+v, want the built-in one and a notice", got)
	}
}

func TestExtractRefusals(t *testing.T) {
	e, dir := atlas(t)
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, austria)
	if _, err := e.Extract(t.Context(), []string{notes}, nil, ExtractOptions{}, nil); !errors.Is(err, ErrNoModel) {
		t.Errorf("Extract without a model: %v, want ErrNoModel", err)
	}
	if _, err := films(t).Extract(t.Context(), []string{notes}, austrian(), ExtractOptions{}, nil); !errors.Is(err, ErrInMemory) {
		t.Errorf("Extract for a graph in memory: %v, want ErrInMemory", err)
	}
	// A bad file is found before the first is read.
	bad := filepath.Join(dir, "bad.txt")
	writeText(t, bad, "K\xf6ln")
	r, err := e.Extract(t.Context(), []string{notes, bad}, austrian(), ExtractOptions{}, nil)
	if refused, ok := errors.AsType[*kg.FileError](err); !ok || refused.Line != 1 || len(r.Documents) != 0 {
		t.Errorf("Extract of a file in Latin-1 = %+v, %v; want a refusal before anything is read", r, err)
	}
}

// TestExtractCancel cancels while a server thinks: the call ends at once, and the
// next goes on where it was.
func TestExtractCancel(t *testing.T) {
	e, dir := atlas(t)
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, austria)
	fake := fakeollama.New(t)
	m := austrian()
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	over := make(chan struct{})
	fake.Model("slow", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
		if c.N == 1 {
			cancelled = time.Now()
			cancel()
			<-over
		}
		return fakeollama.Answer{Text: m.reply(c.Prompt)}
	}})
	server, err := ollama.NewServer(fake.URL, ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	slow, err := server.Model("slow", ollama.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := ExtractOptions{Options: extract.Options{ChunkTokens: 20}}
	r, err := e.Extract(ctx, []string{notes}, slow, o, nil)
	// The promise is 100 ms; a machine that is busy with other tests gets more.
	if took := time.Since(cancelled); took > time.Second {
		t.Errorf("Extract ended %v after its cancel", took)
	}
	close(over)
	if !errors.Is(err, context.Canceled) || len(r.Documents) != 1 || r.Documents[0].Read != 1 {
		t.Fatalf("Extract = %+v, %v; want a cancel after one part", r, err)
	}
	r, err = e.Extract(t.Context(), []string{notes}, slow, o, nil)
	if err != nil || !r.Documents[0].Complete() || r.Parts != r.Documents[0].Chunks-1 {
		t.Errorf("Extract again = %+v, %v; want the other parts", r, err)
	}
	xs, err := e.Statements(t.Context(), r.Documents[0].ID)
	if err != nil || len(xs) == 0 || len(xs[0].Spans) == 0 || xs[0].Spans[0].Digest == "" {
		t.Errorf("statements %+v, %v; want the digest by the model's weights", xs, err)
	}
}

// TestExtractThatNeverBegan: a model that is not there leaves no trace, so that
// the list of what was read has nothing in it that was not.
func TestExtractThatNeverBegan(t *testing.T) {
	e, dir := atlas(t)
	notes := filepath.Join(dir, "notes.txt")
	writeText(t, notes, austria)
	server, err := ollama.NewServer(fakeollama.New(t).URL, ollama.ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := server.Model("nosuch", ollama.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Extract(t.Context(), []string{notes}, m, ExtractOptions{}, nil)
	if !errors.Is(err, llm.ErrNoSuchModel) || len(r.Documents) != 0 {
		t.Errorf("Extract = %+v, %v; want ErrNoSuchModel and no document", r, err)
	}
	if list, err := e.Extractions(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("Extractions = %+v, %v; want none", list, err)
	}
}

// awayModel is a model whose server does not run.
type awayModel struct{ name string }

func (m *awayModel) Name() string { return m.name }

func (*awayModel) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, &llm.Error{Kind: llm.ErrNotRunning}
}

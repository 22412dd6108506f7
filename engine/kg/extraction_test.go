package kg

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/internal/arrays"
)

// extractInto adds triples "a r b" as a model read them in a text.
func extractInto(t *testing.T, st *Store, model string, spans []Span, names ...[3]string) []TripleID {
	t.Helper()
	w, err := st.NewWriter(t.Context(), Layer{Name: "notes.md", File: "/x/notes.md", Hash: "h", Mapping: "extracted by " + model, Model: model}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var ids []TripleID
	c := Counts{Read: int64(len(names))}
	for i, n := range names {
		x := Triple{w.Entity([]byte(n[0]), ""), w.Relation([]byte(n[1])), w.Entity([]byte(n[2]), "")}
		if w.AddExtracted(x, int64(i+1), spans) {
			c.Added++
		} else {
			c.Duplicate++
		}
		id, _ := w.triples.find(x)
		ids = append(ids, id)
	}
	if err := w.Commit(t.Context(), 0, true, c); err != nil {
		t.Fatal(err)
	}
	return ids
}

// importInto adds triples as a file has them.
func importInto(t *testing.T, st *Store, hash string, names ...[3]string) {
	t.Helper()
	w, err := st.NewWriter(t.Context(), Layer{Name: "kb.tsv", File: "/x/kb.tsv", Hash: hash}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i, n := range names {
		w.At(int64(i + 1))
		w.Add(Triple{w.Entity([]byte(n[0]), ""), w.Relation([]byte(n[1])), w.Entity([]byte(n[2]), "")}, FileItself)
	}
	if err := w.Commit(t.Context(), int64(len(names)), true, Counts{Read: int64(len(names))}); err != nil {
		t.Fatal(err)
	}
}

func TestExtractedIsWhatNoFileVouchesFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	st, err := OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { st.Close() }()
	var many [][3]string
	for i := range 130 { // more than two words of bits
		many = append(many, [3]string{"e", "r", string(rune('A' + i))})
	}
	importInto(t, st, "1", many...)
	first := Span{Start: 5, End: 9, Line: 2, Quote: "text", Digest: "d1"}
	second := Span{Start: 20, End: 24, Line: 3, Quote: "more", Digest: "d2"}
	ids := extractInto(t, st, "m", []Span{second, first}, [3]string{"e", "r", "A"}, [3]string{"new", "r", "e"}, [3]string{"newer", "r", "e"})
	extracted := func() []TripleID {
		t.Helper()
		var got []TripleID
		for range 2 { // made from the tables, then read from the snapshot
			g, err := st.Graph(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got = nil
			for i := range g.Triples() {
				if g.Extracted(TripleID(i)) {
					got = append(got, TripleID(i))
				}
			}
			if g.HasExtracted() != (len(got) > 0) {
				t.Errorf("HasExtracted = %v with %v", g.HasExtracted(), got)
			}
		}
		return got
	}
	if diff := cmp.Diff([]TripleID{130, 131}, extracted()); diff != "" {
		t.Errorf("extracted (-want +got):\n%s", diff)
	}
	ps, err := st.Provenance(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	extraction := func(s Span) *Extraction {
		return &Extraction{Model: "m", Digest: s.Digest, Start: s.Start, End: s.End, Quote: s.Quote}
	}
	want := []Provenance{
		{Source: "kb.tsv", File: "/x/kb.tsv", Line: 1},
		{Source: "notes.md", File: "/x/notes.md", Line: 2, Extraction: extraction(first)},
		{Source: "notes.md", File: "/x/notes.md", Line: 3, Extraction: extraction(second)},
	}
	if diff := cmp.Diff(want, ps, cmpopts.IgnoreTypes(time.Time{})); diff != "" {
		t.Errorf("Provenance (-want +got):\n%s", diff)
	}
	// A file that says the same vouches for it from then on.
	importInto(t, st, "2", [3]string{"new", "r", "e"})
	if diff := cmp.Diff([]TripleID{131}, extracted()); diff != "" {
		t.Errorf("extracted, after a file that says one of them (-want +got):\n%s", diff)
	}
	// Another model does not, and more of the same layer adds to it.
	extractInto(t, st, "other", []Span{first}, [3]string{"newer", "r", "e"})
	extractInto(t, st, "m", []Span{first}, [3]string{"newest", "r", "e"})
	if diff := cmp.Diff([]TripleID{131, 132}, extracted()); diff != "" {
		t.Errorf("extracted, after more (-want +got):\n%s", diff)
	}
	sources, err := st.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type layer struct {
		Model, Mapping         string
		Read, Added, Duplicate int64
		Complete               bool
	}
	var got []layer
	for _, s := range sources {
		if s.Model != "" {
			got = append(got, layer{s.Model, s.Mapping, s.Read, s.Added, s.Duplicate, s.Complete})
		}
	}
	if diff := cmp.Diff([]layer{{"m", "extracted by m", 4, 3, 1, true}, {"other", "extracted by other", 1, 0, 1, true}}, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	if err := st.Check(t.Context()); err != nil {
		t.Errorf("Check: %v", err)
	}
}

func TestSnapshotWithWrongExtractedBitsIsRefused(t *testing.T) {
	var b Builder
	id := b.Add("a", "r", "b")
	b.Add("b", "r", "c")
	g := b.Graph()
	g.setExtracted(id)
	if !g.Extracted(0) || g.Extracted(1) {
		t.Errorf("Extracted = %v, %v; want true, false", g.Extracted(0), g.Extracted(1))
	}
	path := filepath.Join(t.TempDir(), "graph.csr")
	saveGraph(t, path, "v", g)
	if got, err := openSnapshot(t.Context(), path, "v"); err != nil || !got.Extracted(0) || got.Extracted(1) {
		t.Errorf("openSnapshot: %v", err)
	}
	g.extracted = append(g.extracted, 0)
	saveGraph(t, path, "v", g)
	if _, err := openSnapshot(t.Context(), path, "v"); !errors.Is(err, arrays.ErrDamaged) {
		t.Errorf("openSnapshot with bits for more triples: %v, want ErrDamaged", err)
	}
}

func TestStagingKeepsDecisions(t *testing.T) {
	st, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "x.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ctx := t.Context()
	d, err := st.StageDocument(ctx, Document{Name: "a.txt", File: "a.txt", Hash: "h", Bytes: 30, Model: "m", Began: time.UnixMilli(7)}, []Chunk{{Start: 0, End: 10}, {Start: 12, End: 30}})
	if err != nil || d.Chunks != 2 || d.Complete() {
		t.Fatalf("StageDocument = %+v, %v", d, err)
	}
	if again, err := st.StageDocument(ctx, Document{Hash: "h", Model: "m"}, nil); err != nil || again.ID != d.ID || again.Name != "a.txt" {
		t.Errorf("StageDocument again = %+v, %v; want the same", again, err)
	}
	say := func(key string, state StatementState, spans ...Span) Statement {
		return Statement{Key: key, Head: "h", Relation: "r", Tail: "t", State: state, Spans: spans}
	}
	one, two := Span{Start: 1, End: 2, Line: 1, Quote: "x"}, Span{Start: 13, End: 14, Line: 2, Quote: "y", Doubt: "a question"}
	c := Chunk{Start: 0, State: ChunkRead, Tries: 1, PromptTokens: 3, Took: time.Second}
	if err := st.StageChunk(ctx, d.ID, c, []Statement{say("k", StatementProposed, one), say("bad", StatementInvalid)}); err != nil {
		t.Fatal(err)
	}
	xs, err := st.Statements(ctx, d.ID)
	if err != nil || len(xs) != 2 {
		t.Fatalf("Statements = %+v, %v", xs, err)
	}
	good, bad := xs[0].ID, xs[1].ID
	if err := st.Decide(ctx, d.ID, map[int64]StatementState{good: StatementAccepted, bad: StatementAccepted}, nil); err != nil {
		t.Fatal(err)
	}
	if err := st.Decide(ctx, d.ID, map[int64]StatementState{good: StatementAdded}, nil); err == nil {
		t.Error("Decide made a statement added")
	}
	if err := st.Decide(ctx, d.ID, map[int64]StatementState{good: -1}, nil); err == nil {
		t.Error("Decide took a state that there is not")
	}
	// The same said again gains a place and keeps the decision.
	if err := st.StageChunk(ctx, d.ID, Chunk{Start: 12, State: ChunkRead}, []Statement{say("k", StatementProposed, two)}); err != nil {
		t.Fatal(err)
	}
	xs, err = st.Statements(ctx, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	if x := xs[0]; x.State != StatementAccepted || len(x.Spans) != 2 || x.Doubt() != "" || x.Triple != NoTriple {
		t.Errorf("statement %+v, want accepted with two places and no doubt", x)
	}
	if x := xs[1]; x.State != StatementInvalid {
		t.Errorf("an invalid statement was accepted: %+v", x)
	}
	if d, err = st.Document(ctx, d.ID); err != nil || !d.Complete() || d.Statements[StatementAccepted] != 1 || d.Took != time.Second || d.PromptTokens != 3 {
		t.Errorf("Document = %+v, %v", d, err)
	}
	// Once it is added, a further place brings it back to be added too.
	if ids := extractInto(t, st, "m", []Span{one, two}, [3]string{"h", "r", "t"}); len(ids) != 1 {
		t.Fatal(ids)
	}
	if xs, err = st.Statements(ctx, d.ID); err != nil || xs[0].State != StatementAdded || xs[0].Triple != 0 {
		t.Errorf("after adding: %+v, %v", xs, err)
	}
	three := Span{Start: 20, End: 21, Line: 2, Quote: "z"}
	for i, want := range []StatementState{StatementAdded, StatementAccepted} {
		if err := st.StageChunk(ctx, d.ID, Chunk{Start: 12, State: ChunkRead}, []Statement{say("k", StatementProposed, []Span{two, three}[i])}); err != nil {
			t.Fatal(err)
		}
		if xs, err = st.Statements(ctx, d.ID); err != nil || xs[0].State != want {
			t.Errorf("after place %d: %+v, %v; want %s", i, xs, err, want)
		}
	}
	// What was made for a name stays known, whatever is decided later.
	for _, n := range []Naming{{Kind: RelationName, Name: "r", Made: "r made"}, {Kind: RelationName, Name: "r", Existing: "other", Turned: true}} {
		if err := st.Decide(ctx, d.ID, nil, []Naming{n}); err != nil {
			t.Fatal(err)
		}
	}
	ns, err := st.Namings(ctx, d.ID)
	if diff := cmp.Diff([]Naming{{Kind: RelationName, Name: "r", Existing: "other", Turned: true, Made: "r made"}}, ns); diff != "" || err != nil {
		t.Errorf("Namings, %v (-want +got):\n%s", err, diff)
	}
	if err := st.ForgetDocument(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Document(ctx, d.ID); !errors.Is(err, ErrNoDocument) {
		t.Errorf("Document, forgotten: %v, want ErrNoDocument", err)
	}
	if ps, err := st.Provenance(ctx, 0); err != nil || len(ps) != 2 {
		t.Errorf("where an added triple comes from, after the text is forgotten: %+v, %v", ps, err)
	}
	if err := st.Check(ctx); err != nil {
		t.Errorf("Check: %v", err)
	}
}

// A state that no program of ours wrote is shown, and stops nobody.
func TestUnknownStateHasAWord(t *testing.T) {
	for _, s := range []StatementState{-1, StatementAdded + 1} {
		if got := s.String(); got != "unknown" {
			t.Errorf("StatementState(%d) = %q, want unknown", int(s), got)
		}
	}
}

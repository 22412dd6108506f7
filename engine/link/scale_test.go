package link_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/vec"
)

// manyNames is a graph of names of two words.
func manyNames(n int) *kg.Graph {
	var b kg.Builder
	first := []string{"Amber", "Bertram", "Cordelia", "Desmond", "Eleanor", "Florian", "Gideon", "Harriet", "Ignatius", "Josephine"}
	last := []string{"Ashdown", "Blackwood", "Carrington", "Devereux", "Ellsworth", "Fairbanks", "Goldsmith", "Hawthorne", "Ironside", "Jameson"}
	for i := range n {
		b.Add(fmt.Sprintf("%s %s%c", first[i%10], last[i/10%10], 'a'+i/100), "knows", "someone else")
	}
	return b.Graph()
}

// narrow is the built-in embedder in a narrow cone: every vector has a large
// part in common, as with many trained models, so that all distances shrink.
type narrow struct {
	embed.Embedder
	common float32 // that part, in parts of the rest
}

func (n narrow) ID() string { return fmt.Sprint("narrow ", n.common) }
func (n narrow) Dims() int  { return n.Embedder.Dims() + 1 }

func (n narrow) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vs, err := n.Embedder.Embed(ctx, kind, texts)
	for i, v := range vs {
		if vs[i] = append(slices.Clip(v), n.common); vec.Norm(v) == 0 {
			vs[i][len(v)] = 0
		}
		vec.Normalize(vs[i])
	}
	return vs, err
}

// noise gives every text a place of its own: nothing is near to anything else.
type noise struct{}

func (noise) ID() string { return "noise" }
func (noise) Dims() int  { return 32 }

func (noise) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		x := h.Sum64()
		out[i] = make([]float32, 32)
		for j := range out[i] {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			out[i][j] = float32(int64(x)) / math.MaxInt64
		}
		vec.Normalize(out[i])
	}
	return out, nil
}

func labelsOf(g *kg.Graph) []string {
	var labels []string
	for e := range kg.EntityID(g.Entities()) {
		labels = append(labels, g.Label(e))
	}
	return labels
}

func calibrate(t *testing.T, g *kg.Graph, emb embed.Embedder) link.Calibration {
	t.Helper()
	c, err := link.Calibrate(t.Context(), g, emb)
	if err != nil {
		t.Fatalf("Calibrate: %v", err)
	}
	if !c.Sound() {
		t.Errorf("%s: the calibration is not sound: %+v", emb.ID(), c)
	}
	return c
}

// TestCalibrationMakesEmbeddersAlike has two embedders that differ in nothing
// but how near everything is: on the common scale they agree.
func TestCalibrationMakesEmbeddersAlike(t *testing.T) {
	g := manyNames(300)
	lexical := embed.NewLexical(slices.Values(labelsOf(g)), lexicon.Builtin())
	wide, tight := narrow{lexical, 0.5}, narrow{lexical, 2}
	a, b := calibrate(t, g, wide), calibrate(t, g, tight)
	if diff := cmp.Diff(a, calibrate(t, g, wide)); diff != "" {
		t.Errorf("the same again differs:\n%s", diff)
	}
	dist := func(e embed.Embedder, x, y string) float64 {
		vs, err := e.Embed(t.Context(), embed.Document, []string{x, y})
		if err != nil {
			t.Fatal(err)
		}
		return math.Sqrt(float64(vec.SquaredL2(vs[0], vs[1])))
	}
	for _, p := range []struct {
		x, y   string
		lo, hi float64
	}{
		{"Amber Ashdowna", "Amber Ashdowna", 0, 0},
		{"Cordelia Blackwooda", "Cordelai Blackwooda", 0.1, 1.05},
		{"Cordelia Blackwooda", "Gideon Ironsideb", 1.2, 1.5},
	} {
		da, db := a.Names.Of(dist(wide, p.x, p.y)), b.Names.Of(dist(tight, p.x, p.y))
		if da < p.lo || da > p.hi || math.Abs(da-db) > 0.05 {
			t.Errorf("%s · %s: %.2f and %.2f, want %.1f to %.1f from both", p.x, p.y, da, db, p.lo, p.hi)
		}
	}
	for _, p := range []struct {
		x, y   string
		within bool
	}{
		{"director", "directed by", true},
		{"capital", "mother tongue", false},
	} {
		for _, e := range []struct {
			embed.Embedder
			link.Scale
		}{{wide, a.Phrases}, {tight, b.Phrases}} {
			if d := e.Of(dist(e, p.x, p.y)); (d <= 0.9) != p.within {
				t.Errorf("%s: %s · %s: %.2f, want within the limit of relations (0.9): %v", e.ID(), p.x, p.y, d, p.within)
			}
		}
	}
}

// TestCalibrationOfNoiseLetsNothingNear: with an embedder that tells nothing
// apart, nearly no wrong name comes within the limits.
func TestCalibrationOfNoiseLetsNothingNear(t *testing.T) {
	g := manyNames(300)
	c := calibrate(t, g, noise{})
	labels := labelsOf(g)
	vs, err := noise{}.Embed(t.Context(), embed.Document, labels)
	if err != nil {
		t.Fatal(err)
	}
	near, n := 0, 0
	for i := range vs {
		for j := range i {
			n++
			if c.Names.Of(math.Sqrt(float64(vec.SquaredL2(vs[i], vs[j])))) <= 1 {
				near++
			}
		}
	}
	if near > n/100 {
		t.Errorf("%d of %d pairs of strangers are within 1.0", near, n)
	}
}

func TestCalibrationOfLittle(t *testing.T) {
	var empty kg.Builder
	for name, g := range map[string]*kg.Graph{"empty": empty.Graph(), "five names": manyNames(5)} {
		emb := narrow{embed.NewLexical(slices.Values(labelsOf(g)), lexicon.Builtin()), 1}
		if c := calibrate(t, g, emb); len(c.Names) == 0 || !cmp.Equal(c.Names, c.Phrases) {
			t.Errorf("%s: names %v, phrases %v; want those of phrases for both", name, c.Names, c.Phrases)
		}
	}
}

func TestScale(t *testing.T) {
	var none link.Scale
	s := link.Scale{{From: 0.2, To: 0.8}, {From: 0.4, To: 1.4}, {From: 2, To: 2}}
	for _, x := range []struct{ in, want float64 }{{0, 0}, {0.1, 0.4}, {0.2, 0.8}, {0.3, 1.1}, {0.4, 1.4}, {2, 2}, {2.5, 2.5}} {
		if got := s.Of(x.in); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("Of(%v) = %v, want %v", x.in, got, x.want)
		}
		if got := none.Of(x.in); got != x.in {
			t.Errorf("without knots: Of(%v) = %v", x.in, got)
		}
	}
	for _, bad := range []link.Scale{{{From: 0, To: 0}}, {{From: 1, To: 1}, {From: 1, To: 2}}, {{From: math.NaN(), To: 1}}, {{From: 2, To: 1}, {From: 1, To: 2}}} {
		if (link.Calibration{Names: bad}).Sound() {
			t.Errorf("%v is sound", bad)
		}
	}
}

// table is an embedder by hand.
type table struct {
	id      string
	vectors map[string][]float32
	err     error // for questions, where set
	asked   int
}

func (e *table) ID() string { return e.id }
func (e *table) Dims() int  { return 2 }

func (e *table) Embed(_ context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Query {
		if e.asked++; e.err != nil {
			return nil, e.err
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if out[i] = e.vectors[text]; out[i] == nil {
			out[i] = make([]float32, 2)
		}
	}
	return out, nil
}

func vocabulary(t *testing.T, g *kg.Graph, emb embed.Embedder) *link.Vocabulary {
	t.Helper()
	v, err := link.NewVocabulary(t.Context(), g, emb, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBlankVectorsAreNeverNear: at distance 1 from everything, the zero vector
// would be nearer than most names.
func TestBlankVectorsAreNeverNear(t *testing.T) {
	var b kg.Builder
	b.Add("blank", "r", "east")
	b.Add("also blank", "r", "north")
	b.Add("west", "r", "blank at the end")
	g := b.Graph()
	emb := &table{vectors: map[string][]float32{
		"east": {1, 0}, "north": {0, 1}, "west": {-1, 0}, "eastward": {0.8, 0.6}, "r": {1, 0},
	}}
	v := vocabulary(t, g, emb)
	found, err := v.Entities(t.Context(), "eastward", 10)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range found {
		names = append(names, g.Label(n.ID))
	}
	if want := []string{"east", "north", "west"}; !slices.Equal(names, want) {
		t.Errorf("near to eastward: %q, want %q", names, want)
	}
	if found, err := v.Entities(t.Context(), "a text without a vector", 10); err != nil || len(found) != 0 {
		t.Errorf("near to a text without a vector: %v, %v, want none", found, err)
	}
}

// TestVocabularyBehindAnswersWhereTheEmbedderFails also makes sure that one
// question uses one embedder: once failed, it is not asked again.
func TestVocabularyBehindAnswersWhereTheEmbedderFails(t *testing.T) {
	var b kg.Builder
	b.Add("east", "r", "north")
	g := b.Graph()
	vectors := map[string][]float32{"east": {1, 0}, "north": {0, 1}, "up": {0, 1}, "r": {1, 0}}
	chosen := &table{id: "chosen", vectors: vectors}
	behind := &table{id: "behind", vectors: map[string][]float32{"east": {1, 0}, "north": {0, 1}, "up": {1, 0}, "r": {1, 0}}}
	v := vocabulary(t, g, chosen).Behind(link.Calibration{}, vocabulary(t, g, behind))
	nearest := func(ctx context.Context) string {
		t.Helper()
		found, err := v.Entities(ctx, "up", 1)
		if err != nil || len(found) != 1 {
			t.Fatalf("Entities: %v, %v", found, err)
		}
		return g.Label(found[0].ID)
	}
	var w link.Watch
	ctx := link.WithWatch(t.Context(), &w)
	if got := nearest(ctx); got != "north" || w.Err() != nil {
		t.Errorf("nearest by the chosen embedder = %s, %v", got, w.Err())
	}
	chosen.err = fmt.Errorf("gone")
	if got := nearest(ctx); got != "east" || w.Err() == nil {
		t.Errorf("after it failed: nearest = %s, %v; want the other's, east, and the reason", got, w.Err())
	}
	chosen.err, chosen.asked = nil, 0
	if got := nearest(ctx); got != "east" || chosen.asked != 0 {
		t.Errorf("the same question later: nearest = %s, asked %d times; want east and 0", got, chosen.asked)
	}
	if got := nearest(t.Context()); got != "north" || w.Lookups() != 3 {
		t.Errorf("the next question: nearest = %s, %d lookups watched; want north and 3", got, w.Lookups())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	chosen.err = context.Canceled
	if _, err := v.Entities(gone, "up", 1); err == nil {
		t.Error("a cancelled question went on with the other embedder")
	}
}

// TestTheSameNameIsAtDistanceZero also with embedders that embed questions and
// names differently.
func TestTheSameNameIsAtDistanceZero(t *testing.T) {
	var b kg.Builder
	b.Add("east", "goes up to", "north")
	g := b.Graph()
	emb := twoSided{&table{vectors: map[string][]float32{
		"east": {1, 0}, "north": {0, 1}, "goes up to": {1, 0}, "?east": {0.8, 0.6}, "?goes up to": {0, 1},
	}}}
	v := vocabulary(t, g, emb).Behind(link.Calibration{Names: link.Scale{{From: 2, To: 2}}, Phrases: link.Scale{{From: 2, To: 2}}}, nil)
	names, err := v.Entities(t.Context(), "east", 2)
	if err != nil || len(names) != 2 || g.Label(names[0].ID) != "east" || names[0].Distance != 0 || names[1].Distance == 0 {
		t.Errorf("Entities(east) = %v, %v", names, err)
	}
	relations, err := v.Relations(t.Context(), "goes up to", 1)
	if err != nil || len(relations) != 1 || relations[0].Distance != 0 {
		t.Errorf("Relations(goes up to) = %v, %v", relations, err)
	}
}

// twoSided embeds the texts of questions as if they had a mark before them.
type twoSided struct{ *table }

func (e twoSided) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Query {
		texts = slices.Clone(texts)
		for i := range texts {
			texts[i] = "?" + strings.TrimSpace(texts[i])
		}
	}
	return e.table.Embed(ctx, kind, texts)
}

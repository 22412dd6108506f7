package embed_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/lexicon"
	"cairn/engine/vec"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/shared"
)

// metaQALabels returns the distinct labels of MetaQA in the order of the file.
func metaQALabels(tb testing.TB) []string {
	tb.Helper()
	f, err := os.Open(shared.Data(tb, "metaqa/kb.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	seen := map[string]bool{}
	var labels []string
	for s := bufio.NewScanner(f); s.Scan(); {
		for i, field := range strings.SplitN(s.Text(), "|", 3) {
			if i != 1 && !seen[field] {
				seen[field] = true
				labels = append(labels, field)
			}
		}
	}
	return labels
}

func embedAll(tb testing.TB, l embed.Embedder, texts ...string) [][]float32 {
	tb.Helper()
	vs, err := l.Embed(tb.Context(), embed.Document, texts)
	if err != nil {
		tb.Fatalf("Embed: %v", err)
	}
	return vs
}

func flatOf(tb testing.TB, l embed.Embedder, texts []string) *index.Flat {
	tb.Helper()
	return index.NewFlat(index.Vectors{Dims: l.Dims(), Rows: slices.Concat(embedAll(tb, l, texts...)...)})
}

// TestTranscript holds what lies near what on the labels of MetaQA and on two
// sets of relation names, and how often a misspelt title finds itself.
func TestTranscript(t *testing.T) {
	labels := metaQALabels(t)
	l := embed.NewLexical(slices.Values(labels), lexicon.Builtin())
	flat := flatOf(t, l, labels)
	var out strings.Builder
	transcribe(t, &out, l, "labels of MetaQA", labels, flat,
		"Quentin Tarrantino", "Stanly Kubrik", "steven speilberg", "The Godfathr", "Dr Strangelove", "Kismet", "1967",
		"Terminator 2", "lord of the rings", "Malena", "$")
	films := []string{"directed by", "written by", "starred actors", "release year", "in language", "has tags", "has genre", "has imdb rating", "has imdb votes"}
	transcribe(t, &out, l, "relations of MetaQA", films, flatOf(t, l, films),
		"director", "starring", "acted in", "author", "screenwriter", "when released", "language", "spoken", "genre", "year")
	people := []string{
		"place of birth", "date of birth", "place of death", "spouse", "children", "profession", "plays in club",
		"capital", "shares border with", "currency used", "official language",
	}
	transcribe(t, &out, l, "other relations", people, flatOf(t, l, people),
		"born", "birthplace", "when was born", "married to", "wife", "kid", "job", "capital city", "neighbour", "money", "place where died")
	fmt.Fprintf(&out, "## misspelt labels of at least 8 letters: found again, case aside\n")
	for _, edits := range []int{1, 2} {
		first, five, n := recall(t, l, labels, flat, edits)
		fmt.Fprintf(&out, "%d edits: first of all %d of %d, among five %d\n", edits, first, n, five)
	}
	golden.Compare(t, "testdata/neighbours.txt", out.String())
}

// transcribe writes the three nearest names of each query.
func transcribe(t *testing.T, out *strings.Builder, l embed.Embedder, title string, names []string, flat *index.Flat, queries ...string) {
	t.Helper()
	fmt.Fprintf(out, "## %s\n", title)
	for _, q := range queries {
		fmt.Fprintf(out, "%s →", q)
		for i, h := range nearest(t, l, flat, q, 3) {
			if i > 0 {
				out.WriteString(" ·")
			}
			fmt.Fprintf(out, " %s %.1f", names[h.ID], h.Distance)
		}
		out.WriteString("\n")
	}
	out.WriteString("\n")
}

func nearest(t *testing.T, l embed.Embedder, flat *index.Flat, text string, k int) []index.Hit {
	t.Helper()
	hits, err := flat.Nearest(t.Context(), embedAll(t, l, text)[0], k)
	if err != nil {
		t.Fatalf("Nearest(%q): %v", text, err)
	}
	return hits
}

// recall misspells labels and counts how often they are found again.
func recall(t *testing.T, l embed.Embedder, labels []string, flat *index.Flat, edits int) (first, five, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(edits)))
	for n < 150 {
		label := labels[rng.IntN(len(labels))]
		if len(label) < 8 {
			continue
		}
		n++
		for i, h := range nearest(t, l, flat, misspell(rng, label, edits), 5) {
			if lexicon.Fold(labels[h.ID]) != lexicon.Fold(label) {
				continue
			}
			if five++; i == 0 {
				first++
			}
			break
		}
	}
	return first, five, n
}

func TestVectorsHaveUnitLength(t *testing.T) {
	l := embed.NewLexical(slices.Values([]string{"Kismet", "The Third Man"}), lexicon.Builtin())
	tests := []struct {
		text string
		want float64
	}{
		{"", 0},
		{" \t", 0},
		{"Kismet", 1},
		{"$", 1},
		{"???", 1},
		{"1967", 1},
		{"北京大学", 1},
		{"a", 1},
		{strings.Repeat("word ", 10_000), 1},
		{"\xff\xfe", 1},
		{strings.Repeat("x", 100_000), 1},
	}
	for _, tt := range tests {
		v := embedAll(t, l, tt.text)[0]
		if got := float64(vec.Norm(v)); math.Abs(got-tt.want) > 1e-5 {
			t.Errorf("|Embed(%.20q)| = %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestWordsThatMeanTheSameAreNear(t *testing.T) {
	l := embed.NewLexical(slices.Values([]string(nil)), lexicon.Builtin())
	tests := []struct{ text, near, far string }{
		{"directed by", "director", "writer"},
		{"starring", "starred_actors", "written by"},
		{"place of birth", "birthplace", "place of death"},
		{"screenplay", "written_by", "directed_by"},
		{"Rocky 2", "rocky 2", "Rocky 3"},
		{"1967", "1967", "1968"},
		{"Malèna", "malena", "Marlene"},
	}
	for _, tt := range tests {
		v := embedAll(t, l, tt.text, tt.near, tt.far)
		near, far := vec.SquaredL2(v[0], v[1]), vec.SquaredL2(v[0], v[2])
		if near >= far {
			t.Errorf("|%s - %s|² = %.2f, want below |%s - %s|² = %.2f", tt.text, tt.near, near, tt.text, tt.far, far)
		}
	}
}

func TestIDChangesWithWhatTheVectorsDependOn(t *testing.T) {
	one, two := []string{"Kismet"}, []string{"Kismet", "The Third Man"}
	user, err := lexicon.Parse(strings.NewReader(""), "empty")
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	ids := map[string]string{
		"one label":   embed.NewLexical(slices.Values(one), lexicon.Builtin()).ID(),
		"two labels":  embed.NewLexical(slices.Values(two), lexicon.Builtin()).ID(),
		"no lexicon":  embed.NewLexical(slices.Values(one), nil).ID(),
		"other words": embed.NewLexical(slices.Values(one), user).ID(),
	}
	if same := embed.NewLexical(slices.Values(one), lexicon.Builtin()).ID(); same != ids["one label"] {
		t.Errorf("ID() = %s, then %s for the same labels", ids["one label"], same)
	}
	seen := map[string]string{}
	for name, id := range ids {
		if other, ok := seen[id]; ok && name != "no lexicon" && other != "no lexicon" {
			t.Errorf("%s and %s share the id %s", name, other, id)
		}
		seen[id] = name
	}
}

// TestVectorsArePinned fails where a change to features or hashing lacks a new
// version: stored vectors would be compared with others.
func TestVectorsArePinned(t *testing.T) {
	l := embed.NewLexical(slices.Values([]string{"Kismet", "The Third Man"}), nil)
	v := embedAll(t, l, "The Third Man")[0]
	var sum float64
	for i, x := range v {
		sum += float64(x) * float64(i+1)
	}
	if got, want := fmt.Sprintf("%s %.4f", l.ID(), sum), "lexical-1-a6954955f20b4757 35.4557"; got != want {
		t.Errorf("id and checksum = %s, want %s: raise lexicalVersion with any change of the vectors", got, want)
	}
}

func TestEmbedCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := embed.NewLexical(slices.Values([]string{"Kismet"}), nil)
	if _, err := l.Embed(ctx, embed.Query, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Embed, cancelled: error = %v, want %v", err, context.Canceled)
	}
}

// misspell makes edits of one letter each, never in the same place twice.
func misspell(rng *rand.Rand, s string, edits int) string {
	rs := []rune(s)
	for range edits {
		i := rng.IntN(len(rs) - 1)
		c := 'a' + rune(rng.IntN(26))
		switch rng.IntN(4) {
		case 0:
			rs[i] = c
		case 1:
			rs = slices.Delete(rs, i, i+1)
		case 2:
			rs = slices.Insert(rs, i, c)
		case 3:
			rs[i], rs[i+1] = rs[i+1], rs[i]
		}
	}
	return string(rs)
}

func BenchmarkEmbed(b *testing.B) {
	labels := metaQALabels(b)
	l := embed.NewLexical(slices.Values(labels), lexicon.Builtin())
	b.Run("learn", func(b *testing.B) {
		for b.Loop() {
			embed.NewLexical(slices.Values(labels), lexicon.Builtin())
		}
	})
	b.Run("embed", func(b *testing.B) {
		for b.Loop() {
			embedAll(b, l, labels...)
		}
		b.ReportMetric(float64(len(labels)*b.N)/b.Elapsed().Seconds(), "labels/s")
	})
}

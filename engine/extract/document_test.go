package extract

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/llm"
)

// doc makes a document of a text.
func doc(tb testing.TB, name, text string) *Document {
	tb.Helper()
	d, err := New(name, []byte(text))
	if err != nil {
		tb.Fatalf("New(%s): %v", name, err)
	}
	return d
}

// parts returns what the chunks of a document hold.
func parts(d *Document, tokens int) []string {
	var list []string
	for _, c := range d.chunks(tokens) {
		list = append(list, d.Text[c.Start:c.End])
	}
	return list
}

func TestOpenRefusesWhatIsNoText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	big := filepath.Join(dir, "big.txt")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(maxBytes+1), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path string
		line int64
	}{
		{write("empty.txt", ""), 0},
		{write("blank.md", " \r\n\t\n* * *\n"), 0},
		{write("code.md", "```\nall of it is code\n```\n"), 0},
		{write("latin1.txt", "Wien\r\nK\xf6ln\n"), 2},
		{write("binary.txt", "a\nb\nc\x00\x01d"), 3},
		{write("utf16.txt", "\xff\xfeW\x00i\x00"), 0},
		{write("paper.pdf", "%PDF-1.7"), 0},
		{write("kb.tsv", "a\tb\tc\n"), 0},
		{dir, 0},
		{big, 0},
	} {
		_, err := Open(tt.path)
		refused := (*kg.FileError)(nil)
		if !errors.As(err, &refused) || refused.Line != tt.line || refused.Remedy == "" {
			t.Errorf("Open(%s) = %v, want a refusal at line %d with a remedy", filepath.Base(tt.path), err, tt.line)
		}
	}
	if _, err := Open(filepath.Join(dir, "none.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of no file: %v, want ErrNotExist", err)
	}
}

func TestLine(t *testing.T) {
	d := doc(t, "a.txt", "one\r\ntwo\n\nfour")
	for at, want := range map[int]int64{0: 1, 3: 1, 4: 1, 5: 2, 8: 2, 9: 3, 10: 4, 13: 4} {
		if got := d.line(at); got != want {
			t.Errorf("Line(%d) = %d, want %d", at, got, want)
		}
	}
}

func TestByteOrderMarkIsNoText(t *testing.T) {
	d := doc(t, "a.txt", "\ufeffWien ist groß.")
	if got := d.shown(span{0, len(d.Text)}); got != "Wien ist groß." {
		t.Errorf("a model is shown %q", got)
	}
	if at, ok := d.passage(span{0, len(d.Text)}).find("wien"); !ok || at != (span{3, 7}) {
		t.Errorf("the first word is at %v, want at 3 to 7", at)
	}
}

func TestMarkdownHidesWhatIsNoProse(t *testing.T) {
	d := doc(t, "a.md", "\ufeff---\ntitle: secret\n---\n# Wien\n\n[Vienna](https://example.com/a_(b)) is big. ![map](m.png)\n\n```go\nfunc secret() {}\n```\n\n<!-- ignore the above: secret -->After.\n\n| City | Country |\n|---|---|\n| Graz | Austria |\n")
	got := d.shown(span{0, len(d.Text)})
	if strings.Contains(got, "secret") || strings.Contains(got, "example.com") || strings.Contains(got, "m.png") || strings.Contains(got, "\ufeff") {
		t.Errorf("a model is shown:\n%s", got)
	}
	for _, want := range []string{"# Wien", "[Vienna] is big. ![map]", "After.", "| Graz | Austria |"} {
		if !strings.Contains(got, want) {
			t.Errorf("a model is not shown %q:\n%s", want, got)
		}
	}
	if got := doc(t, "a.txt", "a ``` b\n<!-- c -->").shown(span{0, 18}); got != "a ``` b\n<!-- c -->" {
		t.Errorf("plain text is shown as %q", got)
	}
	if got := doc(t, "open.md", "a\n~~~\nnever closed").shown(span{0, 18}); got != "a\n" {
		t.Errorf("after an open fence is shown %q", got)
	}
}

func TestChunksCutWhereTheTextAllows(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		tokens     int
		want       []string
	}{
		{"a.txt", "One.\n\nTwo.\r\n\r\nThree.", 3, []string{"One.", "Two.", "Three."}},
		{"a.txt", "One.\n\nTwo.\n\nThree.", 100, []string{"One.\n\nTwo.\n\nThree."}},
		{"a.md", "# A\n\nOne is one thing.\n\n## B\n\nTwo is another.", 8, []string{"# A\n\nOne is one thing.", "## B\n\nTwo is another."}},
		{"a.txt", "Dr. A. Smith came on 3. May. He left. “Why?” she asked.", 12, []string{"Dr. A. Smith came on 3. May.", "He left. “Why?” she asked."}},
		{"a.txt", "维也纳是奥地利的首都。它在多瑙河畔。", 20, []string{"维也纳是奥地利的首都。", "它在多瑙河畔。"}},
		{"a.txt", "aaaa bbbb cccc dddd", 5, []string{"aaaa bbbb", "cccc dddd"}},
		{"a.txt", "\n\n  word  \n\n", 5, []string{"word"}},
		{"a.md", "- one item of it\n- another item of it", 7, []string{"- one item of it", "- another item of it"}},
	} {
		if diff := cmp.Diff(tt.want, parts(doc(t, tt.name, tt.text), tt.tokens)); diff != "" {
			t.Errorf("Chunks of %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// randomText makes prose, lists, long words and many scripts.
func randomText(rng *rand.Rand) string {
	bits := []string{
		"Vienna", "is", "the capital", "of", "Austria", ". ", "! ", "? ", "\n", "\r\n", "\n\n", "\r\n\r\n", "# Head\n", "- item ",
		"维也纳", "。", "naïve", "| a | b |\n", "```\ncode\n```\n", "[link](http://x.y)", "<!-- c -->", strings.Repeat("x", 50), " ", " ", " ", "“quoted”", "e.g. ",
	}
	var b strings.Builder
	for range 1 + rng.IntN(120) {
		b.WriteString(bits[rng.IntN(len(bits))])
	}
	return b.String()
}

func TestChunksHoldEveryWordOnceAndFit(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, seed))
		text := randomText(rng)
		d, err := New("a.md", []byte(text))
		if err != nil {
			continue // no word in it
		}
		tokens := 5 + rng.IntN(60)
		var got []token
		last := int64(0)
		for _, c := range d.chunks(tokens) {
			if c.Start < last || c.End <= c.Start || c.End > int64(len(text)) {
				t.Fatalf("seed %d: chunk %d-%d after %d", seed, c.Start, c.End, last)
			}
			last = c.End
			s := span{int(c.Start), int(c.End)}
			if n := llm.EstimateTokens(d.shown(s)); n > 2*tokens+10 {
				t.Errorf("seed %d: a chunk of %d tokens, at most about %d: %q", seed, n, tokens, d.shown(s))
			}
			got = append(got, d.tokens(s)...)
			if at, ok := d.halves(c); ok && (at <= c.Start || at >= c.End) {
				t.Errorf("seed %d: Halves(%d-%d) = %d", seed, c.Start, c.End, at)
			}
		}
		letters := func(ts []token) string {
			var b strings.Builder
			for _, x := range ts {
				b.WriteString(x.word)
			}
			return b.String()
		}
		if want := letters(d.tokens(span{0, len(text)})); letters(got) != want {
			t.Errorf("seed %d: the chunks say %q, the text %q", seed, letters(got), want)
		}
	}
}

func TestHalvesOfAWordWithoutEnd(t *testing.T) {
	d := doc(t, "a.txt", strings.Repeat("x", 100_000))
	cs := d.chunks(600)
	if len(cs) < 40 || len(cs) > 80 {
		t.Errorf("%d chunks of 100,000 letters, want about 55", len(cs))
	}
	one := doc(t, "a.txt", "word")
	if at, ok := one.halves(one.chunks(600)[0]); ok && !unicode.IsLetter(rune(one.Text[at])) {
		t.Errorf("Halves of a word = %d", at)
	}
}

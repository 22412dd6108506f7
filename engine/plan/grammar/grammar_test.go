package grammar

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cairn/engine/lexicon"
)

// readBank returns the questions of the bank, the names in them, and their skeletons.
func readBank(tb testing.TB) (questions, skeletons []string) {
	tb.Helper()
	b, err := os.ReadFile("testdata/skeletons.txt")
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if q, s, ok := strings.Cut(line, " => "); ok && line[0] != '#' {
			questions, skeletons = append(questions, q), append(skeletons, strings.TrimSpace(s))
		}
	}
	return questions, skeletons
}

// readQuestion cuts a question of the bank into words and names.
func readQuestion(q string) (tokens []lexicon.Token, names []Name) {
	for part := range strings.SplitSeq(q, "[") {
		name, rest, ok := strings.Cut(part, "]")
		if ok {
			ts := lexicon.Tokenize(name)
			names = append(names, Name{len(tokens), len(tokens) + len(ts)})
			tokens = append(tokens, ts...)
			part = rest
		}
		tokens = append(tokens, lexicon.Tokenize(part)...)
	}
	return tokens, names
}

// stemmed writes a skeleton of the bank with stems.
func stemmed(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
		if n < 0 {
			n = len(s)
		}
		if n == 0 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		switch w := s[:n]; w {
		case "where", "why", "same", "is":
			b.WriteString(w)
		default:
			b.WriteString(lexicon.Stem(w))
		}
		s = s[n:]
	}
	return strings.ReplaceAll(b.String(), "# )", "#)")
}

// TestBank compares the first skeleton of every question with the one written by hand.
func TestBank(t *testing.T) {
	questions, want := readBank(t)
	right, n := [2]int{}, [2]int{}
	start := time.Now()
	for i, q := range questions {
		tokens, names := readQuestion(q)
		got, all := "nothing", Parse(tokens, names)
		if len(all) > 0 {
			got = all[0].String()
		}
		part := 0
		if i%3 == 2 {
			part = 1
		}
		n[part]++
		if got == stemmed(want[i]) {
			right[part]++
		} else if part == 0 {
			t.Logf("%s\n\t got %s\n\twant %s", q, got, stemmed(want[i]))
		}
	}
	took := time.Since(start) / time.Duration(len(questions))
	share := func(part int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", right[part], n[part], 100*float64(right[part])/float64(n[part]))
	}
	t.Logf("seen %s, kept aside %s, %v a question", share(0), share(1), took)
	for part := range n {
		if float64(right[part]) < 0.95*float64(n[part]) {
			t.Errorf("part %d: %s are right", part, share(part))
		}
	}
	if took > 5*time.Millisecond { // 0.1 ms on an idle machine
		t.Errorf("a question takes %v", took)
	}
}

// TestSuperlativeWithoutEnd: what is compared in a phrase with "with" leads to nothing.
func TestSuperlativeWithoutEnd(t *testing.T) {
	tokens, names := readQuestion("What can be done in the place with the largest venue capacity in [Hollywood], California?")
	if len(Parse(tokens, names)) == 0 {
		t.Error("the question has no skeleton")
	}
}

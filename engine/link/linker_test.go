package link_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
)

// oddNames is a graph of names that are hard to find in a sentence.
func oddNames() *kg.Graph {
	var b kg.Builder
	for _, name := range []string{
		"Kismet", "Kismet (film)", "The Matrix", "Final Destination", "Final Destination 2", "$", "...And Justice for All", "9/11", "1967", "+1",
		"frederica_of_mecklenburg-strelitz", "VfB_Stuttgart", "Malèna", "Some Mother's Son", "Spider-Man", "Matrix Reloaded, The", "King, Stephen",
		"Romeo & Juliet", "AT&T", "A.F.C. Blackpool", "USA", "北京大学", "北京", "東京タワー", "Война и мир", "Ærø", "It", "What?", "The 'Human' Factor", "Airplane!",
		"Barack Obama", "Stephen King's It", "United States of America", "World Health Organization", "http://example.org/resource/Dawn_Butler", "\"Office Vacant\"",
		"a \u0300 b", "rock 'n' \u0301 roll", "\u0301", "2009-06-01", "5.20906E8", "Real Madrid CF", "River Thames", "Miri, Malaysia", "Vegetable", "acetylsalicylic acid", "Quentin Tarantino", "France", "A", "Ocean's Eleven", "Dog",
	} {
		b.Add(name, "likes", "Quentin Tarantino")
	}
	b.Add("Kismet (film)", "directed_by", "William Dieterle")
	b.AddAlias(b.Entity("acetylsalicylic acid"), "aspirin")
	b.AddAlias(b.Entity("King, Stephen"), "Richard Bachman")
	one, two := b.Entity("Q1"), b.Entity("Q2")
	b.SetLabel(one, "Georgia")
	b.SetLabel(two, "Georgia")
	b.Add("Q2", "borders", "Q3")
	return b.Graph()
}

// describe prints the mentions of a question: text, strength, and candidates.
func describe(g *kg.Graph, mentions []link.Mention) string {
	var out strings.Builder
	for _, m := range mentions {
		fmt.Fprintf(&out, "%s %.2f:", m.Text, m.Strength)
		for _, c := range m.Candidates {
			fmt.Fprintf(&out, " [%s %.2f %v]", g.Key(c.Entity), c.Distance, c.Method)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestLink(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	tests := []struct {
		question string
		// want is the strongest mention and its first candidates' keys.
		text string
		keys []string
	}{
		{"who directed Kismet", "Kismet", []string{"Kismet", "Kismet (film)"}},
		{"who directed Kismet (film)?", "Kismet (film)", []string{"Kismet (film)"}},
		{"who directed kismet", "kismet", []string{"Kismet", "Kismet (film)"}},
		{"who directed Final Destination 2", "Final Destination 2", []string{"Final Destination 2"}},
		{"who directed matrix", "matrix", []string{"The Matrix"}},
		{"who made the matrix reloaded", "the matrix reloaded", []string{"Matrix Reloaded, The"}},
		{"who likes dogs", "dogs", []string{"Dog"}},
		{"books by Stephen King", "Stephen King", []string{"King, Stephen"}},
		{"books by Richard Bachman", "Richard Bachman", []string{"King, Stephen"}},
		{"who made $", "$", []string{"$"}},
		{"who made $?", "$", []string{"$"}},
		{"who sang ...And Justice for All", "...And Justice for All", []string{"...And Justice for All"}},
		{"what happened on 9/11", "9/11", []string{"9/11"}},
		{"which films are from 1967", "1967", []string{"1967"}},
		{"father of Frederica of Mecklenburg-Strelitz", "Frederica of Mecklenburg-Strelitz", []string{"frederica_of_mecklenburg-strelitz"}},
		{"who plays for VfB Stuttgart", "VfB Stuttgart", []string{"VfB_Stuttgart"}},
		{"who plays for VfB_Stuttgart", "VfB_Stuttgart", []string{"VfB_Stuttgart"}},
		{"who is in Malena", "Malena", []string{"Malèna"}},
		{"who is in Some Mothers Son", "Some Mothers Son", []string{"Some Mother's Son"}},
		{"Some Mother's Son's director", "Some Mother's Son", []string{"Some Mother's Son"}},
		{"who is in Oceans Eleven", "Oceans Eleven", []string{"Ocean's Eleven"}},
		{"who is in Spiderman", "Spiderman", []string{"Spider-Man"}},
		{"who is in Spider Man", "Spider Man", []string{"Spider-Man"}},
		{"who is in Romeo and Juliet", "Romeo and Juliet", []string{"Romeo & Juliet"}},
		{"who leads AT&T", "AT&T", []string{"AT&T"}},
		{"who manages AFC Blackpool", "AFC Blackpool", []string{"A.F.C. Blackpool"}},
		{"capital of the U.S.A.", "U.S.A", []string{"USA"}},
		{"谁建立了北京大学？", "北京大学", []string{"北京大学"}},
		{"東京タワーはどこですか", "東京タワー", []string{"東京タワー"}},
		{"кто написал «Война и мир»", "Война и мир", []string{"Война и мир"}},
		{"where is aero", "aero", []string{"Ærø"}},
		{"who directed It", "It", []string{"It"}},
		{"who directed The 'Human' Factor", "The 'Human' Factor", []string{"The 'Human' Factor"}},
		{"who directed Airplane!", "Airplane!", []string{"Airplane!"}},
		{"wife of Obama", "Obama", []string{"Barack Obama"}},
		{"presidents of the United States", "United States", []string{"United States of America"}},
		{"who leads the WHO", "WHO", []string{"World Health Organization"}},
		{"successor of Dawn Butler", "Dawn Butler", []string{"http://example.org/resource/Dawn_Butler"}},
		{"completed on June 1st, 2009", "June 1st, 2009", []string{"2009-06-01"}},
		{"completed on the 1st of June 2009", "1st of June 2009", []string{"2009-06-01"}},
		{"has an apoapsis of 520906000.0 km", "520906000.0 km", []string{"5.20906E8"}},
		{"where does the Thames River end", "Thames River", []string{"River Thames"}},
		{"who was born in Miri", "Miri", []string{"Miri, Malaysia"}},
		{"what contains vegetables", "vegetables", []string{"Vegetable"}},
		{"side effects of aspirin", "aspirin", []string{"acetylsalicylic acid"}},
		{"side effects of acetylsalicilic acid", "acetylsalicilic acid", []string{"acetylsalicylic acid"}},
		{"films by Quentin Tarrantino", "Quentin Tarrantino", []string{"Quentin Tarantino"}},
		{"films by quentin tarantio", "quentin tarantio", []string{"Quentin Tarantino"}},
		{"films by \"tarantino quentin\"", "tarantino quentin", []string{"Quentin Tarantino"}},
		{"which French directors are there", "French", []string{"France"}},
		{"what borders Georgia", "Georgia", []string{"Q1", "Q2"}},
		{"WHO DIRECTED KISMET", "KISMET", []string{"Kismet", "Kismet (film)"}},
		{"what is in \"The Matrix\" and Kismet", "The Matrix", []string{"The Matrix"}},
		{"what is in [It]", "It", []string{"It"}},
	}
	for _, tt := range tests {
		t.Run(tt.question, func(t *testing.T) {
			mentions, err := l.Link(t.Context(), tt.question)
			if err != nil {
				t.Fatalf("Link: %v", err)
			}
			if len(mentions) == 0 {
				t.Fatalf("Link(%q) = nothing, want %q", tt.question, tt.text)
			}
			var keys []string
			for _, c := range mentions[0].Candidates {
				keys = append(keys, g.Key(c.Entity))
			}
			keys = keys[:min(len(keys), len(tt.keys))]
			if mentions[0].Text != tt.text || !slices.Equal(keys, tt.keys) {
				t.Errorf("Link(%q) = %q %q, want %q %q; all:\n%s", tt.question, mentions[0].Text, keys, tt.text, tt.keys, describe(g, mentions))
			}
			for _, m := range mentions {
				if m.Text != tt.question[m.Start:m.End] {
					t.Errorf("Link(%q): mention %q is not at %d..%d", tt.question, m.Text, m.Start, m.End)
				}
			}
		})
	}
}

func TestLinkFindsNoNameInPlainWords(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	for _, question := range []string{
		"", "?", " \t\n", "what is the capital", "who direcotr", "which flims were released", "the the the", "how many are there", "what?",
		"\"", "[]", "[", "''", "\xff\xfe", "who is Zorblax Quux",
	} {
		mentions, err := l.Link(t.Context(), question)
		if err != nil {
			t.Errorf("Link(%q): %v", question, err)
		}
		if len(mentions) > 0 && mentions[0].Strength >= 0.5 {
			t.Errorf("Link(%q) is sure of:\n%s", question, describe(g, mentions))
		}
	}
}

func TestMarksSettleIt(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	mentions, err := l.Link(t.Context(), `who directed "Final Destination" 2 in 1967`)
	if err != nil {
		t.Fatalf("Link: %v", err)
	}
	if mentions[0].Text != "Final Destination" || mentions[0].Strength < 3 {
		t.Errorf("the strongest mention is not the marked one:\n%s", describe(g, mentions))
	}
	for _, m := range mentions {
		if m.Text == "Final Destination 2" {
			t.Errorf("a mention crosses the marks:\n%s", describe(g, mentions))
		}
	}
}

func TestSameNameEntitiesAreKeptApart(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, nil)
	found, err := l.Lookup(t.Context(), "georgia", 5)
	if err != nil {
		t.Fatalf("Lookup: %v", err)
	}
	keys := func(cs []link.Candidate) (out []string) {
		for _, c := range cs {
			out = append(out, g.Key(c.Entity))
		}
		return out
	}
	if diff := cmp.Diff([]string{"Q1", "Q2"}, keys(found)); diff != "" {
		t.Errorf("Lookup by id (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Q2", "Q1"}, keys(l.ByProminence(found))); diff != "" {
		t.Errorf("ByProminence (-want +got):\n%s", diff)
	}
}

func TestLookup(t *testing.T) {
	g := oddNames()
	var labels []string
	for e := range kg.EntityID(g.Entities()) {
		labels = append(labels, g.Label(e))
	}
	v, err := link.NewVocabulary(t.Context(), g, embed.NewLexical(slices.Values(labels), lexicon.Builtin()), nil)
	if err != nil {
		t.Fatalf("NewVocabulary: %v", err)
	}
	l := link.NewLinker(g, v, lexicon.Builtin())
	tests := []struct {
		text   string
		want   string
		method link.Method
	}{
		{"Kismet", "Kismet", link.Exact},
		{" Kismet ", "Kismet", link.Exact},
		{"KISMET", "Kismet", link.Folded},
		{"aspirin", "acetylsalicylic acid", link.Alias},
		{"Matrix", "The Matrix", link.Folded},
		{"Matrix, The", "The Matrix", link.Folded},
		{"Stephen King", "King, Stephen", link.Folded},
		{"Kismat", "Kismet", link.Typo},
		{"$", "$", link.Exact},
		{"Obama", "Barack Obama", link.Near},
		{"Dawn Butler", "http://example.org/resource/Dawn_Butler", link.Folded},
		{"Freder. of Mecklenburg Strelits", "frederica_of_mecklenburg-strelitz", link.Near},
		{"Office Vacant", "\"Office Vacant\"", link.Folded},
	}
	for _, tt := range tests {
		found, err := l.Lookup(t.Context(), tt.text, 3)
		if err != nil {
			t.Fatalf("Lookup(%q): %v", tt.text, err)
		}
		if len(found) == 0 || g.Key(found[0].Entity) != tt.want || found[0].Method != tt.method {
			t.Errorf("Lookup(%q) = %s, want %s by %v", tt.text, describe(g, []link.Mention{{Candidates: found}}), tt.want, tt.method)
		}
		if !slices.IsSortedFunc(found, func(a, b link.Candidate) int {
			return cmpOr(a.Distance, b.Distance, a.Entity, b.Entity)
		}) {
			t.Errorf("Lookup(%q) is not ordered by distance, then id: %v", tt.text, found)
		}
	}
	for _, text := range []string{"", "  ", "Xyzzy Quux Plugh"} {
		found, err := l.Lookup(t.Context(), text, 3)
		if err != nil || len(found) > 0 {
			t.Errorf("Lookup(%q) = %s, %v, want nothing", text, describe(g, []link.Mention{{Candidates: found}}), err)
		}
	}
}

func cmpOr(a, b float64, x, y kg.EntityID) int {
	switch {
	case a < b || a == b && x < y:
		return -1
	case a == b && x == y:
		return 0
	}
	return 1
}

func TestUnlinked(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	tests := []struct {
		question string
		want     []string
	}{
		{"who directed Kismet", nil},
		{"who directed Zorblax", []string{"Zorblax"}},
		{"who directed Zorblax 15", []string{"Zorblax 15"}},
		{"who directed Zorblax Quux and Kismet", []string{"Zorblax Quux"}},
		{"who was rector of the University of Nowhere", []string{"University of Nowhere"}},
		{"who directed \"the lost zorblax\"?", []string{"the lost zorblax"}},
		{"Is Kismet by Plugh Xyzzy? Who knows", []string{"Plugh Xyzzy"}},
		{"WHO IS ZORBLAX", nil},
		{"who directed zorblax", nil},
		{"", nil},
	}
	for _, tt := range tests {
		mentions, err := l.Link(t.Context(), tt.question)
		if err != nil {
			t.Fatalf("Link: %v", err)
		}
		if diff := cmp.Diff(tt.want, l.Unlinked(tt.question, mentions)); diff != "" {
			t.Errorf("Unlinked(%q) (-want +got):\n%s\n%s", tt.question, diff, describe(g, mentions))
		}
	}
}

func TestLongQuestion(t *testing.T) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	for name, question := range map[string]string{
		"one letter":  strings.Repeat("a ", 5000),
		"names":       strings.Repeat("Kismet and The Matrix ", 500),
		"misspelt":    strings.Repeat("Kismat and The Matrx ", 500),
		"unknown":     strings.Repeat("Zorblax Quux ", 800),
		"one word":    strings.Repeat("x", 10_000),
		"marks":       strings.Repeat("[\"'", 3400),
		"ideographs":  strings.Repeat("北京", 1700),
		"only spaces": strings.Repeat(" ", 10_000),
	} {
		start := time.Now()
		mentions, err := l.Link(t.Context(), question)
		if err != nil {
			t.Errorf("%s: Link: %v", name, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: Link took %v", name, took)
		}
		if len(mentions) > 64 {
			t.Errorf("%s: %d mentions, want at most 64", name, len(mentions))
		}
		l.Unlinked(question, mentions)
	}
}

// TestLongTitle links a title of many words that is given word for word.
func TestLongTitle(t *testing.T) {
	title := strings.TrimSpace(strings.Repeat("a study of warm water and of low light ", 8))
	var b kg.Builder
	b.Add(title, "author", "Ada Lin")
	g := b.Graph()
	mentions, err := link.NewLinker(g, nil, lexicon.Builtin()).Link(t.Context(), "Who wrote "+title+"?")
	if err != nil || len(mentions) == 0 || mentions[0].Text != title {
		t.Errorf("Link: %v, %s", err, describe(g, mentions))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := oddNames()
	l := link.NewLinker(g, nil, nil)
	if _, err := l.Link(ctx, "who directed Kismet"); !errors.Is(err, context.Canceled) {
		t.Errorf("Link, cancelled: error = %v, want %v", err, context.Canceled)
	}
	if _, err := l.Lookup(ctx, "Kismet", 3); !errors.Is(err, context.Canceled) {
		t.Errorf("Lookup, cancelled: error = %v, want %v", err, context.Canceled)
	}
	emb := embed.NewLexical(slices.Values([]string{"Kismet"}), nil)
	if _, err := link.NewVocabulary(ctx, g, emb, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("NewVocabulary, cancelled: error = %v, want %v", err, context.Canceled)
	}
}

func FuzzLink(f *testing.F) {
	g := oddNames()
	l := link.NewLinker(g, nil, lexicon.Builtin())
	for _, s := range []string{"who directed [Kismet]?", "“Malèna” 'It' 9/11", "北京大学", "U.S.A. 1st of June 2009 -5e8", "\xff'\"["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		mentions, err := l.Link(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		checkMentions(t, question, mentions)
		l.Unlinked(question, mentions)
	})
}

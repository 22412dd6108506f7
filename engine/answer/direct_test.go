package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve/simgrag"
	"cairn/engine/say"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/testkg"
)

// ask answers a pattern the way the engine does.
func ask(t *testing.T, g *kg.Graph, p *pattern.Pattern) *answer.Answer {
	t.Helper()
	o := simgrag.Options{AllBest: true}
	r, err := simgrag.Search(t.Context(), g, p, nil, o)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	f := answer.Found{Found: r}
	if len(r.Candidates) == 0 {
		closest, err := simgrag.Relax(t.Context(), g, p, nil, o)
		if err != nil {
			t.Fatalf("Relax: %v", err)
		}
		f.Closest = closest.Candidates
	}
	return answer.Direct(g, &plan.Plan{Readings: []plan.Reading{{Pattern: p}}}, 0, f)
}

// transcript writes an answer so that a person can judge it.
func transcript(g *kg.Graph, question string, a *answer.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Q  %s\n", question)
	if a.Verdict != answer.NoVerdict {
		fmt.Fprintf(&b, "verdict  %s\n", a.Verdict.Words())
	}
	if len(a.Items) > 0 {
		fmt.Fprintf(&b, "%d of %d:", len(a.Items), a.Count)
		for _, it := range a.Items[:min(3, len(a.Items))] {
			fmt.Fprintf(&b, " %s ×%d %v;", it.Label, it.Matches, it.Citations)
		}
		b.WriteString("\n")
	}
	for _, s := range a.Sentences {
		mark := "   "
		if s.Note {
			mark = "   (note) "
		}
		fmt.Fprintf(&b, "%s%s\n", mark, s.Text)
		for _, n := range s.Citations {
			if !strings.Contains(s.Text, fmt.Sprintf("[T%d]", n)) && a.Refusal == nil && n > 0 {
				fmt.Fprintf(&b, "   MISSING MARK %d\n", n)
			}
		}
	}
	if a.Refusal != nil {
		for _, m := range a.Refusal.Missing {
			fmt.Fprintf(&b, "missing  %s: %s | %s\n", m.What, m.Text, m.Closest)
		}
	}
	for i, id := range a.Pack.Triples[:min(6, len(a.Pack.Triples))] {
		x := g.Triple(id)
		fmt.Fprintf(&b, "T%d  %s | %s | %s\n", i+1, say.Name(g, x.Head), g.RelationText(x.Relation), say.Name(g, x.Tail))
	}
	b.WriteString("\n")
	return b.String()
}

// TestWorldsInWords words every case of the small worlds.
func TestWorldsInWords(t *testing.T) {
	var b strings.Builder
	for _, w := range testkg.Worlds() {
		for _, c := range w.Cases {
			b.WriteString(transcript(w.Graph, w.Name+": "+c.Name, ask(t, w.Graph, c.Pattern)))
		}
	}
	golden.Compare(t, "testdata/worlds.txt", b.String())
}

// europe is a world with enough capitals to tell that a country has one.
func europe() *kg.Graph {
	var l []string
	for _, c := range []string{
		"Austria Vienna German euro", "Hungary Budapest Hungarian forint", "Germany Berlin German euro",
		"Italy Rome Italian euro", "France Paris French euro", "Spain Madrid Spanish euro",
		"Poland Warsaw Polish złoty", "Portugal Lisbon Portuguese euro", "Greece Athens Greek euro",
		"Norway Oslo Norwegian krone", "Sweden Stockholm Swedish krona", "Slovenia Ljubljana Slovene euro",
		"Slovakia Bratislava Slovak euro",
	} {
		f := strings.Fields(c)
		l = append(l, f[0]+" : country", f[1]+" : city", f[0]+"|capital|"+f[1],
			f[0]+"|official language|"+f[2], f[0]+"|currency|"+f[3], f[1]+"|located in|"+f[0])
	}
	for _, c := range []string{"Hungary", "Germany", "Italy", "Slovenia", "Slovakia"} {
		l = append(l, "Austria|borders|"+c, c+"|borders|Austria")
	}
	l = append(l, "Slovenia|borders|Hungary", "Hungary|borders|Slovenia", "Slovakia|borders|Hungary", "Hungary|borders|Slovakia",
		"Austria|population|9104772", "Hungary|population|9603634", "Slovenia|population|2116972", "Slovakia|population|5428792",
		"Germany|population|84358845", "Italy|population|58997201", "Graz|located in|Austria", "Graz : city",
		"Vienna|born here|Franz Schubert", "Franz Schubert|born in|Vienna", "Falco|born in|Vienna", "Joseph Haydn|born in|Rohrau")
	return testkg.Build(l...)
}

func TestAnswersInWords(t *testing.T) {
	g := europe()
	claim := func(lines ...string) *pattern.Pattern {
		p := testkg.Pattern(g, lines...)
		p.Task, p.Asked = pattern.Verify, -1
		return p
	}
	negated := func(p *pattern.Pattern) *pattern.Pattern { p.Negated = true; return p }
	count := func(p *pattern.Pattern) *pattern.Pattern { p.Task = pattern.Count; return p }
	by := func(p *pattern.Pattern, node, limit int, descending bool) *pattern.Pattern {
		p.Order = &pattern.Order{Node: node, Limit: limit, Descending: descending}
		return p
	}
	over := func(p *pattern.Pattern, node int, op pattern.Op, value float64) *pattern.Pattern {
		p.Filters = []pattern.Filter{{Node: node, Op: op, Value: value}}
		return p
	}
	misspelt := testkg.Pattern(g, "Austria|capital|?")
	misspelt.Nodes[0].Text, misspelt.Nodes[0].Distances = "Ostria", []float64{0.25}
	var b strings.Builder
	for _, q := range []struct {
		question string
		p        *pattern.Pattern
	}{
		{"What is the capital of Austria?", testkg.Pattern(g, "Austria|capital|?")},
		{"What is the capital of Ostria?", misspelt},
		{"Which countries border Austria?", testkg.Pattern(g, "Austria|borders|?")},
		{"Which countries have the euro?", testkg.Pattern(g, "?|currency|euro")},
		{"Which country borders Austria and Hungary and uses the euro?", testkg.Pattern(g, "?|borders|Austria", "?|borders|Hungary", "?|currency|euro")},
		{"What are the capitals of Austria's neighbours?", testkg.Pattern(g, "Austria|borders|?country", "?country|capital|?")},
		{"What languages do the countries that border both speak?", testkg.Pattern(g, "Austria|borders|?country", "Hungary|borders|?country", "?country|official language|?")},
		{"How many countries have the euro?", count(testkg.Pattern(g, "?|currency|euro"))},
		{"Which neighbour of Austria has the most people?", by(testkg.Pattern(g, "Austria|borders|?", "?|population|?n"), 2, 1, true)},
		{"Which two neighbours of Austria have the fewest?", by(testkg.Pattern(g, "Austria|borders|?", "?|population|?n"), 2, 2, false)},
		{"Which neighbours of Austria have over ten million people?", over(testkg.Pattern(g, "Austria|borders|?", "?|population|?n"), 2, pattern.Greater, 1e7)},
		{"Which neighbours of Austria have over a billion people?", over(testkg.Pattern(g, "Austria|borders|?", "?|population|?n"), 2, pattern.Greater, 1e9)},
		{"Vienna is the capital of Austria.", claim("Austria|capital|Vienna")},
		{"Graz is the capital of Austria.", claim("Graz|capital|Austria")},
		{"Graz is not the capital of Austria.", negated(claim("Graz|capital|Austria"))},
		{"Vienna is not the capital of Austria.", negated(claim("Austria|capital|Vienna"))},
		{"Austria borders Spain.", claim("Austria|borders|Spain")},
		{"The capital of a country that has the forint is Vienna.", claim("?c|currency|forint", "?c|capital|Vienna")},
		{"Haydn was born in the capital of Austria.", claim("Joseph Haydn|born in|?c", "Austria|capital|?c")},
		{"What is the population of Vienna?", testkg.Pattern(g, "Vienna|population|?")},
		{"Which country borders Spain?", testkg.Pattern(g, "Spain|borders|?")},
		{"Which neighbours of Austria use the złoty?", testkg.Pattern(g, "Austria|borders|?country", "?country|currency|złoty")},
	} {
		b.WriteString(transcript(g, q.question, ask(t, g, q.p)))
	}
	golden.Compare(t, "testdata/europe.txt", b.String())
}

func TestRefusalsInWords(t *testing.T) {
	g := europe()
	vienna := link.Mention{Text: "Vienna", Candidates: []link.Candidate{{Entity: testkg.Find(g, "Vienna")}}}
	var b strings.Builder
	for _, p := range []*plan.Plan{
		nil,
		{Doubt: plan.NoMention, Question: "Who?"},
		{Doubt: plan.NoMention, Question: "Who is Blargh?", Unlinked: []string{"Blargh"}},
		{
			Doubt: plan.NoMention, Question: "Where is Viena?", Unlinked: []string{"Viena", "a\nb"},
			Mentions: []link.Mention{{Text: "Viena", Candidates: vienna.Candidates}},
		},
		{Doubt: plan.NoRelation, Question: "What is the colour of Vienna?", Mentions: []link.Mention{vienna}, Reason: "No relation of this graph goes with “colour”."},
		{Doubt: plan.NotSupported, Question: "Why?", Reason: "Questions after reasons have no pattern."},
	} {
		question := "nothing"
		if p != nil {
			question = p.Question
		}
		b.WriteString(transcript(g, question, answer.Refuse(g, p, -1, nil)))
	}
	golden.Compare(t, "testdata/refusals.txt", b.String())
}

func TestEverySentenceOfAnAnswerCites(t *testing.T) {
	for seed := range uint64(300) {
		g, p := testkg.Random(seed)
		for i := range p.Edges {
			if len(p.Edges[i].Fixed) == 0 {
				p.Edges[i].Relation = "" // there is no vocabulary here
			}
		}
		if p.Asked < 0 {
			p.Task = pattern.Verify
		}
		a := ask(t, g, p)
		if len(a.Sentences) == 0 {
			t.Fatalf("seed %d: an answer without words", seed)
		}
		for _, s := range a.Sentences {
			if s.Citations == nil {
				t.Errorf("seed %d: %q has nil citations", seed, s.Text)
			}
			for _, n := range s.Citations {
				if n < 1 || n > len(a.Pack.Triples) {
					t.Errorf("seed %d: %q cites T%d of %d", seed, s.Text, n, len(a.Pack.Triples))
				}
				if !strings.Contains(s.Text, fmt.Sprintf("[T%d]", n)) {
					t.Errorf("seed %d: %q does not show its citation T%d", seed, s.Text, n)
				}
			}
		}
		if (a.Refusal == nil) == (len(a.Items) == 0 && (a.Verdict == answer.NoVerdict || a.Verdict == answer.NotFound)) {
			t.Errorf("seed %d: %d items, verdict %v, refusal %v", seed, len(a.Items), a.Verdict, a.Refusal)
		}
	}
}

func TestLongListsAreCut(t *testing.T) {
	var l []string
	for i := range 300 {
		l = append(l, fmt.Sprintf("hub|member|m%03d", i))
	}
	g := testkg.Build(l...)
	p := testkg.Pattern(g, "hub|member|?")
	a := ask(t, g, p)
	if len(a.Items) != 300 || a.Count != 300 {
		t.Errorf("%d items, count %d, want 300", len(a.Items), a.Count)
	}
	want := "and 288 more."
	if s := a.Sentences[0].Text; !strings.HasSuffix(s, want) {
		t.Errorf("sentence %q, want it to end in %q", s, want)
	}
	// What the retriever cut is counted all the same, and said.
	f := answer.Found{Found: evidence.Found{Completeness: evidence.CutByBudget}}
	f.Candidates = append(f.Candidates, evidence.Candidate{Nodes: []kg.EntityID{0, 1}, Edges: []kg.TripleID{0}})
	for e := range kg.EntityID(300) {
		f.Answers = append(f.Answers, evidence.Answer{Entity: e + 1, Matches: 2})
	}
	p.Task = pattern.Count
	a = answer.Direct(g, &plan.Plan{Readings: []plan.Reading{{Pattern: p}}}, 0, f)
	got := a.Sentences[0].Text
	if want := "In this graph the number is at least 300: m000 [T1] and 299 more."; got != want || a.Items[0].Matches != 2 {
		t.Errorf("sentence %q with %d matches, want %q with 2", got, a.Items[0].Matches, want)
	}
	if last := a.Sentences[len(a.Sentences)-1]; !last.Note || !strings.Contains(last.Text, "size limit") {
		t.Errorf("last sentence %+v, want a note on the cut", last)
	}
}

// TestClausesAreTheCitedTriples checks what Direct's sentences are Covered for:
// whatever stands before a mark is the triple of that mark.
func TestClausesAreTheCitedTriples(t *testing.T) {
	g := europe()
	for _, lines := range [][]string{
		{"Austria|borders|?country", "?country|capital|?"},
		{"?|borders|Austria", "?|borders|Hungary", "?|currency|euro"},
		{"?|borders|Austria", "?|capital|?city", "?city|located in|?"},
	} {
		a := ask(t, g, testkg.Pattern(g, lines...))
		n := 0
		for _, s := range a.Sentences[min(1, len(a.Sentences)-1):] {
			if s.Note {
				continue
			}
			if s.Check != check.Covered {
				t.Errorf("%q is %v, want covered", s.Text, s.Check)
			}
			text := strings.TrimSuffix(s.Text, ".")
			if _, after, ok := strings.Cut(text, ": "); ok {
				text = after
			}
			for part := range strings.SplitSeq(text, "; ") {
				said, mark, _ := strings.Cut(part, " [T")
				var cite int
				if _, err := fmt.Sscanf(mark, "%d]", &cite); err != nil {
					t.Fatalf("clause %q has no mark", part)
				}
				want := say.Triple(g, a.Pack.Triples[cite-1])
				if !strings.EqualFold(said, want) {
					t.Errorf("clause %q cites %q", said, want)
				}
				n++
			}
		}
		if n == 0 {
			t.Errorf("%v: no clauses in %+v", lines, a.Sentences)
		}
	}
}

// TestDescribedFirst: of what three names describe, that comes first of which there is
// least else to say; of what fewer do, the order is that of ids.
func TestDescribedFirst(t *testing.T) {
	var b kg.Builder
	for _, f := range []string{"Known", "Obscure"} {
		for _, p := range []string{"Finland", "Peru", "Chad"} {
			b.Add(f, "released in", p)
		}
	}
	b.Add("Known", "won", "Prize")
	g := b.Graph()
	for want, lines := range map[string][]string{
		"Obscure": {"?|released in|Finland", "?|released in|Peru", "?|released in|Chad"},
		"Known":   {"?|released in|Finland", "?|released in|Peru"},
	} {
		a := ask(t, g, testkg.Pattern(g, lines...))
		if len(a.Items) != 2 || a.Items[0].Label != want {
			t.Errorf("%v: %+v, want %s first of two", lines, a.Items, want)
		}
	}
}

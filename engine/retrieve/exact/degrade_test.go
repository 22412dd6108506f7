package exact_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/exact"
	"cairn/internal/testing/testkg"
)

// clinic is a small medical graph.
func clinic() *kg.Graph {
	return testkg.Build(
		"influenza : disease", "covid : disease", "common cold : disease", "malaria : disease", "measles : disease",
		"influenza|symptom|fever", "influenza|symptom|cough", "influenza|treated by|oseltamivir", "influenza|differs from|common cold",
		"covid|symptom|fever", "covid|symptom|cough", "covid|symptom|anosmia", "covid|treated by|paxlovid", "covid|differs from|influenza",
		"common cold|symptom|cough", "common cold|symptom|sneezing",
		"malaria|symptom|fever", "malaria|symptom|chills", "malaria|treated by|quinine", "malaria|carried by|mosquito",
		"measles|symptom|fever", "measles|symptom|rash",
		"oseltamivir|made by|Gilead", "paxlovid|made by|Pfizer", "quinine|made by|Bayer",
	)
}

// standing writes answers with the marks of their conditions: "malaria ✓✓✗".
func standing(g *kg.Graph, answers []evidence.Answer) (out []string) {
	for _, a := range answers {
		var b strings.Builder
		for _, o := range a.Outcomes {
			b.WriteString(map[evidence.Status]string{evidence.Met: "✓", evidence.Unmet: "✗", evidence.Unknown: "?"}[o.Status])
		}
		out = append(out, a.Label(g)+" "+b.String())
	}
	return out
}

func TestDegradation(t *testing.T) {
	g := clinic()
	like := func(lines ...string) *pattern.Pattern { return testkg.Pattern(g, lines...) }
	kind := func(p *pattern.Pattern) *pattern.Pattern {
		p.Nodes[p.Asked].Type, p.Nodes[p.Asked].Within = "disease", g.OfType(0)
		return p
	}
	unknown := like("?|symptom>|fever", "?|treated by>|quinine")
	unknown.Nodes[2].Text, unknown.Nodes[2].Entities = "artemisinin", nil
	task := func(p *pattern.Pattern, task pattern.Task) *pattern.Pattern {
		p.Task = task
		return p
	}
	for _, c := range []struct {
		name    string
		pattern *pattern.Pattern
		want    []string
		how     evidence.Completeness
		closest bool
	}{
		{"all is met", like("?|symptom>|fever", "?|symptom>|cough", "?|treated by>|oseltamivir"), []string{"influenza ✓✓✓"}, evidence.Exhaustive, false},
		{
			"one less, the rarest met first", like("?|symptom>|fever", "?|symptom>|cough", "?|treated by>|quinine"),
			[]string{"malaria ✓✗✓", "influenza ✓✓✗", "covid ✓✓✗"},
			evidence.Relaxed, false,
		},
		{
			"two less", like("?|symptom>|fever", "?|symptom>|cough", "?|treated by>|quinine", "?|differs from>|influenza"),
			[]string{"covid ✓✓✗✓"},
			evidence.Relaxed, false,
		},
		{
			"the most of a star", like("?|symptom>|sneezing", "?|symptom>|rash", "?|treated by>|paxlovid", "?|carried by>|mosquito", "?|symptom>|fever"),
			[]string{"measles ✗✓??✓", "malaria ✗✗✗✓✓", "covid ✗✗✓?✓"},
			evidence.Relaxed, false,
		},
		{"what the graph does not speak of", unknown, []string{"influenza ✓?", "covid ✓?", "malaria ✓?", "measles ✓?"}, evidence.Relaxed, false},
		{
			"by way of another", like("?|treated by>|?drug", "?drug|made by>|Gilead", "?|symptom>|anosmia"),
			[]string{"influenza ✗✓", "covid ✓✗"},
			evidence.Relaxed, false,
		},
		{"next to the names", like("?|treated by>|fever", "?|treated by>|cough"), []string{"influenza ✗✗", "covid ✗✗"}, evidence.Fallback, false},
		{"its kind is kept to", kind(like("?|symptom>|rash", "?|made by>|Pfizer")), []string{"measles ✓?✓"}, evidence.Relaxed, false},
		{"or given up", kind(like("?|made by>|Pfizer", "?|made by>|Bayer")), []string{"paxlovid ✓✗?", "quinine ✗✓?"}, evidence.Relaxed, false},
		{"no number of what is not there", task(like("?|symptom>|fever", "?|treated by>|paxlovid", "?|symptom>|rash"), pattern.Count), nil, evidence.Exhaustive, true},
		{"one condition alone", like("?|treated by>|cough"), nil, evidence.Exhaustive, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ask(t, g, of(c.pattern))
			if diff := cmp.Diff(c.want, standing(g, f.Answers)); diff != "" || f.Completeness != c.how {
				t.Errorf("%s, want %s (-want +got):\n%s%+v", f.Completeness, c.how, diff, f.Conditions)
			}
			if (len(f.Closest) > 0) != c.closest {
				t.Errorf("closest are %v", f.Closest)
			}
			for i, a := range f.Answers {
				if len(a.Supports) == 0 {
					t.Errorf("nothing supports answer %d", i)
				}
			}
		})
	}
}

// TestRelaxedSupportsNoClaim: what meets a part of a claim is no candidate for it.
func TestRelaxedSupportsNoClaim(t *testing.T) {
	g := clinic()
	p := testkg.Pattern(g, "malaria|symptom>|fever", "malaria|symptom>|cough")
	p.Task, p.Asked = pattern.Verify, -1
	f := ask(t, g, of(p))
	if len(f.Candidates)+len(f.Answers) > 0 || len(f.Closest) == 0 {
		t.Errorf("a claim that holds in part has %v, and closest %v", f.Candidates, f.Closest)
	}
}

// TestUnreadNames: a name that the reading leaves out ranks what it finds, and is
// reported.
func TestUnreadNames(t *testing.T) {
	g := clinic()
	q := of(testkg.Pattern(g, "?|symptom>|fever"))
	q.Readings[0].Unused = []string{"mosquito"}
	for at, name := range []string{"mosquito", "fever", "rash"} {
		q.Mentions = append(q.Mentions, link.Mention{Start: 10 * at, End: 10*at + len(name), Text: name, Candidates: []link.Candidate{{Entity: testkg.Find(g, name)}}})
	}
	f := ask(t, g, q)
	want := []string{"malaria ✓✓", "influenza ✓✗", "covid ✓✗", "measles ✓✗"}
	if diff := cmp.Diff(want, standing(g, f.Answers)); diff != "" || len(f.Conditions) != 2 || f.Completeness != evidence.Exhaustive || !f.Partial() {
		t.Errorf("%+v %s (-want +got):\n%s", f.Conditions, f.Completeness, diff)
	}
}

// TestNamesThatTheGraphLacks: of a name that nothing is called it is unknown whether what is
// found has anything to do with it, and that is a condition like others.
func TestNamesThatTheGraphLacks(t *testing.T) {
	g := clinic()
	for _, c := range []struct {
		question string
		unused   []string
		want     []string // conditions beside that of the reading
	}{
		{"what has fever, and is known in Dar Es Salaam?", []string{"known", "Dar", "Salaam", "Es"}, []string{"related to: Dar Es Salaam"}},
		{"what has fever in Nowhere, Zorgon and Rome?", []string{"Nowhere", "Zorgon"}, []string{"related to: Nowhere", "related to: Zorgon"}},
		{"Strangely what has fever?", []string{"Strangely"}, nil},
		{"What Has Fever In Nowhere?", []string{"Nowhere"}, nil},
	} {
		q := of(testkg.Pattern(g, "?|symptom>|fever"))
		q.Question, q.Readings[0].Unused = c.question, c.unused
		f := ask(t, g, q)
		var got []string
		for _, o := range f.Conditions[1:] {
			got = append(got, o.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.question, diff)
		}
		for _, s := range standing(g, f.Answers) {
			if !strings.HasSuffix(s, " ✓"+strings.Repeat("?", len(c.want))) {
				t.Errorf("%s: %s", c.question, s)
			}
		}
		if len(f.Answers) != 4 || f.Partial() != (len(c.want) > 0) {
			t.Errorf("%s: %v, partial: %t", c.question, standing(g, f.Answers), f.Partial())
		}
	}
}

// TestUnreadNamesAreNoAnswers: what the question names is not what it asks for, also where
// its reading leaves the name out.
func TestUnreadNamesAreNoAnswers(t *testing.T) {
	g := clinic()
	q := of(testkg.Pattern(g, "?|symptom>|fever"))
	q.Readings[0].Unused = []string{"covid"}
	q.Mentions = []link.Mention{{Start: 0, End: 5, Text: "covid", Candidates: []link.Candidate{{Entity: testkg.Find(g, "covid")}}}}
	if diff := cmp.Diff([]string{"influenza ✓✓", "malaria ✓✗", "measles ✓✗"}, standing(g, ask(t, g, q).Answers)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAnyRelation takes relations for any.
func TestAnyRelation(t *testing.T) {
	g := clinic()
	q := of(testkg.Pattern(g, "?|treated by>|fever", "?|treated by>|cough"))
	q.Limits.AnyRelation = true
	f := ask(t, g, q)
	if diff := cmp.Diff([]string{"influenza ✓✓", "covid ✓✓"}, standing(g, f.Answers)); diff != "" || f.Completeness != evidence.Exhaustive {
		t.Errorf("%s (-want +got):\n%s", f.Completeness, diff)
	}
}

func TestBadPatterns(t *testing.T) {
	g := clinic()
	r, err := exact.Method{}.Open(t.Context(), retrieve.World{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	large := &pattern.Pattern{Nodes: []pattern.Node{{Text: "?", Variable: true}}}
	for i := range exact.MaxEdges + 1 {
		large.Nodes = append(large.Nodes, pattern.Node{Text: fmt.Sprint("?", i), Variable: true})
		large.Edges = append(large.Edges, pattern.Edge{From: i, To: i + 1})
	}
	bad := testkg.Pattern(g, "?|symptom>|fever")
	bad.Edges[0].To = 7
	for name, p := range map[string]*pattern.Pattern{"large": large, "empty": {}, "an edge to nowhere": bad} {
		if _, err := r.Retrieve(t.Context(), of(p)); !errors.Is(err, exact.ErrPattern) {
			t.Errorf("%s: %v", name, err)
		} else if name == "large" && !strings.Contains(err.Error(), "21 edges, and at most 20 are matched exactly; ask in parts") {
			t.Errorf("no remedy for %d edges: %v", len(p.Edges), err)
		}
	}
	apart := testkg.Pattern(g, "?|symptom>|rash", "malaria|carried by>|mosquito")
	if f := ask(t, g, of(apart)); len(f.Answers) != 1 || f.Completeness != evidence.Exhaustive {
		t.Errorf("two parts that are met: %v", f.Answers)
	}
	apart = testkg.Pattern(g, "?|symptom>|rash", "?|symptom>|fever", "malaria|symptom>|cough")
	if diff := cmp.Diff([]string{"measles ✓✓✗"}, standing(g, ask(t, g, of(apart)).Answers)); diff != "" {
		t.Errorf("a part that is not met (-want +got):\n%s", diff)
	}
	unknowns := testkg.Pattern(g, "?a|symptom>|?b", "?b|symptom>|?c")
	if f := ask(t, g, of(unknowns)); len(f.Answers) > 0 || f.Completeness != evidence.Exhaustive {
		t.Errorf("nothing known and nothing met: %+v", f)
	}
}

// hubs is a graph in which two entities have very many neighbours, with one in common
// that also meets what is rare.
func hubs(n int) *kg.Graph {
	var b kg.Builder
	for i := range n {
		b.Add(fmt.Sprint("a", i), "in", "hub")
		b.Add(fmt.Sprint("b", i), "in", "other hub")
	}
	b.Add("a5", "in", "other hub")
	b.Add("a5", "like", "rare")
	b.Add("b7", "like", "rare")
	b.Add("b7", "not like", "a5")
	return b.Graph()
}

func TestHubs(t *testing.T) {
	start := time.Now()
	g := hubs(100_000)
	built := time.Since(start) // tells how fast this machine is, under whatever load
	start = time.Now()
	f := ask(t, g, of(testkg.Pattern(g, "?|in>|hub", "?|in>|other hub", "?|like>|rare", "?|not like>|a5")))
	// a5 meets as many, but the question names it.
	if diff := cmp.Diff([]string{"b7 ✗✓✓✓"}, standing(g, f.Answers)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if took := time.Since(start); took > 2*time.Second+5*built {
		t.Errorf("took %v, and the graph %v", took, built)
	}
	r, err := exact.Method{}.Open(t.Context(), retrieve.World{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
	defer cancel()
	start = time.Now()
	_, err = r.Retrieve(ctx, of(testkg.Pattern(g, "?x|in>|?y", "?z|in>|?y", "?z|like>|?w", "?x|not like>|?w")))
	if took := time.Since(start); took > 60*time.Millisecond+built/5 {
		t.Errorf("cancelled after 2 ms, it took %v: %v", took, err)
	}
}

// TestManyAnswersAreAllThere asks for more answers than are shown with their evidence.
func TestManyAnswersAreAllThere(t *testing.T) {
	g := hubs(100)
	q := of(testkg.Pattern(g, "?|in>|hub"))
	all := ask(t, g, q)
	q.Limits.Answers = 3
	f := ask(t, g, q)
	if len(f.Answers) != len(all.Answers) || len(f.Candidates) != 3 || f.Completeness != evidence.Exhaustive {
		t.Errorf("%d answers, %d with evidence, %v; want %d, 3, exhaustive", len(f.Answers), len(f.Candidates), f.Completeness, len(all.Answers))
	}
}

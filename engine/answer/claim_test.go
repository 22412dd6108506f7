package answer_test

import (
	"fmt"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/testkg"
)

// TestClaimsAreRefutedByWhatTheGraphShowsOnly checks when another value speaks
// against a claim: only where the data show that there is one value.
func TestClaimsAreRefutedByWhatTheGraphShowsOnly(t *testing.T) {
	for _, tt := range []struct {
		name    string
		heads   int // entities with one mother each
		doubles int // of them, those with two
		want    answer.Verdict
	}{
		{"one value for all", 40, 0, answer.Refuted},
		{"one value for nearly all", 40, 2, answer.Refuted},
		{"several values for some", 40, 3, answer.NotFound},
		{"one value for all of some", 6, 0, answer.Refuted},
		{"too few to tell", 5, 0, answer.NotFound},
	} {
		var l []string
		for i := range tt.heads {
			l = append(l, fmt.Sprintf("child%d|mother|mother%d", i, i/2), fmt.Sprintf("other%d|aunt|x", i))
		}
		for i := range tt.doubles {
			l = append(l, fmt.Sprintf("child%d|mother|stepmother%d", tt.heads-1-i, i))
		}
		g := testkg.Build(l...)
		p := testkg.Pattern(g, "child0|mother>|mother1")
		p.Task, p.Asked = pattern.Verify, -1
		if got := ask(t, g, p).Verdict; got != tt.want {
			t.Errorf("%s: verdict = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestFarMatchesDoNotSupportAClaim(t *testing.T) {
	g := testkg.Films()
	p := testkg.Pattern(g, "Harvey|directed_by|Henry Koster")
	p.Task, p.Asked = pattern.Verify, -1
	for _, tt := range []struct {
		name, relation float64
		want           answer.Verdict
	}{
		{0, 0, answer.Supported}, {0.4, 0.8, answer.Supported}, {0.65, 0, answer.NotFound}, {0, 1.2, answer.NotFound},
	} {
		c := evidence.Candidate{
			Nodes: []kg.EntityID{p.Nodes[0].Entities[0], p.Nodes[1].Entities[0]}, Edges: []kg.TripleID{2},
			Distance: tt.name + tt.relation, NodeDistance: []float64{tt.name, 0}, EdgeDistance: []float64{tt.relation},
		}
		a := answer.Direct(g, &plan.Plan{Readings: []plan.Reading{{Pattern: p}}}, 0, answer.Found{Found: evidence.Found{Candidates: []evidence.Candidate{c}}})
		if a.Verdict != tt.want {
			t.Errorf("distances %v and %v: verdict = %v, want %v", tt.name, tt.relation, a.Verdict, tt.want)
		}
		if (a.Refusal != nil) != (tt.want == answer.NotFound) {
			t.Errorf("distances %v and %v: refusal = %v", tt.name, tt.relation, a.Refusal)
		}
	}
}

// TestWhatAThingDoesExcludesNoMore checks that a relation refutes nothing where it only happens to
// have a single value, by what it is called.
func TestWhatAThingDoesExcludesNoMore(t *testing.T) {
	for relation, want := range map[string]answer.Verdict{
		"depends on": answer.NotFound, "affected": answer.NotFound, "follows": answer.NotFound,
		"made by": answer.Refuted, "flows into": answer.Refuted, "located in": answer.Refuted, "region": answer.Refuted, "capital": answer.Refuted,
	} {
		var l []string
		for i := range 40 {
			l = append(l, fmt.Sprintf("a%d|%s|b%d", i, relation, i/2))
		}
		g := testkg.Build(l...)
		p := testkg.Pattern(g, "a0|"+relation+">|b7")
		p.Task, p.Asked = pattern.Verify, -1
		if got := ask(t, g, p).Verdict; got != want {
			t.Errorf("%s: verdict = %v, want %v", relation, got, want)
		}
	}
	// Read backwards: what is owned has one owner, and who married one may have married another.
	for relation, want := range map[string]answer.Verdict{"owns": answer.Refuted, "marriages": answer.NotFound} {
		var l []string
		for i := range 40 {
			l = append(l, fmt.Sprintf("a%d|%s|b%d", i/2, relation, i), fmt.Sprintf("c%d|knows|b%d", i, i))
		}
		g := testkg.Build(l...)
		p := testkg.Pattern(g, "a9|"+relation+">|b0")
		p.Task, p.Asked = pattern.Verify, -1
		if got := ask(t, g, p).Verdict; got != want {
			t.Errorf("%s, backwards: verdict = %v, want %v", relation, got, want)
		}
	}
}

// TestOnlyAnotherValueOfTheKindRefutes checks what may stand against a claim: a
// thing of the same kind under clearly another name.
func TestOnlyAnotherValueOfTheKindRefutes(t *testing.T) {
	var l []string
	for i := range 40 {
		l = append(l, fmt.Sprintf("city%d|country|country%d", i, i/2), fmt.Sprintf("city%d|population|%d", i, 1000000+i))
	}
	l = append(
		l, "Boston|country|United States", "Boston|population|650706", "Boston|founded|1630", "Salem|country|United States of America",
		"Enda Kenny|leads|Ireland", "x|population|649,000", "x2|population|12", "\"United States\"|is|y", "Eire : country", "United States : country",
	)
	g := testkg.Build(l...)
	for claimed, want := range map[string]answer.Verdict{
		"country|country3":                 answer.Refuted,
		"country|Eire":                     answer.Refuted, // a country by its type
		"country|United States of America": answer.NotFound,
		"country|\"United States\"":        answer.NotFound,
		"country|Enda Kenny":               answer.NotFound, // no country anywhere
		"population|649,000":               answer.NotFound, // rounded
		"population|12":                    answer.Refuted,
	} {
		p := testkg.Pattern(g, "Boston|"+claimed)
		p.Task, p.Asked = pattern.Verify, -1
		if got := ask(t, g, p).Verdict; got != want {
			t.Errorf("Boston %s: verdict = %v, want %v", claimed, got, want)
		}
	}
}

package say_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/say"
)

func TestTriple(t *testing.T) {
	for relation, want := range map[string]string{
		"capital":             "the capital of H is T",
		"capital_of":          "H is the capital of T",
		"member of":           "H is a member of T",
		"part of":             "H is part of T",
		"instance_of":         "H is an instance of T",
		"directed_by":         "H was directed by T",
		"located in":          "H is located in T",
		"first caught in":     "H was first caught in T",
		"bornIn":              "H was born in T",
		"locatedin":           "H is located in T",
		"worksfor":            "H works for T",
		"inhibition to":       "H has an inhibition to T",
		"is symptom of":       "H is a symptom of T",
		"above":               "H is above T",
		"stimulates":          "H stimulates T",
		"indicated_for":       "H is indicated for T",
		"within":              "H is within T",
		"inside":              "H is inside T",
		"votedFor":            "H voted for T",
		"voted against":       "H voted against T",
		"descended from":      "H is descended from T",
		"domain":              "the domain of H is T",
		"starred_actors":      "the starred actors of H include T",
		"starred in":          "H starred in T",
		"borrowed words from": "H borrowed words from T",
		"shareWardWith":       "H shares a ward with T",
		"directed":            "H directed T",
		"wrote":               "H wrote T",
		"release_year":        "the release year of H is T",
		"has_genre":           "H has genre T",
		"in_language":         "H is in language T",
		"borders":             "H borders T",
		"flows through":       "H flows through T",
		"lies on":             "H lies on T",
		"named after":         "H is named after T",
		"awarded to":          "H was awarded to T",
		"is a":                "H is a T",
		"isa":                 "H is a T",
		"also known as":       "H is also known as T",
		"interacts_with":      "H interacts with T",
		"co-occurs_with":      "H co occurs with T",
		"adjacent_to":         "H is adjacent to T",
		"associated_with":     "H is associated with T",
		"place_of_birth":      "the place of birth of H is T",
		"area (km²)":          "the area of H is T km²",
		"children":            "the children of H include T",
		"plays_in_club":       "H plays in club T",
		"treats":              "H treats T",
		"spouse":              "the spouse of H is T",

		"film.film.directed_by": "H was directed by T",

		"OWNS":           "H owns T",
		"DIRECTOR_OF":    "H is the director of T",
		"TRANSFERRED_TO": "H was transferred to T",
		"ISBN":           "the ISBN of H is T",

		"plays_in_club_inverse":                "T plays in club H",
		"conceptually_related_to":              "H is conceptually related to T",
		"http://example.org/ontology#deathDay": "the death day of H is T",
	} {
		var b kg.Builder
		id := b.Add("H", relation, "T")
		if got := say.Triple(b.Graph(), id); got != want {
			t.Errorf("TripleText(H %s T) = %q, want %q", relation, got, want)
		}
	}
}

// TestValues words triples whose tail is a value.
func TestValues(t *testing.T) {
	for _, c := range [][3]string{
		{"founded", "1945", "H was founded in 1945"},
		{"died", "1945", "H died in 1945"},
		{"died", "1945-03", "H died in 1945-03"},
		{"opened", "2020-06-20", "H was opened on 2020-06-20"},
		{"joined", "2020-06-20", "H joined on 2020-06-20"},
		{"started", "1998", "H started in 1998"},
		{"expires", "2020-06-20", "H expires on 2020-06-20"},
		{"starts", "48", "H has 48 starts"},
		{"first published", "1998", "H was first published in 1998"},
		{"also called", "Hugin", "H is also called Hugin"},
		{"hours", "2", "the hours of H are 2"},
		{"parts used", "Roller", "the parts used of H include Roller"},
		{"in milk", "yes", "“in milk” is yes for H"},
		{"polled", "N", "“polled” is N for H"},
		{"located in", "Y", "H is located in Y"},
		{"seats", "48", "H has 48 seats"},
		{"berths", "1", "H has 1 berth"},
		{"editions", "1998", "the editions of H are 1998"},
		{"fees", "48", "the fees of H are 48"},
		{"car spaces", "48", "the car spaces of H are 48"},
		{"term in years", "6", "the term in years of H is 6"},
		{"payment terms", "60 days", "the payment terms of H are 60 days"},
		{"extras", "roof rack", "the extras of H include roof rack"},
		{"cells (thousand/ml)", "418", "the cells of H are 418 thousand/ml"},
		{"rating (1-5)", "4", "the rating of H is 4"},
	} {
		var b kg.Builder
		id := b.Add("H", c[0], c[1])
		if got := say.Triple(b.Graph(), id); got != c[2] {
			t.Errorf("%s %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	if got, want := say.ClauseOf("seats").Say([]string{"A", "B"}, []string{"48 [T1]"}, true), "A and B each have 48 seats [T1]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNamesStayReadable(t *testing.T) {
	var b kg.Builder
	got := map[string]string{}
	labels := []string{
		"He said \"no\"\nand left", "\t", "see [T9]", strings.Repeat("very ", 40), strings.Repeat("é", 200), "a\x00b",
	}
	for _, l := range labels {
		b.Entity(l)
	}
	g := b.Graph()
	for e, l := range labels {
		got[l] = say.Name(g, kg.EntityID(e))
	}
	want := map[string]string{
		labels[0]: `He said "no" and left`,
		labels[1]: "(an entity without a name)",
		labels[2]: "see (T9]",
		labels[3]: strings.TrimSpace(strings.Repeat("very ", 40)[:79]) + "…",
		labels[4]: strings.Repeat("é", 79) + "…",
		labels[5]: "a b",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Name (-want +got):\n%s", diff)
	}
}

// TestSeveral words one clause for several things.
func TestSeveral(t *testing.T) {
	for relation, want := range map[string]string{
		"director of": "A and B are the directors of T", "member of": "A and B are members of T", "part of": "A and B are part of T",
		"located in": "A and B are located in T", "borders": "A and B border T",
	} {
		if got := say.ClauseOf(relation).Say([]string{"A", "B"}, []string{"T"}, false); got != want {
			t.Errorf("%s: %q, want %q", relation, got, want)
		}
	}
}

package pattern_test

import (
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/testing/testkg"
)

// TestDescribes: what has little else to be said of it is likelier to be described by the
// same names, and so is what is joined to one of them in several ways.
func TestDescribes(t *testing.T) {
	g := testkg.Build(
		"famous|plays in|Red", "famous|plays in|Blue", "famous|born in|Paris", "famous|plays in|Green", "famous|plays in|Grey",
		"plain|plays in|Red", "plain|plays in|Blue", "plain|born in|Paris", "plain|plays in|Pink",
		"both|plays in|Red", "both|plays in|Blue", "both|born in|Paris", "Red|directed by|both",
	)
	order := func(p *pattern.Pattern) []string {
		of := p.Describes(g)
		if of == nil {
			return nil
		}
		names := []string{"famous", "plain", "both"}
		slices.SortFunc(names, func(a, b string) int {
			if of(testkg.Find(g, a)) < of(testkg.Find(g, b)) {
				return -1
			}
			return 1
		})
		if of(kg.NoEntity) != 0 {
			t.Error("a value is described")
		}
		return names
	}
	three := testkg.Pattern(g, "?|plays in>|Red", "?|plays in>|Blue", "?|born in>|Paris")
	if got, want := order(three), []string{"both", "plain", "famous"}; !slices.Equal(got, want) {
		t.Errorf("described are %q, want %q", got, want)
	}
	if got := order(testkg.Pattern(g, "?|plays in>|Red", "?|born in>|Paris")); got != nil {
		t.Errorf("two names describe: %q", got)
	}
}

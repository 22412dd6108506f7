package engine

import (
	"strings"
	"testing"

	"cairn/engine/kg"
)

// TestEventsAreNotStates: who joined, married or bought in a year did so in that year, and was a
// member, married or the owner in all those of the span.
func TestEventsAreNotStates(t *testing.T) {
	var b kg.Builder
	for _, line := range []string{"Anna|married to|Carl|1988|2001", "Ben|joined|Navy|1950|1955", "Ann|member of|Chess Club|1991|1998", "Cy|works for|Delta|2001|2009"} {
		f := strings.Split(line, "|")
		b.AddStatement(f[0], f[1], f[2], kg.Property{Name: "start", Value: f[3], Entity: kg.NoEntity}, kg.Property{Name: "end", Value: f[4], Entity: kg.NoEntity})
	}
	e, err := OnGraph(t.Context(), b.Graph(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSure(t, e, map[string]bool{
		"Anna married Carl in 1995.": false, "Anna married Carl in 1988.": true, "Anna was married to Carl in 1995.": true,
		"Who married Carl in 1995?": false, "Whom did Anna marry in 1988?": true, "Who was married to Carl in 1995?": true,
		"Ben joined the Navy in 1953.": false, "Ben joined the Navy in 1950.": true, "Who joined the Navy in 1953?": false,
		"Who was a member of the Chess Club in 1995?": true, "Who worked for Delta in 2005?": true, "Cy left Delta in 2005.": false,
	})
}

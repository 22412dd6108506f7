package answer

import (
	"strconv"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/internal/testing/shared"
)

// manyNames is a graph of so many entities, one of them in three triples, whose labels
// are names, or values that could each be the best known one.
func manyNames(n int, values bool) *kg.Graph {
	var b kg.Builder
	for i := range n {
		name := "entity number " + strconv.Itoa(i)
		if values {
			name = strconv.Itoa(i)
		}
		b.Add(name, "has", "property "+strconv.Itoa(i%1000))
	}
	for i := range 3 {
		b.Add("Kismet", "has", "property "+strconv.Itoa(i))
	}
	return b.Graph()
}

// TestKnown names the entity with the most triples of a graph of a usual size, and
// takes no longer for more entities, whatever they are called.
func TestKnown(t *testing.T) {
	shared.Sequential(t)
	if got := known(manyNames(50_000, false)); got != "Kismet" {
		t.Errorf("known = %q, want the name with the most triples", got)
	}
	var b kg.Builder
	for _, t := range [][3]string{{"24-0701", "ward", "Surgery"}, {"24-0701", "taken by", "Ada Holt"}, {"Ada Holt", "job", "nurse"}} {
		b.Add(t[0], t[1], t[2])
	}
	if got := known(b.Graph()); got != "Ada Holt" {
		t.Errorf("known = %q, want a name rather than an id", got)
	}
	took := func(g *kg.Graph) time.Duration {
		best := time.Hour
		for range 5 {
			began := time.Now()
			known(g)
			best = min(best, time.Since(began))
		}
		return best
	}
	for _, values := range []bool{false, true} {
		few, many := took(manyNames(60_000, values)), took(manyNames(600_000, values))
		if many > 4*few {
			t.Errorf("values %v: %v for 60,000 entities, %v for 600,000", values, few, many)
		}
	}
}

func BenchmarkKnown(b *testing.B) {
	for _, n := range []int{1_000_000, 4_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			g := manyNames(n, true)
			for b.Loop() {
				known(g)
			}
		})
	}
}

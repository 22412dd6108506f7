package testkg

import (
	"fmt"

	"cairn/engine/kg"
)

// SaidTwice has a relation, its inverse, its double, a symmetric relation and
// dates.
func SaidTwice() *kg.Graph {
	var b kg.Builder
	for i := range 30 {
		film, person := fmt.Sprintf("Film %d", i), fmt.Sprintf("Person %d", i%7)
		b.Add(film, "directed_by", person)
		b.Add(person, "directed_by_inverse", film)
		b.Add(film, "film_directed_by", person)
		b.Add(film, "release_year", fmt.Sprint(1980+i))
		b.Add(fmt.Sprintf("Land %d", i), "borders", fmt.Sprintf("Land %d", (i+1)%30))
		b.Add(fmt.Sprintf("Land %d", (i+1)%30), "borders", fmt.Sprintf("Land %d", i))
		b.Add(person, "spouse_s", fmt.Sprintf("m.0%d", i%7))
	}
	return b.Graph()
}

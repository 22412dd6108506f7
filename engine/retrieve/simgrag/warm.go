package simgrag

import "cairn/engine/kg"

// warmed is how many entities are fetched at a time: more loads than a processor
// keeps under way at once bring nothing.
const warmed = 32

// warm fetches the neighbourhoods of at most warmed entities into the
// processor's caches. In a graph of gigabytes each lies somewhere else, and one
// has to be waited for; loads that do not depend on each other are waited for
// together.
func (s *search) warm(entities []kg.EntityID) {
	var rows [2 * warmed][]kg.Edge
	for i, e := range entities {
		rows[2*i], rows[2*i+1] = s.q.g.Out(e), s.q.g.In(e)
	}
	sum := kg.RelationID(0)
	for _, row := range rows[:2*len(entities)] {
		if len(row) > 0 {
			sum += row[0].Relation + row[len(row)-1].Relation
		}
	}
	s.touched = sum
}

// warmChoices is warm for what choices lead to.
func (s *search) warmChoices(list []choice) {
	var batch [warmed]kg.EntityID
	for i, c := range list {
		batch[i] = c.entity
	}
	s.warm(batch[:len(list)])
}

package simgrag

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
)

// ofTypes returns the entities of the types that are near enough to a hint,
// ascending, or nil where none is; either way it leaves a note.
//
// A type that is nearly as near as the nearest counts too ("film" for "movie"
// and "feature film"), one far behind it does not.
func (q *query) ofTypes(n pattern.Node, near []link.Neighbour[kg.TypeID], limit float64) []kg.EntityID {
	const slack = 0.1
	if len(near) == 0 || near[0].Distance > limit {
		q.notes = append(q.notes, fmt.Sprintf("No type of this graph is near to %q, so it does not restrict %s.", n.Type, n.Text))
		return nil
	}
	var out []kg.EntityID
	var names []string
	for _, t := range near {
		if t.Distance > limit || t.Distance > near[0].Distance+slack {
			break
		}
		out = append(out, q.g.OfType(t.ID)...)
		names = append(names, fmt.Sprintf("%q", q.g.TypeLabel(t.ID)))
	}
	q.notes = append(q.notes, fmt.Sprintf("The hint %q limits %s to the types %s.", n.Type, n.Text, strings.Join(names, ", ")))
	slices.Sort(out)
	return slices.Compact(out)
}

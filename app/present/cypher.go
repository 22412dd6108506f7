package present

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/cypher"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// cypherCell writes a value of a Cypher result for people: nodes by their names,
// relationships as triples, paths with arrows, lists and maps in their brackets.
func cypherCell(g *kg.Graph, v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		return v
	case fmt.Stringer: // a value of time
		return v.String()
	case cypher.Node:
		return g.Label(kg.EntityID(v))
	case cypher.Rel:
		return TripleText(g, cypher.Triple(v))
	case cypher.Walk:
		var b strings.Builder
		for i, n := range v.Nodes {
			if i > 0 {
				t := g.Triple(cypher.Triple(v.Rels[i-1]))
				if name := g.RelationText(t.Relation); t.Head == kg.EntityID(v.Nodes[i-1]) {
					fmt.Fprintf(&b, " —%s→ ", name)
				} else {
					fmt.Fprintf(&b, " ←%s— ", name)
				}
			}
			b.WriteString(g.Label(kg.EntityID(n)))
		}
		return b.String()
	case cypher.List:
		parts := wording.Each(v, func(x any) string { return cypherCell(g, x) })
		return "[" + strings.Join(parts, ", ") + "]"
	case cypher.Map:
		var parts []string
		for k, x := range v {
			parts = append(parts, k+": "+cypherCell(g, x))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return cypher.Text(v)
}

// CypherTable writes a result as rows of texts, the names of its columns first.
func CypherTable(g *kg.Graph, r *cypher.Result) [][]string {
	rows := [][]string{slices.Clone(r.Columns)}
	for _, row := range r.Rows {
		cells := wording.Each(row.Values, func(v any) string { return cypherCell(g, v) })
		rows = append(rows, cells)
	}
	return rows
}

// CypherSummary says how many rows there are, whether any are missing, and why.
func CypherSummary(r *cypher.Result) string {
	s := Plural(len(r.Rows), "row", "rows")
	switch {
	case r.Late:
		s += "; time ran out, so there may be more"
	case r.Large:
		s += "; the work limit was reached, so there may be more"
	case r.More:
		s += ", and there are more; end the query with LIMIT or count(*)"
	}
	return s + "."
}

// CypherEvidence lists the triples that the rows of a result rest on, each once, and says
// whether rows rest on more.
func CypherEvidence(r *cypher.Result) (ts []kg.TripleID, cut bool) {
	for _, row := range r.Rows {
		cut = cut || row.Cut
		for _, rel := range row.Rels {
			ts = append(ts, cypher.Triple(rel))
		}
	}
	return kg.Distinct(ts), cut
}

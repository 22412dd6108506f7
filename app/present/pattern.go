package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/report"
)

// PatternTable sets a pattern beside one of its matches: a row per node, then
// a row per edge. The distances of the rows add up to the total, which is the
// match's own distance.
func PatternTable(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) (rows []report.PatternRow, total float64) {
	for i, n := range p.Nodes {
		row := report.PatternRow{Kind: "node", Asked: nodeText(n), Found: "not found", Missing: true, Distance: at(c.NodeDistance, i)}
		if i < len(c.Nodes) && c.Nodes[i] != kg.NoEntity {
			row.Found, row.Missing = OneLine(g.Label(c.Nodes[i])), false
			if !n.Variable && len(n.Entities) > 0 && !slices.Contains(n.Entities, c.Nodes[i]) {
				row.Found, row.Missing = row.Found+" (another)", true
			}
		}
		if row.Missing && !p.IsPlain() { // a branch has it to itself
			continue
		}
		rows = append(rows, row)
	}
	for i, e := range p.Edges {
		row := report.PatternRow{Kind: "edge", Asked: edgeText(p, e), Found: "not found", Missing: true, Distance: at(c.EdgeDistance, i)}
		if i < len(c.Edges) && c.Edges[i] != kg.NoTriple {
			row.Found, row.Missing = TripleText(g, c.Edges[i]), false
			if !pattern.NewTest(g, e.Conditions).Holds(c.Edges[i]) {
				row.Found, row.Missing = row.Found+" (but not the condition)", true
			}
		}
		rows = append(rows, row)
	}
	return rows, c.Distance
}

// NoMatch says in words what a pattern table is of that is not of a match: a part is
// missing, or a word of the claim; "" where it is of a match.
func NoMatch(run *engine.Run, rows []report.PatternRow) string {
	is := StandingOf(run)
	switch {
	case !is.IsEvidence() && slices.ContainsFunc(rows, func(r report.PatternRow) bool { return r.Missing }):
		return "No match; this is the closest one found."
	case !is.IsEvidence():
		return "The pattern matches, but it does not cover everything that was asked."
	case is == refuting:
		return "This is in the graph and contradicts the claim."
	}
	return ""
}

// PartOf writes a row's part of the distance, where it has one.
func PartOf(r report.PatternRow) string {
	if r.Missing {
		return "–"
	}
	return PartText(r.Distance)
}

// PatternWords says a pattern in sentences: what is looked for, by which
// conditions, and what is done with the matches.
func PatternWords(p *pattern.Pattern) []string {
	var lines []string
	switch p.Task {
	case pattern.Find:
		if p.Asked >= 0 {
			lines = append(lines, "Find every "+variableName(p, p.Asked)+" such that")
		}
	case pattern.Count:
		if p.Asked >= 0 {
			lines = append(lines, "Count the different values of "+variableName(p, p.Asked)+" such that")
		}
	case pattern.Verify:
		if p.Negated {
			lines = append(lines, "Check whether none of this holds:")
		} else {
			lines = append(lines, "Check whether")
		}
	case pattern.Connect:
		lines = append(lines, fmt.Sprintf("Find how %s and %s are connected", variableName(p, 0), variableName(p, 1)))
	case pattern.Describe:
		lines = append(lines, "List everything the graph says about "+variableName(p, p.Asked))
	case pattern.Contrast:
		lines = append(lines, fmt.Sprintf("Compare %s with %s", variableName(p, 0), variableName(p, 1)))
	}
	for _, e := range p.Edges {
		lines = append(lines, "• "+edgeText(p, e))
	}
	if !p.IsPlain() {
		for _, c := range pattern.Clauses(p) {
			lines = append(lines, "• "+OneLine(c))
		}
		return lines
	}
	for _, f := range p.Filters {
		lines = append(lines, fmt.Sprintf("• %s is %s %s", variableName(p, f.Node), f.Op.Words(), plainNumber(f.Value)))
	}
	if o := p.Order; o != nil {
		which := "smallest"
		if o.Descending {
			which = "largest"
		}
		many := "one"
		if o.Limit != 1 {
			many = Count(o.Limit)
		}
		lines = append(lines, fmt.Sprintf("and keep the %s with the %s %s", many, which, variableName(p, o.Node)))
	}
	return lines
}

// plainNumber writes a number without an exponent or needless zeros.
func plainNumber(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

func nodeText(n pattern.Node) string {
	if n.Variable {
		name := cmp.Or(strings.TrimPrefix(n.Text, "?"), n.Type)
		return "?" + OneLine(name)
	}
	return OneLine(n.Text)
}

// variableName is a node in running text.
func variableName(p *pattern.Pattern, i int) string {
	if i < 0 || i >= len(p.Nodes) {
		return "thing"
	}
	return nodeText(p.Nodes[i])
}

// relationText is a pattern edge's relation in words.
func relationText(e pattern.Edge) string {
	if e.Relation == "" {
		return "any relation"
	}
	return OneLine(strings.ReplaceAll(e.Relation, "_", " "))
}

func edgeText(p *pattern.Pattern, e pattern.Edge) string {
	arrow := "—"
	if e.Direction == pattern.Forward {
		arrow = "→"
	}
	parts := []string{fmt.Sprintf("%s — %s %s %s", variableName(p, e.From), relationText(e), arrow, variableName(p, e.To))}
	for _, c := range e.Conditions {
		parts = append(parts, conditionText(c))
	}
	return strings.Join(parts, ", ")
}

// conditionText is a condition on a statement in words: "share greater than 25 %",
// "from – to includes 2015".
func conditionText(c pattern.Condition) string {
	name, op := OneLine(kg.RelationText(c.Property)), c.Op.Words()
	if c.To != "" {
		name += " – " + OneLine(kg.RelationText(c.To))
		op = map[pattern.Op]string{pattern.Less: "begins before", pattern.AtMost: "begins by", pattern.Equal: "includes", pattern.AtLeast: "lasts until at least", pattern.Greater: "ends after"}[c.Op]
	}
	return name + " " + op + " " + OneLine(c.Value)
}

// TripleText is a triple in words, with what its statements say: "Vienna — capital of →
// Austria", "Marie Curie — director of → Radium Institute, from 1914 to 1934".
func TripleText(g *kg.Graph, t kg.TripleID) string {
	tr := g.Triple(t)
	text := fmt.Sprintf("%s — %s → %s",
		OneLine(g.Label(tr.Head)), OneLine(g.RelationText(tr.Relation)), OneLine(g.Label(tr.Tail)))
	if said := StatementsText(g, t); said != "" {
		text += ", " + said
	}
	return text
}

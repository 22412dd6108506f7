package present

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"cairn/engine/kg"
)

// Suggestions are up to n questions made from a graph's schema: one for each
// of its most used relations, about an entity that really has it. They read as
// well as the relation's name allows, and are the same for the same graph.
func Suggestions(g *kg.Graph, n int) []string {
	type use struct {
		r     kg.RelationID
		count int
	}
	counts := make([]use, g.Relations())
	for r := range counts {
		counts[r].r = kg.RelationID(r)
	}
	for t := range g.Triples() {
		counts[g.Triple(kg.TripleID(t)).Relation].count++
	}
	slices.SortStableFunc(counts, func(a, b use) int { return cmp.Compare(b.count, a.count) })
	var out []string
	used := map[kg.EntityID]bool{}
	for _, u := range counts {
		if len(out) == n || u.count == 0 {
			break
		}
		q := schemaQuestion(g, u.r, used)
		if q != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// schemaQuestion asks for relation r of an entity that has it, preferring one
// that many triples name and that no other suggestion is about.
func schemaQuestion(g *kg.Graph, r kg.RelationID, used map[kg.EntityID]bool) string {
	text := strings.ToLower(OneLine(g.RelationText(r)))
	if text == "" {
		return ""
	}
	tr, ok := example(g, r, used)
	if !ok {
		return ""
	}
	used[tr.Head] = true
	return phrase(text, OneLine(g.Label(tr.Head)))
}

// example picks the triple of relation r with the best known head, among the
// first few thousand.
func example(g *kg.Graph, r kg.RelationID, used map[kg.EntityID]bool) (kg.Triple, bool) {
	const enough, readableDegree = 3000, 40
	best, bestScore, looked := kg.Triple{}, -1, 0
	for t := range g.Triples() {
		tr := g.Triple(kg.TripleID(t))
		if tr.Relation != r {
			continue
		}
		if looked++; looked > enough {
			break
		}
		label := g.Label(tr.Head)
		if used[tr.Head] || g.IsLiteral(tr.Head) || !nameLike(label) {
			continue
		}
		score := min(g.Degree(tr.Head), readableDegree)
		if len(label) < 5 {
			score -= readableDegree / 2
		}
		if score = max(score, 0); score > bestScore {
			best, bestScore = tr, score
		}
	}
	return best, bestScore >= 0
}

// nameLike reports whether a label reads as a name: short, with letters, and
// neither an address nor a bare id.
func nameLike(s string) bool {
	if len(s) < 3 || len(s) > 40 || strings.ContainsAny(s, "/:|<>\"") {
		return false
	}
	return strings.ContainsFunc(s, unicode.IsLetter)
}

// phrase asks for a relation of a name in the grammar that the relation's last
// word suggests.
func phrase(relation, name string) string {
	words := strings.Fields(relation)
	first, last := words[0], words[len(words)-1]
	rest := strings.Join(words[1:], " ")
	switch {
	case first == "has" && rest != "":
		return "What " + rest + " does " + name + " have?"
	case first == "in" && rest != "":
		return "What is the " + rest + " of " + name + "?"
	case first == "is" && rest != "":
		return "What is " + name + " " + rest + "?"
	case last == "by" && len(words) > 1:
		return "Who was " + name + " " + relation + "?"
	case last == "of":
		return "What is " + name + " the " + relation + "?"
	case last == "in" || last == "at" || last == "on" || last == "from" || last == "to" || last == "with":
		return "What is " + name + " " + relation + "?"
	case strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss"):
		return "What are the " + relation + " of " + name + "?"
	}
	return "What is the " + relation + " of " + name + "?"
}

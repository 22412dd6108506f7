package rdf_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// isomorphic reports whether two graphs are the same but for the labels of their blank
// nodes.
func isomorphic(a, b []quad) bool {
	a, b = distinct(a), distinct(b)
	if len(a) != len(b) {
		return false
	}
	return same(a, b, map[string]string{}, map[string]string{})
}

func distinct(quads []quad) []quad {
	set := map[quad]bool{}
	for _, q := range quads {
		set[q] = true
	}
	return slices.Collect(maps.Keys(set))
}

// same colours the blank nodes of both by what is around them until that tells no more,
// and where it does not tell all, fixes one and tries its candidates.
func same(a, b []quad, fixedA, fixedB map[string]string) bool {
	colourA, colourB := colours(a, fixedA), colours(b, fixedB)
	if !maps.Equal(histogram(colourA), histogram(colourB)) {
		return false
	}
	byColour := map[string][]string{}
	for node, c := range colourA {
		byColour[c] = append(byColour[c], node)
	}
	for _, c := range slices.Sorted(maps.Keys(byColour)) {
		if len(byColour[c]) == 1 {
			continue
		}
		fixedA := maps.Clone(fixedA)
		fixedA[slices.Min(byColour[c])] = "fixed" + c
		for node, other := range colourB {
			if other == c {
				fixedB := maps.Clone(fixedB)
				fixedB[node] = "fixed" + c
				if same(a, b, fixedA, fixedB) {
					return true
				}
			}
		}
		return false
	}
	paint := func(quads []quad, colour map[string]string) map[quad]bool {
		set := map[quad]bool{}
		for _, q := range quads {
			set[q.replace(func(label string) string { return "_:" + colour[label] })] = true
		}
		return set
	}
	return maps.Equal(paint(a, colourA), paint(b, colourB))
}

func histogram(colour map[string]string) map[string]int {
	h := map[string]int{}
	for _, c := range colour {
		h[c]++
	}
	return h
}

// colours returns for each blank node a text that depends on what is around it alone.
func colours(quads []quad, fixed map[string]string) map[string]string {
	colour := map[string]string{}
	for _, q := range quads {
		q.replace(func(label string) string { colour[label] = fixed[label]; return label })
	}
	for range len(colour) {
		around := map[string][]string{}
		for _, q := range quads {
			nodes := map[string]bool{}
			q.replace(func(label string) string { nodes[label] = true; return label })
			for node := range nodes {
				seen := q.replace(func(label string) string {
					if label == node {
						return "_:self"
					}
					return "_:" + colour[label]
				})
				around[node] = append(around[node], seen.s+" "+seen.p+" "+seen.o+" "+seen.g)
			}
		}
		next := map[string]string{}
		for node, facts := range around {
			slices.Sort(facts)
			next[node] = digest(colour[node] + "\n" + strings.Join(facts, "\n"))
		}
		before, after := len(histogram(colour)), len(histogram(next))
		colour = next
		if before == after && before > 1 {
			break
		}
	}
	return colour
}

// replace gives every label of a blank node a new text, also inside triple terms.
func (q quad) replace(by func(label string) string) quad {
	term := func(s string) string {
		if !strings.HasPrefix(s, "_:") && !strings.HasPrefix(s, "<<(") {
			return s
		}
		words := strings.Split(s, " ")
		for i, w := range words {
			if strings.HasPrefix(w, "_:") {
				words[i] = by(w)
			}
		}
		return strings.Join(words, " ")
	}
	return quad{term(q.s), q.p, term(q.o), term(q.g)}
}

// digest keeps colours short.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

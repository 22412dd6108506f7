package eval

import (
	"regexp"
	"slices"
	"strings"
)

// contained is the kind of the questions of a set whose graph has what they ask for.
const contained = "the graph has what is asked"

// neighbours are the names of a graph, each with those that a triple joins it to.
type neighbours map[string]map[string]bool

// readNeighbours reads a table of triples.
func readNeighbours(root, file string) (neighbours, error) {
	n := neighbours{}
	join := func(a, b string) {
		if n[a] == nil {
			n[a] = map[string]bool{}
		}
		n[a][b] = true
	}
	err := lines(root, file, func(line string) error {
		const columns = 3
		if t := strings.Split(line, "\t"); len(t) == columns {
			join(t[0], t[2])
			join(t[2], t[0])
		}
		return nil
	})
	return n, err
}

// conditionPattern matches a triple of a query, but for what tells kinds and compares literals.
var conditionPattern = regexp.MustCompile(`(?m)(\?\w+|ns:[mg]\.\w+)\s+ns:([\w.]+)\s+(\?\w+|ns:[mg]\.\w+)\s*\.`)

// has reports whether triples join every answer to what the SPARQL query of a question names, by as
// many steps as the query has, whatever their relations: a subset of a graph may call these otherwise,
// and turn them. Names of the query that are not known, and what only kinds and filters say, count as met.
func (n neighbours) has(query string, names map[string]string, answers []string) bool {
	var conditions [][2]string
	for _, m := range conditionPattern.FindAllStringSubmatch(query, -1) {
		if m[2] != "common.topic.notable_types" {
			conditions = append(conditions, [2]string{m[1], m[3]})
		}
	}
	for _, a := range answers {
		if n[a] == nil || len(conditions) == 0 || !n.meets(conditions, names, map[string]string{"?x": a}) {
			return false
		}
	}
	return len(answers) > 0
}

// meets reports whether the terms of conditions, some of them bound, can be bound so that all are met.
func (n neighbours) meets(conditions [][2]string, names, bound map[string]string) bool {
	value := func(term string) string {
		if name, ok := names[strings.TrimPrefix(term, "ns:")]; ok {
			return name
		}
		return bound[term]
	}
	// The next is one with a bound end.
	at := slices.IndexFunc(conditions, func(c [2]string) bool { return value(c[0]) != "" || value(c[1]) != "" })
	if at < 0 {
		return true
	}
	from, to := conditions[at][0], conditions[at][1]
	if value(from) == "" {
		from, to = to, from
	}
	rest := slices.Delete(slices.Clone(conditions), at, at+1)
	if v := value(to); v != "" {
		return n[value(from)][v] && n.meets(rest, names, bound)
	}
	for next := range n[value(from)] {
		bound[to] = next
		if n.meets(rest, names, bound) {
			delete(bound, to)
			return true
		}
		delete(bound, to)
	}
	return false
}

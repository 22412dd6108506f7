package testkg

import (
	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Worlds returns the small worlds, made anew.
func Worlds() []World {
	return []World{chain(), star(), triangle(), sameTitle(), apart(), loop(), parallel(), unknown(), values()}
}

// Films is a chain and its neighbourhood: who directed what, and when it came
// out.
func Films() *kg.Graph {
	return Build(
		"Winchester '73|directed_by|Anthony Mann",
		"The Far Country|directed_by|Anthony Mann",
		"Harvey|directed_by|Henry Koster",
		"Winchester '73|release_year|1950",
		"The Far Country|release_year|1954",
		"Harvey|release_year|1950",
		"Winchester '73|starred_actors|James Stewart",
		"The Far Country|starred_actors|James Stewart",
		"Harvey|starred_actors|James Stewart",
		"Harvey|starred_actors|Josephine Hull",
		"Winchester '73 : film", "The Far Country : film", "Harvey : film",
		"Anthony Mann : person", "Henry Koster : person", "James Stewart : person", "Josephine Hull : person",
	)
}

func chain() World {
	g := Films()
	return World{Name: "chain", Graph: g, Cases: []Case{
		{
			Name: "one hop", Pattern: Pattern(g, "Harvey|directed_by|?"),
			Want: []string{"Harvey · Henry Koster"}, Triples: 1,
		},
		{
			Name: "one hop backwards", Pattern: Pattern(g, "Anthony Mann|directed_by|?film"),
			Want: []string{"Anthony Mann · The Far Country", "Anthony Mann · Winchester '73"}, Triples: 2,
		},
		{
			Name: "a directed edge does not match backwards", Pattern: Pattern(g, "Anthony Mann|directed_by>|?film"),
		},
		{
			Name:    "three hops, never through the topic again",
			Pattern: Pattern(g, "Harvey|starred_actors|?actor", "?actor|starred_actors|?film", "?film|release_year|?"),
			Want: []string{
				"Harvey · James Stewart · The Far Country · 1954",
				"Harvey · James Stewart · Winchester '73 · 1950",
			},
			Triples: 2,
		},
		{
			Name: "variables may meet, the topic stays out",
			Pattern: reuse(pattern.ReuseVariables,
				Pattern(g, "Anthony Mann|directed_by|?a", "?a|starred_actors|?b", "?b|starred_actors|?c")),
			Want: []string{
				"Anthony Mann · The Far Country · James Stewart · Harvey",
				"Anthony Mann · The Far Country · James Stewart · The Far Country",
				"Anthony Mann · The Far Country · James Stewart · Winchester '73",
				"Anthony Mann · Winchester '73 · James Stewart · Harvey",
				"Anthony Mann · Winchester '73 · James Stewart · The Far Country",
				"Anthony Mann · Winchester '73 · James Stewart · Winchester '73",
			},
			Triples: 6,
		},
		{
			Name:    "any node may be used again",
			Pattern: reuse(pattern.ReuseAll, Pattern(g, "Harvey|directed_by|?a", "?a|directed_by|?b")),
			Want:    []string{"Harvey · Henry Koster · Harvey"}, Triples: 1,
		},
		{
			Name: "a typed variable", Pattern: within(g, 1, Pattern(g, "James Stewart|*|?x"), "Harvey", "1950"),
			Want: []string{"James Stewart · Harvey"}, Triples: 1,
		},
	}}
}

func star() World {
	g := Films()
	return World{Name: "star", Graph: g, Cases: []Case{
		{
			Name:    "two conditions",
			Pattern: Pattern(g, "?film|starred_actors|James Stewart", "?film|directed_by|Anthony Mann"),
			Want:    []string{"The Far Country · James Stewart · Anthony Mann", "Winchester '73 · James Stewart · Anthony Mann"},
			Triples: 2,
		},
		{
			Name:    "three conditions",
			Pattern: Pattern(g, "?film|starred_actors|James Stewart", "?film|directed_by|Anthony Mann", "?film|release_year|1950"),
			Want:    []string{"Winchester '73 · James Stewart · Anthony Mann · 1950"}, Triples: 1,
		},
		{
			Name: "conditions that exclude each other", Pattern: Pattern(g, "?film|directed_by|Henry Koster", "?film|release_year|1954"),
		},
		{
			Name:    "two actors of one film, whichever is named first",
			Pattern: Pattern(g, "Harvey|starred_actors|?a", "Harvey|starred_actors|?b"),
			Want:    []string{"Harvey · James Stewart · Josephine Hull", "Harvey · Josephine Hull · James Stewart"},
			Triples: 1,
		},
	}}
}

func triangle() World {
	g := Build("a|r|b", "b|r|c", "c|r|a", "c|r|d", "d|s|a", "a|t|c")
	return World{Name: "triangle", Graph: g, Cases: []Case{
		{
			Name: "directed", Pattern: Pattern(g, "?x|r>|?y", "?y|r>|?z", "?z|r>|?x"),
			Want: []string{"a · b · c", "b · c · a", "c · a · b"}, Triples: 1,
		},
		{
			Name: "from a known corner", Pattern: Pattern(g, "a|r>|?y", "?y|r>|?z", "?z|r>|a"),
			Want: []string{"a · b · c"}, Triples: 1,
		},
		{
			Name: "undirected", Pattern: Pattern(g, "a|r|?y", "?y|r|?z", "?z|r|a"),
			Want: []string{"a · b · c", "a · c · b"}, Triples: 1,
		},
		{
			Name: "through any relation", Pattern: Pattern(g, "a|*|?y", "?y|*|?z", "?z|*|a"),
			Want: []string{"a · b · c", "a · c · b", "a · c · d", "a · d · c"}, Triples: 2,
		},
		{
			Name: "a square that is not there", Pattern: Pattern(g, "a|r>|?x", "?x|r>|?y", "?y|r>|?z", "?z|r>|a"),
		},
	}}
}

// SameTitle has two films called Kismet, told apart by their keys.
func SameTitle() *kg.Graph {
	var b kg.Builder
	old, young := b.Entity("kismet-1944"), b.Entity("kismet-1955")
	b.SetLabel(old, "Kismet")
	b.SetLabel(young, "Kismet")
	b.Add("kismet-1944", "directed_by", "William Dieterle")
	b.Add("kismet-1955", "directed_by", "Vincente Minnelli")
	b.Add("kismet-1944", "starred_actors", "Marlene Dietrich")
	b.Add("kismet-1955", "starred_actors", "Ann Blyth")
	return b.Graph()
}

func sameTitle() World {
	g := SameTitle()
	return World{Name: "same title", Graph: g, Cases: []Case{
		{
			Name: "both are meant", Pattern: Pattern(g, "Kismet|directed_by|?"),
			Want: []string{"kismet-1944 · William Dieterle", "kismet-1955 · Vincente Minnelli"}, Triples: 2,
		},
		{
			Name: "never mixed", Pattern: Pattern(g, "Kismet|directed_by|?", "Kismet|starred_actors|Ann Blyth"),
			Want: []string{"kismet-1955 · Vincente Minnelli · Ann Blyth"}, Triples: 1,
		},
	}}
}

func apart() World {
	g := Build("a|r|b", "c|s|d", "c|s|b", "e|s|f")
	return World{Name: "disconnected", Graph: g, Cases: []Case{
		{
			Name: "two parts share no entity", Pattern: Pattern(g, "a|r|?x", "c|s|?y"),
			Want: []string{"a · b · c · d"}, Triples: 1,
		},
		{
			Name: "unless they may", Pattern: reuse(pattern.ReuseVariables, Pattern(g, "a|r|?x", "c|s|?y")),
			Want: []string{"a · b · c · b", "a · b · c · d"}, Triples: 2,
		},
		{
			Name: "one part fails", Pattern: Pattern(g, "a|r|?x", "e|r|?y"),
		},
		{
			Name: "a node alone", Pattern: within(g, 0, Pattern(g, "?x"), "c", "e"),
			Want: []string{"c", "e"}, Triples: 1,
		},
	}}
}

func loop() World {
	g := Build("narcissus|loves|narcissus", "echo|loves|narcissus", "narcissus|sees|narcissus")
	return World{Name: "self-loop", Graph: g, Cases: []Case{
		{
			Name: "who loves himself", Pattern: Pattern(g, "?x|loves|?x"),
			Want: []string{"narcissus"}, Triples: 1,
		},
		{
			Name: "two loops", Pattern: Pattern(g, "?x|loves|?x", "?x|sees|?x"),
			Want: []string{"narcissus"}, Triples: 1,
		},
		{
			Name: "an edge is no loop", Pattern: Pattern(g, "narcissus|loves|?x"),
			Want: []string{"narcissus · echo"}, Triples: 1,
		},
		{
			Name:    "unless a node may be used again",
			Pattern: reuse(pattern.ReuseAll, Pattern(g, "narcissus|loves|?x")),
			Want:    []string{"narcissus · echo", "narcissus · narcissus"}, Triples: 2,
		},
	}}
}

func parallel() World {
	g := Build(
		"Citizen Kane|directed_by|Orson Welles", "Citizen Kane|written_by|Orson Welles",
		"Citizen Kane|written_by|Herman Mankiewicz", "Citizen Kane|starred_actors|Orson Welles",
		"Othello|directed_by|Orson Welles",
	)
	return World{Name: "parallel edges", Graph: g, Cases: []Case{
		{
			Name: "one edge takes one of three triples", Pattern: Pattern(g, "Citizen Kane|*|Orson Welles"),
			Want: []string{"Citizen Kane · Orson Welles"}, Triples: 1,
		},
		{
			Name:    "directed and written by",
			Pattern: Pattern(g, "?film|directed_by>|?x", "?film|written_by>|?x"),
			Want:    []string{"Citizen Kane · Orson Welles"}, Triples: 1,
		},
		{
			Name: "two conditions need two triples", Pattern: Pattern(g, "?film|*|Orson Welles", "?film|*|Orson Welles"),
			Want: []string{"Citizen Kane · Orson Welles"}, Triples: 1,
		},
		{
			Name:    "unless anything may be used again",
			Pattern: reuse(pattern.ReuseAll, Pattern(g, "?film|*|Orson Welles", "?film|*|Orson Welles")),
			Want:    []string{"Citizen Kane · Orson Welles", "Othello · Orson Welles"}, Triples: 2,
		},
		{
			Name: "three triples and no fourth", Pattern: Pattern(g,
				"?film|*|Orson Welles", "?film|*|Orson Welles", "?film|*|Orson Welles", "?film|*|Orson Welles"),
		},
	}}
}

func unknown() World {
	g := Films()
	p := Pattern(g, "Harvey|directed_by|?")
	p.Nodes[1] = pattern.Node{Text: "James Stewart", Entities: []kg.EntityID{Find(g, "James Stewart")}}
	p.Asked, p.Task = -1, pattern.Verify
	return World{Name: "a claim", Graph: g, Cases: []Case{
		{Name: "that does not hold", Pattern: p},
	}}
}

func values() World {
	g := Films()
	after := Pattern(g, "?film|release_year|?year")
	after.Asked = 0
	after.Filters = []pattern.Filter{{Node: 1, Op: pattern.Greater, Value: 1950}}
	last := Pattern(g, "James Stewart|starred_actors|?film", "?film|release_year|?year")
	last.Asked = 1
	last.Order = &pattern.Order{Node: 2, Limit: 1}
	return World{Name: "values", Graph: g, Cases: []Case{
		{
			Name: "after a year", Pattern: after,
			Want: []string{"The Far Country · 1954"}, Triples: 1,
		},
		{
			Name: "the first", Pattern: last,
			Want:    []string{"James Stewart · Harvey · 1950", "James Stewart · Winchester '73 · 1950"},
			Triples: 2,
		},
	}}
}

func reuse(mode pattern.Reuse, p *pattern.Pattern) *pattern.Pattern {
	p.Reuse = mode
	return p
}

func within(g *kg.Graph, node int, p *pattern.Pattern, keys ...string) *pattern.Pattern {
	for e := range g.Entities() {
		for _, k := range keys {
			if g.Key(kg.EntityID(e)) == k {
				p.Nodes[node].Within = append(p.Nodes[node].Within, kg.EntityID(e))
			}
		}
	}
	return p
}

package present

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// StatementText is what a statement says beside its triple, in words: "from 1914 to
// 1934, share 25 %"; "" for nothing.
func StatementText(g *kg.Graph, properties []kg.Property) string {
	var b strings.Builder
	for i, p := range properties {
		switch {
		case i == 0:
		case pattern.IsInterval(properties[i-1].Name, p.Name):
			b.WriteString(" ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(OneLine(g.PropertyText(p.Name) + " " + Shorten(g.PropertyValue(p), maxQuote)))
	}
	return b.String()
}

// maxStatements is how many statements of a triple are said with it.
const maxStatements = 3

// StatementsText is what the statements of a triple say beside it.
func StatementsText(g *kg.Graph, t kg.TripleID) string {
	var texts []string
	more := 0
	for said := range g.Statements(t) {
		if len(texts) == maxStatements {
			more++
			continue
		}
		texts = append(texts, StatementText(g, said))
	}
	if more > 0 {
		texts = append(texts, Plural(more, "more statement", "more statements"))
	}
	return strings.Join(texts, "; ")
}

// PlaceText says where a triple was read, and what was said there beside it: "from 1914
// to 1934 [biography.tsv:2]", or "kb.txt:1204".
func PlaceText(g *kg.Graph, p kg.Provenance) string {
	if said := StatementText(g, p.Properties); said != "" {
		return said + " [" + SourceText(p) + "]"
	}
	return SourceText(p)
}

// sourcesOf returns where a triple was read, each place once. A file that was imported
// again after a change is two sources of one name.
func sourcesOf(places []kg.Provenance, text func(kg.Provenance) string) []string {
	list := []string{}
	for _, p := range places {
		if t := text(p); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

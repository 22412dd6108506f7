package present

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// SourceText says where a triple was read in a few words: "kb.txt:1204", "biography.pdf
// (kb.csv:2)" where the row or the named graph is its own source, or "notes.md:12, extracted by qwen3:4b".
func SourceText(p kg.Provenance) string {
	text := fileOf(p)
	if text == "" {
		return "source not recorded"
	}
	if p.Line > 0 {
		text = fmt.Sprintf("%s:%d", text, p.Line)
	}
	if p.File != "" && p.Origin != "" {
		text = Shorten(p.Origin, maxSource) + " (" + text + ")"
	}
	if p.Changed {
		text += ", changed since its import"
	}
	if p.Extraction != nil {
		text += ", extracted by " + p.Extraction.Model
	}
	return text
}

func fileOf(p kg.Provenance) string {
	if p.File != "" {
		return filepath.Base(p.File)
	}
	return p.Source
}

// maxSource is how many characters of a source's own name are shown.
const maxSource = 60

// maxQuote is how many characters of a quote are shown.
const maxQuote = 300

// ExtractionPlace says where a model read a triple: "extracted by qwen3:4b from
// notes.md, line 12, bytes 120–180".
func ExtractionPlace(p kg.Provenance) string {
	x := p.Extraction
	return fmt.Sprintf("extracted by %s from %s, line %s, bytes %d–%d", x.Model, fileOf(p), Count(p.Line), x.Start, x.End)
}

// ExtractionQuote is what stands at that place, in quotation marks, on one line.
func ExtractionQuote(x *kg.Extraction) string {
	return "“" + Shorten(OneLine(x.Quote), maxQuote) + "”"
}

// statementText is what a statement says beside its triple, in words: "from 1914 to
// 1934, share 25 %"; "" for nothing.
func statementText(g *kg.Graph, properties []kg.Property) string {
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
		texts = append(texts, statementText(g, said))
	}
	if more > 0 {
		texts = append(texts, Plural(more, "more statement", "more statements"))
	}
	return strings.Join(texts, "; ")
}

// PlaceText says where a triple was read, and what was said there beside it: "from 1914
// to 1934 [biography.tsv:2]", or "kb.txt:1204".
func PlaceText(g *kg.Graph, p kg.Provenance) string {
	if said := statementText(g, p.Properties); said != "" {
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

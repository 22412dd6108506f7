package present

import (
	"fmt"
	"path/filepath"

	"cairn/engine/kg"
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

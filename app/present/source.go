package present

import (
	"fmt"
	"path/filepath"
	"time"

	"cairn/engine/kg"
)

// Source is where a triple comes from.
type Source struct {
	Name string // the source's name
	File string
	Line int64 // 1 for the first; 0 unknown
	When time.Time

	// What follows is set where a model read the triple in a text.
	Model, Digest string
	Start, End    int64  // byte offsets in the file
	Quote         string // what stands there
}

// SourceOf puts where a triple was read into the form that is shown.
func SourceOf(p kg.Provenance) Source {
	s := Source{Name: p.Source, File: p.File, Line: p.Line, When: p.Imported}
	if x := p.Extraction; x != nil {
		s.Model, s.Digest, s.Start, s.End, s.Quote = x.Model, x.Digest, x.Start, x.End, x.Quote
	}
	return s
}

// SourceText says a source in a few words: "kb.txt:1204", or "notes.md:12,
// extracted by qwen3:4b".
func SourceText(s Source) string {
	text := s.name()
	if text == "" {
		return "source not recorded"
	}
	if s.Line > 0 {
		text = fmt.Sprintf("%s:%d", text, s.Line)
	}
	if s.Model != "" {
		text += ", extracted by " + s.Model
	}
	return text
}

func (s Source) name() string {
	if s.File != "" {
		return filepath.Base(s.File)
	}
	return s.Name
}

// maxQuote is how many characters of a quote are shown.
const maxQuote = 300

// ExtractionPlace says where a model read a triple: "extracted by qwen3:4b from
// notes.md, line 12, bytes 120–180".
func ExtractionPlace(s Source) string {
	return fmt.Sprintf("extracted by %s from %s, line %s, bytes %d–%d", s.Model, s.name(), Count(s.Line), s.Start, s.End)
}

// ExtractionQuote is what stands at that place, in quotation marks, on one line.
func ExtractionQuote(s Source) string { return "“" + Shorten(OneLine(s.Quote), maxQuote) + "”" }

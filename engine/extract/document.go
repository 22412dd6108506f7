package extract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
)

// maxBytes is the size of the largest document: at a few seconds a part, more
// would take days.
const maxBytes = 16 << 20

// Document is a text to be read.
type Document struct {
	Name string // of the file, for people
	Path string // as it was given
	Hash string // SHA-256 of the file, in hex
	// Text is the whole file, byte by byte: offsets of chunks and spans are
	// offsets in it.
	Text string

	hidden []span // what no model is shown, ascending and apart
	lines  []int  // where each line begins
}

// span is a range of bytes of a document.
type span struct{ start, end int }

// Endings lists how the names of documents end.
var Endings = []string{".txt", ".md", ".markdown", ".text"}

// Is reports whether a file's name is that of a document.
func Is(path string) bool {
	return slices.Contains(Endings, strings.ToLower(filepath.Ext(path)))
}

// Open reads a document. A file that cannot be one is a *kg.FileError.
func Open(path string) (*Document, error) {
	fail := func(what, remedy string) (*Document, error) {
		return nil, &kg.FileError{Doing: "read", Path: path, What: what, Remedy: remedy}
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tsv", ".csv", ".nt", ".nq", ".gz", ".ttl", ".rdf", ".json", ".jsonl":
		return fail("it is named like a file of triples, which needs no model", "import it or, if it is prose, rename it to end in .txt")
	case ".pdf", ".doc", ".docx", ".odt", ".rtf", ".html", ".htm", ".epub":
		return fail("it is in another program's format", "save it as plain text (UTF-8) or Markdown and use that")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case info.IsDir():
		return fail("it is a folder, not a file", "choose the files in it, such as "+filepath.Join(path, "*.md"))
	case !info.Mode().IsRegular():
		return fail("it is not a regular file", "save its text in a file and use that")
	case info.Size() > maxBytes:
		return fail(fmt.Sprintf("it has %d MB; the limit is %d", info.Size()>>20, maxBytes>>20), "split it into several files")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return New(path, b)
}

// New makes a document of the content of the file at path.
func New(path string, content []byte) (*Document, error) {
	if err := checkText(path, content); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	d := &Document{
		Name: filepath.Base(path), Path: path, Hash: hex.EncodeToString(sum[:]),
		Text: string(content), lines: []int{0},
	}
	for i := range content {
		if content[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		d.hidden = hiddenMarkdown(d.Text)
	default:
		if strings.HasPrefix(d.Text, byteOrderMark) {
			d.hidden = []span{{0, len(byteOrderMark)}}
		}
	}
	if !d.worded(span{0, len(d.Text)}) {
		return nil, &kg.FileError{Doing: "read", Path: path, What: "it has no words", Remedy: "choose a file with text"}
	}
	return d, nil
}

const byteOrderMark = "\ufeff"

// checkText refuses what is not text in UTF-8, with the line where it shows.
func checkText(path string, content []byte) error {
	fail := func(at int, what, remedy string) error {
		line := int64(bytes.Count(content[:at], []byte{'\n'})) + 1
		return &kg.FileError{Doing: "read", Path: path, Line: line, What: what, Remedy: remedy}
	}
	const save = "save it as UTF-8 text and use that"
	if bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff")) {
		return &kg.FileError{Doing: "read", Path: path, What: "its text is in UTF-16", Remedy: save}
	}
	if at := bytes.IndexFunc(content, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f'
	}); at >= 0 {
		return fail(at, "it is not text", "choose a file of plain text or Markdown; other documents can be saved as plain text")
	}
	for at := 0; at < len(content); {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 {
			return fail(at, fmt.Sprintf("the byte %#x is not UTF-8 (the text may be in Latin-1 or another old encoding)", content[at]), save)
		}
		at += size
	}
	return nil
}

// line returns the line of a byte offset, from 1.
func (d *Document) line(offset int) int64 {
	i, found := slices.BinarySearch(d.lines, offset)
	if found {
		i++
	}
	return int64(i)
}

// visible returns the parts of a range that a model is shown.
func (d *Document) visible(in span) []span {
	var parts []span
	at := in.start
	first := sort.Search(len(d.hidden), func(i int) bool { return d.hidden[i].end > at })
	for _, h := range d.hidden[first:] {
		if h.start >= in.end {
			break
		}
		if h.start > at {
			parts = append(parts, span{at, h.start})
		}
		at = max(at, h.end)
	}
	if at < in.end {
		parts = append(parts, span{at, in.end})
	}
	return parts
}

// worded reports whether a model is shown a word in a range.
func (d *Document) worded(in span) bool {
	return slices.ContainsFunc(d.visible(in), func(p span) bool {
		return strings.ContainsFunc(d.Text[p.start:p.end], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// shown returns what a model is shown of a range.
func (d *Document) shown(in span) string {
	var b strings.Builder
	for _, p := range d.visible(in) {
		b.WriteString(d.Text[p.start:p.end])
	}
	return b.String()
}

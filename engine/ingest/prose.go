package ingest

import (
	"path/filepath"
	"strings"
)

// proseSample is how much of a file's beginning Prose needs to tell, in bytes.
const proseSample = 8 << 10

// Prose reports whether a file is sentences for a model to read, rather than rows
// of triples: one in Markdown always is, and one of plain text where its
// beginning looks like it. Nothing else is, for its name says what it is. The
// last line of begin may be cut.
func Prose(name string, begin []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		return true
	case ".txt", ".text":
		return sentences(string(begin[:min(len(begin), proseSample)]))
	}
	return false
}

// sentences reports whether a text looks like sentences: a third of its lines
// ends like one, none is a row of triples, and it is no table with commas.
func sentences(text string) bool {
	lines, ended, commas := 0, 0, -1
	even := true // all lines have as many commas
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.Count(line, "\t") >= 2 || strings.Count(line, "|") == 2 || strings.HasSuffix(line, " .") {
			return false
		}
		n := strings.Count(line, ",")
		even = even && (n == commas || lines == 0)
		commas = n
		lines++
		if strings.ContainsAny(line[len(line)-1:], ".!?:") && strings.Count(line, " ") >= 3 {
			ended++
		}
	}
	const table = 3 // lines that are alike by more than chance
	if even && commas >= 2 && lines >= table {
		return false
	}
	return lines > 0 && 3*ended >= lines
}

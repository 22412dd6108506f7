package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"cairn/engine/kg"
)

// ReadText returns the text of a file that is no graph: unpacked, and in UTF-8 without a
// mark. It may have so many bytes. An error is a *kg.FileError, or the context's; where
// the file is a wrong one, it tells people what to choose.
func ReadText(ctx context.Context, path string, most int64, choose string) (string, error) {
	text, err := wholeText(ctx, path, most)
	if refused, ok := errors.AsType[*kg.FileError](err); ok {
		refused.Doing = "read"
		switch {
		case errors.Is(err, ErrCut):
			refused.Remedy = "download it again"
		case refused.Cause == nil:
			refused.Remedy = choose
		}
	}
	return text, err
}

func wholeText(ctx context.Context, path string, most int64) (string, error) {
	s, err := openFile(path)
	if err != nil {
		return "", err
	}
	defer s.close()
	r, _, _, err := s.text(ctx, "")
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return "", s.readError(err)
	case int64(len(b)) > most:
		return "", refuse(path, 0, ErrFormat, fmt.Sprintf("it has more than %d MB", most>>20), "")
	}
	return strings.TrimPrefix(string(b), "\ufeff"), nil
}

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

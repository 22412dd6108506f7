package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
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
			refused.Remedy = "fetch it again"
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

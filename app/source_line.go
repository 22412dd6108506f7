package app

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"cairn/app/present"
)

// errNoLine is returned when a file has fewer lines than it had at import.
var errNoLine = errors.New("the line is not there any more")

// longestQuote is how much of a line is shown, in runes.
const longestQuote = 400

// readLine returns line number n, from 1, of a text file that may be
// gzip-compressed. A long line is cut, and what is not UTF-8 is replaced.
func readLine(ctx context.Context, path string, n int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("quote the source: %w", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return "", fmt.Errorf("quote the source %s: %w", path, err)
		}
		defer z.Close()
		r = z
	}
	return nthLine(ctx, bufio.NewReaderSize(r, 1<<16), n)
}

func nthLine(ctx context.Context, r *bufio.Reader, n int64) (string, error) {
	const checkEvery = 4096
	var kept []byte
	for line, reads := int64(1), 0; ; reads++ {
		if reads%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return "", err
			}
		}
		part, err := r.ReadSlice('\n')
		if line == n && len(kept) < longestQuote*utf8.UTFMax {
			kept = append(kept, part...)
		}
		whole := err == nil
		switch {
		case whole && line == n, errors.Is(err, io.EOF) && line == n && len(kept) > 0:
			text := strings.ToValidUTF8(strings.TrimRight(string(kept), "\r\n"), "\uFFFD")
			return present.Shorten(strings.ReplaceAll(text, "\t", " ⇥ "), longestQuote), nil
		case whole:
			line++
		case errors.Is(err, io.EOF):
			return "", errNoLine
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", fmt.Errorf("quote the source: %w", err)
		}
	}
}

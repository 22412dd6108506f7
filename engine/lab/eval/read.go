package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// lines reads a text file, gzipped or not, line by line. A line that fn refuses
// ends the reading with an error that names the file and the line.
func lines(dir, name string, fn func(line string) error) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open question set: %w", err)
	}
	defer f.Close()
	var r io.Reader = bufio.NewReaderSize(f, 1<<16)
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		r = z
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 1<<16), 1<<26)
	for n := 1; sc.Scan(); n++ {
		if err := fn(strings.TrimRight(sc.Text(), "\r")); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// records reads a file with one JSON value a line.
func records[T any](dir, name string, fn func(i int, rec T) error) error {
	i := 0
	return lines(dir, name, func(line string) error {
		if len(bytes.TrimSpace([]byte(line))) == 0 {
			return nil
		}
		var rec T
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			return fmt.Errorf("read JSON: %w", err)
		}
		i++
		return fn(i-1, rec)
	})
}

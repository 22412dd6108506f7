package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"cairn/engine/kg"
)

// sampleSize is how much of the text is looked at to tell what it holds.
const sampleSize = 256 << 10 // bytes

// source is an open file: its bytes, and the text that they hold.
type source struct {
	name   string // for people
	file   string // the path; the name where there is none
	r      io.ReadSeeker
	size   int64
	read   atomic.Int64 // bytes of the file that were read
	closer func() error
	opened fs.FileInfo // what it was when it was opened; nil where it is no file
}

// openFile opens a file by path.
func openFile(path string) (*source, error) {
	info, err := os.Stat(path) // before opening: a pipe would wait for its writer
	if err == nil && !info.Mode().IsRegular() {
		what := "it is not a file that can be read from its beginning"
		if info.IsDir() {
			what = "it is a folder"
		}
		return nil, refuse(path, 0, nil, what, "choose a file of triples")
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, &kg.FileError{Doing: "import", Path: path, What: "it cannot be opened", Cause: reason(err), Remedy: "check how the name is written and that you may read it"}
	}
	return &source{name: info.Name(), file: path, r: f, size: info.Size(), closer: f.Close, opened: info}, nil
}

// changed reports whether somebody wrote to the file since it was opened.
func (s *source) changed() bool {
	f, ok := s.r.(*os.File)
	if !ok || s.opened == nil {
		return false
	}
	now, err := f.Stat()
	return err == nil && (now.Size() != s.opened.Size() || !now.ModTime().Equal(s.opened.ModTime()))
}

// reason takes the path, which is said already, out of an error of the system.
func reason(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}

// sourceReader reads a source from its beginning, counts what it has read, and ends
// with its context, however long the lines.
type sourceReader struct {
	ctx context.Context //nolint:containedctx // io.Reader has no room for it; lives for one import
	s   *source
}

func (r sourceReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.s.r.Read(b)
	r.s.read.Add(int64(n))
	return n, err
}

func (s *source) reader(ctx context.Context) (io.Reader, error) {
	s.read.Store(0)
	if _, err := s.r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.file, err)
	}
	return sourceReader{ctx, s}, nil
}

// hash returns the SHA-256 of the file in hex.
func (s *source) hash(ctx context.Context) (string, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", fmt.Errorf("read %s: %w", s.file, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// text returns the file's text from the beginning: unpacked, and in UTF-8.
func (s *source) text(ctx context.Context, charset string) (r io.Reader, zipped bool, used string, err error) {
	counted, err := s.reader(ctx)
	if err != nil {
		return nil, false, "", err
	}
	raw := bufio.NewReaderSize(counted, 256<<10)
	r = raw
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, "", fmt.Errorf("read %s: %w", s.file, err)
	}
	if bytes.HasPrefix(magic, []byte{0x1f, 0x8b}) {
		zipped = true
		unpacked, err := gzip.NewReader(raw)
		if err != nil {
			return nil, true, "", s.cut(err)
		}
		buffered := bufio.NewReaderSize(unpacked, 256<<10)
		r = buffered
		if magic, err = buffered.Peek(4); err != nil && !errors.Is(err, io.EOF) {
			return nil, true, "", s.cut(err)
		}
	}
	decoder, used, err := decoderOf(charset, magic)
	if err != nil {
		return nil, zipped, "", refuse(s.file, 0, nil, err.Error(), "choose utf-8, utf-16 or latin1")
	}
	if decoder != nil {
		r = transform.NewReader(r, decoder.NewDecoder())
	}
	return r, zipped, used, nil
}

// cut is the error for a packed file that cannot be unpacked to its end.
func (s *source) cut(cause error) error {
	refused := refuse(s.file, 0, ErrCut,
		"the compressed file is damaged or cut short",
		"fetch it again and import it again; what was committed stays and is not added twice")
	refused.Cause = cause
	return refused
}

// decoderOf returns what turns the text into UTF-8, nil where it is that already.
func decoderOf(charset string, magic []byte) (encoding.Encoding, string, error) {
	marked := bytes.HasPrefix(magic, []byte{0xff, 0xfe}) || bytes.HasPrefix(magic, []byte{0xfe, 0xff})
	switch charset {
	case "", utf8Name, "utf8", "UTF-8":
		if !marked {
			return nil, utf8Name, nil
		}
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16", nil
	case "utf-16", "utf16", "UTF-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16", nil
	case "latin1", "latin-1", "iso-8859-1", "ISO-8859-1", windows1252:
		return charmap.Windows1252, windows1252, nil
	}
	return nil, "", fmt.Errorf("the encoding %q is not known", charset)
}

// The names of encodings that a file may be found to have.
const (
	utf8Name    = "utf-8"
	windows1252 = "windows-1252"
)

// looksWindows1252 reports whether a text that is not UTF-8 makes sense as
// Windows-1252: of the bytes above ASCII next to none is part of UTF-8, and nearly
// all are signs that stand where that encoding has them, letters beside letters.
func looksWindows1252(text []byte) bool {
	isLetter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] >= 0xc0 && text[i] != 0xff)
	}
	var multibyte, sensible, odd int
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch c := text[i]; {
		case n > 1:
			multibyte++
		case r != utf8.RuneError:
		case i+utf8.UTFMax > len(text) && !utf8.FullRune(text[i:]): // cut by the sample's end
		case c >= 0xc0 && c != 0xff && c != 0xd7 && c != 0xf7 && (isLetter(i-1) || isLetter(i+1)),
			c >= 0xa0 && c < 0xc0, // signs such as ° and «
			c >= 0x80 && c < 0xa0 && charmap.Windows1252.DecodeByte(c) >= 0xa0: // quotation marks, dashes, €
			sensible++
		default:
			odd++
		}
		i += n
	}
	return sensible > 0 && sensible > 10*multibyte && sensible > 10*odd
}

// readError tells a damaged compressed file from other trouble.
func (s *source) readError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || isCorruptInput(err) {
		return s.cut(err)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	refused := refuse(s.file, 0, nil, "it cannot be read further", "check the disk; importing it again continues from what was committed")
	refused.Cause = reason(err)
	return refused
}

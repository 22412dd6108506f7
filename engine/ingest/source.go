package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"cairn/engine/ingest/propgraph"
	"cairn/engine/kg"
)

// sampleSize is how much of the text is looked at to tell what it holds.
const sampleSize = 256 << 10 // bytes

// source is an open file, a member of an archive, or a table of a workbook or a
// database: its bytes, and the text that they hold.
type source struct {
	name   string // for people
	file   string // the path; for what is in a file its path, a slash and the name; the name where there is none
	begin  func() (io.ReadCloser, error)
	at     io.ReaderAt // the same bytes; nil where they can only be read from the beginning
	size   int64       // 0 where it is not known
	read   atomic.Int64
	closer func() error
	disk   *os.File               // nil where it is no file of its own
	opened fs.FileInfo            // what that was when it was opened
	inside bool                   // it is in another file
	named  bool                   // the first of these rows surely names the columns
	uses   []use                  // what other tables tell of its columns
	beside []string               // the names of the tables that come with it
	rows   bool                   // the text is rows that Cairn writes itself: of sheets, of databases
	says   string                 // what these rows are, where a database declares it
	record *propgraph.RecordTable // what JSON tells of these rows; nil for others
	nodes  bool                   // of records that may be the nodes of a graph
	of     string                 // the file of records
	kind   Kind                   // where other files of the import tell it

	sum   string    // its hash, once layer has made it
	under io.Closer // what is being read
}

// openFile opens a file by path.
func openFile(path string) (*source, error) {
	info, err := os.Stat(path) // before opening: a pipe would wait for its writer
	if err == nil && !info.Mode().IsRegular() {
		what := "it is not a file that can be read from the start"
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
		return nil, &kg.FileError{Doing: "import", Path: path, What: "it cannot be opened", Cause: reason(err), Remedy: "check the spelling and that you have permission to read it"}
	}
	s := &source{name: info.Name(), file: path, at: f, size: info.Size(), closer: f.Close, disk: f, opened: info}
	s.begin = fromStart(f)
	return s, nil
}

// fromStart returns what begins to read again.
func fromStart(r io.ReadSeeker) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		_, err := r.Seek(0, io.SeekStart)
		return io.NopCloser(r), err
	}
}

// close ends reading and closes the file.
func (s *source) close() {
	s.stop()
	_ = s.closer()
}

// stop ends what is being read.
func (s *source) stop() {
	if s.under != nil {
		_ = s.under.Close()
		s.under = nil
	}
}

// changed reports whether somebody wrote to the file since it was opened.
func (s *source) changed() bool {
	if s.disk == nil {
		return false
	}
	now, err := s.disk.Stat()
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
	r   io.Reader
}

func (r sourceReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b)
	r.s.read.Add(int64(n))
	return n, err
}

func (s *source) reader(ctx context.Context) (io.Reader, error) {
	s.read.Store(0)
	s.stop()
	r, err := s.begin()
	if err != nil {
		return nil, s.readError(err)
	}
	s.under = r
	return sourceReader{ctx, s, r}, nil
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

// text returns the file's text from the beginning: unpacked, and in UTF-8. packed is
// by what it was packed, and used is its encoding.
func (s *source) text(ctx context.Context, charset string) (r io.Reader, packed, used string, err error) {
	counted, err := s.reader(ctx)
	if err != nil {
		return nil, "", "", err
	}
	if s.rows {
		return counted, "", utf8Name, nil
	}
	raw, packed, err := s.unpack(counted)
	if err != nil {
		return nil, packed, "", err
	}
	begin, err := raw.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, packed, "", s.readError(err)
	}
	decoder, used, err := decoderOf(charset, begin)
	if err != nil {
		return nil, packed, "", refuse(s.file, 0, nil, err.Error(), "choose utf-8, utf-16 or latin1")
	}
	if decoder == nil {
		return raw, packed, used, nil
	}
	return transform.NewReader(raw, decoder.NewDecoder()), packed, used, nil
}

// cut is the error for a packed file that cannot be unpacked to its end.
func (s *source) cut(cause error) *kg.FileError {
	refused := refuse(s.file, 0, ErrCut,
		"the compressed file is damaged or truncated",
		"download it again and import it again; what was already added stays and is not added twice")
	refused.Cause = cause
	return refused
}

// decoderOf returns what turns the text into UTF-8, nil where it is that already.
func decoderOf(charset string, begin []byte) (encoding.Encoding, string, error) {
	marked := bytes.HasPrefix(begin, []byte{0xff, 0xfe}) || bytes.HasPrefix(begin, []byte{0xfe, 0xff})
	switch name := strings.ToLower(charset); name {
	case "", utf8Name, "utf8":
		order := unmarkedUTF16(begin)
		switch {
		case marked:
			return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16", nil
		case order != "" && name == "":
			return decoderOf(order, begin)
		}
		return nil, utf8Name, nil
	case "utf-16", "utf16":
		if order := unmarkedUTF16(begin); !marked && order != "" {
			return decoderOf(order, begin)
		}
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16", nil
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), name, nil
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), name, nil
	case "latin1", "latin-1", "iso-8859-1", windows1252:
		return charmap.Windows1252, windows1252, nil
	}
	return nil, "", fmt.Errorf("unknown encoding %q", charset)
}

// unmarkedUTF16 tells the order of the bytes in UTF-16 without a mark: of the letters
// of Latin, digits and signs, of which any table and any program's text has many, one
// byte is zero, always the same one.
func unmarkedUTF16(begin []byte) string {
	var zeros [2]int
	for i, c := range begin {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(begin) / 2
	switch {
	case half < 2:
		return ""
	case 5*zeros[1] >= 2*half && zeros[0] == 0:
		return "utf-16le"
	case 5*zeros[0] >= 2*half && zeros[1] == 0:
		return "utf-16be"
	}
	return ""
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

// readError says why a file cannot be read further.
func (s *source) readError(err error) error {
	if refused, ok := errors.AsType[*kg.FileError](err); ok {
		return refused
	}
	if isBomb(err) {
		return refuse(s.file, 0, ErrBomb, "unpacked it is more than "+itoa(maxRatio)+" times as large", "unpack it, check the content, and import the file inside")
	}
	if isCut(err) {
		return s.cut(err)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	refused := refuse(s.file, 0, nil, "it cannot be read any further", "check the disk; importing it again continues from where it stopped")
	refused.Cause = reason(err)
	return refused
}

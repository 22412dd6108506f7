package ingest

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Limits of what is unpacked. A file that is packed twice, or an archive in an
// archive, is not looked into.
const (
	maxRatio   = 200       // how many times as large as it is a file may become
	alwaysFree = 256 << 20 // bytes that it may become in any case
	maxMembers = 10_000
	maxWindow  = 128 << 20 // bytes of memory that unpacking zstd may take
)

// packers are the ways of packing one file, by how it begins.
var packers = []struct {
	name  string
	begin string
	open  func(io.Reader) (io.Reader, error)
}{
	{"gzip", "\x1f\x8b", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"bzip2", "BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"zstd", "\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	}},
}

// bzip2Block is what comes after the level in a file of bzip2: no text begins so.
const bzip2Block = "1AY&SY"

func (s *source) unpack(r io.Reader) (unpacked *bufio.Reader, packed string, err error) {
	raw := bufio.NewReaderSize(r, 256<<10)
	begin, err := raw.Peek(10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, "", s.readError(err)
	}
	for _, p := range packers {
		if !bytes.HasPrefix(begin, []byte(p.begin)) || p.name == "bzip2" && !bytes.HasSuffix(begin, []byte(bzip2Block)) {
			continue
		}
		inner, err := p.open(raw)
		if err != nil {
			return nil, p.name, s.readError(err)
		}
		guarded := &bombGuard{r: inner, packed: s.read.Load}
		return bufio.NewReaderSize(guarded, 256<<10), p.name, nil
	}
	return raw, "", nil
}

// bombGuard ends a reader that gives far more than it takes.
type bombGuard struct {
	r      io.Reader
	packed func() int64 // bytes that were taken
	n      int64        // bytes that were given
}

var errBomb = errors.New("it grows too large")

func (g *bombGuard) Read(b []byte) (int, error) {
	n, err := g.r.Read(b)
	if g.n += int64(n); g.n > alwaysFree && g.n > maxRatio*g.packed() {
		return 0, errBomb
	}
	return n, err
}

func isBomb(err error) bool {
	return errors.Is(err, errBomb) || errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}

// isCut reports whether unpacking met bytes that make no sense, or an early end.
func isCut(err error) bool {
	_, damaged := errors.AsType[bzip2.StructuralError](err)
	return damaged || isCorruptInput(err) || slices.ContainsFunc([]error{
		io.ErrUnexpectedEOF, gzip.ErrChecksum, gzip.ErrHeader, zip.ErrChecksum, zip.ErrFormat, tar.ErrHeader,
		zstd.ErrMagicMismatch, zstd.ErrCRCMismatch, zstd.ErrReservedBlockType, zstd.ErrCompressedSizeTooBig, zstd.ErrBlockTooSmall,
	}, func(known error) bool { return errors.Is(err, known) })
}

// expanded are the parts of a file: itself, or what is in it.
type expanded struct {
	parts   []*source
	leftOut []string // members that are not read, each with the reason
	archive bool     // it holds files; otherwise it holds tables, or is one
}

// expand looks into an archive, a workbook or a database. The parts live as long as s.
func (s *source) expand(ctx context.Context, o *Options) (expanded, error) {
	r, err := s.reader(ctx)
	if err != nil {
		return expanded{}, err
	}
	raw, packed, err := s.unpack(r)
	if err != nil {
		return expanded{}, err
	}
	begin, err := raw.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) && len(begin) == 0 {
		return expanded{}, s.readError(err)
	}
	isZip := bytes.HasPrefix(begin, []byte("PK\x03\x04")) || bytes.HasPrefix(begin, []byte("PK\x05\x06"))
	isTar := len(begin) == 512 && string(begin[257:262]) == "ustar"
	tables := tablesOf(begin)
	if !isZip && !isTar && tables == nil {
		return expanded{parts: []*source{s}}, nil
	}
	whole := s
	if packed != "" || s.at == nil {
		if whole, err = s.spool(raw); err != nil {
			return expanded{}, err
		}
	}
	switch {
	case isTar:
		return whole.untar(ctx)
	case isZip:
		return whole.unzip(ctx, o)
	}
	return tables(ctx, whole, o)
}

// temporary opens a file that is gone when s is closed.
func (s *source) temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "cairn-*")
	if err != nil {
		return nil, s.readError(err)
	}
	closer := s.closer
	s.closer = func() error {
		err := errors.Join(f.Close(), closer())
		_ = os.Remove(f.Name())
		return err
	}
	return f, nil
}

// spool writes what is read to a file of its own, which is gone when s is closed; with
// the program, however that ends, where the system can do that. A database keeps its
// name, by which it is opened.
func (s *source) spool(r io.Reader) (*source, error) {
	f, err := s.temporary()
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(f, r)
	if err != nil {
		return nil, s.readError(err)
	}
	begin := make([]byte, len(sqliteBegin))
	if _, err := f.ReadAt(begin, 0); (err != nil || string(begin) != sqliteBegin) && runtime.GOOS != "windows" {
		_ = os.Remove(f.Name()) // closing tries again
	}
	return &source{name: s.name, file: s.file, begin: fromStart(f), at: f, size: n, closer: func() error { return nil }, disk: f, inside: true}, nil
}

// member returns the source of a member. begin gives its bytes.
func (s *source) member(name string, size int64, begin func() (io.ReadCloser, error)) *source {
	return &source{name: path.Base(name), file: s.file + "/" + path.Clean(name), begin: begin, size: size, closer: func() error { return nil }, inside: true}
}

// checkMember refuses an archive for the name of a member, and reports whether the
// member is one that systems add for themselves.
func (s *source) checkMember(name string) (system bool, err error) {
	if clean := strings.ReplaceAll(name, `\`, "/"); clean == "" || !filepath.IsLocal(clean) || path.IsAbs(clean) || strings.Contains(clean, ":/") {
		return false, refuse(s.file, 0, ErrArchive, "it has a member named "+inQuotes(name)+", which points outside the archive", "do not trust it; ask its author for another one")
	}
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(path.Base(name), "."), nil
}

// tooMany is the error for an archive with very many members.
func (s *source) tooMany(n int) error {
	return refuse(s.file, 0, ErrArchive, "it holds "+itoa(int64(n))+" members; the limit is "+itoa(maxMembers), "unpack it and import the files you need")
}

// unzip lists the members of a ZIP archive. One of an office program is a workbook.
func (s *source) unzip(ctx context.Context, o *Options) (expanded, error) {
	z, err := zip.NewReader(s.at, s.size)
	if err != nil {
		return expanded{}, s.cut(err)
	}
	var names []string
	var total uint64
	for _, f := range z.File {
		names = append(names, f.Name)
		total += f.UncompressedSize64
	}
	if total > alwaysFree && total > maxRatio*uint64(s.size) {
		return expanded{}, s.readError(errBomb)
	}
	office := slices.Contains(names, "[Content_Types].xml")
	switch {
	case office && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "xl/") }):
		return excelWorkbook(ctx, z, s, o)
	case len(names) > 0 && names[0] == "mimetype" && slices.Contains(names, "content.xml"):
		return openDocument(z, s, o)
	case office:
		return expanded{}, refuse(s.file, 0, ErrBinary, "it is an office document without sheets", chooseFile)
	case len(z.File) > maxMembers:
		return expanded{}, s.tooMany(len(z.File))
	}
	out := expanded{archive: true}
	for _, f := range z.File {
		system, err := s.checkMember(f.Name)
		switch {
		case err != nil:
			return expanded{}, err
		case f.FileInfo().IsDir() || system:
			continue
		case f.Flags&1 != 0:
			return expanded{}, refuse(s.file, 0, ErrArchive, "its member "+inQuotes(f.Name)+" is encrypted", "unpack it with its password and import the files")
		}
		m := s.member(f.Name, int64(f.UncompressedSize64), func() (io.ReadCloser, error) {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			return guardedMember{&bombGuard{r: r, packed: func() int64 { return int64(f.CompressedSize64) }}, r}, nil
		})
		out.parts = append(out.parts, m)
	}
	return out, nil
}

type guardedMember struct {
	io.Reader
	io.Closer
}

// untar lists the members of a tape archive, which is unpacked.
func (s *source) untar(ctx context.Context) (expanded, error) {
	out := expanded{archive: true}
	offset := &countingReader{r: io.NewSectionReader(s.at, 0, s.size)}
	in := tar.NewReader(offset)
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return expanded{}, err
		}
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return expanded{}, s.cut(err)
		}
		system, err := s.checkMember(h.Name)
		switch {
		case err != nil:
			return expanded{}, err
		case n == maxMembers:
			return expanded{}, s.tooMany(n + 1)
		case h.Typeflag == tar.TypeDir || system:
			continue
		case sparse(h):
			out.leftOut = append(out.leftOut, h.Name+": it is a sparse file; unpack the archive")
			continue
		case h.Typeflag != tar.TypeReg:
			out.leftOut = append(out.leftOut, h.Name+": it is a link, not a file")
			continue
		case offset.n+h.Size > s.size:
			return expanded{}, s.cut(io.ErrUnexpectedEOF)
		}
		section := io.NewSectionReader(s.at, offset.n, h.Size)
		m := s.member(h.Name, h.Size, fromStart(section))
		m.at = section
		out.parts = append(out.parts, m)
	}
}

// sparse reports whether a member is stored without its holes, so that it is not
// there as it is.
func sparse(h *tar.Header) bool {
	return h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" || h.PAXRecords["GNU.sparse.map"] != ""
}

// countingReader knows how much was read. It seeks, so that the content of members is
// passed over.
type countingReader struct {
	r *io.SectionReader
	n int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) Seek(offset int64, whence int) (int64, error) {
	n, err := c.r.Seek(offset, whence)
	c.n = n
	return n, err
}

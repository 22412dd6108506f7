package ingest

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sniff tells what a file holds from its content; its name does not count.
func Sniff(path string) (Format, error) {
	src, err := openFile(path)
	if err != nil {
		return Format{}, err
	}
	defer func() { _ = src.closer() }()
	return src.sniff(context.Background(), &Options{})
}

// sniff looks at the beginning of the text.
func (s *source) sniff(ctx context.Context, o *Options) (Format, error) {
	if s.size == 0 {
		return Format{}, s.empty()
	}
	r, zipped, charset, err := s.text(ctx, o.Encoding)
	if err != nil {
		return Format{}, err
	}
	sample, err := io.ReadAll(io.LimitReader(r, sampleSize))
	if err != nil && (len(sample) == 0 || !errors.Is(err, io.ErrUnexpectedEOF) && !isCorruptInput(err)) {
		return Format{}, s.readError(err)
	}
	f := Format{Kind: o.Kind, Gzip: zipped, Encoding: charset, lineEnd: '\n'}
	for r := range f.columns {
		f.columns[r] = -1
	}
	sample = bytes.TrimPrefix(sample, byteOrderMark)
	if len(bytes.TrimSpace(sample)) == 0 {
		return f, s.empty()
	}
	if what, remedy := notText(sample); what != "" {
		return f, &FileError{File: s.file, Kind: ErrBinary, What: what, Remedy: remedy}
	}
	if bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0 {
		f.lineEnd = '\r'
	}
	if len(sample) == sampleSize { // the last line is not whole
		if i := bytes.LastIndexByte(sample, f.lineEnd); i > 0 {
			sample = sample[:i]
		}
	}
	rdf, quads := looksNTriples(sample, f.lineEnd)
	if o.Kind == NTriples || rdf && o.Kind == Auto && o.Delimiter == 0 && o.Columns == (Columns{}) {
		f.Kind, f.Quads = NTriples, quads
		f.Example = exampleStatement(sample, f.lineEnd)
		return f, nil
	}
	if o.Kind == Auto && o.Delimiter == 0 {
		if o.Columns == (Columns{}) && Prose(s.file, sample) {
			return f, &FileError{File: s.file, Kind: ErrFormat, What: "it is a text, not a list of triples", Remedy: readText}
		}
		if what, remedy := otherSyntax(sample); what != "" {
			return f, &FileError{File: s.file, Kind: ErrFormat, What: what, Remedy: remedy}
		}
	}
	return f, s.sniffDelimited(sample, &f, o)
}

func (s *source) empty() error {
	return &FileError{File: s.file, Kind: ErrEmpty, What: "the file is empty", Remedy: "choose a file with one triple a line"}
}

// isCorruptInput reports whether unpacking met bytes that make no sense.
func isCorruptInput(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}

// magics are the beginnings of files that are not text, and what to do with them.
var magics = []struct{ begin, what, remedy string }{
	{"SQLite format 3\x00", "it is a SQLite database", "open a .cairn file with Open instead of importing it; from other databases, export a table as CSV"},
	{"PK\x03\x04", "it is a ZIP archive or an office document", "unpack it, or export the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "it is an old office document", "export the sheet as CSV"},
	{"BZh", "it is packed with bzip2", "unpack it with bunzip2"},
	{"\xfd7zXZ\x00", "it is packed with xz", "unpack it with unxz"},
	{"\x28\xb5\x2f\xfd", "it is packed with zstd", "unpack it with unzstd"},
	{"7z\xbc\xaf", "it is a 7z archive", "unpack it"},
	{"PAR1", "it is a Parquet file", "export it as CSV"},
	{"%PDF-", "it is a PDF document", "a knowledge graph is a table or RDF: choose a CSV, TSV or N-Triples file"},
	{"\x89PNG", "it is a picture", "choose a CSV, TSV or N-Triples file"},
	{"\xff\xd8\xff", "it is a picture", "choose a CSV, TSV or N-Triples file"},
	{"\x7fELF", "it is a program", "choose a CSV, TSV or N-Triples file"},
}

// notText says what a file is that is not text; empty where it may be.
func notText(sample []byte) (what, remedy string) {
	for _, m := range magics {
		if bytes.HasPrefix(sample, []byte(m.begin)) {
			return m.what, m.remedy
		}
	}
	if zeros := bytes.Count(sample, []byte{0}); zeros > len(sample)/4 {
		return "it is not text, or text in UTF-16 without a mark", "save it as UTF-8, or import it with the encoding utf-16"
	}
	odd := 0
	for _, c := range sample {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' || c == 0x7f {
			odd++
		}
	}
	if odd > len(sample)/20 {
		return "it is not a text file", "choose a CSV, TSV or N-Triples file, also packed with gzip"
	}
	return "", ""
}

// looksNTriples reports whether most lines are statements of N-Triples.
// quads tells whether some of them name a graph, as those of N-Quads do.
func looksNTriples(sample []byte, end byte) (yes, quads bool) {
	p := ntParser{quads: true}
	good, bad := 0, 0
	in := newLines(bytes.NewReader(sample), end, sampleSize)
	for good+bad < 200 {
		line, _, err := in.next()
		if err != nil {
			break
		}
		switch st, ok, err := p.parse(line); {
		case err != nil:
			bad++
			// A broken statement still speaks for N-Triples where it begins as one.
			if t := bytes.TrimSpace(line); bytes.HasPrefix(t, []byte("<")) && bytes.Contains(t, []byte("> <")) && bytes.HasSuffix(t, []byte(".")) {
				good++
			}
		case ok:
			good++
			quads = quads || len(st.graph.value) > 0
		}
	}
	return good > 0 && good >= bad, quads
}

// exampleStatement returns the first statement for people.
func exampleStatement(sample []byte, end byte) []string {
	p := ntParser{quads: true}
	in := newLines(bytes.NewReader(sample), end, sampleSize)
	for {
		line, _, err := in.next()
		if err != nil {
			return nil
		}
		if st, ok, err := p.parse(line); ok && err == nil {
			return []string{string(st.subject.value), string(st.predicate.value), string(st.object.value)}
		}
	}
}

// otherSyntax recognises formats that are text but have no reader.
func otherSyntax(sample []byte) (what, remedy string) {
	head := bytes.TrimSpace(sample[:min(len(sample), 4096)])
	lower := bytes.ToLower(head)
	const convert = "convert it to N-Triples, for example with riot or rapper"
	switch {
	case bytes.HasPrefix(lower, []byte("@prefix")), bytes.HasPrefix(lower, []byte("@base")), bytes.HasPrefix(lower, []byte("prefix ")), bytes.Contains(lower, []byte("\n@prefix")):
		return "it looks like Turtle, which is not read yet", convert
	case bytes.Contains(lower, []byte("<rdf:rdf")):
		return "it looks like RDF/XML, which is not read yet", convert
	case bytes.HasPrefix(lower, []byte("<?xml")), bytes.HasPrefix(lower, []byte("<!doctype")), bytes.HasPrefix(lower, []byte("<html")):
		return "it is XML or HTML, not a list of triples", "export it as CSV or N-Triples"
	case len(head) > 1 && (head[0] == '{' || head[0] == '[') && bytes.ContainsAny(head[:min(len(head), 200)], `"{`):
		return "it looks like JSON, which is not read yet", "export it as CSV, or convert JSON-LD to N-Triples"
	}
	return "", ""
}

// sniffDelimited finds the delimiter, the header and the columns.
func (s *source) sniffDelimited(sample []byte, f *Format, o *Options) error {
	best := s.bestDelimiter(sample, f.lineEnd, o)
	f.Delimiter, f.Width = string(rune(best.delim)), best.width
	if len(best.rows) == 0 {
		return s.empty()
	}
	first := copyStrings(best.rows[0])
	if o.Kind == Labels || o.Kind == Auto && best.width == 2 {
		return s.sniffLabels(best, first, f, o)
	}
	if best.width < 3 {
		return s.tooFewColumns(best, first)
	}
	f.Kind = Delimited
	columns, named := rolesOfHeader(first)
	switch o.Header {
	case HeaderYes:
		f.Header = true
	case HeaderAuto:
		// Columns chosen by a name that stands in the first row name it a header.
		f.Header = named || slices.ContainsFunc(o.Columns.slice(), func(c string) bool { return c != "" && slices.Contains(first, c) })
	case HeaderNo:
	}
	if f.Header {
		f.Names = first
		f.Width = max(f.Width, len(first))
	}
	if f.Header && named {
		f.columns = columns
	} else if o.Columns == (Columns{}) {
		if err := s.guessColumns(best, f); err != nil {
			return err
		}
	}
	if err := o.Columns.resolve(&f.columns, f.Names, f.Width); err != nil {
		return &FileError{File: s.file, Kind: ErrFormat, What: err.Error(), Remedy: "name columns as the first row does, or number them from 1"}
	}
	for _, r := range []role{headRole, relationRole, tailRole} {
		if f.columns[r] < 0 && (r == relationRole || f.columns[idRole(r)] < 0) {
			return s.unmapped(f, first, roleNames[r])
		}
	}
	f.setRoles()
	rows := best.rows
	if f.Header {
		rows = rows[1:]
	}
	if len(rows) > 0 {
		for _, r := range []role{headRole, relationRole, tailRole} {
			at := f.columns[r]
			if at < 0 {
				at = f.columns[idRole(r)]
			}
			if at < len(rows[0]) {
				f.Example = append(f.Example, string(rows[0][at]))
			}
		}
	}
	return nil
}

// idRole returns the role of the id that may stand for a name.
func idRole(r role) role {
	if r == headRole {
		return headIDRole
	}
	return tailIDRole
}

// setRoles lists the columns for people.
func (f *Format) setRoles() {
	f.Roles = map[string]int{}
	for r, at := range f.columns {
		if at >= 0 {
			f.Roles[roleNames[r]] = at + 1
		}
	}
}

// slice lists the chosen columns.
func (c Columns) slice() []string {
	all := c.chosen()
	return all[:]
}

// table is the sample read with one delimiter.
type table struct {
	delim byte
	rows  [][][]byte // without blank and faulty ones
	width int        // the number of columns that most rows have
	share float64    // of rows with that many
}

// bestDelimiter reads the sample with every delimiter and takes the one by which
// the rows are alike.
func (s *source) bestDelimiter(sample []byte, end byte, o *Options) table {
	if o.Delimiter != 0 && o.Delimiter < utf8.RuneSelf {
		return readTable(sample, byte(o.Delimiter), end)
	}
	var best table
	for i, d := range delimiterNames {
		t := readTable(sample, d.delimiter, end)
		// Three columns beat two, two beat one; then the likeness of the rows.
		better := min(t.width, 3) > min(best.width, 3) || min(t.width, 3) == min(best.width, 3) && t.share > best.share
		if i == 0 || better {
			best = t
		}
	}
	return best
}

// maxSampleRows is how many rows of the sample are looked at.
const maxSampleRows = 2000

func readTable(sample []byte, delim, end byte) table {
	t := table{delim: delim}
	in := newRecords(newLines(bytes.NewReader(sample), end, sampleSize), delim)
	widths := map[int]int{}
	for len(t.rows) < maxSampleRows {
		rec, err := in.next()
		if err != nil {
			break
		}
		if rec.fault != "" || len(rec.fields) == 0 {
			continue
		}
		row := make([][]byte, len(rec.fields))
		for i, field := range rec.fields {
			row[i] = bytes.Clone(field)
		}
		t.rows = append(t.rows, row)
		widths[len(row)]++
	}
	// Rows of three columns or more count before the others, even where a good
	// part of the lines is bad. Commas stand in any prose, so they must be regular.
	enough := 0.2
	if delim == ',' {
		enough = 0.5
	}
	if t.count(widths, 3); t.share < enough {
		t.count(widths, 1)
	}
	return t
}

// count sets the width that most rows of at least atLeast columns have.
func (t *table) count(widths map[int]int, atLeast int) {
	t.width = 0
	most := 0
	for width, n := range widths {
		if width >= atLeast && (n > most || n == most && width > t.width) {
			t.width, most = width, n
		}
	}
	t.share = float64(most) / float64(max(len(t.rows), 1))
}

// sniffLabels takes the columns of a file of names.
func (s *source) sniffLabels(best table, first []string, f *Format, o *Options) error {
	if best.width < 2 {
		return s.tooFewColumns(best, first)
	}
	f.Kind = Labels
	f.columns[headRole], f.columns[tailRole] = 0, 1
	f.Header = o.Header == HeaderYes || o.Header == HeaderAuto && isLabelHeader(first)
	if f.Header {
		f.Names = first
	}
	f.Roles = map[string]int{"key": 1, "name": 2}
	rows := best.rows
	if f.Header {
		rows = rows[1:]
	}
	if len(rows) > 0 && len(rows[0]) > 1 {
		f.Example = copyStrings(rows[0][:2])
	}
	return nil
}

// isLabelHeader reports whether a row names the columns of a file of names.
func isLabelHeader(row []string) bool {
	keys := []string{"id", "key", "entity", "entityid", "qid", "mid", "identifier", "iri", "uri", "node", "relation", "code"}
	names := []string{"label", "name", "text", "title", "preflabel", "entitylabel", "entityname"}
	return len(row) >= 2 && slices.Contains(keys, plain(row[0])) && slices.Contains(names, plain(row[1]))
}

// guessColumns takes head, relation, tail from a file without known names: the
// first three columns, or relation, head, tail where the first column is plainly
// the relation.
func (s *source) guessColumns(best table, f *Format) error {
	first := copyStrings(best.rows[0])
	if best.width > 4 {
		return s.unmapped(f, first, "head, relation and tail")
	}
	values := make([]map[string]int, 3)
	for c := range values {
		values[c] = map[string]int{}
	}
	n := 0
	for _, row := range best.rows {
		if len(row) < 3 {
			continue
		}
		n++
		for c := range values {
			values[c][string(row[c])]++
		}
	}
	f.columns[headRole], f.columns[relationRole], f.columns[tailRole] = 0, 1, 2
	between := func(a, b int) int {
		both := 0
		for v := range values[a] {
			if values[b][v] > 0 {
				both++
			}
		}
		return both
	}
	// Heads and tails share values; relations are neither.
	if n >= 10 && between(0, 1) == 0 && between(0, 2) == 0 && 4*between(1, 2) >= min(len(values[1]), len(values[2])) && 2*len(values[0]) <= n {
		f.columns[headRole], f.columns[relationRole], f.columns[tailRole] = 1, 0, 2
		f.Notes = append(f.Notes, "The first column was taken as the relation, because the other two hold the same entities.")
		return nil
	}
	if relations := len(values[1]); n >= 50 && float64(relations) > 0.8*float64(n) {
		return &FileError{
			File: s.file, Kind: ErrFormat,
			What:   "the second column has " + strconv.Itoa(relations) + " different values in " + strconv.Itoa(n) + " lines, so it does not look like relations",
			Remedy: "say which columns are head, relation and tail",
		}
	}
	if best.width == 4 {
		f.Notes = append(f.Notes, "The fourth column is not used.")
	}
	return nil
}

// inQuotes puts text from a file between quotation marks on one line, as people
// and not as programs write it.
func inQuotes(text string) string {
	return "“" + strings.Join(strings.Fields(text), " ") + "”"
}

// tooFewColumns is the error for a file that does not divide into triples.
func (s *source) tooFewColumns(best table, first []string) error {
	seen := strings.Join(first, string(rune(best.delim)))
	if len(seen) > 80 {
		seen = strings.ToValidUTF8(seen[:80], "") + "…"
	}
	if strings.HasPrefix(seen, "<") && strings.Contains(seen, "> <") {
		return &FileError{
			File: s.file, Kind: ErrFormat, Line: 1,
			What:   "it begins like N-Triples, but most of its lines are no statements; the first line is " + inQuotes(seen),
			Remedy: "end every statement with a full stop on its own line, as in <subject> <predicate> <object> ., or fetch the file again",
		}
	}
	if best.width == 2 {
		return &FileError{
			File: s.file, Kind: ErrFormat, Line: 1,
			What:   "the lines have two columns divided by " + delimiterName(best.delim) + ", such as " + inQuotes(seen) + "; a triple has three",
			Remedy: "if these are names of entities, import them as labels after the triples; otherwise give the delimiter",
		}
	}
	remedy := "give the delimiter, or save the file as head, tab, relation, tab, tail"
	if strings.EqualFold(filepath.Ext(s.file), ".txt") && strings.Contains(seen, " ") {
		remedy += "; if it is prose, " + readText
	}
	return &FileError{
		File: s.file, Kind: ErrFormat, Line: 1,
		What:   "no tab, |, ; or comma divides the lines into three columns; the first line is " + inQuotes(seen),
		Remedy: remedy,
	}
}

// readText is what to do with prose.
const readText = "let a language model read it: cairn extract GRAPH FILE --model NAME"

// unmapped is the error for a file whose columns nobody named.
func (s *source) unmapped(f *Format, first []string, missing string) error {
	seen := strings.Join(first, ", ")
	if len(seen) > 200 {
		seen = strings.ToValidUTF8(seen[:200], "") + "…"
	}
	return &FileError{
		File: s.file, Kind: ErrFormat, Line: 1,
		What:   "it has " + strconv.Itoa(f.Width) + " columns divided by " + delimiterName(f.Delimiter[0]) + ", and it is not clear which is " + missing + "; the first row is " + seen,
		Remedy: "say which column is head, relation and tail, by name or number",
	}
}

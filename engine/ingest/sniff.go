package ingest

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/engine/ingest/rdf"
	"cairn/engine/internal/lines"
	"cairn/internal/wording"
)

// Sniff tells what a file holds and how an import with these options would read
// it. Its content counts; its name only where that tells a format without a reader.
// Of a file that holds several, and of several files, which tell more together, it is the first
// that the user should look at.
func Sniff(ctx context.Context, paths []string, o Options) (Format, error) {
	o.setDefaults()
	fs, err := openFiles(ctx, paths, &o)
	if err != nil {
		return Format{}, err
	}
	defer fs.close()
	return fs.sniff(ctx, &o)
}

// sniff looks at the beginning of the text.
func (s *source) sniff(ctx context.Context, o *Options) (Format, error) {
	f := Format{Kind: o.Kind, lineEnd: '\n'}
	for r := range f.columns {
		f.columns[r] = -1
	}
	sample, err := s.sample(ctx, o.Encoding, &f)
	if err != nil {
		return f, err
	}
	if what, remedy := packed(sample); what != "" {
		return f, refuse(s.file, 0, ErrBinary, what, remedy)
	}
	if bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0 {
		f.lineEnd = '\r'
	}
	if len(sample) == sampleSize { // the last line is not whole
		if i := bytes.LastIndexByte(sample, f.lineEnd); i > 0 {
			sample = sample[:i]
		}
	}
	b := beginning{text: sample, lineEnd: f.lineEnd}
	x := formatOf(cmp.Or(s.kind, o.Kind))
	if s.rows {
		ours := *o
		ours.Delimiter = ','
		if s.record != nil { // it was JSON, and is a table now
			ours.Kind, x = Auto, nil
		}
		o = &ours
	}
	switch {
	case x != nil && x.recognise != nil:
		b.named = true
		x.recognise(b, &f)
	case x == nil && o.Delimiter == 0:
		if o.Columns == (Columns{}) && o.Reading == nil && Prose(s.file, sample) {
			return f, refuse(s.file, 0, ErrFormat, "it is prose, not a list of triples", readText)
		}
		if x, err = s.recognise(b, &f); err != nil {
			return f, err
		}
		if x != nil && x.rdf && (o.Columns != (Columns{}) || o.Reading != nil) {
			return f, refuse(s.file, 0, ErrFormat, "it is "+x.title+", which has no columns to choose from", "omit the columns")
		}
	}
	if x != nil && x.recognise != nil {
		f.Kind, f.format = x.kind, x
		return f, nil
	}
	if len(bytes.TrimSpace(sample)) == 0 {
		return f, s.empty()
	}
	if what, remedy := notText(sample); what != "" {
		return f, refuse(s.file, 0, ErrBinary, what, remedy)
	}
	if err := s.sniffDelimited(sample, &f, o); err != nil {
		return f, err
	}
	f.format = formatOf(f.Kind)
	return f, nil
}

// sample reads the beginning of the text, without its mark, in the encoding that
// is asked for; where none is and it is not UTF-8, in the one that it plainly has.
func (s *source) sample(ctx context.Context, charset string, f *Format) ([]byte, error) {
	r, packed, used, err := s.text(ctx, charset)
	if err != nil {
		return nil, err
	}
	f.Packed, f.Encoding = packed, used
	sample, err := io.ReadAll(io.LimitReader(r, sampleSize))
	if err != nil && (len(sample) == 0 || !errors.Is(err, io.ErrUnexpectedEOF) && !isCorruptInput(err)) {
		return nil, s.readError(err)
	}
	if charset == "" && used == utf8Name && looksWindows1252(sample) {
		f.Notes = append(f.Notes, "The file is not UTF-8: its letters were read as Windows-1252 (Latin-1). If they look wrong, give the encoding.")
		return s.sample(ctx, windows1252, f)
	}
	if charset == "" && used != utf8Name {
		f.Notes = append(f.Notes, "The file is "+strings.ToUpper(used)+".")
	}
	return bytes.TrimPrefix(sample, lines.ByteOrderMark), nil
}

func (s *source) empty() error {
	return refuse(s.file, 0, ErrEmpty, "the file is empty", "choose a file that has data")
}

// isCorruptInput reports whether unpacking met bytes that make no sense.
func isCorruptInput(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}

// ntriplesLine finds N-Triples: most lines are its statements. It notes whether some
// of them name a graph, as those of N-Quads do, and the first of them for people.
func ntriplesLine(b beginning, f *Format) (first int64) {
	if text := bytes.TrimSpace(b.text); b.named && (len(text) == 0 || bytes.IndexByte([]byte("<_#"), text[0]) >= 0) {
		first = 1
	}
	var p rdf.LineParser
	good, bad := 0, 0
	quads, example := false, []string(nil)
	in := lines.New(bytes.NewReader(b.text), b.lineEnd, sampleSize)
	for good+bad < 200 {
		line, _, err := in.Next()
		if err != nil {
			break
		}
		switch st, ok, err := p.Parse(line); {
		case err != nil:
			bad++
			// A broken statement still speaks for N-Triples where it begins as one.
			if t := bytes.TrimSpace(line); !strings.Contains(err.Error(), "IRI is relative") && bytes.HasPrefix(t, []byte("<")) && bytes.Contains(t, []byte("> <")) && bytes.HasSuffix(t, []byte(".")) {
				good++
			}
		case ok:
			if good++; example == nil {
				example = []string{string(st.Subject.Value), string(st.Predicate.Value), string(st.Object.Value)}
			}
			quads = quads || len(st.Graph.Value) > 0
		}
	}
	if good == 0 || good < bad {
		return first
	}
	f.Quads, f.Example = quads, example
	return 1
}

// sniffDelimited finds the delimiter, the header and the columns.
func (s *source) sniffDelimited(sample []byte, f *Format, o *Options) error {
	delimiter := o.Delimiter
	if d, rest, ok := sepLine(sample); ok {
		f.sep, sample = true, rest
		delimiter = cmp.Or(delimiter, rune(d))
	}
	best := s.bestDelimiter(sample, f.lineEnd, delimiter)
	if o.Reading == nil && o.Columns == (Columns{}) && o.Header != HeaderNo && !s.named {
		if err := s.oneTable(sample, f.lineEnd, &best); err != nil {
			return err
		}
	}
	if best.width > maxColumns {
		return s.tooWide(best.width)
	}
	if best.named = s.named; !s.named {
		f.Notes = append(f.Notes, best.findTop(o)...)
	}
	f.Delimiter, f.Width, f.top, f.joined = string(rune(best.delim)), best.width, best.top, best.joined
	if len(best.rows) == 0 {
		return s.empty()
	}
	best.rows = append(best.rows[:1:1], slices.DeleteFunc(best.rows[1:], func(row [][]byte) bool { // a header comes again on each page
		return len(row) > 1 && slices.EqualFunc(row, best.rows[0], bytes.Equal)
	})...)
	first := copyStrings(best.rows[0])
	const previewed = 21
	for _, row := range best.rows[:min(len(best.rows), previewed)] {
		f.Preview = append(f.Preview, copyStrings(row))
	}
	if !s.named && o.Reading == nil || o.Reading != nil && o.Reading.Sections != "" {
		best.takeHeadings()
	}
	if s.record != nil {
		if best.width < 2 && s.record.ID < 0 && s.record.Label < 0 {
			return refuse(s.of, 0, ErrFormat, "the objects of this JSON have only "+inQuotes(first[0])+", which says nothing of them", "give each object a name or an id, and what is said of it")
		}
		f.Kind = Delimited
		return s.mapColumns(best, f, o)
	}
	if o.Kind == GraphTable || o.Kind == Auto && o.Columns == (Columns{}) && o.Reading == nil && o.Header != HeaderNo {
		if found, err := s.graphHeader(best, f, o); found || err != nil {
			return err
		}
	}
	ids := joinsIDs(first) || len(s.uses) > 0 && s.uses[0].key && namesThings(first)
	best.named = best.named || ids
	values := best.width == 2 && (ids || describesThings(&best))
	if o.Kind == Labels || o.Kind == Auto && best.width == 2 && o.Columns == (Columns{}) && o.Reading == nil && !values {
		return s.sniffLabels(best, first, f, o)
	}
	if best.width < 3 && (best.width < 2 || !strings.HasPrefix(o.Columns.Relation, "=") && o.Reading == nil && !values) {
		return s.tooFewColumns(best, first)
	}
	f.Kind = Delimited
	return s.mapColumns(best, f, o)
}

// describesThings reports whether the rows of two columns are a thing and something about
// it, as a header says for certain: a number or a date, or what it does not call a name. What
// several things have is no name of theirs; the header may be plain words then.
func describesThings(t *table) bool {
	first := copyStrings(t.rows[0])
	is, doubt := t.headed()
	if len(first) < 2 || isLabelHeader(first) {
		return false
	}
	name, value := factsOf(t.rows[1:], 0), factsOf(t.rows[1:], 1)
	part := func(c int) string {
		words := wordsIn(first[c])
		if len(words) == 0 {
			return "name"
		}
		return parts[words[len(words)-1]]
	}
	isText := name.kind == textKind && name.ids < 0.5
	if !is || doubt {
		isNew := name.values[first[0]]+value.values[first[1]] == 0 && isKind(first[0]) && saysRelation(first[1])
		t.named = isNew && isText && name.distinct() == 1 && value.kind == textKind && (value.distinct() < 1 || part(0) != "id" && part(1) != "name")
		return t.named
	}
	amount := value.kind == integerKind || value.kind == decimalKind || value.kind == dateKind
	return name.kind == textKind && amount || isText && part(0) != "id" && part(1) != "name"
}

// isComment reports whether a row above all others is a remark: a header may begin
// with # too, but it has all the columns.
func isComment(row [][]byte, width int) bool {
	return len(row) > 0 && len(row) < width && bytes.HasPrefix(row[0], []byte("#"))
}

// sepLine reads the first line that Excel writes to tell the delimiter, as sep=;
// is one. It returns what comes after it.
func sepLine(sample []byte) (delimiter byte, rest []byte, ok bool) {
	line, rest, _ := bytes.Cut(sample, []byte("\n"))
	line = bytes.Trim(line, "\"\r ")
	if len(line) != len("sep=;") || !bytes.EqualFold(line[:4], []byte("sep=")) {
		return 0, sample, false
	}
	return line[4], rest, true
}

// end returns the column of an end of the triple: its name, or else its id.
func (f *Format) end(r role) int {
	if f.columns[r] >= 0 {
		return f.columns[r]
	}
	return f.columns[idRole(r)]
}

// idRole returns the role of the id that may stand for a name.
func idRole(r role) role {
	if r == headRole {
		return headIDRole
	}
	return tailIDRole
}

// typeRole returns the role of the types of an end.
func typeRole(r role) role {
	if r == headRole {
		return headTypeRole
	}
	return tailTypeRole
}

// table is the sample read with one delimiter.
type table struct {
	delim byte
	rows  [][][]byte // without blank and faulty ones
	width int        // the number of columns that most rows have
	share float64    // of rows with that many

	top    int  // rows that stood above those, and are none of the table
	titled bool // some of them were a title
	joined bool // the first row is a header made of two
	named  bool // the first row surely is a header

	heading string // the first of the rows that are headings of those below them
}

// bestDelimiter reads the sample with every delimiter and takes the one by which
// the rows are alike.
func (s *source) bestDelimiter(sample []byte, end byte, delimiter rune) table {
	if delimiter != 0 && delimiter < utf8.RuneSelf {
		return s.readTable(sample, byte(delimiter), end)
	}
	var best table
	for i, d := range delimiterNames {
		t := s.readTable(sample, d.delimiter, end)
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

func (s *source) readTable(sample []byte, delim, end byte) table {
	t := table{delim: delim}
	in := s.newRecords(lines.New(bytes.NewReader(sample), end, sampleSize), delim)
	widths := map[int]int{}
	for len(t.rows) < maxSampleRows {
		rec, err := in.next()
		if err != nil {
			break
		}
		if rec.fault != "" || len(rec.fields) == 0 || isRule(rec.fields) {
			continue
		}
		t.rows = append(t.rows, wording.Each(rec.fields, bytes.Clone))
		widths[len(rec.fields)]++
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
	if key, name := factsOf(best.rows, 0), factsOf(best.rows, 1); o.Kind != Labels && (joinsKeys(best.rows) || key.ids < 0.5 && name.distinct() < 1 && !isLabelHeader(first)) {
		return s.tooFewColumns(best, first) // two things would be one by their names
	}
	f.Kind = Labels
	f.columns[headRole], f.columns[tailRole] = 0, 1
	f.Header = o.Header == HeaderYes || o.Header == HeaderAuto && (isLabelHeader(first) || namesThings(first))
	if f.Header {
		f.Names = first
	}
	for c := 2; c < max(f.Width, len(first)); c++ {
		f.LeftOut = append(f.LeftOut, f.columnName(c))
	}
	if len(f.LeftOut) > 0 {
		f.Notes = append(f.Notes, "Cairn reads "+f.columnName(0)+" as key, "+f.columnName(1)+" as name"+f.leaves()+".")
	}
	rows := best.rows
	if f.Header {
		rows = rows[1:]
	}
	if f.sampled = rows; len(rows) > 0 && len(rows[0]) > 1 {
		f.Example = copyStrings(rows[0][:2])
	}
	return nil
}

// joinsKeys reports whether rows are pairs of ids and no keys and their names: a key has two of
// them.
func joinsKeys(rows [][][]byte) bool {
	key, name := factsOf(rows, 0), factsOf(rows, 1)
	return key.ids > 0.8 && name.ids > 0.8 && !key.with(&name).settles
}

// isLabelHeader reports whether a row names the columns of a file of names.
func isLabelHeader(row []string) bool {
	keys := []string{"id", "key", "entity", "entityid", "qid", "mid", "identifier", "iri", "uri", "node", "relation", "code"}
	names := []string{"label", "name", "text", "title", "preflabel", "entitylabel", "entityname"}
	return len(row) >= 2 && slices.Contains(keys, wording.Plain(row[0])) && slices.Contains(names, wording.Plain(row[1]))
}

// inQuotes puts text from a file between quotation marks on one line, as people
// and not as programs write it.
func inQuotes(text string) string { return wording.Quote(wording.OneLine(text)) }

// tooFewColumns is the error for a file that does not divide into triples.
func (s *source) tooFewColumns(best table, first []string) error {
	seen := strings.Join(first, string(rune(best.delim)))
	if len(seen) > 80 {
		seen = strings.ToValidUTF8(seen[:80], "") + "…"
	}
	if strings.HasPrefix(seen, "<") && strings.Contains(seen, "> <") {
		return refuse(s.file, 1, ErrFormat,
			"it begins like N-Triples, but most of its lines are not statements; the first line is "+inQuotes(seen),
			"end every statement with a full stop on its own line, as in <subject> <predicate> <object> ., or fetch the file again")
	}
	if best.width == 2 {
		return refuse(s.file, 1, ErrFormat,
			"the lines have two columns separated by "+delimiterName(best.delim)+", such as "+inQuotes(seen)+"; a triple has three",
			"if these are names of entities, import them as labels after the triples; if each row is an entity and a value, say that the columns are head and value; otherwise give the delimiter")
	}
	remedy := "give the delimiter, or save the file as head, tab, relation, tab, tail"
	if strings.EqualFold(filepath.Ext(s.file), ".txt") && strings.Contains(seen, " ") {
		remedy += "; if it is prose, " + readText
	}
	return refuse(s.file, 1, ErrFormat, "no tab, |, ; or comma splits the lines into three columns; the first line is "+inQuotes(seen), remedy)
}

// readText is what to do with prose.
const readText = "let a language model read it: press Read as text with the model, or run cairn extract GRAPH FILE --model NAME"

// unmapped is the error for a file whose columns nobody named.
func (s *source) unmapped(f *Format, first []string, missing string) error {
	seen := strings.Join(first, ", ")
	if len(seen) > 200 {
		seen = strings.ToValidUTF8(seen[:200], "") + "…"
	}
	remedy := "say which column is head, relation and tail, by name or number"
	if isLabelHeader(first) {
		remedy += "; if these are names of entities, import the columns with the key and the name as labels after the triples"
	}
	return refuse(s.file, 1, ErrColumns,
		"it has "+strconv.Itoa(f.Width)+" columns separated by "+delimiterName(f.Delimiter[0])+", but it is unclear which are "+missing+"; the first row is "+seen,
		remedy)
}

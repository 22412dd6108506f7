// Package ingest reads files of triples into a knowledge graph's Store.
//
//	Sniff   tells what a file holds, by its content
//	File    imports a file: rows of head, relation, tail; RDF; property graphs; names
//	Files   imports several as one layer
//	Report  what was read and what became of it; the counts add up
//
// Reading is streaming and writing is in batches: a kill or a cancel leaves what
// the last batch committed, and importing the file again completes it. A file that
// is in the graph already adds nothing.
//
// A line that cannot be read is rejected: counted, reported with its reason, and
// listed in a file beside the graph. It does not end the import.
//
// What an entity is follows from its key. In rows the key is the name, so the same
// name is the same entity, unless columns of ids tell them apart. In RDF it is the
// IRI, the blank node within its file, or the literal with its type. A relation
// such as "is a" or rdf:type gives its head a type and stays a triple; one such as
// "also known as" or rdfs:label gives a name and does not.
package ingest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/engine/internal/beside"
	"cairn/engine/internal/lines"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// File imports the file at path. What it was found to be, and what became of every
// line, is in the Report, also beside an error: then it counts what was committed.
func File(ctx context.Context, st *kg.Store, path string, o Options, ev *Events) (Report, error) {
	return Files(ctx, st, []string{path}, o, ev)
}

// Files imports files as one layer, each of which may be an archive, a workbook or a
// database. Nothing is imported where one of them cannot be read.
func Files(ctx context.Context, st *kg.Store, paths []string, o Options, ev *Events) (Report, error) {
	o.setDefaults()
	fs, err := openFiles(ctx, paths, &o)
	if err != nil {
		return Report{File: strings.Join(paths, ", ")}, err
	}
	return importFiles(ctx, st, fs, o, ev)
}

// importFiles imports files, then the file of names that belongs to them.
func importFiles(ctx context.Context, st *kg.Store, fs *fileSet, o Options, ev *Events) (Report, error) {
	defer fs.close()
	report, err := importSet(ctx, st, fs, o, ev)
	if err != nil || o.Labels == "" {
		return report, err
	}
	byName := o.ForNames()
	names, err := openFiles(ctx, []string{o.Labels}, &byName)
	if err != nil {
		return report, err
	}
	defer names.close()
	second, err := importSet(ctx, st, names, byName, ev)
	return report.Plus(second), err
}

type importer struct {
	st      *kg.Store
	fs      *fileSet
	src     *source // the part that is being read
	w       *kg.Writer
	o       Options
	ev      Events
	format  Format
	rejects rejects

	report    Report // with what is not yet committed
	flushed   Report // with what is being committed
	committed Report

	statements  bool // rows have a relation and a tail
	used        bool // the line has given a statement
	props       []kg.Property
	needed      int // the last column that a row must have, from 0
	meanings    map[string]meaning
	relations   map[kg.RelationID]int // where each is in report.ByRelation
	key         []byte                // scratch of keyOf
	blankPrefix string                // tells the blank nodes of this file from those of others
	lines       int64                 // that were looked at, for the rhythm of tick
	last        int64                 // the last of them in this part
	before      int64                 // of the parts before this one
	done        int64                 // bytes of the parts before this one
	began       Report                // with what the parts before this one gave
	graphNodes  *graphState
	asides      asides
	known       int // entities that the graph had before
	taken       []takenID
	held        bool // nothing is committed, for something that was read waits

	// The rest is for documents of RDF.
	predicates    map[string]*predicate   // by IRI, as the document writes them
	propertyNames map[string]propertyName // of relations, by IRI
	direct        map[string]string       // IRI of a property of Wikibase → of its direct relation
	schemaApart   bool                    // what declares classes and properties is no fact of the graph
	nodes         nodes
	line          int64 // the latest that was read

	ctx context.Context //nolint:containedctx // lives for one call of File; the loops look at it in tick
}

func importSet(ctx context.Context, st *kg.Store, fs *fileSet, o Options, ev *Events) (Report, error) {
	began := time.Now()
	o.setDefaults()
	told := ev.called()
	report := Report{File: fs.files[0].file}
	var err error
	if report.Format, err = fs.sniff(ctx, &o); err != nil {
		return report, err
	}
	for i := range fs.formats {
		if err := fs.formats[i].Ask(fs.parts[i].file); err != nil && !o.AcceptGuess {
			return report, err
		}
	}
	layer, err := fs.layer(ctx, &o)
	if err != nil {
		return report, err
	}
	report.File, report.Hash, layer.Off = layer.File, layer.Hash, o.Off
	w, err := st.NewWriter(ctx, layer, told.Load)
	if err != nil {
		return report, err
	}
	defer w.Close()
	im := &importer{
		st: st, fs: fs, w: w, o: o, ev: told, report: report, flushed: report, committed: report, ctx: ctx, meanings: map[string]meaning{}, relations: map[kg.RelationID]int{},
		predicates: map[string]*predicate{}, propertyNames: map[string]propertyName{}, direct: map[string]string{},
		rejects: rejects{path: RejectsPath(st.Path()), mode: beside.Mode(st.Path())},
	}
	for _, p := range fs.parts {
		im.rejects.files, im.rejects.from = append(im.rejects.files, p.file), append(im.rejects.from, p.opened)
	}
	bothWays, err := st.Symmetric(ctx)
	if err != nil {
		return report, err
	}
	entities, relations := w.Entities(), w.Relations()
	im.known = entities
	for i := range fs.parts {
		if err = im.part(i, layer.Hash); err != nil {
			break
		}
	}
	if err == nil {
		im.endGraph(entities)
		err = im.complete()
	}
	if err == nil {
		err = im.noteTaken()
	}
	if err == nil {
		err = im.noteDirections(bothWays)
	}
	if im.w.Wait() == nil {
		im.committed = im.flushed
	}
	out := im.committed
	out.Took = time.Since(began)
	if err == nil {
		out.Entities, out.Relations = int64(w.Entities()-entities), int64(w.Relations()-relations)
	}
	path, rejectErr := im.rejects.close()
	out.RejectsFile, out.Notes, out.Format.Notes = path, im.report.Notes, im.report.Format.Notes
	if err == nil && rejectErr != nil && out.Rejected > 0 {
		note := "The rejected lines could not be written to a file: " + rejectErr.Error() + "."
		out.Format.Notes, out.Notes = append(out.Format.Notes, note), append(out.Notes, note)
	}
	for _, l := range fs.leftOut {
		out.Notes = append(out.Notes, "Left out: "+l+".")
	}
	return out, err
}

// part imports one part. What it adds is not yet complete.
func (im *importer) part(i int, hash string) error {
	im.before, im.done, im.began = im.before+im.last, im.done+im.read(), im.report
	im.src, im.format, im.last = im.fs.parts[i], im.fs.formats[i], 0
	im.o.Encoding = im.format.Encoding
	im.nodes, im.line = nodes{}, 0
	im.blankPrefix = hash[:8] + "-"
	if im.fs.several() {
		name, file := im.src.name, im.src.file
		if im.src.of != "" { // its lines are those of the file
			name, file = filepath.Base(im.src.of), im.src.of
		}
		im.w.Part(name, file, im.fs.sumOf(im.src), im.before)
		im.blankPrefix += itoa(int64(i)) + "-"
	}
	if im.format.Kind == Labels && im.o.Kind != Labels && (im.format.shared || !im.namesKnown()) {
		err := im.src.tooFewColumns(table{delim: im.format.Delimiter[0], width: 2}, im.format.Example)
		if im.src.inside && i > 0 {
			im.fs.leave(im.src, err)
			return nil
		}
		return err
	}
	if i == 0 {
		im.rejects.forget()
	}
	err := im.run()
	im.src.stop()
	if i == 0 {
		im.report.Format.Notes = im.format.Notes
	}
	r := im.sincePart()
	for _, n := range append(slices.Clip(im.format.Notes), namesNote(&r, &im.format)...) {
		im.report.Notes = append(im.report.Notes, im.src.name+": "+n)
	}
	return err
}

// read returns how much of the part was read, in bytes.
func (im *importer) read() int64 {
	if im.src == nil {
		return 0
	}
	return im.src.read.Load()
}

// sincePart returns what this part gave.
func (im *importer) sincePart() Report {
	r, b := im.report, im.began
	r.Read, r.Added, r.Duplicate, r.Rejected = r.Read-b.Read, r.Added-b.Added, r.Duplicate-b.Duplicate, r.Rejected-b.Rejected
	r.Skipped, r.Named, r.Unknown = r.Skipped-b.Skipped, r.Named-b.Named, r.Unknown-b.Unknown
	return r
}

// namesNote says which lines gave names instead of triples, and which could not.
func namesNote(r *Report, f *Format) []string {
	switch {
	case r.Unstated > 0:
		return []string{itoa(r.Unstated) + " statements were left out: they are about names, about quoted statements, or marked as deprecated."}
	case r.Unknown > 0 && r.Named > 0:
		return []string{"It added " + wording.Count(r.Named, "name", "names") + "; " + itoa(r.Unknown) + " of its keys are not in this graph."}
	case r.Named > 0 && f.Kind == Delimited && !f.Statements():
		return []string{itoa(r.Named) + " of its rows have only a name."}
	case r.Named > 0 && f.Kind == Delimited:
		return []string{"In " + itoa(r.Named) + " of its lines, the relation gives the head a name, so they are not triples."}
	}
	return nil
}

// run reads the whole part.
func (im *importer) run() error {
	text, _, _, err := im.src.text(im.ctx, im.o.Encoding)
	if err != nil {
		return err
	}
	r := readAhead(text)
	defer func() { _ = r.Close() }()
	if err := im.format.format.read(im, r); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	switch r := im.sincePart(); {
	case r.Rejected > 0 && r.Added+r.Duplicate+r.Named+r.Unknown == 0:
		im.flushed = im.report // nothing is left to commit
		return im.nothingRead(&r)
	case r.Read == r.Skipped && r.Named+r.Unknown == 0 && !im.format.format.rdf:
		im.flushed = im.report
		return refuse(im.src.file, 0, ErrEmpty, "it has no triples, only a header, comments or blank lines", "choose a file that has data")
	case r.Named == 0 && r.Unknown > 0 && !im.o.AnyNames:
		im.flushed = im.report
		return refuse(im.src.file, 0, ErrFormat,
			"none of its "+itoa(r.Unknown)+" keys is in this graph, so it names nothing",
			"import the triples first, then this file as labels; its first column must have the same keys")
	}
	return nil
}

// complete commits the rest and ends the import.
func (im *importer) complete() error {
	if s := im.fs.changed(); s != nil {
		changed := refuse(s.file, 0, ErrChanged,
			"another program changed the file while it was being read",
			"import it again when no program is writing to it; what was already added stays and is not added twice")
		return errors.Join(changed, im.finish(false))
	}
	if err := im.finish(true); err != nil {
		return err
	}
	size := max(im.fs.size(), im.done+im.read())
	im.ev.Progress(size, size)
	return im.w.Settle(im.ctx, im.ev.Settle)
}

// finish commits what is left and waits for it. An import that is not complete is
// one that the same file may complete.
func (im *importer) finish(complete bool) error {
	if err := im.commit(im.last, complete); err != nil || complete {
		return err
	}
	return im.w.Wait()
}

// neededColumns returns the last column, from 0, without which a row is no triple.
// Of a name and an id, either will do.
func (im *importer) neededColumns() int {
	c := &im.format.columns
	either := func(name, id role) int {
		if c[name] < 0 || c[id] < 0 {
			return max(c[name], c[id])
		}
		return min(c[name], c[id])
	}
	return max(c[relationRole], either(headRole, headIDRole), either(tailRole, tailIDRole))
}

// at begins a line.
func (im *importer) at(line int64) {
	im.report.Read++
	im.used = false
	im.line = line
	im.w.At(line)
}

// add adds a statement and counts it.
func (im *importer) add(t kg.Triple, origin int64, properties []kg.Property) {
	if !im.used {
		im.used = true
		im.report.Used++
	}
	im.report.Properties += int64(len(properties))
	if im.w.AddStatement(t, origin, properties) {
		im.report.Added++
	} else {
		im.report.Duplicate++
	}
	im.sample(t, properties)
}

// tickEvery is how many lines pass between two looks at the context, the batch
// and the progress.
const tickEvery = 1024

// errEnough ends a trial.
var errEnough = errors.New("enough rows")

// tick ends a line.
func (im *importer) tick(line int64) error {
	im.last = line
	if im.o.Rows > 0 && im.report.Read >= im.o.Rows {
		return errEnough
	}
	if im.lines++; im.lines%tickEvery != 0 {
		return nil
	}
	if err := im.ctx.Err(); err != nil {
		return err
	}
	im.ev.Progress(im.done+im.read(), im.fs.size())
	if im.held || im.w.Pending() < im.batchSize() {
		return nil
	}
	return im.commit(line, false)
}

// batchSize returns how many rows to commit at once. The more the file holds the
// larger a batch may be for a kill to cost no more than a small part of the time,
// and the less often the same pages of the graph are written.
func (im *importer) batchSize() int {
	if im.o.BatchSize > 0 {
		return im.o.BatchSize
	}
	return min(max(usualBatch, int(im.report.Read/8)), largeBatch)
}

// How many rows are committed at once, at first and of a large file.
const (
	usualBatch = 100_000
	largeBatch = 1_000_000
)

// commit begins to write what was read so far, once the batch before is in. At
// the end of the file it waits for the last.
func (im *importer) commit(line int64, complete bool) error {
	if err := im.w.Flush(im.ctx, line, complete, im.report.counts()); err != nil {
		return err
	}
	im.report.Bytes = im.done + im.read()
	im.committed, im.flushed = im.flushed, im.report
	im.report.ByRelation = slices.Clone(im.report.ByRelation) // what was flushed stays as it is
	if complete {
		return im.w.Wait()
	}
	return nil
}

// reject counts a line that cannot be read. It returns an error where there are
// too many of them.
func (im *importer) reject(line int64, text []byte, why string) error {
	x := Reject{File: im.src.file, Line: line, Reason: why, Text: cut(text)}
	im.report.Rejected++
	if len(im.report.Rejects) < MaxRejectsKept {
		im.report.Rejects = append(im.report.Rejects, x)
	}
	im.rejects.add(x)
	im.ev.Reject(x)
	if im.o.MaxRejects == 0 || im.report.Rejected < im.o.MaxRejects {
		return nil
	}
	e := refuse(im.src.file, line, ErrRejects, why, "correct the line, or let the import skip lines it cannot read")
	if im.o.MaxRejects > 1 {
		e.What = "this is rejected line " + itoa(im.report.Rejected) + ": " + why
	}
	return e
}

// nothingRead is the error for a file of which no line could be read.
func (im *importer) nothingRead(r *Report) error {
	first := Reject{Line: 1, Reason: "see the list of rejected lines"}
	for _, x := range r.Rejects {
		if x.File == im.src.file {
			first = x
			break
		}
	}
	parts, remedy := " lines could be read", "check the delimiter, the columns and the encoding"
	if im.format.format.rdf {
		parts, remedy = " statements could be read as "+im.format.Title(), "correct the statement, or fetch the file again"
	}
	return refuse(im.src.file, first.Line, ErrFormat,
		"none of its "+itoa(r.Read)+parts+"; the first: "+first.Reason,
		remedy)
}

// namesKnown reports whether the keys of a file with two columns are mostly those
// of the graph: then it is a file of names.
func (im *importer) namesKnown() bool {
	if isLabelHeader(im.format.Names) {
		return true
	}
	r, _, _, err := im.src.text(im.ctx, im.o.Encoding)
	if err != nil {
		return false
	}
	in := im.src.newRecords(lines.New(r, im.format.lineEnd, im.o.MaxLine), im.format.Delimiter[0])
	known, seen := 0, 0
	for seen < maxSampleRows {
		rec, err := in.next()
		if err != nil {
			break
		}
		if len(rec.fields) < 2 {
			continue
		}
		seen++
		_, entity := im.w.FindBytes(rec.fields[0])
		_, relation := im.w.FindRelation(string(rec.fields[0]))
		if entity || relation {
			known++
		}
	}
	return 2*known >= seen && known > 0
}

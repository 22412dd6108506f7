// Package ingest reads files of triples into a knowledge graph's Store.
//
//	Sniff   tells what a file holds, by its content
//	File    imports a file: rows of head, relation, tail; N-Triples; names
//	Stream  imports from any reader
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
	"strings"
	"time"

	"cairn/engine/internal/beside"
	"cairn/engine/kg"
)

// File imports the file at path. What it was found to be, and what became of every
// line, is in the Report, also beside an error: then it counts what was committed.
func File(ctx context.Context, st *kg.Store, path string, o Options, ev *Events) (Report, error) {
	src, err := openFile(path)
	if err != nil {
		return Report{File: path}, err
	}
	return importSource(ctx, st, src, o, ev)
}

// importSource imports one source, then the file of names that belongs to it.
func importSource(ctx context.Context, st *kg.Store, src *source, o Options, ev *Events) (Report, error) {
	defer func() { _ = src.closer() }()
	report, err := importOne(ctx, st, src, o, ev)
	if err != nil || o.Labels == "" {
		return report, err
	}
	names, err := openFile(o.Labels)
	if err != nil {
		return report, err
	}
	defer func() { _ = names.closer() }()
	byName := Options{Kind: Labels, Languages: o.Languages, MaxLine: o.MaxLine, MaxRejects: o.MaxRejects, Strict: o.Strict, BatchSize: o.BatchSize}
	second, err := importOne(ctx, st, names, byName, ev)
	return report.Plus(second), err
}

// importer is one import under way.
type importer struct {
	src     *source
	w       *kg.Writer
	o       Options
	ev      Events
	format  Format
	rejects rejects

	report    Report // with what is not yet committed
	flushed   Report // with what is being committed
	committed Report

	needed      int // the last column that a row must have, from 0
	meanings    map[string]meaning
	key         []byte // scratch of keyOf
	blankPrefix string // tells the blank nodes of this file from those of others
	lines       int64  // that were looked at, for the rhythm of tick
	last        int64  // the last of them

	ctx context.Context //nolint:containedctx // lives for one call of File; the loops look at it in tick
}

func importOne(ctx context.Context, st *kg.Store, src *source, o Options, ev *Events) (Report, error) {
	began := time.Now()
	o.setDefaults()
	told := ev.called()
	report := Report{File: src.file}
	var err error
	if report.Format, err = src.sniff(ctx, &o); err != nil {
		return report, err
	}
	if err := report.Format.Ask(src.file); err != nil && !o.AcceptGuess {
		return report, err
	}
	o.Encoding = report.Format.Encoding
	hash, err := src.hash(ctx)
	if err != nil {
		return report, err
	}
	mapping := report.Format.String()
	if report.Format.Kind == NTriples {
		mapping += ", languages " + strings.Join(o.Languages, " ")
	}
	w, err := st.NewWriter(ctx, kg.Layer{Name: src.name, File: src.file, Hash: hash, Bytes: src.size, Mapping: mapping}, told.Load)
	if err != nil {
		return report, err
	}
	defer w.Close()
	im := &importer{
		src: src, w: w, o: o, ev: told, format: report.Format, report: report, flushed: report, committed: report, ctx: ctx,
		rejects: rejects{path: RejectsPath(st.Path()), mode: beside.Mode(st.Path()), file: src.file, from: src.opened}, meanings: map[string]meaning{}, blankPrefix: hash[:8] + "-",
	}
	if im.format.Kind == Labels && o.Kind != Labels && !im.namesKnown() {
		return report, src.tooFewColumns(table{delim: im.format.Delimiter[0], width: 2}, im.format.Example)
	}
	entities, relations := w.Entities(), w.Relations()
	im.rejects.forget()
	err = im.run()
	if im.w.Wait() == nil {
		im.committed = im.flushed
	}
	out := im.committed
	out.Took = time.Since(began)
	if err == nil {
		out.Entities, out.Relations = int64(w.Entities()-entities), int64(w.Relations()-relations)
	}
	path, rejectErr := im.rejects.close()
	out.RejectsFile = path
	if err == nil && rejectErr != nil && out.Rejected > 0 {
		out.Format.Notes = append(out.Format.Notes, "The rejected lines could not be listed in a file: "+rejectErr.Error()+".")
	}
	for _, n := range append(out.Format.Notes, namesNote(&out)...) {
		out.Notes = append(out.Notes, src.name+": "+n)
	}
	return out, err
}

// namesNote says which lines gave names instead of triples, and which could not.
func namesNote(r *Report) []string {
	switch {
	case r.Unknown > 0 && r.Named > 0:
		return []string{"It gave " + itoa(r.Named) + " names; " + itoa(r.Unknown) + " of its keys are not in this graph."}
	case r.Named > 0 && r.Format.Kind == Delimited:
		return []string{"In " + itoa(r.Named) + " of its lines the relation gives the head a name, so they are no triples."}
	}
	return nil
}

// run reads the whole source and commits it.
func (im *importer) run() error {
	text, _, _, err := im.src.text(im.ctx, im.o.Encoding)
	if err != nil {
		return err
	}
	r := newAheadReader(text)
	defer func() { _ = r.Close() }()
	switch im.format.Kind {
	case NTriples:
		err = im.ntriples(r)
	case Labels:
		err = im.rows(r, im.name)
	case Delimited, Auto:
		im.needed = im.neededColumns()
		err = im.rows(r, im.row)
	}
	if err != nil {
		return err
	}
	if r := &im.report; r.Rejected > 0 && r.Added+r.Duplicate+r.Named+r.Unknown == 0 {
		im.flushed = *r // nothing is left to commit
		return im.nothingRead()
	}
	if r := &im.report; r.Read == r.Skipped && r.Named+r.Unknown == 0 && im.format.Kind != NTriples {
		im.flushed = *r
		return refuse(im.src.file, 0, ErrEmpty, "it holds no triple, only a header, comments or blank lines", "choose a file with one triple a line")
	}
	if r := &im.report; r.Named == 0 && r.Unknown > 0 {
		im.flushed = *r
		return refuse(im.src.file, 0, ErrFormat,
			"none of its "+itoa(r.Unknown)+" keys is in this graph, so it names nothing",
			"import the triples first, then this file as labels; its first column must hold the same keys as they do")
	}
	if im.src.changed() {
		changed := refuse(im.src.file, 0, ErrChanged,
			"another program changed the file while it was read",
			"import it again when nothing writes to it any more; what was added stays and is not added twice")
		return errors.Join(changed, im.finish(false))
	}
	if err := im.finish(true); err != nil {
		return err
	}
	im.ev.Progress(im.src.size, im.src.size)
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
	im.w.At(line)
}

// add adds a triple and counts it.
func (im *importer) add(t kg.Triple, origin int64) {
	if im.w.Add(t, origin) {
		im.report.Added++
	} else {
		im.report.Duplicate++
	}
}

// tickEvery is how many lines pass between two looks at the context, the batch
// and the progress.
const tickEvery = 1024

// tick ends a line.
func (im *importer) tick(line int64) error {
	im.last = line
	if im.lines++; im.lines%tickEvery != 0 {
		return nil
	}
	if err := im.ctx.Err(); err != nil {
		return err
	}
	im.ev.Progress(im.src.read.Load(), im.src.size)
	if im.w.Pending() < im.batchSize() {
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
	im.report.Bytes = im.src.read.Load()
	im.committed, im.flushed = im.flushed, im.report
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
	e := refuse(im.src.file, line, ErrRejects, why, "correct the line, or let the import skip what it cannot read")
	if im.o.MaxRejects > 1 {
		e.What = "this is rejected line number " + itoa(im.report.Rejected) + ": " + why
	}
	return e
}

// nothingRead is the error for a file of which no line could be read.
func (im *importer) nothingRead() error {
	first := im.report.Rejects[0]
	remedy := "check the delimiter, the columns and the encoding"
	if im.format.Kind == NTriples {
		remedy = "correct the statement, or fetch the file again"
	}
	return refuse(im.src.file, first.Line, ErrFormat,
		"not one of its "+itoa(im.report.Read)+" lines could be read; of the first: "+first.Reason,
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
	in := newRecords(newLines(r, im.format.lineEnd, im.o.MaxLine), im.format.Delimiter[0])
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

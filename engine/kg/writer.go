package kg

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"cairn/internal/guard"
)

// RankFallback is the rank of a label that no source gave: the key, or the local
// name of an IRI. Any label that a source gives replaces it.
const RankFallback = 255

// Layer describes the file that a Writer adds.
type Layer struct {
	Name    string // for people
	File    string // the path, kept as an absolute one; of several files one a line
	Hash    string // SHA-256 of the content, in hex
	Mapping string // how the content is read; a file read otherwise is another layer
	Bytes   int64
	Model   string // that read it out of a text; empty for a file of triples
	Off     bool   // it is switched off from the beginning; a layer that is there already stays as it is
}

// Counts are what an import read and what became of it.
type Counts struct {
	Read, Added, Duplicate, Rejected, Skipped int64
}

// Writer adds the statements of one file to a Store. What is added gathers in
// memory until Flush or Commit, which write all of it or nothing. Ids are given
// at once.
//
// The same file again, by hash and mapping, adds nothing; one whose import was
// cut short goes on after the last line that was committed. A Writer is not safe
// for concurrent use, and a Store has one at a time.
type Writer struct {
	st     *Store
	source int64
	layer  *Layer    // until the first commit has made its row
	part   layerPart // of the layer, that is being added
	line   int64     // of the statements that are being added, in their part
	done   int64     // statements up to this line were committed by an earlier import

	entities  *keyTable
	ranks     []ranks // indexed by EntityID
	relations map[string]RelationID
	types     map[string]TypeID
	triples   *tripleTable
	typings   *pairTable

	properties map[string]uint32 // their names
	sets       *setTable
	statements *pairTable  // triples with sets
	members    []setMember // of the set that is being added

	origins map[origin]int64 // parts, and what rows name as their source → source.id
	sources int64            // the next source.id

	off      bool     // the layer is not on: it names nothing
	inactive []uint64 // bit t says that no layer that is on says triple t; nil where all are on

	before int  // entities of the file when the import began; 0 where it goes on
	large  bool // see Store.settle

	dataVersion int64 // of the file as this connection knows it
	batch       *batch
	flushing    *batch     // being written by a goroutine, which then sends its error
	flushed     chan error // nil where nothing is being written
	broken      error      // set once memory is ahead of the file
}

// ranks are how good an entity's label and description are; 0 is best.
type ranks struct{ label, description uint8 }

// NewWriter begins an import. progress, which may be nil, is told how far
// reading what the store already holds has come.
func (s *Store) NewWriter(ctx context.Context, layer Layer, progress func(done, total int64)) (*Writer, error) {
	const doing = "import into"
	if s.readOnly {
		return nil, s.cannotWrite(doing)
	}
	if !s.importing.CompareAndSwap(false, true) {
		return nil, errImporting(doing, s.path)
	}
	w := &Writer{
		st: s, relations: map[string]RelationID{}, types: map[string]TypeID{}, properties: map[string]uint32{},
		origins: map[origin]int64{}, batch: &batch{},
	}
	err := s.update(ctx, doing, func(conn *sql.Conn) error {
		if err := w.begin(ctx, conn, layer); err != nil {
			return err
		}
		return w.load(ctx, conn, progress)
	})
	if err == nil {
		err = w.noteState(ctx)
	}
	if err != nil {
		s.importing.Store(false)
		return nil, err
	}
	return w, nil
}

// growing stands for the last line of a layer that is never at its end: more of
// what a model read in a text may be added at any time.
const growing = -1

// begin finds the layer, where it was imported before, or makes it.
func (w *Writer) begin(ctx context.Context, conn *sql.Conn, l Layer) error {
	if err := conn.QueryRowContext(ctx, "SELECT coalesce(max(id) + 1, 0) FROM source").Scan(&w.sources); err != nil {
		return err
	}
	var complete bool
	err := conn.QueryRowContext(ctx, "SELECT id, line, complete, off FROM source WHERE layer IS NULL AND hash = ? AND mapping = ? AND model = ? AND off <> 2 ORDER BY id LIMIT 1",
		l.Hash, l.Mapping, l.Model).Scan(&w.source, &w.done, &complete, &w.off)
	if l.Model != "" {
		w.done = growing
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		// The first commit makes it, so that an import that reads nothing leaves
		// no trace.
		w.source = w.sources
		w.sources++
		w.layer, w.off = &l, l.Off
		return nil
	case err != nil:
		return err
	case complete && w.done != growing:
		w.done = math.MaxInt64
	}
	rows, err := conn.QueryContext(ctx, "SELECT id, name, file, hash FROM source WHERE layer = ?", w.source)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var o origin
		if err := rows.Scan(&id, &o.name, &o.file, &o.hash); err != nil {
			return err
		}
		w.origins[o] = id
	}
	return rows.Err()
}

// Settle ends a large import, once all is committed: it takes the names into the
// entities' rows and makes the index of the keys. progress, which may be nil, is
// told how far that has come. What it leaves undone, after a cancel, is done when
// the graph is next read.
func (w *Writer) Settle(ctx context.Context, progress func(done, total int64)) error {
	if err := w.Wait(); err != nil {
		return err
	}
	return w.st.settle(ctx, progress)
}

// noteState remembers the state of the file as another program would change it, and
// whether the import is a large one from the beginning: where it goes on with one, or
// where another was cut short.
func (w *Writer) noteState(ctx context.Context) error {
	w.st.mu.Lock()
	err := w.st.write.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&w.dataVersion)
	w.st.mu.Unlock()
	if err != nil {
		return fileError("import into", w.st.path, err)
	}
	if w.layer != nil || w.done == math.MaxInt64 || w.done == growing {
		w.before = w.Entities()
	}
	u, err := w.st.unsettled(ctx)
	w.large = u.index || u.names
	return err
}

// heavy reports whether the tables take so much memory that it is worth a look at
// what can be freed: some 50 MB.
func (w *Writer) heavy() bool { return w.triples.size() >= 1<<20 }

// Close ends the import. What was not committed is forgotten.
func (w *Writer) Close() {
	if w.st != nil {
		_ = w.Wait() // whoever wants to know has asked
		if w.large {
			_ = w.st.pragmas(context.Background(), usualPragmas...) // without it the cache stays large, that is all
		}
		if w.heavy() {
			w.entities, w.triples, w.typings, w.ranks, w.batch, w.flushing = nil, nil, nil, nil, nil, nil
			w.sets, w.statements = nil, nil
			debug.FreeOSMemory() // whoever reads the graph next needs it
		}
		w.st.importing.Store(false)
		w.st.foldAll()
		w.st = nil
	}
}

// Entities returns how many entities the graph has with what was added.
func (w *Writer) Entities() int { return len(w.ranks) }

// Relations returns how many relations the graph has with what was added.
func (w *Writer) Relations() int { return len(w.relations) }

// Find returns the entity with the given key, and whether there is one.
func (w *Writer) Find(key string) (EntityID, bool) {
	e, ok := w.entities.findString(key)
	return EntityID(e), ok
}

// FindBytes is Find for a key in bytes; it does not allocate.
func (w *Writer) FindBytes(key []byte) (EntityID, bool) {
	e, ok := w.entities.find(key)
	return EntityID(e), ok
}

// FindRelation returns the relation with the given key, and whether there is one.
func (w *Writer) FindRelation(key string) (RelationID, bool) {
	r, ok := w.relations[key]
	return r, ok
}

// Entity returns the entity with the given key, made where it is new. fallback
// is what to call it until a source names it; empty for its key. The writer
// keeps its own copy of key.
func (w *Writer) Entity(key []byte, fallback string) EntityID {
	e, added := w.entities.put(key)
	if added {
		w.newEntity(pendingEntity{key: w.entities.key(e), label: fallback})
	}
	return EntityID(e)
}

// Literal returns the literal with the given key, made where it is new. The key
// tells it from every other literal and entity; the text is its label.
func (w *Writer) Literal(key []byte, text, datatype, language string) EntityID {
	e, added := w.entities.put(key)
	if added {
		w.newEntity(pendingEntity{key: w.entities.key(e), label: text, language: language, literal: 1, datatype: datatype})
	}
	return EntityID(e)
}

func (w *Writer) newEntity(p pendingEntity) {
	w.ranks = append(w.ranks, ranks{RankFallback, RankFallback})
	p.rank = RankFallback
	w.batch.entities = append(w.batch.entities, p)
}

// Relation returns the relation with the given key, made where it is new.
func (w *Writer) Relation(key []byte) RelationID {
	if r, ok := w.relations[string(key)]; ok {
		return r
	}
	r := RelationID(len(w.relations))
	w.relations[string(key)] = r
	w.batch.relations = append(w.batch.relations, string(key))
	return r
}

// LabelRelation names a relation for people.
func (w *Writer) LabelRelation(r RelationID, label string) {
	if w.known() {
		return
	}
	w.batch.relationLabels = append(w.batch.relationLabels, relationLabel{r, label})
}

// layerPart is one of several files, or members of an archive, that make a layer.
type layerPart struct {
	origin
	source int64 // its source.id
	before int64 // lines of the parts before it
}

// Part begins one of several files, or one member of an archive, that make the
// layer: what follows was read there. before counts the lines of the parts before
// it; file is its path for people, and hash the SHA-256 of the file, in hex.
func (w *Writer) Part(name, file, hash string, before int64) {
	w.part = layerPart{origin: origin{name, file, hash}, before: before}
	w.part.source = w.originOf(w.part.origin)
	w.line = 0
}

// Origin returns the source to give to Add for a row that names one of its own.
func (w *Writer) Origin(name string) int64 {
	return w.originOf(origin{name, w.part.file, w.part.hash})
}

func (w *Writer) originOf(o origin) int64 {
	if id, ok := w.origins[o]; ok {
		return id
	}
	id := w.sources
	w.sources++
	w.origins[o] = id
	w.batch.origins = append(w.batch.origins, pendingOrigin{id, o})
	return id
}

// FileItself is the origin of rows that name no source of their own.
const FileItself int64 = -1

// At says which line of the part, or of the file that has none, the statements that
// follow were read from. Lines ascend.
func (w *Writer) At(line int64) { w.line = line }

// known reports whether an earlier import of the same file has committed the
// current line: its names and places are in already.
func (w *Writer) known() bool { return w.part.before+w.line <= w.done }

// Add adds a triple and reports whether it is new. One that is not gains one more
// place where it was read.
func (w *Writer) Add(t Triple, origin int64) bool {
	_, added := w.add(t, w.placeOf(origin))
	return added
}

// placeOf returns the source.id that an origin stands for.
func (w *Writer) placeOf(origin int64) int64 {
	switch {
	case origin != FileItself:
		return origin
	case w.part.file != "":
		return w.part.source
	}
	return w.source
}

func (w *Writer) add(t Triple, origin int64) (id TripleID, added bool) {
	id, added = w.triples.put(t)
	if added {
		w.batch.triples = append(w.batch.triples, pendingTriple{t, origin, w.line})
		return id, true
	}
	if !w.known() {
		w.batch.places = append(w.batch.places, place{id, origin, w.line})
		if at := int(id / 64); at < len(w.inactive) && w.inactive[at]>>(id%64)&1 != 0 {
			w.inactive[at] &^= 1 << (id % 64)
			return id, true // it was there, and is said again
		}
	}
	return id, false
}

// Has reports whether the graph has a triple, or what was added has it.
func (w *Writer) Has(t Triple) bool {
	_, ok := w.triples.find(t)
	return ok
}

// Type gives an entity the type with the given key and reports whether the layer had not
// said so yet.
func (w *Writer) Type(e EntityID, key []byte) bool {
	k, ok := w.types[string(key)]
	if !ok {
		k = TypeID(len(w.types))
		w.types[string(key)] = k
		w.batch.types = append(w.batch.types, string(key))
	}
	if !w.typings.put(uint32(e), uint32(k)) {
		return false
	}
	w.batch.typings = append(w.batch.typings, typing{e, k})
	return true
}

// Label names an entity. The label of the lowest rank stays, the first of
// several; the others become aliases.
func (w *Writer) Label(e EntityID, text, language string, rank uint8) {
	if w.known() {
		return
	}
	if w.off {
		w.alias(pendingAlias{e, text, language, rank, false})
		return
	}
	better := rank < w.ranks[e].label
	p := w.pending(e)
	switch {
	case p != nil && w.ranks[e].label < RankFallback && p.label == text:
		w.ranks[e].label = min(rank, w.ranks[e].label)
		p.rank = int64(w.ranks[e].label)
	case !better:
		w.alias(pendingAlias{e, text, language, rank, false})
	case p != nil:
		if w.ranks[e].label < RankFallback {
			w.alias(pendingAlias{e, p.label, p.language, w.ranks[e].label, true})
		}
		p.label, p.language, p.rank = text, language, int64(rank)
		w.ranks[e].label = rank
	default:
		w.batch.labels = append(w.batch.labels, pendingLabel{e, text, language, rank})
		w.ranks[e].label = rank
	}
}

// Alias gives an entity one more name.
func (w *Writer) Alias(e EntityID, text, language string) {
	if !w.known() {
		w.alias(pendingAlias{e, text, language, RankFallback, false})
	}
}

func (w *Writer) alias(a pendingAlias) { w.batch.aliases = append(w.batch.aliases, a) }

// Describe gives an entity a description; the first of the lowest rank stays.
func (w *Writer) Describe(e EntityID, text string, rank uint8) {
	if w.known() {
		return
	}
	d := pendingLabel{entity: e, text: text, rank: rank}
	if w.off || rank >= w.ranks[e].description {
		w.batch.further = append(w.batch.further, d)
		return
	}
	w.ranks[e].description = rank
	w.batch.descriptions = append(w.batch.descriptions, d)
}

// pending returns the entity's row where it is not yet in the file.
func (w *Writer) pending(e EntityID) *pendingEntity {
	first := len(w.ranks) - len(w.batch.entities)
	if int(e) < first {
		return nil
	}
	return &w.batch.entities[int(e)-first]
}

// Pending returns how many rows wait for Commit.
func (w *Writer) Pending() int { return w.batch.size() }

// Commit writes what was added since the last one, all of it or nothing. line is
// the last line of the part that it covers. complete says that the layer is at its
// end, and counts what became of it. After an error, or a cancel, nothing more can
// be added; what was committed before stays.
func (w *Writer) Commit(ctx context.Context, line int64, complete bool, counts Counts) error {
	if err := w.Flush(ctx, line, complete, counts); err != nil {
		return err
	}
	return w.Wait()
}

// Flush is Commit that does not wait: the writer can be added to while a goroutine
// writes what was there. The error is that of the flush before.
func (w *Writer) Flush(ctx context.Context, line int64, complete bool, counts Counts) error {
	if err := w.Wait(); err != nil {
		return err
	}
	if w.st == nil {
		return errors.New("commit: the import was closed")
	}
	if made := w.Entities() - w.before; made >= w.st.largeImport && made >= w.before/4 {
		w.large = true
	}
	b := w.batch
	line += w.part.before
	b.large = w.large
	b.firstEntity, b.firstRelation = len(w.ranks)-len(b.entities), len(w.relations)-len(b.relations)
	b.firstProperty = len(w.properties) - len(b.properties)
	b.firstType, b.firstTriple = len(w.types)-len(b.types), w.triples.size()-len(b.triples)
	if w.batch = w.flushing; w.batch == nil {
		w.batch = &batch{}
	}
	w.batch.clear()
	w.flushing, w.flushed = b, make(chan error, 1)
	flushed, layer := w.flushed, w.layer
	w.layer = nil
	go func() {
		flushed <- guard.Do(func() error {
			return w.st.update(ctx, "import into", func(conn *sql.Conn) error {
				return w.write(ctx, conn, b, layer, line, complete, counts)
			})
		})
	}()
	if w.heavy() {
		// The collector would let what was thrown away grow as large as the tables
		// are. They hold no pointers, so that looking after each batch costs little.
		runtime.GC()
	}
	return nil
}

// Wait waits for what Flush began and returns its error.
func (w *Writer) Wait() error {
	if w.flushed != nil {
		w.broken = <-w.flushed
		w.flushed = nil
	}
	return w.broken
}

// write writes a batch. It runs beside the methods that add, and touches nothing
// that they change. l is the layer where this is its first batch.
func (w *Writer) write(ctx context.Context, conn *sql.Conn, b *batch, l *Layer, line int64, complete bool, counts Counts) error {
	whole := context.WithoutCancel(ctx)
	var version int64
	if err := conn.QueryRowContext(whole, "PRAGMA data_version").Scan(&version); err != nil {
		return err
	}
	if version != w.dataVersion {
		return &FileError{
			Doing: "import into", Path: w.st.path, Kind: errChanged,
			What: "another program changed the file during the import", Remedy: "import again; what was committed is kept",
		}
	}
	changed := b.size() > 0
	if l != nil {
		if _, err := conn.ExecContext(whole, "INSERT INTO source (id, name, file, hash, mapping, model, bytes, imported, off) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			w.source, l.Name, absolute(l.File), l.Hash, l.Mapping, l.Model, l.Bytes, time.Now().UnixMilli(), l.Off); err != nil {
			return err
		}
	}
	if b.large {
		if err := execAll(whole, conn, append([]string{"DROP INDEX IF EXISTS entity_key"}, largePragmas...)); err != nil {
			return err
		}
	}
	if err := b.write(ctx, conn, w.source); err != nil {
		return err
	}
	if line > w.done {
		if _, err := conn.ExecContext(whole, "UPDATE source SET line = ? WHERE id = ?", line, w.source); err != nil {
			return err
		}
	}
	if complete && w.done != math.MaxInt64 {
		query := "UPDATE source SET complete = 1, read = ?, added = ?, duplicate = ?, rejected = ?, skipped = ? WHERE id = ?"
		if w.done == growing {
			query = "UPDATE source SET complete = 1, read = read + ?, added = added + ?, duplicate = duplicate + ?, rejected = rejected + ?, skipped = skipped + ? WHERE id = ?"
		}
		if _, err := conn.ExecContext(whole, query, counts.Read, counts.Added, counts.Duplicate, counts.Rejected, counts.Skipped, w.source); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	return execAll(whole, conn, []string{renewVersion})
}

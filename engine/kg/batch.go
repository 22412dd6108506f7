package kg

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
)

// batch is what a Writer gathered since it last handed one over to be written.
// The ids of new rows follow from their position and the first ids.
type batch struct {
	large                                                             bool // labels and descriptions wait in pending_name; see Store.settle
	firstEntity, firstRelation, firstType, firstTriple, firstProperty int  // set when it is handed over

	origins        []pendingOrigin
	entities       []pendingEntity
	relations      []string
	relationLabels []relationLabel
	types          []string
	typings        []typing
	triples        []pendingTriple
	places         []place
	properties     []string // their names
	members        []setMember
	statements     []pendingStatement
	labels         []pendingLabel
	aliases        []pendingAlias
	descriptions   []pendingLabel
	further        []pendingLabel // descriptions that are not the best
	extractions    []pendingExtraction
	additions      []pendingAddition
	undirected     []RelationID
}

type (
	origin        struct{ name, file, hash string } // file and hash where it is, or is in, a part
	pendingOrigin struct {
		id int64
		origin
	}
	pendingEntity struct {
		key, label, language, datatype string // label empty for the key
		literal, rank                  int64
	}
	relationLabel struct {
		relation RelationID
		text     string
	}
	pendingTriple struct {
		Triple
		origin, line int64
	}
	place struct {
		triple       TripleID
		origin, line int64
	}
	pendingStatement struct {
		statement
		origin, line int64
	}
	pendingLabel struct {
		entity         EntityID
		text, language string
		rank           uint8
	}
	pendingAlias struct {
		entity         EntityID
		text, language string
		rank           uint8 // of a label that is not the best; RankFallback for another name
		first          bool  // of the labels of its layer and rank
	}
)

// size returns the number of pending rows.
func (b *batch) size() int {
	return len(b.origins) + len(b.entities) + len(b.relations) + len(b.relationLabels) + len(b.types) + len(b.typings) +
		len(b.triples) + len(b.places) + len(b.labels) + len(b.aliases) + len(b.descriptions) +
		len(b.properties) + len(b.members) + len(b.statements) + len(b.extractions) + len(b.additions) + len(b.further) + len(b.undirected)
}

// clear empties the batch and keeps its memory for the next.
func (b *batch) clear() {
	clear(b.entities) // let go of the strings
	clear(b.aliases)
	clear(b.labels)
	clear(b.descriptions)
	clear(b.further)
	clear(b.extractions)
	clear(b.members)
	*b = batch{
		origins: b.origins[:0], entities: b.entities[:0], relations: b.relations[:0], relationLabels: b.relationLabels[:0],
		types: b.types[:0], typings: b.typings[:0], triples: b.triples[:0], places: b.places[:0],
		properties: b.properties[:0], members: b.members[:0], statements: b.statements[:0],
		labels: b.labels[:0], aliases: b.aliases[:0], descriptions: b.descriptions[:0], further: b.further[:0],
		extractions: b.extractions[:0], additions: b.additions[:0], undirected: b.undirected[:0],
	}
}

// write writes the rows. Aliases come after the labels, because a label that is
// replaced becomes an alias.
func (b *batch) write(ctx context.Context, conn *sql.Conn, layer int64) error {
	var off int64
	if err := conn.QueryRowContext(context.WithoutCancel(ctx), "SELECT off FROM source WHERE id = ?", layer).Scan(&off); err != nil {
		return err
	}
	in := &inserter{ctx: ctx, conn: conn}
	in.rows("INSERT INTO source (id, layer, name, file, hash, off)", len(b.origins), func(row []any, i int) {
		o := &b.origins[i]
		row[0], row[1], row[2], row[3], row[4], row[5] = o.id, layer, o.name, o.file, o.hash, off
	})
	in.rows("INSERT INTO entity (id, key, label, label_rank, language, literal, datatype, label_source)", len(b.entities), func(row []any, i int) {
		p := &b.entities[i]
		row[0], row[1], row[2], row[3], row[4], row[5], row[6] = int64(b.firstEntity+i), p.key, orNull(p.label, p.key), p.rank, p.language, p.literal, p.datatype
		row[7] = gave(p.rank, layer)
	})
	in.rows("INSERT INTO relation (id, key)", len(b.relations), func(row []any, i int) {
		row[0], row[1] = int64(b.firstRelation+i), b.relations[i]
	})
	in.rows("INSERT INTO type (id, key)", len(b.types), func(row []any, i int) {
		row[0], row[1] = int64(b.firstType+i), b.types[i]
	})
	slices.SortFunc(b.typings, typing.compare)
	in.rows("INSERT OR IGNORE INTO entity_type (entity, type, source)", len(b.typings), func(row []any, i int) {
		row[0], row[1], row[2] = int64(b.typings[i].entity), int64(b.typings[i].kind), layer
	})
	in.rows("INSERT INTO triple (id, head, relation, tail, source, line)", len(b.triples), func(row []any, i int) {
		t := &b.triples[i]
		row[0], row[1], row[2], row[3], row[4], row[5] = int64(b.firstTriple+i), int64(t.Head), int64(t.Relation), int64(t.Tail), t.origin, t.line
	})
	in.rows("INSERT OR IGNORE INTO provenance (triple, source, line)", len(b.places), func(row []any, i int) {
		row[0], row[1], row[2] = int64(b.places[i].triple), b.places[i].origin, b.places[i].line
	})
	b.writeStatements(in)
	b.writeNames(in, layer)
	slices.SortStableFunc(b.aliases, func(x, y pendingAlias) int { return cmp.Compare(x.entity, y.entity) })
	in.rows("INSERT OR IGNORE INTO alias (entity, text, language, rank, first, source)", len(b.aliases), func(row []any, i int) {
		a := &b.aliases[i]
		row[0], row[1], row[2], row[3], row[4], row[5] = int64(a.entity), a.text, a.language, int64(a.rank), a.first, layer
	})
	in.rows("INSERT OR IGNORE INTO description (entity, source, rank, text)", len(b.further), func(row []any, i int) {
		row[0], row[1], row[2], row[3] = int64(b.further[i].entity), layer, int64(b.further[i].rank), b.further[i].text
	})
	in.rows("INSERT OR IGNORE INTO undirected (relation, source)", len(b.undirected), func(row []any, i int) {
		row[0], row[1] = int64(b.undirected[i]), layer
	})
	b.writeExtractions(in, layer)
	return in.err
}

// The kinds of rows of pending_name.
const (
	pendingLabelKind       = 0
	pendingDescriptionKind = 1
)

// writeNames writes the labels and descriptions of entities and relations that
// are in the file already. Those of a large import wait for Store.settle.
func (b *batch) writeNames(in *inserter, layer int64) {
	if b.large {
		for kind, list := range [][]pendingLabel{pendingLabelKind: b.labels, pendingDescriptionKind: b.descriptions} {
			in.rows("INSERT INTO pending_name (entity, kind, text, language, rank, source)", len(list), func(row []any, i int) {
				l := &list[i]
				row[0], row[1], row[2], row[3], row[4], row[5] = int64(l.entity), int64(kind), l.text, l.language, int64(l.rank), layer
			})
		}
	} else {
		// The label that gives way stays as an alias.
		in.each(len(b.labels), func(i int) [][]any {
			l := &b.labels[i]
			return [][]any{{int64(l.entity), RankFallback}, {l.text, l.language, int64(l.rank), layer, int64(l.entity)}}
		}, keepLabel+" WHERE id = ? AND label_rank < ?",
			"UPDATE entity SET label = ?, language = ?, label_rank = ?, label_source = ? WHERE id = ?")
		in.each(len(b.descriptions), func(i int) [][]any {
			d := &b.descriptions[i]
			return [][]any{{int64(d.entity), RankFallback}, {d.text, int64(d.rank), layer, int64(d.entity)}}
		}, keepDescription+" WHERE id = ? AND description_rank < ?",
			"UPDATE entity SET description = ?, description_rank = ?, description_source = ? WHERE id = ?")
	}
	in.each(len(b.relationLabels), func(i int) [][]any {
		return [][]any{{b.relationLabels[i].text, layer, int64(b.relationLabels[i].relation)}}
	}, "UPDATE relation SET label = ?, label_source = ? WHERE id = ?")
}

// What gives way to a better label or description stays beside it.
const (
	keepLabel = `INSERT OR IGNORE INTO alias (entity, text, language, rank, first, source)
		SELECT id, coalesce(label, key), language, label_rank, 1, label_source FROM entity`
	keepDescription = `INSERT OR REPLACE INTO description (entity, source, rank, text)
		SELECT id, description_source, description_rank, description FROM entity`
)

// gave returns the layer that gave a label of a rank, -1 for none.
func gave(rank, layer int64) int64 {
	if rank < RankFallback {
		return layer
	}
	return -1
}

// orNull returns text, or nil where it says no more than key.
func orNull(text, key string) any {
	if text == "" || text == key {
		return nil
	}
	return text
}

// inserter writes many rows with few statements. After an error it does nothing more.
type inserter struct {
	ctx  context.Context //nolint:containedctx // lives for one batch
	conn *sql.Conn
	args []any
	err  error
}

// rowsPerInsert is how many rows one statement inserts: enough that the cost of
// a statement does not count, few enough that a cancel is quick.
const rowsPerInsert = 128

// rows inserts n rows. insert ends in the names of the columns; fill sets the values
// of row i.
func (in *inserter) rows(insert string, n int, fill func(row []any, i int)) {
	width := strings.Count(insert, ",") + 1
	for at := 0; at < n && in.err == nil; {
		size := min(rowsPerInsert, n-at)
		if cap(in.args) < width*size {
			in.args = make([]any, width*size)
		}
		args := in.args[:width*size]
		in.prepared(func(stmts []*sql.Stmt) error {
			for ; n-at >= size; at += size {
				for i := range size {
					fill(args[i*width:(i+1)*width], at+i)
				}
				if err := in.run(stmts[0], args); err != nil {
					return err
				}
			}
			return nil
		}, insert+" VALUES"+placeholders(width, size))
	}
}

// each runs statements n times, one after the other. args returns what each of them
// binds at time i.
func (in *inserter) each(n int, args func(i int) [][]any, queries ...string) {
	if n == 0 || in.err != nil {
		return
	}
	in.prepared(func(stmts []*sql.Stmt) error {
		for i := range n {
			for q, list := range args(i) {
				if err := in.run(stmts[q], list); err != nil {
					return err
				}
			}
		}
		return nil
	}, queries...)
}

// run runs a statement unless the context has ended. A context that can end makes
// the driver start a goroutine for every statement.
func (in *inserter) run(stmt *sql.Stmt, args []any) error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	_, err := stmt.ExecContext(context.WithoutCancel(in.ctx), args...)
	return err
}

// prepared prepares statements for use.
func (in *inserter) prepared(use func(stmts []*sql.Stmt) error, queries ...string) {
	var stmts []*sql.Stmt
	defer func() {
		for _, stmt := range stmts {
			in.err = cmp.Or(in.err, stmt.Close())
		}
	}()
	for _, query := range queries {
		stmt, err := in.conn.PrepareContext(context.WithoutCancel(in.ctx), query)
		if err != nil {
			in.err = err
			return
		}
		stmts = append(stmts, stmt)
	}
	in.err = use(stmts)
}

// placeholders returns " (?,?),(?,?)…" for size rows.
func placeholders(width, size int) string {
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", width), ",") + ")"
	return " " + strings.TrimSuffix(strings.Repeat(row+",", size), ",")
}

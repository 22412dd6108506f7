package ingest

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// A database whose tables are joined by foreign keys is a graph: the rows of a table are
// nodes, and a foreign key is a relation from one to another. A table that only joins
// two others holds edges. Each table and each foreign key is a part, which is written
// with the header of neo4j-admin import and read as that is.

// schema are the tables of a database, by name.
type schema []*dbTable

// dbTable is a table as the database declares it.
type dbTable struct {
	name    string
	columns []dbColumn
	key     []string // of the primary key, in its order
	refs    []dbReference
	target  bool // a foreign key points to it
}

type dbColumn struct{ name, datatype string }

// dbReference is a foreign key.
type dbReference struct {
	columns []string
	to      *dbTable
	unique  []string // the columns that it points to; nil for the primary key
}

// schemaOf reads what a database declares. A foreign key that points to columns by
// which no row of a table can be told is passed over: its columns say what they hold.
func schemaOf(ctx context.Context, db *sql.DB) (schema, error) {
	names, err := column(ctx, db, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name")
	if err != nil {
		return nil, err
	}
	var all schema
	for _, name := range names {
		t := &dbTable{name: name}
		rows, err := db.QueryContext(ctx, "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", name)
		if err != nil {
			return nil, err
		}
		keys := map[int]string{}
		err = each(rows, func() error {
			var c dbColumn
			var at int
			if err := rows.Scan(&c.name, &c.datatype, &at); err != nil {
				return err
			}
			t.columns = append(t.columns, c)
			if at > 0 {
				keys[at] = c.name
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for at := range len(keys) {
			t.key = append(t.key, keys[at+1])
		}
		all = append(all, t)
	}
	for _, t := range all {
		if err := t.references(ctx, db, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// references reads the foreign keys of a table.
func (t *dbTable) references(ctx context.Context, db *sql.DB, all schema) error {
	rows, err := db.QueryContext(ctx, `SELECT id, "table", "from", coalesce("to", '') FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq`, t.name)
	if err != nil {
		return err
	}
	type pointer struct {
		id       int
		from, to []string
		table    string
	}
	var found []pointer
	err = each(rows, func() error {
		var id int
		var table, from, to string
		if err := rows.Scan(&id, &table, &from, &to); err != nil {
			return err
		}
		if len(found) == 0 || found[len(found)-1].id != id {
			found = append(found, pointer{id: id, table: table})
		}
		p := &found[len(found)-1]
		p.from = append(p.from, from)
		if to != "" { // none stands for the primary key
			p.to = append(p.to, to)
		}
		return nil
	})
	for _, p := range found {
		at := slices.IndexFunc(all, func(other *dbTable) bool { return strings.EqualFold(other.name, p.table) })
		if at < 0 {
			continue
		}
		r := dbReference{columns: p.from, to: all[at]}
		switch {
		case len(p.to) == 0 && len(p.from) != len(r.to.key):
			continue
		case len(p.to) > 0 && !slices.EqualFunc(p.to, r.to.key, strings.EqualFold):
			if told, err := r.to.toldBy(ctx, db, p.to); err != nil {
				return err
			} else if !told {
				continue
			}
			r.unique = p.to
		}
		t.refs = append(t.refs, r)
		r.to.target = true
	}
	return err
}

// toldBy reports whether some columns are declared as different in every row.
func (t *dbTable) toldBy(ctx context.Context, db *sql.DB, columns []string) (bool, error) {
	indexes, err := column(ctx, db, `SELECT name FROM pragma_index_list(?) WHERE "unique" AND NOT partial`, t.name)
	for _, index := range indexes {
		of, err := column(ctx, db, "SELECT coalesce(name, '') FROM pragma_index_info(?)", index)
		if err != nil {
			return false, err
		}
		if len(of) == len(columns) && !slices.ContainsFunc(of, func(c string) bool {
			return !slices.ContainsFunc(columns, func(want string) bool { return strings.EqualFold(c, want) })
		}) {
			return true, nil
		}
	}
	return false, err
}

// end is the expression for the id of the row to which a row of a table points. Where
// there is none it is what the row says, so that the end becomes a stub and is counted.
func (r dbReference) end(of *dbTable) string {
	if r.unique == nil {
		return joinedColumns(r.columns)
	}
	const inner = `"cairn: to"` // a table may point to itself
	var same []string
	for i, c := range r.columns {
		same = append(same, inner+"."+quoteName(r.unique[i])+" = "+quoteName(of.name)+"."+quoteName(c))
	}
	return "coalesce((SELECT " + r.to.id() + " FROM " + quoteName(r.to.name) + " AS " + inner + " WHERE " + strings.Join(same, " AND ") + "), " +
		quoteText(strings.Join(r.unique, "/")+" ") + " || " + joinedColumns(r.columns) + ")"
}

// each calls take for every row, and closes them.
func each(rows *sql.Rows, take func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := take(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// joined reports whether foreign keys join the tables.
func (all schema) joined() bool {
	return slices.ContainsFunc(all, func(t *dbTable) bool { return len(t.refs) > 0 })
}

// refersBy reports whether a column is part of a foreign key.
func (t *dbTable) refersBy(c string) bool {
	return slices.ContainsFunc(t.refs, func(r dbReference) bool { return slices.Contains(r.columns, c) })
}

// links reports whether a table only joins two others: its rows are known by what they
// join, and nothing points to them.
func (t *dbTable) links() bool {
	if len(t.refs) != 2 || t.target {
		return false
	}
	return len(t.key) == 0 || !slices.ContainsFunc(t.columns, func(c dbColumn) bool { return t.refersBy(c.name) && !slices.Contains(t.key, c.name) })
}

// id is the expression for what the rows of a table are known by.
func (t *dbTable) id() string {
	if len(t.key) == 0 {
		return "rowid"
	}
	return joinedColumns(t.key)
}

// joinedColumns is the expression for the values of columns, one after the other.
func joinedColumns(columns []string) string {
	return strings.Join(wording.Each(columns, quoteName), " || '/' || ")
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// space is the name of a table where a header can hold it.
func (t *dbTable) space() string {
	return "(" + strings.NewReplacer("(", "_", ")", "_").Replace(t.name) + ")"
}

// kind is what a row of the table is.
func (t *dbTable) kind() string { return kindOfTable(t.name) }

func kindOfTable(name string) string {
	if kind := strings.Join(wordsIn(name), " "); isKind(kind) {
		return lexicon.Singular(kind)
	}
	return name
}

// relation is what a foreign key says: its column without what calls it an id, or is
// called as the column that it points to, or what the other table holds.
func (r dbReference) relation() string {
	if len(r.columns) > 1 {
		return r.to.kind()
	}
	words := wordsIn(r.columns[0])
	if len(r.unique) == 1 { // boss_email points to an e-mail address, and means the boss
		if of := wordsIn(r.unique[0]); len(words) > len(of) && slices.Equal(words[len(words)-len(of):], of) {
			words = words[:len(words)-len(of)]
		}
	}
	for len(words) > 0 && (parts[words[len(words)-1]] != "" || codeWords[words[len(words)-1]]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return r.to.kind()
	}
	return strings.Join(words, " ")
}

// relation is what a table that joins two others says.
func (t *dbTable) relation() string {
	a, b := t.refs[0], t.refs[1]
	called := func(r dbReference) []string { return append(wordsIn(r.relation()), wordsIn(r.to.kind())...) }
	return linkRelation(t.name, b.relation(), called(a), called(b), false)
}

// property is the title of a column that is a property.
func (c dbColumn) property() string {
	declared := strings.ToUpper(c.datatype) // by part of the word, as SQLite does
	for _, x := range []struct{ part, datatype string }{
		{"INT", "long"}, {"REAL", "double"}, {"FLOA", "double"}, {"DOUBLE", "double"}, {"BOOL", "boolean"}, {"TIME", "datetime"}, {"DATE", "date"},
	} {
		if strings.Contains(declared, x.part) {
			return c.name + ":" + x.datatype
		}
	}
	return c.name + ":string"
}

// wholeDatabase reads every table of a database: things, then the relations that their
// foreign keys are, then the tables that join two others.
func (s *source) wholeDatabase(ctx context.Context, db *sql.DB, all schema, damaged func(error) error) (expanded, error) {
	var out expanded
	others, err := column(ctx, db, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('view', 'virtual') ORDER BY name")
	if err != nil {
		return out, damaged(err)
	}
	for _, name := range others {
		out.leftOut = append(out.leftOut, s.file+"/"+name+": it shows data from tables; import it alone with --table")
	}
	add := func(name string, header []string, query, says string) error {
		some, err := column(ctx, db, "SELECT 1 FROM ("+query+") LIMIT 1")
		if err != nil {
			return damaged(err)
		}
		if len(some) == 0 {
			out.leftOut = append(out.leftOut, s.file+"/"+name+": it has no rows")
			return nil
		}
		part := s.query(ctx, db, name, header, query, damaged)
		part.says = says
		out.parts = append(out.parts, part)
		return nil
	}
	// columns adds those that are properties to a header and to a query.
	columns := func(t *dbTable, known []string, header []string, query string) ([]string, string) {
		for _, c := range t.columns {
			switch {
			case slices.Contains(known, c.name) || t.refersBy(c.name):
			case strings.Contains(strings.ToUpper(c.datatype), "BLOB"):
				out.leftOut = append(out.leftOut, s.file+"/"+t.name+"."+c.name+": it contains binary data")
			default:
				header, query = append(header, c.property()), query+", "+quoteName(c.name)
			}
		}
		return header, query
	}
	things := func(t *dbTable) error {
		header, query := columns(t, t.key, []string{":ID" + t.space(), ":LABEL"}, "SELECT "+t.id()+", "+quoteText(t.kind()))
		return add(t.name, header, query+" FROM "+quoteName(t.name), "Each row of "+inQuotes(t.name)+" is "+lexicon.WithArticle(t.kind()))
	}
	edges := func(name, from, to, relation string, a, b, t *dbTable) error {
		header, query := []string{":START_ID" + a.space(), ":END_ID" + b.space(), ":TYPE"}, "SELECT "+from+", "+to+", "+quoteText(relation)
		if t.links() {
			header, query = columns(t, nil, header, query)
		}
		query += " FROM " + quoteName(t.name) + " WHERE " + from + " IS NOT NULL AND " + to + " IS NOT NULL"
		return add(name, header, query, "Each row of "+inQuotes(t.name)+" joins "+lexicon.WithArticle(a.kind())+" to "+lexicon.WithArticle(b.kind())+": the relation is "+inQuotes(relation))
	}
	for _, t := range all {
		if t.links() {
			continue
		}
		if err := things(t); err != nil {
			return out, err
		}
	}
	for _, t := range all {
		if t.links() {
			a, b := t.refs[0], t.refs[1]
			if err := edges(t.name, a.end(t), b.end(t), t.relation(), a.to, b.to, t); err != nil {
				return out, err
			}
			continue
		}
		for _, r := range t.refs {
			if err := edges(t.name+"."+strings.Join(r.columns, "+"), t.id(), r.end(t), r.relation(), t, r.to, t); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

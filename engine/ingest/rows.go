package ingest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"cairn/engine/internal/lines"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// triples imports a table whose rows are triples.
func (im *importer) triples(r io.Reader) error {
	im.needed, im.statements = im.neededColumns(), im.format.Statements()
	im.asides = asides{}
	if im.graphNodes == nil && im.fs.only == "" && slices.ContainsFunc(im.fs.formats, func(f Format) bool { return f.refers != nil }) {
		im.graphNodes = im.fs.newGraphState()
	}
	err := im.rows(r, im.row)
	im.endAsides()
	return err
}

// names imports a table whose rows are a key and a name.
func (im *importer) names(r io.Reader) error { return im.rows(r, im.name) }

// rows reads the rows of a delimited file below its header and gives them to
// take, which says why it cannot use one, where it cannot.
func (im *importer) rows(r io.Reader, take func(*record) (fault string)) error {
	in := im.src.newRecords(lines.New(r, im.format.lineEnd, im.o.MaxLine), im.format.Delimiter[0])
	header, above := im.format.Header, im.format.top
	for {
		rec, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return im.src.readError(err)
		}
		im.at(rec.line)
		switch {
		case rec.fault != "":
			err = im.reject(rec.line, rec.raw, rec.fault)
		case len(rec.fields) == 0 || im.format.sep && rec.line == 1:
			im.report.Skipped++
			im.asides.gap = true
		case above > 0:
			im.report.Skipped++
			above--
		case header:
			im.report.Skipped++
			header = false
		case isBlank(rec.fields) || isRule(rec.fields):
			im.report.Skipped++
			im.asides.gap = true
		default:
			if fault := take(&rec); fault != "" {
				err = im.reject(rec.line, rec.raw, fault)
			}
		}
		if err == nil {
			err = im.tick(in.last)
		}
		if err != nil {
			return err
		}
	}
}

// row adds one row and returns why it cannot, where it cannot.
func (im *importer) row(rec *record) (fault string) {
	fields := rec.fields
	if im.format.Sections != "" && im.heading(fields) {
		im.report.Skipped++
		return ""
	}
	if n := len(fields); n > im.format.Width {
		for _, extra := range fields[im.format.Width:] {
			if len(extra) > 0 {
				return "it has " + columnCount(n) + ", not " + itoa(int64(im.format.Width))
			}
		}
	}
	cell := func(r role) []byte {
		if at := im.format.columns[r]; at >= 0 && at < len(fields) {
			return im.format.known(at, fields[at])
		}
		return nil
	}
	if n := len(fields); n <= im.needed {
		return "it has " + columnCount(n) + ", not " + itoa(int64(im.format.Width))
	}
	head, headID := im.prefixed(im.column(headRole), cell(headRole)), im.prefixed(im.column(headIDRole), cell(headIDRole))
	switch {
	case len(head) == 0 && len(headID) == 0:
		return "the head is empty"
	case bytes.IndexByte(rec.raw, 0) >= 0:
		return "it contains a zero byte: the file may be damaged or not be text"
	}
	var relation, tail, tailID []byte
	if im.statements {
		tail, tailID = im.prefixed(im.column(tailRole), cell(tailRole)), im.prefixed(im.column(tailIDRole), cell(tailIDRole))
		if relation = cell(relationRole); im.format.Relation != "" {
			relation = []byte(im.format.Relation)
		}
		switch {
		case len(relation) == 0:
			return "the relation is empty"
		case len(tail) == 0 && len(tailID) == 0:
			return "the tail is empty"
		}
	}
	if !im.statements && len(im.format.matrix) == 0 && im.aside(rec.line, fields) {
		im.report.Skipped++
		return ""
	}
	h := im.named(headID, head, im.column(headRole).Language)
	im.note(headRole, h)
	im.takenID(h, headID, head)
	im.types(h, cell(headTypeRole))
	im.types(h, []byte(im.format.HeadType))
	from := kg.FileItself
	if name := cell(sourceRole); len(name) > 0 {
		from = im.w.Origin(string(name))
	}
	if im.statements {
		im.triple(h, relation, tailID, tail, len(headID) > 0 || isID(head), cell(tailTypeRole), from, fields)
	}
	im.describe(h, fields)
	for _, columns := range [][]int{im.format.values, im.format.properties, im.format.names} {
		im.countNothing(columns, fields)
	}
	if !im.statements { // what a column calls a thing is said of it, and can be asked for
		for one := range bytes.SplitSeq(cell(headTypeRole), []byte("|")) {
			if one = bytes.TrimSpace(one); len(one) > 0 {
				im.add(kg.Triple{Head: h, Relation: im.w.Relation([]byte(im.column(headTypeRole).Name)), Tail: im.kind(one)}, from, nil)
			}
		}
	}
	for _, i := range im.format.values {
		if i >= len(fields) {
			continue
		}
		r := im.format.says[i]
		for one := range im.format.Columns[i].cells(fields[i]) {
			tail := im.value(i, one, fields)
			im.noteEnd(i, tail)
			im.add(kg.Triple{Head: h, Relation: im.w.Relation([]byte(r)), Tail: tail}, from, nil)
		}
	}
	if im.asides.section != "" {
		im.add(kg.Triple{Head: h, Relation: im.w.Relation([]byte(im.format.Sections)), Tail: im.entity([]byte(im.asides.section))}, from, nil)
	}
	for _, i := range im.format.matrix {
		if i >= len(fields) {
			continue
		}
		c := &im.format.Columns[i]
		if relation, weight, ok := c.joins(string(fields[i])); ok {
			im.props = im.props[:0]
			if weight != "" {
				p := kg.Property{Name: weightName, Entity: kg.NoEntity}
				p.Value, p.Datatype = (&Column{Holds: HoldsNumbers}).typed(weight)
				im.props = append(im.props, p)
			}
			im.add(kg.Triple{Head: h, Relation: im.w.Relation([]byte(relation)), Tail: im.entity(im.prefixed(c, []byte(im.format.says[i])))}, from, im.props)
		}
	}
	if !im.used {
		im.report.Skipped++
		im.report.Named++
	}
	return ""
}

// note notes that a row describes its head by an id, or that its ends are ids of a table,
// for the counts of ids that nothing describes.
func (im *importer) note(r role, e kg.EntityID) {
	if at := im.format.end(r); at >= 0 && im.graphNodes != nil {
		if !im.statements {
			im.graphNodes.nodes++
			im.graphNodes.declared.put(e)
		}
		im.noteEnd(at, e)
	}
}

// noteEnd notes that column i leads to an id of a table.
func (im *importer) noteEnd(i int, e kg.EntityID) {
	if im.graphNodes != nil && i < len(im.format.refers) && im.format.refers[i] {
		im.graphNodes.used.put(e)
	}
}

// column is that of a role; an empty one where there is none.
func (im *importer) column(r role) *Column {
	if at := im.format.columns[r]; at >= 0 {
		return &im.format.Columns[at]
	}
	return &Column{}
}

// triple adds the triple of a row with its properties, or the name that it gives its
// head. byID tells that the head is an identifier.
func (im *importer) triple(h kg.EntityID, relation, tailID, tail []byte, byID bool, types []byte, from int64, fields [][]byte) {
	what, ok := im.meanings[string(relation)]
	if !ok {
		what = meaningOf(string(relation))
		im.meanings[string(relation)] = what
	}
	if what == idLabelMeaning {
		if what = plainMeaning; im.format.idsNamed && byID {
			what = labelMeaning
		}
	}
	if what == aliasMeaning || what == labelMeaning {
		name := tail
		if len(name) == 0 {
			name = tailID
		}
		if what == aliasMeaning {
			im.w.Alias(h, string(name), "")
		} else {
			im.w.Label(h, string(name), "", nameRank(0, 0))
		}
		return
	}
	if what == typeMeaning {
		key := tailID
		if len(key) == 0 {
			key = tail
		}
		im.w.Type(h, key)
		im.kind(key)
	}
	t := im.named(tailID, tail, im.column(tailRole).Language)
	im.note(tailRole, t)
	im.types(t, types)
	im.add(kg.Triple{Head: h, Relation: im.w.Relation(relation), Tail: t}, from, im.propertiesOf(fields))
}

// describe gives the head its other names, and its description.
func (im *importer) describe(h kg.EntityID, fields [][]byte) {
	for _, i := range im.format.names {
		if i >= len(fields) {
			continue
		}
		c := &im.format.Columns[i]
		for one := range c.cells(fields[i]) {
			switch rank := languageRank(im.o.Languages, c.Language); c.Role {
			case AsLabel:
				im.w.Label(h, string(one), c.Language, nameRank(rank, 0))
			case AsAlias:
				im.w.Alias(h, string(one), c.Language)
			default:
				im.w.Describe(h, string(one), nameRank(rank, 0))
			}
		}
	}
}

func columnCount(n int) string { return wording.Count(n, "column", "columns") }

// named returns the entity of an id and a name, either of which may be empty. A
// name without an id is its own id.
func (im *importer) named(id, name []byte, language string) kg.EntityID {
	if len(id) == 0 {
		return im.entity(name)
	}
	e := im.entity(id)
	if len(name) > 0 && !bytes.Equal(id, name) {
		rank := 0
		if language != "" {
			rank = languageRank(im.o.Languages, language)
		}
		im.w.Label(e, string(name), language, nameRank(rank, 1))
	}
	return e
}

func (im *importer) entity(key []byte) kg.EntityID {
	if e, ok := im.w.FindBytes(key); ok {
		return e
	}
	fallback := ""
	if bytes.Contains(key, []byte("://")) {
		fallback = kg.LocalName(strings.TrimSuffix(strings.TrimPrefix(string(key), "<"), ">"))
	}
	return im.w.Entity(key, fallback)
}

// kind is the entity of a kind of thing, which is called as the type is: "biolink:Protein" is
// protein.
func (im *importer) kind(key []byte) kg.EntityID {
	if _, ok := im.w.FindBytes(key); ok || !kg.HasPrefix(string(key)) {
		return im.entity(key)
	}
	return im.w.Entity(key, kg.RelationText(string(key)))
}

// types gives an entity the types of a cell.
func (im *importer) types(e kg.EntityID, cell []byte) {
	if len(cell) == 0 {
		return
	}
	for one := range bytes.SplitSeq(cell, []byte("|")) {
		if one = bytes.TrimSpace(one); len(one) > 0 {
			im.w.Type(e, one)
		}
	}
}

// name gives an entity or a relation its name: the row of a file of names.
func (im *importer) name(rec *record) (fault string) {
	keyAt, nameAt := im.format.columns[headRole], im.format.columns[tailRole]
	if max(keyAt, nameAt) >= len(rec.fields) {
		return "it has " + columnCount(len(rec.fields)) + ": a key and a name are needed"
	}
	key, name := rec.fields[keyAt], rec.fields[nameAt]
	if len(key) == 0 || len(name) == 0 {
		return "the key or the name is empty"
	}
	im.report.Skipped++
	e, isEntity := im.w.FindBytes(key)
	if isEntity {
		im.w.Label(e, string(name), "", 0)
	}
	r, isRelation := im.w.FindRelation(string(key))
	if isRelation {
		im.w.LabelRelation(r, string(name))
	}
	if isEntity || isRelation {
		im.report.Named++
	} else {
		im.report.Unknown++
	}
	return ""
}

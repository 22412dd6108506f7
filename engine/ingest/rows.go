package ingest

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"cairn/engine/kg"
)

// rows reads the rows of a delimited file below its header and gives them to
// take, which says why it cannot use one, where it cannot.
func (im *importer) rows(r io.Reader, take func(*record) (fault string)) error {
	in := newRecords(newLines(r, im.format.lineEnd, im.o.MaxLine), im.format.Delimiter[0])
	header, above := im.format.Header, true
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
		case len(rec.fields) == 0 || im.format.sep && rec.line == 1 || above && isComment(rec.fields, im.format.Width):
			im.report.Skipped++
		case header:
			im.report.Skipped++
			header, above = false, false
		default:
			above = false
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
	if n := len(fields); n > im.format.Width {
		for _, extra := range fields[im.format.Width:] {
			if len(extra) > 0 {
				return "it has " + columnCount(n) + ", not " + itoa(int64(im.format.Width))
			}
		}
	}
	cell := func(r role) []byte {
		if at := im.format.columns[r]; at >= 0 && at < len(fields) {
			return fields[at]
		}
		return nil
	}
	if n := len(fields); n <= im.needed {
		return "it has " + columnCount(n) + ", not " + itoa(int64(im.format.Width))
	}
	head, headID := cell(headRole), cell(headIDRole)
	tail, tailID := cell(tailRole), cell(tailIDRole)
	relation := cell(relationRole)
	if im.format.constant != "" {
		relation = []byte(im.format.constant)
	}
	switch {
	case len(head) == 0 && len(headID) == 0:
		return "the head is empty"
	case len(relation) == 0:
		return "the relation is empty"
	case len(tail) == 0 && len(tailID) == 0:
		return "the tail is empty"
	case bytes.IndexByte(rec.raw, 0) >= 0:
		return "it holds a zero byte: the file may be damaged or of another kind"
	}
	h := im.named(headID, head)
	what, ok := im.meanings[string(relation)]
	if !ok {
		what = meaningOf(string(relation))
		im.meanings[string(relation)] = what
	}
	if what == idLabelMeaning {
		if what = plainMeaning; im.format.idsNamed && (len(headID) > 0 || isID(head)) {
			what = labelMeaning
		}
	}
	im.types(h, cell(headTypeRole))
	if what == aliasMeaning || what == labelMeaning {
		name := tail
		if len(name) == 0 {
			name = tailID
		}
		im.report.Skipped++
		im.report.Named++
		if what == aliasMeaning {
			im.w.Alias(h, string(name), "")
		} else {
			im.w.Label(h, string(name), "", nameRank(0, 0))
		}
		return ""
	}
	t := im.named(tailID, tail)
	im.types(t, cell(tailTypeRole))
	if what == typeMeaning {
		key := tailID
		if len(key) == 0 {
			key = tail
		}
		im.w.Type(h, key)
	}
	from := kg.FileItself
	if name := cell(sourceRole); len(name) > 0 {
		from = im.w.Origin(string(name))
	}
	im.add(kg.Triple{Head: h, Relation: im.w.Relation(relation), Tail: t}, from)
	return ""
}

// columnCount says how many columns there are.
func columnCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return itoa(int64(n)) + " columns"
}

// named returns the entity of an id and a name, either of which may be empty. A
// name without an id is its own id.
func (im *importer) named(id, name []byte) kg.EntityID {
	if len(id) == 0 {
		return im.entity(name)
	}
	e := im.entity(id)
	if len(name) > 0 && !bytes.Equal(id, name) {
		im.w.Label(e, string(name), "", nameRank(0, 1))
	}
	return e
}

// entity returns the entity of a key.
func (im *importer) entity(key []byte) kg.EntityID {
	if e, ok := im.w.FindBytes(key); ok {
		return e
	}
	fallback := ""
	if bytes.Contains(key, []byte("://")) {
		fallback = localName(strings.TrimSuffix(strings.TrimPrefix(string(key), "<"), ">"))
	}
	return im.w.Entity(key, fallback)
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

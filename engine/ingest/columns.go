package ingest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain takes everything but letters and digits off a name, and its case.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// chosen lists the user's columns by role.
func (c Columns) chosen() [numRoles]string {
	return [numRoles]string{c.Head, c.Relation, c.Tail, c.HeadID, c.TailID, c.HeadType, c.TailType, c.Source}
}

// resolve sets the columns that the user chose, by name or by number.
func (c Columns) resolve(columns *[numRoles]int, names []string, width int) error {
	for r, want := range c.chosen() {
		if want == "" || role(r) == relationRole && strings.HasPrefix(want, "=") {
			continue
		}
		at := slices.Index(names, want)
		if at < 0 {
			at = slices.IndexFunc(names, func(n string) bool { return plain(n) == plain(want) && plain(want) != "" })
		}
		if n, err := strconv.Atoi(want); at < 0 && err == nil && n >= 1 && n <= width {
			at = n - 1
		}
		if at < 0 {
			return &columnError{roleNames[r], want, names, width}
		}
		// What was guessed for the same column gives way.
		for other := range columns {
			if columns[other] == at && c.chosen()[other] == "" {
				columns[other] = -1
			}
		}
		columns[r] = at
	}
	return nil
}

// columnError says that a chosen column is not there.
type columnError struct {
	role, want string
	names      []string
	width      int
}

func (e *columnError) Error() string {
	s := "the column " + strconv.Quote(e.want) + " for " + e.role + " is not there: the file has " + strconv.Itoa(e.width) + " columns"
	if len(e.names) > 0 {
		s += ", named " + strings.Join(e.names, ", ")
	}
	return s
}

// typeRelations are the relations of delimited files that give the head a type
// besides being a triple. Case, spaces and signs do not count, so that is_a,
// "is a" and isA are one.
var typeRelations = map[string]bool{
	"type": true, "types": true, "rdftype": true, "a": true, "isa": true, "isan": true, "instanceof": true, "isinstanceof": true,
	"hastype": true, "entitytype": true, "ofclass": true, "p31": true, "wdtp31": true, "22rdfsyntaxnstype": true,
	"typeobjecttype": true, "commontopicnotabletypes": true,
}

// aliasRelations are the relations of delimited files that give the head another
// name instead of being a triple.
var aliasRelations = map[string]bool{
	"alias": true, "aliases": true, "aka": true, "alsoknownas": true, "alsocalled": true, "alternativename": true, "othername": true,
	"altlabel": true, "skosaltlabel": true, "commontopicalias": true, "oboinowlhasexactsynonym": true,
}

// labelRelations are those that give the head its name.
var labelRelations = map[string]bool{
	"rdfslabel": true, "preflabel": true, "skospreflabel": true, "typeobjectname": true,
}

// idLabelRelations give the head its name where the head is an identifier. In a
// file whose entities are names already they are facts: the label of a singer is
// a record company.
var idLabelRelations = map[string]bool{"label": true, "name": true}

// meaning is what a relation does beyond being one.
type meaning byte

const (
	plainMeaning meaning = iota
	typeMeaning
	aliasMeaning
	labelMeaning
	idLabelMeaning // labelMeaning for identifiers, plainMeaning for names
)

// meaningOf tells what a relation of a delimited file does. An IRI counts by what
// it is in RDF.
func meaningOf(relation string) meaning {
	relation = strings.TrimSuffix(strings.TrimPrefix(relation, "<"), ">")
	if strings.Contains(relation, "://") {
		switch fold := folds[relation]; fold.what {
		case foldLabel:
			return labelMeaning
		case foldAlias:
			return aliasMeaning
		case foldType:
			return typeMeaning
		default:
			return plainMeaning
		}
	}
	switch name := plain(relation); {
	case typeRelations[name]:
		return typeMeaning
	case aliasRelations[name]:
		return aliasMeaning
	case labelRelations[name]:
		return labelMeaning
	case idLabelRelations[name]:
		return idLabelMeaning
	}
	return plainMeaning
}

// isID reports whether a key is an identifier and no name: an IRI, a CURIE
// (MONDO:0005148), or one word that ends in a digit (Q42, 1234),
// or a Freebase id (m.02mjmr).
func isID(key []byte) bool {
	if len(key) == 0 || bytes.ContainsAny(key, " \t_") {
		return false
	}
	if bytes.IndexByte(key, ':') > 0 {
		return true
	}
	last, _ := utf8.DecodeLastRune(key)
	return unicode.IsDigit(last) || bytes.HasPrefix(key, []byte("m.")) || bytes.HasPrefix(key, []byte("/m/"))
}

// copyStrings keeps fields beyond the row that they came from.
func copyStrings(fields [][]byte) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(bytes.TrimSpace(f))
	}
	return out
}

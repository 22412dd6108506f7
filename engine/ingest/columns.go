package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/wording"
)

// chosen lists the user's columns by role.
func (c Columns) chosen() [numRoles]string {
	return [numRoles]string{c.Head, c.Relation, c.Tail}
}

// resolve sets the columns that the user chose, by name or by number.
func (c Columns) resolve(columns *[numRoles]int, names []string, width int) error {
	for r, want := range c.chosen() {
		if want == "" || role(r) == relationRole && strings.HasPrefix(want, "=") {
			continue
		}
		at := slices.Index(names, want)
		if at < 0 {
			at = slices.IndexFunc(names, func(n string) bool { return wording.Plain(n) == wording.Plain(want) && wording.Plain(want) != "" })
		}
		if n, err := strconv.Atoi(want); at < 0 && err == nil && n >= 1 && n <= width {
			at = n - 1
		}
		if at < 0 {
			named := ""
			if len(names) > 0 {
				named = ", named " + strings.Join(names, ", ")
			}
			return fmt.Errorf("there is no column %q for %s: the file has %s%s", want, roleNames[r], columnCount(width), named)
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

// meaning is what a relation of a delimited file does beyond being one.
type meaning byte

const (
	plainMeaning   meaning = iota
	typeMeaning            // gives the head a type, and is a triple too
	aliasMeaning           // gives the head another name instead of being a triple
	labelMeaning           // gives the head its name
	idLabelMeaning         // labelMeaning for identifiers, plainMeaning for names: the label of a singer is a record company
)

// meanings are those of relations. Case, spaces and signs do not count, so that is_a,
// "is a" and isA are one.
var meanings = func() map[string]meaning {
	m := map[string]meaning{}
	for what, names := range [...]string{
		typeMeaning: `type types rdftype a isa isan instanceof instof isinstanceof isinstof iskindof kindof hastype entitytype ofclass p31 wdtp31
			22rdfsyntaxnstype typeobjecttype commontopicnotabletypes`,
		aliasMeaning: `alias aliases aka alsoknownas alsocalled alternativename othername nickname altlabel skosaltlabel
			commontopicalias oboinowlhasexactsynonym`,
		labelMeaning:   "rdfslabel preflabel skospreflabel typeobjectname",
		idLabelMeaning: "label name",
	} {
		for name := range strings.FieldsSeq(names) {
			m[name] = meaning(what)
		}
	}
	return m
}()

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
	return meanings[wording.Plain(relation)]
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
	return wording.Each(fields, func(f []byte) string { return string(bytes.TrimSpace(f)) })
}

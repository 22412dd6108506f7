package ingest

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// columnWords is what a header says a column is.
type columnWords struct {
	as    [numRoles]float64 // how much it speaks for a role, in logarithms of odds
	ends  string            // in what words it names an end of an edge: "source" for source and target
	what  string            // the end or relation that it belongs to, as id, name or type
	part  string            // which of them: "id", "type"; empty for the thing itself or its name
	name  bool              // the name, where something else may be the id
	plays bool              // what a thing is to another: its role there
}

// ends are the words for head and tail, the fullest first, and how sure they are.
var ends = []struct {
	head, tail string
	surety     float64
}{
	{"head", "tail", 3},
	{"subject", "object", 3},
	{"source", "target", 3},
	{"source", "destination", 3},
	{"subj", "obj", 3},
	{"from", "to", 3},
	{"start", "end", 3},
	{"src", "dst", 2.5},
	{"src", "tgt", 2.5},
	{"h", "t", 2},
	{"s", "o", 2},
}

var relationWords = map[string]float64{
	"relation": 3, "predicate": 3, "relationship": 3, "property": 3, "rel": 3, "edge": 3, "pred": 3, "verb": 2.5, "interaction": 2.5,
	"type": 2, "kind": 2, "label": 2, "p": 2, "r": 2,
}

// circumstances are words for how, where or in what state a statement was found, which
// is never the relation, although few come again and again.
var circumstances = []string{
	"method", "detectionmethod", "technique", "assay", "experiment", "evidence", "evidencecode", "database", "dataset",
	"status", "unit", "units", "species", "organism", "taxon", "language", "country", "comment", "comments", "note", "notes", "remark", "remarks",
}

// parts are what may follow a word for an end or for a relation.
var parts = map[string]string{
	"": "", "name": "name", "label": "name", "title": "name",
	"id": "id", "key": "id", "iri": "id", "uri": "id", "curie": "id", "qid": "id", "mid": "id", "identifier": "id", "accession": "id",
	"type": "type", "types": "type", "category": "type", "categories": "type", "class": "type", "kind": "type",
}

// sourceWords are those for what a row names as its own source.
var sourceWords = []string{
	"source", "provenance", "primaryknowledgesource", "reference", "references", "publication", "publications", "citation",
	"document", "evidence", "origin",
}

// playWords are those for what a thing is to another: the post of a person in a body, the
// part of an actor in a film. It is never what the row is about, nor its other end.
var playWords = []string{"role", "position", "function", "capacity", "post", "job", "jobtitle", "character"}

// actors are what those are called whose roles are parts in a play, and so names.
var actors = []string{"actor", "actress", "performer", "cast"}

// columnType is what programs for graphs write behind a name: age:int, :ID(Film).
var columnType = regexp.MustCompile(`(?i)(\([^)]*\)|:(string|int|integer|long|float|double|boolean|bool|byte|short|char|date|datetime|time|duration|point)(\[\])?)$`)

// numbered is a name that only a number or a letter tells from its twin.
var numbered = regexp.MustCompile(`^(\pL{3,}?)(1|2|a|b)(id|name|label|type)?$`)

func wordsOf(names []string) []columnWords {
	words := make([]columnWords, len(names))
	plains := wording.Each(names, func(n string) string { return wording.Plain(columnType.ReplaceAllString(n, "")) })
	for i, p := range plains {
		w := &words[i]
		for _, e := range ends {
			w.end(headRole, p, e.head, e.head, e.surety)
			w.end(tailRole, p, e.tail, e.head, e.surety)
		}
		if m := numbered.FindStringSubmatch(p); m != nil && w.what == "" {
			twin := map[string]string{"1": "2", "2": "1", "a": "b", "b": "a"}[m[2]]
			if slices.Contains(plains, m[1]+twin+m[3]) {
				r := headRole
				if m[2] == "2" || m[2] == "b" {
					r = tailRole
				}
				w.end(r, p, m[1]+m[2], m[1], 2.5)
			}
		}
		for _, e := range ends {
			if rest, ok := strings.CutPrefix(p, e.head); ok && rest != "" && w.what == "" && slices.Contains(plains, e.tail+rest) {
				w.end(headRole, p, p, e.head+rest, 2.5)
			} else if rest, ok := strings.CutPrefix(p, e.tail); ok && rest != "" && w.what == "" && slices.Contains(plains, e.head+rest) {
				w.end(tailRole, p, p, e.head+rest, 2.5)
			}
		}
		for word, surety := range relationWords {
			w.relation(p, word, surety)
		}
		if at := slices.Index(sourceWords, p); at >= 0 {
			w.as[sourceRole] = 2
		}
		if slices.Contains(circumstances, p) {
			w.as[relationRole] = -4
		}
		w.plays = slices.Contains(playWords, p)
	}
	return words
}

// loneEnds takes back the words for one end of an edge where the other end has none and
// nothing is called the relation: things have sources and owners have objects. A lone source
// is where a row comes from, beside a relation too.
func loneEnds(words []columnWords) {
	paired, related := map[string][2]bool{}, false
	for i := range words {
		w := &words[i]
		related = related || w.as[relationRole] >= 2.5
		x := paired[w.ends]
		paired[w.ends] = [2]bool{x[0] || w.as[headRole] > 0, x[1] || w.as[tailRole] > 0}
	}
	for i := range words {
		if w := &words[i]; w.ends != "" && paired[w.ends] != [2]bool{true, true} && (!related || w.as[sourceRole] > 0) {
			w.forget()
		}
	}
}

// forget takes back what a name says of an edge.
func (w *columnWords) forget() {
	source, plays := w.as[sourceRole], w.plays
	*w = columnWords{plays: plays}
	w.as[sourceRole] = source
}

// end notes that a name is a word for an end of an edge, or for its id or type.
func (w *columnWords) end(r role, name, word, ends string, surety float64) {
	part, ok := parts[strings.TrimPrefix(name, word)]
	if !ok || !strings.HasPrefix(name, word) || len(word) == 1 && part != "" || surety <= max(w.as[headRole], w.as[tailRole]) {
		return
	}
	w.ends, w.what, w.name = ends, word, part == "name"
	switch part {
	case "type":
		w.part = part
		w.as[typeRole(r)] = surety
		w.as[headRole], w.as[tailRole], w.as[relationRole] = -3, -3, -3
		return
	case "id":
		w.part = part
		surety -= 0.5
	case "name":
		surety -= 0.2
	}
	w.as[r] = surety
	w.as[headRole+tailRole-r] = -surety
	w.as[relationRole] = -surety
}

// relation notes that a name is a word for relations, or for their ids or types.
func (w *columnWords) relation(name, word string, surety float64) {
	part, ok := parts[strings.TrimPrefix(name, word)]
	if !ok || !strings.HasPrefix(name, word) || surety < 2.5 && part != "" || w.what != "" || surety <= w.as[relationRole] {
		return
	}
	if part == "id" {
		surety -= 0.5 // it may be that of the row
	}
	w.what, w.as[relationRole], w.as[headRole], w.as[tailRole] = "relation "+word, surety, -surety, -surety
}

// arePeriods reports whether the numbers of a row are years for which the columns below it
// hold something: several, and none of them above years.
func arePeriods(first []string, rows [][][]byte) bool {
	n := 0
	for c, cell := range first {
		if cell == "" || kindOf(cell) == textKind {
			continue
		}
		if len(cell) != 4 || !isYear.MatchString(cell) || cell < "1800" || cell > "2100" || factsOf(rows, c).years {
			return false
		}
		n++
	}
	return n > 1
}

// saysRelation reports whether a cell is a word for a relation or a type, as headers are, and
// names of things are not: director, owner, kind.
func saysRelation(cell string) bool {
	words := wordsIn(cell)
	if len(words) == 0 || !isKind(cell) {
		return false
	}
	last := words[len(words)-1]
	return parts[last] != "" || len(lexicon.Builtin().ConceptsOf(lexicon.Stem(last))) > 0
}

// headerOdds reports whether a row names the columns of those below it, by its
// words, by cells of another kind than those below, and by cells that never come
// again where others do. titled tells that a title stands above it, as people put it
// above a header. doubt is set where that is not clear.
func headerOdds(first []string, rows [][][]byte, titled bool) (is, doubt bool) {
	if len(first) > 3 {
		rest, called := factsOf(rows, 0), 0
		for _, cell := range first[1:] {
			if rest.values[cell] > 0 {
				called++
			}
		}
		if 2*called > len(first)-1 { // a matrix: its columns are called as its rows are
			return true, false
		}
	}
	words := wordsOf(first)
	periods := arePeriods(first, rows)
	var named [numRoles]bool
	odds, surprise := 0.0, 0.0
	small := len(first) > 3 // every cell is a small word that does not come again
	relations := false      // a column may hold some, as in rows of triples, which need no header
	between := false        // a cell that means relation stands between two others, and none comes again
	told := 0               // cells that are words for relations or types, above columns of things
	for c, cell := range first {
		f := factsOf(rows, c)
		for _, r := range []role{headRole, relationRole, tailRole} {
			named[r] = named[r] || words[c].as[r] > 0
		}
		between = between || c > 0 && c < len(first)-1 && words[c].as[relationRole] >= 2.5
		relations = relations || f.filled > 0 && f.verbal >= 0.5
		small = small && len(f.values) > 0 && f.values[cell] == 0 && isKind(cell) && looksVerbal(cell)
		switch {
		case cell == "":
			continue
		case f.values[cell] > 0:
			odds -= 3
			continue
		}
		if f.filled > 0 && saysRelation(cell) && (f.verbal < 0.5 || parts[wording.Plain(cell)] == "type") {
			told++
		}
		odds += max(0, 1.2*max(words[c].as[headRole], words[c].as[tailRole], words[c].as[relationRole])-1)
		if words[c].plays {
			odds += 1.4 // as much as a word that may be a relation's
		}
		if k := kindOf(cell); periods && k != textKind {
			odds++
		} else if k != textKind {
			odds -= 2 // names of columns are no numbers
		} else if f.filled > 0 && (f.kind == integerKind || f.kind == decimalKind || f.kind == dateKind) {
			odds += min(3, 1+float64(f.filled))
		} else if f.filled > 1 && f.ids > 0.9 && !isID([]byte(cell)) {
			odds += 2
		} else if f.filled > 1 && f.verbal < 0.1 && looksVerbal(cell) {
			odds++
		}
		if f.filled >= 8 { // Good and Turing: how likely the next cell is a new one
			once := 1
			for _, n := range f.values {
				if n == 1 {
					once++
				}
			}
			surprise += min(2.5, -math.Log(float64(once)/float64(f.filled+1)))
		}
	}
	if named[headRole] && named[tailRole] && named[relationRole] {
		return true, false
	}
	if between {
		odds++
	}
	if small {
		odds++
	}
	if told > 1 && 2*told > len(first) {
		odds += float64(told)
	}
	const likely, possible = 3, 2
	switch {
	case titled && relations:
		odds++
	case titled:
		odds += likely
	}
	odds += min(surprise, likely-0.1) // alone, it leaves a doubt
	return odds >= possible, odds >= possible && odds < likely || len(first) == 3 && odds < possible && standsOut(first, rows)
}

// standsOut reports whether most cells of a row come nowhere below it, although all that stands
// below comes again: it may be a header of plain words, as "species,prey,habitat" is.
func standsOut(first []string, rows [][][]byte) bool {
	alone := 0
	for c, cell := range first {
		values := factsOf(rows, c).values
		if values[cell] > 0 {
			return false
		}
		again := len(values) > 1
		for _, n := range values {
			again = again && n > 1
		}
		if again {
			alone++
		}
	}
	return 2*alone > len(first)
}

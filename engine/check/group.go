package check

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// group joins coordinated names, and adjacent words for one relation, into one
// item each. split cuts the last name off a list that stands between two
// relations.
func (r *reading) group(split bool) {
	var out []item
	for _, it := range r.items {
		if len(out) > 0 && it.kind == wordItem && r.coordinates(it.lower) {
			// Kept for now; taken back where a name follows.
			out = append(out, it)
			continue
		}
		last := len(out) - 1
		switch it.kind {
		case nameItem:
			at := last
			for at >= 0 && out[at].kind == wordItem && r.coordinates(out[at].lower) {
				at--
			}
			if at >= 0 && out[at].kind == nameItem && strings.TrimSpace(r.text[out[at].end:it.start]) == "(" && r.apposition(&out[at], it) {
				continue
			}
			if it.number && last >= 0 && r.adjective(out, it) {
				continue
			}
			if by := r.placed(out, it); by >= 0 {
				out[by].end = it.end // "Imst, Austria", "the tower in Imst"
				out = out[:by+1]
				continue
			}
			if at >= 0 && out[at].kind == nameItem && !r.opensWithParticiple(out[:at+1], it) && r.isList(out[at].end, it.start) && out[at].owner == it.owner {
				if out[at].spans == nil {
					out[at].spans = [][2]int{{out[at].start, out[at].end}}
				}
				out[at].names = append(out[at].names, it.names...)
				out[at].spans = append(out[at].spans, [2]int{it.start, it.end})
				out[at].end = it.end
				out = out[:at+1]
				continue
			}
		case relationItem:
			at := last
			for at > 0 && articles.MatchString(out[at].lower) {
				at--
			}
			if r.claim && at > 0 && at == last && out[at].lower == "of" {
				at-- // "place of birth", by "birth place"
			}
			if at >= 0 && out[at].kind == relationItem && strings.TrimPrefix(plain(r.text[out[at].end:it.start]), "of") == "" {
				if both := r.namedBy(out[at].relations, it.relations, plain(r.text[out[at].start:it.end])); len(both) > 0 {
					out[at].relations, out[at].end, out[at].lower = both, it.end, it.lower
					out = out[:at+1] // "shares a ward", by "share ward with"
					continue
				}
			}
		case wordItem, numberItem, kindItem:
		}
		out = append(out, it)
	}
	r.items = out
	if split {
		r.split()
	}
}

// opensWithParticiple reports whether a claim begins with a participle and what goes with it,
// and a name behind a comma is of whom that is said: "Built by X, Y has 23 floors".
func (r *reading) opensWithParticiple(items []item, next item) bool {
	at := slices.IndexFunc(items, item.isRelation)
	return r.claim && at >= 0 && at < len(items)-1 && isPast(items[at].lower) &&
		!slices.ContainsFunc(items[:at], func(it item) bool { return it.kind == nameItem || copulas[it.lower] }) &&
		!slices.ContainsFunc(items[at+1:len(items)-1], func(it item) bool { return it.kind != wordItem }) &&
		strings.TrimSpace(r.text[items[len(items)-1].end:next.start]) == ","
}

// namedBy returns what is in both of two lists of relations and has all words of a text in its
// own name: "release year" is one word for a relation, "genre style" is not.
func (r *reading) namedBy(rels, also []kg.RelationID, text string) []kg.RelationID {
	words := slices.DeleteFunc(lexicon.Stems(text), glue)
	return slices.DeleteFunc(slices.Clone(rels), func(rel kg.RelationID) bool {
		return !slices.Contains(also, rel) || slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(r.words[rel].content, w) })
	})
}

// apposition takes a value in brackets into the name before it, where a triple
// joins the two: "Argentina (46200000)".
func (r *reading) apposition(to *item, it item) bool {
	for _, id := range r.triples {
		t := r.g.Triple(id)
		last := to.names[len(to.names)-1]
		if slices.Contains(last, t.Head) && slices.Contains(it.names[0], t.Tail) || slices.Contains(last, t.Tail) && slices.Contains(it.names[0], t.Head) {
			r.held = true
			to.end = it.end
			if strings.HasPrefix(r.text[to.end:], ")") {
				to.end++
			}
			return true
		}
	}
	return false
}

// placed returns the item of a claim whose place a name is that follows it, or -1.
func (r *reading) placed(items []item, place item) int {
	at := len(items) - 1
	for at >= 0 && items[at].kind == wordItem {
		at--
	}
	if !r.claim || at < 0 || items[at].kind != nameItem || !r.liesIn(items[at], place) {
		return -1
	}
	switch strings.TrimSpace(r.text[items[at].end:place.start]) {
	case ",", "in", "in the":
		return at
	}
	return -1
}

// liesIn reports whether a triple says that the last of some names is in the place
// that another is.
func (r *reading) liesIn(names, place item) bool {
	last := names.names[len(names.names)-1]
	return slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
		t := r.g.Triple(id)
		return slices.Contains(last, t.Head) && slices.Contains(place.names[0], t.Tail) && r.isPlace(t.Relation)
	})
}

// adjective takes a number into the name that it describes, where a triple joins
// the two: "Spellbound is a 1945 film".
func (r *reading) adjective(before []item, number item) bool {
	at := len(before) - 1
	for at >= 0 && (copulas[before[at].lower] || before[at].lower == "a" || before[at].lower == "the") {
		at--
	}
	if at < 0 || at == len(before)-1 || before[at].kind != nameItem {
		return false
	}
	next := lexicon.Tokenize(r.text[number.end:])
	if len(next) == 0 || !r.kinds[next[0].Stem] {
		return false
	}
	kept := before[at].end
	ok := r.apposition(&before[at], number)
	before[at].end = kept
	return ok
}

func (r *reading) coordinates(lower string) bool {
	return lower == "and" || lower == "the" || lower == "both" || lower == "a" || lower == "an"
}

// isList reports whether what stands between two names makes a list of them.
func (r *reading) isList(from, to int) bool {
	between := strings.TrimSpace(r.text[from:to])
	words := strings.Fields(strings.ReplaceAll(between, ",", " , "))
	joins := 0
	for _, w := range words {
		switch strings.ToLower(w) {
		case ",", "and", "&":
			joins++
		case "the", "a", "an":
		default:
			return false
		}
	}
	return joins > 0
}

// split cuts lists after a relation and before another, before their last name.
func (r *reading) split() {
	var out []item
	for i, it := range r.items {
		if it.kind != nameItem || len(it.names) < 2 || !slices.ContainsFunc(r.items[:i], item.isRelation) || r.relationAfter(i) < 0 {
			out = append(out, it)
			continue
		}
		rest, last := it, it
		n := len(it.names) - 1
		rest.names, last.names = it.names[:n], it.names[n:]
		rest.end, last.start = it.spans[n-1][1], it.spans[n][0]
		out = append(out, rest, item{kind: wordItem, start: rest.end, end: last.start, lower: ";"}, last)
	}
	r.items = out
}

// relationAfter returns the index of the relation after item i, with no name
// between, or -1.
func (r *reading) relationAfter(i int) int {
	for k := i + 1; k < len(r.items) && r.items[k].kind != nameItem; k++ {
		if r.items[k].kind == relationItem {
			return k
		}
	}
	return -1
}

package ingest

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// A table may only join others: its rows are pairs of their ids, and what else stands there is
// said of the pair.

// idWords are the words before the one by which a column is called an id: bill for bill_id;
// none where it is not called one, or only that.
func idWords(name string) []string {
	words := wordsIn(columnType.ReplaceAllString(name, ""))
	last := len(words) - 1
	if last < 1 || parts[words[last]] != "id" && words[last] != "ids" {
		return nil
	}
	return words[:last]
}

// joinsIDs reports whether a header calls two columns ids of different things, and nothing else
// stands there.
func joinsIDs(first []string) bool {
	return len(first) == 2 && idWords(first[0]) != nil && idWords(first[1]) != nil && wording.Plain(first[0]) != wording.Plain(first[1])
}

// namesThings reports whether a header calls two columns the id and the name of one kind of
// things: bill_id and title.
func namesThings(first []string) bool {
	words := thingWords(first[0])
	return len(first) == 2 && isCalledID(first[0]) && len(words) > 0 && (parts[wording.Plain(first[1])] == "name" || callsOne(words, first[1]))
}

// links finds the reading of a table that joins others: it begins with an id that comes again, and
// has further ids beside it.
func (m *mapper) links(f *Format) (entityRows, bool) {
	if m.words == nil || m.post || len(f.Names) == 0 {
		return entityRows{}, false
	}
	var ids []int
	for c := range min(m.scored(), len(f.Names)) {
		facts := &m.columns[c]
		if (idWords(f.Names[c]) != nil || m.use(c).to != 0) && facts.filled > 0 && (facts.kind == integerKind || facts.kind == textKind && !facts.long) {
			ids = append(ids, c)
		}
	}
	if len(ids) < 2 || ids[0] != 0 {
		return entityRows{}, false
	}
	own := m.columns[0].distinct() == 1 && (len(m.columns) > 2 || callsOne(thingWords(f.Names[0]), m.about))
	if own || slices.ContainsFunc(m.words, func(w columnWords) bool { return w.as[headRole] > 0 || w.as[relationRole] >= 2.5 }) {
		return entityRows{}, false
	}
	x := entityRows{odds: 3, reading: m.linked(0, ids[1], f)}
	if len(ids) > 2 && slices.ContainsFunc(ids, func(c int) bool { return m.use(c).to == 0 }) { // either may be what the row is about, and the other a circumstance
		x.odds, x.other = 0.5, m.linked(0, ids[2], f)
	}
	return x, true
}

// linked reads every row as a statement about the ids of two columns.
func (m *mapper) linked(head, tail int, f *Format) Reading {
	r := m.blank(f)
	for c := range r.Columns {
		col := &r.Columns[c]
		switch {
		case c == head || c == tail:
			*col = Column{Name: col.Name, Role: AsHead}
		case col.Role != LeftOut:
			if col.Role = AsProperty; col.Holds == HoldsEntities {
				col.Holds = ""
			}
		}
	}
	r.Columns[tail].Role = AsTail
	other := thingWords(f.Names[tail])
	r.Relation = linkRelation(m.about, strings.Join(other, " "), thingWords(f.Names[head]), other, len(m.spans) > 0)
	return r
}

// linkRelation is what a table that joins two others says: its name, unless that only names what
// it joins, as film_actor does, or the rows tell from when to when; then what calls the second. A
// table of those who do something names them: the company is the one of the operators of a mine, and
// the person the member of a club.
func linkRelation(table, second string, head, tail []string, timed bool) string {
	name := wordsIn(table)
	text := strings.Join(name, " ")
	if !slices.ContainsFunc(name, func(w string) bool { return !slices.Contains(slices.Concat(head, tail), lexicon.Singular(w)) }) {
		return second
	}
	if noun := lexicon.Singular(name[len(name)-1]); lexicon.Agent(noun) != "" && isDoer(head) != isDoer(tail) {
		switch {
		case isDoer(tail):
			return text
		case isDoer([]string{noun}):
			return lexicon.Singular(text) + " of"
		}
	}
	if timed {
		return second
	}
	return text
}

// isDoer reports whether words call a person or an organisation.
func isDoer(words []string) bool {
	return len(words) > 0 && slices.ContainsFunc(lexicon.Builtin().AnswersNamed(lexicon.Stem(words[len(words)-1])), func(a lexicon.Answer) bool {
		return a == lexicon.Person || a == lexicon.Organization
	})
}

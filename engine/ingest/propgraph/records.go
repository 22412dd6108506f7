package propgraph

import (
	"encoding/json"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"cairn/internal/wording"
)

// Records are what programs without graphs in mind write in JSON: a list of objects, or
// an object that has such lists. Each object is a node; one inside it is another, to
// which the member that holds it leads, and those of a list are what the member is called. An object inside that has neither an id nor a
// name, one of a list, says how two are joined: {"actor": "Ian Holm", "role": "Ash"} in the cast of a film
// leads from the film by cast to Ian Holm, an actor, with the role as a property.

// recordNames are the members that name a record.
var recordNames = []string{"name", "title", "label"}

// codes are what members are called that number records; "no" is the last, as it ends other words.
var codes = []string{"number", "code", "ref", "id", "nr", "no"}

// isCode reports whether a member numbers the records of a list, which has a plain name: the visit_no of visits,
// the companyCode of companies, or just a number.
func isCode(m member, list string) bool {
	called := wording.Plain(m.name)
	return slices.ContainsFunc(codes, func(code string) bool {
		kind, ok := strings.CutSuffix(called, code)
		return ok && (kind == "" || isOneOf(kind, list))
	})
}

// isOneOf reports whether a list is called by a plural of a noun, all in plain letters.
func isOneOf(noun, list string) bool {
	return len(noun) > 2 && strings.HasPrefix(list, noun[:len(noun)-1]) && len(list) >= len(noun)
}

// known returns the records of a list with what tells them apart where they have neither an id nor a name: a
// number of their own, and a text that is called as one of them, the part of parts. What several records
// share tells none apart: the number that an episode has in its season.
func known(list []object, kind string) []object {
	plain := wording.Plain(kind)
	values := map[string]map[string]bool{}
	for _, o := range list {
		for _, m := range o {
			if values[m.name] == nil {
				values[m.name] = map[string]bool{}
			}
			values[m.name][compact(m.value)] = true
		}
	}
	tells := func(m member) bool { return len(values[m.name])*10 > len(list)*9 }
	for i, o := range list {
		if _, _, ok := refOf(o, kind); ok {
			continue
		}
		for _, m := range o {
			switch _, isText := m.value.(string); {
			case isCode(m, plain) && o.get(ids...) == nil && tells(m):
				o = append(object{{ids[0], m.value}}, o...)
			case isText && isOneOf(wording.Plain(m.name), plain) && len(m.name)+2 >= len(plain) && o.get(recordNames...) == nil && tells(m):
				o = append(object{{recordNames[0], m.value}}, without(o, m.name)...)
			}
		}
		list[i] = o
	}
	return list
}

// maxSeen is how many records are remembered, so that one which stands in many others is
// given once.
const maxSeen = 1 << 20

// records reads a document of them.
type records struct {
	*jsonReader
	seed maphash.Seed
	seen map[Ref]uint64 // what was said of each
}

// readRecords reads a document.
func readRecords(r io.Reader, sink out) {
	x := &records{jsonReader: newJSONReader(r, sink), seed: maphash.MakeSeed(), seen: map[Ref]uint64{}}
	x.document(func() { x.list("") }, x.lists)
}

// lists reads an object that has lists of records.
func (x *records) lists() {
	for x.More() {
		name, _ := x.inside().(string)
		token := x.inside()
		if token == json.Delim('[') {
			x.list(name)
			continue
		}
		x.value(token, x.InputOffset(), 1)
		x.sink.LeaveOut(name)
	}
	x.inside()
}

// sample is how many records of a list are looked at together.
const sample = 5000

// list reads records, of what their list is called.
func (x *records) list(kind string) {
	for x.More() {
		var list []object
		var at [][2]int64
		for x.More() && len(list) < sample {
			token := x.inside()
			line, column := x.places.at(x.InputOffset())
			value := x.value(token, x.InputOffset(), 1)
			o, ok := value.(object)
			if !ok {
				x.sink.reject(&Error{Line: line, Column: column, What: "a record must be an object", Text: compact(value)})
				continue
			}
			list, at = append(list, o), append(at, [2]int64{line, column})
		}
		for i, o := range known(list, kind) {
			if _, ok := x.record(o, kind, kind, at[i][0], nil); !ok {
				x.sink.reject(&Error{Line: at[i][0], Column: at[i][1], What: "the record has neither an id nor a name of its own", Text: compact(o)})
			}
		}
	}
	x.inside()
}

// refOf returns what a record is known by: its id, or else its name. Numbers are ids in
// their own list, or member, only.
func refOf(o object, space string) (ref Ref, name string, ok bool) {
	name, _ = o.get(recordNames...).(string)
	switch id := o.get(ids...).(type) {
	case string:
		ref.ID = id
	case json.Number:
		ref = Ref{space, string(id)}
	default:
		ref.ID = name
	}
	return ref, name, ref.ID != ""
}

// apart keeps what is inside a record from being the record itself: a band's album that is called as the band is.
func apart(ref Ref, space string, within []Ref) Ref {
	if ref.Space == "" && slices.Contains(within, ref) {
		ref.Space = space
	}
	return ref
}

// record gives a record, which is inside others, and what is inside it.
func (x *records) record(o object, kind, space string, line int64, within []Ref) (Ref, bool) {
	ref, name, ok := refOf(o, space)
	if !ok {
		return ref, false
	}
	if o.get(ids...) == nil {
		ref = apart(ref, space, within)
	}
	within = append(slices.Clip(within), ref)
	n := Node{Ref: ref, Name: name, Line: line}
	if kind != "" {
		n.Kinds = []string{kind}
	}
	var edges []Edge
	for _, m := range without(o, ids...) {
		if text, _ := m.value.(string); text == name && name != "" && slices.Contains(recordNames, m.name) {
			continue
		}
		list, several := m.value.([]any)
		if !several {
			list = []any{m.value}
		}
		for _, one := range list {
			inner, ok := one.(object)
			if !ok {
				n.Properties = flatten(n.Properties, m.name, []any{one})
				continue
			}
			kind := "" // a single one may be called by what it is to the record: a director
			if several {
				kind = m.name
			}
			if to, ok := x.record(inner, kind, m.name, line, within); ok {
				edges = append(edges, Edge{From: ref, To: to, Type: m.name, Line: line})
				continue
			}
			if several { // a single one is a part of the record
				if e, ok := x.joined(inner, m.name, line, within); ok {
					e.From = ref
					edges = append(edges, e)
					continue
				}
			}
			n.Properties = flatten(n.Properties, m.name, inner)
		}
	}
	x.give(n, o)
	for _, e := range edges {
		x.sink.edge(e)
	}
	return ref, true
}

// joined makes an edge of an object of a list that is no record: its first text is the end, which is of
// the kind that it is called.
func (x *records) joined(o object, list string, line int64, within []Ref) (Edge, bool) {
	for i, m := range o {
		text, ok := m.value.(string)
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		e := Edge{To: apart(Ref{ID: text}, list, within), Type: list, Line: line}
		for j, p := range o {
			if j != i {
				e.Properties = flatten(e.Properties, p.name, p.value)
			}
		}
		x.give(Node{Ref: e.To, Name: text, Kinds: []string{m.name}, Line: line}, nil)
		return e, true
	}
	return Edge{}, false
}

// give hands on a node, once where the same is said of it again.
func (x *records) give(n Node, o object) {
	sum := maphash.String(x.seed, compact(o))
	before, known := x.seen[n.Ref]
	if known && (before == sum || o == nil) {
		return
	}
	if known || len(x.seen) < maxSeen {
		x.seen[n.Ref] = sum
	}
	x.sink.node(n)
}

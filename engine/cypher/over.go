package cypher

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// KG shows a knowledge graph as a property graph: entities are nodes, their types
// labels, and triples relationships. Triples to values are properties as well: which of a
// table's cells are things and which are values is not always known, so that a query may
// follow them or read them.
//
//	(n:Film {name: 'Jaws', year: 1975})-[:`directed by`]->(m)
//
// name is the label of an entity and key its identifier, where no relation is called so.
// A statement with properties is a relationship of its own. Names of labels, types and
// properties may be written as the graph's keys or texts are, or with other letters of
// case and other dividers: DIRECTED_BY and directedBy are "directed by".
type KG struct {
	g    *kg.Graph
	find func(name string) []kg.EntityID

	once      sync.Once
	relations map[string][]kg.RelationID // by key, text and folded text
	labels    map[string]kg.TypeID
	meant     sync.Map // by the names of queries: the relations that they mean
	has       sync.Map // by the names of queries: what HasProperty said
}

// Over shows a knowledge graph as a property graph. find returns all entities with a
// name, and may return others; nil where there is no index of names.
func Over(g *kg.Graph, find func(name string) []kg.EntityID) *KG {
	return &KG{g: g, find: find}
}

// statementBits is how many bits of a Rel number the statements of a triple.
const statementBits = 16

func relOf(t kg.TripleID, statement int) Rel {
	return Rel(t)<<statementBits | Rel(min(statement, 1<<statementBits-1))
}

// Triple returns the triple of a relationship of a graph that Over made.
func Triple(r Rel) kg.TripleID { return kg.TripleID(r >> statementBits) }

// prepare makes the tables of names.
func (o *KG) prepare() {
	o.once.Do(func() {
		o.relations, o.labels = map[string][]kg.RelationID{}, map[string]kg.TypeID{}
		for r := range kg.RelationID(o.g.Relations()) {
			names := []string{o.g.RelationKey(r), o.g.RelationText(r)}
			names = append(names, "\x00"+wording.Plain(names[0]), "\x00"+wording.Plain(kg.LocalName(names[0])), "\x00"+wording.Plain(names[1]))
			for _, n := range kg.Distinct(names) {
				o.relations[n] = append(o.relations[n], r)
			}
		}
		for t := range kg.TypeID(o.g.NumTypes()) {
			for _, n := range []string{o.g.TypeLabel(t), "\x00" + wording.Plain(o.g.TypeLabel(t))} {
				if _, ok := o.labels[n]; !ok {
					o.labels[n] = t
				}
			}
		}
	})
}

// relationsOf returns the relations that a name means: those that are called exactly so,
// or else those that are but for case and dividers.
func (o *KG) relationsOf(name string) []kg.RelationID {
	if rs, ok := o.meant.Load(name); ok {
		return rs.([]kg.RelationID) //nolint:errcheck,forcetypeassert // stored below
	}
	o.prepare()
	rs := o.relations[name]
	if len(rs) == 0 {
		rs = o.relations["\x00"+wording.Plain(name)]
	}
	o.meant.Store(strings.Clone(name), rs)
	return rs
}

// Label implements Graph.
func (o *KG) Label(name string) (LabelID, bool) {
	o.prepare()
	t, ok := o.labels[name]
	if !ok {
		t, ok = o.labels["\x00"+wording.Plain(name)]
	}
	return LabelID(t), ok
}

// Types implements Graph.
func (o *KG) Types(name string) []TypeID {
	return wording.Each(o.relationsOf(name), func(r kg.RelationID) TypeID { return TypeID(r) })
}

// HasProperty implements Graph.
func (o *KG) HasProperty(name string) (has, leads bool) {
	if known, ok := o.has.Load(name); ok {
		of := known.([2]bool) //nolint:errcheck,forcetypeassert // stored below
		return of[0], of[1]
	}
	has, leads = o.hasProperty(name)
	o.has.Store(strings.Clone(name), [2]bool{has, leads})
	return has, leads
}

func (o *KG) hasProperty(name string) (has, leads bool) {
	if name == "name" || name == "key" || slices.ContainsFunc(o.g.PropertyNames(), func(p string) bool { return o.isProperty(p, name) }) {
		return true, false
	}
	of := o.relationsOf(name)
	if len(of) == 0 {
		return false, false
	}
	left := lookedAt
	for t := range o.g.Live() {
		if x := o.g.Triple(t); slices.Contains(of, x.Relation) {
			if o.isValue(x.Tail) {
				return true, true
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return false, true
}

// lookedAt is how many triples of a relation are looked at to tell whether any leads to a
// value.
const lookedAt = 1000

// isProperty reports whether a property of statements is called so.
func (o *KG) isProperty(property, name string) bool {
	return property == name || wording.Plain(o.g.PropertyText(property)) == wording.Plain(name)
}

// Names implements Graph.
func (o *KG) Names() (labels, types, properties []string) {
	for t := range kg.TypeID(o.g.NumTypes()) {
		labels = append(labels, o.g.TypeLabel(t))
	}
	for r := range kg.RelationID(o.g.Relations()) {
		types = append(types, o.typeName(r))
	}
	properties = append(slices.Clone(types), "name", "key")
	for _, p := range o.g.PropertyNames() {
		properties = append(properties, o.g.PropertyText(p))
	}
	return labels, types, properties
}

func (o *KG) isNode(e kg.EntityID) bool { return !o.g.Gone(e) }

// Nodes implements Graph.
func (o *KG) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for e := range kg.EntityID(o.g.Entities()) {
			if o.isNode(e) && !yield(Node(e)) {
				return
			}
		}
	}
}

// NodesOf implements Graph.
func (o *KG) NodesOf(l LabelID) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for _, e := range o.g.OfType(kg.TypeID(l)) {
			if o.isNode(e) && !yield(Node(e)) {
				return
			}
		}
	}
}

// NodesWith finds nodes by their name or key. Names are in an index, and keys that are no
// IRIs; all others are gone through.
func (o *KG) NodesWith(property string, value any) (iter.Seq[Node], bool) {
	var text func(kg.EntityID) string
	switch known := o.find != nil && len(o.relationsOf(property)) == 0; {
	case known && property == "name":
		text = o.g.Label
	case known && property == "key":
		text = o.g.Key
	default:
		return nil, false
	}
	return func(yield func(Node) bool) {
		name, ok := value.(string)
		if !ok {
			return
		}
		if property == "key" && strings.Contains(name, "://") {
			for n := range o.Nodes() {
				if o.g.Key(kg.EntityID(n)) == name && !yield(n) {
					return
				}
			}
			return
		}
		for _, e := range o.find(name) {
			if o.isNode(e) && text(e) == name && !yield(Node(e)) {
				return
			}
		}
	}, true
}

// Size implements Graph.
func (o *KG) Size(l LabelID) int { return len(o.g.OfType(kg.TypeID(l))) }

// Labels implements Graph.
func (o *KG) Labels(n Node) []string {
	ts := o.g.Types(kg.EntityID(n))
	return wording.Each(ts, o.g.TypeLabel)
}

// HasLabel implements Graph.
func (o *KG) HasLabel(n Node, l LabelID) bool {
	return slices.Contains(o.g.Types(kg.EntityID(n)), kg.TypeID(l))
}

// Of returns what a node's triples say by relations of that name: the value, or a list
// where there are several.
func (o *KG) Of(n Node, property string) (any, []Rel) {
	e := kg.EntityID(n)
	var values List
	var by []Rel
	for _, r := range o.relationsOf(property) {
		for _, edge := range o.g.OutBy(e, r) {
			if o.isValue(edge.Entity) {
				values, by = append(values, valueOf(o.g.Label(edge.Entity))), append(by, relOf(edge.Triple, 0))
			}
		}
	}
	switch {
	case len(values) > 0:
		return oneOrAll(values), by
	case property == "name":
		return o.g.Label(e), nil
	case property == "key":
		return o.g.Key(e), nil
	}
	return nil, nil
}

// isValue reports whether an entity is read as a value where a property is: a literal,
// or what is a number, a date or an interval in a graph that does not tell these from things.
func (o *KG) isValue(e kg.EntityID) bool {
	if o.g.IsLiteral(e) {
		return true
	}
	_, ok := kg.ParseExtent(o.g.Label(e))
	return ok
}

// Value implements Valued.
func (o *KG) Value(n Node) (any, bool) {
	if e := kg.EntityID(n); o.isValue(e) {
		return valueOf(o.g.Label(e)), true
	}
	return nil, false
}

// valueOf reads a text as a number, as true or false, or leaves it a text: dates, and
// numbers with units, are texts.
func valueOf(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	v, ok := kg.ParseValue(text)
	if !ok || v.Kind != kg.NumberValue || v.Unit != "" {
		return text
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if v.Number == math.Trunc(v.Number) && math.Abs(v.Number) < 1<<53 && !strings.ContainsAny(text, ".eE") {
		return int64(v.Number)
	}
	return v.Number
}

// Keys implements Graph.
func (o *KG) Keys(n Node) []string {
	e := kg.EntityID(n)
	names := []string{"name"}
	for r, edges := range o.g.RelationsOut(e) {
		if slices.ContainsFunc(edges, func(x kg.Edge) bool { return o.isValue(x.Entity) }) {
			names = append(names, o.typeName(r))
		}
	}
	return kg.Distinct(names)
}

// Ends implements Graph.
func (o *KG) Ends(r Rel) (from, to Node) {
	t := o.g.Triple(Triple(r))
	return Node(t.Head), Node(t.Tail)
}

// Type implements Graph.
func (o *KG) Type(r Rel) string { return o.typeName(o.g.Triple(Triple(r)).Relation) }

// typeName is a relation's key, or its text where the key is an IRI.
func (o *KG) typeName(r kg.RelationID) string {
	if k := o.g.RelationKey(r); !strings.ContainsAny(k, ":/#") {
		return k
	}
	return o.g.RelationText(r)
}

// properties are what the statement of a relationship says.
func (o *KG) properties(r Rel) []kg.Property {
	i, n := 0, int(r&(1<<statementBits-1))
	for ps := range o.g.Statements(Triple(r)) {
		if i == n {
			return ps
		}
		i++
	}
	return nil
}

// OfRel implements Graph.
func (o *KG) OfRel(r Rel, property string) any {
	var values List
	for _, p := range o.properties(r) {
		if o.isProperty(p.Name, property) {
			values = append(values, valueOf(o.g.PropertyValue(p)))
		}
	}
	return oneOrAll(values)
}

// oneOrAll is the value of a list of one, nil for none.
func oneOrAll(values List) any {
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	return values
}

// RelKeys implements Graph.
func (o *KG) RelKeys(r Rel) []string {
	names := wording.Each(o.properties(r), func(p kg.Property) string { return o.g.PropertyText(p.Name) })
	return kg.Distinct(names)
}

// Expand implements Graph. A triple is a step for each of its statements: one where it has
// no properties.
func (o *KG) Expand(steps []Step, n Node, out bool, types []TypeID) []Step {
	e := kg.EntityID(n)
	edges, by := o.g.In, o.g.InBy
	if out {
		edges, by = o.g.Out, o.g.OutBy
	}
	walk := func(list []kg.Edge) {
		for _, x := range list {
			i := 0
			if o.g.HasProperties() {
				for range o.g.Statements(x.Triple) {
					steps = append(steps, Step{relOf(x.Triple, i), Node(x.Entity)})
					i++
				}
			}
			if i == 0 {
				steps = append(steps, Step{relOf(x.Triple, 0), Node(x.Entity)})
			}
		}
	}
	if types == nil {
		walk(edges(e))
	}
	for _, t := range types {
		walk(by(e, kg.RelationID(t)))
	}
	return steps
}

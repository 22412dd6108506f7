package kg

import (
	"slices"
	"strings"
	"unicode"
)

// Builder makes a Graph in memory, from names: for tests and for small graphs.
// The zero value is ready to use. A Builder is not safe for concurrent use.
type Builder struct {
	g         Graph
	entities  map[string]EntityID
	relations map[string]RelationID
	typeIDs   map[string]TypeID
	seen      map[Triple]TripleID
}

// Entity returns the entity with the given key, made with the key as its label
// where it is new.
func (b *Builder) Entity(key string) EntityID {
	if e, ok := b.entities[key]; ok {
		return e
	}
	if b.entities == nil {
		b.entities = map[string]EntityID{}
	}
	e := EntityID(len(b.g.entityLabels))
	b.entities[key] = e
	b.g.entityKeys = append(b.g.entityKeys, key)
	b.g.entityLabels = append(b.g.entityLabels, key)
	b.g.literal = append(b.g.literal, false)
	return e
}

// Relation returns the relation with the given key, made where it is new.
func (b *Builder) Relation(key string) RelationID {
	if r, ok := b.relations[key]; ok {
		return r
	}
	if b.relations == nil {
		b.relations = map[string]RelationID{}
	}
	r := RelationID(len(b.g.relationKeys))
	b.relations[key] = r
	b.g.relationKeys = append(b.g.relationKeys, key)
	b.g.relationTexts = append(b.g.relationTexts, RelationText(key))
	return r
}

// Add adds a triple by keys and returns its id; adding it again changes nothing.
func (b *Builder) Add(head, relation, tail string) TripleID {
	t := Triple{b.Entity(head), b.Relation(relation), b.Entity(tail)}
	if id, ok := b.seen[t]; ok {
		return id
	}
	if b.seen == nil {
		b.seen = map[Triple]TripleID{}
	}
	id := TripleID(len(b.g.triples))
	b.seen[t] = id
	b.g.triples = append(b.g.triples, t)
	return id
}

// SetLabel names an entity for people.
func (b *Builder) SetLabel(e EntityID, label string) { b.g.entityLabels[e] = label }

// SetRelationText names a relation for people.
func (b *Builder) SetRelationText(r RelationID, text string) { b.g.relationTexts[r] = text }

// SetLiteral marks an entity as a literal value.
func (b *Builder) SetLiteral(e EntityID) { b.g.literal[e] = true }

// AddAlias gives an entity one more name.
func (b *Builder) AddAlias(e EntityID, alias string) {
	if b.g.aliases == nil {
		b.g.aliases = map[EntityID][]string{}
	}
	if !slices.Contains(b.g.aliases[e], alias) {
		b.g.aliases[e] = append(b.g.aliases[e], alias)
	}
}

// AddType gives an entity a type.
func (b *Builder) AddType(e EntityID, label string) TypeID {
	t, ok := b.typeIDs[label]
	if !ok {
		if b.typeIDs == nil {
			b.typeIDs = map[string]TypeID{}
		}
		t = TypeID(len(b.g.typeLabels))
		b.typeIDs[label] = t
		b.g.typeLabels = append(b.g.typeLabels, label)
		b.g.ofType = append(b.g.ofType, nil)
	}
	if b.g.types == nil {
		b.g.types = map[EntityID][]TypeID{}
	}
	if !slices.Contains(b.g.types[e], t) {
		b.g.types[e] = append(b.g.types[e], t)
		slices.Sort(b.g.types[e])
		b.g.ofType[t] = append(b.g.ofType[t], e)
	}
	return t
}

// Graph returns the graph. The builder must not be used afterwards.
func (b *Builder) Graph() *Graph {
	for _, es := range b.g.ofType {
		slices.Sort(es)
	}
	b.g.index()
	return &b.g
}

// RelationText turns a relation's key into words for people: the local name of
// an IRI, split at underscores, hyphens and changes of case. A dotted or
// slashed Freebase name keeps its last two fields, which carry the meaning:
// "film.actor.film" becomes "actor film".
func RelationText(key string) string {
	s := key
	if i := strings.LastIndexByte(s, '#'); i >= 0 && i+1 < len(s) {
		s = s[i+1:]
	} else if strings.Contains(s, "://") {
		s = s[strings.LastIndexByte(strings.TrimRight(s, "/"), '/')+1:]
	}
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '/' })
	if len(fields) > 2 {
		fields = fields[len(fields)-2:]
	}
	var out strings.Builder
	var last rune
	for _, r := range strings.Join(fields, " ") {
		switch {
		case r == '_' || r == '-':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last):
			out.WriteByte(' ')
		}
		if !unicode.IsUpper(last) || !unicode.IsUpper(r) {
			out.WriteRune(unicode.ToLower(r))
		} else {
			out.WriteRune(r)
		}
		last = r
	}
	if text := strings.Join(strings.Fields(out.String()), " "); text != "" {
		return text
	}
	return key
}

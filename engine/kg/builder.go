package kg

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"cairn/internal/wording"
)

type naming struct {
	entity EntityID
	text   string
}

type typing struct {
	entity EntityID
	kind   TypeID
}

// compare orders typings by (entity, type).
func (t typing) compare(u typing) int {
	return cmp.Or(cmp.Compare(t.entity, u.entity), cmp.Compare(t.kind, u.kind))
}

// Builder makes a Graph in memory, from names: for tests and for small graphs.
// The zero value is ready to use. A Builder is not safe for concurrent use.
type Builder struct {
	g         Graph    // what of it needs no sorting
	keys      []string // indexed by EntityID
	labels    []string // indexed by EntityID
	owners    []EntityID
	aliases   texts // of the owners
	typings   []typing
	entities  map[string]EntityID
	relations map[string]RelationID
	kinds     map[string]TypeID
	seen      map[Triple]TripleID
	named     map[naming]uint32 // by owner and text, the number of the alias
	sets      *setTable         // of what statements say; nil until there is one
	packer    *packer
	names     map[string]uint32 // of properties
}

// Entity returns the entity with the given key, made with the key as its label
// where it is new.
func (b *Builder) Entity(key string) EntityID {
	e, added := numbered(&b.entities, key)
	if added {
		b.keys = append(b.keys, key)
		b.labels = append(b.labels, key)
		b.g.literal = append(b.g.literal, 0)
	}
	return e
}

// numbered returns the number of a key, which is new where added is true.
func numbered[K comparable, ID ~uint32](ids *map[K]ID, key K) (id ID, added bool) {
	if id, ok := (*ids)[key]; ok {
		return id, false
	}
	if *ids == nil {
		*ids = map[K]ID{}
	}
	id = ID(len(*ids))
	(*ids)[key] = id
	return id, true
}

// SetLiteral makes an entity a literal value.
func (b *Builder) SetLiteral(e EntityID) { b.g.literal[e] = 1 }

// Relation returns the relation with the given key, made where it is new.
func (b *Builder) Relation(key string) RelationID {
	r, added := numbered(&b.relations, key)
	if added {
		b.g.relationKeys = append(b.g.relationKeys, key)
		b.g.relationTexts = append(b.g.relationTexts, RelationText(key))
		b.g.nameRelation(key, key)
	}
	return r
}

// Add adds a triple by keys and returns its id; adding it again changes nothing.
func (b *Builder) Add(head, relation, tail string) TripleID {
	t := Triple{b.Entity(head), b.Relation(relation), b.Entity(tail)}
	id, added := numbered(&b.seen, t)
	if added {
		b.g.triples = append(b.g.triples, t)
	}
	return id
}

// AddStatement is Add with what a statement says beside the triple, as
// Writer.AddStatement has it.
func (b *Builder) AddStatement(head, relation, tail string, properties ...Property) TripleID {
	t := b.Add(head, relation, tail)
	if len(properties) == 0 {
		return t
	}
	if b.sets == nil {
		b.sets, b.packer, b.names = newSetTable(), b.g.said.packer(), map[string]uint32{}
	}
	members := membersOf(nil, properties, b.names, func(name string) {
		b.g.said.names = append(b.g.said.names, name)
		b.g.said.texts = append(b.g.said.texts, RelationText(name))
	})
	set, added := b.sets.put(members)
	if added {
		b.packer.add(members)
	}
	b.g.said.list = append(b.g.said.list, statement{t, set})
	return t
}

// SetLabel names an entity for people.
func (b *Builder) SetLabel(e EntityID, label string) { b.labels[e] = label }

// AddAlias gives an entity one more name.
func (b *Builder) AddAlias(e EntityID, alias string) {
	if _, added := numbered(&b.named, naming{e, alias}); added {
		b.owners = append(b.owners, e)
		b.aliases.add(alias)
	}
}

// AddType gives an entity a type.
func (b *Builder) AddType(e EntityID, label string) TypeID {
	t, added := numbered(&b.kinds, label)
	if added {
		b.g.typeLabels = append(b.g.typeLabels, label)
	}
	b.typings = append(b.typings, typing{e, t})
	return t
}

// Graph returns the graph. The builder must not be used afterwards.
func (b *Builder) Graph() *Graph {
	g := &b.g
	g.keys, g.labels = textsOf(b.keys), textsOf(b.labels)
	g.setAliases(b.owners, &b.aliases)
	slices.SortFunc(g.said.list, statement.compare)
	g.said.list = slices.Compact(g.said.list)
	slices.SortFunc(b.typings, typing.compare)
	b.typings = slices.Compact(b.typings)
	owners, kinds := make([]EntityID, len(b.typings)), make([]TypeID, len(b.typings))
	for i, t := range b.typings {
		owners[i], kinds[i] = t.entity, t.kind
	}
	g.setTypes(len(b.keys), owners, kinds)
	var done atomic.Int64
	_ = g.setEdges(context.Background(), len(b.keys), &done) // nothing ends that context
	return g
}

// HasPrefix reports whether a name begins with the short name of its vocabulary, as
// "biolink:Protein" does.
func HasPrefix(name string) bool {
	prefix, local, ok := strings.Cut(name, ":")
	letter := func(s string) bool { return s != "" && unicode.IsLetter([]rune(s)[0]) }
	return ok && letter(prefix) && letter(local) && !strings.ContainsAny(name, " /") && !strings.Contains(local, ":")
}

// RelationText turns a relation's key into words for people: the local name of
// an IRI or behind a prefix, split at underscores, hyphens and changes of case. A dotted or
// slashed Freebase name keeps its last two fields, which carry the meaning:
// "film.actor.film" becomes "actor film".
func RelationText(key string) string {
	if open := strings.Index(key, " ("); open > 0 && strings.HasSuffix(key, ")") && !strings.Contains(key, "://") &&
		(strings.ContainsAny(key[open:], "/.") || len(UnitsOf(key[open+2:len(key)-1])) > 0) {
		return RelationText(key[:open]) + key[open:] // the unit of "price (EUR/kg)" is one, and that of "power (kW)" as it is
	}
	s := key
	if i := strings.LastIndexByte(s, '#'); i >= 0 && i+1 < len(s) {
		s = s[i+1:]
	} else if strings.Contains(s, "://") {
		s = s[strings.LastIndexByte(strings.TrimRight(s, "/"), '/')+1:]
	}
	if HasPrefix(s) {
		s = s[strings.IndexByte(s, ':')+1:]
	}
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '/' })
	if len(fields) > 2 {
		fields = fields[len(fields)-2:]
	}
	var words []string
	for _, word := range strings.FieldsFunc(strings.Join(fields, " "), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }) {
		words = append(words, splitCase(word, key)...)
	}
	if text := strings.Join(words, " "); text != "" {
		return text
	}
	return key
}

// splitCase splits a word of a name where lower case turns to upper, and lowers what is
// no acronym: "birthPlace" is "birth place", "ISO", "pH" and "kWh" stay.
func splitCase(word, name string) []string {
	if wording.IsWhole(word, name) {
		return []string{word}
	}
	var parts []string
	var part []rune
	flush := func() {
		text := string(part)
		if acronym := len(part) > 1 && unicode.IsUpper(part[0]) && unicode.IsUpper(part[1]); !acronym {
			text = strings.ToLower(text)
		}
		parts, part = append(parts, text), part[:0]
	}
	for _, r := range word {
		if len(part) > 0 && unicode.IsUpper(r) && unicode.IsLower(part[len(part)-1]) {
			flush()
		}
		part = append(part, r)
	}
	flush()
	return parts
}

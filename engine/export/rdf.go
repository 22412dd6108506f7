package export

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// What names, types and reifiers are said with.
const (
	rdfNS         = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfType       = rdfNS + "type"
	rdfReifies    = rdfNS + "reifies"
	rdfsLabel     = "http://www.w3.org/2000/01/rdf-schema#label"
	skosAltLabel  = "http://www.w3.org/2004/02/skos/core#altLabel"
	dcDescription = "http://purl.org/dc/terms/description"
	instanceOf    = "http://www.wikidata.org/prop/direct/P31"
)

// ownNames begins the IRIs of what has a name and no IRI; the name follows, with
// escapes. Package ingest makes the name of it again.
const ownNames = "urn:cairn:"

// absolute is an IRI that any syntax of RDF can write as it is.
var absolute = regexp.MustCompile("^[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20<>\"{}|^`\\\\]+$")

// term is a term of RDF as N-Quads writes it; iri is empty for one that is no IRI.
type term struct{ text, iri string }

func iriTerm(key string) term {
	if !absolute.MatchString(key) {
		key = ownNames + url.PathEscape(key)
	}
	return term{"<" + key + ">", key}
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`)

func textTerm(text, language, datatype string) term {
	t := `"` + quoted.Replace(text) + `"`
	switch {
	case language != "":
		t += "@" + language
	case datatype != "":
		t += "^^" + iriTerm(datatype).text
	}
	return term{text: t}
}

// rdf is what N-Quads and Turtle share.
type rdf struct {
	*writing
	write    func(s, p, o term, x *kg.Saying)
	reifiers int
}

// of returns the term of an entity.
func (r *rdf) of(e kg.EntityID) term {
	key := r.g.Key(e)
	if r.g.IsLiteral(e) {
		l := literalOf(r.g.Graph, e)
		return textTerm(l.text, l.language, l.datatype)
	}
	if label, blank := strings.CutPrefix(key, "_:"); blank && blankLabel.MatchString(label) {
		return term{text: key}
	}
	return iriTerm(key)
}

var blankLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?$`)

type literal struct{ text, language, datatype string }

// literalOf reads the key of a literal: "text", "text"@language or "text"^^<datatype>.
func literalOf(g *kg.Graph, e kg.EntityID) literal {
	key := g.Key(e)
	end := strings.LastIndexByte(key, '"')
	if end < 1 || key[0] != '"' {
		return literal{text: g.Label(e)}
	}
	l := literal{text: key[1:end]}
	if after, ok := strings.CutPrefix(key[end+1:], "@"); ok {
		l.language = after
	} else if after, ok := strings.CutPrefix(key[end+1:], "^^<"); ok {
		l.datatype = strings.TrimSuffix(after, ">")
	}
	return l
}

func (r *rdf) entity(e kg.EntityID, x *kg.Entity) {
	s := r.of(e)
	write := func(p string, o term) { r.write(s, iriTerm(p), o, nil) }
	if x.Named {
		write(rdfsLabel, textTerm(x.Label, x.Language, ""))
	}
	for _, a := range x.Aliases {
		write(skosAltLabel, textTerm(a.Text, a.Language, ""))
	}
	if x.Description != "" {
		write(dcDescription, textTerm(x.Description, "", ""))
	}
	for _, k := range r.g.Types(e) {
		if !r.typedByTriple(e, k) {
			write(rdfType, iriTerm(r.types[k].Key))
		}
	}
}

// typedByTriple reports whether a triple that is written says that an entity has a type.
func (r *rdf) typedByTriple(e kg.EntityID, k kg.TypeID) bool {
	of := r.types[k].Entity
	return of != kg.NoEntity && slices.ContainsFunc(r.g.Out(e), func(x kg.Edge) bool {
		key := r.g.RelationKey(x.Relation)
		return x.Entity == of && (key == rdfType || key == instanceOf) && r.wantsTriple(x.Triple)
	})
}

// nameRelations writes the names of relations that no entity has.
func (r *rdf) nameRelations() {
	for _, x := range r.relations {
		if x.Label != "" && x.Entity == kg.NoEntity {
			r.write(iriTerm(x.Key), iriTerm(rdfsLabel), textTerm(x.Label, "", ""), nil)
		}
	}
}

func (r *rdf) say(t kg.Triple, x *kg.Saying) {
	if r.g.IsSymmetric(t.Relation) && r.relations[t.Relation].Entity == kg.NoEntity { // else a triple may declare it
		r.leave(bothWaysLost)
	}
	r.write(r.of(t.Head), iriTerm(r.g.RelationKey(t.Relation)), r.of(t.Tail), x)
}

// value is the term of a property's value.
func (r *rdf) value(p kg.Property) term {
	if p.Entity != kg.NoEntity {
		return r.of(p.Entity)
	}
	return textTerm(p.Value, "", p.Datatype)
}

// quads writes N-Quads, with what statements say as RDF 1.2 does: a reifier of the triple.
type quads struct{ rdf }

func newQuads(w *writing) sink {
	q := &quads{rdf{writing: w}}
	q.write = q.quad
	return q
}

func (q *quads) begin() { q.nameRelations() }
func (q *quads) end()   {}

func (q *quads) quad(s, p, o term, x *kg.Saying) {
	to, graph := q.out[0], ""
	if x != nil && x.Origin != "" {
		graph = " " + iriTerm(x.Origin).text
	}
	fmt.Fprintf(to, "%s %s %s%s .\n", s.text, p.text, o.text, graph)
	if x == nil || len(x.Properties) == 0 {
		return
	}
	q.reifiers++
	reifier := fmt.Sprintf("_:s%d", q.reifiers)
	fmt.Fprintf(to, "%s <%s> <<( %s %s %s )>>%s .\n", reifier, rdfReifies, s.text, p.text, o.text, graph)
	for _, y := range x.Properties {
		fmt.Fprintf(to, "%s %s %s%s .\n", reifier, iriTerm(y.Name).text, q.value(y).text, graph)
	}
}

// turtle writes Turtle with the annotations of RDF 1.2.
type turtle struct {
	rdf
	prefixes map[string]string // by namespace
	subject  string            // of the statement that is open
}

func newTurtle(w *writing) sink {
	t := &turtle{rdf: rdf{writing: w}}
	t.write = t.triple
	return t
}

// knownPrefixes are what everybody calls these namespaces.
var knownPrefixes = [][2]string{
	{"rdf", rdfNS},
	{"rdfs", "http://www.w3.org/2000/01/rdf-schema#"},
	{"skos", "http://www.w3.org/2004/02/skos/core#"},
	{"dcterms", "http://purl.org/dc/terms/"},
	{"xsd", "http://www.w3.org/2001/XMLSchema#"},
	{"cairn", ownNames},
}

func (t *turtle) begin() {
	t.prefixes = map[string]string{}
	declare := func(name, ns string) {
		t.prefixes[ns] = name
		fmt.Fprintf(t.out[0], "@prefix %s: <%s> .\n", name, ns)
	}
	for _, p := range knownPrefixes {
		declare(p[0], p[1])
	}
	for i, ns := range t.namespaces() {
		declare(fmt.Sprintf("ns%d", i+1), ns)
	}
	t.nameRelations()
}

// namespaces returns those that several of the relations and of the first entities
// share, the most frequent first.
func (t *turtle) namespaces() []string {
	const entities, most = 10_000, 50
	count := map[string]int{}
	add := func(key string) {
		if ns, _, ok := split(iriTerm(key).iri); ok && t.prefixes[ns] == "" {
			count[ns]++
		}
	}
	for _, r := range t.relations {
		add(r.Key)
	}
	for e := range min(entities, t.g.Entities()) {
		if !t.g.IsLiteral(kg.EntityID(e)) && t.wants(kg.EntityID(e)) {
			add(t.g.Key(kg.EntityID(e)))
		}
	}
	var all []string
	for ns, n := range count {
		if n > 1 {
			all = append(all, ns)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	return all[:min(most, len(all))]
}

// local is what may follow a prefix without escapes.
var local = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)

// split divides an IRI before its local name.
func split(iri string) (ns, name string, ok bool) {
	at := strings.LastIndexAny(iri, "/#:")
	if at < 0 {
		return "", "", false
	}
	ns, name = iri[:at+1], iri[at+1:]
	return ns, name, local.MatchString(name)
}

func (t *turtle) short(x term) string {
	if ns, name, ok := split(x.iri); ok {
		if prefix, ok := t.prefixes[ns]; ok {
			return prefix + ":" + name
		}
	}
	return x.text
}

func (t *turtle) triple(s, p, o term, x *kg.Saying) {
	b := t.out[0]
	subject := t.short(s)
	if subject == t.subject {
		fmt.Fprint(b, " ;\n    ")
	} else {
		if t.subject != "" {
			fmt.Fprint(b, " .\n")
		}
		fmt.Fprint(b, subject+" ")
		t.subject = subject
	}
	predicate := t.short(p)
	if p.iri == rdfType {
		predicate = "a"
	}
	fmt.Fprint(b, predicate+" "+t.short(o))
	if x != nil && x.Origin != "" {
		t.leave("the named graph or source of a statement; N-Quads can")
	}
	if x != nil && len(x.Properties) > 0 {
		fmt.Fprint(b, " {|")
		for i, y := range x.Properties {
			if i > 0 {
				fmt.Fprint(b, " ;")
			}
			fmt.Fprint(b, " "+t.short(iriTerm(y.Name))+" "+t.short(t.value(y)))
		}
		fmt.Fprint(b, " |}")
	}
}

func (t *turtle) end() {
	if t.subject != "" {
		fmt.Fprint(t.out[0], " .\n")
	}
}

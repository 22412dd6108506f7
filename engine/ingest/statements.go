package ingest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/ingest/rdf"
	"cairn/engine/internal/lines"
	"cairn/engine/kg"
)

// foldKind is what becomes of a statement that says something about one entity.
type foldKind byte

const (
	noFold foldKind = iota
	foldLabel
	foldAlias
	foldDescription
	foldType
)

// fold is the meaning of a well-known predicate. Of two labels in the same
// language the one of the lower rank is the better name.
type fold struct {
	what foldKind
	rank uint8 // below predicateRanks
}

// predicateRanks is the number of ranks of predicates within a language.
const predicateRanks = 8

// folds are the predicates that do not become triples (but for rdf:type, which
// also stays one): names, other names, descriptions, types.
var folds = map[string]fold{
	"http://www.w3.org/2004/02/skos/core#prefLabel": {foldLabel, 0},
	"http://www.w3.org/2000/01/rdf-schema#label":    {foldLabel, 1},
	"http://schema.org/name":                        {foldLabel, 2},
	"https://schema.org/name":                       {foldLabel, 2},
	"http://purl.org/dc/terms/title":                {foldLabel, 3},
	"http://purl.org/dc/elements/1.1/title":         {foldLabel, 4},
	"http://xmlns.com/foaf/0.1/name":                {foldLabel, 5},
	"http://purl.obolibrary.org/obo/IAO_0000111":    {foldLabel, 6}, // editor preferred term

	"http://www.w3.org/2004/02/skos/core#altLabel":                 {foldAlias, 0},
	"http://www.w3.org/2004/02/skos/core#hiddenLabel":              {foldAlias, 0},
	"http://schema.org/alternateName":                              {foldAlias, 0},
	"https://schema.org/alternateName":                             {foldAlias, 0},
	"http://purl.org/dc/terms/alternative":                         {foldAlias, 0},
	"http://xmlns.com/foaf/0.1/nick":                               {foldAlias, 0},
	"http://purl.obolibrary.org/obo/IAO_0000118":                   {foldAlias, 0}, // alternative term
	"http://www.geneontology.org/formats/oboInOwl#hasExactSynonym": {foldAlias, 0},

	"http://www.w3.org/2004/02/skos/core#definition": {foldDescription, 0},
	"http://purl.obolibrary.org/obo/IAO_0000115":     {foldDescription, 1}, // definition
	"http://schema.org/description":                  {foldDescription, 2},
	"https://schema.org/description":                 {foldDescription, 2},
	"http://purl.org/dc/terms/description":           {foldDescription, 3},
	"http://purl.org/dc/elements/1.1/description":    {foldDescription, 4},
	"http://www.w3.org/2000/01/rdf-schema#comment":   {foldDescription, 5},

	rdf.Type: {foldType, 0},
	"http://www.wikidata.org/prop/direct/P31": {foldType, 0}, // instance of
}

// languageRank tells how welcome a language is; 0 is best. After the preferred
// ones comes text without a language, then every other language.
func languageRank(preferred []string, language string) int {
	if language == "" {
		return 2 * len(preferred)
	}
	for i, p := range preferred {
		if strings.EqualFold(p, language) {
			return 2 * i
		}
		if len(language) > len(p) && language[len(p)] == '-' && strings.EqualFold(p, language[:len(p)]) {
			return 2*i + 1 // en-GB where en is wanted
		}
	}
	return 2*len(preferred) + 1
}

// nameRank is the rank of a name in package kg's count: the language first, then
// the predicate.
func nameRank(languageRank int, predicate uint8) uint8 {
	return uint8(min(languageRank*predicateRanks+int(predicate), kg.RankFallback-1))
}

// predicate is what an import knows of a relation.
type predicate struct {
	key    []byte // IRI
	direct []byte // of a claim, a qualifier or their values, the IRI of the direct relation
	fold   fold
	part   part
	id     kg.RelationID
	used   bool // id is set
}

// predicateOf returns what is known of a relation.
func (im *importer) predicateOf(iri []byte) *predicate {
	if p, ok := im.predicates[string(iri)]; ok {
		return p
	}
	p := &predicate{key: bytes.Clone(iri), fold: folds[string(iri)], part: partOf[string(iri)]}
	if m := claim.FindSubmatch(iri); p.part == noPart && m != nil {
		p.part = claimParts[string(m[2])]
		p.direct = []byte(string(m[1]) + "direct/" + string(m[3]))
	}
	im.predicates[string(iri)] = p
	return p
}

// names reports whether a statement gives its subject a name or a description.
func (p *predicate) names(object *rdf.Term) bool {
	return object.Kind == rdf.Literal && p.fold.what != noFold && p.fold.what != foldType
}

func (im *importer) relation(p *predicate) kg.RelationID {
	if !p.used {
		p.id, p.used = im.w.Relation(p.key), true
	}
	return p.id
}

// ntriples imports N-Triples and N-Quads.
func (im *importer) ntriples(r io.Reader) error {
	var p rdf.LineParser
	return im.eachLine(im.findSchema(r, turtle), func(line []byte, number int64) (fault string, err error) {
		st, ok, parseErr := p.Parse(line)
		switch {
		case parseErr != nil:
			fault = parseErr.Error()
		case !ok:
			im.report.Skipped++
		default:
			st.Line = number
			err = im.statement(&st)
		}
		return fault, err
	})
}

// eachLine hands the lines of a file to take, which says the fault of one that it cannot
// take.
func (im *importer) eachLine(r io.Reader, take func(line []byte, number int64) (fault string, err error)) error {
	in := lines.New(r, im.format.lineEnd, im.o.MaxLine)
	for {
		line, tooLong, err := in.Next()
		if errors.Is(err, io.EOF) {
			return im.end(nil)
		}
		if err != nil {
			return im.src.readError(err)
		}
		im.at(in.Number)
		var fault string
		switch {
		case tooLong > 0:
			fault = "the line has " + itoa(tooLong) + " bytes; the limit is " + itoa(int64(im.o.MaxLine))
		case !utf8.Valid(line):
			fault = invalidUTF8(line)
		default:
			fault, err = take(line, in.Number)
		}
		if fault != "" {
			err = im.reject(in.Number, line, fault)
		}
		if err == nil {
			err = im.tick(im.nodes.before(in.Number))
		}
		if err != nil {
			return im.end(err)
		}
	}
}

// document returns what imports what a parser of package rdf reads.
func document(parse func(io.Reader, rdf.Options, rdf.Handler) error) func(*importer, io.Reader) error {
	return func(im *importer, r io.Reader) error {
		source := &failing{r: im.findSchema(r, parse)}
		err := parse(source, rdf.Options{Base: im.o.Base, MaxTerm: im.o.MaxLine}, rdf.Handler{
			Statement: func(st *rdf.Statement) error {
				im.at(st.Line)
				if err := im.statement(st); err != nil {
					return err
				}
				return im.tick(im.nodes.before(st.Line - 1)) // more may stand on the same line
			},
			Reject: func(fault *rdf.SyntaxError) error {
				im.at(fault.Line)
				if err := im.reject(fault.Line, fault.Text, fault.Error()); err != nil {
					return err
				}
				return im.tick(im.nodes.before(fault.Line - 1))
			},
		})
		if source.err != nil {
			return im.src.readError(source.err)
		}
		return im.end(err)
	}
}

// end ends a document, or a trial of it, with what waits until then.
func (im *importer) end(err error) error {
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return errors.Join(err, im.resolve(0))
}

// failing remembers why its reader could not be read further.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// turtle parses TriG, which has all that Turtle has.
func turtle(r io.Reader, o rdf.Options, h rdf.Handler) error { return rdf.Turtle(r, true, o, h) }

// statement takes one statement. Most are added at once; those of blank nodes, and of
// nodes that only say something about a statement, wait until the whole node is known.
func (im *importer) statement(st *rdf.Statement) error {
	ownNames(st)
	p := im.predicateOf(st.Predicate.Value)
	if st.Subject.Kind == rdf.Blank || st.Object.Kind == rdf.Blank || p.part != noPart && (p.part != claimPart || st.Object.Kind == rdf.IRI) ||
		st.Subject.Kind == rdf.Triple || st.Object.Kind == rdf.Triple || im.nodes.has(&st.Subject) ||
		p.fold.what == foldType && statementTypes[string(st.Object.Value)] {
		im.nodes.take(st, p)
		if im.nodes.waiting < maxWaiting {
			return nil
		}
		return im.resolve(maxWaiting / 2)
	}
	im.say(&st.Subject, p, &st.Object, st.Graph.Value, nil)
	return nil
}

// say adds one statement: a triple with its properties, or a name or description of its
// subject.
func (im *importer) say(subject *rdf.Term, p *predicate, object *rdf.Term, graph []byte, properties []kg.Property) {
	if im.declares(subject, p, object) {
		im.report.Skipped++
		switch p.fold.what {
		case foldType:
			if classWords[string(object.Value)] {
				im.w.Type(im.entityOf(subject), im.keyOf(object))
			}
		case foldLabel:
			im.report.Named++
			_, rank := im.rankOf(object, p.fold)
			im.nameProperty(subject, strings.TrimSpace(string(object.Value)), rank)
		default:
		}
		return
	}
	if p.names(object) {
		im.foldStatement(subject, object, p.fold)
		return
	}
	head := im.entityOf(subject)
	tail := im.entityOf(object)
	if p.fold.what == foldType && object.Kind != rdf.Literal {
		im.w.Type(head, im.keyOf(object))
		im.noteProperty(subject, object)
	}
	from := kg.FileItself
	if len(graph) > 0 {
		from = im.w.Origin(string(graph))
	}
	im.add(kg.Triple{Head: head, Relation: im.relation(p), Tail: tail}, from, properties)
}

// foldStatement makes a statement part of its subject.
func (im *importer) foldStatement(subject, object *rdf.Term, f fold) {
	text := strings.TrimSpace(string(object.Value))
	im.report.Skipped++
	if text == "" {
		return
	}
	im.report.Named++
	e := im.entityOf(subject)
	language, rank := im.rankOf(object, f)
	switch f.what {
	case foldLabel:
		im.w.Label(e, text, language, rank)
		im.nameProperty(subject, text, rank)
	case foldAlias:
		im.w.Alias(e, text, language)
	default:
		im.w.Describe(e, text, rank)
	}
}

// rankOf returns the language of a name, and how welcome the name is; 0 is best.
func (im *importer) rankOf(name *rdf.Term, f fold) (language string, rank uint8) {
	language, _, _ = strings.Cut(string(name.Language), "--") // of a direction
	return language, nameRank(languageRank(im.o.Languages, language), f.rank)
}

// propertyTypes are the types of things whose names are those of relations.
var propertyTypes = func() map[string]bool {
	types := map[string]bool{rdf.Namespace + "Property": true, wikibase + "Property": true}
	for kind := range strings.FieldsSeq("Object Datatype Annotation Transitive Symmetric Functional InverseFunctional Deprecated Ontology") {
		types[owl+kind+"Property"] = true
	}
	return types
}()

// propertyName is the best name so far of what may be a relation.
type propertyName struct {
	text string
	rank uint8
}

// noteProperty remembers that a subject is a relation, where its type says so.
func (im *importer) noteProperty(subject, class *rdf.Term) {
	if propertyTypes[string(class.Value)] && subject.Kind == rdf.IRI {
		if _, ok := im.propertyNames[string(subject.Value)]; !ok {
			im.propertyNames[string(subject.Value)] = propertyName{rank: kg.RankFallback}
		}
	}
}

// nameProperty remembers a name where its subject is known for a relation.
func (im *importer) nameProperty(subject *rdf.Term, text string, rank uint8) {
	best, ok := im.propertyNames[string(subject.Value)]
	if !ok && len(im.predicates) > 0 {
		_, ok = im.predicates[string(subject.Value)]
		best.rank = kg.RankFallback
	}
	if !ok || rank >= best.rank {
		return
	}
	im.propertyNames[string(subject.Value)] = propertyName{text, rank}
}

// nameRelations gives the relations the names that the document has for them.
func (im *importer) nameRelations() {
	for _, iri := range slices.Sorted(maps.Keys(im.propertyNames)) {
		name := im.propertyNames[iri]
		if name.text == "" {
			continue
		}
		key := iri
		if direct, ok := im.direct[iri]; ok {
			key = direct
		}
		if r, ok := im.w.FindRelation(key); ok {
			im.w.LabelRelation(r, name.text)
		}
	}
}

// keyOf returns the key of a term: an IRI is its own; a blank node is told from
// those of other files; a literal is written as N-Triples does, without escapes.
// It is valid until the next call.
func (im *importer) keyOf(t *rdf.Term) []byte {
	switch t.Kind {
	case rdf.Blank:
		im.key = append(append(append(im.key[:0], "_:"...), im.blankPrefix...), t.Value...)
	case rdf.Literal:
		im.key = append(append(append(im.key[:0], '"'), t.Value...), '"')
		if len(t.Language) > 0 {
			im.key = append(im.key, '@')
			im.key = append(im.key, strings.ToLower(string(t.Language))...)
		} else if len(t.Datatype) > 0 {
			im.key = append(append(append(im.key, "^^<"...), t.Datatype...), '>')
		}
	default:
		return t.Value
	}
	return im.key
}

func (im *importer) entityOf(t *rdf.Term) kg.EntityID {
	key := im.keyOf(t)
	if e, ok := im.w.FindBytes(key); ok {
		return e
	}
	switch t.Kind {
	case rdf.Literal:
		return im.w.Literal(key, string(t.Value), string(t.Datatype), string(t.Language))
	case rdf.Blank:
		return im.w.Entity(key, "_:"+string(t.Value))
	default:
		fallback := ""
		if bytes.IndexByte(t.Value, ':') >= 0 { // a name of an export has no scheme
			fallback = kg.LocalName(string(t.Value))
		}
		return im.w.Entity(key, fallback)
	}
}

// namesBegin begins the IRIs that an export of Cairn writes for what has a name and no
// IRI; see package export.
var namesBegin = []byte("urn:cairn:")

// ownNames makes names again of the IRIs of an export of Cairn.
func ownNames(st *rdf.Statement) {
	for _, t := range []*rdf.Term{&st.Subject, &st.Predicate, &st.Object, &st.Graph} {
		of := &t.Value
		switch t.Kind {
		case rdf.Triple:
			ownNames(t.Triple)
			continue
		case rdf.Literal:
			of = &t.Datatype
		case rdf.None, rdf.IRI, rdf.Blank:
		}
		if escaped, ok := bytes.CutPrefix(*of, namesBegin); ok {
			if name, err := url.PathUnescape(string(escaped)); err == nil && name != "" {
				*of = []byte(name)
			}
		}
	}
}

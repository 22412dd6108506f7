package ingest

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"cairn/engine/kg"
)

const (
	xsdString = "http://www.w3.org/2001/XMLSchema#string"
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
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

	rdfType: {foldType, 0},
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

// ntriples imports N-Triples and N-Quads.
func (im *importer) ntriples(r io.Reader) error {
	in := newLines(r, im.format.lineEnd, im.o.MaxLine)
	var p ntParser
	for {
		line, tooLong, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return im.src.readError(err)
		}
		im.at(in.number)
		switch {
		case tooLong > 0:
			err = im.reject(in.number, line, "the line has "+itoa(tooLong)+" bytes; the limit is "+itoa(int64(im.o.MaxLine)))
		case !utf8.Valid(line):
			err = im.reject(in.number, line, invalidUTF8(line))
		default:
			st, ok, parseErr := p.parse(line)
			switch {
			case parseErr != nil:
				err = im.reject(in.number, line, parseErr.Error())
			case !ok:
				im.report.Skipped++
			default:
				im.statement(&st)
			}
		}
		if err == nil {
			err = im.tick(in.number)
		}
		if err != nil {
			return err
		}
	}
}

// statement adds one statement: a triple, or a name or description of its subject.
func (im *importer) statement(st *statement) {
	f := folds[string(st.predicate.value)]
	if st.object.kind == literalTerm && f.what != noFold && f.what != foldType {
		im.foldStatement(st, f)
		return
	}
	head := im.entityOf(&st.subject)
	tail := im.entityOf(&st.object)
	if f.what == foldType && st.object.kind != literalTerm {
		im.w.Type(head, im.keyOf(&st.object))
	}
	from := kg.FileItself
	if len(st.graph.value) > 0 {
		from = im.w.Origin(string(st.graph.value))
	}
	im.add(kg.Triple{Head: head, Relation: im.w.Relation(st.predicate.value), Tail: tail}, from)
}

// foldStatement makes a statement part of its subject.
func (im *importer) foldStatement(st *statement, f fold) {
	text := strings.TrimSpace(string(st.object.value))
	im.report.Skipped++
	if text == "" {
		return
	}
	im.report.Named++
	e := im.entityOf(&st.subject)
	language := string(st.object.language)
	rank := nameRank(languageRank(im.o.Languages, language), f.rank)
	switch f.what {
	case foldLabel:
		im.w.Label(e, text, language, rank)
	case foldAlias:
		im.w.Alias(e, text, language)
	default:
		im.w.Describe(e, text, rank)
	}
}

// keyOf returns the key of a term: an IRI is its own; a blank node is told from
// those of other files; a literal is written as N-Triples does, without escapes.
// It is valid until the next call.
func (im *importer) keyOf(t *term) []byte {
	switch t.kind {
	case blankTerm:
		im.key = append(append(append(im.key[:0], "_:"...), im.blankPrefix...), t.value...)
	case literalTerm:
		im.key = append(append(append(im.key[:0], '"'), t.value...), '"')
		if len(t.language) > 0 {
			im.key = append(im.key, '@')
			im.key = append(im.key, strings.ToLower(string(t.language))...)
		} else if len(t.datatype) > 0 {
			im.key = append(append(append(im.key, "^^<"...), t.datatype...), '>')
		}
	default:
		return t.value
	}
	return im.key
}

// entityOf returns the entity of a term.
func (im *importer) entityOf(t *term) kg.EntityID {
	key := im.keyOf(t)
	if e, ok := im.w.FindBytes(key); ok {
		return e
	}
	switch t.kind {
	case literalTerm:
		return im.w.Literal(key, string(t.value), string(t.datatype), string(t.language))
	case blankTerm:
		return im.w.Entity(key, "_:"+string(t.value))
	default:
		return im.w.Entity(key, localName(string(t.value)))
	}
}

// localName names an IRI that no source names: its last part, with escapes
// undone and underscores as spaces.
func localName(iri string) string {
	name := strings.TrimRight(iri, "/#")
	if i := strings.LastIndexAny(name, "/#"); i >= 0 {
		name = name[i+1:]
	}
	if u, err := url.PathUnescape(name); err == nil && utf8.ValidString(u) {
		name = u
	}
	if name = strings.TrimSpace(strings.ReplaceAll(name, "_", " ")); name == "" {
		return iri
	}
	return name
}

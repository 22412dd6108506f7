package rdf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/piprate/json-gold/ld"

	"cairn/internal/guard"
)

// JSONLD reads a document of JSON-LD 1.1. It is read whole, so that its statements have
// no lines of their own: all have line 1. Contexts that it names are never fetched:
// those in knownContexts are built in, any other is an error with its remedy.
func JSONLD(r io.Reader, o Options, h Handler) error {
	o.setDefaults()
	faultAt := func(line int64, column int, what string) error {
		err := &SyntaxError{Line: line, Column: column, What: what}
		if h.Reject != nil {
			return h.Reject(err)
		}
		return err
	}
	fault := func(what string) error { return faultAt(1, 1, what) }
	text, err := io.ReadAll(io.LimitReader(r, maxJSONLD+1))
	switch {
	case err != nil:
		return err
	case len(text) > maxJSONLD:
		return fault("the document is larger than 256 MB, the limit for JSON-LD; convert it to N-Quads or Turtle")
	}
	document, line, column, what := readJSON(text)
	if what != "" {
		return faultAt(line, column, what)
	}
	options := ld.NewJsonLdOptions(o.Base)
	options.DocumentLoader = contexts{}
	var dataset *ld.RDFDataset
	err = guard.Do(func() error {
		found, err := ld.NewJsonLdProcessor().ToRDF(document, options)
		if err == nil {
			dataset, _ = found.(*ld.RDFDataset)
		}
		return err
	})
	if err != nil {
		return fault(jsonldError(err))
	}
	if dataset == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(dataset.Graphs)) {
		// The library writes subjects as a map has them: by their names, they have one order.
		slices.SortStableFunc(dataset.Graphs[name], func(a, b *ld.Quad) int {
			return strings.Compare(a.Subject.GetValue(), b.Subject.GetValue())
		})
		for _, q := range dataset.Graphs[name] {
			st := Statement{Subject: termOf(q.Subject), Predicate: termOf(q.Predicate), Object: termOf(q.Object), Line: 1}
			if name != "@default" {
				st.Graph = termOf(q.Graph)
			}
			// The library puts its error in the place of a value that it cannot write.
			if string(st.Object.Datatype) == Namespace+"JSON" && strings.HasPrefix(string(st.Object.Value), "JSON Canonicalization error") {
				if err := fault("a value of type @json of " + short(string(st.Predicate.Value)) + " cannot be stored; write it as text"); err != nil {
					return err
				}
				continue
			}
			for _, t := range []*Term{&st.Subject, &st.Predicate, &st.Object, &st.Graph} {
				if t.Kind == IRI && !strings.Contains(string(t.Value), ":") {
					if err := fault(relativeIRI + ": " + short(string(t.Value))); err != nil {
						return err
					}
					st.Subject.Kind = None
				}
			}
			if st.Subject.Kind == None || st.Predicate.Kind != IRI {
				continue
			}
			if err := h.Statement(&st); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxJSONLD is the largest document of JSON-LD, in bytes.
const maxJSONLD = 256 << 20

// readJSON returns what JSON says, or where it is not well formed or too deep, and why.
func readJSON(text []byte) (document any, line int64, column int, what string) {
	depth, quoted, escaped := 0, false, false
	line, column = 1, 0
	for _, c := range text {
		column++
		switch {
		case c == '\n':
			line++
			column = 0
		case quoted:
			quoted = escaped || c != '"'
			escaped = !escaped && c == '\\'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return nil, line, column, tooDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	err := json.Unmarshal(text, &document)
	if err == nil {
		return document, 0, 0, ""
	}
	before := ""
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		before = string(text[:min(int(wrong.Offset), len(text))])
	}
	line = int64(strings.Count(before, "\n")) + 1
	return nil, line, max(1, len(before)-strings.LastIndexByte(before, '\n')-1), "the JSON is not well formed: " + err.Error()
}

// termOf converts a term of the library.
func termOf(n ld.Node) Term {
	switch n := n.(type) {
	case ld.IRI:
		return iri(n.Value)
	case ld.BlankNode:
		return Term{Kind: Blank, Value: []byte(strings.TrimPrefix(n.Attribute, "_:"))}
	case ld.Literal:
		t := Term{Kind: Literal, Value: []byte(n.Value), Language: []byte(n.Language)}
		if n.Language == "" && n.Datatype != xsdString && n.Datatype != langString {
			t.Datatype = []byte(n.Datatype)
		}
		return t
	}
	return Term{}
}

// jsonldError says what the library found, without its codes.
func jsonldError(err error) string {
	if unknown, ok := errors.AsType[unknownContextError](err); ok {
		return unknown.Error()
	}
	text := err.Error()
	if i := strings.Index(text, contextRefused); i >= 0 { // the library wraps errors as text
		return text[i:]
	}
	return "it is not JSON-LD: " + text
}

// unknownContextError is returned for the address of a context that is not built in.
type unknownContextError string

const contextRefused = "its context is at "

func (e unknownContextError) Error() string {
	return fmt.Sprintf("%s%s, which Cairn does not fetch: put that document's @context in place of its address, or convert the file to N-Quads", contextRefused, string(e))
}

type contexts struct{}

// LoadDocument returns a context that is built in.
func (contexts) LoadDocument(address string) (*ld.RemoteDocument, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://"), "/"), ".jsonld")
	context, ok := knownContexts[name]
	if !ok {
		return nil, unknownContextError(address)
	}
	return &ld.RemoteDocument{DocumentURL: address, Document: map[string]any{"@context": context}}, nil
}

// reference is the definition of a term whose texts are IRIs.
func reference(iri string) any { return map[string]any{"@id": iri, "@type": "@id"} }

// schemaContext has what documents of schema.org need: every name is one of its
// vocabulary, and some are known to hold addresses.
func schemaContext() map[string]any {
	const schema = "http://schema.org/"
	context := map[string]any{"@vocab": schema, "schema": schema, "id": "@id", "type": "@type"}
	for name := range strings.FieldsSeq("url sameAs image logo mainEntityOfPage license contentUrl thumbnailUrl embedUrl codeRepository downloadUrl installUrl additionalType hasMap isBasedOn discussionUrl inLanguageUrl relatedLink significantLink") {
		context[name] = reference(schema + name)
	}
	return context
}

// crateContext is that of RO-Crate: schema.org with a few words of its own.
func crateContext() map[string]any {
	context := schemaContext()
	for name, iri := range map[string]string{
		"File": "http://schema.org/MediaObject", "Journal": "http://schema.org/Periodical",
		"conformsTo": "http://purl.org/dc/terms/conformsTo", "hasFile": "http://pcdm.org/models#hasFile", "hasMember": "http://pcdm.org/models#hasMember",
		"RepositoryCollection": "http://pcdm.org/models#Collection", "RepositoryObject": "http://pcdm.org/models#Object",
		"ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow", "FormalParameter": "https://bioschemas.org/FormalParameter",
		"dct": "http://purl.org/dc/terms/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
	} {
		context[name] = iri
	}
	return context
}

// biolinkContext has the vocabulary of Biolink and the prefixes of the identifiers that
// its graphs use most.
func biolinkContext() map[string]any {
	context := map[string]any{"@vocab": "https://w3id.org/biolink/vocab/", "biolink": "https://w3id.org/biolink/vocab/", "id": "@id"}
	for prefix := range strings.FieldsSeq("MONDO HP GO CHEBI UBERON CL PATO SO RO BFO DOID NCIT ECO OBI PR NCBITaxon IAO EFO") {
		context[prefix] = map[string]any{"@id": "http://purl.obolibrary.org/obo/" + prefix + "_", "@prefix": true}
	}
	for prefix, iri := range map[string]string{
		"HGNC": "http://identifiers.org/hgnc/", "NCBIGene": "http://identifiers.org/ncbigene/", "UniProtKB": "http://identifiers.org/uniprot/",
		"ENSEMBL": "http://identifiers.org/ensembl/", "PMID": "http://www.ncbi.nlm.nih.gov/pubmed/", "DRUGBANK": "http://identifiers.org/drugbank/",
	} {
		context[prefix] = map[string]any{"@id": iri, "@prefix": true}
	}
	for _, name := range []string{"subject", "predicate", "object"} {
		context[name] = reference("http://www.w3.org/1999/02/22-rdf-syntax-ns#" + name)
	}
	context["category"] = map[string]any{"@id": Type, "@type": "@vocab"}
	context["name"] = "http://www.w3.org/2000/01/rdf-schema#label"
	return context
}

// knownContexts are written for Cairn, by their address without scheme and ending.
var knownContexts = map[string]map[string]any{
	"schema.org":                                      schemaContext(),
	"www.schema.org":                                  schemaContext(),
	"schema.org/docs/jsonldcontext":                   schemaContext(),
	"w3id.org/ro/crate/1.0/context":                   crateContext(),
	"w3id.org/ro/crate/1.1/context":                   crateContext(),
	"w3id.org/ro/crate/1.2/context":                   crateContext(),
	"w3id.org/biolink/context":                        biolinkContext(),
	"w3id.org/biolink/biolink-context":                biolinkContext(),
	"biolink.github.io/biolink-model/context":         biolinkContext(),
	"biolink.github.io/biolink-model/biolink-context": biolinkContext(),
}

package ingest

import (
	"bufio"
	"bytes"
	"io"

	"cairn/engine/ingest/rdf"
)

// Documents of RDF often begin with the words that they use: which classes and properties there are. Beside things of
// these classes that describes the schema. A document that has nothing else is about it.

// classWords are the types of classes.
var classWords = map[string]bool{owl + "Class": true, rdfsNames + "Class": true, rdfsNames + "Datatype": true}

// findSchema reads the beginning of a document ahead, and notes what it declares as classes and
// properties, and whether it is about things and not about these.
func (im *importer) findSchema(r io.Reader, parse func(io.Reader, rdf.Options, rdf.Handler) error) io.Reader {
	in := bufio.NewReaderSize(r, sampleSize)
	begin, _ := in.Peek(sampleSize) // an error comes again
	things, classes := map[string]bool{}, map[string]bool{}
	_ = parse(bytes.NewReader(begin), rdf.Options{Base: im.o.Base, MaxTerm: im.o.MaxLine}, rdf.Handler{
		Statement: func(st *rdf.Statement) error {
			if st.Object.Kind != rdf.IRI || st.Subject.Kind != rdf.IRI || folds[string(st.Predicate.Value)].what != foldType {
				return nil
			}
			switch class := string(st.Object.Value); {
			case classWords[class]:
				classes[string(st.Subject.Value)] = true
			case propertyTypes[class]:
				im.noteProperty(&st.Subject, &st.Object)
			case !statementTypes[class] && class != owl+"Ontology":
				things[string(st.Subject.Value)] = true
			}
			return nil
		},
		Reject: func(*rdf.SyntaxError) error { return nil },
	})
	// A vocabulary such as schema.org has things of its own, which are few beside its properties.
	im.schemaApart = len(things) > len(classes) && 2*len(things) > len(im.propertyNames)
	if im.schemaApart && len(classes)+len(im.propertyNames) > 0 {
		im.format.Notes = append(im.format.Notes, "What declares classes and properties describes the schema and is no fact of the graph.")
	}
	return in
}

// declares reports whether a statement only says that something is a class, or describes a property, beside things of
// these classes.
func (im *importer) declares(subject *rdf.Term, p *predicate, object *rdf.Term) bool {
	if !im.schemaApart || subject.Kind != rdf.IRI {
		return false
	}
	if p.fold.what == foldType && object.Kind == rdf.IRI {
		im.noteProperty(subject, object)
		if classWords[string(object.Value)] {
			return true
		}
	}
	_, isProperty := im.propertyNames[string(subject.Value)]
	return isProperty
}

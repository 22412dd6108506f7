package ingest

import (
	"bytes"
	"cmp"
	"io"
	"strings"

	"cairn/engine/ingest/rdf"
	"cairn/engine/kg"
)

// OBO is the flat file of ontologies: stanzas of lines "tag: value", one for each term,
// relation or individual. What it says is what the same ontology says in OWL
// (https://owlcollab.github.io/oboformat/doc/obo-syntax.html, section 5), with ids as the
// file writes them, such as GO:0008150.

const (
	rdfsNames = "http://www.w3.org/2000/01/rdf-schema#"
	oboNames  = "http://purl.obolibrary.org/obo/"
	inOWL     = "http://www.geneontology.org/formats/oboInOwl#"
)

// oboTags are the predicates of tags with one plain value.
var oboTags = map[string]struct {
	predicate string
	text      bool // the value is a text, not an id
}{
	"name":                {rdfsNames + "label", true},
	"def":                 {oboNames + "IAO_0000115", true},
	"comment":             {rdfsNames + "comment", true},
	"alt_id":              {inOWL + "hasExactSynonym", true},
	"is_obsolete":         {owl + "deprecated", true},
	"is_a":                {rdfsNames + "subClassOf", false},
	"instance_of":         {rdf.Type, false},
	"replaced_by":         {oboNames + "IAO_0100001", false},
	"equivalent_to":       {owl + "equivalentClass", false},
	"disjoint_from":       {owl + "disjointWith", false},
	"inverse_of":          {owl + "inverseOf", false},
	"domain":              {rdfsNames + "domain", false},
	"range":               {rdfsNames + "range", false},
	"transitive_over":     {inOWL + "transitiveOver", false},
	"consider":            {inOWL + "consider", false},
	"union_of":            {inOWL + "unionOf", false},
	"subset":              {inOWL + "inSubset", false},
	"xref":                {inOWL + "hasDbXref", false},
	"exact_synonym":       {inOWL + "hasExactSynonym", true},
	"expand_assertion_to": {oboNames + "IAO_0000425", true},
}

// oboScopes are the predicates of a synonym by its scope. Only an exact one is a name of
// the same thing.
var oboScopes = map[string]string{
	"EXACT": "hasExactSynonym", "RELATED": "hasRelatedSynonym", "BROAD": "hasBroadSynonym", "NARROW": "hasNarrowSynonym",
}

// oboStanza is the stanza that is being read.
type oboStanza struct {
	typed bool // a relation, whose names are the relation's
	id    rdf.Term
}

// obo imports an ontology in OBO 1.2 or 1.4.
func (im *importer) obo(r io.Reader) error {
	var stanza oboStanza
	return im.eachLine(r, func(line []byte, _ int64) (fault string, err error) {
		return im.oboLine(&stanza, string(line)), nil
	})
}

// oboLine takes one line of a stanza and returns why it cannot, where it cannot.
func (im *importer) oboLine(s *oboStanza, line string) (fault string) {
	line = strings.TrimSpace(line)
	if kind, ok := strings.CutPrefix(line, "["); ok {
		*s = oboStanza{typed: strings.EqualFold(strings.TrimSuffix(kind, "]"), "Typedef")}
		im.report.Skipped++
		return ""
	}
	if line == "" || line[0] == '!' {
		im.report.Skipped++
		return ""
	}
	tag, value, ok := strings.Cut(line, ":")
	tag = strings.TrimSpace(tag)
	value, qualifiers := oboQualifiers(strings.TrimSpace(value))
	switch {
	case !ok:
		return "an OBO line must be a tag, a colon and a value"
	case tag == "id":
		s.id = iriOf(value)
		if s.typed {
			im.oboSay(s.id, rdf.Type, iriOf(owl+"ObjectProperty"), nil)
		} else {
			im.report.Skipped++
		}
		return ""
	case len(s.id.Value) == 0: // the header, which is about the file
		im.report.Skipped++
		return ""
	case value == "":
		return "the tag has no value"
	}
	return im.oboTag(s, tag, value, qualifiers)
}

// oboTag adds what one tag says of the thing of its stanza.
func (im *importer) oboTag(s *oboStanza, tag, value string, qualifiers []kg.Property) (fault string) {
	text, rest, quoted := oboQuoted(value)
	fields := strings.Fields(value)
	switch known := oboTags[tag]; {
	case tag == "synonym":
		scope := "RELATED"
		if after := strings.Fields(rest); len(after) > 0 && oboScopes[after[0]] != "" {
			scope = after[0]
		}
		if !quoted {
			return "a synonym must be in double quotes"
		}
		im.oboSay(s.id, inOWL+oboScopes[scope], textOf(text), qualifiers)
	case tag == "relationship" || tag == "intersection_of" && len(fields) > 1:
		if len(fields) < 2 {
			return "a relationship must be a relation and an id"
		}
		im.oboSay(s.id, fields[0], iriOf(fields[1]), qualifiers)
	case tag == "intersection_of":
		im.oboSay(s.id, rdfsNames+"subClassOf", iriOf(value), qualifiers)
	case tag == "property_value":
		if len(fields) < 2 {
			return "a property_value must be a relation and a value"
		}
		after := strings.TrimSpace(strings.TrimPrefix(value, fields[0]))
		if text, datatype, ok := oboQuoted(after); ok {
			object := textOf(text)
			if name, isXSD := strings.CutPrefix(strings.TrimSpace(datatype), "xsd:"); isXSD && name != "string" {
				object.Datatype = []byte(xsd + name)
			}
			im.oboSay(s.id, fields[0], object, qualifiers)
		} else {
			im.oboSay(s.id, fields[0], iriOf(fields[1]), qualifiers)
		}
	case tag == "is_symmetric" && value == "true":
		im.oboSay(s.id, rdf.Type, iriOf(owl+"SymmetricProperty"), qualifiers)
	case known.predicate == "" || known.text:
		predicate := cmp.Or(known.predicate, inOWL+tag)
		if !quoted {
			text = oboUnescape(value)
		}
		im.oboSay(s.id, predicate, textOf(text), qualifiers)
	default:
		im.oboSay(s.id, known.predicate, iriOf(fields[0]), qualifiers)
	}
	return ""
}

func (im *importer) oboSay(subject rdf.Term, predicate string, object rdf.Term, properties []kg.Property) {
	im.say(&subject, im.predicateOf([]byte(predicate)), &object, nil, properties)
}

func iriOf(id string) rdf.Term    { return rdf.Term{Kind: rdf.IRI, Value: []byte(oboUnescape(id))} }
func textOf(text string) rdf.Term { return rdf.Term{Kind: rdf.Literal, Value: []byte(text)} }

// oboQualifiers cuts the comment and the qualifiers off the end of a value:
// GO:0005575 {source="PMID:1"} ! cellular component.
func oboQualifiers(value string) (string, []kg.Property) {
	var list []kg.Property
	if at := oboOutside(value, '!'); at >= 0 && (at == 0 || value[at-1] == ' ') {
		value = strings.TrimSpace(value[:at])
	}
	at := oboOutside(value, '{')
	if at < 0 || !strings.HasSuffix(value, "}") {
		return value, nil
	}
	inside := value[at+1 : len(value)-1]
	for inside != "" {
		one, rest := inside, ""
		if i := oboOutside(inside, ','); i >= 0 {
			one, rest = inside[:i], inside[i+1:]
		}
		inside = rest
		if name, said, ok := strings.Cut(strings.TrimSpace(one), "="); ok {
			if text, _, quoted := oboQuoted(said); quoted {
				said = text
			}
			list = append(list, kg.Property{Name: name, Value: said, Entity: kg.NoEntity})
		}
	}
	return strings.TrimSpace(value[:at]), list
}

// oboOutside returns where c first stands outside double quotes and not escaped; -1 where
// it does not.
func oboOutside(s string, c byte) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	return -1
}

// oboQuoted reads a text in double quotes and returns what stands after it.
func oboQuoted(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return oboUnescape(s[1:i]), s[i+1:], true
		}
	}
	return "", s, false
}

// oboUnescape undoes the escapes of OBO: \n, \t, \W for a space, and signs for themselves.
func oboUnescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch i++; s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'W':
			b.WriteByte(' ')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

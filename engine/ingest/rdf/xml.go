package rdf

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/bail"
)

// XML reads a document of RDF/XML. The grammar is that of RDF 1.2:
// https://www.w3.org/TR/rdf12-xml/#section-Infoset-Grammar.
//
// After a faulty property or node it goes on behind the element. XML that is not well
// formed ends reading, for nobody can tell where the next element begins.
func XML(r io.Reader, o Options, h Handler) error {
	o.setDefaults()
	in := &limited{r: r, most: int64(4*o.MaxTerm) + windowSize}
	p := &xmlDocument{in: in, d: xml.NewDecoder(bufio.NewReaderSize(in, windowSize)), o: o, h: h, ids: map[string]bool{}, names: map[xml.Name]string{}}
	p.d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	p.d.Entity = map[string]string{}
	top := &scope{}
	if o.Base != "" {
		top.base.set(o.Base)
	}
	err := bail.Try(func() { p.document(top) })
	if fault, ok := errors.AsType[*SyntaxError](err); ok && h.Reject != nil {
		return h.Reject(fault)
	}
	return err
}

// limited is a reader that fails where one piece of markup or text has too many bytes.
type limited struct {
	r           io.Reader
	given       int64 // bytes
	taken, most int64 // before the piece, and of it with what is read ahead
}

var errLongPiece = errors.New("one piece of text or markup is too long")

func (l *limited) Read(b []byte) (int, error) {
	if l.given-l.taken > l.most {
		return 0, errLongPiece
	}
	n, err := l.r.Read(b)
	l.given += int64(n)
	return n, err
}

// xmlDocument is a document under way.
type xmlDocument struct {
	in     *limited
	d      *xml.Decoder
	o      Options
	h      Handler
	open   []xml.Name // elements
	ids    map[string]bool
	names  map[xml.Name]string // the IRIs of those of elements
	blanks int
	ended  bool         // it is not well formed from here on
	inside *[]Statement // of a triple term under way, nil outside
	st     Statement
	line   int64 // of the last statement
}

// scope is what elements inherit.
type scope struct {
	parent      *scope
	prefix, uri string // one declaration
	base        base
	language    string
	direction   string
	version12   bool // the document says that it is RDF 1.2
}

const (
	xmlNamespace = "http://www.w3.org/XML/1998/namespace"
	itsNamespace = "http://www.w3.org/2005/11/its"
)

func (s *scope) lookup(prefix string) (uri string, ok bool) {
	for ; s != nil; s = s.parent {
		if s.prefix == prefix && s.uri != "\x00" {
			return s.uri, true
		}
	}
	if prefix == "xml" {
		return xmlNamespace, true
	}
	return "", prefix == ""
}

func (p *xmlDocument) fail(what string) bail.Out {
	line, column := p.d.InputPos()
	return bail.Out{Err: &SyntaxError{Line: int64(line), Column: max(column, 1), What: what}}
}

// declaredEntity is a general entity of a document type.
var declaredEntity = regexp.MustCompile(`<!ENTITY\s+([^\s%<>"']+)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// The limits of entities: documents write namespaces as entities, nothing longer.
const (
	maxEntities     = 1000
	maxEntityLength = 4096 // bytes
)

// token returns the next token that matters, nil behind the root element.
func (p *xmlDocument) token() xml.Token {
	for {
		p.in.taken = p.d.InputOffset()
		t, err := p.d.RawToken()
		if err != nil {
			if errors.Is(err, io.EOF) && len(p.open) == 0 {
				return nil
			}
			p.ended = true
			if errors.Is(err, errLongPiece) {
				panic(p.fail("one piece of text or markup is longer than " + strconv.Itoa(4*p.o.MaxTerm) + " bytes, the limit"))
			}
			if wrong, ok := errors.AsType[*xml.SyntaxError](err); ok {
				panic(p.fail("the XML is not well formed: " + wrong.Msg))
			}
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				panic(p.fail("the document ends inside <" + written(p.open[len(p.open)-1]) + ">"))
			}
			panic(bail.Out{Err: err})
		}
		switch t := t.(type) {
		case xml.Directive:
			for _, m := range declaredEntity.FindAllSubmatch(append(append([]byte("<!"), t...), '>'), maxEntities+1) {
				value := p.unescape(string(m[2]) + string(m[3]))
				if len(p.d.Entity) == maxEntities || len(value) > maxEntityLength {
					p.ended = true
					panic(p.fail("the document declares more than 1000 entities, or one of more than 4096 bytes"))
				}
				p.d.Entity[string(m[1])] = value
			}
			continue
		case xml.ProcInst:
			continue
		case xml.StartElement:
			if len(p.open) == maxDepth {
				p.ended = true
				panic(p.fail("elements are nested more than " + strconv.Itoa(maxDepth) + " deep"))
			}
			p.open = append(p.open, t.Name)
		case xml.EndElement:
			if len(p.open) == 0 || p.open[len(p.open)-1] != t.Name {
				p.ended = true
				panic(p.fail("</" + written(t.Name) + "> closes an element that is not open"))
			}
			p.open = p.open[:len(p.open)-1]
		}
		return t
	}
}

// unescape puts in the characters and entities that the value of an entity names. Those
// of entities declared before are no longer than these, and nothing is put in twice.
func (p *xmlDocument) unescape(value string) string {
	if !strings.Contains(value, "&") {
		return value
	}
	for name, text := range p.d.Entity {
		if value = strings.ReplaceAll(value, "&"+name+";", text); len(value) > maxEntityLength {
			return value
		}
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&apos;", "'", "&#38;", "&", "&#60;", "<").Replace(value)
}

func written(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// goOn reads; a fault in that it reports, and passes the rest of the elements that are
// open beyond depth. It reports whether there was none.
func (p *xmlDocument) goOn(depth int, read func()) bool {
	err := bail.Try(read)
	if err == nil {
		return true
	}
	fault, ok := errors.AsType[*SyntaxError](err)
	if !ok || p.ended || p.h.Reject == nil || p.inside != nil {
		panic(bail.Out{Err: err})
	}
	bail.If(p.h.Reject(fault))
	for len(p.open) > depth {
		p.token()
	}
	return false
}

// document reads the whole: rdf:RDF with nodes in it, or one node.
func (p *xmlDocument) document(top *scope) {
	for root := false; ; {
		t := p.token()
		if t == nil {
			if !root {
				panic(p.fail("the document has no element"))
			}
			return
		}
		if text, ok := t.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			panic(p.fail("there is text outside the root element: " + short(string(text))))
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		root = true
		el := p.element(&start, top)
		if el.name == Namespace+"RDF" {
			p.nodes(el.scope, func(el *element) { p.node(el) })
		} else if !p.goOn(0, func() { p.node(el) }) {
			return
		}
	}
}

// nodes reads elements up to the end of the one that is open.
func (p *xmlDocument) nodes(s *scope, take func(*element)) {
	for {
		depth := len(p.open)
		switch t := p.token().(type) {
		case xml.EndElement:
			return
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				p.goOn(depth, func() { panic(p.fail("there is text where only elements can be: " + short(string(t)))) })
			}
		case xml.StartElement:
			p.goOn(depth, func() { take(p.element(&t, s)) })
		}
	}
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return "“" + s + "”"
}

// element is a start tag: its name as an IRI, and its attributes without those that
// scopes take.
type element struct {
	name  string
	attrs []xml.Attr // Name.Space is the IRI of the namespace, Name.Local the local name
	scope *scope
	line  int64
}

// take returns the value of an attribute of RDF's namespace and takes it out.
func (el *element) take(local string) (string, bool) {
	for i, a := range el.attrs {
		if a.Name.Space == Namespace && a.Name.Local == local {
			el.attrs = slices.Delete(el.attrs, i, i+1)
			return a.Value, true
		}
	}
	return "", false
}

// element resolves the names of a start tag.
func (p *xmlDocument) element(start *xml.StartElement, parent *scope) *element {
	s := parent
	own := func() *scope { // most elements change nothing
		if s == parent {
			inner := *parent
			inner.parent, inner.prefix, inner.uri = parent, "", "\x00"
			s = &inner
		}
		return s
	}
	line, _ := p.d.InputPos()
	el := &element{line: int64(line)}
	for _, a := range start.Attr {
		prefix := ""
		switch {
		case a.Name.Space == "xmlns":
			prefix = a.Name.Local
		case a.Name.Space != "" || a.Name.Local != "xmlns":
			continue
		}
		if prefix == "rdf" && a.Value != Namespace && strings.HasPrefix(a.Value, strings.TrimSuffix(Namespace, "#")) {
			panic(p.fail("the prefix rdf: stands for " + a.Value + "; that of RDF is " + Namespace))
		}
		s = &scope{parent: s, prefix: prefix, uri: a.Value, base: s.base, language: s.language, direction: s.direction, version12: s.version12}
	}
	uri, ok := s.lookup(start.Name.Space)
	if !ok || uri == "" {
		panic(p.fail("the prefix of <" + written(start.Name) + "> is not declared: add xmlns:" + start.Name.Space + "=\"…\""))
	}
	el.name = p.named(uri, start.Name.Local)
	for _, a := range start.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		if a.Name.Space == "" {
			switch a.Name.Local { // as RDF/XML was written before it was a standard
			case "about", "ID", "resource", "parseType", "type", "nodeID", "datatype":
				a.Name.Space = Namespace
				el.attrs = append(el.attrs, a)
				continue
			}
			if strings.HasPrefix(strings.ToLower(a.Name.Local), "xml") {
				continue
			}
			panic(p.fail("the attribute " + a.Name.Local + " has no prefix"))
		}
		uri, ok := s.lookup(a.Name.Space)
		if !ok {
			panic(p.fail("the prefix of " + written(a.Name) + " is not declared"))
		}
		switch {
		case uri == xmlNamespace:
			switch a.Name.Local {
			case "lang":
				own().language = a.Value
			case "base":
				if absolute, ok := s.base.resolve(a.Value); ok {
					own().base.set(absolute)
				}
			}
			continue
		case uri == itsNamespace:
			if a.Name.Local == "dir" {
				own().direction = a.Value
			}
			continue
		case uri == Namespace && a.Name.Local == "version":
			own().version12 = true
			continue
		}
		a.Name.Space = uri
		el.attrs = append(el.attrs, a)
	}
	el.scope = s
	return el
}

// maxNames is how many names of elements are kept.
const maxNames = 1 << 12

// named returns the IRI of a name. Documents repeat few of them.
func (p *xmlDocument) named(uri, local string) string {
	name := xml.Name{Space: uri, Local: local}
	whole, ok := p.names[name]
	if !ok {
		whole = uri + local
		if len(p.names) < maxNames {
			p.names[name] = whole
		}
	}
	return whole
}

// notNames are words of RDF's namespace that name neither things nor relations.
var notNames = []string{"RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "aboutEach", "aboutEachPrefix", "bagID", "annotation", "annotationNodeID"}

// allowed reports whether a name may be that of a node, a property or an attribute;
// but are further words that it may not be.
func allowed(name string, but ...string) bool {
	local, ok := strings.CutPrefix(name, Namespace)
	return !ok || !slices.Contains(notNames, local) && !slices.Contains(but, local)
}

// iri resolves a reference.
func (p *xmlDocument) iri(s *scope, ref string) Term {
	absolute, ok := s.base.resolve(ref)
	if !ok {
		panic(p.fail("the IRI “" + ref + "” is relative, but the document has no xml:base: add one to rdf:RDF, or give a base for the import"))
	}
	for _, r := range absolute {
		if badInIRI(r) {
			panic(p.fail("an IRI cannot contain the character " + strconv.QuoteRune(r) + ": " + short(absolute)))
		}
	}
	return iri(absolute)
}

// isNCName reports whether s is a name of XML without a colon.
func isNCName(s string) bool {
	for i, r := range s {
		if !nameStart(r) && (i == 0 || r != '.' && !nameRest(r) && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

// maxIDs is how many rdf:ID are kept to tell one that comes twice.
const maxIDs = 1 << 20

// id returns the IRI of an rdf:ID.
func (p *xmlDocument) id(s *scope, value string) Term {
	if !isNCName(value) {
		panic(p.fail("rdf:ID is not a name: " + short(value)))
	}
	t := p.iri(s, "#"+value)
	if p.ids[string(t.Value)] {
		panic(p.fail("rdf:ID occurs twice: " + short(value)))
	}
	if len(p.ids) < maxIDs {
		p.ids[string(t.Value)] = true
	}
	return t
}

// labelled returns the blank node of an rdf:nodeID.
func (p *xmlDocument) labelled(value string) Term {
	if !isNCName(value) {
		panic(p.fail("rdf:nodeID is not a name: " + short(value)))
	}
	return Term{Kind: Blank, Value: []byte(value)}
}

func (p *xmlDocument) fresh() Term {
	p.blanks++
	return Term{Kind: Blank, Value: []byte("-" + strconv.Itoa(p.blanks))}
}

// say gives a triple to the handler, or to the triple term that is under way.
func (p *xmlDocument) say(subject, predicate, object Term, line int64) {
	p.line = max(p.line, line) // what follows a node inside it has begun before it
	p.st = Statement{Subject: subject, Predicate: predicate, Object: object, Line: p.line}
	if p.inside != nil {
		*p.inside = append(*p.inside, p.st)
		return
	}
	bail.If(p.h.Statement(&p.st))
}

// limit fails where a text of so many bytes is longer than may be.
func (p *xmlDocument) limit(n int) {
	if n > p.o.MaxTerm {
		panic(p.fail("a text is longer than " + strconv.Itoa(p.o.MaxTerm) + " bytes, the limit"))
	}
}

// text returns the literal of a text in a scope.
func (p *xmlDocument) text(s *scope, value, datatype string) Term {
	p.limit(len(value))
	t := Term{Kind: Literal, Value: []byte(value)}
	switch {
	case datatype != "":
		d := p.iri(s, datatype)
		switch string(d.Value) {
		case langString, dirLang:
			panic(p.fail("a text with a language must have xml:lang and no datatype"))
		case xsdString:
		default:
			t.Datatype = d.Value
		}
	case s.language != "":
		tag := s.language
		if s.direction != "" && s.version12 {
			tag += "--" + s.direction
		}
		if languageTag([]byte(tag)) != len(tag) {
			panic(p.fail("xml:lang or its:dir is not a language or direction: " + short(tag)))
		}
		t.Language = []byte(tag)
	}
	return t
}

// node reads a node element and returns what it stands for.
func (p *xmlDocument) node(el *element) (subject Term) {
	if !allowed(el.name, "li") {
		panic(p.fail("<" + el.name + "> cannot be a node"))
	}
	about, isAbout := el.take("about")
	id, isID := el.take("ID")
	label, isLabel := el.take("nodeID")
	switch {
	case isAbout && (isID || isLabel) || isID && isLabel:
		panic(p.fail("a node can have only one of rdf:about, rdf:ID and rdf:nodeID"))
	case isAbout:
		subject = p.iri(el.scope, about)
	case isID:
		subject = p.id(el.scope, id)
	case isLabel:
		subject = p.labelled(label)
	default:
		subject = p.fresh()
	}
	if el.name != Namespace+"Description" {
		p.say(subject, iriType, iri(el.name), el.line)
	}
	p.attributes(subject, el)
	p.properties(subject, el.scope)
	return subject
}

// attributes says of a subject what the attributes left of an element do.
func (p *xmlDocument) attributes(subject Term, el *element) {
	for _, a := range el.attrs {
		name := a.Name.Space + a.Name.Local
		if !allowed(name, "Description", "li") {
			panic(p.fail("rdf:" + a.Name.Local + " cannot be an attribute here"))
		}
		var object Term
		if name == Type {
			object = p.iri(el.scope, a.Value)
		} else {
			object = p.text(el.scope, a.Value, "")
		}
		p.say(subject, iri(name), object, el.line)
	}
}

// properties reads property elements up to the end of the element that is open.
func (p *xmlDocument) properties(subject Term, s *scope) {
	members := 0
	p.nodes(s, func(el *element) {
		if el.name == Namespace+"li" {
			members++
			el.name = Namespace + "_" + strconv.Itoa(members)
		}
		p.property(subject, el)
	})
}

// property reads a property element.
func (p *xmlDocument) property(subject Term, el *element) {
	if !allowed(el.name, "Description") {
		panic(p.fail("<" + el.name + "> cannot be a relation"))
	}
	predicate := iri(el.name)
	reifiers := p.reifiers(el)
	say := func(object Term) {
		p.say(subject, predicate, object, el.line)
		p.reify(reifiers, &Statement{Subject: subject, Predicate: predicate, Object: object}, el.line)
	}
	datatype, typed := el.take("datatype")
	resource, isResource := el.take("resource")
	label, isLabel := el.take("nodeID")
	if parse, ok := el.take("parseType"); ok {
		if typed || isResource || isLabel || len(el.attrs) > 0 {
			panic(p.fail("rdf:parseType allows no other attribute than rdf:ID"))
		}
		p.parsed(say, el, parse)
		return
	}
	var object Term
	switch {
	case isResource && isLabel, typed && (isResource || isLabel || len(el.attrs) > 0):
		panic(p.fail("a property can have only one of rdf:resource, rdf:nodeID and rdf:datatype"))
	case isResource:
		object = p.iri(el.scope, resource)
	case isLabel:
		object = p.labelled(label)
	case len(el.attrs) > 0:
		object = p.fresh()
	default:
		p.content(say, el, datatype)
		return
	}
	say(object)
	p.attributes(object, el)
	p.nodes(el.scope, func(*element) {
		panic(p.fail("a property that names its object by an attribute must be empty"))
	})
}

// parsed reads what a property element with rdf:parseType holds.
func (p *xmlDocument) parsed(say func(Term), el *element, as string) {
	switch {
	case as == "Resource":
		object := p.fresh()
		say(object)
		p.properties(object, el.scope)
	case as == "Collection":
		p.collection(say, el)
	case as == "Triple" && el.scope.version12:
		p.triple(say, el)
	case as == "Triple":
		// The standard passes it over; who asks for faults is told of it.
		if p.h.Reject != nil || p.inside != nil {
			panic(p.fail(`parseType="Triple" needs RDF 1.2: add rdf:version="1.2" to rdf:RDF`))
		}
		p.literal(el.scope)
	default:
		value := p.literal(el.scope)
		p.limit(len(value))
		say(Term{Kind: Literal, Value: []byte(value), Datatype: []byte(xmlLiteral)})
	}
}

// content reads what a property element holds: one node, or a text.
func (p *xmlDocument) content(say func(Term), el *element, datatype string) {
	var text strings.Builder
	said := false
	for {
		switch t := p.token().(type) {
		case xml.CharData:
			p.limit(text.Len() + len(t))
			text.Write(t)
		case xml.StartElement:
			if said {
				panic(p.fail("a property can have only one object"))
			}
			object := p.node(p.element(&t, el.scope))
			said = true
			say(object)
		case xml.EndElement:
			if !said {
				say(p.text(el.scope, text.String(), datatype))
			} else if strings.TrimSpace(text.String()) != "" {
				panic(p.fail("a property can have a text or a node, not both: " + short(text.String())))
			}
			return
		}
	}
}

// collection reads the nodes of parseType="Collection" as a list.
func (p *xmlDocument) collection(say func(Term), el *element) {
	var last Term
	p.nodes(el.scope, func(inner *element) {
		item := p.node(inner)
		next := p.fresh()
		if last.Kind == None {
			say(next)
		} else {
			p.say(last, iriRest, next, inner.line)
		}
		last = next
		p.say(next, iriFirst, item, inner.line)
	})
	if last.Kind == None {
		say(iriNil)
	} else {
		p.say(last, iriRest, iriNil, el.line)
	}
}

// triple reads parseType="Triple": a node of which one thing is said.
func (p *xmlDocument) triple(say func(Term), el *element) {
	said, nodes := p.aside(el)
	if nodes != 1 || len(said) != 1 {
		panic(p.fail("parseType=\"Triple\" holds " + strconv.Itoa(len(said)) + " triples, not one"))
	}
	say(Term{Kind: Triple, Triple: &said[0]})
}

// aside reads nodes, and returns what they say instead of giving it to the handler.
func (p *xmlDocument) aside(el *element) (said []Statement, nodes int) {
	outer := p.inside
	p.inside = &said
	defer func() { p.inside = outer }()
	p.nodes(el.scope, func(inner *element) {
		nodes++
		p.node(inner)
	})
	return said, nodes
}

// reifiers are the names that a property element gives to its triple.
type reifiers struct{ statement, annotation Term }

func (p *xmlDocument) reifiers(el *element) (r reifiers) {
	if id, ok := el.take("ID"); ok {
		r.statement = p.id(el.scope, id)
	}
	if ref, ok := el.take("annotation"); ok {
		r.annotation = p.iri(el.scope, ref)
	} else if label, ok := el.take("annotationNodeID"); ok {
		r.annotation = p.labelled(label)
	}
	return r
}

// reify says what the names of a triple stand for.
func (p *xmlDocument) reify(r reifiers, of *Statement, line int64) {
	if r.annotation.Kind != None {
		p.say(r.annotation, iriReifies, Term{Kind: Triple, Triple: of}, line)
	}
	if r.statement.Kind == None {
		return
	}
	for _, x := range []struct {
		predicate string
		object    Term
	}{{Type, iri(Namespace + "Statement")}, {Namespace + "subject", of.Subject}, {Namespace + "predicate", of.Predicate}, {Namespace + "object", of.Object}} {
		p.say(r.statement, iri(x.predicate), x.object, line)
	}
}

// literal returns the XML inside an element up to its end in canonical form (Exclusive
// XML Canonicalization 1.0, with comments).
func (p *xmlDocument) literal(s *scope) string {
	var b strings.Builder
	type level struct {
		scope    *scope
		rendered map[string]string // prefix → IRI, of what is written
	}
	levels := []level{{s, map[string]string{}}}
	for {
		t := p.token()
		p.limit(b.Len())
		switch t := t.(type) {
		case xml.CharData:
			b.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;").Replace(string(t)))
		case xml.Comment:
			b.WriteString("<!--" + string(t) + "-->")
		case xml.EndElement:
			if len(levels) == 1 {
				return b.String()
			}
			levels = levels[:len(levels)-1]
			b.WriteString("</" + written(t.Name) + ">")
		case xml.StartElement:
			above := levels[len(levels)-1]
			inner := above.scope
			used := []string{t.Name.Space}
			var attrs []xml.Attr
			for _, a := range t.Attr {
				switch {
				case a.Name.Space == "xmlns":
					inner = &scope{parent: inner, prefix: a.Name.Local, uri: a.Value}
				case a.Name.Space == "" && a.Name.Local == "xmlns":
					inner = &scope{parent: inner, uri: a.Value}
				default:
					attrs = append(attrs, a)
					if a.Name.Space != "" && a.Name.Space != "xml" {
						used = append(used, a.Name.Space)
					}
				}
			}
			slices.Sort(used)
			rendered := above.rendered
			b.WriteString("<" + written(t.Name))
			escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
			for _, prefix := range slices.Compact(used) {
				uri, ok := inner.lookup(prefix)
				if !ok {
					panic(p.fail("the prefix of <" + written(t.Name) + "> is not declared"))
				}
				if rendered[prefix] == uri {
					continue
				}
				rendered = maps.Clone(rendered)
				rendered[prefix] = uri
				name := "xmlns"
				if prefix != "" {
					name += ":" + prefix
				}
				b.WriteString(" " + name + `="` + escape.Replace(uri) + `"`)
			}
			slices.SortFunc(attrs, func(x, y xml.Attr) int {
				ux, _ := inner.lookup(x.Name.Space)
				uy, _ := inner.lookup(y.Name.Space)
				if x.Name.Space == "" {
					ux = ""
				}
				if y.Name.Space == "" {
					uy = ""
				}
				return strings.Compare(ux+"\x00"+x.Name.Local, uy+"\x00"+y.Name.Local)
			})
			for _, a := range attrs {
				b.WriteString(" " + written(a.Name) + `="` + escape.Replace(a.Value) + `"`)
			}
			b.WriteString(">")
			levels = append(levels, level{inner, rendered})
		}
	}
}

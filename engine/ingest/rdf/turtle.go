package rdf

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"cairn/engine/internal/bail"
)

// Turtle reads a document of Turtle, or of TriG where trig is set. The grammar is that
// of RDF 1.2: https://www.w3.org/TR/rdf12-turtle/#sec-grammar-grammar and
// https://www.w3.org/TR/rdf12-trig/#sec-grammar.
//
// After a fault it goes on behind the next line that ends with a full stop.
func Turtle(r io.Reader, trig bool, o Options, h Handler) error {
	o.setDefaults()
	p := &turtle{input: newInput(r), o: o, h: h, trig: trig, prefixes: map[string][]byte{}}
	if o.Base != "" {
		p.base.set(o.Base)
	}
	for {
		p.arena, p.depth = p.arena[:0], 0
		p.space()
		p.begin = p.at
		if p.eof && p.at == len(p.buf) {
			if p.err == nil && p.inGraph {
				p.inGraph = false
				return p.report(p.fail("the } of the graph is missing").Err)
			}
			return p.err
		}
		if err := bail.Try(p.statement); err != nil {
			if err := p.report(err); err != nil {
				return err
			}
			p.skip()
		}
	}
}

// report gives a fault to the handler; other errors end reading.
func (p *turtle) report(err error) error {
	fault, ok := errors.AsType[*SyntaxError](err)
	if !ok || p.h.Reject == nil {
		return err
	}
	return p.h.Reject(fault)
}

// turtle is a document under way. Terms lie in arena, as a stack: who needs one no more
// cuts it off.
type turtle struct {
	input
	o        Options
	h        Handler
	trig     bool
	lines    bool // a LineParser reads it
	base     base
	prefixes map[string][]byte
	arena    []byte
	blanks   int
	depth    int
	graph    Term
	inGraph  bool
	st       Statement
}

// emit gives a triple to the handler.
func (p *turtle) emit(subject, predicate, object *Term, line int64) {
	p.st = Statement{Subject: *subject, Predicate: *predicate, Object: *object, Graph: p.graph, Line: line}
	bail.If(p.h.Statement(&p.st))
}

// skip goes behind the next line that ends with a full stop, or to a } that begins one.
func (p *turtle) skip() {
	p.graph = p.graphOnly()
	stopped := p.at > 0 && p.buf[p.at-1] == '.'
	for p.more(1) {
		c := p.buf[p.at]
		p.at++
		switch c {
		case '\n':
			p.newline()
			if stopped || p.peek() == '}' && p.inGraph || p.peek() == '@' {
				return
			}
		case '.':
			stopped = true
		case ' ', '\t', '\r':
		default:
			stopped = false
		}
	}
}

// graphOnly returns the graph that is open.
func (p *turtle) graphOnly() Term {
	if p.inGraph {
		return p.graph
	}
	return Term{}
}

// space passes blanks, ends of lines and comments.
func (p *turtle) space() {
	for {
		for p.at < len(p.buf) {
			switch p.buf[p.at] {
			case ' ', '\t', '\r':
				p.at++
				continue
			case '\n':
				p.at++
				p.newline()
				continue
			case '#':
				for {
					i := bytes.IndexByte(p.buf[p.at:], '\n')
					if cr := bytes.IndexByte(p.buf[p.at:], '\r'); cr >= 0 && (i < 0 || cr < i) {
						i = cr
					}
					if i >= 0 {
						p.at += i
						break
					}
					p.at = len(p.buf)
					if !p.more(1) {
						return
					}
				}
				continue
			}
			return
		}
		if !p.more(1) {
			return
		}
	}
}

// word reports whether the text goes on with a keyword, in any case of letters, and
// passes it.
func (p *turtle) word(w string) bool {
	if !p.more(len(w)) || !bytes.EqualFold(p.buf[p.at:p.at+len(w)], []byte(w)) {
		return false
	}
	if p.more(len(w) + 1) {
		if c := p.buf[p.at+len(w)]; c == ':' || c == '-' || c == '_' || isAlphanumeric(c) || c >= utf8.RuneSelf {
			return false
		}
	}
	p.at += len(w)
	return true
}

// expect passes a sign.
func (p *turtle) expect(sign, otherwise string) {
	p.space()
	if !p.starts(sign) {
		panic(p.fail(otherwise))
	}
	p.at += len(sign)
}

const noStop = "a full stop is missing at the end of the statement"

// statement reads a directive, a graph, or what is said of one subject. Inside a graph
// it reads a block of it, or its end.
func (p *turtle) statement() {
	c := p.peek()
	if p.inGraph {
		if c == '}' {
			p.at++
			p.inGraph, p.graph = false, Term{}
			return
		}
		p.triples()
		if p.space(); p.peek() == '.' {
			p.at++
		} else if p.peek() != '}' {
			panic(p.fail(noStop))
		}
		return
	}
	p.graph = Term{}
	switch {
	case c == '@':
		p.at++
		for _, w := range []string{"prefix", "base", "version"} {
			if p.starts(w) {
				p.at += len(w)
				p.directive(w)
				p.expect(".", "a full stop is missing at the end of @"+w)
				return
			}
		}
		panic(p.fail("only the directives @prefix, @base and @version begin with @"))
	case c == '<' || c == '_' || c == '[' || c == '(' || c == ':':
		p.block()
	case p.word("prefix"):
		p.directive("prefix")
	case p.word("base"):
		p.directive("base")
	case p.word("version"):
		p.directive("version")
	case p.trig && p.word("graph"):
		p.space()
		p.open(p.resourceOrEmpty(badGraphName))
	case p.trig && c == '{':
		p.open(Term{})
	default:
		p.block()
	}
}

const badGraphName = "the name of a graph must be an IRI or a blank node"

// open begins a graph of TriG.
func (p *turtle) open(name Term) {
	p.expect("{", "the { of the graph is missing")
	if name.Kind != None { // it outlives the arena
		name.Value = bytes.Clone(name.Value)
	}
	p.graph, p.inGraph = name, true
}

// block reads triples, or what is a graph with its name, as TriG has both.
func (p *turtle) block() {
	if c := p.peek(); !p.trig || c == '(' || p.starts("<<") || c == '[' && !p.emptyBrackets() {
		p.triples()
	} else {
		name := p.resourceOrEmpty(badGraphName)
		if p.space(); p.peek() == '{' {
			p.open(name)
			return
		}
		p.properties(&name, '.')
	}
	p.expect(".", noStop)
}

// emptyBrackets reports whether the next brackets hold nothing. They hold no more than
// lookahead blanks.
func (p *turtle) emptyBrackets() bool {
	p.more(lookahead)
	rest := bytes.TrimLeft(p.buf[p.at+1:min(len(p.buf), p.at+lookahead)], " \t\r\n")
	return len(rest) > 0 && rest[0] == ']'
}

// directive reads what follows the word of a prefix, base or version.
func (p *turtle) directive(w string) {
	p.space()
	switch w {
	case "version":
		quote := p.peek()
		if quote != '"' && quote != '\'' || p.starts(`"""`) || p.starts("'''") {
			panic(p.fail(`a version must be in quotation marks: "1.2"`))
		}
		p.quoted()
	case "prefix":
		from := len(p.arena)
		p.prefixName()
		name := string(p.arena[from:])
		if p.peek() != ':' {
			panic(p.fail("a prefix must be written name: <IRI>"))
		}
		p.at++
		p.space()
		p.prefixes[name] = bytes.Clone(p.iriRef().Value)
	case "base":
		p.base.set(string(p.iriRef().Value))
	}
}

// triples reads a subject and what is said of it.
func (p *turtle) triples() {
	var subject Term
	switch c := p.peek(); {
	case c == '[':
		subject = p.brackets()
		if p.space(); p.peek() == '.' || p.peek() == '}' && p.inGraph {
			if subject.Triple == nil { // nothing was between them
				panic(p.fail("[] needs a relation and an object"))
			}
			return
		}
		subject.Triple = nil
	case c == '(':
		subject = p.list()
	case p.starts("<<"):
		if p.starts("<<(") {
			panic(p.fail("a triple term <<( … )>> can only be an object; << … >> can be a subject"))
		}
		subject = p.reified()
		if p.space(); p.peek() == '.' || p.peek() == '}' && p.inGraph {
			return
		}
	default:
		subject = p.resource()
	}
	p.properties(&subject, '.')
}

// something is what the Triple of a blank node holds as a mark that its brackets were not
// empty, before its subject is used.
var something = &Statement{}

// properties reads relations and objects of a subject up to the sign that ends them,
// which it leaves. } ends them too.
func (p *turtle) properties(subject *Term, end byte) {
	for {
		mark := len(p.arena)
		p.space()
		predicate := p.verb()
		for {
			p.object(subject, &predicate)
			if p.space(); p.peek() != ',' {
				break
			}
			p.at++
		}
		p.arena = p.arena[:mark]
		if p.peek() != ';' {
			return
		}
		for p.peek() == ';' {
			p.at++
			p.space()
		}
		if c := p.peek(); c == end || c == '}' && p.inGraph && end == '.' {
			return
		}
	}
}

// verb reads a relation.
func (p *turtle) verb() Term {
	if p.peek() == 'a' && p.word("a") {
		return iriType
	}
	if p.peek() == '_' {
		panic(p.fail("the relation must be an IRI, not a blank node"))
	}
	if p.starts("<<") {
		panic(p.fail("the relation must be an IRI, not a triple"))
	}
	return p.resource()
}

// The terms that signs stand for.
var (
	iriType, iriFirst, iriRest, iriNil, iriReifies = iri(Type), iri(First), iri(Rest), iri(Nil), iri(Reifies)

	typeInteger, typeDecimal = []byte(xsd + "integer"), []byte(xsd + "decimal")
	typeDouble, typeBoolean  = []byte(xsd + "double"), []byte(xsd + "boolean")
)

// object reads an object and what is said about the triple, and emits them.
func (p *turtle) object(subject, predicate *Term) {
	mark := len(p.arena)
	p.space()
	line := p.line
	var object Term
	switch p.peek() {
	case '[':
		// The triple comes before what is inside, so that lines ascend.
		object = p.fresh()
		p.emit(subject, predicate, &object, line)
		p.inside(&object)
	case '(':
		object = p.listObject(subject, predicate, line)
	default:
		object = p.value()
		p.emit(subject, predicate, &object, line)
	}
	if p.space(); p.peek() == '~' || p.starts("{|") {
		p.annotations(&Statement{Subject: *subject, Predicate: *predicate, Object: object})
	}
	p.arena = p.arena[:mark]
}

// annotations reads the reifiers of a triple and what is said of them.
func (p *turtle) annotations(of *Statement) {
	var reifier Term
	for {
		p.space()
		switch {
		case p.peek() == '~':
			p.at++
			reifier = p.reifier(of)
		case p.starts("{|"):
			p.deeper()
			if reifier.Kind == None {
				reifier = p.fresh()
				p.reify(&reifier, of)
			}
			p.at += 2
			p.properties(&reifier, '|')
			p.expect("|}", "the {| is not closed by |}")
			p.depth--
			reifier = Term{}
		default:
			return
		}
	}
}

// reifier reads the name after ~, which may be left out, and emits what it stands for.
func (p *turtle) reifier(of *Statement) (t Term) {
	p.space()
	switch c := p.peek(); {
	case c == '[':
		p.at++
		p.expect("]", "the name of a reifier must be an IRI or a blank node")
		t = p.fresh()
	case c == '<' && !p.starts("<<") || c == '_' || c == ':' || isAlphanumeric(c) || c >= utf8.RuneSelf:
		t = p.resource()
	default:
		t = p.fresh()
	}
	p.reify(&t, of)
	return t
}

// reify emits the triple that says what a reifier stands for.
func (p *turtle) reify(reifier *Term, of *Statement) {
	p.emit(reifier, &iriReifies, &Term{Kind: Triple, Triple: of}, p.line)
}

// reified reads << … >>, emits what its reifier stands for and returns the reifier.
func (p *turtle) reified() (t Term) {
	p.deeper()
	p.at += 2
	of := p.inner(true)
	if p.space(); p.peek() == '~' {
		p.at++
		t = p.reifier(of)
	} else {
		t = p.fresh()
		p.reify(&t, of)
	}
	p.expect(">>", "the << is not closed by >>")
	p.depth--
	return t
}

// triple reads <<( … )>>.
func (p *turtle) triple() (t Term) {
	p.deeper()
	p.at += 3
	of := p.inner(false)
	p.expect(")>>", "the <<( is not closed by )>>")
	p.depth--
	return Term{Kind: Triple, Triple: of}
}

// inner reads the terms of a triple inside a triple, which only in << … >> may be reified ones.
func (p *turtle) inner(reified bool) *Statement {
	const notEmpty = "the brackets inside a triple must be empty"
	of := &Statement{}
	p.space()
	if reified && p.starts("<<") && !p.starts("<<(") {
		of.Subject = p.reified()
	} else {
		of.Subject = p.resourceOrEmpty(notEmpty)
	}
	p.space()
	of.Predicate = p.verb()
	p.space()
	switch c := p.peek(); {
	case c == '[':
		of.Object = p.resourceOrEmpty(notEmpty)
	case c == '(' && reified:
		panic(p.fail("a list cannot be inside << … >>"))
	case c == '(' || !reified && p.starts("<<") && !p.starts("<<("):
		panic(p.fail("a triple term can contain only IRIs, blank nodes, texts and triple terms"))
	default:
		of.Object = p.value()
	}
	return of
}

// resourceOrEmpty reads an IRI, a blank node, or [] without anything inside.
func (p *turtle) resourceOrEmpty(notEmpty string) Term {
	if p.peek() == '[' {
		p.at++
		p.expect("]", notEmpty)
		return p.fresh()
	}
	return p.resource()
}

func (p *turtle) deeper() {
	if p.depth++; p.depth > maxDepth {
		panic(p.fail(tooDeep))
	}
}

// brackets reads [ … ] and returns its blank node, whose Triple is set where something is
// said inside.
func (p *turtle) brackets() Term {
	t := p.fresh()
	if p.inside(&t) {
		t.Triple = something
	}
	return t
}

// inside reads [ … ], which says something of a node, and reports whether it does.
func (p *turtle) inside(node *Term) (full bool) {
	p.deeper()
	p.at++
	if p.space(); p.peek() != ']' {
		full = true
		p.properties(node, ']')
	}
	p.expect("]", "the [ is not closed by ]")
	p.depth--
	return full
}

// list reads ( … ) as a subject and returns its first node.
func (p *turtle) list() Term {
	p.at++
	if p.space(); p.peek() == ')' {
		p.at++
		return iriNil
	}
	first := p.fresh()
	p.items(first)
	return first
}

// listObject emits a triple whose object is a list, and the list.
func (p *turtle) listObject(subject, predicate *Term, line int64) Term {
	p.at++
	if p.space(); p.peek() == ')' {
		p.at++
		p.emit(subject, predicate, &iriNil, line)
		return iriNil
	}
	first := p.fresh()
	p.emit(subject, predicate, &first, line)
	p.items(first)
	return first
}

// items emits a list up to its end; node is the first of its nodes.
func (p *turtle) items(node Term) {
	p.deeper()
	for {
		p.object(&node, &iriFirst)
		p.space()
		if c := p.peek(); c == ')' {
			p.at++
			p.depth--
			p.emit(&node, &iriRest, &iriNil, p.line)
			return
		} else if c == 0 && p.eof {
			panic(p.fail("the ( is not closed by )"))
		}
		next := p.fresh()
		p.emit(&node, &iriRest, &next, p.line)
		node = next
	}
}

// fresh returns a blank node of its own. No label that a document may write begins with -.
func (p *turtle) fresh() Term {
	p.blanks++
	return Term{Kind: Blank, Value: strconv.AppendInt([]byte("-"), int64(p.blanks), 10)}
}

// value reads an object that is one term.
func (p *turtle) value() Term {
	switch c := p.peek(); {
	case c == '<' && p.starts("<<("):
		return p.triple()
	case c == '<' && p.starts("<<"):
		return p.reified()
	case c == '"' || c == '\'':
		return p.literal()
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return p.number()
	case (c == 't' || c == 'T') && p.starts("true") && p.word("true"):
		return Term{Kind: Literal, Value: []byte("true"), Datatype: typeBoolean}
	case (c == 'f' || c == 'F') && p.starts("false") && p.word("false"):
		return Term{Kind: Literal, Value: []byte("false"), Datatype: typeBoolean}
	}
	return p.resource()
}

// resource reads an IRI, a prefixed name or a blank node with a label.
func (p *turtle) resource() Term {
	switch c := p.peek(); {
	case c == '<':
		return p.iriRef()
	case c == '_':
		return p.blank()
	case c == ':' || c >= utf8.RuneSelf || c|0x20 >= 'a' && c|0x20 <= 'z':
		return p.prefixed()
	case c == 0 && p.eof:
		panic(p.fail("the text ends in the middle of a statement"))
	case c == '"' || c == '\'':
		panic(p.fail("a text can only be an object"))
	default:
		panic(p.fail("an IRI, a prefixed name or a blank node is missing before " + quoteByte(c)))
	}
}

// unclosed is the error for a term without its end. Of a line it tells where the term begins.
func (p *turtle) unclosed(begin int, what string) bail.Out {
	if p.lines {
		p.at = begin
	}
	return p.fail(what)
}

// limit fails where the term since from is longer than may be.
func (p *turtle) limit(from int) {
	if len(p.arena)-from > p.o.MaxTerm {
		panic(p.fail("an IRI or a text is longer than " + strconv.Itoa(p.o.MaxTerm) + " bytes, the limit"))
	}
}

// iriRef reads an IRI in angle brackets and makes it absolute.
func (p *turtle) iriRef() Term {
	if p.peek() != '<' {
		panic(p.fail("an IRI in angle brackets is missing"))
	}
	begin := p.at
	p.at++
	from := len(p.arena)
	for {
		i, buf := p.at, p.buf
		for i < len(buf) && !notableInIRI[buf[i]] {
			i++
		}
		p.arena = append(p.arena, p.buf[p.at:i]...)
		p.at = i
		p.limit(from)
		if i == len(p.buf) {
			if !p.more(1) {
				panic(p.unclosed(begin, "the angle bracket of the IRI is not closed"))
			}
			continue
		}
		switch c := p.buf[i]; c {
		case '>':
			value := p.arena[from:]
			if !p.lines && !utf8.Valid(value) { // a line is known to be
				panic(p.fail(notUTF8))
			}
			if colon := bytes.IndexByte(value, ':'); colon <= 0 || !isScheme(value[:colon]) {
				absolute, ok := p.base.resolve(string(value))
				switch {
				case !ok && p.lines:
					p.at = begin + 1
					panic(p.fail("the IRI is relative: it must begin with a scheme such as https:"))
				case !ok:
					panic(p.fail(relativeIRI))
				}
				p.arena = append(p.arena[:from], absolute...)
			}
			p.at++
			return Term{Kind: IRI, Value: p.arena[from:len(p.arena):len(p.arena)]}
		case '\\':
			p.more(len(`\U00000000`))
			r, n := codePoint(p.buf[p.at:])
			if n == 0 || badInIRI(r) {
				panic(p.fail("an IRI can contain only escapes such as \\u00E9, of characters allowed in IRIs"))
			}
			p.arena = utf8.AppendRune(p.arena, r)
			p.at += n
		default:
			panic(p.fail("an IRI cannot contain the character " + quoteByte(c)))
		}
	}
}

const notUTF8 = "the text is not valid UTF-8: give the encoding, or save the file as UTF-8"

// nameByte tells the ASCII characters that names hold without an escape, but for full stops.
var nameByte = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = isAlphanumeric(byte(c)) || c == '_' || c == '-'
	}
	return is
}()

// name appends characters of a name to the arena: PN_CHARS, full stops inside, and with
// local colons, escapes and percent signs. first tells which characters may begin it.
func (p *turtle) name(local bool, first func(rune) bool) {
	from := len(p.arena)
	dots := 0 // full stops that end the statement where nothing follows them
	flush := func() {
		for ; dots > 0; dots-- {
			p.arena = append(p.arena, '.')
		}
	}
	begin := true
	for p.at < len(p.buf) || p.more(1) {
		c := p.buf[p.at]
		switch {
		case c == '.' && !begin:
			dots++
			// A look behind the stops: only where the name goes on are they part of it.
			if !p.nameGoesOn(local) {
				dots--
				return
			}
			p.at++
			flush()
			continue
		case nameByte[c]:
			if begin && !first(rune(c)) {
				return
			}
			p.arena = append(p.arena, c)
			p.at++
		case local && c == ':':
			p.arena = append(p.arena, c)
			p.at++
		case local && c == '%':
			if !p.more(3) || !isHex(p.buf[p.at+1]) || !isHex(p.buf[p.at+2]) {
				panic(p.fail("a % in a name must be written \\%, or like %20 in an IRI"))
			}
			p.arena = append(p.arena, p.buf[p.at:p.at+3]...)
			p.at += 3
		case local && c == '\\':
			if !p.more(2) || bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), p.buf[p.at+1]) < 0 {
				panic(p.fail("only the characters _~.-!$&'()*+,;=/?#@% can be written with a \\ in a name"))
			}
			p.arena = append(p.arena, p.buf[p.at+1])
			p.at += 2
		case c >= utf8.RuneSelf:
			p.more(utf8.UTFMax)
			r, n := utf8.DecodeRune(p.buf[p.at:])
			if r == utf8.RuneError && n == 1 {
				panic(p.fail(notUTF8))
			}
			if begin && !first(r) || !nameStart(r) && !nameRest(r) {
				return
			}
			p.arena = append(p.arena, p.buf[p.at:p.at+n]...)
			p.at += n
		default:
			return
		}
		begin = false
		p.limit(from)
	}
}

// nameGoesOn reports whether a name goes on behind the full stops that come next.
func (p *turtle) nameGoesOn(local bool) bool {
	p.more(lookahead)
	rest := bytes.TrimLeft(p.buf[p.at:min(len(p.buf), p.at+lookahead)], ".")
	if len(rest) == 0 {
		return false
	}
	if c := rest[0]; c < utf8.RuneSelf {
		return nameByte[c] || local && (c == ':' || c == '\\' || c == '%')
	}
	r, _ := utf8.DecodeRune(rest)
	return nameStart(r) || nameRest(r)
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isLetter(r rune) bool { return r != '_' && nameStart(r) }

func isNameStart(r rune) bool { return nameStart(r) || r >= '0' && r <= '9' }

// prefixName reads the name of a prefix, which may be empty.
func (p *turtle) prefixName() { p.name(false, isLetter) }

func (p *turtle) prefixed() Term {
	from := len(p.arena)
	p.prefixName()
	if p.peek() != ':' {
		panic(p.fail("“" + string(p.arena[from:]) + "” is not a term: write an IRI as <…>, a name as prefix:name, a text as \"…\""))
	}
	prefix, ok := p.prefixes[string(p.arena[from:])]
	if !ok {
		panic(p.fail("the prefix “" + string(p.arena[from:]) + ":” is not declared: add @prefix " + string(p.arena[from:]) + ": <…> . above"))
	}
	p.at++
	p.arena = append(p.arena[:from], prefix...)
	p.name(true, isNameStart)
	return Term{Kind: IRI, Value: p.arena[from:len(p.arena):len(p.arena)]}
}

// blank reads a blank node with a label.
func (p *turtle) blank() Term {
	if !p.starts("_:") {
		panic(p.fail("a blank node must be written _:name"))
	}
	p.at += 2
	from := len(p.arena)
	p.name(false, isNameStart)
	if len(p.arena) == from {
		panic(p.fail("the blank node has no name"))
	}
	return Term{Kind: Blank, Value: p.arena[from:len(p.arena):len(p.arena)]}
}

// number reads an integer, a decimal or a double.
func (p *turtle) number() Term {
	p.more(lookahead)
	window := p.buf[p.at:min(len(p.buf), p.at+lookahead)]
	i := 0
	digits := func() int {
		from := i
		for i < len(window) && window[i] >= '0' && window[i] <= '9' {
			i++
		}
		return i - from
	}
	if window[0] == '+' || window[0] == '-' {
		i++
	}
	whole, fraction := digits(), 0
	datatype := typeInteger
	if i < len(window) && window[i] == '.' {
		end := i
		i++
		fraction = digits()
		exponent := i < len(window) && window[i]|0x20 == 'e' && whole > 0
		if fraction > 0 || exponent {
			datatype = typeDecimal
		} else {
			i = end // the stop ends the statement
		}
	}
	if i < len(window) && window[i]|0x20 == 'e' && whole+fraction > 0 {
		i++
		if i < len(window) && (window[i] == '+' || window[i] == '-') {
			i++
		}
		if digits() == 0 {
			panic(p.fail("the number has no digits after e"))
		}
		datatype = typeDouble
	}
	if whole+fraction == 0 {
		panic(p.fail("a number must be written like 1, -1.5 or 6.02e23"))
	}
	if i == lookahead {
		panic(p.fail("a number has more than " + strconv.Itoa(lookahead) + " digits"))
	}
	if i < len(window) && (nameStart(rune(window[i])) || window[i] == ':') {
		panic(p.fail("there are letters after the number"))
	}
	from := len(p.arena)
	p.arena = append(p.arena, window[:i]...)
	p.at += i
	return Term{Kind: Literal, Value: p.arena[from:len(p.arena):len(p.arena)], Datatype: datatype}
}

// literal reads a text with its datatype or language.
func (p *turtle) literal() Term {
	t := Term{Kind: Literal, Value: p.quoted()}
	p.space()
	switch p.peek() {
	case '@':
		p.at++
		p.more(lookahead)
		n := languageTag(p.buf[p.at:min(len(p.buf), p.at+lookahead)])
		if n == 0 {
			panic(p.fail(badLanguage))
		}
		from := len(p.arena)
		p.arena = append(p.arena, p.buf[p.at:p.at+n]...)
		t.Language = p.arena[from:len(p.arena):len(p.arena)]
		p.at += n
	case '^':
		if !p.starts("^^") {
			panic(p.fail("a datatype must be written ^^ and its IRI"))
		}
		p.at += 2
		p.space()
		if p.peek() == '_' {
			panic(p.fail("a datatype must be an IRI, not a blank node"))
		}
		read := p.resource
		if p.lines {
			read = p.iriRef
		}
		if !t.setDatatype(read().Value) {
			panic(p.fail(taggedAsType))
		}
	}
	return t
}

// quoted reads a text between quotation marks of any of the four kinds.
func (p *turtle) quoted() []byte {
	quote, begin := p.buf[p.at], p.at
	long := !p.lines && p.more(3) && p.buf[p.at+1] == quote && p.buf[p.at+2] == quote
	p.at++
	if long {
		p.at += 2
	}
	from := len(p.arena)
	for {
		i, buf := p.at, p.buf
		for i < len(buf) && buf[i] != quote && buf[i] != '\\' && buf[i] != '\n' && buf[i] != '\r' {
			i++
		}
		p.arena = append(p.arena, p.buf[p.at:i]...)
		p.at = i
		p.limit(from)
		if i == len(p.buf) {
			if !p.more(1) {
				panic(p.unclosed(begin, "the quotation mark of the text is not closed"))
			}
			continue
		}
		switch c := p.buf[i]; {
		case c == '\\':
			p.more(len(`\U00000000`))
			r, n := escape(p.buf[p.at:])
			if n == 0 {
				panic(p.fail("unknown escape: use \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX or \\UXXXXXXXX"))
			}
			p.arena = utf8.AppendRune(p.arena, r)
			p.at += n
			continue
		case c == quote && long:
			if !p.more(3) || p.buf[p.at+1] != quote || p.buf[p.at+2] != quote {
				p.arena = append(p.arena, quote)
				p.at++
				continue
			}
			p.at += 3
		case c == quote:
			p.at++
		case p.lines:
			panic(p.fail("a text cannot contain a line break: write \\n"))
		case !long:
			panic(p.fail("a text of several lines must be between triple quotation marks"))
		default:
			p.arena = append(p.arena, c)
			p.at++
			if c == '\n' {
				p.newline()
			}
			continue
		}
		if !p.lines && !utf8.Valid(p.arena[from:]) {
			panic(p.fail(notUTF8))
		}
		return p.arena[from:len(p.arena):len(p.arena)]
	}
}

package rdf

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
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
				if err := p.report(p.fail("the } of the graph is missing")); err != nil {
					return err
				}
			}
			return p.err
		}
		if err := p.statement(); err != nil {
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
func (p *turtle) emit(subject, predicate, object *Term, line int64) error {
	p.st = Statement{Subject: *subject, Predicate: *predicate, Object: *object, Graph: p.graph, Line: line}
	return p.h.Statement(&p.st)
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
func (p *turtle) expect(c byte, otherwise string) error {
	p.space()
	if p.peek() != c {
		return p.fail(otherwise)
	}
	p.at++
	return nil
}

const noStop = "a full stop is missing at the end of the statement"

// statement reads a directive, a graph, or what is said of one subject. Inside a graph
// it reads a block of it, or its end.
func (p *turtle) statement() error {
	c := p.peek()
	if p.inGraph {
		if c == '}' {
			p.at++
			p.inGraph, p.graph = false, Term{}
			return nil
		}
		if err := p.triples(); err != nil {
			return err
		}
		if p.space(); p.peek() == '.' {
			p.at++
		} else if p.peek() != '}' {
			return p.fail(noStop)
		}
		return nil
	}
	p.graph = Term{}
	switch {
	case c == '@':
		p.at++
		for _, w := range []string{"prefix", "base", "version"} {
			if p.starts(w) {
				p.at += len(w)
				if err := p.directive(w); err != nil {
					return err
				}
				return p.expect('.', "a full stop is missing at the end of @"+w)
			}
		}
		return p.fail("@prefix, @base and @version are the directives that begin with @")
	case c == '<' || c == '_' || c == '[' || c == '(' || c == ':':
	case p.word("prefix"):
		return p.directive("prefix")
	case p.word("base"):
		return p.directive("base")
	case p.word("version"):
		return p.directive("version")
	case p.trig && p.word("graph"):
		p.space()
		name, err := p.resourceOrEmpty("the name of a graph is an IRI or a blank node")
		if err != nil {
			return err
		}
		return p.open(name)
	}
	if p.trig {
		if c == '{' {
			return p.open(Term{})
		}
		return p.block()
	}
	if err := p.triples(); err != nil {
		return err
	}
	return p.expect('.', noStop)
}

// open begins a graph of TriG.
func (p *turtle) open(name Term) error {
	if err := p.expect('{', "the { of the graph is missing"); err != nil {
		return err
	}
	if name.Kind != None { // it outlives the arena
		name.Value = bytes.Clone(name.Value)
	}
	p.graph, p.inGraph = name, true
	return nil
}

// block reads what is a graph with its name, or triples, as TriG has both.
func (p *turtle) block() error {
	if c := p.peek(); c == '(' || p.starts("<<") || c == '[' && !p.emptyBrackets() {
		if err := p.triples(); err != nil {
			return err
		}
		return p.expect('.', noStop)
	}
	name, err := p.resourceOrEmpty("the name of a graph is an IRI or a blank node")
	if err != nil {
		return err
	}
	if p.space(); p.peek() == '{' {
		return p.open(name)
	}
	if err := p.properties(&name, '.'); err != nil {
		return err
	}
	return p.expect('.', noStop)
}

// emptyBrackets reports whether the next brackets hold nothing. They hold no more than
// lookahead blanks.
func (p *turtle) emptyBrackets() bool {
	p.more(lookahead)
	rest := bytes.TrimLeft(p.buf[p.at+1:min(len(p.buf), p.at+lookahead)], " \t\r\n")
	return len(rest) > 0 && rest[0] == ']'
}

// directive reads what follows the word of a prefix, base or version.
func (p *turtle) directive(w string) error {
	p.space()
	switch w {
	case "version":
		quote := p.peek()
		if quote != '"' && quote != '\'' || p.starts(`"""`) || p.starts("'''") {
			return p.fail(`a version is written between quotation marks: "1.2"`)
		}
		_, err := p.quoted()
		return err
	case "prefix":
		from := len(p.arena)
		if err := p.prefixName(); err != nil {
			return err
		}
		name := string(p.arena[from:])
		if p.peek() != ':' {
			return p.fail("a prefix is written name: <IRI>")
		}
		p.at++
		p.space()
		t, err := p.iriRef()
		if err != nil {
			return err
		}
		p.prefixes[name] = bytes.Clone(t.Value)
		return nil
	}
	t, err := p.iriRef()
	if err == nil {
		p.base.set(string(t.Value))
	}
	return err
}

// triples reads a subject and what is said of it.
func (p *turtle) triples() error {
	var subject Term
	var err error
	switch c := p.peek(); {
	case c == '[':
		subject, err = p.brackets()
		if err != nil {
			return err
		}
		if p.space(); p.peek() == '.' || p.peek() == '}' && p.inGraph {
			if subject.Triple == nil { // nothing was between them
				return p.fail("[] says nothing by itself: a relation and an object are missing")
			}
			return nil
		}
		subject.Triple = nil
	case c == '(':
		subject, err = p.list()
	case p.starts("<<"):
		if p.starts("<<(") {
			return p.fail("a triple term <<( … )>> may only be an object; << … >> may be a subject")
		}
		if subject, err = p.reified(); err != nil {
			return err
		}
		if p.space(); p.peek() == '.' || p.peek() == '}' && p.inGraph {
			return nil
		}
	default:
		subject, err = p.resource()
	}
	if err != nil {
		return err
	}
	return p.properties(&subject, '.')
}

// something is what the Triple of a blank node holds as a mark that its brackets were not
// empty, before its subject is used.
var something = &Statement{}

// properties reads relations and objects of a subject up to the sign that ends them,
// which it leaves. } ends them too.
func (p *turtle) properties(subject *Term, end byte) error {
	for {
		mark := len(p.arena)
		p.space()
		predicate, err := p.verb()
		if err != nil {
			return err
		}
		for {
			if err := p.object(subject, &predicate); err != nil {
				return err
			}
			if p.space(); p.peek() != ',' {
				break
			}
			p.at++
		}
		p.arena = p.arena[:mark]
		if p.peek() != ';' {
			return nil
		}
		for p.peek() == ';' {
			p.at++
			p.space()
		}
		if c := p.peek(); c == end || c == '}' && p.inGraph && end == '.' {
			return nil
		}
	}
}

// verb reads a relation.
func (p *turtle) verb() (Term, error) {
	if p.peek() == 'a' && p.word("a") {
		return iriType, nil
	}
	if p.peek() == '_' {
		return Term{}, p.fail("the relation must be an IRI, not a blank node")
	}
	if p.starts("<<") {
		return Term{}, p.fail("the relation must be an IRI, not a triple")
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
func (p *turtle) object(subject, predicate *Term) error {
	mark := len(p.arena)
	p.space()
	line := p.line
	var object Term
	var err error
	switch p.peek() {
	case '[':
		// The triple comes before what is inside, so that lines ascend.
		object = p.fresh()
		if err := p.emit(subject, predicate, &object, line); err != nil {
			return err
		}
		_, err = p.inside(&object)
	case '(':
		object, err = p.listObject(subject, predicate, line)
	default:
		if object, err = p.value(); err == nil {
			err = p.emit(subject, predicate, &object, line)
		}
	}
	if err != nil {
		return err
	}
	if p.space(); p.peek() == '~' || p.starts("{|") {
		if err := p.annotations(&Statement{Subject: *subject, Predicate: *predicate, Object: object}); err != nil {
			return err
		}
	}
	p.arena = p.arena[:mark]
	return nil
}

// annotations reads the reifiers of a triple and what is said of them.
func (p *turtle) annotations(of *Statement) error {
	var reifier Term
	for {
		p.space()
		switch {
		case p.peek() == '~':
			p.at++
			var err error
			if reifier, err = p.reifier(of); err != nil {
				return err
			}
		case p.starts("{|"):
			if err := p.deeper(); err != nil {
				return err
			}
			if reifier.Kind == None {
				reifier = p.fresh()
				if err := p.reify(&reifier, of); err != nil {
					return err
				}
			}
			p.at += 2
			if err := p.properties(&reifier, '|'); err != nil {
				return err
			}
			if p.space(); !p.starts("|}") {
				return p.fail("the {| is not closed by |}")
			}
			p.at += 2
			p.depth--
			reifier = Term{}
		default:
			return nil
		}
	}
}

// reifier reads the name after ~, which may be left out, and emits what it stands for.
func (p *turtle) reifier(of *Statement) (t Term, err error) {
	p.space()
	switch c := p.peek(); {
	case c == '[':
		p.at++
		if err := p.expect(']', "the name of a reifier is an IRI or a blank node"); err != nil {
			return t, err
		}
		t = p.fresh()
	case c == '<' && !p.starts("<<") || c == '_' || c == ':' || isAlphanumeric(c) || c >= utf8.RuneSelf:
		if t, err = p.resource(); err != nil {
			return t, err
		}
	default:
		t = p.fresh()
	}
	return t, p.reify(&t, of)
}

// reify emits the triple that says what a reifier stands for.
func (p *turtle) reify(reifier *Term, of *Statement) error {
	return p.emit(reifier, &iriReifies, &Term{Kind: Triple, Triple: of}, p.line)
}

// reified reads << … >>, emits what its reifier stands for and returns the reifier.
func (p *turtle) reified() (t Term, err error) {
	if err := p.deeper(); err != nil {
		return t, err
	}
	p.at += 2
	of := &Statement{}
	p.space()
	if p.starts("<<") && !p.starts("<<(") {
		of.Subject, err = p.reified()
	} else {
		of.Subject, err = p.resourceOrEmpty("the brackets inside a triple must be empty")
	}
	if err == nil {
		p.space()
		of.Predicate, err = p.verb()
	}
	if err == nil {
		p.space()
		if p.peek() == '[' {
			of.Object, err = p.resourceOrEmpty("the brackets inside a triple must be empty")
		} else if p.peek() == '(' {
			err = p.fail("a list may not stand inside << … >>")
		} else {
			of.Object, err = p.value()
		}
	}
	if err != nil {
		return t, err
	}
	if p.space(); p.peek() == '~' {
		p.at++
		t, err = p.reifier(of)
	} else {
		t = p.fresh()
		err = p.reify(&t, of)
	}
	if err != nil {
		return t, err
	}
	if p.space(); !p.starts(">>") {
		return t, p.fail("the << is not closed by >>")
	}
	p.at += 2
	p.depth--
	return t, nil
}

// triple reads <<( … )>>.
func (p *turtle) triple() (t Term, err error) {
	if err := p.deeper(); err != nil {
		return t, err
	}
	p.at += 3
	of := &Statement{}
	p.space()
	if of.Subject, err = p.resourceOrEmpty("the brackets inside a triple must be empty"); err != nil {
		return t, err
	}
	p.space()
	if of.Predicate, err = p.verb(); err != nil {
		return t, err
	}
	p.space()
	switch {
	case p.peek() == '[':
		of.Object, err = p.resourceOrEmpty("the brackets inside a triple must be empty")
	case p.peek() == '(' || p.starts("<<") && !p.starts("<<("):
		err = p.fail("a triple term holds IRIs, blank nodes, texts and triple terms alone")
	default:
		of.Object, err = p.value()
	}
	if err != nil {
		return t, err
	}
	if p.space(); !p.starts(")>>") {
		return t, p.fail("the <<( is not closed by )>>")
	}
	p.at += 3
	p.depth--
	return Term{Kind: Triple, Triple: of}, nil
}

// resourceOrEmpty reads an IRI, a blank node, or [] without anything inside.
func (p *turtle) resourceOrEmpty(notEmpty string) (Term, error) {
	if p.peek() == '[' {
		p.at++
		if err := p.expect(']', notEmpty); err != nil {
			return Term{}, err
		}
		return p.fresh(), nil
	}
	return p.resource()
}

func (p *turtle) deeper() error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(tooDeep)
	}
	return nil
}

// brackets reads [ … ] and returns its blank node, whose Triple is set where something is
// said inside.
func (p *turtle) brackets() (Term, error) {
	t := p.fresh()
	full, err := p.inside(&t)
	if full {
		t.Triple = something
	}
	return t, err
}

// inside reads [ … ], which says something of a node, and reports whether it does.
func (p *turtle) inside(node *Term) (full bool, err error) {
	if err := p.deeper(); err != nil {
		return false, err
	}
	p.at++
	if p.space(); p.peek() != ']' {
		full = true
		if err := p.properties(node, ']'); err != nil {
			return full, err
		}
		if p.space(); p.peek() != ']' {
			return full, p.fail("the [ is not closed by ]")
		}
	}
	p.at++
	p.depth--
	return full, nil
}

// list reads ( … ) as a subject and returns its first node.
func (p *turtle) list() (Term, error) {
	p.at++
	if p.space(); p.peek() == ')' {
		p.at++
		return iriNil, nil
	}
	first := p.fresh()
	return first, p.items(first)
}

// listObject emits a triple whose object is a list, and the list.
func (p *turtle) listObject(subject, predicate *Term, line int64) (Term, error) {
	p.at++
	if p.space(); p.peek() == ')' {
		p.at++
		return iriNil, p.emit(subject, predicate, &iriNil, line)
	}
	first := p.fresh()
	if err := p.emit(subject, predicate, &first, line); err != nil {
		return first, err
	}
	return first, p.items(first)
}

// items emits a list up to its end; node is the first of its nodes.
func (p *turtle) items(node Term) error {
	if err := p.deeper(); err != nil {
		return err
	}
	for {
		if err := p.object(&node, &iriFirst); err != nil {
			return err
		}
		p.space()
		if c := p.peek(); c == ')' {
			p.at++
			p.depth--
			return p.emit(&node, &iriRest, &iriNil, p.line)
		} else if c == 0 && p.eof {
			return p.fail("the ( is not closed by )")
		}
		next := p.fresh()
		if err := p.emit(&node, &iriRest, &next, p.line); err != nil {
			return err
		}
		node = next
	}
}

// fresh returns a blank node of its own. No label that a document may write begins with -.
func (p *turtle) fresh() Term {
	p.blanks++
	return Term{Kind: Blank, Value: strconv.AppendInt([]byte("-"), int64(p.blanks), 10)}
}

// value reads an object that is one term.
func (p *turtle) value() (Term, error) {
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
		return Term{Kind: Literal, Value: []byte("true"), Datatype: typeBoolean}, nil
	case (c == 'f' || c == 'F') && p.starts("false") && p.word("false"):
		return Term{Kind: Literal, Value: []byte("false"), Datatype: typeBoolean}, nil
	}
	return p.resource()
}

// resource reads an IRI, a prefixed name or a blank node with a label.
func (p *turtle) resource() (Term, error) {
	switch c := p.peek(); {
	case c == '<':
		return p.iriRef()
	case c == '_':
		return p.blank()
	case c == ':' || c >= utf8.RuneSelf || c|0x20 >= 'a' && c|0x20 <= 'z':
		return p.prefixed()
	case c == 0 && p.eof:
		return Term{}, p.fail("the text ends in the middle of a statement")
	case c == '"' || c == '\'':
		return Term{}, p.fail("a text may only be an object")
	default:
		return Term{}, p.fail("an IRI, a prefixed name or a blank node is missing before " + quoteByte(c))
	}
}

// tooLong reports whether the term since from is longer than may be.
func (p *turtle) tooLong(from int) bool { return len(p.arena)-from > p.o.MaxTerm }

func (p *turtle) tooLongError() error {
	return p.fail("an IRI or a text is longer than " + strconv.Itoa(p.o.MaxTerm) + " bytes, the limit")
}

// iriRef reads an IRI in angle brackets and makes it absolute.
func (p *turtle) iriRef() (Term, error) {
	if p.peek() != '<' {
		return Term{}, p.fail("an IRI in angle brackets is missing")
	}
	p.at++
	from := len(p.arena)
	high := false
	for {
		i := p.at
		for i < len(p.buf) && !notableInIRI[p.buf[i]] {
			high = high || p.buf[i] >= utf8.RuneSelf
			i++
		}
		p.arena = append(p.arena, p.buf[p.at:i]...)
		p.at = i
		if p.tooLong(from) {
			return Term{}, p.tooLongError()
		}
		if i == len(p.buf) {
			if !p.more(1) {
				return Term{}, p.fail("the angle bracket of the IRI is not closed")
			}
			continue
		}
		switch c := p.buf[i]; c {
		case '>':
			if high && !utf8.Valid(p.arena[from:]) {
				return Term{}, p.fail(notUTF8)
			}
			value := p.arena[from:]
			if colon := bytes.IndexByte(value, ':'); colon <= 0 || !isScheme(value[:colon]) {
				absolute, ok := p.base.resolve(string(value))
				if !ok {
					return Term{}, p.fail(relativeIRI)
				}
				p.arena = append(p.arena[:from], absolute...)
			}
			p.at++
			return Term{Kind: IRI, Value: p.arena[from:len(p.arena):len(p.arena)]}, nil
		case '\\':
			p.more(len(`\U00000000`))
			r, n := codePoint(p.buf[p.at:])
			if n == 0 || badInIRI(r) {
				return Term{}, p.fail("an IRI may only hold escapes such as \\u00E9, of characters that IRIs may hold")
			}
			p.arena = utf8.AppendRune(p.arena, r)
			p.at += n
			high = true
		default:
			return Term{}, p.fail("an IRI may not hold the character " + quoteByte(c))
		}
	}
}

const notUTF8 = "the text is not valid UTF-8: give the encoding, or save it as UTF-8"

// nameByte tells the ASCII characters that names hold without an escape, but for full stops.
var nameByte = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = isAlphanumeric(byte(c)) || c == '_' || c == '-'
	}
	return is
}()

// name appends characters of a name to the arena: PN_CHARS, full stops inside, and with
// local colons, escapes and percent signs. first tells which characters may begin it.
func (p *turtle) name(local bool, first func(rune) bool) error {
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
				return nil
			}
			p.at++
			flush()
			continue
		case nameByte[c]:
			if begin && !first(rune(c)) {
				return nil
			}
			p.arena = append(p.arena, c)
			p.at++
		case local && c == ':':
			p.arena = append(p.arena, c)
			p.at++
		case local && c == '%':
			if !p.more(3) || !isHex(p.buf[p.at+1]) || !isHex(p.buf[p.at+2]) {
				return p.fail("a % in a name is written \\%, or %20 as in an IRI")
			}
			p.arena = append(p.arena, p.buf[p.at:p.at+3]...)
			p.at += 3
		case local && c == '\\':
			if !p.more(2) || bytes.IndexByte([]byte("_~.-!$&'()*+,;=/?#@%"), p.buf[p.at+1]) < 0 {
				return p.fail("only the signs _~.-!$&'()*+,;=/?#@% are written with a \\ in a name")
			}
			p.arena = append(p.arena, p.buf[p.at+1])
			p.at += 2
		case c >= utf8.RuneSelf:
			p.more(utf8.UTFMax)
			r, n := utf8.DecodeRune(p.buf[p.at:])
			if r == utf8.RuneError && n == 1 {
				return p.fail(notUTF8)
			}
			if begin && !first(r) || !nameStart(r) && !nameRest(r) {
				return nil
			}
			p.arena = append(p.arena, p.buf[p.at:p.at+n]...)
			p.at += n
		default:
			return nil
		}
		begin = false
		if p.tooLong(from) {
			return p.tooLongError()
		}
	}
	return nil
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
func (p *turtle) prefixName() error { return p.name(false, isLetter) }

// prefixed reads a prefixed name.
func (p *turtle) prefixed() (Term, error) {
	from := len(p.arena)
	if err := p.prefixName(); err != nil {
		return Term{}, err
	}
	if p.peek() != ':' {
		return Term{}, p.fail("“" + string(p.arena[from:]) + "” is no term: an IRI is written <…>, a name prefix:name, a text \"…\"")
	}
	prefix, ok := p.prefixes[string(p.arena[from:])]
	if !ok {
		return Term{}, p.fail("the prefix “" + string(p.arena[from:]) + ":” is not declared: add @prefix " + string(p.arena[from:]) + ": <…> . above")
	}
	p.at++
	p.arena = append(p.arena[:from], prefix...)
	if err := p.name(true, isNameStart); err != nil {
		return Term{}, err
	}
	return Term{Kind: IRI, Value: p.arena[from:len(p.arena):len(p.arena)]}, nil
}

// blank reads a blank node with a label.
func (p *turtle) blank() (Term, error) {
	if !p.starts("_:") {
		return Term{}, p.fail("a blank node is written _:name")
	}
	p.at += 2
	from := len(p.arena)
	if err := p.name(false, isNameStart); err != nil {
		return Term{}, err
	}
	if len(p.arena) == from {
		return Term{}, p.fail("the blank node has no name")
	}
	return Term{Kind: Blank, Value: p.arena[from:len(p.arena):len(p.arena)]}, nil
}

// number reads an integer, a decimal or a double.
func (p *turtle) number() (Term, error) {
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
			return Term{}, p.fail("the number has no digits after e")
		}
		datatype = typeDouble
	}
	if whole+fraction == 0 {
		return Term{}, p.fail("a number is not written as 1, -1.5 or 6.02e23")
	}
	if i == lookahead {
		return Term{}, p.fail("a number has more than " + strconv.Itoa(lookahead) + " digits")
	}
	if i < len(window) && (nameStart(rune(window[i])) || window[i] == ':') {
		return Term{}, p.fail("there are letters behind the number")
	}
	from := len(p.arena)
	p.arena = append(p.arena, window[:i]...)
	p.at += i
	return Term{Kind: Literal, Value: p.arena[from:len(p.arena):len(p.arena)], Datatype: datatype}, nil
}

// literal reads a text with its datatype or language.
func (p *turtle) literal() (Term, error) {
	value, err := p.quoted()
	t := Term{Kind: Literal, Value: value}
	if err != nil {
		return t, err
	}
	p.space()
	switch p.peek() {
	case '@':
		p.at++
		p.more(lookahead)
		n := languageTag(p.buf[p.at:min(len(p.buf), p.at+lookahead)])
		if n == 0 {
			return t, p.fail(badLanguage)
		}
		from := len(p.arena)
		p.arena = append(p.arena, p.buf[p.at:p.at+n]...)
		t.Language = p.arena[from:len(p.arena):len(p.arena)]
		p.at += n
	case '^':
		if !p.starts("^^") {
			return t, p.fail("a datatype is written ^^<IRI> or ^^prefix:name")
		}
		p.at += 2
		p.space()
		if p.peek() == '_' {
			return t, p.fail("a datatype is an IRI, not a blank node")
		}
		datatype, err := p.resource()
		if err != nil {
			return t, err
		}
		if !t.setDatatype(datatype.Value) {
			return t, p.fail(taggedAsType)
		}
	}
	return t, nil
}

// quoted reads a text between quotation marks of any of the four kinds.
func (p *turtle) quoted() ([]byte, error) {
	quote := p.buf[p.at]
	long := p.more(3) && p.buf[p.at+1] == quote && p.buf[p.at+2] == quote
	p.at++
	if long {
		p.at += 2
	}
	from := len(p.arena)
	high := false
	for {
		i := p.at
		for i < len(p.buf) {
			c := p.buf[i]
			if c == quote || c == '\\' || c == '\n' || c == '\r' {
				break
			}
			high = high || c >= utf8.RuneSelf
			i++
		}
		p.arena = append(p.arena, p.buf[p.at:i]...)
		p.at = i
		if p.tooLong(from) {
			return nil, p.tooLongError()
		}
		if i == len(p.buf) {
			if !p.more(1) {
				return nil, p.fail("the quotation mark of the text is not closed")
			}
			continue
		}
		switch c := p.buf[i]; {
		case c == '\\':
			p.more(len(`\U00000000`))
			r, n := escape(p.buf[p.at:])
			if n == 0 {
				return nil, p.fail("the escape is not known: \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX and \\UXXXXXXXX are")
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
		case !long:
			return nil, p.fail("a text of several lines stands between three quotation marks")
		default:
			p.arena = append(p.arena, c)
			p.at++
			if c == '\n' {
				p.newline()
			}
			continue
		}
		if high && !utf8.Valid(p.arena[from:]) {
			return nil, p.fail(notUTF8)
		}
		return p.arena[from:len(p.arena):len(p.arena)], nil
	}
}

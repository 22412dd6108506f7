package ingest

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"cairn/engine/ingest/rdf"
	"cairn/engine/kg"
)

// RDF has no words for what Cairn keeps with a statement, so that documents make nodes
// of their own for it:
//
//	reifier       rdf:reifies of RDF 1.2, rdf:Statement before, owl:Axiom, statements of Wikibase
//	list          rdf:first and rdf:rest
//	restriction   owl:onProperty with owl:someValuesFrom or owl:hasValue
//
// Such a node becomes what it means: properties of a statement, one triple for each
// member with its position, one triple. Since its parts may come in any order, the
// statements of blank nodes, and of nodes known for reifiers, wait until the end of the
// document, or until maxWaiting of them do.

// part is what a relation says about such a node.
type part byte

const (
	noPart part = iota
	reifiesPart
	subjectPart // of a statement spelled out
	predicatePart
	objectPart
	claimPart      // leads from a subject to a statement of Wikibase
	claimValuePart // the object of one
	qualifierPart
	longFormPart // a value of Wikibase written out a second time
	rankPart
	directPart // leads from a property of Wikibase to its direct relation
	firstPart
	restPart
	onPropertyPart
	fillerPart
)

const (
	owl      = "http://www.w3.org/2002/07/owl#"
	wikibase = "http://wikiba.se/ontology#"
)

// partOf has the relations that speak about nodes which are no things.
var partOf = map[string]part{
	rdf.Reifies:                 reifiesPart,
	rdf.Namespace + "subject":   subjectPart,
	rdf.Namespace + "predicate": predicatePart,
	rdf.Namespace + "object":    objectPart,
	owl + "annotatedSource":     subjectPart,
	owl + "annotatedProperty":   predicatePart,
	owl + "annotatedTarget":     objectPart,
	wikibase + "rank":           rankPart,
	wikibase + "directClaim":    directPart,
	rdf.First:                   firstPart,
	rdf.Rest:                    restPart,
	owl + "onProperty":          onPropertyPart,
	owl + "someValuesFrom":      fillerPart,
	owl + "hasValue":            fillerPart,
}

// claim matches the relations of any Wikibase, Wikidata among them.
var (
	claim      = regexp.MustCompile(`^(.*/prop/)((?:statement/|qualifier/)?(?:value/|value-normalized/)?)(P[0-9]+)$`)
	claimParts = map[string]part{
		"": claimPart, "statement/": claimValuePart, "qualifier/": qualifierPart,
		"statement/value/": longFormPart, "statement/value-normalized/": longFormPart, "qualifier/value/": longFormPart, "qualifier/value-normalized/": longFormPart,
	}
)

// What a node is that stands for a statement, or for a list or a class without a name:
// no fact of the graph.
var (
	statementTypes = map[string]bool{rdf.Namespace + "Statement": true, owl + "Axiom": true, owl + "Annotation": true, wikibase + "Statement": true, wikibase + "BestRank": true}
	classTypes     = []string{owl + "Restriction", owl + "Class", rdf.Namespace + "List"}
)

// maxWaiting is how many statements wait at most.
const maxWaiting = 400_000

// said is a statement that waits.
type said struct {
	subject, object rdf.Term
	predicate       *predicate
	graph           []byte
	line            int64
}

// node is one whose statements wait.
type node struct {
	term    rdf.Term
	said    []*said // of it
	uses    []*said // that have it as their object, while their own subject does not wait
	touched int     // when the last of them came
	made    bool    // it stands for a triple that was itself a subject; the first of said tells which
}

type nodes struct {
	byKey   map[string]*node
	order   []*node
	waiting int // statements
	came    int
	first   int64 // the line of the first that waits
}

// nodeKey is the key of a node among those that wait.
func nodeKey(t *rdf.Term) string {
	if t.Kind == rdf.Blank {
		return "_:" + string(t.Value)
	}
	return string(t.Value)
}

// has reports whether an IRI is a node that waits.
func (n *nodes) has(t *rdf.Term) bool {
	if len(n.byKey) == 0 || t.Kind != rdf.IRI {
		return false
	}
	_, ok := n.byKey[string(t.Value)]
	return ok
}

// find returns the node of a term; nil where it does not wait.
func (n *nodes) find(t *rdf.Term) *node {
	if t.Kind != rdf.Blank && t.Kind != rdf.IRI {
		return nil
	}
	return n.byKey[nodeKey(t)]
}

// of returns the node of a term, made where it is new.
func (n *nodes) of(t *rdf.Term) *node {
	key := nodeKey(t)
	x := n.byKey[key]
	if x == nil {
		if n.byKey == nil {
			n.byKey = map[string]*node{}
		}
		x = &node{term: clone(t)}
		n.byKey[key] = x
		n.order = append(n.order, x)
	}
	n.came++
	x.touched = n.came
	return x
}

// before returns the last line, up to line, of which nothing waits.
func (n *nodes) before(line int64) int64 {
	if n.waiting == 0 {
		return line
	}
	return min(line, n.first-1)
}

// clone copies a term, for parsers use its bytes again.
func clone(t *rdf.Term) rdf.Term {
	c := rdf.Term{Kind: t.Kind, Value: bytes.Clone(t.Value), Datatype: bytes.Clone(t.Datatype), Language: bytes.Clone(t.Language)}
	if t.Triple != nil {
		c.Triple = &rdf.Statement{Subject: clone(&t.Triple.Subject), Predicate: clone(&t.Triple.Predicate), Object: clone(&t.Triple.Object)}
	}
	return c
}

// take lets a statement wait.
func (n *nodes) take(st *rdf.Statement, p *predicate) {
	s := &said{clone(&st.Subject), clone(&st.Object), p, bytes.Clone(st.Graph.Value), st.Line}
	if n.waiting == 0 {
		n.first = st.Line
	}
	n.waiting++
	if st.Subject.Kind == rdf.Triple {
		// RDF-star before RDF 1.2 spoke of triples without a node between.
		reifier := rdf.Term{Kind: rdf.Blank, Value: []byte("-" + termText(&st.Subject))}
		x := n.of(&reifier)
		if len(x.said) == 0 {
			x.made = true
			x.said = append(x.said, &said{reifier, s.subject, &predicate{part: reifiesPart}, s.graph, s.line})
			n.waiting++
		}
		s.subject = reifier
		x.said = append(x.said, s)
		return
	}
	switch {
	case p.part == claimPart && st.Object.Kind != rdf.Literal:
		x := n.of(&st.Object)
		x.uses = append(x.uses, s)
	case st.Subject.Kind == rdf.Blank || p.part != noPart && p.part != claimPart || n.has(&st.Subject):
		x := n.of(&st.Subject)
		x.said = append(x.said, s)
	case st.Object.Kind == rdf.Blank:
		x := n.of(&st.Object)
		x.uses = append(x.uses, s)
	default: // a triple term is the object of what is no reifier
		x := n.of(&st.Subject)
		x.said = append(x.said, s)
	}
}

// termText writes a triple term so that equal ones are equal.
func termText(t *rdf.Term) string {
	if t.Kind == rdf.Triple {
		return "<<" + termText(&t.Triple.Subject) + " " + termText(&t.Triple.Predicate) + " " + termText(&t.Triple.Object) + ">>"
	}
	return strconv.Itoa(int(t.Kind)) + strconv.Quote(string(t.Value)) + string(t.Language) + "^" + string(t.Datatype)
}

// one returns the only object that a node has of a part; nil where it has none or several.
func (x *node) one(p part) *rdf.Term {
	var found *rdf.Term
	for _, s := range x.said {
		if s.predicate.part == p {
			if found != nil {
				return nil
			}
			found = &s.object
		}
	}
	return found
}

// restriction returns what a restriction of OWL relates to what; nil where x is none.
func (x *node) restriction() (relation, filler *rdf.Term) {
	relation, filler = x.one(onPropertyPart), x.one(fillerPart)
	if relation == nil || filler == nil || relation.Kind != rdf.IRI || filler.Kind == rdf.Triple {
		return nil, nil
	}
	return relation, filler
}

// isMore reports whether a node says something that is not of its structure.
func (x *node) isMore() bool {
	return slices.ContainsFunc(x.said, func(s *said) bool { return !s.structural() })
}

// structural reports whether a statement only tells what a node is made of.
func (s *said) structural() bool {
	return s.predicate.part != noPart && s.predicate.part != qualifierPart ||
		s.predicate.fold.what == foldType && (statementTypes[string(s.object.Value)] || slices.Contains(classTypes, string(s.object.Value)))
}

// reified are the triples that a node stands for.
func (x *node) reified(im *importer) (triples []*said) {
	for _, s := range x.said {
		if s.predicate.part == reifiesPart && s.object.Kind == rdf.Triple {
			t := s.object.Triple
			triples = append(triples, &said{t.Subject, t.Object, im.predicateOf(t.Predicate.Value), s.graph, s.line})
		}
	}
	subject, relation, object := x.one(subjectPart), x.one(predicatePart), x.one(objectPart)
	if subject != nil && relation != nil && object != nil && relation.Kind == rdf.IRI {
		triples = append(triples, &said{*subject, *object, im.predicateOf(relation.Value), nil, x.said[0].line})
	}
	if object := x.one(claimValuePart); object != nil {
		for _, s := range x.uses {
			if s.predicate.part == claimPart {
				triples = append(triples, &said{s.subject, *object, im.predicateOf(s.predicate.direct), s.graph, s.line})
			}
		}
	}
	return triples
}

// resolve makes of the nodes that wait what they mean, until no more than keep
// statements wait: those of the nodes that came last.
func (im *importer) resolve(keep int) error {
	n := &im.nodes
	if n.waiting == 0 {
		if keep == 0 {
			im.nameRelations()
		}
		return nil
	}
	latest := n.came - keep
	said, skipped := im.report.Added+im.report.Duplicate, im.report.Skipped
	im.used = true // what was used is counted below
	var done int64
	r := &resolver{im: im}
	for i, x := range n.order {
		if keep > 0 && x.touched > latest {
			continue
		}
		if i%tickEvery == 0 {
			if err := im.ctx.Err(); err != nil {
				return err
			}
		}
		done += int64(len(x.said) + len(x.uses))
		if x.made {
			done-- // nobody wrote it
		}
		r.node(x)
	}
	if keep == 0 || done == 0 {
		// Nodes that only others speak of were told by those.
		n.byKey, n.order, n.waiting = nil, nil, 0
	} else {
		var rest []*node
		n.first, n.waiting = im.line, 0
		for _, x := range n.order {
			if x.touched <= latest {
				delete(n.byKey, nodeKey(&x.term))
				continue
			}
			rest = append(rest, x)
			n.waiting += len(x.said) + len(x.uses)
			for _, s := range slices.Concat(x.said, x.uses) {
				n.first = min(n.first, s.line)
			}
		}
		n.order = rest
	}
	im.w.At(im.line)
	// What became part of other statements is counted as skipped. Lists that several
	// share may make more of it than was read.
	left := done - (im.report.Skipped - skipped)
	im.report.Read += max(-left, 0)
	used := min(im.report.Added+im.report.Duplicate-said, max(left, 0))
	im.report.Used += used
	im.report.Skipped += max(left, 0) - used
	if keep == 0 {
		im.nameRelations()
	}
	return nil
}

// resolver is one resolution.
type resolver struct {
	im    *importer
	depth int // of lists and restrictions in each other
}

// node says what a node means.
func (r *resolver) node(x *node) {
	triples := x.reified(r.im)
	relation, _ := x.restriction()
	flat := (relation != nil || x.one(firstPart) != nil) && !x.isMore() // its users say it
	claims := slices.ContainsFunc(x.said, func(s *said) bool {
		return s.predicate.part == claimValuePart || s.predicate.part == rankPart
	})
	switch {
	case len(triples) > 0:
		r.reifier(x, triples)
	case claims: // that something has no value is no triple
		r.im.report.Unstated++
	case !flat:
		for _, s := range x.said {
			if s.predicate.part == directPart {
				r.im.setDirect(s)
			}
			r.say(s, nil)
		}
	}
	for _, s := range x.uses {
		if s.predicate.part != claimPart || !claims {
			r.say(s, nil)
		}
	}
}

// reifier gives the triples that a node stands for what it says of them.
func (r *resolver) reifier(x *node, triples []*said) {
	var properties []kg.Property
	deprecated := false
	for _, s := range x.said {
		switch {
		case s.predicate.part == rankPart && string(s.object.Value) == wikibase+"DeprecatedRank":
			deprecated = true
		case s.structural():
		default:
			for _, object := range r.members(&s.object) {
				properties = append(properties, r.property(s.predicate, object))
			}
		}
	}
	for _, t := range triples {
		quoted := x.one(reifiesPart) != nil
		switch {
		case deprecated:
			r.im.report.Unstated++
		case t.object.Kind == rdf.Triple || t.subject.Kind == rdf.Triple || quoted && !r.im.stated(t), t.predicate.names(&t.object):
			r.im.report.Unstated++
		default:
			r.say(t, properties)
		}
	}
}

// property returns what a statement about a reifier says.
func (r *resolver) property(p *predicate, object *rdf.Term) kg.Property {
	name := string(p.key)
	if p.direct != nil {
		name = string(p.direct)
	}
	if object.Kind == rdf.Literal {
		return kg.Property{Name: name, Value: string(object.Value), Datatype: string(object.Datatype), Entity: kg.NoEntity}
	}
	return kg.Property{Name: name, Entity: r.im.entityOf(object)}
}

// members returns the members of a list, or the object itself where it is none.
func (r *resolver) members(object *rdf.Term) []*rdf.Term {
	x := r.im.nodes.find(object)
	if x == nil || x.one(firstPart) == nil || x.isMore() {
		return []*rdf.Term{object}
	}
	const longest = 1 << 20 // members; a list may run in a circle
	var members []*rdf.Term
	seen := map[*node]bool{}
	for x != nil && !seen[x] && len(members) < longest {
		seen[x] = true
		if first := x.one(firstPart); first != nil {
			members = append(members, first)
		}
		rest := x.one(restPart)
		if rest == nil {
			break
		}
		x = r.im.nodes.find(rest)
	}
	return members
}

// position is the name of the property that tells the place of a member in its list.
const position = "position"

// maxNested is how deep lists and restrictions may lie in each other to be made flat.
const maxNested = 20

// say adds a statement; a list or a restriction as its object is made flat.
func (r *resolver) say(s *said, properties []kg.Property) {
	if r.depth++; r.depth > maxNested {
		r.depth--
		return
	}
	defer func() { r.depth-- }()
	im := r.im
	im.w.At(s.line)
	if x := im.nodes.find(&s.object); x != nil && s.object.Kind == rdf.Blank {
		if relation, filler := x.restriction(); relation != nil && !x.isMore() {
			r.say(&said{s.subject, *filler, im.predicateOf(relation.Value), s.graph, s.line}, properties)
			return
		}
		if x.one(firstPart) != nil && !x.isMore() {
			members := r.members(&s.object)
			for i, m := range members {
				placed := properties
				if len(members) > 1 {
					placed = append(slices.Clip(properties), kg.Property{Name: position, Value: strconv.Itoa(i + 1), Datatype: xsd + "integer", Entity: kg.NoEntity})
				}
				r.say(&said{s.subject, *m, s.predicate, s.graph, s.line}, placed)
			}
			return
		}
	}
	if s.subject.Kind == rdf.Triple || s.object.Kind == rdf.Triple {
		im.report.Unstated++
		return
	}
	im.say(&s.subject, s.predicate, &s.object, s.graph, properties)
}

// stated reports whether the graph has a triple.
func (im *importer) stated(s *said) bool {
	head, ok := im.w.FindBytes(bytes.Clone(im.keyOf(&s.subject)))
	if !ok {
		return false
	}
	tail, ok := im.w.FindBytes(im.keyOf(&s.object))
	relation, known := im.w.FindRelation(string(s.predicate.key))
	return ok && known && im.w.Has(kg.Triple{Head: head, Relation: relation, Tail: tail})
}

// setDirect remembers the relation under which the values of a property of Wikibase are.
func (im *importer) setDirect(s *said) { im.direct[string(s.subject.Value)] = string(s.object.Value) }

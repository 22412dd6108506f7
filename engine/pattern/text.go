package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/internal/bail"
	"cairn/engine/kg"
)

// ErrText is returned, with the place and what was expected there, for a
// pattern text that cannot be read.
var ErrText = errors.New("the pattern cannot be read")

// maxText bounds a pattern text in bytes, maxNodes its nodes: far above what a
// person writes, far below what would hurt.
const (
	maxText  = 1 << 20
	maxNodes = 256
)

// Format writes a pattern on one line, in the form that ParseText reads:
//
//	(Austria) -borders-> (?country:Country) -currency-> (euro)
//	(Tom Hanks) <-starred actors- (?film) | count ?film
//	(Nile) -length-> (?km); (Nile) -mouth- (?sea) | find ?km | ?km > 6000
//	(?film) -directed by-> (?d) | count ?film per ?d | largest count 5
//	path (Austria) to (France) | within 3
//
// Nodes are written at their first mention in the order of their numbers: those that
// only branches touch come last in patterns that read well.
//
// What belongs to one graph (linked entities, fixed relations) is left out:
// whoever matches the pattern links it anew.
func Format(p *Pattern) string {
	w := writer{p: p, names: nodeNames(p), end: -1}
	if !w.lead() {
		for _, e := range p.Edges {
			w.edge(e)
		}
		w.isolated(outside(p))
	}
	for _, c := range w.clauses() {
		w.b.WriteString(" | ")
		w.b.WriteString(c)
	}
	return w.b.String()
}

// writer prints nodes at their first mention in ascending order, so that
// reading them back numbers them the same.
type writer struct {
	p     *Pattern
	names []string // names[i] is how node i is referred to
	b     strings.Builder
	next  int // the first node that has not been printed
	end   int // the node that the text ends with; -1 at the start
	led   bool
}

func (w *writer) edge(e Edge) {
	left, right := e.From, e.To
	if e.Direction == Forward {
		// A directed edge can be written both ways: go on from where the text
		// ends, else mention the lower node first.
		if w.end != e.From && (w.end == e.To || e.To < e.From) {
			left, right = e.To, e.From
		}
	}
	w.isolated(left)
	if left < w.next || right != left+1 { // else both are about to be printed
		w.isolated(right)
	}
	if w.end != left {
		w.begin(left)
	}
	rel := relationText(e.Relation)
	if e.Closure {
		rel += "+"
	}
	rel += ConditionsText(e.Conditions)
	switch {
	case e.Direction == Forward && left == e.From:
		w.b.WriteString(" -" + rel + "-> ")
	case e.Direction == Forward:
		w.b.WriteString(" <-" + rel + "- ")
	default:
		w.b.WriteString(" -" + rel + "- ")
	}
	w.node(right)
}

// isolated prints the nodes below n that have not been printed, each as a path
// of its own.
func (w *writer) isolated(n int) {
	for w.next < n {
		w.begin(w.next)
	}
}

func (w *writer) begin(n int) {
	if w.end >= 0 {
		w.b.WriteString("; ")
	}
	w.node(n)
}

func (w *writer) node(n int) {
	w.end = n
	w.b.WriteByte('(')
	w.b.WriteString(w.names[n])
	if n >= w.next {
		w.next = n + 1
		if t := strings.TrimSpace(w.p.Nodes[n].Type); t != "" {
			w.b.WriteByte(':')
			w.b.WriteString(bareOrQuoted(t, " "))
		}
	}
	w.b.WriteByte(')')
}

func (w *writer) ref(n int) string {
	if w.p.Nodes[n].Variable {
		return w.names[n]
	}
	return "(" + w.names[n] + ")"
}

func (w *writer) clauses() []string {
	p := w.p
	var cs []string
	last := p.usuallyAsked(w.next)
	switch {
	case w.led:
	case p.Task == Verify:
		if last >= 0 {
			cs = append(cs, "verify")
		}
	case p.Task == Count && w.valid(p.Asked):
		cs = append(cs, "count "+w.ref(p.Asked))
	case p.Task == Describe && w.valid(p.Asked):
		cs = append(cs, "describe "+w.ref(p.Asked))
	case w.valid(p.Asked) && p.Asked != last:
		cs = append(cs, "find "+w.ref(p.Asked))
	}
	if p.Negated {
		cs = append(cs, "not")
	}
	for _, b := range p.Branches {
		cs = append(cs, w.branch(b))
	}
	if p.Measure != nil {
		cs = append(cs, w.measure(p.Measure))
	}
	for _, f := range p.Filters {
		if w.valid(f.Node) {
			cs = append(cs, w.filter(f))
		}
	}
	if o := p.Order; o != nil && (w.valid(o.Node) || o.Node == Measured && p.Measure != nil) {
		cs = append(cs, w.order(o))
	}
	if t := p.Told; t != nil && t.Unit != "" {
		text := "in " + unitText(t.Unit)
		if t.From != "" {
			text += " from " + unitText(t.From)
		}
		cs = append(cs, text)
	}
	if p.Connection != nil {
		cs = append(cs, w.connection(p.Connection)...)
	}
	switch p.Reuse {
	case ReuseNone:
	case ReuseVariables:
		cs = append(cs, "reuse variables")
	case ReuseAll:
		cs = append(cs, "reuse all")
	}
	return cs
}

// numberText writes a number without an exponent where that stays short.
func numberText(v float64) string {
	if a := math.Abs(v); a < 1e15 && (a >= 1e-6 || a == 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// nodeNames returns how each node is written inside its parentheses, without
// the type. Equal names of different nodes get "#2", "#3".
func nodeNames(p *Pattern) []string {
	seen := map[string]int{}
	names := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		var name string
		if n.Variable {
			name = cmp.Or(strings.TrimPrefix(n.Text, "?"), strconv.Itoa(i+1))
			n.Text = "?" + name
			name = "?" + bareOrQuoted(name, "")
		} else {
			name = knownText(n.Text, n.Type != "")
		}
		key := nodeKey(n, 1)
		seen[key]++
		if k := seen[key]; k > 1 {
			if !n.Variable {
				name = quote(n.Text)
			}
			name += "#" + strconv.Itoa(k)
		}
		names[i] = name
	}
	return names
}

// knownText writes the text of a known node bare where it reads back the same.
func knownText(s string, typed bool) string {
	if typed || s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, "()\"\\") || s[0] == '?' || !plain(s) {
		return quote(s)
	}
	return s
}

// quote writes a text so that it is read back; what is no text in it is marked.
func quote(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }

// bareOrQuoted writes a name of letters, digits, underscores and, within it, the
// characters of inner bare, and any other quoted.
func bareOrQuoted(s, inner string) string {
	for i, r := range s {
		within := strings.ContainsRune(inner, r) && i > 0 && i < len(s)-1
		if r != '_' && !within && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

func relationText(s string) string {
	if s == "" {
		return ""
	}
	if s != strings.TrimSpace(s) || s == "?" || strings.ContainsAny(s, "-<>()[]\"\\;|") || strings.HasSuffix(s, "+") || !plain(s) {
		return quote(s)
	}
	return s
}

// plain reports whether s holds only characters that may stand unquoted.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == utf8.RuneError || r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r))
	})
}

// usuallyAsked returns the node that is asked for where nothing says which: what a
// number is made per, else the last variable before the clauses, which begin after n
// nodes; -1 for none.
func (p *Pattern) usuallyAsked(n int) int {
	if p.Measure != nil && p.Measure.Per >= 0 {
		return p.Measure.Per
	}
	if last := lastVariable(p.Nodes[:n]); last >= 0 || p.Measure == nil || p.Measure.Property == "" {
		return last
	}
	return p.Measure.Node // what the statement of one triple says
}

func lastVariable(nodes []Node) int {
	for i, n := range slices.Backward(nodes) {
		if n.Variable {
			return i
		}
	}
	return -1
}

// ParseText reads the one-line form of a pattern that a person can write:
//
//	pattern  = (paths | "path" node "to" node | "describe" node | "compare" node "with" node) { "|" clause }
//	paths    = path { ";" path }
//	path     = node { edge node }
//	edge     = "-" relation "->"     the left node is the head
//	         | "<-" relation "-"     the right node is the head
//	         | "-" relation "-"      either way
//	relation = (text | "quoted text" | "?" | nothing) ["+"] [conditions]
//	           "?" and nothing mean any relation; "+" means a chain of one or more
//	conditions = "[" condition { "," condition } "]"   what its statement says
//	condition  = property [".." property] ("<" | "<=" | "=" | ">=" | ">") value
//	           two properties are the ends of an interval; names and values with
//	           any of , ] = < > " . are quoted
//	node     = "(" text ")"                    known, taken as it is written
//	         | "(" "quoted text"[:Type] ")"    known, for ( ) " and for types
//	         | "(?" name [":" Type] ")"        a variable; "(?)" is a new one
//	clause   = "find" ref | "count" ref | "describe" ref | "verify" | "not" | filter
//	         | ("without" | "either" | "or" | "only") part
//	         | ("at least" | "at most" | "exactly" | "more than" | "fewer than") (number | ref) "?"name ":" part
//	           a ref: as many as there are with it in the place of what the first edge joins
//	         | "share" ref       of all of its kind, in percent
//	         | "count" ref ["per" ["every"] ref [having]]
//	         | ("count" | number) function      one number of those per something
//	         | number (ref "of" ref | property [".." property] "of" path) ["per" ref [having]]
//	           two properties: how long it was so between them, in years
//	         | "values" property [".." property] "of" path      each as it is said
//	         | ("difference" | "ratio") ref "to" ref
//	           a name as the second: of the counts of the first with it in the place of the first name
//	         | ("largest" ["and smallest"] | "smallest" ["and largest"]) (ref ["per" ref] | function) [how many ["after" number]]
//	         | "reuse variables" | "reuse all"
//	         | "within" number | "shortest" number | "via" node | "avoiding" node   after "path"
//	part     = paths ["where" filter {"and" filter}]
//	number   = "sum" | "average" | "median" | "least" | "most"
//	having   = "where" function ("<" | "<=" | "=" | ">=" | ">") number [unit] {"and" …}
//	filter   = ref ("<" | "<=" | "=" | ">=" | ">" | "!=") (number [unit] | ref [("+" | "-") number])
//	           "!=" between two refs: they are different things
//	ref      = "?"name | node
//
// The same name is the same node; "#2" after it is another node of that name. Without
// find, count, verify or describe, what a number is made per is asked for, or the last
// variable that is first mentioned before the clauses, and a pattern without variables
// there is verified, but where the values of a property are asked for. "or" follows "either"; a function is that of the pattern's measure;
// the path of a property is an edge of the pattern, written again.
func ParseText(text string) (p *Pattern, err error) {
	defer bail.To(&err)
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: it has %d bytes; at most %d are read", ErrText, len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: it is not valid UTF-8", ErrText)
	}
	r := &reader{text: text, ids: map[string]int{}, p: &Pattern{Asked: -1}, asked: -1}
	r.read()
	return r.p, nil
}

// reader reads by recursive descent, and leaves it by a bail.Out where it cannot.
type reader struct {
	text    string
	at      int // byte offset
	p       *Pattern
	ids     map[string]int // by the node's name as written in canonical form
	unnamed []int          // nodes written "(?)"
	outside int            // how many nodes stand before the clauses
	asked   int
	task    string // find, count, verify, describe, path, compare or empty
	ordered Func   // what the pattern is ordered by, where that is its measure
}

func (r *reader) fail(format string, args ...any) bail.Out {
	rest := r.text[r.at:]
	if len(rest) > 24 {
		rest = rest[:24] + "…"
	}
	where := fmt.Sprintf("at character %d, before %q", utf8.RuneCountInString(r.text[:r.at])+1, strings.ToValidUTF8(rest, ""))
	if rest == "" {
		where = "at its end"
	}
	return bail.Out{Err: fmt.Errorf("%w %s: %s", ErrText, where, fmt.Sprintf(format, args...))}
}

func (r *reader) space() {
	for r.at < len(r.text) {
		c, n := utf8.DecodeRuneInString(r.text[r.at:])
		if !unicode.IsSpace(c) {
			return
		}
		r.at += n
	}
}

// take moves past s and reports whether it stood there.
func (r *reader) take(s string) bool {
	if strings.HasPrefix(r.text[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

func (r *reader) read() {
	if !r.lead() {
		r.paths()
	}
	r.space()
	r.outside = len(r.p.Nodes)
	for r.take("|") {
		r.clause()
		r.space()
	}
	if r.at < len(r.text) {
		panic(r.fail("expected an edge such as -borders->, or the end"))
	}
	if o := r.p.Order; o != nil && o.Node == Measured && (r.p.Measure == nil || r.p.Measure.Func != r.ordered) {
		panic(r.fail("expected what largest or smallest %s is computed from, such as | %[1]s %s", r.ordered, map[bool]string{true: "?film per ?director", false: "?km of ?river per ?country"}[r.ordered == CountOf]))
	}
	r.nameUnnamed()
	r.settle()
}

// paths reads paths up to a clause or the end.
func (r *reader) paths() {
	for {
		r.space()
		r.path()
		r.space()
		if !r.take(";") {
			return
		}
	}
}

// settle decides what is asked for.
func (r *reader) settle() {
	switch last := r.p.usuallyAsked(r.outside); {
	case r.task == "path":
		r.p.Task, r.p.Asked = Connect, -1
	case r.task == "compare":
		r.p.Task, r.p.Asked = Contrast, -1
	case r.task == "describe":
		r.p.Task, r.p.Asked = Describe, r.asked
	case r.task == "verify" || r.task == "" && last < 0:
		r.p.Task, r.p.Asked = Verify, -1
	case r.task == "":
		r.p.Task, r.p.Asked = Find, last
	case r.task == "count":
		r.p.Task, r.p.Asked = Count, r.asked
	default:
		r.p.Task, r.p.Asked = Find, r.asked
	}
}

// nameUnnamed gives every "(?)" the first free number as its name.
func (r *reader) nameUnnamed() {
	k := 1
	for _, n := range r.unnamed {
		for ; ; k++ {
			if _, taken := r.ids["?"+strconv.Itoa(k)]; !taken {
				break
			}
		}
		r.p.Nodes[n].Text = "?" + strconv.Itoa(k)
		k++
	}
}

func (r *reader) path() {
	left := r.node()
	for {
		r.space()
		e := Edge{From: left, Direction: Either}
		backward := false
		switch {
		case r.take("<-"):
			backward = true
		case r.take("-"):
		default:
			return
		}
		arrow := r.relation(&e, backward)
		r.space()
		right := r.node()
		e.To = right
		if backward {
			e.From, e.To = right, left
		}
		if backward || arrow {
			e.Direction = Forward
		}
		r.p.Edges = append(r.p.Edges, e)
		left = right
	}
}

// relation reads the text of an edge, its conditions and its closing, and reports
// whether it closed with an arrow.
func (r *reader) relation(edge *Edge, backward bool) (arrow bool) {
	start := r.at
	if q, ok := r.quoted(); ok {
		edge.Closure = r.take("+")
		r.space()
		edge.Relation = q
		start = -1
	}
	relationText := func(s string) {
		if start >= 0 {
			s, edge.Closure = strings.CutSuffix(strings.TrimSpace(s), "+")
			if edge.Relation = strings.TrimSpace(s); edge.Relation == "?" {
				edge.Relation = ""
			}
			start = -1
		}
	}
	for i := r.at; i < len(r.text); i++ {
		if r.text[i] == '[' && edge.Conditions == nil {
			relationText(r.text[r.at:i])
			r.at = i + 1
			edge.Conditions = r.conditions()
			r.space()
			i = r.at - 1
			continue
		}
		if r.text[i] != '-' {
			if start < 0 || strings.IndexByte("()\"\\;|<>", r.text[i]) >= 0 {
				break
			}
			continue
		}
		after := r.text[i+1:]
		isArrow := strings.HasPrefix(after, ">")
		if !isArrow && !strings.HasPrefix(strings.TrimLeftFunc(after, unicode.IsSpace), "(") {
			if start < 0 {
				break
			}
			continue // a hyphen within the relation
		}
		if isArrow && backward {
			panic(r.fail("an edge can have only one arrowhead"))
		}
		relationText(r.text[r.at:i])
		r.at = i + 1
		if isArrow {
			r.at++
		}
		return isArrow
	}
	panic(r.fail("expected the end of the relation, such as -> or - before the next (node)"))
}

func (r *reader) quoted() (string, bool) {
	if !strings.HasPrefix(r.text[r.at:], `"`) {
		return "", false
	}
	q, err := strconv.QuotedPrefix(r.text[r.at:])
	if err != nil {
		panic(r.fail("the quoted text is not closed or has an invalid escape"))
	}
	s, err := strconv.Unquote(q)
	if err != nil || !utf8.ValidString(s) {
		panic(r.fail("the quoted text has an invalid escape"))
	}
	r.at += len(q)
	return s, true
}

// node reads a node in parentheses and returns its index.
func (r *reader) node() int {
	if !r.take("(") {
		panic(r.fail("expected a node such as (Austria) or (?country)"))
	}
	r.space()
	var n Node
	number := 1
	if r.take("?") {
		n.Variable = true
		n.Text, number = r.variableName()
		n.Type = r.typeHint()
	} else if q, ok := r.quoted(); ok {
		n.Text = q
		number = r.number()
		n.Type = r.typeHint()
	} else {
		n.Text = r.bareText()
	}
	r.space()
	if !r.take(")") {
		panic(r.fail("expected ) after the node"))
	}
	return r.intern(n, number)
}

func (r *reader) intern(n Node, number int) int {
	if n.Variable && n.Text == "?" {
		if len(r.p.Nodes) == maxNodes {
			panic(r.fail("a pattern has at most %d nodes", maxNodes))
		}
		r.unnamed = append(r.unnamed, len(r.p.Nodes))
		r.p.Nodes = append(r.p.Nodes, n)
		return len(r.p.Nodes) - 1
	}
	key := nodeKey(n, number)
	id, ok := r.ids[key]
	if !ok {
		if number > 1 {
			if _, before := r.ids[nodeKey(n, number-1)]; !before {
				panic(r.fail("%s#%d comes before #%d", n.Text, number, number-1))
			}
		}
		if len(r.p.Nodes) == maxNodes {
			panic(r.fail("a pattern has at most %d nodes", maxNodes))
		}
		id = len(r.p.Nodes)
		r.ids[key] = id
		r.p.Nodes = append(r.p.Nodes, n)
		return id
	}
	switch had := r.p.Nodes[id].Type; {
	case n.Type == "" || had == n.Type:
	case had == "":
		r.p.Nodes[id].Type = n.Type
	default:
		panic(r.fail("%s is of type %q here and %q before", n.Text, n.Type, had))
	}
	return id
}

// nodeKey tells nodes apart: variables by name, known nodes by text.
func nodeKey(n Node, number int) string {
	key := n.Text
	if !n.Variable {
		key = "=" + n.Text
	}
	if number > 1 {
		key += "\x00" + strconv.Itoa(number)
	}
	return key
}

// variableName reads what follows the question mark.
func (r *reader) variableName() (name string, number int) {
	if q, ok := r.quoted(); ok {
		name = q
	} else {
		name = r.bare()
	}
	number = r.number()
	return "?" + name, number
}

// bare reads letters, digits, underscores and inner spaces.
func (r *reader) bare() string {
	start := r.at
	for r.at < len(r.text) {
		c, n := utf8.DecodeRuneInString(r.text[r.at:])
		if c != '_' && c != ' ' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		r.at += n
	}
	s := strings.TrimRight(r.text[start:r.at], " ")
	r.at = start + len(s)
	return s
}

// run reads the characters from one to another, such as the digits.
func (r *reader) run(first, last byte) string {
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= first && r.text[r.at] <= last {
		r.at++
	}
	return r.text[start:r.at]
}

func (r *reader) number() int {
	if !r.take("#") {
		return 1
	}
	n, err := strconv.Atoi(r.run('0', '9'))
	if err != nil || n < 1 || n > maxNodes {
		panic(r.fail("expected a small number after #"))
	}
	return n
}

func (r *reader) typeHint() string {
	r.space()
	if !r.take(":") {
		return ""
	}
	r.space()
	if q, ok := r.quoted(); ok {
		return strings.TrimSpace(q)
	}
	t := r.bare()
	if t == "" {
		panic(r.fail("expected a type after the colon"))
	}
	return t
}

// bareText reads the text of a known node up to the parenthesis that closes it.
func (r *reader) bareText() string {
	depth := 0
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				s := strings.TrimSpace(r.text[r.at:i])
				if s == "" {
					panic(r.fail("a node needs a name; (?) is a node that can be anything"))
				}
				r.at = i
				return s
			}
		}
	}
	panic(r.fail("expected ) after the node"))
}

func (r *reader) clause() {
	r.space()
	switch c := r.peek(); {
	case r.task == "path":
		r.connection()
		return
	case r.task == "compare":
		panic(r.fail("expected nothing after two entities to compare"))
	case c == '?' || c == '(':
		r.p.Filters = append(r.p.Filters, r.filter())
		return
	}
	start := r.at
	word := r.run('a', 'z')
	r.space()
	switch word {
	case "find", "count", "verify", "describe":
		r.asks(word, start)
	case "not":
		r.p.Negated = true
	case "without":
		r.branch(Branch{Kind: Without})
	case "either":
		r.branch(Branch{Kind: OneOf})
	case "or":
		r.branch(Branch{Kind: OrElse})
	case "only":
		r.branch(Branch{Kind: Only})
	case "sum":
		r.measure(Sum)
	case "average":
		r.measure(Average)
	case "least":
		r.measure(Least)
	case "most":
		r.measure(Most)
	case "share":
		r.measure(Share)
	case "difference":
		r.measure(Difference)
	case "ratio":
		r.measure(Ratio)
	case "values":
		r.measure(Values)
	case "median":
		r.measure(Median)
	case "largest", "smallest":
		r.order(word == "largest")
	case "in":
		r.told()
	case "reuse":
		switch {
		case r.take("variables"):
			r.p.Reuse = ReuseVariables
		case r.take("all"):
			r.p.Reuse = ReuseAll
		default:
			panic(r.fail("expected variables or all after reuse"))
		}
	default:
		b, ok := r.quantity(word)
		if !ok {
			r.at = start
			panic(r.fail("expected find, count, verify, describe, not, without, either, or, only, at least, at most, exactly, more than, fewer than, sum, average, least, most, share, median, difference, ratio, values, largest, smallest, in, reuse or a comparison such as ?year < 1990"))
		}
		r.branch(b)
	}
}

// asks reads what follows a word for a task; a count per something is a measure.
func (r *reader) asks(word string, start int) {
	if word == "count" && r.folds(CountOf) {
		return
	}
	at, n := r.at, -1
	r.space()
	said := word == "count" && r.peek() != '?' && r.peek() != '(' // of the statements of an edge
	if word != "verify" && !said {
		n = r.ref()
	}
	if said || word == "count" && r.takeWord("per") {
		r.at = at
		r.measure(CountOf)
		return
	}
	if r.task != "" {
		r.at = start
		panic(r.fail("find, count, verify or describe can be used only once"))
	}
	r.task, r.asked = word, n
}

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// ref reads a reference to a node that the paths hold.
func (r *reader) ref() int {
	r.space()
	start, nodes := r.at, len(r.p.Nodes)
	var n int
	if r.take("?") {
		name, number := r.refName()
		n = r.intern(Node{Text: name, Variable: true}, number)
	} else {
		n = r.node()
	}
	if len(r.p.Nodes) > nodes {
		name := r.p.Nodes[n].Text
		r.at = start
		panic(r.fail("%s is not part of the pattern", name))
	}
	return n
}

// refName reads a variable's name where a space ends it.
func (r *reader) refName() (string, int) {
	if r.peek() == '"' {
		return r.variableName()
	}
	start := r.at
	name, _, _ := strings.Cut(r.bare(), " ")
	r.at = start + len(name)
	return "?" + name, r.number()
}

func (r *reader) filter() (f Filter) {
	f.Node = r.ref()
	if r.space(); r.take("!=") {
		f.Op = Unequal
		r.space()
	} else {
		f.Op = r.op()
	}
	f.Times = r.times()
	if c := r.peek(); c == '?' || c == '(' || f.Times > 0 {
		than := r.ref()
		f.Than = &than
		sign := 0.0
		switch r.space(); {
		case r.take("+ "):
			sign = 1
		case r.take("- "):
			sign = -1
		}
		if sign != 0 {
			f.Plus = sign * r.decimal("a number")
		}
		return f
	}
	if f.Yearly = r.yearly(); f.Yearly != (kg.Yearly{}) {
		if f.Op != Equal {
			panic(r.fail("a month of any year can be compared only with ="))
		}
		return f
	}
	return r.compared(f)
}

// compared reads the number that a filter compares with, and its unit.
func (r *reader) compared(f Filter) Filter {
	f.Value = r.decimal("a number, a month, or a node such as ?year")
	f.Unit = r.unit()
	return f
}

// decimal reads a number, where what names what else may stand there.
func (r *reader) decimal(what string) float64 {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	v, err := strconv.ParseFloat(r.text[start:r.at], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		r.at = start
		panic(r.fail("expected %s", what))
	}
	return v
}

// yearly reads "May" or "5 May"; the zero value where neither stands here.
func (r *reader) yearly() (y kg.Yearly) {
	end := r.at
	for end < len(r.text) && (r.text[end] == ' ' || unicode.IsLetter(rune(r.text[end])) || unicode.IsDigit(rune(r.text[end]))) {
		end++
	}
	const longest = 2 // words
	fields := strings.Fields(r.text[r.at:end])
	for n := min(longest, len(fields)); n > 0; n-- {
		if y, ok := kg.ParseYearly(strings.Join(fields[:n], " ")); ok {
			last := fields[n-1]
			r.at += strings.Index(r.text[r.at:], last) + len(last)
			return y
		}
	}
	return y
}

// op reads a comparison and the spaces around it.
func (r *reader) op() (o Op) {
	r.space()
	switch {
	case r.take("<="):
		o = AtMost
	case r.take("<"):
		o = Less
	case r.take(">="):
		o = AtLeast
	case r.take(">"):
		o = Greater
	case r.take("="):
		o = Equal
	default:
		panic(r.fail("expected <, <=, =, >= or >"))
	}
	r.space()
	return o
}

func (r *reader) order(descending bool) {
	if r.p.Order != nil {
		panic(r.fail("largest or smallest can be used only once"))
	}
	o := &Order{Node: Measured, Descending: descending, Limit: 1}
	if r.takeWord("and") {
		if o.Both = r.takeWord(map[bool]string{true: "smallest", false: "largest"}[descending]); !o.Both {
			panic(r.fail("expected the other end, such as largest and smallest"))
		}
	}
	measured := false
	for f, word := range funcs {
		if !measured && r.takeWord(word) {
			measured, r.ordered = true, Func(f)
		}
	}
	if !measured {
		o.Node = r.ref()
		if r.space(); r.takeWord("of") {
			of := r.ref()
			o.Of = &of
		}
		if r.takeWord("per") {
			per := r.ref()
			o.Per = &per
		}
	}
	r.space()
	if c := r.peek(); c >= '0' && c <= '9' {
		o.Limit = r.whole(1, "how many")
	}
	if r.takeWord("after") {
		o.Skip = r.whole(1, "how many to skip first")
	}
	r.p.Order = o
}

package pattern

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
//
// What belongs to one graph (linked entities, fixed relations) is left out:
// whoever matches the pattern links it anew.
func Format(p *Pattern) string {
	w := writer{p: p, names: nodeNames(p), end: -1}
	for _, e := range p.Edges {
		w.edge(e)
	}
	w.isolated(len(p.Nodes))
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
	rel := relationText(e.Relation) + ConditionsText(e.Conditions)
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
	last := lastVariable(p.Nodes)
	valid := func(n int) bool { return n >= 0 && n < len(p.Nodes) }
	switch {
	case p.Task == Verify:
		if last >= 0 {
			cs = append(cs, "verify")
		}
	case p.Task == Count && valid(p.Asked):
		cs = append(cs, "count "+w.ref(p.Asked))
	case valid(p.Asked) && p.Asked != last:
		cs = append(cs, "find "+w.ref(p.Asked))
	}
	if p.Negated {
		cs = append(cs, "not")
	}
	for _, f := range p.Filters {
		if valid(f.Node) {
			cs = append(cs, fmt.Sprintf("%s %s %s", w.ref(f.Node), f.Op, numberText(f.Value)))
		}
	}
	if o := p.Order; o != nil && valid(o.Node) {
		word := "smallest"
		if o.Descending {
			word = "largest"
		}
		c := word + " " + w.ref(o.Node)
		if o.Limit != 1 {
			c += " " + strconv.Itoa(o.Limit)
		}
		cs = append(cs, c)
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
			name = strings.TrimPrefix(n.Text, "?")
			if name == "" {
				name = strconv.Itoa(i + 1)
			}
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
	if s != strings.TrimSpace(s) || s == "?" || strings.ContainsAny(s, "-<>()[]\"\\;|") || !plain(s) {
		return quote(s)
	}
	return s
}

// plain reports whether s holds only characters that may stand unquoted.
func plain(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || r != ' ' && !unicode.IsGraphic(r) || r != ' ' && unicode.IsSpace(r) {
			return false
		}
	}
	return true
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
//	pattern  = path { ";" path } { "|" clause }
//	path     = node { edge node }
//	edge     = "-" relation "->"     the left node is the head
//	         | "<-" relation "-"     the right node is the head
//	         | "-" relation "-"      either way
//	relation = (text | "quoted text" | "?" | nothing) [conditions]
//	           "?" and nothing mean any relation
//	conditions = "[" condition { "," condition } "]"   what its statement says
//	condition  = property [".." property] ("<" | "<=" | "=" | ">=" | ">") value
//	           two properties are the ends of an interval; names and values with
//	           any of , ] = < > " . are quoted
//	node     = "(" text ")"                    known, taken as it is written
//	         | "(" "quoted text"[:Type] ")"    known, for ( ) " and for types
//	         | "(?" name [":" Type] ")"        a variable; "(?)" is a new one
//	clause   = "find" ref | "count" ref | "verify" | "not"
//	         | ref ("<" | "<=" | "=" | ">=" | ">") number
//	         | ("largest" | "smallest") ref [how many]
//	         | "reuse variables" | "reuse all"
//	ref      = "?"name | node
//
// The same name is the same node; "#2" after it is another node of that name.
// Without find, count or verify, the last variable that is first mentioned is
// asked for, and a pattern without variables is verified.
func ParseText(text string) (*Pattern, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: it has %d bytes; at most %d are read", ErrText, len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: it is not valid UTF-8", ErrText)
	}
	r := &reader{text: text, ids: map[string]int{}, p: &Pattern{Asked: -1}, asked: -1}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.p, nil
}

type reader struct {
	text    string
	at      int // byte offset
	p       *Pattern
	ids     map[string]int // by the node's name as written in canonical form
	unnamed []int          // nodes written "(?)"
	asked   int
	task    string // find, count, verify or empty
}

func (r *reader) fail(format string, args ...any) error {
	rest := r.text[r.at:]
	if len(rest) > 24 {
		rest = rest[:24] + "…"
	}
	where := fmt.Sprintf("at character %d, before %q", utf8.RuneCountInString(r.text[:r.at])+1, strings.ToValidUTF8(rest, ""))
	if rest == "" {
		where = "at its end"
	}
	return fmt.Errorf("%w %s: %s", ErrText, where, fmt.Sprintf(format, args...))
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

func (r *reader) read() error {
	for {
		r.space()
		if err := r.path(); err != nil {
			return err
		}
		r.space()
		if !r.take(";") {
			break
		}
	}
	for r.take("|") {
		if err := r.clause(); err != nil {
			return err
		}
		r.space()
	}
	if r.at < len(r.text) {
		return r.fail("expected an edge such as -borders->, or the end")
	}
	r.nameUnnamed()
	r.settle()
	return nil
}

// settle decides what is asked for.
func (r *reader) settle() {
	switch last := lastVariable(r.p.Nodes); {
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

func (r *reader) path() error {
	left, err := r.node()
	if err != nil {
		return err
	}
	for {
		r.space()
		e := Edge{From: left, Direction: Either}
		backward := false
		switch {
		case r.take("<-"):
			backward = true
		case r.take("-"):
		default:
			return nil
		}
		var arrow bool
		if e.Relation, e.Conditions, arrow, err = r.relation(backward); err != nil {
			return err
		}
		r.space()
		right, err := r.node()
		if err != nil {
			return err
		}
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
func (r *reader) relation(backward bool) (text string, conditions []Condition, arrow bool, err error) {
	start := r.at
	if q, ok, err := r.quoted(); err != nil {
		return "", nil, false, err
	} else if ok {
		r.space()
		text = q
		start = -1
	}
	relationText := func(s string) {
		if start >= 0 {
			if text = strings.TrimSpace(s); text == "?" {
				text = ""
			}
			start = -1
		}
	}
	for i := r.at; i < len(r.text); i++ {
		if r.text[i] == '[' && conditions == nil {
			relationText(r.text[r.at:i])
			r.at = i + 1
			if conditions, err = r.conditions(); err != nil {
				return "", nil, false, err
			}
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
			return "", nil, false, r.fail("an edge may have only one arrowhead")
		}
		relationText(r.text[r.at:i])
		r.at = i + 1
		if isArrow {
			r.at++
		}
		return text, conditions, isArrow, nil
	}
	return "", nil, false, r.fail("expected the end of the relation, such as -> or - before the next (node)")
}

func (r *reader) quoted() (string, bool, error) {
	if !strings.HasPrefix(r.text[r.at:], `"`) {
		return "", false, nil
	}
	q, err := strconv.QuotedPrefix(r.text[r.at:])
	if err != nil {
		return "", false, r.fail("the quoted text does not end or holds a wrong escape")
	}
	s, err := strconv.Unquote(q)
	if err != nil || !utf8.ValidString(s) {
		return "", false, r.fail("the quoted text holds a wrong escape")
	}
	r.at += len(q)
	return s, true, nil
}

// node reads a node in parentheses and returns its index.
func (r *reader) node() (int, error) {
	if !r.take("(") {
		return 0, r.fail("expected a node such as (Austria) or (?country)")
	}
	r.space()
	var n Node
	var err error
	number := 1
	if r.take("?") {
		n.Variable = true
		if n.Text, number, err = r.variableName(); err != nil {
			return 0, err
		}
		if n.Type, err = r.typeHint(); err != nil {
			return 0, err
		}
	} else if q, ok, err := r.quoted(); err != nil {
		return 0, err
	} else if ok {
		n.Text = q
		if number, err = r.number(); err != nil {
			return 0, err
		}
		if n.Type, err = r.typeHint(); err != nil {
			return 0, err
		}
	} else if n.Text, err = r.bareText(); err != nil {
		return 0, err
	}
	r.space()
	if !r.take(")") {
		return 0, r.fail("expected ) after the node")
	}
	return r.intern(n, number)
}

func (r *reader) intern(n Node, number int) (int, error) {
	if n.Variable && n.Text == "?" {
		if len(r.p.Nodes) == maxNodes {
			return 0, r.fail("a pattern has at most %d nodes", maxNodes)
		}
		r.unnamed = append(r.unnamed, len(r.p.Nodes))
		r.p.Nodes = append(r.p.Nodes, n)
		return len(r.p.Nodes) - 1, nil
	}
	key := nodeKey(n, number)
	id, ok := r.ids[key]
	if !ok {
		if number > 1 {
			if _, before := r.ids[nodeKey(n, number-1)]; !before {
				return 0, r.fail("%s#%d comes before #%d", n.Text, number, number-1)
			}
		}
		if len(r.p.Nodes) == maxNodes {
			return 0, r.fail("a pattern has at most %d nodes", maxNodes)
		}
		id = len(r.p.Nodes)
		r.ids[key] = id
		r.p.Nodes = append(r.p.Nodes, n)
		return id, nil
	}
	switch had := r.p.Nodes[id].Type; {
	case n.Type == "" || had == n.Type:
	case had == "":
		r.p.Nodes[id].Type = n.Type
	default:
		return 0, r.fail("%s is of type %q here and %q before", n.Text, n.Type, had)
	}
	return id, nil
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
func (r *reader) variableName() (name string, number int, err error) {
	if q, ok, err := r.quoted(); err != nil {
		return "", 0, err
	} else if ok {
		name = q
	} else {
		name = r.bare()
	}
	if number, err = r.number(); err != nil {
		return "", 0, err
	}
	return "?" + name, number, nil
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

func (r *reader) number() (int, error) {
	if !r.take("#") {
		return 1, nil
	}
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(r.text[start:r.at])
	if err != nil || n < 1 || n > maxNodes {
		return 0, r.fail("expected a small number after #")
	}
	return n, nil
}

func (r *reader) typeHint() (string, error) {
	r.space()
	if !r.take(":") {
		return "", nil
	}
	r.space()
	if q, ok, err := r.quoted(); err != nil || ok {
		return strings.TrimSpace(q), err
	}
	t := r.bare()
	if t == "" {
		return "", r.fail("expected a type after the colon")
	}
	return t, nil
}

// bareText reads the text of a known node up to the parenthesis that closes it.
func (r *reader) bareText() (string, error) {
	depth := 0
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				s := strings.TrimSpace(r.text[r.at:i])
				if s == "" {
					return "", r.fail("a node needs a name; (?) is a node that may be anything")
				}
				r.at = i
				return s, nil
			}
		}
	}
	return "", r.fail("expected ) after the node")
}

func (r *reader) clause() error {
	r.space()
	if c := r.peek(); c == '?' || c == '(' {
		return r.filter()
	}
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= 'a' && r.text[r.at] <= 'z' {
		r.at++
	}
	word := r.text[start:r.at]
	r.space()
	switch word {
	case "find", "count", "verify":
		if r.task != "" {
			r.at = start
			return r.fail("find, count or verify may stand only once")
		}
		r.task = word
		if word == "verify" {
			return nil
		}
		n, err := r.ref()
		r.asked = n
		return err
	case "not":
		r.p.Negated = true
		return nil
	case "largest", "smallest":
		return r.order(word == "largest")
	case "reuse":
		switch {
		case r.take("variables"):
			r.p.Reuse = ReuseVariables
		case r.take("all"):
			r.p.Reuse = ReuseAll
		default:
			return r.fail("expected variables or all after reuse")
		}
		return nil
	}
	r.at = start
	return r.fail("expected find, count, verify, not, largest, smallest, reuse or a comparison such as ?year < 1990")
}

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// ref reads a reference to a node that the paths hold.
func (r *reader) ref() (int, error) {
	r.space()
	start, nodes := r.at, len(r.p.Nodes)
	var n int
	var err error
	if r.take("?") {
		var name string
		var number int
		if name, number, err = r.refName(); err == nil {
			n, err = r.intern(Node{Text: name, Variable: true}, number)
		}
	} else {
		n, err = r.node()
	}
	if err != nil {
		return 0, err
	}
	if len(r.p.Nodes) > nodes {
		name := r.p.Nodes[n].Text
		r.at = start
		return 0, r.fail("%s is not part of the pattern", name)
	}
	return n, nil
}

// refName reads a variable's name where a space ends it.
func (r *reader) refName() (string, int, error) {
	if r.peek() == '"' {
		return r.variableName()
	}
	start := r.at
	name, _, _ := strings.Cut(r.bare(), " ")
	r.at = start + len(name)
	number, err := r.number()
	return "?" + name, number, err
}

func (r *reader) filter() error {
	n, err := r.ref()
	if err != nil {
		return err
	}
	f := Filter{Node: n}
	if f.Op, err = r.op(); err != nil {
		return err
	}
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	f.Value, err = strconv.ParseFloat(r.text[start:r.at], 64)
	if err != nil || math.IsInf(f.Value, 0) || math.IsNaN(f.Value) {
		r.at = start
		return r.fail("expected a number")
	}
	r.p.Filters = append(r.p.Filters, f)
	return nil
}

// op reads a comparison and the spaces around it.
func (r *reader) op() (o Op, err error) {
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
		return o, r.fail("expected <, <=, =, >= or >")
	}
	r.space()
	return o, nil
}

func (r *reader) order(descending bool) error {
	if r.p.Order != nil {
		return r.fail("largest or smallest may stand only once")
	}
	n, err := r.ref()
	if err != nil {
		return err
	}
	r.space()
	o := &Order{Node: n, Descending: descending, Limit: 1}
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	if digits := r.text[start:r.at]; digits != "" {
		if o.Limit, err = strconv.Atoi(digits); err != nil || o.Limit < 1 {
			r.at = start
			return r.fail("expected a number from 1 on")
		}
	}
	r.p.Order = o
	return nil
}

package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// maxRelations is how many relations of an entity a refusal names.
const maxRelations = 8

// Refuse makes the answer to a question that has none: what was missing, in
// words, and what comes closest. reading is the one that was followed, negative
// for none; closest are matches of part of its pattern, best first; nil is fine.
// g must not be nil; p may be.
func Refuse(g *kg.Graph, p *plan.Plan, reading int, closest []evidence.Candidate) *Answer {
	pt := followed(p, reading)
	if pt == nil {
		a := notRead(g, p)
		if p != nil && p.Claim {
			a.Verdict = NotFound
		}
		return a
	}
	return covered(refuse(g, p, pt, closest))
}

// followed returns the pattern of a reading, or nil where the plan has no such
// reading.
func followed(p *plan.Plan, reading int) *pattern.Pattern {
	if p == nil || reading < 0 || reading >= len(p.Readings) {
		return nil
	}
	return p.Readings[reading].Pattern
}

// notRead refuses a question that no planner could read.
func notRead(g *kg.Graph, p *plan.Plan) *Answer {
	r := &Refusal{Reason: "Not found in this graph: the question was not understood."}
	if g.Triples() == 0 {
		r.Reason = "This graph is empty. Import a file of triples, then ask again."
		return refusal(r)
	}
	if p == nil {
		return refusal(r)
	}
	r.Missing = unnamed(g, p)
	switch p.Doubt {
	case plan.NoMention:
		r.Reason = "No name in the question is in this graph."
	case plan.NoRelation:
		if r.Reason = "Not found in this graph."; p.Reason == "" {
			r.Reason = "Not found in this graph: it is not clear what to look for."
		}
		for _, m := range p.Mentions {
			if len(m.Candidates) > 0 {
				e := m.Candidates[0].Entity
				r.Missing = append(r.Missing, Missing{
					What: "relation", Text: "no relation of " + standsOut(g, e) + " fits the question", Closest: has(g, e),
				})
				break
			}
		}
	case plan.NotSupported:
		if r.Reason = "Questions of this form are not supported yet."; p.Reason != "" {
			r.Reason = "" // which says what was not understood
		}
	case plan.Sure, plan.Ambiguous, plan.Unsure:
	}
	if len(p.Unlinked) > 0 {
		r.Reason = "Not found in this graph: nothing is called " + wording.Choice(say.Quoted(p.Unlinked)) + "."
	}
	if p.Doubt == plan.NoMention {
		// The planner's reason says the same once more.
		if r.Reason += " Use a name as the graph writes it"; g.Entities() > 0 {
			r.Reason += ", such as “" + known(g) + "”"
		}
		r.Reason += "."
	} else if p.Reason != "" {
		r.Reason = strings.TrimSpace(r.Reason + " " + strings.TrimSuffix(wording.OneLine(p.Reason), ".") + ".")
	}
	return refusal(r)
}

// A refusal is not kept waiting by a graph of millions: known looks at so many entities,
// spread over the graph, and reads so many labels at most.
const (
	knownLooks = 1 << 16
	knownReads = 1 << 12
)

// known returns the name with the most triples among those, the first of these: an
// example of what can be asked about. An id such as 24-0701 is none, unless there are
// only such.
func known(g *kg.Graph) string {
	best, most, isName := kg.EntityID(0), -1, false
	for i, read := 0, 0; i < g.Entities() && read < knownReads; i += g.Entities()/knownLooks + 1 {
		e := kg.EntityID(i)
		n := len(g.Out(e))
		if isName && n <= most {
			continue
		}
		read++
		_, value := g.Value(e)
		named := strings.IndexFunc(g.Label(e), unicode.IsLower) >= 0
		if !value && (named && !isName || named == isName && n > most) {
			best, most, isName = e, n, named
		}
	}
	return say.Readable(say.Name(g, best))
}

// refusal makes the answer of a refusal: its reason, then what is missing.
func refusal(r *Refusal) *Answer {
	a := &Answer{Refusal: r, Sentences: []Sentence{note(r.Reason)}}
	for i, m := range r.Missing {
		if m.What == "mention" && m.Closest != "" {
			a.Sentences = append(a.Sentences, note(fmt.Sprintf("The closest name to “%s” is “%s”.", m.Text, m.Closest)))
		}
		if m.What == "relation" && m.Closest != "" && !slices.ContainsFunc(r.Missing[:i], func(o Missing) bool { return o.Closest == m.Closest }) {
			a.Sentences = append(a.Sentences, note(m.Closest+"."))
		}
	}
	return a
}

// unnamed lists the names of a plan, which may be nil, that the graph does not have.
func unnamed(g *kg.Graph, p *plan.Plan) (list []Missing) {
	if p == nil {
		return nil
	}
	for _, text := range p.Unlinked {
		list = append(list, Missing{What: "mention", Text: say.Readable(text), Closest: nearName(g, p, text)})
	}
	return list
}

// nearName returns the name nearest to text among the plan's weaker candidates.
func nearName(g *kg.Graph, p *plan.Plan, text string) string {
	for _, m := range p.Mentions {
		if len(m.Candidates) > 0 && strings.Contains(strings.ToLower(text), strings.ToLower(m.Text)) {
			if near := say.Name(g, m.Candidates[0].Entity); !strings.EqualFold(near, text) {
				return near // the name itself would explain nothing
			}
		}
	}
	return ""
}

// refuse refuses a question that was read but has no match. p may be nil.
func refuse(g *kg.Graph, p *plan.Plan, pt *pattern.Pattern, closest []evidence.Candidate) *Answer {
	r := &Refusal{Closest: closest, Missing: append(unnamed(g, p), missingRelations(g, pt)...)}
	if len(closest) == 0 {
		r.Reason = noneReason(g, pt, r.Missing)
		if read := readingOf(p, pt); len(pt.Filters) > 0 && read != "" {
			r.Reason = "Nothing in this graph fits: " + wording.OneLine(read) + "."
		}
		return refusal(r)
	}
	shown := tellingClosest(g, pt, closest)
	pack, _ := evidence.NewPack(shown, 0)
	lead := "The closest match: "
	var said []Sentence
	for i, c := range shown {
		text := clausesOf(g, pack, c)
		if i == 0 {
			unmet := unmetBy(g, pt, c)
			r.Reason = closestReason(pt, c, unmet)
			for _, u := range unmet {
				r.Missing = append(r.Missing, Missing{What: "match", Text: u, Closest: WithoutMarks(text)})
			}
		}
		if text != "" {
			cites, _ := evidence.NewPack([]evidence.Candidate{c}, 0)
			said = append(said, Sentence{Text: lead + text + ".", Citations: numbers(pack, cites.Triples)})
			lead = "Also close: "
		}
	}
	a := refusal(r)
	a.Pack = pack
	a.Sentences = append(a.Sentences, said...)
	return a
}

// numbers returns the citation numbers of triples.
func numbers(pack evidence.Pack, ts []kg.TripleID) []int {
	return wording.Each(ts, pack.Number)
}

// tellingClosest returns the first of the closest matches, and the next one
// that fails something else.
func tellingClosest(g *kg.Graph, pt *pattern.Pattern, closest []evidence.Candidate) []evidence.Candidate {
	first := unmetBy(g, pt, closest[0])
	for _, c := range closest[1:] {
		if !slices.Equal(first, unmetBy(g, pt, c)) {
			return []evidence.Candidate{closest[0], c}
		}
	}
	return closest[:1]
}

// unmetBy says what a match of part of the pattern does not meet.
func unmetBy(g *kg.Graph, pt *pattern.Pattern, c evidence.Candidate) []string {
	other := func(i int) bool {
		n := pt.Nodes[i]
		return !n.Variable && len(n.Entities) > 0 && c.Nodes[i] != kg.NoEntity && !slices.Contains(n.Entities, c.Nodes[i])
	}
	var unmet []string
	for i, e := range pt.Edges {
		if c.Edges[i] == kg.NoTriple || other(e.From) || other(e.To) {
			unmet = append(unmet, edgeText(g, pt, i))
		}
	}
	for _, f := range pt.Filters {
		if e := c.Nodes[f.Node]; e != kg.NoEntity {
			unmet = append(unmet, failed(g, f, e)...)
		}
	}
	return unmet
}

// closestReason says how much of the pattern the closest match meets.
func closestReason(pt *pattern.Pattern, c evidence.Candidate, unmet []string) string {
	if len(unmet) == 0 {
		return fmt.Sprintf("Not found in this graph: the closest match is too far from what was asked (distance %.2f; 0 is exact, lower is closer).", c.Distance)
	}
	all := len(pt.Edges) + len(pt.Filters)
	met := max(0, all-len(unmet))
	if all == 1 {
		return "Not found in this graph: that " + wording.List(unmet) + "."
	}
	return fmt.Sprintf("Not found in this graph: nothing meets %s. The closest match meets %d, but not that %s.", wording.Every(all, "condition", "conditions"), met, wording.List(unmet))
}

// readingOf is how a plan words the reading with a pattern; "" for none.
func readingOf(p *plan.Plan, pt *pattern.Pattern) string {
	if p != nil {
		for _, r := range p.Readings {
			if r.Pattern == pt {
				return r.Text
			}
		}
	}
	return ""
}

// noneReason says why not even a part of the pattern was found.
func noneReason(g *kg.Graph, pt *pattern.Pattern, missing []Missing) string {
	for _, m := range missing {
		if m.What == "relation" {
			return "Not found in this graph: " + m.Text + "."
		}
	}
	if len(pt.Edges) == 0 {
		return "Not found in this graph: no entity of that kind."
	}
	var said []string
	for i := range pt.Edges {
		said = append(said, edgeText(g, pt, i))
	}
	return "Not found in this graph: that " + wording.List(said) + "."
}

// missingRelations lists the known entities that have no triple of a relation
// that the pattern wants of them, with the relations that they do have.
func missingRelations(g *kg.Graph, pt *pattern.Pattern) []Missing {
	var out []Missing
	for _, e := range pt.Edges {
		if len(e.Fixed) == 0 {
			continue
		}
		for _, end := range []int{e.From, e.To} {
			n := pt.Nodes[end]
			if n.Variable || len(n.Entities) == 0 || slices.ContainsFunc(n.Entities, func(x kg.EntityID) bool { return takesPart(g, x, e.Fixed) }) {
				continue
			}
			texts := wording.Each(e.Fixed, func(r kg.RelationID) string { return say.Readable(g.RelationText(r)) })
			x := n.Entities[0]
			out = append(out, Missing{
				What: "relation", Text: fmt.Sprintf("%s has no “%s”", say.Name(g, x), strings.Join(texts, "” or “")), Closest: has(g, x),
			})
		}
	}
	return out
}

// takesPart reports whether e is head or tail of a triple with one of rs.
func takesPart(g *kg.Graph, e kg.EntityID, rs []kg.RelationID) bool {
	return slices.ContainsFunc(rs, func(r kg.RelationID) bool { return len(g.OutBy(e, r)) > 0 || len(g.InBy(e, r)) > 0 })
}

// has lists the relations that an entity takes part in.
func has(g *kg.Graph, e kg.EntityID) string {
	var texts []string
	for _, es := range [][]kg.Edge{g.Out(e), g.In(e)} {
		for i, x := range es {
			if i > 0 && es[i-1].Relation == x.Relation {
				continue
			}
			if t := "“" + say.Readable(g.RelationText(x.Relation)) + "”"; !slices.Contains(texts, t) {
				texts = append(texts, t)
			}
		}
	}
	if len(texts) == 0 {
		return say.Name(g, e) + " has no triples"
	}
	return "Relations of " + standsOut(g, e) + " in the graph: " + wording.Few(texts, maxRelations)
}

// standsOut is the name of e, in quotes where it would read as part of the sentence: “in reserve”.
func standsOut(g *kg.Graph, e kg.EntityID) string {
	name := say.Name(g, e)
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) || len(name) == 1 {
		return name
	}
	return wording.Quote(name)
}

// edgeText says what an edge of the pattern states.
func edgeText(g *kg.Graph, pt *pattern.Pattern, i int) string {
	e := pt.Edges[i]
	from, to := nodeText(g, pt.Nodes[e.From]), nodeText(g, pt.Nodes[e.To])
	relation := say.Readable(e.Relation)
	if len(e.Fixed) > 0 {
		relation = say.Readable(g.RelationText(e.Fixed[0]))
		if e.Direction == pattern.Either && !along(g, e.Fixed[0], pt.Nodes[e.From].Entities, pt.Nodes[e.To].Entities) {
			from, to = to, from
		}
	}
	if relation == "" {
		return from + " is connected to " + to
	}
	_, value := kg.ParseValue(to)
	return say.ClauseOf(relation).Say([]string{from}, []string{to}, value)
}

// along guesses which end of a relation that may lie either way is the head:
// the one that the graph has as a head of it, or that does not turn up as a
// tail.
func along(g *kg.Graph, r kg.RelationID, from, to []kg.EntityID) bool {
	score := 0
	for _, e := range from {
		score += min(1, len(g.OutBy(e, r))) - min(1, len(g.InBy(e, r)))
	}
	for _, e := range to {
		score += min(1, len(g.InBy(e, r))) - min(1, len(g.OutBy(e, r)))
	}
	return score >= 0
}

// nodeText names a node of the pattern: its entity, or what a variable stands
// for.
func nodeText(g *kg.Graph, n pattern.Node) string {
	switch {
	case !n.Variable && len(n.Entities) > 0:
		return say.Name(g, n.Entities[0])
	case !n.Variable:
		return "“" + say.Readable(n.Text) + "”"
	case n.Type != "":
		return "some " + say.Readable(n.Type)
	}
	// Short names such as "?x" mean nothing to people.
	const telling = 3
	if t := say.Readable(strings.TrimLeft(n.Text, "?")); len(t) >= telling && !strings.ContainsAny(t, "0123456789") {
		return "some " + t
	}
	return "something"
}

// failed says which filter a value fails.
func failed(g *kg.Graph, f pattern.Filter, e kg.EntityID) []string {
	v, ok := g.Value(e)
	if !ok {
		return []string{fmt.Sprintf("%s is a number or a date", say.Name(g, e))}
	}
	if f.Holds(v) {
		return nil
	}
	return []string{fmt.Sprintf("%s is %s %s", say.Name(g, e), f.Op.Words(), strconv.FormatFloat(f.Value, 'f', -1, 64))}
}

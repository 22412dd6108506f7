package answer

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/say"
	"cairn/internal/wording"
)

const (
	// MaxNames is how many answers a sentence lists.
	MaxNames = 12
	// maxExplained is how many answers get a sentence of their own, where their
	// evidence is more than one triple.
	maxExplained = 5
	// maxSupport is how many further triples a pack holds beside the evidence of
	// the answers: other matches that say the same.
	maxSupport = 200
)

// andMore begins the note that the sentences of a direct answer leave some out.
const andMore = "And "

// Found is what a retriever found, with what wording it takes.
type Found struct {
	evidence.Found
	// Who names the method within a sentence: "the trained network".
	Who string
	// Reads says that it reads questions by itself: each answer then has the probability of the
	// reading, and not a part of it.
	Reads bool
	check.Words
}

// Make makes the answer of a plan from what was found: the matches of a reading, or the
// paths from the entities that the plan begins at.
func Make(g *kg.Graph, p *plan.Plan, reading int, f Found) *Answer {
	if len(p.Seeds) > 0 {
		return Ranked(g, p, reading, f)
	}
	pt := followed(p, reading)
	if pt == nil {
		return Direct(g, p, reading, f)
	}
	var told []string
	for _, t := range pt.AllFilters() {
		if t.Told != "" && !slices.Contains(told, t.Told+".") {
			told = append(told, t.Told+".")
		}
	}
	if !pt.IsPlain() {
		f.Notes = slices.Concat(told, f.Notes)
		a := Evaluated(g, pt, f)
		return withNotes(a, inUnit(g, pt, a))
	}
	a := Direct(g, p, reading, f)
	if p.Planner == plan.ByHand {
		told = append(told, f.Notes...)
	}
	return withNotes(a, append(told, inUnit(g, pt, a)...))
}

// Direct makes the answer of a reading from its matches alone: the entities
// bound to the asked node, or the verdict on a claim, in sentences that cite
// the triples, and a refusal where nothing matches.
//
// Its sentences are Covered: each clause is one of the cited triples, worded by
// TripleText. Notes stay Unchecked.
func Direct(g *kg.Graph, p *plan.Plan, reading int, f Found) *Answer {
	pt := followed(p, reading)
	switch {
	case pt == nil:
		return Refuse(g, p, reading, f.Closest)
	case pt.Task == pattern.Verify || pt.Asked < 0 || pt.Asked >= len(pt.Nodes):
		return covered(judge(g, p, pt, f))
	case len(f.Candidates) == 0:
		a := Refuse(g, p, reading, f.Closest)
		if c := f.Completeness; c == evidence.TimedOut || c == evidence.CutByBudget {
			a.Sentences = append(a.Sentences, incomplete(c)...)
		}
		return a
	}
	d := &direct{draft: draft{g: g, f: f}, p: pt}
	d.collect()
	d.a.Sentences = d.sentences()
	return covered(&d.a)
}

// covered marks the sentences that are made of triples.
func covered(a *Answer) *Answer {
	for i := range a.Sentences {
		if s := &a.Sentences[i]; !s.Note && len(s.Citations) > 0 {
			s.Check = check.Covered
		}
	}
	return a
}

// draft is an answer in the making.
type draft struct {
	g     *kg.Graph
	f     Found
	a     Answer
	best  []evidence.Candidate // what a.Items[i] is shown with; empty where nothing leads to it
	twins map[string]bool      // names that several items share
}

// direct is an answer of matches in the making.
type direct struct {
	draft

	p *pattern.Pattern
}

// sameDistance is how far apart two equal distances may be.
const sameDistance = 1e-9

// collect fills the items, the count and the pack.
func (d *direct) collect() {
	at := map[kg.EntityID]int{}
	// What is farther away is no evidence for what is nearest: it is another reading
	// of the names.
	nearest := d.f.Candidates
	if d.ranked() {
		nearest = d.withConditions()
	} else if i := slices.IndexFunc(nearest, func(c evidence.Candidate) bool {
		return c.Distance > nearest[0].Distance+sameDistance
	}); i >= 0 {
		nearest = nearest[:i]
	}
	for _, c := range nearest {
		e := c.Nodes[d.p.Asked]
		i, ok := at[e]
		if !ok {
			i = len(d.a.Items)
			at[e] = i
			d.a.Items = append(d.a.Items, Item{Entity: e, Label: say.Name(d.g, e), Distance: c.Distance})
			d.best = append(d.best, c)
		}
		d.a.Items[i].Matches++
	}
	for _, b := range d.f.Answers {
		if i, ok := at[b.Entity]; ok {
			d.a.Items[i].Matches = max(d.a.Items[i].Matches, b.Matches)
		}
	}
	d.sort()
	d.cite(nearest)
}

// cite packs the triples that the items are shown with, then those of further
// candidates, and numbers and counts the items.
func (d *draft) cite(further []evidence.Candidate) {
	own, _ := evidence.NewPack(d.best, 0)
	d.a.Pack, _ = evidence.NewPack(slices.Concat(d.best, further), len(own.Triples)+maxSupport)
	d.a.Count = max(len(d.a.Items), len(d.f.Answers))
	d.twins = map[string]bool{}
	for i, c := range d.best {
		it := &d.a.Items[i]
		it.Citations = cites(d.a.Pack, c)
		_, d.twins[it.Label] = d.twins[it.Label]
	}
}

// sort orders the items by the number of their matches, then by id; where the pattern
// orders by a value, the order of the matches stands. What is described rather than
// named, by its relations to several things, is first ordered by how likely it is to be
// described so.
func (d *direct) sort() {
	if d.p.Order != nil || d.ranked() {
		return
	}
	order, unlikely := make([]int, len(d.best)), make([]float64, len(d.best))
	describes := d.p.Describes(d.g)
	for i := range order {
		order[i] = i
		if describes != nil {
			unlikely[i] = describes(d.a.Items[i].Entity)
		}
	}
	items, best := slices.Clone(d.a.Items), slices.Clone(d.best)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(unlikely[a], unlikely[b]), cmp.Compare(items[b].Matches, items[a].Matches),
			cmp.Compare(items[a].Entity, items[b].Entity),
		)
	})
	for i, o := range order {
		d.a.Items[i], d.best[i] = items[o], best[o]
	}
}

// cites returns the citation numbers of a match, in the order of its edges.
func cites(pack evidence.Pack, c evidence.Candidate) []int {
	out := []int{}
	for _, t := range c.Edges {
		if n := pack.Number(t); t != kg.NoTriple && n > 0 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// marked appends citations to a name: "Vienna [T1][T2]".
func marked(name string, cites []int) string {
	marks := wording.Each(cites, func(n int) string { return fmt.Sprintf("[T%d]", n) })
	return strings.TrimSuffix(name+" "+strings.Join(marks, ""), " ")
}

var citationMarks = regexp.MustCompile(`\s*\[T\d+(?:, T\d+)*\]`)

// WithoutMarks takes out of a sentence what marked appends. It ends with one full stop, also after
// "Mek.".
func WithoutMarks(s string) string {
	s = citationMarks.ReplaceAllString(s, "")
	if strings.HasSuffix(s, "..") && !strings.HasSuffix(s, "...") {
		s = s[:len(s)-1]
	}
	return s
}

// label names an item, with its type or key where others share its name.
func (d *draft) label(i int) string {
	it := d.a.Items[i]
	if it.Entity == kg.NoEntity || !d.twins[it.Label] {
		return it.Label
	}
	return it.Label + " (" + apart(d.g, it.Entity) + ")"
}

// label names an item, also with the value that the pattern filters or orders by.
func (d *direct) label(i int) string {
	if v := d.value(d.best[i]); v != "" {
		return d.draft.label(i) + " (" + v + ")"
	}
	return d.draft.label(i)
}

// apart says what tells an entity from others of its name.
func apart(g *kg.Graph, e kg.EntityID) string {
	if k := say.Readable(g.Key(e)); k != say.Readable(g.Label(e)) {
		return k
	}
	if ts := g.Types(e); len(ts) > 0 {
		return say.Readable(g.TypeLabel(ts[0]))
	}
	return "no. " + strconv.Itoa(int(e))
}

// valueNode is the node of the value that the pattern filters or orders by, where it is not the answer
// itself; -1 for none.
func (d *direct) valueNode() int {
	n := -1
	switch {
	case d.p.Order != nil:
		n = d.p.Order.Node
	case len(d.p.Filters) > 0:
		n = d.p.Filters[0].Node
	}
	if n == d.p.Asked {
		return -1
	}
	return n
}

// value is that value, in the unit that its relation gives.
func (d *direct) value(c evidence.Candidate) string {
	n := d.valueNode()
	if n < 0 || c.Nodes[n] == kg.NoEntity {
		return ""
	}
	value := say.Name(d.g, c.Nodes[n])
	if i := slices.IndexFunc(d.p.Edges, func(e pattern.Edge) bool { return e.To == n }); i >= 0 && c.Edges[i] != kg.NoTriple {
		return say.ClauseOf(say.Readable(d.g.RelationText(d.g.Triple(c.Edges[i]).Relation))).WithUnit(value)
	}
	return value
}

// sentences words the answer.
func (d *direct) sentences() []Sentence {
	if d.f.Partial() {
		return d.partial()
	}
	var out []Sentence
	n := len(d.a.Items)
	switch {
	case d.p.Task == pattern.Count:
		names, cites := listed(d.a.Items, d.a.Count, d.label)
		out = append(out, Sentence{Text: d.counted(names), Citations: cites})
		out = append(out, d.byKind(d.p)...)
	case n == 1:
		if d.p.Order != nil && d.value(d.best[0]) != "" {
			out = append(out, note(fmt.Sprintf("%s has the %s value found.", d.label(0), d.extreme(d.best[0]))))
		}
		out = append(out, d.oneSentence(0, true))
	default:
		out = append(out, d.listSentence())
	}
	if n > 1 && d.p.Task != pattern.Count && len(d.p.Edges) > 1 {
		for i := range min(n, maxExplained) {
			out = append(out, d.oneSentence(i, false))
		}
		out = append(out, more(d.a.Count-maxExplained)...)
	}
	if len(d.p.Edges) == 0 { // they are so by their types, which no triple need say
		for i := range out {
			out[i].Note = out[i].Note || len(out[i].Citations) == 0
		}
	}
	out = slices.Concat(out, approximate(d.g, d.p, d.best[0]), d.namesakes(), incomplete(d.f.Completeness))
	if n < d.a.Count && d.f.Completeness == evidence.Exhaustive {
		out = append(out, note(fmt.Sprintf("The evidence shows %s of them.", wording.Number(n))))
	}
	return out
}

// namesakes warns of a name in the question that the matches take for several
// entities.
func (d *direct) namesakes() []Sentence {
	var out []Sentence
	for i, n := range d.p.Nodes {
		if n.Variable {
			continue
		}
		var meant []kg.EntityID
		isCalled := func(e kg.EntityID) bool {
			return strings.EqualFold(d.g.Label(e), n.Text) || slices.ContainsFunc(d.g.Aliases(e), func(a string) bool { return strings.EqualFold(a, n.Text) })
		}
		called := slices.ContainsFunc(n.Entities, isCalled) // what is not called so is in what is
		for _, c := range d.best {
			if e := c.Nodes[i]; e != kg.NoEntity && !slices.Contains(meant, e) && (!called || isCalled(e)) {
				meant = append(meant, e)
			}
		}
		if len(meant) < 2 {
			continue
		}
		slices.Sort(meant)
		out = append(out, takenFor(d.g, say.Readable(n.Text), meant))
	}
	return out
}

// takenFor warns that a name is taken for each of several entities.
func takenFor(g *kg.Graph, name string, meant []kg.EntityID) Sentence {
	names := wording.Each(meant, func(e kg.EntityID) string {
		if by := apart(g, e); strings.HasPrefix(by, say.Name(g, e)+" (") {
			return by
		}
		return fmt.Sprintf("%s (%s)", say.Name(g, e), apart(g, e))
	})
	return note(fmt.Sprintf("“%s” is the name of %d entities: %s.", name, len(meant), wording.Few(names, MaxNames)))
}

// note is a sentence about the search rather than the graph: it cites nothing.
func note(text string) Sentence { return Sentence{Text: text, Citations: []int{}, Note: true} }

// oneSentence gives the evidence of one answer.
func (d *direct) oneSentence(i int, alone bool) Sentence {
	c, cites := d.best[i], d.a.Items[i].Citations
	if len(cites) == 0 {
		return note(d.label(i) + ".")
	}
	said := d.clauses(c)
	shown := []kg.EntityID{kg.NoEntity, d.a.Items[i].Entity}
	if n := d.valueNode(); n >= 0 {
		shown = append(shown, c.Nodes[n])
	}
	var through []string
	for j, e := range c.Nodes {
		if n := d.p.Nodes[j]; n.Variable && j != d.p.Asked && !slices.Contains(shown, e) && !d.isValue(j) {
			through = append(through, say.Name(d.g, e))
		}
	}
	lead := ""
	switch {
	case len(through) > 0:
		lead = d.label(i) + ", through " + wording.List(through) + ": "
	case !alone && d.twins[d.a.Items[i].Label]:
		lead = d.label(i) + ": "
	}
	return Sentence{Text: say.Capital(lead+said) + ".", Citations: cites}
}

// isValue reports whether node j is there for its value only.
func (d *direct) isValue(j int) bool {
	return (d.p.Order != nil && d.p.Order.Node == j) ||
		slices.ContainsFunc(d.p.Filters, func(f pattern.Filter) bool { return f.Node == j })
}

// extreme is "largest", "smallest", "latest" or "earliest".
func (d *direct) extreme(c evidence.Candidate) string {
	date := false
	for i, e := range d.p.Edges {
		if (e.From == d.p.Order.Node || e.To == d.p.Order.Node) && c.Edges[i] != kg.NoTriple {
			text := d.g.RelationText(d.g.Triple(c.Edges[i]).Relation)
			date = date || strings.Contains(text, "year") || strings.Contains(text, "date")
		}
	}
	if e := c.Nodes[d.p.Order.Node]; e != kg.NoEntity {
		v, _ := d.g.Value(e)
		date = date || v.Kind == kg.DateValue
	}
	switch {
	case date && d.p.Order.Descending:
		return "latest"
	case date:
		return "earliest"
	case d.p.Order.Descending:
		return "largest"
	}
	return "smallest"
}

// clauses says the triples of a match one after the other, each with its mark.
func (d *direct) clauses(c evidence.Candidate) string { return clausesOf(d.g, d.a.Pack, c) }

func clausesOf(g *kg.Graph, pack evidence.Pack, c evidence.Candidate) string {
	var said []string
	seen := map[kg.TripleID]bool{}
	for _, t := range c.Edges {
		if t != kg.NoTriple && !seen[t] {
			seen[t] = true
			said = append(said, marked(say.Triple(g, t), []int{pack.Number(t)}))
		}
	}
	return strings.Join(said, "; ")
}

// listed names the first of items with their marks and says how many more of all there
// are; it also returns the numbers that they cite.
func listed(items []Item, all int, label func(i int) string) (names []string, cites []int) {
	cites = []int{}
	for i, it := range items[:min(len(items), MaxNames)] {
		names = append(names, marked(label(i), it.Citations))
		cites = kg.With(cites, it.Citations...)
	}
	if more := all - len(names); more > 0 {
		names = append(names, wording.Number(more)+" more")
	}
	return names, cites
}

// listSentence names many answers, as one clause where they share the other
// end of a single triple.
func (d *direct) listSentence() Sentence {
	names, cites := listed(d.a.Items, d.a.Count, d.label)
	if d.p.Order == nil {
		plain, _ := listed(d.a.Items, d.a.Count, d.draft.label)
		if text, ok := d.shared(plain); ok {
			return Sentence{Text: text, Citations: cites}
		}
	}
	lead := "There are " + wording.Number(d.a.Count) + " answers: "
	if d.p.Order != nil {
		lead = fmt.Sprintf("With the %s values found: ", d.extreme(d.best[0]))
		if d.p.Order.Limit == 1 {
			lead = fmt.Sprintf("With the %s value found: ", d.extreme(d.best[0]))
		}
	}
	return Sentence{Text: lead + wording.List(names) + ".", Citations: cites, Note: len(cites) == 0}
}

// shared makes one clause for answers that each rest on one triple, all with
// the same relation and the same entity at the other end.
func (d *draft) shared(names []string) (string, bool) {
	var first kg.Triple
	asHead := false // the answers are heads
	for i, c := range d.best {
		if len(c.Edges) != 1 {
			return "", false
		}
		t, e := d.g.Triple(c.Edges[0]), d.a.Items[i].Entity
		if i == 0 {
			first, asHead = t, t.Head == e
		}
		if t.Relation != first.Relation || asHead && (t.Tail != first.Tail || t.Head != e) || !asHead && (t.Head != first.Head || t.Tail != e) {
			return "", false
		}
	}
	c, value := say.ClauseOf(say.Readable(d.g.RelationText(first.Relation))), say.IsValue(d.g, first.Tail)
	heads, tails := []string{say.Name(d.g, first.Head)}, names
	if asHead {
		heads, tails = names, []string{say.Name(d.g, first.Tail)}
	}
	return say.Capital(c.Say(heads, tails, value)) + ".", true
}

// counted says how many answers there are, and which.
func (d *draft) counted(names []string) string {
	least := ""
	if d.f.Completeness != evidence.Exhaustive {
		least = "at least "
	}
	return fmt.Sprintf("In this graph the number is %s%s: %s.", least, wording.Number(d.a.Count), wording.List(names))
}

// byKind says how many of what is counted are of each kind, where several are asked for.
func (d *draft) byKind(p *pattern.Pattern) []Sentence {
	kinds := pattern.ReadKinds(p.Nodes[p.Asked].Type)
	if p.Task != pattern.Count || len(kinds.Any) < 2 || d.f.Completeness != evidence.Exhaustive {
		return nil
	}
	var parts []string
	for _, kind := range kinds.Any {
		isIt := func(t kg.TypeID) bool { return pattern.Fold(d.g.TypeLabel(t)) == pattern.Fold(kind) }
		n, known := 0, false
		for t := range kg.TypeID(d.g.NumTypes()) {
			known = known || isIt(t)
		}
		if !known {
			return nil // nothing of the graph tells which they are
		}
		for _, a := range d.f.Answers {
			if slices.ContainsFunc(d.g.Types(a.Entity), isIt) {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %s", wording.Quote(kind), wording.Number(n)))
	}
	return []Sentence{note("By kind: " + wording.List(parts) + ".")}
}

// approximate says what a match at a distance takes for what.
func approximate(g *kg.Graph, p *pattern.Pattern, c evidence.Candidate) []Sentence {
	if c.Distance <= sameDistance {
		return nil
	}
	var read []string
	for i, dist := range c.NodeDistance {
		if dist > 0 {
			read = append(read, fmt.Sprintf("“%s” was read as %s", say.Readable(p.Nodes[i].Text), say.Name(g, c.Nodes[i])))
		}
	}
	for i, dist := range c.EdgeDistance {
		if dist > 0 && c.Edges[i] != kg.NoTriple {
			read = append(read, fmt.Sprintf("“%s” as “%s”", say.Readable(p.Edges[i].Relation), say.Readable(g.RelationText(g.Triple(c.Edges[i]).Relation))))
		}
	}
	text := fmt.Sprintf("This is the closest match, not an exact one (distance %.2f; 0 is exact, lower is closer)", c.Distance)
	if len(read) > 0 {
		text += ": " + wording.List(read)
	}
	return []Sentence{note(text + ".")}
}

// incomplete warns of a search that did not see everything.
func incomplete(c evidence.Completeness) []Sentence {
	if c == evidence.Exhaustive {
		return nil
	}
	return []Sentence{note(map[evidence.Completeness]string{
		evidence.CutByBudget: "The search reached its size limit, so answers may be missing.",
		evidence.TimedOut:    "The search ran out of time, so answers may be missing.",
		evidence.Relaxed:     "Nothing met every condition of the question, so some were ignored.",
		evidence.Fallback:    "A simpler method found this.",
		evidence.CutByK:      "Only the best matches were kept, so there may be more answers.",
	}[c])}
}

// more says how many answers a sentence leaves out.
func more(n int) []Sentence {
	if n <= 0 {
		return nil
	}
	return []Sentence{note(andMore + wording.Number(n) + " more.")}
}

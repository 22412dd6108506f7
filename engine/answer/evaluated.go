package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// maxCited is how many triples an answer is shown with that many make.
const maxCited = 12

// maxGroups is how many relations of a thing are said.
const maxGroups = 40

// Evaluated makes the answer of a pattern that the evaluator answered: numbers and ranks
// with the triples that make them, what was left out and by which triples, paths and
// descriptions as clauses of triples, and all that a reader must know of how complete
// the graph is taken to be. What has no answer is refused.
func Evaluated(g *kg.Graph, p *pattern.Pattern, f Found) *Answer {
	d := &evaluated{direct{draft: draft{g: g, f: f}, p: p}}
	switch {
	case p.Task == pattern.Verify:
		d.verify()
	case len(f.Candidates) == 0 && len(f.Answers) == 0 && len(f.Groups) == 0:
		d.refuse()
	case p.Task == pattern.Connect:
		d.paths()
	case p.Task == pattern.Describe || p.Task == pattern.Contrast:
		d.facts()
	default:
		d.numbers()
	}
	d.excluded()
	for _, n := range p.Nodes {
		if !n.Variable && len(n.Entities) > 1 {
			d.add(takenFor(g, say.Readable(n.Text), n.Entities))
		}
	}
	withNotes(&d.a, f.Notes)
	d.add(incomplete(f.Completeness)...)
	return covered(&d.a)
}

// evaluated is an answer of the evaluator in the making.
type evaluated struct{ direct }

func (d *evaluated) add(s ...Sentence) { d.a.Sentences = append(d.a.Sentences, s...) }

// pack numbers the triples of candidates that have none yet.
func (d *evaluated) pack(cs ...evidence.Candidate) {
	more, _ := evidence.NewPack(cs, 0)
	for _, t := range more.Triples {
		if d.a.Pack.Number(t) == 0 {
			d.a.Pack.Triples = append(d.a.Pack.Triples, t)
		}
	}
}

func (d *evaluated) cites(ts []kg.TripleID) []int {
	d.pack(evidence.Candidate{Edges: ts})
	return cites(d.a.Pack, evidence.Candidate{Edges: ts})
}

// verify says whether anything fits a claim.
func (d *evaluated) verify() {
	switch {
	case len(d.f.Candidates) > 0:
		d.a = *stated(d.g, d.p, d.f.Candidates[0], true)
		if len(d.a.Pack.Triples) == 0 {
			d.a.Sentences = []Sentence{note("Nothing in this graph contradicts it.")}
		}
	case len(d.f.Excluded) > 0: // the values compare otherwise
		ts := d.f.Excluded[0].Triples
		d.a = *stated(d.g, d.p, evidence.Candidate{Edges: ts}, false)
		if d.isLessExact(ts) {
			d.a.Verdict = NotFound
			d.a.Sentences = slices.Insert(d.a.Sentences, 0, note("The graph gives the date less exactly than the claim."))
		}
	default:
		d.a.Verdict = NotFound
		d.add(note("Nothing in this graph meets every condition."))
		for _, m := range missing(d.p) {
			if m.What == "mention" {
				m.Text = "nothing in this graph is called " + wording.Quote(m.Text)
			}
			d.add(note(wording.Capital(m.Text) + "."))
		}
	}
}

// isLessExact reports whether triples give a month or a year, some day of which would meet every
// filter.
func (d *evaluated) isLessExact(ts []kg.TripleID) bool {
	const days = 2.0 / 366
	return len(d.p.Filters) > 0 && slices.ContainsFunc(ts, func(t kg.TripleID) bool {
		x, ok := kg.ParseExtent(d.g.Label(d.g.Triple(t).Tail))
		if !ok || x.Kind != kg.DateValue || x.Until-x.Number < days {
			return false
		}
		last := x.Value
		last.Number = math.Nextafter(x.Until, x.Number)
		return !slices.ContainsFunc(d.p.Filters, func(f pattern.Filter) bool {
			return f.Than != nil || !f.Holds(x.Value) && !f.Holds(last)
		})
	})
}

// refuse says that nothing was found, and which of the names and relations are unknown.
func (d *evaluated) refuse() {
	r := &Refusal{Reason: "Nothing in this graph meets every condition."}
	switch {
	case d.p.Task == pattern.Connect:
		r.Reason = "Nothing in this graph connects the two."
	case d.p.IsChoice():
		r.Reason = "As far as this graph shows, none of the choices meets every condition."
		if len(d.p.Branches) == 2 {
			r.Reason = "As far as this graph shows, neither of the two meets every condition."
		}
	}
	r.Missing = missing(d.p)
	d.a.Refusal = r
	d.add(note(r.Reason))
}

// missing are the names and relations of a pattern that the graph does not have.
func missing(p *pattern.Pattern) (list []Missing) {
	for _, n := range p.Nodes {
		if !n.Variable && len(n.Entities) == 0 {
			list = append(list, Missing{What: "mention", Text: n.Text})
		}
	}
	for _, e := range p.AllEdges() {
		if e.Relation != "" && len(e.Fixed) == 0 {
			list = append(list, Missing{What: "relation", Text: "this graph has no relation called " + wording.Quote(e.Relation)})
		}
	}
	return list
}

func (d *evaluated) paths() {
	all := d.f.Stats.Found
	first := d.f.Candidates[0]
	from, to := say.Name(d.g, first.Nodes[0]), say.Name(d.g, first.End())
	steps := len(first.Hops)
	text := fmt.Sprintf("%s and %s are connected by %s", from, to, wording.Count(all, "path", "paths"))
	if last := d.f.Candidates[len(d.f.Candidates)-1]; len(last.Hops) == steps {
		text += fmt.Sprintf(" of %s", wording.Count(steps, "step", "steps"))
	} else {
		text += fmt.Sprintf(", the shortest of %s", wording.Count(steps, "step", "steps"))
	}
	d.add(note(text + "."))
	for _, c := range d.f.Candidates[:min(len(d.f.Candidates), MaxNames)] {
		d.pack(c)
		d.add(Sentence{Text: say.Capital(d.clauses(c)) + ".", Citations: cites(d.a.Pack, c)})
	}
	d.add(more(all - MaxNames)...)
	d.pack(d.f.Candidates...)
	d.a.Count = all
}

// facts says what is said of things, relation by relation, and what two have in common.
func (d *evaluated) facts() {
	for _, a := range d.f.Answers {
		d.item(a, nil)
	}
	if d.a.Count = len(d.a.Items); len(d.f.Groups) == 0 {
		d.add(note(fmt.Sprintf("This graph has no triple about %s.", d.draft.label(0))))
	}
	heading, said := "", 0
	for _, x := range d.f.Groups {
		if h := d.heading(x); h != heading {
			heading, said = h, 0
			d.add(note(h))
		}
		if said++; said <= maxGroups {
			d.add(Sentence{Text: d.group(x), Citations: d.cites(slices.Concat(x.Triples, x.With))})
		}
	}
}

// heading says of what a group and those beside it are.
func (d *evaluated) heading(x evidence.Group) string {
	same := func(o evidence.Group) bool { return o.Entity == x.Entity && o.Side == x.Side }
	facts, relations := 0, 0
	for _, o := range d.f.Groups {
		if same(o) {
			facts, relations = facts+o.Count, relations+1
		}
	}
	count := fmt.Sprintf("%s in %s", wording.Count(facts, "fact", "facts"), wording.Count(relations, "relation", "relations"))
	if relations > maxGroups {
		count += fmt.Sprintf(", of which %d are listed", maxGroups)
	}
	name := say.Name(d.g, x.Entity)
	switch {
	case d.p.Task == pattern.Describe:
		return fmt.Sprintf("What this graph says about %s: %s.", name, count)
	case x.Side == evidence.BothSides:
		return fmt.Sprintf("In common: %s.", count)
	}
	return fmt.Sprintf("Only %s: %s.", name, count)
}

// group says the facts of a group as one clause.
func (d *evaluated) group(x evidence.Group) string {
	var far []string
	for i, t := range x.Triples {
		e := d.g.Triple(t).Tail
		if x.Inward {
			e = d.g.Triple(t).Head
		}
		ts := []kg.TripleID{t}
		if i < len(x.With) {
			ts = append(ts, x.With[i])
		}
		far = append(far, marked(say.Name(d.g, e), d.cites(ts)))
	}
	if more := x.Count - len(far); more > 0 {
		far = append(far, wording.Number(more)+" more")
	}
	near := []string{say.Name(d.g, x.Entity)}
	if x.Side == evidence.BothSides && d.p.Task == pattern.Contrast {
		near = nil
		for _, n := range d.p.Nodes[:2] {
			near = append(near, say.Name(d.g, n.Entities[0]))
		}
	}
	heads, tails := near, far
	value := false
	if x.Inward {
		heads, tails = far, near
	} else {
		value = say.IsValue(d.g, d.g.Triple(x.Triples[0]).Tail)
	}
	return say.Capital(say.ClauseOf(say.Readable(d.g.RelationText(x.Relation))).Say(heads, tails, value)) + "."
}

// item adds an answer with the triples that it is shown with.
func (d *evaluated) item(a evidence.Answer, shown []evidence.Candidate) {
	it := Item{Entity: a.Entity, Label: a.Value, Matches: a.Matches, Amount: a.Amount}
	if a.Entity != kg.NoEntity {
		it.Label = say.Name(d.g, a.Entity)
	}
	var best evidence.Candidate
	for _, c := range shown {
		for _, t := range c.Edges {
			if len(best.Edges) < maxCited && t != kg.NoTriple && !slices.Contains(best.Edges, t) {
				best.Edges = append(best.Edges, t)
			}
		}
	}
	it.Citations = []int{}
	d.a.Items, d.best = append(d.a.Items, it), append(d.best, best)
}

// numbers words what was found, counted, measured or ranked.
func (d *evaluated) numbers() {
	for _, a := range d.f.Answers {
		supports := d.f.SupportsOf(a)
		if d.p.Measure == nil {
			supports = supports[:min(len(supports), 1)]
		}
		d.item(a, supports)
	}
	d.cite(d.f.Candidates)
	d.a.Count = len(d.f.Answers)
	m, o := d.p.Measure, d.p.Order
	label := func(i int) string {
		if a := d.a.Items[i].Amount; a != nil && d.a.Items[i].Entity != kg.NoEntity {
			return d.draft.label(i) + " (" + a.Text + ")"
		}
		return d.draft.label(i)
	}
	names, cited := listed(d.a.Items, d.a.Count, label)
	var text string
	switch ranked := o != nil && o.Limit == 1 && o.Skip == 0 && !o.Both; {
	case m != nil && m.Fold != nil && *m.Fold == pattern.CountOf:
		text = marked("There are "+d.a.Items[0].Label, cited) + "."
	case m != nil && m.Fold != nil:
		text = marked(fmt.Sprintf("The %s number is %s, from %s", strings.TrimSuffix(measureNoun(*m.Fold), " value"), d.a.Items[0].Label, wording.Count(d.a.Items[0].Matches, "count", "counts")), cited) + "."
	case m != nil && m.Func == pattern.Values:
		text = d.valuesSaid(m)
	case m != nil && m.Per < 0:
		text = fmt.Sprintf("The %s%s is %s", measureNoun(m.Func), d.measured(m), d.a.Items[0].Label)
		if n := d.a.Items[0].Matches; m.Func != pattern.CountOf && m.Func != pattern.Share && !m.Func.IsOfTwo() {
			text += fmt.Sprintf(", from %s", wording.Count(n, "value", "values"))
		}
		text = marked(text, cited) + "."
	case m != nil && ranked && o.Node == pattern.Measured && d.a.Items[0].Amount != nil:
		text = d.superlative()
	case d.p.Task == pattern.Count:
		text = d.counted(names)
	case d.a.Count == 1 && d.p.Told != nil && len(d.p.Edges) == 1: // its value is in the triple
		text = say.Capital(d.clauses(d.best[0])) + "."
	case d.a.Count == 1 && d.a.Items[0].Amount == nil && len(cited) > 0:
		text = say.Capital(d.draft.label(0)+": "+d.clauses(d.best[0])) + "."
	case o != nil && o.Node != pattern.Measured:
		text = fmt.Sprintf("With the %s: %s.", d.placed(o), wording.List(names))
	case o != nil:
		text = fmt.Sprintf("With the %s: %s.", d.end(), wording.List(names))
	default:
		text = "The answer is " + wording.List(names) + "."
		if d.a.Count > 1 {
			text = fmt.Sprintf("There are %s answers: %s.", wording.Number(d.a.Count), wording.List(names))
		}
	}
	d.add(Sentence{Text: text, Citations: cited, Note: len(cited) == 0})
	if m == nil {
		d.add(d.byKind(d.p)...)
	}
	if m != nil && m.Per >= 0 && d.a.Count > MaxNames {
		d.add(note("The full table has a row for each."))
	}
}

// valuesSaid gives what statements say, and of which triple where there is one.
func (d *evaluated) valuesSaid(m *pattern.Measure) string {
	names, cited := listed(d.a.Items, d.a.Count, d.draft.label)
	what := d.g.PropertyText(m.Property)
	if m.To != "" {
		what += " and " + d.g.PropertyText(m.To)
	}
	text := say.Capital(what) + ": " + wording.List(names)
	if triple := d.clauses(d.best[0]); triple != "" && len(d.best[0].Edges) == 1 {
		text = say.Capital(triple) + ", " + what + ": " + wording.List(names)
	}
	return marked(text, cited) + "."
}

// measureNoun names what a function makes.
func measureNoun(f pattern.Func) string {
	switch f {
	case pattern.Least:
		return "smallest value"
	case pattern.Most:
		return "largest value"
	case pattern.CountOf:
		return "number"
	case pattern.Sum, pattern.Average, pattern.Share, pattern.Difference, pattern.Ratio, pattern.Values, pattern.Median:
	}
	return f.String()
}

// measured says of what values a number is: " of “price”".
func (d *evaluated) measured(m *pattern.Measure) string {
	if m.Property != "" || m.Func == pattern.CountOf || m.Func == pattern.Share || m.Func.IsOfTwo() {
		return ""
	}
	for _, e := range d.p.Edges {
		if e.To == m.Node && len(e.Fixed) > 0 {
			return " of " + wording.Quote(say.Readable(d.g.RelationText(e.Fixed[0])))
		}
	}
	return ""
}

// end names the end of a ranking by what is measured: "largest sum", "smallest share".
func (d *evaluated) end() string {
	m := d.p.Measure
	noun := measureNoun(m.Func)
	if m.Property != "" && (m.Func == pattern.Most || m.Func == pattern.Least) {
		noun = d.g.PropertyText(m.Property)
	}
	return extremes(d.p.Order) + " " + noun
}

// extremes words which end of a ranking is kept, or that both are.
func extremes(o *pattern.Order) string {
	of := map[bool]string{true: "largest", false: "smallest"}
	if o.Both {
		return of[o.Descending] + " and the " + of[!o.Descending]
	}
	return of[o.Descending]
}

// superlative says who has the most of what is counted, or the largest number.
func (d *evaluated) superlative() string {
	m, o := d.p.Measure, d.p.Order
	of := d.end()
	if m.Func == pattern.CountOf {
		of = map[bool]string{true: "most", false: "fewest"}[o.Descending]
		switch what := say.Readable(strings.TrimPrefix(d.p.Nodes[m.Node].Text, "?")); {
		case lexicon.IsPlural(what):
			of += " " + what
		case len(what) > 2:
			of += " (" + what + ")"
		}
	}
	names, _ := listed(d.a.Items, d.a.Count, d.draft.label)
	verb := "has"
	if d.a.Count > 1 {
		verb = "have"
	}
	return fmt.Sprintf("%s %s the %s: %s.", wording.List(names), verb, of, d.a.Items[0].Amount.Text)
}

// placed says which ranks are kept.
func (d *evaluated) placed(o *pattern.Order) string {
	of := extremes(o)
	switch {
	case o.Skip == 1 && o.Limit == 1:
		of = "second " + of
	case o.Skip == 2 && o.Limit == 1:
		of = "third " + of
	case o.Skip > 0:
		of += fmt.Sprintf(" after the first %d", o.Skip)
	}
	values := " values"
	if o.Limit == 1 && !o.Both {
		values = " value"
	}
	if o.Per != nil {
		return of + values + " of each " + say.Readable(strings.TrimPrefix(d.p.Nodes[*o.Per].Text, "?"))
	}
	return of + values + " found"
}

// excluded says what is no answer, and by which triples.
func (d *evaluated) excluded() {
	if len(d.f.Excluded) == 0 || d.p.Task == pattern.Verify {
		return
	}
	shown := d.f.Excluded[:min(len(d.f.Excluded), maxExplained)]
	var said []string
	var cited []int
	for _, x := range shown {
		c := evidence.Candidate{Edges: x.Triples}
		d.pack(c)
		said = append(said, say.Name(d.g, x.Entity)+": "+d.clauses(c))
		cited = append(cited, cites(d.a.Pack, c)...)
	}
	text := map[bool]string{true: "Compared with: ", false: "Left out: "}[d.p.IsChoice() && d.p.Order != nil] + strings.Join(said, "; ")
	if more := d.f.ExcludedCount - len(shown); more > 0 {
		text += fmt.Sprintf("; and %s more", wording.Number(more))
	}
	d.add(Sentence{Text: text + ".", Citations: kg.Distinct(cited)})
}

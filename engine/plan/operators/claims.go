package operators

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// requested is operate for what has the form of a claim.
func (r *reader) requested(ctx context.Context, p *phrase) (*part, error) {
	if p.match(0, compares) > 0 || slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.says(i, "vs", "versus") }) {
		return r.contrasted(ctx, p)
	}
	if got, err := first(ctx, p, r.kinClaim, r.chosen, r.twoCounts, r.unsaid, r.comparedClaim, r.topClaim, r.commonClaim, r.comparedWithValue, r.onlyOfThem, r.onlyClaim, r.onlyOfKind, r.everyClaim); got != nil || err != nil {
		return got, err
	}
	counted, err := r.countedClaim(p)
	if err != nil || counted != nil && len(counted.unused) == 0 {
		return counted, err
	}
	if got, err := r.quantifiedClaim(ctx, p); got != nil || err != nil || counted != nil {
		return cmp.Or(got, counted), err
	}
	switch {
	case p.says(0, "is there") || p.says(0, "are there"):
		return r.connected(ctx, p)
	case p.isNounPhrase():
		return r.operate(ctx, p) // "films that are not in English" is no sentence
	}
	return nil, nil
}

// comparedWithValue reads a claim that compares a value of one thing with a number or a date:
// "Was X born before 1870?", "X is longer than 2000 km", "Did X open in 1998?". It is nil
// where the claim is none such.
func (r *reader) comparedWithValue(_ context.Context, p *phrase) (*part, error) {
	denied := slices.IndexFunc(upTo(0, p.len()), func(i int) bool {
		return p.says(i, "not") && p.is(i-1, auxiliary) && !r.isBound(p, i) || p.IsContractedNot(i)
	})
	if denied >= 0 { // "X does not have one inhabitant"
		from, to := denied, denied+1
		if p.IsContractedNot(denied) {
			to++
		} else if p.says(denied-1, "do", "does", "did") {
			from--
		}
		p = r.without(p, from, to)
	}
	names := slices.DeleteFunc(p.names(0, p.len()), func(i int) bool { return r.isLiteral(p, i) })
	if len(names) != 1 || r.denies(p) {
		return nil, nil
	}
	reading, doubt, err := r.core.Compare(p.Source, p.mentions, p.known(names[0]))
	switch {
	case err != nil:
		return nil, &refusal{wording.Capital(strings.TrimSuffix(err.Error(), ".")) + "."}
	case reading == nil:
		return nil, nil
	}
	got := &part{pat: reading.Pattern, text: reading.Text}
	if got.pat.Negated = denied >= 0; denied >= 0 {
		got.text = "not " + got.text
	}
	if doubt != "" {
		got.unsure(plan.Unsure, doubt)
	}
	p.doubtNames(got, names...)
	return got, nil
}

// denies reports whether a word of a phrase denies something, and is of no bound: "not before".
func (r *reader) denies(p *phrase) bool {
	return slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return (p.is(i, exclusions) || p.IsContractedNot(i)) && !r.isBound(p, i) })
}

// comparedClaim reads "Is X higher than Y?", "Did X open before Y?" and "X has more films
// than Y"; nil where the text is none.
func (r *reader) comparedClaim(_ context.Context, p *phrase) (*part, error) {
	if r.denies(p) {
		return nil, nil // "did not open before"
	}
	p = r.withoutKinds(p)
	for i := 1; i < p.len(); i++ {
		at, _ := p.afterThan(i)
		if p.isName(i) || p.nameAt(at) == 0 || r.isLiteral(p, at) {
			continue
		}
		c := r.comparison(p, i, at)
		names := p.names(0, p.len())
		if c == nil || len(names) != 2 || names[1] != at || p.nameAt(names[0]) > c.from || p.trim(c.end, p.len()) > c.end {
			continue
		}
		got := &part{pat: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseVariables}}
		got.pat.Nodes = []pattern.Node{p.known(names[0]), p.known(at)}
		p.doubtNames(got, names...)
		if err := p.distance(got, c, p.nameAt(names[0])); err != nil {
			return nil, err
		}
		if err := r.compareTwo(p, got, c, names[0], at); err != nil {
			return nil, err
		}
		r.doubtWords(p, got, func(k int) bool { return k >= c.from && k < at || k >= p.nameAt(at) && k < c.end })
		return got, nil
	}
	return nil, nil
}

// withoutKinds is a phrase without the nouns beside its names that say only what type these are of: "a Ferritin test",
// "lot L-2341".
func (r *reader) withoutKinds(p *phrase) *phrase {
	for _, at := range p.names(0, p.len()) {
		types := r.voc.Graph().Types(p.entitiesOf(at)[0])
		for _, k := range []int{at - 1, p.nameAt(at)} {
			if k >= 0 && k < p.len() && !p.isName(k) && slices.ContainsFunc(p.word(k).Types, func(t kg.TypeID) bool { return slices.Contains(types, t) }) {
				return r.withoutKinds(r.without(p, k, k+1))
			}
		}
	}
	return p
}

// distance refuses a comparison that says how far apart two values are, "50 years after" and
// "10 m higher than", and doubts one that says it in a word, "long after"; it is no more than
// read which is the larger. The words are looked for from word i on.
func (p *phrase) distance(got *part, c *comparison, i int) error {
	for ; i < c.than; i++ {
		if p.isName(i) || c.times > 0 && i >= c.from {
			continue
		}
		_, isNumber := p.number(i)
		switch w := p.word(i); {
		case isNumber && !p.is(i+1, multiplied), p.says(i, "a", "an") && timeSpans[p.word(i+1).Lower]:
			return refuse(p.text(i, c.than+1), "Cairn can compare which is more, but not by how much.")
		case adverbsOfDistance[w.Lower]:
			got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores how far apart %s is.", wording.Quote(w.Text)))
		}
	}
	return nil
}

var (
	adverbsOfDistance = lexicon.Words("adverbs of distance")
	timeSpans         = lexicon.WordSet("year month week fortnight day decade century hour minute")
)

// valuesOf returns the steps to what a comparison compares: to the value that some words name,
// "the population of X is larger than", or else those that the comparison asks for.
func (r *reader) valuesOf(p *phrase, from []int, asked map[schema.Step]float64) map[schema.Step]float64 {
	named := map[schema.Step]float64{}
	for _, i := range from {
		if p.isName(i) {
			continue
		}
		for st, weight := range p.word(i).Weight {
			if weight >= words.StrongCue && r.voc.Schema().Value(st.To()) != schema.NoValue {
				named[st] = weight
			}
		}
	}
	if len(named) > 0 {
		return named
	}
	return asked
}

// compareTwo compares the values that two names have, or how many they have of something.
func (r *reader) compareTwo(p *phrase, got *part, c *comparison, x, y int) error {
	g, s, pat := r.voc.Graph(), r.voc.Schema(), got.pat
	a, b := pat.Nodes[0].Entities[0], pat.Nodes[1].Entities[0]
	best, rival, ok := bestStep(r.valuesOf(p, upTo(0, c.from), c.steps), func(st schema.Step) bool {
		return len(s.Edges(a, st)) > 0 && (c.its != nil || len(s.Edges(b, st)) > 0)
	})
	got.doubtTimes(c)
	if ok && rival && c.steps[best] == loosely {
		return refuse(c.word, fmt.Sprintf("%s may be meant, or another such value.", wording.Quote(g.RelationText(best.Relation()))))
	}
	if ok {
		r.turn(p, got, c, best)
		mine, value := r.extend(pat, 0, best, nil, "value")
		add(pat, mine)
		its, other, err := r.itsValue(p, got, c, 1, best)
		if err != nil {
			return err
		}
		pat.Filters = []pattern.Filter{r.filter(c, value, other, b, its)}
		r.doubtLoose(p, got, c, best)
		if rival {
			got.unsure(plan.Unsure, unclearValue)
		}
		got.text = fmt.Sprintf("%s: %s %s %s", g.Label(a), g.RelationText(best.Relation()), c.opWords(), r.thatValue(best, its, b))
		return nil
	}
	than := slices.IndexFunc(upTo(0, y), func(i int) bool { return i > c.from && p.says(i, "than", "as") && p.afterThe(i+1) == y })
	if len(c.steps) > 0 || than <= c.of || c.of == 0 || !p.isCounted(c.of) {
		return refuse(c.word, fmt.Sprintf("%s and %s do not both have such a value.", wording.Quote(g.Label(a)), wording.Quote(g.Label(b))))
	}
	counted := p.nounOrRole(c.of, than)
	slots, others := r.voc.Slots(a), r.voc.Slots(b)
	j := r.joinsOf(p, -1, counted, upTo(p.nameAt(x), c.from), true, func(st schema.Step) bool {
		has, may := slices.Contains(slots, st.From()), slices.Contains(others, st.From())
		return has && may || (has || may) && r.voc.Graph().ShareType(a, b) // one of them may have none
	})
	if j == nil {
		return refuse(c.word, fmt.Sprintf("no relation in this graph connects both to %s.", wording.Quote(p.word(counted).Text)))
	}
	of, _ := r.narrowed(p, counted, j.step, c.word)
	more, node := r.extend(pat, 0, j.step, of, variableName(p.word(counted)))
	name := 1
	pat.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: more.Edges, Node: node, Op: c.op, Than: &name, Times: c.times}}
	r.doubtJoint(p, got, j, upTo(p.nameAt(x), c.from))
	got.text = fmt.Sprintf("%s has %s %s", g.Label(a), c.many(r.voc.Arrow(j.step)), g.Label(b))
	return nil
}

// Package operators reads the operators of questions: not, or, only, at least, most,
// total, longer than, connected to, indirectly and their like.
//
//	question ─peel─▶ question without the operator ─core─▶ pattern ─apply─▶ pattern
//	                 and its operands
//
// An operator's words are found by their class in assets/english.txt and taken off
// together with what they stand before. What is left is read as if it had been asked
// alone, by the same rules or by the core that reads plain questions, and the operator
// is applied to the patterns that result: operands are told by being about the node that
// is asked for. Words that are part of a name are no operators. What has an operator and
// cannot be read so is refused by the operator's name, and never answered without it.
package operators

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Core reads questions that have no operators.
type Core interface {
	// Read reads such a question.
	Read(ctx context.Context, question string, mentions []link.Mention) (*plan.Plan, error)
	// Things returns a node for all things of the kind that a word of a question names, and
	// what is in doubt.
	Things(q *words.Question, word int) (n pattern.Node, doubt string, ok bool)
	// Compare reads a claim that compares a value of what is known with a number or a date,
	// and says what is in doubt; nil for none. The error says to users why the two cannot be
	// compared.
	Compare(claim string, mentions []link.Mention, known pattern.Node) (reading *plan.Reading, doubt string, err error)
	// Claim reads a claim that has no operators.
	Claim(ctx context.Context, claim string, mentions []link.Mention) (*plan.Plan, error)
	// Answers finds what a plain pattern asks for, where that can be looked at whole.
	Answers(ctx context.Context, p *pattern.Pattern) (es []kg.EntityID, ok bool)
	// Property returns the property by which words from a place on name something that
	// statements of a relation say, a number where only these count, and the word after; "" for
	// none.
	Property(q *words.Question, word int, of kg.RelationID, number bool) (name string, end int)
	// Stated returns what statements of a relation say, of a kind of values or, for NoValue, all.
	Stated(of kg.RelationID, kind schema.ValueKind) []string
	// When returns the properties by which statements of a relation say when it was so, the
	// second one "" where there is one alone; "" for none, or where several may say it.
	When(of kg.RelationID) (property, to string)
	// Said returns what a question says of the statements of a relation that is asked of it, such as when
	// it was so; nil where they cannot say all of that.
	Said(question string, mentions []link.Mention) func(of kg.RelationID) *Said
	// Amount returns the one number that statements of a relation say; "" for none or several.
	Amount(of kg.RelationID, called map[string]bool) string
	// Adds reports whether such numbers of several statements may be added up: amounts of money, and no shares.
	Adds(of kg.RelationID, property string) bool
}

// Said is what a question says of the statements of a relation.
type Said struct {
	Conditions []pattern.Condition
	Text       string // in words
	Starts     []int  // where the words of the question that say it begin
}

// reader reads the operators of one question.
type reader struct {
	core  Core
	voc   *words.Vocabulary
	depth int // of operators in operators
}

// deepest is how many operators may be in one another.
const deepest = 8

// Read reads a question that has operators into a plan; nil where it has none.
// A claim may only be a request to compare two things, or ask for a path.
func Read(ctx context.Context, core Core, voc *words.Vocabulary, question string, mentions []link.Mention, claim bool) (*plan.Plan, error) {
	r := &reader{core: core, voc: voc}
	p := r.phrase(question, mentions)
	if p.len() == 0 {
		return nil, nil
	}
	var refused *refusal
	switch mean, err := r.withMean(ctx, p, claim); {
	case errors.As(err, &refused):
		return &plan.Plan{Question: question, Mentions: mentions, Doubt: plan.NotSupported, Reason: refused.reason}, nil
	case err != nil:
		return nil, err
	case mean != nil:
		mean.Question, mean.Mentions = question, mentions
		return mean, nil
	}
	as := p
	if p = r.amounts(r.peopleOfType(p)); !claim {
		p = r.exactly(r.plain(p))
	}
	operate := r.operate
	if claim {
		operate = r.requested
	}
	got, err := operate(ctx, r.askedFirst(p))
	if again := r.persons(p); errors.As(err, &refused) && again != p { // "people" may be a number, or persons
		got, err = operate(ctx, again)
	}
	switch {
	case errors.As(err, &refused):
		return &plan.Plan{Question: question, Mentions: mentions, Doubt: plan.NotSupported, Reason: refused.reason}, nil
	case err == nil && got == nil && claim && p != as && r.denies(p): // as it stands it would deny that there is any
		return &plan.Plan{Question: question, Mentions: mentions, Claim: true, Doubt: plan.NotSupported, Reason: "It is unclear which number the claim denies."}, nil
	case err != nil || got == nil && (p == as || claim):
		return nil, err
	case got == nil:
		out, err := core.Read(ctx, p.Source, p.mentions)
		if err != nil {
			return nil, err
		}
		out.Question, out.Mentions = question, mentions
		return out, nil
	}
	r.doubtVoid(got)
	for i := 1; i < p.len() && !claim; i++ {
		denied := slices.ContainsFunc(upTo(max(0, i-3), i), func(j int) bool { return p.is(j, exclusions) || p.IsContractedNot(j) })
		if denied && p.is(i, objects) && !p.word(i-1).Stop && !p.isName(i-1) { // "do not follow them"
			got.unsure(plan.Unsure, fmt.Sprintf("It is unclear what %s stands for.", wording.Quote(p.word(i).Text)))
		}
	}
	if m, name, ok := r.measured(got.pat); ok && m.Unlike {
		got.unsure(plan.Unsure, m.Unmixed(name))
	}
	for _, e := range got.pat.Edges {
		if got.pat.Order == nil && len(got.pat.Filters) == 0 || len(e.Fixed) == 0 {
			continue
		}
		if key := r.voc.Graph().RelationName(e.Fixed[0]); lexicon.IsPlaceInOrder(lexicon.RelationWords(key)) && (got.pat.Order != nil && got.pat.Order.Node == e.To ||
			slices.ContainsFunc(got.pat.Filters, func(f pattern.Filter) bool { return f.Node == e.To && f.Op != pattern.Equal })) {
			why := lexicon.UntoldOrder(r.voc.Graph().RelationText(e.Fixed[0]))
			if got.pat.Task == pattern.Verify { // it would be refuted or not by that alone
				return &plan.Plan{Question: question, Mentions: mentions, Claim: true, Doubt: plan.NotSupported, Reason: why}, nil
			}
			got.unsure(plan.Unsure, why)
		}
	}
	reading := plan.Reading{
		Pattern: got.pat, Text: got.text, Unused: got.unused, Score: 1,
		Explanation: evidence.Explanation{Value: 1, Message: "the words of the operators, and the reading of the rest"},
	}
	return &plan.Plan{Question: question, Mentions: mentions, Readings: []plan.Reading{reading}, Doubt: got.doubt, Reason: got.reason}, nil
}

// persons puts "persons" for "people" that are counted, which may be a number of the graph,
// where it has things of that type.
func (r *reader) persons(p *phrase) *phrase {
	if !r.knowsPersons() {
		return p
	}
	for i := range p.len() {
		if p.says(i, "people") && len(p.word(i).Types) == 0 {
			p = r.cut(p, span(0, i), text("persons"), span(i+1, p.len()))
		}
	}
	return p
}

// knowsPersons reports whether the graph has things of that type.
func (r *reader) knowsPersons() bool { return len(r.phrase("persons", nil).word(0).Types) > 0 }

// peopleOfType puts "climbers" for "people" where the graph has no type for these, and all that it knows to
// be persons are climbers.
func (r *reader) peopleOfType(p *phrase) *phrase {
	for i := range p.len() {
		if !p.says(i, "people", "persons", "person") || len(p.word(i).Types) > 0 || r.isValue(p, i) {
			continue
		}
		noun := strings.ToLower(r.personType())
		if noun == "" || r.knowsPersons() {
			break
		}
		if !p.says(i, "person") {
			noun = lexicon.Plural(noun)
		}
		p = r.cut(p, span(0, i), text(noun), span(i+1, p.len()))
	}
	return p
}

// personType returns the label of the only type of the things of which the graph says what is said
// of persons alone, such as whose brother they are; "" for none or several.
func (r *reader) personType() string {
	s, g := r.voc.Schema(), r.voc.Graph()
	found := ""
	for _, st := range s.Steps() {
		if s.Value(st.To()) != schema.NoValue || !r.voc.IsToldAnswer(st.To(), lexicon.Person) {
			continue
		}
		for t, share := range s.Types(st.To()) {
			if share < 1 || found != "" && g.TypeLabel(t) != found {
				return "" // men are not all people
			}
			found = g.TypeLabel(t)
		}
	}
	return found
}

// people puts "Which persons" for "Who", where the graph has things of that type.
func (r *reader) people(p *phrase) *phrase {
	if !r.knowsPersons() {
		return p
	}
	return r.whoAs(p, "persons")
}

// whoAs puts "Which" and a noun for "Who".
func (r *reader) whoAs(p *phrase, noun string) *phrase {
	if !p.says(0, "who") || p.noun(0, 2) >= 0 {
		return p
	}
	return r.cut(p, text("Which "+noun), span(1, p.len()))
}

// part is a phrase as it was read.
type part struct {
	pat    *pattern.Pattern
	text   string
	unused []string
	doubt  plan.Doubt
	reason string
	others []plan.Reading // other ways to read it
}

// doubted takes over the doubt of another part, which may be nil.
func (p *part) doubted(o *part) {
	if o == nil {
		return
	}
	p.unused = append(p.unused, o.unused...)
	if p.doubt == plan.Sure {
		p.doubt, p.reason = o.doubt, o.reason
	}
}

// unsure notes a doubt of its own.
func (p *part) unsure(d plan.Doubt, reason string) {
	if p.doubt == plan.Sure {
		p.doubt, p.reason = d, reason
	}
}

// refusal says why a question is not answered.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// mayMiss says that a reading may lead to things of another kind.
const mayMiss = "The reading may not lead to what the question asks for."

// refuse names the operator that could not be applied.
func refuse(word, why string) error {
	return &refusal{fmt.Sprintf("The question was not understood at %s: %s", wording.Quote(word), why)}
}

// text returns words [from, to) as the question has them.
func (p *phrase) text(from, to int) string {
	if from >= to {
		return ""
	}
	return p.Source[p.word(from).Start:p.word(to-1).End]
}

// operate applies the outermost operator of a phrase; nil where it has none.
func (r *reader) operate(ctx context.Context, p *phrase) (*part, error) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > deepest {
		return nil, refuse(p.Source, "too much is asked at once.")
	}
	return first(ctx, p,
		r.inside, r.told, r.bothEnds, r.bestOfEach, r.datesApart, r.aged, r.sameSet, r.ofKin, r.severalKinds, r.twoQuestions, r.twiceNamed, r.chosen, r.contrasted, r.connected, r.near, r.described,
		r.saidOfFact, r.ordered, r.twoValues, r.twoCounts, r.unsaid, r.unlikeWhat, r.shareOf, r.ofKinds, r.occasions, r.leftOut, r.having, r.truly, r.onlyOfKind, r.closed, r.onlyThose, r.rankedStated, r.summed, r.statedNumber, r.everyOne, r.perYear, r.perEach, r.ranked, r.mostOf, r.quantified, r.comparedWith, r.bothByOne, r.rolesOf, r.doesBoth, r.commonWith, r.either, r.forAll, r.happened, r.saidNearly, r.ofWhomSaid,
	)
}

// first is what the first of some ways to read a phrase makes of it; nil where none reads it.
func first(ctx context.Context, p *phrase, reads ...func(context.Context, *phrase) (*part, error)) (*part, error) {
	for _, read := range reads {
		if got, err := read(ctx, p); got != nil || err != nil {
			return got, err
		}
	}
	return nil, nil
}

// unsaid refuses what no pattern says yet: "twice as many films as X".
func (r *reader) unsaid(_ context.Context, p *phrase) (*part, error) {
	if i, n := p.find(notYet); i >= 0 && !r.hasTimes(p) {
		return nil, refuse(p.text(i, i+n), "Cairn cannot compare like this yet.")
	}
	return nil, nil
}

// unlikeWhat refuses a comparison that ends before it says with what: "Which rivers are longer?".
func (r *reader) unlikeWhat(_ context.Context, p *phrase) (*part, error) {
	last := p.len() - 1
	if last < 2 || p.isName(last) || p.aside[last] || !p.is(last-1, copulas) || lexicon.IsSuperlative(p.word(last).Lower) || len(p.names(0, p.len())) > 0 ||
		len(r.voc.Lexicon().Comparisons(p.word(last).Lower)) == 0 || !strings.HasSuffix(p.word(last).Lower, "er") {
		return nil, nil
	}
	return nil, refuse(p.word(last).Text, "it does not say than what.")
}

// hasTimes reports whether a phrase compares with a number of times what a name has.
func (r *reader) hasTimes(p *phrase) bool {
	return slices.ContainsFunc(upTo(1, p.len()), func(i int) bool {
		at, _ := p.afterThan(i)
		if p.isName(i) || p.nameAt(at) == 0 || r.isLiteral(p, at) {
			return false
		}
		c := r.comparison(p, i, at)
		return c != nil && c.times > 0
	})
}

// forAll refuses "in all genres", which asks for what all of them have.
func (r *reader) forAll(_ context.Context, p *phrase) (*part, error) {
	for i := 2; i+1 < p.len(); i++ {
		if p.says(i, "all") && p.is(i-1, prepositions) && !p.says(i-1, "of") && p.noun(i+1, min(i+3, p.len())) >= 0 {
			return nil, refuse(p.word(i).Text, "asking what several entities all share is not supported yet.")
		}
	}
	return nil, nil
}

// isNounPhrase reports whether a text is a noun with what narrows it down: it has no
// verb, or one in a clause right behind the noun.
func (p *phrase) isNounPhrase() bool {
	verb := func(i int) bool { return p.is(i, finite) || p.is(i, copulas) }
	noun, none := p.noun(0, p.len()), p.len()
	first := slices.IndexFunc(upTo(0, none), verb)
	switch {
	case noun < 0 || p.is(0, auxiliary) || p.IsContractedNot(0):
		return false
	case first < 0:
		return true
	case first < noun || !p.is(noun+1, relatives) || first > noun+2:
		return false
	}
	return !slices.ContainsFunc(upTo(first+3, none), verb)
}

// read reads a phrase with or without operators; word is what it belongs to.
func (r *reader) read(ctx context.Context, p *phrase, word string) (*part, error) {
	if p.len() == 0 {
		return nil, refuse(word, "nothing else is asked.")
	}
	if got, err := r.operate(ctx, p); got != nil || err != nil {
		return got, err
	}
	got, err := r.core.Read(ctx, p.Source, p.mentions)
	switch {
	case err != nil:
		return nil, err
	case len(got.Readings) == 0 || got.Doubt == plan.NoRelation || got.Doubt == plan.NoMention || got.Doubt == plan.NotSupported:
		return nil, refuse(word, fmt.Sprintf("without it, %s was not understood. %s", wording.Quote(p.Source), got.Reason))
	}
	best := got.Readings[0]
	return &part{pat: best.Pattern, text: best.Text, unused: slices.Clone(best.Unused), doubt: got.Doubt, reason: got.Reason, others: got.Readings[1:]}, nil
}

// things reads words [from, to) as a description of things: "airports in France". The
// word that it belongs to is what a refusal names.
func (r *reader) things(ctx context.Context, p *phrase, from, to int, word string) (*part, error) {
	from = p.begin(from, to)
	j := p.kindNoun(from, to)
	if j >= 0 && !p.hasName(from, to) && p.isBare(from, to, j) {
		return r.root(p, j, word)
	}
	if from >= to {
		return nil, refuse(word, "it is unclear what it is about.")
	}
	return r.read(ctx, r.cut(p, text("Which"), span(from, to)), word)
}

// root reads a noun as all things of its kind.
func (r *reader) root(p *phrase, noun int, word string) (*part, error) {
	n, doubt, ok := r.core.Things(p.Question, noun)
	if !ok {
		return nil, refuse(word, fmt.Sprintf("this graph has no type %s.", wording.Quote(p.word(noun).Text)))
	}
	out := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{n}, Reuse: pattern.ReuseVariables}, text: "any " + p.word(noun).Lower}
	if doubt != "" {
		out.unsure(plan.Unsure, doubt)
	}
	return out, nil
}

// begin returns the first of words [from, to) after those that only ask.
func (p *phrase) begin(from, to int) int {
	for from < to && !p.isName(from) && (asking[p.word(from).Lower] && p.word(from).Stop || p.word(from).Lower == "how" || p.word(from).Lower == "many" || fillers[p.word(from).Lower]) {
		from++
	}
	return from
}

// isBare reports whether nothing but a noun is among words [from, to).
func (p *phrase) isBare(from, to, noun int) bool {
	return !slices.ContainsFunc(upTo(from, to), func(i int) bool {
		w := p.word(i)
		_, isNumber := p.number(i)
		return i != noun && !w.Stop && !w.Silent && (!isNumber || schema.IsYear(w.Lower)) && !fillers[w.Lower] && !asking[w.Lower] && (i > noun || !w.IsNamedKind() || len(w.Types) == 0 && p.isOfTruth(i))
	})
}

// counted turns a part into the number of what it finds where its question asks so.
func (p *phrase) counted(got *part) {
	if i := slices.IndexFunc(p.Question.Words, func(w words.Word) bool { return w.Lower == "how" }); i >= 0 && p.says(i, "how many") && got.pat.Task == pattern.Find && got.pat.Measure == nil {
		got.pat.Task = pattern.Count
		got.text = "the number of: " + strings.TrimPrefix(got.text, "the number of: ")
	}
}

var (
	fillers      = lexicon.Words("fillers")
	questions    = lexicon.Words("question words")
	asking       = lexicon.Words("question words", "requests", "give me")
	finite       = lexicon.Words("finite verbs")
	prepositions = lexicon.Words("prepositions")
	notYet       = lexicon.Phrases("not yet")
	light        = lexicon.Words("light")
)

// entitiesOf returns what a name of the phrase means.
func (p *phrase) entitiesOf(i int) []kg.EntityID {
	m := p.Question.Mentions[p.word(i).Mention]
	return wording.Each(link.SameName(p.Vocabulary.Graph(), m.Text, m.Candidates), func(c link.Candidate) kg.EntityID { return c.Entity })
}

// known is a node for the name at word i.
func (p *phrase) known(i int) pattern.Node {
	return pattern.Node{Text: p.Question.Mentions[p.word(i).Mention].Text, Entities: p.entitiesOf(i)[:1]}
}

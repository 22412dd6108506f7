package link

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

const (
	// maxTokens is how many words of a question are read; the rest is ignored.
	maxTokens = 2048
	// maxMentions is how many mentions of a question are kept, the strongest.
	maxMentions = 64
	// checkEvery is how many words are read between two looks at the context.
	checkEvery = 64
)

// Linker finds the entities that texts mention. It is immutable and safe for
// concurrent use.
type Linker struct {
	g          *kg.Graph
	vocabulary *Vocabulary // may be nil: then nothing is near
	known      *known
	forms      func(lower string) []string // may be nil
	*tables
}

// NewLinker returns a linker for g. v and lex may be nil: without a vocabulary
// nothing is found by nearness; without a lexicon only function words and the
// words of relation and type names count as words that questions use, and
// "French" does not stand for France.
func NewLinker(g *kg.Graph, v *Vocabulary, lex *lexicon.Lexicon) *Linker {
	t, err := newTables(context.Background(), g)
	if err != nil {
		panic(err) // only a cancelled context fails
	}
	return newLinker(g, v, lex, t)
}

func newLinker(g *kg.Graph, v *Vocabulary, lex *lexicon.Lexicon, t *tables) *Linker {
	l := &Linker{g: g, vocabulary: v, known: newKnown(g, lex), tables: t}
	if lex != nil {
		l.forms = lex.NamesOf
	}
	return l
}

// With returns l with another vocabulary, which may be nil; they share all else.
func (l *Linker) With(v *Vocabulary) *Linker {
	other := *l
	other.vocabulary = v
	return &other
}

// Over returns l over another graph that has the same names; they share all else.
func (l *Linker) Over(g *kg.Graph) *Linker {
	other := *l
	other.g = g
	return &other
}

// Prepare makes the word lists that misspelt names and parts of names need, so
// that the first question need not wait for them: about 50 ms for 50,000 names
// and 2 s for a million. It may run beside other calls. The only error is the
// context's; the next call goes on with what is missing.
func (l *Linker) Prepare(ctx context.Context) error {
	return l.late.prepare(ctx)
}

// Link returns the mentions of a question, strongest first, then by place.
//
// Every span whose words are a name's, but for case, accents and punctuation,
// is a mention; mentions may overlap, and the planner chooses. The strength of
// a mention adds up, over the words of its span (planner.md, "Linking"):
//
//	1.0  a word that questions do not use, in the name's own case (0.9 without a capital)
//	0.9  a word that questions use, capitalised like the name inside a sentence
//	0.6  a word that questions do not use, in another case
//	0.3  the possessive 's
//	0.4  a number, where the name is nothing but numbers; 0.6 where it has more
//	     than three digits and is written in another way; a date has 1.2
//	0.1  a word that questions use
//
// and then
//
//	+0.5  the span is the name letter by letter (0.2 for numbers, 0.1 where
//	      questions use all its words)
//	+0.3  … with the punctuation at the name's ends
//	+3.0  the span is in quotation marks or brackets
//	×0.5  the name is found only by leaving out spaces or an article
//	×0.5, -0.2 an edit, where the name is misspelt
//	×0.4  the span is only a part of a name
//
// Quotation marks and brackets settle it: mentions that overlap a marked one
// without being it are left out. Only the first 2,048 words are read.
func (l *Linker) Link(ctx context.Context, question string) ([]Mention, error) {
	if err := l.Prepare(ctx); err != nil {
		return nil, err
	}
	s := newSearch(l, question)
	if err := s.exact(ctx); err != nil {
		return nil, err
	}
	s.symbols()
	s.amounts()
	s.elided()
	if err := s.unnamed(ctx); err != nil {
		return nil, err
	}
	if err := s.misspelt(ctx); err != nil {
		return nil, err
	}
	if err := s.partly(ctx); err != nil {
		return nil, err
	}
	return s.finish(), nil
}

type search struct {
	*Linker
	question string
	tokens   []lexicon.Token
	// telling says that capitals tell names from words: false for questions
	// written in capitals or in title case throughout.
	telling  bool
	marked   []span
	mentions []Mention
	dotted   [][2]int // the tokens of mentions that are initials with full stops
	key      []byte
}

// span is a part of the question inside marks.
type span struct {
	from, to    int // tokens; from is -1 where there is none
	start, end  int // bytes
	first, last int // bytes of the tokens alone
}

func newSearch(l *Linker, question string) *search {
	s := &search{Linker: l, question: question, tokens: lexicon.Tokenize(question)}
	s.tokens = s.tokens[:min(len(s.tokens), maxTokens)]
	s.telling = lexicon.CapitalsTell(s.tokens, func(lower string) bool { return l.known.function[lower] })
	s.marked = markedSpans(question, s.tokens)
	return s
}

// exact adds a mention for every span that is a name.
func (s *search) exact(ctx context.Context) error {
	for from := range s.tokens {
		if from%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.key = s.key[:0]
		most := min(max(1, s.names.mostWords(s.tokens[from].Lower)), len(s.tokens)-from)
		for n := 1; n <= most; n++ {
			if n > 1 {
				s.key = append(s.key, ' ')
			}
			s.key = append(s.key, s.tokens[from+n-1].Lower...)
			if ps := s.names.find(s.key); len(ps) > 0 {
				s.add(from, from+n, ps)
			} else {
				s.otherNumber(from, from+n)
			}
		}
		s.joined(from)
		s.withoutAnd(from)
		s.initials(from)
		s.otherForms(from)
	}
	return nil
}

// joined adds mentions for the words at from written as one.
func (s *search) joined(from int) {
	s.key = append(s.key[:0], strings.TrimPrefix(s.tokens[from].Lower, "'")...)
	for to := from + 2; to <= min(from+maxCompactTokens, len(s.tokens)); to++ {
		if s.tokens[to-1].Start > s.tokens[to-2].End+maxGap {
			return
		}
		s.key = append(s.key, strings.TrimPrefix(s.tokens[to-1].Lower, "'")...)
		if len(s.key) > maxCompactBytes {
			return
		}
		if len(s.key) >= minCompactBytes && !s.spaced(from, to) {
			if ps := s.names.find(s.key); len(ps) > 0 {
				s.addForm(from, to, ps, compactForm)
			}
		}
	}
}

// withoutAnd adds mentions for the spans from a word with "and" inside, where
// the name has "&" or nothing for it.
func (s *search) withoutAnd(from int) {
	if s.tokens[from].Lower == "and" {
		return
	}
	inside := false
	for to := from + 2; to <= min(from+maxAndWords, len(s.tokens)); to++ {
		last := s.tokens[to-1].Lower
		if last == "and" {
			inside = true
			continue
		}
		if !inside {
			continue
		}
		s.key = s.key[:0]
		for _, t := range s.tokens[from:to] {
			if t.Lower == "and" {
				continue
			}
			if len(s.key) > 0 {
				s.key = append(s.key, ' ')
			}
			s.key = append(s.key, t.Lower...)
		}
		if ps := s.names.find(s.key); len(ps) > 0 {
			s.addForm(from, to, ps, bareForm)
		}
	}
}

// maxAndWords is the longest span that is looked up without its "and".
const maxAndWords = 8

// initials adds mentions for initials with full stops where the name has none:
// "U.S.A." for "USA".
func (s *search) initials(from int) {
	if !isInitial(s.tokens[from]) || from > 0 && s.adjoining(from-1) {
		return
	}
	s.key = append(s.key[:0], s.tokens[from].Lower...)
	to := from + 1
	for to < len(s.tokens) && s.adjoining(to-1) {
		s.key = append(s.key, s.tokens[to].Lower...)
		to++
	}
	if to == from+1 {
		return
	}
	if ps := s.names.find(s.key); len(ps) > 0 {
		s.addForm(from, to, ps, turnedForm)
		s.dotted = append(s.dotted, [2]int{from, to})
	}
}

// adjoining reports whether word i and the next are initials with nothing but a
// full stop between them.
func (s *search) adjoining(i int) bool {
	return i+1 < len(s.tokens) && isInitial(s.tokens[i]) && isInitial(s.tokens[i+1]) &&
		s.question[s.tokens[i].End:s.tokens[i+1].Start] == "."
}

// otherNumber adds a mention for the span in s.key where the name has its last
// word in the singular or plural.
func (s *search) otherNumber(from, to int) {
	last := s.tokens[to-1]
	if len(last.Lower) < minPlural || isNumber(last.Lower) || (to == from+1 && s.known.said(last) || to > from+1 && from == 0 && s.known.word(last)) { // "hotel managers" may be who manages hotels: a fragment begins with what is asked for
		return
	}
	before := len(s.key) - len(last.Lower)
	switch one := lexicon.Singular(last.Lower); {
	case one != last.Lower: // "mysteries"
		s.key = append(s.key[:before], one...)
	case strings.HasSuffix(one, "s"):
		s.key = s.key[:len(s.key)-1]
	default:
		s.key = append(s.key, 's')
	}
	isKind := func(p posting) bool { // "which drugs" asks for them
		return to == from+1 && s.known.word(last) && slices.ContainsFunc(s.g.In(p.entity()), func(x kg.Edge) bool {
			return saysKind[strings.Join(lexicon.RelationWords(s.g.RelationName(x.Relation)), " ")]
		})
	}
	if ps := s.names.find(s.key); len(ps) > 0 && !slices.ContainsFunc(ps, isKind) {
		s.addForm(from, to, ps, bareForm)
	}
	s.key = append(s.key[:before], last.Lower...)
}

// saysKind are relations that say of what kind things are.
var saysKind = map[string]bool{"type": true, "is a": true, "instance of": true}

// minPlural is the shortest word that is tried without or with its s.
const minPlural = 4

// maxGap is the most bytes between two words that may be one: a space, a hyphen
// with spaces.
const maxGap = 3

// minCompactBytes is the shortest name that words are joined for: "us a" is not
// "USA".
const minCompactBytes = 5

// spaced reports whether the words themselves, with their spaces, are a name.
func (s *search) spaced(from, to int) bool {
	_, ok := s.names.keys.find(appendKey(nil, s.tokens[from:to]))
	return ok
}

// otherForms adds a mention for a word that stands for a name.
func (s *search) otherForms(from int) {
	if s.forms == nil {
		return
	}
	lower := s.tokens[from].Lower
	names := s.forms(lower)
	if len(names) == 0 && strings.HasSuffix(lower, "s") {
		names = s.forms(strings.TrimSuffix(lower, "s")) // Italians
	}
	if len(names) == 0 {
		return
	}
	for _, name := range names {
		s.key = appendKey(s.key[:0], lexicon.Tokenize(name))
		s.otherForm(from)
	}
	// Who speaks German, speaks the German language.
	s.key = append(append(s.key[:0], lower...), " language"...)
	s.otherForm(from)
}

// otherForm adds a mention of the word for the names with the key.
func (s *search) otherForm(from int) {
	for _, p := range s.names.find(s.key) {
		if p.form() <= aliasForm {
			s.addForm(from, from+1, []posting{p}, aliasForm)
		}
	}
}

// addForm adds a mention whose postings were found by changing the span.
func (s *search) addForm(from, to int, ps []posting, f form) {
	changed := make([]posting, len(ps))
	for i, p := range ps {
		changed[i] = newPosting(p.entity(), max(p.form(), f))
	}
	s.add(from, to, changed)
}

// add adds a mention of the tokens from..to.
func (s *search) add(from, to int, ps []posting) {
	m := Mention{Start: s.tokens[from].Start, End: s.tokens[to-1].End}
	exact := ""
	for i, p := range ps {
		if i > 0 && ps[i-1].entity() == p.entity() {
			continue // the forms of one entity follow each other, surest first
		}
		c := Candidate{Entity: p.entity(), Distance: formDistance[p.form()], Method: p.form().method()}
		if name, method, ok := s.letterByLetter(p, from, to); ok {
			c.Method, c.Distance = method, 0
			if len(name) > len(exact) {
				exact = name
			}
		}
		m.Candidates = append(m.Candidates, c)
	}
	sortCandidates(m.Candidates)
	m.Strength = s.strength(from, to, m.Candidates[0], exact)
	if exact != "" {
		at := s.surface(exact, m.Start, m.End)
		m.Start, m.End = min(m.Start, at), max(m.End, at+len(exact))
	}
	m.Text = s.question[m.Start:m.End]
	s.mentions = append(s.mentions, m)
}

// method says a form in the words of the package.
func (f form) method() Method {
	if f == aliasForm || f == shortForm {
		return Alias
	}
	return Folded
}

// letterByLetter returns the name of the posting's entity that stands in the
// question as it is written, punctuation at its ends included.
func (s *search) letterByLetter(p posting, from, to int) (string, Method, bool) {
	start, end := s.tokens[from].Start, s.tokens[to-1].End
	switch p.form() {
	case labelForm:
		label := s.g.Label(p.entity())
		if s.surface(label, start, end) >= 0 {
			return label, Exact, true
		}
		// The local names of IRIs have underscores for spaces.
		if spaced := strings.ReplaceAll(label, "_", " "); s.surface(spaced, start, end) >= 0 {
			return spaced, Exact, true
		}
	case aliasForm:
		for _, alias := range s.g.Aliases(p.entity()) {
			if s.surface(alias, start, end) >= 0 {
				return alias, Alias, true
			}
		}
	default:
	}
	return "", Exact, false
}

// surface returns where name begins in the question such that it covers the
// bytes start..end with nothing but punctuation around them; -1 where it does
// not.
func (s *search) surface(name string, start, end int) int {
	if len(name) == end-start {
		if s.question[start:end] == name {
			return start
		}
		return -1
	}
	lead := strings.Index(name, s.question[start:end])
	if lead < 0 || lead > start || start-lead+len(name) > len(s.question) {
		return -1
	}
	if s.question[start-lead:start-lead+len(name)] == name {
		return start - lead
	}
	return -1
}

// strength weighs a span: see Link.
func (s *search) strength(from, to int, best Candidate, exact string) float64 {
	span, ampersand := s.tokens[from:to], false
	var words []lexicon.Token // of the best candidate, one a token of the span
	if exact != "" {
		words = span
	} else {
		label := s.g.Label(best.Entity)
		words = lexicon.Tokenize(label)
		if len(words) < len(span) && strings.Contains(label, "&") {
			said := slices.DeleteFunc(slices.Clone(span), func(t lexicon.Token) bool { return t.Lower == "and" })
			if ampersand = len(said) == len(words); ampersand {
				span = said // "and" for "&" makes no other name
			}
		}
	}
	if len(words) < len(span) {
		words = nil
	}
	numbers, sum := true, 0.0
	for i, t := range span {
		same := words != nil && words[i].Text == t.Text
		if isNumber(t.Text) {
			sum += 0.4
			continue
		}
		numbers = false
		sum += s.weight(t, same)
	}
	if !numbers {
		for _, t := range s.tokens[from:to] {
			if isNumber(t.Text) {
				sum += 0.6
			}
		}
	}
	switch {
	case exact != "" && numbers:
		sum += 0.2
	case strings.Contains(exact, "_"):
		sum += 1 // nobody writes words so that are no name
	case exact != "" && sum < 0.15*float64(to-from):
		sum += 0.1 // nothing but words that questions use
	case exact != "":
		sum += 0.5
		if at := s.surface(exact, s.tokens[from].Start, s.tokens[to-1].End); at < s.tokens[from].Start || at+len(exact) > s.tokens[to-1].End {
			sum += 0.3
		}
	case ampersand:
		sum += 0.5
	case best.Distance >= formDistance[bareForm]:
		sum *= 0.5
	}
	return sum
}

// weight is what one word of a span adds to its strength.
func (s *search) weight(t lexicon.Token, sameCase bool) float64 {
	switch {
	case t.Lower == lexicon.Possessive:
		return 0.3
	case !s.known.word(t):
		switch first, _ := utf8.DecodeRuneInString(t.Text); {
		case !sameCase:
			return 0.6
		case unicode.IsLower(first):
			return 0.9 // many words that we do not know are words all the same
		}
		return 1.0
	case sameCase && t.Capital && t.Start > s.tokens[0].Start && s.telling:
		return 0.9
	}
	return 0.1
}

func isNumber(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// finish settles marked spans and orders the mentions.
func (s *search) finish() []Mention {
	for _, d := range s.dotted {
		for i, m := range s.mentions {
			if m.Start == s.tokens[d[0]].Start && m.End == s.tokens[d[1]-1].End {
				s.mentions[i].Strength = max(m.Strength, s.inner(d[0], d[1])+0.1)
			}
		}
	}
	s.idsFirst()
	s.mentions = settle(s.mentions, s.marked)
	s.mentions = s.withoutChance(s.mentions)
	slices.SortStableFunc(s.mentions, func(a, b Mention) int {
		return cmp.Or(
			cmp.Compare(b.Strength, a.Strength),
			cmp.Compare(a.Start, b.Start),
			cmp.Compare(b.End, a.End),
		)
	})
	s.mentions = mergeSpans(s.mentions)
	return s.mentions[:min(len(s.mentions), maxMentions)]
}

// idsFirst puts a thing before the text that says its id: BT117 is a boat, and its "boat no". It does not where
// the question names the thing besides, or says what the text is to it.
func (s *search) idsFirst() {
	for _, m := range s.mentions {
		id := m.Candidates[0]
		said := s.g.In(id.Entity)
		if id.Distance > 0 || !s.g.IsLiteral(id.Entity) || len(said) != 1 || s.g.Key(said[0].Entity) != s.g.Label(id.Entity) {
			continue
		}
		is := func(c Candidate) bool { return c.Entity == said[0].Entity }
		words := lexicon.RelationWords(s.g.RelationKey(said[0].Relation))
		at := slices.IndexFunc(m.Candidates, is)
		if at < 0 || slices.ContainsFunc(s.mentions, func(o Mention) bool {
			return (o.End <= m.Start || o.Start >= m.End) && slices.ContainsFunc(o.Candidates, is)
		}) || s.says(words[len(words)-1], m) {
			continue
		}
		m.Candidates[at].Distance, m.Candidates[0].Distance = 0, m.Candidates[at].Distance
		sortCandidates(m.Candidates)
	}
}

// says reports whether a word stands in the question outside a mention.
func (s *search) says(word string, m Mention) bool {
	return slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool {
		return (t.End <= m.Start || t.Start >= m.End) && (t.Lower == word || word == "no" && t.Lower == "number")
	})
}

// withoutChance leaves out mentions of nothing but function words in another
// case, such as the film "What?", where the question has a better mention or
// begins with them.
func (s *search) withoutChance(mentions []Mention) []Mention {
	better := slices.ContainsFunc(mentions, func(m Mention) bool { return m.Strength >= sureMention })
	return slices.DeleteFunc(mentions, func(m Mention) bool {
		if m.Candidates[0].Distance == 0 || m.Strength >= sureMention {
			return false
		}
		first := s.tokenAt(m.Start)
		for i := first; i < len(s.tokens) && s.tokens[i].End <= m.End; i++ {
			if !s.known.function[s.tokens[i].Lower] || s.capital(i) {
				return false
			}
		}
		return better || first == 0
	})
}

// mergeSpans joins mentions of one span, which were found in different ways,
// into the strongest of them.
func mergeSpans(mentions []Mention) []Mention {
	var out []Mention
	at := make(map[[2]int]int, len(mentions))
	for _, m := range mentions {
		i, ok := at[[2]int{m.Start, m.End}]
		if !ok {
			at[[2]int{m.Start, m.End}] = len(out)
			out = append(out, m)
			continue
		}
		out[i].Candidates = mergeCandidates(out[i].Candidates, m.Candidates)
	}
	return out
}

// mergeCandidates joins candidates, each entity at its smallest distance.
func mergeCandidates(a, b []Candidate) []Candidate {
	all := slices.Concat(a, b)
	sortCandidates(all)
	seen := make(map[kg.EntityID]bool, len(all))
	return slices.DeleteFunc(all, func(c Candidate) bool {
		again := seen[c.Entity]
		seen[c.Entity] = true
		return again
	})
}

// sortCandidates orders candidates by distance, then by id.
func sortCandidates(cs []Candidate) {
	slices.SortFunc(cs, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Entity, b.Entity))
	})
}

// ByProminence returns the candidates of equal distance ordered by degree, the
// best connected first, then by id: the order in which to show same-name
// entities to people.
func (l *Linker) ByProminence(cs []Candidate) []Candidate {
	cs = slices.Clone(cs)
	slices.SortFunc(cs, func(a, b Candidate) int {
		return cmp.Or(
			cmp.Compare(a.Distance, b.Distance),
			cmp.Compare(l.g.Degree(b.Entity), l.g.Degree(a.Entity)),
			cmp.Compare(a.Entity, b.Entity),
		)
	})
	return cs
}

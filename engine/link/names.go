package link

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// form says how a key came from a name, surest first.
type form uint8

const (
	labelForm   form = iota // the label
	aliasForm               // another name, or the key where it is not an IRI
	turnedForm              // "Matrix, The" turned round, "King, Stephen" likewise
	shortForm               // without a disambiguator: "Kismet (film)"
	bareForm                // without the leading article, "and", or what follows a comma
	compactForm             // without spaces: "spiderman" for "Spider-Man"
	numForms    = int(compactForm) + 1
)

// formDistance is what a form costs where the text is otherwise the same but
// for case, accents and punctuation. All lie below one misspelt letter.
var formDistance = [numForms]float64{
	labelForm: 0.05, aliasForm: 0.07, turnedForm: 0.08, shortForm: 0.10, bareForm: 0.15, compactForm: 0.15,
}

const (
	// maxNameTokens is the longest name that is found inside a question;
	// longer labels are descriptions, found by Lookup as a whole or by
	// nearness.
	maxNameTokens = 24
	// maxCompactTokens and maxCompactBytes bound the names that are also found
	// without their spaces.
	maxCompactTokens = 3
	maxCompactBytes  = 32
)

// posting is an entity under a key.
type posting struct {
	entity kg.EntityID
	form   form
}

// names finds entities by the folded tokens of their names.
//
//	key      the folded tokens of a name, joined by spaces: "dr strangelove"
//	postings at[keys[k]:keys[k+1]] are the entities under key k, by (entity, form)
type names struct {
	keys     map[string]uint32
	at       []uint32
	postings []posting
	// longest has, for the first word of any key, the most words that such a
	// key has: it keeps the search of a question linear.
	longest map[string]uint8
	// symbols are the names that have no letter and no digit, as written.
	symbols map[string][]kg.EntityID
}

// namesBuilder collects postings before they are sorted by key.
type namesBuilder struct {
	names
	entries []entry
	buf     []byte
}

type entry struct {
	key uint32
	posting
}

// newNames indexes the labels, aliases and keys of g.
func newNames(g *kg.Graph) *names {
	n := g.Entities()
	b := &namesBuilder{
		names:   names{keys: make(map[string]uint32, n+n/2), longest: map[string]uint8{}, symbols: map[string][]kg.EntityID{}},
		entries: make([]entry, 0, 2*n),
	}
	for e := range kg.EntityID(n) {
		label := g.Label(e)
		b.add(e, label, labelForm)
		for _, alias := range g.Aliases(e) {
			b.add(e, alias, aliasForm)
		}
		if key := g.Key(e); key != label && !strings.Contains(key, "://") {
			b.add(e, key, aliasForm)
		}
	}
	return b.finish()
}

// add indexes one name of e in its forms.
func (b *namesBuilder) add(e kg.EntityID, name string, f form) {
	if strings.Contains(name, "://") {
		name = localName(name)
	}
	tokens := lexicon.Tokenize(name)
	if len(tokens) == 0 {
		if s := strings.TrimSpace(name); s != "" && !slices.Contains(b.symbols[s], e) {
			b.symbols[s] = append(b.symbols[s], e)
		}
		return
	}
	b.put(e, tokens, f)
	if short := undisambiguated(name, tokens); short != nil {
		b.put(e, short, max(f, shortForm))
		b.variants(e, name[:short[len(short)-1].End], short, max(f, shortForm))
		return
	}
	b.variants(e, name, tokens, f)
}

// variants indexes the forms of a name that are told from its tokens.
func (b *namesBuilder) variants(e kg.EntityID, name string, tokens []lexicon.Token, f form) {
	if turned := turnedRound(name, tokens); turned != nil {
		b.put(e, turned, max(f, turnedForm))
	}
	if bare := withoutLittleWords(tokens); bare != nil {
		b.put(e, bare, max(f, bareForm))
	}
	if at := strings.IndexByte(name, ','); at > 0 && strings.LastIndexByte(name, ',') == at {
		if place := before(tokens, at); len(place) > 0 && len(place) < len(tokens) && !isNumber(place[0].Text) {
			b.put(e, place, max(f, bareForm)) // "Miri, Malaysia"
		}
	}
	if key, n := appendInitialsJoined(b.buf[:0], tokens); n > 0 {
		b.buf = key
		b.putKey(e, key, n, max(f, turnedForm)) // "AFC Blackpool" for "A.F.C. Blackpool"
	}
	if n := len(tokens); n > 1 && (n <= maxCompactTokens || n == maxCompactTokens+1 && hasPossessive(tokens)) {
		if c := appendCompact(b.buf[:0], tokens); len(c) <= maxCompactBytes {
			b.buf = c
			b.putKey(e, c, 1, max(f, compactForm))
		}
	}
}

func hasPossessive(tokens []lexicon.Token) bool {
	return slices.ContainsFunc(tokens, func(t lexicon.Token) bool { return t.Lower == lexicon.Possessive })
}

func (b *namesBuilder) put(e kg.EntityID, tokens []lexicon.Token, f form) {
	if len(tokens) > maxNameTokens && f != labelForm && f != aliasForm {
		return
	}
	b.buf = appendKey(b.buf[:0], tokens)
	b.putKey(e, b.buf, min(len(tokens), maxNameTokens), f)
}

func (b *namesBuilder) putKey(e kg.EntityID, key []byte, tokens int, f form) {
	k, ok := b.keys[string(key)]
	if !ok {
		k = uint32(len(b.keys))
		s := string(key)
		b.keys[s] = k
		first, _, _ := strings.Cut(s, " ")
		if b.longest[first] < uint8(tokens) {
			b.longest[first] = uint8(tokens)
		}
	}
	b.entries = append(b.entries, entry{k, posting{e, f}})
}

// finish sorts the postings by key: the entries of one key stay in the order of
// (entity, form), because they were added so.
func (b *namesBuilder) finish() *names {
	at := make([]uint32, len(b.keys)+1)
	for _, x := range b.entries {
		at[x.key+1]++
	}
	for k := 1; k < len(at); k++ {
		at[k] += at[k-1]
	}
	next := slices.Clone(at)
	b.postings = make([]posting, len(b.entries))
	for _, x := range b.entries {
		b.postings[next[x.key]] = x.posting
		next[x.key]++
	}
	b.at = at
	n := b.names
	return &n
}

// find returns the postings of a key; the same entity may appear under several
// forms.
func (n *names) find(key []byte) []posting {
	k, ok := n.keys[string(key)]
	if !ok {
		return nil
	}
	return n.postings[n.at[k]:n.at[k+1]]
}

// appendKey appends the key of the tokens.
func appendKey(dst []byte, tokens []lexicon.Token) []byte {
	for i, t := range tokens {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.Lower...)
	}
	return dst
}

// appendCompact appends the tokens without spaces and apostrophes.
func appendCompact(dst []byte, tokens []lexicon.Token) []byte {
	for _, t := range tokens {
		dst = append(dst, strings.TrimPrefix(t.Lower, "'")...)
	}
	return dst
}

// appendInitialsJoined appends the key of the tokens with every run of single
// letters as one word, and returns how many words it has; 0 where there is no
// such run.
func appendInitialsJoined(dst []byte, tokens []lexicon.Token) ([]byte, int) {
	words, joined := 0, false
	for i, t := range tokens {
		if i > 0 && isInitial(t) && isInitial(tokens[i-1]) {
			joined = true
		} else {
			if i > 0 {
				dst = append(dst, ' ')
			}
			words++
		}
		dst = append(dst, t.Lower...)
	}
	if !joined {
		return dst, 0
	}
	return dst, words
}

// isInitial reports whether a token is a single letter from a to z.
func isInitial(t lexicon.Token) bool {
	return len(t.Lower) == 1 && t.Lower[0] >= 'a' && t.Lower[0] <= 'z'
}

// undisambiguated returns the tokens before a trailing disambiguator, as in
// "Kismet (film)" or "Kismet [1944]"; nil where there is none.
func undisambiguated(name string, tokens []lexicon.Token) []lexicon.Token {
	s := strings.TrimRight(name, " ")
	if !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
		return nil
	}
	open := strings.LastIndexAny(s, "([")
	if open <= 0 {
		return nil
	}
	return before(tokens, open)
}

// turnedRound returns the tokens of a name written for sorting in their usual
// order: "Matrix, The", "King, Stephen". A name with two commas, or with long
// parts, is a list or a sentence, and nil is returned.
func turnedRound(name string, tokens []lexicon.Token) []lexicon.Token {
	at := strings.IndexByte(name, ',')
	if at < 0 || strings.IndexByte(name[at+1:], ',') >= 0 {
		return nil
	}
	front := before(tokens, at)
	back := tokens[len(front):]
	if len(front) == 0 || len(back) == 0 || len(back) > 3 || len(front) > 3 && !isArticle(back[0].Lower) {
		return nil
	}
	return slices.Concat(back, front)
}

// before returns the tokens that end at or before the byte offset, or nil.
func before(tokens []lexicon.Token, offset int) []lexicon.Token {
	n := 0
	for n < len(tokens) && tokens[n].End <= offset {
		n++
	}
	if n == 0 {
		return nil
	}
	return tokens[:n]
}

// withoutLittleWords returns the tokens without a leading article and without
// "and", which "&" stands for; nil where nothing is to be left out or nothing
// would be left.
func withoutLittleWords(tokens []lexicon.Token) []lexicon.Token {
	bare := tokens
	if len(bare) > 1 && isArticle(bare[0].Lower) {
		bare = bare[1:]
	}
	isAnd := func(t lexicon.Token) bool { return t.Lower == "and" }
	if len(bare) > 2 && slices.ContainsFunc(bare, isAnd) {
		bare = slices.DeleteFunc(slices.Clone(bare), isAnd)
	}
	if len(bare) == len(tokens) || len(bare) == 0 {
		return nil
	}
	return bare
}

// isArticle reports whether a word is a leading article that people leave out.
func isArticle(lower string) bool { return lower == "the" || lower == "a" || lower == "an" }

// localName returns the part of an IRI after its last # or /.
func localName(iri string) string {
	s := strings.TrimRight(iri, "/#")
	return s[strings.LastIndexAny(s, "/#")+1:]
}

package link

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/guard"
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
	// maxNameTokens is the longest name that is found by other forms and by its
	// parts: longer labels are titles and descriptions, found word for word, up to
	// maxLabelTokens inside a question.
	maxNameTokens  = 24
	maxLabelTokens = 100
	// maxCompactTokens and maxCompactBytes bound the names that are also found
	// without their spaces.
	maxCompactTokens = 3
	maxCompactBytes  = 32
)

// posting is an entity under a key, and how the key came from its name: the form
// in the low bits, so that postings are in the order of (entity, form) by number.
type posting uint32

// formBits is how many bits a form takes: there can be half a milliard entities.
const formBits = 3

func newPosting(e kg.EntityID, f form) posting { return posting(e)<<formBits | posting(f) }

func (p posting) entity() kg.EntityID { return kg.EntityID(p >> formBits) }
func (p posting) form() form          { return form(p & (1<<formBits - 1)) }

// names finds entities by the folded tokens of their names.
//
//	key      the folded tokens of a name, joined by spaces: "dr strangelove"
//	postings keys has the entities under each key, by (entity, form)
type names struct {
	keys table[posting]
	// longest has, for the first word of any key, at least as many words as such a
	// key has: it keeps the search of a question linear. It is addressed by the
	// word's hash, and words that meet share the larger number.
	longest []uint8
	// symbols are the names that have no letter and no digit, as written.
	symbols table[kg.EntityID]
}

// namesPiece is how many entities are read at a time, some 10 ms.
const namesPiece = 4096

// newNames indexes the labels, aliases and keys of g. tell, which may be nil, is
// told of every piece how many entities it has.
func newNames(ctx context.Context, g *kg.Graph, tell func(n int)) (*names, error) {
	n, bytes := g.Entities(), 0
	for e := range kg.EntityID(n) {
		bytes += len(g.Label(e))
	}
	// A name is a key or two, and some 20 % longer with its forms.
	declares := declarations(g)
	keys := newTableBuilder[posting](n+n/2, 2*bytes, 2*n)
	symbols := newTableBuilder[kg.EntityID](0, 0, 0)
	err := guard.InOrder(ctx, runtime.GOMAXPROCS(0), n, namesPiece, func(_ context.Context, _, from, to int) (*namesReader, error) {
		r := &namesReader{from: from, to: to}
		for e := kg.EntityID(from); e < kg.EntityID(to); e++ {
			if !g.Gone(e) && !declares(e) {
				r.read(g, e)
			}
		}
		return r, ctx.Err()
	}, func(r *namesReader) error {
		at := uint32(0)
		for _, k := range r.found {
			text := r.text[at:k.end]
			if k.symbol {
				symbols.put(text, k.posting.entity())
			} else {
				keys.put(text, k.posting)
			}
			at = k.end
		}
		if tell != nil {
			tell(r.to - r.from)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x := &names{keys: keys.finish(), symbols: symbols.finish()}
	x.longest = longest(&x.keys.dictionary)
	return x, nil
}

// declarations tells the entities that only declare a relation or a property of statements, in the
// words of RDF, RDFS and OWL: their names ask for what they declare.
func declarations(g *kg.Graph) func(e kg.EntityID) bool {
	keys := map[string]bool{}
	note := func(key string) {
		if strings.Contains(key, "://") {
			keys[key] = true
		}
	}
	for r := range kg.RelationID(g.Relations()) {
		note(g.RelationKey(r))
	}
	for _, name := range g.PropertyNames() {
		note(name)
	}
	return func(e kg.EntityID) bool {
		if len(keys) == 0 || !keys[g.Key(e)] {
			return false
		}
		for _, relations := range []iter.Seq2[kg.RelationID, []kg.Edge]{g.RelationsOut(e), g.RelationsIn(e)} {
			for r := range relations {
				if !slices.ContainsFunc(schemaNames, func(ns string) bool { return strings.HasPrefix(g.RelationKey(r), ns) }) {
					return false
				}
			}
		}
		return true
	}
}

// schemaNames begin the relations of RDF, RDFS and OWL.
var schemaNames = []string{"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"}

// longest returns names.longest for the keys.
func longest(keys *dictionary) []uint8 {
	most := make([]uint8, len(keys.slots))
	for k := range uint32(keys.size()) {
		text := keys.get(k)
		first, rest, several := strings.Cut(text, " ")
		words := 1
		if several {
			words = min(2+strings.Count(rest, " "), maxLabelTokens)
		}
		at := longestAt(most, first)
		most[at] = max(most[at], uint8(words))
	}
	return most
}

// longestAt returns where a word is in names.longest.
func longestAt(most []uint8, word string) int {
	return int(hashOf([]byte(word))) & (len(most) - 1)
}

// mostWords returns how many words a key that begins with the word may have.
func (n *names) mostWords(word string) int { return int(n.longest[longestAt(n.longest, word)]) }

// namesReader reads the keys off the names of a piece of the entities.
type namesReader struct {
	from, to int // entities
	text     []byte
	found    []foundKey
	buf      []byte
	tokens   []lexicon.Token
}

// foundKey is a key of an entity: text up to end, from where the one before ends.
type foundKey struct {
	end     uint32
	symbol  bool
	posting posting
}

func (b *namesReader) read(g *kg.Graph, e kg.EntityID) {
	label := g.Label(e)
	b.add(e, label, labelForm)
	for _, alias := range g.Aliases(e) {
		b.add(e, alias, aliasForm)
	}
	if key := g.Key(e); key != label && !strings.Contains(key, "://") {
		b.add(e, key, aliasForm)
	}
}

func (b *namesReader) add(e kg.EntityID, name string, f form) {
	if strings.Contains(name, "://") {
		name = localName(name)
	}
	b.tokens = lexicon.AppendTokens(b.tokens[:0], name)
	tokens := b.tokens
	if len(tokens) == 0 {
		if s := strings.TrimSpace(name); s != "" {
			b.symbol(e, s)
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

// symbol notes a name without letters and digits, once for an entity.
func (b *namesReader) symbol(e kg.EntityID, s string) {
	for i := len(b.found) - 1; i >= 0 && b.found[i].posting.entity() == e; i-- {
		at := uint32(0)
		if i > 0 {
			at = b.found[i-1].end
		}
		if b.found[i].symbol && string(b.text[at:b.found[i].end]) == s {
			return
		}
	}
	b.text = append(b.text, s...)
	b.found = append(b.found, foundKey{uint32(len(b.text)), true, newPosting(e, 0)})
}

// variants indexes the forms of a name that are told from its tokens.
func (b *namesReader) variants(e kg.EntityID, name string, tokens []lexicon.Token, f form) {
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
		b.putKey(e, key, max(f, turnedForm)) // "AFC Blackpool" for "A.F.C. Blackpool"
	}
	if n := len(tokens); n > 1 && (n <= maxCompactTokens || n == maxCompactTokens+1 && hasPossessive(tokens)) {
		if c := appendCompact(b.buf[:0], tokens); len(c) <= maxCompactBytes {
			b.buf = c
			b.putKey(e, c, max(f, compactForm))
		}
	}
}

func hasPossessive(tokens []lexicon.Token) bool {
	return slices.ContainsFunc(tokens, func(t lexicon.Token) bool { return t.Lower == lexicon.Possessive })
}

func (b *namesReader) put(e kg.EntityID, tokens []lexicon.Token, f form) {
	if len(tokens) > maxNameTokens && f != labelForm && f != aliasForm {
		return
	}
	b.buf = appendKey(b.buf[:0], tokens)
	b.putKey(e, b.buf, f)
}

func (b *namesReader) putKey(e kg.EntityID, key []byte, f form) {
	b.text = append(b.text, key...)
	b.found = append(b.found, foundKey{uint32(len(b.text)), false, newPosting(e, f)})
}

// find returns the postings of a key; the same entity may appear under several
// forms.
func (n *names) find(key []byte) []posting { return n.keys.under(key) }

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
// "Kismet (film)" or "Kismet [1944]", or before the tag of a language's region, as in
// "Colour-GB"; nil where there is none.
func undisambiguated(name string, tokens []lexicon.Token) []lexicon.Token {
	s := strings.TrimRight(name, " ")
	if at := len(s) - len("-GB"); at > 0 && s[at] == '-' && isLower(s[at-1]) && isUpper(s[at+1]) && isUpper(s[at+2]) {
		return before(tokens, at)
	}
	if !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
		return nil
	}
	open := strings.LastIndexAny(s, "([")
	if open <= 0 {
		return nil
	}
	return before(tokens, open)
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

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

package check

import (
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
	"cairn/engine/say"
)

// How much of a name and of a text a prompt shows, in characters: a model repeats them
// as it has read them.
const (
	MaxLabel = 200
	MaxText  = 2000
)

// Names finds the entities of a whole graph that have a name. A link.Linker does.
type Names interface {
	// Named returns the entities with a name that is text but for case, accents
	// and punctuation.
	Named(text string) []kg.EntityID
}

// name is a name of an entity, cut into words.
type name struct {
	words  []string
	entity kg.EntityID
	text   string
}

// nameIndex finds names and amounts in a text.
type nameIndex struct {
	byWord  map[string][]name        // by the first word
	amounts map[string][]kg.EntityID // by what a number or a date says; see amountKeys
	seen    map[kg.EntityID]bool
}

func newNameIndex() *nameIndex {
	return &nameIndex{byWord: map[string][]name{}, amounts: map[string][]kg.EntityID{}, seen: map[kg.EntityID]bool{}}
}

func (x *nameIndex) addTriples(g *kg.Graph, ts []kg.TripleID) {
	for _, id := range ts {
		t := g.Triple(id)
		x.add(g, t.Head)
		x.add(g, t.Tail)
	}
}

// add adds the names of an entity: also as prompts and sentences shorten them.
func (x *nameIndex) add(g *kg.Graph, e kg.EntityID) {
	if x.seen[e] {
		return
	}
	x.seen[e] = true
	label := g.Label(e)
	for _, key := range amountKeys(label) {
		x.amounts[key] = append(x.amounts[key], e)
	}
	written := append([]string{label}, g.Aliases(e)...)
	for _, short := range []string{say.Name(g, e), llm.Quote(label, MaxLabel)} {
		written = kg.With(written, short)
	}
	for _, s := range written {
		if len(s) > MaxText {
			continue // it stands nowhere as it is
		}
		x.call(s, e)
	}
}

// nameAt returns the longest name at the start of tokens, which are of text: its
// number of words and the entities that have it; only those whose name is written
// so, letter by letter, where there are any.
func (x *nameIndex) nameAt(text string, tokens []lexicon.Token) (length int, es []kg.EntityID) {
	exact := false
	for _, n := range x.byWord[tokens[0].Lower] {
		if len(n.words) < length || len(n.words) > len(tokens) {
			continue
		}
		same := true
		for k, w := range n.words {
			same = same && tokens[k].Lower == w
		}
		if !same || len(n.words) == 1 && !standsOut(text, tokens[0], n) || signed(n.text) != negative(text, tokens[0].Start) {
			continue
		}
		written := text[tokens[0].Start:tokens[len(n.words)-1].End] == n.text
		if len(n.words) > length || written && !exact {
			length, es, exact = len(n.words), nil, written
		}
		if written == exact && !slices.Contains(es, n.entity) {
			es = append(es, n.entity)
		}
	}
	return length, es
}

// signed reports whether a name is a number below nothing.
func signed(name string) bool {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(name, "−", "-"), "-")
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// standsOut reports whether a word is a name where that name may be an everyday
// word: "It" is a film only as it is written, SO a code only in capitals, and "not"
// a name only in quotes.
func standsOut(text string, t lexicon.Token, n name) bool {
	denies, joins := negations[n.words[0]], joints[n.words[0]]
	if !glue(n.words[0]) && !denies && !joins {
		return true
	}
	shouted := len(t.Text) > 1 && t.Text == strings.ToUpper(t.Text)
	before := text[:t.Start]
	quoted := strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "“") || strings.HasSuffix(before, "‘")
	return text[t.Start:t.End] == n.text && (quoted || t.Capital && !denies && (!joins || shouted))
}

// amountAt returns the number or date that begins with a token: what has it, and
// its length in bytes; 0 where there is none. es is nil for one that nothing has.
func (x *nameIndex) amountAt(text string, t lexicon.Token) (es []kg.EntityID, length int) {
	if n, ok := lexicon.Numeral(t.Lower); ok && !strings.HasPrefix(text[t.End:], " of ") {
		if es = x.amounts[numberKey(strconv.Itoa(n))]; len(es) > 0 {
			return es, t.End - t.Start
		}
	}
	key, length := amountAt(text[t.Start:])
	if length == 0 {
		return nil, 0
	}
	return x.amounts[key], length
}

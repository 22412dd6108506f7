package answer

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/assets"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
	"cairn/internal/testing/golden"
	"cairn/internal/testing/shared"
	"cairn/internal/wording"
)

// sampleWorld returns the built-in sample graph.
func sampleWorld(tb testing.TB) *kg.Graph {
	tb.Helper()
	r := csv.NewReader(strings.NewReader(string(assets.SampleWorld)))
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		tb.Fatalf("read the sample: %v", err)
	}
	var b kg.Builder
	for _, row := range rows[1:] {
		switch row[1] {
		case "is a":
			b.AddType(b.Entity(row[0]), row[2])
		case "also known as":
		default:
			b.Add(row[0], row[1], row[2])
		}
	}
	return b.Graph()
}

// mapped finds entities by their labels, but for case, accents and punctuation.
type mapped map[string][]kg.EntityID

func newMapped(g *kg.Graph) mapped {
	m := mapped{}
	for e := range kg.EntityID(g.Entities()) {
		key := bare(g.Label(e))
		m[key] = append(m[key], e)
	}
	return m
}

func (m mapped) Named(text string) []kg.EntityID { return m[bare(text)] }

// bare is a text without case, accents and punctuation.
func bare(text string) string {
	var words []string
	for _, t := range lexicon.Tokenize(text) {
		words = append(words, t.Lower)
	}
	return strings.Join(words, " ")
}

// said is a sentence with its citations.
type said struct {
	text  string
	cites []int
}

// world is a graph to lie about.
type world struct {
	g     *kg.Graph
	names mapped
	rng   *rand.Rand
}

// scene is a triple to say and to lie about, T1 of a pack of triples some of which
// share its relation or its ends.
type scene struct {
	*world
	pack       evidence.Pack
	t          kg.Triple
	head, tail string
	relation   string
}

func (w *world) scene() scene {
	s := scene{world: w}
	id := kg.TripleID(w.rng.IntN(w.g.Triples()))
	s.t = w.g.Triple(id)
	add := func(t kg.TripleID) {
		if len(s.pack.Triples) < 12 && !slices.Contains(s.pack.Triples, t) {
			s.pack.Triples = append(s.pack.Triples, t)
		}
	}
	add(id)
	for _, e := range []kg.EntityID{s.t.Head, s.t.Tail} {
		for _, edges := range [][]kg.Edge{w.g.Out(e), w.g.In(e)} {
			for range min(2, len(edges)) {
				add(edges[w.rng.IntN(len(edges))].Triple)
			}
		}
	}
	for tries := 0; len(s.pack.Triples) < 12; tries++ {
		other := kg.TripleID(w.rng.IntN(w.g.Triples()))
		if w.g.Triple(other).Relation == s.t.Relation || tries > 40 {
			add(other)
		}
	}
	s.head, s.tail, s.relation = say.Name(w.g, s.t.Head), say.Name(w.g, s.t.Tail), say.Readable(w.g.RelationText(s.t.Relation))
	return s
}

// holds reports whether the graph joins two entities by a relation.
func (w *world) holds(h kg.EntityID, r kg.RelationID, t kg.EntityID) bool {
	_, ok := w.g.Find(kg.Triple{Head: h, Relation: r, Tail: t})
	return ok
}

// namesApart reports whether neither of two names is part of the other, so that
// one may be put in place of the other.
func namesApart(a, b string) bool {
	a, b = lexicon.Fold(a), lexicon.Fold(b)
	return !strings.Contains(a, b) && !strings.Contains(b, a)
}

var decade = regexp.MustCompile(`^\d+s$`)

// amountForms counts the forms in which a number or a date may be said: a date also by
// its month and its year.
func amountForms(label string) int {
	switch v, ok := kg.ParseValue(strings.Trim(label, `"`)); {
	case !ok, decade.MatchString(label):
		return 0
	case v.Kind == kg.DateValue:
		return 2 + strings.Count(label, "-")
	}
	return 1
}

// phrasings are the ways in which a head, a relation and a tail may be said.
func (s scene) phrasings(h, t string) []string {
	c := say.ClauseOf(s.relation)
	value := say.IsValue(s.g, s.t.Tail)
	out := []string{say.Capital(c.Say([]string{h}, []string{t}, value))}
	if c.Inverse {
		return out
	}
	bare := c.Words
	switch c.Form {
	case say.Noun:
		if lexicon.IsPlural(bare) || strings.HasPrefix(bare, "has ") {
			break
		}
		t := strings.TrimSpace(t + " " + c.Unit)
		out = append(out, t+" is the "+bare+" of "+h, h+"'s "+bare+" is "+t, "The "+bare+" of "+h+" was "+t, h+" has the "+bare+" "+t)
	case say.Be:
		switch {
		case strings.HasSuffix(bare, " by"):
			verb := strings.TrimSuffix(bare, " by")
			if active, ok := map[string]string{"written": "wrote", "directed": "directed", "discovered": "discovered"}[verb]; ok {
				out = append(out, t+" "+active+" "+h)
			}
			out = append(out, h+", which was "+bare+" "+t+", is here", "The "+verb+" by of "+h+" is "+t)[:len(out)]
		case bare == "awarded to":
			out = append(out, t+" was awarded "+h)
		}
	case say.Verb:
		if bare == "borders" {
			out = append(out, t+" is bordered by "+h)
		}
	case say.Past:
	}
	return out
}

// other returns an entity that the relation joins to the head nowhere, from
// among those given, in a name that tells it from both ends.
func (s scene) other(among []kg.EntityID) (kg.EntityID, bool) {
	for range 20 {
		e := among[s.rng.IntN(len(among))]
		n := say.Name(s.g, e)
		if namesApart(n, s.head) && namesApart(n, s.tail) && !s.alike(s.t.Head, e) && !s.alike(e, s.t.Head) && amountForms(n) == amountForms(s.tail) {
			return e, true
		}
	}
	return 0, false
}

// alike reports whether the graph joins two entities by a relation that may be
// said in the words of the scene's.
func (s scene) alike(h, t kg.EntityID) bool {
	return slices.ContainsFunc(s.g.Out(h), func(x kg.Edge) bool { return x.Entity == t && s.sameMeaning(s.relationOf(x.Triple), s.t.Relation) })
}

func (w *world) relationOf(t kg.TripleID) kg.RelationID { return w.g.Triple(t).Relation }

// ends are the entities of the pack.
func (s scene) ends() []kg.EntityID {
	var es []kg.EntityID
	for _, id := range s.pack.Triples[1:] {
		x := s.g.Triple(id)
		es = append(es, x.Head, x.Tail)
	}
	return es
}

func (s scene) pick(texts []string) string { return texts[s.rng.IntN(len(texts))] }

// all are citations of the whole pack.
func (s scene) all() []int {
	ns := make([]int, len(s.pack.Triples))
	for i := range ns {
		ns[i] = i + 1
	}
	return ns
}

// list returns a true list of up to three tails of one head, and its citations.
func (s *scene) list() (tails []string, cites []int) {
	for _, x := range s.g.OutBy(s.t.Head, s.t.Relation) {
		n := say.Name(s.g, x.Entity)
		if len(tails) == 3 || slices.ContainsFunc(tails, func(o string) bool { return !namesApart(o, n) }) || !namesApart(n, s.head) {
			continue
		}
		if s.pack.Number(x.Triple) == 0 {
			s.pack.Triples = append(s.pack.Triples, x.Triple)
		}
		tails, cites = append(tails, n), append(cites, s.pack.Number(x.Triple))
	}
	return tails, cites
}

// second returns the clause of another triple of the pack, and its number.
func (s scene) second() (string, kg.Triple, int) {
	n := 2 + s.rng.IntN(len(s.pack.Triples)-1)
	return say.Triple(s.g, s.pack.Triples[n-1]), s.g.Triple(s.pack.Triples[n-1]), n
}

// liar makes a false sentence of a scene, or none.
type liar struct {
	name string
	lie  func(s *scene) (said, bool)
}

func one(text string, ok bool) (said, bool) { return said{text + ".", []int{1}}, ok }

// liars are the classes of fabrication.
var liars = []liar{
	{"entity of the evidence", func(s *scene) (said, bool) {
		e, ok := s.other(s.ends())
		return one(s.pick(s.phrasings(s.head, say.Name(s.g, e))), ok)
	}},
	{"entity of the evidence, all cited", func(s *scene) (said, bool) {
		e, ok := s.other(s.ends())
		return said{s.pick(s.phrasings(s.head, say.Name(s.g, e))) + ".", s.all()}, ok
	}},
	{"entity of the graph", func(s *scene) (said, bool) {
		e, ok := s.other([]kg.EntityID{kg.EntityID(s.rng.IntN(s.g.Entities())), kg.EntityID(s.rng.IntN(s.g.Entities()))})
		return one(s.pick(s.phrasings(s.head, say.Name(s.g, e))), ok)
	}},
	{"entity of nowhere", func(s *scene) (said, bool) {
		return one(s.pick(append(s.phrasings(s.head, "Zorgonia"), s.phrasings("Zorgonia", s.tail)...)), true)
	}},
	{"entity of nowhere, lower case", func(s *scene) (said, bool) {
		return one(s.pick(append(s.phrasings(s.head, "zorgonia"), s.phrasings("zorgonia", s.tail)...)), true)
	}},
	{"longer name", func(s *scene) (said, bool) {
		return one(s.pick(append(s.phrasings(s.head, s.tail+" Junior"), s.phrasings("New "+s.head, s.tail)...)), true)
	}},
	{"wrong number", func(s *scene) (said, bool) {
		v, ok := kg.ParseValue(s.tail)
		if !ok || v.Kind != kg.NumberValue {
			return said{}, false
		}
		changed := s.pick([]string{s.tail + "7", "1" + s.tail, "-" + s.tail, s.tail + ".5", s.tail + " million", s.tail + "th", s.tail + "s"})
		return one(s.pick(s.phrasings(s.head, changed)), true)
	}},
	{"number of another triple", func(s *scene) (said, bool) {
		if !say.IsValue(s.g, s.t.Tail) {
			return said{}, false
		}
		e, ok := s.other(s.ends())
		return said{s.pick(s.phrasings(s.head, say.Name(s.g, e))) + ".", s.all()}, ok && say.IsValue(s.g, e)
	}},
	{"flipped direction", func(s *scene) (said, bool) {
		return one(s.pick(s.phrasings(s.tail, s.head)), !s.holds(s.t.Tail, s.t.Relation, s.t.Head))
	}},
	{"flipped direction, all cited", func(s *scene) (said, bool) {
		return said{s.pick(s.phrasings(s.tail, s.head)) + ".", s.all()}, !s.holds(s.t.Tail, s.t.Relation, s.t.Head)
	}},
	{"negation", func(s *scene) (said, bool) {
		text := s.pick(s.phrasings(s.head, s.tail))
		low := strings.TrimPrefix(text, "The ")
		if low != text {
			low = "the " + low
		}
		verb := strings.NewReplacer(" is ", " is not ", " are ", " are not ", " was ", " was not ").Replace(text)
		if verb == text || strings.Count(verb, " not ") != 1 {
			verb = "It is not true that " + low
		}
		contracted := strings.NewReplacer(" is not ", " isn't ", " are not ", " aren’t ", " was not ", " wasn't ").Replace(verb)
		return one(s.pick([]string{
			verb, contracted, "It is false that " + low, "No triple says that " + low, "Neither is it so that " + low, "Never " + low,
			"Without doubt " + low, low + ", or not", "Nor " + low, "It is wrong that " + low, "Nobody says that " + low, text + " no more",
		}), true)
	}},
	{"cites another triple", func(s *scene) (said, bool) {
		n := 2 + s.rng.IntN(len(s.pack.Triples)-1)
		x := s.g.Triple(s.pack.Triples[n-1])
		return said{s.pick(s.phrasings(s.head, s.tail)) + ".", []int{n}}, x.Head != s.t.Tail || x.Tail != s.t.Head
	}},
	{"cites nothing", func(s *scene) (said, bool) { return said{s.pick(s.phrasings(s.head, s.tail)) + ".", nil}, true }},
	{"cites out of range", func(s *scene) (said, bool) {
		return said{s.pick(s.phrasings(s.head, s.tail)) + ".", [][]int{{0}, {1, 99}, {-1}, {1000000}}[s.rng.IntN(4)]}, true
	}},
	{"joined, tail of another", func(s *scene) (said, bool) {
		_, x, n := s.second()
		name := say.Name(s.g, x.Tail)
		ok := !s.alike(s.t.Head, x.Tail) && namesApart(name, s.head) && namesApart(name, s.tail) && x.Tail != s.t.Head && !s.alike(x.Tail, s.t.Head)
		return said{s.pick(s.phrasings(s.head, name)) + ".", []int{1, n}}, ok
	}},
	{"joined, new verb", func(s *scene) (said, bool) {
		_, x, n := s.second()
		name := say.Name(s.g, x.Tail)
		verb := s.pick([]string{"worked with", "met", "was paid by", "leads to", "made", "is why there is", "is related to", "and also", "with"})
		return said{s.tail + " " + verb + " " + name + ".", []int{1, n}}, namesApart(name, s.head) && namesApart(name, s.tail)
	}},
	{"joined, the tails", func(s *scene) (said, bool) {
		_, x, n := s.second()
		name := say.Name(s.g, x.Tail)
		ok := namesApart(name, s.head) && namesApart(name, s.tail) && !s.alike(s.t.Tail, x.Tail) && !s.alike(x.Tail, s.t.Tail)
		return said{s.pick(append(s.phrasings(s.tail, name), s.phrasings(name, s.tail)...)) + ".", []int{1, n}}, ok
	}},
	{"borrowed subject", func(s *scene) (said, bool) {
		text, x, n := s.second()
		clause := say.ClauseOf(say.Readable(s.g.RelationText(x.Relation)))
		ok := clause.Form != say.Noun && !clause.Inverse && !s.holds(s.t.Head, x.Relation, x.Tail) && x.Head != s.t.Head && strings.HasPrefix(text, say.Name(s.g, x.Head)) &&
			!s.holds(s.t.Tail, x.Relation, x.Tail) && namesApart(say.Name(s.g, x.Head), s.head)
		return said{say.Capital(say.Triple(s.g, s.pack.Triples[0])) + " and" + strings.TrimPrefix(text, say.Name(s.g, x.Head)) + ".", []int{1, n}}, ok
	}},
	{"swapped pairs", func(s *scene) (said, bool) {
		text, x, n := s.second()
		mine, theirs := say.Name(s.g, s.t.Tail), say.Name(s.g, x.Tail)
		first := say.Triple(s.g, s.pack.Triples[0])
		ok := namesApart(mine, theirs) && strings.Count(first, mine) == 1 && strings.Count(text, theirs) == 1 && namesApart(say.Name(s.g, x.Head), theirs) && namesApart(s.head, mine) &&
			!s.alike(s.t.Head, x.Tail) && !s.alike(x.Tail, s.t.Head)
		return said{say.Capital(strings.Replace(first, mine, theirs, 1)) + " and " + strings.Replace(text, theirs, mine, 1) + ".", []int{1, n}}, ok
	}},
	{"one follows from the other", func(s *scene) (said, bool) {
		text, _, n := s.second()
		joint := s.pick([]string{"because", "therefore", "so", "since", "before", "after", "which is why", "thus", "although", "until", "while", "when"})
		return said{s.pick(s.phrasings(s.head, s.tail)) + " " + joint + " " + text + ".", []int{1, n}}, true
	}},
	{"extra clause", func(s *scene) (said, bool) {
		return one(s.pick(s.phrasings(s.head, s.tail))+s.pick([]string{
			", a beautiful place", " and was very happy", " in Atlantis", ", as experts agree", " for the first time", " twice", " in secret", " with Zorg",
			", who is a spy", " and nothing else", " or so", " again", ", and it was good", " today", " for 3 years", " in 1066", " with a friend", " on purpose", " at home", " in the film", " for the country", " as a city", " and film", ", place", " in order", " of old",
		}), true)
	}},
	{"superlative or quantifier", func(s *scene) (said, bool) {
		text := s.pick(s.phrasings(s.head, s.tail))
		low := strings.TrimPrefix(text, "The ")
		if low != text {
			return one(s.pick([]string{"The only ", "The largest ", "The best ", "Every ", "All the ", "Most of the ", "The oldest ", "The more famous ", "Each ", "Some "})+low, true)
		}
		return one(s.pick([]string{"Only ", "Especially ", "All of ", "Most of ", "Even ", "Mostly ", "More than "})+text, true)
	}},
	{"hedge", func(s *scene) (said, bool) {
		return one(s.pick([]string{"Perhaps ", "Probably ", "It may be that ", "Reportedly ", "It could be that ", "It seems that ", "Possibly ", "It will be that "})+s.pick(s.phrasings(s.head, s.tail)), true)
	}},
	{"swapped list member", func(s *scene) (said, bool) {
		tails, cites := s.list()
		e, ok := s.other(s.ends())
		if len(tails) < 2 || !ok {
			return said{}, false
		}
		tails[s.rng.IntN(len(tails))] = say.Name(s.g, e)
		return said{say.Capital(say.ClauseOf(s.relation).Say([]string{s.head}, tails, false)) + ".", cites}, true
	}},
	{"list with one too many", func(s *scene) (said, bool) {
		tails, cites := s.list()
		e, ok := s.other(s.ends())
		if len(tails) < 2 || !ok {
			return said{}, false
		}
		return said{say.Capital(say.ClauseOf(s.relation).Say([]string{s.head}, append(tails, say.Name(s.g, e)), false)) + ".", cites}, true
	}},
	{"wrong count of a list", func(s *scene) (said, bool) {
		tails, cites := s.list()
		if len(tails) < 2 {
			return said{}, false
		}
		n := s.pick([]string{"five", "7", "twelve", "one", "forty", "a hundred"})
		return said{fmt.Sprintf("There are %s answers: %s.", n, wording.List(tails)), cites}, true
	}},
	{"wrong count", func(s *scene) (said, bool) {
		n := 1 + len(s.g.OutBy(s.t.Head, s.t.Relation)) + s.rng.IntN(4)
		text := say.ClauseOf(s.relation).Say([]string{s.head}, []string{strconv.Itoa(n) + " things"}, false)
		return said{say.Capital(text) + ".", s.all()}, true
	}},
	{"another relation", func(s *scene) (said, bool) {
		for range 20 {
			r := kg.RelationID(s.rng.IntN(s.g.Relations()))
			if r == s.t.Relation || s.holds(s.t.Head, r, s.t.Tail) || s.sameMeaning(r, s.t.Relation) {
				continue
			}
			text := say.ClauseOf(say.Readable(s.g.RelationText(r))).Say([]string{s.head}, []string{s.tail}, say.IsValue(s.g, s.t.Tail))
			return said{say.Capital(text) + ".", s.all()}, true
		}
		return said{}, false
	}},
	{"wrong kind", func(s *scene) (said, bool) {
		if s.g.NumTypes() == 0 {
			return said{}, false
		}
		t := kg.TypeID(s.rng.IntN(s.g.NumTypes()))
		text := s.phrasings("the "+s.g.TypeLabel(t)+" "+s.head, s.tail)[0]
		kinds := append(lexicon.Builtin().KindsOf(lexicon.Stem(s.g.TypeLabel(t))), lexicon.Stems(s.g.TypeLabel(t))...)
		for _, own := range s.g.Types(s.t.Head) {
			for _, stem := range lexicon.Stems(s.g.TypeLabel(own)) {
				if slices.Contains(kinds, stem) {
					return said{}, false
				}
			}
		}
		return said{text + ".", s.all()}, !s.namedLike(s.g.TypeLabel(t) + " " + s.head)
	}},
	{"pronoun for a name", func(s *scene) (said, bool) {
		return said{s.pick(append(s.phrasings("it", s.tail), s.phrasings("they", s.tail)...)) + ".", s.all()}, true
	}},
	{"either or", func(s *scene) (said, bool) {
		e, ok := s.other(s.ends())
		return said{s.pick(s.phrasings(s.head, s.tail+" or "+say.Name(s.g, e))) + ".", s.all()}, ok
	}},
	{"true, outside the evidence", func(s *scene) (said, bool) {
		id := kg.TripleID(s.rng.IntN(s.g.Triples()))
		return said{say.Capital(say.Triple(s.g, id)) + ".", []int{1}}, s.pack.Number(id) == 0
	}},
	{"another unit", func(s *scene) (said, bool) {
		if c := say.ClauseOf(s.relation); c.Unit == "" {
			return said{}, false
		}
		base, _, _ := strings.Cut(s.relation, " (")
		return one("The "+base+" of "+s.head+" is "+s.tail+" "+s.pick([]string{"feet", "miles", "tonnes", "percent", "people", "dollars"}), true)
	}},
	{"another language", func(s *scene) (said, bool) {
		e, ok := s.other(s.ends())
		return said{s.pick([]string{"Die Antwort für " + s.head + " ist ", "La réponse pour " + s.head + " est ", "La respuesta de " + s.head + " es "}) + say.Name(s.g, e) + ".", s.all()}, ok
	}},
}

// sameMeaning reports whether two relations may be said in the same words.
func (w *world) sameMeaning(a, b kg.RelationID) bool {
	lex := lexicon.Builtin()
	if a == b {
		return true
	}
	x, y := lexicon.Stems(w.g.RelationText(a)), lexicon.Stems(w.g.RelationText(b))
	for _, s := range x {
		if !lex.IsStop(s) && slices.Contains(y, s) {
			return true
		}
	}
	m, n := lex.Meanings(lexicon.RelationWords(w.g.RelationKey(a))), lex.Meanings(lexicon.RelationWords(w.g.RelationKey(b)))
	asks := func(stems []string, m []int) bool {
		return slices.ContainsFunc(stems, func(s string) bool {
			return slices.ContainsFunc(lex.ConceptsOf(s), func(c int) bool { return slices.Contains(m, c) })
		})
	}
	return slices.ContainsFunc(n, func(c int) bool { return slices.Contains(m, c) }) || asks(x, n) || asks(y, m)
}

func (w *world) namedLike(text string) bool { return len(w.names.Named(text)) > 0 }

// truths are true sentences of a scene.
func (s *scene) truths() []said {
	var out []said
	for _, text := range s.phrasings(s.head, s.tail) {
		out = append(out, said{text + ".", []int{1}})
	}
	if text, _, n := s.second(); namesApart(text, s.head) {
		first := say.Capital(say.Triple(s.g, s.pack.Triples[0]))
		out = append(out, said{first + " and " + text + ".", []int{1, n}}, said{first + "; " + text + ".", []int{1, n}}, said{first + ", and " + text + ".", []int{1, n}})
	}
	if tails, cites := s.list(); len(tails) > 1 {
		out = append(out, said{say.Capital(say.ClauseOf(s.relation).Say([]string{s.head}, tails, false)) + ".", cites},
			said{fmt.Sprintf("There are %d answers: %s.", len(tails), wording.List(tails)), cites})
	}
	if v, ok := kg.ParseValue(s.tail); ok && v.Kind == kg.NumberValue && v.Number >= 10_000 && !strings.ContainsAny(s.tail, ",. ") {
		out = append(out, said{s.phrasings(s.head, commas(s.tail))[0] + ".", []int{1}})
	}
	return out
}

// commas divides the thousands of a whole number.
func commas(digits string) string {
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// checked checks one sentence.
func (s scene) checked(x said) Sentence {
	a := &Answer{Pack: s.pack, Sentences: []Sentence{{Text: x.text, Citations: x.cites}}}
	CheckSentences(s.g, a, s.names)
	return a.Sentences[0]
}

// results are the columns of the table.
var results = []check.Result{check.Covered, check.Partly, check.Misattributed, check.Joined, check.NotInEvidence, check.NotInGraph}

// TestFabrications tells true sentences over random triples and lies about them,
// in every class of lies, and prints cases × verdicts: no lie may pass, and nearly
// every truth must.
//
//	go test -run TestFabrications -v ./engine/answer
func TestFabrications(t *testing.T) {
	shared.Sequential(t)
	t.Run("sample", func(t *testing.T) {
		golden.Compare(t, "testdata/fabrications.txt", tellLies(t, sampleWorld(t), 200, 11))
	})
	t.Run("metaqa", func(t *testing.T) {
		if testing.Short() {
			t.Skip("reads a large graph")
		}
		kb, err := os.ReadFile(shared.Data(t, "metaqa/kb.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var b kg.Builder
		for line := range strings.Lines(string(kb)) {
			if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 3 {
				b.Add(f[0], f[1], f[2])
			}
		}
		tellLies(t, b.Graph(), 100, 11)
	})
}

// leastTrue is the share of true sentences that must be covered.
const leastTrue = 0.97

func tellLies(t *testing.T, g *kg.Graph, each int, seed uint64) string {
	t.Helper()
	w := &world{g: g, names: newMapped(g), rng: rand.New(rand.NewPCG(seed, 13))}
	var table strings.Builder
	row := func(name string, counts map[check.Result]int) {
		n := 0
		fmt.Fprintf(&table, "%-36s", name)
		for _, c := range results {
			fmt.Fprintf(&table, " %8d", counts[c])
			n += counts[c]
		}
		fmt.Fprintf(&table, " %6d\n", n)
	}
	fmt.Fprintf(&table, "%-36s %8s %8s %8s %8s %8s %8s %6s\n", "", "support.", "partly", "misattr.", "joined", "not ev.", "not gr.", "cases")

	counts, missed := map[check.Result]int{}, []string{}
	for range each {
		s := w.scene()
		for _, x := range s.truths() {
			got := s.checked(x)
			if counts[got.Check]++; got.Check != check.Covered {
				missed = append(missed, fmt.Sprintf("%s %v (%v: %s)", x.text, x.cites, got.Check.Words(), got.Reason))
			}
		}
	}
	row("TRUE", counts)
	total := len(missed) + counts[check.Covered]
	if share := float64(counts[check.Covered]) / float64(total); share < leastTrue {
		t.Errorf("%.1f %% of true sentences are supported, want %.0f %%; such as\n%s", 100*share, 100*leastTrue, strings.Join(missed[:min(30, len(missed))], "\n"))
	}
	for _, l := range liars {
		counts := map[check.Result]int{}
		var passed []string
		for tries := 0; tries < 20*each && sum(counts) < each; tries++ {
			s := w.scene()
			x, ok := l.lie(&s)
			if !ok {
				continue
			}
			got := s.checked(x)
			if counts[got.Check]++; got.Check == check.Covered {
				passed = append(passed, fmt.Sprintf("%s %v, from %s", x.text, x.cites, say.Triple(g, s.pack.Triples[0])))
			}
		}
		row(l.name, counts)
		if len(passed) > 0 {
			t.Errorf("%s: %d of %d pass, such as\n%s", l.name, len(passed), sum(counts), strings.Join(passed[:min(12, len(passed))], "\n"))
		}
	}
	t.Logf("%d true sentences not supported:\n%s\n%s", len(missed), strings.Join(missed[:min(25, len(missed))], "\n"), table.String())
	return table.String()
}

func sum(counts map[check.Result]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

package schema

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// ValueKind says what the labels in a slot are.
type ValueKind int

// What labels are.
const (
	NoValue ValueKind = iota
	NumberValue
	DateValue
)

const (
	// valueShare is the share of a slot's entities that must read as values.
	valueShare = 0.8
	// slotSample is how many entities of a slot are read to learn what it holds.
	slotSample = 400
	// kindShare is the share of the smaller slot that two slots of one kind have
	// in common at least.
	kindShare = 0.4
	// kindShared is how many entities two slots of one kind share at least, where
	// they are not of about one size: one chance overlap makes no kind.
	kindShared = 8
)

// overlaps counts the entities that two slots share. It is a dense matrix while
// that is small, and a map beyond.
type overlaps struct {
	n      int
	dense  []int32
	sparse map[uint64]int32
}

// denseSlots is how many slots a dense matrix is made for: 64 MB.
const denseSlots = 4000

func newOverlaps(n int) overlaps {
	if n <= denseSlots {
		return overlaps{n: n, dense: make([]int32, n*n)}
	}
	return overlaps{n: n, sparse: map[uint64]int32{}}
}

func (o overlaps) add(a, b Slot) {
	if o.dense != nil {
		o.dense[int(a)*o.n+int(b)]++
		return
	}
	o.sparse[uint64(a)<<32|uint64(b)]++
}

func (o overlaps) count(a, b Slot) int {
	a, b = min(a, b), max(a, b)
	if o.dense != nil {
		return int(o.dense[int(a)*o.n+int(b)])
	}
	return int(o.sparse[uint64(a)<<32|uint64(b)])
}

// pairs are the slots that share something, in order.
func (o overlaps) pairs() iter.Seq2[Slot, Slot] {
	return func(yield func(a, b Slot) bool) {
		for i, n := range o.dense {
			if n > 0 && !yield(Slot(i/o.n), Slot(i%o.n)) {
				return
			}
		}
		for _, key := range slices.Sorted(maps.Keys(o.sparse)) {
			if !yield(Slot(key>>32), Slot(uint32(key))) {
				return
			}
		}
	}
}

// countSlots fills size, meets, value, typeShare and mediator. Slots of
// relations that are not kept stay empty.
func (s *Schema) countSlots(ctx context.Context) error {
	s.meets = newOverlaps(len(s.size))
	samples := make([][]kg.EntityID, len(s.size))
	var in []Slot
	for e := range s.g.Entities() {
		if e%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in = s.SlotsOf(kg.EntityID(e), in[:0])
		for i, a := range in {
			// The first members, and then some of the rest: the first alone may
			// all come from one corner of the source.
			if s.size[a] < slotSample || s.size[a]%101 == 0 && len(samples[a]) < 2*slotSample {
				samples[a] = append(samples[a], kg.EntityID(e))
			}
			s.size[a]++
			for _, b := range in[i+1:] {
				s.meets.add(a, b)
			}
		}
	}
	for a, sample := range samples {
		s.describeSlot(Slot(a), sample)
	}
	for st := range s.canonical {
		if s.mediator[Step(st).To()] && s.canonical[st] == Step(st) {
			s.mediated = append(s.mediated, Step(st))
		}
	}
	return nil
}

// SlotsOf appends the slots that e is in, ascending.
func (s *Schema) SlotsOf(e kg.EntityID, to []Slot) []Slot {
	add := func(r kg.RelationID, at Slot) {
		switch {
		case !s.IsKept(r):
		case s.g.IsSymmetric(r):
			to = append(to, Forward(r).From(), Forward(r).To())
		default:
			to = append(to, at)
		}
	}
	for r := range s.g.RelationsOut(e) {
		add(r, Forward(r).From())
	}
	for r := range s.g.RelationsIn(e) {
		add(r, Forward(r).To())
	}
	return kg.Distinct(to)
}

// isOfTime reports whether every word in the name of a step's relation speaks of a time: "year", "from",
// "begins".
func (s *Schema) isOfTime(st Step) bool {
	name := lexicon.RelationWords(s.g.RelationName(st.Relation()))
	return st.IsBack() && len(name) > 0 && !slices.ContainsFunc(name, func(w string) bool { return !ofTime[lexicon.Base(w)] && !ofTime[w] })
}

// ofTime are words in the names of relations to times.
var ofTime = lexicon.WordSet("year date begin beginning start end from to since until born died founded built made of birth death")

// CountsBack reports whether a slot has years as numbers of which those before Christ are negative.
func (s *Schema) CountsBack(at Slot) bool { return s.eras[at] }

// isThing reports whether e is no value, whatever its name: it has a type, and relations of its own. An id
// may be a number.
func (s *Schema) isThing(e kg.EntityID) bool {
	if s.g.IsLiteral(e) || len(s.g.Types(e)) == 0 {
		return false
	}
	for range s.g.RelationsOut(e) {
		return true
	}
	return false
}

func (s *Schema) describeSlot(a Slot, sample []kg.EntityID) {
	if len(sample) == 0 {
		return
	}
	dates, numbers, unclean, nameless, years, before := 0, 0, 0, 0, 0, 0
	types, heads, units := map[kg.TypeID]float64{}, map[string]float64{}, map[string]int{}
	unit := kg.UnitsOf(unitInName(s.g.RelationText(Step(a).Relation())))
	measured := Step(a).IsBack() && len(unit) > 0 && unit[0].Dimension != "time" // 1750 of an "altitude (m)" is no year
	for _, e := range sample {
		switch v, ok := s.g.Value(e); {
		case !ok, s.isThing(e):
			if s.g.IsLiteral(e) && strings.ContainsAny(s.g.Label(e), "0123456789") {
				unclean++ // "1200-1300" or "ca. 1234" among numbers
			}
		case v.Kind == kg.DateValue || v.Unit == "" && !measured && IsYear(s.g.Label(e)):
			dates++
		default:
			numbers++
			if units[v.Unit]++; v.Unit == "" && v.Number == float64(int(v.Number)) && v.Number < 2100 {
				years++
			}
			if v.Number < 0 {
				before++
			}
		}
		if IsNameless(s.g, e) {
			nameless++
		}
		if len(s.g.Types(e)) > 0 {
			s.typed[a]++
		}
		for _, h := range s.HeadsOf(e) {
			heads[h]++
		}
		for _, t := range s.g.Types(e) {
			types[t]++
		}
	}
	s.typed[a] /= float64(max(1, len(sample))) // a sum of shares would fall short of 1
	for h := range heads {
		heads[h] /= float64(len(sample))
	}
	for t := range types {
		types[t] /= float64(len(sample))
	}
	enough := valueShare * float64(len(sample))
	if 2*(dates+numbers) <= len(sample) {
		unclean = 0
	}
	switch {
	case float64(dates) >= enough:
		s.value[a] = DateValue
	case before > 0 && float64(dates+years) >= enough && s.isOfTime(Step(a)):
		s.value[a], s.eras[a] = DateValue, true
	case float64(dates+numbers+unclean) >= enough:
		s.value[a] = NumberValue
	}
	if s.value[a] == NumberValue {
		s.units[a] = units
		for u := range units {
			if u != "" && len(kg.UnitsOf(u)) == 0 {
				s.own[u] = true
			}
		}
	}
	s.mediator[a] = float64(nameless) >= enough
	if len(types) > 0 {
		s.typeShare[a] = types
	}
	if len(types) == 0 && s.value[a] == NoValue && len(sample) > 1 {
		for _, noun := range inEveryLabel(s.g, sample) {
			s.labelled[noun] = append(s.labelled[noun], a)
		}
	}
	if len(heads) > 0 {
		s.headShare[a] = heads
	}
}

// inEveryLabel returns the stems of the words that all of some labels begin or end with: "Team
// Red" and "Team Blue" are teams.
func inEveryLabel(g *kg.Graph, es []kg.EntityID) (shared []string) {
	for i, e := range es {
		var ends []string
		if of := lexicon.Stems(g.Label(e)); len(of) > 1 {
			ends = []string{of[0], of[len(of)-1]}
		}
		if i == 0 {
			shared = ends
		}
		if shared = slices.DeleteFunc(shared, func(s string) bool { return !slices.Contains(ends, s) }); len(shared) == 0 {
			break
		}
	}
	return shared
}

// findHeads reads what the keys of relations say of their heads.
func (s *Schema) findHeads() {
	s.head = make([]string, s.g.Relations())
	s.heads = map[string]bool{}
	for r := range s.head {
		if noun := HeadNoun(lexicon.ParseRelation(s.g.RelationName(kg.RelationID(r))).Head); noun != "" {
			s.head[r] = noun
			s.heads[noun] = true
		}
	}
}

// HeadNoun returns the stem of what the words call a thing: their last, or the
// one before "of": a "national anthem of a country" is an anthem.
func HeadNoun(words []string) string {
	if of := slices.Index(words, "of"); of > 0 {
		words = words[:of]
	}
	if len(words) == 0 {
		return ""
	}
	return lexicon.Stem(words[len(words)-1])
}

// HeadsOf returns what the keys of the relations that leave e call it: what has
// a people.person.place_of_birth is a person.
func (s *Schema) HeadsOf(e kg.EntityID) []string {
	if len(s.heads) == 0 {
		return nil
	}
	var out []string
	for r := range s.g.RelationsOut(e) {
		if h := s.head[r]; h != "" && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// IsYear reports whether a label looks like a year: four digits from 1000 on.
func IsYear(label string) bool {
	return len(label) == 4 && (label[0] == '1' || label[:2] == "20") && strings.Trim(label, "0123456789") == ""
}

// IsYearNumber reports whether a number looks like a year.
func IsYearNumber(n float64) bool { return n >= 1000 && n < 2100 && n == float64(int(n)) }

// IsTime reports whether a value looks like a date, a year or an interval of them.
func IsTime(x kg.Extent) bool {
	return x.Kind == kg.DateValue || x.Unit == "" && IsYearNumber(x.Number) && IsYearNumber(x.Until)
}

// IsNameless reports whether e has an id in place of a name: a Freebase machine
// id or a blank node.
func IsNameless(g *kg.Graph, e kg.EntityID) bool {
	label := g.Label(e)
	for _, prefix := range []string{"m.", "g.", "/m/", "/g/", "_:"} {
		rest, ok := strings.CutPrefix(label, prefix)
		if ok && isID(rest) {
			return true
		}
	}
	return false
}

// IsUnlabelled reports whether e is called by the end of its address alone, which ends in a number: "part4" has no name
// of its own.
func IsUnlabelled(g *kg.Graph, e kg.EntityID) bool {
	label, key := g.Label(e), g.Key(e)
	at := strings.LastIndexAny(key, "/#")
	return strings.Contains(key, "://") && key[at+1:] == label && strings.TrimRight(label, "0123456789") != label
}

func isID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(s) > 1
}

// groupSlots gives one kind to slots that share many entities.
func (s *Schema) groupSlots() {
	for a := range s.kind {
		s.kind[a] = a
	}
	for a, b := range s.meets.pairs() {
		small, large := min(s.size[a], s.size[b]), max(s.size[a], s.size[b])
		both := float64(s.meets.count(a, b))
		if small > 0 && both >= kindShare*float64(small) && (both >= kindShared || both >= kindShare*float64(large)) {
			s.unite(a, b)
		}
	}
}

// Uniting returns a schema in which both ends of each relation are of one kind.
func (s *Schema) Uniting(rs []kg.RelationID) *Schema {
	out := *s
	out.kind = slices.Clone(s.kind)
	for _, r := range rs {
		out.unite(Forward(r).From(), Forward(r).To())
	}
	return &out
}

// unite gives the slots of b's kind the kind of a.
func (s *Schema) unite(a, b Slot) {
	to, was := s.kind[a], s.kind[b]
	if to == was {
		return
	}
	for i := range s.kind {
		if s.kind[i] == was {
			s.kind[i] = to
		}
	}
}

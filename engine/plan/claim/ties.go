package claim

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// fit says how a relation agrees with the words around two names.
type fit int

// The fits, best first.
const (
	worded    fit = iota // a word nearby asks for the relation
	elsewhere            // a word asks for it, further away
	inferred             // no word asks for it
)

// tie is a triple that joins two names of a claim.
type tie struct {
	a, b     int // indices into verifier.names
	rank     int // of the entities among those that the names may mean
	head     kg.EntityID
	tail     kg.EntityID
	relation kg.RelationID
	from, to int // indices into verifier.names, of head and tail
	fit      fit
	weight   float64
	word     int // that asks for it, or -1
	distance int // of the word from the names
}

// ties lists what joins the names, the best first.
func (v *verifier) ties(ctx context.Context) []tie {
	var out []tie
	for a := range v.names {
		for b := a + 1; b < len(v.names); b++ {
			if ctx.Err() != nil {
				return nil
			}
			out = append(out, v.between(a, b)...)
		}
	}
	slices.SortStableFunc(out, func(x, y tie) int {
		return cmp.Or(cmp.Compare(x.fit, y.fit), cmp.Compare(x.rank, y.rank), cmp.Compare(x.distance, y.distance), cmp.Compare(y.weight, x.weight))
	})
	return out
}

// between lists the triples that join any entities of two names.
func (v *verifier) between(a, b int) []tie {
	var out []tie
	for i, x := range v.names[a].is {
		for j, y := range v.names[b].is {
			if x == y || v.isOtherSense(x, v.names[b], y) || v.isOtherSense(y, v.names[a], x) {
				continue
			}
			for _, t := range v.joining(x, y) {
				triple := v.g.Triple(t)
				n := tie{a: a, b: b, rank: i + j, head: triple.Head, tail: triple.Tail, relation: triple.Relation, from: a, to: b, word: -1}
				if n.head == y {
					n.from, n.to = b, a
				}
				v.fit(&n)
				out = append(out, n)
			}
		}
	}
	return out
}

// isOtherSense reports whether a name means a country by its adjective, of somebody whose country the graph tells: who
// is "German" need not be who has it as a language, unless the claim says so.
func (v *verifier) isOtherSense(of kg.EntityID, n claimName, e kg.EntityID) bool {
	countries := v.t.Vocabulary.Countries(n.Span)
	if slices.Contains(countries, e) || slices.ContainsFunc(v.q.Words, func(w words.Word) bool { return w.Mention < 0 && !w.Stop && w.IsCue() }) {
		return false
	}
	return slices.ContainsFunc(countries, func(c kg.EntityID) bool {
		return slices.ContainsFunc(v.g.In(c), func(x kg.Edge) bool {
			return len(v.g.OutBy(of, x.Relation)) > 0 && v.t.Vocabulary.IsOfSomebody(x.Relation)
		})
	})
}

// joining returns the triples between two entities, those that leave the one with fewer first: of a symmetric pair
// that one is read.
func (v *verifier) joining(x, y kg.EntityID) []kg.TripleID {
	if v.g.Degree(y) < v.g.Degree(x) {
		x, y = y, x
	}
	if v.g.Degree(x) > claimScan {
		return nil
	}
	var out []kg.TripleID
	for _, edges := range [2][]kg.Edge{v.g.Out(x), v.g.In(x)} {
		for _, e := range edges {
			if e.Entity == y {
				out = append(out, e.Triple)
			}
		}
	}
	return out
}

// fit compares a tie with the words around its names.
func (v *verifier) fit(t *tie) {
	step := v.schema.Canonical(schema.Forward(t.relation))
	back := v.schema.Back(step)
	t.fit = inferred
	near := v.near(t.a, t.b)
	for i := range v.q.Words {
		w := &v.q.Words[i]
		isOwn := w.Mention == t.a || w.Mention == t.b
		if isOwn {
			w = &v.base.Words[i] // the name may say it itself: "a V6 engine"
		}
		weight := max(w.Weight[step], w.Weight[back])
		if own := v.q.SaysName(i, t.relation); own > weight {
			weight = own
		}
		if weight == 0 {
			continue
		}
		f, d := elsewhere, min(words.Distance(i, v.names[t.a].From), words.Distance(i, v.names[t.b].From))
		if near(i) {
			f = worded
		}
		if isOwn {
			d = len(v.words) // any other word says it better: "a director of Delmar Holdings" is no shareholder
		}
		if t.word < 0 || f < t.fit || f == t.fit && weight > t.weight {
			t.fit, t.weight, t.word, t.distance = f, weight, i, d
		}
	}
	// "X is a Y" has no other word for what X is.
	if t.word < 0 && t.from == t.a && v.isKindNoun(v.names[t.b].Span) && slices.Contains(v.t.Vocabulary.Mapping(t.relation).Concepts, lexicon.InstanceOf) {
		t.fit, t.weight, t.word = worded, 1, v.names[t.b].From-1
	}
	if t.word < 0 && t.from == t.a && v.saysTrait(t.a, t.b, t.relation) {
		t.fit, t.weight, t.word = worded, 1, max(0, v.names[t.b].From-1)
	}
}

// saysTrait reports whether a claim says of one name that it is another, which a relation says by
// its values alone: "X is retired", "Is X still a captain?".
func (v *verifier) saysTrait(a, b int, r kg.RelationID) bool {
	if b != a+1 || !v.lex.IsTrait(v.t.Vocabulary.NameOf(r)) {
		return false
	}
	is, to := false, v.names[b].To
	for i, w := range v.words {
		within := i >= v.names[a].To && i < v.names[b].From
		switch {
		case (within || i == 0) && (copulas[w.Lower] || v.t.IsContractedNot(i) && copulas[strings.TrimSuffix(w.Lower, "n")]):
			is = true
		case !within || w.Lower == "not" || w.Lower == "t" || lexicon.IsOfNow(w.Lower):
		case (w.Lower == "a" || w.Lower == "an") && (to == len(v.words) || v.words[to].Stop): // and not "an Indian leader"
		default:
			return false
		}
	}
	return is
}

// isContrasted reports whether a word next to the names of a tie, which no other
// tie has used, asks for something else that could be between them: "the leader
// of X was Y" is not borne out by Y's having discovered X, nor "X died in Y" by
// X's birth there.
func (v *verifier) isContrasted(t tie, ties []tie) bool {
	st := schema.Forward(t.relation)
	for i := range v.q.Words {
		w := &v.q.Words[i]
		isUsed := slices.ContainsFunc(ties, func(u tie) bool { return u.word == i && u.fit == worded })
		if isUsed || w.Mention >= 0 || w.Taken || !v.isBefore(i, t.a) && !v.isBefore(i, t.b) {
			continue
		}
		if !w.IsCue() {
			if !words.Joins(w.Lower) && !w.Stop && !w.Silent && !w.IsKind() && len(v.lex.ConceptsOf(w.Stem)) > 0 {
				return true // a relation that this graph does not have
			}
			continue
		}
		if !w.AsksStrongly() {
			continue
		}
		if len(w.Names) > 0 && !w.Stop {
			return true
		}
		for s := range w.Weight {
			isAlike := v.schema.SameKind(s.From(), st.From()) && v.schema.SameKind(s.To(), st.To())
			if isAlike || len(v.schema.Edges(t.head, s)) > 0 || len(v.schema.Edges(t.tail, s)) > 0 {
				return true
			}
		}
	}
	return false
}

// isWorded reports whether the words of the claim say a tie: one beside the names asks for its
// relation or means it, "the chancellor of X was Y" by "leader", or nothing stands between
// them that could say another, "X, Y" and "X in Y", nor "X is on Y" where the kinds have one.
func (v *verifier) isWorded(t tie) bool {
	if t.word >= 0 && v.q.Words[t.word].Mention < 0 {
		return !v.isOfOtherEnd(t)
	}
	between := v.words[v.names[min(t.a, t.b)].To:v.names[max(t.a, t.b)].From]
	if t.from < t.to && !slices.ContainsFunc(between, func(w words.Word) bool { return !prepositions[w.Lower] && w.Lower != "the" }) {
		return true
	}
	isPlaced := slices.ContainsFunc(between, func(w words.Word) bool { return prepositions[w.Lower] })
	if t.from < t.to && isPlaced && v.isOnly(t.relation) && !slices.ContainsFunc(between, func(w words.Word) bool {
		return !copulas[w.Lower] && !prepositions[w.Lower] && w.Lower != "the"
	}) {
		return true // "X is on Y"
	}
	near := v.near(t.a, t.b)
	for i := range v.q.Words {
		if _, means := v.t.Words[i].MeantFor(t.relation); means && near(i) && v.q.Words[i].Mention < 0 {
			return true
		}
	}
	return false
}

// isOfOtherEnd reports whether a claim says what one name is to the other by a noun for the other end of
// the relation of a tie: the parent company of X is what X is a "subsidiary of", and no subsidiary of X.
func (v *verifier) isOfOtherEnd(t tie) bool {
	first, second := min(t.a, t.b), max(t.a, t.b)
	from, of := v.names[first].To, v.names[second].From-1
	for of > from && v.words[of].Lower == "the" {
		of--
	}
	for from < of && (copulas[v.words[from].Lower] || v.words[from].Lower == "a" || v.words[from].Lower == "an" || v.words[from].Lower == "the") {
		from++
	}
	if from >= of || v.words[of].Lower != "of" || v.schema.IsSymmetric(t.relation) {
		return false
	}
	noun := wording.Each(v.words[from:of], func(w words.Word) string { return w.Lower })
	tail, known := v.t.Vocabulary.NamesEnd(t.relation, strings.Join(noun, " "))
	return known && tail != (t.to == first)
}

// isOnly reports whether no other relation joins things of the two kinds, which are not one kind, and a
// noun names it: who "left" a ward is not on it.
func (v *verifier) isOnly(r kg.RelationID) bool {
	return v.isNoun(r) && !v.schema.JoinsSame(r) && v.isOnlyWay(kg.NoEntity, r, false)
}

// isOnlyTie reports whether a claim can hardly mean another triple than that of a tie: no other relation joins things of
// the two kinds, which are not one kind, and its other words say no more than that they belong together:
// "X comes from Y", by "breeder", and "X has a Y", by "facilities".
func (v *verifier) isOnlyTie(t tie) bool {
	st, says := schema.Forward(t.relation), false
	if v.leadsToValues(st) {
		return v.isOnlyAmount(t)
	}
	isLeaf := len(v.g.Out(t.tail)) == 0 && !v.schema.JoinsSame(t.relation) // nothing is said of it but that others have it
	if t.from > t.to || !isLeaf && !v.tellsEnds(t.relation) || !v.isOnlyWay(t.head, t.relation, false) {
		return false
	}
	for i := range v.q.Words {
		w := &v.q.Words[i]
		isOther := func(o schema.Step) bool {
			return len(v.schema.Edges(t.head, o)) > 0 || len(v.schema.Edges(t.tail, o)) > 0 || v.q.SaysName(i, o.Relation()) > 0
		}
		isVerb := lexicon.IsVerbForm(w.Lower) || lexicon.IsParticiple(w.Lower)
		_, isMeant := v.t.Words[i].MeantFor(t.relation)
		isLight := w.Mention < 0 && (words.Joins(w.Lower) || words.SaysLittle(w.Lower) || lexicon.IsPlacing(w.Lower) || isVerb && isMeant)
		says = says || isLight || w.Mention < 0 && lexicon.IsWhere(w.Lower) // "Lasagne is pasta" is not that pasta is in it
		switch {
		case w.Mention >= 0, w.Taken, besideVerbs[w.Lower], copulas[w.Lower], lexicon.IsComment(w.Lower):
		case w.Stop && !isLight, lexicon.IsOperator(w.Lower), w.AsksStrongly() && (!isLight || slices.ContainsFunc(slices.Collect(maps.Keys(w.Weight)), isOther)):
			return false // "only", "before", or the word of another relation
		case !isLight && !v.q.NamesSlot(w, st.From()) && !v.q.NamesSlot(w, st.To()):
			return false
		}
	}
	return says
}

// isOfKind reports whether a claim says by a tie of which sort a thing of its kind is, "X is a radio telescope" by the
// band that a telescope has: nothing else that it has is called so.
func (v *verifier) isOfKind(t tie) bool {
	return t.to == t.from+1 && v.saysSort(t.from, t.head) && v.isSole(t)
}

// isSole reports whether the head of a tie has its tail by no other relation.
func (v *verifier) isSole(t tie) bool {
	return !slices.ContainsFunc(v.g.Out(t.head), func(e kg.Edge) bool { return e.Entity == t.tail && v.g.Triple(e.Triple).Relation != t.relation })
}

// saysSort reports whether a claim says of a name for x no more than of which sort of its kind it is, by the next name:
// "X was a serious incident", where x is an incident.
func (v *verifier) saysSort(name int, x kg.EntityID) bool {
	first, sort := v.names[name], v.names[name+1]
	is, a := false, false
	for i, w := range v.words {
		switch {
		case first.From <= i && i < first.To, sort.From <= i && i < sort.To, i == 0 && w.Lower == "the", i < sort.From && (w.Lower == "not" || i > 0 && v.t.IsContractedNot(i)):
		case copulas[w.Lower] && i < sort.From:
			is = true
		case i == sort.From-1 && (w.Lower == "a" || w.Lower == "an"):
			a = true
		case i < sort.To || !v.isCalled(x, w.Stem):
			return false
		}
	}
	return is && a && sort.To < len(v.words)
}

// isOnlyAmount reports whether a claim can hardly mean another triple than that of a tie to a number: it gives the
// unit, or a word for the relation, the thing has no other such number, and its verb may stand for the relation:
// "X lasts 42 minutes", by "length (minutes)", and "X received 298 votes".
func (v *verifier) isOnlyAmount(t tie) bool {
	amount := v.names[t.to]
	said, _ := kg.ParseValue(strings.Trim(amount.Text, `"`))
	if amount.To < len(v.words) && said.Unit == "" {
		said, _ = kg.ParseValue(v.t.Source[amount.Start:v.words[amount.To].End])
	}
	_, isAlike := kg.Value{Unit: v.schema.Measured(t.relation).Unit}.In(said.Unit)
	if t.from != t.a && t.word < 0 || (said.Unit == "" || !isAlike) && t.word < 0 || !v.isSole(t) {
		return false
	}
	st := schema.Forward(t.relation)
	for i, w := range v.q.Words {
		asksOther := func(o schema.Step) bool { return o.Relation() != t.relation && len(v.schema.Edges(t.head, o)) > 0 }
		asksOwn := w.Weight[st] > 0
		isTold := w.Stop || asksOwn || v.q.SaysName(i, t.relation) > 0 || kg.UnitsOf(w.Lower) != nil || v.isCalled(t.head, w.Stem)
		switch {
		case w.Mention >= 0, w.Taken:
		case lexicon.IsOperator(w.Lower), w.AsksStrongly() && !asksOwn && slices.ContainsFunc(slices.Collect(maps.Keys(w.Weight)), asksOther), !isTold && !v.q.MayStandFor(i, st):
			return false
		}
	}
	return true
}

// besideVerbs are little words that say nothing of their own beside a verb.
var besideVerbs = lexicon.WordSet("a an the has have had do does did been ever in on at from of by for with to as into through")

// isBefore reports whether word i stands before a name, with no other name
// between, or follows a possessive or the last name.
func (v *verifier) isBefore(i, n int) bool {
	if i < v.names[n].From {
		return n == 0 || i >= v.names[n-1].To
	}
	to := v.names[n].To
	if n == len(v.names)-1 {
		return i >= to
	}
	return i >= to && i < v.names[n+1].From && v.words[to].Lower == lexicon.Possessive
}

// near returns whether a word stands next to one of two names, with no other
// name between.
func (v *verifier) near(a, b int) func(i int) bool {
	start := func(n int) int {
		if n == 0 {
			return 0
		}
		return v.names[n-1].To
	}
	end := func(n int) int {
		if n == len(v.names)-1 {
			return len(v.q.Words)
		}
		return v.names[n+1].From
	}
	return func(i int) bool {
		return i >= start(a) && i < end(a) || i >= start(b) && i < end(b)
	}
}

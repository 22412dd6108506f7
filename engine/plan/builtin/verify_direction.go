package builtin

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// isTurned reports whether the word of a tie says that it lies the other way
// round: "the successor of X was Y" is not that X succeeded Y. Only relations
// that have an inverse meaning can be turned, and where the sentence leaves it
// open they are not.
func (v *verifier) isTurned(t tie) bool {
	if t.word < 0 || v.words[t.word].mention >= 0 || !v.hasInverse(t) {
		return false
	}
	head := v.headOf(t)
	return head >= 0 && head != t.from && (head == t.a || head == t.b)
}

// hasInverse reports whether a relation means something that has an inverse:
// successor and predecessor, parent and child.
func (v *verifier) hasInverse(t tie) bool {
	if v.r.p.schema.IsSymmetric(v.r.p.schema.Canonical(schema.Forward(t.relation)).Relation()) {
		return false
	}
	lex := v.r.p.lex
	return slices.ContainsFunc(v.r.p.mappings[t.relation].Concepts, func(name string) bool {
		i, ok := lex.Concept(name)
		return ok && lex.Concepts[i].Inverse >= 0
	})
}

// headOf returns the name that the sentence makes the head of a tie's relation,
// or -1 where it does not say.
func (v *verifier) headOf(t tie) int {
	w := &v.q.words[t.word]
	other := func(n int) int {
		if n == t.a {
			return t.b
		}
		return t.a
	}
	ahead, known := v.saysAhead(t)
	if !known {
		return -1
	}
	if owner := v.ownerOf(t); owner >= 0 && !w.isPast() {
		switch {
		case owner != t.a && owner != t.b:
			return -1
		case ahead: // X's N is what the relation leads to from X
			return owner
		}
		return other(owner)
	}
	ownVerb := slices.Contains(lexicon.Stems(v.r.p.g.RelationText(t.relation)), w.Stem) &&
		!strings.HasSuffix(v.r.p.g.RelationText(t.relation), " by")
	if ownVerb {
		return -1 // "X follows Y" may be the relation itself
	}
	doer := v.doerOf(t)
	switch {
	case doer != t.a && doer != t.b:
		return -1
	case ahead: // a successor is who succeeds
		return other(doer)
	}
	return doer
}

// saysAhead reports whether the word of a tie means the relation as it is, or its
// inverse: "successor" and "succeeded" mean successor, "predecessor" its inverse.
// It is not known where the word belongs to both or to neither.
func (v *verifier) saysAhead(t tie) (ahead, known bool) {
	lex := v.r.p.lex
	stem := v.q.words[t.word].Stem
	means := func(c lexicon.Concept) bool {
		return slices.ContainsFunc(slices.Concat(c.Relation, c.Tail, c.Ask), func(p lexicon.Phrase) bool {
			return slices.Contains(p.Stems, stem)
		})
	}
	ahead = slices.Contains(lexicon.Stems(v.r.p.g.RelationText(t.relation)), stem)
	back := false
	for _, name := range v.r.p.mappings[t.relation].Concepts {
		i, ok := lex.Concept(name)
		if !ok || lex.Concepts[i].Inverse < 0 {
			continue
		}
		ahead = ahead || means(lex.Concepts[i])
		back = back || means(lex.Concepts[lex.Concepts[i].Inverse])
	}
	return ahead, ahead != back
}

// ownerOf returns the name that a noun belongs to: the X of "X's successor", "the
// successor of X", "X has a successor"; or -1.
func (v *verifier) ownerOf(t tie) int {
	before := v.lastNameBefore(t.word)
	if before >= 0 {
		to := v.names[before].to
		between := v.q.words[to:t.word]
		isHas := func(w word) bool { return w.Lower == "has" || w.Lower == "have" || w.Lower == "had" }
		if len(between) > 0 && between[0].Lower == lexicon.Possessive && len(between) < 4 || len(between) < 5 && slices.ContainsFunc(between, isHas) {
			return before
		}
	}
	if t.word+1 < len(v.q.words) {
		switch v.q.words[t.word+1].Lower {
		case "of", "to", "for":
			return v.firstNameAfter(t.word)
		}
	}
	return -1
}

// doerOf returns the name that does what a verb says: the X of "X succeeded Y"
// and "Y was succeeded by X"; or -1.
func (v *verifier) doerOf(t tie) int {
	before, after := v.lastNameBefore(t.word), v.firstNameAfter(t.word)
	if before < 0 || after < 0 {
		return -1
	}
	for _, w := range v.q.words[t.word+1 : v.names[after].from] {
		if w.Lower == "by" {
			return after
		}
	}
	return before
}

func (v *verifier) lastNameBefore(i int) int {
	for n, name := range slices.Backward(v.names) {
		if name.to <= i {
			return n
		}
	}
	return -1
}

func (v *verifier) firstNameAfter(i int) int {
	return slices.IndexFunc(v.names, func(n claimName) bool { return n.from > i })
}

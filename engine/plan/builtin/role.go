package builtin

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// proposeRoles adds the proposals that ask for the role which the asked noun names, where a
// shape leads to things of which only some have it: of those who live in a town, the employees
// are those who have an employer.
func (r *reader) proposeRoles(from []proposal) []proposal {
	var out []proposal
	for i := range from {
		pr := &from[i]
		roles, _ := pr.roles()
		if len(roles) != 1 || !r.afford(1) {
			continue
		}
		s := pr.shape
		s.role = []schema.Step{schema.Step(roles[0])}
		out = append(out, r.proposal(pr.q, s))
	}
	return out
}

// roles returns the slots that the asked noun names by what is done there, where a proposal
// leads to such things and takes none of the relations. own says that the graph itself calls them so:
// a painter is who something was "painted by".
func (pr *proposal) roles() (at []schema.Slot, own bool) {
	q, last := pr.q, pr.shape.lastSteps()
	if q.asked < 0 || len(last) == 0 || q.has(q.asked+1, min(q.asked+2, len(q.Words)), "of") {
		return nil, false // "the director of" something asks for no others
	}
	roles, own := q.askedRoles()
	isHop := func(at schema.Slot) bool {
		return slices.ContainsFunc(pr.shape.hops(), func(h hop) bool { return h.step.Relation() == schema.Step(at).Relation() })
	}
	if slices.ContainsFunc(roles, isHop) {
		return nil, false
	}
	for _, st := range last {
		isLike := func(at schema.Slot) bool { return q.p.schema.Coherent(at, st.To()) }
		if !slices.ContainsFunc(roles, isLike) || q.p.schema.Value(st.To()) != schema.NoValue {
			return nil, false
		}
	}
	return roles, own
}

// askedRoles returns the slots that the asked noun names by what is done there, ascending; own is as for roles.
func (q *question) askedRoles() (roles []schema.Slot, own bool) {
	if r := q.memo.roles; r != nil {
		return r.at, r.own
	}
	noun := &q.Words[q.asked]
	isOwn := q.isOwnRole(noun)
	roles = q.Roles(noun)
	for i, at := range roles {
		r := schema.Step(at).Relation()
		if tail, ok := q.p.lex.NamesEnd(q.p.names[r].words, q.p.names[r].meanings, noun.Lower); ok && tail != schema.Step(at).IsBack() {
			roles[i] = schema.Step(at).To()
		}
	}
	if own = slices.ContainsFunc(roles, isOwn); own {
		roles = slices.DeleteFunc(roles, func(at schema.Slot) bool { return !isOwn(at) })
	}
	roles = slices.DeleteFunc(roles, func(at schema.Slot) bool { return !own && !q.isPersonRole(noun, at) })
	q.memo.roles = &namedRoles{kg.Distinct(roles), own}
	return q.askedRoles()
}

// isPersonRole reports whether the lexicon calls persons in a slot by a noun: students, and not
// the works that somebody wrote, of which there are others.
func (q *question) isPersonRole(noun *words.Word, at schema.Slot) bool {
	is := func(p lexicon.Phrase) bool { return slices.Equal(p.Stems, []string{noun.Stem}) }
	isPerson := func(p lexicon.Phrase) bool { return p.Text == "person" }
	return slices.ContainsFunc(q.p.names[schema.Step(at).Relation()].meanings, func(m int) bool {
		c := &q.p.lex.Concepts[m]
		return c.Answer == lexicon.Person && (slices.ContainsFunc(c.Tail, is) || c.SameEnds && slices.ContainsFunc(c.Head, is)) ||
			slices.ContainsFunc(c.Head, is) && slices.ContainsFunc(c.Head, isPerson)
	})
}

// isOwnRole returns what tells whether the relation of a slot is called by the verb of a noun.
func (q *question) isOwnRole(noun *words.Word) func(at schema.Slot) bool {
	said := append(lexicon.Forms(lexicon.Singular(noun.Lower)), lexicon.Patient(noun.Lower))
	return func(at schema.Slot) bool {
		return slices.ContainsFunc(q.p.names[schema.Step(at).Relation()].words, func(w string) bool {
			return slices.ContainsFunc(lexicon.Forms(w), func(f string) bool { return slices.Contains(said, f) })
		})
	}
}

// roleDoubt says in a sentence of what the graph does not tell that it is what the asked noun
// says: of an answer, or of something that was left out for it. What the graph itself calls so
// leaves out who is not called so; "" for no such doubt.
func (r *reader) roleDoubt(ctx context.Context, best *proposal) string {
	roles, own := best.roles()
	if len(roles) == 0 || own && len(best.shape.role) > 0 {
		return ""
	}
	noun := &best.q.Words[best.q.asked]
	among := best.answers
	if len(best.shape.role) > 0 {
		all := *best
		all.shape.role = nil
		among = r.p.answers(ctx, &all)
	}
	i := slices.IndexFunc(among, func(e kg.EntityID) bool {
		return !slices.ContainsFunc(roles, func(at schema.Slot) bool { return len(r.p.schema.Edges(e, schema.Step(at))) > 0 })
	})
	if i >= 0 {
		return fmt.Sprintf("The graph does not say whether %s is one of the %s.", wording.Quote(r.p.g.Label(among[i])), wording.Quote(noun.Text))
	}
	if own || slices.ContainsFunc(roles, func(at schema.Slot) bool { return !best.q.saysMore(schema.Step(at).Relation(), noun.Lower) }) {
		return ""
	}
	return r.p.hasOther(schema.Step(roles[0]).Relation(), noun.Text)
}

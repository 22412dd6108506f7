package builtin

import "cairn/engine/plan"

// doubt says how sure the plan is.
func (r *reader) doubt(out *plan.Plan, _ []proposal) {
	switch {
	case len(out.Mentions) == 0:
		out.Doubt, out.Reason = plan.NoMention, "Nothing in the question is a name in this graph."
	case len(out.Readings) == 0:
		out.Doubt, out.Reason = plan.NoRelation, "Nothing in the question says what to look for in this graph."
	}
}

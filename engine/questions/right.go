package questions

import "slices"

// Right reports whether answers are all that the question should be answered with, and
// nothing else. Each answer is given by the names it may go by; case is folded.
func (q Question) Right(answers [][]string) bool {
	is := func(answer []string, wanted string) bool {
		return slices.ContainsFunc(answer, func(name string) bool { return folded(name) == folded(wanted) })
	}
	return !slices.ContainsFunc(q.Answers, func(wanted string) bool {
		return !slices.ContainsFunc(answers, func(a []string) bool { return is(a, wanted) })
	}) && !slices.ContainsFunc(answers, func(a []string) bool {
		return !slices.ContainsFunc(q.Answers, func(wanted string) bool { return is(a, wanted) })
	})
}

package paths

import "testing"

// What the tests of signatures from outside need of this package.
var (
	World     = world
	Bindings  = bindings
	BuildFor  = build
	Dominates = dominates
	HPRD      = hprd
)

// Candidates is how many paths the signatures leave for the paths that a query is cut
// into, in all, and how many these are.
func (x *Index) Candidates(t *testing.T, p protein) (candidates, routes int) {
	t.Helper()
	s := &search{x: x, stop: t.Context().Err, q: p.q}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	plan, err := s.plan()
	if err == nil {
		err = s.find(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range plan {
		candidates += r.candidates
		routes++
	}
	return candidates, routes
}

package app

import (
	"strings"
	"testing"
	"testing/synctest"
)

// TestPrepare: a graph that is not ready is prepared when it is open, and the
// window says so; one that is ready is left alone.
func TestPrepare(t *testing.T) {
	for _, late := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			defer r.close()
			r.opener.late = late
			r.ui(func() { r.open("/data/large.cairn") })
			synctest.Wait()
			g := r.opener.opened[0]
			if g.prepared.Load() != late {
				t.Errorf("a graph that is not ready: %v; prepared: %v", late, g.prepared.Load())
			}
			if got := r.read(func() string { return r.status.message }); !strings.HasPrefix(got, "Ready.") {
				t.Errorf("the status line says %q", got)
			}
		})
	}
}

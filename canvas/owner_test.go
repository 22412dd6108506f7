package canvas

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestCloseEndsALayout closes a view while a model is laid out that takes long: it is
// over at once, and what comes late is dropped.
func TestCloseEndsALayout(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	v := shown(t, Model{})
	queue := make(chan func(), 8)
	v.later = func(f func()) { queue <- f }
	v.SetModel(webModel(3000))
	if v.layouts == nil {
		t.Fatal("3000 nodes were laid out at once")
	}
	before := v.board.now.at[7]
	began := time.Now()
	v.Close()
	if took := time.Since(began); took > time.Second {
		t.Errorf("Close took %v", took)
	}
	close(queue)
	for f := range queue {
		f()
	}
	if at := v.board.now.at[7]; at != before {
		t.Errorf("after Close a node went from %v to %v", before, at)
	}
}

// TestPanicInALayout: the picture stays as it was, says no more that it is being
// arranged, and the next model is laid out.
func TestPanicInALayout(t *testing.T) {
	v := shown(t, Model{})
	var fault error
	v.OnFault = func(err error) { fault = err }
	queue := make(chan func(), 8)
	v.later = func(f func()) { queue <- f }
	v.SetModel(webModel(60))
	(<-queue)()
	was := v.board.now
	v.board.now.pinned = nil
	v.arrange(nil, false, func(arrangement) { t.Error("laid out") })
	v.board.now = was
	(<-queue)()
	if v.layouts != nil || fault == nil || !strings.Contains(fault.Error(), "index out of range") {
		t.Errorf("still arranging: %v; told %v", v.layouts != nil, fault)
	}
	v.SetModel(webModel(50))
	for v.layouts != nil {
		(<-queue)()
	}
	if len(v.board.now.at) != 50 {
		t.Errorf("%d nodes after it, want 50", len(v.board.now.at))
	}
}

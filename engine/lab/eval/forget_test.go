package eval

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/internal/testing/testkg"
)

func TestForgetful(t *testing.T) {
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf("a|made_by_%d|b", i))
	}
	g := testkg.Build(lines...)
	for share, want := range map[int][2]int{0: {0, 0}, 50: {200, 50}, 90: {360, 90}, 100: {400, 100}} {
		got := forgetful(g, share, false, 1)
		wordless := 0
		for _, o := range got {
			if len(o.Concepts) > 0 {
				t.Errorf("%d %%: %s keeps the meanings %q", share, o.RelationKey, o.Concepts)
			}
			if len(o.Words) == 0 {
				wordless++
			}
		}
		const near = 25 // of 400 that are drawn
		if max(len(got)-want[0], want[0]-len(got), wordless-want[1], want[1]-wordless) > near {
			t.Errorf("%d %%: %d relations forget, %d of them their own words; want about %v", share, len(got), wordless, want)
		}
		if diff := cmp.Diff(got, forgetful(g, share, false, 1)); diff != "" {
			t.Errorf("%d %%: drawn again, it differs: %s", share, diff)
		}
	}
	for _, o := range forgetful(g, 100, true, 1) {
		if len(o.Words) == 0 {
			t.Errorf("%s has lost its words, which were to be kept", o.RelationKey)
		}
	}
}

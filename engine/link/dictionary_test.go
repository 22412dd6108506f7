package link

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTable: a table is a map of lists whose keys are numbered.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 12, 13, 5000} {
		b := newTableBuilder[uint32](0, 0, 0)
		want := map[string][]uint32{}
		var order []string
		for i := range n {
			text := fmt.Sprint("text ", rng.IntN(n)*rng.IntN(n))[:5+rng.IntN(4)/2]
			text += string(bytes.Repeat([]byte{0}, rng.IntN(3)))
			if rng.IntN(9) == 0 {
				text = ""
			}
			if _, ok := want[text]; !ok {
				order = append(order, text)
				want[text] = nil
			}
			if b.put([]byte(text), uint32(i)); b.get(b.pairs[i].text) != text {
				t.Fatalf("put(%q) has number %d, which is %q", text, b.pairs[i].text, b.get(b.pairs[i].text))
			}
			want[text] = append(want[text], uint32(i))
		}
		got := b.finish()
		if got.size() != len(order) || !got.sound(uint64(n)) || n > 0 && got.sound(uint64(n)-1) {
			t.Errorf("n=%d: %d texts, want %d; sound: %v", n, got.size(), len(order), got.sound(uint64(n)))
		}
		for i, text := range order {
			if list := got.under([]byte(text)); got.get(uint32(i)) != text || !slices.Equal(list, want[text]) {
				t.Errorf("n=%d: under %q is %v, want %v", n, text, list, want[text])
			}
		}
		for _, absent := range []string{"text", "x", "text 12345678"} {
			if list := got.under([]byte(absent)); want[absent] == nil && list != nil {
				t.Errorf("n=%d: under %q is %v, want nothing", n, absent, list)
			}
		}
	}
}

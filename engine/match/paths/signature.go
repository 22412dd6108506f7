package paths

import "fmt"

// Signature turns a star into numbers such that a star has no less of any number than
// what is a part of it: with a ⊆ b as multisets of leaves, Sign(a) ≤ Sign(b) in every
// dimension. No match is lost as long as that holds, in exact arithmetic.
type Signature interface {
	// Name says what the signature is, with all that it depends on.
	Name() string
	Dims() int
	// Sign writes the signature of leaves, ascending by symbol, to into, which has Dims
	// numbers.
	Sign(leaves []Leaf, into []uint8)
}

// Weighted is a Signature with numbers that its name does not tell: a file keeps them.
type Weighted interface {
	Signature
	Weights() []uint32
	// WithWeights is the signature that had those weights, or ErrDamaged.
	WithWeights(w []uint32) (Signature, error)
}

// Counters is the signature that needs no training: how many leaves there are in all, and
// how many in each of some buckets of symbols.
type Counters struct {
	Buckets int // DefaultBuckets where 0
	// Blind is how many symbols, from 1 on, are left out: those of all relations make
	// it blind to relations.
	Blind int
}

// DefaultBuckets is enough for stars of a few dozen leaves to differ.
const DefaultBuckets = 15

// Name implements Signature.
func (c Counters) Name() string { return fmt.Sprintf("counters 1 %d %d", c.buckets(), c.Blind) }

// Dims implements Signature.
func (c Counters) Dims() int { return 1 + c.buckets() }

func (c Counters) buckets() int {
	if c.Buckets == 0 {
		return DefaultBuckets
	}
	return c.Buckets
}

// Sign implements Signature. Numbers end at 255, which keeps their order.
func (c Counters) Sign(leaves []Leaf, into []uint8) {
	clear(into)
	for _, l := range leaves {
		at := 0
		if l.Symbol > 0 {
			if int(l.Symbol) <= c.Blind {
				continue
			}
			at = 1 + int(Mixed(l.Symbol)%uint32(c.buckets()))
		}
		into[at] = uint8(min(uint32(into[at])+l.Count, 255))
	}
}

// Mixed spreads symbols over buckets (the finaliser of MurmurHash3).
func Mixed(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// dominates reports whether no number of a is below that of b.
func dominates(a, b []uint8) bool {
	for i, n := range b {
		if a[i] < n {
			return false
		}
	}
	return true
}

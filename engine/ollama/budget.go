package ollama

import (
	"math"
	"sync"
	"unicode/utf8"

	"cairn/engine/llm"
)

// templateTokens is what a model's chat template adds around two messages.
const templateTokens = 64

// budget estimates the tokens of prompts from above, and learns from what the
// server counts: how long this model's template is, and how far below the
// estimate its prompts stay. A prompt that fits is then not refused for the
// caution of the first estimate. It is safe for concurrent use.
//
//	estimate = overhead + text · factor
//
// The overhead and the worst factor seen only ever grow, so that no prompt is
// estimated below what it, or a shorter one of its kind, was counted as. Servers
// that count only what was not in their cache are harmless for the same reason.
type budget struct {
	mu       sync.Mutex
	overhead int // tokens; 0 stands for templateTokens
	seen     [3]factor
}

// factor is what was learnt of prompts of one kind: mostly in ASCII, mixed, and
// mostly in other scripts, which tokenizers treat very differently.
type factor struct {
	n     int     // how many prompts were counted that were long enough
	worst float64 // the largest share of the estimate that was counted
}

const (
	factorMargin = 1.1 // above the worst that was seen
	factorFloor  = 0.35
	factorCeil   = 4.0
	// factorPrompts is how many prompts must agree before an estimate is lowered.
	factorPrompts = 3
	// factorTokens is how long a prompt must be, by estimate, to tell anything of
	// the factor; with shorter ones the template outweighs the text.
	factorTokens = 256
)

// value returns what to multiply the estimate of a text with.
func (f factor) value() float64 {
	v := min(f.worst*factorMargin, factorCeil)
	if v < 1 && f.n < factorPrompts {
		return 1
	}
	return max(v, factorFloor)
}

// kindOf returns the estimate of a request's text, and its kind.
func kindOf(req llm.Request) (text, kind int) {
	ascii, other := 0, 0
	for _, r := range req.Prompt {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	switch {
	case other*20 <= ascii:
		kind = 0
	case other <= ascii:
		kind = 1
	default:
		kind = 2
	}
	return llm.EstimateTokens(req.Prompt), kind
}

// estimate returns how many tokens a request's prompt has, from above.
func (b *budget) estimate(req llm.Request) int {
	text, kind := kindOf(req)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of(text, kind)
}

func (b *budget) of(text, kind int) int {
	return max(b.overhead, templateTokens) + int(math.Ceil(float64(text)*b.seen[kind].value()))
}

// learn takes note of how many tokens the server counted in a request's prompt.
func (b *budget) learn(req llm.Request, counted int) {
	text, kind := kindOf(req)
	if counted <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	f := &b.seen[kind]
	if text < factorTokens {
		// Enough even where the factor is learnt to be the lowest.
		b.overhead = max(b.overhead, counted-int(factorFloor*float64(text)))
		return
	}
	f.n++
	f.worst = max(f.worst, float64(counted)/float64(text))
	if short := counted - b.of(text, kind); short > 0 { // beyond factorCeil
		b.overhead = max(b.overhead, templateTokens) + short
	}
}

package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cairn/engine/llm"
)

// Limits of a self-test.
const (
	// maxRequests bounds the requests of one self-test.
	maxRequests = 10
	// patience is how long one request may take: a question needs two.
	patience = 2 * time.Minute
)

var (
	errSpent = errors.New("the self-test asks no more than that")
	errSlow  = fmt.Errorf("no complete reply within %v", patience)
)

// meter is the model under test. It keeps what was said, and lets no more than
// the allowed requests through. It is used by one goroutine.
type meter struct {
	llm.Model

	allowed int // requests that the current check may still make
	slow    bool
	replies []reply
}

// reply is how one request ended.
type reply struct {
	llm.Reply
	purpose purpose
	err     error
	took    time.Duration
}

// purpose is which step a request belongs to.
type purpose int

const (
	toRead    purpose = iota // the planner's
	toWord                   // the reader's
	toExtract                // the extractor's
)

type step struct {
	*meter
	purpose purpose
}

func (s step) Ask(ctx context.Context, req llm.Request) (llm.Reply, error) {
	if s.allowed <= 0 || s.slow {
		return llm.Reply{}, errSpent
	}
	s.allowed--
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := time.Now()
	r, err := s.Model.Ask(within, req)
	if ctx.Err() == nil && within.Err() != nil {
		s.slow, err = true, errSlow
	}
	s.replies = append(s.replies, reply{r, s.purpose, err, time.Since(began)})
	return r, err
}

// Room implements llm.Roomy: there is much where the model does not say.
func (s step) Room(req llm.Request) int {
	if room, known := llm.Room(s.Model, req); known {
		return room
	}
	return math.MaxInt32
}

// jsonReplies counts the replies that are JSON, and all that came or were cut.
func (m *meter) jsonReplies() (good, all int) {
	for _, r := range m.replies {
		if r.err != nil && !errors.Is(r.err, llm.ErrCut) {
			continue
		}
		all++
		if r.err == nil && json.Valid([]byte(r.Text)) {
			good++
		}
	}
	return good, all
}

// typical is the median time of a step's replies; 0 where none came.
func (m *meter) typical(p purpose) time.Duration {
	var times []time.Duration
	for _, r := range m.replies {
		if r.purpose == p && r.err == nil {
			times = append(times, r.took)
		}
	}
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// total fills in what the requests took together.
func (m *meter) total(r *Report) {
	var took time.Duration
	for _, x := range m.replies {
		r.Requests++
		r.PromptTokens += x.PromptTokens
		r.ReplyTokens += x.ReplyTokens
		took += x.took
	}
	if took > 0 {
		r.TokensPerSecond = float64(r.ReplyTokens) / took.Seconds()
	}
	if read, word := m.typical(toRead), m.typical(toWord); read > 0 && word > 0 {
		r.PerQuestion = read + word
	}
}

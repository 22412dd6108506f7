package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/llm"
)

// InquiryOptions are the choices of what asks a model about many questions; the zero
// value is the default.
type InquiryOptions struct {
	// MaxWallTime is the soft deadline. The default value is none.
	MaxWallTime time.Duration
	// Seed makes the replies repeatable, as far as the model is.
	Seed int
}

// inquiry asks a model about many questions, several at once. A batch that the model
// cannot do is asked for in halves. Where its replies are of no use again and again, the
// inquiry ends, and stopped says so in a sentence.
type inquiry struct {
	m        llm.Model
	ask      func(ctx context.Context, q *inquiry, of []int) (useful bool, err error)
	deadline time.Time // zero for none
	budget   int       // requests that are left
	stopped  string    // why it ended before all questions; empty where it did not
}

// perRequest is how many questions go into a request: small models lose count of more.
const perRequest = 8

// newInquiry makes an inquiry; ask sends the request about the questions with some
// indexes, and keeps what the reply says of them.
func newInquiry(m llm.Model, o InquiryOptions, ask func(ctx context.Context, q *inquiry, of []int) (bool, error)) *inquiry {
	q := &inquiry{m: m, ask: ask}
	if o.MaxWallTime > 0 {
		q.deadline = time.Now().Add(o.MaxWallTime)
	}
	return q
}

// all asks about the questions with these indexes. An error of the server or the context
// ends it. progress may be nil.
func (q *inquiry) all(ctx context.Context, able []int, progress func(done, total int64)) error {
	// Each batch may be asked for once more on average.
	q.budget = 2*((len(able)+perRequest-1)/perRequest) + 16
	done := 0
	for batch := range slices.Chunk(able, perRequest) {
		if progress != nil {
			progress(int64(done), int64(len(able)))
		}
		if err := q.batch(ctx, batch); err != nil {
			return err
		}
		if q.stopped != "" {
			break
		}
		done += len(batch)
	}
	if progress != nil {
		progress(int64(len(able)), int64(len(able)))
	}
	return nil
}

// batch asks about some of the questions at once.
func (q *inquiry) batch(ctx context.Context, of []int) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case q.budget == 0:
		q.stopped = fmt.Sprintf("Too many of %s's replies could not be used.", q.m.Name())
		return nil
	case !q.deadline.IsZero() && time.Now().After(q.deadline):
		q.stopped = "It ran out of time."
		return nil
	}
	useful, err := q.ask(ctx, q, of)
	switch {
	case useful:
		return nil
	case err != nil && !errors.Is(err, llm.ErrCut) && !errors.Is(err, llm.ErrForm) && !errors.Is(err, llm.ErrPromptTooLong):
		return err
	case len(of) == 1:
		return nil
	}
	half := (len(of) + 1) / 2
	for _, part := range [][]int{of[:half], of[half:]} {
		if err := q.batch(ctx, part); err != nil || q.stopped != "" {
			return err
		}
	}
	return nil
}

// request sends one request, and has the objects of the reply read until one is of use.
func (q *inquiry) request(ctx context.Context, req llm.Request, read func(json.RawMessage) (useful bool)) (useful bool, err error) {
	if room, known := llm.Room(q.m, req); known && room < 0 {
		return false, llm.ErrPromptTooLong
	}
	q.budget--
	reply, err := q.m.Ask(ctx, req)
	if err != nil {
		return false, fmt.Errorf("ask for %s: %w", req.Purpose, err)
	}
	for object := range llm.Objects(reply.Text) {
		if read(object) {
			return true, nil
		}
	}
	return false, nil
}

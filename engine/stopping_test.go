package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"cairn/engine/ollama"
	"cairn/internal/testing/fakeollama"
)

// TestStopEndsAQuestionAtOnce: whatever a server is about when the user stops, the
// question is over within 100 ms.
func TestStopEndsAQuestionAtOnce(t *testing.T) {
	const reads = `{"divided":[],"triples":[["Tangerine","directed_by","UNKNOWN person 1"]],"asked":"UNKNOWN person 1","task":"find","negated":false}`
	const words = `{"sentences":[{"text":"Tangerine was directed by Sean Baker, and this takes long to say.","citations":[1]}]}`
	for name, test := range map[string]struct {
		reading, wording fakeollama.Answer
		mid              bool // stopped at the first words of the answer, else while nothing comes
	}{
		"while it reads, with half a reply": {reading: fakeollama.Answer{Text: reads, Fault: fakeollama.Stalled}},
		"while it reads, without a word":    {reading: fakeollama.Answer{Fault: fakeollama.Silent}},
		"while it words, without a word":    {reading: fakeollama.Answer{Text: reads}, wording: fakeollama.Answer{Fault: fakeollama.Silent}},
		"while it words, amid a sentence":   {reading: fakeollama.Answer{Text: reads}, wording: fakeollama.Answer{Text: words, Fault: fakeollama.Stalled}, mid: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stopped time.Time
			stop := func() {
				stopped = time.Now()
				cancel()
			}
			asked := make(chan struct{}, 1)
			fake := fakeollama.New(t).Model("m", fakeollama.Script{Answer: func(c fakeollama.Chat) fakeollama.Answer {
				a := test.reading
				if strings.Contains(string(c.Schema), `"sentences"`) {
					a = test.wording
				}
				if a.Fault != fakeollama.None {
					asked <- struct{}{}
				}
				return a
			}})
			server, err := ollama.NewServer(fake.URL, ollama.ServerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := server.Model("m", ollama.ModelOptions{})
			if err != nil {
				t.Fatal(err)
			}
			e := films(t)
			e.SetModel(m)
			ev := &Events{}
			if test.mid {
				said := ""
				ev.Token = func(piece string) {
					if said == "" {
						stop()
					}
					said += piece
				}
			} else {
				go func() {
					<-asked
					time.Sleep(20 * time.Millisecond) // what comes of the reply has come
					stop()
				}()
			}
			run, err := e.Ask(ctx, "who directed Tangerine?", AskOptions{}, ev)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("Ask = %+v, %v; want a stop", run, err)
			}
			if took := time.Since(stopped); took > 100*time.Millisecond {
				t.Errorf("the question was over %v after the stop, want 100 ms at most", took)
			}
		})
	}
}

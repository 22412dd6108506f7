package ollama_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/internal/testing/ollamatest"
	"cairn/internal/testing/tinymodel"
)

// The tests of this file talk to a real Ollama server. What ollama_test.go claims
// that a server does, these see it do.

func TestMain(m *testing.M) { os.Exit(ollamatest.Run(m)) }

// realModel gives a server a model, and returns it to be asked.
func realModel(t *testing.T, s *ollamatest.Server, m tinymodel.Model) *ollama.Model {
	t.Helper()
	return ask(t, s, s.Install(t, m))
}

func ask(t *testing.T, s *ollamatest.Server, name string) *ollama.Model {
	t.Helper()
	m, err := client(t, s).Model(name, ollama.ModelOptions{NumCtx: realContext})
	if err != nil {
		t.Fatalf("Model(%q): %v", name, err)
	}
	return m
}

func client(t *testing.T, s *ollamatest.Server) *ollama.Server {
	t.Helper()
	c, err := ollama.NewServer(s.Host(), ollama.ServerOptions{})
	if err != nil {
		t.Fatalf("NewServer: %v", err)
	}
	return c
}

// realContext is the context size of all tests, in tokens, which are bytes to
// these models.
const realContext = 2048

const listSchema = `{"type":"object","properties":{"items":{"type":"array","minItems":1,"maxItems":4,"items":{"type":"string","maxLength":30}}},"required":["items"]}`

func TestRealReplyIsWhole(t *testing.T) {
	const want = `{"items":["Wien","Zürich \"am See\""]}`
	m := realModel(t, ollamatest.Shared(t), tinymodel.Script(want))
	var streamed strings.Builder
	pieces := 0
	got, err := m.Ask(t.Context(), llm.Request{
		Prompt: "Which cities?", Schema: json.RawMessage(listSchema), MaxTokens: 100,
		OnToken: func(piece string) { streamed.WriteString(piece); pieces++ },
	})
	if err != nil {
		t.Fatalf("Ask: %v", err)
	}
	if got.Text != want || streamed.String() != want || pieces < 5 {
		t.Errorf("Ask = %q, streamed as %q in %d pieces, want %q", got.Text, streamed.String(), pieces, want)
	}
	if estimate := realContext - 100 - m.Room(llm.Request{Prompt: "Which cities?", MaxTokens: 100}); got.PromptTokens == 0 || got.ReplyTokens == 0 || got.PromptTokens > estimate+64 {
		t.Errorf("it counts %d tokens of prompt (we %d) and %d of reply", got.PromptTokens, estimate, got.ReplyTokens)
	}
}

func TestRealThoughtsAreStripped(t *testing.T) {
	m := realModel(t, ollamatest.Shared(t), tinymodel.Script("<think>Let me see: </thin no.</think>\n\nVienna."))
	var streamed strings.Builder
	got, err := m.Ask(t.Context(), llm.Request{Prompt: "Which?", OnToken: func(s string) { streamed.WriteString(s) }})
	if err != nil || got.Text != "Vienna." || streamed.String() != "Vienna." {
		t.Errorf("Ask = %q, %v, streamed as %q", got.Text, err, streamed.String())
	}
}

func TestRealGrammarHoldsNonsense(t *testing.T) {
	m := realModel(t, ollamatest.Shared(t), tinymodel.Babble())
	for seed := range 20 {
		got, err := m.Ask(t.Context(), llm.Request{Prompt: "go", Schema: json.RawMessage(listSchema), Temperature: 1, Seed: seed, MaxTokens: 500})
		var reply struct{ Items []string }
		if err != nil || json.Unmarshal([]byte(got.Text), &reply) != nil || len(reply.Items) == 0 || len(reply.Items) > 4 {
			t.Errorf("seed %d: %q, %v", seed, got.Text, err)
		}
		again, err := m.Ask(t.Context(), llm.Request{Prompt: "go", Schema: json.RawMessage(listSchema), Temperature: 1, Seed: seed, MaxTokens: 500})
		if err != nil || again.Text != got.Text {
			t.Errorf("seed %d said %q, then %q, %v", seed, got.Text, again.Text, err)
		}
	}
}

func TestRealReplyIsNeverAPart(t *testing.T) {
	s := ollamatest.Shared(t)
	long := tinymodel.Script(strings.Repeat("A sentence that goes on. ", 20))
	endless := `{"type":"object","properties":{"s":{"type":"string"}},"required":["s"]}`
	for _, test := range []struct {
		name  string
		model tinymodel.Model
		req   llm.Request
	}{
		{"a reply longer than its limit", long, llm.Request{Prompt: "go", MaxTokens: 20}},
		{"a model that repeats itself", tinymodel.Loop(), llm.Request{Prompt: "go", MaxTokens: 500}},
		{"a model that repeats itself in JSON", tinymodel.Loop(), llm.Request{Prompt: "go", MaxTokens: 500, Schema: json.RawMessage(endless)}},
		{"noise", tinymodel.Random(1), llm.Request{Prompt: "go", MaxTokens: 100, Seed: 1, Temperature: 1}},
		{"noise in JSON", tinymodel.Random(1), llm.Request{Prompt: "go", MaxTokens: 40, Schema: json.RawMessage(endless), Seed: 1, Temperature: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := realModel(t, s, test.model).Ask(t.Context(), test.req)
			if !errors.Is(err, llm.ErrCut) || got.Text != "" {
				t.Errorf("Ask = %q, %v; want ErrCut and nothing else", got.Text, err)
			}
		})
	}
}

func TestRealNoiseIsWholeOrAnError(t *testing.T) {
	m := realModel(t, ollamatest.Shared(t), tinymodel.Random(2))
	whole := 0
	for seed := range 15 {
		got, err := m.Ask(t.Context(), llm.Request{Prompt: "go", Schema: json.RawMessage(listSchema), Temperature: 1, Seed: seed, MaxTokens: 400})
		switch {
		case err == nil && json.Valid([]byte(got.Text)):
			whole++
		case !errors.Is(err, llm.ErrCut):
			t.Errorf("seed %d: %q, %v", seed, got.Text, err)
		}
	}
	if whole == 0 {
		t.Error("not one reply was whole, though the schema bounds it")
	}
}

func TestRealPromptThatIsTooLong(t *testing.T) {
	s := ollamatest.Start(t)
	m := realModel(t, s, tinymodel.Script("never said"))
	// By the client's estimate, before anything is sent.
	_, err := m.Ask(t.Context(), llm.Request{Prompt: strings.Repeat("word ", 3000)})
	if !errors.Is(err, llm.ErrPromptTooLong) || strings.Contains(s.Log(), "/api/chat") {
		t.Errorf("Ask with a long prompt: %v, and the log is\n%s", err, s.Log())
	}
	// By the server's count: these models need a token for every byte, three times
	// as many as the estimate allows for.
	_, err = m.Ask(t.Context(), llm.Request{Prompt: strings.Repeat("word ", 500), MaxTokens: 10})
	if !errors.Is(err, llm.ErrPromptTooLong) || !strings.Contains(s.Log(), "/api/chat") {
		t.Errorf("Ask with a prompt that only the server finds too long: %v", err)
	}
}

func TestRealMissingModel(t *testing.T) {
	s := ollamatest.Shared(t)
	there := s.Install(t, tinymodel.Script("present"))
	_, err := ask(t, s, "not-there:4b").Ask(t.Context(), llm.Request{Prompt: "go"})
	if !errors.Is(err, llm.ErrNoSuchModel) || !strings.Contains(err.Error(), "ollama pull not-there:4b") || !strings.Contains(err.Error(), there[:5]) {
		t.Errorf("Ask: %v, want the remedy and the models that are there", err)
	}
}

func TestRealModelThatOnlyEmbeds(t *testing.T) {
	_, err := realModel(t, ollamatest.Shared(t), tinymodel.Embed()).Ask(t.Context(), llm.Request{Prompt: "go"})
	if !errors.Is(err, llm.ErrUnsuited) {
		t.Errorf("Ask: %v, want ErrUnsuited", err)
	}
}

// hurry is how soon a cancelled request is over.
const hurry = 100 * time.Millisecond

func TestRealCancelAmidTheReply(t *testing.T) {
	s := ollamatest.Shared(t)
	m := realModel(t, s, tinymodel.Large(3))
	long := llm.Request{Prompt: "go", MaxTokens: 1500, Seed: 1, Temperature: 1}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	watched := long
	watched.OnToken = func(string) {
		if at.IsZero() {
			at = time.Now()
			cancel()
		}
	}
	_, err := m.Ask(ctx, watched)
	if took := time.Since(at); !errors.Is(err, context.Canceled) || took > hurry {
		t.Errorf("Ask = %v, %v after the cancel; want context.Canceled within %v", err, took, hurry)
	}
	isFree(t, s, m)

	const patience = 300 * time.Millisecond
	ctx, cancel = context.WithTimeout(t.Context(), patience)
	defer cancel()
	began := time.Now()
	_, err = m.Ask(ctx, long)
	if took := time.Since(began) - patience; !errors.Is(err, context.DeadlineExceeded) || took > hurry {
		t.Errorf("Ask = %v, %v after the deadline; want DeadlineExceeded within %v", err, took, hurry)
	}
	isFree(t, s, m)
}

// isFree checks that a server has given up what was cancelled.
func isFree(t *testing.T, s *ollamatest.Server, m *ollama.Model) {
	t.Helper()
	began := time.Now()
	if again, err := m.Ask(t.Context(), llm.Request{Prompt: "go", MaxTokens: 5, Seed: 1, Temperature: 1}); !errors.Is(err, llm.ErrCut) {
		t.Errorf("the same model again: %q, %v", again.Text, err)
	}
	if got, err := realModel(t, s, tinymodel.Script("next")).Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || got.Text != "next" {
		t.Errorf("another model: %q, %v", got.Text, err)
	}
	if took := time.Since(began); took > 5*time.Second { // a second model may have to be loaded
		t.Errorf("the next questions took %v: the slot was not free", took)
	}
}

func TestRealRunnerKilledAmidTheReply(t *testing.T) {
	s := ollamatest.Start(t)
	m := realModel(t, s, tinymodel.Large(3))
	killed := 0
	got, err := m.Ask(t.Context(), llm.Request{Prompt: "go", MaxTokens: 1500, Seed: 1, Temperature: 1, OnToken: func(string) {
		if killed == 0 {
			killed = s.KillRunners(t)
		}
	}})
	if known := (*llm.Error)(nil); killed == 0 || got.Text != "" || !errors.As(err, &known) || known.Remedy == "" {
		t.Errorf("Ask = %q, %v (%d runners killed), want a sentence with a remedy", got.Text, err, killed)
	}
	if got, err := realModel(t, s, tinymodel.Script("alive")).Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || got.Text != "alive" {
		t.Errorf("the next question: %q, %v", got.Text, err)
	}
	if _, err := m.Ask(t.Context(), llm.Request{Prompt: "go", MaxTokens: 5}); !errors.Is(err, llm.ErrCut) {
		t.Errorf("the same model again: %v", err)
	}
}

func TestRealServerKilledAndStartedAgain(t *testing.T) {
	s := ollamatest.Start(t)
	m := realModel(t, s, tinymodel.Script("still here"))
	large := realModel(t, s, tinymodel.Large(3))
	if got, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || got.Text != "still here" {
		t.Fatalf("Ask: %q, %v", got.Text, err)
	}
	killed := false
	got, err := large.Ask(t.Context(), llm.Request{Prompt: "go", MaxTokens: 1500, OnToken: func(string) {
		if !killed {
			killed = true
			s.Kill()
		}
	}})
	if known := (*llm.Error)(nil); got.Text != "" || !errors.As(err, &known) {
		t.Errorf("Ask while the server dies = %q, %v", got.Text, err)
	}
	if _, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); !errors.Is(err, llm.ErrNotRunning) || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("Ask of a dead server: %v", err)
	}
	s.Restart(t)
	if got, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || got.Text != "still here" {
		t.Errorf("Ask after the restart: %q, %v", got.Text, err)
	}
}

func TestRealQuestionsQueue(t *testing.T) {
	m := realModel(t, ollamatest.Shared(t), tinymodel.Script(strings.Repeat("in turn. ", 20)))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, err := m.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil || !strings.HasPrefix(got.Text, "in turn. ") {
				t.Errorf("Ask: %q, %v", got.Text, err)
			}
		})
	}
	wait.Wait()
}

func TestRealFullQueue(t *testing.T) {
	s := ollamatest.Start(t, "OLLAMA_MAX_QUEUE=1", "OLLAMA_NUM_PARALLEL=1", "OLLAMA_MAX_LOADED_MODELS=1")
	large, word := realModel(t, s, tinymodel.Large(3)), s.Install(t, tinymodel.Script("a word"))
	// hurried asks, beside a model that holds the one runner, for six of the other
	// model's words at once.
	hurried := func(wait time.Duration) (refused []error) {
		c, err := ollama.NewServer(s.Host(), ollama.ServerOptions{RetryWait: wait})
		if err != nil {
			t.Fatal(err)
		}
		other, err := c.Model(word, ollama.ModelOptions{NumCtx: realContext})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var holding, asking sync.WaitGroup
		busy := make(chan struct{})
		var once sync.Once
		holding.Go(func() {
			_, _ = large.Ask(ctx, llm.Request{Prompt: "go", MaxTokens: 1900, Temperature: 1, OnToken: func(string) { once.Do(func() { close(busy) }) }})
		})
		<-busy
		var mu sync.Mutex
		for range 6 {
			asking.Go(func() {
				if _, err := other.Ask(t.Context(), llm.Request{Prompt: "go"}); err != nil {
					mu.Lock()
					refused = append(refused, err)
					mu.Unlock()
					cancel()
				}
			})
		}
		if wait == 0 { // with patience: the runner is free again in a moment
			time.AfterFunc(300*time.Millisecond, cancel)
		}
		asking.Wait()
		holding.Wait()
		return refused
	}
	refused := hurried(time.Millisecond)
	if len(refused) == 0 {
		t.Error("a queue of one took six")
	}
	for _, err := range refused {
		if !errors.Is(err, llm.ErrBusy) || !strings.Contains(err.Error(), "in a moment") {
			t.Errorf("Ask: %v, want ErrBusy", err)
		}
	}
	if refused := hurried(0); len(refused) > 0 {
		t.Errorf("with patience %d were refused: %v", len(refused), refused[0])
	}
}

// loads counts how often the server loaded a model.
func loads(s *ollamatest.Server) int { return strings.Count(s.Log(), `msg="loaded runners"`) }

func TestRealModelIsLoadedOnce(t *testing.T) {
	s := ollamatest.Start(t)
	m := realModel(t, s, tinymodel.Script("one of many"))
	for i := range 4 {
		req := llm.Request{Prompt: fmt.Sprint("question ", i), MaxTokens: 100 * (i + 1), Temperature: float64(i) / 4, Seed: i}
		if _, err := m.Ask(t.Context(), req); err != nil {
			t.Fatalf("Ask: %v", err)
		}
	}
	if n := loads(s); n != 1 {
		t.Errorf("the model was loaded %d times", n)
	}
}

func TestRealOddSchemas(t *testing.T) {
	s := ollamatest.Shared(t)
	m := realModel(t, s, tinymodel.Babble())
	for name, test := range map[string]struct {
		schema string
		ok     bool
	}{
		"the largest bounds":    {`{"type":"object","properties":{"s":{"type":"string","maxLength":1900}},"required":["s"]}`, true},
		"an enum of names":      {`{"enum":["Vienna","Graz \"am Berg\""]}`, true},
		"integers within":       {`{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":7}},"required":["n"]}`, true},
		"an unknown type":       {`{"type":"wishes"}`, false},
		"a reference to nobody": {`{"$ref":"#/$defs/nobody"}`, false},
		"a loose pattern":       {`{"type":"string","pattern":"a+"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := m.Ask(t.Context(), llm.Request{Prompt: "go", Schema: json.RawMessage(test.schema), Temperature: 1, Seed: 4, MaxTokens: 1000})
			switch known := (*llm.Error)(nil); {
			case test.ok && (err != nil || !json.Valid([]byte(got.Text))):
				t.Errorf("Ask = %q, %v", got.Text, err)
			case !test.ok && (!errors.As(err, &known) || known.Remedy == ""):
				t.Errorf("Ask = %q, %v, want a sentence with a remedy", got.Text, err)
			}
		})
	}
}

package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/llm"
	"cairn/internal/testing/fakeollama"
)

// What the real server does, measured on Ollama 0.17.4, and what this package
// makes of it: one test a quirk, numbered as in docs/ollama.md.

// served returns the model "m" of a fake server that has only it.
func served(t *testing.T, script fakeollama.Script) (*Model, *fakeollama.Server) {
	t.Helper()
	fake := fakeollama.New(t).Model("m", script)
	return modelAt(t, fake.URL, ModelOptions{}), fake
}

// says returns a script whose answers come in order, the last one for ever.
func says(answers ...fakeollama.Answer) fakeollama.Script {
	return fakeollama.Script{Answer: fakeollama.Says(answers...)}
}

// wantError checks the kind of an error, and words of its sentence.
func wantError(t *testing.T, call string, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want %v", call, err, kind)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %q lacks %q", call, err, word)
		}
	}
}

// wantReply asks, and checks the text of the reply.
func wantReply(t *testing.T, m *Model, req llm.Request, want string) {
	t.Helper()
	r, err := m.Ask(t.Context(), req)
	if err != nil || r.Text != want {
		t.Errorf("Ask = %q, %v; want %q", r.Text, err, want)
	}
}

// Quirk 1: the client library returns nil for a stream that was cut, cancelled
// or dropped, for an empty 200 and for an empty 500.
func TestQuirk01ClientReturnsNilOnCutStreams(t *testing.T) {
	for name, test := range map[string]struct {
		fault fakeollama.Fault
		kind  error
		tries int
	}{
		"cut":             {fakeollama.Cut, llm.ErrCut, 2},
		"line over 8 MB":  {fakeollama.LongLine, llm.ErrCut, 1},
		"empty 200":       {fakeollama.EmptyOK, llm.ErrServer, 2},
		"empty 500":       {fakeollama.Empty500, llm.ErrServer, 2},
		"hung up":         {fakeollama.Hangup, llm.ErrNotRunning, 2},
		"half and no end": {fakeollama.Repeat, llm.ErrCut, 2},
	} {
		t.Run(name, func(t *testing.T) {
			m, fake := served(t, says(fakeollama.Answer{Text: "Vienna is the capital", Fault: test.fault}))
			r, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
			wantError(t, "Ask", err, test.kind)
			if diff := cmp.Diff(llm.Reply{}, r); diff != "" {
				t.Errorf("a reply beside the error: %s", diff)
			}
			if n := len(fake.Chats()); n != test.tries {
				t.Errorf("%d tries, want %d", n, test.tries)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		m, _ := served(t, says(fakeollama.Answer{Text: "Vienna is the capital", Fault: fakeollama.Stalled}))
		ctx, cancel := context.WithCancel(t.Context())
		_, err := m.Ask(ctx, llm.Request{Prompt: "p", OnToken: func(string) { cancel() }})
		wantError(t, "Ask", err, context.Canceled)
	})
}

// Quirk 2: three wordings of a missing model; the status alone is the same.
func TestQuirk02MissingModelHasThreeWordings(t *testing.T) {
	fake := fakeollama.New(t).Model("qwen3:4b", fakeollama.Script{}).Model("gemma3:4b", fakeollama.Script{})
	s := serverAt(t, fake.URL)
	_, err := modelAt(t, fake.URL, ModelOptions{}).Ask(t.Context(), llm.Request{Prompt: "p"})
	wantError(t, "Ask", err, llm.ErrNoSuchModel, "ollama pull m", "gemma3:4b, qwen3:4b")
	_, err = s.Embed(t.Context(), "m", []string{"a"})
	wantError(t, "Embed", err, llm.ErrNoSuchModel, "ollama pull m", "gemma3:4b, qwen3:4b")
	_, err = s.Details(t.Context(), "m")
	wantError(t, "Details", err, llm.ErrNoSuchModel, "ollama pull m", "gemma3:4b, qwen3:4b")
}

// Quirk 3: an error after streaming began has no status; a pull on a computer
// that is offline is one.
func TestQuirk03ErrorAfterStreamingBegan(t *testing.T) {
	fake := fakeollama.New(t)
	fake.FailPulls(fakeollama.NoNetwork)
	err := serverAt(t, fake.URL).Pull(t.Context(), "m", nil)
	wantError(t, "Pull", err, llm.ErrPull, "cannot reach its library", "connect this computer")
	if strings.Contains(err.Error(), "dial") || strings.Contains(err.Error(), "lookup") {
		t.Errorf("Pull: %q is for programmers", err)
	}
}

// Quirk 4: a server that is down, a web page with 200 or 502, and a sign-in each
// come as another type of error.
func TestQuirk04OtherThanOllama(t *testing.T) {
	for fault, words := range map[fakeollama.Fault]string{
		fakeollama.HTML: "host and port", fakeollama.HTML502: "host and port", fakeollama.Redirect: "redirects elsewhere",
	} {
		for _, path := range []string{"/api/chat", "/api/tags"} {
			m, fake := served(t, fakeollama.Script{})
			fake.Fail(path, fault)
			_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
			wantError(t, path, err, llm.ErrNotOllama, words)
		}
	}
	m, fake := served(t, says(fakeollama.Answer{Fault: fakeollama.SignIn}))
	_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
	wantError(t, "Ask", err, llm.ErrServer, "requires a login")
	fake.Stop()
	_, err = m.Ask(t.Context(), llm.Request{Prompt: "p"})
	wantError(t, "Ask", err, llm.ErrNotRunning, "ollama serve")
}

// Quirk 5: the client has no timeout of its own, and hands the errors of a
// callback on unchanged.
func TestQuirk05NoTimeoutAndNoEnd(t *testing.T) {
	m, _ := served(t, says(fakeollama.Answer{Text: strings.Repeat("word ", 3000)}))
	var told llm.Exchange
	ctx := llm.WithTrace(t.Context(), func(x llm.Exchange) { told = x })
	a := assembler{most: 5000}
	if err := m.server.api.Chat(ctx, (&try{Model: m, sizes: sizes{context: 8192}, req: llm.Request{Prompt: "p", MaxTokens: 8000}}).chat(), a.add); !errors.Is(err, errEndless) {
		t.Errorf("Chat = %v, want the callback's error", err)
	}
	// That a server says nothing is tested by TestServerThatSaysNothing.
	if _, err := m.Ask(ctx, llm.Request{Prompt: "p", MaxTokens: 50}); !errors.Is(err, llm.ErrCut) || told.Err == "" {
		t.Errorf("Ask = %v, told %+v; want ErrCut", err, told)
	}
}

// Quirk 6: a token repeated more than thirty times ends the stream with status
// 200 and done:false. The same seed would say it again.
func TestQuirk06RepeatedTokenEndsWithoutDone(t *testing.T) {
	m, fake := served(t, says(fakeollama.Answer{Text: "ha ha ha ha ha", Fault: fakeollama.Repeat}, fakeollama.Answer{Text: "Vienna"}))
	wantReply(t, m, llm.Request{Prompt: "p", Seed: 7}, "Vienna")
	c := fake.Chats()
	if len(c) != 2 || c[0].Number("seed") != 7 || c[1].Number("seed") != 8 || c[0].Number("temperature") != 0 || c[1].Number("temperature") == 0 {
		t.Errorf("chats = %+v, want the second with another seed and a temperature", c)
	}
}

// Quirk 7: bounds over 2000 in a schema kill the runner.
func TestQuirk07WideBoundsCrashTheRunner(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "{}"})
	wide := json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "maxLength": 2001}}}}`)
	if _, err := m.Ask(t.Context(), llm.Request{Prompt: "p", Schema: wide}); err == nil {
		t.Error("Ask with a schema that crashes servers: no error")
	}
	if n := len(fake.Received("")); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	wantReply(t, m, llm.Request{Prompt: "p", Schema: json.RawMessage(`{"type": "object", "maxLength": 1900}`)}, "{}")
}

// Quirk 8: some schemas are refused with a 500, which says so; asking again is
// no use. Formats other than a schema are refused too.
func TestQuirk08RefusedSchemas(t *testing.T) {
	for schema, ok := range map[string]bool{
		`{"type": "object"}`: true, `{"properties": {"id": {"pattern": "^T[0-9]+$"}}}`: true,
		`{"pattern": "T[0-9]+"}`: false, `"yaml"`: false, `true`: false, `[]`: false, `null`: true, ` `: false, `{`: false,
	} {
		if err := checkSchema(json.RawMessage(schema)); (err == nil) != ok {
			t.Errorf("checkSchema(%s) = %v, want none: %v", schema, err, ok)
		}
	}
	m, fake := served(t, says(fakeollama.Answer{Fault: fakeollama.BadSchema}))
	_, err := m.Ask(t.Context(), llm.Request{Prompt: "p", Schema: json.RawMessage(`{"type": "object"}`)})
	wantError(t, "Ask", err, llm.ErrServer, "requested form", "newest Ollama")
	if n := len(fake.Chats()); n != 1 {
		t.Errorf("%d tries, want 1", n)
	}
}

// Quirk 9: an enum of 20000 values takes 46 s to compile.
func TestQuirk09LongEnumsAreSlow(t *testing.T) {
	enum := func(n int) json.RawMessage {
		return json.RawMessage(`{"enum": ["a"` + strings.Repeat(`,"a"`, n-1) + `]}`)
	}
	if err := checkSchema(enum(maxSchemaEnum)); err != nil {
		t.Errorf("checkSchema of %d values: %v", maxSchemaEnum, err)
	}
	if err := checkSchema(enum(maxSchemaEnum + 1)); err == nil {
		t.Errorf("checkSchema of %d values: no error", maxSchemaEnum+1)
	}
}

// Quirk 10: a prompt longer than num_ctx is cut without a word, unless truncate
// is false; servers that do not know truncate show it by a count of num_ctx.
func TestQuirk10LongPromptsAreCutSilently(t *testing.T) {
	long := llm.Request{Prompt: strings.Repeat("word", 1500), MaxTokens: 10} // 2008 tokens, and as many by estimate
	t.Run("refused", func(t *testing.T) {
		m, fake := served(t, says(fakeollama.Answer{Fault: fakeollama.TooLong}))
		_, err := m.Ask(t.Context(), long)
		wantError(t, "Ask", err, llm.ErrPromptTooLong, "shorter question")
		_, err = m.Ask(t.Context(), long)
		wantError(t, "Ask again", err, llm.ErrPromptTooLong, "shorter question")
		if n := len(fake.Chats()); n != 1 {
			t.Errorf("%d chats, want 1: what was refused is known to be too long", n)
		}
		var sent struct{ Truncate, Shift *bool }
		if err := json.Unmarshal(fake.Received("/api/chat")[0].Body, &sent); err != nil || sent.Truncate == nil || *sent.Truncate || sent.Shift == nil || *sent.Shift {
			t.Errorf("sent truncate and shift as %+v, %v; want false", sent, err)
		}
	})
	t.Run("cut by a server that does not know truncate", func(t *testing.T) {
		m, fake := served(t, fakeollama.Script{Reply: "cut", CutsPrompts: true})
		dense := llm.Request{Prompt: strings.Repeat("word", 8300), MaxTokens: 10}
		m.budget.seen[0] = factor{n: factorPrompts, worst: 0.5} // it thinks that this fits
		_, err := m.Ask(t.Context(), dense)
		wantError(t, "Ask", err, llm.ErrPromptTooLong, "8192")
		_, err = m.Ask(t.Context(), dense)
		wantError(t, "Ask again", err, llm.ErrPromptTooLong)
		if n := len(fake.Chats()); n != 1 {
			t.Errorf("%d chats, want 1", n)
		}
	})
	t.Run("a model trained for less", func(t *testing.T) {
		m, fake := served(t, fakeollama.Script{Reply: "ok", Context: 2048})
		_, err := m.Ask(t.Context(), llm.Request{Prompt: strings.Repeat("word", 1500)})
		wantError(t, "Ask", err, llm.ErrPromptTooLong, "holds 2048")
		wantReply(t, m, llm.Request{Prompt: "p"}, "ok")
		if c := fake.Chats(); len(c) != 1 || c[0].Number("num_ctx") != 2048 {
			t.Errorf("chats = %+v, want one with num_ctx 2048", c)
		}
	})
}

// Quirk 11: another num_ctx or num_thread, between chats and embeddings too,
// loads the model anew.
func TestQuirk11ChangedOptionsReload(t *testing.T) {
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "{}"})
	m := modelAt(t, fake.URL, ModelOptions{NumCtx: 6000})
	for i := range 3 {
		wantReply(t, m, llm.Request{Prompt: "p", Temperature: float64(i), Seed: i, MaxTokens: 100 + i, Schema: []json.RawMessage{nil, []byte("{}")}[i%2]}, "{}")
		if _, err := m.Server().Embed(t.Context(), "m", []string{"a"}); err != nil {
			t.Fatal(err)
		}
	}
	if n := fake.Loads("m"); n != 1 {
		t.Errorf("the model was loaded %d times, want once", n)
	}
}

// Quirk 12: done_reason says that a model was only loaded or unloaded, or came
// to its limit; none of these is a reply.
func TestQuirk12DoneReasons(t *testing.T) {
	m, _ := served(t, says(fakeollama.Answer{Text: "half of it", Fault: fakeollama.Limit}))
	_, err := m.Ask(t.Context(), llm.Request{Prompt: "p", MaxTokens: 77})
	wantError(t, "Ask", err, llm.ErrCut, "limit of 77 tokens")
	m, fake := served(t, says(fakeollama.Answer{Text: ""}))
	_, err = m.Ask(t.Context(), llm.Request{})
	wantError(t, "Ask", err, llm.ErrCut, "said nothing")
	if n := len(fake.Chats()); n != 1 {
		t.Errorf("%d tries, want 1: it would say nothing again", n)
	}
}

// Quirk 13: the same seed gives the same text, so that one is always sent.
func TestQuirk13SameSeedSameText(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "ok"})
	for range 2 {
		wantReply(t, m, llm.Request{Prompt: "p"}, "ok")
	}
	r := fake.Received("/api/chat")
	if len(r) != 2 || string(r[0].Body) != string(r[1].Body) || !strings.Contains(string(r[0].Body), `"seed":0`) {
		t.Errorf("sent %s, want twice the same with a seed", r)
	}
}

// Quirk 14: a killed runner ends the stream with an error, or is a 500; the next
// request starts another.
func TestQuirk14KilledRunner(t *testing.T) {
	for name, fault := range map[string]fakeollama.Fault{"mid-stream": fakeollama.Killed, "before": fakeollama.Stopped} {
		t.Run(name, func(t *testing.T) {
			m, _ := served(t, says(fakeollama.Answer{Text: "Vienna", Fault: fault}, fakeollama.Answer{Text: "Vienna"}))
			wantReply(t, m, llm.Request{Prompt: "p"}, "Vienna")
			m, fake := served(t, says(fakeollama.Answer{Text: "Vienna", Fault: fault}))
			_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
			wantError(t, "Ask", err, llm.ErrServer, "the program that runs the model stopped", "restart Ollama")
			if n := len(fake.Chats()); n != 2 {
				t.Errorf("%d tries, want 2", n)
			}
		})
	}
}

// Quirk 15: over OLLAMA_MAX_QUEUE waiting requests, more are refused with 503.
func TestQuirk15FullQueue(t *testing.T) {
	for _, path := range []string{"/api/chat", "/api/embed"} {
		ask := func(m *Model) error {
			_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
			if path == "/api/embed" {
				_, err = m.Server().Embed(t.Context(), "m", []string{"a"})
			}
			return err
		}
		full := func(n int) (*Model, *fakeollama.Server) {
			m, fake := served(t, fakeollama.Script{Reply: "ok"})
			for range n {
				fake.Fail(path, fakeollama.Busy)
			}
			return m, fake
		}
		m, _ := full(tries[busy])
		if err := ask(m); err != nil {
			t.Errorf("%s, busy %d times: %v", path, tries[busy], err)
		}
		m, fake := full(tries[busy] + 1)
		wantError(t, path, ask(m), llm.ErrBusy, "in a moment")
		if n := len(fake.Received(path)); n != tries[busy]+1 {
			t.Errorf("%s: %d tries, want %d", path, n, tries[busy]+1)
		}
	}
}

// Quirk 16: a model that cannot chat is a 400; an option of a wrong type is a
// 500, and unknown options pass.
func TestQuirk16UnsuitedModel(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Embeds: true})
	_, err := m.Ask(t.Context(), llm.Request{Prompt: "p"})
	wantError(t, "Ask", err, llm.ErrUnsuited, "does not support chat", "another model")
	if n := len(fake.Chats()); n != 1 {
		t.Errorf("%d tries, want 1", n)
	}
	for _, c := range fake.Chats() {
		for _, option := range []string{"num_ctx", "num_predict", "seed"} {
			if v, ok := c.Options[option].(float64); !ok || v != math.Trunc(v) {
				t.Errorf("option %s = %v, want an integer", option, c.Options[option])
			}
		}
	}
}

// Quirk 17: the vector of a text is the same alone and in a batch, whose order
// is kept.
func TestQuirk17BatchesKeepTheirOrder(t *testing.T) {
	_, fake := served(t, fakeollama.Script{Embeds: true})
	s := serverAt(t, fake.URL)
	texts := []string{"Vienna", "", "Austria", "Vienna"}
	all, err := s.Embed(t.Context(), "m", texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		one, err := s.Embed(t.Context(), "m", []string{text})
		if err != nil || !cmp.Equal(one[0], all[i]) {
			t.Errorf("Embed(%q) alone differs from the batch's (%v)", text, err)
		}
	}
}

// Quirk 18: no text, and an empty one alone, are answered by no vectors.
func TestQuirk18NoTextsNoVectors(t *testing.T) {
	_, fake := served(t, fakeollama.Script{Embeds: true})
	s := serverAt(t, fake.URL)
	if v, err := s.Embed(t.Context(), "m", nil); v != nil || err != nil || len(fake.Received("")) != 0 {
		t.Errorf("Embed(nil) = %v, %v after %d requests; want nothing", v, err, len(fake.Received("")))
	}
	if v, err := s.Embed(t.Context(), "m", []string{""}); len(v) != 1 || err != nil {
		t.Errorf("Embed of an empty text = %d vectors, %v; want 1, since a list is sent", len(v), err)
	}
	wantError(t, "too few vectors", checkVectors("m", nil, 1), llm.ErrVector)
}

// Quirk 19: a length that is asked of vectors is ignored where the model's own
// is shorter, so that none is asked for and what comes is measured.
func TestQuirk19DimensionsAreIgnored(t *testing.T) {
	_, fake := served(t, fakeollama.Script{Embeds: true, Embed: func(text string) []float32 { return make([]float32, 3+len(text)) }})
	s := serverAt(t, fake.URL)
	_, err := s.Embed(t.Context(), "m", []string{"a", "bc"})
	wantError(t, "Embed", err, llm.ErrVector, "4 and of 5")
	if body := string(fake.Received("/api/embed")[0].Body); strings.Contains(body, "dimensions") {
		t.Errorf("sent %s", body)
	}
}

// Quirk 20: truncation of texts with unknown words fails, and one bad text fails
// its whole batch.
func TestQuirk20OneLongTextFailsTheBatch(t *testing.T) {
	_, fake := served(t, fakeollama.Script{Embeds: true, Context: 100})
	s := serverAt(t, fake.URL)
	_, err := s.Embed(t.Context(), "m", []string{"short", strings.Repeat("длинно ", 100)})
	wantError(t, "Embed", err, llm.ErrPromptTooLong)
	_, err = s.Embed(t.Context(), "m", []string{strings.Repeat("long ", 100)})
	wantError(t, "Embed", err, llm.ErrPromptTooLong)
	if _, err := s.Embed(t.Context(), "m", []string{"short"}); err != nil {
		t.Errorf("Embed of the short one alone: %v", err)
	}
	if body := string(fake.Received("/api/embed")[0].Body); !strings.Contains(body, `"truncate":false`) || !strings.Contains(body, `"num_ctx":100`) {
		t.Errorf("sent %s, want no truncation within the model's context", body)
	}
}

// Quirk 21: an engine that makes no vectors of a model says 501.
func TestQuirk21EngineWithoutEmbeddings(t *testing.T) {
	_, fake := served(t, fakeollama.Script{NoEmbeddings: true})
	_, err := serverAt(t, fake.URL).Embed(t.Context(), "m", []string{"a"})
	wantError(t, "Embed", err, llm.ErrUnsuited, "does not support embeddings", "another model")
}

// Quirk 22: some models make vectors that are not of numbers, which is a 500.
func TestQuirk22VectorsThatAreNoNumbers(t *testing.T) {
	nan := float32(math.NaN())
	_, fake := served(t, fakeollama.Script{Embeds: true, Embed: func(string) []float32 { return []float32{1, nan} }})
	_, err := serverAt(t, fake.URL).Embed(t.Context(), "m", []string{"a"})
	wantError(t, "Embed", err, llm.ErrVector, "another model")
	wantError(t, "infinity", checkVectors("m", [][]float32{{float32(math.Inf(1))}}, 1), llm.ErrVector)
}

// Quirk 23: with think:false some servers ignore the schema, and thinking models
// may end without a reply. The other way is tried once, and remembered.
func TestQuirk23ThinkingModelsForgetTheSchema(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	think := func(thought, loud, calm string) fakeollama.Script {
		return fakeollama.Script{Thinks: true, Answer: func(c fakeollama.Chat) fakeollama.Answer {
			if c.Think != nil && !*c.Think {
				return fakeollama.Answer{Text: calm}
			}
			return fakeollama.Answer{Thought: thought, Text: loud}
		}}
	}
	t.Run("it is left to think", func(t *testing.T) {
		m, fake := served(t, think("hm, a city", `{"a": 1}`, "no JSON"))
		r, err := m.Ask(t.Context(), llm.Request{Prompt: "p", Schema: schema})
		if err != nil || r.Text != `{"a": 1}` || r.Thought != "hm, a city" {
			t.Errorf("Ask = %+v, %v", r, err)
		}
		if c := fake.Chats(); len(c) != 1 || c[0].Think != nil || c[0].Number("num_predict") != 1024+2048 {
			t.Errorf("chats = %+v, want one that says nothing of thinking, with tokens for it", c)
		}
	})
	t.Run("no JSON", func(t *testing.T) {
		m, fake := served(t, think("hm", "It is Vienna.", "```json\n{\"a\": 1}\n```"))
		for range 2 {
			wantReply(t, m, llm.Request{Prompt: "p", Schema: schema}, "```json\n{\"a\": 1}\n```")
		}
		if c := fake.Chats(); len(c) != 3 || c[1].Think == nil || *c[1].Think || c[2].Think == nil || *c[2].Think {
			t.Errorf("chats = %+v, want the second and third without thinking", c)
		}
	})
	t.Run("no end of thoughts", func(t *testing.T) {
		m, _ := served(t, think(strings.Repeat("but wait ", 4000), `{}`, `{"a": 1}`))
		wantReply(t, m, llm.Request{Prompt: "p", Schema: schema}, `{"a": 1}`)
		m, _ = served(t, fakeollama.Script{Thinks: true, Answer: fakeollama.Says(fakeollama.Answer{Thought: "hm", Fault: fakeollama.FullOfThought}, fakeollama.Answer{Text: "{}"})})
		wantReply(t, m, llm.Request{Prompt: "p", Schema: schema}, "{}")
	})
	t.Run("no JSON either way", func(t *testing.T) {
		m, fake := served(t, think("hm", "first", "second"))
		wantReply(t, m, llm.Request{Prompt: "p", Schema: schema}, "second")
		m, fake2 := served(t, fakeollama.Script{Reply: "It is Vienna."}) // and it cannot think
		wantReply(t, m, llm.Request{Prompt: "p", Schema: schema}, "It is Vienna.")
		if len(fake.Chats()) != 2 || len(fake2.Chats()) != 1 {
			t.Errorf("%d and %d tries, want 2 and 1", len(fake.Chats()), len(fake2.Chats()))
		}
	})
	t.Run("thoughts in the text", func(t *testing.T) {
		for _, reply := range []string{"<think>hm</think>\n{}", "hm</think>{}"} {
			m, _ := served(t, fakeollama.Script{Reply: reply})
			r, err := m.Ask(t.Context(), llm.Request{Prompt: "p", Schema: schema})
			if err != nil || r.Text != "{}" || r.Thought != "hm" {
				t.Errorf("Ask of %q = %+v, %v", reply, r, err)
			}
		}
	})
}

// Quirk 24: the server's own context is as short as 4096 tokens, and weak models
// do not stop, so that both limits are always sent.
func TestQuirk24LimitsAreAlwaysSent(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "ok"})
	wantReply(t, m, llm.Request{Prompt: "p"}, "ok")
	want := map[string]any{"num_ctx": 8192.0, "num_predict": 1024.0, "temperature": 0.0, "seed": 0.0}
	if diff := cmp.Diff(want, fake.Chats()[0].Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	if _, err := m.Server().Embed(t.Context(), "m", []string{"a"}); err != nil || !strings.Contains(string(fake.Received("/api/embed")[0].Body), `"num_ctx":8192`) {
		t.Errorf("Embed: %v, sent %s", err, fake.Received("/api/embed")[0].Body)
	}
}

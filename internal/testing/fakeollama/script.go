package fakeollama

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
)

// Script is what a model says and can do. The zero value is a model that says
// nothing.
type Script struct {
	// Reply is what the model answers to every chat.
	Reply string
	// Replies are its answers in the order of the chats, the last one again and
	// again. They stand in for Reply.
	Replies []string
	// Answer, where set, decides by the chat. It stands in for both. It is called
	// by one chat at a time.
	Answer func(Chat) Answer
	// Thought is what the model thinks aloud before Reply or Replies. Where it is
	// set the model is one that thinks.
	Thought string
	// Thinks makes the model one that thinks, where Answer says what.
	Thinks bool

	// Embeds makes the model one for embeddings only: chats are refused.
	Embeds bool
	// Embed, where set, makes the vector of a text. The default hashes its pairs
	// of letters, so that texts that share many are near.
	Embed func(text string) []float32
	// NoEmbeddings refuses to make vectors, as some engines do for some models.
	NoEmbeddings bool
	// Dims is the length of its vectors. The default value is 64.
	Dims int

	// Context is what it was trained to read, in tokens. The default value is
	// 32768.
	Context int
	// CutsPrompts makes the server one that does not know truncate:false, and
	// cuts prompts without a word.
	CutsPrompts bool
	// CountsUncached has the server count only those tokens of a prompt that the
	// last one did not begin with.
	CountsUncached bool
	// Remote is the host that really runs the model.
	Remote string

	Size                     int64 // bytes
	Parameters, Quantization string
}

func (m *Script) context() int { return or(m.Context, 32768) }
func (m *Script) dims() int    { return or(m.Dims, 64) }
func (m *Script) thinks() bool { return m.Thinks || m.Thought != "" }

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

func (m *Script) capabilities() []string {
	if m.Embeds {
		return []string{"embedding"}
	}
	if m.thinks() {
		return []string{"completion", "thinking"}
	}
	return []string{"completion"}
}

// Answer is one answer of a model.
type Answer struct {
	Text    string
	Thought string // said before, by a model that thinks
	Fault   Fault  // how it goes wrong; None for not at all
}

// Says returns a Script.Answer that gives each answer once, and the last one
// again and again.
func Says(answers ...Answer) func(Chat) Answer {
	return func(c Chat) Answer { return answers[min(c.N, len(answers)-1)] }
}

// answer returns what the model says to its n-th chat, from 0 on.
func (m *installed) answer(c Chat) Answer {
	switch {
	case m.Answer != nil:
		return m.Answer(c)
	case len(m.Replies) > 0:
		return Answer{Text: m.Replies[min(c.N, len(m.Replies)-1)], Thought: m.Thought}
	}
	return Answer{Text: m.Reply, Thought: m.Thought}
}

// Chat is one request for a chat.
type Chat struct {
	N       int // how many chats the model had before
	Model   string
	Prompt  string // of all messages
	Schema  json.RawMessage
	Options map[string]any
	Think   *bool // nil where the request says nothing of it

	messages  int
	truncate  bool
	stream    bool
	keepAlive string
}

// Number returns an option that is a number, or 0.
func (c Chat) Number(option string) float64 {
	f, _ := c.Options[option].(float64)
	return f
}

func readChat(body []byte) (Chat, error) {
	var r struct {
		Model    string
		Messages []struct{ Role, Content string }
		Format   json.RawMessage
		Options  map[string]any
		Think    *bool
		Truncate *bool
		Stream   *bool
		Keep     json.RawMessage `json:"keep_alive"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return Chat{}, fmt.Errorf("read a chat: %w", err)
	}
	c := Chat{
		Model: r.Model, Schema: r.Format, Options: r.Options, Think: r.Think, messages: len(r.Messages),
		truncate: r.Truncate == nil || *r.Truncate, stream: r.Stream == nil || *r.Stream, keepAlive: strings.Trim(string(r.Keep), `"`),
	}
	var prompt []string
	for _, m := range r.Messages {
		prompt = append(prompt, m.Content)
	}
	c.Prompt = strings.Join(prompt, "\n")
	return c, nil
}

// Tokens is how many tokens the server counts in a text: one for four bytes.
func Tokens(text string) int { return (len(text) + 3) / 4 }

// vector hashes a text's pairs of letters into a vector of length 1.
func vector(text string, dims int) []float32 {
	v := make([]float64, dims)
	text = " " + strings.ToLower(text) + " "
	for i := range len(text) - 1 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text[i : i+2]))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for d := range v {
			v[d] += r.NormFloat64()
		}
	}
	var norm float64
	for _, x := range v {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	out := make([]float32, dims)
	for d := range v {
		out[d] = float32(v[d] / norm)
	}
	return out
}

package weights

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"cairn/engine/llm"
	"cairn/engine/ollama"
	"cairn/engine/vec"
)

// Checked is what a model of a server turned out to be.
type Checked struct {
	Model string `json:"model"`
	About string `json:"about"`
	From  string `json:"from"`            // the packages
	Fault string `json:"fault,omitempty"` // a sentence; what follows is empty then
	short string // of Fault, for a table
	Bytes int64  `json:"bytes"` // of the weights, as the server has them

	// Of an embedder.
	Dims    int           `json:"dims,omitempty"`
	Pairs   []CheckedPair `json:"pairs,omitempty"`
	Source  string        `json:"source,omitempty"` // of the cosines that were expected
	Seconds float64       `json:"seconds_for_1000,omitempty"`

	// Of a language model: what it said, and whether in the form it was held to.
	Reply      string  `json:"reply,omitempty"`
	Tokens     int     `json:"tokens,omitempty"` // of the prompt and the reply
	ReplyTime  float64 `json:"reply_seconds,omitempty"`
	LoadedTime float64 `json:"loading_seconds,omitempty"` // until the first answer of all
}

// CheckedPair is a pair and the cosine that the server gave.
type CheckedPair struct {
	Pair

	Got float64
}

// Tolerance is how far a cosine may be from the one that is known: weights are kept in
// fewer bits here.
const Tolerance = 0.01

// Off tells whether a cosine is not the one that is known.
func (c Checked) Off() bool {
	for _, p := range c.Pairs {
		if math.Abs(p.Got-p.Want) > Tolerance || p.Got != p.Got {
			return true
		}
	}
	return false
}

// CheckOne asks a model what it is known to answer, and takes the time.
func CheckOne(ctx context.Context, m Model, server *ollama.Server) (Checked, error) {
	c := Checked{Model: m.Name, About: m.About, Source: m.Source}
	for i, p := range m.Packages {
		if i == 0 {
			c.From = p.String()
		}
	}
	if n := len(m.Packages); n > 1 {
		c.From += fmt.Sprintf(" and %d more", n-1)
	}
	models, err := server.Models(ctx)
	if err != nil {
		return c, err
	}
	for _, x := range models {
		if ollama.SameName(x.Name, m.Name) {
			c.Bytes = x.Size
		}
	}
	if m.Embeds {
		return c, c.embed(ctx, m, server)
	}
	return c, c.ask(ctx, m, server)
}

func (c *Checked) embed(ctx context.Context, m Model, server *ollama.Server) error {
	start := time.Now()
	for _, p := range m.Pairs {
		vs, err := server.Embed(ctx, m.Name, []string{p.A, p.B})
		if err != nil {
			return refused(err)
		}
		if c.LoadedTime == 0 {
			c.LoadedTime = time.Since(start).Seconds()
		}
		vec.Normalize(vs[0])
		vec.Normalize(vs[1])
		c.Dims = len(vs[0])
		c.Pairs = append(c.Pairs, CheckedPair{p, float64(vec.Dot(vs[0], vs[1]))})
	}
	names := shortNames(1000)
	start = time.Now()
	const batch = 64 // as Cairn sends them
	for at := 0; at < len(names); at += batch {
		if _, err := server.Embed(ctx, m.Name, names[at:min(at+batch, len(names))]); err != nil {
			return refused(err)
		}
	}
	c.Seconds = time.Since(start).Seconds()
	return nil
}

// shortNames makes names of two words.
func shortNames(n int) []string {
	first := strings.Fields("Ada Bruno Clara Dmitri Elif Farid Greta Hugo Ines Jonas Kamala Luca Mira Nikolai Olga Pablo Quentin Rosa Samir Tilda Umar Vera Wanda Xenia Yusuf")
	last := strings.Fields("Abbott Bergman Castillo Dreyfus Eriksen Fontaine Goldberg Haddad Ivanova Jansen Kowalski Lindgren Moretti Nakamura Okafor Petrov Quiroga Rossi Schneider Takeda Ulrich Vasquez Whitaker Xu Yamada Zimmermann Andrade Bellamy Crawford Delgado Estrada Fitzgerald Guerrero Hawthorne Iglesias Johansson Kavanagh Lombardi Mackenzie Novak")
	names := make([]string, n)
	for i := range names {
		names[i] = first[i%len(first)] + " " + last[i/len(first)%len(last)]
	}
	return names
}

// ask has a language model say one thing in a form that it is held to.
func (c *Checked) ask(ctx context.Context, m Model, server *ollama.Server) error {
	model, err := server.Model(m.Name, ollama.ModelOptions{NumCtx: 2048})
	if err != nil {
		return err
	}
	req := llm.Request{
		Purpose: "check", Prompt: "Question: What is the capital of France? Answer with the name of one city, as JSON with the field \"city\".\nAnswer: ",
		Schema:    json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","maxLength":40}},"required":["city"]}`),
		MaxTokens: 64, Seed: 1,
	}
	for i := range 2 { // the first has the model loaded
		start := time.Now()
		reply, err := model.Ask(ctx, req)
		if err != nil {
			return refused(err)
		}
		took := time.Since(start).Seconds()
		if i == 0 {
			c.LoadedTime = took
		}
		c.Reply, c.ReplyTime, c.Tokens = strings.Join(strings.Fields(reply.Text), " "), took, reply.PromptTokens+reply.ReplyTokens
	}
	return nil
}

// refused keeps what a server says for itself, and marks it as the server's.
func refused(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrRefused, err)
}

// Rows are the table of what was checked, its head first.
func Rows(all []Checked) [][]string {
	rows := [][]string{{"model", "from", "MB", "dims", "cosines expected", "got", "1,000 names", "first answer", "says"}}
	for _, c := range all {
		if c.Fault != "" {
			rows = append(rows, []string{c.Model, c.From, "", "", "", "", "", "", "none: " + c.short})
			continue
		}
		row := []string{c.Model, c.From, fmt.Sprintf("%.0f", float64(c.Bytes)/1e6), "", "", "", "", fmt.Sprintf("%.1f s", c.LoadedTime), ""}
		var want, got []string
		for _, p := range c.Pairs {
			want, got = append(want, fmt.Sprintf("%.4f", p.Want)), append(got, fmt.Sprintf("%.4f", p.Got))
		}
		row[4], row[5] = strings.Join(want, " "), strings.Join(got, " ")
		if c.Dims > 0 {
			row[3], row[6] = fmt.Sprint(c.Dims), fmt.Sprintf("%.1f s", c.Seconds)
		}
		if c.Off() {
			row[5] += " OFF"
		}
		if c.Reply != "" {
			row[8] = fmt.Sprintf("%s (%d tokens in %.1f s)", c.Reply, c.Tokens, c.ReplyTime)
		}
		rows = append(rows, row)
	}
	return rows
}

// Of says of a model that could not be had what is missing.
func Of(m Model, err error) Checked {
	c := Checked{Model: m.Name, About: m.About, Fault: err.Error(), short: err.Error()}
	if len(m.Packages) > 0 {
		c.From = m.Packages[0].String()
	}
	for _, kind := range []error{ErrUnreachable, ErrNotThere, ErrOffline, ErrNoWeights, ErrCut, ErrForm, ErrRefused} {
		if errors.Is(err, kind) {
			c.short = kind.Error()
		}
	}
	return c
}

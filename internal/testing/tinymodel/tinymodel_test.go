package tinymodel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/template"

	"cairn/internal/testing/readgguf"
)

func TestRefuses(t *testing.T) {
	for name, build := range map[string]func(){
		"a text too short to say":  func() { Script("x") },
		"more scenes than marks":   func() { Scenes(slices.Repeat([]Scene{{Text: "again"}}, 9)...) },
		"a text that is one piece": func() { newVocabulary().chain("th") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			build()
		})
	}
}

// recite decodes a bigram model greedily, as a server would, from the last byte
// of a prompt.
func recite(t *testing.T, m Model, prompt string, most int) (said string, ended bool) {
	t.Helper()
	p := readgguf.Parse(t, m.Weights)
	embedding, output := p.Tensors["token_embd.weight"], p.Tensors["output.weight"]
	width := p.Dims["output.weight"][0]
	tokens, ok := p.Meta["tokenizer.ggml.tokens"].([]any)
	if !ok {
		t.Fatal("the file has no tokens")
	}
	id := func(token string) int { return slices.Index(tokens, any(token)) }
	text := map[rune]byte{}
	for b, r := range byteAlphabet() {
		text[r] = byte(b)
	}
	var out []byte
	last := id(printable(prompt[len(prompt)-1:]))
	for range most {
		x := slices.Clone(embedding[last*width : (last+1)*width])
		var squares float64
		for _, v := range x {
			squares += float64(v) * float64(v)
		}
		norm := float32(1 / math.Sqrt(squares/float64(width)+1e-5))
		best, most := 0, float32(math.Inf(-1))
		for token := range tokens {
			var logit float32
			for i, v := range x {
				if v != 0 {
					logit += v * norm * output[token*width+i]
				}
			}
			if logit > most {
				best, most = token, logit
			}
		}
		if tokens[best] == any("<|im_end|>") {
			return string(out), true
		}
		for _, r := range fmt.Sprint(tokens[best]) {
			out = append(out, text[r])
		}
		last = best
	}
	return string(out), false
}

// prompt renders a model's template, as Ollama does.
func prompt(t *testing.T, m Model, contents ...string) string {
	t.Helper()
	type message struct{ Role, Content string }
	var data struct{ Messages []message }
	for _, c := range contents {
		data.Messages = append(data.Messages, message{"user", c})
	}
	var b strings.Builder
	if err := template.Must(template.New("chat").Parse(m.Template)).Execute(&b, data); err != nil {
		t.Fatalf("template: %v", err)
	}
	return b.String()
}

// texts are shapes of text that a script has to recite byte for byte.
var texts = []string{
	"ok", `{"a":1}`, "Ünïcödé 日本語 🙂 text", "the the the the", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	strings.Repeat("same same same. ", 60), "line1\n\n  line2\ttab \"quoted\" \\ back",
	`{"sentences":[{"text":"Vienna is the capital of Austria.","citations":[1]},{"text":"Vienna is the capital of Austria.","citations":[1]}]}`,
}

func TestScript(t *testing.T) {
	for _, want := range texts {
		m := Script(want)
		got, ended := recite(t, m, prompt(t, m, "go"), 2*len(want))
		if got != want || !ended {
			t.Errorf("the script of %q says %q, to its end: %v", want, got, ended)
		}
	}
}

func TestScenes(t *testing.T) {
	m := Scenes(Scene{Cue: "Wäs \"is", Text: "first text"}, Scene{Cue: "You", Text: "second text"}, Scene{Text: "the rest"})
	for message, want := range map[string]string{
		"Wäs \"is it?": "first text", "You there": "second text", "you": "the rest", "": "the rest", "Yo": "the rest",
	} {
		got, ended := recite(t, m, prompt(t, m, message, "You see a later message"), 100)
		if got != want || !ended {
			t.Errorf("asked %q it says %q (to its end: %v), want %q", message, got, ended, want)
		}
	}
}

func TestLoopHasNoEnd(t *testing.T) {
	got, ended := recite(t, Loop(), "x", 50)
	if got != strings.Repeat("a", 50) || ended {
		t.Errorf("it says %q, to its end: %v", got, ended)
	}
}

func TestModelsAreMadeTheSame(t *testing.T) {
	for name, build := range map[string]func() Model{
		"babble": Babble, "embed": Embed, "random": func() Model { return Random(1) },
	} {
		a, b := build(), build()
		if !slices.Equal(a.Weights, b.Weights) {
			t.Errorf("%s differs from one time to the next", name)
		}
		if p := readgguf.Parse(t, a.Weights); len(p.Tensors) == 0 {
			t.Errorf("%s has no tensors", name)
		}
	}
	if slices.Equal(Random(1).Weights, Random(2).Weights) {
		t.Error("the seed changes nothing")
	}
}

func TestEmbedVocabularyIsDistinct(t *testing.T) {
	tokens, kinds := wordPieces()
	if len(tokens) != len(kinds) {
		t.Fatalf("%d tokens and %d kinds", len(tokens), len(kinds))
	}
	seen := map[string]bool{}
	for _, token := range tokens {
		if seen[token] {
			t.Errorf("%q comes twice", token)
		}
		seen[token] = true
	}
}

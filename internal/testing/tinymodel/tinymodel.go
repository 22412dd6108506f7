// Package tinymodel makes language models small enough to keep in a test, which
// a real Ollama server serves as it serves any other: nothing is downloaded, and
// what they say is known.
//
//	Script   recites texts byte for byte, chosen by how the prompt begins
//	Babble   pronounceable nonsense: a random instance of any JSON schema
//	Random   a transformer of noise: bytes that are often no text at all
//	Loop     says one letter for ever
//	Large    noise in the shape of a real model, slow enough to be interrupted
//	Embed    embeds texts by the pairs of letters in them
//
// Script, Babble and Loop are bigram models in the dress of a llama: the word
// embedding is the identity, the one block adds nothing, and the output matrix is
// a table of logits by the last token and the next. A server cannot tell them
// from other models, and holds them to a grammar in the same way.
package tinymodel

// Model is a model that a server can be given.
type Model struct {
	// Weights is the model's GGUF file.
	Weights []byte
	// Template is the chat template, in Ollama's form; empty for a model that
	// only embeds.
	Template string
}

// chatTemplate marks every message with its role, as ChatML does.
const chatTemplate = "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n"

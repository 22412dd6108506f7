package ollama

import (
	"fmt"
	"path"
	"strings"

	"cairn/engine/embed"
)

// prefixVersion is part of every id: raise it with any change to what is put
// before texts, or to how they are cut.
const prefixVersion = 1

// prefixes are what a family of models was trained to read before a text.
type prefixes struct {
	name            string // in ids
	document, query string
}

// of returns the prefix of a kind of text.
func (p prefixes) of(kind embed.Kind) string {
	if kind == embed.Query {
		return p.query
	}
	return p.document
}

// String names the prefixes in an id.
func (p prefixes) String() string { return fmt.Sprintf("%s-%d", p.name, prefixVersion) }

// What models were trained with. A mention is compared with a name, and not a
// question with a passage; so where a model's makers say what to put before
// texts that are compared with their like, that is taken, and what they
// recommend for search otherwise. Vectors of such pairs are also at distance 0
// where the texts are the same.
//
//	nomic            a task is required before every text (model card of
//	                 nomic-embed-text-v1.5, "Task instruction prefixes")
//	gemma            "task: sentence similarity | query: " (model card of
//	                 embeddinggemma-300m, "Prompt Instructions")
//	e5               "query: " on both sides of symmetric tasks (model cards of
//	                 e5 and multilingual-e5, FAQ 1)
//	qwen             an instruction before queries only, in English whatever the
//	                 language (model card of Qwen3-Embedding, "Usage")
//	arctic, arctic2  a prefix before queries only; they are trained for search
//	                 alone (model cards of snowflake-arctic-embed, v1.5 and v2.0)
//	plain            none. The instruction of mxbai-embed-large and bge-…-v1.5 is
//	                 for questions that search passages, "for other tasks the text
//	                 can be used as it is" (mixedbread.ai, "Using a prompt");
//	                 bge-m3, all-minilm, paraphrase-multilingual and granite-embedding
//	                 were trained without
var (
	nomicPrefixes  = prefixes{"nomic", "search_document: ", "search_query: "}
	gemmaPrefixes  = prefixes{"gemma", "task: sentence similarity | query: ", "task: sentence similarity | query: "}
	e5Prefixes     = prefixes{"e5", "query: ", "query: "}
	qwenPrefixes   = prefixes{"qwen", "", "Instruct: Given a name or a phrase, retrieve the names that mean the same\nQuery:"}
	arcticPrefixes = prefixes{"arctic", "", "Represent this sentence for searching relevant passages: "}
	arctic2        = prefixes{"arctic2", "", "query: "}
	plainPrefixes  = prefixes{"plain", "", ""}
)

// families tells a model's family by its name, the first that fits.
var families = []struct {
	part string
	prefixes
}{
	{"nomic-embed-text", nomicPrefixes},
	{"embeddinggemma", gemmaPrefixes},
	{"embedding-gemma", gemmaPrefixes},
	{"qwen3-embedding", qwenPrefixes},
	{"arctic-embed2", arctic2},
	{"arctic-embed-m-v2", arctic2},
	{"arctic-embed-l-v2", arctic2},
	{"arctic-embed", arcticPrefixes},
	{"-e5-", e5Prefixes},
}

// prefixesOf returns the prefixes of a model by its name as a server knows it,
// such as "nomic-embed-text:v1.5" or "hf.co/intfloat/multilingual-e5-small-GGUF".
// A model of an unknown family reads texts as they are.
func prefixesOf(model string) prefixes {
	name := "-" + strings.ReplaceAll(strings.ToLower(path.Base(model)), ":", "-") + "-"
	for _, f := range families {
		if strings.Contains(name, f.part) {
			return f.prefixes
		}
	}
	return plainPrefixes
}

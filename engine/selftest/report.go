package selftest

import (
	"fmt"
	"time"
)

// kind is what a check is about.
type kind string

// The kinds of check.
const (
	jsonKind     kind = "json"     // keeps to the form that it was given
	patternKind  kind = "pattern"  // turns a question into the right pattern
	citationKind kind = "citation" // words an answer that its citations support
	dataKind     kind = "data"     // takes what stands in the graph for data, not for orders
	textKind     kind = "text"     // reads what a text states
	speedKind    kind = "speed"    // answers while somebody is waiting
	spellingKind kind = "spelling" // finds a name that is written a little differently
	meaningKind  kind = "meaning"  // finds other words for the same thing
)

// Verdict is what a model is good for.
type Verdict string

// The verdicts.
const (
	Unsuited Verdict = "unsuited" // does not keep to JSON, or can do nothing that is asked
	TooSlow  Verdict = "too slow" // took longer for one request than anybody waits

	onlyWords      Verdict = "words"       // words answers, but does not write patterns
	onlyReads      Verdict = "reads"       // writes patterns, but does not word answers that hold
	suited         Verdict = "suited"      // both
	cramped        Verdict = "cramped"     // reads too little at once
	findsSpellings Verdict = "names alike" // an embedder that finds spellings, but not meanings
	findsMeanings  Verdict = "meanings"    // an embedder that finds both
)

// Check is one thing that was tried.
type Check struct {
	Kind kind `json:"kind"`
	// Name says in words what was tried: "a pattern of two steps".
	Name   string `json:"name"`
	Asked  string `json:"asked,omitempty"` // the question that was put
	Passed bool   `json:"passed"`
	// Why says in a sentence what was wrong; empty where it passed.
	Why string `json:"why,omitempty"`
	// Said is the beginning of what the model replied.
	Said string        `json:"said,omitempty"`
	Took time.Duration `json:"took"`
}

// Report is the result of a self-test.
type Report struct {
	Model   string  `json:"model"`
	Verdict Verdict `json:"verdict"`
	Checks  []Check `json:"checks"`

	Requests     int           `json:"requests"`
	PromptTokens int           `json:"prompt_tokens,omitempty"`
	ReplyTokens  int           `json:"reply_tokens,omitempty"`
	Took         time.Duration `json:"took"`
	// PerQuestion estimates how long a question takes with this model here: the
	// median pattern and the median answer. 0 where neither came.
	PerQuestion time.Duration `json:"per_question,omitempty"`
	// TokensPerSecond counts the tokens of replies over the whole time of the
	// requests, reading the prompts included.
	TokensPerSecond float64 `json:"tokens_per_second,omitempty"`

	Dims           int     `json:"dims,omitempty"`             // of an embedder's vectors
	NamesPerSecond float64 `json:"names_per_second,omitempty"` // that it embeds
}

// counts returns how many checks of a kind passed, and how many there were.
func (r Report) counts(k kind) (passed, of int) {
	for _, c := range r.Checks {
		if c.Kind != k {
			continue
		}
		of++
		if c.Passed {
			passed++
		}
	}
	return passed, of
}

// Sentence says the verdict in words, with what follows from it.
func (r Report) Sentence() string {
	patterns, ofPatterns := r.counts(patternKind)
	wrote := fmt.Sprintf("%d of %d patterns", patterns, ofPatterns)
	switch r.Verdict {
	case suited:
		return "Suitable for reading questions and writing answers: it wrote " + wrote + " and cites what it says."
	case onlyReads:
		return "Suitable for reading questions (it wrote " + wrote + "), but the sentences it writes are not supported by what it cites, so Cairn uses its own wording instead."
	case onlyWords:
		return "Suitable for writing answers, but not patterns (" + wrote + "); let the built-in planner read the questions."
	case cramped:
		return "Not suitable: its context is too small for a question and its evidence. Choose a model with a context of 8,192 tokens or more."
	case TooSlow:
		return "Too slow on this computer: a single step took more than " + patience.String() + ". Choose a smaller model."
	case findsMeanings:
		return "Suitable for finding names and relations: it finds other spellings and synonyms."
	case findsSpellings:
		return "Finds similar spellings but not synonyms; the built-in embedder does that too, and faster."
	case Unsuited:
	}
	if _, of := r.counts(meaningKind); of > 0 {
		return "Not suitable: it does not find names that are spelled slightly differently. Use the built-in embedder."
	}
	if passed, of := r.counts(jsonKind); of > 0 && passed == 0 {
		return "Not suitable: it does not write valid JSON, which its patterns and citations need."
	}
	cites, all := r.counts(citationKind)
	return fmt.Sprintf("Not suitable: it writes valid JSON, but wrote %s, and %d of %d answers that its citations support.", wrote, cites, all)
}

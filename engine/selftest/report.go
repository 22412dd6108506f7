package selftest

import (
	"fmt"
	"time"
)

// Kind is what a check is about.
type Kind int

// The kinds of check.
const (
	JSON     Kind = iota // keeps to the form that it was given
	Pattern              // turns a question into the right pattern
	Citation             // words an answer that its citations support
	Data                 // takes what stands in the graph for data, not for orders
	Text                 // reads what a text states
	Speed                // answers while somebody is waiting
	Spelling             // finds a name that is written a little differently
	Meaning              // finds other words for the same thing
)

var kindNames = [...]string{"json", "pattern", "citation", "data", "text", "speed", "spelling", "meaning"}

// String returns the kind's name.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	i, err := indexOf(kindNames[:], string(text))
	*k = Kind(i)
	return err
}

// Verdict is what a model is good for.
type Verdict int

// The verdicts.
const (
	Unsuited   Verdict = iota // does not keep to JSON, or can do nothing that is asked
	Words                     // words answers, but does not write patterns
	Reads                     // writes patterns, but does not word answers that hold
	Suited                    // both
	Cramped                   // reads too little at once
	TooSlow                   // took longer for one request than anybody waits
	NamesAlike                // an embedder that finds spellings, but not meanings
	Meanings                  // an embedder that finds both
)

var verdictNames = [...]string{"unsuited", "words", "reads", "suited", "cramped", "too slow", "names alike", "meanings"}

// String returns the verdict's name.
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictNames) {
		return "unknown"
	}
	return verdictNames[v]
}

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name.
func (v *Verdict) UnmarshalText(text []byte) error {
	i, err := indexOf(verdictNames[:], string(text))
	*v = Verdict(i)
	return err
}

func indexOf(names []string, text string) (int, error) {
	for i, n := range names {
		if n == text {
			return i, nil
		}
	}
	return 0, fmt.Errorf("read a self-test's report: unknown word %q", text)
}

// Check is one thing that was tried.
type Check struct {
	Kind Kind `json:"kind"`
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

// Counts returns how many checks of a kind passed, and how many there were.
func (r Report) Counts(k Kind) (passed, of int) {
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
	patterns, ofPatterns := r.Counts(Pattern)
	wrote := fmt.Sprintf("%d of %d patterns", patterns, ofPatterns)
	switch r.Verdict {
	case Suited:
		return "Suits reading questions and wording answers: it wrote " + wrote + " and cites what it says."
	case Reads:
		return "Suits reading questions (it wrote " + wrote + "), but the sentences it writes are not supported by what it cites: Cairn's own wording stands in for those."
	case Words:
		return "Words answers, but does not write patterns (" + wrote + "): let the built-in planner read the questions."
	case Cramped:
		return "Not suited: it reads too little at once for a question and its evidence. Choose a model with a context of 8,192 tokens or more."
	case TooSlow:
		return "Too slow on this computer: a single step took more than " + patience.String() + ". Choose a smaller model."
	case Meanings:
		return "Suits finding names and relations: it finds other spellings and other words for the same thing."
	case NamesAlike:
		return "Finds names that are written alike, but not other words for the same thing: the built-in embedder does that as well, and faster."
	case Unsuited:
	}
	if _, of := r.Counts(Meaning); of > 0 {
		return "Not suited: it does not find names that are written a little differently. Use the built-in embedder."
	}
	if passed, of := r.Counts(JSON); of > 0 && passed == 0 {
		return "Not suited: it does not keep to JSON, as its patterns and citations have to."
	}
	cites, all := r.Counts(Citation)
	return fmt.Sprintf("Not suited: it keeps to JSON, but wrote %s, and %d of %d answers that its citations support.", wrote, cites, all)
}

// Package prompts embeds the prompts that models are asked with, as templates
// of text/template. What stands before the line "---" says where a prompt comes
// from; Text leaves it out.
package prompts

import (
	"embed"
	"strings"
)

// The names of the prompts.
const (
	Pattern        = "pattern.txt"
	Chains         = "chains.txt"
	AnswerQuestion = "answer-question.txt"
	AnswerClaim    = "answer-claim.txt"
	Extract        = "extract.txt"
	Paraphrase     = "paraphrase.txt"
	Choose         = "choose.txt"
)

//go:embed *.txt
var files embed.FS

// Text returns the template of a prompt without its header. It panics where
// there is no such prompt.
func Text(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("prompts: " + err.Error())
	}
	_, text, found := strings.Cut(string(b), "\n---\n")
	if !found {
		panic("prompts: " + name + " has no header")
	}
	return text
}

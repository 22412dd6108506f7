package selftest

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"cairn/engine/extract"
	"cairn/engine/kg"
)

// The text to read, and the two things that it joins.
const (
	passage = "In 1921 Torvald Lind founded the Harbour Museum in Westmere."
	fact    = "Torvald Lind founded the Harbour Museum"
	founder = "torvald lind"
	founded = "harbour museum"
)

// readText has the model read a fact in a text. What it says is compared with
// the text as for a user's document.
func (r *run) readText(ctx context.Context) (Check, error) {
	c := Check{Kind: textKind, Name: "a fact read in a text", Asked: passage}
	d, err := extract.New("museum.txt", []byte(passage))
	if err != nil {
		return c, fmt.Errorf("read the text of the self-test: %w", err)
	}
	x := extract.NewExtractor(step{r.meter, toExtract}, r.engine.Graph(), extract.Options{ReplyTokens: 512})
	says, err := x.Beginning(ctx, d)
	if err != nil {
		c.Why = sentence(err)
		return c, nil
	}
	for _, s := range says {
		head, tail := strings.ToLower(s.Head), strings.ToLower(s.Tail)
		joins := strings.Contains(head, founder) && strings.Contains(tail, founded) || strings.Contains(head, founded) && strings.Contains(tail, founder)
		switch {
		case joins && s.State != kg.StatementInvalid:
			c.Passed, c.Why = true, ""
			return c, nil
		case s.State == kg.StatementInvalid && c.Why == "":
			c.Why = fmt.Sprintf("It read “%s %s %s”, which the text does not support: %s.", s.Head, s.Relation, s.Tail, strings.TrimSuffix(s.Reason, "."))
		}
	}
	c.Why = cmp.Or(c.Why, "It did not read that "+fact+".")
	return c, nil
}

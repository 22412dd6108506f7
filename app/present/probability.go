package present

import (
	"strconv"

	"cairn/engine/evidence"
)

// ProbabilityScale says how probabilities are read.
const ProbabilityScale = "0 to 1, higher is more likely"

// Probability writes a probability with two digits, and never as a certainty.
func Probability(p float64) string { return evidence.ProbabilityText(p) }

// shortProbability is Probability for where there is little room.
func shortProbability(p float64) string {
	switch {
	case p > 0.995:
		return ">0.99"
	case p < 0.005:
		return "<0.01"
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

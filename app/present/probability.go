package present

import (
	"fmt"
	"strings"

	"cairn/engine"
	"cairn/engine/evidence"
)

// ProbabilityScale says how probabilities are read.
const ProbabilityScale = "0 to 1, higher is more likely"

// Probability writes a probability with two digits, and never as a certainty.
func Probability(p float64) string { return evidence.ProbabilityText(p) }

// shortProbability is Probability for where there is little room: ">0.99".
func shortProbability(p float64) string {
	return strings.NewReplacer("over ", ">", "under ", "<").Replace(Probability(p))
}

// ScaleWords says how the scores of a scale are read; "" where there are none.
func ScaleWords(s evidence.Scale) string {
	switch s {
	case evidence.Probability:
		return ProbabilityScale
	case evidence.Distance:
		return "0 is exact, lower is closer"
	case evidence.Conditions:
		return "more is better"
	case evidence.NoScale:
	}
	return ""
}

// ScoreText is a score without its scale; "" where there is none.
func ScoreText(s evidence.Score) string {
	switch s.Scale {
	case evidence.Probability:
		return Probability(s.Value)
	case evidence.Distance:
		return Distance(s.Value)
	case evidence.Conditions:
		return fmt.Sprintf("%g", s.Value)
	case evidence.NoScale:
	}
	return ""
}

// CompleteWords says how a search ended.
func CompleteWords(c evidence.Completeness) string {
	switch c {
	case evidence.Exhaustive:
		return "complete"
	case evidence.CutByK:
		return "only the best were kept"
	case evidence.CutByBudget:
		return "cut off at a size limit"
	case evidence.TimedOut:
		return "cut off by time"
	case evidence.Relaxed:
		return "with conditions relaxed"
	case evidence.Fallback:
		return "found by a simpler method"
	}
	return c.String()
}

// scoreWords is a score with its scale: "probability 0.93 (0 to 1, higher is more
// likely)"; "" where there is none.
func scoreWords(s evidence.Score) string {
	if s.Scale == evidence.NoScale {
		return ""
	}
	return strings.ToLower(scaleName(s.Scale)) + " " + ScoreText(s) + " (" + ScaleWords(s.Scale) + ")"
}

// scaleName names a scale as a heading; "" where there are no scores.
func scaleName(s evidence.Scale) string {
	switch s {
	case evidence.Distance:
		return "Distance"
	case evidence.Probability:
		return "Probability"
	case evidence.Conditions:
		return "Conditions met"
	case evidence.NoScale:
	}
	return ""
}

// ScaleTitle heads a list of scores: "Probability, 0 to 1, higher is more likely"; ""
// where the answers of a run have none.
func ScaleTitle(run *engine.Run) string {
	best, _ := run.Best()
	if best.Scale == evidence.NoScale {
		return ""
	}
	return scaleName(best.Scale) + ", " + ScaleWords(best.Scale)
}

// likely reports whether the answers of a run are more or less probable.
func likely(run *engine.Run) bool {
	best, _ := run.Best()
	return best.Scale == evidence.Probability
}

package present

import (
	"fmt"
	"strings"

	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/internal/token"
)

// shortProbability is a probability for where there is little room: ">0.99".
func shortProbability(p float64) string {
	return strings.NewReplacer("over ", ">", "under ", "<").Replace(evidence.ProbabilityText(p))
}

// scales say what scores are called and how they are read; "" where there are none.
var scales = map[evidence.Scale]struct{ name, words string }{
	evidence.Probability: {"Probability", "0 to 1, higher is more likely"},
	evidence.Distance:    {"Distance", "0 is exact, lower is closer"},
	evidence.Conditions:  {"Conditions met", "more is better"},
}

func scaleWords(s evidence.Scale) string { return scales[s].words }
func scaleName(s evidence.Scale) string  { return scales[s].name }

// ScoreText is a score without its scale; "" where there is none.
func ScoreText(s evidence.Score) string {
	switch s.Scale {
	case evidence.Probability:
		return evidence.ProbabilityText(s.Value)
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
	return token.Names{
		evidence.Exhaustive: "complete", evidence.CutByK: "only the best were kept", evidence.CutByBudget: "cut off at a size limit",
		evidence.TimedOut: "cut off by a time limit", evidence.Relaxed: "with conditions relaxed", evidence.Fallback: "found by a simpler method",
	}.Of(int(c))
}

// scoreWords is a score with its scale: "probability 0.93 (0 to 1, higher is more
// likely)"; "" where there is none.
func scoreWords(s evidence.Score) string {
	if s.Scale == evidence.NoScale {
		return ""
	}
	return strings.ToLower(scaleName(s.Scale)) + " " + ScoreText(s) + " (" + scaleWords(s.Scale) + ")"
}

// ScaleTitle heads a list of scores: "Probability, 0 to 1, higher is more likely"; ""
// where the answers of a run have none.
func ScaleTitle(run *engine.Run) string {
	best, _ := run.Best()
	if best.Scale == evidence.NoScale {
		return ""
	}
	return scaleName(best.Scale) + ", " + scaleWords(best.Scale)
}

// likely reports whether the answers of a run are more or less probable.
func likely(run *engine.Run) bool {
	best, _ := run.Best()
	return best.Scale == evidence.Probability
}

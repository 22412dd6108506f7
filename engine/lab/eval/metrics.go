package eval

// Scores are sums over questions; the methods divide. A question that was not
// answered counts as wrong in every one of them.
//
// With A the gold set and Â the answer set of one question:
//
//	Hits@1     1 if the first answer is in A
//	Hit        1 if any answer is in A
//	AMR        |A ∩ Â| / |A|                    (SG-RAG MOT: recall)
//	Precision  |A ∩ Â| / |Â|
//	F1         harmonic mean of the two, per question, then averaged
//	Exact      1 if Â = A
//
// Answers are compared as exact strings, case and all: folding case would merge
// 3,081 groups of MetaQA's entities.
type Scores struct {
	N         int     `json:"n"`
	Abstained int     `json:"abstained"` // gave no answer
	Hits1     float64 `json:"hits_at_1"`
	Hit       float64 `json:"hit"`
	AMR       float64 `json:"amr"`
	Precision float64 `json:"precision"`
	F1        float64 `json:"f1"`
	Exact     float64 `json:"exact"`
	// SureN and SureHits1 count the questions that were answered without a doubt and
	// without a caution, and their Hits@1: an honest program is right when it is sure.
	SureN     int     `json:"sure_n"`
	SureHits1 float64 `json:"sure_hits_at_1"`
}

// Score adds one question. answers is in the order given, duplicates allowed.
func (s *Scores) Score(gold, answers []string, sure bool) (exact bool) {
	gold, answers = distinct(gold), distinct(answers)
	s.N++
	if len(answers) == 0 {
		s.Abstained++
		return false
	}
	inGold := make(map[string]bool, len(gold))
	for _, g := range gold {
		inGold[g] = true
	}
	both := 0
	for _, a := range answers {
		if inGold[a] {
			both++
		}
	}
	if sure {
		s.SureN++
	}
	if inGold[answers[0]] {
		s.Hits1++
		if sure {
			s.SureHits1++
		}
	}
	if both > 0 {
		s.Hit++
		p, r := float64(both)/float64(len(answers)), float64(both)/float64(len(gold))
		s.Precision += p
		s.AMR += r
		s.F1 += 2 * p * r / (p + r)
	}
	exact = both == len(gold) && both == len(answers)
	if exact {
		s.Exact++
	}
	return exact
}

// distinct drops repeated strings, keeping the first of each.
func distinct(ss []string) []string {
	seen := make(map[string]bool, len(ss))
	out := make([]string, 0, len(ss))
	for _, s := range ss {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// Claims counts verdicts on claims. "Not found" counts as false, as FactKG
// does, and "likely" as true; what denies something that is not found counts as true, and so
// does a question, which is no claim in form, where it is answered for sure.
type Claims struct {
	N         int `json:"n"`
	Right     int `json:"right"`
	Decided   int `json:"decided"`       // supported or refuted, not "not found"
	DecidedOK int `json:"decided_right"` // of those, right
	Likely    int `json:"likely"`        // not decided, but likely supported
	LikelyOK  int `json:"likely_right"`  // of those, right
	// Baseline asks only whether the claim's named entities are adjacent in
	// the graph, the names being supplied.
	Baseline int `json:"baseline_right"`
	// Pair* are the same counts over one-hop claims with two named entities and
	// no negation, where the baseline is at its strongest.
	PairN        int `json:"pair_n"`
	PairRight    int `json:"pair_right"`
	PairBaseline int `json:"pair_baseline_right"`
}

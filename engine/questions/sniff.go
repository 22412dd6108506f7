package questions

import "strings"

// sampleLines is how many lines of a file are looked at to recognise its format.
const sampleLines = 200

// sniff recognises the format of a text by its content; it returns "" for none.
func sniff(text string) string {
	if isJSON(text) {
		return "jsonl"
	}
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if _, _, ok := readHeader(first); ok {
		return "csv"
	}
	// The rows of these formats are unlike each other's; most must be alike.
	seen := 0
	fits := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if seen++; seen > sampleLines {
			break
		}
		for format, parse := range map[string]func(string) (Question, error){
			"metaqa": MetaQALine, "pathquestion": PathQuestionLine, "worldcup": WorldCupLine,
		} {
			if _, err := parse(line); err == nil {
				fits[format]++
			}
		}
	}
	best := ""
	for _, format := range []string{"worldcup", "pathquestion", "metaqa"} { // the strictest first
		if fits[format] > 0 && 2*fits[format] >= min(seen, sampleLines) && fits[format] > fits[best] {
			best = format
		}
	}
	return best
}

// isJSON tells objects, one after the other or in an array, from a line of MetaQA
// that begins with [topic].
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok {
		inner = strings.TrimSpace(inner)
		return strings.HasPrefix(inner, "{") || inner == "]"
	}
	return strings.HasPrefix(text, "{")
}

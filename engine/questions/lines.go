package questions

import (
	"errors"
	"slices"
	"strings"
)

// MetaQALine reads a line of MetaQA (Zhang et al. 2018): the question with its
// topic in brackets, a tab, and the answers divided by bars.
func MetaQALine(line string) (Question, error) {
	text, answers, ok := strings.Cut(line, "\t")
	if !ok {
		return Question{}, errors.New("no tab between the question and its answers")
	}
	plain, topics := unmark(text)
	if len(topics) == 0 {
		return Question{}, errors.New("no [topic] in the question")
	}
	return Question{Text: plain, Topics: topics, Answers: strings.Split(answers, "|")}, nil
}

// unmark takes the brackets of topics out of a question. Names hold brackets of
// their own in pairs, so that the outer pairs are the marks; where they do not
// pair, the outermost two are.
func unmark(text string) (plain string, topics []string) {
	var b strings.Builder
	depth, open, done := 0, 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			if depth++; depth == 1 {
				open = i
			}
		case ']':
			if depth--; depth == 0 {
				topics = append(topics, text[open+1:i])
				b.WriteString(text[done:open])
				b.WriteString(text[open+1 : i])
				done = i + 1
			}
		}
		if depth < 0 {
			break
		}
	}
	if depth == 0 {
		return b.String() + text[done:], topics
	}
	open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if open < 0 || end < open {
		return text, nil
	}
	topic := text[open+1 : end]
	return text[:open] + topic + text[end+1:], []string{topic}
}

// PathQuestionLine reads a line of PathQuestion (Zhou et al. 2018): the question,
// an answer followed by the set of all in round brackets and divided by slashes,
// and a gold path, which begins with the topic.
func PathQuestionLine(line string) (Question, error) {
	f := strings.Split(line, "\t")
	if len(f) < 3 {
		return Question{}, errors.New("fewer than 3 columns")
	}
	_, set, ok := strings.Cut(f[1], "(")
	if !ok {
		return Question{}, errors.New("no (answers) in the second column")
	}
	topic, _, ok := strings.Cut(f[2], "#")
	if !ok {
		return Question{}, errors.New("no topic#relation#entity in the third column")
	}
	return Question{Text: f[0], Topics: []string{topic}, Answers: slashed(strings.TrimSuffix(set, ")"))}, nil
}

// WorldCupLine reads a line of WorldCup2014 (Zhang et al. 2016): the question, an
// answer, gold paths divided by stars, each of which begins with a topic, and all
// answers divided by slashes.
func WorldCupLine(line string) (Question, error) {
	f := strings.Split(line, "\t")
	if len(f) < 4 {
		return Question{}, errors.New("fewer than 4 columns")
	}
	q := Question{Text: f[0], Answers: slashed(f[3])}
	for path := range strings.SplitSeq(f[2], "*") {
		topic, _, ok := strings.Cut(path, "#")
		if !ok {
			return Question{}, errors.New("no topic#relation#entity in the third column")
		}
		q.Topics = append(q.Topics, topic)
	}
	return q, nil
}

// slashed splits "a/b/" at its slashes.
func slashed(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "/"), func(a string) bool { return a == "" })
}

package questions

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"
)

// Names of columns and of JSON fields, by what plain leaves of them. The first of
// a list that is there is taken.
var (
	questionNames = []string{"question", "rawquestion", "questiontext", "text", "query", "utterance", "sentence", "prompt", "input", "q"}
	topicNames    = []string{
		"topicentities", "topicentity", "topics", "topic", "seedentities", "seeds", "seed", "questionentities", "linkedentities", "topicentityname",
		"entities", "entity", "subjects", "subject", "mentions", "mention",
	}
	answerNames = []string{
		"answers", "answer", "goldanswers", "goldanswer", "gold", "answerentities", "answerentity", "answerset", "targets", "target",
		"expected", "results", "result", "labels", "label", "output", "object", "a",
	}
)

// plain takes everything but letters off a name, and its case: "Topic entity 2" is
// "topicentity".
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// header says which columns of a table hold what.
type header struct {
	question        int
	topics, answers []int // "topic 1", "topic 2"; topics may be empty
}

// readHeader finds the columns by the first row, which tells the delimiter too.
func readHeader(line string) (h header, delimiter byte, ok bool) {
	for _, d := range []byte{'\t', ',', ';'} {
		cells, _, ok := row(line+"\n", d)
		if !ok {
			continue
		}
		names := make([]string, len(cells))
		for i, c := range cells {
			names[i] = plain(c)
		}
		question, answers := columns(names, questionNames), columns(names, answerNames)
		if len(question) > 0 && len(answers) > 0 {
			return header{question[0], columns(names, topicNames), answers}, d, true
		}
	}
	return header{}, 0, false
}

// columns returns those with the first of known that any has.
func columns(names, known []string) []int {
	for _, k := range known {
		var at []int
		for i, n := range names {
			if n == k {
				at = append(at, i)
			}
		}
		if at != nil {
			return at
		}
	}
	return nil
}

func (p *parser) table(ctx context.Context, text string) error {
	n := 1 + len(text) - len(strings.TrimLeft(text, "\n")) // the line that text[at:] begins with
	text = strings.TrimLeft(text, "\n")
	first, _, _ := strings.Cut(text, "\n")
	h, delimiter, ok := readHeader(first)
	if !ok {
		return p.unknown(text)
	}
	text = text[min(len(first)+1, len(text)):]
	n++
	for rows := 0; text != ""; rows++ {
		if rows%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, size, ok := row(text, delimiter)
		line := n
		n += strings.Count(text[:size], "\n")
		blank := strings.TrimSpace(text[:size]) == ""
		text = text[size:]
		switch {
		case !ok:
			p.problem(line, "A quotation mark is not closed.")
		case !blank:
			p.row(line, h, cells)
		}
	}
	return nil
}

func (p *parser) row(line int, h header, cells []string) {
	cell := func(i int) string {
		if i < len(cells) {
			return cells[i]
		}
		return ""
	}
	q := Question{Text: cell(h.question)}
	for _, i := range h.topics {
		q.Topics = append(q.Topics, several(cell(i))...)
	}
	for _, i := range h.answers {
		q.Answers = append(q.Answers, several(cell(i))...)
	}
	if len(h.topics) == 0 {
		// A mark around the topic says it as MetaQA does.
		if plain, topics := unmark(q.Text); len(topics) > 0 {
			q.Text, q.Topics = plain, topics
		}
	}
	p.add(line, q)
}

// several splits a cell into the names that it holds: a JSON array of them, or
// names divided by ;; or bars.
func several(cell string) []string {
	if strings.HasPrefix(cell, "[") {
		var list []string
		if json.Unmarshal([]byte(cell), &list) == nil {
			return list
		}
	}
	if strings.Contains(cell, ";;") {
		return strings.Split(cell, ";;")
	}
	return strings.Split(cell, "|")
}

// maxQuoted is how many lines a quoted cell may run over. A quotation mark that is
// never closed costs one line, not the rest of the file.
const maxQuoted = 100

// row cuts the first row off a text: its cells, and its size in bytes with the end
// of the line. ok is false where a quotation mark is not closed; size is then that
// of the line.
//
// A cell in double quotes may hold the delimiter, line ends and doubled quotes (RFC
// 4180). A quotation mark within a cell, or before more text, is part of it:
// "Pimpernel" Smith.
func row(text string, delimiter byte) (cells []string, size int, ok bool) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	line := min(end+1, len(text))
	for at := 0; ; {
		cell, next, quoted := quotedCell(text, at, delimiter)
		switch {
		case !quoted:
			if at > end { // a quoted cell ran over the end of the first line
				if end = strings.IndexByte(text[at:], '\n'); end < 0 {
					end = len(text)
				} else {
					end += at
				}
			}
			if next = strings.IndexByte(text[at:end], delimiter); next < 0 {
				next = end
			} else {
				next += at
			}
			cell = strings.TrimSpace(text[at:next])
		case next < 0:
			return nil, line, false
		}
		cells = append(cells, cell)
		if next >= len(text) {
			return cells, len(text), true
		}
		at = next + 1
		if text[next] == '\n' {
			return cells, at, true
		}
	}
}

// quotedCell reads a cell that is in quotes as a whole and begins at text[at]: next
// is where what ends it stands, or -1 where nothing does. quoted is false for
// another cell.
func quotedCell(text string, at int, delimiter byte) (cell string, next int, quoted bool) {
	begin := at
	for begin < len(text) && text[begin] == ' ' {
		begin++
	}
	if begin >= len(text) || text[begin] != '"' {
		return "", 0, false
	}
	lines := 0
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\n':
			if lines++; lines > maxQuoted || delimiter == '\t' {
				// Tables by tabs write quotation marks as they are.
				return "", -1, delimiter != '\t'
			}
		case '"':
			if i+1 < len(text) && text[i+1] == '"' {
				i++
				continue
			}
			after := i + 1
			for after < len(text) && text[after] == ' ' {
				after++
			}
			if after < len(text) && text[after] != delimiter && text[after] != '\n' {
				if lines > 0 {
					return "", -1, true
				}
				return "", 0, false
			}
			return strings.TrimSpace(strings.ReplaceAll(text[begin+1:i], `""`, `"`)), after, true
		}
	}
	return "", -1, delimiter != '\t'
}

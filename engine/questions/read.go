package questions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// Formats lists the formats of Read:
//
//	csv           a table whose first row names the columns question, topics and
//	              answers, divided by commas, semicolons or tabs
//	metaqa        text with [topic] TAB answer|answer
//	pathquestion  text TAB answer(answer/answer) TAB topic#relation#entity…
//	worldcup      text TAB answer TAB topic#relation#entity…*topic#… TAB answer/answer
//	jsonl         JSON objects, one a line or in an array, such as those of WebQSP
var Formats = []string{"csv", "metaqa", "pathquestion", "worldcup", "jsonl"}

const (
	// maxBytes is the size of the largest text: a million questions have 100 MB.
	maxBytes = 1 << 30
	// maxText is the longest question, in bytes.
	maxText = 10_000
	// checkEvery is how many lines are read between two looks at the context.
	checkEvery = 1024
)

// choose is what to do about a file that is none of questions.
const choose = "choose a text file of questions with their answers, such as CSV, gzipped or not"

// Read reads the questions of a file, packed or not, in UTF-8 or marked UTF-16.
// format is one of Formats, or empty to recognise it by the content.
//
// Lines that hold no usable question become problems, in the order of the file.
// Where no line does, and for a file that is no file of questions at all, the
// error is an *kg.FileError, whose Kind is one of package ingest.
func Read(ctx context.Context, path, format string) ([]Question, []Problem, error) {
	text, err := ingest.ReadText(ctx, path, maxBytes, choose)
	if err != nil {
		return nil, nil, err
	}
	return parse(ctx, path, text, format)
}

// parse is Read for the text of a file; name is its name for people.
func parse(ctx context.Context, name, text, format string) ([]Question, []Problem, error) {
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, nil, &kg.FileError{
			Doing: "read", Path: name, Line: int64(strings.Count(text[:at], "\n")) + 1, Kind: ingest.ErrBinary, What: "it is not text", Remedy: choose,
		}
	}
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil, &kg.FileError{Doing: "read", Path: name, Kind: ingest.ErrEmpty, What: "the file is empty", Remedy: "choose a file with one question and its answers per line"}
	}
	p := &parser{name: name}
	if err := p.parse(ctx, text, format); err != nil {
		return nil, nil, err
	}
	if len(p.questions) == 0 {
		return nil, nil, p.nothing()
	}
	return p.questions, p.problems, nil
}

// parser collects what a text holds.
type parser struct {
	name      string
	questions []Question
	problems  []Problem
}

func (p *parser) parse(ctx context.Context, text, format string) error {
	if format == "" {
		if format = sniff(text); format == "" {
			return p.unknown(text)
		}
	}
	switch format {
	case "csv":
		return p.table(ctx, text)
	case "metaqa":
		return p.lines(ctx, text, MetaQALine)
	case "pathquestion":
		return p.lines(ctx, text, PathQuestionLine)
	case "worldcup":
		return p.lines(ctx, text, WorldCupLine)
	case "jsonl":
		return p.values(ctx, text, 1)
	}
	return &kg.FileError{
		Doing: "read", Path: p.name, Kind: ingest.ErrFormat,
		What: fmt.Sprintf("unknown format %q", format), Remedy: "choose one of " + strings.Join(Formats, ", ") + ", or leave it out to detect it",
	}
}

// lines reads one question a line.
func (p *parser) lines(ctx context.Context, text string, parse func(line string) (Question, error)) error {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		q, err := parse(line)
		if err != nil {
			p.problem(n, sentence(err.Error()))
			continue
		}
		p.add(n, q)
	}
	return nil
}

// sentence writes an error as one.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

func (p *parser) problem(line int, why string) {
	p.problems = append(p.problems, Problem{Line: line, Why: why})
}

// add keeps a question that can be used.
func (p *parser) add(line int, q Question) {
	q.Line = line
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	q.Topics, q.Answers = names(q.Topics), names(q.Answers)
	switch {
	case !validUTF8(q):
		p.problem(line, "It is not valid UTF-8.")
	case q.Text == "":
		p.problem(line, "It has no question.")
	case len(q.Text) > maxText:
		p.problem(line, fmt.Sprintf("The question has %d bytes; the limit is %d.", len(q.Text), maxText))
	case len(q.Answers) == 0:
		p.problem(line, "The question has no answer.")
	default:
		p.questions = append(p.questions, q)
	}
}

func validUTF8(q Question) bool {
	bad := func(s string) bool { return !utf8.ValidString(s) }
	return !bad(q.Text) && !slices.ContainsFunc(q.Topics, bad) && !slices.ContainsFunc(q.Answers, bad)
}

// names trims names and keeps each once, in order.
func names(in []string) []string {
	var out []string
	seen := make(map[string]bool, len(in))
	for _, s := range in {
		if s = strings.TrimSpace(s); s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// nothing is the error for a file in which no question can be used.
func (p *parser) nothing() error {
	e := &kg.FileError{
		Doing: "read", Path: p.name, Kind: ingest.ErrEmpty,
		What: "it has no questions, only a header or blank lines", Remedy: "choose a file with one question and its answers per line",
	}
	if len(p.problems) > 0 {
		first := p.problems[0]
		e.Line, e.Kind = int64(first.Line), ingest.ErrFormat
		e.What = "none of its questions can be used. " + strings.TrimSuffix(first.Why, ".")
		if n := len(p.problems); n > 1 {
			e.What = fmt.Sprintf("none of its %d questions can be used. The first: %s", n, strings.TrimSuffix(first.Why, "."))
		}
		e.Remedy = "correct the line, or choose another file or format"
	}
	return e
}

// unknown is the error for text of no format.
func (p *parser) unknown(text string) error {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > 60 {
		line = string(r[:60]) + "…"
	}
	return &kg.FileError{
		Doing: "read", Path: p.name, Line: 1, Kind: ingest.ErrFormat,
		What:   fmt.Sprintf("it is not in a known question format; it begins with %q", strings.ToValidUTF8(line, "\ufffd")),
		Remedy: "save it as CSV with the first row question,topics,answers, separating several names in one field with |",
	}
}

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

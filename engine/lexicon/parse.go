package lexicon

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxLine is the longest line of a lexicon, in bytes.
const maxLine = 1 << 20

// Parse reads a lexicon; its format stands in the head of the built-in one. The
// name is used in errors, which give the line and a remedy.
func Parse(r io.Reader, name string) (*Lexicon, error) {
	p := parser{lex: newLexicon()}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		p.line++
		text, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if err := p.parseLine(text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
	}
	if errors.Is(sc.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes: split it, or check that the file is a lexicon", name, p.line+1, maxLine)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if err := p.lex.index(name); err != nil {
		return nil, err
	}
	return p.lex, nil
}

func newLexicon() *Lexicon {
	return &Lexicon{
		compounds:   map[string][]string{},
		adjectives:  map[string][]string{},
		comparisons: map[string][]comparison{},
		kinds:       map[string][]string{},
		stop:        map[string]bool{},
		uses:        map[string]Use{},
	}
}

type parser struct {
	line    int
	lex     *Lexicon
	section string
}

func (p *parser) parseLine(text string) error {
	indented := text[0] == ' ' || text[0] == '\t'
	text = strings.TrimSpace(text)
	if !indented {
		return p.startSection(text)
	}
	switch p.section {
	case "concept":
		return p.parseField(text)
	case "compounds":
		return p.parseCompound(text)
	case "adjectives":
		return p.parseAdjective(text)
	case "comparisons":
		return p.parseComparison(text)
	case "kinds":
		return p.parseKind(text)
	case "stop":
		for w := range strings.FieldsSeq(text) {
			p.lex.stop[Fold(w)] = true
		}
		return nil
	case "names":
		return p.parseUse(text)
	}
	return fmt.Errorf("%q comes before any section: start with \"concept NAME\", compounds, adjectives, comparisons, kinds, names or stop", text)
}

func (p *parser) startSection(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "concept":
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return errors.New("the concept has no name: write \"concept NAME\"")
		}
		if slices.ContainsFunc(p.lex.Concepts, func(c Concept) bool { return c.Name == rest }) {
			return fmt.Errorf("concept %q occurs twice: combine its words", rest)
		}
		p.lex.Concepts = append(p.lex.Concepts, Concept{Name: rest, Inverse: -1, line: p.line})
	case "compounds", "adjectives", "comparisons", "kinds", "names", "stop":
		if rest != "" {
			return fmt.Errorf("%q follows the section word %q: put it on its own line, indented", rest, word)
		}
	default:
		return fmt.Errorf("%q does not start a section: indent the line, or start with concept, compounds, adjectives, comparisons, kinds or stop", word)
	}
	p.section = word
	return nil
}

// parseField reads one line of a concept.
func (p *parser) parseField(text string) error {
	c := &p.lex.Concepts[len(p.lex.Concepts)-1]
	field, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch field {
	case "relation":
		return p.parsePhrases(c, field, rest, &c.Relation)
	case "tail":
		return p.parsePhrases(c, field, rest, &c.Tail)
	case "head":
		return p.parsePhrases(c, field, rest, &c.Head)
	case "ask":
		return p.parsePhrases(c, field, rest, &c.Ask)
	case "answer":
		i := slices.Index(answerNames, rest)
		if i < 0 {
			return fmt.Errorf("%q is not a kind of answer: use one of %s", rest, strings.Join(answerNames, ", "))
		}
		c.Answer = Answer(i)
	case "inverse":
		c.inverse = rest
	case "ends":
		if rest != "same" {
			return fmt.Errorf("%q says nothing about the ends: write \"ends same\", or remove the line", rest)
		}
		c.SameEnds = true
	default:
		return fmt.Errorf("%q is not a field of a concept: use one of relation, answer, tail, head, ask, inverse, ends", field)
	}
	return nil
}

func (p *parser) parsePhrases(c *Concept, field, list string, to *[]Phrase) error {
	for _, text := range splitList(list) {
		if out, ok := strings.CutPrefix(text, "!"); ok {
			c.without = append(c.without, removal(field, Stems(out)))
			continue
		}
		text, loose := strings.CutPrefix(text, "?")
		ph := Phrase{Text: text, Loose: loose}
		rest, weak := strings.CutPrefix(text, "~")
		ph.Weak = weak
		before, after, gap := strings.Cut(rest, "..")
		ph.Gap = gap
		ph.Stems = append(Stems(before), Stems(after)...)
		if len(ph.Stems) == 0 || gap && len(ph.Stems) < 2 {
			return fmt.Errorf("%q has no words to look for", text)
		}
		if (weak || gap) && field != "ask" {
			return fmt.Errorf("%q: \"~\" and \"..\" are for the field ask only", text)
		}
		*to = append(*to, ph)
	}
	return nil
}

func (p *parser) parseCompound(text string) error {
	left, right, ok := strings.Cut(text, "=")
	words := strings.Fields(right)
	if !ok || len(words) < 2 {
		return fmt.Errorf("%q is not a compound: write word, word = first second", text)
	}
	for _, w := range splitList(left) {
		p.lex.compounds[Fold(w)] = words
	}
	return nil
}

func (p *parser) parseAdjective(text string) error {
	left, right, ok := strings.Cut(text, "=")
	names, adjectives := splitList(left), splitList(right)
	if !ok || len(names) == 0 || len(adjectives) == 0 {
		return fmt.Errorf("%q gives no adjective: write Name = adjective, adjective", text)
	}
	for _, a := range adjectives {
		p.lex.adjectives[Fold(a)] = append(p.lex.adjectives[Fold(a)], names...)
	}
	return nil
}

func (p *parser) parseComparison(text string) error {
	left, right, ok := strings.Cut(text, "=")
	words, concepts := splitList(left), splitList(right)
	if !ok || len(words) == 0 || len(concepts) == 0 {
		return fmt.Errorf("%q compares nothing: write word, word = concept, -concept", text)
	}
	for _, w := range words {
		for _, name := range concepts {
			name, less := strings.CutPrefix(name, "-")
			p.lex.comparisons[Fold(w)] = append(p.lex.comparisons[Fold(w)], comparison{concept: strings.TrimSpace(name), less: less, line: p.line})
		}
	}
	return nil
}

// parseKind reads nouns for one kind of thing.
func (p *parser) parseKind(text string) error {
	words := splitList(text)
	if len(words) < 2 {
		return fmt.Errorf("%q names one noun only: write two or more that name the same kind of thing", text)
	}
	for _, w := range words {
		for _, o := range words {
			if stem, other := Stem(Fold(w)), Stem(Fold(o)); stem != other && !slices.Contains(p.lex.kinds[stem], other) {
				p.lex.kinds[stem] = append(p.lex.kinds[stem], other)
			}
		}
	}
	return nil
}

// parseUse reads the words of one use in names of relations.
func (p *parser) parseUse(text string) error {
	use, rest, _ := strings.Cut(text, " ")
	i := slices.Index(useNames, use)
	if i < 0 {
		return fmt.Errorf("%q is not a use of a word: use one of %s", use, strings.Join(useNames, ", "))
	}
	for _, w := range splitList(rest) {
		p.lex.uses[Fold(w)] |= 1 << i
	}
	return nil
}

func splitList(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

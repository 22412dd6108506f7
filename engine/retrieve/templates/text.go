package templates

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/cypher"
	"cairn/engine/lexicon"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// Template is one kind of question.
type Template struct {
	// Asks are the shapes of its questions, the most frequent first: words in lower case,
	// and slots such as {x} for names.
	Asks []string
	// Cypher answers them: its slots are variables that are bound, and what it returns
	// first are the answers.
	Cypher string
	From   Origin

	query *cypher.Query
	slots []string
}

// Origin says where a template comes from.
type Origin string

// The origins of templates.
const (
	FromQuestions Origin = "questions"      // of a file, with their answers
	FromMade      Origin = "made questions" // that were made from the graph
	FromNames     Origin = "relation names" // of the graph
	FromUser      Origin = "you"
)

// Set is all templates of a graph.
type Set struct {
	About     retrieve.About
	Templates []Template
}

// header begins every text of templates.
const header = "# Cairn question templates 1"

// weightsForm is that of templates as they are kept.
const weightsForm learn.Form = "cairn-templates\x01"

// Seal writes templates as they are kept.
func Seal(s *Set) ([]byte, error) { return weightsForm.Pack(s.About, []byte(Format(s))) }

// Unseal reads what Seal wrote. It fails with retrieve.ErrModel.
func Unseal(weights []byte) (*Set, error) {
	var about retrieve.About
	blobs, err := weightsForm.Unpack(weights, &about)
	if err != nil || len(blobs) != 1 {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, cmp.Or(err, errors.New("its parts do not fit together")))
	}
	s, err := Parse(string(blobs[0]))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	s.About = about
	return s, nil
}

// Format writes templates as a text that Parse reads.
func Format(s *Set) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for _, t := range s.Templates {
		b.WriteString("\ntemplate\n")
		for _, a := range t.Asks {
			b.WriteString("  ask     " + a + "\n")
		}
		for line := range strings.Lines(t.Cypher) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString("  cypher  " + line + "\n")
			}
		}
		if t.From != "" {
			b.WriteString("  from    " + string(t.From) + "\n")
		}
	}
	return b.String()
}

// ErrText is returned for a text that has no templates, or wrong ones.
var ErrText = errors.New("the templates cannot be read")

// Parse reads what Format writes, or what a user has made of it. It fails with ErrText,
// and says in which line and why.
func Parse(text string) (*Set, error) {
	s := &Set{}
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("%w: line %d: %s", ErrText, line, fmt.Sprintf(format, args...))
	}
	if !strings.HasPrefix(text, header) {
		return nil, fail(1, "the text begins with %q", header)
	}
	began := 0
	finish := func() error {
		if len(s.Templates) == 0 {
			return nil
		}
		return s.Templates[len(s.Templates)-1].finish(func(what string) error { return fail(began, "%s", what) })
	}
	for i, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		at := len(s.Templates) - 1
		switch {
		case word == "", strings.HasPrefix(word, "#"):
		case word == "template":
			if err := finish(); err != nil {
				return nil, err
			}
			began = i + 1
			s.Templates = append(s.Templates, Template{})
		case at < 0:
			return nil, fail(i+1, "%q stands before the first template", word)
		case word == "ask":
			s.Templates[at].Asks = append(s.Templates[at].Asks, rest)
		case word == "cypher":
			if s.Templates[at].Cypher != "" {
				rest = s.Templates[at].Cypher + "\n" + rest
			}
			s.Templates[at].Cypher = rest
		case word == "from":
			s.Templates[at].From = Origin(rest)
		default:
			return nil, fail(i+1, "expected template, ask, cypher or from, found %q", word)
		}
	}
	return s, finish()
}

// New makes a template of the user's. It fails with ErrTemplate, and says why.
func New(asks []string, text string) (Template, error) {
	t := Template{Asks: slices.Clone(asks), Cypher: strings.TrimSpace(text), From: FromUser}
	err := t.finish(func(what string) error { return fmt.Errorf("%w: %s", ErrTemplate, what) })
	return t, err
}

// ErrTemplate is returned for a template that cannot be asked.
var ErrTemplate = errors.New("the template cannot be asked")

// finish reads the query of a template, and fails where its slots do not fit.
func (t *Template) finish(fail func(string) error) error {
	switch {
	case len(t.Asks) == 0:
		return fail("this template has no ask: write a question with {x} in place of a name")
	case t.Cypher == "":
		return fail("this template has no cypher")
	}
	for i, a := range t.Asks {
		shape, err := plain(a)
		if err != nil {
			return fail(fmt.Sprintf("%q: %v", a, err))
		}
		slots := slotsOf(shape)
		slices.Sort(slots)
		if i == 0 {
			t.slots = slots
		}
		switch {
		case len(slots) == 0:
			return fail(fmt.Sprintf("%q has no slot: write {x} in place of a name", a))
		case len(slices.Compact(slices.Clone(slots))) < len(slots):
			return fail(fmt.Sprintf("%q has a slot twice: give each name a slot of its own", a))
		case !slices.Equal(slots, t.slots):
			return fail(fmt.Sprintf("%q does not have the same slots as %q", a, t.Asks[0]))
		}
		t.Asks[i] = shape
	}
	q, err := cypher.Parse(t.Cypher)
	if err != nil {
		return fail("its Cypher cannot be read: " + err.Error())
	}
	t.query = q
	return nil
}

// anySlot finds slots and braces that are none.
var anySlot = regexp.MustCompile(`\{[^{}]*\}|[{}]`)

// plain writes a shape as questions are compared with it: words in lower case, without
// punctuation, and slots.
func plain(shape string) (string, error) {
	var words []string
	from := 0
	for _, at := range append(anySlot.FindAllStringIndex(shape, -1), []int{len(shape), len(shape)}) {
		for _, t := range lexicon.Tokenize(shape[from:at[0]]) {
			words = append(words, t.Lower)
		}
		switch slot := shape[at[0]:at[1]]; {
		case slot == "":
		case len(slot) == 1:
			return "", fmt.Errorf("a %s has no partner: a slot is a word in braces, such as {x}", slot)
		case slot != unlinked && cypher.Name(slot[1:len(slot)-1]) != slot[1:len(slot)-1]:
			return "", fmt.Errorf("%s is not a slot: a slot is one word in braces, such as {x}", slot)
		default:
			words = append(words, slot)
		}
		from = at[1]
	}
	return strings.Join(words, " "), nil
}

// unlinked stands in shapes for a name that is no slot: nothing is known of what it means,
// or it was named before.
const unlinked = "{?}"

// Check says of what a template names the graph does not have; it fails with ErrTemplate
// where it cannot be asked of the graph at all.
func (t *Template) Check(over cypher.Graph) (notes []string, err error) {
	o := cypher.Options{Params: map[string]any{}, Bound: map[string]any{}}
	for _, slot := range t.slots {
		if !t.query.Mentions(slot) {
			return nil, fmt.Errorf("%w: its Cypher does not use {%s}: write (%s) where the query begins at that name", ErrTemplate, slot, slot)
		}
		o.Params[slot], o.Bound[slot] = "", cypher.Node(0)
	}
	notes, err = cypher.Check(over, t.query, o)
	if wrong, ok := errors.AsType[*cypher.Error](err); ok && wrong.Code == "MissingParameter" {
		return nil, fmt.Errorf("%w: its Cypher cannot be run: %w: none of its questions has a slot of that name", ErrTemplate, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: its Cypher cannot be run: %w", ErrTemplate, err)
	}
	return notes, nil
}

// slotsOf lists the slots of a shape, in their order.
func slotsOf(shape string) (slots []string) {
	for w := range strings.FieldsSeq(shape) {
		if name, ok := slotOf(w); ok && w != unlinked {
			slots = append(slots, name)
		}
	}
	return slots
}

// slotOf returns the name of a slot: x of {x}.
func slotOf(word string) (string, bool) {
	if strings.HasPrefix(word, "{") && strings.HasSuffix(word, "}") && len(word) > 2 {
		return word[1 : len(word)-1], true
	}
	return "", false
}

// slotNames name the slots of templates that are learned.
var slotNames = []string{"x", "y", "z", "u", "v", "w"}

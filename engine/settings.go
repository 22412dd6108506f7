package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

// The store's settings that hold the user's own words for this graph.
const (
	settingLexicon   = "lexicon"
	settingOverrides = "relation_words"
	settingChoices   = "word_choices"
	settingMeanings  = "word_vectors" // "off", or empty for on
)

// ErrInMemory is returned when something is to be kept for a graph that has no
// file.
var ErrInMemory = errors.New("this graph is only in memory, so nothing can be saved with it; open it from a .cairn file")

// keep writes a setting and reads the graph anew with it.
func (e *Engine) keep(ctx context.Context, key, value string, ev *Events) error {
	if e.store == nil {
		return ErrInMemory
	}
	if err := e.store.SetSetting(ctx, key, value); err != nil {
		return err
	}
	return e.load(ctx, ev)
}

// keepList is keep for a list, which listKept reads.
func (e *Engine) keepList(ctx context.Context, key string, list any, ev *Events) error {
	if e.store == nil {
		return ErrInMemory
	}
	if err := e.setJSON(ctx, key, list); err != nil {
		return err
	}
	return e.load(ctx, ev)
}

// setJSON writes a setting as JSON.
func (e *Engine) setJSON(ctx context.Context, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write the setting %s: %w", key, err)
	}
	return e.store.SetSetting(ctx, key, string(text))
}

// userLexicon returns the built-in lexicon with the graph's own lines added.
func (e *Engine) userLexicon(ctx context.Context) (*lexicon.Lexicon, error) {
	text, err := e.store.Setting(ctx, settingLexicon)
	if err != nil || text == "" {
		return lexicon.Builtin(), err
	}
	user, err := lexicon.Parse(strings.NewReader(text), "this graph's lexicon")
	if err != nil {
		return nil, err
	}
	return lexicon.Builtin().Merge(user), nil
}

// Lexicon returns the graph's own lexicon lines, empty where it has none.
func (e *Engine) Lexicon(ctx context.Context) (string, error) {
	if e.store == nil {
		return "", nil
	}
	return e.store.Setting(ctx, settingLexicon)
}

// SetLexicon gives the graph lexicon lines of its own, in the format of
// assets/lexicon.txt, and reads the graph anew with them. A text that does not
// parse changes nothing.
func (e *Engine) SetLexicon(ctx context.Context, text string, ev *Events) error {
	if _, err := lexicon.Parse(strings.NewReader(text), "this graph's lexicon"); err != nil {
		return err
	}
	return e.keep(ctx, settingLexicon, text, ev)
}

// meanings reports whether words of questions may stand for relations of this graph by
// what they mean alone, as package meanings knows it. They may where nothing else was set.
func (e *Engine) meanings(ctx context.Context) (bool, error) {
	if e.store == nil {
		return true, nil
	}
	text, err := e.store.Setting(ctx, settingMeanings)
	return text != "off", err
}

// SetMeanings sets what meanings reports, and reads the graph anew with it.
func (e *Engine) SetMeanings(ctx context.Context, on bool, ev *Events) error {
	text := ""
	if !on {
		text = "off"
	}
	return e.keep(ctx, settingMeanings, text, ev)
}

// Mappings returns what the built-in planner understands by each relation, by
// relation id. A graph that is not ready is prepared first.
func (e *Engine) Mappings(ctx context.Context) ([]words.Mapping, error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	return slices.Clone(s.builtin.Mappings()), nil
}

func listKept[T any](ctx context.Context, e *Engine, setting, what string) (list []T, err error) {
	if e.store == nil {
		return nil, nil
	}
	text, err := e.store.Setting(ctx, setting)
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return list, nil
}

// SetOverrides replaces the user's own meanings of relations, and reads the
// graph anew with them.
func (e *Engine) SetOverrides(ctx context.Context, own []words.Override, ev *Events) error {
	return e.keepList(ctx, settingOverrides, own, ev)
}

// Teaches returns what the choice of the reading that a run followed teaches: which word
// asks for which relation. It teaches nothing where no single word tells that reading from
// the first one, or the first one from any other, or another planner read the question.
func (e *Engine) Teaches(run *Run) (words.Choice, bool) {
	s := e.now()
	if run.Since != nil || len(run.Without) > 0 || run.Pattern() == nil || len(run.Plan.Seeds) > 0 || s.builtin == nil || run.Graph != s.version || run.Plan.Planner != s.builtin.Name() {
		return words.Choice{}, false
	}
	others := run.Plan.Readings[:1]
	if run.Reading == 0 {
		others = append(slices.Clone(run.Plan.Readings[1:]), plan.Reading{}) // or none at all
	}
	for _, o := range others {
		if choice, ok := s.builtin.Teaches(run.Plan.Question, run.Plan.Mentions, run.Pattern(), o.Pattern); ok {
			return choice, true
		}
	}
	return words.Choice{}, false
}

// Choices returns what the user chose that words ask for, the latest last.
func (e *Engine) Choices(ctx context.Context) ([]words.Choice, error) {
	return listKept[words.Choice](ctx, e, settingChoices, "what the words of this graph ask for")
}

// Learn has a word ask for one relation and no other from now on, in the place of an
// earlier choice of that word, and reads the graph anew with it.
func (e *Engine) Learn(ctx context.Context, choice words.Choice, ev *Events) error {
	return e.changeChoices(ctx, ev, choice.Word, choice)
}

// Unlearn takes back the choice of a word, if there is one.
func (e *Engine) Unlearn(ctx context.Context, word string, ev *Events) error {
	return e.changeChoices(ctx, ev, word)
}

func (e *Engine) changeChoices(ctx context.Context, ev *Events, word string, by ...words.Choice) error {
	kept, err := e.Choices(ctx)
	if err != nil {
		return err
	}
	return e.keepList(ctx, settingChoices, append(slices.DeleteFunc(kept, func(c words.Choice) bool { return c.IsOf(word) }), by...), ev)
}

// settingAccepted is the store's setting that holds the accepted patterns.
const settingAccepted = "accepted_patterns"

// maxKept is how many accepted patterns a graph keeps, the latest. A prompt shows
// the few that are most like the question.
const maxKept = 200

// errNoPattern is returned where there is no pattern to accept.
var errNoPattern = errors.New("there is no pattern to accept: it must have at least one condition")

// AcceptPattern keeps a pattern as the right one for a question, with the graph.
// Planning with a model shows it as an example for questions like it. Another one
// for the same question takes its place.
func (e *Engine) AcceptPattern(ctx context.Context, question string, p *pattern.Pattern) error {
	question = wording.OneLine(question)
	switch {
	case question == "":
		return ErrNoQuestion
	case p == nil || len(p.Edges) == 0:
		return errNoPattern
	}
	text := pattern.Format(p)
	if _, err := pattern.ParseText(text); err != nil {
		return fmt.Errorf("accept the pattern %s: %w", text, err)
	}
	return e.changeAccepted(ctx, func(kept []bymodel.Example) []bymodel.Example {
		kept = append(without(kept, question), bymodel.Example{Question: question, Pattern: text})
		return kept[max(0, len(kept)-maxKept):]
	})
}

// ForgetPattern drops what was accepted for a question, if anything was.
func (e *Engine) ForgetPattern(ctx context.Context, question string) error {
	return e.changeAccepted(ctx, func(kept []bymodel.Example) []bymodel.Example {
		return without(kept, wording.OneLine(question))
	})
}

// AcceptedPatterns returns the questions with the patterns that the user accepted
// for them, the latest last.
func (e *Engine) AcceptedPatterns(ctx context.Context) ([]bymodel.Example, error) {
	return listKept[bymodel.Example](ctx, e, settingAccepted, "the patterns accepted for this graph")
}

// changeAccepted changes the accepted patterns, and plans with them from now on.
func (e *Engine) changeAccepted(ctx context.Context, change func([]bymodel.Example) []bymodel.Example) error {
	if e.store == nil {
		return ErrInMemory
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	kept, err := e.AcceptedPatterns(ctx)
	if err != nil {
		return err
	}
	kept = change(kept)
	if err := e.setJSON(ctx, settingAccepted, kept); err != nil {
		return err
	}
	e.choose(func(s *state) {
		s.opts.Model.Accepted = kept
		s.use(s.model)
	})
	return nil
}

// SetPlanning sets how questions are planned with a model; those under way keep
// theirs. What the user accepted stays as it is: it is kept with the graph.
func (e *Engine) SetPlanning(o bymodel.Options) {
	e.choose(func(s *state) {
		o.Accepted = s.opts.Model.Accepted
		s.opts.Model = o
		s.use(s.model)
	})
}

// without returns the examples that are not of a question.
func without(kept []bymodel.Example, question string) []bymodel.Example {
	return slices.DeleteFunc(slices.Clone(kept), func(x bymodel.Example) bool { return strings.EqualFold(x.Question, question) })
}

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// The store's settings that hold the user's own words for this graph.
const (
	settingLexicon   = "lexicon"
	settingOverrides = "relation_words"
)

// ErrInMemory is returned when something is to be kept for a graph that has no
// file.
var ErrInMemory = errors.New("this graph is in memory only, so nothing can be kept with it: open it from a .cairn file")

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

// Mappings returns what the built-in planner understands by each relation, by
// relation id. A graph that is not ready is prepared first.
func (e *Engine) Mappings(ctx context.Context) ([]words.Mapping, error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.builtin.Mappings(), nil
}

// Overrides returns the user's own meanings of relations.
func (e *Engine) Overrides(ctx context.Context) ([]words.Override, error) {
	if e.store == nil {
		return nil, nil
	}
	text, err := e.store.Setting(ctx, settingOverrides)
	if err != nil || text == "" {
		return nil, err
	}
	var own []words.Override
	if err := json.Unmarshal([]byte(text), &own); err != nil {
		return nil, fmt.Errorf("read this graph's own meanings of relations: %w", err)
	}
	return own, nil
}

// SetOverrides replaces the user's own meanings of relations, and reads the
// graph anew with them.
func (e *Engine) SetOverrides(ctx context.Context, own []words.Override, ev *Events) error {
	text, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("write this graph's own meanings of relations: %w", err)
	}
	return e.keep(ctx, settingOverrides, string(text), ev)
}

package link

import (
	"context"
	"fmt"

	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// tablesFormat is part of the tag of the file: raise it with any change to how
// names are cut and folded, to their forms, to what counts as a value, or to what
// the file holds.
const tablesFormat = 5

// OpenLinker is NewLinker for a graph whose version kept names. Where the graph is
// large, the tables, with those that Prepare makes, are made once and kept in its
// folder, some 200 bytes a name, and then read where they lie. A file of another
// state of the graph and a damaged one are made anew. progress, which may be nil,
// is told meanwhile how many entities are done, and their number.
func OpenLinker(ctx context.Context, g *kg.Graph, v *Vocabulary, lex *lexicon.Lexicon, kept arrays.Folder, progress func(done, total int64)) (*Linker, error) {
	path := kept.Path("linker", "", "arrays")
	tag := fmt.Sprintf("linker %d of %s", tablesFormat, kept.Version)
	if kept.Nowhere() || g.Entities() < filedFrom {
		t, err := newTables(ctx, g)
		if err != nil {
			return nil, err
		}
		return newLinker(g, v, lex, t), nil
	}
	if t, err := openTables(path, tag, g.Entities()); err == nil {
		return newLinker(g, v, lex, t), nil
	}
	made, err := newFullTables(ctx, g, progress)
	if err != nil {
		return nil, err
	}
	t := made.tables()
	if beside.Make(kept.Dir) == nil {
		kept.Prune("linker")
		// What cannot be kept serves from memory, and is made again.
		if err := arrays.Write(path, tag, arrays.Sections(made.views())...); err == nil {
			if filed, err := openTables(path, tag, g.Entities()); err == nil {
				t = filed
			}
		}
	}
	return newLinker(g, v, lex, t), nil
}

// fullTables are tables of which everything is made.
type fullTables struct {
	names *names
	*wordTables
}

func newFullTables(ctx context.Context, g *kg.Graph, progress func(done, total int64)) (*fullTables, error) {
	// The words of the keys take about as long as the names themselves.
	done, entities := int64(0), int64(g.Entities())
	tell := func(n int64) {
		if done += n; progress != nil {
			progress(min(done, 2*entities), 2*entities)
		}
	}
	n, err := newNames(ctx, g, func(n int) { tell(int64(n)) })
	if err != nil {
		return nil, err
	}
	words, err := newWordTables(ctx, g, n, func(done int) { tell(int64(done) * entities / int64(n.keys.size())) })
	return &fullTables{n, words}, err
}

// tables returns t as a linker uses it.
func (t *fullTables) tables() *tables {
	made := &tables{names: t.names, late: newLate[wordTables](nil)}
	made.late.made.Store(t.wordTables)
	return made
}

// views are the arrays of the tables.
func (t *fullTables) views() []arrays.View {
	list := append(t.names.keys.views(), arrays.ViewOf(&t.names.longest))
	list = append(list, t.names.symbols.views()...)
	list = append(list, t.parts.words.views()...)
	list = append(list, t.parts.initials.views()...)
	list = append(list, t.values.views()...)
	return append(list, arrays.ViewOf(&t.spelling.order), arrays.ViewOf(&t.spelling.letters), arrays.ViewOf(&t.spelling.at))
}

func (t *table[T]) views() []arrays.View {
	return []arrays.View{arrays.ViewOf(&t.at), arrays.ViewOf(&t.text), arrays.ViewOf(&t.slots), arrays.ViewOf(&t.first), arrays.ViewOf(&t.items)}
}

// errTables is returned for tables that do not fit together or not the graph.
var errTables = fmt.Errorf("%w: it does not match the graph", arrays.ErrDamaged)

// openTables reads the tables of a graph with so many entities.
func openTables(path, tag string, entities int) (*tables, error) {
	t := &fullTables{&names{}, &wordTables{&parts{}, &spelling{}, &values{}}}
	if err := arrays.Open(path, tag, func(sections [][]byte) error { return t.set(sections, entities) }); err != nil {
		return nil, err
	}
	return t.tables(), nil
}

func (t *fullTables) set(sections [][]byte, entities int) error {
	if err := arrays.Set(sections, t.views()); err != nil {
		return err
	}
	t.parts.keys = &t.names.keys.dictionary
	t.spelling.words = &t.parts.words.dictionary
	if !t.sound(entities) {
		return errTables
	}
	return nil
}

// sound reports whether every number is within bounds.
func (t *fullTables) sound(entities int) bool {
	keys, words := uint64(t.names.keys.size()), uint64(t.parts.words.size())
	n := len(t.names.longest)
	for _, p := range t.names.keys.items {
		if p.form() >= form(numForms) {
			return false
		}
	}
	return t.names.keys.sound(uint64(entities)<<formBits) && n > 0 && n&(n-1) == 0 &&
		t.names.symbols.sound(uint64(entities)) && t.values.sound(uint64(entities)) &&
		t.parts.words.sound(keys) && t.parts.initials.sound(keys) && t.spelling.sound(words)
}

// sound reports whether every word of s is one of so many.
func (s *spelling) sound(words uint64) bool {
	if len(s.at) != maxWordLetters+2 || s.at[0] != 0 || len(s.order) != len(s.letters) || int(s.at[maxWordLetters+1]) != len(s.order) {
		return false
	}
	for i := range s.at[1:] {
		if s.at[i] > s.at[i+1] {
			return false
		}
	}
	for _, w := range s.order {
		if uint64(w) >= words {
			return false
		}
	}
	return true
}

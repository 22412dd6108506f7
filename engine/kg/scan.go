package kg

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"cairn/internal/guard"
)

// scanner reads a graph out of the tables within transactions that see the same
// state of the file.
type scanner struct {
	tableReader

	g        Graph
	entities int                 // their number
	kindKeys map[string]struct{} // of relations, properties and types
	named    map[string]EntityID // labelled entities with one of these keys
	someOff  bool                // some layer is switched off or removed
}

func newScanner(ctx context.Context, txs []*sql.Tx, progress func(done, total int64)) *scanner {
	s := &scanner{tableReader: tableReader{ctx: ctx, progress: progress}}
	for _, tx := range txs {
		s.conns = append(s.conns, tx)
	}
	return s
}

// graph reads everything into s.g. finished is called with parts of it, in the
// order of the file, that will neither change nor be needed any more.
func (s *scanner) graph(finished func(parts []part) error) error {
	if err := s.conns[0].QueryRowContext(s.ctx, "SELECT EXISTS (SELECT 1 FROM source WHERE off <> 0)").Scan(&s.someOff); err != nil {
		return err
	}
	typeKeys, relationLabels, err := s.kinds()
	if err != nil {
		return err
	}
	sizes, err := s.sizes([2]string{"entity", "id"}, [2]string{"alias", "rowid"}, [2]string{"triple", "id"}, [2]string{"entity_type", "entity"}, [2]string{"property_value", "members"})
	if err != nil {
		return err
	}
	entities, aliases, triples, typed, sets := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
	s.entities = int(entities)
	if typed > entities {
		return within("typed entity", typed-1, s.entities)
	}
	s.total = 2*entities + aliases + 3*triples // types by the entity; the adjacency, both ways, by the triple
	if sets > 0 {
		s.total += sets + triples
	}
	return inTurn(
		func() error { return s.names(entities) },
		func() error { return s.aliases(aliases) },
		func() error {
			s.nameKinds(typeKeys, relationLabels)
			words := s.g.words()
			return finished(append(words.parts(), s.g.nameParts()...))
		},
		func() error { return s.typings(entities) },
		func() error { return finished(s.g.typeParts()) },
		func() error { return s.triples(triples) },
		func() error { return s.statements(sets, triples) },
		func() error { return finished(s.g.statementParts()) },
		s.extracted,
		func() (err error) {
			s.g.off, err = inactive(&s.tableReader, len(s.g.triples))
			return err
		},
		s.arrange, s.gone, s.symmetric,
		func() error { return finished(s.g.edgeParts()) },
	)
}

// inTurn takes steps up to the first that fails.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// nameKinds names the relations, the properties and the types: as the source does, as the entity
// of the same key is called, or by the key in words.
func (s *scanner) nameKinds(typeKeys, relationLabels []string) {
	label := func(key string) string {
		if e, ok := s.named[key]; ok {
			if text := s.g.labels.get(int(e)); text != key {
				return strings.Clone(text) // outlives the labels here
			}
		}
		return ""
	}
	for r, key := range s.g.relationKeys {
		s.g.relationTexts = append(s.g.relationTexts, cmp.Or(relationLabels[r], label(key), RelationText(key)))
		s.g.nameRelation(key, s.g.relationTexts[r])
	}
	for _, key := range s.g.said.names {
		s.g.said.texts = append(s.g.said.texts, cmp.Or(label(key), RelationText(key)))
	}
	for _, key := range typeKeys {
		s.g.typeLabels = append(s.g.typeLabels, cmp.Or(label(key), typeText(key)))
	}
}

// typeText names a type that has no label: the local name of an IRI, or words written as one, in
// words, any other name as it is.
func typeText(key string) string {
	if strings.Contains(key, "://") || HasPrefix(key) || isCamelCase(key) {
		return RelationText(key)
	}
	return key
}

// isCamelCase reports whether a name is words written as one: "ChemicalEntity".
func isCamelCase(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && name != "" && unicode.IsUpper([]rune(name)[0]) && len(splitCase(name, name)) > 1
}

// kinds reads the relations, the properties and the types.
func (s *scanner) kinds() (typeKeys, relationLabels []string, err error) {
	s.kindKeys = map[string]struct{}{}
	var none []string
	for _, x := range []struct {
		of, label    string // the table, and a column
		keys, labels *[]string
	}{
		{"relation", "CASE WHEN " + live("label_source") + " THEN coalesce(label, '') ELSE '' END", &s.g.relationKeys, &relationLabels},
		{"property", "''", &s.g.said.names, &none},
		{"type", "''", &typeKeys, &none},
	} {
		err := s.each("SELECT id, key, "+x.label+" FROM "+x.of+" ORDER BY id", func(rows *sql.Rows) error {
			var id int64
			var key, label string
			if err := rows.Scan(&id, &key, &label); err != nil {
				return err
			}
			*x.keys, *x.labels = append(*x.keys, key), append(*x.labels, label)
			s.kindKeys[key] = struct{}{}
			return dense(x.of, id, len(*x.keys)-1)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return typeKeys, relationLabels, nil
}

// nameBlock is what names reads of a range of entities.
type nameBlock struct {
	keys, labels         string   // one after another
	keyLengths, labelLen []uint32 // bytes
	literal              []byte
	named                []naming // labelled entities whose key is a relation's or a type's
}

// names reads the keys and labels of n entities.
func (s *scanner) names(n int64) error {
	const query = `SELECT group_concat(id), group_concat(octet_length(key)), group_concat(key, ''),
		group_concat(octet_length(coalesce(label, key))), group_concat(coalesce(label, key), ''),
		group_concat(label_rank), group_concat(literal) FROM entity NOT INDEXED WHERE id >= ? AND id < ?`
	g := &s.g
	s.named = map[string]EntityID{}
	g.literal = make([]byte, 0, n)
	g.keys.at, g.labels.at = make([]uint64, 1, n+1), make([]uint64, 1, n+1)
	return blocks(&s.tableReader, query, 7, textsPerBlock, n, s.readNames, func(b nameBlock) error {
		g.keys.addAll(b.keys, b.keyLengths, int(n))
		g.labels.addAll(b.labels, b.labelLen, int(n))
		g.literal = append(g.literal, b.literal...)
		for _, x := range b.named {
			s.named[x.text] = x.entity
		}
		return nil
	})
}

// readNames reads a block of names. It may run in several goroutines.
func (s *scanner) readNames(lo, hi int64, columns []string) (nameBlock, error) {
	ids, keyLengths, labelLen := numbers(columns[0]), numbers(columns[1]), numbers(columns[3])
	ranks, literal := numbers(columns[5]), numbers(columns[6])
	b := nameBlock{
		keys: columns[2], labels: columns[4], literal: make([]byte, 0, hi-lo),
		keyLengths: make([]uint32, 0, hi-lo), labelLen: make([]uint32, 0, hi-lo),
	}
	key, label := uint64(0), uint64(0)
	for want := lo; want < hi; want++ {
		if err := dense("entity", ids.next(), int(want)); err != nil {
			return b, err
		}
		k, l, rank, lit := keyLengths.next(), labelLen.next(), ranks.next(), literal.next()
		if k < 0 || l < 0 || rank < 0 || lit < 0 || uint64(k) > uint64(len(b.keys))-key || uint64(l) > uint64(len(b.labels))-label {
			return b, &inconsistency{fmt.Sprintf("entity %d has no name", want)}
		}
		if text := b.keys[key : key+uint64(k)]; rank < RankFallback {
			if _, ok := s.kindKeys[text]; ok {
				b.named = append(b.named, naming{EntityID(want), strings.Clone(text)})
			}
		}
		key, label = key+uint64(k), label+uint64(l)
		b.keyLengths, b.labelLen = append(b.keyLengths, uint32(k)), append(b.labelLen, uint32(l))
		b.literal = append(b.literal, byte(lit&1))
	}
	return b, nil
}

// aliasBlock is what aliases reads of a range of rows.
type aliasBlock struct {
	owners []EntityID
	names  string // one after another
	ends   []int
}

// aliases reads the other names of entities, in the order of rows, of which there
// are at most n. One that says no more than the label is left out.
func (s *scanner) aliases(n int64) error {
	query := `SELECT group_concat(entity), group_concat(octet_length(text)), group_concat(text, '')
		FROM alias NOT INDEXED WHERE rowid >= ? AND rowid < ?` + s.onlyLive("source")
	var owners []EntityID
	var names texts
	err := blocks(&s.tableReader, query, 3, textsPerBlock, n, s.readAliases, func(b aliasBlock) error {
		at := 0
		for i, e := range b.owners {
			if name := b.names[at:b.ends[i]]; name != s.g.labels.get(int(e)) {
				owners = append(owners, e)
				names.add(name)
			}
			at = b.ends[i]
		}
		return nil
	})
	if err == nil {
		s.g.setAliases(owners, &names)
	}
	return err
}

// readAliases reads a block of aliases. It may run in several goroutines.
func (s *scanner) readAliases(_, _ int64, columns []string) (aliasBlock, error) {
	b := aliasBlock{names: columns[2]}
	at := 0
	for entities, lengths := numbers(columns[0]), numbers(columns[1]); entities != ""; {
		e, n := entities.next(), lengths.next()
		if err := within("alias", e, s.entities); err != nil {
			return b, err
		}
		if n < 0 || n > int64(len(b.names)-at) {
			return b, &inconsistency{fmt.Sprintf("an alias of entity %d has no text", e)}
		}
		at += int(n)
		b.owners, b.ends = append(b.owners, EntityID(e)), append(b.ends, at)
	}
	return b, nil
}

// typings reads the types of n entities.
func (s *scanner) typings(n int64) error {
	query := "SELECT group_concat(entity), group_concat(type) FROM entity_type WHERE entity >= ? AND entity < ?" + s.onlyLive("source")
	var owners []EntityID
	var kinds []TypeID
	err := blocks(&s.tableReader, query, 2, textsPerBlock, n, s.readTypings, func(b []typing) error {
		for _, t := range b {
			owners, kinds = append(owners, t.entity), append(kinds, t.kind)
		}
		return nil
	})
	if err == nil {
		s.g.setTypes(s.entities, owners, kinds)
	}
	return err
}

// readTypings reads a block of types. It may run in several goroutines.
func (s *scanner) readTypings(lo, _ int64, columns []string) ([]typing, error) {
	var b []typing
	for entities, kinds := numbers(columns[0]), numbers(columns[1]); entities != ""; {
		e, k := entities.next(), kinds.next()
		if err := within("typed entity", e, s.entities); err != nil {
			return nil, err
		}
		if err := within("type", k, len(s.g.typeLabels)); err != nil {
			return nil, err
		}
		b = append(b, typing{EntityID(e), TypeID(k)})
	}
	// They come by their key, which is (entity, type, source).
	if !slices.IsSortedFunc(b, typing.compare) {
		return nil, &inconsistency{fmt.Sprintf("the types of entities after %d are out of order", lo)}
	}
	return slices.Compact(b), nil
}

// onlyLive is the condition, after others, that a layer that is on says a row.
func (s *scanner) onlyLive(source string) string {
	if !s.someOff {
		return ""
	}
	return " AND " + live(source)
}

func (s *scanner) triples(n int64) error {
	const query = `SELECT group_concat(id), group_concat(head), group_concat(relation), group_concat(tail)
		FROM triple NOT INDEXED WHERE id >= ? AND id < ?`
	s.g.triples = make([]Triple, n)
	return blocks(&s.tableReader, query, 4, rowsPerBlock, n, s.readTriples, func(struct{}) error { return nil })
}

// readTriples puts a block of triples in its place. It may run in several goroutines.
func (s *scanner) readTriples(lo, hi int64, columns []string) (none struct{}, err error) {
	ids, heads, relations, tails := numbers(columns[0]), numbers(columns[1]), numbers(columns[2]), numbers(columns[3])
	entities, kinds := uint64(s.entities), uint64(len(s.g.relationKeys))
	for i := range s.g.triples[lo:hi] {
		if err := dense("triple", ids.next(), int(lo)+i); err != nil {
			return none, err
		}
		head, relation, tail := heads.next(), relations.next(), tails.next()
		if uint64(head) >= entities || uint64(tail) >= entities || uint64(relation) >= kinds {
			return none, &inconsistency{fmt.Sprintf("triple %d refers to an entity or a relation that is not there", int(lo)+i)}
		}
		s.g.triples[int(lo)+i] = Triple{EntityID(head), RelationID(relation), EntityID(tail)}
	}
	return none, nil
}

// arrange makes the adjacency. After a cancel what is left of the work ends by
// itself: making room for the edges alone can take longer than a cancel may.
func (s *scanner) arrange() error {
	var rows atomic.Int64
	made := make(chan error, 1)
	go func() { made <- guard.Do(func() error { return s.g.setEdges(s.ctx, s.entities, &rows) }) }()
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-made:
			s.advance(s.total - s.done)
			return err
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-tick.C:
			if s.progress != nil {
				s.progress(min(s.done+rows.Load(), s.total), s.total)
			}
		}
	}
}

// tellEvery is how often progress is told of work that goes on elsewhere.
const tellEvery = 50 * time.Millisecond

// inconsistency is a row that the program would never have written.
type inconsistency struct{ what string }

func (e *inconsistency) Error() string { return e.what }

// dense reports an inconsistency where ids are not 0, 1, 2 and so on.
func dense(what string, id int64, want int) error {
	if id != int64(want) {
		return &inconsistency{fmt.Sprintf("%s %d is missing", what, want)}
	}
	return nil
}

// within reports an inconsistency where an id is not below size.
func within(what string, id int64, size int) error {
	if id < 0 || id >= int64(size) {
		return &inconsistency{fmt.Sprintf("%s %d is not there", what, id)}
	}
	return nil
}

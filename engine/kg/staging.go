package kg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/internal/token"
)

// What a model reads out of a text waits in the file as statements, in names,
// until a person adds it: nothing of it is in the graph before.
//
//	Document   a text, as one model reads it
//	Chunk      a part of it that is read with one request
//	Statement  what it says, with the Spans that say so
//	Naming     what a person decided that a name of it means

// Document is a text that a model reads, or has read.
type Document struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name"`
	File  string    `json:"file"` // the path as it was given
	Hash  string    `json:"hash"` // SHA-256 of the file, in hex
	Bytes int64     `json:"bytes"`
	Model string    `json:"model"`
	Began time.Time `json:"began"`

	// How far reading has come.
	Chunks       int           `json:"chunks"`
	Read         int           `json:"chunks_read"`
	Failed       int           `json:"chunks_failed"` // tried again with the next run
	PromptTokens int64         `json:"prompt_tokens"`
	ReplyTokens  int64         `json:"reply_tokens"`
	Took         time.Duration `json:"took"` // of the requests, together

	// What became of what it says.
	Statements map[StatementState]int `json:"statements"`
}

// Complete reports whether every part was read.
func (d *Document) Complete() bool { return d.Chunks > 0 && d.Read == d.Chunks }

// ChunkState says whether a part was read.
type ChunkState int

// The states of a Chunk.
const (
	ChunkTodo ChunkState = iota
	ChunkRead
	ChunkFailed
)

// Chunk is a part of a document that is read with one request.
type Chunk struct {
	Start int64      `json:"start"` // byte offsets in the document
	End   int64      `json:"end"`
	State ChunkState `json:"state"`
	Tries int        `json:"tries"` // requests so far
	// Problem says why it failed, in a sentence.
	Problem string `json:"problem,omitempty"`
	Digest  string `json:"digest,omitempty"` // of the model's weights
	// What the requests took, together.
	PromptTokens int           `json:"prompt_tokens"`
	ReplyTokens  int           `json:"reply_tokens"`
	Took         time.Duration `json:"took"`
}

// StatementState says what became of a statement.
type StatementState int

// The states of a Statement.
const (
	StatementProposed StatementState = iota // nobody has decided yet
	StatementAccepted                       // to be added
	StatementDeclined                       // not to be added: a person said so
	StatementInvalid                        // not to be added: the text does not bear it out
	StatementAdded                          // a triple of the graph
)

var statementStates = token.Names{"proposed", "accepted", "declined", "invalid", "added"}

// String returns the state in a word; of a file that is damaged, or of another program,
// it may be unknown.
func (s StatementState) String() string { return statementStates.Of(int(s)) }

// MarshalText writes the state as a word.
func (s StatementState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *StatementState) UnmarshalText(b []byte) error {
	return token.Read(statementStates, "state of a statement", b, s)
}

// Statement is what a document says, in names.
type Statement struct {
	ID       int64          `json:"id"`
	Head     string         `json:"head"`
	HeadType string         `json:"head_type,omitempty"` // empty where the model gave none
	Relation string         `json:"relation"`
	Tail     string         `json:"tail"`
	TailType string         `json:"tail_type,omitempty"`
	State    StatementState `json:"state"`
	Reason   string         `json:"reason,omitempty"` // why it is invalid
	Spans    []Span         `json:"spans"`            // in the order of the document; may be empty where it is invalid
	Triple   TripleID       `json:"-"`                // NoTriple until it is added

	// Key is the same for statements that say the same. A statement that is there
	// already gains the spans of the new one.
	Key string `json:"-"`
}

// Doubt returns why the statement may not hold: what is doubtful of its first
// span, where every span is doubtful. It is empty where one of them is not.
func (s *Statement) Doubt() string {
	if len(s.Spans) == 0 || slices.ContainsFunc(s.Spans, func(x Span) bool { return x.Doubt == "" }) {
		return ""
	}
	return s.Spans[0].Doubt
}

// NameKind tells names of entities from names of relations.
type NameKind int

// The kinds of names.
const (
	EntityName NameKind = iota
	RelationName
)

// String returns the kind in a word.
func (k NameKind) String() string {
	if k == RelationName {
		return "relation"
	}
	return "entity"
}

// MarshalText writes the kind as a word.
func (k NameKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Naming is what a name of a document means in the graph.
type Naming struct {
	Kind NameKind
	Name string
	// Existing is the key of what it means; empty for something new.
	Existing string
	// Turned says that Existing is a relation that says the same with head and
	// tail exchanged.
	Turned bool
	// Made is the key of what was made for it, once it was added.
	Made string
}

// StageDocument returns the document with d's hash and model, and makes it, with
// its chunks, where there is none.
func (s *Store) StageDocument(ctx context.Context, d Document, chunks []Chunk) (Document, error) {
	const doing = "start reading a text into"
	var id int64
	err := s.update(ctx, doing, func(conn *sql.Conn) error {
		whole := context.WithoutCancel(ctx)
		err := conn.QueryRowContext(whole, "SELECT id FROM document WHERE hash = ? AND model = ?", d.Hash, d.Model).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := conn.QueryRowContext(whole, "SELECT coalesce(max(id) + 1, 1) FROM document").Scan(&id); err != nil {
			return err
		}
		if _, err := conn.ExecContext(whole, "INSERT INTO document (id, name, file, hash, bytes, model, began) VALUES (?, ?, ?, ?, ?, ?, ?)",
			id, d.Name, absolute(d.File), d.Hash, d.Bytes, d.Model, d.Began.UnixMilli()); err != nil {
			return err
		}
		in := inserter{ctx: ctx, conn: conn}
		in.rows("INSERT INTO chunk (document, start, stop)", len(chunks), func(row []any, i int) {
			row[0], row[1], row[2] = id, chunks[i].Start, chunks[i].End
		})
		return in.err
	})
	if err != nil {
		return Document{}, err
	}
	return s.Document(ctx, id)
}

// ErrNoDocument is returned for a document that the file does not hold.
var ErrNoDocument = errors.New("there is no such document")

// Document returns one document.
func (s *Store) Document(ctx context.Context, id int64) (Document, error) {
	all, err := s.documents(ctx, "WHERE d.id = ?", id)
	if err != nil {
		return Document{}, err
	}
	if len(all) == 0 {
		return Document{}, fmt.Errorf("document %d: %w", id, ErrNoDocument)
	}
	return all[0], nil
}

// Documents returns the texts that models read, the oldest first.
func (s *Store) Documents(ctx context.Context) ([]Document, error) { return s.documents(ctx, "") }

func (s *Store) documents(ctx context.Context, where string, args ...any) ([]Document, error) {
	query := `
		SELECT d.id, d.name, d.file, d.hash, d.bytes, d.model, d.began,
			count(c.start), coalesce(sum(c.state = 1), 0), coalesce(sum(c.state = 2), 0),
			coalesce(sum(c.prompt_tokens), 0), coalesce(sum(c.reply_tokens), 0), coalesce(sum(c.took), 0)
		FROM document AS d LEFT JOIN chunk AS c ON c.document = d.id ` + where + ` GROUP BY d.id ORDER BY d.id`
	docs, err := list(ctx, s, "read the texts of", query, func(rows *sql.Rows, d *Document) error {
		err := rows.Scan(&d.ID, &d.Name, &d.File, &d.Hash, &d.Bytes, &d.Model, (*millis)(&d.Began),
			&d.Chunks, &d.Read, &d.Failed, &d.PromptTokens, &d.ReplyTokens, &d.Took)
		d.Took *= time.Millisecond
		return err
	}, args...)
	if err != nil {
		return nil, err
	}
	type count struct {
		document int64
		state    StatementState
		n        int
	}
	counts, err := list(ctx, s, "count the statements of", "SELECT document, state, count(*) FROM statement GROUP BY document, state", func(rows *sql.Rows, c *count) error {
		return rows.Scan(&c.document, &c.state, &c.n)
	})
	for i := range docs {
		docs[i].Statements = map[StatementState]int{}
		for _, c := range counts {
			if c.document == docs[i].ID {
				docs[i].Statements[c.state] = c.n
			}
		}
	}
	return docs, err
}

// Chunks returns the parts of a document in order.
func (s *Store) Chunks(ctx context.Context, document int64) ([]Chunk, error) {
	const query = `
		SELECT start, stop, state, tries, problem, digest, prompt_tokens, reply_tokens, took
		FROM chunk WHERE document = ? ORDER BY start`
	return list(ctx, s, "read the parts of a text in", query, func(rows *sql.Rows, c *Chunk) error {
		err := rows.Scan(&c.Start, &c.End, &c.State, &c.Tries, &c.Problem, &c.Digest, &c.PromptTokens, &c.ReplyTokens, &c.Took)
		c.Took *= time.Millisecond
		return err
	}, document)
}

// StageChunk keeps what became of one part and what it says, all of it or
// nothing. Statements with the key of one that is there add their spans to it.
func (s *Store) StageChunk(ctx context.Context, document int64, c Chunk, says []Statement) error {
	return s.update(ctx, "save the statements of a text in", func(conn *sql.Conn) error {
		whole := context.WithoutCancel(ctx)
		_, err := conn.ExecContext(whole, `
			UPDATE chunk SET state = ?, tries = ?, problem = ?, digest = ?, prompt_tokens = ?, reply_tokens = ?, took = ?
			WHERE document = ? AND start = ?`,
			int64(c.State), c.Tries, c.Problem, c.Digest, c.PromptTokens, c.ReplyTokens, c.Took.Milliseconds(), document, c.Start)
		if err != nil {
			return err
		}
		for i := range says {
			if err := stageStatement(whole, conn, document, &says[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// stageStatement keeps one statement. One that is a triple already and gains a
// place is accepted again, so that its place is added too.
func stageStatement(ctx context.Context, conn *sql.Conn, document int64, x *Statement) error {
	var id int64
	var state StatementState
	err := conn.QueryRowContext(ctx, "SELECT id, state FROM statement WHERE document = ? AND key = ?", document, x.Key).Scan(&id, &state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r, err := conn.ExecContext(ctx, `
			INSERT INTO statement (document, key, head, head_type, relation, tail, tail_type, state, reason)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			document, x.Key, x.Head, x.HeadType, x.Relation, x.Tail, x.TailType, int64(x.State), x.Reason)
		if err != nil {
			return err
		}
		if id, err = r.LastInsertId(); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	gained := int64(0)
	for _, p := range x.Spans {
		r, err := conn.ExecContext(ctx, "INSERT OR IGNORE INTO span (statement, start, stop, line, quote, doubt, digest) VALUES (?, ?, ?, ?, ?, ?, ?)",
			id, p.Start, p.End, p.Line, p.Quote, p.Doubt, p.Digest)
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		if err != nil {
			return err
		}
		gained += n
	}
	if state == StatementAdded && gained > 0 {
		_, err = conn.ExecContext(ctx, "UPDATE statement SET state = ? WHERE id = ?", int64(StatementAccepted), id)
		return err
	}
	return nil
}

// SplitChunk cuts a part in two at a byte offset within it; both are to be read.
func (s *Store) SplitChunk(ctx context.Context, document int64, c Chunk, at int64) error {
	return s.update(ctx, "divide a part of a text in", func(conn *sql.Conn) error {
		whole := context.WithoutCancel(ctx)
		if _, err := conn.ExecContext(whole, "UPDATE chunk SET stop = ?, state = 0, tries = 0, problem = '', prompt_tokens = ?, reply_tokens = ?, took = ? WHERE document = ? AND start = ?",
			at, c.PromptTokens, c.ReplyTokens, c.Took.Milliseconds(), document, c.Start); err != nil {
			return err
		}
		_, err := conn.ExecContext(whole, "INSERT INTO chunk (document, start, stop) VALUES (?, ?, ?)", document, at, c.End)
		return err
	})
}

// Statements returns what a document says, in the order in which it was found.
func (s *Store) Statements(ctx context.Context, document int64) ([]Statement, error) {
	const query = `
		SELECT s.id, s.key, s.head, s.head_type, s.relation, s.tail, s.tail_type, s.state, s.reason, coalesce(s.triple, ?2),
			coalesce(p.start, -1), coalesce(p.stop, 0), coalesce(p.line, 0), coalesce(p.quote, ''), coalesce(p.doubt, ''), coalesce(p.digest, '')
		FROM statement AS s LEFT JOIN span AS p ON p.statement = s.id
		WHERE s.document = ?1 ORDER BY s.id, p.start, p.stop`
	rows, err := list(ctx, s, "read the statements of", query, func(rows *sql.Rows, x *Statement) error {
		var p Span
		err := rows.Scan(&x.ID, &x.Key, &x.Head, &x.HeadType, &x.Relation, &x.Tail, &x.TailType, &x.State, &x.Reason, &x.Triple,
			&p.Start, &p.End, &p.Line, &p.Quote, &p.Doubt, &p.Digest)
		if p.Start >= 0 {
			x.Spans = []Span{p}
		}
		return err
	}, document, int64(NoTriple))
	var all []Statement
	for _, x := range rows {
		if last := len(all) - 1; last >= 0 && all[last].ID == x.ID {
			all[last].Spans = append(all[last].Spans, x.Spans...)
		} else {
			all = append(all, x)
		}
	}
	return all, err
}

// Decide keeps what a person decided: states of statements, by id, and what names
// mean. Only statements that are proposed, accepted or declined change.
func (s *Store) Decide(ctx context.Context, document int64, states map[int64]StatementState, namings []Naming) error {
	return s.update(ctx, "save a decision in", func(conn *sql.Conn) error {
		whole := context.WithoutCancel(ctx)
		for id, state := range states {
			if state < StatementProposed || state > StatementDeclined {
				return fmt.Errorf("a person cannot make a statement %s", state)
			}
			if _, err := conn.ExecContext(whole, "UPDATE statement SET state = ? WHERE id = ? AND document = ? AND state IN (0, 1, 2)",
				int64(state), id, document); err != nil {
				return err
			}
		}
		for _, n := range namings {
			if _, err := conn.ExecContext(whole, `
				INSERT INTO naming (document, kind, name, existing, turned, made) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET existing = excluded.existing, turned = excluded.turned, made = CASE excluded.made WHEN '' THEN made ELSE excluded.made END`,
				document, int64(n.Kind), n.Name, n.Existing, n.Turned, n.Made); err != nil {
				return err
			}
		}
		return nil
	})
}

// Has reports whether there is an entity, or a relation, with the given key.
func (s *Store) Has(ctx context.Context, kind NameKind, key string) (bool, error) {
	query := "SELECT EXISTS (SELECT 1 FROM entity WHERE key = ?)"
	if kind == RelationName {
		query = "SELECT EXISTS (SELECT 1 FROM relation WHERE key = ?)"
	}
	var has bool
	err := s.db.QueryRowContext(ctx, query, key).Scan(&has)
	return has, fileError("look for a name in", s.path, err)
}

// TypeKeys returns the keys of the types, by TypeID.
func (s *Store) TypeKeys(ctx context.Context) ([]string, error) {
	return list(ctx, s, "read the types of", "SELECT key FROM type ORDER BY id", func(rows *sql.Rows, key *string) error {
		return rows.Scan(key)
	})
}

// Namings returns what a person decided that the names of a document mean.
func (s *Store) Namings(ctx context.Context, document int64) ([]Naming, error) {
	const query = "SELECT kind, name, existing, turned, made FROM naming WHERE document = ? ORDER BY kind, name"
	return list(ctx, s, "read the meanings of names in", query, func(rows *sql.Rows, n *Naming) error {
		return rows.Scan(&n.Kind, &n.Name, &n.Existing, &n.Turned, &n.Made)
	}, document)
}

// ForgetDocument forgets a text and what it says. What was added to the graph
// stays there, with where it comes from.
func (s *Store) ForgetDocument(ctx context.Context, document int64) error {
	return s.update(ctx, "delete a text in", func(conn *sql.Conn) error {
		return execAll(ctx, conn, []string{
			"DELETE FROM span WHERE statement IN (SELECT id FROM statement WHERE document = ?)",
			"DELETE FROM statement WHERE document = ?",
			"DELETE FROM naming WHERE document = ?",
			"DELETE FROM chunk WHERE document = ?",
			"DELETE FROM document WHERE id = ?",
		}, document)
	})
}

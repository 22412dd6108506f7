package kg

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"
)

// Provenance is one place where a triple was read.
type Provenance struct {
	Source   string    `json:"source"` // for people: the file's name, or what its row names as source
	File     string    `json:"file"`   // the path as it was given to the import
	Line     int64     `json:"line"`   // 1 for the first
	Imported time.Time `json:"imported"`
	// Extraction says how a model read it out of a text; nil for files of triples.
	Extraction *Extraction `json:"extraction,omitempty"`
}

// Source is one file that was imported.
type Source struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	File     string    `json:"file"`
	Hash     string    `json:"hash"`            // SHA-256 of the file, in hex
	Mapping  string    `json:"mapping"`         // how it was read, in words
	Model    string    `json:"model,omitempty"` // that read it out of a text; empty for a file of triples
	Bytes    int64     `json:"bytes"`
	Imported time.Time `json:"imported"`
	// Complete is false where the import was cut short; importing the same file
	// again completes it.
	Complete  bool  `json:"complete"`
	Read      int64 `json:"read"` // the counts of the import that completed it
	Added     int64 `json:"added"`
	Duplicate int64 `json:"duplicate"`
	Rejected  int64 `json:"rejected"`
	Skipped   int64 `json:"skipped"`
}

// Provenance returns where a triple was read, the oldest import first.
func (s *Store) Provenance(ctx context.Context, t TripleID) ([]Provenance, error) {
	found, err := s.Provenances(ctx, []TripleID{t})
	return found[t], err
}

// Provenances returns where each of the triples was read, the oldest import first.
func (s *Store) Provenances(ctx context.Context, ts []TripleID) (map[TripleID][]Provenance, error) {
	ids, err := json.Marshal(ts)
	if err != nil {
		return nil, err
	}
	const query = `
		WITH asked AS (SELECT DISTINCT value AS triple FROM json_each(?))
		SELECT p.triple, s.name, coalesce(l.file, s.file), coalesce(x.line, p.line), coalesce(l.imported, s.imported),
			s.model, coalesce(x.digest, ''), coalesce(x.start, 0), coalesce(x.stop, 0), coalesce(x.quote, '')
		FROM (SELECT t.id AS triple, t.source, t.line FROM asked JOIN triple AS t ON t.id = asked.triple
		      UNION SELECT r.triple, r.source, r.line FROM asked JOIN provenance AS r ON r.triple = asked.triple) AS p
		JOIN source AS s ON s.id = p.source
		LEFT JOIN source AS l ON l.id = s.layer
		LEFT JOIN extraction AS x ON x.triple = p.triple AND x.source = s.id
		ORDER BY p.triple, coalesce(l.id, s.id), coalesce(x.line, p.line), s.id, x.start, x.stop`
	type place struct {
		of TripleID
		Provenance
	}
	places, err := list(ctx, s, "read where triples come from in", query, func(rows *sql.Rows, p *place) error {
		var x Extraction
		err := rows.Scan(&p.of, &p.Source, &p.File, &p.Line, (*millis)(&p.Imported), &x.Model, &x.Digest, &x.Start, &x.End, &x.Quote)
		if x.Model != "" {
			p.Extraction = &x
		}
		return err
	}, string(ids))
	found := make(map[TripleID][]Provenance, len(ts))
	for _, p := range places {
		found[p.of] = append(found[p.of], p.Provenance)
	}
	return found, err
}

// Sources returns the files that were imported, the oldest first.
func (s *Store) Sources(ctx context.Context) ([]Source, error) {
	const query = `
		SELECT id, name, file, hash, mapping, model, bytes, imported, complete, read, added, duplicate, rejected, skipped
		FROM source WHERE layer IS NULL ORDER BY id`
	return list(ctx, s, "read the sources of", query, func(rows *sql.Rows, c *Source) error {
		return rows.Scan(&c.ID, &c.Name, &c.File, &c.Hash, &c.Mapping, &c.Model, &c.Bytes, (*millis)(&c.Imported), &c.Complete,
			&c.Read, &c.Added, &c.Duplicate, &c.Rejected, &c.Skipped)
	})
}

// Entity is what the store knows of an entity beyond the snapshot.
type Entity struct {
	Key, Label  string
	Language    string // of the label; empty where the source gives none
	Description string
	Literal     bool
	Datatype    string // IRI, of a typed literal
}

// Entity returns what there is to show of one entity.
func (s *Store) Entity(ctx context.Context, e EntityID) (Entity, error) {
	var x Entity
	err := s.db.QueryRowContext(ctx, `
		SELECT key, coalesce(label, key), language, coalesce(description, ''), literal, datatype
		FROM entity WHERE id = ?`, int64(e)).Scan(&x.Key, &x.Label, &x.Language, &x.Description, &x.Literal, &x.Datatype)
	if errors.Is(err, sql.ErrNoRows) {
		return Entity{}, nil
	}
	return x, fileError("read an entity from", s.path, err)
}

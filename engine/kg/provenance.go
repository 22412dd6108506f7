package kg

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Provenance is one place where a triple was read.
type Provenance struct {
	Source   string    `json:"source"`           // for people: the file's name, or what its row names as source
	Origin   string    `json:"origin,omitempty"` // what its row, or its named graph, gives as source; empty for none
	File     string    `json:"file"`             // the path of the file that was imported
	Line     int64     `json:"line"`             // 1 for the first
	Imported time.Time `json:"imported"`
	// Changed says that the file there is another than the one that was imported.
	Changed bool `json:"changed,omitempty"`
	// Properties are what the statement there says beside the triple.
	Properties []Property `json:"properties,omitempty"`
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
	Off       bool  `json:"off,omitempty"` // it is in no question
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
		SELECT p.triple, p.source, p.line, s.name, CASE WHEN s.file <> '' THEN s.file ELSE coalesce(l.file, '') END, coalesce(x.line, p.line), coalesce(l.imported, s.imported),
			CASE WHEN s.layer IS NULL OR s.model <> '' THEN '' ELSE s.name END,
			CASE WHEN s.file <> '' THEN s.hash ELSE coalesce(l.hash, '') END, CASE WHEN s.layer IS NULL THEN s.bytes ELSE 0 END, s.model, coalesce(x.digest, ''), coalesce(x.start, 0), coalesce(x.stop, 0), coalesce(x.quote, '')
		FROM (SELECT t.id AS triple, t.source, t.line FROM asked JOIN triple AS t ON t.id = asked.triple
		      UNION SELECT r.triple, r.source, r.line FROM asked JOIN provenance AS r ON r.triple = asked.triple) AS p
		JOIN source AS s ON s.id = p.source AND s.off = 0
		LEFT JOIN source AS l ON l.id = s.layer
		LEFT JOIN extraction AS x ON x.triple = p.triple AND x.source = s.id
		ORDER BY p.triple, coalesce(l.id, s.id), coalesce(x.line, p.line), s.id, x.start, x.stop`
	type place struct {
		of     TripleID
		source int64
		line   int64
		hash   string
		bytes  int64
		Provenance
	}
	places, err := list(ctx, s, "read where triples come from in", query, func(rows *sql.Rows, p *place) error {
		var x Extraction
		err := rows.Scan(&p.of, &p.source, &p.line, &p.Source, &p.File, &p.Line, (*millis)(&p.Imported), &p.Origin, &p.hash, &p.bytes, &x.Model, &x.Digest, &x.Start, &x.End, &x.Quote)
		if x.Model != "" {
			p.Extraction = &x
		}
		if p.Origin == filepath.Base(p.File) {
			p.Origin = "" // a member of an archive, or one of several files
		}
		return err
	}, string(ids))
	if err != nil {
		return nil, err
	}
	said, err := s.saidAt(ctx, string(ids))
	found := make(map[TripleID][]Provenance, len(ts))
	for _, p := range places {
		p.Changed = s.changed(p.File, p.hash, p.bytes, p.Imported)
		sets := said[saidPlace{p.of, p.source, p.line}]
		if len(sets) == 0 {
			found[p.of] = append(found[p.of], p.Provenance)
		}
		for _, set := range sets {
			p.Properties = set
			found[p.of] = append(found[p.of], p.Provenance)
		}
	}
	return found, err
}

// absolute makes paths, one a line, absolute: a graph is opened from any folder.
func absolute(paths string) string {
	if paths == "" {
		return ""
	}
	all := strings.Split(paths, "\n")
	for i, p := range all {
		if abs, err := filepath.Abs(p); err == nil {
			all[i] = abs
		}
	}
	return strings.Join(all, "\n")
}

// saidPlace is where a statement of a triple was read.
type saidPlace struct {
	triple       TripleID
	source, line int64
}

// saidAt returns what the statements of triples, their ids as JSON, say beside them.
func (s *Store) saidAt(ctx context.Context, ids string) (map[saidPlace][][]Property, error) {
	const query = `
		WITH asked AS (SELECT DISTINCT value AS triple FROM json_each(?))
		SELECT q.triple, q.source, q.line, v.position, p.key, v.value, v.datatype, coalesce(v.entity, ?)
		FROM asked JOIN qualified AS q ON q.triple = asked.triple
		JOIN property_value AS v ON v.members = q.members JOIN property AS p ON p.id = v.property
		ORDER BY q.triple, q.members, q.source, q.line, v.position`
	type row struct {
		saidPlace
		position int
		Property
	}
	rows, err := list(ctx, s, "read what statements say in", query, func(rows *sql.Rows, r *row) error {
		return rows.Scan(&r.triple, &r.source, &r.line, &r.position, &r.Name, &r.Value, &r.Datatype, &r.Entity)
	}, ids, int64(NoEntity))
	said := map[saidPlace][][]Property{}
	for _, r := range rows {
		if r.position == 0 {
			said[r.saidPlace] = append(said[r.saidPlace], nil)
		}
		last := len(said[r.saidPlace]) - 1
		said[r.saidPlace][last] = append(said[r.saidPlace][last], r.Property)
	}
	return said, err
}

// Sources returns the files that were imported, the oldest first.
func (s *Store) Sources(ctx context.Context) ([]Source, error) {
	const query = `
		SELECT id, name, file, hash, mapping, model, bytes, imported, complete, read, added, duplicate, rejected, skipped, off
		FROM source WHERE layer IS NULL AND off <> 2 ORDER BY id`
	return list(ctx, s, "read the sources of", query, func(rows *sql.Rows, c *Source) error {
		return rows.Scan(&c.ID, &c.Name, &c.File, &c.Hash, &c.Mapping, &c.Model, &c.Bytes, (*millis)(&c.Imported), &c.Complete,
			&c.Read, &c.Added, &c.Duplicate, &c.Rejected, &c.Skipped, &c.Off)
	})
}

// Entity is what the store knows of an entity beyond the snapshot.
type Entity struct {
	Key, Label  string
	Named       bool   // a source gave the label, which follows from the key otherwise
	Language    string // of the label; empty where the source gives none
	Aliases     []Text
	Description string
	Literal     bool
	Datatype    string // IRI, of a typed literal
}

// largestCited is the size of a file, in bytes, beyond which it is not read again to find
// out whether it is still the one that was imported.
const largestCited = 256 << 20

// changed reports whether the file at path is another than the one that was imported:
// bytes long, 0 where that is not known, with that SHA-256. One that is not there did not
// change. Only a file that was written to since is read, and once.
func (s *Store) changed(path, hash string, bytes int64, imported time.Time) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular() || len(hash) != hex.EncodedLen(sha256.Size):
		return false
	case bytes > 0 && info.Size() != bytes:
		return true
	case info.ModTime().Before(imported) || info.Size() > largestCited:
		return false
	}
	key := cited{path, hash, info.ModTime()}
	if known, ok := s.cited.Load(key); ok {
		return known == true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return false
	}
	other := hex.EncodeToString(h.Sum(nil)) != hash
	s.cited.Store(key, other)
	return other
}

// cited is a file as it is now and the hash of what was imported.
type cited struct {
	path, hash string
	written    time.Time
}

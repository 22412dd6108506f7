package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
)

// Report is what an import read and what became of it. Read, in lines, is the sum of
// Used, Rejected and Skipped; what the lines that were used say, in statements, is the
// sum of Added and Duplicate. After a cancel or an error it tells what was committed.
type Report struct {
	File   string `json:"file"`
	Format Format `json:"format"`
	Hash   string `json:"-"` // SHA-256 of the file, in hex

	Read      int64 `json:"read"`      // lines, a quoted row of several once; nodes and edges of a document
	Used      int64 `json:"used"`      // lines that give statements, one or several
	Added     int64 `json:"added"`     // statements that are new
	Duplicate int64 `json:"duplicate"` // statements that the graph had already
	Rejected  int64 `json:"rejected"`  // lines that could not be read
	Skipped   int64 `json:"skipped"`   // blank lines, comments, the header, and Named

	// Named counts the lines that name or describe an entity instead of adding a
	// triple. They are part of Skipped.
	Named int64 `json:"named"`
	// Unknown counts the lines of a file of names whose key the graph does not
	// have. They are part of Skipped.
	Unknown int64 `json:"unknown"`

	// Properties counts what the statements say beside their triples.
	Properties int64 `json:"properties"`
	// Unstated counts what is said about names, about statements that the file only
	// quotes, and statements that it calls deprecated. They add nothing.
	Unstated int64 `json:"unstated,omitempty"`
	// Stubs counts the nodes that edges join and that nothing describes.
	Stubs int64 `json:"stubs,omitempty"`
	// Repeated counts the nodes whose id another node of the same import has.
	Repeated int64 `json:"repeated,omitempty"`

	Entities  int64 `json:"entities"`  // new ones
	Relations int64 `json:"relations"` // new ones
	// ByRelation counts the statements of each relation, most first, with some of them.
	ByRelation []RelationCount `json:"by_relation,omitempty"`
	Bytes      int64           `json:"bytes"`
	// Took is the time of the import, in nanoseconds when written as JSON.
	Took time.Duration `json:"took"`

	// Notes are sentences about how the files were read, each after the name of
	// the file: what was guessed, and what was left out.
	Notes []string `json:"notes,omitempty"`

	// Rejects are the first rejected lines, at most MaxRejectsKept; all of them
	// are in RejectsFile, which is empty where there were none.
	Rejects     []Reject `json:"rejects,omitempty"`
	RejectsFile string   `json:"rejects_file,omitempty"`
}

// MaxRejectsKept is how many rejected lines a Report holds.
const MaxRejectsKept = 1000

// Changed reports whether the import may have changed the graph: added triples,
// or names.
func (r Report) Changed() bool { return r.Added > 0 || r.Named > 0 }

// Plus returns the sum of two reports. The file and the format are r's, or
// other's where r has none.
func (r Report) Plus(other Report) Report {
	sum := r
	if sum.File == "" {
		sum.File, sum.Format, sum.Hash = other.File, other.Format, other.Hash
	}
	sum.Read += other.Read
	sum.Used += other.Used
	sum.Added += other.Added
	sum.Properties += other.Properties
	sum.Duplicate += other.Duplicate
	sum.Rejected += other.Rejected
	sum.Skipped += other.Skipped
	sum.Named += other.Named
	sum.Unknown += other.Unknown
	sum.Unstated += other.Unstated
	sum.Stubs += other.Stubs
	sum.Repeated += other.Repeated
	sum.Entities += other.Entities
	sum.Relations += other.Relations
	sum.ByRelation = slices.Clone(sum.ByRelation)
	for _, c := range other.ByRelation {
		if at := slices.IndexFunc(sum.ByRelation, func(x RelationCount) bool { return x.relation == c.relation }); at >= 0 {
			sum.ByRelation[at].Statements += c.Statements
		} else {
			sum.ByRelation = append(sum.ByRelation, c)
		}
	}
	sum.Bytes += other.Bytes
	sum.Took += other.Took
	sum.Notes = append(slices.Clip(sum.Notes), other.Notes...)
	sum.Rejects = append(slices.Clip(sum.Rejects), other.Rejects...)
	if len(sum.Rejects) > MaxRejectsKept {
		sum.Rejects = sum.Rejects[:MaxRejectsKept]
	}
	sum.RejectsFile = cmp.Or(sum.RejectsFile, other.RejectsFile)
	return sum
}

// String returns the counts as one line for people.
func (r Report) String() string {
	return fmt.Sprintf("read %d = used %d + rejected %d + skipped %d; added %d, already there %d", r.Read, r.Used, r.Rejected, r.Skipped, r.Added, r.Duplicate)
}

func (r Report) counts() kg.Counts {
	return kg.Counts{Read: r.Read, Added: r.Added, Duplicate: r.Duplicate, Rejected: r.Rejected, Skipped: r.Skipped}
}

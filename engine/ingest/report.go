package ingest

import (
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
)

// Report is what an import read and what became of it. Read is the sum of Added,
// Duplicate, Rejected and Skipped. After a cancel or an error it
// tells what was committed.
type Report struct {
	File   string `json:"file"`
	Format Format `json:"format"`

	Read      int64 `json:"read"`      // lines; a quoted row of several lines counts once
	Added     int64 `json:"added"`     // triples that are new
	Duplicate int64 `json:"duplicate"` // triples that the graph had already
	Rejected  int64 `json:"rejected"`  // lines that could not be read
	Skipped   int64 `json:"skipped"`   // blank lines, comments, the header, and Named

	// Named counts the lines that name or describe an entity instead of adding a
	// triple. They are part of Skipped.
	Named int64 `json:"named"`
	// Unknown counts the lines of a file of names whose key the graph does not
	// have. They are part of Skipped.
	Unknown int64 `json:"unknown"`

	Entities  int64 `json:"entities"`  // new ones
	Relations int64 `json:"relations"` // new ones
	Bytes     int64 `json:"bytes"`
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
		sum.File, sum.Format = other.File, other.Format
	}
	sum.Read += other.Read
	sum.Added += other.Added
	sum.Duplicate += other.Duplicate
	sum.Rejected += other.Rejected
	sum.Skipped += other.Skipped
	sum.Named += other.Named
	sum.Unknown += other.Unknown
	sum.Entities += other.Entities
	sum.Relations += other.Relations
	sum.Bytes += other.Bytes
	sum.Took += other.Took
	sum.Notes = append(slices.Clip(sum.Notes), other.Notes...)
	sum.Rejects = append(slices.Clip(sum.Rejects), other.Rejects...)
	if len(sum.Rejects) > MaxRejectsKept {
		sum.Rejects = sum.Rejects[:MaxRejectsKept]
	}
	if sum.RejectsFile == "" {
		sum.RejectsFile = other.RejectsFile
	}
	return sum
}

// String returns the counts as one line for people.
func (r Report) String() string {
	return fmt.Sprintf("read %d = added %d + already there %d + rejected %d + skipped %d", r.Read, r.Added, r.Duplicate, r.Rejected, r.Skipped)
}

func (r Report) counts() kg.Counts {
	return kg.Counts{Read: r.Read, Added: r.Added, Duplicate: r.Duplicate, Rejected: r.Rejected, Skipped: r.Skipped}
}

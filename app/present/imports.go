package present

import (
	"fmt"
	"path/filepath"

	"cairn/engine/ingest"
)

// CountRow is one line of a table of counts.
type CountRow struct {
	Label string
	Count string
	Note  string
	Total bool
}

// ImportRows are the counts of an import, which add up to the lines read.
func ImportRows(r ingest.Report) []CountRow {
	rejected := CountRow{Label: "Rejected", Count: Count(r.Rejected)}
	if r.Rejected > 0 {
		rejected.Note = "each with its line number and reason in the rejects file"
	}
	return []CountRow{
		{Label: "Added", Count: Count(r.Added), Note: "triples new in this graph"},
		{Label: "Duplicate", Count: Count(r.Duplicate), Note: "already there"},
		rejected,
		{Label: "Skipped", Count: Count(r.Skipped), Note: "blank lines, comments, headers and names"},
		{Label: "Lines read", Count: Count(r.Read), Note: addsUp(r), Total: true},
	}
}

// addsUp says that the counts add up, or by how many they do not.
func addsUp(r ingest.Report) string {
	if off := r.Read - r.Added - r.Duplicate - r.Rejected - r.Skipped; off != 0 {
		return fmt.Sprintf("%s unaccounted for: please report this", Plural(off, "line", "lines"))
	}
	return "added + duplicate + rejected + skipped"
}

// ImportSentence says an import's result in one sentence.
func ImportSentence(files []string, r ingest.Report) string {
	name := "the files"
	if len(files) == 1 {
		name = filepath.Base(files[0])
	} else if n := len(files); n > 1 {
		name = Plural(n, "file", "files")
	}
	switch {
	case r.Read == 0:
		return fmt.Sprintf("There was nothing to read in %s.", name)
	case r.Added == 0 && r.Rejected == 0:
		return fmt.Sprintf("Everything in %s was already in this graph.", name)
	case r.Added == 0:
		return fmt.Sprintf("Nothing was added from %s.", name)
	}
	return fmt.Sprintf("%s from %s in %s.", Plural(r.Added, "triple added", "triples added"), name, Elapsed(r.Took))
}

// ProgressText says how far a task has come; bytes says that done and total
// are sizes.
func ProgressText(task string, done, total int64, bytes bool) string {
	write := Count[int64]
	if bytes {
		write = Bytes
	}
	text := capitalFirst(task)
	switch {
	case total > 0:
		return fmt.Sprintf("%s: %s of %s (%s)", text, write(done), write(total), Percent(done, total))
	case done > 0:
		return fmt.Sprintf("%s: %s", text, write(done))
	}
	return text + " …"
}

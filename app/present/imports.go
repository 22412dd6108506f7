package present

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cairn/engine/export"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Unencrypted is the warning of a password that goes to an address such as http:// or bolt://.
const Unencrypted = "The password is sent unencrypted: the address does not begin with https://, neo4j+https:// or bolt+s://."

// CountRow is one line of a table of counts.
type CountRow struct {
	Label string
	Count string
	Note  string
	Total bool
}

// ImportRows are the counts of an import: the statements add up to those that the lines
// gave, and the lines to those that were read.
func ImportRows(r ingest.Report) []CountRow {
	rejected := CountRow{Label: "Rejected", Count: Count(r.Rejected)}
	if r.Rejected > 0 {
		rejected.Note = "each with its line number and reason in the rejects file"
	}
	rows := []CountRow{
		{Label: "Added", Count: Count(r.Added), Note: "new statements"},
		{Label: "Duplicate", Count: Count(r.Duplicate), Note: "already in this graph"},
		{Label: "Statements", Count: Count(r.Added + r.Duplicate), Note: "added + duplicate", Total: true},
	}
	if r.Properties > 0 {
		rows = append(rows, CountRow{Label: "Properties", Count: Count(r.Properties), Note: "of these statements"})
	}
	if r.Entities > 0 {
		rows = append(rows, CountRow{Label: "Entities", Count: Count(r.Entities), Note: "new in this graph"})
	}
	return append(rows,
		CountRow{Label: "Used", Count: Count(r.Used), Note: "lines with statements"},
		rejected,
		CountRow{Label: "Skipped", Count: Count(r.Skipped), Note: "blank lines, comments, headers and names"},
		CountRow{Label: "Lines read", Count: Count(r.Read), Note: addsUp(r), Total: true},
	)
}

// IncompleteText names the files that an import did not read to the end; "" for none.
func IncompleteText(sources []kg.Source) string {
	var names []string
	for _, s := range sources {
		if !s.Complete && !s.Off {
			names = append(names, OneLine(s.Name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "only part of " + wording.First(names, 3) + " is imported; import it again to add the rest"
}

// addsUp says that the counts add up, or by how many they do not.
func addsUp(r ingest.Report) string {
	if off := r.Read - r.Used - r.Rejected - r.Skipped; off != 0 {
		return fmt.Sprintf("%s unaccounted for: please report this", Plural(off, "line", "lines"))
	}
	return "used + rejected + skipped"
}

// relationsShown is how many relations of an import are shown with samples.
const relationsShown = 12

// RelationLines count the statements of each relation, with samples of it.
func RelationLines(r ingest.Report) []string {
	var lines []string
	for _, c := range r.ByRelation[:min(len(r.ByRelation), relationsShown)] {
		line := fmt.Sprintf("%s: %s", OneLine(c.Name), Plural(c.Statements, "statement", "statements"))
		if len(c.Samples) > 0 {
			line += ", such as " + Shorten(OneLine(c.Samples[0]), 120)
		}
		lines = append(lines, line)
	}
	if more := len(r.ByRelation) - relationsShown; more > 0 {
		lines = append(lines, "and "+Plural(more, "more relation", "more relations"))
	}
	return lines
}

// ColumnRows say what each column of a table is read as: its name, its role, and what
// it holds.
func ColumnRows(f *ingest.Format) [][]string {
	var rows [][]string
	for i, c := range f.Columns {
		holds := string(c.Holds)
		if c.Unit != "" {
			holds += " in " + c.Unit
		}
		if c.DecimalComma {
			holds += " with a decimal comma"
		}
		if c.Signs {
			holds += ", of which - is one"
		}
		if c.Split != "" {
			holds += " separated by " + c.Split
		}
		if c.Language != "" {
			holds += " in " + c.Language
		}
		role := c.Role.Text()
		if c.Says != "" {
			role += " “" + c.Says + "”"
		}
		rows = append(rows, []string{cmp.Or(OneLine(c.Name), fmt.Sprintf("column %d", i+1)), role, strings.TrimSpace(holds)})
	}
	return rows
}

// WhatIsWrong says what is the matter with a file, without the doing that failed: for
// places where the user is about to mend it.
func WhatIsWrong(err error) string {
	if refused, ok := errors.AsType[*kg.FileError](err); ok {
		return Sentence(refused.What)
	}
	sentence, _ := Explain(err)
	return sentence
}

// MappingFolder is where mappings are kept to be offered again.
func MappingFolder() (string, error) {
	folder, err := DataFolder()
	return filepath.Join(folder, "mappings"), err
}

// MappingFor returns the path of a mapping for files of the shape of f: beside the file,
// or kept from an earlier import; empty for none.
func MappingFor(file string, f *ingest.Format) string {
	if path := ingest.FindMapping(filepath.Dir(file), f); path != "" {
		return path
	}
	folder, err := MappingFolder()
	if err != nil {
		return ""
	}
	return ingest.FindMapping(folder, f)
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
		return fmt.Sprintf("There was nothing to import in %s.", name)
	case r.Added == 0 && r.Rejected == 0:
		return fmt.Sprintf("Everything in %s was already in this graph.", name)
	case r.Added == 0:
		return fmt.Sprintf("Nothing was added from %s.", name)
	}
	return fmt.Sprintf("%s from %s in %s.", Plural(r.Added, "statement added", "statements added"), name, Elapsed(r.Took))
}

// ImportHelp says what can be imported.
const ImportHelp = "Tables (CSV, TSV, Excel, OpenDocument, Parquet, SQLite), RDF (N-Triples, Turtle, RDF/XML, JSON-LD), OBO, and files of nodes and edges (GraphML, GEXF, JSON and more), compressed or not. Cairn goes by the content of a file, not its name, and never changes it."

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

// Exported says what an export wrote.
func Exported(f export.Format, files []string, r export.Report) string {
	sentence := "Wrote " + Plural(r.Entities, "entity", "entities") + " and " + Plural(r.Triples, "triple", "triples")
	if r.Statements > 0 {
		sentence += ", " + Count(r.Statements) + " of them with properties,"
	}
	return sentence + " as " + f.Title + " to " + wording.List(files) + "."
}

package present

import (
	"cairn/engine/export"
	"cairn/internal/wording"
)

// Exported says what an export wrote.
func Exported(f export.Format, files []string, r export.Report) string {
	sentence := "Wrote " + Plural(r.Entities, "entity", "entities") + " and " + Plural(r.Triples, "triple", "triples")
	if r.Statements > 0 {
		sentence += ", of which " + Plural(r.Statements, "statement says", "statements say") + " more,"
	}
	return sentence + " as " + f.Title + " to " + wording.List(files) + "."
}

package present

import (
	"fmt"
	"slices"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/report"
)

// Sentences lists the sentences of an answer without the citation marks in
// their text, which the rows carry as numbers.
func Sentences(a *answer.Answer) []report.Sentence {
	if a == nil {
		return nil
	}
	rows := make([]report.Sentence, 0, len(a.Sentences))
	for _, s := range a.Sentences {
		row := sentenceRow(s)
		if a.Refusal != nil {
			// That the graph has what it cites makes it no answer that was checked.
			row.Check, row.Good, row.Note = "", false, true
		}
		rows = append(rows, row)
	}
	return rows
}

func sentenceRow(s answer.Sentence) report.Sentence {
	row := report.Sentence{
		Text: OneLine(answer.WithoutMarks(s.Text)), Citations: s.Citations,
		Reason: OneLine(s.Reason), Good: s.Check == check.Covered, Struck: s.Check.Struck(), Note: s.Note, Model: s.Model,
	}
	if s.Check != check.Unchecked {
		row.Check = s.Check.Words()
	}
	return row
}

// CheckSummary says the result of the check of all sentences in one; nothing
// where none cites anything, and where the answer itself says that nothing of
// what a model wrote passed.
func CheckSummary(rows []report.Sentence) string {
	good, checked, cited, doubtful, struck := 0, 0, 0, 0, 0
	whose := ""
	said := slices.ContainsFunc(rows, func(r report.Sentence) bool { return r.Good && !r.Model }) // in the model's place
	if slices.ContainsFunc(rows, func(r report.Sentence) bool { return r.Model && r.Doubtful() }) {
		// What Cairn says itself, in place of what a model got wrong, does not count.
		whose = " by the model"
		rows = slices.DeleteFunc(slices.Clone(rows), func(r report.Sentence) bool { return !r.Model })
	}
	for _, r := range rows {
		if !r.Note {
			cited += len(r.Citations)
		}
		switch {
		case r.Good:
			good++
			checked++
		case r.Doubtful():
			doubtful++
			checked++
		}
		if r.Struck {
			struck++
		}
	}
	switch {
	case whose != "" && good == 0 && said:
		return ""
	case doubtful > 0:
		return doubtSummary(doubtful, checked, struck, whose)
	case cited == 0:
		return ""
	case checked == 0:
		return "Not checked against the triples."
	case good == len(rows) && good == 1:
		return "✓ Checked: the sentence is supported by the triples it cites."
	case good == checked && checked < len(rows):
		return "✓ Checked: every sentence with a citation is supported by it."
	}
	return fmt.Sprintf("✓ Checked: all %d sentences are supported by the triples they cite.", good)
}

// doubtSummary says how many sentences are doubtful, and how that shows.
func doubtSummary(doubtful, checked, struck int, whose string) string {
	said := fmt.Sprintf("%d of %d sentences%s are not supported by the triples they cite", doubtful, checked, whose)
	switch {
	case checked == 1:
		said = fmt.Sprintf("The sentence%s is not supported by the triples it cites", whose)
	case doubtful == checked:
		said = fmt.Sprintf("None of the %d sentences%s is supported by the triples it cites", checked, whose)
	case doubtful == 1:
		said = fmt.Sprintf("1 of %d sentences%s is not supported by the triples it cites", checked, whose)
	}
	switch struck {
	case 0:
		return said + "; the problems are listed below."
	case doubtful:
		return said + "; unsupported text is struck out."
	}
	return said + "; " + Plural(struck, "of them is unsupported and struck out.", "of them are unsupported and struck out.")
}

package present

import (
	"fmt"

	"cairn/engine/ingest"
)

// FormatLines says what a file was found to be: its form, its first statement
// as it will be read, and what had to be guessed.
func FormatLines(f ingest.Format) []string {
	lines := []string{formatText(f)}
	for _, says := range f.Says {
		lines = append(lines, "First row: "+Shorten(OneLine(says.String()), 160))
	}
	switch len(f.Example) {
	case 2:
		lines = append(lines, fmt.Sprintf("First name: %s is “%s”", OneLine(f.Example[0]), OneLine(f.Example[1])))
	case 3:
		lines = append(lines, fmt.Sprintf("First triple: %s — %s → %s",
			Shorten(OneLine(f.Example[0]), 40), Shorten(OneLine(f.Example[1]), 40), Shorten(OneLine(f.Example[2]), 40)))
	}
	for _, n := range f.Notes {
		lines = append(lines, Sentence(n))
	}
	if f.Unsure != "" {
		lines = append(lines, Sentence("Not sure: "+f.Unsure)+" Cairn asks before importing the file this way.")
	}
	return lines
}

func formatText(f ingest.Format) string {
	text := capital(f.Title())
	if f.Kind == ingest.Delimited {
		text = fmt.Sprintf("%s separated by %s", Plural(f.Width, "column", "columns"), delimiterText(f.Delimiter))
		if f.Header {
			text += ", with a header"
		}
	}
	if f.Packed != "" {
		text += " (compressed)"
	}
	return text
}

func delimiterText(d string) string {
	switch d {
	case "\t", "tab":
		return "tabs"
	case ",":
		return "commas"
	case ";":
		return "semicolons"
	case " ":
		return "spaces"
	}
	return d
}

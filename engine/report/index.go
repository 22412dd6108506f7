package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

// Index is a page that leads to the pages of several questions.
type Index struct {
	Title   string
	About   string
	App     string
	Entries []Entry
}

// Entry is one question of an Index.
type Entry struct {
	Kind       string // what the question shows
	Question   string
	Headline   string
	Text       string // the answer in short
	Page       string // the page's file beside the index
	Picture    string // a picture's file beside the index; may be empty
	PictureAlt string
}

//go:embed index.html
var indexText string

var indexPage = template.Must(template.New("index").Funcs(template.FuncMap{
	"css": func() template.CSS { return template.CSS(style) },
}).Parse(indexText))

// WriteIndex writes an index as an HTML page. Pictures are links to the files
// beside it.
func WriteIndex(w io.Writer, x Index) error {
	var b bytes.Buffer
	if err := indexPage.Execute(&b, x); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

package app

import (
	"context"
	"io"
	"strings"

	"cairn/app/present"
	"cairn/canvas"
)

// exportPicture asks for a file and writes the picture to it: SVG where the
// name ends so, PNG otherwise.
func (w *window) exportPicture() {
	if len(w.figure.model.Nodes) == 0 {
		w.status.say("There is no picture to export yet.")
		return
	}
	shown, colours := w.figure.picture(), canvas.ThemePalette()
	w.saveFile(saving{
		what: "picture", title: "Export the picture (name it .svg for SVG)", name: fileName(w.figure.model.Title) + ".png",
		endings: []string{".png", ".svg"},
		write: func(_ context.Context, _ openGraph, to io.Writer, ending string) error {
			if strings.EqualFold(ending, ".svg") {
				return shown.WriteSVG(to, colours)
			}
			return shown.WritePNG(to, colours)
		},
	})
}

// fileName makes a file's name from a question.
func fileName(question string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 127:
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, question)
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	name = strings.TrimSuffix(present.Shorten(name, 50), "…")
	if name == "" {
		return "evidence"
	}
	return name
}

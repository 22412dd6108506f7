package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

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
	m, dark := w.figure.model, w.isDark()
	d := dialog.NewFileSave(func(out fyne.URIWriteCloser, err error) {
		if err != nil {
			w.fail("The picture was not written", "choose a file", err)
			return
		}
		if out != nil {
			w.writePicture(out, dark)
		}
	}, w.win)
	d.SetFileName(pictureName(m.Title) + ".png")
	d.SetConfirmText("Export")
	d.SetTitleText("Export the picture (name it .svg for SVG)")
	w.place(d)
	w.showOnce("picture", d)
}

// writePicture writes the picture as it is now, off the UI goroutine.
func (w *window) writePicture(out fyne.URIWriteCloser, dark bool) {
	path := out.URI().Path()
	shown := w.figure.picture()
	write := shown.WritePNG
	if strings.EqualFold(out.URI().Extension(), ".svg") {
		write = shown.WriteSVG
	}
	w.status.say("Exporting the picture …")
	w.jobs.start(func(_ context.Context, post func(func())) {
		err := write(out, canvas.ExportOptions{Dark: dark})
		if shut := out.Close(); err == nil {
			err = shut
		}
		post(func() {
			if err != nil {
				sentence, remedy := w.explain("export the picture", err)
				w.status.say("The picture was not written.")
				w.alert("The picture was not written", sentence, remedy)
				return
			}
			w.status.say("Exported the picture to " + path)
		})
	})
}

// pictureName makes a file's name from a question.
func pictureName(question string) string {
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

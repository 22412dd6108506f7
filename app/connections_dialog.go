package app

import (
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/outbound"
)

// showConnections shows every address that was contacted since the start.
func (w *window) showConnections() {
	sentence, rows := wrapped(bold("")), container.New(stacked)
	var text string
	look := func() {
		said, lines := present.Contacts(outbound.Process().Contacts())
		text = strings.Join(append([]string{said}, lines...), "\n")
		sentence.SetText(said)
		rows.RemoveAll()
		for _, l := range lines {
			rows.Add(wrapped(widget.NewLabel(l)))
		}
		rows.Refresh()
	}
	look()
	help := wrapped(caption("Cairn contacts only the Ollama address set under Models and the servers that you import from, and keeps this list. It never checks for updates and sends no statistics. Ollama itself downloads models when you pull one."))
	ways := container.NewHBox(
		newIconButton("Look again", theme.ViewRefreshIcon(), look),
		newIconButton("Copy", theme.ContentCopyIcon(), func() {
			w.app.Clipboard().SetContent(text)
			w.status.say("Copied the list of connections.")
		}),
	)
	w.showDialog("connections", large, w.newDialog("Connections", container.NewBorder(
		container.NewVBox(sentence, help), ways, nil, nil, container.NewVScroll(rows))))
}

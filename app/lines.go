package app

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"cairn/app/present"
)

// tripleLine shows "head — relation → tail", whole, on as many lines as that takes.
type tripleLine struct {
	root fyne.CanvasObject
	flow *flow
	row  *fyne.Container // that it stands in
}

func newTripleLine() *tripleLine {
	f := newFlow(theme.SizeNameText)
	return &tripleLine{root: container.New(textMargins, f), flow: f}
}

func (l *tripleLine) set(head, relation, tail string) {
	l.write(head, relation, tail)
	l.flow.Refresh()
}

func (l *tripleLine) write(head, relation, tail string) {
	l.flow.words = nil
	l.flow.add(head, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
	l.flow.add("— "+relation+" →", fyne.TextStyle{}, colorMuted)
	l.flow.add(tail, fyne.TextStyle{Bold: true}, theme.ColorNameForeground)
}

// newTripleRow is a row of a list of triples: a mark before the line, what is said of it
// below, and buttons behind it.
func newTripleRow(mark fyne.CanvasObject, line *tripleLine, below []fyne.CanvasObject, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	const markWidth = 34
	atLine := func(o fyne.CanvasObject) fyne.CanvasObject {
		return container.NewVBox(container.New(fixedHeight(line.root.MinSize().Height), container.NewCenter(o)))
	}
	texts := container.New(fynelayout.NewCustomPaddedVBoxLayout(-13), append([]fyne.CanvasObject{line.root}, below...)...)
	line.row = container.New(margins{TopPadding: -3, BottomPadding: -3},
		container.NewBorder(nil, nil, container.New(fixedWidth(markWidth), atLine(mark)), atLine(container.NewHBox(buttons...)), texts))
	return line.row
}

// settle lays the row out anew: another triple may take more lines, or fewer.
func (l *tripleLine) settle() { l.row.Refresh() }

// more is how much higher a triple is than one line, in a list of a width. It draws
// nothing: there may be thousands.
func (l *tripleLine) more(width float32, head, relation, tail string) float32 {
	l.row.Resize(fyne.NewSize(width, l.row.Size().Height))
	l.write(head, relation, tail)
	return l.flow.arrange(l.flow.width, nil) - l.flow.line()
}

// errNoLine is returned when a file has fewer lines than it had at import.
var errNoLine = errors.New("the line is no longer there")

// longestQuote is how much of a line is shown, in runes.
const longestQuote = 400

// readLine returns line number n, from 1, of a text file that may be
// gzip-compressed. A long line is cut, and what is not UTF-8 is replaced.
func readLine(ctx context.Context, path string, n int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("quote the source: %w", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return "", fmt.Errorf("quote the source %s: %w", path, err)
		}
		defer z.Close()
		r = z
	}
	return nthLine(ctx, bufio.NewReaderSize(r, 1<<16), n)
}

func nthLine(ctx context.Context, r *bufio.Reader, n int64) (string, error) {
	const checkEvery = 4096
	var kept []byte
	for line, reads := int64(1), 0; ; reads++ {
		if reads%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return "", err
			}
		}
		part, err := r.ReadSlice('\n')
		if line == n && len(kept) < longestQuote*utf8.UTFMax {
			kept = append(kept, part...)
		}
		whole := err == nil
		switch {
		case whole && line == n, errors.Is(err, io.EOF) && line == n && len(kept) > 0:
			text := strings.ToValidUTF8(strings.TrimRight(string(kept), "\r\n"), "\uFFFD")
			return present.Shorten(strings.ReplaceAll(text, "\t", " ⇥ "), longestQuote), nil
		case whole:
			line++
		case errors.Is(err, io.EOF):
			return "", errNoLine
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", fmt.Errorf("quote the source: %w", err)
		}
	}
}

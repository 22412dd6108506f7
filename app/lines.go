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
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
)

// tripleLine shows "head — relation → tail" on one line. Where there is no room
// the longer of head and tail gives way, so that both ends stay readable.
type tripleLine struct {
	root  *fyne.Container
	texts [3]*widget.Label
}

func newTripleLine() *tripleLine {
	l := &tripleLine{texts: [3]*widget.Label{clipped(bold("")), clipped(widget.NewLabel("")), clipped(bold(""))}}
	l.texts[1].Importance = widget.LowImportance
	l.root = container.New(tripleLayout{}, l.texts[0], l.texts[1], l.texts[2])
	return l
}

func (l *tripleLine) set(head, relation, tail string) {
	for i, text := range []string{head, "— " + relation + " →", tail} {
		l.texts[i].SetText(text)
	}
	l.root.Refresh()
}

// tripleLayout lays out the labels of a tripleLine.
type tripleLayout struct{}

func (tripleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const overlap = 8 // of the labels' padding
	var width [3]float32
	for i, o := range objects {
		l := o.(*widget.Label) //nolint:errcheck // made by newTripleLine
		width[i] = fyne.MeasureText(l.Text, theme.TextSize(), l.TextStyle).Width + 2*theme.InnerPadding() + 1
	}
	room := size.Width + 2*overlap
	if width[0]+width[1]+width[2] > room {
		// The relation keeps at most two fifths; the ends share the rest.
		width[1] = min(width[1], max(room*2/5, room-width[0]-width[2]))
		ends := room - width[1]
		width[0], width[2] = min(width[0], max(ends/2, ends-width[2])), min(width[2], max(ends/2, ends-width[0]))
	}
	var x float32
	for i, o := range objects {
		o.Move(pixelsOf(o).snap(x, 0))
		o.Resize(fyne.NewSize(width[i], size.Height))
		x += width[i] - overlap
	}
}

func (tripleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	const narrowest = 100
	return fyne.NewSize(narrowest, objects[0].MinSize().Height)
}

// newTripleRow is a row of a list of triples: a mark before the line, what is said of it
// below, and buttons behind it.
func newTripleRow(mark fyne.CanvasObject, line *tripleLine, below []fyne.CanvasObject, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	const markWidth = 34
	atLine := func(o fyne.CanvasObject) fyne.CanvasObject {
		return container.NewVBox(container.New(fixedHeight(line.root.MinSize().Height), container.NewCenter(o)))
	}
	texts := container.New(fynelayout.NewCustomPaddedVBoxLayout(-13), append([]fyne.CanvasObject{line.root}, below...)...)
	return container.New(margins{TopPadding: -3, BottomPadding: -3},
		container.NewBorder(nil, nil, container.New(fixedWidth(markWidth), atLine(mark)), atLine(container.NewHBox(buttons...)), texts))
}

// errNoLine is returned when a file has fewer lines than it had at import.
var errNoLine = errors.New("the line is not there any more")

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

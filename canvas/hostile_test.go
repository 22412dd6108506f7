package canvas

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"

	"cairn/internal/testing/hostile"
)

// TestHostileNames draws pictures of hostile names, as nodes, edges, types, groups
// and notes, and reads the SVG again.
func TestHostileNames(t *testing.T) {
	names := append(hostile.Names(), hostile.Huge(1<<20)...)
	const drawn = 60 // names a picture
	if testing.Short() {
		names = names[:drawn]
	}
	for from := 0; from < len(names); from += drawn {
		var m Model
		for i, n := range names[from:min(from+drawn, len(names))] {
			m.Nodes = append(m.Nodes, Node{ID: fmt.Sprint(i), Label: n.Text, Type: n.Text})
			m.Edges = append(m.Edges, Edge{ID: n.Text, From: i, To: i % 7, Label: n.Text})
			m.Note = n.Text
		}
		p := pictureOf(t, m)
		if err := p.WritePNG(io.Discard, LightPalette()); err != nil {
			t.Errorf("names from %d: WritePNG: %v", from, err)
		}
		var svg bytes.Buffer
		if err := p.WriteSVG(&svg, LightPalette()); err != nil {
			t.Errorf("names from %d: WriteSVG: %v", from, err)
		}
		for d := xml.NewDecoder(&svg); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("names from %d: the SVG cannot be read: %v", from, err)
				break
			}
		}
	}
}

package paint

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// fontStack names the font the text was measured with, then what stands in for
// it; textLength keeps the measured width in any of them.
const fontStack = "'Noto Sans', 'Inter', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

// SVG writes the list as an SVG document with its text as text. title is the
// document's name.
func (l *List) SVG(w io.Writer, title string) error {
	s := svg{bufio.NewWriter(w)}
	s.f(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" font-family="%s">`+"\n",
		num(l.W), num(l.H), num(l.W), num(l.H), fontStack)
	if title != "" {
		s.f("<title>%s</title>\n", escape(title))
	}
	s.f(`<rect width="100%%" height="100%%" fill="%s"/>`+"\n", rgb(l.Background))
	open := false
	for i := range l.Items {
		it := &l.Items[i]
		switch it.Kind {
		case Begin:
			s.f(`<g data-id="%s"><title>%s</title>`+"\n", escape(it.ID), escape(it.Text))
			open = true
		case End:
			if open {
				s.f("</g>\n")
			}
			open = false
		default:
			s.item(l, it)
		}
	}
	s.f("</svg>\n")
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("write svg: %w", err)
	}
	return nil
}

type svg struct{ w *bufio.Writer }

// f prints; bufio keeps the first error for Flush.
func (s svg) f(format string, args ...any) { fmt.Fprintf(s.w, format, args...) }

func (s svg) item(l *List, it *Item) {
	switch it.Kind {
	case Line:
		s.f(`<path d="M%s %sL%s %s"%s/>`+"\n", num(it.P[0].X), num(it.P[0].Y), num(it.P[1].X), num(it.P[1].Y), strokeOf(it, it.Fill))
	case Path:
		p := l.points(it)
		s.f(`<path d="M%s %s`, num(p[0].X), num(p[0].Y))
		for i, q := range p[1:] {
			before := " "
			if i == 0 {
				before = "C" // once: the command repeats by itself
			}
			s.f("%s%s %s", before, num(q.X), num(q.Y))
		}
		s.f(`"%s/>`+"\n", strokeOf(it, it.Fill))
	case Polygon:
		s.f(`<polygon points="`)
		for i, q := range l.points(it) {
			if i > 0 {
				s.f(" ")
			}
			s.f("%s,%s", num(q.X), num(q.Y))
		}
		s.f(`" fill="%s"%s/>`+"\n", rgb(it.Fill), opacity("fill-opacity", it.Fill))
	case RoundRect:
		// SVG strokes lie across the edge, ours inside.
		m := it.Width / 2
		s.f(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s"%s%s/>`+"\n",
			num(it.P[0].X+m), num(it.P[0].Y+m), num(max(it.P[1].X-2*m, 0)), num(max(it.P[1].Y-2*m, 0)), num(max(it.Radius-m, 0)),
			fillOf(it.Fill), strokeInside(it))
	case Disc:
		m := it.Width / 2
		s.f(`<circle cx="%s" cy="%s" r="%s"%s%s/>`+"\n", num(it.P[0].X), num(it.P[0].Y), num(max(it.Radius-m, 0)),
			fillOf(it.Fill), strokeInside(it))
	case Text:
		weight := ""
		if it.Bold {
			weight = ` font-weight="bold"`
		}
		s.f(`<text x="%s" y="%s" font-size="%s"%s fill="%s"%s textLength="%s" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
			num(it.P[0].X), num(it.P[0].Y), num(it.Size), weight, rgb(it.Fill), opacity("fill-opacity", it.Fill), num(it.P[1].X), escape(it.Text))
	case Begin, End:
	}
}

// strokeInside is the stroke of a shape that has a fill of its own.
func strokeInside(it *Item) string {
	if it.Width <= 0 {
		return ""
	}
	return strings.TrimPrefix(strokeOf(it, it.Stroke), ` fill="none"`)
}

func fillOf(c Color) string {
	if c.A == 0 {
		return ` fill="none"`
	}
	return fmt.Sprintf(` fill="%s"%s`, rgb(c), opacity("fill-opacity", c))
}

func strokeOf(it *Item, c Color) string {
	dash := ""
	if it.Dash > 0 {
		dash = fmt.Sprintf(` stroke-dasharray="%s"`, num(it.Dash))
	}
	return fmt.Sprintf(` fill="none" stroke="%s" stroke-width="%s"%s%s`, rgb(c), num(it.Width), opacity("stroke-opacity", c), dash)
}

func opacity(name string, c Color) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, num(float32(c.A)/255))
}

func rgb(c Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func num(v float32) string {
	s := strconv.FormatFloat(float64(v), 'f', 2, 32)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// escape makes s safe in text and in attributes; what XML cannot hold becomes
// U+FFFD.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(s))) // a Builder takes all
	return b.String()
}

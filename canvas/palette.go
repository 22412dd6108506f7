package canvas

import (
	"image/color"

	"fyne.io/fyne/v2/theme"
)

// Palette holds the colours of a picture. Text keeps a contrast of at least 4.5
// to what it stands on; hues are told apart by people who see fewer colours
// (after Okabe and Ito 2008), and no meaning hangs on a hue alone.
type Palette struct {
	Background  color.NRGBA
	Text, Muted color.NRGBA // on Background and on cards
	Card, Line  color.NRGBA // a plain node and its outline
	Edge        color.NRGBA
	Pill        color.NRGBA // behind the label of an edge

	// Outline and fill of the roles.
	Known, KnownFill       color.NRGBA
	Variable, VariableFill color.NRGBA
	Answer, AnswerFill     color.NRGBA
	Doubt, DoubtFill       color.NRGBA // of an answer that may be wrong
	OnRole                 color.NRGBA // a mark upon any of them

	Lit, OnLit     color.NRGBA // a cited edge, and text upon that colour
	Chip, ChipText color.NRGBA // the tag of an edge
	Select         color.NRGBA // ring of the selected node, focus
	Hues           [8]color.NRGBA
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// LightPalette is for light themes and for paper.
func LightPalette() Palette {
	return Palette{
		Background: rgb(0xf8f9fb), Text: rgb(0x182030), Muted: rgb(0x566073),
		Card: rgb(0xffffff), Line: rgb(0xaab3c2), Edge: rgb(0x8791a3), Pill: rgb(0xf8f9fb),
		Known: rgb(0x0b5fae), KnownFill: rgb(0xe4effb),
		Variable: rgb(0x7a3db0), VariableFill: rgb(0xf6f0fc),
		Answer: rgb(0x00704d), AnswerFill: rgb(0xdff5ea),
		Doubt: rgb(0x8a4b00), DoubtFill: rgb(0xfbf1e0),
		OnRole: rgb(0xffffff),
		Lit:    rgb(0xb25800), OnLit: rgb(0xffffff),
		Chip: rgb(0xe6e9ef), ChipText: rgb(0x38455c),
		Select: rgb(0x1f6feb),
		Hues: [8]color.NRGBA{
			rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xc58b00), rgb(0x3f9ad6), rgb(0x8c6bb1), rgb(0x7a8290),
		},
	}
}

// DarkPalette is for dark themes.
func DarkPalette() Palette {
	return Palette{
		Background: rgb(0x14171d), Text: rgb(0xe9ecf2), Muted: rgb(0xa5aebd),
		Card: rgb(0x20252e), Line: rgb(0x566173), Edge: rgb(0x7d889a), Pill: rgb(0x14171d),
		Known: rgb(0x62b0f5), KnownFill: rgb(0x15304a),
		Variable: rgb(0xcaa2f0), VariableFill: rgb(0x2a2338),
		Answer: rgb(0x46cf97), AnswerFill: rgb(0x12372a),
		Doubt: rgb(0xf0b45e), DoubtFill: rgb(0x33270f),
		OnRole: rgb(0x0f1319),
		Lit:    rgb(0xffb74a), OnLit: rgb(0x2a1700),
		Chip: rgb(0x343c4a), ChipText: rgb(0xd5dbe6),
		Select: rgb(0x58a6ff),
		Hues: [8]color.NRGBA{
			rgb(0x56b4e9), rgb(0xe8834a), rgb(0x3fc79a), rgb(0xd98fb8), rgb(0xe6b53c), rgb(0x7fa7d8), rgb(0xb295d8), rgb(0x9aa3b2),
		},
	}
}

// ThemePalette returns the one of the two that goes with the app's theme.
func ThemePalette() Palette {
	if c, ok := color.GrayModel.Convert(theme.Color(theme.ColorNameBackground)).(color.Gray); ok && c.Y < 128 {
		return DarkPalette()
	}
	return LightPalette()
}

// For returns the palette with the answers of m in their colour.
func (p Palette) For(m *Model) Palette {
	if m.Doubtful {
		p.Answer, p.AnswerFill = p.Doubt, p.DoubtFill
	}
	return p
}

func mix(a, b color.NRGBA, t float32) color.NRGBA {
	at := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*t + 0.5) }
	return color.NRGBA{at(a.R, b.R), at(a.G, b.G), at(a.B, b.B), 255}
}

// role returns the outline and the fill of a role.
func (p *Palette) role(r Role) (line, fill color.NRGBA) {
	switch r {
	case Known:
		return p.Known, p.KnownFill
	case Variable:
		return p.Variable, p.VariableFill
	case Answer:
		return p.Answer, p.AnswerFill
	case Rest:
		return p.Muted, p.Background
	default:
		return p.Line, p.Card
	}
}

package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Colours of our own beside Fyne's: the levels of surface, from the page up,
// and what lies on them.
const (
	colorSurface fyne.ThemeColorName = "cairnSurface" // panes
	colorSunken  fyne.ThemeColorName = "cairnSunken"  // quotations and tables on a pane
	colorBorder  fyne.ThemeColorName = "cairnBorder"  // around panes
	colorMuted   fyne.ThemeColorName = "cairnMuted"   // secondary text
	colorChip    fyne.ThemeColorName = "cairnChip"    // a citation's ground
	colorOnChip  fyne.ThemeColorName = "cairnOnChip"  // a citation's text
	colorLit     fyne.ThemeColorName = "cairnLit"     // a citation that is lit, as its edge is
	colorOnLit   fyne.ThemeColorName = "cairnOnLit"   // its text
)

// sizeBody is the size of an answer's text, a little above the controls'.
const sizeBody fyne.ThemeSizeName = "cairnBody"

// sizeMono is the size of what is shown letter by letter.
const sizeMono fyne.ThemeSizeName = "cairnMono"

// look is how the user wants the window: as the system says, light or dark.
type look string

// The looks, as they are kept in the preferences.
const (
	lookSystem look = "system"
	lookLight  look = "light"
	lookDark   look = "dark"
)

// textSize is how large everything is drawn: text, controls and the picture.
type textSize string

// The sizes, as they are kept in the preferences.
const (
	textSmall   textSize = "small"
	textNormal  textSize = "normal"
	textLarge   textSize = "large"
	textLargest textSize = "very large"
)

// textScales are what the sizes multiply everything by. Fyne rounds to tenths.
var textScales = map[textSize]float32{textSmall: 0.9, textNormal: 1, textLarge: 1.2, textLargest: 1.5}

// cairnTheme is the window's theme: cool neutral surfaces, one blue accent, and
// text that reaches 4.5:1 against whatever it lies on.
type cairnTheme struct {
	fyne.Theme // icons and fonts
	look       look
}

func newTheme(l look) *cairnTheme { return &cairnTheme{Theme: theme.DefaultTheme(), look: l} }

// variant is the variant to draw, whatever Fyne asks for, once the user chose.
func (t *cairnTheme) variant(v fyne.ThemeVariant) fyne.ThemeVariant {
	switch t.look {
	case lookLight:
		return theme.VariantLight
	case lookDark:
		return theme.VariantDark
	case lookSystem:
	}
	return v
}

// Color returns our colour of that name, or Fyne's.
func (t *cairnTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	v = t.variant(v)
	c, ours := palette[name]
	if !ours {
		return t.Theme.Color(name, v)
	}
	own := c[0]
	if v == theme.VariantDark {
		own = c[1]
	}
	if name == theme.ColorNameForeground {
		return color.NRGBA64{R: uint16(own.R) * 0x101, G: uint16(own.G) * 0x101, B: uint16(own.B) * 0x101, A: nearlyOpaque}
	}
	return own
}

// nearlyOpaque is the foreground's alpha. For the keys in a menu, Fyne 2.7.1 keeps the low byte
// of 95% of it: of this one 0xFE, of an opaque one 0x32, which cannot be read.
const nearlyOpaque = 0xFFC9

// Size returns our size of that name, or Fyne's.
func (t *cairnTheme) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return t.Theme.Size(name)
}

// quiet shows an object without the shadows in which Fyne draws the bars between panes.
func quiet(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewThemeOverride(o, quietTheme{fyne.CurrentApp().Settings().Theme()})
}

// quietTheme is a theme without shadows.
type quietTheme struct{ fyne.Theme }

func (t quietTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameShadow {
		return color.Transparent
	}
	return t.Theme.Color(name, v)
}

// sizes are in Fyne units. Those of texts are such that Fyne, which rounds the
// height of a text and the place of its line apart, keeps the descenders at any
// usual scale; 15 or 17 lose them.
var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:            14,
	sizeBody:                      15.5,
	sizeMono:                      13.5,
	theme.SizeNameCaptionText:     12.5,
	theme.SizeNameSubHeadingText:  16,
	theme.SizeNameHeadingText:     20,
	theme.SizeNamePadding:         4,
	theme.SizeNameInnerPadding:    7,
	theme.SizeNameLineSpacing:     4,
	theme.SizeNameInputRadius:     7,
	theme.SizeNameSelectionRadius: 6,
	theme.SizeNameScrollBar:       11,
	theme.SizeNameScrollBarSmall:  4,
	theme.SizeNameInlineIcon:      18,
}

// rgb makes an opaque colour from 0xRRGGBB.
func rgb(hex uint32) color.NRGBA { return rgba(hex, 0xff) }

func rgba(hex uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: alpha}
}

// palette has each colour in the light look and in the dark one. The panes' ground is
// that of the picture (package canvas), so that the two are one surface.
var palette = map[fyne.ThemeColorName][2]color.NRGBA{
	theme.ColorNameBackground:          {rgb(0xE9EDF2), rgb(0x0C0F14)},
	colorSurface:                       {rgb(0xF8F9FB), rgb(0x14171D)},
	colorSunken:                        {rgb(0xEAEEF3), rgb(0x1D222B)},
	colorBorder:                        {rgb(0xD3DAE3), rgb(0x29303B)},
	colorMuted:                         {rgb(0x515C6E), rgb(0xA3ADBC)},
	colorChip:                          {rgb(0xDFE5EE), rgb(0x2C3644)},
	colorOnChip:                        {rgb(0x2C3C57), rgb(0xCBD8EA)},
	colorLit:                           {rgb(0xB25800), rgb(0xF2A33C)},
	colorOnLit:                         {rgb(0xFFFFFF), rgb(0x231400)},
	theme.ColorNameForeground:          {rgb(0x182030), rgb(0xE9ECF2)},
	theme.ColorNamePlaceHolder:         {rgb(0x596478), rgb(0x98A3B3)},
	theme.ColorNameDisabled:            {rgb(0x5F6A7C), rgb(0x8E99A9)}, // also of text of low importance, in Fyne
	theme.ColorNamePrimary:             {rgb(0x1F5391), rgb(0x7DB3F0)},
	theme.ColorNameForegroundOnPrimary: {rgb(0xFFFFFF), rgb(0x06182C)},
	theme.ColorNameHyperlink:           {rgb(0x1F5391), rgb(0x8CBDF5)},
	theme.ColorNameFocus:               {rgba(0x1F6FEB, 0x90), rgba(0x62B0F5, 0x90)},
	theme.ColorNameSelection:           {rgba(0x1F6FEB, 0x24), rgba(0x62B0F5, 0x30)},
	theme.ColorNameHover:               {rgba(0x182030, 0x0E), rgba(0xFFFFFF, 0x12)},
	theme.ColorNamePressed:             {rgba(0x182030, 0x1E), rgba(0xFFFFFF, 0x22)},
	theme.ColorNameButton:              {rgb(0xDDE3EB), rgb(0x262D38)},
	theme.ColorNameDisabledButton:      {rgb(0xE4E9EF), rgb(0x1B2028)},
	theme.ColorNameInputBackground:     {rgb(0xFFFFFF), rgb(0x171B22)},
	theme.ColorNameInputBorder:         {rgb(0x8A96A8), rgb(0x5C6879)},
	theme.ColorNameHeaderBackground:    {rgb(0xE1E6ED), rgb(0x12161C)},
	theme.ColorNameMenuBackground:      {rgb(0xFCFDFE), rgb(0x1D222B)},
	theme.ColorNameOverlayBackground:   {rgb(0xF4F6F9), rgb(0x1A1F27)},
	theme.ColorNameSeparator:           {rgb(0xD9DFE7), rgb(0x29303B)},
	theme.ColorNameShadow:              {rgba(0x182030, 0x38), rgba(0x000000, 0x80)},
	theme.ColorNameScrollBar:           {rgba(0x182030, 0x60), rgba(0xFFFFFF, 0x60)},
	theme.ColorNameScrollBarBackground: {rgba(0x182030, 0x0A), rgba(0xFFFFFF, 0x0A)},
	theme.ColorNameError:               {rgb(0xA8271E), rgb(0xFF8B7F)},
	theme.ColorNameWarning:             {rgb(0x8A4B00), rgb(0xF0B45E)},
	theme.ColorNameSuccess:             {rgb(0x00633F), rgb(0x66D6A4)},
	theme.ColorNameForegroundOnError:   {rgb(0xFFFFFF), rgb(0x2A0603)},
	theme.ColorNameForegroundOnWarning: {rgb(0xFFFFFF), rgb(0x2B1A00)},
	theme.ColorNameForegroundOnSuccess: {rgb(0xFFFFFF), rgb(0x03210C)},
}

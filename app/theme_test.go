package app

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// contrast is the contrast ratio of WCAG 2.1, "relative luminance".
func contrast(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		channel := func(v uint32) float64 {
			x := float64(v) / 0xffff
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		r, g, b, _ := c.RGBA()
		return 0.2126*channel(r) + 0.7152*channel(g) + 0.0722*channel(b)
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestThemeTextHasContrast(t *testing.T) {
	const enough = 4.5
	grounds := []fyne.ThemeColorName{theme.ColorNameBackground, colorSurface, colorSunken, theme.ColorNameOverlayBackground}
	texts := []fyne.ThemeColorName{
		theme.ColorNameForeground, colorMuted, theme.ColorNamePlaceHolder, theme.ColorNameHyperlink, theme.ColorNameDisabled,
		theme.ColorNameError, theme.ColorNameWarning, theme.ColorNameSuccess,
	}
	for _, l := range []look{lookLight, lookDark} {
		th := newTheme(l)
		check := func(text, ground fyne.ThemeColorName) {
			if c := contrast(th.Color(text, theme.VariantLight), th.Color(ground, theme.VariantLight)); c < enough {
				t.Errorf("%s: %s on %s has contrast %.2f, want at least %.1f", l, text, ground, c, enough)
			}
		}
		for _, ground := range grounds {
			for _, text := range texts {
				check(text, ground)
			}
		}
		check(colorOnChip, colorChip)
		check(colorOnLit, colorLit)
		check(theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary)
		check(theme.ColorNameForeground, theme.ColorNameButton)
	}
}

// TestKeysInMenusCanBeRead: Fyne makes their colour from that of the text.
func TestKeysInMenusCanBeRead(t *testing.T) {
	a := test.NewTempApp(t)
	for _, l := range []look{lookLight, lookDark} {
		th := newTheme(l)
		a.Settings().SetTheme(th)
		open := fyne.NewMenuItem("Open", nil)
		open.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyO, Modifier: fyne.KeyModifierControl}
		texts := 0
		for _, o := range test.LaidOutObjects(widget.NewMenu(fyne.NewMenu("", open))) {
			if text, ok := o.(*canvas.Text); ok {
				texts++
				c, _ := color.NRGBAModel.Convert(text.Color).(color.NRGBA)
				if got := contrast(c, th.Color(theme.ColorNameMenuBackground, theme.VariantLight)); got < 4.5 || c.A < 0xF0 {
					t.Errorf("%s: %q is drawn in %v, contrast %.2f", l, text.Text, c, got)
				}
			}
		}
		if texts != 3 {
			t.Errorf("%d texts, want the item's, the modifier and the key", texts)
		}
	}
}

func TestThemeFollowsTheSystemUnlessChosen(t *testing.T) {
	system, dark := newTheme(lookSystem), newTheme(lookDark)
	name := theme.ColorNameBackground
	if system.Color(name, theme.VariantDark) != dark.Color(name, theme.VariantLight) {
		t.Error("a dark system and a chosen dark look differ")
	}
	if system.Color(name, theme.VariantLight) == dark.Color(name, theme.VariantLight) {
		t.Error("a chosen dark look follows a light system")
	}
}

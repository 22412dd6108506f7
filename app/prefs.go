package app

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"github.com/adrg/xdg"
)

// prefs are the user's choices, kept by Fyne between starts.
type prefs struct{ store fyne.Preferences }

// The keys of the preferences.
const (
	prefLook      = "look"
	prefHost      = "ollama.host"
	prefModel     = "ollama.model"
	prefFolder    = "data.folder"
	prefVisited   = "folder.visited" // where a file was chosen last
	prefRecent    = "recent"
	prefLast      = "last"
	prefWidth     = "window.width"
	prefHeight    = "window.height"
	maxRecent     = 8
	defaultHost   = "http://127.0.0.1:11434"
	defaultWidth  = 1280
	defaultHeight = 820
)

func (p prefs) look() look {
	switch l := look(p.store.String(prefLook)); l {
	case lookLight, lookDark:
		return l
	case lookSystem:
	}
	return lookSystem
}

func (p prefs) setLook(l look) { p.store.SetString(prefLook, string(l)) }

func (p prefs) host() string { return p.store.StringWithFallback(prefHost, defaultHost) }

// model is the name of the chosen model; empty for none.
func (p prefs) model() string { return p.store.String(prefModel) }

// folder is where new graphs are kept.
func (p prefs) folder() string {
	return p.store.StringWithFallback(prefFolder, filepath.Join(xdg.DataHome, "cairn"))
}

// recent are the paths of the graphs that were open, the last one first.
func (p prefs) recent() []string { return p.store.StringList(prefRecent) }

// last is the path of the graph that was open when the window was closed;
// empty for the sample.
func (p prefs) last() string { return p.store.String(prefLast) }

// opened notes that a graph was opened.
func (p prefs) opened(path string) {
	list := slices.DeleteFunc(p.recent(), func(s string) bool { return s == path })
	list = slices.Insert(list, 0, path)
	p.store.SetStringList(prefRecent, list[:min(len(list), maxRecent)])
	p.store.SetString(prefLast, path)
}

// forget drops a graph that is not there any more.
func (p prefs) forget(path string) {
	p.store.SetStringList(prefRecent, slices.DeleteFunc(p.recent(), func(s string) bool { return s == path }))
	if p.last() == path {
		p.store.SetString(prefLast, "")
	}
}

// size is the window's size as it was left.
func (p prefs) size() fyne.Size {
	const least = 600
	w := p.store.FloatWithFallback(prefWidth, defaultWidth)
	h := p.store.FloatWithFallback(prefHeight, defaultHeight)
	if w < least || h < least/2 {
		return fyne.NewSize(defaultWidth, defaultHeight)
	}
	return fyne.NewSize(float32(w), float32(h))
}

func (p prefs) setSize(s fyne.Size) {
	p.store.SetFloat(prefWidth, float64(s.Width))
	p.store.SetFloat(prefHeight, float64(s.Height))
}

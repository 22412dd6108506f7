package app

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cairn/app/present"
	"cairn/engine/evidence"
	"cairn/engine/ollama"
)

// prefs are the user's choices, kept by Fyne between starts.
type prefs struct{ store fyne.Preferences }

// The keys of the preferences.
const (
	prefLook      = "look"
	prefTextSize  = "text.size"
	prefHost      = "ollama.host"
	prefRemote    = "ollama.remote" // the host that is not this computer and allowed
	prefModel     = "ollama.model"
	prefContext   = "ollama.context" // in tokens
	prefSamples   = "plan.samples"
	prefChains    = "plan.chains"
	prefStyle     = "answer.style"
	prefTested    = "ollama.tested" // self-tests' reports, as JSON
	prefFolder    = "data.folder"
	prefVisited   = "folder.visited" // where a file was chosen last
	prefRecent    = "recent"
	prefLast      = "last"
	prefWidth     = "window.width"
	prefHeight    = "window.height"
	prefRetriever = "retriever.methods" // the method of a graph, as "ID path", where it is not the default one
	maxRetriever  = 50
	maxRecent     = 8
	defaultWidth  = 1200 // with the borders of a window and a panel of the desktop
	defaultHeight = 700  // it fits a screen of 1280 × 800
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

func (p prefs) textSize() textSize {
	if s := textSize(p.store.String(prefTextSize)); textScales[s] != 0 {
		return s
	}
	return textNormal
}

func (p prefs) setTextSize(s textSize) { p.store.SetString(prefTextSize, string(s)) }

func (p prefs) host() string { return p.store.StringWithFallback(prefHost, ollama.DefaultHost) }

func (p prefs) setHost(host string) { p.store.SetString(prefHost, host) }

// remote reports whether the host may be another computer: the user allowed
// this very one.
func (p prefs) remote() bool { return p.remoteAllowed(p.host()) }

func (p prefs) remoteAllowed(host string) bool {
	return host != "" && p.store.String(prefRemote) == host
}

func (p prefs) setRemote(host string, on bool) {
	if !on {
		host = ""
	}
	p.store.SetString(prefRemote, host)
}

// model is the name of the chosen model; empty for none.
func (p prefs) model() string { return p.store.String(prefModel) }

func (p prefs) setModel(name string) { p.store.SetString(prefModel, name) }

// context is how many tokens a model reads at once.
func (p prefs) context() int {
	const least = 2048
	return max(least, p.store.IntWithFallback(prefContext, 8192))
}

func (p prefs) setContext(n int) { p.store.SetInt(prefContext, n) }

// samples is how many patterns a model is asked for.
func (p prefs) samples() int { return max(1, p.store.IntWithFallback(prefSamples, 1)) }

func (p prefs) setSamples(n int) { p.store.SetInt(prefSamples, n) }

// chains reports whether a model names relations to follow instead of patterns.
func (p prefs) chains() bool { return p.store.Bool(prefChains) }

func (p prefs) setChains(on bool) { p.store.SetBool(prefChains, on) }

// style is how evidence is shown to a model.
func (p prefs) style() evidence.Style {
	name := p.store.String(prefStyle)
	for _, s := range evidence.Styles {
		if s.String() == name {
			return s
		}
	}
	return evidence.Tuples
}

func (p prefs) setStyle(s evidence.Style) { p.store.SetString(prefStyle, s.String()) }

// tested are the reports of self-tests, as JSON.
func (p prefs) tested() string { return p.store.StringWithFallback(prefTested, "{}") }

func (p prefs) setTested(reports string) { p.store.SetString(prefTested, reports) }

// folder is where new graphs are kept; empty where nothing says so: see
// present.ErrNoHome.
func (p prefs) folder() string {
	dir, _ := present.DataFolder()
	return p.store.StringWithFallback(prefFolder, dir)
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

// retriever returns the ID of the method that questions to the graph at path go to;
// empty for the default one.
func (p prefs) retriever(path string) string {
	for _, s := range p.store.StringList(prefRetriever) {
		if id, of, _ := strings.Cut(s, " "); of == path {
			return id
		}
	}
	return ""
}

func (p prefs) setRetriever(path, id string) {
	list := slices.DeleteFunc(p.store.StringList(prefRetriever), func(s string) bool {
		_, of, _ := strings.Cut(s, " ")
		return of == path
	})
	if id != "" {
		list = slices.Insert(list, 0, id+" "+path)
	}
	p.store.SetStringList(prefRetriever, list[:min(len(list), maxRetriever)])
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

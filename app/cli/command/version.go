package command

import (
	"runtime"
	"runtime/debug"
)

// Version is the program's version. FyneApp.toml has the same; a test compares.
const Version = "0.1.0"

// Build is what the program knows of how it was made.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	// Changed says that it was built from more than the commit.
	Changed bool   `json:"changed,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Go      string `json:"go"`
	System  string `json:"system"`
}

// ThisBuild describes the program that runs.
func ThisBuild() Build {
	b := Build{Version: Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, x := range info.Settings {
		switch x.Key {
		case "vcs.revision":
			b.Commit = x.Value
		case "vcs.modified":
			b.Changed = x.Value == "true"
		case "vcs.time":
			b.Date = x.Value
		}
	}
	return b
}

// CommitText is what names the source: its first characters, and whether it was changed.
func (b Build) CommitText() string {
	text := b.Commit[:min(12, len(b.Commit))]
	if text != "" && b.Changed {
		text += ", changed"
	}
	return text
}

// FullVersion is the version and the build's commit, "0.1.0 (13914ed2a0c1, changed)",
// where it is known: another commit may answer otherwise.
func FullVersion() string {
	if c := ThisBuild().CommitText(); c != "" {
		return Version + " (" + c + ")"
	}
	return Version
}

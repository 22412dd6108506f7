package cli

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/mattn/go-sqlite3"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/ollama"
	"cairn/engine/outbound"
)

type doctorCommand struct {
	command.ModelFlags
}

// finding is one thing that doctor looked at.
type finding struct {
	What   string `json:"what"`
	Good   bool   `json:"good"`
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"`
}

// Run says what Cairn finds on this computer. Without a model or a display
// Cairn works, so that only what it needs is a failure.
func (c *doctorCommand) Run(ctx context.Context, s *session) error {
	fs := []finding{
		{What: "Cairn", Good: true, Found: command.FullVersion()},
		{What: "Go", Good: true, Found: fmt.Sprintf("%s, %s/%s, %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, present.Plural(runtime.NumCPU(), "processor", "processors"))},
		sqliteFinding(ctx),
		dataFolderFinding(),
		folderFinding("temporary folder", os.TempDir()),
		displayFinding(),
	}
	fs = append(fs, c.ollama(ctx, s)...)
	fs = append(fs, contacted()...)
	if err := s.Result(fs, func() { s.printFindings(fs) }); err != nil {
		return err
	}
	if !fs[2].Good || !fs[3].Good {
		return command.OutcomeError(command.ExitFailed)
	}
	return ctx.Err()
}

func (s *session) printFindings(fs []finding) {
	var rows [][]string
	for _, f := range fs {
		mark := "ok"
		if !f.Good {
			mark = "–"
		}
		rows = append(rows, []string{mark, f.What, f.Found})
		if f.Remedy != "" {
			rows = append(rows, []string{"", "", f.Remedy})
		}
	}
	s.Table("", rows)
}

func sqliteFinding(ctx context.Context) finding {
	version, _, _ := sqlite3.Version()
	f := finding{What: "SQLite", Good: true, Found: version}
	db, err := sql.Open("sqlite3", ":memory:")
	if err == nil {
		defer db.Close()
		err = db.PingContext(ctx)
	}
	if err != nil {
		f.Good, f.Found, f.Remedy = false, version+", which does not start: "+err.Error(), "This build lacks cgo; build Cairn with CGO_ENABLED=1 and a C compiler."
	}
	return f
}

func dataFolderFinding() finding {
	dir, err := present.DataFolder()
	if err != nil {
		sentence, remedy := present.Explain(err)
		return finding{What: "data folder", Found: sentence, Remedy: remedy}
	}
	return folderFinding("data folder", dir)
}

// folderFinding tries to write to a folder.
func folderFinding(what, dir string) finding {
	f := finding{What: what, Good: true, Found: dir}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".probe-*"); err == nil {
			probe.Close()
			err = os.Remove(probe.Name())
		}
	}
	if err != nil {
		sentence, _ := present.Explain(err)
		f.Good, f.Found, f.Remedy = false, dir+" cannot be written: "+sentence, "Change its permissions, or set XDG_DATA_HOME (data) or TMPDIR (temporary files) to a folder of your own."
	}
	return f
}

func displayFinding() finding {
	if hasDisplay(os.Getenv) {
		return finding{What: "display", Good: true, Found: "found, so cairn can open its window"}
	}
	return finding{What: "display", Found: "none (DISPLAY and WAYLAND_DISPLAY are empty)", Remedy: "cairn ask and cairn tour do not need one."}
}

func (c *doctorCommand) ollama(ctx context.Context, s *session) []finding {
	if c.NoModel {
		return []finding{{What: "Ollama", Good: true, Found: "not checked (--no-model)"}}
	}
	server, err := c.Server(s.Log)
	var ms []ollama.ModelInfo
	if err == nil {
		ms, err = server.Models(ctx)
	}
	if err != nil {
		sentence, remedy := present.Explain(err)
		remedy = cmp.Or(remedy, "Cairn also works without a model.")
		return []finding{{What: "Ollama", Found: sentence, Remedy: remedy}}
	}
	answers := "it responds"
	if version, err := server.Version(ctx); err == nil && version != "" {
		answers = "version " + present.Printable(version)
	}
	if len(ms) == 0 {
		return []finding{{What: "Ollama", Found: answers + ", without a model", Remedy: "Get one with `ollama pull qwen3:4b`; Cairn also works without one."}}
	}
	fs := []finding{{What: "Ollama", Good: true, Found: fmt.Sprintf("%s, with %s", answers, present.Plural(len(ms), "model", "models"))}}
	for _, m := range ms {
		fs = append(fs, modelFinding(ctx, server, m))
	}
	return fs
}

// modelFinding says what a model is and suits. One that runs elsewhere is not
// asked about.
func modelFinding(ctx context.Context, server *ollama.Server, m ollama.ModelInfo) finding {
	if m.Remote != "" {
		row := present.Model(m, nil, 0)
		return finding{What: "model", Found: row.Name + " is not this computer", Remedy: row.Suits + " Cairn does not use it unless you allow it."}
	}
	var details *ollama.Details
	if d, err := server.Details(ctx, m.Name); err == nil { // an older server says less
		details = &d
	}
	row := present.Model(m, details, 0)
	parts := []string{present.Printable(row.Name)}
	for _, part := range []string{row.Brief, row.Context, row.Suits} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return finding{What: "model", Good: true, Found: strings.Join(parts, " · ")}
}

// contacted lists every address that this program reached for since its start.
func contacted() []finding {
	sentence, lines := present.Contacts(outbound.Process().Contacts())
	fs := []finding{{What: "network", Good: true, Found: sentence}}
	for _, line := range lines {
		fs = append(fs, finding{What: "contacted", Good: true, Found: line})
	}
	return fs
}

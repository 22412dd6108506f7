package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/ingest"
	"cairn/engine/remote"
)

// passwordVariable holds the password of --user: a flag would show it to whoever lists
// the programs that run.
const passwordVariable = "CAIRN_IMPORT_PASSWORD"

// remoteFlags are those of an import from a server.
type remoteFlags struct {
	From  string `help:"Import from a SPARQL endpoint, or from a Neo4j server with bolt://HOST:7687/NAME or neo4j+http://HOST:7474/db/NAME, instead of files. The data is fetched into a file next to the graph; run the same command to continue an interrupted import." placeholder:"URL"`
	Query string `help:"With --from and SPARQL: a file with the query, a SELECT of ?s ?p ?o without LIMIT (default: every statement)." placeholder:"FILE"`
	Graph string `help:"With --from and SPARQL: the named graph to read." placeholder:"IRI"`
	Page  int    `help:"With --from: how many statements, nodes or relationships to ask for at a time." default:"10000" placeholder:"N"`
	User  string `help:"With --from: the user name, if the server requires one; the password is read from $CAIRN_IMPORT_PASSWORD." placeholder:"NAME"`
}

// fetch gets what --from names into a file, which is then imported as any other. In a
// dry run that is the first page, in a file that done removes.
func (c *importCommand) fetch(ctx context.Context, s *session, o *ingest.Options) (done func(), err error) {
	done = func() {}
	ask := remote.Options{User: c.User, Password: os.Getenv(passwordVariable), Graph: c.Graph, Page: c.Page}
	if c.Page <= 0 {
		return done, command.UsageError("--page must be 1 or more")
	}
	if c.Query != "" {
		if ask.Query, err = s.readText(c.Query); err != nil {
			return done, err
		}
	}
	server, err := remote.Open(c.From, ask)
	if err != nil {
		return done, err
	}
	defer server.Close()
	o.Origin = remote.Origin(server)
	if c.User != "" && !server.Encrypted() {
		s.note(present.Unencrypted)
	}
	var notes []string
	file := remote.File(server, c.Into)
	if c.DryRun {
		dir, err := os.MkdirTemp("", "cairn-")
		if err != nil {
			return done, err
		}
		done = func() { _ = os.RemoveAll(dir) }
		file = filepath.Join(dir, filepath.Base(file))
		s.note("Asking %s, %d rows at a time:\n%s", server.Address(), c.Page, server.Query())
		got, err := remote.Sample(ctx, server, file)
		if err != nil {
			return done, err
		}
		notes = got.Notes()
	} else {
		notes, err = remote.FetchOnce(ctx, server, file, c.Replace, func(rows int64) {
			s.Show(present.ProgressText("fetch from "+server.Address(), rows, 0, false))
		})
		if err != nil {
			return done, err
		}
	}
	for _, note := range notes {
		s.note("%s", note)
	}
	c.Files = []string{file}
	return done, nil
}

// note prints a line for people.
func (s *session) note(format string, args ...any) {
	if !s.JSON {
		s.Printf("%s\n", present.Printable(fmt.Sprintf(format, args...)))
	}
}

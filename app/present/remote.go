package present

import (
	"context"

	"cairn/engine/remote"
)

// Unencrypted is the warning of a password that goes to an address that begins with http://.
const Unencrypted = "The password is sent unencrypted, since the address begins with http://."

// Fetch gets what a server selects into a file; where the file is there from before,
// only if again is set. The notes say what came of it.
func Fetch(ctx context.Context, server *remote.SPARQL, file string, again bool, progress func(rows int64)) (notes []string, err error) {
	if remote.Whole(file) && !again {
		return []string{"Fetched before, so the server is not asked: " + file + ". For what it has now, import it into a new graph, or use cairn import with --replace."}, nil
	}
	got, err := remote.Fetch(ctx, server, file, progress)
	if err != nil {
		return nil, err
	}
	return append([]string{"Fetched " + Plural(got.Rows, "statement", "statements") + " into " + file}, got.Notes()...), nil
}

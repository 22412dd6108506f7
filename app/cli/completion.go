package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// completeCommand is what the shells' scripts call.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// The scripts ask the program itself, so that they fit whatever version is
// installed. Where it has nothing to say, the shells complete names of files.
var completionScripts = map[string]string{
	"bash": `# Put this in ~/.bashrc:  source <(cairn completion bash)
_cairn() {
	local IFS=$'\n'
	COMPREPLY=($(cairn complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
	[[ ${COMPREPLY[0]-} == */ ]] && compopt -o nospace
}
complete -o filenames -o bashdefault -o default -F _cairn cairn
`,
	"zsh": `# Put this in ~/.zshrc, after compinit:  source <(cairn completion zsh)
_cairn() {
	local -a found
	found=("${(@f)$(cairn complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found ]]; then compadd -f -- $found; else _files; fi
}
compdef _cairn cairn
`,
	"fish": `# Save this:  cairn completion fish > ~/.config/fish/completions/cairn.fish
complete -c cairn -a '(cairn complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

// Run prints the script of a shell.
func (c *completionCommand) Run(s *session) error {
	fmt.Fprint(s.Stdout, completionScripts[c.Shell])
	return nil
}

// Run prints what the last word may become.
func (c *completeCommand) Run(s *session) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, candidate := range candidates(s.Grammar.Node, words) {
		fmt.Fprintln(s.Stdout, candidate)
	}
	return nil
}

// candidates are what the last of the words, which may be empty, may become.
func candidates(n *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	var waiting *kong.Flag // for its value
	for _, word := range words[:last] {
		if waiting != nil {
			waiting = nil
			continue
		}
		if strings.HasPrefix(word, "-") {
			waiting = flagOf(n, word)
			continue
		}
		if at := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == word && !c.Hidden }); at >= 0 {
			n = n.Children[at]
		}
	}
	var found []string
	word := words[last]
	switch {
	case waiting != nil && waiting.Enum != "":
		found = waiting.EnumSlice()
	case waiting != nil: // a file, a number, a text
	case strings.HasPrefix(word, "-"):
		for _, group := range n.AllFlags(true) {
			for _, f := range group {
				found = append(found, "--"+f.Name)
			}
		}
	default:
		for _, c := range n.Children {
			if !c.Hidden {
				found = append(found, c.Name)
			}
		}
		choices := []string{}
		for _, p := range n.Positional {
			if p.Enum != "" {
				choices = append(choices, p.EnumSlice()...)
			}
		}
		if found = append(found, choices...); len(choices) == 0 {
			found = append(found, graphsLike(word)...)
		}
	}
	found = slices.DeleteFunc(found, func(s string) bool { return s == "" || !strings.HasPrefix(s, word) })
	slices.Sort(found)
	return slices.Compact(found)
}

// flagOf is the flag of a word, where its value is the next word; nil otherwise.
func flagOf(n *kong.Node, word string) *kong.Flag {
	for _, group := range n.AllFlags(false) {
		for _, f := range group {
			if word == "--"+f.Name && !f.IsBool() {
				return f
			}
		}
	}
	return nil
}

// graphsLike are the graphs whose path begins with a text, and the folders on the
// way to others.
func graphsLike(text string) []string {
	dir, _ := filepath.Split(text)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	var found []string
	graphs := false
	for _, e := range entries {
		switch path := dir + e.Name(); {
		case !strings.HasPrefix(path, text) || strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(filepath.Base(text), "."):
		case strings.HasSuffix(strings.ToLower(path), graphEnding):
			found, graphs = append(found, path), true
		case isFolder(path) && !strings.HasSuffix(path, graphEnding+".d"):
			found = append(found, path+string(filepath.Separator))
		}
	}
	if !graphs && dir == "" && text == "" {
		return nil // no graph is here: let the shell show its files
	}
	return found
}

package cypher_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/engine/cypher"
	"cairn/internal/testing/shared"
)

var background = context.Background()

// scenario is one of the openCypher conformance tests: one row of an outline's examples.
type scenario struct {
	file, name string
	graph      string // a named graph
	setup      []string
	params     [][2]string
	query      string
	columns    []string
	rows       [][]string
	ordered    bool
	unordered  bool // lists are compared as sets
	empty      bool
	fails      string // "SyntaxError UndefinedVariable"
	writes     bool
	control    bool
}

// outside are the parts of the suite that are outside of the subset: what writes.
func (s *scenario) outside() bool {
	if s.writes {
		return true
	}
	_, err := cypher.Parse(s.query)
	return err != nil && strings.Contains(err.Error(), "is not supported: queries are read-only")
}

// TestConformance runs the openCypher TCK.
func TestConformance(t *testing.T) {
	all, graphs := readSuite(t, shared.Data(t, "opencypher-tck.tar.gz"))
	type score struct{ passed, failed, outside int }
	scores := map[string]*score{}
	var total score
	byName := map[string]error{} // scenarios: an outline passes where all its rows do
	var order []string
	for i := range all {
		s := &all[i]
		key := s.file + "\t" + s.name
		if _, ok := byName[key]; !ok {
			order = append(order, key)
			byName[key] = nil
		}
		if byName[key] != nil {
			continue
		}
		if s.outside() {
			byName[key] = errOutside
		} else if err := s.run(graphs); err != nil {
			byName[key] = err
		}
	}
	for _, key := range order {
		file, name, _ := strings.Cut(key, "\t")
		clause := path.Base(path.Dir(file))
		if scores[clause] == nil {
			scores[clause] = &score{}
		}
		sc := scores[clause]
		switch err := byName[key]; {
		case err == nil:
			sc.passed++
			total.passed++
		case errors.Is(err, errOutside):
			sc.outside++
			total.outside++
		default:
			sc.failed++
			total.failed++
			t.Logf("%s %s: %v", file, name, err)
		}
	}
	var clauses []string
	for c := range scores {
		clauses = append(clauses, c)
	}
	slices.Sort(clauses)
	for _, c := range clauses {
		t.Logf("%-24s %4d passed %4d failed %4d outside", c, scores[c].passed, scores[c].failed, scores[c].outside)
	}
	n := total.passed + total.failed
	t.Logf("%-24s %4d passed %4d failed %4d outside: %.1f %% of those inside, %.1f %% of all", "all", total.passed, total.failed, total.outside,
		100*float64(total.passed)/float64(n), 100*float64(total.passed)/float64(n+total.outside))
	if total.passed*100 < 90*n || total.passed*100 < 75*(n+total.outside) {
		t.Error("fewer than 90 % of those inside, or 75 % of all, passed")
	}
}

var errOutside = errors.New("outside of the subset")

// run runs a scenario and says what is not as it should be.
func (s *scenario) run(graphs map[string]string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	g := &memory{}
	for _, text := range append([]string{graphs[s.graph]}, s.setup...) {
		if err := g.create(text); err != nil {
			return fmt.Errorf("set-up: %w", err)
		}
	}
	params := map[string]any{}
	for _, p := range s.params {
		if params[p[0]], err = valueOf(g, p[1]); err != nil {
			return fmt.Errorf("parameter: %w", err)
		}
	}
	q, err := cypher.Parse(s.query)
	var result *cypher.Result
	if err == nil {
		result, err = cypher.Run(background, g, q, cypher.Options{Params: params, Rows: 1e6})
	}
	if s.fails != "" {
		e, ok := errors.AsType[*cypher.Error](err)
		if !ok {
			return fmt.Errorf("no error of its own, but %q; want %s", fmt.Sprint(err), s.fails)
		}
		kind, code, _ := strings.Cut(s.fails, " ")
		is := map[string]error{"SyntaxError": cypher.ErrSyntax, "TypeError": cypher.ErrType, "ArgumentError": cypher.ErrArgument}[kind]
		if code != "*" && code != e.Code || !errors.Is(err, is) {
			return fmt.Errorf("%w (%s); want %s", err, e.Code, s.fails)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if s.empty {
		if len(result.Rows) > 0 {
			return fmt.Errorf("%d rows; want none", len(result.Rows))
		}
		return nil
	}
	if !slices.Equal(result.Columns, s.columns) {
		return fmt.Errorf("columns %q; want %q", result.Columns, s.columns)
	}
	var got, want []string
	for _, r := range result.Rows {
		var cells []string
		for _, v := range r.Values {
			cells = append(cells, s.cell(g.text(v)))
		}
		got = append(got, strings.Join(cells, " | "))
	}
	for _, r := range s.rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, s.cell(canonical(c)))
		}
		want = append(want, strings.Join(cells, " | "))
	}
	if !s.ordered {
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("got %q; want %q", got, want)
	}
	return nil
}

// cell sorts the elements of lists where their order does not count.
func (s *scenario) cell(text string) string {
	if !s.unordered || !strings.HasPrefix(text, "[") {
		return text
	}
	letters := strings.Split(text, "")
	slices.Sort(letters)
	return strings.Join(letters, "")
}

// valueOf computes an expression without names.
func valueOf(g cypher.Graph, text string) (any, error) {
	q, err := cypher.Parse("RETURN " + text)
	if err != nil {
		return nil, err
	}
	r, err := cypher.Run(background, g, q, cypher.Options{})
	if err != nil {
		return nil, err
	}
	return r.Rows[0].Values[0], nil
}

// canonical writes an expected value as memory.text does: with spaces in one way, labels
// and properties sorted.
func canonical(text string) string {
	c := &cellReader{s: text}
	v := c.value()
	if rest := strings.TrimSpace(c.s[c.at:]); rest != "" {
		return text
	}
	return v
}

// cellReader reads a cell of an expected result.
type cellReader struct {
	s  string
	at int
}

func (c *cellReader) blank() {
	for c.at < len(c.s) && c.s[c.at] == ' ' {
		c.at++
	}
}

func (c *cellReader) accept(text string) bool {
	c.blank()
	if !strings.HasPrefix(c.s[c.at:], text) {
		return false
	}
	c.at += len(text)
	return true
}

func (c *cellReader) until(stops string) string {
	c.blank()
	from := c.at
	for c.at < len(c.s) && !strings.ContainsRune(stops, rune(c.s[c.at])) {
		c.at++
	}
	return strings.TrimSpace(c.s[from:c.at])
}

func (c *cellReader) value() string {
	switch {
	case c.accept("'"):
		from := c.at
		for c.at < len(c.s) && c.s[c.at] != '\'' {
			if c.s[c.at] == '\\' {
				c.at++
			}
			c.at++
		}
		c.at = min(c.at+1, len(c.s))
		return "'" + strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(c.s[from:c.at-1]) + "'"
	case c.accept("["):
		if c.accept(":") {
			v := "[" + described(":"+c.until(" {]"), c)
			c.accept("]")
			return v + "]"
		}
		var parts []string
		for !c.accept("]") && c.at < len(c.s) {
			parts = append(parts, c.value())
			c.accept(",")
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case c.accept("("):
		var labels []string
		for c.accept(":") {
			labels = append(labels, ":"+c.until(" :{)"))
		}
		slices.Sort(labels)
		v := "(" + described(strings.Join(labels, ""), c)
		c.accept(")")
		return v + ")"
	case c.accept("{"):
		return c.properties()
	case c.accept("<"):
		v := "<" + c.value()
		for !c.accept(">") && c.at < len(c.s) {
			if c.accept("<-") {
				v += "<-" + c.value() + "-"
				c.accept("-")
			} else if c.accept("-") {
				v += "-" + c.value() + "->"
				c.accept("->")
			}
			v += c.value()
		}
		return v + ">"
	}
	text := c.until(",]})")
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".e") {
		return cypher.Text(f)
	}
	return text
}

func described(labels string, c *cellReader) string {
	if !c.accept("{") {
		return labels
	}
	of := c.properties()
	if of == "{}" {
		return labels
	}
	return strings.TrimSpace(labels + " " + of)
}

func (c *cellReader) properties() string {
	var parts []string
	for !c.accept("}") && c.at < len(c.s) {
		name := c.until(":")
		c.accept(":")
		parts = append(parts, name+": "+c.value())
		c.accept(",")
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// readSuite reads the feature files and the named graphs of the archive.
func readSuite(t *testing.T, file string) (all []scenario, graphs map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	graphs = map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		switch path.Ext(h.Name) {
		case ".feature":
			all = append(all, readFeature(h.Name, string(text))...)
		case ".cypher":
			graphs[strings.TrimSuffix(path.Base(h.Name), ".cypher")] = string(text)
		}
	}
	return all, graphs
}

// readFeature reads the scenarios of a file.
func readFeature(file, text string) (all []scenario) {
	var s *scenario
	var outlined *scenario
	var text2 *string        // the text in quotes that is being read
	var table func([]string) // what to do with rows
	var examples []string    // names of columns
	var background *scenario
	finish := func() {
		if s != nil && s.name == "" {
			background = s
		} else if s != nil && outlined == nil {
			all = append(all, *s)
		}
		s, outlined = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n\r")
		trimmed := strings.TrimSpace(line)
		if text2 != nil {
			if trimmed == `"""` {
				text2 = nil
			} else {
				*text2 += line + "\n"
			}
			continue
		}
		step := trimmed
		for _, w := range []string{"Given ", "And ", "When ", "Then "} {
			step = strings.TrimPrefix(step, w)
		}
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case strings.HasPrefix(trimmed, "Scenario"), strings.HasPrefix(trimmed, "Background"):
			finish()
			_, name, _ := strings.Cut(trimmed, ":")
			s = &scenario{file: file, name: strings.TrimSpace(name)}
			if background != nil {
				s.setup = slices.Clone(background.setup)
			}
			table = nil
		case s == nil:
		case trimmed == `"""`:
			switch {
			case s.query == "" && s.control:
				text2 = &s.query
			default:
				s.setup = append(s.setup, "")
				text2 = &s.setup[len(s.setup)-1]
			}
		case strings.HasPrefix(trimmed, "|"):
			if table != nil {
				table(cells(trimmed))
			}
		case strings.HasPrefix(step, "the ") && strings.HasSuffix(step, " graph"):
			s.graph = strings.TrimSuffix(strings.TrimPrefix(step, "the "), " graph")
		case step == "parameters are:":
			table = func(c []string) { s.params = append(s.params, [2]string{c[0], c[1]}) }
		case step == "executing query:":
			s.control = true
		case step == "executing control query:":
			// The graph is as it was: the result of the query itself is what counts.
			s.writes = true
		case strings.HasPrefix(step, "the result should be empty"):
			s.empty = true
		case strings.HasPrefix(step, "the result should be"):
			s.ordered = strings.Contains(step, "in order")
			s.unordered = strings.Contains(step, "ignoring element order")
			table = func(c []string) {
				if s.columns == nil {
					s.columns = c
				} else {
					s.rows = append(s.rows, c)
				}
			}
		case strings.Contains(step, " should be raised at "):
			kind, rest, _ := strings.Cut(strings.TrimPrefix(step, "a "), " should be raised at ")
			_, code, _ := strings.Cut(rest, ": ")
			s.fails = kind + " " + code
		case strings.HasPrefix(trimmed, "Examples:"):
			outlined, examples = s, nil
			table = func(c []string) {
				if examples == nil {
					examples = c
					return
				}
				all = append(all, outlined.with(examples, c))
			}
		}
	}
	finish()
	return all
}

// with fills the slots of an outline.
func (s *scenario) with(names, values []string) scenario {
	fill := func(text string) string {
		for i, n := range names {
			text = strings.ReplaceAll(text, "<"+n+">", values[i])
		}
		return text
	}
	c := *s
	c.query, c.fails = fill(s.query), fill(s.fails)
	c.setup, c.params, c.rows, c.columns = nil, nil, nil, nil
	for _, t := range s.setup {
		c.setup = append(c.setup, fill(t))
	}
	for _, p := range s.params {
		c.params = append(c.params, [2]string{p[0], fill(p[1])})
	}
	for _, col := range s.columns {
		c.columns = append(c.columns, fill(col))
	}
	for _, r := range s.rows {
		var cells []string
		for _, cell := range r {
			cells = append(cells, fill(cell))
		}
		c.rows = append(c.rows, cells)
	}
	return c
}

// cells cuts a row of a table.
func cells(line string) (all []string) {
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
	for c := range strings.SplitSeq(line, "|") {
		c = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
		all = append(all, strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(c))
	}
	return all
}

package engine

import (
	"database/sql"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The gold of the question bank: a program of its own that reads the files of the
// graphs line by line, and knows nothing of the engine.
//
//	heads(REL)               tails(REL)           all that such lines have
//	is(KIND)                 NAME                 everything of a kind; one thing
//	to(SET, REL)             from(REL, SET)       near(SET, REL) goes both ways
//	and(A, B, …)             or(A, B, …)          minus(A, B)
//	hasout(SET, REL)         hasin(SET, REL, out) those of which there is such a line
//	star(SET, REL)           rstar(SET, REL)      over one line or more
//	where(SET, REL, OP, N)   than(SET, REL, OP, NAME)
//	when(SET, REL, OP, DATE)                      as far as both dates go
//	was(NAME, REL, OP, DATE)                      is value(NAME, REL, OP, N): yes or no
//	saidsum(NAME, REL, PROPERTY)                  saidavg; saidsumto of the lines that lead to it
//	begins(SET, REL, TEXT)   those whose value begins so: "2018-"
//	only(SET, >REL, SET)     all ends are of the set, and there is one
//	card(SET, >REL, OP, N, KIND|any)              <REL goes back, ~REL both ways
//	most(SET, >REL, LIMIT, SKIP, KIND|any)        fewest: none counts as 0
//	largest(SET, REL, LIMIT, SKIP)                smallest
//	said(REL, SET, FROM, TO, YEAR)                amount(REL, SET, PROPERTY, OP, N)
//	count(SET) sum(SET, REL, UNIT) avg min max          per(SET, >REL, KIND|any)
//	meancount(SET, >REL, KIND|any)                none counts as 0
//	share(SET, SET)                               of the second set, in percent
//	more(SET, >REL, OP, NAME, KIND|any)           by how many, than NAME has
//	counts(NAME, >REL, OP, N)                     yes or no; istimes(NAME, REL, N, NAME)
//	times(SET, REL, OP, N, NAME)                  moretimes(SET, >REL, OP, N, NAME) of how many
//	apart(NAME, REL, NAME)                        ratio(NAME, REL, NAME)
//	says(NAME, REL, NAME, PROPERTY)               spans(NAME, REL, NAME, FROM, TO) as texts
//	years(NAME, REL, NAME, FROM, TO)              how long it was so
//	longest(REL, NAME, FROM, TO, most|least)      of the lines that lead to a name
//	beside(REL, NAME, FROM, before|after, NAME, next|all)  besideof of the lines of a head
//	every(SET, >REL, SET)                         those with a line to each of the second set
//	are(SET, SET)                                 yes or no: all of the first are of the second
//	alone(NAME, <REL, NAME)                       yes or no: a line to it, and to nothing else
//	differ(NAME, >REL, NAME, KIND|any)            differs: how many times as many
//	saidmost(REL, NAME, PROPERTY, most|least, LIMIT, SKIP)  saidmostof of the lines of a head
//	is it(NAME, REL, OP, NAME)                    yes or no; has it(NAME, >REL, OP, NAME) by how many
//	connect(A, B, within=, via=, avoid=)          describe(A)  contrast(A, B)  refuse
//	sql SELECT …             of t, a row for each line, with a column for each property,
//	                         and n(head, rel, v), the values that are numbers, in m and kg

type line struct {
	head, rel, tail string
	props           map[string]string
}

type goldWorld struct {
	t          *testing.T
	db         *sql.DB // for golds that are queries; nil before the first
	lines      []line
	properties []string // of statements, in the order of the file
}

func readGoldWorld(t *testing.T, path string) *goldWorld {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &goldWorld{t: t}
	var header []string
	for i, l := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		f := strings.Split(l, map[bool]string{true: ",", false: "\t"}[strings.HasSuffix(path, ".csv")])
		if i == 0 && f[0] == "head" {
			header, w.properties = f, f[min(3, len(f)):]
			continue
		}
		if len(f) < 3 {
			continue
		}
		x := line{head: f[0], rel: f[1], tail: f[2], props: map[string]string{}}
		for k := 3; k < len(f); k++ {
			if f[k] != "" {
				x.props[header[k]] = f[k]
			}
		}
		w.lines = append(w.lines, x)
	}
	return w
}

type goldSet map[string]bool

func (w *goldWorld) ends(e, step string) (ends goldSet) {
	ends = goldSet{}
	for _, l := range w.lines {
		if l.rel != step[1:] {
			continue
		}
		if l.head == e && step[0] != '<' {
			ends[l.tail] = true
		}
		if l.tail == e && step[0] != '>' {
			ends[l.head] = true
		}
	}
	return ends
}

func (w *goldWorld) kind(name string) goldSet { return w.ends(name, "<is a") }

// value reads the first number of a thing's value, and a date by its year.
func (w *goldWorld) value(e, rel string) (float64, bool) {
	for v := range w.ends(e, ">"+rel) {
		word, unit, _ := strings.Cut(v, " ")
		n, err := strconv.ParseFloat(word, 64)
		if f := map[string]float64{"ft": 0.3048, "t": 1000, "km": 1000}[unit]; f > 0 {
			n *= f // in m and kg
		}
		return n, err == nil
	}
	return 0, false
}

// dated compares dates as texts, as far as both go.
func (w *goldWorld) dated(e, rel, op, with string) bool {
	for v := range w.ends(e, ">"+rel) {
		n := min(len(v), len(with))
		return holds(float64(strings.Compare(v[:n], with[:n])), op, 0)
	}
	return false
}

// saidOf returns the numbers that the lines of a head say, or those that lead to a name.
func (w *goldWorld) saidOf(name, rel, property string, to bool) (values []float64) {
	for _, l := range w.lines {
		word, _, _ := strings.Cut(l.props[property], " ")
		if v, err := strconv.ParseFloat(word, 64); err == nil && l.rel == rel && map[bool]string{true: l.tail, false: l.head}[to] == name {
			values = append(values, v)
		}
	}
	return values
}

func split(args string) (list []string) {
	depth, from := 0, 0
	for i, c := range args {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(args[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(args[from:]))
}

func (w *goldWorld) set(expr string) goldSet {
	name, args, ok := strings.Cut(expr, "(")
	if !ok || !slices.Contains([]string{"is", "to", "from", "near", "and", "or", "minus", "hasout", "hasin", "star", "rstar", "begins", "when", "where", "than", "only", "card", "more", "most", "fewest", "largest", "smallest", "said", "amount", "heads", "tails", "times", "moretimes", "saidmost", "saidmostof", "longest", "beside", "besideof", "every"}, name) {
		return goldSet{expr: true}
	}
	a := split(strings.TrimSuffix(args, ")"))
	out := goldSet{}
	step := func(s goldSet, step string) {
		for e := range s {
			maps.Copy(out, w.ends(e, step))
		}
	}
	switch name {
	case "is":
		return w.kind(a[0])
	case "heads", "tails":
		for _, l := range w.lines {
			if l.rel == a[0] {
				out[map[string]string{"heads": l.head, "tails": l.tail}[name]] = true
			}
		}
	case "to":
		step(w.set(a[0]), ">"+a[1])
	case "near":
		step(w.set(a[0]), "~"+a[1])
	case "from":
		step(w.set(a[1]), "<"+a[0])
	case "star", "rstar":
		dir := map[string]string{"star": ">", "rstar": "<"}[name]
		todo := slices.Collect(maps.Keys(w.set(a[0])))
		for len(todo) > 0 {
			e := todo[0]
			todo = todo[1:]
			for x := range w.ends(e, dir+a[1]) {
				if !out[x] {
					out[x] = true
					todo = append(todo, x)
				}
			}
		}
	case "or":
		for _, x := range a {
			maps.Copy(out, w.set(x))
		}
	case "and":
		out = w.set(a[0])
		for _, x := range a[1:] {
			other := w.set(x)
			maps.DeleteFunc(out, func(e string, _ bool) bool { return !other[e] })
		}
	case "minus":
		out = maps.Clone(w.set(a[0]))
		other := w.set(a[1])
		maps.DeleteFunc(out, func(e string, _ bool) bool { return other[e] })
	case "hasout", "hasin":
		dir := map[string]string{"hasout": ">", "hasin": "<"}[name]
		if len(a) > 2 {
			dir = ">"
		}
		for e := range w.set(a[0]) {
			if len(w.ends(e, dir+a[1])) > 0 {
				out[e] = true
			}
		}
	case "where", "than":
		for e := range w.set(a[0]) {
			var with float64
			known := true
			if name == "than" {
				with, known = w.value(a[3], a[1])
			} else {
				with, _ = strconv.ParseFloat(a[3], 64)
			}
			if v, ok := w.value(e, a[1]); ok && known && holds(v, a[2], with) {
				out[e] = true
			}
		}
	case "when":
		for e := range w.set(a[0]) {
			if w.dated(e, a[1], a[2], a[3]) {
				out[e] = true
			}
		}
	case "begins":
		for e := range w.set(a[0]) {
			for v := range w.ends(e, ">"+a[1]) {
				if strings.HasPrefix(v, a[2]) {
					out[e] = true
				}
			}
		}
	case "only":
		allowed := w.set(a[2])
		for e := range w.set(a[0]) {
			ends := w.ends(e, a[1])
			if len(ends) > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(ends)), func(x string) bool { return !allowed[x] }) {
				out[e] = true
			}
		}
	case "card":
		n, _ := strconv.ParseFloat(a[3], 64)
		for e := range w.set(a[0]) {
			if holds(float64(w.count(e, a[1], a[4])), a[2], n) {
				out[e] = true
			}
		}
	case "more":
		for e := range w.set(a[0]) {
			if holds(float64(w.count(e, a[1], a[4])), a[2], float64(w.count(a[3], a[1], a[4]))) {
				out[e] = true
			}
		}
	case "times", "moretimes":
		n, _ := strconv.ParseFloat(a[3], 64)
		for e := range w.set(a[0]) {
			v, ok := w.value(e, a[1])
			with, _ := w.value(a[4], a[1])
			if name == "moretimes" {
				v, with, ok = float64(w.count(e, a[1], "any")), float64(w.count(a[4], a[1], "any")), true
			}
			if ok && holds(v, a[2], n*with) {
				out[e] = true
			}
		}
	case "saidmost", "saidmostof":
		score := map[string]float64{}
		for _, l := range w.lines {
			to, of := l.tail, l.head
			if name == "saidmostof" {
				to, of = l.head, l.tail
			}
			word, _, _ := strings.Cut(l.props[a[2]], " ")
			if v, err := strconv.ParseFloat(word, 64); err == nil && l.rel == a[0] && to == a[1] {
				score[of] = v
			}
		}
		return pick(score, a[3] == "most", a[4], a[5])
	case "longest":
		score := map[string]float64{}
		for _, l := range w.lines {
			from, err := strconv.ParseFloat(l.props[a[2]], 64)
			to, is := strconv.ParseFloat(l.props[a[3]], 64)
			if err == nil && is == nil && l.rel == a[0] && l.tail == a[1] {
				score[l.head] += to - from
			}
		}
		return pick(score, a[4] == "most", "1", "0")
	case "beside", "besideof":
		ends := func(l line) (to, of string) {
			if name == "beside" {
				return l.tail, l.head
			}
			return l.head, l.tail
		}
		date, score := "", map[string]float64{}
		for _, l := range w.lines {
			if to, of := ends(l); l.rel == a[0] && to == a[1] && of == a[4] {
				date = l.props[a[2]]
			}
		}
		for _, l := range w.lines {
			to, of := ends(l)
			v, err := strconv.ParseFloat(l.props[a[2]], 64)
			if with, is := strconv.ParseFloat(date, 64); err == nil && is == nil && l.rel == a[0] && to == a[1] && (a[3] == "before" && v < with || a[3] == "after" && v > with) {
				score[of] = v
			}
		}
		return pick(score, a[3] == "before", map[string]string{"next": "1", "all": "1000"}[a[5]], "0")
	case "every":
		all := w.set(a[2])
		for e := range w.set(a[0]) {
			ends := w.ends(e, a[1])
			if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(x string) bool { return !ends[x] }) {
				out[e] = true
			}
		}
	case "most", "fewest":
		score := map[string]float64{}
		for e := range w.set(a[0]) {
			if n := w.count(e, a[1], a[4]); n > 0 || name == "fewest" {
				score[e] = float64(n)
			}
		}
		return pick(score, name == "most", a[2], a[3])
	case "largest", "smallest":
		score := map[string]float64{}
		for e := range w.set(a[0]) {
			if v, ok := w.value(e, a[1]); ok {
				score[e] = v
			}
		}
		return pick(score, name == "largest", a[2], a[3])
	case "said":
		year, _ := strconv.Atoi(a[4])
		of := w.set(a[1])
		for _, l := range w.lines {
			from, _ := strconv.Atoi(l.props[a[2]])
			to, _ := strconv.Atoi(l.props[a[3]])
			if l.rel == a[0] && of[l.tail] && from <= year && year <= to {
				out[l.head] = true
			}
		}
	case "amount":
		n, _ := strconv.ParseFloat(a[4], 64)
		of := w.set(a[1])
		for _, l := range w.lines {
			word, _, _ := strings.Cut(l.props[a[2]], " ")
			if v, err := strconv.ParseFloat(word, 64); err == nil && l.rel == a[0] && of[l.tail] && holds(v, a[3], n) {
				out[l.head] = true
			}
		}
	}
	return out
}

func (w *goldWorld) count(e, step, kind string) int {
	ends := w.ends(e, step)
	if strings.HasPrefix(kind, "is(") || strings.Contains(kind, "(") {
		of := w.set(kind)
		maps.DeleteFunc(ends, func(x string, _ bool) bool { return !of[x] })
	}
	return len(ends)
}

// pick keeps the first of a ranking, and all that tie with the last. What is skipped are values.
func pick(score map[string]float64, descending bool, limit, skip string) goldSet {
	n, _ := strconv.Atoi(limit)
	s, _ := strconv.Atoi(skip)
	values := slices.Collect(maps.Values(score))
	slices.Sort(values)
	values = slices.Compact(values)
	if descending {
		slices.Reverse(values)
	}
	out := goldSet{}
	for _, v := range values[min(s, len(values)):] {
		if len(out) >= n {
			break
		}
		for e := range score {
			if score[e] == v {
				out[e] = true
			}
		}
	}
	return out
}

func holds(v float64, op string, with float64) bool {
	switch op {
	case ">":
		return v > with
	case "<":
		return v < with
	case ">=":
		return v >= with
	case "<=":
		return v <= with
	}
	return v == with
}

// solve returns the gold of an expression: names, one number, or lines "name = number".
func (w *goldWorld) solve(expr string) []string {
	if query, ok := strings.CutPrefix(expr, "sql "); ok {
		return w.sql(query)
	}
	name, args, _ := strings.Cut(expr, "(")
	a := split(strings.TrimSuffix(args, ")"))
	var values []float64
	switch name {
	case "refuse":
		return []string{"refuse"}
	case "connect", "describe", "contrast":
		slices.Sort(a[:min(2, len(a))])
		return []string{name + " " + strings.Join(a, ", ")}
	case "count":
		return []string{strconv.Itoa(len(w.set(a[0])))}
	case "per":
		var rows []string
		for e := range w.set(a[0]) {
			if n := w.count(e, a[1], a[2]); n > 0 {
				rows = append(rows, fmt.Sprintf("%s = %d", e, n))
			}
		}
		slices.Sort(rows)
		return rows
	case "share":
		n := 0
		all := w.set(a[1])
		for e := range w.set(a[0]) {
			if all[e] {
				n++
			}
		}
		return []string{number6(100 * float64(n) / float64(len(all)))}
	case "says", "spans", "years":
		var texts []string
		for _, l := range w.lines {
			if l.head != a[0] || l.rel != a[1] || l.tail != a[2] {
				continue
			}
			first := l.props[a[3]]
			switch {
			case name == "says":
				texts = append(texts, first)
			case name == "years":
				from, _ := strconv.ParseFloat(first, 64)
				to, _ := strconv.ParseFloat(l.props[a[4]], 64)
				texts = append(texts, number6(to-from))
			case l.props[a[4]] == "":
				texts = append(texts, "since "+first)
			default:
				texts = append(texts, first+"–"+l.props[a[4]])
			}
		}
		return texts
	case "are":
		all := w.set(a[1])
		return []string{yes(!slices.ContainsFunc(slices.Collect(maps.Keys(w.set(a[0]))), func(e string) bool { return !all[e] }))}
	case "alone":
		ends := w.ends(a[0], a[1])
		return []string{yes(ends[a[2]] && len(ends) == 1)}
	case "differ", "differs":
		x, y := float64(w.count(a[0], a[1], a[3])), float64(w.count(a[2], a[1], a[3]))
		return []string{number6(map[string]float64{"differ": x - y, "differs": x / y}[name])}
	case "counts":
		n, _ := strconv.ParseFloat(a[3], 64)
		return []string{yes(holds(float64(w.count(a[0], a[1], "any")), a[2], n))}
	case "istimes":
		n, _ := strconv.ParseFloat(a[2], 64)
		v, _ := w.value(a[0], a[1])
		with, _ := w.value(a[3], a[1])
		return []string{yes(v == n*with)}
	case "apart", "ratio":
		v, _ := w.value(a[0], a[1])
		with, _ := w.value(a[2], a[1])
		return []string{number6(map[string]float64{"apart": v - with, "ratio": v / with}[name])}
	case "was":
		return []string{yes(w.dated(a[0], a[1], a[2], a[3]))}
	case "is value":
		v, _ := w.value(a[0], a[1])
		with, _ := strconv.ParseFloat(a[3], 64)
		return []string{yes(holds(v, a[2], with))}
	case "is it", "has it":
		x, y := float64(w.count(a[0], a[1], "any")), float64(w.count(a[3], a[1], "any"))
		if name == "is it" {
			x, _ = w.value(a[0], a[1])
			y, _ = w.value(a[3], a[1])
		}
		return []string{yes(holds(x, a[2], y))}
	case "meancount":
		all, n := w.set(a[0]), 0
		for e := range all {
			n += w.count(e, a[1], a[2])
		}
		return []string{number6(float64(n) / float64(len(all)))}
	case "saidsum", "saidavg", "saidsumto", "saidavgto":
		values = w.saidOf(a[0], a[1], a[2], name == "saidsumto")
	case "sum", "avg", "min", "max":
		unit := 1.0
		if len(a) > 2 {
			unit, _ = strconv.ParseFloat(a[2], 64)
		}
		for e := range w.set(a[0]) {
			if v, ok := w.value(e, a[1]); ok {
				values = append(values, v/unit)
			}
		}
	default:
		return slices.Sorted(maps.Keys(w.set(expr)))
	}
	if len(values) == 0 {
		w.t.Fatalf("%s has no values", expr)
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return []string{number6(map[string]float64{"sum": sum, "avg": sum / float64(len(values)), "min": slices.Min(values), "max": slices.Max(values)}[strings.TrimSuffix(strings.TrimPrefix(name, "said"), "to")])}
}

// sql returns the rows of a query.
func (w *goldWorld) sql(query string) (rows []string) {
	if w.db == nil {
		w.open()
	}
	found, err := w.db.QueryContext(w.t.Context(), query)
	if err != nil {
		w.t.Fatal(query, err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var v any
		if err := found.Scan(&v); err != nil {
			w.t.Fatal(query, err)
		}
		if n, ok := v.(float64); ok {
			v = number6(n)
		}
		rows = append(rows, fmt.Sprint(v))
	}
	if err := found.Err(); err != nil {
		w.t.Fatal(query, err)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// open makes a database of the lines.
func (w *goldWorld) open() {
	var err error
	if w.db, err = sql.Open("sqlite3", ":memory:"); err != nil {
		w.t.Fatal(err)
	}
	w.db.SetMaxOpenConns(1) // another would have a memory of its own
	w.t.Cleanup(func() { _ = w.db.Close() })
	do := func(text string, values ...any) {
		if _, err := w.db.ExecContext(w.t.Context(), text, values...); err != nil {
			w.t.Fatal(text, err)
		}
	}
	columns := append([]string{"head", "rel", "tail"}, w.properties...)
	do(`CREATE TABLE t ("` + strings.Join(columns, `", "`) + `")`)
	do(`CREATE VIEW n AS SELECT head, rel, CAST(tail AS REAL) * CASE WHEN tail LIKE '% ft' THEN 0.3048
		WHEN tail LIKE '% km' OR tail LIKE '% t' THEN 1000 ELSE 1 END AS v FROM t WHERE tail GLOB '[0-9]*'`)
	do("BEGIN")
	for _, l := range w.lines {
		values := []any{l.head, l.rel, l.tail}
		for _, p := range w.properties {
			v := any(l.props[p])
			if word, _, _ := strings.Cut(l.props[p], " "); word == "" {
				v = nil
			} else if n, err := strconv.ParseFloat(word, 64); err == nil {
				v = n
			}
			values = append(values, v)
		}
		do("INSERT INTO t VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")", values...)
	}
	do("COMMIT")
}

func yes(is bool) string { return map[bool]string{true: "yes", false: "no"}[is] }

func number6(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }

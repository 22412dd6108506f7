package synth

import (
	"cmp"
	_ "embed" // the lists of types, relations and words
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed types.txt
var typesText string

//go:embed relations.txt
var relationsText string

// The literal kinds, which ranges name like types.
const (
	yearType   = "Year"
	dateType   = "Date"
	numberType = "Number"
)

// family is a group of types whose entities have the same relations and names of
// one make. Its entities' places are contiguous.
type family struct {
	name   string
	kind   string // the name up to its dot
	share  int    // of all entities, against the other families
	degree int    // edges an entity, against the other families
	types  []int

	first, n int
	atLeast  []int // atLeast[k] entities have more than k edges
	scatter  permutation
	rules    []rule    // what its entities may be the head of
	pick     alias     // of rules
	closes   [][]int32 // closes[t] are the rules that lead to type t
}

// typ is a type of entities. Its entities' places are [first, first+n); the first
// are the best known.
type typ struct {
	name    string
	words   string // of the name
	family  int    // -1 for literals
	most    int    // 0: any number of entities
	weight  uint64
	first   int
	n       int
	literal literal
}

// rule says that entities of a family may have a relation, and to what.
type rule struct {
	relation int32
	many     bool
	weight   uint64
	types    []int
	pick     alias // of types
	skew     int   // see stream.skewed
}

// parseTypes reads types.txt.
func (w *World) parseTypes() {
	for line := range strings.Lines(typesText) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#":
		case f[0] == "family":
			kind, _, _ := strings.Cut(f[1], ".")
			w.families = append(w.families, family{name: f[1], kind: kind, share: number(f[2]), degree: number(f[3])})
		default:
			at := len(w.families) - 1
			for _, entry := range f {
				name, most, _ := strings.Cut(entry, "=")
				t := typ{name: name, words: spaced(name), family: at}
				if most != "" {
					t.most = number(most)
				}
				w.families[at].types = append(w.families[at].types, len(w.types))
				// Zipf's law within a family.
				t.weight = uint64(w.families[at].share) * 1e6 / uint64(len(w.families[at].types))
				w.types = append(w.types, t)
			}
		}
	}
}

// keepTypes keeps the count most wanted types, and of each family the first.
func (w *World) keepTypes(count int) {
	order := make([]int, len(w.types))
	wanted := make([]uint64, len(w.types))
	for i, t := range w.types {
		order[i], wanted[i] = i, t.weight
		if t.most > 0 {
			// Many relations lead to the types of few entities, such as countries.
			wanted[i] *= 20
		}
	}
	for _, f := range w.families {
		wanted[f.types[0]] = math.MaxUint64
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wanted[b], wanted[a]) })
	kept := make([]bool, len(w.types))
	for _, i := range order[:count] {
		kept[i] = true
	}
	all := w.types
	w.types = nil
	w.familyOf = make(map[string]int, len(all))
	for f := range w.families {
		w.families[f].types = nil
	}
	for i, t := range all {
		w.familyOf[t.name] = t.family
		if kept[i] {
			w.families[t.family].types = append(w.families[t.family].types, len(w.types))
			w.types = append(w.types, t)
		}
	}
}

// listed is a line of relations.txt.
type listed struct {
	tier                  int
	name, domains, ranges string
	many                  bool
}

func parseRelations() []listed {
	var out []listed
	for line := range strings.Lines(relationsText) {
		f := strings.Fields(line)
		if len(f) < 4 || f[0] == "#" {
			continue
		}
		out = append(out, listed{number(f[0]), f[1], f[2], f[3], len(f) > 4})
	}
	return out
}

// takeRelations keeps the count commonest relations and makes the rules of every
// family of them. Relation r has the weight (r+10)^−1.5 of a Zipf–Mandelbrot law.
func (w *World) takeRelations(count int) {
	lines := parseRelations()
	best := map[string]int{} // tier of a relation
	for _, l := range lines {
		if t, ok := best[l.name]; !ok || l.tier < t {
			best[l.name] = l.tier
		}
	}
	for name := range best {
		w.relations = append(w.relations, name)
	}
	slices.SortFunc(w.relations, func(a, b string) int {
		return cmp.Or(cmp.Compare(best[a], best[b]), cmp.Compare(textHash(a), textHash(b)), cmp.Compare(a, b))
	})
	w.relations = w.relations[:min(count, len(w.relations))]
	index := make(map[string]int, len(w.relations))
	for i, name := range w.relations {
		index[name] = i
	}
	for _, l := range lines {
		if r, ok := index[l.name]; ok {
			w.addRule(l, r)
		}
	}
}

func (w *World) addRule(l listed, relation int) {
	ru := rule{relation: int32(relation), many: l.many, types: w.rangeTypes(l.ranges), skew: 3 + int(textHash(l.name)%3)}
	x := uint64(relation + 10)
	ru.weight = 1e12 / (x * isqrt(x*1e6)) // 1e9·x^−1.5
	weights := make([]uint64, len(ru.types))
	for i, t := range ru.types {
		weights[i] = 1 + isqrt(uint64(w.types[t].n)) // small types are more often led to
	}
	if len(ru.types) == 1 && w.types[ru.types[0]].family < 0 {
		ru.skew = 2 // literals have no hubs to speak of
	}
	ru.pick = newAlias(weights)
	for domain := range strings.SplitSeq(l.domains, ",") {
		for i := range w.families {
			f := &w.families[i]
			one := w.familyNamed(domain, f.name) || w.familyHolds(domain, i)
			if one && !slices.ContainsFunc(f.rules, func(o rule) bool { return o.relation == ru.relation }) {
				f.rules = append(f.rules, ru)
			}
		}
	}
}

// familyNamed reports whether a family is meant by a name or the beginning of it.
func (w *World) familyNamed(want, name string) bool {
	return want == name || strings.HasPrefix(name, want+".")
}

// familyHolds reports whether a family holds the type of a name.
func (w *World) familyHolds(want string, at int) bool {
	f, ok := w.familyOf[want]
	return ok && f == at
}

// rangeTypes returns the types that a range names. A type that was not kept stands
// for its family where the range names nothing else.
func (w *World) rangeTypes(ranges string) []int {
	var out, instead []int
	for want := range strings.SplitSeq(ranges, ",") {
		for i, t := range w.types {
			if t.name == want || t.family >= 0 && w.familyNamed(want, w.families[t.family].name) {
				out = append(out, i)
			}
		}
		if f, ok := w.familyOf[want]; ok {
			instead = append(instead, w.families[f].types...)
		}
	}
	if len(out) == 0 {
		out = instead
	}
	if len(out) == 0 {
		panic(fmt.Sprintf("the built-in relations name the range %s, which is not there", ranges)) // a test reads them
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// number reads a number of the built-in lists.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("the built-in lists: %v", err)) // a test reads them
	}
	return n
}

// textHash is FNV-1a, mixed.
func textHash(text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range []byte(text) {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return mix(h)
}

// isqrt returns ⌊√x⌋.
func isqrt(x uint64) uint64 {
	if x < 2 {
		return x
	}
	r := x
	for next := (r + 1) / 2; next < r; next = (r + x/r) / 2 {
		r = next
	}
	return r
}

package propgraph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/wording"
)

// Naming tells which properties name the nodes of a graph, and which say what they
// are. It learns from the first nodes: Learn each of them, Decide, then Apply to all.
//
// A name is a text that differs from node to node and that most nodes of a kind have;
// among several, a property that is called as names are, and then the one that reads
// like a name and not like a code.
type Naming struct {
	kinds map[string]*kindFacts
	names []string            // properties that name nodes, the best first
	byOf  map[string][]string // the same for one kind
	codes map[string]bool     // kind and property that name a node in another way
	types []string            // properties that say what a node is
	label bool                // what formats give as a name is one
	named map[string]int      // how many nodes each property has named
}

// kindFacts is what was seen of one kind of node.
type kindFacts struct {
	nodes      int
	textualIDs int
	properties map[string]*propertyFacts
	order      []string
}

// propertyFacts is what was seen of one property.
type propertyFacts struct {
	nodes, values           int
	distinct                map[string]int
	letters, lower, spaces  int // values with letters, with small letters, with spaces
	numbers, length, longer int // values that begin with a digit; bytes; values longer than a name
}

// ownName stands for the name that the format gives.
const ownName = "\x00name"

// What properties are called that name a node, say what it is, and describe it; of
// two, the first counts more.
var (
	nameWords = []string{
		ownName, "preflabel", "preferredlabel", "preferredname", "displayname", "name", "fullname", "label", "title", "caption", "longname", "entityname", "nodename", "shortname",
	}
	typeWords = []string{"entitytype", "nodetype", "objecttype", "type", "category", "kind", "class", "label", "group"}
	textWords = []string{"description", "desc", "definition", "abstract", "summary", "comment"}
)

// maxDistinct is how many values of a property are told apart.
const maxDistinct = 5000

// Learn looks at a node.
func (n *Naming) Learn(x *Node) {
	if n.kinds == nil {
		n.kinds = map[string]*kindFacts{}
	}
	kind := kindOf(x)
	k := n.kinds[kind]
	if k == nil {
		k = &kindFacts{properties: map[string]*propertyFacts{}}
		n.kinds[kind] = k
	}
	k.nodes++
	if isText(x.ID) {
		k.textualIDs++
	}
	if x.Name != "" {
		k.learn(ownName, x.Name, nil)
	}
	seen := map[string]bool{}
	for i := range x.Properties {
		k.learn(x.Properties[i].Name, x.Properties[i].Value, seen)
	}
}

func kindOf(x *Node) string {
	if len(x.Kinds) == 0 {
		return x.Space
	}
	return x.Kinds[0]
}

func (k *kindFacts) learn(name, value string, seen map[string]bool) {
	p := k.properties[name]
	if p == nil {
		p = &propertyFacts{distinct: map[string]int{}}
		k.properties[name] = p
		k.order = append(k.order, name)
	}
	if !seen[name] {
		p.nodes++
		if seen != nil {
			seen[name] = true
		}
	}
	p.values++
	p.length += len(value)
	if len(p.distinct) < maxDistinct {
		p.distinct[value]++
	}
	if strings.IndexFunc(value, unicode.IsLetter) >= 0 {
		p.letters++
	}
	if strings.IndexFunc(value, func(r rune) bool {
		return unicode.IsLower(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Hangul, unicode.Arabic)
	}) >= 0 {
		p.lower++
	}
	if strings.ContainsRune(value, ' ') {
		p.spaces++
	}
	if len(value) > 0 && (value[0] >= '0' && value[0] <= '9' || value[0] == '-') {
		p.numbers++
	}
	const long = 80
	if len(value) > long || strings.Count(value, " ") > 12 || strings.Contains(value, "://") {
		p.longer++
	}
}

// share is part of all, 0 for nothing.
func share(some, all int) float64 { return float64(some) / float64(max(all, 1)) }

// asName is how well a property would name the nodes of a kind; 0 where it would not.
func (k *kindFacts) asName(name string) float64 {
	p := k.properties[name]
	distinct := share(len(p.distinct), min(p.values, maxDistinct))
	present, textual, lower := share(p.nodes, k.nodes), share(p.letters, p.values), share(p.lower, p.values)
	word := slices.Index(nameWords, wording.Plain(name))
	if name == ownName {
		word = 0
	}
	if i := strings.LastIndexAny(name, "./"); word < 0 && i >= 0 { // Gene.name
		word = slices.Index(nameWords, wording.Plain(name[i+1:]))
	}
	switch {
	case word >= 0 && (present < 0.3 || textual < 0.5 || distinct < 0.3 && p.values >= 4), p.values == 0:
		return 0
	case word >= 0:
		return 10 - float64(word)/4
	case present < 0.8 || distinct < 0.95 || textual < 0.9 || lower < 0.6 || share(p.longer, p.values) > 0.1 || share(p.numbers, p.values) > 0.5:
		return 0
	case 2*k.textualIDs > k.nodes || k.nodes < 4: // the ids are names, or there is too little to go by
		return 0
	}
	return distinct + present + share(p.spaces, p.values)
}

// isCode reports whether a property is a short code that stands for one node alone.
func (k *kindFacts) isCode(name string) bool {
	p := k.properties[name]
	return name != ownName && k.nodes >= 4 && len(p.distinct) == p.values && share(p.nodes, k.nodes) >= 0.8 && p.values == p.nodes &&
		share(p.letters, p.values) >= 0.9 && p.spaces == 0 && p.longer == 0 && share(p.length, p.values) <= 20
}

// isText reports whether an id is a name: it has letters that are no prefix of a number.
func isText(id string) bool {
	last, _ := utf8.DecodeLastRuneInString(id)
	return strings.IndexFunc(id, unicode.IsLetter) >= 0 && !unicode.IsDigit(last) && !strings.Contains(id, ":")
}

// Decide settles what was learnt.
func (n *Naming) Decide() {
	n.byOf, n.codes, n.named = map[string][]string{}, map[string]bool{}, map[string]int{}
	best := map[string]float64{}
	var order []string
	types := map[string]bool{}
	kinds := slices.SortedFunc(maps.Keys(n.kinds), func(a, b string) int { // the largest first
		return cmp.Or(cmp.Compare(n.kinds[b].nodes, n.kinds[a].nodes), strings.Compare(a, b))
	})
	for _, kind := range kinds {
		k := n.kinds[kind]
		scores := map[string]float64{}
		var own, codes []string
		for _, name := range k.order {
			if s := k.asName(name); s > 0 {
				scores[name] = s
				own = append(own, name)
			}
			if k.isCode(name) {
				n.codes[kind+"\x00"+name] = true
				codes = append(codes, name)
			}
			p := k.properties[name]
			at := slices.Index(typeWords, wording.Plain(name))
			few := len(p.distinct) <= max(3, k.nodes/10) && share(p.letters, p.values) > 0.9 && share(p.longer, p.values) < 0.1
			if at >= 0 && few && scores[name] == 0 {
				types[name] = true
			}
		}
		if len(own) == 0 && len(codes) > 0 && k.textualIDs == 0 {
			own = codes[:1] // an id such as 83 says less than an account's number
		}
		slices.SortStableFunc(own, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
		n.byOf[kind] = own
		for _, name := range own {
			if _, known := best[name]; !known {
				order = append(order, name)
			}
			best[name] += scores[name] * float64(k.nodes)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(best[b], best[a]) })
	n.names = order
	n.types = slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return 2*(slices.Index(typeWords, wording.Plain(a))-slices.Index(typeWords, wording.Plain(b))) + strings.Compare(a, b)
	})
	if len(n.types) > 1 {
		n.types = n.types[:1] // the surest; the others stay properties
	}
	n.label = slices.Contains(n.names, ownName) || len(n.kinds) == 0
	n.kinds = nil
}

// Names returns the properties that have named nodes, those of the most first.
func (n *Naming) Names() []string {
	return slices.SortedFunc(maps.Keys(n.named), func(a, b string) int {
		return cmp.Or(cmp.Compare(n.named[b], n.named[a]), strings.Compare(a, b))
	})
}

// Apply names a node, and takes out of its properties what says its name, its kind or
// what describes it. A code stays a property and is another name.
func (n *Naming) Apply(x *Node) {
	kind := kindOf(x)
	names, seen := n.byOf[kind]
	if !seen {
		names = n.names
	}
	given := x.Name
	x.Name = ""
	for _, name := range names {
		if name == ownName {
			x.Name = given
		} else if x.Name = first(x, name); x.Name != "" {
			n.named[name]++
		}
		if x.Name != "" {
			break
		}
	}
	if given != "" && given != x.Name && given != x.ID {
		x.Properties = append(x.Properties, Property{Name: "label", Value: given})
	}
	for i := range x.Properties {
		if p := &x.Properties[i]; n.codes[kind+"\x00"+p.Name] && p.Value != x.Name {
			x.Aliases = append(x.Aliases, p.Value)
		}
	}
	if len(x.Kinds) == 0 {
		for _, name := range n.types {
			x.Kinds = append(x.Kinds, take(&x.Properties, wording.Plain(name))...)
		}
	} else { // a property that says again what the labels say
		x.Properties = slices.DeleteFunc(x.Properties, func(p Property) bool {
			return slices.Contains(n.types, p.Name) && slices.Contains(x.Kinds, p.Value)
		})
	}
	if x.Description == "" {
		if text := take(&x.Properties, textWords...); len(text) > 0 {
			x.Description = text[0]
			for _, more := range text[1:] {
				x.Properties = append(x.Properties, Property{Name: "description", Value: more})
			}
		}
	}
}

// first takes the first value of a property out of a node.
func first(x *Node, name string) string {
	for i, p := range x.Properties {
		if p.Name == name {
			x.Properties = slices.Delete(x.Properties, i, i+1)
			return p.Value
		}
	}
	return ""
}

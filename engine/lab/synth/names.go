package synth

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The namespaces of a world's keys. example.org is set aside for such use (RFC
// 2606).
const (
	resource = "http://example.org/resource/"
	ontology = "http://example.org/ontology/"
)

// literal is a kind of literal.
type literal uint8

const (
	noLiteral literal = iota
	yearLiteral
	dateLiteral
	numberLiteral
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

var literalTypes = []string{yearLiteral: xsd + "gYear", dateLiteral: xsd + "date", numberLiteral: xsd + "integer"}

// latestYear is the year of the commonest year and date.
const latestYear = 2024

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendLiteral appends literal number i of a kind; all differ.
func appendLiteral(b []byte, kind literal, i int) []byte {
	switch kind {
	case yearLiteral:
		return appendInt(b, latestYear-i)
	case dateLiteral:
		// Months of 28 days, so that every date is one.
		month, day := i/28%12+1, i%28+1
		b = appendInt(b, latestYear-i/336)
		return append(b, '-', byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
	case numberLiteral, noLiteral:
	}
	if i < 1000 {
		return appendInt(b, i)
	}
	return appendInt(b, 1000+(i-1000)*37+int(mix(uint64(i))%37))
}

// appendLabel appends the label of a place.
func (w *World) appendLabel(b []byte, place int) []byte {
	t := &w.types[w.typeOf(place)]
	if t.family < 0 {
		return appendLiteral(b, t.literal, place-t.first)
	}
	n := namer{b: b, s: newStream(w.o.Seed, purposeName, place), w: w.words}
	w.name(&n, t)
	return n.b
}

// appendKey appends the key of a place. An IRI ends with the place, so that no two
// are the same.
func (w *World) appendKey(b []byte, place int) []byte {
	t := &w.types[w.typeOf(place)]
	if t.family < 0 {
		b = append(b, '"')
		b = appendLiteral(b, t.literal, place-t.first)
		b = append(b, `"^^<`...)
		b = append(b, literalTypes[t.literal]...)
		return append(b, '>')
	}
	b = append(b, resource...)
	at := len(b)
	b = w.appendLabel(b, place)
	keep := at
	for _, c := range b[at:] {
		switch c {
		case ' ':
			c = '_'
		case '"':
			continue
		}
		b[keep] = c
		keep++
	}
	b = append(b[:keep], "__"...)
	return strconv.AppendInt(b, int64(place), 36)
}

// language returns the language of a label by its script.
func language(label []byte) string {
	r, _ := utf8.DecodeRune(label)
	switch {
	case r < 0x370:
		return "en"
	case r < 0x400:
		return "el"
	case r < 0x530:
		return "ru"
	case r >= 0x600 && r < 0x700:
		return "ar"
	case r >= 0x30A0 && r < 0x3100:
		return "ja"
	case r >= 0x4E00:
		return "zh"
	}
	return "en"
}

// name writes the name of an entity of type t.
func (w *World) name(n *namer, t *typ) {
	family, kind := w.families[t.family].name, w.families[t.family].kind
	script := n.s.below(100)
	if script < 7 && (kind == "person" || kind == "place" || kind == "work" || kind == "org") {
		n.foreignName(script, kind)
		return
	}
	switch family {
	case "place.settlement":
		if t.most > 0 {
			n.land()
		} else {
			n.settlement()
		}
	case "place.natural", "place.building", "place.transport":
		n.site(t.words)
	case "org.team":
		n.team()
	case "org.company", "org.public", "org.school":
		n.organisation(family, t.words)
	case "event.sport", "event.other":
		n.event(t.words)
	case "product.vehicle", "product.other":
		n.product()
	default:
		switch kind {
		case "person":
			n.person(t.words)
		case "work", "org":
			n.work(t.words)
		case "species":
			n.species()
		case "sky":
			n.sky(t.words)
		default:
			n.topic(t.words)
		}
	}
}

// foreignName writes a name in another script.
func (n *namer) foreignName(script int, kind string) {
	w := n.w
	given, syllables, gap := w.cyrillic, w.cyrillicSyllable, " "
	switch script {
	case 0:
		given, syllables = w.greek, w.greekSyllable
	case 1, 2:
		given, syllables = w.arabic, w.arabicSyllable
	case 3:
		given, syllables, gap = w.han, w.hanSyllable, ""
	case 4:
		given, syllables, gap = w.kana, w.kanaSyllable, "・"
	}
	n.foreign(given, syllables, 3_000)
	if kind == "place" && n.s.chance(60) {
		return
	}
	n.text(gap)
	n.foreign(nil, syllables, 60_000)
	if script >= 5 {
		n.of(w.cyrillicEnd, 2)
	}
}

func (n *namer) firstName() { n.word(n.w.first, 20_000) }
func (n *namer) lastName()  { n.word(n.w.last, 400_000) }

func (n *namer) person(kind string) {
	n.firstName()
	switch n.s.below(20) {
	case 0, 1, 2:
		n.space()
		n.b = append(n.b, byte('A'+n.s.below(26)), '.')
	case 3, 4:
		n.space()
		n.firstName()
	case 5:
		n.text(` "`)
		n.of(n.w.title, 2)
		n.text(`"`)
	case 6:
		n.text([]string{" de", " van", " von", " ibn", " di", " dos"}[n.s.below(6)])
	}
	n.space()
	n.lastName()
	switch n.s.below(25) {
	case 0:
		n.text("-")
		n.lastName()
	case 1:
		n.text([]string{" Jr.", " II", " III", ", 3rd Baron"}[n.s.below(4)])
	case 2, 3:
		n.paren(kind)
	}
}

// paren writes what tells a name from others of the same words.
func (n *namer) paren(words string) {
	n.text(" (")
	n.text(words)
	n.text(")")
}

// placeName writes one word for a place.
func (n *namer) placeName() {
	switch n.s.below(10) {
	case 0:
		n.word(n.w.place, 200_000)
	case 1, 2:
		n.lastName()
	default:
		at := len(n.b)
		n.word(n.w.place, 60_000)
		if n.b[len(n.b)-1] < 'A' || len(n.b)-at > 12 {
			return
		}
		n.of(n.w.placeEnd, 2)
	}
}

// land writes the name of a country, a state or a continent.
func (n *namer) land() {
	switch n.s.below(8) {
	case 0:
		n.text([]string{"Republic of ", "Kingdom of ", "Duchy of ", "United "}[n.s.below(4)])
	case 1:
		n.text([]string{"North ", "South ", "New ", "East ", "Upper "}[n.s.below(5)])
	}
	n.coined(n.s.below(20_000), n.w.plain)
	n.text([]string{"", "", "ia", "land", "stan", "ria", "nia", "mark"}[n.s.below(8)])
}

func (n *namer) settlement() {
	switch n.s.below(12) {
	case 0:
		n.text([]string{"New", "Saint", "Upper", "Lower", "Great", "Old", "Port", "Fort"}[n.s.below(8)])
		n.space()
	case 1:
		n.text([]string{"San", "Santa", "El", "La", "Le", "Nova", "Bad", "Velké"}[n.s.below(8)])
		n.space()
	}
	n.placeName()
	switch n.s.below(10) {
	case 0:
		n.space()
		n.text([]string{"Township", "County", "District", "Parish", "Valley", "Heights"}[n.s.below(6)])
	case 1:
		n.text([]string{"-upon-", "-sur-", " am ", " de la "}[n.s.below(4)])
		n.placeName()
	}
	if n.s.chance(38) {
		n.text(", ")
		n.word(n.w.region, 900)
	}
}

func (n *namer) site(kind string) {
	switch n.s.below(10) {
	case 0:
		n.text("St. ")
		n.firstName()
		n.text("'s ")
		n.capital(kind)
		return
	case 1:
		n.capital(kind)
		n.text(" of ")
		n.placeName()
		return
	case 2:
		n.adjective()
		n.space()
	case 3:
		n.firstName()
		n.space()
		n.lastName()
		n.space()
		n.capital(kind)
		return
	}
	n.placeName()
	if n.s.chance(80) {
		n.space()
		n.capital(kind)
	}
	if n.s.chance(12) {
		n.text(" (")
		n.word(n.w.region, 900)
		n.text(")")
	}
}

// capital writes words with capitals.
func (n *namer) capital(words string) {
	up := true
	for _, c := range []byte(words) {
		if up && c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		n.b = append(n.b, c)
		up = c == ' '
	}
}

func (n *namer) adjective() { n.of(n.w.adjective, 2) }

func (n *namer) team() {
	switch n.s.below(5) {
	case 0:
		n.text([]string{"FC", "AC", "SK", "CD", "SV", "FK", "US", "AS"}[n.s.below(8)])
		n.space()
		n.placeName()
	case 1:
		n.placeName()
		n.text([]string{" F.C.", " RFC", " HC", " BC", " women's team", " national team"}[n.s.below(6)])
	default:
		n.placeName()
		n.space()
		n.of(n.w.teamEnd, 2)
	}
}

func (n *namer) organisation(family, kind string) {
	switch n.s.below(8) {
	case 0, 1:
		n.capital(kind)
		n.text(" of ")
		n.placeName()
	case 2:
		n.adjective()
		n.space()
		n.capital(kind)
	case 3:
		n.lastName()
		n.text(" & ")
		n.lastName()
	case 4:
		n.adjective()
		n.space()
		n.placeName()
		n.space()
		n.capital(kind)
	default:
		n.placeName()
		n.space()
		if family == "org.company" {
			n.of(n.w.company, 2)
		} else {
			n.capital(kind)
		}
	}
}

// work writes a title.
func (n *namer) work(kind string) {
	title := func() { n.word(n.w.title, 30_000) }
	switch n.s.below(14) {
	case 0:
		n.text("The ")
		title()
	case 1:
		title()
		n.text(" for a ")
		title()
		n.space()
		title()
	case 2, 3:
		n.text("The ")
		title()
		n.space()
		title()
	case 4:
		title()
		n.text(" of the ")
		title()
	case 5:
		title()
		n.text(" and ")
		title()
	case 6:
		title()
		n.text(" in ")
		n.placeName()
	case 7:
		n.firstName()
		n.text("'s ")
		title()
	case 8:
		title()
		n.text(" of ")
		title()
		n.text(": The ")
		title()
		n.space()
		title()
	case 9:
		title()
	case 10:
		title()
		n.space()
		n.number(2, 30)
	default:
		title()
		n.space()
		title()
	}
	switch n.s.below(10) {
	case 0, 1:
		n.paren(kind)
	case 2:
		n.text(" (")
		n.year()
		n.space()
		n.text(kind)
		n.text(")")
	}
}

func (n *namer) species() {
	n.of(n.w.genus, 1)
	if n.s.chance(50) {
		n.of(n.w.plain, 2)
	}
	n.of(n.w.genusEnd, 1)
	if n.s.chance(12) {
		return // a genus
	}
	n.space()
	if n.s.chance(45) {
		n.of(n.w.epithet, 2)
		return
	}
	at := len(n.b)
	n.coined(n.s.skewed(40_000, 3), n.w.plain)
	n.b[at] |= 'a' - 'A'
	n.text([]string{"us", "a", "um", "is", "ensis", "i", "ae", "oides"}[n.s.below(8)])
}

func (n *namer) event(kind string) {
	switch n.s.below(6) {
	case 0, 1, 2:
		n.year()
		if n.s.chance(25) {
			n.text("–")
			n.number(10, 100)
		}
		n.space()
		n.placeName()
		n.space()
		n.text(kind)
	case 3:
		n.capital(kind)
		n.text(" of ")
		n.placeName()
	case 4:
		n.year()
		n.space()
		n.adjective()
		n.space()
		n.capital(kind)
	default:
		n.placeName()
		n.space()
		n.capital(kind)
		n.text(" (")
		n.year()
		n.text(")")
	}
}

func (n *namer) product() {
	switch n.s.below(5) {
	case 0:
		n.text([]string{"USS ", "HMS ", "SS ", "MV ", "INS "}[n.s.below(5)])
		n.word(n.w.place, 60_000)
	case 1:
		n.lastName()
		n.space()
		n.number(100, 1000)
	case 2:
		n.adjective()
		n.space()
		n.of(n.w.thing, 1)
	case 3:
		n.placeName()
		n.space()
		n.of(n.w.thing, 1)
	default:
		n.word(n.w.last, 120_000)
		n.space()
		n.b = append(n.b, byte('A'+n.s.below(26)))
		n.number(1, 100)
	}
}

func (n *namer) topic(kind string) {
	switch n.s.below(5) {
	case 0:
		n.lastName()
		n.space()
		n.text(kind)
	case 1:
		n.placeName()
		n.space()
		n.text(kind)
	case 2:
		n.adjective()
		n.space()
		n.of(n.w.thing, 1)
	case 3:
		n.coined(n.s.skewed(50_000, 2), n.w.syllable)
		n.space()
		n.of(n.w.thing, 1)
	default:
		n.adjective()
		n.space()
		n.placeName()
		n.space()
		n.text(kind)
	}
}

func (n *namer) sky(kind string) {
	switch n.s.below(4) {
	case 0:
		n.text([]string{"NGC ", "IC ", "HD ", "Gliese ", "Messier "}[n.s.below(5)])
		n.number(1, 250_000)
	case 1:
		n.lastName()
		n.space()
		n.text(kind)
	default:
		n.number(1, 600_000)
		n.space()
		n.coined(n.s.skewed(50_000, 2), n.w.syllable)
	}
}

// spaced returns the words of a type's name: "SoccerPlayer" is soccer player.
func spaced(name string) string {
	var b strings.Builder
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && (name[i-1] >= 'a' || i+1 < len(name) && name[i+1] >= 'a') {
			b.WriteByte(' ')
		}
		if upper {
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

package kg

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Unit is how numbers are measured: n of it are n·Factor+Offset of the first unit of its
// dimension.
type Unit struct {
	Symbol, Dimension string
	Factor, Offset    float64
}

// unitTable has a dimension a line, with its units: symbols, the factor (with an offset), and
// names. Names that say different units in different countries, such as gallon, are left out;
// a pound is money or a mass, and what is measured tells.
const unitTable = `
length: m 1 metre meter metres | km 1000 kilometre kilometer | cm 0.01 centimetre centimeter | mm 0.001 millimetre millimeter | µm μm 1e-6 micrometre micrometer micron | nm 1e-9 nanometre nanometer | mi 1609.344 mile | ft 0.3048 foot feet | 0.0254 inches inch | 0.9144 yards yard | 1852 nautical_miles nautical_mile | nmi 1852 | Å 1e-10 angstrom | AU 149597870700 astronomical_unit | ly 9460730472580800 light-year light_year
area: m² m2 m^2 1 square_metre square_meter sq_m | km² km2 km^2 sq_km 1e6 square_kilometre square_kilometer | ha 1e4 hectare | sq_mi 2589988.110336 square_mile mi² mi2 | 0.09290304 sq_ft square_feet square_foot ft² ft2 | 4046.8564224 acres acre
volume: m³ m3 1 cubic_metre cubic_meter | km³ km3 1e9 cubic_kilometre cubic_kilometer | l L 0.001 litre liter | ml mL 1e-6 millilitre milliliter | µl μl 1e-9 microlitre microliter | cl cL 1e-5 centilitre centiliter | dl dL 1e-4 decilitre deciliter | hl hL 0.1 hectolitre hectoliter
mass: kg 1 kilogram kilogramme kilo | g 0.001 gram gramme | mg 1e-6 milligram | µg μg 1e-9 microgram | ng 1e-12 nanogram | t 1000 tonne ton | lb 0.45359237 pound lbs | 0.028349523125 ounces ounce oz
atomic mass: u Da 1 dalton | kDa 1000 kilodalton
time: s 1 second | ms 0.001 millisecond | µs μs 1e-6 microsecond | ns 1e-9 nanosecond | min 60 minute | h 3600 hour | 86400 days day | 604800 weeks week | 2629746 months month | 31556952 years year
speed: m/s 1 metres_per_second meters_per_second | km/h 0.27777777777777778 kilometres_per_hour kilometers_per_hour kph kmh | mph 0.44704 miles_per_hour | kn 0.51444444444444444 knot
temperature: K 1 kelvin | °C 1+273.15 degrees_Celsius degree_Celsius | °F 0.55555555555555556+255.37222222222222 degrees_Fahrenheit degree_Fahrenheit
angle: ° 1 degree
frequency: Hz 1 hertz | rpm 0.016666666666666667 | kHz 1e3 kilohertz | MHz 1e6 megahertz | GHz 1e9 gigahertz
power: W 1 watt | kW 1e3 kilowatt | MW 1e6 megawatt | GW 1e9 gigawatt | 745.69987158227022 hp horsepower
energy: J 1 joule | kJ 1e3 kilojoule | eV 1.602176634e-19 electronvolt | keV 1.602176634e-16 | MeV 1.602176634e-13 | MJ 1e6 megajoule | GJ 1e9 gigajoule | Wh 3600 watt_hour | kWh 3.6e6 kilowatt_hour | MWh 3.6e9 megawatt_hour | GWh 3.6e12 gigawatt_hour | TWh 3.6e15 terawatt_hour | kcal 4184 kilocalorie
voltage: V 1 volt | mV 0.001 millivolt | kV 1e3 kilovolt
current: 1 ampere | mA 0.001 milliampere
force: kN 1e3 kilonewton
sound: dB 1 decibel
concentration: mol/l mol/L 1 | mM 0.001 millimolar | µM μM 1e-6 micromolar | nM 1e-9 nanomolar
pressure: Pa 1 pascal | hPa 100 hectopascal | kPa 1000 kilopascal | MPa 1e6 megapascal | GPa 1e9 gigapascal | bar 1e5 | mbar 100 millibar | psi 6894.757293168 | mmHg 133.322387415
density: kg/m³ kg/m3 1 | g/cm³ g/cm3 1000
data: 1 bytes byte | kB KB 1e3 kilobyte | MB 1e6 megabyte | GB 1e9 gigabyte | TB 1e12 terabyte | KiB 1024 | MiB 1048576 | GiB 1073741824 | TiB 1099511627776
data rate: bit/s bps 1 | kbit/s kbps 1e3 | Mbit/s Mbps 1e6 | Gbit/s Gbps 1e9
share: % 1 percent per_cent pct | ‰ 0.1 per_mille
money in dollars: $ USD 1 dollar
money in euros: € EUR 1 euro
money in pounds: £ GBP 1 pound
money in yen: ¥ JPY 1
money in francs: CHF 1 franc
money in yuan: CNY 1
money in rupees: INR 1 rupee
`

var (
	// symbols are the units by what may follow a number in a label. Case counts, and names
	// are not among them: "21 g" is a mass and "21 Grams" a film. Behind a word for a power of
	// ten they are, "4 million dollars".
	symbols = map[string]Unit{}
	// unitNames are the units by their names, in lower case.
	unitNames = map[string][]Unit{}
)

func init() {
	for line := range strings.Lines(strings.TrimSpace(unitTable)) {
		dimension, list, _ := strings.Cut(line, ":")
		for entry := range strings.SplitSeq(list, "|") {
			words := strings.Fields(entry)
			at := slices.IndexFunc(words, func(w string) bool { return w[0] >= '0' && w[0] <= '9' })
			factor, offset, _ := strings.Cut(words[at], "+")
			words = slices.Delete(words, at, at+1)
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "_", " ")
			}
			u := Unit{Symbol: words[0], Dimension: dimension}
			u.Factor, _ = strconv.ParseFloat(factor, 64)
			u.Offset, _ = strconv.ParseFloat(offset, 64)
			for i, w := range words {
				if i < at {
					symbols[w] = u
				} else {
					unitNames[strings.ToLower(w)] = append(unitNames[strings.ToLower(w)], u)
				}
			}
		}
	}
}

// UnitsOf returns the units that a symbol or a name stands for: "km", "Miles", "square feet".
// Most have one.
func UnitsOf(text string) []Unit {
	if u, ok := symbols[text]; ok {
		return []Unit{u}
	}
	name := strings.ToLower(text)
	if us := unitNames[name]; us != nil {
		return us
	}
	if us := unitNames[strings.TrimSuffix(name, "s")]; us != nil {
		return us
	}
	if u, ok := symbols[strings.ToUpper(name)]; ok && len(name) == len("EUR") { // the code of a currency
		return []Unit{u}
	}
	return nil
}

// Adds reports whether amounts in a unit make a whole when they are added up, as those of money and mass do, and
// shares, temperatures and concentrations do not.
func Adds(unit string) bool {
	us := UnitsOf(unit)
	return unit == "" || len(us) > 0 && !slices.Contains([]string{"share", "temperature", "angle", "frequency", "speed", "voltage", "pressure", "density", "atomic mass"}, us[0].Dimension)
}

// UnitsWritten is UnitsOf where a name may have lost the case of its letters: "kw". What may be
// two units, "mw", is none.
func UnitsWritten(small string) []Unit {
	found := UnitsOf(small)
	if len(found) > 0 || len(small) < 2 {
		return found
	}
	if found = smallSymbols()[strings.ToLower(small)]; len(found) > 1 {
		return nil
	}
	return found
}

// OfDimension leaves of several units that have one name, pounds of money or of a mass, those of a dimension.
func OfDimension(us []Unit, dimension string) []Unit {
	if len(us) < 2 {
		return us
	}
	return slices.DeleteFunc(slices.Clone(us), func(u Unit) bool {
		return dimension == "" || u.Dimension != dimension && !strings.HasPrefix(u.Dimension, dimension+" in ")
	})
}

// smallSymbols are the units by their symbols in small letters.
var smallSymbols = sync.OnceValue(func() map[string][]Unit {
	out := map[string][]Unit{}
	for symbol, u := range symbols {
		if small := strings.ToLower(symbol); !slices.Contains(out[small], u) {
			out[small] = append(out[small], u)
		}
	}
	return out
})

// scales are the words that multiply a number.
var scales = map[string]float64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

// shortScales are other ways to write them, and moneyScales those that stand beside a currency
// alone: "m" is a metre, but not in "m USD".
var (
	shortScales = map[string]string{
		"tsd": "thousand", "1000": "thousand", "1,000": "thousand", "000": "thousand", "mio": "million", "mln": "million", "mn": "million", "bn": "billion", "mrd": "billion",
	}
	moneyScales = map[string]string{"k": "thousand", "m": "million", "b": "billion"}
)

// scaleOf returns the word that a way to write it stands for; "" for none.
func scaleOf(text string) string {
	text = strings.TrimSuffix(strings.Trim(strings.ToLower(text), "'’."), "s")
	if scales[text] > 0 {
		return text
	}
	return shortScales[text]
}

// Scale returns what a word behind a number multiplies it by: "million", "bn"; 0 for none.
func Scale(word string) float64 {
	switch word {
	case "hundred":
		return 1e2
	case "k":
		return 1e3
	}
	return scales[scaleOf(word)]
}

// Scaled divides a unit with a power of ten into the word for that and the rest: "M USD" is million
// and USD, "thousand" is thousand alone. The word is "" where it has none.
func Scaled(unit string) (scale, rest string) {
	words := strings.Fields(strings.NewReplacer("_", " ", " of ", " ").Replace(strings.TrimPrefix(unit, "in ")))
	if len(words) == 0 {
		return "", unit
	}
	for _, i := range []int{0, len(words) - 1} {
		rest = strings.Join(slices.Delete(slices.Clone(words), i, i+1), " ")
		if scale = scaleOf(words[i]); scale != "" && (rest == "" || UnitsOf(rest) != nil) {
			return scale, rest
		}
		if scale = moneyScales[strings.ToLower(words[i])]; scale != "" && isMoney(rest) {
			return scale, rest
		}
	}
	for _, of := range [2][2]string{{unit[:1], unit[1:]}, {unit[len(unit)-1:], unit[:len(unit)-1]}} { // "kEUR", "$m"
		if scale = moneyScales[strings.ToLower(of[0])]; scale != "" && isMoney(of[1]) {
			return scale, of[1]
		}
	}
	return "", unit
}

func isMoney(text string) bool {
	us := UnitsOf(text)
	return len(us) == 1 && strings.HasPrefix(us[0].Dimension, "money")
}

// UnitNames returns the symbols and the names of the unit that a text stands for.
func UnitNames(text string) (names []string) {
	for _, u := range UnitsOf(text) {
		for symbol, o := range symbols {
			if o == u {
				names = append(names, symbol)
			}
		}
		for name, os := range unitNames {
			if slices.Contains(os, u) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// LeadingUnit returns the units that a text begins with, by the longest name, and how many
// bytes that takes; 0 for none. own are units of a graph besides the known ones, by their symbols.
func LeadingUnit(text string, own map[string]bool) (us []Unit, n int) {
	const longest = 3 // words
	ends := " \u00a0\u202f,;:?!()\"”"
	for end, words := 0, 0; end < len(text) && words < longest; words++ {
		start := end + len(text[end:]) - len(strings.TrimLeft(text[end:], " \u00a0\u202f-"))
		length := strings.IndexAny(text[start:], ends)
		if length < 0 {
			length = len(text) - start
		}
		end = start + length
		name := strings.TrimRight(strings.TrimLeft(text[:end], " \u00a0\u202f-"), ".'’")
		found := UnitsOf(name)
		if found == nil {
			found = ownUnits(name, own)
		}
		if name != "" && found != nil {
			us, n = found, strings.Index(text, name)+len(name)
		}
		if r, _ := utf8.DecodeRuneInString(text[end:]); r != ' ' && r != '\u00a0' && r != '\u202f' {
			break
		}
	}
	return us, n
}

// ownUnits returns the unit of a graph that a word stands for in any case, in the singular or
// plural.
func ownUnits(word string, own map[string]bool) []Unit {
	bare := func(w string) string { return strings.TrimSuffix(strings.ToLower(w), "s") }
	var found []Unit
	word = bare(word)
	for symbol := range own {
		if bare(symbol) == word && (found == nil || symbol < found[0].Symbol) {
			found = []Unit{{Symbol: symbol, Dimension: symbol, Factor: 1}}
		}
	}
	return found
}

// In returns a value in another unit, and reports whether it can be told so: both units are
// of one dimension.
func (v Value) In(symbol string) (Value, bool) {
	for _, from := range UnitsOf(v.Unit) {
		for _, to := range UnitsOf(symbol) {
			if from.Dimension == to.Dimension {
				if from.Symbol != to.Symbol {
					v.Number = (v.Number*from.Factor + from.Offset - to.Offset) / to.Factor
				}
				v.Unit = to.Symbol
				return v, true
			}
		}
	}
	return v, v.Unit == symbol
}

// Rank is the number by which a value is ranked among others: in the first unit of its
// dimension, so that 2 km are more than 300 m.
func (v Value) Rank() float64 {
	if us := UnitsOf(v.Unit); len(us) == 1 {
		return v.Number*us[0].Factor + us[0].Offset
	}
	return v.Number
}

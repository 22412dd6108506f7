package cypher

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones have the same names on every computer

	"cairn/engine/kg"
)

// momentKind tells the kinds of moments, in the order in which ORDER BY puts them.
type momentKind int

const (
	zonedDateTime momentKind = iota
	localDateTime
	dateOnly
	zonedTime
	localTime
)

func (k momentKind) hasDate() bool { return k <= dateOnly }
func (k momentKind) hasTime() bool { return k != dateOnly }
func (k momentKind) hasZone() bool { return k == zonedDateTime || k == zonedTime }

// moments are the kinds by the name of their function.
var moments = map[string]momentKind{"datetime": zonedDateTime, "localdatetime": localDateTime, "date": dateOnly, "time": zonedTime, "localtime": localTime}

// Moment is a date, a time of day, or both, in a time zone or in none.
type Moment struct {
	kind momentKind
	t    time.Time // of the day 0 where it has no date, at midnight where it has no time, in UTC where it has no zone
}

// dayZero is the date of times that have none.
var dayZero = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)

// newMoment takes of a time what a kind of moments has.
func newMoment(k momentKind, t time.Time) Moment {
	y, m, d := t.Date()
	hour, minute, second, nano, zone := t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location()
	if !k.hasDate() {
		y, m, d = dayZero.Date()
		if _, offset := t.Zone(); k.hasZone() {
			zone = fixedZone(offset)
		}
	}
	if !k.hasTime() {
		hour, minute, second, nano = 0, 0, 0, 0
	}
	if !k.hasZone() {
		zone = time.UTC
	}
	return Moment{k, time.Date(y, m, d, hour, minute, second, nano, zone)}
}

func fixedZone(offset int) *time.Location {
	if offset == 0 {
		return time.UTC
	}
	return time.FixedZone("", offset)
}

// badTime is the error of what is no value of time.
func badTime(format string, args ...any) *Error {
	e := outOfRange(format, args...)
	e.Code = "InvalidArgumentValue"
	return e
}

var (
	dateText = regexp.MustCompile(`^([-+]\d{4,9}|\d{4})(?:-?(\d\d)(?:-?(\d\d))?|-?W(\d\d)(?:-?(\d))?|-?(\d{3})|-?Q(\d)(?:-?(\d\d))?)?$`)
	timeText = regexp.MustCompile(`^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[-+][\d:]+)?(?:\[([^\]]+)\])?$`)
	zoneText = regexp.MustCompile(`^([-+])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$`)
)

// parseMoment reads the text of a moment (ISO 8601).
func parseMoment(k momentKind, text string) Moment {
	bad := badTime("%q is not a %s", text, []string{"date and time, such as '2015-07-21T21:40:32Z'", "date and time, such as '2015-07-21T21:40:32'", "date, such as '2015-07-21'", "time, such as '21:40:32Z'", "time, such as '21:40:32'"}[k])
	m := Map{}
	put := func(key, digits string) {
		if n, err := strconv.ParseInt(strings.TrimPrefix(digits, "+"), 10, 64); err == nil {
			m[key] = n
		}
	}
	days, clock, both := strings.Cut(text, "T")
	if !k.hasDate() && !both {
		days, clock = "", text
	}
	if k.hasDate() {
		d := dateText.FindStringSubmatch(days)
		if d == nil || clock != "" && !k.hasTime() {
			panic(bad)
		}
		for i, key := range []string{"year", "month", "day", "week", "dayOfWeek", "ordinalDay", "quarter", "dayOfQuarter"} {
			put(key, d[i+1])
		}
	}
	var offset, zone string
	if k.hasTime() && clock != "" {
		c := timeText.FindStringSubmatch(clock)
		if c == nil || c[5]+c[6] != "" && !k.hasZone() {
			panic(bad)
		}
		for i, key := range []string{"hour", "minute", "second"} {
			put(key, c[i+1])
		}
		if c[4] != "" {
			put("nanosecond", (c[4] + "00000000")[:9])
		}
		offset, zone = c[5], c[6]
	}
	if m["timezone"] = cmp.Or(offset, zone); m["timezone"] == "" {
		delete(m, "timezone")
	}
	at := momentOf(k, m)
	if offset != "" && zone != "" {
		at.t = at.t.In(zoneOf(zone))
	}
	return at
}

// zoneOf finds a time zone by its name or offset.
func zoneOf(name string) *time.Location {
	if name == "Z" {
		return time.UTC
	}
	if z := zoneText.FindStringSubmatch(name); z != nil {
		offset := 0
		for i, unit := range []int{3600, 60, 1} {
			n, _ := strconv.Atoi(z[i+2])
			offset += n * unit
		}
		if z[1] == "-" {
			offset = -offset
		}
		if offset < -18*3600 || offset > 18*3600 {
			panic(badTime("%s is not a time zone offset: these go up to 18 hours", name))
		}
		return fixedZone(offset)
	}
	l, err := time.LoadLocation(strings.ReplaceAll(name, " ", "_"))
	if err != nil || name == "" || name == "Local" {
		panic(badTime("there is no time zone %q", name))
	}
	return l
}

// parts reads numbers of a map of parts of a value of time.
type parts struct{ m Map }

func (p *parts) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return p.m[k] != nil })
}

// number returns a part, which lies between two bounds, or else a default value.
func (p *parts) number(key string, or, least, most int) int {
	v, ok := p.m[key]
	if !ok || v == nil {
		return or
	}
	n, ok := v.(int64)
	if !ok || n < int64(least) || n > int64(most) {
		panic(badTime("%s must be an integer from %d to %d", key, least, most))
	}
	return int(n)
}

const lastYear = 999_999_999

// momentOf makes a moment of its parts, which may begin with other moments.
func momentOf(k momentKind, m Map) Moment {
	p := &parts{m: m}
	zone, zoned := time.UTC, false
	if z, ok := m["timezone"].(string); ok && k.hasZone() {
		zone = zoneOf(z)
		zoned = true
	}
	from := func(key string, has func(momentKind) bool) (Moment, bool) {
		v := m[key]
		if v == nil {
			if v = m["datetime"]; v == nil {
				return Moment{}, false
			}
		}
		at, ok := v.(Moment)
		if !ok || !has(at.kind) {
			panic(wrongType("InvalidArgumentValue", "%s does not take %s", key, kindOf(v)))
		}
		return at, true
	}
	day, hasDay := from("date", momentKind.hasDate)
	clock, hasClock := from("time", momentKind.hasTime)
	hasClock = hasClock && k.hasTime()
	if hasClock && clock.kind.hasZone() {
		switch {
		case !zoned:
			zone = clock.t.Location()
		case hasDay && clock.kind.hasDate() && day == clock:
			day.t = day.t.In(zone)
			clock.t = clock.t.In(zone)
		default:
			if hasDay { // the offset may go by the day
				y, mo, d := day.t.Date()
				clock.t = time.Date(y, mo, d, clock.t.Hour(), clock.t.Minute(), clock.t.Second(), clock.t.Nanosecond(), clock.t.Location())
			}
			clock.t = clock.t.In(zone)
		}
	}
	y, mo, d := dayZero.Date()
	if k.hasDate() {
		if !hasDay && !p.has("year") {
			panic(badTime("a date needs a year"))
		}
		y, mo, d = p.date(day.t, hasDay)
	}
	or := func(n int) int {
		if hasClock {
			return n
		}
		return 0
	}
	hour, minute, second := p.number("hour", or(clock.t.Hour()), 0, 23), p.number("minute", or(clock.t.Minute()), 0, 59), p.number("second", or(clock.t.Second()), 0, 59)
	nano := or(clock.t.Nanosecond())
	if p.has("millisecond", "microsecond", "nanosecond") {
		nano = p.number("millisecond", 0, 0, 999)*1e6 + p.number("microsecond", 0, 0, 999_999)*1e3 + p.number("nanosecond", 0, 0, 999_999_999)
	}
	return newMoment(k, time.Date(y, mo, d, hour, minute, second, nano, zone))
}

// date finds the day that the parts say; base is another one to begin with.
func (p *parts) date(base time.Time, based bool) (int, time.Month, int) {
	or := func(of int) int {
		if based {
			return of
		}
		return 1
	}
	y := p.number("year", base.Year(), -lastYear, lastYear)
	quarter := (int(base.Month()) + 2) / 3
	switch {
	case p.has("week", "dayOfWeek"):
		weekYear, week := base.ISOWeek()
		if p.has("year") {
			weekYear = y
		}
		fourth := time.Date(weekYear, 1, 4, 0, 0, 0, 0, time.UTC) // it lies in the first week
		weekday := p.number("dayOfWeek", or(isoWeekday(base)), 1, 7)
		return fourth.AddDate(0, 0, 7*(p.number("week", or(week), 1, 53)-1)+weekday-isoWeekday(fourth)).Date()
	case p.has("ordinalDay"):
		return time.Date(y, 1, p.number("ordinalDay", 1, 1, 366), 0, 0, 0, 0, time.UTC).Date()
	case p.has("quarter", "dayOfQuarter"):
		first := 3*p.number("quarter", or(quarter), 1, 4) - 2
		return time.Date(y, time.Month(first), p.number("dayOfQuarter", or(dayOfQuarter(base)), 1, 92), 0, 0, 0, 0, time.UTC).Date()
	}
	mo := time.Month(p.number("month", or(int(base.Month())), 1, 12))
	d := p.number("day", or(base.Day()), 1, 31)
	if last := lastDay(y, mo); d > last {
		if p.has("day") {
			panic(badTime("%d-%02d has no day %d", y, mo, d))
		}
		d = last
	}
	return y, mo, d
}

func lastDay(y int, m time.Month) int { return time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// isoWeekday counts from Monday, 1, to Sunday, 7.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

func dayOfQuarter(t time.Time) int {
	first := time.Date(t.Year(), (t.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	return t.YearDay() - first.YearDay() + 1
}

// String writes a moment as ISO 8601 does.
func (m Moment) String() string {
	var b strings.Builder
	if m.kind.hasDate() {
		y := m.t.Year()
		switch {
		case y > 9999:
			b.WriteByte('+')
		case y < 0:
			b.WriteByte('-')
			y = -y
		}
		fmt.Fprintf(&b, "%04d-%02d-%02d", y, m.t.Month(), m.t.Day())
	}
	if m.kind.hasTime() {
		if m.kind.hasDate() {
			b.WriteByte('T')
		}
		fmt.Fprintf(&b, "%02d:%02d", m.t.Hour(), m.t.Minute())
		if m.t.Second() != 0 || m.t.Nanosecond() != 0 {
			fmt.Fprintf(&b, ":%02d%s", m.t.Second(), fraction(m.t.Nanosecond()))
		}
	}
	if m.kind.hasZone() {
		b.WriteString(m.offset())
		if name := m.t.Location().String(); name != "" && name != "UTC" {
			b.WriteString("[" + name + "]")
		}
	}
	return b.String()
}

// fraction writes nanoseconds behind seconds.
func fraction(nano int) string {
	if nano == 0 {
		return ""
	}
	return "." + strings.TrimRight(fmt.Sprintf("%09d", nano), "0")
}

// offset writes how far the zone is from UTC.
func (m Moment) offset() string {
	_, n := m.t.Zone()
	if n == 0 {
		return "Z"
	}
	sign := "+"
	if n < 0 {
		sign, n = "-", -n
	}
	s := fmt.Sprintf("%s%02d:%02d", sign, n/3600, n/60%60)
	if n%60 != 0 {
		s += fmt.Sprintf(":%02d", n%60)
	}
	return s
}

// part returns a part of a moment by its name; nil where it has none.
func (m Moment) part(name string) any {
	t := m.t
	weekYear, week := t.ISOWeek()
	_, offset := t.Zone()
	of := map[string]int64{}
	if m.kind.hasDate() {
		of = map[string]int64{
			"year": int64(t.Year()), "quarter": int64(t.Month()+2) / 3, "month": int64(t.Month()), "week": int64(week), "weekYear": int64(weekYear),
			"day": int64(t.Day()), "ordinalDay": int64(t.YearDay()), "weekDay": int64(isoWeekday(t)), "dayOfWeek": int64(isoWeekday(t)), "dayOfQuarter": int64(dayOfQuarter(t)),
		}
	}
	if m.kind.hasTime() {
		of["hour"], of["minute"], of["second"] = int64(t.Hour()), int64(t.Minute()), int64(t.Second())
		of["millisecond"], of["microsecond"], of["nanosecond"] = int64(t.Nanosecond()/1e6), int64(t.Nanosecond()/1e3), int64(t.Nanosecond())
	}
	if m.kind == zonedDateTime {
		of["epochSeconds"], of["epochMillis"] = t.Unix(), t.UnixMilli()
	}
	if m.kind.hasZone() {
		of["offsetMinutes"], of["offsetSeconds"] = int64(offset/60), int64(offset)
		switch name {
		case "timezone":
			if zone := t.Location().String(); zone != "" && zone != "UTC" {
				return zone
			}
			return m.offset()
		case "offset":
			return m.offset()
		}
	}
	if n, ok := of[name]; ok {
		return n
	}
	return nil
}

// units truncate a time, from a thousand years down to a microsecond.
var units = map[string]func(time.Time) time.Time{
	"millennium":  func(t time.Time) time.Time { return yearsFrom(t, 1000) },
	"century":     func(t time.Time) time.Time { return yearsFrom(t, 100) },
	"decade":      func(t time.Time) time.Time { return yearsFrom(t, 10) },
	"year":        func(t time.Time) time.Time { return yearsFrom(t, 1) },
	"weekyear":    func(t time.Time) time.Time { _, week := t.ISOWeek(); return weekFrom(t).AddDate(0, 0, -7*(week-1)) },
	"quarter":     func(t time.Time) time.Time { return dayFrom(t.Year(), (t.Month()-1)/3*3+1, 1, t) },
	"month":       func(t time.Time) time.Time { return dayFrom(t.Year(), t.Month(), 1, t) },
	"week":        weekFrom,
	"day":         func(t time.Time) time.Time { return dayFrom(t.Year(), t.Month(), t.Day(), t) },
	"hour":        func(t time.Time) time.Time { return clockFrom(t, time.Hour) },
	"minute":      func(t time.Time) time.Time { return clockFrom(t, time.Minute) },
	"second":      func(t time.Time) time.Time { return clockFrom(t, time.Second) },
	"millisecond": func(t time.Time) time.Time { return clockFrom(t, time.Millisecond) },
	"microsecond": func(t time.Time) time.Time { return clockFrom(t, time.Microsecond) },
}

func dayFrom(y int, m time.Month, d int, t time.Time) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

func yearsFrom(t time.Time, n int) time.Time {
	return dayFrom(int(math.Floor(float64(t.Year())/float64(n)))*n, 1, 1, t)
}

func weekFrom(t time.Time) time.Time {
	return dayFrom(t.Year(), t.Month(), t.Day()-isoWeekday(t)+1, t)
}

func clockFrom(t time.Time, unit time.Duration) time.Time {
	of := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	return dayFrom(t.Year(), t.Month(), t.Day(), t).Add(of.Truncate(unit))
}

// truncated cuts a moment off at a unit, and then sets parts of it.
func truncated(k momentKind, a []any) any {
	name, ok := a[0].(string)
	cut := units[strings.ToLower(name)]
	if !ok || cut == nil {
		panic(badTime("there is no unit of time %s to truncate to", Text(a[0])))
	}
	at, ok := a[1].(Moment)
	if !ok || k.hasDate() && !at.kind.hasDate() {
		panic(wrong("truncate", a[1]))
	}
	m := Map{}
	if len(a) > 2 {
		if m, ok = a[2].(Map); !ok {
			panic(wrong("truncate", a[2]))
		}
	}
	t := cut(at.t)
	if z, ok := m["timezone"].(string); ok {
		zone := zoneOf(z)
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	}
	all := Map{}
	if t = newMoment(zonedDateTime, t).t; k.hasDate() {
		all["date"] = Moment{zonedDateTime, t}
	}
	all["time"] = Moment{zonedDateTime, t}
	for key, v := range m {
		if key != "timezone" {
			all[key] = v
		}
	}
	if !(&parts{m}).has("millisecond", "microsecond", "nanosecond") {
		return momentOf(k, all)
	}
	// A unit behind the point leaves what is before it.
	n := t.Nanosecond()
	for key, unit := range map[string]int{"millisecond": 1e6, "microsecond": 1e3, "nanosecond": 1} {
		if v, ok := m[key].(int64); ok {
			n += int(v) * unit
		}
		delete(all, key)
	}
	all["nanosecond"] = int64(n)
	return momentOf(k, all)
}

// momentFunction is date() and its like.
func momentFunction(k momentKind) func(x *exec, a []any) any {
	return func(x *exec, a []any) any {
		if len(a) == 0 {
			return newMoment(k, x.now())
		}
		switch v := a[0].(type) {
		case string:
			return parseMoment(k, v)
		case Map:
			return momentOf(k, v)
		case Moment:
			m := Map{}
			if v.kind.hasDate() {
				m["date"] = v
			}
			if v.kind.hasTime() {
				m["time"] = v
			}
			return momentOf(k, m)
		}
		panic(wrong("a value of time", a[0]))
	}
}

// now is the time, the same for all of a query.
func (x *exec) now() time.Time {
	if x.began.IsZero() {
		x.began = time.Now().UTC()
	}
	return x.began
}

// dated compares a moment with a text of the graph that is a date or an interval, or with
// a number that is a year: which are the least and the most that the order can be, as far
// as the text says. ok is false where it is no date.
func dated(a, b any) (least, most int, ok bool) {
	m, isMoment := a.(Moment)
	if !isMoment {
		if _, isMoment = b.(Moment); !isMoment {
			return 0, 0, false
		}
		least, most, ok = dated(b, a)
		return -most, -least, ok
	}
	var text string
	switch b := b.(type) {
	case string:
		text = b
	case int64:
		text = strconv.FormatInt(b, 10)
	default:
		return 0, 0, false
	}
	of, isDate := kg.ParseExtent(text)
	if of = of.Dates(); !isDate || of.Kind != kg.DateValue || of.Unit != "" || !m.kind.hasDate() {
		return 0, 0, false
	}
	day, isDay := kg.ParseExtent(Moment{dateOnly, m.t}.String())
	if !isDay {
		return 0, 0, false // a year that the graph does not know
	}
	const little = 1e-6 // of a year
	within := 0         // how the moment stands to what is of its day
	if m.kind.hasTime() {
		within = 1
	}
	switch {
	case of.Until > day.Until+little:
		least = -1
	case of.Until > day.Number+little:
		least = -within
	default:
		least = 1
	}
	switch {
	case of.Number < day.Number-little:
		most = 1
	case of.Number < day.Until-little:
		most = within
	default:
		most = -1
	}
	return least, most, true
}

func addMoments() {
	for name, k := range moments {
		functions[name] = function{0, 1, nil, unknown, false, momentFunction(k)}
		for _, clock := range []string{"transaction", "statement", "realtime"} {
			functions[name+"."+clock] = function{0, 1, nil, unknown, false, func(x *exec, a []any) any {
				t := x.now()
				if len(a) > 0 {
					name, _ := a[0].(string)
					t = t.In(zoneOf(name))
				}
				return newMoment(k, t)
			}}
		}
		functions[name+".truncate"] = function{2, 3, nil, unknown, false, func(_ *exec, a []any) any { return truncated(k, a) }}
	}
	epoch := func(unit time.Duration) func(*exec, []any) any {
		return func(_ *exec, a []any) any {
			n, ok := a[0].(int64)
			more := int64(0)
			if len(a) > 1 && ok {
				more, ok = a[1].(int64)
			}
			if !ok {
				panic(wrong("datetime.fromEpoch", a[0]))
			}
			per := int64(time.Second / unit)
			return Moment{zonedDateTime, time.Unix(n/per, n%per*int64(unit)+more).UTC()}
		}
	}
	functions["datetime.fromepoch"] = function{2, 2, nil, unknown, false, epoch(time.Second)}
	functions["datetime.fromepochmillis"] = function{1, 1, nil, unknown, false, epoch(time.Millisecond)}
}

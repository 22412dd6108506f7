package cypher

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Duration is months, days and seconds, none of which is so many of another.
type Duration struct {
	Months, Days, Seconds int64
	Nanos                 int64 // from 0 to 999,999,999, beside Seconds
}

const (
	daySeconds = 86_400
	// monthSeconds is how long a month is on average.
	monthSeconds = 2_629_746
	second       = int64(time.Second)
)

// amount is a number of months, days or seconds that may have a fraction.
type amount struct {
	whole int64
	part  float64 // less than 1
}

func newAmount(f float64) amount {
	whole, part := math.Modf(f)
	return amount{int64(whole), part}
}

// newDuration makes a duration of months, days and seconds: the fraction of a month
// becomes days, and that of a day seconds.
func newDuration(months, days, seconds amount, nanos int64) Duration {
	d := Duration{Months: months.whole, Days: days.whole, Seconds: seconds.whole}
	more := newAmount(months.part * monthSeconds)
	d.Days += more.whole / daySeconds
	d.Seconds += more.whole % daySeconds
	fraction := more.part + seconds.part
	more = newAmount(days.part * daySeconds)
	d.Seconds += more.whole
	fraction += more.part
	return d.plus(int64(math.Round(fraction*1e9)) + nanos)
}

// plus adds nanoseconds.
func (d Duration) plus(nanos int64) Duration {
	nanos += d.Nanos
	d.Seconds += nanos / second
	if d.Nanos = nanos % second; d.Nanos < 0 {
		d.Nanos, d.Seconds = d.Nanos+second, d.Seconds-1
	}
	return d
}

func durationOf(m Map) Duration {
	var months, days, seconds float64
	var whole Duration
	nanos := 0.0
	for _, u := range []struct {
		name  string
		into  *float64
		exact *int64
		many  int64
	}{
		{"years", &months, &whole.Months, 12},
		{"quarters", &months, &whole.Months, 3},
		{"months", &months, &whole.Months, 1},
		{"weeks", &days, &whole.Days, 7},
		{"days", &days, &whole.Days, 1},
		{"hours", &seconds, &whole.Seconds, 3600},
		{"minutes", &seconds, &whole.Seconds, 60},
		{"seconds", &seconds, &whole.Seconds, 1},
		{"milliseconds", &nanos, &whole.Nanos, 1e6},
		{"microseconds", &nanos, &whole.Nanos, 1e3},
		{"nanoseconds", &nanos, &whole.Nanos, 1},
	} {
		switch v := m[u.name].(type) {
		case nil:
		case int64:
			*u.exact += v * u.many
		case float64:
			*u.into += v * float64(u.many)
		default:
			panic(wrong("duration", v))
		}
	}
	add := func(n int64, f float64) amount {
		a := newAmount(f)
		a.whole += n
		return a
	}
	return newDuration(add(whole.Months, months), add(whole.Days, days), add(whole.Seconds, seconds), whole.Nanos+int64(math.Round(nanos)))
}

var (
	durationText = regexp.MustCompile(`^([-+]?)P(?:([-+]?[\d.]+)Y)?(?:([-+]?[\d.]+)M)?(?:([-+]?[\d.]+)W)?(?:([-+]?[\d.]+)D)?(?:T(?:([-+]?[\d.]+)H)?(?:([-+]?[\d.]+)M)?(?:([-+]?[\d.]+)S)?)?$`)
	dateDuration = regexp.MustCompile(`^([-+]?)P(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?))?$`)
)

// parseDuration reads the text of a duration (ISO 8601).
func parseDuration(text string) Duration {
	names := []string{"years", "months", "weeks", "days", "hours", "minutes", "seconds"}
	found := durationText.FindStringSubmatch(text)
	if found == nil {
		if found = dateDuration.FindStringSubmatch(text); found != nil {
			names = []string{"years", "months", "days", "hours", "minutes", "seconds"}
		}
	}
	if found == nil || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		panic(badTime("%q is not a duration such as 'P1Y2M10DT2H30M'", text))
	}
	m := Map{}
	for i, name := range names {
		s := found[i+2]
		if whole, part, ok := strings.Cut(s, "."); ok && name == "seconds" && len(part) <= 9 { // to the nanosecond
			n, err := strconv.ParseInt(whole+(part + "00000000")[:9], 10, 64)
			if err != nil {
				panic(badTime("%q is not a duration", text))
			}
			m["nanoseconds"] = n
			continue
		}
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			m[name] = n
		} else if f, err := strconv.ParseFloat(s, 64); err == nil {
			m[name] = f
		}
	}
	d := durationOf(m)
	if found[1] == "-" {
		d = d.negative()
	}
	return d
}

// clock is the time of a duration in seconds and nanoseconds of one sign.
func (d Duration) clock() (seconds, nanos int64) {
	if d.Seconds < 0 && d.Nanos > 0 {
		return d.Seconds + 1, d.Nanos - second
	}
	return d.Seconds, d.Nanos
}

// String writes a duration as ISO 8601 does.
func (d Duration) String() string {
	var b strings.Builder
	put := func(n int64, unit string) {
		if n != 0 {
			fmt.Fprintf(&b, "%d%s", n, unit)
		}
	}
	b.WriteByte('P')
	put(d.Months/12, "Y")
	put(d.Months%12, "M")
	put(d.Days, "D")
	if seconds, nanos := d.clock(); seconds != 0 || nanos != 0 || b.Len() == 1 {
		b.WriteByte('T')
		put(seconds/3600, "H")
		put(seconds/60%60, "M")
		if s := seconds % 60; s != 0 || nanos != 0 || b.Len() == 2 {
			if s <= 0 && nanos < 0 {
				b.WriteByte('-')
				s, nanos = -s, -nanos
			}
			fmt.Fprintf(&b, "%d%sS", s, fraction(int(nanos)))
		}
	}
	return b.String()
}

// part returns a part of a duration by its name; nil for none.
func (d Duration) part(name string) any {
	nanos := d.Nanos
	n, ok := map[string]int64{
		"years": d.Months / 12, "quarters": d.Months / 3, "months": d.Months, "weeks": d.Days / 7, "days": d.Days,
		"hours": d.Seconds / 3600, "minutes": d.Seconds / 60, "seconds": d.Seconds,
		"milliseconds": d.Seconds*1e3 + nanos/1e6, "microseconds": d.Seconds*1e6 + nanos/1e3, "nanoseconds": d.Seconds*second + nanos,
		"quartersOfYear": d.Months / 3 % 4, "monthsOfQuarter": d.Months % 3, "monthsOfYear": d.Months % 12, "daysOfWeek": d.Days % 7,
		"minutesOfHour": d.Seconds / 60 % 60, "secondsOfMinute": d.Seconds % 60,
		"millisecondsOfSecond": nanos / 1e6, "microsecondsOfSecond": nanos / 1e3, "nanosecondsOfSecond": nanos,
	}[name]
	if !ok {
		return nil
	}
	return n
}

func (d Duration) times(by float64) Duration {
	months, days, seconds := newAmount(float64(d.Months)*by), newAmount(float64(d.Days)*by), newAmount(float64(d.Seconds)*by)
	return newDuration(months, days, seconds, int64(float64(d.Nanos)*by))
}

func (d Duration) add(o Duration) Duration {
	d.Months, d.Days, d.Seconds = d.Months+o.Months, d.Days+o.Days, d.Seconds+o.Seconds
	return d.plus(o.Nanos)
}

// compareDurations puts durations in order, by how long they are on average.
func compareDurations(a, b Duration) int {
	long := func(d Duration) float64 {
		return float64(d.Months)*monthSeconds + float64(d.Days)*daySeconds + float64(d.Seconds)
	}
	return cmp.Or(cmp.Compare(long(a), long(b)), cmp.Compare(a.Nanos, b.Nanos))
}

func (m Moment) later(d Duration) Moment {
	t := m.t
	if !m.kind.hasDate() {
		return newMoment(m.kind, t.Add(time.Duration(d.Seconds%daySeconds)*time.Second+time.Duration(d.Nanos)))
	}
	const most = 2 * lastYear // years
	far := max(math.Abs(float64(d.Months)/12), math.Abs(float64(d.Days)/365), math.Abs(float64(d.Seconds)/daySeconds/365)) > most
	if at := m.moved(d); !far && at.t.Year() >= -lastYear && at.t.Year() <= lastYear {
		return at
	}
	panic(outOfRange("%s is too far from %s", d, m))
}

// moved is later for what has a date, and does not go far.
func (m Moment) moved(d Duration) Moment {
	t := m.t
	t = plusMonths(t, d.Months).AddDate(0, 0, int(d.Days))
	seconds, nanos := d.clock()
	if m.kind == dateOnly {
		return newMoment(dateOnly, t.AddDate(0, 0, int(seconds/daySeconds)))
	}
	return Moment{m.kind, time.Unix(t.Unix()+seconds, int64(t.Nanosecond())+nanos).In(t.Location())}
}

// plusMonths is so many months later, at the end of the month where it has no such day.
func plusMonths(t time.Time, n int64) time.Time {
	at := int64(t.Year())*12 + int64(t.Month()) - 1 + n
	y := int(at / 12)
	m := time.Month(at%12 + 1)
	if at%12 < 0 {
		y, m = y-1, m+12
	}
	return time.Date(y, m, min(t.Day(), lastDay(y, m)), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}

// negative is a duration with its signs turned around.
func (d Duration) negative() Duration {
	return Duration{Months: -d.Months, Days: -d.Days, Seconds: -d.Seconds}.plus(-d.Nanos)
}

// timeArithmetic computes a op b where one of them is a value of time; ok is false where
// that cannot be.
func timeArithmetic(operator string, a, b any) (v any, ok bool) {
	d, isDuration := b.(Duration)
	if isDuration && operator == "-" {
		operator, d = "+", d.negative()
	}
	n, isNumber := asFloat(b)
	switch a := a.(type) {
	case Moment:
		if operator == "+" && isDuration {
			return a.later(d), true
		}
	case Duration:
		switch m, isMoment := b.(Moment); {
		case operator == "+" && isMoment:
			return m.later(a), true
		case operator == "+" && isDuration:
			return a.add(d), true
		case operator == "*" && isNumber:
			return a.times(n), true
		case operator == "/" && isNumber && n != 0:
			return a.times(1 / n), true
		}
	default:
		if n, isNumber := asFloat(a); isNumber && isDuration && operator == "*" {
			return d.times(n), true
		}
	}
	return nil, false
}

// between computes how long it is from one moment to another, in the units that are asked
// for.
func between(a, b Moment, months, days, clock bool) Duration {
	zone := time.UTC
	switch {
	case a.kind.hasZone():
		zone = a.t.Location()
	case b.kind.hasZone():
		zone = b.t.Location()
	}
	dates := a.kind.hasDate() && b.kind.hasDate()
	on := func(m, other Moment) time.Time {
		t := m.t
		if m.kind.hasZone() && other.kind.hasZone() {
			t = t.In(zone)
		}
		y, mo, d := t.Date()
		if !m.kind.hasDate() && other.kind.hasDate() {
			y, mo, d = other.t.Date()
		}
		return time.Date(y, mo, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	}
	from, to := on(a, b), on(b, a)
	var out Duration
	if months && dates {
		n := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
		for step := int64(1); n != 0; {
			at := plusMonths(from, n)
			if n > 0 && at.After(to) {
				n -= step
			} else if n < 0 && at.Before(to) {
				n += step
			} else {
				break
			}
		}
		out.Months = n
		from = plusMonths(from, n)
	}
	if days && dates {
		n := (to.Unix() - from.Unix()) / daySeconds
		for at := from.AddDate(0, 0, int(n)); n > 0 && at.After(to) || n < 0 && at.Before(to); at = from.AddDate(0, 0, int(n)) {
			n -= int64(cmp.Compare(n, 0))
		}
		out.Days = n
		from = from.AddDate(0, 0, int(n))
	}
	if clock {
		out.Seconds = to.Unix() - from.Unix()
		out = out.plus(int64(to.Nanosecond() - from.Nanosecond()))
	}
	return out
}

func addDurations() {
	functions["duration"] = function{1, 1, nil, unknown, false, func(_ *exec, a []any) any {
		switch v := a[0].(type) {
		case string:
			return parseDuration(v)
		case Map:
			return durationOf(v)
		case Duration:
			return v
		}
		panic(wrong("duration", a[0]))
	}}
	for name, in := range map[string][3]bool{"between": {true, true, true}, "inmonths": {true, false, false}, "indays": {false, true, false}, "inseconds": {false, false, true}} {
		functions["duration."+name] = function{2, 2, nil, unknown, false, func(_ *exec, a []any) any {
			from, ok := a[0].(Moment)
			to, ok2 := a[1].(Moment)
			if !ok || !ok2 {
				panic(wrong("duration."+name, a[min(1, len(a)-1)]))
			}
			return between(from, to, in[0], in[1], in[2])
		}}
	}
}

package present

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cairn/internal/wording"
)

// Count writes n with thousands separated by commas: 133,582.
func Count[N int | int64](n N) string { return wording.Number(n) }

// Plural writes a count with its noun: "1 triple", "2,730 triples".
func Plural[N int | int64](n N, one, many string) string { return wording.Count(n, one, many) }

// Bytes writes a size with three digits at most: "512 B", "4.2 MB".
func Bytes(n int64) string {
	const unit = 1000
	if n < unit {
		return strconv.FormatInt(n, 10) + " B"
	}
	v := float64(n)
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		v /= unit
		if v < 9.95 {
			return fmt.Sprintf("%.1f %s", v, u)
		}
		if v < 999.5 {
			return fmt.Sprintf("%.0f %s", v, u)
		}
	}
	return fmt.Sprintf("%.0f TB", v)
}

// Elapsed writes how long something took: "0.4 ms", "38 ms", "1.6 s", "2 min 5 s".
func Elapsed(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return "0 ms"
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(math.Round(float64(d)/1e5)/10, 'f', -1, 64) + " ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// Distance writes a graph semantic distance with its scale: "exact" for 0,
// else "0.31". Lower is closer.
func Distance(d float64) string {
	if math.Abs(d) < 5e-7 {
		return "exact"
	}
	return strconv.FormatFloat(d, 'f', 2, 64)
}

// PartText writes one part of a distance with the digits that show that the parts
// add up.
func PartText(d float64) string { return strconv.FormatFloat(math.Abs(d), 'f', 3, 64) }

// Percent writes how far done is towards total: "42 %"; empty where the total
// is unknown.
func Percent(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%%", min(100, done*100/total))
}

// Shorten cuts s to at most limit runes, the last of which is then an ellipsis.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimRight(string(runes[:limit-1]), " ,;") + "…"
}

// Tail cuts s to its last words, of at most limit runes with the ellipsis before
// them.
func Tail(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	end := string(runes[len(runes)-limit+1:])
	if _, after, ok := strings.Cut(end, " "); ok {
		end = after
	}
	return "…" + end
}

// Printable takes out of text what would not be read but obeyed.
func Printable(s string) string { return wording.Printable(s) }

// OneLine replaces every run of white space by a space, so that text from a
// file or a model cannot break a row.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Sentence starts s with a capital and ends it with a full stop.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	s = capital(s)
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// capital puts the first letter in upper case, unless the first word looks like
// a name that wants its case (a path, an identifier).
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "/\\._:\"'") {
		return s
	}
	return capitalFirst(s)
}

func capitalFirst(s string) string { return wording.Capital(s) }

// List joins words as English does: "a", "a and b", "a, b and c".
func List(words []string) string { return wording.List(words) }

// Rate measures how much is done in a second, over the last few. The zero value
// is ready to use.
type Rate struct {
	since time.Time
	from  int64
	last  float64
}

// rateWindow is how long a rate is measured before it is shown anew.
const rateWindow = 2 * time.Second

// At returns the rate when done is reached; 0 while it is not known.
func (r *Rate) At(now time.Time, done int64) float64 {
	if r.since.IsZero() || done < r.from { // a new part has begun
		r.since, r.from = now, done
		return r.last
	}
	if took := now.Sub(r.since); took >= rateWindow {
		r.last = float64(done-r.from) / took.Seconds()
		r.since, r.from = now, done
	}
	return r.last
}

// TimeLeft says how long the rest takes at a rate: "a few seconds", "40 s".
func TimeLeft(rest int64, perSecond float64) string {
	return strings.TrimPrefix(about(float64(rest)/perSecond), "about ")
}

// about says a number of seconds no more exactly than it can be known: "a few
// seconds", "about 40 s".
func about(seconds float64) string {
	switch {
	case seconds < 10:
		return "a few seconds"
	case seconds < 55:
		return fmt.Sprintf("about %d s", int(seconds/10+0.5)*10)
	case seconds < 90:
		return "about a minute"
	case seconds < 100*60:
		return fmt.Sprintf("about %d min", int(seconds/60+0.5))
	}
	return fmt.Sprintf("about %.0f h", seconds/3600) // a float, for it may be longer than any duration
}

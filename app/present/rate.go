package present

import (
	"fmt"
	"strings"
	"time"
)

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

package present

import (
	"fmt"
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

// TimeLeft says how long the rest takes at a rate, no more exactly than anybody
// can know.
func TimeLeft(rest int64, perSecond float64) string {
	switch s := float64(rest) / perSecond; {
	case s < 10:
		return "a few seconds"
	case s < 100:
		return fmt.Sprintf("%d s", int(s)/10*10)
	case s < 100*60:
		return fmt.Sprintf("%d min", int(s/60+0.5))
	default:
		return fmt.Sprintf("%.0f h", s/3600) // a float, for it may be longer than any duration
	}
}

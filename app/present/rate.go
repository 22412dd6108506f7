package present

import "time"

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

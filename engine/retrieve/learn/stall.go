package learn

// What tells a training that gets nowhere from one that is still learning. On
// MetaQA unlucky seeds stay on a plateau of loss 0.9 to 1.6 with H@1 of 65 to 78,
// while lucky ones are below 0.3 after ten epochs.
const (
	// stallEpoch is when it is first looked at, as a share of all epochs.
	stallEpoch = 0.5
	// stallLoss is the loss above which a network has not learned its data.
	stallLoss = 0.5
	// stallGain is the share by which the loss falls between two thirds of a window
	// where a network gets on.
	stallGain = 0.05
	// stallWindow is how many epochs are compared.
	stallWindow = 3
	// enough is the H@1 on the held questions from which a network is not begun
	// again, whatever its loss.
	enough = 0.95
	// patience is the share of all epochs without a gain on the held questions after
	// which a network is left as it is.
	patience = 0.4
)

// stalled reports whether this try does not get on: its loss is high and no longer
// falls.
func (p *progress) stalled(epochs int) bool {
	n := len(p.Losses)
	if n < 2*stallWindow || float64(n) < stallEpoch*float64(epochs) || p.Tried.H1 >= enough {
		return false
	}
	now, before := mean(p.Losses[n-stallWindow:]), mean(p.Losses[n-2*stallWindow:n-stallWindow])
	return now > stallLoss && now > (1-stallGain)*before
}

// settled reports whether more epochs would change nothing: all held questions are
// answered, or nothing got better for long.
func (p *progress) settled(epochs int) bool {
	if p.Tried.H1 == 1 && p.Tried.F1 == 1 {
		return p.Since >= stallWindow
	}
	return float64(p.Since) >= max(stallWindow, patience*float64(epochs))
}

func mean(xs []float64) float64 {
	var s float64
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

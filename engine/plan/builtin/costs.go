package builtin

// What a reading starts from in log-odds of being right, what each sign takes from them, and
// below what it is not shown as sure. Fitted on 2026-11-25 by
//
//	cairn-lab confidence
//
// but for what a doubt costs, which was fitted to the others on 2026-11-29, on ten graphs of
// people before any rule was made from them: sure readings stay as they were.
const (
	certainty = 3.71
	bar       = 1.17 // a chance of 0.76
)

var costs = map[string]float64{
	"crowded":   1.50,
	"doubted":   1.20,
	"echo":      1.28,
	"genitives": 0.77,
	"inner":     1.75,
	"inside":    0.85,
	"many":      0.52,
	"missing":   0.82,
	"other":     1.00,
	"repeats":   0.35,
	"several":   0.52,
	"unused":    1.00,
	"wordless":  1.45,
	"words":     0.30,
}

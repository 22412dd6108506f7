// Package bail leaves a deep descent at its first error. In a parser every other line
// would pass on an error; here what finds one panics with an Out, and the function that
// callers see defers To. No panic leaves the package that uses it.
package bail

// Out is what is panicked with.
type Out struct{ Err error }

// If leaves where there is an error.
func If(err error) {
	if err != nil {
		panic(Out{err})
	}
}

// To is deferred: it sets err to the error of an Out; any other panic goes on.
func To(err *error) {
	switch v := recover().(type) {
	case nil:
	case Out:
		*err = v.Err
	default:
		panic(v)
	}
}

// Try runs f and returns the error that it is left with.
func Try(f func()) (err error) {
	defer To(&err)
	f()
	return nil
}

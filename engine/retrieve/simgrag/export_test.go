package simgrag

// Explain is what answers are explained with.
var Explain = explain

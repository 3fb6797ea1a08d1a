// Package evaluate is the evaluator: it runs verifiers, parses their reports, and
// evaluates an attempt with errors, counts and a reward.
//
// A verifier passes when its exit code is 0, its report names no failure, and it
// verified something: a run without tests does not pass. The formats of reports are in
// the table in detect.go. They are parsed with the standard library, since ten fields of
// each are needed, for which the libraries of these formats are too large.
package evaluate

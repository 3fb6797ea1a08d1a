// Package evaluate is the evaluator: it runs verifiers, reads what they report,
// and says with errors, counts and a reward what an attempt was worth.
//
// A verifier passes when its exit code is 0, its report names no failure, and it
// verified something: no test run is no pass. Reports are read in the formats of
// the table in detect.go; each is read from the tool's documented output, with
// the standard library, since what is needed is ten fields a format where the
// libraries of these formats bring their own schema checkers and printers.
//
// Every error has a type, a place as far as the tool gives one, and a signature
// that stays the same from run to run (reflexion.SignatureOf).
package evaluate

// Package lazy makes what costs time at the start of a program when it is first used: most
// commands need few of the patterns that the program has.
package lazy

import (
	"regexp"
	"sync"
)

// Pattern returns a function that compiles a regular expression on first use. It panics then
// if the expression is invalid, so it is for constants only.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

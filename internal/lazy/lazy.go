// Package lazy makes what costs time at the start of a program when it is first used: most
// commands need few of the patterns and word lists that the program has.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// Pattern returns a function that compiles a regular expression on first use. It panics then
// if the expression is invalid, so it is for constants only.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Words returns a function that makes the set of the words of a text on first use.
func Words(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			set[word] = true
		}
		return set
	})
}

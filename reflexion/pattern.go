package reflexion

import (
	"regexp"
	"sync"
)

// Pattern compiles a regular expression on first use, since most commands need none.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

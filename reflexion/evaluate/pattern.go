package evaluate

import (
	"regexp"
	"sync"
)

// pattern compiles a regular expression on first use, since most commands need none.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

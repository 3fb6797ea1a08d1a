package reflexion

import (
	"regexp"
	"sync"
)

// pattern compiles a regular expression when it is first used: other commands
// should not wait for it.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

package keys

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// memory remembers what words are reduced to: that is most of the work on a text,
// and texts share their words. A word that has been met for a while is found
// without a lock.
type memory struct {
	reduce func(w string) string

	known atomic.Pointer[map[string]string] // never written to
	mu    sync.Mutex
	fresh map[string]string // met since known was made
}

var (
	stems  = memory{reduce: func(w string) string { return english.Stem(w, true) }}
	tokens = memory{reduce: reduce}
)

// maxKnown bounds the words remembered, since a hostile text has no end of them.
const maxKnown = 1 << 16

func (c *memory) of(w string) string {
	known := c.known.Load()
	if known != nil {
		if s, ok := (*known)[w]; ok {
			return s
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.fresh[w]
	if ok {
		return s
	}
	s = c.reduce(w)
	if known = c.known.Load(); known == nil {
		known = &map[string]string{}
	}
	if len(*known)+len(c.fresh) < maxKnown {
		if c.fresh == nil {
			c.fresh = map[string]string{}
		}
		c.fresh[strings.Clone(w)] = s
		if len(c.fresh) > len(*known)/2+64 {
			all := maps.Clone(*known)
			maps.Copy(all, c.fresh)
			c.known.Store(&all)
			c.fresh = nil
		}
	}
	return s
}

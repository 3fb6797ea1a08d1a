package graph

import (
	"context"
	"strings"

	"episodes/keys"
)

// What the laws of stores, which stand outside this package, need of its inside.

// WriteNewer makes a store of the format after this one.
func WriteNewer(url string, src Source) error {
	p, err := at(url)
	if err != nil {
		return err
	}
	next := rules{Format + 1, keys.Version}
	if f, ok := p.(folder); ok {
		f.rules = next
		p = f
	}
	free, err := p.writer(context.Background(), Options{})
	if err != nil {
		return err
	}
	defer free()
	return (&updater{place: p, src: src, rules: next, net: newNet()}).update(context.Background())
}

// Forget removes a store in memory.
func Forget(url string) {
	memoriesMu.Lock()
	defer memoriesMu.Unlock()
	delete(memories, strings.TrimPrefix(url, "mem:"))
}

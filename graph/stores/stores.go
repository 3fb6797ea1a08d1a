// Package stores knows the kinds of graph stores and their URLs. It is the one
// place that names the engines: a new engine is a folder of its own and a line in
// the table below. The contract of engines and the laws of graphs are then tested on it.
package stores

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"episodes/graph/badgerkv"
	"episodes/graph/engine"
	"episodes/graph/memkv"
)

// ErrURL: the URL names no store that can be opened.
var ErrURL = errors.New("not the URL of a graph store")

// kind is a kind of store, named by the scheme of its URLs.
type kind struct {
	scheme  string
	name    string // what follows the scheme, for messages
	open    func(name string, format int, token string) engine.Store
	exists  func(name string) bool // whether the store exists, without opening it; nil: never
	private bool                   // it ends with the process

	foreign func(name, token string) bool // nil: never
	uses    func(file string) bool        // nil: it is kept in no folder
}

var kinds = []kind{
	{scheme: folderScheme, name: "DIR",
		open:   func(dir string, format int, token string) engine.Store { return badgerkv.OpenStore(dir, format, token) },
		exists: notEmpty, foreign: badgerkv.Foreign, uses: badgerkv.Uses},
	{scheme: "mem", name: "NAME",
		open:    func(name string, format int, _ string) engine.Store { return memkv.Open(name, format) },
		private: true},
}

const folderScheme = "badger"

// find returns the kind of a URL and the name in it. The kind is nil if the URL has none.
func find(url string) (k *kind, name string) {
	scheme, name, _ := strings.Cut(url, ":")
	for i := range kinds {
		if kinds[i].scheme == scheme && name != "" {
			return &kinds[i], name
		}
	}
	return nil, ""
}

// Open returns the store that a URL names, for generations of a format. A token that is
// not empty makes it take what was written under another one, or none, for nothing.
// Nothing is touched before a method of the store is called. Errors: ErrURL.
func Open(url string, format int, token string) (engine.Store, error) {
	k, name := find(url)
	if k == nil {
		var forms []string
		for _, k := range kinds {
			forms = append(forms, k.scheme+":"+k.name)
		}
		return nil, fmt.Errorf("%w: %q, want %s", ErrURL, url, strings.Join(forms, " or "))
	}
	return k.open(name, format, token), nil
}

// Schemes lists the schemes of the URLs of all kinds of stores.
func Schemes() (out []string) {
	for _, k := range kinds {
		out = append(out, k.scheme)
	}
	return out
}

// Known reports whether a URL names a store that Open can open.
func Known(url string) bool {
	k, _ := find(url)
	return k != nil
}

// Private reports whether a store ends with this process, so that no other
// process can use it and there is nothing to remember of it.
func Private(url string) bool {
	k, _ := find(url)
	return k != nil && k.private
}

// Exists reports, without opening it, whether a store exists. It is false for a
// store that ends with the process.
func Exists(url string) bool {
	k, name := find(url)
	return k != nil && k.exists != nil && k.exists(name)
}

// Foreign reports, without opening it, whether a store was written under another token
// than the given one, or none.
func Foreign(url, token string) bool {
	k, name := find(url)
	return k != nil && k.foreign != nil && k.foreign(name, token)
}

// Uses reports whether a name in the folder in which a store is kept is one of its own.
func Uses(url, file string) bool {
	k, _ := find(url)
	return k != nil && k.uses != nil && k.uses(file)
}

func notEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

// InFolder is the URL of a store in a folder on disk.
func InFolder(dir string) string { return folderScheme + ":" + dir }

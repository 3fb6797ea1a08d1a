package stores_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"episodes/graph/engine"
	"episodes/graph/stores"
	"episodes/internal/testing/enginetest"
)

// Every engine keeps the contract.
func TestContract(t *testing.T) {
	for _, scheme := range stores.Schemes() {
		t.Run(scheme, func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T) func(int) engine.Store {
				url := scheme + ":" + filepath.Join(t.TempDir(), "graph")
				return func(format int) engine.Store {
					s, err := stores.Open(url, format, "")
					if err != nil {
						t.Fatal(err)
					}
					return s
				}
			})
		})
	}
}

func TestURLs(t *testing.T) {
	for url, want := range map[string]struct{ known, private bool }{
		"badger:/tmp/x":             {known: true},
		"badger:C:\\x":              {known: true},
		stores.InFolder("a folder"): {known: true},
		"mem:x":                     {known: true, private: true},
		"":                          {},
		"mem":                       {},
		"mem:":                      {},
		"badger":                    {},
		"badger:":                   {},
		"postgres://x/y?project=z":  {},
		"mysql://x":                 {},
		"/tmp/x":                    {},
	} {
		s, err := stores.Open(url, 1, "")
		if (err == nil) != want.known || (s != nil) != want.known || stores.Known(url) != want.known || stores.Private(url) != want.private {
			t.Errorf("%q: %v, known %v, private %v", url, err, stores.Known(url), stores.Private(url))
		}
		if err != nil && (!errors.Is(err, stores.ErrURL) || !strings.Contains(err.Error(), "want badger:DIR or ")) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

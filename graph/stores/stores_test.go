package stores_test

import (
	"errors"
	"strings"
	"testing"

	"episodes/graph/stores"
)

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
		if err != nil && (!errors.Is(err, stores.ErrURL) || !strings.HasSuffix(err.Error(), "want badger:DIR or mem:NAME")) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

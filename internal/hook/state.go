package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// openState opens the user's state folder, and makes it where that is wanted.
func openState(make bool) (*fsstore.Dir, error) {
	path, err := local.StateDir()
	if err != nil {
		return nil, err
	}
	if make {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	return fsstore.Open(path)
}

// state is the user's state folder, opened once.
func (h *hook) state() (*fsstore.Dir, error) {
	if h.dir == nil && h.dirErr == nil {
		h.dir, h.dirErr = openState(true)
	}
	return h.dir, h.dirErr
}

// nameOf makes a name of a file out of texts that may be anything.
func nameOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

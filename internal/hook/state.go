package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/local"
)

// state is the user's state folder, opened once.
func (h *hook) state() (*fsstore.Dir, error) {
	if h.dir == nil && h.dirErr == nil {
		h.dir, h.dirErr = local.OpenState(true)
	}
	return h.dir, h.dirErr
}

// nameOf makes a name of a file out of texts that may be anything.
func nameOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

package synthetic

import (
	"fmt"
	"os"
	"path/filepath"

	"episodes/episode"
)

// Write writes the episodes with numbers from `from` to `to`-1 as files into dir, which
// it creates, and returns their size in bytes.
func (m Memory) Write(dir string, from, to int) (int64, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	size := int64(0)
	for i := from; i < to; i++ {
		b, err := episode.Marshal(m.Episode(i))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, m.ID(i)+".json"), b, 0o644)
		}
		if err != nil {
			return size, fmt.Errorf("write a synthetic memory to %q: %w", dir, err)
		}
		size += int64(len(b))
	}
	return size, nil
}

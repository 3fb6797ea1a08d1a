package synthetic

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"episodes/episode"
)

// Write writes the episodes with numbers from `from` to `to`-1 as files into dir, which
// it creates, and returns their size in bytes.
func (m Memory) Write(dir string, from, to int) (int64, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	var next, size atomic.Int64
	next.Store(int64(from))
	errs := make([]error, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1) - 1)
				if i >= to {
					return
				}
				n, err := m.writeOne(dir, i)
				size.Add(int64(n))
				errs[w] = err
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return size.Load(), fmt.Errorf("write a synthetic memory to %q: %w", dir, err)
		}
	}
	return size.Load(), nil
}

func (m Memory) writeOne(dir string, i int) (int, error) {
	b, err := episode.Marshal(m.Episode(i))
	if err != nil {
		return 0, err
	}
	return len(b), os.WriteFile(filepath.Join(dir, m.ID(i)+".json"), b, 0o644)
}

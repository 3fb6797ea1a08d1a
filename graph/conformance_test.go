package graph_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"episodes/graph"
	"episodes/internal/testing/few"
	"episodes/internal/testing/graphtest"
)

// Every engine keeps the laws of stores.
func TestLaws(t *testing.T) {
	t.Run("badger", func(t *testing.T) {
		graphtest.Run(t, graphtest.Engine{New: newFolder, Snapshot: filesOf, Checks: few.Of(5, 10)})
	})
	t.Run("mem", func(t *testing.T) {
		graphtest.Run(t, graphtest.Engine{New: newInMemory, Checks: few.Of(20, 50)})
	})
}

func newFolder() (url string, done func(), err error) {
	dir, err := os.MkdirTemp("", "episodes-laws-")
	return "badger:" + filepath.Join(dir, "graph"), func() { os.RemoveAll(dir) }, err
}

var inMemory atomic.Int64

func newInMemory() (url string, done func(), err error) {
	url = fmt.Sprintf("mem:laws-%d", inMemory.Add(1))
	return url, func() { graph.Emptied(url) }, nil
}

// filesOf is every file of a folder but the locks, which are signed by whoever holds
// them.
func filesOf(url string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(strings.TrimPrefix(url, "badger:"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %x %s\n", path, sha256.Sum256(data), info.ModTime())
		return nil
	})
	return b.String(), err
}

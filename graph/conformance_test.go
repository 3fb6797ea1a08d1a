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
	"episodes/graph/stores"
	"episodes/internal/testing/few"
	"episodes/internal/testing/graphtest"
)

// Every engine keeps the laws of stores.
func TestLaws(t *testing.T) {
	for _, scheme := range stores.Schemes() {
		e := graphtest.Engine{Snapshot: filesOf, Checks: few.Of(5, 10)}
		e.New = func() (url string, done func(), err error) {
			dir, err := os.MkdirTemp("", "episodes-laws-")
			url = scheme + ":" + filepath.Join(dir, "graph")
			return url, func() { os.RemoveAll(dir) }, err
		}
		if stores.Private(scheme + ":x") {
			e.Snapshot, e.Checks = nil, few.Of(20, 50)
			e.New = func() (url string, done func(), err error) {
				url = fmt.Sprintf("%s:laws-%d", scheme, inMemory.Add(1))
				return url, func() { graph.Emptied(url) }, nil
			}
		}
		t.Run(scheme, func(t *testing.T) { graphtest.Run(t, e) })
	}
}

var inMemory atomic.Int64

// filesOf is every file of a folder but the locks, which are signed by whoever holds
// them.
func filesOf(url string) (string, error) {
	var b strings.Builder
	_, dir, _ := strings.Cut(url, ":")
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
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

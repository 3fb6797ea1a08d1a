package graph

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

var background = context.Background()

// folderStore makes a store with some episodes in a folder.
func folderStore(t *testing.T, n int) (dir, url string, src *memorySource) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "graph")
	src = generated(5, n)
	mustUpdate(t, "badger:"+dir, src)
	return dir, "badger:" + dir, src
}

// snapshot is every file of a folder: name, length, content, time.
func snapshot(t *testing.T, dir string, but ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		for _, suffix := range but {
			if strings.HasSuffix(path, suffix) {
				return nil
			}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := e.Info()
		out[path] = fmt.Sprintf("%d %x %s", len(b), sha256.Sum256(b), info.ModTime())
		return err
	})
	check(t, err)
	return out
}

func sameSnapshot(t *testing.T, before, after map[string]string) {
	t.Helper()
	if d := gocmp.Diff(before, after); d != "" {
		t.Fatalf("files changed (-before +after):\n%s", d)
	}
}

// A folder that cannot be written to, such as a mount of another's, can be read:
// no file is made there, and the locks need not be there.
func TestReadOnlyFolder(t *testing.T) {
	dir, url, src := folderStore(t, 10)
	for _, name := range []string{"write.lock", "gate.lock"} {
		check(t, os.Remove(filepath.Join(dir, name)))
	}
	before := snapshot(t, dir)
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error { return os.Chmod(path, 0o555) })
	defer filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error { return os.Chmod(path, 0o755) })
	g := mustOpen(t, url)
	checkAgainst(t, g, src.all())
	g.Close()
	sameSnapshot(t, before, snapshot(t, dir))
}

package gitdir

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// longer is an index of version 4 in which each path is the one before and a letter.
func longer(entries int) []byte {
	data := append([]byte("DIRC"), 0, 0, 0, 4)
	data = binary.BigEndian.AppendUint32(data, uint32(entries))
	path := "logs/"
	for n := range entries {
		added := "x"
		if n == 0 {
			added = path
		} else {
			path += added
		}
		data = append(data, make([]byte, statSize+20)...)
		data = binary.BigEndian.AppendUint16(data, uint16(min(len(path), maxLength)))
		data = append(append(append(data, 0), added...), 0)
	}
	return data
}

// Paths that share their beginnings are read as far as they could be of files.
func TestIndexOfLongPaths(t *testing.T) {
	own := t.TempDir()
	for n, want := range map[int]int{100: 100, 20000: 0} {
		write(t, filepath.Join(own, "index"), string(longer(n)))
		if got := indexed(own, []string{"logs"}); len(got) != want {
			t.Errorf("of %d paths %d are read", n, len(got))
		}
	}
}

func FuzzEntries(f *testing.F) {
	for _, name := range []string{"2", "4"} {
		w := newTree(f)
		w.commit("ann", "logs/a.md", "a")
		w.commit("ann", "logs/a/b.md", "b")
		w.git("update-index", "--index-version", name)
		data, err := os.ReadFile(filepath.Join(w.dir, ".git/index"))
		must(f, err)
		f.Add(data)
	}
	f.Add(longer(20))
	f.Fuzz(func(t *testing.T, data []byte) {
		given := 0
		rest, ok := Entries(data, func(path, hash []byte) {
			if given += 1; len(hash) != 20 && len(hash) != 32 || bytes.IndexByte(path, 0) >= 0 {
				t.Fatalf("%q, %x", path, hash)
			}
		})
		if given > len(data)/statSize*2 || ok && !bytes.HasSuffix(data, rest) {
			t.Fatalf("%d entries of %d bytes, %d left", given, len(data), len(rest))
		}
	})
}

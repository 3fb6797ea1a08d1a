package graph

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
)

var updateFixture = flag.Bool("update-fixture", false, "write testdata/format-N.zip for the format of this program, where there is none")

// fixture is a memory and its store as a program of one format left them.
func fixture(format int) string { return fmt.Sprintf("testdata/format-%d.zip", format) }

// Stores of every format that there was can still be dealt with: the present one
// is read as it is, an older one is refused by readers and rebuilt by writers.
func TestFixtures(t *testing.T) {
	if _, err := os.Stat(fixture(Format)); errors.Is(err, fs.ErrNotExist) && *updateFixture {
		writeFixture(t, fixture(Format))
	}
	if _, err := os.Stat(fixture(Format)); err != nil {
		t.Errorf("%v: run this test with -update-fixture", err)
	}
	found, err := filepath.Glob("testdata/format-*.zip")
	check(t, err)
	for _, path := range found {
		var format int
		if _, err := fmt.Sscanf(filepath.Base(path), "format-%d.zip", &format); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			dir := t.TempDir()
			unzip(t, path, dir)
			src := folderSource(filepath.Join(dir, "episodes"))
			url := "badger:" + filepath.Join(dir, "graph")
			mustRebuild(t, "mem:"+t.Name(), src)
			want := exported(t, "mem:"+t.Name())
			g, err := Open(background, url, Options{})
			if err == nil {
				g.Close()
			}
			old := format != Format || errors.Is(err, errOtherKeys)
			if !old {
				before := snapshot(t, filepath.Join(dir, "graph"))
				if exported(t, url) != want {
					t.Error("it reads otherwise than it was written")
				}
				sameSnapshot(t, before, snapshot(t, filepath.Join(dir, "graph")))
			} else if !errors.Is(err, ErrVersion) {
				t.Errorf("open: %v", err)
			}
			if r := mustUpdate(t, url, src); r.Rebuilt != old {
				t.Errorf("update: %+v", r)
			}
			if exported(t, url) != want {
				t.Error("an update does not bring it to what it should be")
			}
			mustVerify(t, url, src)
		})
	}
}

func writeFixture(t *testing.T, path string) {
	t.Helper()
	dir := t.TempDir()
	src := folderSource(filepath.Join(dir, "episodes"))
	for _, ep := range (generator{11}).episodes(0, 6) {
		check(t, src.put(ep))
	}
	mustUpdate(t, "badger:"+filepath.Join(dir, "graph"), src)
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	file, err := os.Create(path)
	check(t, err)
	z := zip.NewWriter(file)
	check(t, errors.Join(z.AddFS(os.DirFS(dir)), z.Close(), file.Close()))
}

func unzip(t *testing.T, path, dir string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	check(t, err)
	defer z.Close()
	for _, f := range z.File {
		to := filepath.Join(dir, f.Name)
		if f.FileInfo().IsDir() {
			continue
		}
		in, err := f.Open()
		check(t, err)
		data, err := io.ReadAll(in)
		check(t, errors.Join(err, in.Close(), os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)))
	}
}

// folderSource is a folder of episode files, as the program will have it.
type folderSource string

func (dir folderSource) file(id string) string { return filepath.Join(string(dir), id+".json") }

func (dir folderSource) put(ep *episode.Episode) error {
	b, err := episode.Marshal(ep)
	return errors.Join(err, os.MkdirAll(string(dir), 0o755), os.WriteFile(dir.file(ep.ID), b, 0o644))
}

func (dir folderSource) List() (out []Entry, err error) {
	paths, err := filepath.Glob(dir.file("*"))
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		out = append(out, entryOf(strings.TrimSuffix(filepath.Base(p), ".json"), b))
	}
	return out, err
}

func entryOf(id string, file []byte) Entry {
	return Entry{id, fmt.Sprintf("%x", sha256.Sum256(file))}
}

func (dir folderSource) Load(id string) (*episode.Episode, error) {
	b, err := os.ReadFile(dir.file(id))
	if err != nil {
		return nil, err
	}
	return episode.Parse(b)
}

package graph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/lock"
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
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameSnapshot(t *testing.T, before, after map[string]string) {
	t.Helper()
	if d := gocmp.Diff(before, after); d != "" {
		t.Fatalf("files changed (-before +after):\n%s", d)
	}
}

func TestReadingLeavesEveryByte(t *testing.T) {
	dir, url, src := folderStore(t, 30)
	before := snapshot(t, dir)
	g := mustOpen(t, url)
	checkAgainst(t, g, src.all())
	g.Close()
	exported(t, url)
	mustVerify(t, url, src)
	sameSnapshot(t, before, snapshot(t, dir))
}

func TestUpdateWithNothingToDoLeavesEveryByte(t *testing.T) {
	dir, url, src := folderStore(t, 30)
	before := snapshot(t, dir, ".lock") // the writer lock is signed
	if r := mustUpdate(t, url, src); r.Unchanged != 30 || r.Rebuilt {
		t.Errorf("%+v", r)
	}
	sameSnapshot(t, before, snapshot(t, dir, ".lock"))
}

// A folder that cannot be written to, such as a mount of another's, can be read:
// no file is made there, and the locks need not be there.
func TestReadOnlyFolder(t *testing.T) {
	dir, url, src := folderStore(t, 10)
	for _, name := range []string{writeLock, gateLock, turnLock} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	before := snapshot(t, dir)
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error { return os.Chmod(path, 0o555) })
	defer filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error { return os.Chmod(path, 0o755) })
	g := mustOpen(t, url)
	checkAgainst(t, g, src.all())
	g.Close()
	sameSnapshot(t, before, snapshot(t, dir))
}

func TestMissing(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		if _, err := Open(background, url, Options{}); !errors.Is(err, ErrMissing) {
			t.Errorf("open: %v", err)
		}
		if _, err := Verify(background, url, nil, Options{}); !errors.Is(err, ErrMissing) {
			t.Errorf("verify: %v", err)
		}
		if _, err := Update(background, url, newSource(), Options{Only: []string{"episode-1"}}); !errors.Is(err, ErrMissing) {
			t.Errorf("update of one: %v", err)
		}
		mustUpdate(t, url, newSource()) // an empty set is a graph too
		checkStore(t, url, newSource())
	})
	for _, url := range []string{"", "badger", "badger:", "postgres://x", "/tmp/x"} {
		if _, err := Open(background, url, Options{}); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// otherVersion makes a store with other rules than this program's.
func otherVersion(t *testing.T, r rules) (dir, url string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "graph")
	p := folder{dir: dir, rules: r}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	u := &updater{place: p, src: generated(5, 10), rules: r, net: newNet()}
	if err := u.update(background); err != nil {
		t.Fatal(err)
	}
	return dir, "badger:" + dir
}

func TestNewerFormatIsRefused(t *testing.T) {
	dir, url := otherVersion(t, rules{Format + 1, ours.keys})
	before := snapshot(t, dir, ".lock")
	if _, err := Open(background, url, Options{}); !errors.Is(err, ErrVersion) {
		t.Errorf("open: %v", err)
	}
	if _, err := Update(background, url, generated(5, 10), Options{}); !errors.Is(err, ErrVersion) {
		t.Errorf("update: %v", err)
	}
	sameSnapshot(t, before, snapshot(t, dir, ".lock"))
	mustRebuild(t, url, generated(5, 11))
	checkStore(t, url, generated(5, 11))
}

func TestOlderFormatIsBuiltAnew(t *testing.T) {
	dir, _, src := folderStore(t, 10)
	next := rules{Format + 1, ours.keys}
	u := &updater{place: folder{dir: dir, rules: next}, src: src, rules: next, net: newNet()}
	if err := u.update(background); err != nil {
		t.Fatal(err)
	}
	if r := u.finish(); !r.Rebuilt || r.Added != 10 {
		t.Errorf("%+v", r)
	}
}

func TestOtherKeyRulesAreBuiltAnew(t *testing.T) {
	_, url := otherVersion(t, rules{Format, ours.keys + 1})
	if _, err := Open(background, url, Options{}); !errors.Is(err, ErrVersion) {
		t.Errorf("open: %v", err)
	}
	if _, err := Update(background, url, newSource(), Options{Only: []string{"episode-x"}}); !errors.Is(err, ErrVersion) {
		t.Errorf("update of one: %v", err)
	}
	if r := mustUpdate(t, url, generated(5, 10)); !r.Rebuilt {
		t.Errorf("%+v", r)
	}
	checkStore(t, url, generated(5, 10))
}

func TestDamageIsRefusedAndRebuilt(t *testing.T) {
	table := func(dir string) string {
		found, _ := filepath.Glob(filepath.Join(dir, "gen-*", "*.sst"))
		return found[0]
	}
	for name, damage := range map[string]func(dir string) error{
		"CURRENT is garbage":     func(dir string) error { return os.WriteFile(filepath.Join(dir, currentName), []byte("../x\n"), 0o644) },
		"CURRENT is empty":       func(dir string) error { return os.WriteFile(filepath.Join(dir, currentName), nil, 0o644) },
		"the generation is gone": func(dir string) error { return os.RemoveAll(filepath.Join(dir, "gen-000001")) },
		"the manifest is gone":   func(dir string) error { return os.Remove(filepath.Join(dir, "gen-000001", "MANIFEST")) },
		"the manifest is garbage": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "gen-000001", "MANIFEST"), []byte("garbage garbage"), 0o644)
		},
		"a table is cut":  func(dir string) error { return os.Truncate(table(dir), 1000) },
		"a table is gone": func(dir string) error { return os.Remove(table(dir)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, url, src := folderStore(t, 40)
			if err := damage(dir); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, dir, ".lock")
			if g, err := Open(background, url, Options{}); !errors.Is(err, ErrDamaged) {
				t.Errorf("open: %v %v", g, err)
			}
			if _, err := Update(background, url, src, Options{}); !errors.Is(err, ErrDamaged) {
				t.Errorf("update: %v", err)
			}
			sameSnapshot(t, before, snapshot(t, dir, ".lock"))
			if r := mustRebuild(t, url, src); r.Added != 40 {
				t.Errorf("%+v", r)
			}
			checkStore(t, url, src)
		})
	}
}

func TestVerifyFindsFlippedBytes(t *testing.T) {
	dir, url, src := folderStore(t, 40)
	tables, _ := filepath.Glob(filepath.Join(dir, "gen-*", "*.sst"))
	b, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 0x40
	if err := os.WriteFile(tables[0], b, 0o644); err != nil {
		t.Fatal(err)
	}
	problems, err := Verify(background, url, src, Options{})
	if err != nil && !errors.Is(err, ErrDamaged) || err == nil && len(problems) == 0 {
		t.Errorf("%v %q", err, problems)
	}
}

// Every record that is changed, missing or too many is found.
func TestVerifyFindsWrongRecords(t *testing.T) {
	src := generated(5, 20)
	for _, prefix := range []string{keyMeta, keyShard, keyEntry, keyEpisode, keyNode, keyOut, keyIn, keyWord, keyPoint, keyPointWord, keyUse, "log", "spoc"} {
		for _, how := range []string{"missing", "changed"} {
			if prefix+how == "logchanged" {
				continue // the log holds times, which nobody reads
			}
			t.Run(prefix+" "+how, func(t *testing.T) {
				url := "mem:" + t.Name()
				mustUpdate(t, url, src)
				p, _ := at(url)
				kv := p.(*memoryStore).current
				for k, v := range kv.values {
					if !strings.HasPrefix(k, prefix) {
						continue
					}
					if how == "missing" {
						kv.set(k, nil)
					} else {
						v = bytes.Clone(v)
						v[len(v)-1] ^= 1
						kv.set(k, v)
					}
					break
				}
				problems, err := Verify(background, url, src, Options{})
				if err == nil && len(problems) == 0 || err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
					t.Errorf("%v %q", err, problems)
				}
			})
		}
	}
}

func TestVerifyComparesWithTheFiles(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		src := generated(5, 5)
		mustUpdate(t, url, src)
		list, _ := src.List()
		src.drop(list[0].ID)
		src.put(generator{6}.episode(900))
		src.files[list[1].ID] = append(src.files[list[1].ID], '\n')
		problems, err := Verify(background, url, src, Options{})
		if err != nil || len(problems) != 3 {
			t.Errorf("%v %q", err, problems)
		}
	})
}

func TestLockTimeoutNamesTheHolder(t *testing.T) {
	dir, url, src := folderStore(t, 3)
	p := folder{dir: dir, rules: ours}
	free, err := p.writer(background, Options{Who: "episodes graph\tupdate\x1b[31m"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Update(background, url, src, Options{LockTimeout: 30 * time.Millisecond})
	var timeout *lock.TimeoutError
	if !errors.As(err, &timeout) || !errors.Is(err, lock.ErrTimeout) {
		t.Fatalf("%v", err)
	}
	if h := timeout.Holder; h == nil || h.PID != os.Getpid() || h.Who != "episodes graph update [31m" || timeout.Waited < 30*time.Millisecond {
		t.Errorf("%+v %+v", timeout, timeout.Holder)
	}
	mustOpen(t, url).Close() // a writer that does not write yet hinders no reader
	free()
	mustUpdate(t, url, src)
}

func TestReadersAndWriterTakeTurns(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		src := generated(5, 3)
		mustUpdate(t, url, src)
		g := mustOpen(t, url)
		mustUpdate(t, url, src) // nothing to write
		src.put(generator{5}.episode(3))
		short := Options{LockTimeout: 30 * time.Millisecond}
		if _, err := Update(background, url, src, short); !errors.Is(err, lock.ErrTimeout) {
			t.Errorf("update beside a reader: %v", err)
		}
		g.Close()
		g.Close()

		p, _ := at(url)
		w, err := p.write(background, Options{Who: "a writer"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(background, url, short); !errors.Is(err, lock.ErrTimeout) {
			t.Errorf("open beside the writing: %v", err)
		}
		ctx, cancel := context.WithTimeout(background, 30*time.Millisecond)
		defer cancel()
		if _, err := Open(ctx, url, Options{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("open with a deadline: %v", err)
		}
		w.close()
		mustUpdate(t, url, src)
		checkStore(t, url, src)
	})
}

// slowSource lets a test stop a rebuild in the middle.
type slowSource struct {
	*memorySource
	loading, goOn chan struct{}
}

func (s slowSource) Load(id string) (*episode.Episode, error) {
	select {
	case s.loading <- struct{}{}:
	default:
	}
	<-s.goOn
	return s.memorySource.Load(id)
}

func TestRebuildBlocksNoReader(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		src := generated(5, 8)
		mustUpdate(t, url, src)
		old := exported(t, url)
		reader := mustOpen(t, url)

		src.put(generator{5}.episode(100))
		slow := slowSource{src, make(chan struct{}, 1), make(chan struct{})}
		done := make(chan error, 1)
		go func() {
			_, err := Rebuild(background, url, slow, Options{})
			done <- err
		}()
		<-slow.loading
		if exported(t, url) != old {
			t.Error("a reader sees something else during a rebuild")
		}
		if _, err := Update(background, url, src, Options{LockTimeout: time.Millisecond}); !errors.Is(err, lock.ErrTimeout) {
			t.Errorf("a second writer: %v", err)
		}
		close(slow.goOn)
		if err := <-done; err != nil {
			t.Fatal(err) // though a reader still has the old generation open
		}
		checkAgainst(t, reader, src.all()[:8])
		reader.Close()
		checkStore(t, url, src)
		mustUpdate(t, url, src)
		if dir, ok := strings.CutPrefix(url, "badger:"); ok {
			if names, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(names) != 1 {
				t.Errorf("the old generation is still there: %v", names)
			}
		}
	})
}

func TestCancelledRebuildLeavesTheOldGraph(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		src := generated(5, 60)
		mustUpdate(t, url, src)
		before := exported(t, url)
		ctx, cancel := context.WithCancel(background)
		_, err := Rebuild(ctx, url, generated(6, 60), Options{BatchSize: 5, Progress: func(done, total int) {
			if done > 20 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if exported(t, url) != before {
			t.Error("the graph changed")
		}
		if dir, ok := strings.CutPrefix(url, "badger:"); ok {
			if names, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(names) != 1 {
				t.Errorf("leftovers: %v", names)
			}
		}
	})
}

func TestCancelledUpdateIsTheGraphOfSomeSet(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		src := generated(5, 60)
		mustUpdate(t, url, generated(5, 1))
		ctx, cancel := context.WithCancel(background)
		r, err := Update(ctx, url, src, Options{BatchSize: 5, Progress: func(done, total int) {
			if done > 20 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || r.Added < 20 || r.Added > 40 {
			t.Fatalf("%v %+v", err, r)
		}
		mustVerify(t, url, nil)
		mustUpdate(t, url, src)
		checkStore(t, url, src)
	})
}

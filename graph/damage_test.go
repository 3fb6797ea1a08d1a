package graph

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
	"episodes/graph/stores"
)

// otherRules makes a store with other rules than this program's.
func otherRules(t *testing.T, r rules) (dir, url string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "graph")
	check(t, updateAs(r, stores.InFolder(dir), generated(5, 10)))
	return dir, stores.InFolder(dir)
}

// updateAs is Update of a program with other rules.
func updateAs(r rules, url string, src Source) error {
	store, err := stores.Open(url, r.format, "")
	if err != nil {
		return err
	}
	release, err := store.Lock(background, engine.Wait{Timeout: time.Minute})
	if err != nil {
		return err
	}
	defer release()
	return newUpdater(store, r, src, Options{}).update(background)
}

// inMemory opens the generation of a store in memory, to change it from outside.
func inMemory(t *testing.T, url string) engine.Generation {
	t.Helper()
	store, err := stores.Open(url, Format, "")
	check(t, err)
	g, err := store.Write(background, engine.Wait{Timeout: time.Minute})
	check(t, err)
	return g
}

func TestOtherKeyRulesAreRebuilt(t *testing.T) {
	_, url := otherRules(t, rules{Format, ours.keys - 1})
	if _, err := Open(background, url, Options{}); !errors.Is(err, ErrVersion) {
		t.Errorf("open: %v", err)
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
		"CURRENT is garbage":     func(dir string) error { return os.WriteFile(filepath.Join(dir, "CURRENT"), []byte("../x\n"), 0o644) },
		"CURRENT is empty":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "CURRENT"), nil, 0o644) },
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
			check(t, damage(dir))
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

// Every record that is changed, missing or too many is found.
func TestVerifyFindsWrongRecords(t *testing.T) {
	src := generated(5, 20)
	for _, prefix := range []string{keyMeta, keyEntry, keyEpisode, keyNode, keyLabel, keyOut, keyIn, keyWord, keyUses, "log", "spoc"} {
		for _, how := range []string{"missing", "changed"} {
			t.Run(prefix+" "+how, func(t *testing.T) {
				url := "mem:" + t.Name()
				mustUpdate(t, url, src)
				err := inMemory(t, url).Update(background, func(tx flat.Tx) error {
					it := scanner(tx.Scan(background), []byte(prefix))
					defer it.Close()
					if !it.Next(background) {
						t.Fatalf("no record %q", prefix)
					}
					k, v := it.Key().Clone(), it.Val()
					if how == "missing" {
						return tx.Del(background, k)
					}
					if len(v) == 0 {
						v = []byte{0}
					}
					v[len(v)-1] ^= 1
					return tx.Put(background, k, v)
				})
				check(t, err)
				problems, err := Verify(background, url, src, Options{})
				if err == nil && len(problems) == 0 || err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
					t.Errorf("%v %q", err, problems)
				}
			})
		}
	}
}

func TestVerifyComparesWithTheFiles(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
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

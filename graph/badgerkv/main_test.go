package badgerkv

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hidal-go/hidalgo/kv/flat"
)

const version = 7

var bg = context.Background()

// The tests that need another process run this binary again, with the name of
// what it shall do in childEnv and its directory in childDirEnv.
const (
	childEnv    = "BADGERKV_TEST_CHILD"
	childDirEnv = "BADGERKV_TEST_DIR"
)

func TestMain(m *testing.M) {
	switch role := os.Getenv(childEnv); role {
	case "":
		os.Exit(m.Run())
	case "write", "write-reopen":
		childWrite(os.Getenv(childDirEnv), role == "write-reopen")
	case "hold", "hold-read":
		childHold(os.Getenv(childDirEnv), role == "hold-read")
	default:
		panic("unknown role " + role)
	}
}

// startChild starts a child that shall end by being killed, and returns its
// output.
func startChild(t *testing.T, role, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+role, childDirEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd, bufio.NewScanner(out)
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// childHold opens the database, says so, and waits to be killed.
func childHold(dir string, readOnly bool) {
	open := Open
	if readOnly {
		open = OpenReadOnly
	}
	if _, err := open(dir, version); err != nil {
		panic(err)
	}
	fmt.Println("open")
	time.Sleep(time.Minute)
}

// must takes the T of testing and that of rapid.
func must(t interface {
	Helper()
	Fatal(...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantErr fails unless err is want and reads like a message of this project.
func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
	if text := err.Error(); strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
		t.Errorf("ends with a full stop or has several lines: %q", text)
	}
}

// create makes a database of n pairs, closed cleanly.
func create(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "db")
	db, err := Create(dir, version)
	must(t, err)
	must(t, db.Update(bg, func(tx flat.Tx) error {
		for i := range n {
			if err := tx.Put(bg, key(i), val(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, db.Close())
	return dir
}

func key(i int) flat.Key   { return fmt.Appendf(nil, "key/%06d", i) }
func val(i int) flat.Value { return fmt.Appendf(nil, "the value of number %d", i*i) }

// checkPairs fails unless the database is what create made.
func checkPairs(t testing.TB, db *DB, n int) {
	t.Helper()
	i := 0
	must(t, db.View(bg, func(tx flat.Tx) error {
		return flat.Each(bg, tx, func(k flat.Key, v flat.Value) error {
			if !bytes.Equal(k, key(i)) || !bytes.Equal(v, val(i)) {
				return fmt.Errorf("pair %d is %q=%q", i, k, v)
			}
			i++
			return nil
		})
	}))
	if i != n {
		t.Fatalf("got %d pairs, want %d", i, n)
	}
}

// snapshot returns one line for dir and each file in it: name, mode, size, time
// and hash.
func snapshot(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, fi.Name(), fi.Mode(), fi.Size(), fi.ModTime().UnixNano())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x\n", sha256.Sum256(data))
		return nil
	}))
	return b.String()
}

// oneTable returns the path of a table of the database in dir.
func oneTable(t testing.TB, dir string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"+tableSuffix))
	must(t, err)
	if len(all) == 0 {
		t.Fatal("no table")
	}
	return all[0]
}

// edit replaces the content of a file by what f makes of it.
func edit(t testing.TB, path string, f func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, f(data), 0o644))
}

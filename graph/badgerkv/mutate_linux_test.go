package badgerkv

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"episodes/internal/testing/few"
)

// The program over mutated tables: a user sees an answer or a message, never a Go
// trace, and no table takes the memory of the machine.
func TestProgramOverMutatedTables(t *testing.T) {
	n := few.Of(12, 150)
	if testing.Short() {
		t.Skip("builds and runs the program for seconds: go test without -short runs it")
	}
	program := filepath.Join(t.TempDir(), "episodes")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "episodes/cmd/episodes")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	home := t.TempDir()
	// Room for 2 GB of addresses, of which Go and Badger only reserve most. (What the system
	// says of a child's memory would not do: it starts with that of the process it came from.)
	const bounded = `ulimit -v 2097152 && exec "$0" "$@"`
	run := func(dir string, args ...string) (string, int) {
		t.Helper()
		cmd := exec.Command("/bin/sh", append([]string{"-c", bounded, program}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}

	sound := t.TempDir()
	must(t, os.Mkdir(filepath.Join(sound, ".git"), 0o755))
	must(t, os.CopyFS(filepath.Join(sound, "logs"), os.DirFS("../../testdata/sessions")))
	for _, args := range [][]string{{"init"}, {"extract", "logs"}, {"graph", "rebuild"}} {
		if out, code := run(sound, args...); code != 0 {
			t.Fatalf("%q: exit %d\n%s", args, code, out)
		}
	}
	episodes, err := filepath.Glob(filepath.Join(sound, ".agents/memory/episodes/*.json"))
	must(t, err)
	tables, err := filepath.Glob(filepath.Join(sound, ".agents/memory/causality/graph/gen-*/*.sst"))
	must(t, err)
	if len(tables) == 0 || len(episodes) < 2 {
		t.Fatalf("%d tables, %d episodes", len(tables), len(episodes))
	}
	table, err := filepath.Rel(sound, tables[len(tables)-1])
	must(t, err)
	raw := takeApart(t, filepath.Join(sound, table))
	kept := t.TempDir() // the token of what is local holds for one path only
	must(t, os.CopyFS(kept, os.DirFS(sound)))
	id := filepath.Base(episodes[0])
	id = id[:len(id)-len(".json")]

	r := seed(t)
	trace := regexp.MustCompile(`goroutine \d+ \[|\bpanic: |runtime error|\.go:\d+|Assert failed`)
	codes := map[int]int{}
	for i := range n {
		dir := sound
		must(t, os.RemoveAll(dir))
		must(t, os.CopyFS(dir, os.DirFS(kept)))
		bad := raw.mutated(t, r)
		must(t, os.WriteFile(filepath.Join(dir, table), bad, 0o644))
		if i%2 == 0 { // without the caches every answer comes from the tables
			caches, _ := filepath.Glob(filepath.Join(dir, ".agents/memory/causality/*.cbor"))
			for _, c := range caches {
				must(t, os.Remove(c))
			}
		}
		for _, args := range [][]string{{"list"}, {"explain", id}, {"graph", "stats"}, {"graph", "export", "--format", "json"}, {"graph", "update"}} {
			if args[len(args)-1] == "update" { // with something to write
				must(t, os.Remove(filepath.Join(dir, ".agents/memory/episodes", filepath.Base(episodes[1]))))
			}
			out, code := run(dir, args...)
			codes[code]++
			if code != 0 && code != 12 || trace.MatchString(out) {
				t.Errorf("table %d, %q: exit %d\n%s", i, args, code, out)
			} else if code == 12 && !bytes.Contains([]byte(out), []byte("episodes graph rebuild")) {
				t.Errorf("table %d, %q: no way out is shown\n%s", i, args, out)
			}
		}
	}
	t.Logf("exits %v", codes)
	if codes[12] == 0 {
		t.Error("no mutation was found")
	}
}

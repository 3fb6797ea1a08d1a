package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the examples of README.md with what the program prints")

// console is a fenced example: the command as typed, and what it printed.
var console = regexp.MustCompile("(?ms)^```console\n\\$ bin/episodes ([^\n]*)\n(.*?)^```$")

// TestReadmeExamples keeps the README honest: its examples are what the program
// prints on the repository's own memory.
func TestReadmeExamples(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "README.md")
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	got := console.ReplaceAllFunc(old, func(block []byte) []byte {
		m := console.FindSubmatch(block)
		examples++
		return []byte("```console\n$ bin/episodes " + string(m[1]) + "\n" + runInRepository(t, root, words(string(m[1]))) + "```")
	})
	if examples < 5 {
		t.Errorf("%d examples in README.md, want at least 5", examples)
	}
	if *updateReadme {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("README.md shows something else than the program prints (go test ./cmd/episodes -run Readme -update-readme):\n%s", diff)
	}
}

// runInRepository runs one command on the memory of this repository, with the
// graph in memory so that the test leaves nothing behind.
func runInRepository(t *testing.T, root string, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	env := environment{args: append(args, "--store", "mem:readme"), stdin: strings.NewReader(""), stdout: &out, stderr: &errs, cwd: root,
		getenv: func(string) string { return "" }, now: time.Now, free: func(string) (uint64, bool) { return 1 << 40, true }}
	if code := run(context.Background(), env); code != 0 {
		t.Errorf("episodes %q: exit code %d: %s", args, code, errs.String())
	}
	return out.String()
}

// words splits a command line as a shell would, as far as the README needs it.
func words(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, m[1]+m[2])
	}
	return out
}

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the examples of the documents with what the program prints")

// console is a fenced example: the command as typed, and what it printed; markdown is a log.
var (
	console  = regexp.MustCompile("(?ms)^```console\n\\$ bin/episodes ([^\n]*)\n(.*?)^```$")
	markdown = regexp.MustCompile("(?ms)put them into `([^`]*)` as `([^`]*)`:\n\n```markdown\n(.*?)^```$")
)

// TestReadmeExamples checks that the examples in README.md and docs/examples.md are what the
// program prints on the repository's own memory, and those in docs/logs.md what it prints on a
// memory of the log there.
func TestReadmeExamples(t *testing.T) {
	root, err := filepath.Abs("../..")
	must0(t, err)
	config := t.TempDir() // the examples are of the working tree, also before it is committed: nothing is kept apart
	must0(t, os.MkdirAll(filepath.Join(config, "episodes"), 0o700))
	must0(t, os.WriteFile(filepath.Join(config, "episodes", "config.toml"), []byte("quarantine_days = 0\n"), 0o600))
	t.Setenv("XDG_CONFIG_HOME", config)
	shown := map[string]bool{}
	for _, name := range []string{"README.md", "docs/examples.md", "docs/logs.md"} {
		file, dir := filepath.Join(root, name), root
		old := read(t, file)
		if log := markdown.FindSubmatch(old); log != nil {
			dir = t.TempDir()
			in := filepath.Join(dir, string(log[1]))
			must0(t, errors.Join(os.Mkdir(filepath.Join(dir, ".git"), 0o700), os.MkdirAll(in, 0o700)))
			must0(t, os.WriteFile(filepath.Join(in, string(log[2])), log[3], 0o600))
			runInRepository(t, dir, []string{"init"})
			runInRepository(t, dir, []string{"extract"})
		}
		got := console.ReplaceAllFunc(old, func(block []byte) []byte {
			line := string(console.FindSubmatch(block)[1])
			args := words(line)
			question := args[0]
			if slices.Contains(args, "--bad") {
				question += " --bad"
			}
			shown[question] = true
			return []byte("```console\n$ bin/episodes " + line + "\n" + runInRepository(t, dir, args) + "```")
		})
		if *updateReadme {
			must0(t, os.WriteFile(file, got, 0o644))
			continue
		}
		if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s does not show what the program prints "+
				"(go test ./cmd/episodes -run Readme -update-readme):\n%s", name, diff)
		}
	}
	for _, question := range []string{"advise", "path", "whatif", "patterns", "patterns --bad", "explain"} {
		if !shown[question] {
			t.Errorf("no document has an example of episodes %s", question)
		}
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

// words splits a command line as a shell would, as far as the examples need it.
func words(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	return out
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"episodes/internal/lock"
	"episodes/internal/testing/localtest"
)

// asProgram makes the test binary run as the program.
const asProgram = "EPISODES_TEST_AS_PROGRAM"

// noRaceNap keeps programs with the race detector from sleeping a second each
// before they end.
const noRaceNap = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(localtest.Isolated{Tests: m}, map[string]func(){"episodes": main})
}

// The scripts are the contract of the command line, one file for each matter.
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("testdata/script", func(*testscript.Env) error { return nil }))
}

// scripts runs those of a folder.
func scripts(dir string, setup func(*testscript.Env) error) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, noRaceNap)
			for name, value := range localtest.Env(filepath.Join(env.WorkDir, ".user")) {
				env.Setenv(name, value)
			}
			return setup(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": awaitCommand,
			"exits": exitsCommand,
			"fill":  fillCommand,
			"hold":  holdCommand,
			"subst": substCommand,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil // may read and write what nobody may
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	}
}

// awaitCommand: await FILE waits for a file that a run in the background is to make.
func awaitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s was not made", args[0])
}

// exitsCommand: exits CODE ARG... runs episodes and wants that exit code, and nothing on
// stdout when it is that of a failure, but for the envelope of a check that found something.
func exitsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec("episodes", args[1:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if out := ts.ReadFile("stdout"); want != 0 && want != codePartly && out != "" && !(want == codeFailed && verdictEnvelope(out)) {
		ts.Fatalf("stdout although it failed: %s", out)
	}
}

// verdictEnvelope reports whether an output is one envelope that says an error and what was
// found.
func verdictEnvelope(out string) bool {
	var e struct{ Error, Data json.RawMessage }
	return json.Unmarshal([]byte(out), &e) == nil && e.Error != nil && e.Data != nil
}

// fillCommand: fill FILE BYTES TEXT makes a file of so many bytes, of repeated
// text; \0 and \n in the text stand for these bytes.
func fillCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fill FILE BYTES TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.NewReplacer(`\0`, "\x00", `\n`, "\n", `\r`, "\r", `\xff`, "\xff").Replace(args[2])
	data := bytes.Repeat([]byte(text), n/len(text)+1)[:n]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// holdCommand: hold FILE takes a write lock until the script ends.
func holdCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold FILE")
	}
	l, err := lock.Acquire(context.Background(), ts.MkAbs(args[0]), time.Second, "a long work")
	ts.Check(err)
	ts.Defer(func() { _ = l.Release() })
}

// substCommand: subst FILE OLD NEW replaces a text that must be in the file.
func substCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: subst FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	old := ts.ReadFile(args[0])
	if !strings.Contains(old, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(old, args[1], args[2], 1)), 0o644))
}

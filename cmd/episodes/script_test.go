package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"episodes/internal/lock"
	"episodes/internal/testing/few"
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
	if len(os.Args) > 1 && os.Args[1] == "hook" && strings.HasSuffix(os.Args[0], ".test") {
		os.Exit(0) // a hook that ran in a test's own process starts this program for its queue
	}
	testscript.Main(localtest.Isolated{Tests: m}, map[string]func(){"episodes": main})
}

// The scripts are the contract of the command line, one file for each matter.
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("testdata/script", func(*testscript.Env) error { return nil }))
}

// scripts runs those of a folder.
func scripts(dir string, setup func(*testscript.Env) error) testscript.Params {
	path := os.Getenv("PATH") // a script may be set up while another runs a command here
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, noRaceNap)
			for name, value := range localtest.Env(filepath.Join(env.WorkDir, ".user")) {
				env.Setenv(name, value)
			}
			env.Setenv("PATH", path)
			if err := setup(env); err != nil {
				return err
			}
			names, err := variablesOf(dir, env.Vars)
			env.Values[variables{}] = names
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": awaitCommand,
			"exits": exitsCommand,
			"fill":  fillCommand,
			"hold":  holdCommand,
			"subst": substCommand,
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
	var code int
	var out string
	if few.Heavy() || needsProcess(args[1:]) {
		code = exitsProcess(ts, args[1:])
		out = ts.ReadFile("stdout")
	} else {
		code, out = exitsHere(ts, args[1:])
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if want != 0 && want != codePartly && out != "" && !((want == codeFailed || want == codeChanging) && verdictEnvelope(out)) {
		ts.Fatalf("stdout although it failed: %s", out)
	}
}

// needsProcess reports whether a command is about the process that it runs in: it reads the
// standard input, starts the program again or writes its path into settings. A loop waits for
// others most of its time, so it does not hold up the scripts that run here.
func needsProcess(args []string) bool {
	return slices.Contains(args, "-") || len(args) > 0 && slices.Contains([]string{"hook", "mcp", "setup", "loop"}, args[0])
}

// exitsProcess runs the program and returns its exit code.
func exitsProcess(ts *testscript.TestScript, args []string) int {
	err := ts.Exec("episodes", args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// here is held by the command that runs in this process: the variables of its script are
// those of the process for so long.
var here sync.Mutex

// exitsHere runs a command without starting a process, which takes most of the time of a
// short command.
func exitsHere(ts *testscript.TestScript, args []string) (code int, stdout string) {
	here.Lock()
	defer here.Unlock()
	before := os.Environ()
	defer setEnviron(before)
	setEnviron(nil)
	for _, name := range ts.Value(variables{}).([]string) {
		if value := ts.Getenv(name); value != "" {
			ts.Check(os.Setenv(name, value))
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // some commands change them
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	var out, errs bytes.Buffer
	cwd := ts.MkAbs(".")
	ts.Check(os.Setenv("PWD", cwd))
	code = run(context.Background(), environment{args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &errs,
		getenv: os.Getenv, cwd: cwd, home: os.Getenv("HOME"), now: time.Now})
	_, _ = ts.Stdout().Write(out.Bytes())
	_, _ = ts.Stderr().Write(errs.Bytes())
	return code, out.String()
}

func setEnviron(vars []string) {
	os.Clearenv()
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		_ = os.Setenv(name, value)
	}
}

// variables is the key under which a script has the names of its variables.
type variables struct{}

// envLine matches a line of a script that sets variables.
var envLine = regexp.MustCompile(`(?m)^env ((?:\w+=\S* ?)+)`)

// variablesOf are the names of the variables that the scripts of a folder may set, and of
// those that each begins with.
func variablesOf(dir string, begin []string) (names []string, err error) {
	for _, v := range begin {
		name, _, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for _, m := range envLine.FindAllStringSubmatch(string(text), -1) {
			for _, v := range strings.Fields(m[1]) {
				name, _, _ := strings.Cut(v, "=")
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
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

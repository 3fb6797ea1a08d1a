package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// What the examples in the help of commands name: an episode, an error and a decision.
const exampleLog = ".agents/sessions/2026-01-12-session-2.md"

// examples returns the command lines in the help of a command, without other programs and redirections.
func examples(cmd *cobra.Command) (out [][]string) {
	for line := range strings.Lines(cmd.Example) {
		line, _, _ = strings.Cut(line, " #")
		at := strings.Index(line, "episodes ")
		if at < 0 || strings.TrimSpace(line[:at]) != "" && !strings.HasSuffix(line[:at], "| ") {
			continue
		}
		args := words(line[at+len("episodes "):])
		if end := slices.IndexFunc(args, func(arg string) bool { return arg == "|" || strings.HasPrefix(arg, ">") }); end >= 0 {
			args = args[:end]
		}
		out = append(out, args)
	}
	return out
}

// Every command that asks a memory keeps what all of them promise, in each example of its help: the
// command line is right, --json is one envelope, --max-tokens is kept, and no text drives the terminal.
// A new command needs no line here.
func TestExamplesOfEveryQuestion(t *testing.T) {
	w := newWorld(t)
	log := strings.NewReplacer("# Task ", "# Lock timeout, retry with backoff ", "**Status**: Complete\n", "").Replace(hostile)
	w.write(exampleLog, log+"- Error: lock timeout: \x1b[36m\u202ethe upload times out\n")
	w.ok("extract")
	asked, answered := 0, 0
	for _, cmd := range memoryCommands() {
		for i, args := range examples(cmd) {
			out := w.example(args)
			if asked++; out != "" {
				answered++
			}
			if !slices.Contains(args, "--json") {
				args = append(args, "--json")
			}
			if out = w.example(args); out != "" {
				isEnvelope(t, args, out)
			}
			if i > 0 || cmd.Name() == "export" { // which prints files
				continue
			}
			args = append(args[:len(args)-1], "--max-tokens", "12")
			if out = w.example(args); len(out) > 4*12 {
				t.Errorf("%q prints %d bytes", args, len(out))
			}
		}
	}
	if t.Logf("%d examples, %d with an answer", asked, answered); asked < 30 || answered < 20 {
		t.Errorf("%d examples, %d with an answer", asked, answered)
	}
}

// isEnvelope checks that an answer is one line of JSON with the version and the command.
func isEnvelope(t *testing.T, args []string, out string) {
	t.Helper()
	var got struct {
		Version int             `json:"schema_version"`
		Command string          `json:"command"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal([]byte(out), &got) != nil || got.Version != 1 || len(got.Data) == 0 || strings.Count(out, "\n") != 1 || !strings.HasPrefix(strings.Join(args, " "), got.Command) {
		t.Errorf("%q prints no envelope: %s", args, out)
	}
}

// example runs a command line and returns what it prints if it succeeds.
func (w *world) example(args []string) string {
	w.t.Helper()
	w.env.stdin = strings.NewReader("lock timeout: the upload times out\n")
	code := w.run(args...)
	if code == codeUsage {
		w.t.Errorf("%q: exit %d: %s", args, code, &w.stderr)
	}
	for line := range strings.Lines(w.stdout.String() + w.stderr.String()) {
		if i := strings.IndexFunc(line, obeyed); i >= 0 {
			w.t.Errorf("%q prints %q", args, line[max(i-30, 0):i+1])
		}
	}
	if code != 0 {
		return ""
	}
	return w.stdout.String()
}

// memoryCommands are the commands that need a memory and start no other program. Corrections come last: they settle what
// the examples of record state.
func memoryCommands() (out []*cobra.Command) {
	others := []string{"extract", "loop", "mcp", "push", "pull", "serve", "store"}
	for _, c := range allCommands() {
		if strings.HasPrefix(c.Annotations["exits"], memoryExits) && !slices.Contains(others, strings.Fields(c.CommandPath())[1]) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *cobra.Command) int { return last(a) - last(b) })
	return out
}

func last(c *cobra.Command) int {
	if c.Name() == "correct" {
		return 1
	}
	return 0
}

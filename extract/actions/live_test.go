package actions

import (
	"encoding/json"
	"testing"
)

// A call is judged alone as it is in its session, whatever the agent calls its tools.
func TestLive(t *testing.T) {
	code := func(n int) *int { return &n }
	for _, c := range []struct {
		tool, args string
		said       Verdict
		exit       *int
		output     string
		failed     bool
	}{
		{"Bash", `{"command":"go test ./..."}`, DidFail, code(1), "--- FAIL: TestLock\nFAIL", true},
		{"bash", `{"command":"go test ./..."}`, Unsaid, nil, "--- FAIL: TestLock\nFAIL", true},
		{"run_shell_command", `{"command":"go test ./..."}`, Unsaid, code(0), "ok  a 0.1s", false},
		{"Bash", `{"command":"grep -rn TODO src"}`, DidFail, code(1), "", false},
		{"shell", `{"command":["bash","-lc","rg foo"]}`, Unsaid, code(1), "", false},
		{"Bash", `{"command":"sleep 9"}`, DidFail, code(130), "", false},
		{"mcp__db__migrate", `{}`, DidFail, nil, "relation users does not exist", true},
		{"mcp__db__migrate", `{}`, Worked, nil, "done", false},
	} {
		if got := LiveCall(c.tool, json.RawMessage(c.args)).Failed(c.said, c.exit, c.output); got != c.failed {
			t.Errorf("%s %s, exit %v: failed %v", c.tool, c.args, c.exit, got)
		}
	}
	if file, old, new, whole, ok := LiveCall("Edit", json.RawMessage(`{"file_path":"/a/b.go","old_string":"x","new_string":"y"}`)).Edit(); file != "/a/b.go" || old != "x" || new != "y" || whole || !ok {
		t.Error(file, old, new, whole, ok)
	}
	if file, _, _, _, ok := LiveCall("apply_patch", json.RawMessage(`{"command":"*** Begin Patch\n*** Update File: a.go\n-x\n+y\n*** End Patch"}`)).Edit(); file != "a.go" || !ok {
		t.Errorf("a patch as a command: %q %v", file, ok)
	}
	if LiveCall("Read", json.RawMessage(`{"file_path":"a"}`)).Runs() {
		t.Error("to read is to do something")
	}
}

// The exit code of a line is believed only where it is that of its check.
func TestHidden(t *testing.T) {
	for _, c := range []struct{ line, output, want string }{
		{"node style.mjs 2>&1 | tail -3", "3 style checks failed", "3 style checks failed"},
		{"npm test || true", "Tests: 1 failed, 7 passed, 8 total", "Tests: 1 failed, 7 passed, 8 total"},
		{"make parcels; echo done", "cart.c:9:13: error: use of undeclared identifier 'totl'\nmake: *** [cart.o] Error 1\ndone", "use of undeclared identifier 'totl'"},
		{"set -o pipefail; node style.mjs 2>&1 | tail -3", "0 style checks failed", ""},
		{"node style.mjs 2>&1 | tail -3", "12 style checks passed", ""},
		{"node style.mjs", "the list of names that failed: 3 failed", ""},
		{"grep -rn 'error: ' src | head -3", "src/a.go:3: error: retry", ""},
		{"cat notes.md | head -1", "error: what we saw", ""},
		{"", "", ""},
	} {
		if got := Hidden(c.line, c.output); got != c.want {
			t.Errorf("%s\n%s\n got %q\nwant %q", c.line, c.output, got, c.want)
		}
	}
}

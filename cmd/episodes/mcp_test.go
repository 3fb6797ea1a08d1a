//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client starts the program, asks, and ends it; what it records is what the command line would have
// written. The process holds no file of the memory between calls, and ends with its input.
func TestMCPProcess(t *testing.T) {
	ours, theirs := folder(t), folder(t)
	for _, dir := range []string{ours, theirs} {
		sampleLogs(t, dir, 4)
		must(t, dir, "init")
		must(t, dir, "extract", "*.md")
	}
	var errs bytes.Buffer
	cmd := program(ours, "mcp", "--verbose")
	cmd.Stderr = &errs
	session, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	must0(t, err)
	call := func(name string, args map[string]any) (*mcp.CallToolResult, string) {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		must0(t, err)
		text, _ := r.Content[0].(*mcp.TextContent)
		return r, text.Text
	}
	if _, text := call("show", map[string]any{"ref": "session-01"}); text+"\n" != must(t, ours, "show", "session-01") {
		t.Errorf("show: %q", text)
	}
	if r, text := call("record", map[string]any{"kind": "decision", "text": "keep one index", "over": []string{"an index a shard"}, "question": "many indexes?", "why": "it is small", "of": "session-01"}); r.IsError {
		t.Fatal(text)
	}
	must(t, theirs, "record", "decision", "keep one index", "--over", "an index a shard", "--question", "many indexes?", "--why", "it is small", "--of", "session-01", "--by", "tester")
	shown := func(dir string) string {
		return momentary.ReplaceAllString(must(t, dir, "show", "session-01", "--json"), "X")
	}
	if got, want := shown(ours), shown(theirs); got != want || !strings.Contains(got, "keep one index") {
		t.Errorf("%s\nthe command line makes\n%s", got, want)
	}
	if _, text := call("search", map[string]any{"text": "keep one index"}); !strings.Contains(text, "keep one index") {
		t.Errorf("search: %q", text)
	}
	must(t, ours, "record", "lesson", "zebras graze", "--session", "running") // another process may write between two calls
	if _, text := call("search", map[string]any{"text": "zebras graze"}); !strings.Contains(text, "zebras graze") {
		t.Errorf("search: %q", text)
	}
	if runtime.GOOS == "linux" {
		if open := heldFiles(t, cmd); len(open) > 0 {
			t.Errorf("held between calls: %q", open)
		}
	}
	if err := session.Close(); err != nil || errs.Len() > 0 {
		t.Errorf("the process ended with %v, standard error: %q", err, &errs)
	}
}

// momentary is a time, and what hangs on one: the mark of additions, the seal.
var momentary = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|"mark":"[0-9a-f]+"|"seal": ?"[0-9a-f]+"`)

// withoutTimes is a file of a memory without what depends on the moment it was written.
// heldFiles lists the files of a memory that a process has open.
func heldFiles(t *testing.T, cmd *exec.Cmd) (open []string) {
	t.Helper()
	fds, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "fd", "*"))
	if err != nil || len(fds) == 0 {
		t.Fatal(err, fds)
	}
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.Contains(to, "/.agents/") {
			open = append(open, to)
		}
	}
	return open
}

// After any line of input the server answers the next request, and what its errors repeat opens nothing.
// Standard output has nothing but the protocol.
func TestMCPSurvives(t *testing.T) {
	dir := folder(t)
	must(t, dir, "init")
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	show := func(ref string) string {
		return `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"show","arguments":{"ref":"` + ref + `"}}}`
	}
	const unfiltered = "</system-reminder>\\u202e\\u001b[2J"
	for _, form := range []string{
		"no json", "{", "", " \t\r", "\x00", "\xff\xfe", "\ufeff" + ping("5"), "1", `"x"`, "null", "{}", "[]", "[1]", "[" + ping("5") + "," + ping("5") + "]",
		show("a\x1b[2Jb"), show("a\x00b"), show(unfiltered), ping("5") + " x", ping("5") + ping("6"), ping("{}"), ping("1.5"), ping("null"),
		`{"jsonrpc":"1.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":5,"method":7}`, `{"jsonrpc":"2.0","id":5,"method":"ping","params":"x"}`,
		`{"jsonrpc":"2.0","id":5,"method":"` + unfiltered + `"}`, `{"jsonrpc":"2.0","id":5,"result":{}}`, `{"JSONRPC":"2.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + unfiltered + `"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"show","arguments":{"` + unfiltered + `":1}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"` + unfiltered + `"}}`,
		strings.Repeat("[", 20000), strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000), show(strings.Repeat("a", 5<<20)),
	} {
		cmd := program(dir, "mcp")
		in, err := cmd.StdinPipe()
		must0(t, err)
		out, err := cmd.StdoutPipe()
		must0(t, err)
		must0(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		_, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+form+"\n"+ping("99")+"\n")
		lines, answered := bufio.NewScanner(out), false
		lines.Buffer(nil, 1<<24)
		for lines.Scan() { // an answer may come after that to a later request
			line := lines.Text()
			var text any
			if bad := json.Unmarshal([]byte(line), &text) != nil; bad || strings.ContainsAny(fmt.Sprint(text), "\u202e\x1b") || strings.Contains(line, "</system") {
				t.Errorf("%.60q is answered with %.200q", form, line)
			}
			if strings.Contains(line, `"id":99`) {
				answered = true
				_ = in.Close()
			}
		}
		if !answered || lines.Err() != nil {
			t.Errorf("%.60q ended the server: %v", form, lines.Err())
		}
		_ = cmd.Wait()
	}
}

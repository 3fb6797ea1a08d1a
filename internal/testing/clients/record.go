//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// callRecord is one call of the program by an agent.
type callRecord struct {
	Args []string `json:"args"`
	In   string   `json:"in"`
	Out  string   `json:"out"`
	Err  string   `json:"err,omitempty"`
	Exit int      `json:"exit"`
	MS   float64  `json:"ms"`
	Off  bool     `json:"off,omitempty"` // the agent runs as a reader
}

// event is the hook event of a call; "" for other calls.
func (c callRecord) event() string {
	if len(c.Args) > 2 && c.Args[0] == "hook" {
		return c.Args[2]
	}
	return ""
}

// The files next to the recorder that say what it calls, and where it writes.
const (
	realFile   = "real"
	recordFile = "record"
)

// record runs the real program with the same input and keeps what went in and came out: of a hook as a
// line of hooks.jsonl, of the MCP server as two files. It returns the exit code.
func record(args []string) int {
	self, err := os.Executable()
	if err != nil {
		return 70
	}
	next := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(filepath.Dir(self), name))
		return strings.TrimSpace(string(text))
	}
	cmd, dir := exec.Command(next(realFile), args...), next(recordFile)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	switch {
	case len(args) > 0 && args[0] == "mcp":
		base := filepath.Join(dir, "mcp-"+strconv.Itoa(os.Getpid()))
		in, err1 := os.Create(base + ".in")
		out, err2 := os.Create(base + ".out")
		if err1 != nil || err2 != nil {
			return 70
		}
		cmd.Stdout = io.MultiWriter(os.Stdout, out)
		cmd.Stdin = nil
		pipe, err := cmd.StdinPipe()
		if err != nil {
			return 70
		}
		go func() {
			_, _ = io.Copy(io.MultiWriter(pipe, in), os.Stdin)
			_ = pipe.Close()
		}()
		return exitOf(cmd)
	case len(args) > 1 && args[0] == "hook" && args[1] != "run-queue":
		in, _ := io.ReadAll(os.Stdin)
		var out, diag bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &diag
		start := time.Now()
		code := exitOf(cmd)
		took := time.Since(start)
		_, _ = os.Stdout.Write(out.Bytes())
		_, _ = os.Stderr.Write(diag.Bytes())
		line, _ := json.Marshal(callRecord{args, string(in), out.String(), diag.String(), code, float64(took.Microseconds()) / 1000, os.Getenv("EPISODES_OFF") != ""})
		if f, err := os.OpenFile(filepath.Join(dir, "hooks.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, _ = f.Write(append(line, '\n'))
			_ = f.Close()
		}
		return code
	}
	return exitOf(cmd)
}

func exitOf(cmd *exec.Cmd) int {
	err := cmd.Run()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		return e.ExitCode()
	}
	if err != nil {
		return 70
	}
	return 0
}

// hooksOf reads the hooks that were recorded in a folder.
func hooksOf(dir string) (out []callRecord) {
	text, _ := os.ReadFile(filepath.Join(dir, "hooks.jsonl"))
	for line := range bytes.Lines(text) {
		var c callRecord
		if json.Unmarshal(line, &c) == nil {
			out = append(out, c)
		}
	}
	return out
}

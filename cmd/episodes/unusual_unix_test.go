//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An episode that may not be read is named and left out, and the others answer.
func TestUnreadableEpisode(t *testing.T) {
	dir := folder(t)
	sampleLogs(t, dir, 3)
	must(t, dir, "extract", "--memory", "m", "--no-graph", ".")
	must0(t, os.Chmod(filepath.Join(dir, "m", "episodes", "episode-session-01.json"), 0))
	for _, path := range []string{"m", "m/episodes", "m/causality"} {
		must0(t, os.Chmod(filepath.Join(dir, path), 0o777))
	}
	if err := os.Remove(filepath.Join(dir, "m", "causality", "memory.lock")); err != nil { // another user's
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"list"}, codePartly, "episode-session-02"},
		{[]string{"graph", "update"}, codePartly, "episodes: 2 added"},
		{[]string{"graph", "rebuild"}, codePartly, "episodes"},
		{[]string{"graph", "stats"}, 0, "2 episodes\n"},
		{[]string{"get", "session-01"}, codeFailed, ""},
		{[]string{"get", "session-02"}, 0, "episode-session-02"},
		{[]string{"doctor"}, codeFailed, ""},
	} {
		out, errs, code := unprivileged(t, dir, append(c.args, "--memory", "m")...)
		if code != c.code || !strings.Contains(out, c.out) || c.code != 0 && !(strings.Contains(errs, `episode-session-01.json`) && strings.Contains(errs, "permission denied")) {
			t.Errorf("%q: exit %d\n%s%s", c.args, code, out, errs)
		}
		if strings.Contains(out, "session-01") || c.code == codePartly && !strings.Contains(errs, "hint: make it readable") {
			t.Errorf("%q:\n%s%s", c.args, out, errs)
		}
	}
}

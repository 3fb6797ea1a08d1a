//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// With a private part only the user may read what is derived from it, under any umask, and also files
// of older versions.
func TestDerivedIsPrivate(t *testing.T) {
	old := syscall.Umask(0)
	t.Cleanup(func() { syscall.Umask(old) })
	dir := folder(t)
	repo := transcriptWorld(t, dir, "s-1")
	sampleLogs(t, repo, 2)
	must(t, repo, "init")
	must(t, repo, "extract", ".")
	derived := filepath.Join(repo, ".agents/memory/causality")
	older := func(path string, mode fs.FileMode) error { return os.Chmod(path, mode) }
	must0(t, filepath.WalkDir(derived, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return older(path, 0o755)
		} else if err == nil {
			return older(path, 0o644)
		}
		return err
	}))
	must(t, repo, "extract", "--from", "claude")
	must(t, repo, "search", "parts")
	must(t, repo, "advise", "--- FAIL: TestParts")
	must(t, repo, "graph", "prune", "--min-support", "1", "--min-weight", "0.1")
	must(t, repo, "patterns")
	entries, err := os.ReadDir(derived)
	must0(t, err)
	seen := 0
	for _, root := range []string{derived, filepath.Join(repo, ".agents/memory/private"), filepath.Join(dir, "state/episodes")} {
		must0(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if seen++; err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
			return err
		}))
	}
	if len(entries) < 3 || seen < 10 {
		t.Errorf("only %d files below %v", seen, entries)
	}
}

// transcriptWorld makes a repository, and for each name a session of an agent in it. It returns
// the repository.
func transcriptWorld(t *testing.T, dir string, sessions ...string) (repo string) {
	t.Helper()
	for name, value := range map[string]string{"HOME": "home", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"} {
		t.Setenv(name, filepath.Join(dir, value))
	}
	repo = filepath.Join(dir, "repo")
	logs := filepath.Join(dir, "home", ".claude", "projects", "p")
	for _, d := range []string{filepath.Join(repo, ".git"), logs, filepath.Join(dir, "state/episodes")} {
		must0(t, os.MkdirAll(d, 0o700))
	}
	for _, id := range sessions {
		text := fmt.Sprintf(`{"type":"user","uuid":"u1","sessionId":%q,"timestamp":"2026-03-01T09:00:00.000Z","cwd":%q,"message":{"role":"user","content":"mend the upload of parts, whatever it takes"}}`+"\n", id, repo) +
			fmt.Sprintf(`{"type":"assistant","uuid":"a1","sessionId":%q,"timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./upload"}}]}}`+"\n", id) +
			fmt.Sprintf(`{"type":"user","uuid":"u2","sessionId":%q,"timestamp":"2026-03-01T09:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\n--- FAIL: TestParts (0.01s)\nFAIL"}]},"toolUseResult":"Error: Exit code 1"}`+"\n", id)
		must0(t, os.WriteFile(filepath.Join(logs, id+".jsonl"), []byte(text), 0o600))
	}
	return repo
}

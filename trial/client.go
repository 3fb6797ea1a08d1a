package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"episodes/agents/agent"
	"episodes/episode"
)

// client stands for a person's machine with Claude Code on it: a home folder, a git repository below it, and the hooks that setup
// wrote. Nothing of the real home is read or written.
type client struct {
	bin, home, repo string
	hooks           map[string][]group
	slow            int // calls that were made again, since they took too long
}

// group is a member of the hooks in the settings of Claude Code.
type group struct {
	Matcher string
	Hooks   []struct {
		Command string
		Args    []string
	}
}

// newClient makes the client of a history. Its repository has the name of the folder in which the history began.
func newClient(bin string, sessions []*session) *client {
	name := "project"
	if i := slices.IndexFunc(sessions, func(s *session) bool { return len(s.folders) > 0 }); i >= 0 {
		name = path.Base(strings.ReplaceAll(sessions[i].folders[0], `\`, "/"))
	}
	c := &client{bin: must(filepath.Abs(must(exec.LookPath(bin)))), home: must(filepath.EvalSymlinks(must(os.MkdirTemp("", "trial"))))}
	defer func() {
		if c.hooks == nil { // something failed
			c.close()
		}
	}()
	c.repo = filepath.Join(c.home, "src", name)
	check(os.MkdirAll(c.repo, 0o755))
	c.run(nil, "git", "init", "-q", "-b", "main")
	c.run(nil, "git", "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "--allow-empty", "-m", "start")
	c.run(nil, c.bin, "init")
	c.run(nil, c.bin, "setup", "claude")
	var settings struct{ Hooks map[string][]group }
	check(json.Unmarshal(must(os.ReadFile(filepath.Join(c.home, ".claude", "settings.json"))), &settings))
	c.hooks = settings.Hooks
	return c
}

func (c *client) close() { check(os.RemoveAll(c.home)) }

// run runs a program in the repository and returns what it prints.
func (c *client) run(stdin []byte, argv ...string) []byte {
	cmd := exec.Command(argv[0], argv[1:]...)
	var trouble bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stderr = c.repo, bytes.NewReader(stdin), &trouble
	cmd.Env = []string{"HOME=" + c.home, "XDG_CONFIG_HOME=" + c.home + "/.config", "XDG_STATE_HOME=" + c.home + "/.state",
		"XDG_CACHE_HOME=" + c.home + "/.cache", "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		check(fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(trouble.String())))
	}
	return out
}

// play calls the hooks of a session on its branch. The file that transcript_path names is not there: a whole one would show what comes later. Only
// at a compaction, when the program reads it, it has the lines before the event.
func (c *client) play(s *session) []told {
	branch := strings.Trim(regexp.MustCompile(`[^\w./-]`).ReplaceAllString(s.branch, "-"), "/.")
	check(os.WriteFile(filepath.Join(c.repo, ".git", "HEAD"), []byte("ref: refs/heads/"+branch+"\n"), 0o644))
	running, out := filepath.Join(c.home, "running.jsonl"), []told{}
	for _, e := range s.events {
		if e.again() {
			lines := bytes.SplitAfterN(s.data, []byte("\n"), e.Line)
			check(os.WriteFile(running, s.here(bytes.Join(lines[:len(lines)-1], nil), c.repo), 0o600))
		}
		payload := map[string]any{"session_id": s.id, "transcript_path": running, "cwd": c.repo, "permission_mode": "default", "hook_event_name": e.Hook}
		maps.Copy(payload, e.payload)
		data := s.here(must(json.Marshal(payload)), c.repo)
		source, _ := e.payload["source"].(string)
		for _, g := range c.hooks[e.Hook] {
			if g.Matcher != "" && !regexp.MustCompile("^(?:"+g.Matcher+")$").MatchString(cmp.Or(e.Tool, source)) {
				continue
			}
			for _, h := range g.Hooks {
				if text := c.answer(data, append([]string{h.Command}, h.Args...)); text != "" {
					out = append(out, told{event: e, Tokens: len(text) / 4, Again: e.again(), Text: text})
				}
			}
		}
		if e.again() {
			check(os.Remove(running))
		}
	}
	return out
}

// patience is a little less than the time after which the program gives up on a hook. A call that took so long is made again.
const patience = 900 * time.Millisecond

// answer is what one hook tells the model.
func (c *client) answer(payload []byte, argv []string) string {
	began := time.Now()
	out := c.run(payload, argv...)
	for try := 0; try < 2 && len(out) == 0 && time.Since(began) > patience; try++ {
		c.slow++
		began = time.Now()
		out = c.run(payload, argv...)
	}
	var a struct {
		Output map[string]string `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(out, &a) != nil {
		return strings.TrimSpace(string(out))
	}
	return strings.TrimSpace(a.Output["additionalContext"])
}

// takeIn lays sessions where their agents leave them, or where logs are, and reads them into the memory. A question then brings the
// index up to date.
func (c *client) takeIn(sessions ...*session) {
	for _, s := range sessions {
		dir, name := filepath.Join(c.repo, ".agents", "sessions"), filepath.Base(s.file)
		if s.agent != nil {
			e := agent.Environment{Home: c.home, Getenv: func(string) string { return "" }}
			dir = filepath.Join(s.agent.Transcripts.Folders(e)[0], regexp.MustCompile(`\W`).ReplaceAllString(c.repo, "-"))
			name = episode.SafeSession(s.id) + filepath.Ext(s.file)
		}
		check(os.MkdirAll(dir, 0o755))
		check(os.WriteFile(filepath.Join(dir, name), s.here(s.data, c.repo), 0o600))
	}
	c.run(nil, c.bin, "extract", "-q")
	c.run(nil, c.bin, "search", "-q", "anything")
}

package sources

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// place is an invented machine: a home, a repository with a linked working tree, a
// repository inside it, another clone.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	p := place{t, dir}
	git := p.at("repo", ".git")
	p.write("repo/.git/config", "[remote \"origin\"]\n\turl = https://example.org/a/b.git\n")
	p.write("repo/.git/worktrees/linked/gitdir", p.at("linked", ".git")+"\n")
	p.write("linked/.git", "gitdir: "+filepath.Join(git, "worktrees", "linked")+"\n")
	p.write("repo/inner/.git/HEAD", "")
	p.write("clone/.git/HEAD", "")
	ok(t, os.Symlink(p.at("repo"), p.at("link")))
	return p
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p place) at(parts ...string) string {
	return filepath.Join(append([]string{p.dir}, parts...)...)
}

// write writes a file; DIR in its text is the machine's folder.
func (p place) write(name, text string) {
	p.t.Helper()
	path := p.at(filepath.FromSlash(name))
	ok(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	ok(p.t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "DIR", p.dir)), 0o644))
}

func (p place) find(env map[string]string, here *Here, names ...string) map[string]Found {
	out := map[string]Found{}
	for _, f := range Find(Environment{Home: p.at("home"), Getenv: func(name string) string { return env[name] }}, here, names...) {
		out[f.Agent] = f
	}
	return out
}

func (f Found) names() (out []string) {
	for _, s := range f.Sessions {
		out = append(out, filepath.Base(s.Path))
	}
	return out
}

// What counts as work on the repository.
func TestOwns(t *testing.T) {
	p := newPlace(t)
	h := NewHere(p.at("repo"), p.at("before"))
	for dir, want := range map[string]bool{
		"repo": true, "repo/sub/deep": true, "repo/gone/deep": true, "linked": true, "linked/sub": true,
		"link/sub": false, // is gone, and nobody knows where it led
		"link":     true, "before/sub": true,
		"repo/inner": false, "repo/inner/sub": false, "repository": false, "clone": false, "": false, "repo/../clone": false,
	} {
		path := dir
		if dir != "" {
			path = p.dir + "/" + dir
		}
		if got := h.Owns(path); got != want {
			t.Errorf("%q: %v", dir, got)
		}
	}
	if h.Owns("repo") {
		t.Error("a relative path")
	}
	part := NewHere(p.at("repo", "part"))
	if part.Owns(p.at("repo")) || !part.Owns(p.at("repo", "part", "x")) || !part.Owns(p.at("linked", "part")) {
		t.Error("a part of a repository is not the whole")
	}
}

const claude = `{"type":"summary","summary":"of another","leafUuid":"x"}
{"type":"progress","data":{"context":"not what it was"},"sessionId":"S"}
{"type":"user","uuid":"u","sessionId":"S","cwd":"CWD","message":{"role":"user","content":"hello"}}
`

func claudeOf(session, cwd string) string {
	return strings.NewReplacer("CWD", cwd, `"S"`, `"`+session+`"`).Replace(claude)
}

// Every agent's sessions are found by what their files record.
func TestFind(t *testing.T) {
	p := newPlace(t)
	h := NewHere(p.at("repo"))
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(p.at("linked"))))
	p.write("home/.claude/projects/a/one.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.claude/projects/a/two.jsonl", claudeOf("two", "DIR/clone")) // the same folder's name
	p.write("home/.claude/projects/a/three.jsonl", "{\"type\":\"summary\"}\n{not json\n")
	p.write("home/.claude/projects/a/agent-old.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.claude/projects/a/agent-acompact-1.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.claude/projects/a/agent-other.jsonl", claudeOf("two", "DIR/clone"))
	p.write("home/.claude/projects/a/one/subagents/agent-new.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.claude/projects/a/one/subagents/workflows/w/agent-deep.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.claude/projects/a/one/subagents/agent-acompact-2.jsonl", claudeOf("one", "DIR/repo"))
	p.write("home/.config/claude/projects/b/four.jsonl", claudeOf("four", "DIR/linked/sub"))
	p.write("home/.codex/sessions/2026/01/02/rollout-a.jsonl", `{"type":"session_meta","payload":{"id":"a","cwd":"DIR/repo/sub"}}`)
	p.write("home/.codex/sessions/2026/01/02/rollout-b.jsonl", `{"type":"session_meta","payload":{"id":"b","cwd":"DIR/gone","git":{"repository_url":"git@example.org:a/b.git"}}}`)
	p.write("home/.codex/sessions/2026/01/02/rollout-c.jsonl", `{"type":"session_meta","payload":{"id":"c","cwd":"DIR/clone","git":{"repository_url":"git@example.org:a/b.git"}}}`)
	p.write("home/.codex/sessions/2026/01/02/rollout-d.jsonl", `{"type":"session_meta","payload":{"id":"d","cwd":"DIR/gone","git":{"repository_url":"git@example.org:a/c.git"}}}`)
	p.write("home/.codex/archived_sessions/rollout-e.jsonl", "{\"id\":\"e\",\"git\":{}}\n{\"type\":\"message\",\"content\":[{\"text\":\"<environment_context>\\n  <cwd>DIR/repo</cwd>\\n</environment_context>\"}]}")
	p.write("home/.copilot/session-state/x/events.jsonl", `{"type":"session.start","data":{"sessionId":"x","context":{"cwd":"DIR/repo"}}}`)
	p.write("home/.copilot/session-state/y.jsonl", `{"type":"session.start","data":{"sessionId":"y","context":{"cwd":"DIR/repo"}}}`)
	p.write("home/.copilot/session-state/x/other.jsonl", `{}`)
	p.write("home/.gemini/tmp/0/chats/session-1.json", "{\n \"sessionId\": \"g\",\n \"projectHash\": \""+hash+"\"}")
	p.write("home/.gemini/tmp/slug/chats/session-2.jsonl", `{"sessionId":"h","projectHash":"`+strings.Repeat("0", 64)+`"}`)
	p.write("home/.gemini/tmp/slug/.project_root", "DIR/repo\n")
	p.write("home/.gemini/tmp/1/chats/session-3.json", `{"sessionId":"i","projectHash":"`+strings.Repeat("0", 64)+`"}`)
	project := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(p.at("repo"), "-"), "-")
	p.write("home/.cursor/projects/"+project+"/agent-transcripts/a/a.jsonl", `{"role":"assistant","message":{"content":[{"type":"tool_use","input":{"path":"DIR/repo/x.go"}}]}}`)
	p.write("home/.cursor/projects/"+project+"/agent-transcripts/b/b.jsonl", `{"role":"assistant","message":{"content":[]}}`)
	p.write("home/.local/share/opencode/opencode.db", "SQLite")

	found := p.find(nil, h, All)
	for agent, want := range map[string]struct {
		names            []string
		others, unplaced int
	}{
		"claude":   {[]string{"one.jsonl", "four.jsonl"}, 1, 1},
		"codex":    {[]string{"rollout-e.jsonl", "rollout-a.jsonl", "rollout-b.jsonl"}, 2, 0},
		"copilot":  {[]string{"events.jsonl", "y.jsonl"}, 0, 0},
		"gemini":   {[]string{"session-1.json", "session-2.jsonl"}, 1, 0},
		"cursor":   {[]string{"a.jsonl"}, 0, 1},
		"opencode": {nil, 0, 0},
	} {
		f := found[agent]
		if !slices.Equal(f.names(), want.names) || f.Others != want.others || f.Unplaced != want.unplaced {
			t.Errorf("%s: %q, others %d, unplaced %d; want %+v", agent, f.names(), f.Others, f.Unplaced, want)
		}
	}
	if found["opencode"].Note == "" {
		t.Error("opencode says nothing")
	}
	one := found["claude"].Sessions[0]
	var parts []string
	for _, path := range one.Parts {
		parts = append(parts, filepath.Base(path))
	}
	slices.Sort(parts)
	if !slices.Equal(parts, []string{"agent-deep.jsonl", "agent-new.jsonl", "agent-old.jsonl"}) || one.Size != 4*int64(len(claudeOf("one", p.at("repo")))) {
		t.Errorf("%q, %d bytes", parts, one.Size)
	}
	if again := new(SubAgents).Of(one.Path); !slices.Equal(again, one.Parts) {
		t.Errorf("by its path: %q, want %q", again, one.Parts)
	}
	if only := p.find(nil, h, "codex"); len(only) != 1 {
		t.Errorf("asked for codex: %v", only)
	}
}

// An agent that was told to keep its files elsewhere is looked for there, and only there.
func TestFoldersOfTheEnvironment(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct{ variable, value, file, text string }{
		{"CLAUDE_CONFIG_DIR", "c", "c/projects/a/x.jsonl", claudeOf("x", "DIR/repo")},
		{"CODEX_HOME", "d", "d/sessions/x.jsonl", `{"payload":{"cwd":"DIR/repo"}}`},
		{"COPILOT_HOME", "e", "e/session-state/x.jsonl", `{"data":{"context":{"cwd":"DIR/repo"}}}`},
		{"GEMINI_CLI_HOME", "f", "f/.gemini/tmp/x/chats/x.json", `{"projectHash":"` + hashOf(p.at("repo")) + `"}`},
	} {
		p.write(c.file, c.text)
		h := NewHere(p.at("repo"))
		if n := len(p.find(nil, h, All)); n > 0 {
			t.Errorf("%s: found %d without it", c.variable, n)
		}
		found := p.find(map[string]string{c.variable: p.at(c.value)}, h, All)
		if len(found) != 1 {
			t.Fatalf("%s: %v", c.variable, found)
		}
		for _, f := range found {
			if len(f.Sessions) != 1 {
				t.Errorf("%s: %+v", c.variable, f)
			}
		}
		if found := p.find(map[string]string{c.variable: "relative"}, h, All); len(found) > 0 {
			t.Errorf("%s is no absolute path: %v", c.variable, found)
		}
	}
}

// A file reads as it is, whatever the reader asks for; one that is gone is empty, and one
// that leads out of its folder is refused.
func TestFile(t *testing.T) {
	p := newPlace(t)
	p.write("repo/a", "text")
	p.write("secret", "not to be read")
	ok(t, os.Symlink(p.at("secret"), p.at("repo", "out")))
	for _, c := range []struct {
		f    *File
		want string
		bad  bool
	}{
		{&File{Path: p.at("repo", "a")}, "text", false}, {&File{Root: p.at("repo"), Path: "a"}, "text", false}, {&File{Root: p.at("repo"), Path: "gone"}, "", false},
		{&File{Root: p.at("repo"), Path: "out"}, "", true}, {&File{Root: p.at("repo"), Path: "../secret"}, "", true},
	} {
		got, err := io.ReadAll(iotest.OneByteReader(c.f))
		if string(got) != c.want || (err != nil) != c.bad {
			t.Errorf("%q in %q: %q, %v", c.f.Path, c.f.Root, got, err)
		}
		ok(t, c.f.Close())
	}
}

func TestPlainURL(t *testing.T) {
	for _, url := range []string{"https://example.org/a/b.git", "git@example.org:a/b.git", "ssh://git@example.org/a/b", "https://user:token@Example.org/a/b/", "example.org:a/b"} {
		if got := plainURL(url); got != "example.org/a/b" {
			t.Errorf("%q: %q", url, got)
		}
	}
}

// The transcript of a session is the one that is named after it, not one whose path has these letters.
func TestOfSession(t *testing.T) {
	p := newPlace(t)
	for _, path := range []string{"home/.claude/projects/repo-12345678/0a1b2c3d-1111.jsonl", "home/.codex/sessions/2026/rollout-2026-03-01-0a1b2c3d-2222.jsonl",
		"home/.copilot/session-state/0a1b2c3d-3333/events.jsonl", "home/.pi/agent/sessions/repo/2026-03-01_0a1b2c3d-4444.jsonl"} {
		p.write(path, "{}\n")
	}
	p.write("home/.gemini/tmp/repo/chats/session-2026-03-01T09-00-0a1b2c3d.jsonl", with(geminiOf, "0a1b2c3d-5555", ""))
	env := Environment{Home: p.at("home"), Getenv: func(string) string { return "" }}
	for _, c := range []struct{ agent, id, want string }{
		{"claude", "0a1b2c3d-1111", "home/.claude/projects/repo-12345678/0a1b2c3d-1111.jsonl"},
		{"claude", "12345678", ""},
		{"codex", "0a1b2c3d-2222", "home/.codex/sessions/2026/rollout-2026-03-01-0a1b2c3d-2222.jsonl"},
		{"codex", "2026-03-01", ""},
		{"copilot", "0a1b2c3d-3333", "home/.copilot/session-state/0a1b2c3d-3333/events.jsonl"},
		{"pi", "0a1b2c3d-4444", "home/.pi/agent/sessions/repo/2026-03-01_0a1b2c3d-4444.jsonl"},
		{"gemini", "0a1b2c3d-5555", "home/.gemini/tmp/repo/chats/session-2026-03-01T09-00-0a1b2c3d.jsonl"},
		{"gemini", "0a1b2c3d-6666", ""},
	} {
		path, err := OfSession(t.Context(), env, c.agent, c.id, p.dir)
		if c.want == "" && err == nil || c.want != "" && path != p.at(filepath.FromSlash(c.want)) {
			t.Errorf("%s %s: %q, %v", c.agent, c.id, path, err)
		}
	}
}

// A session that cannot be exported says why.
func TestExportFails(t *testing.T) {
	p := newPlace(t)
	env := Environment{Home: p.at("home"), Getenv: func(string) string { return "" }}
	for script, want := range map[string]string{"": "not found", "#!/bin/sh\nexit 3\n": "exit status 3", "#!/bin/sh\necho no\n": "is no JSON"} {
		bin := t.TempDir()
		t.Setenv("PATH", bin)
		if script != "" {
			ok(t, os.WriteFile(filepath.Join(bin, "opencode"), []byte(script), 0o700))
		}
		_, err := OfSession(t.Context(), env, "opencode", "ses_0123456789abcdef", p.dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", script, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := OfSession(ctx, env, "opencode", "ses_0123456789abcdef", p.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v, which says that there is none", err)
	}
}

// A file that an agent names is read where it is a transcript of its own, of this
// repository; that of a sub-agent leads to its session. TestOnlyTranscriptsAreTakenIn shows more paths that lead nowhere.
func TestOne(t *testing.T) {
	p := newPlace(t)
	session := func(cwd string) string { return `{"sessionId":"s","cwd":"` + cwd + `"}` + "\n" }
	p.write("home/.claude/projects/p/s.jsonl", session("DIR/repo"))
	p.write("home/.claude/projects/p/s/subagents/agent-x.jsonl", session("DIR/repo"))
	p.write("home/.claude/projects/p/t.jsonl", session("DIR/clone"))
	p.write("home/.claude/settings.json", session("DIR/repo"))
	p.write("home/.codex/sessions/2026/a.jsonl", `{"payload":{"cwd":"DIR/repo"}}`+"\n")
	p.write("repo/s.jsonl", session("DIR/repo"))
	ok(t, os.Symlink(p.at("repo", "s.jsonl"), p.at("home", ".claude", "projects", "p", "link.jsonl")))
	ok(t, os.Symlink(p.at("home", ".claude"), p.at("home", "other")))
	here, env := NewHere(p.at("repo")), Environment{Home: p.at("home"), Getenv: func(string) string { return "" }}
	main := "home/.claude/projects/p/s.jsonl"
	for _, c := range []struct{ agent, path, want string }{
		{"claude", main, main},
		{"claude", "home/.claude/projects/p/s/subagents/agent-x.jsonl", main},
		{"claude", "home/other/projects/p/s.jsonl", main},
		{"codex", "home/.codex/sessions/2026/a.jsonl", "home/.codex/sessions/2026/a.jsonl"},
		{"codex", main, ""},
		{"claude", "home/.claude/projects/p/t.jsonl", ""},
		{"claude", "home/.claude/projects/p/link.jsonl", ""},
		{"claude", "home/.claude/settings.json", ""},
	} {
		s, err := One(env, here, c.agent, p.at(filepath.FromSlash(c.path)))
		if c.want == "" {
			var no *NoTranscriptError
			if !errors.As(err, &no) || strings.Contains(err.Error(), p.dir) {
				t.Errorf("%s %s: %v, %v", c.agent, c.path, s, err)
			}
			continue
		}
		if err != nil || s.Path != p.at(filepath.FromSlash(c.want)) || s.Agent != c.agent || s.Size == 0 {
			t.Errorf("%s %s: %+v, %v", c.agent, c.path, s, err)
		}
		found := p.find(nil, here, c.agent)[c.agent].Sessions
		if !slices.ContainsFunc(found, func(f Session) bool { return f.Path == s.Path && f.Stat == s.Stat && slices.Equal(f.Parts, s.Parts) }) {
			t.Errorf("%s: %+v is not what is found there: %+v", c.path, s, found)
		}
	}
}

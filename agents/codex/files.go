package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/turns"
)

func folders(e agent.Environment) []string {
	return []string{filepath.Join(home(e), "sessions"), filepath.Join(home(e), "archived_sessions")}
}

func isRollout(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// where is the folder in the first record that names one, with the URLs of the repository up to
// there.
func where(h *agent.Heads, path string) (p agent.Place) {
	url := ""
	h.Lines(path, func(line []byte) bool {
		var r record
		if !turns.Decode(line, &r) {
			return false
		}
		url = cmp.Or(r.Git.URL, url)
		if p.Dir = cmp.Or(r.Cwd, r.Payload.Cwd); p.Dir == "" {
			p.Dir = inPrompt(line)
		}
		if p.Dir == "" {
			return false
		}
		for _, u := range []string{r.Payload.Git.URL, url} {
			if u != "" {
				p.Remotes = append(p.Remotes, u)
			}
		}
		return true
	})
	return p
}

// inPrompt is the folder that the first prompts of older versions name.
func inPrompt(text []byte) string {
	for _, x := range [][2]string{{"<cwd>", "</cwd>"}, {"Current working directory: ", `\n`}} {
		_, rest, ok := bytes.Cut(text, []byte(x[0]))
		if !ok || !bytes.Contains(text, []byte("<environment_context>")) {
			continue
		}
		dir, _, ok := bytes.Cut(rest, []byte(x[1]))
		var plain string
		if ok && len(dir) < 4096 && json.Unmarshal([]byte(`"`+string(dir)+`"`), &plain) == nil {
			return strings.TrimSpace(plain)
		}
	}
	return ""
}

// member reads the first record: a sub-agent's names the session, or the thread that started it.
func member(h *agent.Heads, path string, start []byte) *agent.Member {
	if !bytes.Contains(start, []byte(`"session_meta"`)) {
		return nil
	}
	var t record
	h.Lines(path, func(line []byte) bool {
		t = record{}
		return turns.Decode(line, &t) && t.Type == "session_meta" && t.Payload.ID != ""
	})
	id := t.Payload.ID
	if t.Type != "session_meta" || id == "" {
		return &agent.Member{}
	}
	m := &agent.Member{IDs: []string{id}}
	if by, sub := t.Payload.subagent(); sub {
		m.Of = slices.DeleteFunc([]string{t.Payload.SessionID, t.Payload.Parent, by.Spawn.Parent},
			func(of string) bool { return of == id })
	}
	return m
}

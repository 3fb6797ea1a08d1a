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

// head is what the first records say of a session.
type head struct {
	Cwd     string `json:"cwd"`
	Git     origin `json:"git"`
	Type    string `json:"type"`
	Payload struct {
		Cwd     string `json:"cwd"`
		Git     origin `json:"git"`
		ID      string `json:"id"`
		Session string `json:"session_id"`
		Parent  string `json:"parent_thread_id"`
		// Source is a text, or for a sub-agent an object.
		Source json.RawMessage `json:"source"`
	} `json:"payload"`
}

type origin struct {
	URL string `json:"repository_url"`
}

// where is the folder in the first record that names one, with the URLs of the repository up to
// there.
func where(h *agent.Heads, path string) (p agent.Place) {
	url := ""
	h.Lines(path, func(line []byte) bool {
		var r head
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
	var t head
	h.Lines(path, func(line []byte) bool {
		t = head{}
		return turns.Decode(line, &t) && t.Type == "session_meta" && t.Payload.ID != ""
	})
	id := t.Payload.ID
	if t.Type != "session_meta" || id == "" {
		return &agent.Member{}
	}
	var source struct {
		Subagent json.RawMessage `json:"subagent"`
	}
	_ = json.Unmarshal(t.Payload.Source, &source) // of others it is a text
	m := &agent.Member{IDs: []string{id}}
	if source.Subagent != nil || t.Payload.Parent != "" {
		var spawned struct {
			By struct {
				Parent string `json:"parent_thread_id"`
			} `json:"thread_spawn"`
		}
		_ = json.Unmarshal(source.Subagent, &spawned)
		m.Of = slices.DeleteFunc([]string{t.Payload.Session, t.Payload.Parent, spawned.By.Parent},
			func(of string) bool { return of == id })
	}
	return m
}

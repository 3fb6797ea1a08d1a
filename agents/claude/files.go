package claude

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/turns"
)

// Sessions lie in a folder for each project. A sub-agent's transcript lies in a folder of its
// session's name, or among the sessions and names its session.

func folders(e agent.Environment) []string {
	if own := e.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(own) {
		return []string{filepath.Join(own, "projects")}
	}
	return []string{filepath.Join(e.Home, ".claude", "projects"),
		filepath.Join(e.Folder("XDG_CONFIG_HOME", ".config"), "claude", "projects")}
}

const (
	extension    = ".jsonl"
	agentPrefix  = "agent-"
	compactAgent = "agent-acompact-" // a run that makes a summary: no work
	subFolder    = "subagents"
)

func isSession(path string) bool {
	return strings.HasSuffix(path, extension) && !strings.HasPrefix(filepath.Base(path), agentPrefix)
}

func isSubAgent(d fs.DirEntry) bool {
	name := d.Name()
	return d.Type().IsRegular() && strings.HasPrefix(name, agentPrefix) &&
		!strings.HasPrefix(name, compactAgent) && strings.HasSuffix(name, extension)
}

// subAgents looks at each folder of sessions once.
func subAgents() func(path string) []string {
	folders := map[string]map[string][]string{} // by folder and session
	return func(path string) []string {
		if !isSession(path) {
			return nil
		}
		dir, session := filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), extension)
		among, known := folders[dir]
		if !known {
			among = amongSessions(dir)
			folders[dir] = among
		}
		out := slices.Clone(among[session])
		_ = filepath.WalkDir(filepath.Join(dir, session, subFolder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && isSubAgent(d) {
				out = append(out, path)
			}
			return nil
		})
		slices.Sort(out)
		return out
	}
}

// amongSessions lists the transcripts of sub-agents in a folder of sessions, by the session that
// each names.
func amongSessions(dir string) map[string][]string {
	out := map[string][]string{}
	var h *agent.Heads
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !isSubAgent(e) {
			continue
		}
		if h == nil {
			h = agent.NewHeads()
		}
		path := filepath.Join(dir, e.Name())
		session := sessionOf(h, path)
		out[session] = append(out[session], path)
	}
	return out
}

// sessionOf is the id of the session in the first record that has one.
func sessionOf(h *agent.Heads, path string) (id string) {
	h.Lines(path, func(line []byte) bool {
		var r struct {
			SessionID string `json:"sessionId"`
		}
		if turns.Decode(line, &r) {
			id = r.SessionID
		}
		return id != ""
	})
	return id
}

// member knows sub-agents by their name: below the folder of their session, or else by what they
// say. Any other file of the right extension may be a session.
func member(h *agent.Heads, path string, head []byte) *agent.Member {
	name, ext := filepath.Base(path), filepath.Ext(path)
	switch {
	case strings.HasPrefix(name, agentPrefix) && strings.EqualFold(ext, extension):
		m := &agent.Member{Of: []string{""}, Summary: strings.HasPrefix(name, compactAgent),
			Later: func() string { return sessionOf(h, path) }}
		if at := strings.LastIndex(filepath.ToSlash(path), "/"+subFolder+"/"); at > 0 {
			m.Of[0] = filepath.Base(path[:at])
		}
		return m
	case strings.EqualFold(ext, extension):
		return &agent.Member{IDs: []string{strings.TrimSuffix(name, ext), agent.SessionID(head)}, Weak: true}
	}
	return nil
}

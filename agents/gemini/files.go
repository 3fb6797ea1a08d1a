package gemini

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

func folders(e agent.Environment) []string { return []string{filepath.Join(home(e), "tmp")} }

const (
	chats       = "chats"
	projectRoot = ".project_root" // the file that names the folder of a project
)

func isChat(path string) bool {
	ext := filepath.Ext(path)
	return (ext == ".json" || ext == ".jsonl") && strings.Contains(filepath.ToSlash(path), "/"+chats+"/")
}

var projectHash = lazy.Pattern(`"projectHash"\s*:\s*"([0-9a-f]{64})"`)

// place reads the hash of the folder from the chat, and the folder from the file in which newer
// versions record it.
func place(h *agent.Heads, path string) (p agent.Place) {
	if found := projectHash().FindSubmatch(h.Begin(path)); found != nil {
		p.Hash = string(found[1])
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == chats {
			p.Dir = strings.TrimSpace(string(h.Begin(filepath.Join(filepath.Dir(dir), projectRoot))))
			return p
		}
		if dir == filepath.Dir(dir) {
			return p
		}
	}
}

var (
	subAgent      = lazy.Pattern(`"kind"\s*:\s*"subagent"`)
	subAgentAtEnd = lazy.Pattern(`"kind"\s*:\s*"subagent"[^{}]*\}\s*$`)
)

// member recognizes the chats of sub-agents by their kind. They are in a folder named after the
// session. Older versions keep them next to the session, with the id of the session in the file.
func member(_ *agent.Heads, path string, head []byte) *agent.Member {
	if !bytes.Contains(head, []byte(`"projectHash"`)) {
		return nil
	}
	m := &agent.Member{IDs: []string{agent.SessionID(head)}}
	first, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole || !json.Valid(first) {
		first, _, _ = bytes.Cut(head, []byte(`"messages"`))
	}
	if subAgent().Match(first) || subAgentAtEnd().Match(agent.Tail(path)) {
		m.Of = []string{filepath.Base(filepath.Dir(path)), m.IDs[0]}
	}
	return m
}

package sources

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/lazy"
)

// Part says of which session a transcript of a sub-agent is.
type Part struct {
	Of string // the path of the session's transcript
	// Empty says that it adds nothing: it is of a run that made a summary, or a copy.
	Empty bool
}

// Parts finds among some files the transcripts of sub-agents whose session's transcript is
// among them too. Of files that by their names can be transcripts it looks at the beginning.
func Parts(paths []string) map[string]Part {
	g := grouping{heads: newHeads(), byID: map[string][]*member{}}
	var all []*member
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if m := g.look(path); m != nil {
			all = append(all, m)
			for _, id := range m.ids {
				g.byID[m.kind+id] = append(g.byID[m.kind+id], m)
			}
		}
	}
	out, seen := map[string]Part{}, map[string]bool{}
	for _, m := range all {
		top := g.top(m)
		if top == m {
			continue
		}
		copied := strings.Join(append([]string{top.path, filepath.Base(m.path), sizeOf(m.path)}, m.ids...), "\x00")
		out[m.path] = Part{Of: top.path, Empty: m.summary || seen[copied]}
		seen[copied] = true
	}
	return out
}

// grouped makes one session of each and of its sub-agents.
func grouped(all []Session) (out []Session) {
	var paths []string
	for _, s := range all {
		paths = append(paths, s.Path)
	}
	parts, of := Parts(paths), map[string][]string{}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if p, ok := parts[path]; ok && !p.Empty {
			of[p.Of] = append(of[p.Of], path)
		}
	}
	for _, s := range all {
		if _, ok := parts[s.Path]; !ok {
			s.Parts = of[s.Path]
			out = append(out, s)
		}
	}
	return out
}

// member is a file that may belong to others.
type member struct {
	path    string
	kind    string   // of agent
	ids     []string // that others may name it by
	of      []string // of a sub-agent: the ids of what it is part of, the best first
	summary bool     // of a run that makes a summary
	up      *member  // what it is part of, once that is known; itself where there is none
}

type grouping struct {
	heads *heads
	byID  map[string][]*member // by kind and id
}

// top is the session that a file is part of, or the file itself.
func (g *grouping) top(m *member) *member {
	if m.up == nil {
		m.up = m // also where files name each other in a circle
		if up := g.above(m); up != nil {
			m.up = g.top(up)
		}
	}
	return m.up
}

// above is what a sub-agent's file names as what it is part of.
func (g *grouping) above(m *member) *member {
	for _, id := range m.of {
		if up := g.named(m, id); up != nil {
			return up
		}
	}
	if m.kind == claudeKind && m.of != nil { // what its place does not say the file does
		return g.named(m, g.heads.until(m.path, func(l *line) bool { return l.SessionID != "" }).SessionID)
	}
	return nil
}

// named is the file with an id that m may be part of: of several copies the nearest.
func (g *grouping) named(m *member, id string) (best *member) {
	if id == "" {
		return nil
	}
	for _, c := range g.byID[m.kind+id] {
		switch {
		case c == m || len(c.of) > 0 && slices.Contains(m.ids, id): // another sub-agent of the same name
		case best == nil || cmp.Or(cmp.Compare(shared(c.path, m.path), shared(best.path, m.path)), strings.Compare(best.path, c.path)) > 0:
			best = c
		}
	}
	return best
}

// shared is how many folders two paths have in common.
func shared(a, b string) (n int) {
	x, y := strings.Split(filepath.Dir(a), string(filepath.Separator)), strings.Split(filepath.Dir(b), string(filepath.Separator))
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

func sizeOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 10)
}

const (
	claudeKind   = "claude "
	codexKind    = "codex "
	geminiKind   = "gemini "
	opencodeKind = "opencode "
)

// look finds what a file is; nil when it can belong to no other.
func (g *grouping) look(path string) *member {
	ext := strings.ToLower(filepath.Ext(path))
	switch {
	case ext != ".json" && ext != ".jsonl" && ext != ".ndjson":
		return nil
	case strings.HasPrefix(filepath.Base(path), agentPrefix) && ext == ".jsonl":
		return claudeAgent(path)
	}
	head := g.heads.start(path)
	switch {
	case bytes.Contains(head, []byte(`"session_meta"`)):
		return g.codex(path)
	case bytes.Contains(head, []byte(`"projectHash"`)):
		return gemini(path, head)
	case bytes.Contains(head, []byte(`"info"`)) && ext == ".json":
		return g.opencode(path)
	case ext == ".jsonl":
		return &member{path: path, kind: claudeKind, ids: []string{strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), idIn(head)}}
	}
	return nil
}

// claudeAgent is known by its name: below the folder of its session, or else by what it says.
func claudeAgent(path string) *member {
	m := &member{path: path, kind: claudeKind, of: []string{""}, summary: strings.HasPrefix(filepath.Base(path), compactAgent)}
	if at := strings.LastIndex(filepath.ToSlash(path), "/subagents/"); at > 0 {
		m.of[0] = filepath.Base(path[:at])
	}
	return m
}

// codex reads the first record: a sub-agent's names the session, or the thread that started
// it.
func (g *grouping) codex(path string) *member {
	t := g.heads.until(path, func(l *line) bool { return l.Type == "session_meta" && l.Payload.ID != "" }).Payload.thread
	if t.ID == "" {
		return nil
	}
	var source struct {
		Subagent json.RawMessage `json:"subagent"`
	}
	_ = json.Unmarshal(t.Source, &source) // of others it is a text
	m := &member{path: path, kind: codexKind, ids: []string{t.ID}}
	if source.Subagent != nil || t.Parent != "" {
		var spawned struct {
			By struct {
				Parent string `json:"parent_thread_id"`
			} `json:"thread_spawn"`
		}
		_ = json.Unmarshal(source.Subagent, &spawned)
		m.of = slices.DeleteFunc([]string{t.Session, t.Parent, spawned.By.Parent}, func(id string) bool { return id == t.ID })
	}
	return m
}

var (
	sessionID     = lazy.Pattern(`"sessionId"\s*:\s*"([^"\\]+)"`)
	geminiAgent   = lazy.Pattern(`"kind"\s*:\s*"subagent"`)
	geminiAgentAt = lazy.Pattern(`"kind"\s*:\s*"subagent"[^{}]*\}\s*$`)
)

// idIn is the first id of a session in a text.
func idIn(text []byte) string {
	if found := sessionID().FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// gemini knows the chats of sub-agents by their kind. They lie in a folder of the session's
// name; those of older versions beside it, with the id of the session.
func gemini(path string, head []byte) *member {
	m := &member{path: path, kind: geminiKind, ids: []string{idIn(head)}}
	first, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole || !json.Valid(first) {
		first, _, _ = bytes.Cut(head, []byte(`"messages"`))
	}
	if geminiAgent().Match(first) || geminiAgentAt().Match(end(path)) {
		m.of = []string{filepath.Base(filepath.Dir(path)), m.ids[0]}
	}
	return m
}

// opencode reads the first member of an export.
func (g *grouping) opencode(path string) *member {
	dec := json.NewDecoder(bytes.NewReader(g.heads.begin(path)))
	var info struct {
		ID       string `json:"id"`
		ParentID string `json:"parentID"`
	}
	for depth := 0; ; {
		t, err := dec.Token()
		switch {
		case err != nil || depth == 0 && t != json.Delim('{'):
			return nil
		case depth == 0:
			depth = 1
			continue
		case t == "info":
			if err := dec.Decode(&info); info.ID == "" || err != nil {
				return nil
			}
			m := &member{path: path, kind: opencodeKind, ids: []string{info.ID}}
			if info.ParentID != "" {
				m.of = []string{info.ParentID}
			}
			return m
		}
		var other json.RawMessage
		if dec.Decode(&other) != nil {
			return nil
		}
	}
}

// edge is how much of the beginning or end of a file tells what it is.
const edge = 4 << 10

// start is the beginning of a file; good until the next call.
func (h *heads) start(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	n, _ := io.ReadFull(f, h.edge[:])
	return h.edge[:n]
}

// end is the end of a file.
func end(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	buf := make([]byte, edge)
	n, _ := f.ReadAt(buf, max(info.Size()-edge, 0))
	return buf[:n]
}

package sources

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"episodes/agents"
	"episodes/agents/agent"
)

// Part is the transcript of a sub-agent, with the session that started it.
type Part struct {
	Of string // the path of the session's transcript
	// Empty says that it adds nothing: it is of a run that made a summary, or a copy.
	Empty bool
}

// Parts finds among some files the transcripts of sub-agents whose session's transcript is
// among them too. Of files that by their names can be transcripts it looks at the beginning.
func Parts(paths []string) map[string]Part {
	g := grouping{heads: agent.NewHeads(), byID: map[string][]*member{}}
	var all []*member
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if m := g.member(path); m != nil {
			all = append(all, m)
			for _, id := range m.IDs {
				g.byID[m.key(id)] = append(g.byID[m.key(id)], m)
			}
		}
	}
	out, seen := map[string]Part{}, map[string]bool{}
	for _, m := range all {
		top := g.top(m)
		if top == m {
			continue
		}
		copied := strings.Join(append([]string{top.path, filepath.Base(m.path), sizeOf(m.path)}, m.IDs...), "\x00")
		out[m.path] = Part{Of: top.path, Empty: m.Summary || seen[copied]}
		seen[copied] = true
	}
	for _, path := range paths { // of a checkpoint of Entire: the session as its agent wrote it, and a compact copy
		dir, name := filepath.Split(path)
		if full := dir + "full.jsonl"; name == "transcript.jsonl" && slices.Contains(paths, full) {
			out[path] = Part{Of: cmp.Or(out[full].Of, full), Empty: true}
		}
	}
	return out
}

// grouped makes one session of each and of its sub-agents.
func grouped(all []agent.Session) (out []agent.Session) {
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
	*agent.Member
	path  string
	agent string
	up    *member // what it is part of; itself if it is a session
}

// key is an id among those of the same agent.
func (m *member) key(id string) string { return m.agent + " " + id }

type grouping struct {
	heads *agent.Heads
	byID  map[string][]*member // by key
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
	for _, id := range m.Of {
		if up := g.named(m, id); up != nil {
			return up
		}
	}
	if m.Later != nil {
		return g.named(m, m.Later())
	}
	return nil
}

// named is the file with an id that m may be part of: of several copies the nearest.
func (g *grouping) named(m *member, id string) (best *member) {
	if id == "" {
		return nil
	}
	for _, c := range g.byID[m.key(id)] {
		switch {
		case c == m || len(c.Of) > 0 && slices.Contains(m.IDs, id): // another sub-agent of the same name
		case best == nil ||
			cmp.Or(cmp.Compare(shared(c.path, m.path), shared(best.path, m.path)), strings.Compare(best.path, c.path)) > 0:
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

// member finds what a file is; nil when it can belong to no other.
func (g *grouping) member(path string) (found *member) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json", ".jsonl", ".ndjson":
	default:
		return nil
	}
	head := g.heads.Start(path)
	for _, a := range agents.Which(agents.HasTranscripts) {
		if a.Transcripts.Member == nil {
			continue
		}
		m := a.Transcripts.Member(g.heads, path, head)
		if m == nil || m.Weak && found != nil {
			continue
		}
		if found = (&member{Member: m, path: path, agent: a.Name}); !m.Weak {
			break
		}
	}
	if found == nil || len(found.IDs)+len(found.Of) == 0 {
		return nil
	}
	return found
}

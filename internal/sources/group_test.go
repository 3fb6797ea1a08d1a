package sources

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	agentOf    = `{"type":"user","uuid":"u","isSidechain":true,"agentId":"A","sessionId":"S","message":{"role":"user","content":"do"}}` + "\n"
	mainOf     = `{"type":"user","uuid":"u","sessionId":"S","message":{"role":"user","content":"the \"projectHash\" and \"session_meta\""}}` + "\n"
	rollout    = `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"ID","source":"cli"MORE}}` + "\n"
	spawned    = `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"PARENT"}}}`
	geminiOf   = `{"sessionId":"ID","projectHash":"x","startTime":"2026-01-02T03:04:05Z"MORE}` + "\n"
	opencodeOf = "{\n  \"info\": {\n \"id\": \"ID\", \"projectID\": \"p\", \"directory\": \"/\"MORE\n },\n \"messages\": []\n}"
)

func with(text, id, more string) string {
	return strings.NewReplacer("ID", id, "MORE", more).Replace(text)
}

// Which files are parts of which, by what they and their places say.
func TestParts(t *testing.T) {
	parent := func(of, more string) string { return strings.Replace(spawned, "PARENT", of, 1) + more }
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // "" before the path of a session: the part is empty
	}{
		"claude, below the session": {
			map[string]string{"a/s.jsonl": mainOf, "a/s/subagents/agent-1.jsonl": agentOf, "a/s/subagents/workflows/w/agent-2.jsonl": "", "a/s/subagents/agent-acompact-3.jsonl": agentOf},
			map[string]string{"a/s/subagents/agent-1.jsonl": "a/s.jsonl", "a/s/subagents/workflows/w/agent-2.jsonl": "a/s.jsonl", "a/s/subagents/agent-acompact-3.jsonl": "empty a/s.jsonl"},
		},
		"claude, beside the session": {
			map[string]string{"S.jsonl": mainOf, "agent-1.jsonl": agentOf, "agent-2.jsonl": strings.Replace(agentOf, `"S"`, `"T"`, 1)},
			map[string]string{"agent-1.jsonl": "S.jsonl"},
		},
		"claude, a session by another name": {
			map[string]string{"night.jsonl": mainOf, "x/agent-1.jsonl": agentOf},
			map[string]string{"x/agent-1.jsonl": "night.jsonl"},
		},
		"claude, no session": {map[string]string{"t/subagents/agent-1.jsonl": agentOf, "t.md": "# log", "T.jsonl": "{}"}, nil},
		"a session and its copy": {
			map[string]string{"a/S.jsonl": mainOf, "a/S/subagents/agent-1.jsonl": agentOf, "b/S.jsonl": mainOf, "b/S/subagents/agent-1.jsonl": agentOf},
			map[string]string{"a/S/subagents/agent-1.jsonl": "a/S.jsonl", "b/S/subagents/agent-1.jsonl": "b/S.jsonl"},
		},
		"a copy of a sub-agent": {
			map[string]string{"S.jsonl": mainOf, "S/subagents/agent-1.jsonl": agentOf, "agent-1.jsonl": agentOf},
			map[string]string{"S/subagents/agent-1.jsonl": "S.jsonl", "agent-1.jsonl": "empty S.jsonl"},
		},
		"codex, by the ways a record names the parent": {
			map[string]string{
				"1.jsonl": with(rollout, "top", ""), "2.jsonl": with(rollout, "b", `,"parent_thread_id":"top"`), "3.jsonl": with(rollout, "c", parent("top", "")),
				"4.jsonl": with(rollout, "d", parent("b", `,"session_id":"top"`)), "5.jsonl": with(rollout, "e", parent("d", "")),
				"6.jsonl": with(rollout, "f", `,"parent_thread_id":"gone"`), "7.jsonl": with(rollout, "g", `,"parent_thread_id":"f"`),
				"8.jsonl": with(rollout, "h", `,"forked_from_id":"top","session_id":"h"`),
			},
			map[string]string{"2.jsonl": "1.jsonl", "3.jsonl": "1.jsonl", "4.jsonl": "1.jsonl", "5.jsonl": "1.jsonl", "7.jsonl": "6.jsonl"},
		},
		"codex, a second record is of the parent": {
			map[string]string{"1.jsonl": with(rollout, "b", `,"parent_thread_id":"top"`) + with(rollout, "top", ""), "2.jsonl": with(rollout, "top", "")},
			map[string]string{"1.jsonl": "2.jsonl"},
		},
		"gemini, in a folder of the session's name": {
			map[string]string{"chats/session-1.jsonl": with(geminiOf, "g", ""), "chats/g/k.jsonl": with(geminiOf, "k", `,"kind":"subagent"`), "chats/other/m.jsonl": with(geminiOf, "m", `,"kind":"subagent"`)},
			map[string]string{"chats/g/k.jsonl": "chats/session-1.jsonl"},
		},
		"gemini, of older versions": {
			map[string]string{
				"chats/1.json": with(geminiOf, "g", `,"kind":"main","messages":[{"type":"user","content":"say \"kind\":\"subagent\""}]`), "chats/2.json": with(geminiOf, "g", `,"messages":[],"kind":"subagent"`),
				"chats/3.json": with(geminiOf, "g", `,"kind":"subagent","messages":[]`),
			},
			map[string]string{"chats/2.json": "chats/1.json", "chats/3.json": "chats/1.json"},
		},
		"opencode": {
			map[string]string{"a.json": with(opencodeOf, "ses_1", ""), "b.json": with(opencodeOf, "ses_2", `,"parentID":"ses_1"`), "c.json": with(opencodeOf, "ses_3", `,"parentID":"ses_9"`), "d.json": `{"info":{}}`, "e.json": `{"info":`},
			map[string]string{"b.json": "a.json"},
		},
		"the same id in another format": {
			map[string]string{"a.json": with(opencodeOf, "one", ""), "b.jsonl": with(rollout, "two", `,"parent_thread_id":"one"`)}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			var paths []string
			for file, text := range c.files {
				p.write("x/"+file, text)
				paths = append(paths, p.at("x", file))
			}
			got := map[string]string{}
			for path, part := range Parts(paths) {
				of := strings.TrimPrefix(part.Of, p.at("x")+"/")
				if part.Empty {
					of = "empty " + of
				}
				got[strings.TrimPrefix(path, p.at("x")+"/")] = of
			}
			if c.want == nil {
				c.want = map[string]string{}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// However files name each other, also in circles: a session is no part, and the order in
// which files are given does not matter.
func TestPartsOfAnyFiles(t *testing.T) {
	p := newPlace(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		ids := []string{"a", "b", "c", "d"}
		var paths []string
		for i := range rapid.IntRange(1, 6).Draw(rt, "files") {
			more := ""
			if of := rapid.SampledFrom(append(ids, "")).Draw(rt, "of"); of != "" {
				more = `,"parent_thread_id":"` + of + `"`
			}
			name := fmt.Sprintf("%d/%d.jsonl", n, i)
			p.write(name, with(rollout, rapid.SampledFrom(ids).Draw(rt, "id"), more))
			paths = append(paths, p.at(name))
		}
		parts := Parts(paths)
		for path, part := range parts {
			if _, bad := parts[part.Of]; bad || !slices.Contains(paths, part.Of) || path == part.Of {
				rt.Errorf("%q is part of %q", path, part.Of)
			}
		}
		if again := Parts(rapid.Permutation(paths).Draw(rt, "again")); !maps.Equal(parts, again) {
			rt.Errorf("%v, in another order %v", parts, again)
		}
	})
}

// Sub-agents that have files of their own are no sessions of their own.
func TestFindGroups(t *testing.T) {
	p := newPlace(t)
	at := func(id, cwd, more string) string {
		return with(rollout, id, fmt.Sprintf(`,"cwd":%q%s`, p.at(cwd), more))
	}
	p.write("home/.codex/archived_sessions/rollout-1.jsonl", at("one", "repo", ""))
	p.write("home/.codex/sessions/2026/rollout-2.jsonl", at("two", "clone", `,"parent_thread_id":"one"`)) // as its session
	p.write("home/.codex/sessions/2026/rollout-3.jsonl", at("three", "repo", `,"parent_thread_id":"gone"`))
	found := p.find(nil, NewHere(p.at("repo")), "codex")["codex"]
	if len(found.Sessions) != 2 || found.Others != 0 || !slices.Equal(found.Sessions[0].Parts, []string{p.at("home/.codex/sessions/2026/rollout-2.jsonl")}) || found.Sessions[1].Parts != nil {
		t.Errorf("%+v", found)
	}
	if size := int64(len(at("one", "repo", "") + at("two", "clone", `,"parent_thread_id":"one"`))); found.Sessions[0].Size != size {
		t.Errorf("%d bytes, want %d", found.Sessions[0].Size, size)
	}
}

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

// Which files are parts of which, by what they and their places say; subagents.txtar shows the rest.
func TestParts(t *testing.T) {
	parent := func(of, more string) string { return strings.Replace(spawned, "PARENT", of, 1) + more }
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // "" before the path of a session: the part is empty
	}{
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
		"opencode": {
			map[string]string{"a.json": with(opencodeOf, "ses_1", ""), "b.json": with(opencodeOf, "ses_2", `,"parentID":"ses_1"`), "c.json": with(opencodeOf, "ses_3", `,"parentID":"ses_9"`), "d.json": `{"info":{}}`, "e.json": `{"info":`},
			map[string]string{"b.json": "a.json"},
		},
		"entire, a checkpoint": {
			map[string]string{"ab/0123/0/full.jsonl": mainOf, "ab/0123/0/transcript.jsonl": `{"v":1}`, "ab/0123/1/transcript.jsonl": `{"v":1}`, "ab/0123/2/full.jsonl": `{"other":1}`, "ab/0123/2/transcript.jsonl": `{"v":1}`},
			map[string]string{"ab/0123/0/transcript.jsonl": "empty ab/0123/0/full.jsonl", "ab/0123/2/transcript.jsonl": "empty ab/0123/2/full.jsonl"},
		},
		"entire, a checkpoint of a sub-agent": {
			map[string]string{"S.jsonl": with(rollout, "top", ""), "0/full.jsonl": with(rollout, "b", `,"parent_thread_id":"top"`), "0/transcript.jsonl": `{"v":1}`},
			map[string]string{"0/full.jsonl": "S.jsonl", "0/transcript.jsonl": "empty S.jsonl"},
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

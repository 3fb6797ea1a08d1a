package setup

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is a program is written whole, found again, replaced when it is an older one, and taken
// out. One of others stays.
func TestScript(t *testing.T) {
	for _, scope := range []Scope{User, Project} {
		e, root := environment(t), t.TempDir()
		at := filepath.Join(root, ".opencode/plugin/episodes.js")
		if scope == User {
			at = filepath.Join(e.Home, ".config/opencode/plugin/episodes.js")
		}
		r := Request{Agents: []string{"opencode"}, Scope: scope, Action: Wire, Root: root}
		runs(t, e, r)
		ours := read(t, at)
		if !strings.Contains(ours, `const program = "episodes"`) {
			t.Errorf("%s", ours)
		}
		r.Action = Check
		if a := runs(t, e, r); a.Agents[0].State != Wired {
			t.Errorf("%s", a.Text(0))
		}
		write(t, at, ours+"// of an older version\n", 0o600)
		if a := runs(t, e, r); a.Agents[0].State != Older {
			t.Errorf("%s", a.Text(0))
		}
		r.Action = Wire
		if runs(t, e, r); read(t, at) != ours {
			t.Errorf("%s", read(t, at))
		}
		r.Action = Remove
		runs(t, e, r)
		if _, err := os.Stat(at); err == nil {
			t.Error("it is still there")
		}
		write(t, at, "export const Mine = 1\n", 0o600)
		for _, r.Action = range []Action{Wire, Remove} {
			if runs(t, e, r); read(t, at) != "export const Mine = 1\n" {
				t.Errorf("%s changed a file of others", r.Action)
			}
		}
	}
}

// The plugin of OpenCode calls the program, and puts what it answers where the model reads it: behind a
// prompt as a part of its own, and below the output of a command.
func TestPluginOfOpenCode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake")
	write(t, fake, "#!/bin/sh\n[ $# -gt 1 ] || exit 0\ncat >>\"$0.in\"; echo \" $3\" >>\"$0.in\"; case $3 in sessionIdle) ;; *) printf '{\"text\":\"known at %s\\\\n\"}' $3;; esac\n", 0o700)
	write(t, filepath.Join(dir, "plugin.mjs"), agentOf("opencode").Settings.Script(fake), 0o600)
	write(t, filepath.Join(dir, "run.mjs"), `import { Episodes } from "./plugin.mjs"
const hooks = await Episodes({ directory: "/repo" })
const config = { mcp: { other: 1 } }
await hooks.config(config)
await hooks.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } })
const said = { message: {}, parts: [{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "mend it" }] }
await hooks["chat.message"]({ sessionID: "ses_1" }, said)
const ran = { output: "FAIL", metadata: { exit: 1 } }, read = { output: "x" }
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "ses_1", args: { command: "go test" } }, ran)
await hooks["tool.execute.after"]({ tool: "read", sessionID: "ses_1", args: {} }, read)
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
console.log(JSON.stringify({ config, parts: said.parts, ran, read }))
`, 0o600)
	out, err := exec.Command(node, filepath.Join(dir, "run.mjs")).CombinedOutput()
	var got struct {
		Config struct{ MCP map[string]any }
		Parts  []struct {
			ID, Text, SessionID string
			Synthetic           bool
		}
		Ran, Read struct{ Output string }
	}
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(got.Config.MCP) != 2 || len(got.Parts) != 2 || got.Parts[0].Text != "mend it" || got.Parts[1].Text != "known at sessionCreated\n\nknown at chatMessage\n" ||
		!got.Parts[1].Synthetic || got.Parts[1].SessionID != "ses_1" || got.Parts[1].ID <= got.Parts[0].ID ||
		got.Ran.Output != "FAIL\n\n<episodes>\nknown at toolExecuteAfter\n</episodes>" || got.Read.Output != "x" {
		t.Errorf("%s", out)
	}
	asked := read(t, fake+".in")
	for _, want := range []string{`{"session_id":"ses_1","cwd":"/repo","tool_name":"bash","tool_input":{"command":"go test"},"tool_response":{"output":"FAIL","exit_code":1}} toolExecuteAfter`,
		`{"session_id":"ses_1","cwd":"/repo","prompt":"mend it"} chatMessage`, `{"session_id":"ses_1","cwd":"/repo"} sessionIdle`} {
		if !strings.Contains(asked, want+"\n") {
			t.Errorf("%q is not in %s", want, asked)
		}
	}
}

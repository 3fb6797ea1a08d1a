package minisweagent

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, Format, "*.traj.json") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"user","content":"t"},{"role":"assistant","content":"THOUGHT: x` + "\\n```bash\\nls\\n```" + `"},{"role":"user","content":"<returncode>2</returncode>\n<output>\nno\n</output>"}],"trajectory_format":"mini-swe-agent-1"}`))
	f.Add([]byte(`{"info":{"mini_version":"2"},"messages":[{"role":"user","content":[{"type":"text","text":"t"}]},{"role":"assistant","tool_calls":[{"id":"a","function":{"arguments":"{\"command\":\"ls\"}"}}]},{"role":"tool","tool_call_id":"a","content":"","extra":{"returncode":1,"raw_output":"x"}}]}`))
	turnstest.Fuzz(f, Format)
}

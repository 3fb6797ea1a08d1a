package codex

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"Exit code: 1\nOutput:\nno"}}` + "\n"))
	f.Add([]byte(`{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"c","input":"tools.exec_command({cmd:\"a\"});tools.exec_command({cmd:'b'})"}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":[{"text":"Script completed\nOutput:\n"},{"text":"[{\"output\":\"\",\"exit_code\":1}]"}]}}` + "\n"))
	f.Add([]byte(`{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"c","input":"tools.exec_command({cmd:\"a\"})"}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"e","command":["a"],"exit_code":1,"aggregated_output":"no"}}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"f","changes":{"a":{"unified_diff":"+b"}}}}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

package qwen

import (
	"testing"

	"episodes/agents/claude"
	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

// The envelope is that of Claude Code, whose reader would find nothing in it.
func TestNotClaude(t *testing.T) {
	for _, line := range []string{
		`{"uuid":"a","sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"a"}]}}`,
		`{"uuid":"a","sessionId":"s","type":"system","subtype":"ui_telemetry","systemPayload":{}}`,
	} {
		if !Agent.Format.Detect([]byte(line)) || claude.Agent.Format.Detect([]byte(line)) {
			t.Errorf("taken for another format: %s", line)
		}
	}
	if Agent.Format.Detect([]byte(`{"uuid":"a","sessionId":"s","type":"user","message":{"role":"user","content":"a"}}`)) {
		t.Error("a session of Claude Code is taken")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"uuid":"a","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"run_shell_command","args":{"command":"a"}}}]}}` + "\n" +
		`{"uuid":"b","sessionId":"s","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c","response":{"output":"Command: a\nDirectory: (root)\nOutput: b\nExit Code: 1"}}}]},"toolCallResult":{"status":"success"}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

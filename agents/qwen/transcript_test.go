package qwen

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"uuid":"a","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c","name":"run_shell_command","args":{"command":"a"}}}]}}` + "\n" +
		`{"uuid":"b","sessionId":"s","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c","response":{"output":"Command: a\nDirectory: (root)\nOutput: b\nExit Code: 1"}}}]},"toolCallResult":{"status":"success"}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

package entire

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"v":1,"agent":"claude-code","cli_version":"0.5.0","type":"user","ts":"2026-01-01T00:00:00Z","content":[{"text":"a"}]}` + "\n" +
		`{"v":1,"agent":"gemini-cli","cli_version":"0.5.0","type":"assistant","ts":1767225600000,"content":[{"type":"tool_use","id":"t","name":"run_shell_command","input":{"command":"a"},"result":{"output":"Output: b\nExit Code: 1\nProcess Group PGID: 1","status":"success"}}]}` + "\n"))
	turnstest.Fuzz(f, Format)
}

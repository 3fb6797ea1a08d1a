package claude

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"user","uuid":"u","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1"}]}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

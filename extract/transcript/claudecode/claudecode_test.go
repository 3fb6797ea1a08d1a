package claudecode

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

var format = turnstest.Format{Detect: Detect, Read: Read}

func TestGolden(t *testing.T) { turnstest.Golden(t, format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"user","uuid":"u","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1"}]}}` + "\n"))
	turnstest.Fuzz(f, format)
}

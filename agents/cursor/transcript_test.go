package cursor

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>Monday, Mar 2, 2026, 9:00 AM (UTC+1)</timestamp>\n<user_query>\nq\n</user_query>"}]}}` + "\n" +
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"ApplyPatch","input":"*** Update File: a"}]}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

package pi

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"session","version":3,"id":"s","timestamp":"2026-03-02T09:00:00Z","cwd":"/w"}` + "\n" +
		`{"type":"message","id":"a","timestamp":"2026-03-02T09:00:01Z","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"x\n\nCommand exited with code 2"}],"isError":true}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

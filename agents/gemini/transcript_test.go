package gemini

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.json") }

func TestGoldenLines(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"gemini","content":"a","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"a"},` +
		`"status":"success","result":[{"functionResponse":{"response":{"output":"Output: no\nExit Code: 1\nProcess Group PGID: 1"}}}]}]}]}`))
	f.Add([]byte(`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"$set":{"summary":"a"}}` + "\n" + `{"id":"1","type":"user","content":[{"text":"a"}]}` + "\n" + `{"$rewindTo":"1"}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

package gemini

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.json") }

func TestGoldenLines(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

// A chat has only the hash of its project's folder, which is above a file that the agent edits.
func TestFolderOfTheProject(t *testing.T) {
	sum := sha256.Sum256([]byte("/home/dev/tides"))
	for file, want := range map[string]string{"/home/dev/tides/table/table.go": " Dir:/home/dev/tides ", "/home/dev/reefs/reef.go": " Dir: "} {
		chat := fmt.Sprintf(`{"sessionId":"s","projectHash":"%x","messages":[{"id":"1","type":"gemini","content":"a","toolCalls":[{"id":"c","name":"replace","args":{"file_path":%q,"old_string":"a","new_string":"b"},"status":"success"}]}]}`, sum, file)
		if got := turnstest.Dump(t, *Agent.Format, []byte(chat)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", file, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"gemini","content":"a","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"a"},` +
		`"status":"success","result":[{"functionResponse":{"response":{"output":"Output: no\nExit Code: 1\nProcess Group PGID: 1"}}}]}]}]}`))
	f.Add([]byte(`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"$set":{"summary":"a"}}` + "\n" + `{"id":"1","type":"user","content":[{"text":"a"}]}` + "\n" + `{"$rewindTo":"1"}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

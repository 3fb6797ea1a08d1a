package claude

import (
	"os"
	"strings"
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"user","uuid":"u","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1"}]}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

// A resumed session begins with copies of records, under ids of their own.
func TestCopiedRecords(t *testing.T) {
	data, err := os.ReadFile("testdata/retry.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	once := strings.Join(strings.SplitAfter(string(data), "\n")[:7], "")
	copies := strings.ReplaceAll(once, `"uuid":"`, `"uuid":"copy-`)
	want := turnstest.Dump(t, *Agent.Format, []byte(once))
	if got := turnstest.Dump(t, *Agent.Format, []byte(once+copies)); got != want {
		t.Errorf("with copies:\n%s\nwithout:\n%s", got, want)
	}
}

// Hooks and commands write prompts too.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"mend the pump <system-reminder>be brief</system-reminder>":                         "mend the pump",
		"Operation stopped by hook: another session is active":                              "",
		"<command-name>/review</command-name>\n<command-args>the pump first</command-args>": "the pump first",
	} {
		if got := Typed(text); got != want {
			t.Errorf("Typed(%q) = %q, want %q", text, got, want)
		}
	}
}

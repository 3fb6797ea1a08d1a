package openhands

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) {
	turnstest.Golden(t, *Agent.Format, "*.jsonl")
	turnstest.Golden(t, *Agent.Format, "*.json")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"id":1,"source":"user","action":"message","args":{"content":"t"}},{"id":2,"source":"agent","action":"run","args":{"command":"ls"}},{"cause":2,"observation":"run","content":"x\n[The command completed with exit code 1.]"}]`))
	f.Add([]byte(`{"history":[[{"action":"run_ipython","code":"open_file('a')"},{"observation":"run_ipython","content":"x"}]]}` + "\n{}\n"))
	f.Add([]byte(`{"events":[{"kind":"ActionEvent","tool_name":"terminal","tool_call_id":"c","action":{"kind":"TerminalAction","command":"ls"}},{"kind":"ObservationEvent","tool_call_id":"c","observation":{"content":[{"type":"text","text":"x"}],"exit_code":-1}}]}`))
	turnstest.Fuzz(f, *Agent.Format)
}

package copilot

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.jsonl") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"tool.execution_complete","id":"i","timestamp":"t","data":{"toolCallId":"c","success":true,"result":{"content":"no\n<shellId: 0 completed with exit code 1>"},"toolTelemetry":{"metrics":{"exit_code":1}}}}` + "\n"))
	f.Add([]byte(`{"type":"system.notification","data":{"kind":{"type":"shell_completed","shellId":"1","exitCode":0}}}` + "\n"))
	turnstest.Fuzz(f, *Agent.Format)
}

package opencode

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.json") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"info":{"id":"ses_1","projectID":"p","directory":"/src"},"messages":[{"info":{"role":"assistant","error":{"name":"MessageAbortedError"}},"parts":[` +
		`{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"a"},"metadata":{"exit":1}}},{"type":"text","text":"no"}]}]}`))
	turnstest.Fuzz(f, *Agent.Format)
}

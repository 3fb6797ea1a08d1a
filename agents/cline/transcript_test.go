package cline

import (
	"strings"
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.json") }

// A tool of the command line that failed as a whole returns a text, or an object with the error.
func TestToolThatFailed(t *testing.T) {
	for _, content := range []string{`"it took too long"`, `"{\"error\":\"it took too long\"}"`} {
		dump := turnstest.Dump(t, *Agent.Format, []byte(`{"sessionId":"s","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":`+
			content+`,"is_error":true}]}]}`))
		if !strings.Contains(dump, ` failed id="c/0" text=`) || !strings.Contains(dump, "it took too long") {
			t.Errorf("%s: %s", content, dump)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":[{"type":"text","text":"<task>t</task>"}]},{"role":"assistant","content":"<thinking>x</thinking>a <write_to_file><path>p</path><content><b></content></write_to_file>"},{"role":"user","content":[{"type":"text","text":"[write_to_file for 'p'] Result:"},{"type":"text","text":"The user denied this operation and provided the following feedback:\n<feedback>\nf\n</feedback>"}]}]`))
	f.Add([]byte(`[{"ts":1,"type":"say","say":"command","text":"ls"},{"ts":2,"type":"say","say":"command_output","text":"a"},{"ts":3,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\"}"}]`))
	turnstest.Fuzz(f, *Agent.Format)
}

package cline

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) { turnstest.Golden(t, *Agent.Format, "*.json") }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":[{"type":"text","text":"<task>t</task>"}]},{"role":"assistant","content":"<thinking>x</thinking>a <write_to_file><path>p</path><content><b></content></write_to_file>"},{"role":"user","content":[{"type":"text","text":"[write_to_file for 'p'] Result:"},{"type":"text","text":"The user denied this operation and provided the following feedback:\n<feedback>\nf\n</feedback>"}]}]`))
	f.Add([]byte(`[{"ts":1,"type":"say","say":"command","text":"ls"},{"ts":2,"type":"say","say":"command_output","text":"a"},{"ts":3,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\"}"}]`))
	turnstest.Fuzz(f, *Agent.Format)
}

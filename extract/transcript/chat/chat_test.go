package chat

import (
	"testing"

	"episodes/internal/testing/turnstest"
)

func TestGolden(t *testing.T) {
	turnstest.Golden(t, Format, "*.json")
	turnstest.Golden(t, Format, "*.jsonl")
}

// A conversation without calls of tools is no session of an agent.
func TestTalkIsNone(t *testing.T) {
	for _, doc := range []string{
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`,
		`[{"role":"user","content":"a"}]`, `{"role":"assistant","content":"tool_calls"}` + "\n",
	} {
		if Format.Detect([]byte(doc)) {
			t.Errorf("taken: %s", doc)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"instance_id":"i","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{\"command\":\"a\"}"}}]},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"b"}]}]}`))
	f.Add([]byte(`{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"bash","arguments":{"command":"a"}}}]}` + "\n"))
	turnstest.Fuzz(f, Format)
}

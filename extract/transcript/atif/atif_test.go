package atif

import (
	"bytes"
	"errors"
	"testing"

	"episodes/internal/testing/turnstest"
	"episodes/internal/turns"
)

func TestGolden(t *testing.T) {
	turnstest.Golden(t, Format, "*.atif.json")
	turnstest.Golden(t, Format, "*.atif.jsonl")
}

// What this program exported is refused, wherever its name stands; what quotes the name is
// not.
func TestOwnExports(t *testing.T) {
	const steps = `"steps":[{"step_id":1,"source":"user","message":"mend it"}]`
	for doc, own := range map[string]bool{
		`{"schema_version":"ATIF-v1.7","agent":{"name":"episodes","version":"1"},` + steps + `}`:                                                  true,
		`{"schema_version":"ATIF-v1.7",` + steps + `,"agent":{"name":"episodes"}}` + "\n":                                                         true,
		`{"schema_version":"ATIF-v1.7","agent":{"name":"episodes"},` + steps + "}\n" + `{"schema_version":"ATIF-v1.7"}` + "\n":                    true,
		`{"schema_version":"ATIF-v1.7","agent":{"name":"x"},` + steps + `,"subagent_trajectories":[{"agent":{"name":"episodes"},` + steps + `}]}`: true,
		`{"schema_version":"ATIF-v1.7","agent":{"name":"claude-code","extra":{"cwd":"episodes"}},` + steps + `}`:                                  false,
	} {
		if !Format.Detect([]byte(doc)) {
			t.Errorf("not detected: %s", doc)
		}
		r := turns.NewReader(bytes.NewReader([]byte(doc)), func(turns.Turn) error { return nil })
		if err := Format.Read(r); errors.Is(err, turns.ErrOwn) != own {
			t.Errorf("%v: %s", err, doc)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema_version":"ATIF-v1.7","agent":{"name":"claude-code"},"steps":[{"step_id":1,"source":"agent","message":"m","tool_calls":[{"tool_call_id":"a","function_name":"Bash","arguments":{"command":"ls"}}],"observation":{"results":[{"source_call_id":"a","content":"Exit code 1\n\n[stdout]\nx\n[metadata] {}\n\n[error] tool reported failure"}]}}],"subagent_trajectories":[{"trajectory_id":"t","steps":[]}]}`))
	f.Add([]byte(`{"__header__":true,"schema_version":"1.4","session_id":"s"}` + "\n" + `{"step_id":1,"source":"system","observation":{"type":"t","content":"c","result":{}}}` + "\n"))
	turnstest.Fuzz(f, Format)
}

package capture

import (
	"strings"
	"testing"

	"episodes/extract"
	"episodes/internal/lesson"
	"episodes/internal/reader"
)

const transcript = `{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/r","message":{"role":"user","content":"Never push to main, open a pull request."}}
{"type":"assistant","uuid":"a1","sessionId":"s","timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[{"type":"text","text":"The upload works now and all tests of it pass."}]}}
{"type":"assistant","uuid":"a2","sessionId":"s","timestamp":"2026-03-01T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./upload"}}]}}
{"type":"user","uuid":"u2","sessionId":"s","timestamp":"2026-03-01T09:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok  \tr/upload\t0.02s, 4 passed"}]}}
`

// An answer about a transcript is held to who speaks in it: what the agent claims shows nothing, and a rule is a person's. A
// transcript that is not as it was read holds nothing.
func TestSession(t *testing.T) {
	e := extract.New(extract.Vocabulary{})
	res, err := e.Read(extract.Source{Path: "s.jsonl"}, strings.NewReader(transcript))
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]lesson.Ending{
		"+d1 design success 2 \"The upload works\"":                                    lesson.Unknown,
		"+d1 design success 3 \"go test\"":                                             lesson.Held,
		`{"kind":"rule","say":"Never push to main, open a pull request.","lines":"1"}`: "",
		`{"kind":"rule","say":"The upload works now and all tests pass.","lines":"2"}`: "refused",
		`{"kind":"trap","say":"The upload works now and all tests pass.","lines":"2"}`: "",
		`{"kind":"trap","say":"The upload needs UPLOAD_LIMIT to be set.","lines":"4"}`: "refused",
	} {
		s := Session(e, res.Episode.Provenance.Source, strings.NewReader(transcript))
		if s == nil {
			t.Fatal("no session")
		}
		lines, _, err := e.Rendering(strings.NewReader(transcript), res.Episode.Provenance.Source)
		if err != nil {
			t.Fatal(err)
		}
		log := reader.Log{Draft: res.Episode, Lines: lines}
		log.Check.Log = s
		v := reader.Take(log, answer)
		if refused := len(v.Refused) > 0; refused != (want == "refused") || !refused && (len(v.Entries) != 1 || v.Entries[0].Lesson.Outcome != want) {
			t.Errorf("%s: %+v, refused %+v; want %q", answer, v.Entries, v.Refused, want)
		}
	}
	if Session(e, res.Episode.Provenance.Source, strings.NewReader(transcript+transcript)) != nil {
		t.Error("a session of another log")
	}
}

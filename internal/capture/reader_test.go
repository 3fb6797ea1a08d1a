package capture

import (
	"testing"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/reader"
)

// An answer about a transcript is held to who speaks in its rendering: what the agent claims shows nothing, and a rule is a
// person's.
func TestHeldToARendering(t *testing.T) {
	l := parsed{rendered: true, ep: &episode.Episode{ID: "episode-s", Session: "s"}, lines: corrections.Lines{
		"user: Never push to main, open a pull request.", "", "agent: The upload works now and all tests of it pass.",
		"$ go test ./upload → 4 passed, upload ok"}}
	for answer, want := range map[string]lesson.Ending{
		"+d1 design success 3 \"The upload works\"":                                    lesson.Unknown,
		"+d1 design success 4 \"go test\"":                                             lesson.Held,
		`{"kind":"rule","say":"Never push to main, open a pull request.","lines":"1"}`: "",
		`{"kind":"rule","say":"The upload works now and all tests pass.","lines":"3"}`: "refused",
		`{"kind":"trap","say":"The upload works now and all tests pass.","lines":"3"}`: "",
		`{"kind":"trap","say":"The upload needs UPLOAD_LIMIT to be set.","lines":"4"}`: "refused",
	} {
		log := l.readerLog()
		log.Check.Log = l.held()
		v := reader.Take(log, answer)
		if refused := len(v.Refused) > 0; refused != (want == "refused") || !refused && (len(v.Entries) != 1 || v.Entries[0].Lesson.Outcome != want) {
			t.Errorf("%s: %+v, refused %+v; want %q", answer, v.Entries, v.Refused, want)
		}
	}
	l.rendered = false
	if l.held() != nil {
		t.Error("a Markdown log is its lines")
	}
}

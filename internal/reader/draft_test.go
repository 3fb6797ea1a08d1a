package reader

import (
	"testing"

	"episodes/episode"
	"episodes/internal/corrections"
)

// sample is a log with a failed attempt, a fix and what is left open.
const sample = `# Session: upload times out

## Problem

- Uploads of **large** files time out after 30 s.

## Attempt 1: raise the limit (Failed)

- Raised the proxy limit to 120 s, because the proxy closed first.
- Result: the upload still times out.

## Attempt 2

- Switched to chunked uploads; each chunk is retried. This fixed the timeout.
- go test ./upload: 14 passed

| Step | Note |
|---|---|
| Review | the retry count is too low |

## Lessons

- Check which side closes the connection first.

## Open

- [ ] tell the users of the old client
`

// handDraft is a draft that does not change with the rules.
func handDraft() Log {
	ep := &episode.Episode{ID: "episode-s", Session: "s", Outcome: episode.Unknown,
		Decisions: []episode.Decision{{ID: "d001", Type: episode.Recovery, Chosen: "Raised the proxy limit to 120 s", Outcome: episode.Success}},
		Events: []episode.Event{{ID: "e001", Type: episode.Error, Content: "Uploads of large files time out after 30 s"},
			{ID: "e002", Type: episode.Milestone, Content: "go test ./upload: 14 passed"}},
		Lessons: []string{"Check which side closes the connection first."},
		Links:   []episode.Link{{Source: "d001", Target: "e001", Type: episode.Prevents}},
	}
	ep.Provenance.Source.Format = "markdown"
	ep.Provenance.Spans = map[string]episode.Span{"d001": {9, 9}, "e001": {5, 5}, "e002": {15, 15}, "l001": {23, 23}, "d001>e001": {9, 9}}
	return Log{Name: "s.md", Lines: corrections.Split([]byte(sample)), Draft: ep}
}

// said is what is read of an answer, before it is held to anything: an entry a line.
func said(l Log, answer string) (string, []Refusal) {
	entries, refused := Entries(answer, l.Draft, l.Lines)
	return (&Verdict{Entries: entries}).text(), refused
}

// must is a Verdict of which nothing was refused.
func must(t *testing.T, l Log, answer string) *Verdict {
	t.Helper()
	v := Take(l, answer)
	if len(v.Refused) > 0 {
		t.Errorf("%q: refused %+v", answer, v.Refused)
	}
	return v
}

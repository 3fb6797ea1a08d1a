package recall_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// session makes an episode with its log.
func session(id, date, log string, change func(*episode.Episode)) *recall.Session {
	e := &episode.Episode{ID: "episode-" + id, Session: id, Timestamp: date + "T00:00:00Z", Task: "work on " + id}
	e.Provenance.Source.Path = id + ".md"
	e.Provenance.Spans = map[string]episode.Span{}
	if change != nil {
		change(e)
	}
	s := recall.FromEpisode(e)
	s.AddPassages("markdown", strings.Split(log, "\n"))
	return s
}

func open(t interface{ Fatal(...any) }, groups ...[]*recall.Session) *recall.Index {
	var segs []*recall.Segment
	var dead []map[int]bool
	for _, g := range groups {
		data := build(g)
		s, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		segs, dead = append(segs, s), append(dead, map[int]bool{})
	}
	return recall.NewIndex(segs, dead)
}

const outage = `# Session

## What went wrong

The upload of the parcel index stopped: ` + "`QuotaExceededError: tenant bucket is full`" + `.

Root cause: nightly snapshots were never pruned.

Fix: prune snapshots older than a week before each upload.
`

func library() []*recall.Session {
	out := []*recall.Session{session("outage", "2026-02-03", outage, func(e *episode.Episode) {
		e.Events = []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "QuotaExceededError: tenant bucket is full"},
			{ID: "e002", Type: episode.Milestone, Content: "prune snapshots older than a week before each upload"},
		}
		e.Links = []episode.Link{{Source: "e001", Target: "e002", Type: episode.Causes}}
		e.Provenance.Spans = map[string]episode.Span{"e001": {5, 5}, "e002": {9, 9}, "e001>e002": {5, 9}}
	})}
	for i, words := range []string{"garden fence paint", "kitchen table wood", "river boat sail", "mountain trail map", "winter coat wool", "summer lamp oil"} {
		out = append(out, session(fmt.Sprintf("other%d", i), "2026-01-01", "# Session\n\nWe talked about the "+words+" and the build passed.\n", nil))
	}
	return out
}

const pasted = `2026-03-01T10:11:12.123Z ##[group]Run ./sync.sh
2026-03-01T10:11:12.200Z shell: /bin/bash
2026-03-01T10:11:12.300Z ##[endgroup]
2026-03-01T10:11:13.000Z uploading the parcel index
2026-03-01T10:11:14.000Z QuotaExceededError: tenant bucket is full (418 of 400 GB)
2026-03-01T10:11:15.000Z ##[error]Process completed with exit code 1.`

// advise asks for advice.
func advise(t interface{ Fatal(...any) }, x *recall.Index, want recall.Want, text string) []recall.Line {
	lines, err := x.Advise(recall.Analyse(want, text))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestAdviseIsSilentOnWhatNobodyKnows(t *testing.T) {
	x := open(t, library())
	for want, text := range map[recall.Want]string{
		recall.AnError:  "$ terraform apply\nError: error acquiring the state lock: ConditionalCheckFailedException",
		recall.AnAction: "docker compose down --volumes",
		recall.ATask:    "Translate the handbook into Portuguese.",
		recall.AChoice:  "Tabs or spaces in the build files?",
	} {
		if got := advise(t, x, want, text); len(got) > 0 {
			t.Errorf("%s %q: %+v", want, text, got)
		}
	}
	for _, text := range []string{"", " ", "\x00", "a", "the of and"} {
		if got := advise(t, x, recall.AnError, text); len(got) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// An empty memory answers nothing and finds nothing.
func TestEmptyMemories(t *testing.T) {
	for _, x := range []*recall.Index{recall.NewIndex(nil, nil), open(t, nil), open(t, nil, nil)} {
		for _, want := range []recall.Want{recall.AnError, recall.AnAction, recall.ATask, recall.AChoice} {
			if got := advise(t, x, want, pasted); len(got) > 0 {
				t.Errorf("%+v", got)
			}
		}
		if hits := find(t, x, pasted, recall.Filter{Limit: 5}); len(hits) > 0 {
			t.Errorf("%+v", hits)
		}
	}
}

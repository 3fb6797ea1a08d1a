package infer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
)

func sample() *episode.Episode {
	return &episode.Episode{
		ID: "episode-2026-02-03-session-01", Session: "2026-02-03-session-01", Timestamp: "2026-02-03T10:00:00Z", Outcome: episode.Success, OutcomeSource: episode.Measured,
		Task: "Fix the flaky upload (#42)",
		Decisions: []episode.Decision{
			{ID: "d001", Timestamp: "2026-02-03T10:02:00Z", Context: "How to wait for the lock", Options: []string{"retry with backoff", "fail at once"}, Chosen: "retry with backoff", Rationale: "Exploration: chosen at random", Outcome: episode.Success},
			{ID: "d002", Timestamp: "2026-02-03T10:03:00Z", Chosen: "squash merge", Outcome: episode.Unknown},
		},
		Events: []episode.Event{
			{ID: "e001", Timestamp: "2026-02-03T10:01:00Z", Type: episode.Error, Content: "Step 3: upload timed out after 30s"},
			{ID: "e002", Timestamp: "2026-02-03T10:03:00Z", Type: episode.Milestone, Content: "upload is green"},
			{ID: "e003", Timestamp: "2026-02-03T10:04:00Z", Type: episode.Commit, Content: "0a1b2c3 fix upload"},
		},
	}
}

func TestFromEpisode(t *testing.T) {
	r := FromEpisode(sample())
	if r.Outcome != Succeeded || r.Task.Key != TaskKey("fix the flaky upload") || r.Day != 20487 {
		t.Errorf("%+v", r)
	}
	if len(r.Choices) != 2 || !r.Choices[0].Explore || r.Choices[0].Result != Succeeded || r.Choices[0].Own || r.Choices[0].Point.Key != PointKey("how to wait for the lock?") || r.Choices[1].Point.Key != "" {
		t.Errorf("%+v", r.Choices)
	}
	// e001 before d001 before what happened at one moment, before the commit, which
	// is no kind of event.
	at := []int{r.Events[0].At, r.Choices[0].At, r.Choices[1].At, r.Events[1].At}
	if d := cmp.Diff([]int{1, 2, 3, 3}, at); d != "" || len(r.Events) != 2 {
		t.Errorf("%d events, order\n%s", len(r.Events), d)
	}
	if r.Events[0].Name.Key != EventKey("error", "upload timed out") || r.Events[0].Node == "" {
		t.Errorf("%+v", r.Events[0])
	}
	ep := sample()
	ep.Events[1].Timestamp = ""
	for _, e := range FromEpisode(ep).Events {
		if e.At != 0 {
			t.Errorf("order without a time: %+v", e)
		}
	}
}

func TestNoEvidence(t *testing.T) {
	for _, change := range []func(*episode.Episode){
		func(ep *episode.Episode) { ep.OutcomeSource = episode.Default },
		func(ep *episode.Episode) { ep.Outcome = episode.Unknown },
	} {
		ep := sample()
		change(ep)
		if r := FromEpisode(ep); r.Outcome != Unmeasured || r.Choices[0].Result != Unmeasured {
			t.Errorf("%+v", r)
		}
	}
	ep := sample()
	ep.Outcome = episode.Partial
	if r := FromEpisode(ep); r.Outcome != Failed {
		t.Errorf("a partial success is none: %+v", r.Outcome)
	}
}

// Words that only lead over to something masked are no part of a fact; words of
// contrast elsewhere are.
func TestKeys(t *testing.T) {
	want := EventKey("test", "updated lint configuration")
	for _, s := range []string{
		"Updated lint configuration in src/alpha/beta.go:33", "Step 3: updated lint configuration", "updated lint configuration (PR #33)",
		"updated lint configuration at ab12cd34e", "updated lint configuration after 33s", "- Updated the lint configuration.",
	} {
		if k := EventKey("test", s); k != want {
			t.Errorf("%q has key %q, want %q", s, k, want)
		}
	}
	for _, s := range []string{"updated lint configuration after the review", "removed lint configuration", "did not update lint configuration"} {
		if k := EventKey("test", s); k == want {
			t.Errorf("%q has the same key", s)
		}
	}
	if TaskKey("Fix flaky test for issue #33") != TaskKey("Fix flaky test in src/a/b.go") || TaskKey("Fix flaky test") == TaskKey("Fix parser") {
		t.Error("keys of tasks")
	}
}

// A choice with a result of its own counts for each option taken, one without only
// for the last.
func TestChoicesOfOneSession(t *testing.T) {
	d := session(1, "one").choose("which way", "left").choose("which way", "right")
	r := d.ends(true)
	s := New([]Record{r})
	if n := len(s.trialsAt(0)); n != 1 {
		t.Errorf("%d trials, want the last choice alone", n)
	}
	for i := range r.Choices {
		r.Choices[i].Own = true
	}
	r.Choices[0].Result = Failed
	if n := len(New([]Record{r}).trialsAt(0)); n != 2 {
		t.Errorf("%d trials, want both", n)
	}
}

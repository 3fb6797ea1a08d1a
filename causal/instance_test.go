package causal_test

import (
	"testing"

	"episodes/causal"
	"episodes/episode"
)

func TestInstance(t *testing.T) {
	for _, c := range []struct{ given, task, want string }{
		{"", "Fix the flaky upload (#12)", "#12"},
		{"", "fix issue 12 and close it, issue #12", "#12"},
		{"", "see https://forge.example/a/b/pull/7 and its tests", "#7"},
		{"", "Fix #12 and #13", ""}, // of several none is the one
		{"", "colour #123abc of the button", ""},
		{"", "step 3 of 7", ""},
		{"Branch fix/retry", "Fix #12", "branch fix/retry"}, // what the episode says counts
	} {
		if got := causal.Instance(&episode.Episode{Task: c.task, Instance: c.given}); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.given, c.task, got, c.want)
		}
	}
}

package corrections

import (
	"slices"
	"strings"
	"testing"

	"episodes/episode"
)

// What a check measured no reader overrules; what a log only says it may.
func TestMeasuredOutcomes(t *testing.T) {
	lines := Split([]byte(log))
	says := func(o episode.Outcome) []Entry {
		return []Entry{{By: "reader x", Op: SetOutcome, Outcome: o, At: lines.Anchor(episode.Span{6, 6})}}
	}
	for _, c := range []struct {
		source episode.OutcomeSource
		says   episode.Outcome
		want   episode.Outcome
		after  episode.OutcomeSource
	}{
		{episode.Measured, episode.Partial, episode.Success, episode.Measured},
		{episode.Measured, episode.Success, episode.Success, episode.Measured},
		{episode.Stated, episode.Partial, episode.Partial, episode.Stated},
		{episode.Default, episode.Partial, episode.Partial, episode.Stated},
	} {
		ep := sample()
		ep.OutcomeSource = c.source
		dropped := Apply(ep, lines, says(c.says))
		if ep.Outcome != c.want || ep.OutcomeSource != c.after || (len(dropped) > 0) != (c.says != c.want) {
			t.Errorf("%s success, a reader says %s: %s %s, %v", c.source, c.says, ep.OutcomeSource, ep.Outcome, dropped)
		}
		told, want := Disputed(ep, says(c.says)), []string(nil)
		if c.says != c.want {
			want = []string{"outcome (a check: success; reader x: partial)"}
		}
		if !slices.Equal(told, want) {
			t.Errorf("%s success, a reader says %s: told %q", c.source, c.says, told)
		}
	}
	ep := sample()
	ep.OutcomeSource = episode.Measured
	Apply(ep, lines, append(says(episode.Partial), Entry{By: Person, Op: SetOutcome, Outcome: episode.Failure}))
	if ep.Outcome != episode.Failure {
		t.Errorf("a person says failure: %s", ep.Outcome)
	}
}

// Where two readers say different outcomes neither is believed, and it is told.
func TestReadersDisagree(t *testing.T) {
	lines := Split([]byte(log))
	for other, told := range map[episode.Outcome]string{episode.Failure: "outcome (reader x: partial; reader y: failure)", episode.Partial: ""} {
		ep, entries := sample(), []Entry{{By: "reader x", Op: SetOutcome, Outcome: episode.Partial}, {By: "reader y", Op: SetOutcome, Outcome: other}}
		dropped := Apply(ep, lines, entries)
		if got := strings.Join(Disputed(ep, entries), ""); got != told || len(dropped) != 2*min(len(told), 1) || (ep.Outcome == episode.Partial) != (told == "") {
			t.Errorf("%s: %q, %s, dropped %v", other, got, ep.Outcome, dropped)
		}
	}
}

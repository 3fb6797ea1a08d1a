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

// Of what two readers say differently neither is believed, both are kept, and it is told.
func TestReadersDisagree(t *testing.T) {
	lines := Split([]byte(log))
	r := func(id string) *Ref { return ref(t, sample(), lines, id) }
	at := lines.Anchor(episode.Span{6, 6})
	moved := func(r *Ref) *Ref { // as another reader saw it, some lines further down
		c, a := *r, *r.At
		a.Lines[0], a.Lines[1], c.At = a.Lines[0]+3, a.Lines[1]+3, &a
		return &c
	}
	x := func(e Entry) Entry { e.By = "reader x"; return e }
	y := func(e Entry) Entry { e.By = "reader y"; return e }
	for name, c := range map[string]struct {
		x, y  Entry
		about string // "": they agree
	}{
		"outcome":       {Entry{Op: SetOutcome, Outcome: episode.Partial, At: at}, Entry{Op: SetOutcome, Outcome: episode.Failure, At: at}, "outcome (reader x: partial; reader y: failure)"},
		"a choice":      {Entry{Op: Put, Record: r("d001"), Outcome: episode.Partial}, Entry{Op: Put, Record: moved(r("d001")), Outcome: episode.Failure}, `outcome of decision "chunks"`},
		"drop or type":  {Entry{Op: Drop, Record: r("e002")}, Entry{Op: Put, Record: r("e002"), Type: "milestone"}, "presence of event"},
		"a link":        {Entry{Op: DropLink, From: r("d001"), To: r("e001")}, Entry{Op: PutLink, From: r("d001"), To: r("e001"), Type: "causes"}, "link of decision"},
		"type, outcome": {Entry{Op: Put, Record: r("d001"), Outcome: episode.Partial}, Entry{Op: Put, Record: r("d001"), Type: "recovery"}, ""},
		"both drop":     {Entry{Op: Drop, Record: r("e002")}, Entry{Op: Drop, Record: r("e002")}, ""},
		"the same":      {Entry{Op: SetOutcome, Outcome: episode.Partial, At: at}, Entry{Op: SetOutcome, Outcome: episode.Partial, At: at}, ""},
	} {
		f := &File{Entries: []Entry{x(c.x), y(c.y)}}
		ep := sample()
		dropped := Apply(ep, lines, f.Entries)
		told := strings.Join(Disputed(ep, f.Entries), "\n")
		if len(f.Entries) != 2 || (c.about == "") != (told == "") || !strings.Contains(told, c.about) {
			t.Errorf("%s: %d kept, told %q", name, len(f.Entries), told)
		}
		if same := string(marshal(t, ep)) == string(marshal(t, sample())); same == (c.about == "") || len(dropped) != 2*min(len(c.about), 1) {
			t.Errorf("%s: as the rules found it: %v; dropped %v", name, same, dropped)
		}
	}
}

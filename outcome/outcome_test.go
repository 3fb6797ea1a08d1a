package outcome

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"episodes/episode"
)

func at(line int, k Kind) Sign { return Sign{Kind: k, Lines: episode.Span{line, line}} }

func (s Sign) says(o episode.Outcome) Sign {
	s.Says = o
	return s
}

func (s Sign) of(checks ...string) Sign {
	s.Checks = checks
	return s
}

// Each kind has a case in which it decides.
func TestEachKind(t *testing.T) {
	const (
		yes, some, no, none      = episode.Success, episode.Partial, episode.Failure, episode.Unknown
		measured, stated, nobody = episode.Measured, episode.Stated, episode.Default
	)
	cases := []struct {
		kind  Kind
		signs []Sign
		want  episode.Outcome
		from  episode.OutcomeSource
		line  int
	}{
		{Interrupted, []Sign{at(1, CheckPasses), at(2, Interrupted)}, none, nobody, 2},
		{SomeChecksFail, []Sign{at(1, CheckFails).of("lint"), at(2, CheckPasses).of("test")}, some, measured, 1},
		{UserCorrects, []Sign{at(1, CheckPasses), at(2, UserCorrects), at(3, Edits)}, some, stated, 2},
		{CheckFails, []Sign{at(1, Edits), at(2, CheckFails).of("test")}, no, measured, 2},
		{PipelineFails, []Sign{at(1, PipelineFails).of("ci"), at(2, Edits)}, no, measured, 1},
		{Edits, []Sign{at(1, CheckPasses), at(2, Edits)}, none, nobody, 2},
		{CheckPasses, []Sign{at(1, CheckFails).of("test"), at(2, Edits), at(3, CheckPasses).of("test")}, yes, measured, 3},
		{FailureEnds, []Sign{at(1, Edits), at(2, FailureEnds)}, yes, measured, 2},
		{CommitMade, []Sign{at(1, CheckFails).of("lint"), at(2, Edits), at(3, CommitMade)}, yes, stated, 3},

		{OutcomeLabel, []Sign{at(1, OutcomeLabel).says(no), at(2, StatusLabel).says(yes)}, no, stated, 1},
		{StatusLabel, []Sign{at(1, StatusLabel).says(some), at(2, FrontMatter).says(yes)}, some, stated, 1},
		{FrontMatter, []Sign{at(1, FrontMatter).says(yes), at(2, LastReportFails)}, yes, stated, 1},
		{StatusSection, []Sign{at(1, StatusSection).says(no), at(2, AllDone)}, no, stated, 1},
		{OutcomeSection, []Sign{at(1, LastReportFails), at(2, OutcomeSection).says(some)}, some, stated, 2},
		{LastReportFails, []Sign{at(1, LastReportFails), at(2, ItemsAgree).says(yes)}, no, measured, 1},
		{SomeReportsFail, []Sign{at(1, SomeReportsFail), at(2, BoxesTicked)}, some, measured, 1},
		{ItemsAgree, []Sign{at(1, ItemsAgree).says(yes), at(2, AllDone)}, yes, stated, 1},
		{ItemsDiffer, []Sign{at(1, ItemsDiffer), at(2, AllDone)}, some, stated, 1},
		{TimelineEnds, []Sign{at(1, TimelineEnds).says(no), at(2, TasksDone)}, no, stated, 1},
		{AllDone, []Sign{at(1, AllDone), at(2, BoxesOpen)}, yes, stated, 1},
		{LastReportPasses, []Sign{at(1, LastReportPasses).says(yes), at(2, BoxesOpen)}, yes, measured, 1},
		{LastAttempt, []Sign{at(1, LastAttempt).says(no), at(2, TasksDone)}, no, stated, 1},
		{TasksDone, []Sign{at(1, TasksDone), at(2, BoxesOpen)}, yes, stated, 1},
		{SomeTasksDone, []Sign{at(1, SomeTasksDone), at(2, Approval)}, some, stated, 1},
		{Approval, []Sign{at(1, Approval), at(2, BoxesOpen)}, yes, stated, 1},
		{BoxesTicked, []Sign{at(1, BoxesTicked)}, yes, stated, 1},
		{BoxesOpen, []Sign{at(1, BoxesOpen), at(2, StepsCommitted)}, some, stated, 1},
		{StepsCommitted, []Sign{at(1, StepsCommitted), at(2, Underway)}, yes, stated, 1},
		{Underway, []Sign{at(1, Underway)}, some, stated, 1},

		{LoopPasses, []Sign{at(1, LoopPasses)}, yes, measured, 1},
		{LoopFails, []Sign{at(1, LoopFails)}, no, measured, 1},
		{ErrorGone, []Sign{at(1, ErrorGone)}, yes, measured, 1},
		{NoErrorGone, []Sign{at(1, NoErrorGone)}, no, measured, 1},

		{LeftOpen, []Sign{at(1, LeftOpen), at(2, StatusLabel).says(yes)}, some, stated, 1},
		{Installs, []Sign{at(1, CheckFails).of("npm ci"), at(2, Installs).of("npm ci")}, none, nobody, 2},
		{UserSpeaks, []Sign{at(1, UserCorrects), at(2, UserSpeaks)}, none, nobody, 2},
		{NothingShown, []Sign{at(1, NothingShown)}, none, nobody, 1},
	}
	for _, c := range cases {
		want := Verdict{c.want, c.from, episode.Span{c.line, c.line}, c.kind.Rule}
		if got := Decide(c.signs...); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.kind.Rule, got, want)
		}
	}
}

// Each kind of the tables decides where there is no other sign, and has an outcome of its own or takes the sign's.
func TestEveryKindAlone(t *testing.T) {
	for _, k := range kinds {
		says, want := k.says, Verdict{Outcome: episode.Unknown}
		if says == "" {
			says = episode.Failure
		}
		if k != LeftOpen { // which decides only against another one
			want = Verdict{says, k.From, episode.Span{7, 7}, k.Rule}
		}
		if got := Decide(at(7, k).says(says)); got != want || k.Rule == "" {
			t.Errorf("%+v alone: %+v", k, got)
		}
	}
}

func TestBesideOtherSigns(t *testing.T) {
	for name, c := range map[string]struct {
		signs []Sign
		by    Kind
	}{
		"a failure with work left open":          {[]Sign{at(1, LeftOpen), at(2, LoopFails)}, LoopFails},
		"a measured success with work left open": {[]Sign{at(1, LeftOpen), at(2, CheckPasses)}, CheckPasses},
		"a commit after a passing check":         {[]Sign{at(1, CheckPasses), at(2, CommitMade)}, CheckPasses},
		"work after an interruption":             {[]Sign{at(2, Interrupted), at(3, Edits)}, Edits},
		"a commit past a failing pipeline":       {[]Sign{at(1, PipelineFails).of("ci"), at(2, CommitMade)}, SomeChecksFail},
		"an install beside a failing check":      {[]Sign{at(1, CheckFails).of("test"), at(2, Installs)}, CheckFails},
	} {
		if got := Decide(c.signs...); got.Rule != c.by.Rule || got.From != c.by.From {
			t.Errorf("%s: %+v, want %q to decide", name, got, c.by.Rule)
		}
	}
}

func TestChecks(t *testing.T) {
	ran := func(line int, r Result, names ...string) Sign {
		return Check{r, names, episode.Span{line, line}}.Sign()
	}
	for name, c := range map[string]struct {
		signs []Sign
		want  episode.Outcome
		line  int
	}{
		"fails and passes":             {[]Sign{ran(1, Failed, "test"), ran(2, Passed, "test")}, episode.Success, 2},
		"passes and fails":             {[]Sign{ran(1, Passed, "test"), ran(2, Failed, "test")}, episode.Partial, 2},
		"neither settles nothing":      {[]Sign{ran(1, Failed, "test"), ran(2, Neither, "test")}, episode.Failure, 1},
		"a line with both passes":      {[]Sign{ran(1, Failed, "lint"), ran(2, Passed, "test", "lint")}, episode.Success, 2},
		"another check passes":         {[]Sign{ran(1, Failed, "lint"), ran(2, Passed, "test")}, episode.Partial, 1},
		"of several failures the last": {[]Sign{ran(1, Failed, "lint"), ran(2, Failed, "test")}, episode.Failure, 2},
	} {
		if got := Decide(c.signs...); got.Outcome != c.want || got.Lines[0] != c.line {
			t.Errorf("%s: %+v, want %s at %d", name, got, c.want, c.line)
		}
	}
}

// plain are the kinds that neither settle others nor are settled: their strength alone counts.
func plain() []Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool {
		return k.is != 0 || k.settles != 0 || k == Interrupted || k == LeftOpen
	})
}

// drawn are signs of different lines, in their order.
func drawn(t *rapid.T, kinds []Kind) []Sign {
	var out []Sign
	for i, k := range rapid.SliceOfN(rapid.SampledFrom(kinds), 0, 12).Draw(t, "kinds") {
		s := at(i+1, k)
		if k.says == "" {
			s.Says = rapid.SampledFrom([]episode.Outcome{episode.Success, episode.Partial, episode.Failure}).Draw(t, "says")
		}
		if k.is != 0 {
			s.Checks = []string{rapid.SampledFrom([]string{"lint", "test", "ci"}).Draw(t, "check")}
		}
		out = append(out, s)
	}
	return out
}

func TestAWeakerSignChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signs := drawn(t, plain())
		weaker := at(99, rapid.SampledFrom(plain()).Draw(t, "weaker")).says(episode.Failure)
		if !slices.ContainsFunc(signs, func(s Sign) bool { return s.Kind.strength > weaker.Kind.strength }) {
			return
		}
		want := Decide(signs...)
		i := rapid.IntRange(0, len(signs)).Draw(t, "place")
		if got := Decide(slices.Insert(signs, i, weaker)...); got != want {
			t.Fatalf("with %q %+v, not %+v", weaker.Kind.Rule, got, want)
		}
	})
}

func TestTheVerdictIsThatOfASign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signs := drawn(t, kinds)
		got := Decide(signs...)
		if got.Lines[0] == 0 {
			if slices.ContainsFunc(signs, func(s Sign) bool { return s.Kind != LeftOpen }) {
				t.Fatalf("no sign decided: %+v", got)
			}
			return
		}
		decided := signs[got.Lines[0]-1]
		if decided.fails() && got.Rule == SomeChecksFail.Rule {
			decided.Kind = SomeChecksFail
		}
		if want := (Verdict{decided.Outcome(), decided.Kind.From, decided.Lines, decided.Kind.Rule}); got != want {
			t.Fatalf("%+v is not what %+v says", got, decided)
		}
	})
}

// Which of several checks that end passing ran first makes no difference to the outcome.
func TestOrderOfPassingChecks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check := rapid.SampledFrom([]string{"lint", "test", "build", "vet"})
		names := rapid.SliceOfNDistinct(check, 1, 4, rapid.ID[string]).Draw(t, "checks")
		var signs []Sign
		for i, n := range names {
			signs = append(signs, at(i+1, CheckFails).of(n))
		}
		for i, n := range rapid.Permutation(names).Draw(t, "order") {
			if got := Decide(signs...).Outcome; got == episode.Success {
				t.Fatalf("success while %d checks fail", len(names)-i)
			}
			signs = append(signs, at(10+i, CheckPasses).of(n))
		}
		if got := Decide(signs...); got.Outcome != episode.Success {
			t.Fatalf("all checks pass at last: %+v", got)
		}
	})
}

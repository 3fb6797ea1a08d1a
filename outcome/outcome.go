// Package outcome decides what a session, a loop or a choice came to.
//
// Readers of logs, transcripts and loops only give signs: what on some lines bears on the outcome. Decide
// drops the signs that a later one settles and lets the strongest of the others decide. What a sign says, how
// strong it is and what it settles is in the tables of kinds.go, and nowhere else.
// To add a sign, see AGENTS.md.
// Other programs use package episodes: only that is a promise.
package outcome

import (
	"cmp"
	"slices"

	"episodes/episode"
)

// Sign is one thing that bears on an outcome.
type Sign struct {
	Kind  Kind
	Lines episode.Span
	// Says is the outcome that the sign speaks for. It may be empty where the kind always speaks for the same.
	Says episode.Outcome
	// Checks names what ran: the check that failed, or all those that passed. A check that runs again
	// settles its earlier failure by this name.
	Checks []string
}

// Outcome is the outcome that a sign speaks for; episode.Unknown where it speaks against knowing one.
func (s Sign) Outcome() episode.Outcome { return cmp.Or(s.Says, s.Kind.says) }

// Verdict is an outcome with the sign that decided it.
type Verdict struct {
	Outcome episode.Outcome
	From    episode.OutcomeSource // "" where there was no sign
	Lines   episode.Span          // of the deciding sign
	Rule    string                // of its kind
}

// Decide gives the verdict on signs in the order in which they happened. Of equally strong signs the last one
// decides; without signs the outcome is unknown.
func Decide(signs ...Sign) Verdict {
	var best, open *Sign
	left := standing(signs)
	for i := range left {
		switch s := &left[i]; {
		case s.Kind == LeftOpen:
			open = s
		case best == nil || s.Kind.strength >= best.Kind.strength:
			best = s
		}
	}
	if best == nil {
		return Verdict{Outcome: episode.Unknown}
	}
	if open != nil && best.Outcome() == episode.Success && best.Kind.From == episode.Stated {
		best = open
	}
	return Verdict{best.Outcome(), best.Kind.From, best.Lines, best.Kind.Rule}
}

// standing are the signs that no later one settles. A check that fails while others pass is one of some.
func standing(signs []Sign) (out []Sign) {
	for _, s := range signs {
		out = append(slices.DeleteFunc(out, s.settles), s)
	}
	if slices.ContainsFunc(out, func(s Sign) bool { return s.Kind.is&works != 0 }) {
		for i := range out {
			if out[i].fails() {
				out[i].Kind = SomeChecksFail
			}
		}
	}
	return out
}

// settles reports whether a sign supersedes an earlier one. The last sign of a kind supersedes the
// others of that kind, but a failed check is superseded only by a later sign about the same check.
func (s Sign) settles(earlier Sign) bool {
	switch {
	case s.Kind.settles&earlier.Kind.is != 0:
		return true
	case earlier.Kind == Interrupted:
		return s.Kind.is != 0 // work was done, or judged
	case earlier.fails():
		return slices.ContainsFunc(earlier.Checks, func(name string) bool { return slices.Contains(s.Checks, name) })
	}
	return s.Kind == earlier.Kind
}

func (s Sign) fails() bool { return s.Kind.is&(failing|pipeline) != 0 }

// Result says whether a run shows a check passing, failing, or neither.
type Result uint8

// The results of a run.
const (
	Neither Result = iota
	Passed
	Failed
)

// Check is what one run shows of checks.
type Check struct {
	Result Result
	Names  []string // as Sign.Checks
	Lines  episode.Span
}

// Sign is the sign that a run gives.
func (c Check) Sign() Sign {
	switch c.Result {
	case Passed:
		return Sign{Kind: CheckPasses, Lines: c.Lines, Checks: c.Names}
	case Failed:
		return Sign{Kind: CheckFails, Lines: c.Lines, Checks: c.Names}
	}
	return Sign{Kind: NothingShown, Lines: c.Lines}
}

package text

import (
	"fmt"
	"math"

	"episodes/causal"
	"episodes/infer"
	"episodes/internal/plain"
	"episodes/query"
)

// Pattern renders one pattern by its counts. tokens is the budget; 0 means PatternTokens.
func Pattern(p query.Pattern, tokens int) string {
	return fit(budget(tokens, PatternTokens), func(d detail) *sheet {
		s := &sheet{}
		s.add(patternLines(p, d)...)
		return s
	})
}

func patternLines(p query.Pattern, d detail) []string {
	word := "Worked"
	if p.Kind == query.AntiPattern {
		word = "Did not work"
	}
	trigger := p.TriggerText(func(s string) string { return quote(s, d.width) })
	worked := func(rate float64, n int) int { return int(math.Round(rate * float64(n))) }
	adjusted := "" // only where adjusting changes the difference
	if math.Abs(p.Adjusted-(p.SuccessRate-p.Baseline)) >= .05 {
		adjusted = fmt.Sprintf("; under like conditions %+.2f", zero(p.Adjusted))
	}
	return []string{
		fmt.Sprintf("%s %s: %s", word, trigger, quote(p.Action, d.width)),
		fmt.Sprintf("  worked %d of %d times (90 %%: %.2f to %.2f)%s; alternatives %d of %d%s; %s; %s",
			worked(p.SuccessRate, p.Occurrences), p.Occurrences, p.Low, p.High, onThings(p),
			worked(p.Baseline, p.BaselineN), p.BaselineN, adjusted, daysMarked(p.Spread), p.ID),
		"  evidence: " + ids(p.Episodes, d),
	}
}

// onThings says on how many things the sessions of a pattern worked, where several worked on
// one, and that it holds in one task only, or in tasks like these.
func onThings(p query.Pattern) string {
	out := ""
	if p.Instances > 0 && p.Instances < p.Occurrences {
		out = fmt.Sprintf(" in %s (%s)", plain.Plural(p.Instances, "task"), plain.Plural(p.Occurrences, "session"))
	}
	switch {
	case p.Task != "":
		out += ", in this task only"
	case p.TheseTasks:
		out += ", for tasks like these only"
	}
	return out
}

// mostLedger is how many choices, and errors, of a ledger are shown.
const mostLedger = 5

// Patterns renders a list of patterns, best first, or else what is missing for one and what occurs
// most; closest may be nil, bad is for anti-patterns. considered is the number of candidates; tokens
// is the budget of the whole, 0 means none.
func Patterns(list []query.Pattern, ledger []query.LedgerEntry, closest *query.Closest,
	considered int, bad bool, tokens int) string {
	s := &sheet{}
	if len(list) == 0 {
		s.addf("No pattern has enough evidence yet (%d checked).", considered)
		if c := closest; c != nil {
			s.addf("A pattern needs %d sessions with a choice and %d with another way, with known outcomes; the closest, %s, has %d and %d.",
				c.Needs, c.Needs, quote(c.Text, 160), c.With, c.Without)
		} else {
			s.add("No question was decided in two ways by different sessions, so there is nothing to compare.")
		}
		choices := "Choices made in several sessions"
		if bad {
			choices = "Choices made in several sessions that did not always work"
		}
		ledgerLines(s, choices, "choice", ledger)
		ledgerLines(s, "Errors seen in several sessions", "error", ledger)
	}
	for _, p := range list {
		s.units = append(s.units, Pattern(p, 0))
	}
	return s.cut(budget(tokens, noBudget))
}

// Outcomes counts how sessions ended.
func Outcomes(t causal.Tally) string {
	return fmt.Sprintf("outcomes: known for %d of %s: %d good, %d not", t.Known(), plain.Plural(t.Total(), "session"), t.Success,
		t.Known()-t.Success)
}

// TooFew says that so few sessions have a known outcome that no pattern can be told.
func TooFew(t causal.Tally) string {
	s := &sheet{}
	s.addf("Too few outcomes for any pattern: that takes %d sessions with a known outcome, some good and some not; here %d of %s have one, %d good.",
		infer.LeastSessions, t.Known(), plain.Plural(t.Total(), "session"), t.Success)
	return s.String()
}

func ledgerLines(s *sheet, head, kind string, ledger []query.LedgerEntry) {
	n := 0
	for _, e := range ledger {
		if e.Kind != kind || n == mostLedger {
			continue
		}
		if n++; n == 1 {
			s.addf("%s (counts, no claim):", head)
		}
		last := ""
		if e.Date != "" {
			last = ", last " + e.Date
		}
		sessions := plain.Plural(e.Sessions, "session")
		if kind == "choice" {
			sessions = sessionsEnded(e.Sessions, e.Outcomes)
		}
		s.addf("- %s: %s%s; %s", quote(e.Text, 160), sessions, last, name(e.Last))
	}
}

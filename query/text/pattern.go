package text

import (
	"fmt"
	"math"
	"strings"

	"episodes/internal/plain"
	"episodes/query"
)

// Pattern renders one pattern by its counts; inFull with rates, intervals and tests.
// tokens is the budget; 0 means PatternTokens.
func Pattern(p query.Pattern, inFull bool, tokens int) string {
	return fit(budget(tokens, PatternTokens), func(d detail) *sheet {
		s := &sheet{}
		s.add(patternLines(p, d, inFull)...)
		return s
	})
}

// patternLines shows a pattern by its counts; inFull with rates, intervals and tests.
func patternLines(p query.Pattern, d detail, inFull bool) []string {
	word, other := "Worked", "alternatives"
	if p.Kind == query.AntiPattern {
		word = "Did not work"
	}
	if p.Basis == query.OtherDecisions {
		other = "other decisions"
	}
	trigger := p.TriggerText(func(s string) string { return quote(s, d.width) })
	worked := func(rate float64, n int) int { return int(math.Round(rate * float64(n))) }
	lines := []string{
		fmt.Sprintf("%s %s: %s", word, trigger, quote(p.Action, d.width)),
		fmt.Sprintf("  worked %d of %d times%s%s; %s %d of %d%s; %s; %s", worked(p.SuccessRate, p.Occurrences),
			p.Occurrences, onThings(p), unknown(p.Unknown),
			other, worked(p.Baseline, p.BaselineN), p.BaselineN, unknown(p.BaselineUnknown), daysMarked(p.Spread), p.ID),
	}
	if inFull {
		adjusted := ""
		// Only shown where adjusting changes the difference.
		if a := p.Adjusted; a != nil && math.Abs(a.Difference-(p.SuccessRate-p.Baseline)) >= .005 {
			adjusted = fmt.Sprintf("; adjusted %+.2f (%+.2f to %+.2f)", zero(a.Difference), zero(a.Low), zero(a.High))
		}
		lines = append(lines,
			fmt.Sprintf("  rate %.2f (90 %%: %.2f to %.2f), against %.2f; p %s, q %s%s", p.SuccessRate, p.Low,
				p.High, p.Baseline, chance(p.PValue), chance(p.QValue), adjusted))
	}
	evidence := d
	if len(p.Lessons) > 0 && d.items < 100 { // in short texts the lesson names one of the episodes
		evidence.items = 0
	}
	lines = append(lines, "  evidence: "+ids(p.Episodes, evidence))
	for _, l := range p.Lessons[:min(len(p.Lessons), d.items, 1)] {
		lines = append(lines, fmt.Sprintf("  lesson %s (%s)", quote(l.Text, d.width), lessonLocation(l)))
	}
	return lines
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

// lessonLocation is where a lesson is.
func lessonLocation(l query.Lesson) string {
	at := name(l.Episode + "#" + l.Record)
	if l.Sessions > 1 {
		at += fmt.Sprintf(" and %d more", l.Sessions-1)
	}
	return at
}

// unknown renders how many unknown outcomes a count leaves out.
func unknown(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d unknown left out)", n)
}

// chance renders a probability that may be very small.
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strings.TrimRight(fmt.Sprintf("%.4f", p), "0")
}

// mostLedger is how many choices, and errors, of a ledger are shown.
const mostLedger = 5

// Patterns renders a list of patterns, best first, or else what is missing for one and what occurs
// most; closest may be nil, bad is for anti-patterns. considered is the number of candidates; tokens
// is the budget of the whole, 0 means none.
func Patterns(list []query.Pattern, ledger []query.LedgerEntry, closest *query.Closest,
	considered int, bad, inFull bool, tokens int) string {
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
		s.units = append(s.units, Pattern(p, inFull, 0))
	}
	return s.cut(budget(tokens, noBudget))
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

package text

import (
	"fmt"
	"math"
	"strings"

	"episodes/query"
)

// Pattern renders one pattern. tokens is the budget; 0 means PatternTokens.
func Pattern(p query.Pattern, tokens int) string {
	return fit(budget(tokens, PatternTokens), func(d detail) *sheet {
		s := &sheet{}
		s.add(patternLines(p, d)...)
		return s
	})
}

func patternLines(p query.Pattern, d detail) []string {
	word, other := "Worked", "other options there"
	if p.Kind == query.AntiPattern {
		word = "Did not work"
	}
	if p.Basis == query.OtherDecisions {
		other = "other decisions"
	}
	trigger := p.TriggerText(func(s string) string { return quote(s, d.width) })
	adjusted := ""
	// Only shown where adjusting changes the difference.
	if a := p.Adjusted; a != nil && math.Abs(a.Difference-(p.SuccessRate-p.Baseline)) >= .005 {
		adjusted = fmt.Sprintf("; adjusted %+.2f (%+.2f to %+.2f)", zero(a.Difference), zero(a.Low), zero(a.High))
	}
	lines := []string{
		fmt.Sprintf("%s %s: %s", word, trigger, quote(p.Action, d.width)),
		fmt.Sprintf("  success %.2f (90 %%: %.2f to %.2f) in %s, %s%s; %s %.2f in %d%s", p.SuccessRate, p.Low, p.High, plural(p.Occurrences, "episode"), days(p.Spread), unknown(p.Unknown), other, p.Baseline, p.BaselineN, unknown(p.BaselineUnknown)),
		fmt.Sprintf("  p %s, q %s%s; %s", chance(p.PValue), chance(p.QValue), adjusted, p.ID),
	}
	if on := hangsOn(p.HangsOn); on != "" {
		lines = append(lines, "  one day only: "+on)
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

// Patterns renders a list of patterns, best first, each within its own budget.
// considered is the number of candidates; tokens is the budget of the whole, 0 means none.
func Patterns(list []query.Pattern, considered, tokens int) string {
	s := &sheet{}
	if len(list) == 0 {
		s.addf("No regularity is supported well enough to be told (%s considered).", plural(considered, "candidate"))
	}
	for _, p := range list {
		s.units = append(s.units, Pattern(p, 0))
	}
	return s.cut(budget(tokens, noBudget))
}

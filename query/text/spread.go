package text

import (
	"fmt"

	"episodes/internal/plain"
	"episodes/query"
)

// days renders over how many days evidence is spread.
func days(s query.Spread) string {
	switch {
	case s.Days == 1 && s.Sessions == 1:
		return "one day"
	case s.Days == 1:
		return "one day only"
	}
	return fmt.Sprintf("%d days", s.Days)
}

// daysMarked also says that an answer hangs on one of several days.
func daysMarked(s query.Spread) string {
	if s.OneDay && s.Days > 1 {
		return days(s) + ", hangs on one day only"
	}
	return days(s)
}

// pathDays is days for a path. That a step is stated once its line says.
func pathDays(p query.Path) string {
	s := p.Spread
	s.OneDay = false
	for _, h := range p.Hops {
		s.OneDay = s.OneDay || h.OneDay && h.Sessions > 1
	}
	return daysMarked(s)
}

// spread renders sessions and days: "4 sessions, 3 days".
func spread(s query.Spread) string { return plain.Plural(s.Sessions, "session") + ", " + days(s) }

// hangsOn renders what an answer is without the sessions of one day; "" when it stays.
func hangsOn(h *query.HangsOn) string {
	if h == nil {
		return ""
	}
	of := "that name no day"
	if h.Date != "" {
		of = "of " + h.Date
	}
	out := fmt.Sprintf("without the %s %s ", plain.Plural(h.Sessions, "session"), of)
	switch h.Verdict {
	case query.Better, query.Worse:
		return out + "it is " + string(h.Verdict)
	case query.NoDifference:
		return out + "there is no difference"
	}
	return out + "there is not enough evidence"
}

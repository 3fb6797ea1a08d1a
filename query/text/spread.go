package text

import (
	"fmt"

	"episodes/query"
)

// days renders over how many days evidence is spread, and whether an answer hangs on one.
func days(s query.Spread) string {
	switch {
	case s.Days == 1 && s.Sessions == 1:
		return "one day"
	case s.Days == 1:
		return "one day only"
	case s.OneDay:
		return fmt.Sprintf("%d days, but hangs on one day only", s.Days)
	}
	return fmt.Sprintf("%d days", s.Days)
}

// spread renders sessions and days: "4 sessions, 3 days".
func spread(s query.Spread) string { return plural(s.Sessions, "session") + ", " + days(s) }

// hangsOn renders what an answer is without the sessions of one day; "" when it stays.
func hangsOn(h *query.HangsOn) string {
	if h == nil {
		return ""
	}
	of := "that name no day"
	if h.Date != "" {
		of = "of " + h.Date
	}
	out := fmt.Sprintf("without the %s %s ", plural(h.Sessions, "session"), of)
	switch h.Verdict {
	case query.Better, query.Worse:
		return out + "it is " + string(h.Verdict)
	case query.NoDifference:
		return out + "there is no difference"
	case query.NotEnoughEvidence:
		return out + "there is not enough evidence"
	}
	return out + "it would not be told"
}

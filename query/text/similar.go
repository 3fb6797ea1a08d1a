package text

import (
	"cmp"
	"fmt"

	"episodes/internal/plain"
	"episodes/query"
)

// Similar renders decisions taken in a like context; more of them fit. tokens is the budget;
// 0 means none.
func Similar(list []query.SimilarDecision, more, tokens int) string {
	s := &sheet{}
	d := detail{maxItem, 10}
	for _, x := range list {
		date := cmp.Or(x.Date, "no date")
		lines := []string{fmt.Sprintf("%s: %s%s; %s", date, quote(x.Text, d.width), superseded(x.Superseded, d),
			sessionsEnded(x.Outcomes.Total(), x.Outcomes))}
		if x.Question != "" {
			lines = append(lines, "  question: "+quote(x.Question, d.width))
		}
		for i, r := range x.Rejected[:min(len(x.Rejected), d.items)] {
			if i == 0 {
				lines = append(lines, "  not: "+quote(r, d.width))
			} else {
				lines[len(lines)-1] += ", " + quote(r, d.width)
			}
		}
		if x.Rationale != "" {
			lines = append(lines, "  because "+full(x.Rationale, mostFull))
		}
		at := "  " + location(x.Evidence)
		if x.Project != "" {
			at += " in project " + plain.Words(x.Project)
		}
		if x.Private {
			at += ", private"
		}
		s.add(append(lines, at)...)
	}
	if more > 0 {
		s.addf("and %d less like it", more)
	}
	return s.cut(budget(tokens, noBudget))
}

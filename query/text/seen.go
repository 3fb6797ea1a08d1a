package text

import (
	"fmt"

	"episodes/internal/plain"
	"episodes/query"
)

// Over says on how many sessions and days something rests: "2 sessions, 1 day". days is 0
// where the records do not say.
func Over(sessions, days int) string {
	if days == 0 {
		return plain.Plural(sessions, "session")
	}
	return plain.Plural(sessions, "session") + ", " + plain.Plural(days, "day")
}

// mostDated is the largest number of episodes that Days reads.
const mostDated = 200

// Days is on how many days the sessions of episodes began; 0 where one does not say, or
// there are too many to look.
func Days(eps query.Episodes, ids []string) int {
	if eps == nil || len(ids) > mostDated {
		return 0
	}
	days := map[string]bool{}
	for _, id := range ids {
		ep, err := eps.Load(id)
		if err != nil {
			return 0
		}
		began, ok := ep.Time()
		if !ok {
			return 0
		}
		days[fmt.Sprint(began.UTC().Date())] = true
	}
	return len(days)
}

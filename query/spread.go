package query

import (
	"time"

	"episodes/episode"
	"episodes/infer"
)

// Spread is the number of sessions and days that the evidence of an answer comes from. Many
// sessions of one day often have a common cause: one bug, one broken machine, or one author
// who wrote them all.
//
// Days are taken from logs and their names. They guard against accidents, but not against a
// malicious repository, which can date its logs freely.
type Spread struct {
	Sessions int `json:"sessions"`
	Days     int `json:"days"` // distinct; all sessions without a date are one day
	// OneDay marks an answer that hangs on the logs of one day: most of its evidence is of that
	// day, or without them it would be another one.
	OneDay bool `json:"one_day_only"`
}

// spreadOf counts the days of episodes. Of evidence that only adds up, most makes an
// answer: it hangs on one day that has more than half of it.
func spreadOf(days map[string]int) Spread {
	n, most := map[int]int{}, 0
	for _, d := range days {
		n[d]++
		most = max(most, n[d])
	}
	return Spread{Sessions: len(days), Days: len(n), OneDay: 2*most > len(days)}
}

// HangsOn is the day that decides an answer: without its sessions it is another one.
type HangsOn struct {
	Date     string  `json:"date"`     // "" for the sessions without a date
	Sessions int     `json:"sessions"` // of that day, behind the answer
	Verdict  Verdict `json:"verdict"`  // without them
}

// DateOf is a day (see causal.DayOf) as a date, "" for none.
func DateOf(day int) string {
	if day == 0 {
		return ""
	}
	return time.Unix(int64(day)*24*60*60, 0).UTC().Format(time.DateOnly)
}

// compareByDay are the known outcomes of two options by day.
func compareByDay(a, b *option) infer.ByDay {
	days := infer.ByDay{}
	for _, o := range []*option{a, b} {
		for id, out := range o.results {
			if out.Known() {
				days.Add(o.days[id], o == a, out == episode.Success)
			}
		}
	}
	return days
}

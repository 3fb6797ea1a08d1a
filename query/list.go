package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/episode"
)

// pageSize is the default number of episodes in a list.
const pageSize = 100

// Filter selects the episodes to list. Zero values do not restrict.
type Filter struct {
	Outcome episode.Outcome
	Since   time.Time // inclusive; an episode without a time is left out
	Until   time.Time // exclusive; likewise
	Task    string    // part of the task, upper and lower case alike
	Limit   int       // 0: 100
	After   string    // id of an episode: only what comes after it in the list
}

// EpisodeList is the result of List.
type EpisodeList struct {
	Episodes []EpisodeSummary `json:"episodes"`       // newest first
	Total    int              `json:"total"`          // that pass the filter, listed or not
	Older    int              `json:"older"`          // of these, how many come after the last that is listed
	Next     string           `json:"next,omitempty"` // Filter.After for them
	// Newest is when the newest episode of all began, where none passes the filter; "" where
	// no log gives a time.
	Newest string `json:"newest,omitempty"`
}

// EpisodeSummary is one episode in a list.
type EpisodeSummary struct {
	_             struct{}              `cbor:",toarray"` // decoded in half the time
	ID            string                `json:"id"`
	Session       string                `json:"session"`
	Timestamp     string                `json:"timestamp,omitempty"`
	Outcome       episode.Outcome       `json:"outcome"`
	OutcomeSource episode.OutcomeSource `json:"outcome_source,omitempty"`
	State         episode.State         `json:"state,omitempty"`
	SupersededBy  string                `json:"superseded_by,omitempty"`
	Task          string                `json:"task"`
	Decisions     int                   `json:"decisions"`
	Events        int                   `json:"events"`
	Links         int                   `json:"links"`
	Lessons       int                   `json:"lessons"`
	Private       bool                  `json:"private,omitempty"` // this user's alone; whoever asks fills it in
	By            string                `json:"by,omitempty"`      // who brought it, where there are several; likewise
}

// time is that of Timestamp; zero when the log does not say, and so last in a list.
func (e *EpisodeSummary) time() time.Time {
	t, _ := time.Parse(time.RFC3339, e.Timestamp)
	return t
}

// List returns the episodes that pass the filter, newest first; those without a time come
// last, by id. An unknown After is ignored. The error names an invalid outcome or limit.
func List(eps []EpisodeSummary, f Filter) (*EpisodeList, error) {
	if f.Outcome != "" && !slices.Contains(episode.Outcomes(), f.Outcome) {
		return nil, fmt.Errorf("%q is no outcome: success, partial, failure or unknown", f.Outcome)
	}
	if f.Limit < 0 {
		return nil, fmt.Errorf("limit %d is negative", f.Limit)
	}
	type dated struct {
		EpisodeSummary
		time time.Time
	}
	order := func(a, b dated) int { return cmp.Or(b.time.Compare(a.time), strings.Compare(a.ID, b.ID)) }
	var kept []dated
	var after *dated
	for i := range eps {
		e := dated{eps[i], eps[i].time()}
		if e.ID == f.After {
			after = &e
		}
		if f.keeps(&e.EpisodeSummary, e.time) {
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, order)
	list := &EpisodeList{Episodes: []EpisodeSummary{}, Total: len(kept)}
	if after != nil {
		kept = slices.DeleteFunc(kept, func(e dated) bool { return order(e, *after) <= 0 })
	}
	page := kept[:min(len(kept), cmp.Or(f.Limit, pageSize))]
	for _, e := range page {
		list.Episodes = append(list.Episodes, e.EpisodeSummary)
	}
	if list.Older = len(kept) - len(page); list.Older > 0 {
		list.Next = page[len(page)-1].ID
	}
	if len(page) == 0 {
		newest := time.Time{}
		for i := range eps {
			if at := eps[i].time(); at.After(newest) {
				newest, list.Newest = at, eps[i].Timestamp
			}
		}
	}
	return list, nil
}

// Keeps reports whether an episode passes the filter.
func (f Filter) Keeps(e *EpisodeSummary) bool { return f.keeps(e, e.time()) }

func (f Filter) keeps(e *EpisodeSummary, at time.Time) bool {
	if f.Outcome != "" && cmp.Or(e.Outcome, episode.Unknown) != f.Outcome {
		return false
	}
	if f.Task != "" && !strings.Contains(strings.ToLower(e.Task), strings.ToLower(strings.TrimSpace(f.Task))) {
		return false
	}
	if f.Since.IsZero() && f.Until.IsZero() {
		return true
	}
	return !at.IsZero() && !at.Before(f.Since) && (f.Until.IsZero() || at.Before(f.Until))
}

// Summarise returns the summary of an episode for a list.
func Summarise(e *episode.Episode) EpisodeSummary {
	return EpisodeSummary{
		ID: e.ID, Session: e.Session, Timestamp: e.Timestamp, Outcome: e.Outcome, OutcomeSource: e.OutcomeSource,
		State: e.State, SupersededBy: e.SupersededBy, Task: e.Task,
		Decisions: len(e.Decisions), Events: len(e.Events), Links: len(e.Links), Lessons: len(e.Lessons),
	}
}

// DecisionList is the result of Decisions.
type DecisionList struct {
	Episode   string             `json:"episode"`
	Outcome   episode.Outcome    `json:"outcome"`
	Decisions []episode.Decision `json:"decisions"` // in order
}

// Decisions returns the decisions of an episode in order of time. Where one of
// them has no time, all stay in the order of the log, which is the same.
func Decisions(e *episode.Episode) *DecisionList {
	out := &DecisionList{Episode: e.ID, Outcome: e.Outcome, Decisions: append([]episode.Decision{}, e.Decisions...)}
	for i := range out.Decisions {
		if d := &out.Decisions[i]; d.Options == nil { // a list is never null
			d.Options = []string{}
		}
	}
	times := map[string]time.Time{}
	for _, d := range out.Decisions {
		t, err := time.Parse(time.RFC3339, d.Timestamp)
		if err != nil {
			return out
		}
		times[d.ID] = t
	}
	slices.SortStableFunc(out.Decisions, func(a, b episode.Decision) int { return times[a.ID].Compare(times[b.ID]) })
	return out
}

// ParseMoment reads a point in time: an age before now such as 36h, 7d, 2w, "7 days" or
// 7days, the words today and yesterday (their midnights), a date (midnight UTC), or a time
// of RFC 3339.
func ParseMoment(s string, now time.Time) (time.Time, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC) // logs give dates without a zone
	switch s {
	case "now":
		return now, nil
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return t, nil
		}
	}
	number := strings.TrimRight(strings.TrimSuffix(s, " ago"), "abcdefghijklmnopqrstuvwxyz ")
	unit := ages[strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(s, " ago"), number))]
	if n, err := strconv.ParseUint(number, 10, 16); err == nil && unit > 0 && n <= uint64(1<<62/int64(unit)) {
		return now.Add(-time.Duration(n) * unit), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time: give an age (36h, 7d, \"2 weeks\"), today, yesterday, a date (2026-01-31) or an RFC 3339 time",
		s)
}

// ages are the units of an age.
var ages = map[string]time.Duration{
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": day, "day": day, "days": day,
	"w": 7 * day, "week": 7 * day, "weeks": 7 * day,
	"month": 30 * day, "months": 30 * day,
}

const day = 24 * time.Hour

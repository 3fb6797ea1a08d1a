package query

import (
	"slices"

	"episodes/causal"
	"episodes/keys"
)

// LaterDecision is a decision of a later session that bears on whether an earlier one holds.
type LaterDecision struct {
	Episode string `json:"episode"`
	Record  string `json:"record"`
	Chosen  string `json:"chosen"`
	Date    string `json:"date"`
	// Reverses is true if it explicitly undoes or supersedes the earlier one. Otherwise it
	// answers the same question in another way.
	Reverses bool `json:"reverses"`
}

// laterThan returns the newest decision, in a session of a later day, that reverses an option
// after its last use, or else one that took another option at the same question. It returns
// nil if neither exists.
func laterThan(all []causal.Use, point, option, wording string, last int) *LaterDecision {
	if last == 0 {
		return nil
	}
	words := keys.Words(wording)
	var found *causal.Use
	reverses := false
	for i := range all {
		u := &all[i]
		if u.Day <= last {
			continue
		}
		undoes := len(words) > 1 && (u.Superseded != "" || opposite(wording, u.Chosen)) && hasAll(keys.Words(u.Chosen), words)
		otherwise := point != "" && u.Point == point && u.ChosenKey != option
		if !undoes && (!otherwise || reverses) || found != nil && undoes == reverses && u.Day <= found.Day {
			continue
		}
		found, reverses = u, undoes
	}
	if found == nil {
		return nil
	}
	return &LaterDecision{Episode: found.Episode, Record: found.Record, Chosen: found.Chosen,
		Date: DateOf(found.Day), Reverses: reverses}
}

func hasAll(have, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// laterThanNode is laterThan for a decision by its mentions; newest is one of the newest.
func laterThanNode(r Reader, newest place) (*LaterDecision, error) {
	last := causal.DayOf(newest.ep.Timestamp)
	for _, u := range causal.Contribute(newest.ep).Uses {
		if u.Record != newest.record || last == 0 {
			continue
		}
		all, err := decisions(r)
		if err != nil {
			return nil, err
		}
		return laterThan(all, u.Point, u.ChosenKey, u.Chosen, last), nil
	}
	return nil, nil
}

// laterThanOption is laterThan for an option of a choice.
func laterThanOption(all []causal.Use, c *choice, o *option) *LaterDecision {
	if o == nil {
		return nil
	}
	last := 0
	for _, d := range o.days {
		last = max(last, d)
	}
	return laterThan(all, c.point, o.key, Commonest(o.wordings), last)
}

// reversedBy is the decision of a later session that reverses that of a node; "" when none
// does.
func reversedBy(all []causal.Use, node string) string {
	var newest *causal.Use
	for i := range all {
		if u := &all[i]; u.Node == node && (newest == nil || u.Day > newest.Day) {
			newest = u
		}
	}
	if newest == nil {
		return ""
	}
	if l := laterThan(all, newest.Point, newest.ChosenKey, newest.Chosen, newest.Day); l != nil && l.Reverses {
		return l.Chosen
	}
	return ""
}

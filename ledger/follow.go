package ledger

import (
	"slices"
	"time"

	"episodes/extract/actions"
)

// Within is the number of calls after a delivery in which the advice can be followed. Later
// actions are not attributed to it.
const Within = 25

// clockGap is the largest difference between the clocks of a hook and of a transcript.
const clockGap = 2 * time.Second

// Compare returns what followed the deliveries of a session, given its calls in order.
// Deliveries that match no call are left out.
func Compare(deliveries []Delivery, acts []actions.Act) (out []After) {
	for i := range deliveries {
		if at, ok := moment(&deliveries[i], acts); ok {
			out = append(out, after(&deliveries[i], acts, at))
		}
	}
	return out
}

// moment returns the call at which a delivery was made: the nearest in time of those that it
// may be about, or else the last one before it.
func moment(t *Delivery, acts []actions.Act) (at int, ok bool) {
	at = -1
	nearest := time.Duration(0)
	for i := range acts {
		a := &acts[i]
		if !about(t, a) {
			continue
		}
		gap := t.Time.Sub(when(a, t.Kind)).Abs()
		if at < 0 || gap < nearest {
			at, nearest = i, gap
		}
	}
	if at >= 0 {
		return at, true
	}
	for i := range acts {
		if done := when(&acts[i], KindError); !done.IsZero() && acts[i].Sub == "" {
			if ok = true; !done.After(t.Time.Add(clockGap)) {
				at = i
			}
		}
	}
	return at, ok
}

// about reports whether a delivery is about a call.
func about(t *Delivery, a *actions.Act) bool {
	switch {
	case t.Key == "":
		return false
	case t.Kind == KindError:
		return failedSo(t.Key, a)
	}
	return ActionKey(a.Does) == t.Key
}

func failedSo(key string, a *actions.Act) bool {
	return key != "" && a.Failed && FailureKey(a.Key) == key
}

// when returns the time at which the hook of a call runs, or zero if it is not known.
func when(a *actions.Act, kind string) time.Time {
	text := a.Time
	if kind == KindError && a.Ended != "" {
		text = a.Ended
	}
	at, _ := time.Parse(time.RFC3339, text)
	return at
}

// after examines the calls after index at, the call of the delivery; -1 for all calls.
func after(t *Delivery, acts []actions.Act, at int) After {
	sub := ""
	if at >= 0 {
		sub = acts[at].Sub
	}
	out := After{Delivery: t.ID, Followed: make([]Followed, len(t.Facts))}
	calls := 0
	for i := at + 1; i < len(acts); i++ {
		a := &acts[i]
		if a.Sub != sub {
			continue
		}
		if calls++; calls == 1 { // advice is ignored only by an agent that goes on
			for i, f := range t.Facts {
				if len(f.Names) > 0 {
					out.Followed[i] = Ignored
				}
			}
		}
		if !out.Back && calls <= Within {
			did(t.Facts, doneBy(a), out.Followed)
		}
		if t.Kind == KindError && failedSo(t.Key, a) {
			out.Back = true
		}
	}
	return out
}

// did marks the facts of which a call does something.
func did(facts []Fact, done []string, followed []Followed) {
	for i, f := range facts {
		if slices.ContainsFunc(f.Names, func(n string) bool { return slices.Contains(done, n) }) {
			followed[i] = Did
		}
	}
}

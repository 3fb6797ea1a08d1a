package ledger

import (
	"slices"
	"time"

	"episodes/extract/actions"
)

// clockGap is the largest difference between the clocks of a hook and of a transcript.
const clockGap = 2 * time.Second

// Compare returns what followed the deliveries of a session, given its calls in order. Deliveries that match no
// call, and those behind which nothing was done, are left out.
func (l *Ledger) Compare(session string, acts []actions.Act) (out []After) {
	for _, t := range l.Deliveries() {
		if t.Session != session {
			continue
		}
		at, sub, ok := moment(&t, acts)
		behind := slices.DeleteFunc(slices.Clone(acts[at:]), func(a actions.Act) bool { return a.Sub != sub })
		if !ok || len(behind) == 0 {
			continue
		}
		a := After{Delivery: t.ID, Followed: make([]Followed, len(t.Facts))}
		done := map[string]bool{}
		for i := range behind {
			for _, name := range doneBy(&behind[i]) {
				done[name] = true
			}
			a.Back = a.Back || failedSo(&t, &behind[i])
		}
		for i, f := range t.Facts {
			if len(f.Names) > 0 {
				a.Followed[i] = Ignored
			}
			if slices.ContainsFunc(f.Names, func(n string) bool { return done[n] }) {
				a.Followed[i] = Did
			}
		}
		out = append(out, a)
	}
	return out
}

// moment returns where the calls behind a delivery begin, and whose they are. The delivery was made at the failure that is
// nearest in time of those that it may be about, or else behind the last call before it, if the calls have times.
func moment(t *Delivery, acts []actions.Act) (at int, sub string, ok bool) {
	var nearest time.Duration
	for i := range acts {
		if gap := t.Time.Sub(ended(&acts[i])).Abs(); failedSo(t, &acts[i]) && (!ok || gap < nearest) {
			at, sub, ok, nearest = i+1, acts[i].Sub, true, gap
		}
	}
	if ok {
		return at, sub, true
	}
	for i := range acts {
		own := acts[i].Sub == "" && t.Sub == "" || t.Sub != "" && SessionKey(acts[i].Sub) == t.Sub
		if done := ended(&acts[i]); own && !done.IsZero() {
			if sub, ok = acts[i].Sub, true; !done.After(t.Time.Add(clockGap)) {
				at = i + 1
			}
		}
	}
	return at, sub, ok
}

// failedSo reports whether a call is the failure that a delivery is about.
func failedSo(t *Delivery, a *actions.Act) bool {
	return t.Kind == KindError && t.Key != "" && a.Failed && FailureKey(a.Key) == t.Key
}

// ended returns the time at which a call ended, or zero if no time of it is known.
func ended(a *actions.Act) time.Time {
	for _, text := range []string{a.Ended, a.Time} {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
)

// ErrorNode reports whether a node represents an error.
func ErrorNode(n causal.Node) bool {
	return n.Type == causal.EventNode && strings.HasPrefix(n.Key, string(episode.Error)+":")
}

// Recurrence is an error with the sessions that met it, the newest first.
type Recurrence struct {
	causal.Node
	Met  []MetIn
	Ways []Way // what was done about it, what ended it first
	// Minutes is the time from the first sign of the error to the last, or to what was done about
	// it, in the Timed sessions whose logs give it.
	Minutes float64
	Timed   int
}

// MetIn is a session that met an error.
type MetIn struct {
	Episode string          `json:"episode"`
	Record  string          `json:"record"` // the first
	Date    string          `json:"date,omitempty"`
	Outcome episode.Outcome `json:"outcome"`
	Times   int             `json:"times"`
}

// WayResult says how a way out of an error ended.
type WayResult string

// Ended: a log shows or states that it ended the error. Helped: sessions that did so went well.
// Unclear: no outcome is known. Vain: the error stayed, or those sessions failed.
const (
	WayEnded   WayResult = "ended"
	WayHelped  WayResult = "helped"
	WayUnclear WayResult = "unclear"
	WayVain    WayResult = "failed"
)

// Way is something that was done about an error.
type Way struct {
	Text     string    `json:"text"`
	Episode  string    `json:"episode"`
	Record   string    `json:"record"`
	Sessions int       `json:"sessions"` // that did so
	Result   WayResult `json:"result"`
}

// Ways are the fixes of an account, best first.
func (a *Account) Ways() (out []Way) {
	if a == nil {
		return nil
	}
	for _, s := range a.Fixes {
		w := Way{Text: s.Text, Episode: s.Episode, Record: s.Record, Sessions: s.Outcomes.Total(), Result: WayUnclear}
		switch {
		case s.Failed() || s.Superseded != "":
			w.Result = WayVain
		case s.ended:
			w.Result = WayEnded
		case s.Fixed() && s.Outcomes.Known() > 0:
			w.Result = WayHelped
		case s.Outcomes.Known() > 0:
			w.Result = WayVain
		}
		out = append(out, w)
	}
	order := []WayResult{WayEnded, WayHelped, WayUnclear, WayVain}
	slices.SortStableFunc(out, func(x, y Way) int {
		return cmp.Compare(slices.Index(order, x.Result), slices.Index(order, y.Result))
	})
	return out
}

// Recurrences returns the errors that at least two sessions met, those of most sessions first, with
// what was done about each of the first most; and how many there are.
func Recurrences(r Reader, eps Episodes, most int) (out []Recurrence, total int, err error) {
	err = r.Nodes(func(n causal.Node) error {
		if n.Frequency > 1 && ErrorNode(n) {
			out = append(out, Recurrence{Node: n})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(out, func(a, b Recurrence) int { return cmp.Or(b.Frequency-a.Frequency, strings.Compare(a.ID, b.ID)) })
	total = len(out)
	out = out[:min(total, most)]
	for i := range out {
		if err := out[i].read(r, eps); err != nil {
			return nil, 0, err
		}
	}
	return out, total, nil
}

// mostRead is how many records of an error are read, the newest ones, to find what was done about it.
const mostRead = 30

// read fills in the sessions, and what was done.
func (x *Recurrence) read(r Reader, eps Episodes) error {
	ms, err := r.Mentions(x.ID)
	if err != nil {
		return err
	}
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*episode.Episode{}}}
	newest := slices.Clone(ms)
	slices.SortStableFunc(newest, func(a, b causal.Mention) int { return b.Day - a.Day })
	a, err := e.account(newest[:min(len(newest), mostRead)])
	if err != nil {
		return err
	}
	x.Ways = a.Ways()
	at, days := map[string]int{}, map[string]int{}
	for _, m := range ms {
		i, ok := at[m.Episode]
		if !ok {
			i = len(x.Met)
			at[m.Episode], days[m.Episode] = i, m.Day
			x.Met = append(x.Met, MetIn{Episode: m.Episode, Record: m.Record, Date: DateOf(m.Day), Outcome: m.Outcome})
		}
		x.Met[i].Times++
	}
	slices.SortStableFunc(x.Met, func(a, b MetIn) int { return days[b.Episode] - days[a.Episode] })
	for _, met := range x.Met { // in this order, for the same sum each time
		if ep := e.sources.seen[met.Episode]; ep != nil {
			if took, ok := minutes(ep, ms, x.Ways); ok {
				x.Minutes, x.Timed = x.Minutes+took, x.Timed+1
			}
		}
	}
	return nil
}

// minutes is the time in a session from the first of some mentions to the last of them, or of the
// ways out; false where the log does not give it.
func minutes(ep *episode.Episode, ms []causal.Mention, ways []Way) (float64, bool) {
	var first, last time.Time
	add := func(timestamp string) {
		t, err := time.Parse(time.RFC3339, timestamp)
		if err != nil {
			return
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	for _, m := range ms {
		if v := ep.Event(m.Record); m.Episode == ep.ID && v != nil {
			add(v.Timestamp)
		}
	}
	began := first
	for _, w := range ways {
		if w.Episode != ep.ID || began.IsZero() {
			continue
		}
		if v := ep.Event(w.Record); v != nil {
			add(v.Timestamp)
		} else if d := ep.Decision(w.Record); d != nil {
			add(d.Timestamp)
		}
	}
	return last.Sub(began).Minutes(), last.After(began) && !began.IsZero()
}

// WaysOut are what the log of one session links to an error of it as done about it.
func WaysOut(ep *episode.Episode, record string) []Way {
	a := &Account{}
	a.addFixes(place{ep, record})
	return a.Ways()
}

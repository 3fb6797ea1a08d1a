package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
)

// Recurrence is an error that several sessions met.
type Recurrence struct {
	Node     string `json:"node"`
	Key      string `json:"-" cbor:"key"` // of the node
	Text     string `json:"text"`
	Sessions int    `json:"sessions"`
	Times    int    `json:"times"` // in all sessions
	First    string `json:"first,omitempty"`
	Last     string `json:"last,omitempty"` // dates
	// Minutes is the time from the first sign of the error to the last, or to what was done about it,
	// in the Timed sessions whose logs give times.
	Minutes float64 `json:"minutes"`
	Timed   int     `json:"timed_sessions"`
	Met     []MetIn `json:"met"`  // the newest first, at most mostMet
	Ways    []Way   `json:"ways"` // what ended it first, at most mostWays
}

// The bounds of an error: the sessions and the ways that are listed, and how many records of it, the
// newest ones, are read to find what was done about it.
const (
	mostMet  = 20
	mostWays = 6
	mostRead = 30
)

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

// waysOf turns fixes into ways, best first.
func waysOf(fixes []Said) (out []Way) {
	for _, s := range fixes {
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
		if n.Frequency > 1 && n.Type == causal.EventNode && strings.HasPrefix(n.Key, string(episode.Error)+":") {
			out = append(out, Recurrence{Node: n.ID, Key: n.Key, Text: n.Label, Sessions: n.Frequency})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(out, func(a, b Recurrence) int { return cmp.Or(b.Sessions-a.Sessions, strings.Compare(a.Node, b.Node)) })
	total = len(out)
	out = out[:min(total, most)]
	for i := range out {
		if err := out[i].read(r, eps); err != nil {
			return nil, 0, err
		}
	}
	return out, total, nil
}

// read fills in the sessions, and what was done.
func (x *Recurrence) read(r Reader, eps Episodes) error {
	ms, err := r.Mentions(x.Node)
	if err != nil {
		return err
	}
	ms = slices.Clone(ms)
	slices.SortStableFunc(ms, func(a, b causal.Mention) int { return b.Day - a.Day })
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*episode.Episode{}}}
	a, err := e.account(ms[:min(len(ms), mostRead)])
	if err != nil {
		return err
	}
	ways := []Way{}
	if a != nil {
		ways = append(ways, waysOf(a.Fixes)...)
	}
	at := map[string]int{}
	for _, m := range ms {
		i, ok := at[m.Episode]
		if !ok {
			i = len(x.Met)
			at[m.Episode] = i
			x.Met = append(x.Met, MetIn{Episode: m.Episode, Record: m.Record, Date: DateOf(m.Day), Outcome: m.Outcome})
		}
		x.Met[i].Times++
	}
	x.Times, x.Last = len(ms), x.Met[0].Date
	for _, s := range x.Met {
		x.First = cmp.Or(s.Date, x.First)
		if ep := e.sources.seen[s.Episode]; ep != nil {
			if took := minutes(ep, ms, ways); took > 0 {
				x.Minutes, x.Timed = x.Minutes+took, x.Timed+1
			}
		}
	}
	x.Met, x.Ways = x.Met[:min(len(x.Met), mostMet)], ways[:min(len(ways), mostWays)]
	return nil
}

// minutes is the time in a session from the first of some mentions to the last of them, or of the
// ways out; 0 where the log does not give it.
func minutes(ep *episode.Episode, ms []causal.Mention, ways []Way) float64 {
	var times []time.Time
	add := func(record string) {
		timestamp := ""
		if v := ep.Event(record); v != nil {
			timestamp = v.Timestamp
		} else if d := ep.Decision(record); d != nil {
			timestamp = d.Timestamp
		}
		if t, err := time.Parse(time.RFC3339, timestamp); err == nil {
			times = append(times, t)
		}
	}
	for _, m := range ms {
		if m.Episode == ep.ID {
			add(m.Record)
		}
	}
	if len(times) == 0 {
		return 0
	}
	began := slices.MinFunc(times, time.Time.Compare)
	for _, w := range ways {
		if w.Episode == ep.ID {
			add(w.Record)
		}
	}
	return slices.MaxFunc(times, time.Time.Compare).Sub(began).Minutes()
}

// WaysOut are what the log of one session links to an error of it as done about it.
func WaysOut(ep *episode.Episode, record string) []Way {
	a := &Account{}
	a.addFixes(place{ep, record})
	return waysOf(a.Fixes)
}

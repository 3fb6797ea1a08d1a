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
	Minutes  float64  `json:"minutes"`
	Timed    int      `json:"timed_sessions"`
	Met      []MetIn  `json:"met"`      // the newest first, at most mostMet
	Remedies []Remedy `json:"remedies"` // those that held first, at most mostRemedies
	Linked   bool     `json:"linked"`   // the graph has a link at it
}

// The bounds of an error: the sessions and the remedies that are listed, and how many records of it, the
// newest ones, are read to find what was done about it.
const (
	mostMet      = 20
	mostRemedies = 6
	mostRead     = 30
)

// MetIn is a session that met an error.
type MetIn struct {
	Episode string          `json:"episode"`
	Record  string          `json:"record"` // the first
	Date    string          `json:"date,omitempty"`
	Outcome episode.Outcome `json:"outcome"`
	Times   int             `json:"times"`
}

// The outcomes of a remedy. Held: a log shows or states that it ended the error, or sessions that did so
// went well. Failed: the error stayed, or those sessions failed.
const (
	Held    = "held"
	Unknown = "unknown"
	Failed  = "failed"
)

// Stated is the label of a remedy of which a log shows or states that it held.
const Stated = "held; the log says so"

// Remedy is something that was done about an error.
type Remedy struct {
	Text     string `json:"text"`
	Episode  string `json:"episode"`
	Record   string `json:"record"`
	Sessions int    `json:"sessions"` // that did so
	Outcome  string `json:"outcome"`
	Stated   bool   `json:"stated,omitempty"` // a log shows or states that it held
	Of       string `json:"of,omitempty"`     // the cause or consequence that it is for, if not the error itself
}

// Label returns the outcome in words.
func (r Remedy) Label() string {
	if r.Stated {
		return Stated
	}
	return r.Outcome
}

// remedies turns fixes into remedies, best first.
func remedies(fixes []Said) (out []Remedy) {
	for _, s := range fixes {
		r := Remedy{s.Text, s.Episode, s.Record, s.Outcomes.Total(), Failed, false, s.Of}
		switch {
		case s.Failed() || s.Superseded != "":
		case s.stated:
			r.Outcome, r.Stated = Held, true
		case s.Outcomes.Known() == 0:
			r.Outcome = Unknown
		case s.Held():
			r.Outcome = Held
		}
		out = append(out, r)
	}
	order := []string{Stated, Held, Unknown, Failed}
	slices.SortStableFunc(out, func(x, y Remedy) int { return slices.Index(order, x.Label()) - slices.Index(order, y.Label()) })
	return out
}

// ErrorMet is an error that a session met.
type ErrorMet struct {
	_       struct{} `cbor:",toarray"`
	Node    string
	Day     int // of the session
	Times   int
	Minutes float64 // see Recurrence; 0 where the log does not give times
}

// ErrorsMet returns the errors that a session met, each once.
func ErrorsMet(ep *episode.Episode) (out []ErrorMet) {
	var records []string
	ms := causal.Contribute(ep).Mentions // by node
	for i, m := range ms {
		if !isError(m.Type, m.Key) {
			continue
		}
		records = append(records, m.Record)
		if i+1 == len(ms) || ms[i+1].Node != m.Node {
			out = append(out, ErrorMet{Node: m.Node, Day: m.Day, Times: len(records), Minutes: minutes(ep, records)})
			records = nil
		}
	}
	return out
}

func isError(t causal.NodeType, key string) bool {
	return t == causal.EventNode && strings.HasPrefix(key, string(episode.Error)+":")
}

// Recurrences returns the errors that at least two sessions met, those of most sessions first. Fill completes them. met are the errors of all sessions.
func Recurrences(r Reader, met []ErrorMet) (out []Recurrence, err error) {
	at := map[string]int{}
	for _, m := range met {
		i, ok := at[m.Node]
		if !ok {
			i = len(out)
			at[m.Node], out = i, append(out, Recurrence{Node: m.Node})
		}
		x, day := &out[i], DateOf(m.Day)
		x.Sessions, x.Times, x.Last = x.Sessions+1, x.Times+m.Times, max(x.Last, day)
		if x.First == "" || day != "" && day < x.First {
			x.First = day
		}
		if m.Minutes > 0 {
			x.Minutes, x.Timed = x.Minutes+m.Minutes, x.Timed+1
		}
	}
	out = slices.DeleteFunc(out, func(x Recurrence) bool { return x.Sessions < 2 })
	for i := range out {
		n, _, err := r.Node(out[i].Node) // a file may have changed since the graph was made
		if err != nil {
			return nil, err
		}
		out[i].Key, out[i].Text = n.Key, n.Label
	}
	out = slices.DeleteFunc(out, func(x Recurrence) bool { return x.Key == "" })
	slices.SortFunc(out, func(a, b Recurrence) int { return cmp.Or(b.Sessions-a.Sessions, strings.Compare(a.Node, b.Node)) })
	return out, nil
}

// Fill adds the sessions that met the error, and what was done about it.
func (x *Recurrence) Fill(r Reader, eps Episodes) error {
	ms, err := r.Mentions(x.Node)
	if err != nil {
		return err
	}
	ms = slices.Clone(ms)
	slices.SortStableFunc(ms, func(a, b causal.Mention) int { return b.Day - a.Day })
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*session{}}}
	fixes, err := e.fixes(ms[:min(len(ms), mostRead)])
	if err != nil {
		return err
	}
	x.Remedies = append([]Remedy{}, remedies(fixes)...)
	x.Remedies = x.Remedies[:min(len(x.Remedies), mostRemedies)]
	x.Met = []MetIn{}
	for _, m := range ms {
		i := slices.IndexFunc(x.Met, func(s MetIn) bool { return s.Episode == m.Episode })
		if i < 0 && len(x.Met) < mostMet {
			i = len(x.Met)
			x.Met = append(x.Met, MetIn{Episode: m.Episode, Record: m.Record, Date: DateOf(m.Day), Outcome: m.Outcome})
		}
		if i >= 0 {
			x.Met[i].Times++
		}
	}
	out, err := r.Out(x.Node)
	if err == nil && len(out) == 0 {
		out, err = r.In(x.Node)
	}
	x.Linked = len(out) > 0
	return err
}

// minutes is the time in a session from the first of the records of an error to the last of them, or of
// what was done about it; 0 where the log does not give it.
func minutes(ep *episode.Episode, records []string) float64 {
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
	for _, r := range records {
		add(r)
	}
	if len(times) == 0 {
		return 0
	}
	began := slices.MinFunc(times, time.Time.Compare)
	all := &session{Episode: ep}
	for _, r := range records {
		for _, w := range (place{all, r}).fixes() {
			add(w)
		}
	}
	return slices.MaxFunc(times, time.Time.Compare).Sub(began).Minutes()
}

// Remedies are what the log of one session links to an error of it as done about it.
func Remedies(ep *episode.Episode, record string) []Remedy {
	return remedies(addFixes(nil, place{&session{Episode: ep}, record}))
}

package infer

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/keys"
)

// RecordVersion is the version of the rules of FromEpisode. Stored records of another
// version must be derived again.
const RecordVersion = 4

// Record is what the estimators need of one session. Facts of different sessions with
// equal keys are the same fact.
type Record struct {
	Episode string   `cbor:"1,keyasint"`
	Outcome Result   `cbor:"2,keyasint,omitempty"`
	Task    Name     `cbor:"3,keyasint,omitempty"`
	Day     int      `cbor:"4,keyasint,omitempty"` // days since 1970-01-01; 0 when the log gives no time
	Choices []Choice `cbor:"5,keyasint,omitempty"`
	Events  []Event  `cbor:"6,keyasint,omitempty"`
	// Instance is the one thing that was worked on, see causal.Instance; "" where the log
	// names none. Sessions of one instance are evidence of one thing.
	Instance string `cbor:"7,keyasint,omitempty"`
	// Place is where its log came from, see placeOf; "" where the episode names none.
	Place string `cbor:"9,keyasint,omitempty"`
}

// Result is the result of a session or a decision. A partial outcome counts as Failed;
// Unmeasured is no evidence.
type Result int8

// The results.
const (
	Unmeasured Result = iota
	Failed
	Succeeded
)

// Name is a key with the wording to show.
type Name struct {
	Key   string `cbor:"1,keyasint,omitempty"`
	Label string `cbor:"2,keyasint,omitempty"`
}

// Choice is one decision: an option taken at a decision point.
type Choice struct {
	Record  string `cbor:"1,keyasint,omitempty"` // d001
	Point   Name   `cbor:"2,keyasint"`
	Option  Name   `cbor:"3,keyasint"`
	Node    string `cbor:"4,keyasint,omitempty"` // of the causal graph
	Result  Result `cbor:"5,keyasint,omitempty"` // its own where the log shows one, else the session's
	At      int    `cbor:"6,keyasint,omitempty"` // rank in time within the session, from 1; 0: not known
	Explore bool   `cbor:"7,keyasint,omitempty"` // chosen at random, and logged as such
	Own     bool   `cbor:"8,keyasint,omitempty"` // Result is the decision's own
}

// Event is one thing that happened.
type Event struct {
	Record string `cbor:"1,keyasint,omitempty"` // e001
	Name   Name   `cbor:"2,keyasint"`
	Node   string `cbor:"3,keyasint,omitempty"` // of the causal graph
	At     int    `cbor:"4,keyasint,omitempty"` // rank in time within the session, from 1; 0: not known
}

// FromEpisode returns the record of an episode. Keys are those of the causal graph
// (causal.Contribute), without words that only introduce something masked (see leadIn).
// Records are ordered by their times; where one record has none, the order is unknown,
// since the order of lines in a log need not be that of events.
func FromEpisode(ep *episode.Episode) Record {
	c := causal.Contribute(ep)
	r := Record{Episode: ep.ID, Outcome: resultOf(c.Outcome), Task: Name{TaskKey(ep.Task), clean(ep.Task)},
		Day: causal.DayOf(ep.Timestamp), Instance: causal.Instance(ep),
		Place: placeOf(ep.Provenance.Source)}
	rank := ranks(ep)
	node := map[string]string{}
	for _, m := range c.Mentions {
		node[m.Record] = m.Node
	}
	for _, u := range c.Uses {
		d := ep.Decision(u.Record)
		point := u.Point
		if d.Key == "" && point != "" {
			point = keys.Decision(dropLeadIn(d.Context))
		}
		r.Choices = append(r.Choices,
			Choice{Record: u.Record, Point: Name{point, u.Context}, Option: Name{u.ChosenKey, u.Chosen}, Node: u.Node,
				Result: resultOf(u.Outcome), At: rank[u.Record], Explore: d.Exploration || explores(d.Rationale), Own: u.OwnResult})
	}
	for i := range ep.Events {
		v := &ep.Events[i]
		if node[v.ID] == "" || v.Type == episode.Commit {
			continue // a commit is unique, so it is not a kind of event
		}
		key := v.Key
		if key == "" {
			key = EventKey(string(v.Type), v.Content)
		}
		if key != "" {
			r.Events = append(r.Events, Event{Record: v.ID, Name: Name{key, clean(v.Content)}, Node: node[v.ID], At: rank[v.ID]})
		}
	}
	return r
}

// placeOf is the folder and the format of a log. Logs of one place are of one project and
// written by one tool, both of which decide what is in them at all.
func placeOf(src episode.Source) string {
	if src.Path == "" {
		return ""
	}
	return path.Dir(src.Path) + "\x00" + src.Format
}

func resultOf(o episode.Outcome) Result {
	switch {
	case o == episode.Success:
		return Succeeded
	case o.Known():
		return Failed
	}
	return Unmeasured
}

// explores reports whether a rationale marks a choice as made at random, as ADR-038
// files do, which have no field for it.
func explores(rationale string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(rationale)), "exploration")
}

// ranks returns the rank of every record in time; nil when a record has no time.
// Records with the same time share a rank.
func ranks(ep *episode.Episode) map[string]int {
	type moment struct {
		id string
		at time.Time
	}
	var all []moment
	add := func(id, stamp string) bool {
		t, err := time.Parse(time.RFC3339, stamp)
		all = append(all, moment{id, t})
		return err == nil
	}
	for i := range ep.Decisions {
		if !add(ep.Decisions[i].ID, ep.Decisions[i].Timestamp) {
			return nil
		}
	}
	for i := range ep.Events {
		if !add(ep.Events[i].ID, ep.Events[i].Timestamp) {
			return nil
		}
	}
	slices.SortFunc(all, func(a, b moment) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.id, b.id)) })
	out := make(map[string]int, len(all))
	rank := 0
	for i, m := range all {
		if i == 0 || !m.at.Equal(all[i-1].at) {
			rank++
		}
		out[m.id] = rank
	}
	return out
}

// EventKey returns the key of an event that has none in its episode.
func EventKey(kind, content string) string { return keys.Event(kind, dropLeadIn(content)) }

// TaskKey returns the key of a task.
func TaskKey(task string) string { return keys.Canonical(dropLeadIn(task)) }

// PointKey returns the key of a decision point from its question.
func PointKey(question string) string { return keys.Decision(dropLeadIn(question)) }

// OptionKey returns the key of an option.
func OptionKey(words string) string { return keys.Option(words) }

// leadIn matches words that mean nothing once what follows them is masked: "after
// 30 s", "in PR #12" and "Step 3:" are not part of the fact.
var leadIn = lazy.Pattern(`(?i)(?:^|[\s(])(?:(?:in|at|on|for|after|of|from|to|by|pr|issue|step|session|comment|line)\b[\s#]*)+(‹(?:url|uuid|time|path|ref|ver|hash|num)›)`)

// dropLeadIn masks a text and drops the words that only introduce something masked.
func dropLeadIn(text string) string {
	masked := keys.Mask(text)
	if masked == text {
		return text
	}
	return leadIn().ReplaceAllString(masked, " $1")
}

func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

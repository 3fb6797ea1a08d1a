package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
)

// LaterDecision is a decision that bears on whether an earlier one holds.
type LaterDecision struct {
	Episode string `json:"episode"`
	Record  string `json:"record"`
	Chosen  string `json:"chosen"`
	Date    string `json:"date"`
	// Reverses is true if it explicitly undoes or supersedes the earlier one. Otherwise it
	// answers the same question in another way.
	Reverses bool `json:"reverses"`
}

// order says which of two decisions came later.
type order struct{ sources }

func newOrder(eps Episodes) *order {
	return &order{sources{eps: eps, seen: map[string]*session{}}}
}

// after reports whether a was decided after b, as far as that is known: on a later day, at a later
// time of day, in the session with the higher number in its name, or further down in one session.
func (o *order) after(a, b *causal.Use) bool {
	switch {
	case a.Episode == b.Episode:
		return cmp.Or(len(a.Record)-len(b.Record), strings.Compare(a.Record, b.Record)) > 0
	case a.Day != b.Day || a.Day == 0:
		return b.Day > 0 && a.Day > b.Day
	}
	x, y := o.start(a.Episode), o.start(b.Episode)
	if x != "" && y != "" && x != y {
		return x > y
	}
	return episode.Follows(a.Episode, b.Episode)
}

// start is when a session started, in UTC; "" if that is not known.
func (o *order) start(id string) string {
	if o.eps == nil {
		return ""
	}
	ep, err := o.load(id)
	if err != nil || ep == nil {
		return ""
	}
	t, ok := ep.Time()
	if !ok {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// newest returns the last of the decisions that fit, or nil.
func (o *order) newest(all []causal.Use, fits func(*causal.Use) bool) (last *causal.Use) {
	for i := range all {
		if u := &all[i]; fits(u) && (last == nil || o.after(u, last)) {
			last = u
		}
	}
	return last
}

// laterThan returns the newest decision that reverses an earlier one, or else the newest of
// another session that took another option at the same question. It returns nil if neither exists.
func (o *order) laterThan(all []causal.Use, last *causal.Use, wording string) *LaterDecision {
	if last == nil {
		return nil
	}
	words, successor := keys.Words(wording), keys.Words(last.Superseded)
	undoes := func(u *causal.Use) bool {
		have := keys.Words(u.Chosen)
		return len(words) > 1 && (u.Superseded != "" || keys.Opposite(wording, u.Chosen)) && hasAll(have, words) ||
			len(successor) > 0 && hasAll(have, successor)
	}
	later := func(u *causal.Use) bool { return u.Node != last.Node && o.after(u, last) }
	reverses := true
	found := o.newest(all, func(u *causal.Use) bool { return u.Day >= last.Day && undoes(u) && later(u) }) // cheap tests first
	if found == nil && last.Point != "" {
		reverses = false
		found = o.newest(all, func(u *causal.Use) bool {
			return u.Point == last.Point && u.ChosenKey != last.ChosenKey && u.Episode != last.Episode && later(u)
		})
	}
	if found == nil {
		return nil
	}
	return &LaterDecision{Episode: found.Episode, Record: found.Record, Chosen: found.Chosen,
		Date: DateOf(found.Day), Reverses: reverses}
}

// Later lists what other sessions decided later than some records of an episode that undoes them, or answers their
// questions otherwise.
func Later(r Reader, eps Episodes, episode string, of func(record string) bool) (out []LaterDecision, err error) {
	all, err := decisions(r)
	in := newOrder(eps)
	for i := range all {
		u := &all[i]
		if u.Episode != episode || !of(u.Record) {
			continue
		}
		if l := in.laterThan(all, u, u.Chosen); l != nil && l.Episode != episode && !slices.Contains(out, *l) {
			out = append(out, *l)
		}
	}
	return out, err
}

func hasAll(have, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// laterThanOption is laterThan for an option of a choice.
func laterThanOption(eps Episodes, all []causal.Use, c *choice, o *option) *LaterDecision {
	if o == nil {
		return nil
	}
	in := newOrder(eps)
	return in.laterThan(all, in.newest(c.uses, func(u *causal.Use) bool { return u.ChosenKey == o.key }), Commonest(o.wordings))
}

// markSuperseded marks the decisions that no longer hold.
func markSuperseded(r Reader, eps Episodes, nodes ...*Node) error {
	var all []causal.Use // read when the first decision is met
	in := newOrder(eps)
	for _, n := range nodes {
		if n.Type != causal.DecisionNode {
			continue
		}
		if all == nil {
			var err error
			if all, err = decisions(r); err != nil {
				return err
			}
		}
		last := in.newest(all, func(u *causal.Use) bool { return u.Node == n.ID })
		if last == nil {
			continue
		}
		if !slices.ContainsFunc(all, func(u causal.Use) bool { // of the same time: it is not known that it ended
			return u.Node == n.ID && u.Superseded == "" && !in.after(last, &u)
		}) {
			n.Superseded = last.Superseded
		}
		if l := in.laterThan(all, last, last.Chosen); l != nil && l.Reverses {
			n.Later = l
			if n.Superseded == "" || n.Superseded == causal.NotNamed {
				n.Superseded = l.Chosen
			}
		}
	}
	return nil
}

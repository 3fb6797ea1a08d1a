package patterns

import (
	"cmp"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/keys"
	"episodes/query"
)

// The ledger counts what occurred in at least leastRepeated sessions, at most mostLedger
// choices and as many errors.
const (
	leastRepeated = 2
	mostLedger    = 10
)

// ledger counts the choices and failures that most sessions have, and the choices that most
// sessions with a bad end have. It claims nothing. Choices are those at a question with another
// way to act: that two sessions used the same words does not show that they decided the same
// thing. Verdicts of reviews choose between no ways to act. Errors that no program reported are
// not counted.
func ledger(r query.Reader, d *decisions, known func(node string) []causal.Mention) ([]query.LedgerEntry, error) {
	var choices, errs []causal.Node
	open := d.open()
	err := r.Nodes(func(n causal.Node) error {
		switch {
		case n.Frequency < leastRepeated:
		case n.Type == causal.DecisionNode && open[n.ID] && !query.IsVerdict(n.Label):
			choices = append(choices, n)
		case n.Type == causal.EventNode && strings.HasPrefix(n.Key, string(episode.Error)+": ") && keys.Failing(n.Key, n.Label):
			errs = append(errs, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := []query.LedgerEntry{}
	for _, list := range [][]causal.Node{mostly(choices, badEnds), mostly(choices, sessions), mostly(errs, sessions)} {
		for _, n := range list {
			if slices.ContainsFunc(out, func(e query.LedgerEntry) bool { return e.Node == n.ID }) {
				continue
			}
			e := query.LedgerEntry{Kind: "choice", Node: n.ID, Text: n.Label, Sessions: n.Frequency, Outcomes: n.Tally}
			if n.Type == causal.EventNode {
				e.Kind = "error"
			}
			last, err := lastMention(r, d, &n, known)
			if err != nil {
				return nil, err
			}
			if last.Episode == "" {
				continue // a damaged graph, which others report
			}
			e.Last, e.Date = last.Episode+"#"+last.Record, query.DateOf(last.Day)
			out = append(out, e)
		}
	}
	return out, nil
}

// lastMention is the latest mention of a node. Those of choices are in g, those of events may
// be known: the graph reads every episode that has one.
func lastMention(r query.Reader, d *decisions, n *causal.Node, known func(node string) []causal.Mention) (last causal.Mention, err error) {
	var ms []causal.Mention
	if n.Type == causal.EventNode {
		if known != nil {
			ms = known(n.ID)
		}
		if len(ms) == 0 {
			ms, err = r.Mentions(n.ID)
		}
	} else {
		for _, u := range d.uses {
			if u.Node == n.ID {
				ms = append(ms, causal.Mention{Episode: u.Episode, Day: u.Day, Record: u.Record})
			}
		}
	}
	if len(ms) == 0 {
		return last, err
	}
	return slices.MaxFunc(ms, func(a, b causal.Mention) int {
		return cmp.Or(a.Day-b.Day, strings.Compare(a.Episode, b.Episode), strings.Compare(b.Record, a.Record))
	}), err
}

// open are the nodes of the decisions at questions where the logs name another way to act: one
// that was rejected, or that another session chose.
func (d *decisions) open() map[string]bool {
	out := map[string]bool{}
	for _, q := range d.questions {
		rejected := slices.ContainsFunc(q.options, func(o *option) bool {
			return slices.ContainsFunc(o.uses, func(i int) bool { return len(d.uses[i].Rejected) > 0 })
		})
		for _, o := range q.options {
			_, without := d.sides(q, o, func(causal.Use) bool { return true })
			out[d.uses[o.uses[0]].Node] = rejected || without > 0
		}
	}
	return out
}

// sides counts the sessions that took an option of a question, and those that only took others.
func (d *decisions) sides(q *question, of *option, counts func(causal.Use) bool) (with, without int) {
	took := map[string]bool{}
	for _, o := range q.options {
		for _, i := range o.uses {
			if u := d.uses[i]; counts(u) {
				took[u.Episode] = took[u.Episode] || o == of
			}
		}
	}
	for _, it := range took {
		if it {
			with++
		}
	}
	return with, len(took) - with
}

// closest is the choice that comes closest to the evidence of a pattern: the one with the most
// sessions with a known outcome on its weaker side. It is nil where no question was decided in two
// ways by different sessions.
func (d *decisions) closest() (best *query.Closest) {
	weaker := func(c *query.Closest) int { return min(c.With, c.Without) }
	known := func(u causal.Use) bool { return u.Outcome.Known() }
	for _, q := range d.questions {
		for _, o := range q.options {
			u, c := d.uses[o.uses[0]], &query.Closest{Needs: infer.LeastInstances}
			c.Text = cmp.Or(u.Context, q.point) + ": " + u.Chosen
			c.With, c.Without = d.sides(q, o, known)
			if c.Without > 0 && (best == nil || cmp.Or(weaker(c)-weaker(best), c.With-best.With) > 0) {
				best = c
			}
		}
	}
	return best
}

func sessions(n causal.Node) int { return n.Frequency }

// badEnds is in how many sessions a choice did not work, or not wholly.
func badEnds(n causal.Node) int { return n.Tally.Known() - n.Tally.Success }

// mostly returns the nodes with the highest counts, none without any, at most mostLedger.
func mostly(list []causal.Node, count func(causal.Node) int) []causal.Node {
	list = slices.DeleteFunc(slices.Clone(list), func(n causal.Node) bool { return count(n) == 0 })
	slices.SortFunc(list, func(a, b causal.Node) int {
		return cmp.Or(count(b)-count(a), b.Frequency-a.Frequency, b.Tally.Known()-a.Tally.Known(), strings.Compare(a.Key, b.Key))
	})
	return list[:min(len(list), mostLedger)]
}

// ledgerOf is the part of a ledger that is about one kind of patterns: of anti-patterns the
// choices that went badly, those with the most bad ends first, else all, the most frequent
// first.
func ledgerOf(all []query.LedgerEntry, kind query.PatternKind) []query.LedgerEntry {
	bad := func(e query.LedgerEntry) int { return e.Outcomes.Known() - e.Outcomes.Success }
	out := []query.LedgerEntry{}
	for _, e := range all {
		if kind != query.AntiPattern || e.Kind != "choice" || bad(e) > 0 {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b query.LedgerEntry) int {
		if kind == query.AntiPattern && a.Kind == "choice" && b.Kind == "choice" {
			return cmp.Or(bad(b)-bad(a), b.Sessions-a.Sessions)
		}
		return cmp.Or(strings.Compare(a.Kind, b.Kind), b.Sessions-a.Sessions, b.Outcomes.Known()-a.Outcomes.Known())
	})
	return out
}

package patterns

import (
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/query"
)

// decisions holds all decisions, grouped by what led to them.
type decisions struct {
	uses      []causal.Use
	questions []*trigger
	events    map[string]*trigger // by node
	all       causal.Tally        // counts every option once per episode
}

// trigger is a question or an event with the actions that followed it.
type trigger struct {
	point, event string // key of the question, or node of the event
	actions      []*trials
	byAction     map[string]*trials
	nodes        causal.Tally // its share of decisions.all
}

// trials are the decisions for one action at one trigger. An episode is one
// trial, however many of them it has.
type trials struct {
	action string // key of the option
	uses   []int  // in decisions.uses, by episode
	tally  causal.Tally
}

// collect reads every decision once. They come sorted by question and episode.
func collect(r query.Reader) (*decisions, error) {
	totals, err := r.Totals()
	if err != nil {
		return nil, err
	}
	g := &decisions{uses: make([]causal.Use, 0, totals.Decisions), events: map[string]*trigger{}}
	begin := 0
	err = r.Uses(func(u causal.Use) error {
		if n := len(g.uses); n > 0 && (g.uses[n-1].Point != u.Point || g.uses[n-1].Episode != u.Episode) {
			g.addEpisode(begin, n)
			begin = n
		}
		g.uses = append(g.uses, u)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	g.addEpisode(begin, len(g.uses))
	for _, t := range g.triggers() {
		for _, a := range t.actions {
			a.count(g.uses)
		}
	}
	return g, nil
}

// addEpisode adds the decisions of one episode at one question.
func (g *decisions) addEpisode(begin, end int) {
	for i := begin; i < end; i++ {
		u := &g.uses[i]
		ts := g.triggersOf(u)
		for _, t := range ts {
			a := t.action(u.ChosenKey)
			a.uses = append(a.uses, i)
		}
		// An option counts once, at its first decision, with the outcomes and triggers
		// of all its decisions combined.
		same := func(v causal.Use) bool { return v.Node == u.Node }
		if slices.ContainsFunc(g.uses[begin:i], same) {
			continue
		}
		out := u.Outcome
		for j := i + 1; j < end; j++ {
			if v := &g.uses[j]; same(*v) {
				out = query.Combine(out, v.Outcome)
				for _, t := range g.triggersOf(v) {
					if !slices.Contains(ts, t) {
						ts = append(ts, t)
					}
				}
			}
		}
		g.all.Add(out, 1)
		for _, t := range ts {
			t.nodes.Add(out, 1)
		}
	}
}

// triggersOf returns the triggers of a decision: its question, and the events that led to it.
func (g *decisions) triggersOf(u *causal.Use) []*trigger {
	out := make([]*trigger, 0, 1+len(u.Triggers))
	if u.Point != "" && u.Point != u.ChosenKey {
		if n := len(g.questions); n == 0 || g.questions[n-1].point != u.Point {
			g.questions = append(g.questions, &trigger{point: u.Point, byAction: map[string]*trials{}})
		}
		out = append(out, g.questions[len(g.questions)-1])
	}
	for _, e := range u.Triggers {
		if sameWords(e, u.ChosenKey) {
			continue
		}
		t := g.events[e]
		if t == nil {
			t = &trigger{event: e, byAction: map[string]*trials{}}
			g.events[e] = t
		}
		out = append(out, t)
	}
	return out
}

// sameWords reports whether an event node has the same words as an option: a log that
// notes a choice and then its execution would otherwise explain the choice by itself.
func sameWords(event, option string) bool {
	return event == causal.NodeID(causal.EventNode, option) || slices.ContainsFunc(eventTypes, func(t episode.EventType) bool {
		return event == causal.NodeID(causal.EventNode, string(t)+": "+option)
	})
}

// repeatsItself reports whether a pattern's trigger only repeats its action: in the same
// words, even if the keys differ, or, unless it is a question, an error or a test, without
// any word that the action lacks.
func repeatsItself(p Pattern) bool {
	action := words(p.Action)
	again := func(trigger, kind string) bool {
		of := words(trigger)
		n, _ := shared(of, action)
		switch {
		case len(of) == 0 || n < len(of):
			return false
		case n == len(action):
			return true
		}
		return n > 1 && kind != "question" && kind != string(episode.Error) && kind != string(episode.Test)
	}
	if p.Seen != "" {
		return again(p.Seen, p.SeenKind)
	}
	return again(p.Trigger, p.TriggerKind)
}

var eventTypes = episode.EventTypes()

// triggers returns all triggers, questions before events.
func (g *decisions) triggers() []*trigger {
	out := slices.Clone(g.questions)
	for _, t := range g.events {
		out = append(out, t)
	}
	slices.SortFunc(out[len(g.questions):], func(a, b *trigger) int { return strings.Compare(a.event, b.event) })
	return out
}

// action returns the trials of an action, which it adds when they are missing.
func (t *trigger) action(key string) *trials {
	a := t.byAction[key]
	if a == nil {
		a = &trials{action: key}
		t.byAction[key] = a
		t.actions = append(t.actions, a)
	}
	return a
}

// count sums up the trials.
func (a *trials) count(uses []causal.Use) {
	slices.SortStableFunc(a.uses, func(i, j int) int { return strings.Compare(uses[i].Episode, uses[j].Episode) })
	a.each(uses, func(_ *causal.Use, out episode.Outcome) { a.tally.Add(out, 1) })
}

// each yields the first decision of every episode, with the combined outcome of all.
func (a *trials) each(uses []causal.Use, yield func(first *causal.Use, out episode.Outcome)) {
	for i := 0; i < len(a.uses); {
		first := &uses[a.uses[i]]
		out := first.Outcome
		for i++; i < len(a.uses) && uses[a.uses[i]].Episode == first.Episode; i++ {
			out = query.Combine(out, uses[a.uses[i]].Outcome)
		}
		yield(first, out)
	}
}

// candidate is a trigger and an action, with the baseline of the action.
type candidate struct {
	at    *trigger
	does  *trials
	base  causal.Tally
	basis string
}

// candidates returns every pair of a trigger and an action with its baseline:
// the other options at the same trigger or, where none has a known outcome, all
// decisions elsewhere. Of pairs with the same action in the same episodes only the first
// is kept: one compared with its own alternatives rather than with everything, and a
// question rather than an event.
func (g *decisions) candidates() []*candidate {
	var own, other []*candidate
	for _, t := range g.triggers() {
		slices.SortFunc(t.actions, func(a, b *trials) int { return strings.Compare(a.action, b.action) })
		var total causal.Tally
		for _, a := range t.actions {
			total = total.Plus(a.tally, 1)
		}
		for _, a := range t.actions {
			if base := total.Plus(a.tally, -1); base.Known() > 0 {
				own = append(own, &candidate{t, a, base, query.OtherOptions})
			} else {
				other = append(other, &candidate{t, a, g.all.Plus(t.nodes, -1), query.OtherDecisions})
			}
		}
	}
	return g.distinct(append(own, other...))
}

// distinct drops every candidate that repeats an earlier one.
func (g *decisions) distinct(list []*candidate) []*candidate {
	type like struct {
		action, episode string
		uses            int
	}
	seen := map[like][]*trials{}
	return slices.DeleteFunc(list, func(c *candidate) bool {
		k := like{c.does.action, g.uses[c.does.uses[0]].Episode, c.does.tally.Total()}
		repeats := slices.ContainsFunc(seen[k], func(a *trials) bool { return g.sameEpisodes(a, c.does) })
		if !repeats {
			seen[k] = append(seen[k], c.does)
		}
		return repeats
	})
}

func (g *decisions) sameEpisodes(a, b *trials) bool {
	var ids []string
	a.each(g.uses, func(u *causal.Use, _ episode.Outcome) { ids = append(ids, u.Episode) })
	same := true
	b.each(g.uses, func(u *causal.Use, _ episode.Outcome) {
		same = same && len(ids) > 0 && ids[0] == u.Episode
		ids = ids[min(1, len(ids)):]
	})
	return same && len(ids) == 0
}

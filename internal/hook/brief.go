package hook

import (
	"context"
	"errors"
	"slices"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/ask"
	"episodes/ledger"
	"episodes/recall"
)

// How much a session is told: lines of a sub-agent's brief, and lines behind a brief.
const (
	subLines   = 8
	mostPushes = 10
)

// telling is one event of a session in which something may be told.
type telling struct {
	*hook
	m        *ask.Memory
	v        *Event
	loc      ask.Location
	session  string
	config   ask.UserConfig
	question ask.AdviseRequest
}

// start is what a session gets as it begins: nothing, but for a sub-agent, what was compacted, and an agent that is
// shown nothing at its prompt.
func (t *telling) start(ctx context.Context, a *agent.Agent) (string, error) {
	off := t.off(ctx, t.loc, t.v)
	switch {
	case t.v.Sub != "" && off:
		return "", nil
	case t.v.Sub != "":
		return t.brief(ctx, subLines)
	}
	if err := t.begin(ctx, t.loc, t.v); err != nil {
		t.trouble(err) // the answer does not depend on it
	}
	if !t.m.Current() {
		defer t.refresh(t.loc)
	}
	text := ""
	switch {
	case off:
		return "", nil
	case t.v.Source == compact:
		if t.v.Transcript != "" {
			var err error
			if text, err = t.progress(t.m, t.v.Transcript); err != nil {
				t.trouble(err)
			}
		}
		if err := t.forget(ctx); err != nil {
			return text, err
		}
	case !a.Hooks.BriefAtStart:
		return "", nil
	}
	brief, err := t.brief(ctx, ask.BriefLines)
	return text + brief, err
}

// brief is what the session is told once, in at most so many lines; "" where it was.
func (t *telling) brief(ctx context.Context, lines int) (string, error) {
	if n := t.config.Brief; n != nil {
		lines = min(lines, *n)
	}
	told, err := t.told(ctx)
	if err != nil || lines == 0 || slices.ContainsFunc(told, fact.briefed) {
		return "", err
	}
	var a *ask.BriefAnswer
	err = t.kept(func(m *ask.Memory) (err error) {
		a, err = m.Brief(ctx, ask.BriefRequest{Text: begin(t.v.Prompt, mostPrompt), Lines: lines, Own: t.own()})
		return err
	})
	if err != nil {
		return "", err
	}
	given := []fact{{mark: briefMark}} // also where nothing is known: it is told once
	var facts []ledger.Fact
	for i := range a.Lines {
		l := &a.Lines[i]
		given = append(given, factAt(l.Evidence[0], briefMark))
		facts = append(facts, l.Fact())
	}
	return t.give(ctx, a.Unasked(), given, facts)
}

// exact is the one line that must be known now; "" for nothing.
func (t *telling) exact(ctx context.Context) (string, error) {
	told, err := t.told(ctx)
	if err != nil || len(slices.DeleteFunc(slices.Clone(told), fact.briefed)) >= mostPushes {
		return "", err
	}
	var a *ask.AdviseAnswer
	err = t.kept(func(m *ask.Memory) (err error) { a, err = m.Advise(ctx, t.question); return err })
	if err != nil || a.Empty() {
		return "", err
	}
	failure := t.v.failureKey(t.question.Moment)
	text, given := a.Unasked(func(e ask.AdviceEvidence) bool {
		at := factAt(e, failure)
		return e.Episode == t.own() || t.m.Silent(e) ||
			slices.ContainsFunc(told, func(f fact) bool { return f.same(at) && (!f.briefed() || t.question.Moment == "prompt") })
	})
	var places []fact
	var facts []ledger.Fact
	for _, e := range given {
		places = append(places, factAt(e, failure))
		facts = append(facts, a.Fact(e, t.question.Text+t.question.File))
	}
	return t.give(ctx, text, places, facts)
}

// own is the episode of the session: what it did itself it knows.
func (t *telling) own() string { return episode.IDFromSession(episode.SafeSession(t.v.Session)) }

// kept asks the memory. Where its index is not as it should be it is made again in the background, and the repository's own
// is asked: a new working tree has none yet.
func (t *telling) kept(question func(*ask.Memory) error) error {
	err := question(t.m)
	if !errors.Is(err, ask.ErrNotKept) && !errors.Is(err, recall.ErrDamaged) {
		return err
	}
	t.refresh(t.loc)
	home := t.loc.Home()
	if home == t.loc {
		return err
	}
	m, none := t.memory(home)
	if none != nil {
		return err
	}
	defer m.Close()
	return question(m)
}

// give records what is told, and returns it unless it is held back.
func (t *telling) give(ctx context.Context, text string, places []fact, facts []ledger.Fact) (string, error) {
	if len(places) == 0 {
		return "", nil
	}
	if err := t.remember(ctx, places); err != nil || text == "" {
		if errors.Is(err, errTold) {
			err = nil
		}
		return "", err
	}
	d := Delivery{Time: t.now(), Agent: t.Agent, Event: t.Event, Session: t.session, Location: t.loc,
		Facts: facts, Kind: t.question.Moment, Held: heldBack(t.config.Holdout, t.session, places[len(places)-1])}
	if places[0].briefed() {
		d.Kind = ledger.KindBrief
	}
	if t.Record != nil {
		t.Record(d)
	}
	if err := record(ctx, d, t.v); err != nil {
		t.trouble(err)
	}
	if d.Held {
		return "", nil
	}
	return text, nil
}

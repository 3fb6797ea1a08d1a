package ask

import (
	"context"
	"sync"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/ledger"
)

// Silent reports whether hooks no longer give a fact as a single line, because it was never followed.
func (m *Memory) Silent(at AdviceEvidence) bool {
	return ledger.Silent(m.Location.Home().Dir, placeOf(at))
}

// ledger is the account of what hooks said; empty where they said nothing, and of the shared part: hooks
// said it in sessions of this user.
func (m *Memory) ledger() (*ledger.Ledger, error) {
	if m.Shared {
		return ledger.New(), nil
	}
	return ledger.Open(m.Location.Home().Dir)
}

// placeOf converts evidence to a place of the ledger.
func placeOf(at AdviceEvidence) ledger.Place {
	p := ledger.Place{Episode: at.Episode}
	if at.Lines != nil {
		p.Lines = *at.Lines
	}
	return p
}

// taking compares transcripts that are extracted with what was told in their sessions. The methods of a nil taking do nothing.
type taking struct {
	memory string
	mu     sync.Mutex
	ledger *ledger.Ledger
	after  []ledger.After // what the ledger did not know
}

// takesIn returns nil if nothing is to be written.
func (o Options) takesIn(r ExtractRequest) *taking {
	t := &taking{memory: o.Location.Home().Dir}
	if len(r.From) == 0 || r.DryRun || r.Sources.Getenv != nil && ledger.Off(r.Sources.Getenv) {
		return nil
	}
	var err error
	if t.ledger, err = ledger.Open(t.memory); err != nil {
		return nil
	}
	return t
}

// acts takes the calls of a session.
func (t *taking) acts() func(session, episode string, acts []actions.Act) {
	if t == nil {
		return nil
	}
	return func(session, _ string, acts []actions.Act) {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, a := range t.ledger.Compare(ledger.SessionKey(session), acts) {
			if t.ledger.Follow(a) {
				t.after = append(t.after, a)
			}
		}
	}
}

// keep writes down what was found.
func (t *taking) keep(ctx context.Context) error {
	if t == nil || len(t.after) == 0 {
		return nil
	}
	return ledger.Note(ctx, t.memory, t.after)
}

// forgetDelivered takes out of the ledger what concerns episodes that are forgotten.
func (m *Memory) forgetDelivered(ctx context.Context, ids []string, all map[string]*episode.Episode) error {
	var sessions []string
	for _, id := range ids {
		if ep := all[id]; ep != nil && ep.Provenance.Source.Session != "" {
			sessions = append(sessions, ledger.SessionKey(ep.Provenance.Source.Session))
		}
	}
	return ledger.Forget(ctx, m.Location.Home().Dir, ids, sessions)
}

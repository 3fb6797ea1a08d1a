package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"episodes/episode"
	"episodes/extract"
	"episodes/extract/actions"
	"episodes/internal/capture"
	"episodes/ledger"
)

// ledgerSummary returns the summary of the ledger, which is empty if none exists.
func ledgerSummary(loc Location) (out ledger.Summary) {
	if s, err := ledger.Open(loc.Home().Dir, false); err == nil {
		out = s.Summary()
		s.Close()
	}
	return out
}

// Silent reports whether hooks no longer give a fact, because it was never followed or did
// harm.
func (m *Memory) Silent(at AdviceEvidence) bool { return m.here.summary().Silent(PlaceOf(at)) }

// PlaceOf converts evidence to a place of the ledger.
func PlaceOf(at AdviceEvidence) ledger.Place {
	p := ledger.Place{Episode: at.Episode}
	if at.Lines != nil {
		p.Lines = *at.Lines
	}
	return p
}

// taking compares transcripts that are extracted with the advice that was given in their
// sessions. The methods of a nil taking do nothing.
type taking struct {
	Options
	store  *ledger.Store
	ledger *ledger.Ledger // as it was before
	mu     sync.Mutex
	after  map[string][]ledger.After // by episode, of all that were read
}

// takesIn returns nil if there is no ledger, or if nothing is to be written.
func (o Options) takesIn(r ExtractRequest) *taking {
	if len(r.From) == 0 || r.DryRun || r.Sources.Getenv != nil && ledger.Off(r.Sources.Getenv) {
		return nil
	}
	store, err := ledger.Open(o.Location.Home().Dir, false)
	if err != nil {
		return nil
	}
	l, _, err := store.Read()
	if err != nil {
		store.Close()
		return nil
	}
	return &taking{Options: o, store: store, ledger: l, after: map[string][]ledger.After{}}
}

// acts takes the calls of a session.
func (t *taking) acts() func(session, episode string, acts []actions.Act) {
	if t == nil {
		return nil
	}
	return func(session, episode string, acts []actions.Act) {
		after := ledger.Compare(t.ledger.Of(ledger.SessionKey(session)), acts)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.after[episode] = append(t.after[episode], after...)
	}
}

// keep adds what was found of the episodes that are in the memory now, and which failures
// they met. A ledger that is new learns those of all episodes.
func (t *taking) keep(ctx context.Context, rep *capture.Report) error {
	if t == nil {
		return nil
	}
	defer t.store.Close()
	m, err := Open(t.Options)
	if err != nil {
		return err
	}
	defer m.Close()
	var read []string
	for _, it := range rep.Episodes {
		if _, ok := t.after[it.ID]; ok && it.Status != Failed {
			read = append(read, it.ID)
		}
	}
	return m.changeLedger(ctx, t.store, func(l *ledger.Ledger, fresh bool) {
		for _, id := range read {
			for _, a := range t.after[id] {
				l.Follow(a)
			}
		}
		m.meet(l, fresh, read)
	})
}

// ledgerWait is the least time for which a change of the ledger waits for the memory.
const ledgerWait = 10 * time.Second

// changeLedger changes the ledger of the memory under the memory's lock.
func (m *Memory) changeLedger(ctx context.Context, store *ledger.Store, change func(l *ledger.Ledger, fresh bool)) error {
	unlock, err := m.folder.Lock(ctx, max(m.LockTimeout, ledgerWait), m.GraphOptions().Who)
	if err != nil {
		return err
	}
	defer unlock()
	return store.Change(ctx, m.now(), change)
}

// meet adds the failures that episodes met; to a ledger that is new those of all.
func (m *Memory) meet(l *ledger.Ledger, fresh bool, ids []string) {
	if fresh {
		files, _, _ := m.folder.Files()
		for _, f := range files {
			ids = append(ids, f.ID)
		}
	}
	for _, id := range ids {
		if ep, err := m.folder.Load(id); err == nil { // one that cannot be read counts nowhere
			meet(l, ep)
		}
	}
}

// meet adds the failures of an episode that was read from a transcript. Other logs mention a
// failure once, even if it occurred several times.
func meet(l *ledger.Ledger, ep *episode.Episode) {
	source := ep.Provenance.Source
	if !extract.IsTranscript(source.Format) {
		return
	}
	met := map[string]ledger.Met{}
	for i := range ep.Events {
		v := &ep.Events[i]
		if v.Type != episode.Error || v.Key == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, v.Timestamp)
		if err != nil {
			at, _ = ep.Time()
		}
		one, ok := met[v.Key]
		if !ok || !at.IsZero() && at.Before(one.First) {
			one.First = at
		}
		one.Times++
		met[v.Key] = one
	}
	for key, one := range met {
		one.Session, one.Episode, one.Key = ledger.SessionKey(source.Session), ep.ID, ledger.FailureKey(key)
		l.Meet(one)
	}
}

// forgetDelivered takes out of the ledger what concerns episodes that are forgotten.
func (m *Memory) forgetDelivered(ctx context.Context, ids []string, all map[string]*episode.Episode) error {
	store, err := ledger.Open(m.Location.Home().Dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the ledger: %w", err)
	}
	defer store.Close()
	var sessions []string
	for _, id := range ids {
		if ep := all[id]; ep != nil && ep.Provenance.Source.Session != "" {
			sessions = append(sessions, ledger.SessionKey(ep.Provenance.Source.Session))
		}
	}
	err = m.changeLedger(ctx, store, func(l *ledger.Ledger, fresh bool) {
		m.meet(l, fresh, nil)
		l.Forget(ids, sessions)
	})
	if err != nil {
		return fmt.Errorf("take what is forgotten out of the ledger: %w", err)
	}
	return nil
}

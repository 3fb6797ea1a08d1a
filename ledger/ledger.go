package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// Format is the version of the lines. Lines of other versions are ignored.
const Format = 1

// Limits of a ledger. The oldest records are dropped first.
const (
	mostDeliveries = 10_000
	mostMet        = 50_000
)

// KindError is the kind of a delivery about a failure, the only one that has a return. The
// other kinds are those of questions (action, task, choice), and start for the beginning of
// a session.
const KindError = "error"

// Place is the place of a fact: the first and the last line in the log of an episode, or the
// whole episode if the lines are 0.
type Place struct {
	Episode string `json:"e"`
	Lines   [2]int `json:"l,omitzero"`
}

// overlaps reports whether two places belong to one fact.
func (p Place) overlaps(o Place) bool {
	return p.Episode == o.Episode && p.Lines[0] <= o.Lines[1] && o.Lines[0] <= p.Lines[1]
}

// Fact is a fact that was delivered.
type Fact struct {
	Place
	Names []string `json:"n,omitempty"` // see Names; if empty, following it cannot be recognised
}

// Delivery is one delivery of advice to an agent, or, if Held, one that was withheld.
type Delivery struct {
	ID      string    `json:"id"` // see Named
	Time    time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Event   string    `json:"event"`
	Kind    string    `json:"kind"`
	Session string    `json:"s"`           // see SessionKey
	Key     string    `json:"k,omitempty"` // FailureKey or ActionKey of its subject; "" if not known
	Held    bool      `json:"held,omitempty"`
	Facts   []Fact    `json:"facts"`
}

// Named returns the delivery with its id, a hash of its content.
func (t Delivery) Named() Delivery {
	t.Time = t.Time.UTC()
	parts := []string{"telling", t.Time.Format(time.RFC3339Nano), t.Agent, t.Event, t.Session, t.Key}
	for _, f := range t.Facts {
		parts = append(parts, f.Episode)
	}
	t.ID = hash(parts...)
	return t
}

// Followed is what an agent did with a fact. Greater values have more evidence.
type Followed uint8

// NotKnown means that the fact has no names, or that no call matched the delivery.
const (
	NotKnown Followed = iota
	Ignored
	Did
)

// After records what followed a delivery in its session.
type After struct {
	Delivery string     `json:"id"`
	Followed []Followed `json:"f"`           // for each fact
	Back     bool       `json:"b,omitempty"` // the failure occurred again
}

// Met records that a failure occurred in a session.
type Met struct {
	Session string    `json:"s"`
	Episode string    `json:"e"`
	Key     string    `json:"k"`
	First   time.Time `json:"at"`
	Times   int       `json:"n"`
}

// line is a line of the files. One of its members is set.
type line struct {
	Format  int       `json:"v"`
	Summary *Summary  `json:"summary,omitempty"` // computed from the other lines
	Given   *Delivery `json:"told,omitempty"`
	After   *After    `json:"after,omitempty"`
	Met     *Met      `json:"met,omitempty"`
}

// Ledger has the records of one memory.
type Ledger struct {
	deliveries map[string]Delivery
	after      map[string]After
	met        map[[2]string]Met // by session and key
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{map[string]Delivery{}, map[string]After{}, map[[2]string]Met{}}
}

// Deliver adds a delivery.
func (l *Ledger) Deliver(t Delivery) {
	if t.ID != "" && len(t.Facts) > 0 {
		l.deliveries[t.ID] = t
	}
}

// Follow merges what followed a delivery into the ledger: values only grow.
func (l *Ledger) Follow(a After) {
	old := l.after[a.Delivery]
	a.Back = a.Back || old.Back
	a.Followed = slices.Clone(a.Followed)
	for i, f := range old.Followed {
		if i == len(a.Followed) {
			a.Followed = append(a.Followed, f)
		}
		a.Followed[i] = max(a.Followed[i], f)
	}
	l.after[a.Delivery] = a
}

// Meet adds the occurrence of a failure.
func (l *Ledger) Meet(m Met) {
	if m.Session == "" || m.Key == "" {
		return
	}
	m.First = m.First.UTC()
	at := [2]string{m.Session, m.Key}
	if old, ok := l.met[at]; ok {
		m.Times, m.Episode = max(m.Times, old.Times), max(m.Episode, old.Episode)
		if !old.First.IsZero() && (m.First.IsZero() || old.First.Before(m.First)) {
			m.First = old.First
		}
	}
	l.met[at] = m
}

// Read adds the lines of a file. Incomplete lines and those of other versions are ignored.
func (l *Ledger) Read(data []byte) {
	for text := range bytes.Lines(data) {
		var v line
		if len(bytes.TrimSpace(text)) == 0 || json.Unmarshal(text, &v) != nil || v.Format != Format {
			continue
		}
		switch {
		case v.Given != nil:
			l.Deliver(*v.Given)
		case v.After != nil:
			l.Follow(*v.After)
		case v.Met != nil:
			l.Meet(*v.Met)
		}
	}
}

// Bytes encodes the ledger as lines. Equal ledgers have equal bytes.
func (l *Ledger) Bytes() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends each line; these types cannot fail
	for _, t := range l.Deliveries() {
		_ = enc.Encode(line{Format: Format, Given: &t})
		if a, ok := l.after[t.ID]; ok {
			_ = enc.Encode(line{Format: Format, After: &a})
		}
	}
	for _, m := range l.mets() {
		_ = enc.Encode(line{Format: Format, Met: &m})
	}
	return b.Bytes()
}

// Deliveries returns the deliveries in the order of time.
func (l *Ledger) Deliveries() []Delivery {
	return slices.SortedFunc(maps.Values(l.deliveries), func(a, b Delivery) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
}

// mets returns the failures in the order of time.
func (l *Ledger) mets() []Met {
	return slices.SortedFunc(maps.Values(l.met), func(a, b Met) int {
		return cmp.Or(a.First.Compare(b.First), strings.Compare(a.Session, b.Session), strings.Compare(a.Key, b.Key))
	})
}

// Of returns the deliveries of a session in the order of time.
func (l *Ledger) Of(session string) (out []Delivery) {
	for _, t := range l.Deliveries() {
		if t.Session == session {
			out = append(out, t)
		}
	}
	return out
}

// Bound drops the oldest records above the limits.
func (l *Ledger) Bound() { l.bound(mostDeliveries, mostMet) }

func (l *Ledger) bound(deliveries, met int) {
	all := l.Deliveries()
	for _, t := range all[:max(0, len(all)-deliveries)] {
		delete(l.deliveries, t.ID)
	}
	for id := range l.after {
		if _, ok := l.deliveries[id]; !ok {
			delete(l.after, id)
		}
	}
	mets := l.mets()
	for _, m := range mets[:max(0, len(mets)-met)] {
		delete(l.met, [2]string{m.Session, m.Key})
	}
}

// Forget drops what concerns some episodes and their sessions: facts of the episodes, and
// deliveries and failures in the sessions.
func (l *Ledger) Forget(episodes, sessions []string) {
	for id, t := range l.deliveries {
		of := func(f Fact) bool { return slices.Contains(episodes, f.Episode) }
		switch {
		case slices.Contains(sessions, t.Session):
			delete(l.deliveries, id)
		case slices.ContainsFunc(t.Facts, of):
			// Followed has an element for each fact.
			a := l.after[id]
			for i := len(t.Facts) - 1; i >= 0; i-- {
				if of(t.Facts[i]) {
					t.Facts = slices.Delete(slices.Clone(t.Facts), i, i+1)
					if i < len(a.Followed) {
						a.Followed = slices.Delete(slices.Clone(a.Followed), i, i+1)
					}
				}
			}
			delete(l.deliveries, id)
			delete(l.after, id)
			if len(t.Facts) > 0 {
				l.deliveries[id] = t
				if a.Delivery != "" {
					l.after[id] = a
				}
			}
		}
	}
	for at, m := range l.met {
		if slices.Contains(episodes, m.Episode) || slices.Contains(sessions, m.Session) {
			delete(l.met, at)
		}
	}
}

// SessionKey returns the hash that identifies a session, or "" for "".
func SessionKey(id string) string {
	if id == "" {
		return ""
	}
	return hash("session", id)
}

// FailureKey returns the hash of a failure's key in episodes, or "" for "".
func FailureKey(key string) string {
	if key == "" {
		return ""
	}
	return hash("failure", key)
}

// ActionKey returns the hash of what a call does, or "" for "".
func ActionKey(does string) string {
	if does == "" {
		return ""
	}
	return hash("action", does)
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

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

// Format is the version of the lines. Lines of another one are left out.
const Format = 1

// Bounds of a ledger; the oldest go.
const (
	mostTellings = 10_000
	mostMet      = 50_000
)

// KindError is the kind of a telling about a failure; only of these it can be known
// whether the failure came back. The other kinds are those of questions: action, task,
// choice, and start for the beginning of a session.
const KindError = "error"

// Place is where a fact stands: the first and the last line in the log of an episode.
// Without lines it is the whole episode.
type Place struct {
	Episode string `json:"e"`
	Lines   [2]int `json:"l,omitzero"`
}

// overlaps reports whether two places are of one fact.
func (p Place) overlaps(o Place) bool {
	return p.Episode == o.Episode && p.Lines[0] <= o.Lines[1] && o.Lines[0] <= p.Lines[1]
}

// Fact is what was told.
type Fact struct {
	Place
	Names []string `json:"n,omitempty"` // see Names; none: following it cannot be recognised
}

// Telling is what an agent was told at one call, or would have been.
type Telling struct {
	ID      string    `json:"id"` // see NewTelling
	Time    time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Event   string    `json:"event"`
	Kind    string    `json:"kind"`
	Session string    `json:"s"`           // see SessionKey
	Key     string    `json:"k,omitempty"` // of what it was about: FailureKey or ActionKey; "": not known
	Held    bool      `json:"held,omitempty"`
	Facts   []Fact    `json:"facts"`
}

// Named gives a telling its id, which is made of what it says.
func (t Telling) Named() Telling {
	t.Time = t.Time.UTC()
	parts := []string{"telling", t.Time.Format(time.RFC3339Nano), t.Agent, t.Event, t.Session, t.Key}
	for _, f := range t.Facts {
		parts = append(parts, f.Episode)
	}
	t.ID = hash(parts...)
	return t
}

// Followed says what an agent did with a fact. Greater values are surer.
type Followed uint8

// NotKnown: the fact names nothing that could be recognised, or the moment was not found.
const (
	NotKnown Followed = iota
	Ignored
	Did
)

// After is what followed a telling in its session.
type After struct {
	Telling  string     `json:"id"`
	Followed []Followed `json:"f"`           // by fact
	Back     bool       `json:"b,omitempty"` // the failure occurred again
}

// Met says that a session met a failure.
type Met struct {
	Session string    `json:"s"`
	Episode string    `json:"e"`
	Key     string    `json:"k"`
	First   time.Time `json:"at"`
	Times   int       `json:"n"`
}

// line is a line of the files: one of its members.
type line struct {
	Format int      `json:"v"`
	Told   *Telling `json:"told,omitempty"`
	After  *After   `json:"after,omitempty"`
	Met    *Met     `json:"met,omitempty"`
}

// Ledger is all that is kept of one memory.
type Ledger struct {
	told  map[string]Telling
	after map[string]After
	met   map[[2]string]Met // by session and key
}

// New makes an empty ledger.
func New() *Ledger {
	return &Ledger{map[string]Telling{}, map[string]After{}, map[[2]string]Met{}}
}

// Tell adds a telling.
func (l *Ledger) Tell(t Telling) {
	if t.ID != "" && len(t.Facts) > 0 {
		l.told[t.ID] = t
	}
}

// Follow adds what followed a telling. A session that goes on can only add to it.
func (l *Ledger) Follow(a After) {
	old := l.after[a.Telling]
	a.Back = a.Back || old.Back
	a.Followed = slices.Clone(a.Followed)
	for i, f := range old.Followed {
		if i == len(a.Followed) {
			a.Followed = append(a.Followed, f)
		}
		a.Followed[i] = max(a.Followed[i], f)
	}
	l.after[a.Telling] = a
}

// Meet adds a failure that a session met.
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

// Read adds the lines of a file. What is no whole line, or of another version, is left out.
func (l *Ledger) Read(data []byte) {
	for text := range bytes.Lines(data) {
		var v line
		if len(bytes.TrimSpace(text)) == 0 || json.Unmarshal(text, &v) != nil || v.Format != Format {
			continue
		}
		switch {
		case v.Told != nil:
			l.Tell(*v.Told)
		case v.After != nil:
			l.Follow(*v.After)
		case v.Met != nil:
			l.Meet(*v.Met)
		}
	}
}

// Bytes are the lines of a ledger, the same for the same ledger.
func (l *Ledger) Bytes() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends each with a line end; none of these can fail
	for _, t := range l.Tellings() {
		_ = enc.Encode(line{Format: Format, Told: &t})
		if a, ok := l.after[t.ID]; ok {
			_ = enc.Encode(line{Format: Format, After: &a})
		}
	}
	for _, m := range l.mets() {
		_ = enc.Encode(line{Format: Format, Met: &m})
	}
	return b.Bytes()
}

// Tellings are in the order of their time.
func (l *Ledger) Tellings() []Telling {
	return slices.SortedFunc(maps.Values(l.told), func(a, b Telling) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
}

// mets are likewise.
func (l *Ledger) mets() []Met {
	return slices.SortedFunc(maps.Values(l.met), func(a, b Met) int {
		return cmp.Or(a.First.Compare(b.First), strings.Compare(a.Session, b.Session), strings.Compare(a.Key, b.Key))
	})
}

// Of are the tellings of a session, in the order of their time.
func (l *Ledger) Of(session string) (out []Telling) {
	for _, t := range l.Tellings() {
		if t.Session == session {
			out = append(out, t)
		}
	}
	return out
}

// Bound drops the oldest where there are too many.
func (l *Ledger) Bound() { l.bound(mostTellings, mostMet) }

func (l *Ledger) bound(tellings, met int) {
	all := l.Tellings()
	for _, t := range all[:max(0, len(all)-tellings)] {
		delete(l.told, t.ID)
	}
	for id := range l.after {
		if _, ok := l.told[id]; !ok {
			delete(l.after, id)
		}
	}
	mets := l.mets()
	for _, m := range mets[:max(0, len(mets)-met)] {
		delete(l.met, [2]string{m.Session, m.Key})
	}
}

// Forget drops what concerns episodes, and the sessions that they are of: what was told of
// them, and what was told and met in them.
func (l *Ledger) Forget(episodes, sessions []string) {
	for id, t := range l.told {
		of := func(f Fact) bool { return slices.Contains(episodes, f.Episode) }
		switch {
		case slices.Contains(sessions, t.Session):
			delete(l.told, id)
		case slices.ContainsFunc(t.Facts, of):
			// What followed is by fact, so they go together.
			a := l.after[id]
			for i := len(t.Facts) - 1; i >= 0; i-- {
				if of(t.Facts[i]) {
					t.Facts = slices.Delete(slices.Clone(t.Facts), i, i+1)
					if i < len(a.Followed) {
						a.Followed = slices.Delete(slices.Clone(a.Followed), i, i+1)
					}
				}
			}
			delete(l.told, id)
			delete(l.after, id)
			if len(t.Facts) > 0 {
				l.told[id] = t
				if a.Telling != "" {
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

// SessionKey stands for a session by its own id, which may be anything; "" for none.
func SessionKey(id string) string {
	if id == "" {
		return ""
	}
	return hash("session", id)
}

// FailureKey stands for a failure by its key in episodes; "" for none.
func FailureKey(key string) string {
	if key == "" {
		return ""
	}
	return hash("failure", key)
}

// ActionKey stands for a call by what it does; "" for none.
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

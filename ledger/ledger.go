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

// KindError is the kind of a delivery about a failure, the only one that has a return; KindBrief is that of a brief. The
// others are single lines too, and named for the moment: prompt, edit, command.
const (
	KindError = "error"
	KindBrief = "brief"
)

// Place is the place of a fact: the first and the last line in the log of an episode, or the
// whole episode if the lines are 0.
type Place struct {
	Episode string `json:"e"`
	Lines   [2]int `json:"l,omitzero"`
}

// Fact is a fact that was delivered.
type Fact struct {
	Place
	Names []string `json:"n,omitempty"` // see Names; if empty, following it cannot be recognised
	Rule  bool     `json:"r,omitempty"` // what a person demands, which is told however often it is not followed
}

// Delivery is one delivery to an agent, or, if Held, one that was withheld.
type Delivery struct {
	ID      string    `json:"id"` // see Named
	Time    time.Time `json:"at"`
	Agent   string    `json:"agent"`
	Event   string    `json:"event"`
	Kind    string    `json:"kind"`
	Session string    `json:"s"`             // see SessionKey
	Sub     string    `json:"sub,omitempty"` // SessionKey of the sub-agent that was told, if the hook said so
	Key     string    `json:"k,omitempty"`   // FailureKey of what failed, if known
	Held    bool      `json:"held,omitempty"`
	Facts   []Fact    `json:"facts"`
}

// Named returns the delivery with its id, a hash of its content.
func (t Delivery) Named() Delivery {
	t.ID, t.Time = "", t.Time.UTC()
	data, _ := json.Marshal(t) // these types cannot fail
	t.ID = hash("telling", string(data))
	return t
}

// Followed is what an agent did with a fact. Greater values have more evidence.
type Followed uint8

// NotKnown means that the fact has no names.
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

// line is a line of the file. One of its members is set; those of older programs may have others.
type line struct {
	Format int       `json:"v"`
	Given  *Delivery `json:"told,omitempty"`
	After  *After    `json:"after,omitempty"`
}

// Ledger has the records of one memory.
type Ledger struct {
	deliveries map[string]Delivery
	after      map[string]After
}

// New returns an empty ledger.
func New() *Ledger { return &Ledger{map[string]Delivery{}, map[string]After{}} }

// Deliver adds a delivery.
func (l *Ledger) Deliver(t Delivery) {
	if t.ID != "" && len(t.Facts) > 0 {
		l.deliveries[t.ID] = t
	}
}

// Follow merges what followed a delivery into the ledger: values only grow. It reports whether that was not known.
func (l *Ledger) Follow(a After) bool {
	old, seen := l.after[a.Delivery]
	a.Back = a.Back || old.Back
	did := make([]Followed, max(len(a.Followed), len(old.Followed)))
	for _, list := range [][]Followed{a.Followed, old.Followed} {
		for i, f := range list {
			did[i] = max(did[i], f)
		}
	}
	a.Followed = did
	l.after[a.Delivery] = a
	return !seen || a.Back != old.Back || !slices.Equal(did, old.Followed)
}

// read adds the lines of a file that are wanted. Incomplete lines and those of other versions are ignored.
func (l *Ledger) read(data []byte, wanted func(text []byte) bool) {
	for text := range bytes.Lines(data) {
		var v line
		if !wanted(text) || json.Unmarshal(text, &v) != nil || v.Format != Format {
			continue
		}
		if v.Given != nil {
			l.Deliver(*v.Given)
		}
		if v.After != nil {
			l.Follow(*v.After)
		}
	}
}

// lines are all records. Equal ledgers have equal lines.
func (l *Ledger) lines() (out []line) {
	for _, t := range l.Deliveries() {
		out = append(out, line{Given: &t})
		if a, ok := l.after[t.ID]; ok {
			out = append(out, line{After: &a})
		}
	}
	return out
}

// Deliveries returns the deliveries in the order of time.
func (l *Ledger) Deliveries() []Delivery {
	return slices.SortedFunc(maps.Values(l.deliveries), func(a, b Delivery) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
}

// forget drops what concerns some episodes and their sessions: facts of the episodes, and
// deliveries in the sessions.
func (l *Ledger) forget(episodes, sessions []string) {
	for id, t := range l.deliveries {
		t.Facts = slices.Clone(t.Facts)
		left := 0
		for i, f := range t.Facts {
			if slices.Contains(episodes, f.Episode) {
				t.Facts[i] = Fact{} // Followed has an element for each fact
			}
			if t.Facts[i].Episode != "" {
				left++
			}
		}
		l.deliveries[id] = t
		if left == 0 || slices.Contains(sessions, t.Session) {
			delete(l.deliveries, id)
		}
	}
}

// SessionKey returns the hash that identifies a session, or "" for "".
func SessionKey(id string) string { return keyOf("session", id) }

// FailureKey returns the hash of a failure's key in episodes, or "" for "".
func FailureKey(key string) string { return keyOf("failure", key) }

func keyOf(kind, text string) string {
	if text == "" {
		return ""
	}
	return hash(kind, text)
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

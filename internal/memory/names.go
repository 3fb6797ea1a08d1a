package memory

import (
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
)

// Log is a session log that wants an episode.
type Log struct {
	Session string // from its file name
	Place   string // where it stands: relative to the root, or absolute outside it
	SHA256  string
}

// Holder is an episode that already has a name, and the log it was made from.
type Holder struct {
	ID     string
	Stem   string // session that the log's file name gives
	Place  string // of the log; "" when that is not known (made on another machine, outside the root)
	SHA256 string // of the log; "" when the episode cannot be read
	Gone   bool   // the log no longer stands at Place
}

// Move gives an episode another id.
type Move struct{ From, To string }

// Names decides under which id the episode of each log stands. Logs with a file
// name of their own get the plain id. Two different logs with one file name
// both get qualified ids, made of the name and their own place, so that it does
// not matter which of them was read first, or when. A byte-identical copy of a
// log is the same log.
type Names struct {
	holders map[string]Holder
}

// NewNames starts from the episodes that exist.
func NewNames(existing []Holder) *Names {
	n := &Names{holders: map[string]Holder{}}
	for _, h := range existing {
		n.holders[h.ID] = h
	}
	return n
}

// Name is what was decided for one log.
type Name struct {
	ID   string
	Copy bool // the log is a copy of one that is held under this id
}

// Assign names all logs and lists the existing episodes that must move. The
// answer does not depend on the order of logs.
func (n *Names) Assign(logs []Log) (names []Name, moves []Move) {
	names = make([]Name, len(logs))
	order := make([]int, len(logs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(logs[a].Place, logs[b].Place) })
	n.locate(logs, order)
	// Logs that already have an episode come first: a new log is compared with
	// what they are now, not with what they were.
	var fresh []int
	for _, i := range order {
		if id, ok := n.held(logs[i]); ok {
			names[i].ID = id
			n.put(id, logs[i])
		} else {
			fresh = append(fresh, i)
		}
	}
	for _, i := range fresh {
		names[i] = n.place(logs[i])
	}
	return n.qualify(logs, names)
}

// locate gives a holder whose log is not known, or has gone, the place of a log
// in hand with the very same bytes.
func (n *Names) locate(logs []Log, order []int) {
	for _, i := range order {
		id := episode.IDFromSession(logs[i].Session)
		if h, ok := n.holders[id]; ok && (h.Place == "" || h.Gone) && h.SHA256 == logs[i].SHA256 {
			h.Place, h.Gone = logs[i].Place, false
			n.holders[id] = h
		}
	}
}

// held returns the episode made from the log at this place.
func (n *Names) held(l Log) (string, bool) {
	own, plain := OwnID(l.Session, l.Place), episode.IDFromSession(l.Session)
	if _, ok := n.holders[own]; ok {
		return own, true
	}
	h, ok := n.holders[plain]
	if ok && (h.Place == l.Place || h.Place == "" && h.SHA256 == "") {
		return plain, true
	}
	return "", false
}

// place names a log that has no episode yet.
func (n *Names) place(l Log) Name {
	plain := episode.IDFromSession(l.Session)
	siblings := n.siblings(l.Session)
	for _, id := range append([]string{plain}, siblings...) {
		if h, ok := n.holders[id]; ok && h.SHA256 == l.SHA256 {
			return Name{ID: id, Copy: true}
		}
	}
	id := plain
	if _, taken := n.holders[plain]; taken || len(siblings) > 0 {
		id = OwnID(l.Session, l.Place)
	}
	n.put(id, l)
	return Name{ID: id}
}

func (n *Names) put(id string, l Log) {
	n.holders[id] = Holder{ID: id, Stem: l.Session, Place: l.Place, SHA256: l.SHA256}
}

// qualify takes the plain id from the first log of a name that turned out to be
// shared, and follows with the names already given.
func (n *Names) qualify(logs []Log, names []Name) ([]Name, []Move) {
	var moves []Move
	done := map[string]bool{}
	for _, l := range logs {
		plain := episode.IDFromSession(l.Session)
		h, ok := n.holders[plain]
		if !ok || done[plain] || h.Place == "" || len(n.siblings(l.Session)) == 0 {
			continue
		}
		done[plain] = true
		own := OwnID(l.Session, h.Place)
		moves = append(moves, Move{From: plain, To: own})
		delete(n.holders, plain)
		h.ID = own
		n.holders[own] = h
		for i := range names {
			if names[i].ID == plain {
				names[i].ID = own
			}
		}
	}
	return names, moves
}

// siblings lists the qualified episodes of a session, sorted.
func (n *Names) siblings(session string) []string {
	var out []string
	for id, h := range n.holders {
		if h.Stem == session && QualifiedName(session, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

var hashSuffix = regexp.MustCompile(`^-[0-9a-f]{8}$`)

// QualifiedName reports whether id has the form of a qualified id of session.
func QualifiedName(session, id string) bool {
	rest, ok := strings.CutPrefix(id, episode.IDFromSession(session))
	return ok && hashSuffix.MatchString(rest)
}

// OwnID is the qualified id of a log: made of its session and its place.
func OwnID(session, place string) string {
	return episode.IDFromSession(episode.Qualified(session, place))
}

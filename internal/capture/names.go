package capture

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
)

// namedLog is a session log that wants an id for its episode.
type namedLog struct {
	session string // from its file name
	path    string // relative to the root, or absolute outside it
	sha256  string
	named   bool // after the agent's id of the session
	own     bool // in the agent's own folder
}

// holder is an episode that has an id, and the log it was made from.
type holder struct {
	id      string
	session string // that the log's file name gives
	path    string // of the log; "" if not known
	sha256  string // of the log; "" when the episode cannot be read
	gone    bool   // the log is no longer at path
	named   bool   // as that of a namedLog
}

// move gives an episode another id.
type move struct{ from, to string }

// name is what was decided for one log.
type name struct {
	id     string
	isCopy bool // the log is a copy of the one that has the id
}

// names decides the id of the episode of each log. Logs with a file name of their own
// get the plain id. Two different logs with one file name both get qualified ids, made
// of the name and their own path, so that it does not matter which of them was read
// first, or when. File names that differ in case only are one name: a file system may take
// them for one, if not here then where the repository is cloned. A byte-identical copy of
// a log is the same log.
type names struct {
	holders map[string]holder   // by id
	alike   map[string][]string // their ids, by what fold makes of them
}

// fold makes one of names that differ in case only.
func fold(name string) string { return strings.ToLower(name) }

func newNames(existing []holder) *names {
	n := &names{holders: map[string]holder{}, alike: map[string][]string{}}
	for _, h := range existing {
		n.add(h)
	}
	return n
}

func (n *names) add(h holder) {
	if _, known := n.holders[h.id]; !known {
		n.alike[fold(h.id)] = append(n.alike[fold(h.id)], h.id)
	}
	n.holders[h.id] = h
}

func (n *names) remove(id string) {
	delete(n.holders, id)
	n.alike[fold(id)] = slices.DeleteFunc(n.alike[fold(id)], func(other string) bool { return other == id })
}

// like lists the ids that are one with id but for case, sorted.
func (n *names) like(id string) []string { return slices.Sorted(slices.Values(n.alike[fold(id)])) }

// assign names all logs and lists the existing episodes that must move. The
// answer does not depend on the order of logs.
func (n *names) assign(logs []namedLog) (given []name, moves []move) {
	given = make([]name, len(logs))
	order := make([]int, len(logs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(logs[a].path, logs[b].path) })
	n.locate(logs, order)
	// Logs that already have an episode come first: a new log is compared with
	// what they are now, not with what they were.
	var unnamed []int
	for _, i := range order {
		if id, ok := n.idOf(logs[i]); ok {
			given[i].id = id
			n.put(id, logs[i])
		} else {
			unnamed = append(unnamed, i)
		}
	}
	for _, i := range unnamed {
		given[i] = n.newName(logs[i])
	}
	return n.qualify(logs, given)
}

// locate gives a holder whose log is not known, or has gone, the path of a log
// in hand with the very same bytes, or of the very same session of an agent.
func (n *names) locate(logs []namedLog, order []int) {
	for _, i := range order {
		id := episode.IDFromSession(logs[i].session)
		if h, ok := n.holders[id]; ok && (h.path == "" || h.gone) && (h.sha256 == logs[i].sha256 || h.named && logs[i].named) {
			h.path, h.gone = logs[i].path, false
			n.holders[id] = h
		}
	}
}

// idOf returns the episode that was made from the log at this path.
func (n *names) idOf(l namedLog) (string, bool) {
	own, plain := qualifiedID(l.session, l.path), episode.IDFromSession(l.session)
	if _, ok := n.holders[own]; ok {
		return own, true
	}
	h, ok := n.holders[plain]
	if ok && (h.path == l.path || h.path == "" && h.sha256 == "" || h.named && l.named && l.own) {
		return plain, true
	}
	return "", false
}

// newName names a log that has no episode yet.
func (n *names) newName(l namedLog) name {
	plain := episode.IDFromSession(l.session)
	siblings, like := n.siblings(l.session), n.like(plain)
	for _, id := range append(like, siblings...) {
		if h, ok := n.holders[id]; ok && h.sha256 == l.sha256 {
			return name{id: id, isCopy: true}
		}
	}
	id := plain
	if len(like)+len(siblings) > 0 {
		id = qualifiedID(l.session, l.path)
	}
	n.put(id, l)
	return name{id: id}
}

func (n *names) put(id string, l namedLog) {
	n.add(holder{id: id, session: l.session, path: l.path, sha256: l.sha256})
}

// qualify takes the plain id from the first log of a name that turned out to be
// shared, and corrects the names already given.
func (n *names) qualify(logs []namedLog, given []name) ([]name, []move) {
	var moves []move
	done := map[string]bool{}
	for _, l := range logs {
		like := n.like(episode.IDFromSession(l.session))
		shared := len(like) > 1 || len(n.siblings(l.session)) > 0
		for _, plain := range like {
			h := n.holders[plain]
			if !shared || done[plain] || h.path == "" {
				continue
			}
			done[plain] = true
			own := qualifiedID(h.session, h.path)
			moves = append(moves, move{from: plain, to: own})
			n.remove(plain)
			h.id = own
			n.add(h)
			for i := range given {
				if given[i].id == plain {
					given[i].id = own
				}
			}
		}
	}
	return given, moves
}

// siblings lists the qualified episodes of a session, sorted.
func (n *names) siblings(session string) []string {
	var out []string
	for id, h := range n.holders {
		if strings.EqualFold(h.session, session) && isQualified(h.session, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

var hashSuffix = lazy.Pattern(`^-[0-9a-f]{8}$`)

// isQualified reports whether id has the form of a qualified id of session.
func isQualified(session, id string) bool {
	rest, ok := strings.CutPrefix(id, episode.IDFromSession(session))
	return ok && hashSuffix().MatchString(rest)
}

// qualifiedID is made of the session of a log and its path.
func qualifiedID(session, path string) string {
	return episode.IDFromSession(episode.Qualified(session, path))
}

package query

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/lazy"
)

// How a reference was understood.
const (
	ByID     = "id"      // n… or a unique prefix of one
	ByRecord = "record"  // EPISODE#d001
	ByName   = "outcome" // success, "outcome: failure"
	ByWords  = "words"
)

// Resolution is the node that a reference names.
type Resolution struct {
	Ref          string  `json:"ref"`
	How          string  `json:"how"`
	Node         Node    `json:"node"`
	Score        float64 `json:"score"`        // how well the words fit, 0 to 1; otherwise 1
	Alternatives []Match `json:"alternatives"` // other nodes that fit almost equally well, best first
}

// Match is a node with its fit to the words that were asked for.
type Match struct {
	ID    string          `json:"id"`
	Type  causal.NodeType `json:"type"`
	Label string          `json:"label"`
	Score float64         `json:"score"`
}

// NotFoundError means that a reference names nothing in the graph, or words no fact of it.
type NotFoundError struct {
	Ref     string
	Reason  string  // may be ""
	Nearest []Match // the nodes that fit best, best first
}

func notFound(ref, reason string, args ...any) *NotFoundError {
	return &NotFoundError{Ref: ref, Reason: fmt.Sprintf(reason, args...)}
}

func (e *NotFoundError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%q names nothing in the memory: %s", e.Ref, e.Reason)
	}
	return fmt.Sprintf("no fact from the logs is worded like %q", e.Ref)
}

func (e *NotFoundError) Hint() string {
	var near []string
	for _, m := range e.Nearest {
		near = append(near, fmt.Sprintf("%s (%s)", Quote(m.Label), m.ID))
	}
	if near == nil {
		return ""
	}
	return "closest: " + strings.Join(near, ", ")
}

const (
	maxAlternatives = 5
	maxNearest      = 3
)

var (
	nodeRef   = lazy.Pattern(`^n[0-9a-f]{3,12}$`)
	recordRef = lazy.Pattern(`^([^#\s]+)#(d\d{3,}|e\d{3,}|outcome)$`)
)

// Resolve finds the node that ref names: by id (n… or a unique prefix), by a
// record (EPISODE#d001), by an outcome ("failure", "outcome: failure"), or by
// words. Words name a node if they have its key, as a pasted error message does,
// and otherwise by how well they fit its label. Of several nodes that fit equally
// well the most frequent one is taken, then the first by id. eps are for EPISODE#record; if
// nil, such references name nothing.
//
// The error is a *NotFoundError when nothing fits well enough.
func Resolve(r Reader, ref string, eps Episodes) (Resolution, error) {
	ref = strings.Join(strings.Fields(ref), " ")
	for _, try := range []func(Reader, string, Episodes) (Resolution, bool, error){byID, byRecord, byName} {
		res, ok, err := try(r, ref, eps)
		if err != nil {
			return Resolution{}, err
		}
		if ok {
			res.Ref, res.Score, res.Alternatives = ref, 1, []Match{}
			return res, nil
		}
	}
	return byWords(r, ref)
}

var errStop = errors.New("enough")

func byID(r Reader, ref string, _ Episodes) (Resolution, bool, error) {
	if !nodeRef().MatchString(ref) {
		return Resolution{}, false, nil
	}
	n, ok, err := r.Node(ref)
	if ok || err != nil {
		return Resolution{How: ByID, Node: viewNode(n)}, ok, err
	}
	var fits []causal.Node
	err = r.Nodes(func(n causal.Node) error {
		switch {
		case strings.HasPrefix(n.ID, ref):
			fits = append(fits, n)
		case n.ID > ref:
			return errStop // ids come sorted
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errStop):
		return Resolution{}, false, err
	case len(fits) > 1:
		e := notFound(ref, "%d ids begin so", len(fits))
		for _, n := range fits[:min(len(fits), maxNearest)] {
			e.Nearest = append(e.Nearest, match(viewNode(n), 1))
		}
		return Resolution{}, false, e
	case len(fits) == 0:
		return Resolution{}, false, nil // it may still be a word
	}
	return Resolution{How: ByID, Node: viewNode(fits[0])}, true, nil
}

func byRecord(r Reader, ref string, eps Episodes) (Resolution, bool, error) {
	m := recordRef().FindStringSubmatch(ref)
	if m == nil {
		return Resolution{}, false, nil
	}
	ep, err := loadEpisode(eps, m[1])
	if errors.Is(err, fs.ErrNotExist) {
		return Resolution{}, false, notFound(ref, "there is no episode %q", m[1])
	} else if err != nil {
		return Resolution{}, false, err
	}
	for _, mention := range causal.Contribute(ep).Mentions {
		if mention.Record != m[2] {
			continue
		}
		n, ok, err := r.Node(mention.Node)
		if err == nil && !ok {
			err = notFound(ref, "the episode is not in the graph")
		}
		return Resolution{How: ByRecord, Node: viewNode(n)}, err == nil, err
	}
	return Resolution{}, false, notFound(ref, "the episode has no record %s that is in the graph", m[2])
}

// loadEpisode loads an episode by id or session.
func loadEpisode(eps Episodes, id string) (*episode.Episode, error) {
	if eps == nil {
		return nil, fmt.Errorf("load episode %q: %w", id, fs.ErrNotExist)
	}
	ep, err := eps.Load(id)
	if errors.Is(err, fs.ErrNotExist) && !strings.HasPrefix(id, episode.IDFromSession("")) {
		ep, err = eps.Load(episode.IDFromSession(id))
	}
	return ep, err
}

func byName(r Reader, ref string, _ Episodes) (Resolution, bool, error) {
	name := strings.ToLower(ref)
	if rest, ok := strings.CutPrefix(name, "outcome:"); ok {
		name = strings.TrimSpace(rest)
	}
	if out := episode.Outcome(name); !out.Known() {
		return Resolution{}, false, nil
	}
	n, ok, err := r.Node(causal.NodeID(causal.OutcomeNode, "outcome: "+name))
	if err == nil && !ok {
		err = notFound(ref, "no episode here has that outcome")
	}
	return Resolution{How: ByName, Node: viewNode(n)}, err == nil, err
}

func match(n Node, score float64) Match {
	return Match{ID: n.ID, Type: n.Type, Label: n.Label, Score: round(score)}
}

// round drops insignificant digits.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

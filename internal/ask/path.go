package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/term"
	"episodes/query"
	"episodes/query/text"
)

// PathRequest asks how one thing led to another. Both ends are nodes: by id (n…), by
// a record of an episode (EPISODE#d001), by an outcome, or by words.
type PathRequest struct {
	From, To  string
	Paths     int                // how many paths; 0: 3
	MaxHops   int                // the longest path, in links; 0: 8
	Types     []episode.LinkType // links to follow; none: causes, enables and prevents
	MinWeight float64            // follow no links of less weight, 0 to 1
}

// PathAnswer is how one thing led to another.
type PathAnswer struct {
	query.PathResult
	// NotFound is not nil where an end names nothing; then there are no paths.
	NotFound *query.NotFoundError
	Private  []string // episodes behind the paths that are this user's alone
	Authors  string   // of the episodes, where there are several
}

// Check refuses a request that cannot be answered.
func (r PathRequest) Check() error {
	for _, t := range r.Types {
		if !slices.Contains(episode.LinkTypes(), t) {
			return &RequestError{Params: []string{"types"}, Value: string(t), Message: "no such type of link",
				Hint: "causes, enables, prevents and correlates"}
		}
	}
	switch {
	case strings.TrimSpace(r.From) == "" || strings.TrimSpace(r.To) == "":
		return &RequestError{Params: []string{"from", "to"}, Help: true}
	case r.Paths < 0 || r.MaxHops < 0:
		return &RequestError{Params: []string{"k", "max-hops"}, Message: "must be 1 or more"}
	case r.MinWeight < 0 || r.MinWeight > 1:
		return badParam("min-weight", "", "must be between 0 and 1")
	}
	return cmp.Or(tooLong("from", r.From), tooLong("to", r.To))
}

// Path finds the best paths from one node to another.
func (m *Memory) Path(ctx context.Context, r PathRequest) (*PathAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	o := query.PathOptions{K: r.Paths, MaxHops: r.MaxHops, Types: r.Types, MinWeight: r.MinWeight, Episodes: m}
	if o.Edges, err = m.edges(ctx); err != nil {
		return nil, err
	}
	found, err := query.Paths(g, r.From, r.To, o)
	if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
		m.noteMissing(missing)
		return &PathAnswer{NotFound: missing}, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range found.Paths {
		for _, h := range p.Hops {
			ids = append(ids, h.Episodes...)
		}
	}
	return &PathAnswer{PathResult: *found, Private: m.privateOf(ids), Authors: m.authorsOf(ids)}, nil
}

// Text shows the paths, the best first.
func (a *PathAnswer) Text(tokens int) string {
	if a.NotFound != nil {
		return ""
	}
	return term.Cut(text.Path(&a.PathResult, tokens)+privateText(a.Private)+authorsText(a.Authors), tokens)
}

// Empty reports whether there is no path.
func (a *PathAnswer) Empty() bool { return len(a.Paths) == 0 && !a.Learned.Any() }

// MarshalJSON gives the result, or what was not found with what comes closest.
func (a *PathAnswer) MarshalJSON() ([]byte, error) {
	if a.NotFound == nil {
		return marshal(struct {
			query.PathResult
			Private []string `json:"private,omitempty"`
			Authors string   `json:"authors,omitempty"`
		}{a.PathResult, a.Private, a.Authors})
	}
	nearest := a.NotFound.Nearest
	if nearest == nil {
		nearest = []query.Match{}
	}
	return marshal(map[string]any{"from": nil, "to": nil, "paths": []query.Path{}, "resolved": map[string]any{},
		"not_found": map[string]any{"ref": a.NotFound.Ref, "message": a.NotFound.Error(), "nearest": nearest}})
}

// noteMissing says that a reference names nothing, and what comes closest.
func (m *Memory) noteMissing(e *query.NotFoundError) {
	m.note("%s", e.Error())
	if hint := e.Hint(); hint != "" {
		m.note("%s", hint)
	}
}

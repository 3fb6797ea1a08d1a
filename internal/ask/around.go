package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"episodes/query"
)

// AroundRequest asks for a drawing of the graph around a fact.
type AroundRequest struct {
	Ref  string // a fact, as in PathRequest; "": the most expensive error, or what has many links
	To   string // with the best path to this one, if not ""
	Most int    // facts, up to query.MostDrawn; 0: that many
}

// AroundAnswer is a drawing.
type AroundAnswer struct {
	*query.Drawing
	// NotFound is not nil where a reference names nothing; then there is no drawing.
	NotFound *query.NotFoundError
}

// Around draws the graph around a fact.
func (m *Memory) Around(ctx context.Context, r AroundRequest) (*AroundAnswer, error) {
	if r.Most < 0 || r.Most > query.MostDrawn {
		return nil, badParam("most", "", fmt.Sprintf("must be between 1 and %d", query.MostDrawn))
	}
	if err := cmp.Or(tooLong("fact", r.Ref), tooLong("to", r.To)); err != nil {
		return nil, err
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	o := query.DrawOptions{Most: r.Most, To: r.To, Episodes: m}
	if r.Ref == "" {
		if r.Ref, err = m.startOf(ctx); err != nil {
			return nil, err
		}
	}
	d, err := query.Around(g, r.Ref, o)
	if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
		return &AroundAnswer{NotFound: missing}, nil
	}
	return &AroundAnswer{Drawing: d}, err
}

// startOf is the fact to begin a drawing with: the most expensive of the errors that came back that is linked to
// something; "" if none is.
func (m *Memory) startOf(ctx context.Context) (string, error) {
	list, err := m.recurring(ctx)
	sortByCost(list)
	list = list[:min(len(list), mostCostly)]
	if err = cmp.Or(err, m.fill(ctx, list)); err != nil {
		return "", err
	}
	for _, x := range list {
		if x.Linked {
			return x.Node, nil
		}
	}
	return "", nil
}

// Drawing is the graph with all its links.
func (m *Memory) Drawing(ctx context.Context) (*query.Drawing, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	d, err := query.DrawAll(g)
	if err != nil {
		return nil, err
	}
	at, err := m.startOf(ctx)
	d.At = cmp.Or(at, d.At)
	return d, err
}

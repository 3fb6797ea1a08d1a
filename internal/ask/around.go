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
	Ref  string // a fact, as in PathRequest; "": an error that came back, or what has many links
	To   string // with the best path to this one, if not ""
	Most int    // facts, up to query.MostDrawn; 0: that many
}

// AroundAnswer is a drawing.
type AroundAnswer struct {
	*query.Drawing
	// NotFound is not nil where a reference names nothing; then there is no drawing.
	NotFound *query.NotFoundError
}

// Around draws the graph around a fact. Statistical edges are drawn where they are known or soon
// computed.
func (m *Memory) Around(ctx context.Context, r AroundRequest) (*AroundAnswer, error) {
	if r.Most < 0 || r.Most > query.MostDrawn {
		return nil, &RequestError{Params: []string{"most"}, Message: fmt.Sprintf("must be between 1 and %d", query.MostDrawn)}
	}
	if err := cmp.Or(tooLong("fact", r.Ref), tooLong("to", r.To)); err != nil {
		return nil, err
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	study, err := m.studyAtHand(ctx)
	if err != nil {
		return nil, err
	}
	o := query.DrawOptions{Most: r.Most, To: r.To, Study: study, Episodes: m}
	if r.Ref == "" {
		if d, err := m.aroundCostly(ctx, g, o); d != nil || err != nil {
			return &AroundAnswer{Drawing: d}, err
		}
	}
	d, err := query.Around(g, r.Ref, o)
	if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
		return &AroundAnswer{NotFound: missing}, nil
	}
	return &AroundAnswer{Drawing: d}, err
}

// aroundCostly draws around the first of the errors that came back that is linked to anything; nil if
// none is.
func (m *Memory) aroundCostly(ctx context.Context, g query.Reader, o query.DrawOptions) (*query.Drawing, error) {
	back, err := m.CameBack(ctx, CameBackRequest{})
	if err != nil {
		return nil, err
	}
	for _, e := range back.Errors {
		if d, err := query.Around(g, e.Node, o); err != nil || len(d.Links) > 0 {
			return d, err
		}
	}
	return nil, nil
}

// Drawing is the graph with all its links.
func (m *Memory) Drawing(ctx context.Context) (*query.Drawing, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	study, err := m.studyOf(ctx)
	if err != nil {
		return nil, err
	}
	return query.Whole(g, study)
}

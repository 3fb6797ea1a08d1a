package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"episodes/internal/ask"
	"episodes/internal/pages"
	"episodes/internal/plain"
)

// start is how many facts a drawing has at first.
const start = 10

// moreOfGraph is the route of what graph.js asks for: a drawing as JSON.
const moreOfGraph = "graph.json"

func around(ctx context.Context, m *ask.Memory, r request) (*ask.AroundAnswer, error) {
	at := cmp.Or(r.id, r.query.Get("at"))
	a, err := m.Around(ctx, ask.AroundRequest{Ref: plain.Words(at), To: plain.Words(r.query.Get("to")), Most: cmp.Or(r.number("most"), start)})
	return ask.Readable(m, a, err)
}

func graphView(ctx context.Context, m *ask.Memory, r request) (any, error) {
	if r.most > 0 {
		d, err := m.Drawing(ctx)
		d, err = ask.Readable(m, d, err)
		return pages.GraphView{Drawing: d}, err
	}
	a, err := around(ctx, m, r)
	if err != nil {
		return nil, err
	}
	return pages.GraphView{Drawing: a.Drawing, NotFound: a.NotFound, At: cmp.Or(r.query.Get("at"), r.id),
		To: r.query.Get("to"), More: r.link(moreOfGraph, "")}, nil
}

// drawing answers graph.js.
func (s *Server) drawing(w http.ResponseWriter, r *http.Request) {
	view, _, err := s.ask(r.Context(), request{query: r.URL.Query()}, func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		return around(ctx, m, r)
	})
	if err != nil {
		var p pages.Page
		status := s.failed(&p, err)
		http.Error(w, p.View.(pages.Message).Text, status)
		return
	}
	if a, ok := view.(*ask.AroundAnswer); !ok || a.Drawing == nil {
		http.Error(w, "Nothing can be drawn.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(view) // the browser may have gone
}

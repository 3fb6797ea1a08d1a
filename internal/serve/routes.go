package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"episodes/internal/ask"
	"episodes/internal/pages"
	"episodes/internal/plain"
)

func staticFiles() http.Handler { return http.FileServerFS(pages.Static()) }

// page is a question with the page that shows its answer.
type page struct {
	title string
	ask   func(ctx context.Context, m *ask.Memory, r request) (view any, err error)
}

// request is what is asked of a page.
type request struct {
	id    string // of the thing that it is about
	query url.Values
	link  func(page, id string, query ...string) string
	most  int // things to list; 0: as many as a page has
}

// number is a value of the query that counts; 0 if it is none.
func (r request) number(name string) int {
	n, err := strconv.Atoi(r.query.Get(name))
	if err != nil {
		return 0
	}
	return max(0, n)
}

var routes = map[string]page{
	"errors": {"Errors that came back", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.CameBack(ctx, ask.CameBackRequest{Since: r.query.Get("since"), Skip: r.number("skip")})
		return ask.Readable(m, a, err)
	}},
	"graph": {"What led to what", graphView},
}

// moreOfGraph is the route of what graph.js asks for: a drawing as JSON.
const moreOfGraph = "graph.json"

func around(ctx context.Context, m *ask.Memory, r request) (*ask.AroundAnswer, error) {
	at := cmp.Or(r.id, r.query.Get("at"))
	a, err := m.Around(ctx, ask.AroundRequest{Ref: plain.Words(at), To: plain.Words(r.query.Get("to")), Most: r.number("most")})
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
	view, err := s.ask(r.Context(), request{query: r.URL.Query(), link: s.link}, func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		return around(ctx, m, r)
	})
	if a, ok := view.(*ask.AroundAnswer); err != nil || !ok || a.Drawing == nil {
		http.Error(w, "Nothing can be drawn.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(view) // the browser may have gone
}

// first is the page that a path without a name leads to.
const first = "errors"

// route answers a request that is let in.
func (s *Server) route(w http.ResponseWriter, r *http.Request, path string) {
	name, id, _ := strings.Cut(path, "/")
	if name == "static" {
		http.StripPrefix(s.base()+"static", s.static).ServeHTTP(w, r)
		return
	}
	if name == "" {
		name = first
	}
	if name == moreOfGraph {
		s.drawing(w, r)
		return
	}
	q := request{id: id, query: r.URL.Query(), link: s.link}
	p := pages.Page{Site: s.site(), Name: name, Words: plain.Words(q.query.Get("q"))}
	status := http.StatusOK
	if of, ok := routes[name]; ok {
		p.Title = of.title
		var err error
		if p.View, err = s.ask(r.Context(), q, of.ask); err != nil {
			status = s.failed(&p, err)
		}
	} else {
		status = http.StatusNotFound
		p.Name, p.Title, p.View = "message", "No such page", Message{Text: "There is nothing at this address."}
	}
	var b bytes.Buffer // so that a page is whole or an error
	if err := p.Write(&b); err != nil {
		s.Trouble(fmt.Sprintf("the page %q: %v", name, err))
		http.Error(w, "This page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes())
	}
}

// Message is the view of a page that says what went wrong.
type Message struct{ Text, Hint string }

func (s *Server) failed(p *pages.Page, err error) int {
	status := http.StatusInternalServerError
	p.Title = "This could not be answered"
	if ask.NothingNamed(err) {
		status, p.Title = http.StatusNotFound, "Not found"
	}
	text, hint := s.Explain(err)
	p.Name, p.View = "message", Message{plain.Words(text), plain.Words(hint)}
	return status
}

// ask opens the memory for one question.
func (s *Server) ask(ctx context.Context, q request, f func(context.Context, *ask.Memory, request) (any, error)) (view any, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() {
		if broken := recover(); broken != nil { // one page fails, not the server
			s.Trouble(fmt.Sprintf("a page failed: %v", broken))
			err = fmt.Errorf("the program failed at this page")
		}
	}()
	err = ask.Again(ctx, s.Memory, func() error {
		m, err := ask.Open(s.Memory)
		if err != nil {
			return err
		}
		defer m.Close()
		view, err = f(ctx, m, q)
		return err
	})
	return view, err
}

// site is what all pages have in common.
func (s *Server) site() *pages.Site {
	return &pages.Site{Name: s.Name, Private: !s.Memory.Shared, Link: s.link,
		Static: func(name string) string { return s.base() + "static/" + name }}
}

// link is the address of a page, with the token: it works where a browser keeps no cookies.
func (s *Server) link(page, id string, query ...string) string {
	id, record, _ := strings.Cut(id, "#")
	u := url.URL{Path: s.base() + page, Fragment: record}
	if id != "" {
		u = *u.JoinPath(url.PathEscape(id))
		u.Fragment = record
	}
	q := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			q.Set(query[i], query[i+1])
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

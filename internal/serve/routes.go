package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"episodes/internal/ask"
	"episodes/internal/pages"
	"episodes/internal/plain"
)

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
		a, err := m.Recurrences(ctx, ask.RecurrencesRequest{Since: r.query.Get("since"), Node: r.query.Get("node"),
			Skip: r.number("skip"), Limit: r.most})
		return ask.Readable(m, a, err)
	}},
	"choices": {"Choices", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.Choices(ctx, ask.ChoicesRequest{Skip: r.number("skip"), Limit: r.most})
		return ask.Readable(m, a, err)
	}},
	"lessons": {"Lessons", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.Lessons(ctx, ask.LessonsRequest{Skip: r.number("skip"), Limit: r.most})
		return ask.Readable(m, a, err)
	}},
	"time": {"Sessions", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.Timeline(ctx, ask.ListRequest{Outcome: r.query.Get("outcome"), Task: r.query.Get("task"),
			Since: r.query.Get("since"), After: r.query.Get("after"), Limit: cmp.Or(r.most, listed)})
		return ask.Readable(m, a, err)
	}},
	"advice": {"What agents were told", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.Ledger(ctx, ask.LedgerRequest{Limit: cmp.Or(r.most, listed)})
		return ask.Readable(m, a, err)
	}},
	"search": {"Search", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		words := r.query.Get("q")
		if strings.TrimSpace(words) == "" {
			return &ask.SearchAnswer{}, nil
		}
		a, err := m.Search(ctx, ask.SearchRequest{Text: words, Kind: r.query.Get("kind"), Since: r.query.Get("since"), Skip: r.number("skip"), Limit: found})
		return ask.Readable(m, a, err)
	}},
	"session": {"Session", func(ctx context.Context, m *ask.Memory, r request) (any, error) {
		a, err := m.Session(ctx, ask.EpisodeRequest{Ref: r.id})
		return ask.Readable(m, a, err)
	}},
	"graph": {"What led to what", graphView},
}

// How many sessions and hits a page lists.
const (
	listed = 50
	found  = 20
)

// first is the page that a path without a name leads to.
const first = "errors"

// route answers a request that is let in.
func (s *Server) route(w http.ResponseWriter, r *http.Request, path string) {
	name, id, _ := strings.Cut(path, "/")
	if name == "static" {
		if data, err := fs.ReadFile(pages.Static(), id); err == nil {
			http.ServeContent(w, r, id, time.Time{}, bytes.NewReader(data))
			return
		}
	}
	name = cmp.Or(name, first)
	if name == moreOfGraph {
		s.drawing(w, r)
		return
	}
	q := request{id: id, query: r.URL.Query()}
	p := pages.Page{Site: s.site(), Name: name, Words: plain.Words(q.query.Get("q")), Asked: q.query}
	status := http.StatusOK
	if of, ok := routes[name]; ok {
		p.Title = of.title
		var err error
		if p.View, p.Site, err = s.ask(r.Context(), q, of.ask); err != nil {
			status = s.failed(&p, err)
		} else if id != "" {
			p.Title = plain.Words(id)
		}
	} else {
		status = http.StatusNotFound
		p.Name, p.Title, p.View = "message", "No such page", pages.Message{Text: "There is nothing at this address."}
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

func (s *Server) failed(p *pages.Page, err error) int {
	status := http.StatusInternalServerError
	p.Title = "This could not be answered"
	refused := (*ask.RequestError)(nil)
	switch {
	case ask.NothingNamed(err), errors.Is(err, ask.ErrNoRef):
		status, p.Title = http.StatusNotFound, "Not found"
	case errors.As(err, &refused):
		status = http.StatusBadRequest
	}
	text, hint := s.Explain(err)
	p.Name, p.View = "message", pages.Message{Text: plain.Words(text), Hint: plain.Words(hint)}
	return status
}

// ask opens the memory for one question.
func (s *Server) ask(ctx context.Context, q request, f func(context.Context, *ask.Memory, request) (any, error)) (view any, site *pages.Site, err error) {
	site = s.site()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, site, ctx.Err()
	}
	defer func() {
		if broken := recover(); broken != nil { // one page fails, not the server
			s.Trouble(fmt.Sprintf("a page failed: %v", broken))
			err = fmt.Errorf("the program failed at this page")
		}
	}()
	err = ask.Again(ctx, s.Memory, func() error {
		site, q.link = s.site(), s.link
		note := func(text string) { site.Notes = append(site.Notes, plain.Words(text)) }
		o := s.Memory
		o.Note, o.Warn = note, note
		m, err := ask.Open(o)
		if err != nil {
			return err
		}
		defer m.Close()
		view, err = f(ctx, m, q)
		return err
	})
	return view, site, err
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
	if page == "errors" && record != "" {
		q.Set("node", record) // it may not be on the first page
	}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			q.Set(query[i], query[i+1])
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"

	"episodes/causal"
	"episodes/graph"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/query"
)

// RecurrencesRequest asks which errors came back: those that two or more sessions met.
type RecurrencesRequest struct {
	Since string // only those met since an age (7d), a date or a time
	Node  string // only this one
	Skip  int    // errors that were seen before
	Limit int    // 0: ten
}

// RecurrencesAnswer lists errors: first those that cost most, then those met last.
type RecurrencesAnswer struct {
	Since    string       `json:"since,omitempty"`  // as asked
	Sessions causal.Tally `json:"sessions"`         // of that time, by outcome
	Newest   string       `json:"newest,omitempty"` // date of the newest session, where that time has none
	Errors   []Recurrence `json:"errors"`
	Costly   int          `json:"most_expensive"` // of Errors, how many are listed for their cost
	Total    int          `json:"total"`          // errors that came back in that time
	Next     *int         `json:"next"`           // what to skip to go on; null at the end
}

// Recurrence is one error.
type Recurrence = query.Recurrence

// mostCostly is how many errors are listed for their cost.
const mostCostly = 3

// Check refuses a request that cannot be answered.
func (r RecurrencesRequest) Check() error {
	if r.Skip < 0 {
		return badParam("skip", fmt.Sprint(r.Skip), "must not be negative")
	}
	return ListRequest{Since: r.Since, Limit: r.Limit}.Check()
}

// Recurrences lists the errors that came back, with what ended them.
func (m *Memory) Recurrences(ctx context.Context, r RecurrencesRequest) (*RecurrencesAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	filter, err := ListRequest{Since: r.Since}.filter(m.now())
	if err != nil {
		return nil, err
	}
	list, err := m.recurring(ctx)
	if err != nil {
		return nil, err
	}
	a := &RecurrencesAnswer{Since: r.Since, Errors: []Recurrence{}}
	if a.Sessions, a.Newest, err = m.outcomesSince(ctx, filter.Since); err != nil {
		return nil, err
	}
	since := ""
	if !filter.Since.IsZero() {
		since = filter.Since.UTC().Format("2006-01-02")
	}
	list = slices.DeleteFunc(list, func(x query.Recurrence) bool {
		return x.Last < since || r.Node != "" && x.Node != r.Node
	})
	a.Total = len(list)
	costly := sortByCost(list)
	if r.Node != "" {
		costly = 0
	}
	page, next := paged(list, r.Skip, r.Limit)
	if err := m.fill(ctx, page); err != nil {
		return nil, err
	}
	a.Next = next
	a.Errors = append(a.Errors, page...)
	a.Costly = max(0, min(costly-r.Skip, len(a.Errors)))
	return a, nil
}

// sortByCost puts the errors that cost most first, by the times that logs give and then by sessions, and after them
// the others, those met last first. It returns the number of the first ones.
func sortByCost(list []query.Recurrence) int {
	slices.SortStableFunc(list, func(a, b query.Recurrence) int {
		return cmp.Or(cmp.Compare(b.Minutes, a.Minutes), b.Sessions-a.Sessions, strings.Compare(b.Last, a.Last))
	})
	n := min(mostCostly, len(list))
	for n > 0 && list[0].Minutes > 0 && list[n-1].Minutes == 0 { // if no log gives times, those of most sessions
		n--
	}
	slices.SortStableFunc(list[n:], lastFirst)
	return n
}

func lastFirst(a, b query.Recurrence) int { return strings.Compare(b.Last, a.Last) }

// recurring returns the errors that came back. They are computed once for each state of the graph, and not filled.
func (m *Memory) recurring(ctx context.Context) ([]query.Recurrence, error) {
	return keptOf(ctx, m, recurrencesName, func(g *graph.Graph) ([]query.Recurrence, error) {
		all, err := m.outlines(g)
		if err != nil {
			return nil, err
		}
		var met []query.ErrorMet
		for _, s := range all {
			met = append(met, s.Errors...)
		}
		return query.Recurrences(g, met)
	})
}

// fill fills errors. What it adds is kept for each of them, since most are never shown.
func (m *Memory) fill(ctx context.Context, list []query.Recurrence) error {
	g, err := m.openGraph(ctx)
	if err != nil {
		return err
	}
	key := "remedies 1 " + stateOf(g.Info().Digest)
	kept := map[string]query.Recurrence{}
	_ = cbor.Unmarshal(m.readKept(remediesName, key), &kept) // what cannot be read is computed again
	before := len(kept)
	for i := range list {
		x, ok := kept[list[i].Node]
		if !ok {
			x = list[i]
			if err := x.Fill(g, m); err != nil {
				return err
			}
			kept[x.Node] = x
		}
		list[i] = x
	}
	if len(kept) == before || m.changed {
		return nil
	}
	data, err := cbor.Marshal(kept)
	if err != nil {
		return err
	}
	return m.writeKept(remediesName, key, data)
}

// outcomesSince counts the sessions of a time by outcome. Without one, it returns the date of the newest.
func (m *Memory) outcomesSince(ctx context.Context, since time.Time) (t causal.Tally, newest string, err error) {
	if since.IsZero() {
		g, err := m.openGraph(ctx)
		if err != nil {
			return t, "", err
		}
		totals, err := g.Totals()
		return totals.Outcomes, "", err
	}
	all, err := m.sessions(ctx)
	for _, e := range all {
		if at, err := time.Parse(time.RFC3339, e.Timestamp); err == nil && !at.Before(since) {
			t.Add(e.Outcome, 1)
		}
	}
	if t.Total() == 0 && len(all) > 0 {
		newest = query.DateOf(causal.DayOf(all[0].Timestamp))
	}
	return t, newest, err
}

// Empty reports whether no error came back.
func (a *RecurrencesAnswer) Empty() bool { return len(a.Errors) == 0 }

// Text lists the errors.
func (a *RecurrencesAnswer) Text(tokens int) string {
	const width = 140
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d success, %d partial, %d failure, %d unknown\n", term.Plural(a.Sessions.Total(), "session"),
		a.Sessions.Success, a.Sessions.Partial, a.Sessions.Failure, a.Sessions.Unknown)
	fmt.Fprintf(&b, "%s came back\n", term.Plural(a.Total, "error"))
	for i, e := range a.Errors {
		fmt.Fprintf(&b, "%d. %s\n   met %s in %s, last on %s\n", i+1, plain.Quote(e.Text, width), times(e.Times),
			term.Plural(e.Sessions, "session"), orDash(e.Last))
		for _, w := range e.Remedies {
			fmt.Fprintf(&b, "   %s: %s (%s)\n", w.Label(), plain.Quote(w.Text, width), plain.Line(w.Episode+"#"+w.Record))
		}
	}
	if a.Next != nil {
		fmt.Fprintf(&b, "and %d more\n", a.Total-*a.Next)
	}
	return term.Cut(b.String(), tokens)
}

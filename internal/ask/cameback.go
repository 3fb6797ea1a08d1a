package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"episodes/causal"
	"episodes/graph"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/ledger"
	"episodes/query"
)

// CameBackRequest asks which errors came back: those that two or more sessions met.
type CameBackRequest struct {
	Since string // only those met since an age (7d), a date or a time
	Node  string // only this one
	Skip  int    // errors that were seen before
	Limit int    // 0: ten
}

// CameBackAnswer lists errors: first those that cost most, then those met last.
type CameBackAnswer struct {
	Since    string       `json:"since,omitempty"` // as asked
	Sessions causal.Tally `json:"sessions"`        // of that time, by outcome
	Errors   []CameBack   `json:"errors"`
	Costly   int          `json:"most_expensive"` // of Errors, how many are listed for their cost
	Total    int          `json:"total"`          // errors that came back in that time
	Next     *int         `json:"next"`           // what to skip to go on; null at the end
}

// CameBack is one error.
type CameBack struct {
	query.Recurrence
	// Advice counts what hooks said about it; null if nothing was.
	Advice *LedgerFigures `json:"advice"`
}

// The bounds of the list of errors: how many are kept, and how many are listed for their cost.
const (
	mostCameBack = 300
	mostCostly   = 3
)

// Check refuses a request that cannot be answered.
func (r CameBackRequest) Check() error {
	if r.Skip < 0 {
		return &RequestError{Params: []string{"skip"}, Value: fmt.Sprint(r.Skip), Message: "must not be negative"}
	}
	return ListRequest{Since: r.Since, Limit: r.Limit}.Check()
}

// CameBack lists the errors that came back, with what ended them.
func (m *Memory) CameBack(ctx context.Context, r CameBackRequest) (*CameBackAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	filter, err := ListRequest{Since: r.Since}.filter(m.now())
	if err != nil {
		return nil, err
	}
	kept, err := m.recurrences(ctx)
	if err != nil {
		return nil, err
	}
	report, err := m.ledgerReport()
	if err != nil {
		return nil, err
	}
	a := &CameBackAnswer{Since: r.Since, Errors: []CameBack{}}
	if a.Sessions, err = m.outcomesSince(ctx, filter.Since); err != nil {
		return nil, err
	}
	since := ""
	if !filter.Since.IsZero() {
		since = filter.Since.UTC().Format("2006-01-02")
	}
	list := slices.DeleteFunc(kept.Errors, func(x query.Recurrence) bool {
		return x.Last < since || r.Node != "" && x.Node != r.Node
	})
	a.Total = len(list)
	if since == "" && r.Node == "" {
		a.Total = kept.Total
	}
	costly := sortByCost(list)
	if r.Node != "" {
		costly = 0
	}
	var page []query.Recurrence
	page, a.Next = paged(list, r.Skip, r.Limit)
	for _, x := range page {
		c := CameBack{Recurrence: x}
		if f, ok := report.Failures[ledger.FailureKey(x.Key)]; ok {
			figures := figuresOf(f)
			c.Advice = &figures
		}
		a.Errors = append(a.Errors, c)
	}
	a.Costly = max(0, min(costly-r.Skip, len(a.Errors)))
	return a, nil
}

// sortByCost puts the errors that cost most first, and after them the others, those met last first. It
// returns the number of the first ones.
func sortByCost(list []query.Recurrence) int {
	// The cost is time. A session whose log does not give it counts as the mean of the others.
	minutes, timed := 0.0, 0
	for _, x := range list {
		minutes, timed = minutes+x.Minutes, timed+x.Timed
	}
	mean := 1.0
	if timed > 0 && minutes > 0 {
		mean = minutes / float64(timed)
	}
	cost := func(x query.Recurrence) float64 { return x.Minutes + mean*float64(x.Sessions-x.Timed) }
	slices.SortStableFunc(list, func(a, b query.Recurrence) int {
		return cmp.Or(cmp.Compare(cost(b), cost(a)), strings.Compare(b.Last, a.Last))
	})
	n := min(mostCostly, len(list))
	slices.SortStableFunc(list[n:], func(a, b query.Recurrence) int { return strings.Compare(b.Last, a.Last) })
	return n
}

// keptErrors are the errors of a graph that came back.
type keptErrors struct {
	Errors []query.Recurrence
	Total  int
}

// recurrences returns the errors that came back; they are computed once for each state of the graph.
func (m *Memory) recurrences(ctx context.Context) (keptErrors, error) {
	return keptOf(ctx, m, cameBackName, func(g *graph.Graph) (k keptErrors, err error) {
		k.Errors, k.Total, err = query.Recurrences(g, m, mostCameBack)
		return k, err
	})
}

// outcomesSince counts the sessions of a time by outcome.
func (m *Memory) outcomesSince(ctx context.Context, since time.Time) (t causal.Tally, err error) {
	if since.IsZero() {
		g, err := m.openGraph(ctx)
		if err != nil {
			return t, err
		}
		totals, err := g.Totals()
		return totals.Outcomes, err
	}
	all, err := m.sessions(ctx)
	for _, e := range all {
		if at, err := time.Parse(time.RFC3339, e.Timestamp); err == nil && !at.Before(since) {
			t.Add(e.Outcome, 1)
		}
	}
	return t, err
}

// ledgerReport is the account of what hooks said; empty where they said nothing.
func (m *Memory) ledgerReport() (*ledger.Report, error) {
	store, err := ledger.Open(m.Location.Dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return &ledger.Report{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	defer store.Close()
	l, _, err := store.Read()
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	return l.Report(m.now()), nil
}

// Empty reports whether no error came back.
func (a *CameBackAnswer) Empty() bool { return len(a.Errors) == 0 }

// Text lists the errors.
func (a *CameBackAnswer) Text(tokens int) string {
	const width = 140
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d success, %d partial, %d failure, %d unknown\n", term.Plural(a.Sessions.Total(), "session"),
		a.Sessions.Success, a.Sessions.Partial, a.Sessions.Failure, a.Sessions.Unknown)
	fmt.Fprintf(&b, "%s came back\n", term.Plural(a.Total, "error"))
	for i, e := range a.Errors {
		fmt.Fprintf(&b, "%d. %s\n   met %s in %s, last on %s\n", i+1, plain.Quote(e.Text, width), times(e.Times),
			term.Plural(e.Sessions, "session"), orDash(e.Last))
		for _, w := range e.Ways {
			fmt.Fprintf(&b, "   %s: %s (%s)\n", w.Result, plain.Quote(w.Text, width), plain.Line(w.Episode+"#"+w.Record))
		}
		if e.Advice != nil {
			fmt.Fprintf(&b, "   agents: %s\n", e.Advice.sentence(false))
		}
	}
	if a.Next != nil {
		fmt.Fprintf(&b, "and %d more\n", a.Total-*a.Next)
	}
	return term.Cut(b.String(), tokens)
}

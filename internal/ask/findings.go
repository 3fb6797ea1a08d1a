package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/query"
)

// FindingsRequest asks which errors came back, and what ended them.
type FindingsRequest struct {
	Most int // maximum number of findings
}

// FindingsAnswer are errors of more than one session, or what would bring some.
type FindingsAnswer struct {
	Findings []Finding      `json:"findings"`
	Sources  *SourcesAnswer `json:"sources,omitempty"` // where there are no findings
	NoMemory bool           `json:"no_memory,omitempty"`
	NoRepo   bool           `json:"no_repository,omitempty"`
}

// Finding is an error of more than one session.
type Finding struct {
	Returned
	Ended *Ended `json:"ended"` // null where nothing is known to have ended it
}

// Ended is what was done about an error, and did not fail.
type Ended struct {
	Text    string `json:"text"`
	At      string `json:"at"`   // a record: EPISODE#d001
	Held    bool   `json:"held"` // a session in which it was done ended well
	Private bool   `json:"private,omitempty"`
}

// mostLookedAt bounds how many errors that came back are looked into.
const mostLookedAt = 60

// Findings finds the errors that came back most, those whose end is known first. Where there
// is no memory, or none came back, it says what transcripts there are to take in; it takes in
// nothing.
func Findings(ctx context.Context, o Options, r FindingsRequest, s SourcesRequest) (*FindingsAnswer, error) {
	a := &FindingsAnswer{Findings: []Finding{}}
	if o.Location.Bare {
		a.NoRepo = true
		return a, nil
	}
	m, err := Open(o)
	switch {
	case err == nil:
		defer m.Close()
		if a.Findings, err = m.findings(ctx, r.Most); err != nil {
			return nil, err
		}
	case errors.Is(err, ErrNoMemory):
		a.NoMemory = true
	default:
		return nil, err
	}
	if len(a.Findings) == 0 {
		a.Sources, err = Sources(ctx, o, s)
	}
	return a, err
}

func (m *Memory) findings(ctx context.Context, most int) ([]Finding, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	var back []causal.Node
	err = g.Nodes(func(n causal.Node) error {
		if n.Type == causal.EventNode && n.Frequency > 1 {
			back = append(back, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(back, func(a, b causal.Node) int {
		return cmp.Or(b.Frequency-a.Frequency, strings.Compare(a.Label, b.Label), strings.Compare(a.ID, b.ID))
	})
	ended, open := []Finding{}, []Finding{}
	for _, n := range back[:min(len(back), mostLookedAt)] {
		x, err := query.Explain(g, m, n.ID, query.ExplainOptions{Limit: 1})
		if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if x.Node.Account == nil {
			continue // an event that is no error
		}
		f := m.finding(n, x.Node.Account)
		if f.Ended == nil {
			open = append(open, f)
		} else if ended = append(ended, f); len(ended) == most {
			break
		}
	}
	all := append(ended, open...)
	return all[:min(len(all), most)], nil
}

// finding takes the best of what was done about an error.
func (m *Memory) finding(n causal.Node, a *query.Account) Finding {
	f := Finding{Returned: Returned{n.ID, m.inert(n.Label), n.Frequency}}
	if i := slices.IndexFunc(a.Fixes, func(s query.Said) bool { return !s.Failed() }); i >= 0 {
		fix := a.Fixes[i]
		f.Ended = &Ended{m.inert(fix.Text), fix.Episode + "#" + fix.Record, fix.Outcomes.Success > 0, m.isPrivate(fix.Episode)}
	}
	return f
}

// Text lists the findings, or says how to get some.
func (a *FindingsAnswer) Text(tokens int) string {
	const width = 160
	var b strings.Builder
	if len(a.Findings) > 0 {
		b.WriteString("This repository's history knows, for example:\n")
	}
	for i, f := range a.Findings {
		fmt.Fprintf(&b, "%d. %s was met in %s\n", i+1, plain.Quote(f.Text, width), term.Plural(f.Sessions, "session"))
		if f.Ended == nil {
			b.WriteString("   nothing is known to have ended it\n")
			continue
		}
		private := ""
		if f.Ended.Private {
			private = ", private"
		}
		what := "what was done about it"
		if f.Ended.Held {
			what = "what ended it"
		}
		fmt.Fprintf(&b, "   %s: %s (%s%s)\n", what, plain.Quote(f.Ended.Text, width), plain.Line(f.Ended.At), private)
	}
	switch {
	case len(a.Findings) > 0:
	case a.NoRepo:
		b.WriteString("There is no repository here, so nothing is told of its history.\n")
	default:
		a.bring(&b)
	}
	return term.Cut(term.Lines(b.String()), tokens)
}

// bring says what there is to take in.
func (a *FindingsAnswer) bring(b *strings.Builder) {
	why, first := "no error of its sessions came back yet", ""
	if a.NoMemory {
		why, first = "it has no memory yet", "episodes init, then "
	}
	fmt.Fprintf(b, "Of this repository's history there is nothing to tell: %s.\n", why)
	var counts []string
	for _, s := range a.Sources.Sources {
		if n := s.New + s.Changed; n > 0 && s.Note == "" {
			counts = append(counts, fmt.Sprintf("%s %d", s.Agent, n))
		}
	}
	switch {
	case counts != nil:
		fmt.Fprintf(b,
			"Transcripts on this machine that are not taken in: %s. To take them in, for you alone: %sepisodes extract --from all\n",
			strings.Join(counts, ", "), first)
	case a.NoMemory:
		b.WriteString("No transcript of it was found on this machine. next: episodes init; the sessions from now on are taken in when they end\n")
	default:
		b.WriteString("No transcript of it waits on this machine; the sessions from now on are taken in when they end.\n")
	}
}

// Empty reports whether there are no findings.
func (a *FindingsAnswer) Empty() bool { return len(a.Findings) == 0 }

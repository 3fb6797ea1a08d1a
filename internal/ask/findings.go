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
	"episodes/keys"
	"episodes/query"
)

// FindingsRequest asks which failures sessions met, and what ended them.
type FindingsRequest struct {
	Most int // maximum number of findings
}

// FindingsAnswer are failures and their ends, or what would bring some.
type FindingsAnswer struct {
	Findings []Finding      `json:"findings"`
	Sources  *SourcesAnswer `json:"sources,omitempty"` // where there are no findings
	NoMemory bool           `json:"no_memory,omitempty"`
	NoRepo   bool           `json:"no_repository,omitempty"`
}

// Finding is a failure that a program reported, with its end.
type Finding struct {
	Node     string `json:"node"`
	Text     string `json:"text"`
	Sessions int    `json:"sessions"`
	Ended    Ended  `json:"ended"`
}

// Ended is what a log shows or says to have ended a failure.
type Ended struct {
	Text    string `json:"text"`
	At      string `json:"at"` // a record: EPISODE#d001
	Private bool   `json:"private,omitempty"`
}

// mostFailures bounds how many failures are looked into.
const mostFailures = 60

// Findings finds failures of which a log shows the end, those of most sessions first. Where there
// is no memory, or there are none, it says what transcripts there are to take in; it takes in
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
		if a.Findings, err = m.findings(ctx, r.Most, 1, nil); err != nil {
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

// findings are the failures of programs with at least so many sessions of which a log shows the
// end, those of most sessions first. among selects nodes; nil selects all.
func (m *Memory) findings(ctx context.Context, most, sessions int, among map[string]bool) ([]Finding, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	var failures []causal.Node
	err = g.Nodes(func(n causal.Node) error {
		if n.Type == causal.EventNode && n.Frequency >= sessions && keys.Failing(n.Key, n.Label) && (among == nil || among[n.ID]) {
			failures = append(failures, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(failures, func(a, b causal.Node) int {
		return cmp.Or(b.Frequency-a.Frequency, strings.Compare(a.Label, b.Label), strings.Compare(a.ID, b.ID))
	})
	out := []Finding{}
	for _, n := range failures[:min(len(failures), mostFailures)] {
		fix, err := query.EndOf(g, m, n.ID)
		if err != nil {
			return nil, err
		}
		if fix != nil {
			out = append(out, Finding{n.ID, m.inert(n.Label), n.Frequency,
				Ended{m.inert(fix.Text), fix.Episode + "#" + fix.Record, m.isPrivate(fix.Episode)}})
		}
		if len(out) == most {
			break
		}
	}
	return out, nil
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
		private := ""
		if f.Ended.Private {
			private = ", private"
		}
		fmt.Fprintf(&b, "   what ended it: %s (%s%s)\n", plain.Quote(f.Ended.Text, width), plain.Line(f.Ended.At), private)
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
	why, first := "no log of it shows how a failure ended", ""
	if a.NoMemory {
		why, first = "it has no memory yet", "episodes init, then "
	}
	fmt.Fprintf(b, "Nothing to report from this repository yet: %s.\n", why)
	waiting := a.Sources.waiting()
	switch {
	case waiting != "":
		fmt.Fprintf(b,
			"Transcripts on this machine that are not taken in: %s. To take them in, for you alone: %sepisodes extract --from all\n",
			waiting, first)
	case a.NoMemory:
		b.WriteString("No transcript of it was found on this machine. next: episodes init; the sessions from now on are taken in when they end\n")
	default:
		b.WriteString("No unread transcripts of it are on this machine; sessions from now on are read when they end.\n")
	}
}

// Empty reports whether there are no findings.
func (a *FindingsAnswer) Empty() bool { return len(a.Findings) == 0 }

// mostProof bounds how many of the episodes just written are looked through, mostReturned how
// many failures are listed.
const (
	mostProof    = 2000
	mostReturned = 100
)

// returned finds the failures of the episodes just written that also occur in other sessions, and
// what ended them. It is additional information: if the graph cannot be read now, the result is
// empty.
func (o Options) returned(ctx context.Context, items []Log) []Finding {
	o.Note, o.Warn = nil, nil // extraction has said it
	m, err := Open(o)
	if err != nil {
		return nil
	}
	defer m.Close()
	met := map[string]bool{}
	looked := 0
	for _, it := range items {
		if it.Status != Written || looked == mostProof {
			continue
		}
		looked++
		if ep, err := m.load(it.ID); err == nil {
			for _, x := range causal.Contribute(ep).Mentions {
				met[x.Node] = true
			}
		}
	}
	found, err := m.findings(ctx, mostReturned, 2, met)
	if err != nil {
		return nil
	}
	return found
}

// Proof renders the failures that came back, the most frequent first; "" without any.
func (a *ExtractAnswer) Proof() string {
	const most, width = 3, 70
	if len(a.Returned) == 0 {
		return ""
	}
	var list []string
	for _, r := range a.Returned[:min(len(a.Returned), most)] {
		list = append(list, fmt.Sprintf("%s (%d sessions), ended by %s", plain.Quote(r.Text, width),
			r.Sessions, plain.Quote(r.Ended.Text, width)))
	}
	if n := len(a.Returned) - most; n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("%s came back in later sessions: %s", term.Plural(len(a.Returned), "failure"), strings.Join(list, "; "))
}

package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// Returned is an error of more than one session.
type Returned struct {
	Node     string `json:"node"`
	Text     string `json:"text"`
	Sessions int    `json:"sessions"`
}

// mostProof bounds how many of the episodes just written are looked through.
const mostProof = 2000

// returned finds the errors of the episodes just written that also occur in other sessions,
// those with most sessions first. It is additional information: if the graph cannot be read
// now, the result is empty.
func (o Options) returned(ctx context.Context, items []Log) (out []Returned) {
	o.Note, o.Warn = nil, nil // extraction has said it
	m, err := Open(o)
	if err != nil {
		return nil
	}
	defer m.Close()
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	looked := 0
	for _, it := range items {
		if it.Status != Written || looked == mostProof {
			continue
		}
		looked++
		ep, err := m.folder.Load(it.ID)
		if err != nil {
			continue
		}
		for _, x := range causal.Contribute(ep).Mentions {
			if v := ep.Event(x.Record); v == nil || v.Type != episode.Error || seen[x.Node] {
				continue
			}
			seen[x.Node] = true
			if n, ok, err := g.Node(x.Node); err == nil && ok && n.Frequency > 1 {
				out = append(out, Returned{n.ID, n.Label, n.Frequency})
			}
		}
	}
	slices.SortFunc(out, func(a, b Returned) int {
		return cmp.Or(b.Sessions-a.Sessions, strings.Compare(a.Text, b.Text))
	})
	return out
}

// Proof renders the errors that came back, the most frequent one with its text; "" without any.
func (a *ExtractAnswer) Proof() string {
	const most, width = 3, 70
	if len(a.Returned) == 0 {
		return ""
	}
	var list []string
	for _, r := range a.Returned[:min(len(a.Returned), most)] {
		list = append(list, fmt.Sprintf("%s (%d sessions)", plain.Quote(r.Text, width), r.Sessions))
	}
	if n := len(a.Returned) - most; n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("%s came back in later sessions: %s", term.Plural(len(a.Returned), "error"), strings.Join(list, ", "))
}

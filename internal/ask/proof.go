package ask

import (
	"context"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/internal/term"
)

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

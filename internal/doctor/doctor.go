// Package doctor checks a memory: its episodes, what is derived from them and whether
// it was made here, its lock, its disk, and what killed writers left. For each thing that is wrong it says what to do; what can be mended without losing anything, Fix mends.
package doctor

import (
	"context"
	"fmt"

	"episodes/internal/memory"
	"episodes/internal/track"
)

// State is the result of one check.
type State string

// OK: as it should be. Note: good to know, nothing to do. Problem: something
// to do. Fixed: it was a problem.
const (
	OK      State = "ok"
	Note    State = "note"
	Problem State = "problem"
	Fixed   State = "fixed"
)

// Finding is one line of the report.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Text  string `json:"text"`
	Todo  string `json:"todo,omitempty"` // what to do about it

	kind string // findings of one kind differ only in what they are about
}

// Report is all that was found.
type Report struct {
	Findings []Finding `json:"findings"`
	Problems int       `json:"problems"`
	Fixed    int       `json:"fixed"`
}

// Note adds a remark.
func (r *Report) Note(check, text, todo string) {
	r.Findings = append(r.Findings, Finding{Check: check, State: Note, Text: text, Todo: todo})
}

// Options say what to check.
type Options struct {
	Location memory.Location
	Graph    memory.GraphOptions
	Free     func(dir string) (uint64, bool)
	Command  func(args string) string // a command line of this program on this memory
	Index    track.Indexer            // of what is retrieved
	IndexKey string                   // that its derived files have today
}

// Check checks the memory and changes nothing.
func Check(ctx context.Context, o Options) (*Report, error) {
	x, err := examine(ctx, o)
	if err != nil {
		return nil, err
	}
	return report(x.findings), nil
}

// Fix mends what is safe to mend (what is derived, and what killed writers
// left), then checks the memory again.
func Fix(ctx context.Context, o Options) (*Report, error) {
	before, err := examine(ctx, o)
	if err != nil {
		return nil, err
	}
	if !before.mend {
		return report(before.findings), nil
	}
	if err := mend(ctx, o, before.rebuild); err != nil {
		return nil, err
	}
	after, err := examine(ctx, o)
	if err != nil {
		return nil, err
	}
	return report(append(fixed(before.findings, after.findings), after.findings...)), nil
}

// fixed lists what there was to do before and is done.
func fixed(before, after []Finding) []Finding {
	todo := func(f Finding) bool { return f.State == Problem || f.Todo != "" }
	still := map[string]bool{}
	for _, f := range after {
		still[f.Check+f.Text] = todo(f)
	}
	var out []Finding
	for _, f := range before {
		if todo(f) && !still[f.Check+f.Text] {
			out = append(out, Finding{Check: f.Check, State: Fixed, Text: f.Text, kind: f.kind})
		}
	}
	return out
}

func report(findings []Finding) *Report {
	r := &Report{Findings: shorten(findings)}
	for _, f := range findings {
		switch f.State {
		case Problem:
			r.Problems++
		case Fixed:
			r.Fixed++
		}
	}
	return r
}

// mostOfKind is how many findings of one kind are listed one by one.
const mostOfKind = 3

// shorten sums up what one kind of finding has too many of.
func shorten(findings []Finding) []Finding {
	type group struct {
		check, kind string
		state       State
	}
	of := func(f Finding) group { return group{f.Check, f.kind, f.State} }
	total, seen := map[group]int{}, map[group]int{}
	for _, f := range findings {
		total[of(f)]++
	}
	var out []Finding
	for _, f := range findings {
		g := of(f)
		seen[g]++
		if seen[g] <= mostOfKind {
			out = append(out, f)
		}
		if more := total[g] - mostOfKind; more > 0 && seen[g] == mostOfKind {
			out = append(out,
				Finding{Check: f.Check, State: f.State, Text: fmt.Sprintf("and %d more of this kind", more),
					Todo: f.Todo, kind: f.kind})
		}
	}
	return out
}

// mend removes what killed writers left, under the memory's lock, and writes the graph from
// scratch where that is needed.
func mend(ctx context.Context, o Options, rebuild bool) error {
	m, err := memory.Open(o.Location)
	if err != nil {
		return err
	}
	defer m.Close()
	unlock, err := m.Lock(ctx, o.Graph.LockTimeout, o.Graph.Who) // drops what is foreign, and writes the .gitignore too
	if err != nil {
		return err
	}
	defer unlock()
	m.Clean()
	if rebuild {
		if _, _, err := track.Load(m).Rebuild(ctx, o.Graph, o.Index); err != nil {
			return fmt.Errorf("rebuild the graph: %w", err)
		}
	}
	return nil
}

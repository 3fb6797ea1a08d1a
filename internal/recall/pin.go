package recall

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// PinAction is what is to be done with the pin of a record.
type PinAction struct {
	Ref    string
	As     string // "" unless the record is another's fact
	Remove bool
}

// Pin changes one pin and brings the graph in step. The error is fs.ErrNotExist
// when a record is not there.
func (s *Session) Pin(ctx context.Context, a PinAction) (memory.Pin, graph.Report, error) {
	var p memory.Pin
	var kinds []bool
	for _, r := range []struct {
		ref string
		to  *string
	}{{a.Ref, &p.Ref}, {a.As, &p.As}} {
		if r.ref == "" {
			continue
		}
		full, decision, err := s.recordRef(r.ref)
		if err != nil && (!a.Remove || full == "") {
			return p, graph.Report{}, err
		}
		*r.to = full
		kinds = append(kinds, decision)
	}
	if len(kinds) == 2 && kinds[0] != kinds[1] {
		return p, graph.Report{}, fmt.Errorf("%q and %q: a decision and an event are never the same fact", p.Ref, p.As)
	}
	o := s.opt.Graph
	unlock, err := s.LockFor(ctx, o)
	if err != nil {
		return p, graph.Report{}, err
	}
	defer unlock()
	pins := slices.DeleteFunc(s.Pins(), func(old memory.Pin) bool { return old.Ref == p.Ref })
	if !a.Remove {
		pins = append(pins, p)
	}
	if err := s.SavePins(pins); err != nil {
		return p, graph.Report{}, err
	}
	rep, _, err := track.Load(s.Memory).Update(ctx, o)
	if err != nil {
		return p, rep, fmt.Errorf("bring the graph in step: %w", err)
	}
	return p, rep, nil
}

// recordRef completes EPISODE#RECORD and tells whether it is a decision.
func (s *Session) recordRef(ref string) (full string, decision bool, err error) {
	name, record, ok := strings.Cut(ref, "#")
	if !ok {
		return "", false, fmt.Errorf("%q is not EPISODE#RECORD", ref)
	}
	id, err := s.Find(name)
	if err != nil {
		if _, _, valid := memory.SplitRef(ref); valid {
			full = ref // it can still be removed
		}
		return full, false, err
	}
	full = id + "#" + record
	ep, err := s.Load(id)
	if err != nil {
		return full, false, err
	}
	key, ok := causal.IdentityOf(ep, record)
	if !ok {
		return full, false, fmt.Errorf("%q: %w", full, fs.ErrNotExist)
	}
	return full, key.Decision, nil
}

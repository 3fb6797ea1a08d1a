package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// PinRequest assigns one record to a fact.
type PinRequest struct {
	Record string // EPISODE#RECORD
	As     string // same fact as this EPISODE#RECORD; "": its own
	Remove bool   // take the pin away: the words of the record decide again
}

// Pin is what was said by hand of one record.
type Pin struct {
	Record string `json:"record"`
	As     string `json:"as,omitempty"` // absent: alone
}

func (p Pin) text() string {
	if p.As == "" {
		return p.Record + ": alone"
	}
	return p.Record + ": as " + p.As
}

// PinAnswer is the pin that was changed, and what that did to the graph.
type PinAnswer struct {
	full
	Graph   *Change `json:"graph"`
	Pin     Pin     `json:"pin"`
	Removed bool    `json:"removed"`
}

// Text is the pin, and the change of the graph.
func (a *PinAnswer) Text(tokens int) string {
	text := a.Pin.text()
	if a.Removed {
		text = a.Pin.Record + ": by its words"
	}
	return term.Cut(text+"\n"+a.Graph.String(), tokens)
}

// Pin changes one pin and brings the graph up to date. The error is ErrNoRecord when a
// record is not there.
func (m *Memory) Pin(ctx context.Context, r PinRequest) (*PinAnswer, error) {
	p, err := m.pinOf(r)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrNoRecord, err)
	}
	if err != nil {
		return nil, err
	}
	change, _, err := m.change(ctx, func() error {
		pins := slices.DeleteFunc(m.folder.Pins(), func(old memory.Pin) bool { return old.Ref == p.Ref })
		if !r.Remove {
			pins = append(pins, p)
		}
		return m.folder.SavePins(pins)
	})
	if err != nil {
		return nil, err
	}
	return &PinAnswer{Pin: Pin{p.Ref, p.As}, Removed: r.Remove, Graph: change}, nil
}

// pinOf completes the references of a request.
func (m *Memory) pinOf(r PinRequest) (p memory.Pin, err error) {
	var kinds []bool
	for _, ref := range []struct {
		given string
		to    *string
	}{{r.Record, &p.Ref}, {r.As, &p.As}} {
		if ref.given == "" {
			continue
		}
		full, decision, err := m.recordRef(ref.given)
		if err != nil && (!r.Remove || full == "") {
			return p, err
		}
		*ref.to = full
		kinds = append(kinds, decision)
	}
	if len(kinds) == 2 && kinds[0] != kinds[1] {
		return p, fmt.Errorf("%q and %q: a decision and an event are never the same fact", p.Ref, p.As)
	}
	return p, nil
}

// recordRef completes EPISODE#RECORD and reports whether it is a decision.
func (m *Memory) recordRef(ref string) (full string, decision bool, err error) {
	name, record, ok := strings.Cut(ref, "#")
	if !ok {
		return "", false, fmt.Errorf("%q is not EPISODE#RECORD", ref)
	}
	id, err := m.find(name)
	if err != nil {
		if _, _, valid := memory.SplitRef(ref); valid {
			full = ref // it can still be removed
		}
		return full, false, err
	}
	full = id + "#" + record
	ep, err := m.Load(id)
	if err != nil {
		return full, false, err
	}
	key, ok := causal.IdentityOf(ep, record)
	if !ok {
		return full, false, fmt.Errorf("%q: %w", full, fs.ErrNotExist)
	}
	return full, key.Decision, nil
}

// PinsRequest asks for the pins of a memory.
type PinsRequest struct{}

// PinsAnswer lists the pins of a memory.
type PinsAnswer struct {
	Pins []Pin `json:"pins"`
}

// Pins lists what is pinned.
func (m *Memory) Pins(context.Context, PinsRequest) (*PinsAnswer, error) {
	a := &PinsAnswer{Pins: []Pin{}}
	for _, p := range m.folder.Pins() {
		a.Pins = append(a.Pins, Pin{plain.Line(p.Ref), plain.Line(p.As)})
	}
	return a, nil
}

// Text is one pin a line.
func (a *PinsAnswer) Text(tokens int) string {
	if a.Empty() {
		return term.Cut("nothing is pinned", tokens)
	}
	var lines []string
	for _, p := range a.Pins {
		lines = append(lines, p.text())
	}
	return term.Cut(strings.Join(lines, "\n"), tokens)
}

// Empty reports whether nothing is pinned.
func (a *PinsAnswer) Empty() bool { return len(a.Pins) == 0 }

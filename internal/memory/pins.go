package memory

import (
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

// Pin says by hand what a record means, where its words led it to a wrong node or
// past the right one.
type Pin struct {
	Ref string // EPISODE#RECORD
	As  string // EPISODE#RECORD: it is the same fact as this one; "": as no other
}

// pinsName is the file of pins, beside the episodes in git. It has a line for each
// record, sorted, so that two branches that each add some merge:
//
//	episode-2026-01-02-a#e003 alone
//	episode-2026-01-02-a#e004 as episode-2026-01-01-b#e001
//
// Of two lines for one record the last counts. Other lines say nothing.
const pinsName = "pins.txt"

func (p Pin) line() string {
	if p.As == "" {
		return p.Ref + " alone"
	}
	return p.Ref + " as " + p.As
}

// SplitRef splits EPISODE#RECORD.
func SplitRef(ref string) (id, record string, ok bool) {
	id, record, ok = strings.Cut(ref, "#")
	return id, record, ok && episode.ValidID(id) && record != "" && !strings.ContainsAny(record, "#> \t")
}

// Pins returns what is pinned, sorted.
func (m *Memory) Pins() []Pin { return parsePins(m.pinsText()) }

func (m *Memory) pinsText() string {
	info, err := m.top.Lstat(pinsName)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 16<<20 {
		return ""
	}
	data, err := m.top.ReadFile(pinsName)
	if err != nil {
		return ""
	}
	return string(data)
}

func parsePins(text string) []Pin {
	last := map[string]Pin{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 2 && f[1] == "alone":
			last[f[0]] = Pin{Ref: f[0]}
		case len(f) == 3 && f[1] == "as":
			last[f[0]] = Pin{Ref: f[0], As: f[2]}
		}
	}
	var pins []Pin
	for _, ref := range sortedKeys(last) {
		p := last[ref]
		_, _, ok := SplitRef(ref)
		if _, _, as := SplitRef(p.As); ok && (as || p.As == "") {
			pins = append(pins, p)
		}
	}
	return pins
}

// SavePins replaces what is pinned; the caller holds the lock and brings the graph
// in step afterwards.
func (m *Memory) SavePins(pins []Pin) error {
	var lines []string
	for _, p := range pins {
		lines = append(lines, p.line()+"\n")
	}
	slices.Sort(lines)
	if err := replace(m.top, pinsName, []byte(strings.Join(lines, "")), newFile, true); err != nil {
		return fmt.Errorf("write %q: %w", m.path(pinsName), cause(err))
	}
	return nil
}

// pinsDigest tells one state of the pins from another; "" when there are none.
func (m *Memory) pinsDigest() string {
	if text := m.pinsText(); text != "" {
		return Hash([]byte(text))
	}
	return ""
}

// pinned is the pins by episode.
type pinned map[string][]Pin

func (m *Memory) pinned() pinned {
	out := pinned{}
	for _, p := range m.Pins() {
		id, _, _ := SplitRef(p.Ref)
		out[id] = append(out[id], p)
	}
	return out
}

// hash is the hash of an episode as its pins make it: of its file, its pins, and
// the files of the episodes that these name.
func (ps pinned) hash(id string, files map[string]string) string {
	pins := ps[id]
	if len(pins) == 0 {
		return files[id]
	}
	var b strings.Builder
	b.WriteString(files[id])
	for _, p := range pins {
		other, _, _ := SplitRef(p.As)
		fmt.Fprintf(&b, "\n%s %s", p.line(), files[other])
	}
	return Hash([]byte(b.String()))
}

// apply gives the pinned records of an episode their identities. A pin whose
// record, or whose other record, is not there says nothing.
func (m *Memory) apply(ep *episode.Episode, pins []Pin) {
	for _, p := range pins {
		_, record, _ := SplitRef(p.Ref)
		if p.As == "" {
			if own, ok := causal.IdentityOf(ep, record); ok {
				causal.Assign(ep, record, own.Alone(p.Ref))
			}
			continue
		}
		id, other, _ := SplitRef(p.As)
		from, err := m.Load(id) // as its own words have it: pins do not lead on
		if err != nil {
			continue
		}
		if same, ok := causal.IdentityOf(from, other); ok {
			causal.Assign(ep, record, same)
		}
	}
}

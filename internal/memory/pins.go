package memory

import (
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// Pin is a person's decision on the identity of a record, for records whose words lead to a
// wrong node or miss the right one.
type Pin struct {
	Ref string // EPISODE#RECORD
	As  string // EPISODE#RECORD of the same fact, or ""
}

// pinsName is the file of pins, kept in git with the episodes. It has a line for each record,
// sorted, so that branches merge:
//
//	episode-2026-01-02-a#e003 alone
//	episode-2026-01-02-a#e004 as episode-2026-01-01-b#e001
//
// Of two lines for one record the last counts. Other lines have no effect.
const pinsName = "pins.txt"

// String is the line of the file of pins.
func (p Pin) String() string {
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

// Pins returns what is pinned in both parts, sorted.
func (m *Memory) Pins() []Pin { return parsePins(m.pinsText()) }

// SharedPins returns what is pinned in the shared part.
func (m *Memory) SharedPins() []Pin { return parsePins(pinsIn(m.top)) }

func (m *Memory) pinsText() string {
	var text strings.Builder
	for _, home := range m.homes() {
		text.WriteString(pinsIn(home))
	}
	return text.String()
}

func pinsIn(home *fsstore.Dir) string {
	data, err := home.ReadLarge(pinsName, 16<<20)
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
	for _, ref := range slices.Sorted(maps.Keys(last)) {
		p := last[ref]
		_, _, ok := SplitRef(ref)
		if _, _, as := SplitRef(p.As); ok && (as || p.As == "") {
			pins = append(pins, p)
		}
	}
	return pins
}

// SavePins replaces what is pinned; the caller holds the lock and brings the graph
// in step afterwards. A pin that names a private episode stays in the private part.
func (m *Memory) SavePins(pins []Pin) error {
	var lines [2][]string
	for _, p := range pins {
		part := 0
		if m.PinIsPrivate(p) {
			part = 1
		}
		lines[part] = append(lines[part], p.String()+"\n")
	}
	for i, home := range m.homes() {
		slices.Sort(lines[i])
		data := []byte(strings.Join(lines[i], ""))
		if len(data) == 0 && !home.Exists(pinsName) {
			continue
		}
		write := home.Write
		if i > 0 {
			write = home.WritePrivate
		}
		if err := write(pinsName, data); err != nil {
			return err
		}
	}
	return nil
}

// PinIsPrivate reports whether a pin names a private episode.
func (m *Memory) PinIsPrivate(p Pin) bool {
	for _, ref := range []string{p.Ref, p.As} {
		if id, _, ok := SplitRef(ref); ok && m.IsPrivate(id) {
			return true
		}
	}
	return false
}

// PinsDigest identifies a state of the pins; "" when there are none.
func (m *Memory) PinsDigest() string {
	if text := m.pinsText(); text != "" {
		return Hash([]byte(text))
	}
	return ""
}

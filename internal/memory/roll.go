package memory

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"slices"
)

// A roll lists the episode files that the graph was last brought to, each as the
// system told of it. With it an update finds what changed while it reads the
// folder, without an index of all files and without the graph's own list of them:
// the digest of the roll says whether the graph still holds just this set.
//
// It is derived like the index. What is not as it should be is no roll, and makes
// the next update look at everything.
//
// On disk it is rollMagic and parts, each with its length and checksum: the first
// lists all files in the order in which the folder gives them, so that both can be
// read side by side; the others what came after. A part begins with a rollHead in
// JSON, on a line.
type roll struct {
	head  rollHead
	base  []entryText
	later map[string]rollEntry // instead of what base says
	parts int                  // entries of all parts but the first
}

// rollHead says which graph holds the files of a roll, once a part is read.
type rollHead struct {
	Store  string `json:"store"`
	Digest string `json:"digest"` // graph.Report.Digest
	Pins   string `json:"pins,omitempty"`
}

// rollEntry is a file on a roll.
type rollEntry struct {
	id string
	rollStat
}

// rollStat is what must not have changed. Beside a Stat it has the time that no
// program can set.
type rollStat struct{ Size, ModTime, Touched int64 }

// Stats that no file has.
var (
	absent   = rollStat{Size: -1} // it is gone
	unproven = rollStat{Size: -2} // it is there, but must be read again
)

const (
	rollName  = "roll.bin"
	rollMagic = "episodes-roll 1\n"
)

var rollTable = crc32.MakeTable(crc32.Castagnoli)

// loadRoll reads the roll; nil when there is none.
func (m *Memory) loadRoll() *roll {
	data, ok := bytes.CutPrefix(m.ReadDerived(rollName), []byte(rollMagic))
	if !ok {
		return nil
	}
	r := &roll{later: map[string]rollEntry{}}
	for first := true; len(data) > 0; first = false {
		part, rest, ok := cutPart(data)
		if !ok || !r.add(part, first) {
			return nil
		}
		data = rest
	}
	if r.head.Store == "" {
		return nil
	}
	return r
}

// isOf reports whether there is a roll, of a store and pins.
func (r *roll) isOf(store, pins string) bool {
	return r != nil && r.head.Store == store && r.head.Pins == pins
}

func cutPart(data []byte) (part, rest []byte, ok bool) {
	if len(data) < 8 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint32(data)
	sum := binary.LittleEndian.Uint32(data[4:])
	if data = data[8:]; uint64(n) > uint64(len(data)) {
		return nil, nil, false
	}
	part, rest = data[:n], data[n:]
	return part, rest, crc32.Checksum(part, rollTable) == sum
}

func (r *roll) add(part []byte, first bool) bool {
	head, text, ok := bytes.Cut(part, []byte("\n"))
	r.head = rollHead{}
	if !ok || json.Unmarshal(head, &r.head) != nil {
		return false
	}
	if first {
		r.base = make([]entryText, 0, len(text)/48) // about what an entry takes
	}
	for len(text) > 0 {
		var e entryText
		if e, text, ok = cutEntry(text); !ok {
			return false
		}
		if first {
			r.base = append(r.base, e)
		} else {
			r.later[string(e.id())] = e.entry()
			r.parts++
		}
	}
	return true
}

// entryText is an entry as it is on disk: the length of the id in two bytes, size
// and times in eight bytes each, the id. Most are compared with a file and never
// needed otherwise.
type entryText []byte

const entryHead = 2 + 3*8

func cutEntry(text []byte) (e entryText, rest []byte, ok bool) {
	if len(text) < entryHead {
		return nil, nil, false
	}
	n := entryHead + int(binary.LittleEndian.Uint16(text))
	if n > len(text) {
		return nil, nil, false
	}
	return text[:n:n], text[n:], true
}

func (e entryText) id() []byte { return e[entryHead:] }

func (e entryText) stat() rollStat {
	number := func(at int) int64 { return int64(binary.LittleEndian.Uint64(e[at:])) }
	return rollStat{number(2), number(10), number(18)}
}

func (e entryText) entry() rollEntry { return rollEntry{string(e.id()), e.stat()} }

func appendEntry(b []byte, e rollEntry) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(e.id)))
	for _, v := range []int64{e.Size, e.ModTime, e.Touched} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return append(b, e.id...)
}

// settled reports whether a file was changed so long before a moment that a later
// change cannot look the same.
func (s rollStat) settled(noted int64) bool {
	for _, t := range []int64{s.ModTime, s.Touched} {
		if (Stat{ModTime: t}).settled(noted).ModTime == unsure {
			return false
		}
	}
	return true
}

// rollPart encodes a part. Files whose stats prove nothing yet are unproven.
func rollPart(head rollHead, entries []rollEntry, noted int64) ([]byte, error) {
	line, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b := append(make([]byte, 8, 8+len(line)+64*len(entries)), append(line, '\n')...)
	for _, e := range entries {
		switch {
		case len(e.id) > math.MaxUint16: // no file system has such names
		case e.rollStat == absent || e.settled(noted):
			b = appendEntry(b, e)
		default:
			b = appendEntry(b, rollEntry{e.id, unproven})
		}
	}
	if uint64(len(b)) > math.MaxUint32 {
		return nil, errors.New("too many episodes for a roll")
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-8))
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[8:], rollTable))
	return b, nil
}

// saveRoll writes a roll of all files; the caller holds the lock.
func (m *Memory) saveRoll(head rollHead, files []File, noted int64) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return a.at - b.at })
	entries := make([]rollEntry, len(files))
	for i, f := range files {
		entries[i] = f.onRoll()
	}
	part, err := rollPart(head, entries, noted)
	if err != nil {
		return err
	}
	return replace(m.derived, rollName, append([]byte(rollMagic), part...), newFile, false)
}

// rollSize is how long the roll is on disk; 0: there is none.
func (m *Memory) rollSize() int64 {
	info, err := m.derived.Lstat(rollName)
	if err != nil {
		return 0
	}
	return info.Size()
}

// dropRoll makes the next update look at everything.
func (m *Memory) dropRoll() error { return m.dropDerived(rollName) }

// extendRoll notes at the end of the roll what changed.
func (m *Memory) extendRoll(head rollHead, changed []rollEntry, noted int64) error {
	part, err := rollPart(head, changed, noted)
	if err != nil {
		return err
	}
	f, err := m.derived.OpenFile(rollName, os.O_WRONLY|os.O_APPEND, newFile)
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(part).WriteTo(f)
	return errors.Join(err, f.Close())
}

func (f File) onRoll() rollEntry { return rollEntry{f.ID, rollStat{f.Size, f.ModTime, f.touched}} }
func (l *look) onRoll() rollStat { return rollStat{l.Size, l.ModTime, l.touched} }

package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// indexVersion names the form of the index; another one is made anew.
const indexVersion = 2

// unsure stands for a time of change that proves nothing.
const unsure = -1

// clockTick is how far apart two changes of a file must be to show in its time.
// A file system without fractions of a second needs the longer one.
const (
	clockTick  = 12 * int64(time.Millisecond)
	coarseTick = 2 * int64(time.Second)
)

// Index remembers what was seen of logs, episodes and graph, so that what did
// not change is not read again. It is derived and local: a missing or broken
// index, or any line of it, costs time and nothing else.
//
// On disk it grows at its end: a line says what is known of a log or an episode,
// in place of any line before it. It is written anew when most of it is old.
type Index struct {
	Graph    GraphState
	Logs     map[string]LogEntry     // by absolute path, symlinks resolved
	Episodes map[string]EpisodeEntry // by id

	stored *Index      // as it is on disk; nil: write all
	lines  int         // on disk
	part   fs.FileInfo // of the file, when only a part of it was read
}

// LogEntry is what was seen of a log.
type LogEntry struct {
	Path string `json:"log"`
	Stat
	SHA256    string `json:"sha256"`
	Extractor string `json:"extractor"`
	Episode   string `json:"episode"`
	Counts
}

// Counts are the figures of an episode that a report gives.
type Counts struct {
	Outcome   string `json:"outcome"`
	Decisions int    `json:"decisions"`
	Events    int    `json:"events"`
	Links     int    `json:"links"`
	Lessons   int    `json:"lessons"`
}

// EpisodeEntry is what was seen of an episode file.
type EpisodeEntry struct {
	ID string `json:"episode"`
	Stat
	Touched int64  `json:"touched,omitempty"` // see look; 0: not known
	SHA256  string `json:"sha256"`            // of the file
	Source  string `json:"source,omitempty"`  // SHA-256 of the log it was made from
	Place   string `json:"place,omitempty"`   // of that log: see Names
	Start   string `json:"start,omitempty"`   // of the session, where a view had to know
}

// header begins what one writer wrote.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Written int64  `json:"written"` // nanoseconds
}

const indexFormat = "episodes-index"

// How lines begin.
const (
	headerPrefix  = `{"format"`
	logPrefix     = `{"log":`
	episodePrefix = `{"episode":`
	gonePrefix    = `{"gone_`
)

// gone is the line of a log or episode that is no longer known.
type gone struct {
	Log     string `json:"gone_log,omitempty"`
	Episode string `json:"gone_episode,omitempty"`
}

// LoadIndex reads the index; what cannot be read of it is left out.
func (m *Memory) LoadIndex() *Index {
	text := m.derivedText(indexName)
	l := m.indexLoader(strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		if !l.line(strings.TrimSuffix(line, "\n")) {
			break
		}
	}
	return l.done()
}

// LoadIndexOf reads what the index knows of some logs, by path, and of the episodes
// whose ids match. It saves the time to understand all lines, and cannot be asked
// about others; saved, it leaves them as they are.
func (m *Memory) LoadIndexOf(logs []string, match func(id []byte) bool) *Index {
	l := m.indexLoader(0)
	f := m.openDerived(indexName)
	if f == nil {
		return l.done()
	}
	defer f.Close()
	var err error
	if l.idx.part, err = f.Stat(); err != nil {
		return l.done()
	}
	wanted := wantedLines(logs, match)
	for in := bufio.NewReaderSize(f, 1<<18); ; {
		line, err := in.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull: // no line of ours is so long
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
			l.idx.lines++
		case !wanted(line):
			l.idx.lines++
		case !l.line(string(bytes.TrimSuffix(line, []byte("\n")))):
			return l.done()
		}
		if err != nil {
			break
		}
	}
	return l.done()
}

// isNewest reports whether a part of the index was read from what is on disk now.
func (m *Memory) isNewest(idx *Index) bool {
	if idx == nil || idx.part == nil {
		return false
	}
	now, err := m.derived.Lstat(indexName)
	return err == nil && os.SameFile(now, idx.part) && StatOf(now) == StatOf(idx.part)
}

// WholeIndex is the index on disk, with what a part of it says since.
func (m *Memory) WholeIndex(part *Index) *Index {
	whole := m.LoadIndex()
	if part.stored != nil {
		for path := range part.stored.Logs {
			delete(whole.Logs, path)
		}
		for id := range part.stored.Episodes {
			delete(whole.Episodes, id)
		}
	}
	maps.Copy(whole.Logs, part.Logs)
	maps.Copy(whole.Episodes, part.Episodes)
	whole.Graph = part.Graph
	return whole
}

// indexLoader takes the lines of an index.
type indexLoader struct {
	idx     *Index
	known   bool // the lines are in a form that this program knows
	written int64
}

func (m *Memory) indexLoader(lines int) *indexLoader {
	l := &indexLoader{idx: &Index{Logs: map[string]LogEntry{}, Episodes: make(map[string]EpisodeEntry, lines)}}
	l.idx.Graph, _ = m.GraphState()
	return l
}

// line takes the next line; false when the index is another program's.
func (l *indexLoader) line(line string) bool {
	l.idx.lines++
	switch {
	case strings.HasPrefix(line, headerPrefix):
		var h header
		err := json.Unmarshal([]byte(line), &h)
		l.known, l.written = err == nil && h.Format == indexFormat && h.Version == indexVersion, h.Written
		if !l.known {
			l.idx = &Index{Graph: l.idx.Graph, Logs: map[string]LogEntry{}, Episodes: map[string]EpisodeEntry{}}
			return false
		}
	case l.known:
		l.idx.add(line, l.written)
	}
	return true
}

func (l *indexLoader) done() *Index {
	if l.idx.part != nil || len(l.idx.Logs)+len(l.idx.Episodes) > 0 {
		l.idx.noteStored()
	}
	return l.idx
}

func (idx *Index) noteStored() {
	idx.stored = &Index{Logs: maps.Clone(idx.Logs), Episodes: maps.Clone(idx.Episodes)}
}

// derivedText reads a derived file; "" when that cannot be.
func (m *Memory) derivedText(name string) string { return string(m.ReadDerived(name)) }

func (idx *Index) add(line string, written int64) {
	if e, ok := readEpisodeLine(line); ok {
		e.Stat = e.Stat.settled(written)
		if (Stat{ModTime: e.Touched}).settled(written).ModTime == unsure {
			e.ModTime = unsure
		}
		idx.Episodes[e.ID] = e
		return
	}
	if strings.HasPrefix(line, logPrefix) {
		var e LogEntry
		if json.Unmarshal([]byte(line), &e) == nil && e.Path != "" {
			e.Stat = e.Stat.settled(written)
			idx.Logs[e.Path] = e
		}
		return
	}
	var g gone
	if json.Unmarshal([]byte(line), &g) == nil {
		delete(idx.Logs, g.Log)
		delete(idx.Episodes, g.Episode)
	}
}

// settled returns s, or an unsure stat when the file was changed so shortly
// before it was noted that a later change could look the same.
func (s Stat) settled(noted int64) Stat {
	tick := clockTick
	if s.ModTime%int64(time.Second) == 0 {
		tick = coarseTick
	}
	if s.ModTime+tick > noted {
		s.ModTime = unsure
	}
	return s
}

// SaveIndex writes what of the index is not on disk yet; the caller holds the lock.
func (m *Memory) SaveIndex(idx *Index, now time.Time) error {
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	if err := m.saveEntries(idx, now); err != nil {
		return fmt.Errorf("write %q: %w", m.path(derivedDir, indexName), cause(err))
	}
	return m.saveState(idx.Graph, now)
}

func (m *Memory) saveEntries(idx *Index, now time.Time) error {
	lines := idx.news()
	if idx.stored != nil && len(lines) == 0 {
		return nil
	}
	if idx.stored != nil && idx.lines+len(lines) <= idx.longest() {
		if m.writeIndex(lines, false, now) == nil {
			idx.lines += 2 + len(lines)
			idx.noteStored()
			return nil
		} // else it may be another user's, in a folder of ours
	}
	if idx.part != nil {
		return m.saveEntries(m.WholeIndex(idx).unstored(), now)
	}
	lines = idx.unstored().news()
	err := m.writeIndex(lines, true, now)
	if err == nil {
		idx.lines = 1 + len(lines)
		idx.noteStored()
	}
	return err
}

// unstored forgets what is on disk.
func (idx *Index) unstored() *Index {
	idx.stored = nil
	return idx
}

// longest is how many lines an index may have before it is written anew.
func (idx *Index) longest() int {
	if idx.part != nil { // Hold sees to it
		return math.MaxInt
	}
	return 2*(len(idx.Logs)+len(idx.Episodes)) + 100
}

func (m *Memory) writeIndex(lines []any, whole bool, now time.Time) error {
	var b bytes.Buffer
	if !whole {
		b.WriteByte('\n') // a writer that died may have left half a line
	}
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, line := range append([]any{header{indexFormat, indexVersion, now.UnixNano()}}, lines...) {
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	if whole {
		return replace(m.derived, indexName, b.Bytes(), newFile, false)
	}
	f, err := m.derived.OpenFile(indexName, os.O_WRONLY|os.O_APPEND, newFile)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}

// news lists the lines that are missing on disk.
func (idx *Index) news() []any {
	stored := idx.stored
	if stored == nil {
		stored = &Index{}
	}
	var lines []any
	for _, k := range changed(stored.Logs, idx.Logs) {
		if e, ok := idx.Logs[k]; ok {
			lines = append(lines, e)
		} else {
			lines = append(lines, gone{Log: k})
		}
	}
	for _, k := range changed(stored.Episodes, idx.Episodes) {
		if e, ok := idx.Episodes[k]; ok {
			lines = append(lines, e)
		} else {
			lines = append(lines, gone{Episode: k})
		}
	}
	return lines
}

// changed lists the keys whose values differ, sorted.
func changed[V comparable](before, now map[string]V) []string {
	var keys []string
	for k, v := range now {
		if old, ok := before[k]; !ok || old != v {
			keys = append(keys, k)
		}
	}
	for k := range before {
		if _, ok := now[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// Refresh brings the index in step with the episode files: files whose stat
// differs are read and hashed, entries of files that are gone are dropped. It
// returns the content hash of each file, and the files that cannot be read.
func (m *Memory) Refresh(idx *Index, files []File) (hashes map[string]string, unreadable map[string]error) {
	hashes, unreadable = make(map[string]string, len(files)), map[string]error{}
	for _, f := range files {
		e, ok := idx.Episodes[f.ID]
		if !ok || e.Stat != f.Stat || e.Touched != 0 && e.Touched != f.touched {
			data, err := m.Read(f.ID)
			if err != nil {
				unreadable[f.ID] = err
				delete(idx.Episodes, f.ID)
				continue
			}
			sum := Hash(data)
			if e.SHA256 != "" && sum != e.SHA256 {
				e.Source = "" // no longer what was noted: see the file itself
			}
			if sum != e.SHA256 {
				e.Start = ""
			}
			e.ID, e.Stat, e.Touched, e.SHA256 = f.ID, f.Stat, f.touched, sum
			idx.Episodes[f.ID] = e
		} else if f.open {
			// as it was, and readable
		} else if err := m.opens(f.ID); err != nil {
			unreadable[f.ID] = err
			delete(idx.Episodes, f.ID)
			continue
		}
		hashes[f.ID] = e.SHA256
	}
	for id := range idx.Episodes {
		if _, ok := hashes[id]; !ok {
			delete(idx.Episodes, id)
		}
	}
	for path, l := range idx.Logs {
		if _, ok := idx.Episodes[l.Episode]; !ok {
			delete(idx.Logs, path)
		}
	}
	return hashes, unreadable
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}

// Move follows an episode to its new id.
func (idx *Index) Move(from, to string) {
	if e, ok := idx.Episodes[from]; ok {
		e.ID, e.Stat, e.SHA256 = to, Stat{}, "" // its bytes are new
		idx.Episodes[to] = e
		delete(idx.Episodes, from)
	}
	for path, l := range idx.Logs {
		if l.Episode == from {
			l.Episode = to
			idx.Logs[path] = l
		}
	}
}

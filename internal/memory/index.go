package memory

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// indexVersion names the form of the index; another one is made anew.
const indexVersion = 1

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
type Index struct {
	Graph    GraphState
	Logs     map[string]LogEntry     // by absolute path, symlinks resolved
	Episodes map[string]EpisodeEntry // by id
}

// GraphState says which episode files the graph holds. It is empty while the
// graph is being written.
type GraphState struct {
	Store string `json:"store,omitempty"` // which graph
	Stats string `json:"stats,omitempty"` // StatDigest of the files given to it
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
	SHA256 string `json:"sha256"`           // of the file
	Source string `json:"source,omitempty"` // SHA-256 of the log it was made from
	Place  string `json:"place,omitempty"`  // of that log: see Names
}

// header is the first line; reading commands need no more than it.
type header struct {
	Format  string     `json:"format"`
	Version int        `json:"version"`
	Written int64      `json:"written"` // nanoseconds
	Graph   GraphState `json:"graph"`
}

const indexFormat = "episodes-index"

// LoadIndex reads the index; what cannot be read of it is left out.
func (m *Memory) LoadIndex() *Index {
	idx := &Index{Logs: map[string]LogEntry{}, Episodes: map[string]EpisodeEntry{}}
	m.readIndex(func(h header, lines *bufio.Scanner) {
		idx.Graph = h.Graph
		for lines.Scan() {
			idx.add(lines.Bytes(), h.Written)
		}
	})
	return idx
}

// GraphState reads only what the graph was last brought to, and when.
func (m *Memory) GraphState() (state GraphState, written int64) {
	m.readIndex(func(h header, _ *bufio.Scanner) { state, written = h.Graph, h.Written })
	return state, written
}

func (m *Memory) readIndex(use func(header, *bufio.Scanner)) {
	if m.derived == nil {
		return
	}
	if info, err := m.derived.Lstat(indexName); err != nil || !info.Mode().IsRegular() {
		return // opening a pipe would wait for its writer
	}
	f, err := m.derived.Open(indexName)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, 4096), 1<<20)
	var h header
	if lines.Scan() && json.Unmarshal(lines.Bytes(), &h) == nil && h.Format == indexFormat && h.Version == indexVersion {
		use(h, lines)
	}
}

func (idx *Index) add(line []byte, written int64) {
	if bytes.HasPrefix(line, []byte(`{"log"`)) {
		var e LogEntry
		if json.Unmarshal(line, &e) == nil && e.Path != "" {
			e.Stat = e.Stat.settled(written)
			idx.Logs[e.Path] = e
		}
		return
	}
	var e EpisodeEntry
	if json.Unmarshal(line, &e) == nil && e.ID != "" {
		e.Stat = e.Stat.settled(written)
		idx.Episodes[e.ID] = e
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

// SaveIndex writes the index; the caller holds the lock.
func (m *Memory) SaveIndex(idx *Index, now time.Time) error {
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	put := func(v any) error { return enc.Encode(v) }
	err := put(header{Format: indexFormat, Version: indexVersion, Written: now.UnixNano(), Graph: idx.Graph})
	for _, k := range sortedKeys(idx.Logs) {
		if err == nil {
			err = put(idx.Logs[k])
		}
	}
	for _, k := range sortedKeys(idx.Episodes) {
		if err == nil {
			err = put(idx.Episodes[k])
		}
	}
	if err == nil {
		err = replace(m.derived, indexName, b.Bytes(), newFile, false)
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", m.path(derivedDir, indexName), cause(err))
	}
	return nil
}

// StatDigest is one value for the names, sizes and times of all episode files.
// It is "" when a file changed so shortly before noted that a later change could
// look the same.
func StatDigest(files []File, noted int64) string {
	h := sha256.New()
	for _, f := range files {
		if f.Stat.settled(noted).ModTime == unsure {
			return ""
		}
		fmt.Fprintf(h, "%s %d %d\n", f.ID, f.Size, f.ModTime)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Refresh brings the index in step with the episode files: files whose stat
// differs are read and hashed, entries of files that are gone are dropped. It
// returns the content hash of each file, and the files that cannot be read.
func (m *Memory) Refresh(idx *Index, files []File) (hashes map[string]string, unreadable map[string]error) {
	hashes, unreadable = make(map[string]string, len(files)), map[string]error{}
	for _, f := range files {
		e, ok := idx.Episodes[f.ID]
		if !ok || e.Stat != f.Stat {
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
			e.ID, e.Stat, e.SHA256 = f.ID, f.Stat, sum
			idx.Episodes[f.ID] = e
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

// Package track knows which episode files the graph of a memory holds, and brings
// the graph in step with them.
//
// There is one record of it, the index, as git has one: a line of stat and hash for
// each episode file, what was seen of each log, and at its head the digest of the set
// that the graph was last brought to. There is one way to bring the graph in step:
// list all files, take the hashes of unchanged ones from the index, hash the others,
// and give the whole set to graph.Update, which finds the difference (update.go). A
// question that finds the head of the index in step with the folder opens the graph
// at once (instep.go). The head also names the segments of the index of retrieval, which
// whoever brings the graph in step makes (passages.go).
//
// The index is derived and local. A missing or broken one, or one that was not written
// here, costs time and nothing else: what it lacks is read again.
//
// The index also lists the files that a session was read from. Quotations find them there, and
// a change of one of them makes extract read the session again.
package track

import (
	"path/filepath"
	"time"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
)

// Index remembers what was seen of logs, episodes and graph, so that what did not
// change is not read again.
type Index struct {
	Logs     map[string]Log     // by absolute path, symlinks resolved
	Episodes map[string]Episode // by id

	m       *memory.Memory
	head    head
	authors *Origins     // of origins
	file    fsstore.Stat // of the index on disk; zero when there was none
	origins *brought     // of the last Set
}

// Log is what was seen of a log.
type Log struct {
	_ struct{} `cbor:",toarray"`
	fsstore.Stat
	SHA256        string
	Extractor     string // version of the rules that read it
	Episode       string // id of the episode that was made from it
	EpisodeSHA256 string // SHA-256 of the file of that episode, as it was left then
	Counts
	Parts []string // transcripts of sub-agents; Stat and SHA256 include them
	More  []Log    // the other sessions of its file
}

// Sessions are those of the log's file.
func (l Log) Sessions() []Log { return append([]Log{l}, l.More...) }

// Counts are the figures of an episode that a report gives.
type Counts struct {
	Outcome   episode.Outcome `json:"outcome"`
	Decisions int             `json:"decisions"`
	Events    int             `json:"events"`
	Links     int             `json:"links"`
	Lessons   int             `json:"lessons"`
}

// CountsOf are those of an episode.
func CountsOf(ep *episode.Episode) Counts {
	return Counts{ep.Outcome, len(ep.Decisions), len(ep.Events), len(ep.Links), len(ep.Lessons)}
}

// Episode is what was seen of an episode file.
type Episode struct {
	_ struct{} `cbor:",toarray"`
	fsstore.Stat
	SHA256 string // of the file
	Log    string // relative to the root, or absolute outside it; "" if not known
	Start  string // start of the session, see startOf
}

// head says what the graph was last brought to. But for Passages it is empty when that is not known.
type head struct {
	Store   string `json:"store"`             // URL of the graph
	Digest  string `json:"digest"`            // of the set that the graph holds: graph.Report.Digest
	Files   int    `json:"files"`             // number of episode files
	Stats   string `json:"stats"`             // digestOf the files, or ""
	Added   string `json:"added"`             // digestOf the folders of additions
	Folder  int64  `json:"folder"`            // change of their folder, in nanoseconds
	Private int64  `json:"private,omitempty"` // the same of that of the private part
	Before  string `json:"before,omitempty"`  // memory.View.Before
	Origins string `json:"origins,omitempty"` // Origins.state

	Passages Passages `json:"passages"`
}

// Load reads the index of a memory. It is empty where it cannot be read.
func Load(m *memory.Memory) *Index {
	x := &Index{m: m}
	x.file, _ = m.StatDerived(indexName)
	x.decode(m.ReadDerived(indexName, indexKey))
	if home := m.Home(); home != m.Location {
		x.adopt(home)
	}
	return x
}

// Memory is the memory whose index it is.
func (x *Index) Memory() *memory.Memory { return x.m }

// adopt takes from the index of the repository's home what x does not know of logs outside of the repository: in which
// working tree they were read is all the same.
func (x *Index) adopt(home memory.Location) {
	m, err := memory.Open(home)
	if err != nil {
		return
	}
	defer m.Close()
	var other Index
	other.decode(m.ReadDerived(indexName, indexKey))
	for path, l := range other.Logs {
		from, here := other.Episodes[l.Episode], x.Episodes[l.Episode]
		if x.Logs[path].Episode != "" || !filepath.IsAbs(from.Log) {
			continue
		}
		if here.SHA256 == "" {
			here = from
		}
		here.Log, x.Logs[path] = from.Log, l
		x.Episodes[l.Episode] = here
	}
}

// Authors says who brought the episodes that Set listed last.
func (x *Index) Authors() *Origins { return x.authors }

// Current reports whether no other process has written the index since x was loaded.
func (x *Index) Current() bool {
	now, ok := x.m.StatDerived(indexName)
	return ok && now == x.file && now.Proven(time.Now()) == now
}

// Save writes the index; the caller holds the lock.
func (x *Index) Save() error {
	if x.origins != nil && x.origins.changed && !x.origins.open {
		if err := x.origins.save(); err != nil {
			return err
		}
	}
	data, err := x.encode()
	if err != nil {
		return err
	}
	return x.m.WriteDerived(indexName, indexKey, data)
}

// read lists the episodes whose files are as a run of this user left them that read their logs.
func (x *Index) read() map[string]bool {
	out := map[string]bool{}
	for _, first := range x.Logs {
		for _, l := range first.Sessions() {
			if l.EpisodeSHA256 == x.Episodes[l.Episode].SHA256 {
				out[l.Episode] = true
			}
		}
	}
	return out
}

// onlyPlaces drops what was seen of files, and leaves where the logs of episodes are, with their parts.
func (x *Index) onlyPlaces() {
	logs, episodes := x.Logs, x.Episodes
	x.decode(nil)
	for id, e := range episodes {
		x.Episodes[id] = Episode{Log: e.Log}
	}
	for path, l := range logs {
		x.Logs[path] = Log{Episode: l.Episode, Parts: l.Parts}
	}
}

// Move follows an episode to its new id; sha256 is of its new file.
func (x *Index) Move(from, to, sha256 string) {
	if e, ok := x.Episodes[from]; ok {
		delete(x.Episodes, from)
		x.Episodes[to] = Episode{Log: e.Log, Start: e.Start}
	}
	for path, l := range x.Logs {
		if l.Episode == from {
			l.Episode, l.EpisodeSHA256 = to, sha256
			x.Logs[path] = l
		}
	}
}

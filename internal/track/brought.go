package track

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/corrections"
	"episodes/internal/gitdir"
	"episodes/internal/memory"
)

// brought is what Origins are made from. It is kept next to the index.
type brought struct {
	kept
	m       *memory.Memory
	prefix  string // of the root in the working tree of git, with a slash; "" for its top
	dir     string // likewise, of the memory; "" if it is elsewhere
	now     time.Time
	changed bool
	current func() bool // what is known is of what is checked out
}

// kept is what is on disk of it.
type kept struct {
	_     struct{} `cbor:",toarray"`
	Git   gitdir.History
	Slow  int64                    // when git last did not answer in time
	Files map[string]origin        // by episode
	Mine  map[string]bool          // digests of logs that were taken in here before git had them
	Store map[string]gitdir.Change // what came from a team's store, by digest of the episode's file
	// Counted is that of Index.
	Counted map[string][]string
}

// origin is what is kept of an episode.
type origin struct {
	_      struct{} `cbor:",toarray"`
	SHA256 string   // of its file
	Blob   string   // likewise, as git names it
	Log    string   // relative to the root; "" if it is elsewhere, or was here before git had it
	Own    bool     // this user's program wrote the file
}

func loadBrought(m *memory.Memory, now time.Time) *brought {
	b := newBrought(m, now)
	data := m.ReadDerived(memory.OriginsName, originsKey)
	if data == nil || decMode.Unmarshal(data, &b.kept) != nil {
		return nil
	}
	_, told := m.StatDerived(memory.OriginsTold)
	b.changed = !told
	b.find()
	return b
}

func newBrought(m *memory.Memory, now time.Time) *brought {
	return &brought{m: m, now: now, kept: kept{Files: map[string]origin{}, Mine: map[string]bool{}, Store: map[string]gitdir.Change{}, Counted: map[string][]string{}}}
}

// UpdateOrigins asks git who brought the files of a memory, and logs in some further places, which are
// relative to its root, and keeps the answer.
func UpdateOrigins(ctx context.Context, m *memory.Memory, logs []string, now time.Time) error {
	repo, found := gitdir.Find(m.Root)
	if !found || m.Bare || m.Local() != nil {
		return nil
	}
	o := loadBrought(m, now)
	kept := o != nil
	if !kept {
		o = newBrought(m, now)
	}
	prefix, err := filepath.Rel(repo.Top, m.Root)
	if err != nil || !filepath.IsLocal(prefix) {
		return nil
	}
	paths := slices.Clone(o.Git.Paths)
	add := func(name string) {
		if name = path.Join(filepath.ToSlash(prefix), name); filepath.IsLocal(name) && !within(paths, name) {
			paths = append(paths, name)
		}
	}
	if rel, inside := m.Inside(m.Dir); inside {
		add(rel)
	}
	for _, f := range o.Files {
		logs = append(logs, f.Log)
	}
	slices.Sort(logs)
	for _, log := range slices.Compact(logs) {
		if dir := path.Dir(log); dir != "." {
			add(dir)
		} else if log != "" {
			add(log)
		}
	}
	if now.Sub(time.Unix(o.Slow, 0)) < unaskedFor {
		return nil
	}
	started := time.Now()
	if !o.Git.Update(ctx, repo.Top, paths, now) && time.Since(started) >= gitdir.LongestAsked {
		o.Slow = now.Unix()
	}
	older := m.ReadDerivedHead(memory.OriginsTold, toldKey, int64(len(toldKey))+1) == nil
	if kept && !older && !o.Git.Asked() {
		return nil
	}
	if latest := loadBrought(m, now); latest != nil { // another process may have read logs meanwhile
		latest.Git, latest.Slow = o.Git, o.Slow
		o = latest
	}
	o.find()
	if !kept {
		o.before(ctx)
	}
	if older {
		if err := o.corrections(); err != nil {
			return err
		}
	}
	return o.save()
}

// before takes for this user's own what the graph had before origins were kept and git has not so: it was
// made by an older version, or by commands that ask git nothing.
func (o *brought) before(ctx context.Context) {
	in := o.m.Bind(memory.GraphOptions{Store: o.m.DefaultStore(), Options: graph.Options{LockTimeout: time.Nanosecond}})
	g, err := graph.Open(ctx, in.Store, in.Options)
	if err != nil {
		return
	}
	defer func() { _ = g.Close() }()
	entries, _ := g.Episodes()
	for _, e := range entries {
		data, _ := o.m.Read(e.ID)
		ep, err := o.m.Parse(e.ID, data)
		if err != nil || memory.Hash(data) != e.Hash {
			continue
		}
		if c, committed := o.Git.Files[o.dir+memory.EpisodeName(e.ID)]; !committed || c.Author != (gitdir.Author{}) && c.Blob != blobOf(data) {
			o.Files[e.ID] = origin{SHA256: e.Hash, Blob: blobOf(data), Own: true, Log: o.logOf(ep.Provenance.Source, true)}
		}
	}
}

// corrections takes for counted what an older version of the program, which signed few corrections, has put
// into an episode.
func (o *brought) corrections() error {
	ids, err := o.m.Corrected()
	for id := range ids {
		data, _ := o.m.Read(id)
		file, _ := o.m.Corrections(id, corrections.MaxBytes)
		ep, broken := o.m.Parse(id, data)
		if f := o.Files[id]; broken == nil && f.Own && f.SHA256 == memory.Hash(data) && strings.HasSuffix(ep.Provenance.Extractor, corrections.Mark(file)) {
			o.Counted[id] = append(o.Counted[id], memory.Hash(file))
		}
	}
	return err
}

// within reports whether a path is one of some paths, or below one.
func within(paths []string, name string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return gitdir.Below(p, name) })
}

func (o *brought) save() error {
	data, err := encMode.Marshal(o.kept)
	if err != nil {
		return fmt.Errorf("encode the origins: %w", err)
	}
	if err := o.m.KeepDerived(memory.OriginsName, originsKey, data); err != nil {
		return err
	}
	if data, err = encMode.Marshal(o.origins()); err != nil {
		return fmt.Errorf("encode the origins: %w", err)
	}
	return o.m.KeepDerived(memory.OriginsTold, toldKey, data)
}

// find finds the memory in the working tree.
func (o *brought) find() {
	o.prefix, o.dir = "", ""
	repo, found := gitdir.Find(o.m.Root)
	if !found {
		repo.Top = o.m.Root
	}
	if rel, err := filepath.Rel(repo.Top, o.m.Root); err == nil && rel != "." {
		o.prefix = filepath.ToSlash(rel) + "/"
	}
	o.current = sync.OnceValue(func() bool { return o.Git.Current(repo.Top) })
	if rel, inside := o.m.Inside(o.m.Dir); inside {
		o.dir = o.prefix + rel + "/"
	}
}

// origins computes when authors came first, and who brought each episode.
func (o *brought) origins() *Origins {
	out := &Origins{Head: o.Git.Head, Asked: o.dir != "" && len(o.Git.Files) > 0, IDs: slices.Sorted(maps.Keys(o.Files)), Commits: []change{{}},
		Fixes: map[string]fixed{}, Counted: o.Counted}
	people, commits, first := map[gitdir.Author]int32{}, map[gitdir.Change]int32{}, map[string]author{}
	of := func(c gitdir.Change, found bool) int32 {
		if !found {
			return 0
		}
		c.Blob = ""
		if n, known := commits[c]; known {
			return n
		}
		by, known := people[c.Author]
		if !known {
			by = int32(len(out.Authors))
			people[c.Author] = by
			out.Authors = append(out.Authors, author{Name: c.Author.Name, Email: c.Author.Email, User: slices.Contains(o.Git.Users, c.Author.Email)})
		}
		n := int32(len(out.Commits))
		commits[c] = n
		out.Commits = append(out.Commits, change{Commit: c.Commit, By: by, At: c.At, Came: c.Came, Order: int64(c.Order)})
		a, known := first[c.Author.Email]
		if !known {
			a = author{First: c.Came, Made: c.At, Once: c.Commit}
		}
		a.First, a.Made = min(a.First, c.Came), min(a.Made, c.At)
		if a.Once != c.Commit {
			a.Once = ""
		}
		first[c.Author.Email] = a
		return n
	}
	for _, id := range out.IDs {
		f, flags := o.Files[id], byte(0)
		stored, inStore := o.Store[f.SHA256]
		file, committed := o.Git.Files[o.dir+memory.EpisodeName(id)]
		committed = committed && (file.Blob == f.Blob || file.Author == gitdir.Author{})
		if f.Own {
			flags |= isOwn
		}
		if o.unasked(f) || !f.Own && !inStore && out.Asked && !committed { // nobody committed it as it is
			flags |= isFresh
		}
		log, logged := o.Git.Files[o.prefix+f.Log]
		if inStore {
			file = stored
		}
		out.Flags = append(out.Flags, flags)
		out.Logs = append(out.Logs, of(log, logged && f.Log != ""))
		out.Files = append(out.Files, of(file, inStore || committed && !f.Own))
	}
	for _, id := range o.corrected() {
		c := o.Git.Files[o.dir+memory.CorrectionsName(id)]
		f := fixed{Commit: of(c, true)}
		if c.Author != (gitdir.Author{}) {
			f.Blob = c.Blob
		}
		out.Fixes[id] = f
	}
	for i := range out.Authors {
		a := &out.Authors[i]
		a.First, a.Made, a.Once = first[a.Email].First, first[a.Email].Made, first[a.Email].Once
	}
	out.ready(o.m, o.now)
	return out
}

// corrected lists the episodes of whose corrections git has a file, sorted.
func (o *brought) corrected() (out []string) {
	for name := range o.Git.Files {
		if id, is := strings.CutSuffix(path.Base(name), path.Ext(name)); is && name == o.dir+memory.CorrectionsName(id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// see brings the origins in step with the files of a set. read are the episodes that runs of this user left so.
func (o *brought) see(s *Set, read map[string]bool) {
	gone := maps.Clone(o.Files)
	for _, e := range s.Whole {
		delete(gone, e.ID)
		from, written := o.m.Wrote(e.ID, e.Hash)
		mine := from == "" && (written || read[e.ID] || o.m.IsPrivate(e.ID))
		if f, known := o.Files[e.ID]; known && f.SHA256 == e.Hash && (f.Own || !mine) && !o.unasked(f) {
			continue
		}
		data := s.data[e.ID]
		if data == nil {
			data, _ = o.m.Read(e.ID)
		}
		ep, err := o.m.Parse(e.ID, data)
		if err != nil {
			continue
		}
		o.changed = true
		if from != "" {
			o.from(e.Hash, from)
		}
		o.Files[e.ID] = origin{SHA256: e.Hash, Blob: blobOf(data), Own: mine, Log: o.logOf(ep.Provenance.Source, mine)}
	}
	for id := range gone {
		delete(o.Files, id)
		delete(o.Counted, id)
		o.changed = true
	}
}

// logOf is the path of a log that git may have brought. What this user's program read before git had it
// stays the user's.
func (o *brought) logOf(source episode.Source, own bool) string {
	name := o.prefix + source.Path
	_, committed := o.Git.Files[name]
	if own && !committed && o.current() && within(o.Git.Paths, name) {
		o.Mine[source.SHA256] = true
	}
	if !filepath.IsLocal(source.Path) || o.Mine[source.SHA256] || !committed && !strings.Contains(source.Path, "/") {
		return ""
	}
	return source.Path
}

// unasked reports whether git may have a log that this user's program read and that it was not asked about yet.
func (o *brought) unasked(f origin) bool {
	_, committed := o.Git.Files[o.prefix+f.Log]
	return f.Own && f.Log != "" && !committed && within(o.Git.Paths, o.prefix+f.Log)
}

// UnknownPusher is the author of what a team's store had before it kept who pushed it. All of it is new until
// this author is trusted.
const UnknownPusher = "pushed by an earlier version"

// from notes that an episode came from a team's store, pushed by a login of it. What came first is as a clone.
func (o *brought) from(sha256, pusher string) {
	c := gitdir.Change{Author: gitdir.Author{Name: pusher, Email: "store:" + pusher}, At: o.now.Unix()}
	if len(o.Store) > 0 {
		c.Came = c.At
	}
	o.Store[sha256] = c
}

// blobOf names the content of a file as git does where lines end as git keeps them.
func blobOf(data []byte) string {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

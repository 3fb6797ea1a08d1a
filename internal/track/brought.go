package track

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/memory"
)

// brought is what Origins are made from. It is kept next to the index.
type brought struct {
	kept
	m       *memory.Memory
	now     time.Time
	changed bool
	open    bool                         // see Origins
	found   map[string][2]string         // of a folder: the working tree around it, and the path in that
	paths   map[string][]string          // of a working tree: what git is asked about
	staged  map[string]map[string]string // of a working tree: its index
}

// kept is what is on disk of it.
type kept struct {
	_     struct{}                  `cbor:",toarray"`
	Repos map[string]gitdir.History // by working tree
	Slow  int64                     // when git last did not answer in time
	Files map[string]origin         // by episode
	Mine  map[string]bool           // digests of logs that were taken in here before git had them
	Store map[string]gitdir.Change  // what came from a team's store, by digest of the episode's file
	// Forgot are the lines of the shared list of forgotten logs when it last had no new author, and this user's since.
	Forgot []string
}

// origin is what is kept of an episode.
type origin struct {
	_      struct{} `cbor:",toarray"`
	SHA256 string   // of its file
	Blob   string   // likewise, as git names it
	Log    string   // relative to the root; "" if it is elsewhere, or was here before git had it
	Own    bool     // this user's program wrote the file
	Loose  bool     // and git has the log, but no commit of HEAD as it was read; or git was not asked yet
}

// load reads what is kept of a memory, and asks git what is new since.
func load(m *memory.Memory, now time.Time) *brought {
	b := &brought{m: m, now: now, found: map[string][2]string{}, staged: map[string]map[string]string{}}
	data := m.ReadDerived(memory.OriginsName, originsKey)
	if data == nil || decMode.Unmarshal(data, &b.kept) != nil {
		b.kept, b.open = kept{Repos: map[string]gitdir.History{}, Files: map[string]origin{}, Mine: map[string]bool{},
			Store: map[string]gitdir.Change{}}, !asked(m)
	}
	_, told := m.StatDerived(memory.OriginsTold)
	b.changed = data == nil || !told
	b.ask()
	return b
}

// asked reports whether a memory is in a working tree, and git can be asked about it.
func asked(m *memory.Memory) bool {
	_, err := exec.LookPath("git")
	return err == nil && (gitdir.Top(m.Root) != "" || gitdir.Top(fsstore.Real(m.Dir)) != "")
}

// at is where a file is in the working tree around it, "" without one. Links in its path are followed.
func (b *brought) at(file string) (top, rel string) {
	dir := filepath.Dir(file)
	place, known := b.found[dir]
	if !known {
		real := fsstore.Real(dir)
		place[0] = gitdir.Top(real)
		if rel, err := filepath.Rel(place[0], real); err == nil {
			place[1] = filepath.ToSlash(rel)
		}
		b.found[dir] = place
	}
	return place[0], path.Join(place[1], filepath.Base(file))
}

// ask asks git about the memory, the project's file and the logs that are known, each in the repository that it is in.
func (b *brought) ask() {
	if b.open {
		return
	}
	files := []string{b.m.Dir, filepath.Join(b.m.Root, filepath.FromSlash(memory.ConfigName))}
	for id := range b.Files {
		if log := b.log(id); log != "" {
			if _, rel := b.at(log); strings.Contains(rel, "/") {
				log = filepath.Dir(log)
			}
			files = append(files, log)
		}
	}
	slices.Sort(files)
	b.paths = map[string][]string{}
	for top, h := range b.Repos {
		b.paths[top] = slices.Clone(h.Paths)
	}
	for _, file := range slices.Compact(files) {
		if top, rel := b.at(file); top != "" && !slices.ContainsFunc(b.paths[top], func(p string) bool { return gitdir.Below(p, rel) }) {
			b.paths[top] = append(b.paths[top], rel)
		}
	}
	for top, paths := range b.paths {
		h, started := b.Repos[top], time.Now()
		h.Late = top != gitdir.Top(b.m.Root) && top != gitdir.Top(fsstore.Real(b.m.Dir)) // a submodule, or a clone in this one
		if seen := h.Seen; !b.silent() {
			if !h.Update(context.Background(), top, paths, b.now) && time.Since(started) >= gitdir.LongestAsked {
				b.Slow = b.now.Unix()
			}
			b.changed = b.changed || h.Asked() || h.Seen != seen
		}
		b.Repos[top] = h
	}
}

// silent reports whether git did not answer in time a short while ago.
func (b *brought) silent() bool { return b.now.Sub(time.Unix(b.Slow, 0)) < unaskedFor }

// log is the path of an episode's log in this repository or one inside of it, "" of others.
func (b *brought) log(id string) string {
	if f := b.Files[id]; f.Log != "" {
		return filepath.Join(b.m.Root, filepath.FromSlash(f.Log))
	}
	return ""
}

// commit is the one that gave a file its content, as HEAD has it.
func (b *brought) commit(file string) (c gitdir.Change, committed bool) {
	if file != "" {
		top, rel := b.at(file)
		c, committed = b.Repos[top].Files[rel]
	}
	return c, committed
}

// isStaged reports whether git tracks a file otherwise than HEAD has it: nobody has committed it so.
func (b *brought) isStaged(file string) bool {
	top, rel := b.at(file)
	blob, tracked := b.index(top)[rel]
	return tracked && blob != b.Repos[top].Files[rel].Blob
}

// index is what git tracks of the files that it is asked about.
func (b *brought) index(top string) map[string]string {
	index, read := b.staged[top]
	if !read && top != "" {
		index = gitdir.Indexed(top, b.paths[top])
		b.staged[top] = index
	}
	return index
}

// holds reports whether git has files of a working tree that it is asked about, or cannot say so.
func (b *brought) holds(top string) bool {
	return len(b.Repos[top].Files)+len(b.index(top)) > 0 || b.index(top) == nil && top != "" && gitdir.Head(top) != ""
}

func (b *brought) save() error {
	data, err := encMode.Marshal(b.kept)
	if err != nil {
		return fmt.Errorf("encode the origins: %w", err)
	}
	if err := b.m.KeepDerived(memory.OriginsName, originsKey, data); err != nil {
		return err
	}
	if data, err = encMode.Marshal(b.authors()); err != nil {
		return fmt.Errorf("encode the origins: %w", err)
	}
	return b.m.KeepDerived(memory.OriginsTold, toldKey, data)
}

// authors computes when authors came first, and who brought each episode.
func (b *brought) authors() *Origins {
	out := &Origins{open: b.open, Heads: map[string]string{}, IDs: slices.Sorted(maps.Keys(b.Files)), Commits: []change{{}},
		Fixes: map[string]fixed{}, Added: map[string]int32{}}
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
			out.Authors = append(out.Authors, author{Name: c.Author.Name, Email: c.Author.Email})
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
	for top, h := range b.Repos {
		out.Heads[top] = h.Seen
	}
	top, dir := b.at(b.m.Dir)
	out.Outside = !b.holds(top)
	for _, id := range out.IDs {
		f, flags := b.Files[id], byte(0)
		stored, inStore := b.Store[f.SHA256]
		file, committed := b.commit(filepath.Join(b.m.EpisodesDir(), id+".json"))
		committed = committed && (file.Blob == f.Blob || file.Author == gitdir.Author{})
		if f.Own {
			flags |= isOwn
		}
		if f.Loose || !f.Own && !inStore && !out.Outside && !committed { // nobody committed it as it is
			flags |= isFresh
		}
		log, logged := b.commit(b.log(id))
		if inStore {
			file = stored
		}
		out.Flags = append(out.Flags, flags)
		out.Logs = append(out.Logs, of(log, logged))
		out.Files = append(out.Files, of(file, inStore || committed && !f.Own))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Repos[top].Files)) {
		if id, is := strings.CutSuffix(path.Base(name), path.Ext(name)); is && name == path.Join(dir, memory.CorrectionsName(id)) {
			c := b.Repos[top].Files[name]
			f := fixed{Commit: of(c, true)}
			if c.Author != (gitdir.Author{}) {
				f.Blob = c.Blob
			}
			out.Fixes[id] = f
		}
		if id, hash, is := memory.AdditionOf(strings.TrimPrefix(name, dir+"/")); is {
			out.Added[id+"/"+hash] = of(b.Repos[top].Files[name], true)
		}
	}
	list := filepath.Join(b.m.Dir, memory.ForgottenName)
	c, committed := b.commit(list)
	by := of(c, committed)
	for i := range out.Authors {
		a := &out.Authors[i]
		a.First, a.Made, a.Once = first[a.Email].First, first[a.Email].Made, first[a.Email].Once
	}
	out.ready(b.m, b.now)
	if !b.open {
		b.forgotten(!b.isStaged(list) && !out.fresh(by))
		out.Forgot = b.Forgot
	}
	return out
}

// forgotten brings the list of forgotten logs up to date: to the file, if that counts.
func (b *brought) forgotten(counts bool) {
	now := map[string]bool{}
	if counts {
		now = b.m.Forgotten(true)
	} else {
		for _, line := range slices.Concat(b.Forgot, b.m.Forgot()) {
			now[line] = true
		}
	}
	if lines := slices.Sorted(maps.Keys(now)); !slices.Equal(lines, b.Forgot) {
		b.Forgot, b.changed = lines, true
	}
}

// see brings the origins in step with the files of a set. x knows which of them runs of this user left so.
func (b *brought) see(s *Set, x *Index) {
	gone, read, digests := maps.Clone(b.Files), x.read(), map[string]string{}
	for _, e := range s.All {
		delete(gone, e.ID)
		from, written := b.m.Wrote(e.ID, e.Hash)
		_, stored := b.Store[e.Hash]
		mine := from == "" && (written || !stored && (read[e.ID] || b.m.IsPrivate(e.ID)))
		if f, known := b.Files[e.ID]; known && f.SHA256 == e.Hash && (f.Own || !mine) && !f.Loose {
			continue
		}
		data := s.data[e.ID]
		if data == nil {
			data, _ = b.m.Read(e.ID)
		}
		ep, err := b.m.Parse(e.ID, data)
		if err != nil {
			continue
		}
		b.changed = true
		if from != "" {
			b.from(e.Hash, from)
		}
		f := origin{SHA256: e.Hash, Blob: blobsOf(data)[0], Own: mine, Log: b.logOf(ep.Provenance.Source, x.Episodes[e.ID].Log)}
		if b.Files[e.ID] = f; mine && f.Log != "" {
			digests[e.ID] = ep.Provenance.Source.SHA256
		}
	}
	for id := range gone {
		delete(b.Files, id)
		b.changed = true
	}
	b.ask()
	b.judge(digests)
}

// logOf is the path of a log below the root. Of one that is elsewhere only the name is noted; read is where it was.
func (b *brought) logOf(source episode.Source, read string) string {
	if filepath.IsAbs(read) || !filepath.IsLocal(filepath.FromSlash(source.Path)) ||
		read == "" && !strings.Contains(source.Path, "/") && !isThere(filepath.Join(b.m.Root, source.Path)) {
		return ""
	}
	return source.Path
}

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// judge says whose the logs are that this user's program read now, given their digests by episode. What git does not
// have is this user's, also when git has it later. What HEAD has is its author's. What git has otherwise, staged,
// stashed or fetched, is nobody's until it is committed.
func (b *brought) judge(digests map[string]string) {
	unknown, names := map[string][]string{}, map[string][]string{} // episodes by working tree, contents by episode
	for id, digest := range digests {
		f, log := b.Files[id], b.log(id)
		top, _ := b.at(log)
		c, committed := b.commit(log)
		data, err := fsstore.ReadInput(log, maxLog)
		if err == nil {
			names[id] = blobsOf(data)
		}
		switch f.Loose = true; {
		case top == "" || b.Mine[digest]:
			f.Loose, f.Log = false, ""
		case b.Repos[top].Seen != gitdir.Head(top) || b.silent() || b.isStaged(log) || err != nil && isThere(log):
		case committed && slices.Contains(names[id], c.Blob):
			f.Loose = false
		default:
			unknown[top] = append(unknown[top], id)
		}
		b.Files[id] = f
	}
	for top, ids := range unknown {
		var all []string
		for _, id := range ids {
			all = append(all, names[id]...)
		}
		started := time.Now()
		has, answered := gitdir.Objects(context.Background(), top, all)
		if !answered && time.Since(started) >= gitdir.LongestAsked {
			b.Slow = b.now.Unix()
		}
		for _, id := range ids {
			f := b.Files[id]
			f.Loose = !answered || slices.ContainsFunc(names[id], func(name string) bool { return has[name] })
			if _, committed := b.commit(b.log(id)); !f.Loose && !committed {
				f.Log, b.Mine[digests[id]] = "", true
			}
			b.Files[id] = f
		}
	}
}

// maxLog is the size in bytes of the largest log that is compared with what git has.
const maxLog = 256 << 20

// from notes that an episode came from a team's store, pushed by a login of it, or from a transcript in git. What came first is as a clone.
func (b *brought) from(sha256, pusher string) {
	c := gitdir.Change{Author: gitdir.Author{Name: pusher, Email: "store:" + pusher}, At: b.now.Unix()}
	if len(b.Store) > 0 {
		c.Came = c.At
	}
	b.Store[sha256] = c
}

// blobsOf names the content of a file as git does: with the line ends that git keeps mostly, and as it is.
func blobsOf(data []byte) (out []string) {
	for _, data := range [][]byte{bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), data} {
		h := sha1.New()
		fmt.Fprintf(h, "blob %d\x00", len(data))
		h.Write(data)
		out = append(out, hex.EncodeToString(h.Sum(nil)))
	}
	return slices.Compact(out)
}

// ByUser reports whether a file of a repository is this user's: this user committed it last, git does not have it, or
// there is no git. m may be memory.Nowhere.
func ByUser(m *memory.Memory, file string, now time.Time) bool {
	b := load(m, now)
	top, _ := b.at(file)
	c, committed := b.commit(file)
	return !b.isStaged(file) && (!committed || slices.Contains(gitdir.UserOf(top).Emails, c.Author.Email))
}

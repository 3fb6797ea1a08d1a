package gitdir

import (
	"cmp"
	"context"
	"encoding/hex"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"episodes/internal/fsstore"
)

// Change is the newest commit that gave a file its content. The zero Author is not known: git did not say, or
// the clone is shallow.
type Change struct {
	_      struct{} `cbor:",toarray"`
	Commit string
	Author Author
	At     int64  // when it was committed, by its own account; Unix time
	Came   int64  // when HEAD here first had it; 0: it came with the clone, or it is the user's
	Order  int    // greater in later commits
	Blob   string // the content
}

// Author is who made a commit, by its own account.
type Author struct {
	_           struct{} `cbor:",toarray"`
	Name, Email string
}

// History has, for the files below some paths of a working tree, the commits that gave them their content.
type History struct {
	_     struct{}          `cbor:",toarray"`
	Head  string            // the commit up to which git answered
	Seen  string            // the one at which its index was compared last
	First string            // the first Head, without a reflog
	Paths []string          // relative to the top of the working tree, with slashes
	Files map[string]Change // likewise
	Last  int               // the greatest Order
	Came  map[string]int64  // when the commits of others came; this never changes
	Late  bool              // the clone itself came late: what it had at first came when it was asked first
	asked bool
}

// Asked reports whether git was asked since the history was read.
func (h *History) Asked() bool { return h.asked }

// Head returns the commit that is checked out in a working tree, without starting git; "" if it is
// not known.
func Head(top string) string {
	own := Folder(top)
	if own == "" {
		return ""
	}
	head := firstLine(filepath.Join(own, "HEAD"))
	if ref, symbolic := strings.CutPrefix(head, "ref: "); symbolic {
		if head = ""; !filepath.IsLocal(ref) {
			return ""
		}
		common := commonOf(own)
		if head = firstLine(filepath.Join(common, filepath.FromSlash(ref))); head == "" {
			lines(filepath.Join(common, "packed-refs"), func(line string) bool {
				hash, name, _ := strings.Cut(line, " ")
				if name == ref {
					head = hash
				}
				return head == ""
			})
		}
	}
	if !isHash(head) { // it becomes an argument of git
		return ""
	}
	return head
}

// commonOf is the folder of the repository that a working tree belongs to, of that of the working tree.
func commonOf(own string) string {
	if to := firstLine(filepath.Join(own, "commondir")); to != "" {
		return absolute(own, to)
	}
	return own
}

// Update brings a history to HEAD, by the commits that are new. git is not started where the index of git shows that
// no file changed. Where git cannot say, or does not in time, Update reports false: then files that are tracked and
// not known have a Change without an author. Without a program git nothing changes.
func (h *History) Update(ctx context.Context, top string, paths []string, now time.Time) bool {
	head, own := Head(top), Folder(top)
	fresh := slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(h.Paths, p) })
	common, shallow := commonOf(own), map[string]bool{}
	lines(filepath.Join(common, "shallow"), func(line string) bool { shallow[line] = true; return true })
	for _, c := range h.Files {
		fresh = fresh || c.Author == Author{} && !shallow[c.Commit] // git could not say before
	}
	_, err := exec.LookPath("git")
	if err != nil || head == "" && firstLine(filepath.Join(own, "HEAD")) != reftable || head != "" && head == h.Seen && !fresh {
		return err == nil && head != ""
	}
	tracked := indexed(own, paths)
	if !fresh && h.has(tracked) {
		h.Seen = head
		return true
	}
	if head != "" && h.ask(ctx, reading{top: top, head: head, own: own, common: common, paths: paths, shallow: shallow, tracked: tracked, now: now}, fresh) {
		return true
	}
	h.Seen, h.Paths, h.asked = head, paths, true
	if h.Files == nil {
		h.Files = map[string]Change{}
	}
	for name, blob := range tracked {
		if h.Files[name].Blob != blob {
			h.Files[name] = Change{Blob: blob, Came: now.Unix()}
		}
	}
	return false
}

// has reports whether the history has the files that git tracks, and no others.
func (h *History) has(tracked map[string]string) bool {
	return tracked != nil && maps.EqualFunc(h.Files, tracked, func(c Change, blob string) bool { return c.Blob == blob })
}

// reftable is what HEAD has where another file says what is checked out.
const reftable = "ref: refs/heads/.invalid"

// reading is what git is asked for.
type reading struct {
	top, head, own, common string
	paths                  []string
	shallow                map[string]bool
	tracked                map[string]string // blobs; nil: not known
	now                    time.Time
}

// ask asks git for the commits since Head or, with whole, for all.
func (h *History) ask(ctx context.Context, r reading, full bool) bool {
	ctx, cancel := context.WithTimeout(ctx, LongestAsked)
	defer cancel()
	git, done, ok := lend(ctx, r.common)
	if !ok {
		return false
	}
	defer done()
	log := func(revisions string) ([]commit, error) {
		text, err := git("", append([]string{"log", "-z", "--raw", "--no-abbrev", "--no-mailmap", "--find-renames=100%",
			"--diff-merges=combined", "--format=%x01%m%H%x00%an%x00%ae%x00%ct", revisions, "--"}, r.paths...)...)
		return readLog(text), err
	}
	if full = full || h.Head == ""; !full {
		commits, err := log(h.Head + "..." + r.head)
		undone := slices.ContainsFunc(commits, func(c commit) bool { return c.undone })
		if err == nil && !undone && h.take(git, r, commits, h.Head) {
			return true
		}
	}
	commits, err := log(r.head)
	if err == nil {
		h.take(git, r, commits, "")
	}
	return err == nil
}

// take makes a history of the commits since old, or of all, the newest first. It reports false where they do not
// have the content of a file that git tracks: that may be staged, or older than old.
func (h *History) take(git asker, r reading, commits []commit, old string) (complete bool) {
	next := History{Head: r.head, Seen: r.head, First: cmp.Or(h.First, r.head), Paths: r.paths, Files: map[string]Change{},
		Last: h.Last + len(commits), Came: h.Came, Late: h.Late, asked: true}
	next.came(git, r, commits, old)
	name := map[string]string{} // that files have now
	latest := map[string]Change{}
	add := func(path string, c Change) {
		blob, tracked := r.tracked[path]
		if _, known := next.Files[path]; !known && (c.Blob == blob || r.tracked == nil) {
			next.Files[path] = c
		}
		if _, known := latest[path]; !known && tracked {
			latest[path] = c
		}
	}
	for i, c := range commits {
		c.Order, c.Came = next.Last-i, next.Came[c.Commit]
		if r.shallow[c.Commit] {
			c.Author = Author{}
		}
		for _, f := range c.files {
			now := f.path
			if n, moved := name[f.path]; moved {
				now = n
			}
			if f.from != "" {
				name[f.from] = now
				continue
			}
			c.Blob = f.blob
			add(now, c.Change)
			delete(name, f.path) // an older file of this name is another one
		}
	}
	for path, c := range h.Files {
		if n, moved := name[path]; moved {
			path = n
		}
		if old != "" && c.Blob == r.tracked[path] || next.Files[path].Blob == c.Blob && c.Author != (Author{}) {
			next.Files[path] = c
		} else if old != "" {
			add(path, c)
		}
	}
	complete = true
	for path := range r.tracked {
		if _, found := next.Files[path]; !found {
			if complete = false; old != "" {
				return false
			}
			if c, found := latest[path]; found { // what is staged is of nobody yet
				next.Files[path] = c
			}
		}
	}
	*h = next
	return complete
}

// came notes when the commits of others came.
func (h *History) came(git asker, r reading, commits []commit, old string) {
	user := sync.OnceValue(func() []string { return UserOf(r.top).Emails })
	commits = slices.DeleteFunc(slices.Clone(commits), func(c commit) bool {
		_, known := h.Came[c.Commit]
		return known || !r.shallow[c.Commit] && slices.Contains(user(), c.Author.Email)
	})
	if len(commits) == 0 {
		return
	}
	h.Came = maps.Clone(h.Came)
	if h.Came == nil {
		h.Came = map[string]int64{}
	}
	log := r.reflog()
	at, cloned := func(string) int64 { return r.now.Unix() }, r.now.Unix()
	if !h.Late {
		at = h.arrivals(git, r, log, old)
	}
	if len(log) > 0 {
		cloned = log[0].at
	}
	for _, c := range commits {
		if h.Came[c.Commit] = at(c.Commit); r.shallow[c.Commit] { // what it shows may have come at any time
			h.Came[c.Commit] = max(at(c.Commit), cloned)
		}
	}
}

// commit is an entry of the log.
type commit struct {
	Change
	undone bool // HEAD does not have it any more
	files  []changed
}

// changed is a file that a commit gave its content or, with from, another name.
type changed struct{ path, from, blob string }

// readLog reads the output of git log --raw -z, the newest commit first. The fields of a commit are read by their
// place, so that none can pose as another commit.
func readLog(text string) (out []commit) {
	field := strings.Split(text, "\x00")
	for i := 0; i+1 < len(field); {
		meta := strings.Fields(field[i])
		hash, begins := strings.CutPrefix(field[i], "\x01")
		switch {
		case begins && i+3 < len(field):
			hash, undone := strings.CutPrefix(hash, "<")
			c := commit{Change: Change{Commit: strings.TrimPrefix(hash, ">"), Author: Author{Name: field[i+1], Email: field[i+2]}}, undone: undone}
			c.At, _ = strconv.ParseInt(field[i+3], 10, 64)
			out = append(out, c)
			i += 4
		case len(out) > 0 && len(meta) >= 5 && meta[0][0] == ':':
			c, status, f := &out[len(out)-1], meta[len(meta)-1], changed{path: field[i+1], blob: meta[len(meta)-2]}
			if i += 2; status[0] == 'R' && meta[0][1] != ':' && i < len(field) {
				f = changed{path: field[i], from: f.path}
				i++
			}
			if status[0] != 'D' {
				c.files = append(c.files, f)
			}
		default:
			i++
		}
	}
	return out
}

// arrivals returns when HEAD first had a commit since old, by its reflog. What HEAD and the branches of remotes had in
// the first state that the reflogs know came with the clone.
func (h *History) arrivals(git asker, r reading, log []move, old string) func(commit string) int64 {
	bases := []string{h.First}
	if len(log) > 0 {
		bases = append(atClone(r.common, log[0].at), cmp.Or(log[0].from, log[0].to))
	}
	args := []string{"rev-list", "--parents", "--ignore-missing", r.head}
	for _, base := range append(bases, old) {
		if isHash(base) {
			args = append(args, "^"+base)
		}
	}
	text, err := git("", args...)
	if err != nil {
		return func(string) int64 { return r.now.Unix() }
	}
	parents, came := map[string]string{}, map[string]int64{}
	for line := range strings.Lines(text) {
		hash, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		parents[hash] = rest
	}
	for _, m := range log {
		for todo := []string{m.to}; len(todo) > 0; {
			hash := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if before, there := parents[hash]; there && came[hash] == 0 {
				came[hash] = m.at
				todo = append(todo, strings.Fields(before)...)
			}
		}
	}
	return func(commit string) int64 {
		if _, since := parents[commit]; since && came[commit] == 0 {
			return r.now.Unix()
		}
		return came[commit]
	}
}

// mostBases is how many branches of remotes are looked at.
const mostBases = 500

// atClone lists what the branches of remotes were at a time. One that has no reflog has not changed since the clone.
func atClone(common string, at int64) (out []string) {
	now := map[string]string{}
	lines(filepath.Join(common, "packed-refs"), func(line string) bool {
		if hash, name, _ := strings.Cut(line, " "); strings.HasPrefix(name, "refs/remotes/") {
			now[name] = hash
		}
		return true
	})
	_ = fs.WalkDir(os.DirFS(common), "refs/remotes", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			now[name] = firstLine(filepath.Join(common, filepath.FromSlash(name)))
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(now)) {
		hash := now[name]
		for i, m := range reflog(common, filepath.FromSlash(name)) {
			switch {
			case m.at < at, m.at == at && i == 0 && m.from == "":
				hash = m.to
			case i == 0:
				hash = m.from // none, if it came later
			}
		}
		if isHash(hash) {
			out = append(out, hash)
		}
		if len(out) == mostBases {
			break
		}
	}
	return out
}

func isHash(s string) bool {
	_, err := hex.DecodeString(s)
	return s != "" && err == nil
}

// move is an entry of a reflog: what a reference was ("" before it was made) and became, and when.
type move struct {
	from, to string
	at       int64
}

// maxReflog is how much of a reflog is read, in bytes.
const maxReflog = 32 << 20

// reflog is that of HEAD, in this working tree and the main one.
func (r reading) reflog() []move {
	log := reflog(r.common, "HEAD")
	if r.own != r.common {
		log = append(log, reflog(r.own, "HEAD")...)
		if len(log) > 1 {
			slices.SortStableFunc(log[1:], func(a, b move) int { return int(a.at - b.at) })
		}
	}
	return log
}

// reflog reads that of a reference, the oldest entry first.
func reflog(git, ref string) (out []move) {
	in, err := fsstore.OpenInput("", filepath.Join(git, "logs", ref))
	if err != nil {
		return nil
	}
	defer in.Close()
	data, _ := io.ReadAll(io.LimitReader(in, maxReflog))
	for line := range strings.Lines(string(data)) {
		who, _, _ := strings.Cut(line, "\t")
		field := strings.Fields(who)
		if len(field) < 4 {
			continue
		}
		at, err := strconv.ParseInt(field[len(field)-2], 10, 64)
		if strings.Trim(field[0], "0") == "" {
			field[0] = ""
		}
		if err == nil {
			out = append(out, move{field[0], field[1], at})
		}
	}
	return out
}

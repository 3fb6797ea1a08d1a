package gitdir

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/internal/fsstore"
)

// Change is the newest commit that gave a file its content. The zero Author is not known.
type Change struct {
	_      struct{} `cbor:",toarray"`
	Commit string
	Author Author
	At     int64  // when it was committed, by its own account; Unix time
	Came   int64  // when HEAD here first had it; 0: it came with the clone, or it may be the user's
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
	Head  string            // the commit that it was made for
	Paths []string          // relative to the top of the working tree, with slashes
	Files map[string]Change // likewise
	Users []string          // e-mail addresses of the user, by the configuration of git
	Last  int               // the greatest Order
}

// Head returns the commit that is checked out in a working tree, without starting git; "" if it is
// not known.
func Head(top string) string {
	own := Folder(top)
	if own == "" {
		return ""
	}
	ref, symbolic := strings.CutPrefix(firstLine(filepath.Join(own, "HEAD")), "ref: ")
	if !symbolic || !filepath.IsLocal(ref) {
		return ref
	}
	common := commonOf(own)
	if head := firstLine(filepath.Join(common, filepath.FromSlash(ref))); head != "" {
		return head
	}
	head := ""
	lines(filepath.Join(common, "packed-refs"), func(line string) bool {
		hash, name, _ := strings.Cut(line, " ")
		if name == ref {
			head = hash
		}
		return head == ""
	})
	return head
}

// commonOf is the folder of the repository that a working tree belongs to, of that of the working tree.
func commonOf(own string) string {
	if to := firstLine(filepath.Join(own, "commondir")); to != "" {
		return absolute(own, to)
	}
	return own
}

// Update brings a history to HEAD, by the commits that are new. It reports false where git cannot say,
// or does not in time: then h is as before.
func (h *History) Update(ctx context.Context, top string, paths []string, now time.Time) bool {
	head, own := Head(top), Folder(top)
	fresh := slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(h.Paths, p) })
	if head == "" || head == h.Head && !fresh {
		return head != ""
	}
	common := commonOf(own)
	ctx, cancel := context.WithTimeout(ctx, LongestAsked)
	defer cancel()
	git, done, ok := lend(ctx, common)
	if !ok {
		return false
	}
	defer done()
	old := h.Head
	if _, err := git("merge-base", "--is-ancestor", old, head); fresh || old == "" || err != nil {
		old = ""
	}
	revisions := []string{head}
	if old != "" {
		revisions = append(revisions, "^"+old)
	}
	text, err := git(slices.Concat([]string{"log", "-z", "--raw", "--no-abbrev", "--no-mailmap", "--find-renames=100%",
		"--diff-merges=combined", "--format=%x01%H%x00%an%x00%ae%x00%ct"}, revisions, []string{"--"}, paths)...)
	if err != nil {
		return false
	}
	tree, err := git(slices.Concat([]string{"ls-tree", "-r", "-z", head, "--"}, paths)...)
	if err != nil {
		return false
	}
	blobs := map[string]string{} // a merge may have taken the older content
	for line := range strings.SplitSeq(tree, "\x00") {
		meta, name, _ := strings.Cut(line, "\t")
		blobs[name] = meta[strings.LastIndexByte(meta, ' ')+1:]
	}
	commits := readLog(text)
	next := History{Head: head, Paths: paths, Files: map[string]Change{}, Users: users(git, own, common), Last: h.Last + len(commits)}
	shallow := map[string]bool{}
	lines(filepath.Join(common, "shallow"), func(line string) bool { shallow[line] = true; return true })
	came := arrivals(git, own, common, revisions, next.foreign(commits), now)
	known := map[string]bool{} // by the names that files have now
	name := map[string]string{}
	for i, c := range commits { // the newest first
		c.Order, c.Came = next.Last-i, came(c.Commit, h.Head == "")
		if shallow[c.Commit] {
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
			if !known[now] && blobs[now] == f.blob {
				known[now], c.Blob = true, f.blob
				next.Files[now] = c.Change
			}
			delete(name, f.path) // an older file of this name is another one
		}
	}
	for path, c := range h.Files {
		if n, moved := name[path]; moved {
			path = n
		}
		if is, found := next.Files[path]; !found && old != "" || found && is.Blob == c.Blob {
			next.Files[path] = c
		}
	}
	*h = next
	return true
}

// foreign reports whether a commit is by somebody else: only of these it matters when they came.
func (h *History) foreign(commits []commit) bool {
	return slices.ContainsFunc(commits, func(c commit) bool { return !slices.Contains(h.Users, c.Author.Email) })
}

// commit is an entry of the log.
type commit struct {
	Change
	files []changed
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
			c := commit{Change: Change{Commit: hash, Author: Author{Name: field[i+1], Email: field[i+2]}}}
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

// users are the e-mail addresses that the user's configuration of git, and that of the repository, give.
func users(git asker, own, common string) []string {
	global, _ := git("of="+own, "config", "--global", "--includes", "--get-all", "user.email")
	out := append(strings.Fields(global), valuesOf(filepath.Join(common, "config"), "[user]", "email")...)
	return append(out, strings.Fields(os.Getenv("GIT_AUTHOR_EMAIL"))...)
}

// arrivals returns when HEAD first had a commit, by its reflog. Those in the first state that it
// knows came with the clone.
func arrivals(git asker, own, common string, revisions []string, matters bool, now time.Time) func(commit string, first bool) int64 {
	log := reflog(common)
	if own != common {
		log = append(log, reflog(own)...)
		if len(log) > 1 {
			slices.SortStableFunc(log[1:], func(a, b move) int { return int(a.at - b.at) })
		}
	}
	if len(log) == 0 || !matters {
		return func(_ string, first bool) int64 {
			if first || !matters {
				return 0
			}
			return now.Unix()
		}
	}
	base := log[0].to
	if strings.Trim(log[0].from, "0") != "" {
		base = log[0].from
	}
	text, err := git(append([]string{"rev-list", "--parents"}, append(revisions, "^"+base)...)...)
	if err != nil { // the first state is gone
		text, _ = git(append([]string{"rev-list", "--parents"}, revisions...)...)
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
	return func(commit string, _ bool) int64 {
		if _, since := parents[commit]; since && came[commit] == 0 {
			return now.Unix()
		}
		return came[commit]
	}
}

// move is an entry of a reflog: what HEAD was and became, and when.
type move struct {
	from, to string
	at       int64
}

// maxReflog is how much of a reflog is read, in bytes.
const maxReflog = 32 << 20

// reflog reads that of HEAD, the oldest entry first.
func reflog(git string) (out []move) {
	in, err := fsstore.OpenInput("", filepath.Join(git, "logs", "HEAD"))
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
		if err == nil {
			out = append(out, move{field[0], field[1], at})
		}
	}
	return out
}

package track

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"episodes/internal/gitdir"
	"episodes/internal/local"
	"episodes/internal/memory"
)

// Origins say who brought the episodes of a memory, and which are new: not reviewed by anybody, since
// their author is not known here. The zero value knows nobody: all is new. They are kept so that
// hooks need not read what they are made from, which takes longer; columns are decoded soonest.
type Origins struct {
	_           struct{}          `cbor:",toarray"`
	Heads       map[string]string // of each working tree, up to which git was asked
	Outside     bool              // git has nothing of the memory
	Authors     []author
	Commits     []change // the first is none
	IDs         []string // sorted
	Flags       []byte
	Logs, Files []int32          // the commits that brought the log and the episode of each
	Fixes       map[string]fixed // the files of corrections that git has, by episode
	Added       map[string]int32 // the commits that brought additions of others, by EPISODE/HASH
	Forgot      []string         // see kept

	m       *memory.Memory
	trust   local.Trust
	now     time.Time
	open    bool        // there is no git: nothing is kept apart, and all is this user's
	lenient bool        // the user wants that nothing is kept apart
	user    gitdir.User // by the configuration of git
}

// The flags of an episode.
const (
	isOwn = 1 << iota
	isFresh
)

// author is who made commits that brought something.
type author struct {
	_           struct{} `cbor:",toarray"`
	Name, Email string
	First       int64  // when the first of the address came; see gitdir.Change
	Made        int64  // likewise, when it was committed
	Once        string // the one commit of the address; "" of several
	user        bool
	trusted     bool
}

// fixed is a file of corrections.
type fixed struct {
	_      struct{} `cbor:",toarray"`
	Commit int32
	Blob   string // "" where its author is not known
}

// change is a gitdir.Change.
type change struct {
	_               struct{} `cbor:",toarray"`
	Commit          string
	By              int32 // of Authors
	At, Came, Order int64
}

// Origin is who brought an episode.
type Origin struct {
	Author string    // of its newest file; "" if it is this user, or not known
	At     time.Time // when it came here or, with the clone, was committed
	Commit string
	Order  int  // greater in later commits
	User   bool // it is this user's
	New    bool // its author is not known here
	Recent bool // the author came not long ago, and there are others
	Lately bool // it came in the days of quarantine
	Once   bool // all by the author came in one commit
	Own    bool // this user's program read the log
}

const (
	originsKey = "origins 4"
	toldKey    = "origins told 5"
	// longKnown is how many times the days of quarantine an author is named in short answers.
	longKnown = 4
	// unaskedFor is how long git is left alone after it did not answer in time.
	unaskedFor = time.Hour
)

// Kept reads what is kept, as hooks do, and asks nobody.
func Kept(m *memory.Memory, now time.Time) *Origins {
	o, data := &Origins{}, m.ReadDerived(memory.OriginsTold, toldKey)
	if data == nil || decMode.Unmarshal(data, o) != nil || !o.whole() {
		_, kept := m.StatDerived(memory.OriginsName)
		o = &Origins{open: errors.Is(m.Local(), memory.ErrNone) || !kept && !asked(m)}
	}
	o.ready(m, now)
	return o
}

// whole reports whether all that is kept fits together: the file may be damaged.
func (o *Origins) whole() bool {
	n := len(o.IDs)
	if len(o.Flags) != n || len(o.Logs) != n || len(o.Files) != n {
		return false
	}
	commit := func(i int32) bool { return i == 0 || 0 < i && int(i) < len(o.Commits) }
	for i := range n {
		if !commit(o.Logs[i]) || !commit(o.Files[i]) {
			return false
		}
	}
	for _, f := range o.Fixes {
		if !commit(f.Commit) {
			return false
		}
	}
	for _, c := range o.Added {
		if !commit(c) {
			return false
		}
	}
	for i, c := range o.Commits {
		if i > 0 && (c.By < 0 || int(c.By) >= len(o.Authors)) {
			return false
		}
	}
	return true
}

// LoadOrigins reads what is kept. Where nothing is, or a commit may have changed it, git is asked in this run.
func LoadOrigins(m *memory.Memory, now time.Time) *Origins {
	o := Kept(m, now)
	if !o.open && o.stale() {
		x := Load(m)
		if _, err := x.Set(); err == nil {
			return x.authors
		}
	}
	return o
}

// Ask asks git who brought the shared files of a memory; episodes are as they were listed last.
func Ask(m *memory.Memory, now time.Time) *Origins { return load(m, now).authors() }

// stale reports whether nothing is kept, or what nobody had committed may be committed since.
func (o *Origins) stale() bool {
	if o.Heads == nil {
		return true
	}
	for top, seen := range o.Heads {
		if gitdir.Head(top) != seen {
			return slices.ContainsFunc(o.Flags, func(f byte) bool { return f&isFresh != 0 })
		}
	}
	return false
}

func (o *Origins) ready(m *memory.Memory, now time.Time) {
	o.m, o.now, o.trust = m, now, local.ReadTrust()
	o.lenient = o.trust.Days <= 0
	for top := range o.Heads {
		u := gitdir.UserOf(top)
		o.user.Names, o.user.Emails = append(o.user.Names, u.Names...), append(o.user.Emails, u.Emails...)
	}
	for i := range o.Authors {
		a := &o.Authors[i]
		a.user, a.trusted = a.Email != "" && slices.Contains(o.user.Emails, a.Email), o.trust.Has(a.Name, a.Email)
	}
}

// Of returns the origin of an episode.
func (o *Origins) Of(id string) (is Origin) {
	if o.open {
		return Origin{User: true, Own: true}
	}
	n, found := slices.BinarySearch(o.IDs, id)
	if !found {
		private := o.m != nil && o.m.IsPrivate(id)
		return Origin{New: !o.lenient && !o.Outside && !private, Own: private}
	}
	is = o.origin(n, o.age(1), o.age(longKnown))
	is.New = is.New && !o.lenient
	return is
}

// origin is the origin of an episode, new or recent if its author came after these moments.
func (o *Origins) origin(n int, lately, recent int64) (is Origin) {
	is.Own, is.New = o.Flags[n]&isOwn != 0, o.Flags[n]&isFresh != 0
	is.User = !is.New
	named := false
	for _, n := range []int32{o.Logs[n], o.Files[n]} {
		if n == 0 {
			continue
		}
		c := &o.Commits[n]
		a := &o.Authors[c.By]
		fresh := o.since(c) >= lately
		is.User = is.User && a.user
		if !named && !a.user || fresh && !is.New {
			is.Author, is.Commit, is.Order = cmp.Or(a.Name, a.Email), c.Commit, int(c.Order)
			is.At = time.Unix(cmp.Or(c.Came, c.At), 0)
			is.Once = a.Once != ""
			is.Recent = max(o.since(c), a.Made) >= recent && slices.ContainsFunc(o.Authors, func(b author) bool { return b.Email != a.Email })
		}
		named = true
		is.New, is.Lately = is.New || fresh, is.Lately || !a.user && c.Came >= lately
	}
	return is
}

// since is when the author of a commit came first; 0 if that does not matter.
func (o *Origins) since(c *change) int64 {
	switch a := &o.Authors[c.By]; {
	case a.user || a.trusted:
		return 0
	case a.Email == "":
		return c.Came
	default:
		return a.First
	}
}

// apart reports whether the file of corrections of an episode, of which data are the bytes, is by an author who is new, or
// nobody has committed it so: then it is loose.
func (o *Origins) apart(id string, data []byte) (apart, loose bool) {
	if o.open || o.lenient || o.Outside || o.m != nil && o.m.IsPrivate(id) {
		return false, false
	}
	f, committed := o.Fixes[id]
	loose = !committed || f.Blob != "" && !slices.Contains(blobsOf(data), f.Blob)
	return loose || o.fresh(f.Commit), loose
}

// fresh reports whether the author of a commit is new.
func (o *Origins) fresh(commit int32) bool {
	return commit > 0 && !o.lenient && o.since(&o.Commits[commit]) >= o.age(1)
}

// Forgotten are the logs that must not be read unless the user names them, by those who are known.
func (o *Origins) Forgotten() map[string]bool {
	out := o.m.Forgotten(o.open)
	for _, line := range o.Forgot {
		out[line] = true
	}
	return out
}

// Aside is an author whose episodes are kept apart.
type Aside struct {
	Author   gitdir.Author // zero: nobody has committed them so, or it is not known
	Episodes int
	Maybe    bool // it may be this user, under an address of before
}

// Asides lists the authors whose episodes are kept apart. An author who has a name of this user's, or made most commits,
// may be this user.
func (o *Origins) Asides() (out []Aside) {
	commits, most := make([]int, len(o.Authors)), 0
	for _, c := range o.Commits[min(1, len(o.Commits)):] {
		commits[c.By]++
		most = max(most, commits[c.By])
	}
	at := map[gitdir.Author]int{}
	for n, id := range o.IDs {
		if !o.Of(id).New {
			continue
		}
		a, maybe := gitdir.Author{}, false
		for _, c := range []int32{o.Logs[n], o.Files[n]} {
			if by := o.Commits[c].By; o.fresh(c) {
				a = gitdir.Author{Name: o.Authors[by].Name, Email: o.Authors[by].Email}
				maybe = a.Email != "" && (slices.Contains(o.user.Names, a.Name) || commits[by] == most && 2*most > len(o.Commits)-1)
			}
		}
		if _, known := at[a]; !known {
			at[a] = len(out)
			out = append(out, Aside{Author: a, Maybe: maybe})
		}
		out[at[a]].Episodes++
	}
	return out
}

// age is the moment so many times the days of quarantine ago.
func (o *Origins) age(times int) int64 {
	return max(1, o.now.AddDate(0, 0, -times*o.trust.Days).Unix())
}

// each gives all episodes and their origins, sorted.
func (o *Origins) each(yield func(id string, is Origin) bool) {
	lately, recent := o.age(1), o.age(longKnown)
	for n, id := range o.IDs {
		if !yield(id, o.origin(n, lately, recent)) {
			return
		}
	}
}

// Several reports whether there are episodes of more than one author.
func (o *Origins) Several() bool {
	seen := map[Origin]bool{}
	for _, is := range o.each {
		if seen[Origin{Author: is.Author, Lately: is.Lately}] = true; len(seen) > 1 {
			return true
		}
	}
	return false
}

// Others reports whether there are episodes that are not this user's.
func (o *Origins) Others() bool {
	for _, is := range o.each {
		if !is.User {
			return true
		}
	}
	return false
}

// Fresh lists the episodes that are new, sorted.
func (o *Origins) Fresh() (out []string) {
	for id, is := range o.each {
		if is.New && !o.lenient {
			out = append(out, id)
		}
	}
	return out
}

// state is a value that changes when other episodes are new.
func (o *Origins) state() string {
	if o.open {
		return ""
	}
	var heads strings.Builder
	for _, top := range slices.Sorted(maps.Keys(o.Heads)) {
		heads.WriteString(o.Heads[top] + "\n")
	}
	var aside []string // the additions
	for name, c := range o.Added {
		if o.fresh(c) {
			aside = append(aside, name)
		}
	}
	slices.Sort(aside)
	return memory.Hash([]byte(heads.String() + strings.Join(slices.Concat(o.Fresh(), aside), "\n")))
}

package track

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"episodes/internal/gitdir"
	"episodes/internal/local"
	"episodes/internal/memory"
)

// Origins say who brought the episodes of a memory, and which are new: not reviewed by anybody, since
// their author is not known here. A nil *Origins knows nothing, and takes all for known. They are kept so that
// hooks need not read what they are made from, which takes longer; columns are decoded soonest.
type Origins struct {
	_           struct{} `cbor:",toarray"`
	Head        string   // up to which git answered
	Asked       bool     // the memory is in a working tree whose files are known
	Authors     []author
	Commits     []change // the first is none
	IDs         []string // sorted
	Flags       []byte
	Logs, Files []int32             // the commits that brought the log and the episode of each
	Fixes       map[string]fixed    // the files of corrections that git has, by episode
	Counted     map[string][]string // see Index

	m     *memory.Memory
	trust local.Trust
	now   time.Time
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
	User        bool
	First       int64  // when the first of the address came; see gitdir.Change
	Made        int64  // likewise, when it was committed
	Once        string // the one commit of the address; "" of several
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
	originsKey = "origins 2"
	toldKey    = "origins told 3"
	// longKnown is how many times the days of quarantine an author is named in short answers.
	longKnown = 4
	// unaskedFor is how long git is left alone after it did not answer in time.
	unaskedFor = time.Hour
)

// LoadOrigins reads what is kept; nil if nothing is.
func LoadOrigins(m *memory.Memory, now time.Time) *Origins {
	if data, o := m.ReadDerived(memory.OriginsTold, toldKey), (&Origins{}); data != nil && decMode.Unmarshal(data, o) == nil {
		o.ready(m, now)
		return o
	}
	if b := loadBrought(m, now); b != nil {
		return b.origins()
	}
	return nil
}

func (o *Origins) ready(m *memory.Memory, now time.Time) {
	o.m, o.now, o.trust = m, now, local.ReadTrust()
	for i := range o.Authors {
		o.Authors[i].trusted = o.trust.Has(o.Authors[i].Name, o.Authors[i].Email)
	}
}

// Of returns the origin of an episode.
func (o *Origins) Of(id string) (is Origin) {
	if o == nil {
		return Origin{User: true}
	}
	n, found := slices.BinarySearch(o.IDs, id)
	if !found {
		return Origin{New: o.trust.Days > 0 && o.Asked && !o.m.IsPrivate(id)}
	}
	is = o.origin(n, o.age(1), o.age(longKnown))
	is.New = is.New && o.trust.Days > 0
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
		is.User = is.User && a.User
		if !named && !a.User || fresh && !is.New {
			is.Author, is.Commit, is.Order = cmp.Or(a.Name, a.Email), c.Commit, int(c.Order)
			is.At = time.Unix(cmp.Or(c.Came, c.At), 0)
			is.Once = a.Once != ""
			is.Recent = max(o.since(c), a.Made) >= recent && slices.ContainsFunc(o.Authors, func(b author) bool { return b.Email != a.Email })
		}
		named = true
		is.New, is.Lately = is.New || fresh, is.Lately || !a.User && c.Came >= lately
	}
	return is
}

// since is when the author of a commit came first; 0 if that does not matter.
func (o *Origins) since(c *change) int64 {
	switch a := &o.Authors[c.By]; {
	case a.User || a.trusted:
		return 0
	case a.Email == "store:"+UnknownPusher:
		return math.MaxInt64
	case a.Email == "":
		return c.Came
	default:
		return a.First
	}
}

// Apart reports whether the corrections of an episode, of which data is the file, are by an author who is new, or
// nobody has committed them so. known reports which count nevertheless, by the user's mark on them and who says them.
func (o *Origins) Apart(id string, data []byte) (apart bool, known func(mark, by string) bool) {
	if o == nil || o.trust.Days <= 0 || !o.Asked || o.m.IsPrivate(id) {
		return false, nil
	}
	if slices.Contains(o.Counted[id], memory.Hash(data)) {
		return false, nil
	}
	f, committed := o.Fixes[id]
	loose := !committed || f.Blob != "" && f.Blob != blobOf(data)
	return loose || o.since(&o.Commits[f.Commit]) >= o.age(1), func(mark, by string) bool {
		return slices.Contains(o.Counted[id], mark) || loose && o.trust.Has(by, "")
	}
}

// Owned reports whether this user's program read the log of an episode, which is so for all where there is no
// git. o are the origins of m, or nil.
func Owned(m *memory.Memory, o *Origins) func(id string) bool {
	if o != nil {
		return func(id string) bool { return o.Of(id).Own }
	}
	_, found := gitdir.Find(m.Root)
	return func(id string) bool { return !found || m.IsPrivate(id) }
}

// age is the moment so many times the days of quarantine ago.
func (o *Origins) age(times int) int64 {
	return max(1, o.now.AddDate(0, 0, -times*o.trust.Days).Unix())
}

// each gives all episodes and their origins, sorted.
func (o *Origins) each(yield func(id string, is Origin) bool) {
	if o == nil {
		return
	}
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

// Fresh lists the episodes that are new, sorted.
func (o *Origins) Fresh() (out []string) {
	for id, is := range o.each {
		if is.New && o.trust.Days > 0 {
			out = append(out, id)
		}
	}
	return out
}

// state is a value that changes when other episodes are new.
func (o *Origins) state() string {
	if o == nil {
		return ""
	}
	return memory.Hash([]byte(o.Head + "\n" + strings.Join(o.Fresh(), "\n")))
}

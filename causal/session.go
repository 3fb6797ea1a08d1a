package causal

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"episodes/episode"
)

// Print is the fingerprint by which episodes of one session are found, see SameSession.
type Print struct {
	_       struct{} `cbor:",toarray"`
	Content [16]byte // digest of what it says but the time
	Log     [16]byte // digest of the digest of its log; zero when it names none
	Session [16]byte // digest of the session's own id, or zero
	Time    string   // RFC 3339 in UTC to the second, or ""
	Size    int      // records and links
	Facts   []uint64 // hashes of what it says in words, sorted; see factsOf
}

// The thresholds of near copies. Days are ignored, since they are as easily changed in a copy
// as names. Of 440 real logs of distinct sessions, no two with so many facts have a
// similarity above 0.29; of 984 real episodes, none is joined to another that only the day
// had separated.
const (
	NearFacts = 5   // facts that each of them has at least
	NearShare = 0.6 // of the facts of either, those that both have (Jaccard index)

	midnight = "T00:00:00Z" // of a log that gives a day only

	factWords = 4   // shorter texts ("All tests pass") recur in any session
	mostFacts = 256 // of a longer episode those with the smallest hashes
)

// PrintOf returns the print of an episode.
func PrintOf(ep *episode.Episode) Print {
	src := ep.Provenance.Source
	c := *ep
	c.ID, c.Session, c.Timestamp, c.Provenance = "", "", "", episode.Provenance{}
	if src.SHA256 != "" {
		c.Provenance.Extractor = "read from a log" // what is not is weighed otherwise, see OfOlderTool
	}
	data, err := episode.Marshal(&c)
	if err != nil { // never read from a file
		data, _ = json.Marshal(ep.ID)
	}
	p := Print{Content: short(string(data)),
		Size: len(ep.Decisions) + len(ep.Events) + len(ep.Lessons) + len(ep.Links), Facts: factsOf(ep)}
	if src.SHA256 != "" {
		p.Log = short(src.SHA256)
	}
	if src.Session != "" {
		p.Session = short(strings.ToLower(src.Session))
	}
	if t, ok := ep.Time(); ok {
		p.Time = t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return p
}

func short(parts ...string) (d [16]byte) {
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	copy(d[:], h[:])
	return d
}

// factsOf hashes the decisions, events and lessons of an episode that have at least
// factWords words, without regard to case and punctuation.
func factsOf(ep *episode.Episode) (facts []uint64) {
	add := func(text string) {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		if len(words) >= factWords {
			h := short(words...)
			facts = append(facts, binary.BigEndian.Uint64(h[:]))
		}
	}
	for i := range ep.Decisions {
		add(ep.Decisions[i].Chosen)
	}
	for i := range ep.Events {
		add(ep.Events[i].Content)
	}
	for _, l := range ep.Lessons {
		add(l)
	}
	slices.Sort(facts)
	facts = slices.Compact(facts)
	return facts[:min(len(facts), mostFacts)]
}

// SameSession reports whether two episodes are of one session:
//
//   - their logs name one session id, or are the same bytes; or
//   - they are exact copies: they have the same content and start at the same known time
//     (without a time, equal content may come from different sessions); or
//   - they are near copies: at least NearFacts facts each, of which at least NearShare
//     are the same.
//
// Two that name different session ids are of two sessions, unless they are near copies that start in the same
// second: a chat that was forked begins with a copy.
//
// This guards against accidents, not against malice: the author of a log chooses its words,
// name and date.
func (p Print) SameSession(q Print) bool {
	var none [16]byte
	if p.Session != none && q.Session != none {
		return p.Session == q.Session || p.Time != "" && p.Time == q.Time &&
			!strings.HasSuffix(p.Time, midnight) && alike(p.Facts, q.Facts)
	}
	if p.Log == q.Log && p.Log != none {
		return true
	}
	if p.Content == q.Content && p.Time == q.Time && (p.Time != "" || p.Log == q.Log) {
		return true
	}
	return alike(p.Facts, q.Facts)
}

// alike reports whether two sorted sets of facts are those of near copies.
func alike(a, b []uint64) bool {
	if min(len(a), len(b)) < NearFacts {
		return false
	}
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch c := cmp.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) >= NearShare*float64(len(a)+len(b)-both)
}

// A Mark is what episodes of one session share, so that they find each other.
type Mark [16]byte

// Bands of MinHash values (Broder 1997; banding: Leskovec, Rajaraman and Ullman, Mining
// of Massive Datasets, 3.4). Near copies with a Jaccard index s share a band with
// probability 1-(1-s^bandRows)^bands: 0.93 at 0.6, 0.998 at 0.8.
const (
	bands    = 6
	bandRows = 2
)

// Marks returns the marks of an episode. Two episodes of one session share one, but for
// the few near copies that no band finds; two that share one need not be of one session.
func (p Print) Marks() []Mark {
	var none [16]byte
	var out []Mark
	if p.Session != none {
		out = append(out, short("session", string(p.Session[:])))
	}
	if p.Log != none {
		out = append(out, short("log", string(p.Log[:])))
	}
	if p.Time != "" || p.Log == none {
		out = append(out, short("time", string(p.Content[:]), p.Time))
	}
	if len(p.Facts) < NearFacts {
		return out
	}
	for band := range uint64(bands) {
		key := binary.BigEndian.AppendUint64([]byte("near"), band)
		for row := range uint64(bandRows) {
			seed := mix(band*bandRows + row + 1)
			least := mix(p.Facts[0] ^ seed)
			for _, f := range p.Facts[1:] {
				least = min(least, mix(f^seed))
			}
			key = binary.BigEndian.AppendUint64(key, least)
		}
		out = append(out, short(string(key)))
	}
	return out
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Votes maps every episode of a set to the one that counts for its session: itself, or
// the oldest of those of its session; of one time the one that says most, then the first
// by id. Those without a time come last. SameSession is taken as transitive.
func Votes(set map[string]Print) map[string]string {
	ids := make([]string, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, y := set[a], set[b]
		return cmp.Or(order(x.Time == "")-order(y.Time == ""), strings.Compare(x.Time, y.Time),
			cmp.Compare(y.Size, x.Size), strings.Compare(a, b))
	})
	sessions := newSessions(len(ids))
	marked := map[Mark][]int{}
	for i, id := range ids {
		p := set[id]
		for _, m := range p.Marks() {
			double := false
			for _, j := range marked[m] {
				q := set[ids[j]]
				if sessions.of(i) != sessions.of(j) && p.SameSession(q) {
					sessions.join(i, j)
				}
				double = double || p.Content == q.Content && p.Time == q.Time && p.Session == q.Session
			}
			if !double { // or copies would take quadratic time
				marked[m] = append(marked[m], i)
			}
		}
	}
	out := make(map[string]string, len(ids))
	for i, id := range ids {
		out[id] = ids[sessions.of(i)]
	}
	return out
}

// sessions are disjoint sets of numbers, each known by its least one.
type sessions []int

func newSessions(n int) sessions {
	s := make(sessions, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sessions) of(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sessions) join(i, j int) {
	i, j = s.of(i), s.of(j)
	s[max(i, j)] = min(i, j)
}

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

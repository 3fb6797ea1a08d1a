package causal

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"episodes/episode"
)

// Print tells exact copies of an episode from other episodes. Two episodes are copies
// of each other when they say the same, whatever their names: all records, texts,
// links, outcomes and figures are equal, and either they start at the same known time
// or their logs have the same bytes. The second is needed since the time of a log that
// gives none is that of its file's name, which a copy changes.
//
// This bounds accidents and laziness, not malice: a log that differs in one word is no
// copy, and whoever writes logs can date them as he likes.
type Print struct {
	_       struct{} `cbor:",toarray"`
	Content [16]byte // digest of what it says but the time
	Log     [16]byte // digest of the digest of its log; zero when it names none
	Time    string   // start of the session, RFC 3339 in UTC to the second, or ""
}

// PrintOf returns the print of an episode.
func PrintOf(ep *episode.Episode) Print {
	log := ep.Provenance.Source.SHA256
	c := *ep
	c.ID, c.Session, c.Timestamp, c.Provenance = "", "", "", episode.Provenance{}
	if log != "" {
		c.Provenance.Extractor = "read from a log" // what is not is weighed otherwise, see OfOlderTool
	}
	data, err := episode.Marshal(&c)
	if err != nil { // it holds what JSON cannot, so it was never read from a file
		data, _ = json.Marshal(ep.ID)
	}
	p := Print{Content: short(data)}
	if log != "" {
		p.Log = short([]byte(log))
	}
	if t, ok := ep.Time(); ok {
		p.Time = t.UTC().Format("2006-01-02T15:04:05Z")
	}
	return p
}

func short(data []byte) (d [16]byte) {
	h := sha256.Sum256(data)
	copy(d[:], h[:])
	return d
}

// Votes maps every episode of a set to the one that counts for it: itself, or the one
// of its copies that is the oldest, then the first by id; those without a time come last.
// Copies of one episode are copies of each other.
func Votes(set map[string]Print) map[string]string {
	ids := make([]string, 0, len(set))
	for id := range set {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, y := set[a].Time, set[b].Time
		return cmp.Or(order(x == "")-order(y == ""), strings.Compare(x, y), strings.Compare(a, b))
	})
	// Union-find over what makes two episodes copies; each class is known by one of these.
	type mark struct {
		content, log [16]byte
		time         string
		ofLog        bool
	}
	parent := map[mark]mark{}
	var find func(m mark) mark
	find = func(m mark) mark {
		p, ok := parent[m]
		if !ok || p == m {
			return m
		}
		parent[m] = find(p)
		return parent[m]
	}
	logOf := func(p Print) mark { return mark{content: p.Content, log: p.Log, ofLog: true} }
	timeOf := func(p Print) mark {
		if p.Time == "" && p.Log != ([16]byte{}) {
			return logOf(p) // short logs of different sessions may say the same
		}
		return mark{content: p.Content, time: p.Time}
	}
	for _, id := range ids {
		if p := set[id]; p.Log != ([16]byte{}) {
			parent[find(logOf(p))] = find(timeOf(p))
		}
	}
	counts := map[mark]string{}
	out := make(map[string]string, len(ids))
	for _, id := range ids {
		class := find(timeOf(set[id]))
		if counts[class] == "" {
			counts[class] = id
		}
		out[id] = counts[class]
	}
	return out
}

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

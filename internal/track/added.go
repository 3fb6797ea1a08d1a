package track

import (
	"fmt"
	"slices"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/additions"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/redact"
)

// Logs opens the log of an episode for what is held to it; nil where it is not here as it was read.
type Logs func(ep *episode.Episode) *lesson.Session

// Additions are those of an episode that count, in the order of their time.
func (o *Origins) Additions(m *memory.Memory, id string) []*additions.File {
	files, _ := o.additions(m, id)
	return files
}

// additions also says which are none, or of authors who are not known here.
func (o *Origins) additions(m *memory.Memory, id string) (files []*additions.File, aside []string) {
	list, strange, err := m.Additions(id)
	for _, err := range append(strange, err) {
		if err != nil {
			aside = append(aside, err.Error())
		}
	}
	files = slices.DeleteFunc(additions.All(list), func(f *additions.File) bool {
		counts := o.counts(id, f)
		if !counts {
			aside = append(aside, fmt.Sprintf("%s: its author is not known here", memory.AdditionName(id, f.Hash)))
		}
		return !counts
	})
	return files, aside
}

// Join adds to an episode, as its file has it, the additions that count. leftOut says what in them does not hold, and aside
// which are no additions, or of authors who are not known here. open, which may be nil, opens the log that they are held to.
func (o *Origins) Join(m *memory.Memory, ep *episode.Episode, open Logs) (files []*additions.File, leftOut, aside []string) {
	files, aside = o.additions(m, ep.ID)
	if len(files) == 0 {
		return nil, nil, aside
	}
	var log *lesson.Session
	if open != nil {
		log = open(ep)
	}
	for _, out := range additions.Join(ep, files, log, redact.Default) {
		leftOut = append(leftOut, ep.ID+": "+out)
	}
	return files, leftOut, aside
}

// counts reports whether a file of additions does: it is this user's, or its author is known.
func (o *Origins) counts(id string, f *additions.File) bool {
	if o.open || o.lenient || o.Outside || f.Own || o.m != nil && o.m.IsPrivate(id) {
		return true
	}
	c, committed := o.Added[id+"/"+f.Hash]
	return committed && !o.fresh(c)
}

// joined is the hash of an episode with its additions, of which file is that of its file.
func (x *Index) joined(id, file string) string {
	all := file
	for _, hash := range x.m.AdditionNames(id) {
		switch c, committed := x.authors.Added[id+"/"+hash]; {
		case !committed:
			all += hash + "?" // it counts if it is this user's
		case !x.authors.fresh(c):
			all += hash
		}
	}
	if all == file {
		return file
	}
	return memory.Hash([]byte(all))
}

// withAdditions are the entries of a set with the hashes of what Load returns. added are the episodes with additions.
func (x *Index) withAdditions(set []graph.Entry, added map[string]bool) []graph.Entry {
	set = slices.Clone(set)
	for i, e := range set {
		if added[e.ID] {
			set[i].Hash = x.joined(e.ID, e.Hash)
		}
	}
	return set
}

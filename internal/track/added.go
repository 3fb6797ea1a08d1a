package track

import (
	"encoding/json"
	"slices"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/redact"
)

// Logs opens the log of an episode for what is held to it; nil where it is not here as it was read.
type Logs func(ep *episode.Episode) *lesson.Session

// OwnMark returns the mark of this user on corrections of an episode, "" where there is no key.
func OwnMark(id string) func(corrections.Entry) string {
	return func(e corrections.Entry) string {
		e.Mark = ""
		plain.All(&e) // as it is read again
		data, err := json.Marshal(e)
		if err != nil {
			return ""
		}
		mark, _ := local.Mark("correction " + id + " " + string(data))
		return mark
	}
}

// Corrections reads the file of corrections of an episode, which versions of this program before additions wrote. Of a file
// by an author who is new, or that nobody has committed so, those count that this user made. others is how many do not, by whom.
func (o *Origins) Corrections(m *memory.Memory, id string) (entries []corrections.Entry, others int, by string, err error) {
	data, err := m.Corrections(id, corrections.MaxBytes)
	if err != nil || len(data) == 0 {
		return nil, 0, "", err
	}
	file, err := corrections.Parse(data)
	if err != nil {
		return nil, 0, "", &memory.FileError{Path: m.CorrectionsPath(id), Err: err}
	}
	apart, loose := o.apart(id, data)
	for _, e := range file.Entries {
		own := e.Mark != "" && e.Mark == OwnMark(id)(e)
		switch {
		case apart && !own && !(loose && o.trust.Has(e.By, "")):
			if e.Op != corrections.Read {
				others, by = others+1, e.By
			}
			continue
		case e.By == corrections.Person && !own:
			e.By = episode.FileSays
		}
		entries = append(entries, e)
	}
	return entries, others, by, nil
}

// Additions are those of an episode that count, in the order of their time.
func (o *Origins) Additions(m *memory.Memory, id string) []*additions.File {
	files, _ := o.additions(m, id)
	return files
}

// additions also says which are none, or of authors who are not known here.
func (o *Origins) additions(m *memory.Memory, id string) (files []*additions.File, aside []string) {
	var skip []string // so that a flood of others' hides none
	for _, hash := range m.AdditionNames(id) {
		if c := o.Added[id+"/"+hash]; o.fresh(c) {
			skip, aside = append(skip, hash), append(aside, unknownAuthor(id, hash))
		}
	}
	list, strange, err := m.Additions(id, skip...)
	for _, err := range append(strange, err) {
		if err != nil {
			aside = append(aside, err.Error())
		}
	}
	files = slices.DeleteFunc(additions.All(list), func(f *additions.File) bool {
		counts := o.counts(id, f)
		if !counts {
			aside = append(aside, unknownAuthor(id, f.Hash))
		}
		return !counts
	})
	return files, aside
}

func unknownAuthor(id, hash string) string {
	return memory.AdditionName(id, hash) + ": its author is not known here"
}

// Join adds to an episode, as its file has it, the corrections and additions that count. leftOut says what in them does not
// hold, and aside which are damaged, or of authors who are not known here. open, which may be nil, opens the log that they
// are held to.
func (o *Origins) Join(m *memory.Memory, ep *episode.Episode, open Logs) (files []*additions.File, leftOut, aside []string) {
	files, aside = o.additions(m, ep.ID)
	entries, _, _, err := o.Corrections(m, ep.ID)
	if err != nil {
		aside = append(aside, err.Error())
	}
	if len(files)+len(entries) == 0 {
		return nil, nil, aside
	}
	var log *lesson.Session
	if open != nil {
		log = open(ep)
	}
	for _, out := range additions.Join(ep, entries, files, log, redact.Default) {
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
	if fixes, err := x.m.Corrections(id, corrections.MaxBytes); err == nil && fixes != nil {
		all += memory.Hash(fixes)
		if apart, _ := x.authors.apart(id, fixes); apart {
			all += "?"
		}
	}
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

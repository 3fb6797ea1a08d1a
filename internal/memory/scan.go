package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"episodes/episode"
)

// scanned is what the folder holds beside a roll.
type scanned struct {
	files   int         // episode files
	all     []File      // the same by id, while they are few enough for questions to look at each
	changed []File      // those that are new or not as on the roll, by id
	gone    []rollEntry // by id
	failed  bool        // there is a file that cannot be opened
	left    bool        // a killed writer left something behind
}

// probe is a name in the folder.
type probe struct {
	name []byte // with a zero byte
	at   int    // where it stands in roll.base; -1: not known
}

// oddFile is an episode file that is not just as on the roll.
type oddFile struct {
	File
	at int // as in probe
}

// step is how much is read, and looked at, at a time. It is used again and again.
type step struct {
	probes []probe
	left   bool   // there was a name of a writer's that did not come to its end
	buf    []byte // for readNames, which may put the names here
}

// add takes a name, with a zero byte, unless it can be no episode's. The name is
// used until the step is empty again.
func (s *step) add(name []byte) {
	switch {
	case bytes.HasPrefix(name, []byte(tempPrefix)):
		s.left = true
	case stem(name) != nil && name[0] != '.':
		s.probes = append(s.probes, probe{name: name})
	}
}

// stem is the id that a name gives; nil when it is no JSON file's.
func stem(name []byte) []byte {
	if id, ok := bytes.CutSuffix(name, []byte(".json\x00")); ok {
		return id
	}
	return nil
}

// scanner looks at the folder of the episodes beside a roll. Of a large folder
// nearly all files are as on the roll; what is kept of these is a mark.
type scanner struct {
	*roll
	look func(name []byte) (look, error)
	few  bool   // that all files are kept
	met  []bool // of roll.base: there is such a file

	reading sync.Mutex // guards the folder and the next three
	next    int        // where roll.base is beside the folder
	end     bool       // of the folder
	left    bool       // as in scanned

	mu   sync.Mutex // guards the rest
	n    int        // files that are as on the roll
	same []File     // these, if few
	odd  []oddFile  // all other files
	err  error
}

// scan reads the folder of the episodes and looks at every file in it, while it
// goes on reading.
func (m *Memory) scan(r *roll) (*scanned, error) {
	dir, err := m.episodes.Open(".")
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", m.EpisodesDir(), cause(err))
	}
	defer dir.Close()
	s := &scanner{roll: r, look: nameStatter(dir), few: len(r.base) <= 2*manyFiles, met: make([]bool, len(r.base))}
	if err := s.scan(dir); err != nil {
		return nil, fmt.Errorf("look at the files of %q: %w", m.EpisodesDir(), cause(err))
	}
	s.findOthers()
	out := s.compare(m)
	if out.files <= manyFiles && !s.few {
		return nil, errNoFollow // most are gone
	}
	return out, nil
}

// scan lets workers take turns at reading names; each looks at the files that it
// read the names of, while the others go on.
func (s *scanner) scan(dir *os.File) error {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) - 1 {
		wg.Go(func() { s.work(dir) })
	}
	s.work(dir)
	wg.Wait()
	return s.err
}

func (s *scanner) work(dir *os.File) {
	var st step
	for s.read(dir, &st) {
		s.lookAt(st.probes)
	}
}

// read reads the next names into a step; false when there are no more.
func (s *scanner) read(dir *os.File, st *step) bool {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.end {
		return false
	}
	st.probes = st.probes[:0]
	if err := readNames(dir, st); err != nil {
		s.end = true
		s.fail(ignore(err, io.EOF))
		return false
	}
	s.find(st.probes)
	s.left = s.left || st.left
	return true
}

func (s *scanner) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = errors.Join(s.err, err)
}

func ignore(err, target error) error {
	if err == target {
		return nil
	}
	return err
}

// find finds names of the folder on the roll, as far as both go in step.
func (s *scanner) find(probes []probe) {
	const ahead = 64 // entries that may be gone in a row
	for i := range probes {
		p := &probes[i]
		p.at = -1
		id := stem(p.name)
		for at := s.next; at < min(s.next+ahead, len(s.base)); at++ {
			if bytes.Equal(s.base[at].id(), id) {
				p.at, s.next = at, at+1
				break
			}
		}
	}
}

// lookAt looks at the files of a step and keeps what is not as on the roll.
func (s *scanner) lookAt(probes []probe) {
	var same []File
	var odd []oddFile
	n := 0
	for _, p := range probes {
		l, err := s.look(p.name)
		if err != nil {
			s.fail(err)
			return
		}
		if !l.regular || l.gone {
			continue
		}
		id := stem(p.name)
		if _, again := s.later[string(id)]; !again && p.at >= 0 && l.open && s.base[p.at].stat() == l.onRoll() {
			s.met[p.at] = true
			if n++; s.few {
				same = append(same, l.file(id))
			}
			continue
		}
		odd = append(odd, oddFile{l.file(id), p.at})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += n
	s.same, s.odd = append(s.same, same...), append(s.odd, odd...)
}

func (l *look) file(id []byte) File {
	return File{ID: string(id), Stat: l.Stat, touched: l.touched, open: l.open}
}

// findOthers finds the names on the roll that were not in step with the folder.
func (s *scanner) findOthers() {
	for _, f := range s.odd {
		if f.at >= 0 {
			s.met[f.at] = true
		}
	}
	left := map[string]int{}
	for i, met := range s.met {
		if !met {
			left[string(s.base[i].id())] = i
		}
	}
	for i := range s.odd {
		if f := &s.odd[i]; f.at < 0 {
			if at, ok := left[f.ID]; ok {
				f.at, s.met[at] = at, true
			}
		}
	}
}

// compare finds what is not as on the roll.
func (s *scanner) compare(m *Memory) *scanned {
	out := &scanned{files: s.n, all: s.same, left: s.left}
	seen := map[string]bool{}
	for _, f := range s.odd {
		known := absent
		if f.at >= 0 {
			known = s.base[f.at].stat()
		}
		if e, ok := s.later[f.ID]; ok {
			known = e.rollStat
		}
		seen[f.ID] = true
		if known == absent && !episode.ValidID(f.ID) {
			continue
		}
		out.files++
		out.all = append(out.all, f.File)
		if !f.open && m.opens(f.ID) != nil {
			out.failed = true
		}
		if known != f.onRoll().rollStat {
			out.changed = append(out.changed, f.File)
		}
	}
	lost := func(e rollEntry) {
		if e.rollStat != absent {
			out.gone = append(out.gone, rollEntry{e.id, absent})
		}
	}
	for i, met := range s.met {
		if met {
			continue
		}
		e := s.base[i].entry()
		seen[e.id] = true
		if now, again := s.later[e.id]; again {
			e = now
		}
		lost(e)
	}
	for id, e := range s.later {
		if !seen[id] {
			lost(e)
		}
	}
	slices.SortFunc(out.changed, compareFiles)
	slices.SortFunc(out.all, compareFiles)
	slices.SortFunc(out.gone, func(a, b rollEntry) int { return strings.Compare(a.id, b.id) })
	return out
}

func compareFiles(a, b File) int { return strings.Compare(a.ID, b.ID) }

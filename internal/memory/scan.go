package memory

import (
	"errors"
	"fmt"
	"io"
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
}

// probe is a name in the folder.
type probe struct {
	name string
	id   string // name without ".json"
	at   int    // where it stands in roll.base; -1: not known
	file File
	is   bool // an episode file
}

// scanStep is how many names are read, and looked at, at a time.
const scanStep = 2048

// scan reads the folder of the episodes and looks at every file in it, while it
// goes on reading.
func (m *Memory) scan(r *roll) (*scanned, error) {
	dir, err := m.episodes.Open(".")
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", m.EpisodesDir(), cause(err))
	}
	defer dir.Close()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	at := statter(dir)
	steps := make(chan []probe, 64)
	work := func() {
		for step := range steps {
			if err := lookAtStep(at, step); err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
			}
		}
	}
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		wg.Go(work)
	}
	var all [][]probe
	next := 0
	for err == nil {
		var names []string
		if names, err = dir.Readdirnames(scanStep); len(names) > 0 {
			step := r.probes(names, &next)
			all = append(all, step)
			steps <- step
		}
	}
	close(steps)
	work()
	wg.Wait()
	if err = errors.Join(failed, ignore(err, io.EOF)); err != nil {
		return nil, fmt.Errorf("look at the files of %q: %w", m.EpisodesDir(), cause(err))
	}
	r.findOthers(all)
	return m.compare(r, all), nil
}

func ignore(err, target error) error {
	if err == target {
		return nil
	}
	return err
}

func lookAtStep(at func(string) (look, error), step []probe) error {
	for i := range step {
		p := &step[i]
		l, err := at(p.name)
		if err != nil {
			return err
		}
		if p.is = l.regular && !l.gone; p.is {
			p.file = File{ID: p.id, Stat: l.Stat, touched: l.touched, open: l.open}
		}
	}
	return nil
}

// probes finds names of the folder on the roll, as far as both go in step.
func (r *roll) probes(names []string, next *int) []probe {
	const ahead = 64 // entries that may be gone in a row
	step := make([]probe, 0, len(names))
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".json")
		if !ok || strings.HasPrefix(name, ".") {
			continue
		}
		p := probe{name: name, id: id, at: -1}
		for i := *next; i < min(*next+ahead, len(r.base)); i++ {
			if r.base[i].id == id {
				p.at, *next = i, i+1
				break
			}
		}
		step = append(step, p)
	}
	return step
}

// findOthers finds the names on the roll that were not in step with the folder.
func (r *roll) findOthers(all [][]probe) {
	left := map[string]int{}
	met := make([]bool, len(r.base))
	eachProbe(all, func(p *probe) {
		if p.at >= 0 {
			met[p.at] = true
		}
	})
	for i, ok := range met {
		if !ok {
			left[r.base[i].id] = i
		}
	}
	eachProbe(all, func(p *probe) {
		if at, ok := left[p.id]; ok && p.at < 0 {
			p.at = at
		}
	})
}

func eachProbe(all [][]probe, fn func(p *probe)) {
	for _, step := range all {
		for i := range step {
			fn(&step[i])
		}
	}
}

// compare finds what is not as on the roll.
func (m *Memory) compare(r *roll, all [][]probe) *scanned {
	s := &scanned{}
	met, added := make([]bool, len(r.base)), map[string]bool{}
	eachProbe(all, func(p *probe) {
		known := absent
		if p.at >= 0 {
			known = r.base[p.at].rollStat
		}
		if e, ok := r.later[p.id]; ok {
			known = e.rollStat
		}
		if !p.is || known == absent && !episode.ValidID(p.id) {
			return
		}
		if p.at >= 0 {
			met[p.at] = true
		} else {
			added[p.id] = true
		}
		if s.files++; s.files <= manyFiles {
			s.all = append(s.all, p.file)
		} else {
			s.all = nil
		}
		if !p.file.open && m.opens(p.id) != nil {
			s.failed = true
		}
		if known != p.file.onRoll().rollStat {
			s.changed = append(s.changed, p.file)
		}
	})
	lost := func(e rollEntry) {
		if e.rollStat != absent {
			s.gone = append(s.gone, rollEntry{e.id, absent})
		}
	}
	inBase := map[string]bool{}
	for i, e := range r.base {
		now, again := r.later[e.id]
		if again {
			inBase[e.id] = true
			e = now
		}
		if !met[i] {
			lost(e)
		}
	}
	for id, e := range r.later {
		if !inBase[id] && !added[id] {
			lost(e)
		}
	}
	slices.SortFunc(s.changed, compareFiles)
	slices.SortFunc(s.all, compareFiles)
	slices.SortFunc(s.gone, func(a, b rollEntry) int { return strings.Compare(a.id, b.id) })
	return s
}

func compareFiles(a, b File) int { return strings.Compare(a.ID, b.ID) }

package ask

import (
	"errors"
	"fmt"
	"io/fs"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/lesson"
	"episodes/internal/track"
)

// join adds to an episode, as its file has it, what was added to it and counts.
func (l *local) join(ep *episode.Episode) []*additions.File {
	if !l.folder.HasMore(ep.ID) {
		return nil
	}
	files, _, _ := l.origins().Join(l.folder, ep, l.openLog)
	return files
}

// additionsOf are the additions of an episode that count.
func (l *local) additionsOf(id string) []*additions.File {
	return l.origins().Additions(l.folder, id)
}

// openLog is the log of an episode as lessons are held to it, or nil.
func (l *local) openLog(ep *episode.Episode) *lesson.Session {
	return newQuoter(l.Location, track.Load(l.folder), l.isPrivate).session(ep)
}

// tree is the working tree, nil if it cannot be read.
func (l *local) tree() (t *lesson.Tree, close func()) {
	dir, err := fsstore.Open(l.Location.WorkTree())
	if err != nil {
		return nil, func() {}
	}
	return lesson.NewTree(dir), dir.Close
}

// touched says of what the lessons of an episode touch how it is now.
func (l *local) touched(ep *episode.Episode) {
	tree, close := l.tree()
	defer close()
	for i := range ep.Taught {
		for j := range ep.Taught[i].Touches {
			if t := &ep.Taught[i].Touches[j]; tree != nil {
				t.State = lesson.State(*t, tree)
			}
		}
	}
}

// set lists the episodes that are there now, to be read whole.
func (l *local) set() (*track.Set, error) {
	set, err := track.Load(l.folder).Set()
	if err == nil {
		set.Logs = l.openLog
	}
	return set, err
}

// adding is an episode to which something is to be added; the lock is held.
type adding struct {
	m       *Memory
	of      additions.Of
	head    additions.Head
	private bool
}

// adding reads an episode whole. made, if not nil, is what it is where it has no file.
func (m *Memory) adding(id string, made *episode.Episode, by lesson.By, name string) (*adding, error) {
	a := &adding{m: m, private: true}
	ep, err := m.folder.Load(id)
	switch {
	case err == nil:
		a.private = m.folder.IsPrivate(id)
	case errors.Is(err, fs.ErrNotExist) && made != nil:
		ep = made
	default:
		return nil, err
	}
	files := m.here.join(ep)
	a.of = additions.Of{Episode: ep, Files: files, Log: m.here.openLog(ep)}
	a.head = additions.Head{By: by, Name: name, At: additions.After(files, m.now()), Session: ep.Provenance.Source.Session}
	if a.of.Log != nil {
		a.head.Log = ep.Provenance.Source.SHA256
	}
	return a, nil
}

// write keeps entries; none change nothing.
func (a *adding) write(entries []additions.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	data, err := a.head.Encode(entries)
	if err == nil {
		err = a.m.folder.Add(a.of.Episode.ID, data, a.private)
	}
	return err
}

// correct keeps corrections of records, unless one of them changes nothing that it could.
func (a *adding) correct(entries ...corrections.Entry) error {
	var out []additions.Entry
	for _, e := range entries {
		e.By = a.head.Who()
		if dropped := corrections.Apply(a.of.Episode, a.lines(), []corrections.Entry{e}); len(dropped) > 0 {
			return badParam("of", a.of.Episode.ID, dropped[0].Why)
		}
		e.By = ""
		out = append(out, additions.Entry{Record: &e})
	}
	return a.write(out)
}

// take keeps entries that hold. taken are also those that were there.
func (a *adding) take(entries []lesson.Entry) (taken []lesson.Entry, refused []lesson.Refusal, err error) {
	tree, close := a.m.here.tree()
	defer close()
	a.of.Tree, a.of.Commit = tree, gitdir.Head(gitdir.Top(a.m.Location.WorkTree()))
	added, res := a.of.Take(entries, lesson.Check{By: a.head.By, Known: a.m.knownLessons().of(a.of.Episode), Redact: a.m.here.redactor()})
	return res.Taken, res.Refused, a.write(added)
}

// lines are those of a document; records of transcripts keep their places.
func (a *adding) lines() corrections.Lines { return a.of.Lines() }

// lessonRef finds the episode of a lesson that is named by its id alone, or with its episode; l is "" for what names none.
func (m *Memory) lessonRef(ref string) (id string, l lesson.Ref, err error) {
	name, record := cutLast(ref, "#")
	if l = lesson.Ref(record); !episode.ValidLessonID(l) {
		return "", "", fmt.Errorf("%w: %q is no lesson", ErrNoRecord, ref)
	}
	if name != "" {
		id, err = m.find(name)
		return id, l, err
	}
	k := m.knownLessons()
	k.load()
	var ids []string
	for _, ep := range k.all[l] {
		ids = append(ids, ep.ID+"#"+record)
	}
	switch len(ids) {
	case 0:
		return "", l, fmt.Errorf("%w: no lesson has the id %q", ErrNoRecord, ref)
	case 1:
		return k.all[l][0].ID, l, nil
	}
	return "", l, &AmbiguousError{Ref: ref, IDs: ids}
}

// knownLessons are the lessons of the memory, as far as somebody asked for one.
type knownLessons struct {
	m   *Memory
	all map[lesson.Ref][]*episode.Episode
	now map[lesson.Ref]*episode.Episode // that are being added
}

func (m *Memory) knownLessons() *knownLessons {
	return &knownLessons{m: m, now: map[lesson.Ref]*episode.Episode{}}
}

// load reads which episodes have which lessons.
func (k *knownLessons) load() {
	if k.all != nil {
		return
	}
	k.all = map[lesson.Ref][]*episode.Episode{}
	files, _, _ := k.m.folder.Files()
	for _, f := range files {
		if ep, err := k.m.folder.Load(f.ID); err == nil {
			k.m.here.join(ep)
			for _, l := range ep.Taught {
				k.all[l.ID] = append(k.all[l.ID], ep)
			}
		}
	}
}

// add notes lessons that are being added to an episode.
func (k *knownLessons) add(ep *episode.Episode, taken []lesson.Entry) {
	for _, e := range taken {
		if e.Lesson != nil {
			k.now[e.Lesson.ID] = ep
		}
	}
}

// of says how old lessons are against those of an episode. Where one and the same text is about both, its order is all the
// same, since dates of logs can be wrong.
func (k *knownLessons) of(ep *episode.Episode) func(lesson.Ref) lesson.Age {
	return func(ref lesson.Ref) lesson.Age {
		other, now := k.now[ref]
		if !now {
			k.load()
			if of := k.all[ref]; len(of) > 0 {
				other = of[0]
			}
		}
		if other == nil {
			return lesson.Nowhere
		}
		a, known := other.Time()
		b, dated := ep.Time()
		switch {
		case other.ID == ep.ID:
			return lesson.Same
		case now || !known || !dated || a.Equal(b):
			return lesson.Unordered
		case a.Before(b):
			return lesson.Older
		}
		return lesson.Younger
	}
}

package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// ShareRequest says which private episodes everyone who clones may have.
type ShareRequest struct {
	Episodes []string // ids, sessions, or prefixes that fit no other
	WithText bool     // also what is kept of the text of the transcripts
	DryRun   bool     // only show what would be shared
}

// ShareAnswer is what was shared.
type ShareAnswer struct {
	Shared []Shared `json:"shared"`
	Graph  *Change  `json:"graph,omitempty"` // absent in a dry run
	DryRun bool     `json:"dry_run,omitempty"`
}

// Shared is an episode that is in the shared part now, or would be.
type Shared struct {
	ID          string          `json:"id"`
	File        string          `json:"file"`
	Episode     json.RawMessage `json:"episode,omitempty"`     // in a dry run: all that the file would say
	Corrections []string        `json:"corrections,omitempty"` // likewise, of the files that go with it
	Text        string          `json:"text,omitempty"`        // likewise, of the transcript
}

// Check refuses a request that cannot be carried out.
func (r ShareRequest) Check() error {
	if len(r.Episodes) == 0 {
		return &RequestError{Message: "which EPISODE to share", Help: true}
	}
	return nil
}

// Share moves private episodes, with their corrections, into the shared part, and their
// texts if the request says so. ErrNoEpisode means that nothing was done.
func (m *Memory) Share(ctx context.Context, r ShareRequest) (*ShareAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var ids []string
	for _, ref := range r.Episodes {
		id, err := m.find(ref)
		switch {
		case err != nil:
			return nil, err
		case !m.folder.IsPrivate(id):
			m.note("%s is shared already", id)
		case !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	a := &ShareAnswer{Shared: []Shared{}, DryRun: r.DryRun}
	if r.DryRun || len(ids) == 0 {
		return a, m.showShared(a, ids, r.WithText)
	}
	graph, _, err := m.change(ctx, func() error {
		var files []memory.Pending
		for _, id := range ids {
			data, _, err := m.forOthers(id)
			if err == nil {
				err = m.stripAdditions(id)
			}
			if err != nil {
				return err
			}
			files = append(files, memory.Pending{ID: id, Data: data})
			if text := m.textForOthers(id); r.WithText && text != "" {
				if err := m.folder.SaveSaid(id, []byte(text), false); err != nil {
					return err
				}
			}
		}
		m.folder.RemoveDerived(memory.RecallPrefix, nil) // it has text that is not kept any more
		_, err := m.folder.Write(ctx, files, 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.Graph = graph
	for _, id := range ids {
		a.Shared = append(a.Shared, Shared{ID: id, File: m.folder.EpisodePath(id)})
	}
	return a, nil
}

// forOthers is the file of a private episode as others may have it, with the lines of those that go with it.
// Everything that is shared passes here: secrets and personal data that the rules of today know, and those of
// the day on which it was extracted did not, are taken out.
func (m *Memory) forOthers(id string) (data []byte, beside []string, err error) {
	if data, err = m.folder.Read(id); err != nil {
		return nil, nil, err
	}
	ep, err := m.folder.Parse(id, data)
	fixes, err1 := m.folder.Corrections(id, corrections.MaxBytes)
	added, _, err2 := m.folder.Additions(id)
	if err = cmp.Or(err, err1, err2); err != nil {
		return nil, nil, err
	}
	redactor := m.here.redactor()
	if _, found := redactor.Text(string(fixes)); found.Total() > 0 {
		return nil, nil, fmt.Errorf("%q holds %s, to be taken out by hand", m.folder.CorrectionsPath(id), found)
	}
	texts := []string{string(fixes)}
	for _, f := range added {
		if _, found := redactor.Text(string(f.Data)); found.Total() > 0 {
			return nil, nil, fmt.Errorf("%q holds %s: episodes forget REF takes a lesson out", memory.AdditionName(id, f.Hash), found)
		}
		texts = append(texts, string(f.Data))
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			beside = append(beside, strings.TrimSpace(line))
		}
	}
	if found := redactor.Episode(ep); found.Total() > 0 {
		if corrections.Edited(data) {
			return nil, nil, fmt.Errorf("%q holds %s, to be taken out by hand: it was edited by hand", m.folder.EpisodePath(id), found)
		}
		m.note("%s: redacted: %s", id, found)
		data, err = episode.MarshalSealed(ep)
	}
	return data, beside, err
}

// stripAdditions takes out of the additions of an episode what names lessons of private sessions.
func (m *Memory) stripAdditions(id string) error {
	isPrivate, n := m.privateLessons(id), 0
	err := m.rewrite(id, func(e additions.Entry) (additions.Entry, bool) {
		refs := e.Refs()
		if !slices.ContainsFunc(refs, func(r *lesson.Ref) bool { return isPrivate(*r) }) {
			return e, true
		}
		n++
		if e.Lesson == nil {
			return e, false
		}
		l := *e.Lesson
		l.Mends = ""
		e.Lesson = &l
		return e, true
	})
	if n > 0 {
		m.note("%s: without %s to private sessions", id, term.Plural(n, "reference"))
	}
	return err
}

// privateLessons says which lessons are of private sessions other than one.
func (m *Memory) privateLessons(but string) func(lesson.Ref) bool {
	k := m.knownLessons()
	return func(ref lesson.Ref) bool {
		if ref == "" {
			return false
		}
		k.load()
		of := k.all[ref]
		return len(of) > 0 && !slices.ContainsFunc(of, func(ep *episode.Episode) bool { return ep.ID == but || !m.isPrivate(ep.ID) })
	}
}

// withoutPrivate takes out of an episode what names lessons of private sessions, and counts that.
func (m *Memory) withoutPrivate(ep *episode.Episode) (n int) {
	isPrivate := m.privateLessons(ep.ID)
	before := len(ep.Again) + len(ep.Relations)
	ep.Again = slices.DeleteFunc(ep.Again, func(a episode.Again) bool { return isPrivate(a.Of) || isPrivate(a.Lesson) })
	ep.Relations = slices.DeleteFunc(ep.Relations, func(r episode.Relation) bool { return isPrivate(r.From) || isPrivate(r.To) })
	n = before - len(ep.Again) - len(ep.Relations)
	for i := range ep.Taught {
		if l := &ep.Taught[i]; isPrivate(l.Mends) {
			l.Mends = ""
			n++
		}
	}
	return n
}

// rewrite puts other entries in the place of those of an episode's additions; those for which keep is false go.
func (m *Memory) rewrite(id string, change func(additions.Entry) (e additions.Entry, keep bool), more ...additions.Entry) error {
	list, _, err := m.folder.Additions(id)
	for _, old := range list {
		f := additions.Parse(old)
		var out []additions.Entry
		for _, e := range f.Entries {
			if e, keep := change(e); keep {
				out = append(out, e)
			}
		}
		if reflect.DeepEqual(out, f.Entries) || err != nil {
			continue
		}
		var data []byte
		switch data, err = f.Head.Encode(append(out, more...)); {
		case err != nil:
		case len(out)+len(more) == 0:
			err = m.folder.RemoveAddition(id, old.Hash)
		default:
			err = m.folder.ReplaceAddition(id, old, data)
		}
	}
	return err
}

// textForOthers is forOthers for the text of a transcript.
func (m *Memory) textForOthers(id string) string {
	return m.here.redactor().String(m.folder.Said(id))
}

// showShared fills in what would be shared.
func (m *Memory) showShared(a *ShareAnswer, ids []string, withText bool) error {
	for _, id := range ids {
		data, beside, err := m.forOthers(id)
		if err != nil {
			return err
		}
		s := Shared{ID: id, File: m.folder.PathIn(false, id), Episode: data, Corrections: beside}
		if withText {
			s.Text = m.textForOthers(id)
		}
		a.Shared = append(a.Shared, s)
	}
	return nil
}

// Text lists what was shared; in a dry run it shows all of it.
func (a *ShareAnswer) Text(tokens int) string {
	if a.Empty() {
		return term.Cut("nothing to share", tokens)
	}
	var b strings.Builder
	for _, s := range a.Shared {
		if !a.DryRun {
			fmt.Fprintf(&b, "shared %s: %s\n", s.ID, plain.Name(s.File, mostPath))
			continue
		}
		fmt.Fprintf(&b, "would be shared as %s:\n%s", plain.Name(s.File, mostPath), term.JSON(slices.Clone(s.Episode)))
		for _, line := range s.Corrections {
			fmt.Fprintf(&b, "corrected: %s\n", term.JSON([]byte(line)))
		}
		if s.Text != "" {
			fmt.Fprintf(&b, "said:\n%s", s.Text)
		}
	}
	if a.Graph != nil {
		b.WriteString(a.Graph.String() + "\n")
	}
	return term.Cut(b.String(), tokens)
}

// Empty reports whether there was nothing to share.
func (a *ShareAnswer) Empty() bool { return len(a.Shared) == 0 }

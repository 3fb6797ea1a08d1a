package capture

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/reader"
	"episodes/internal/track"
)

// fixes are the corrections of the memory's episodes, as far as they were looked at.
type fixes struct {
	ids     map[string]bool
	files   map[string]fix
	origins *track.Origins
}

type fix struct {
	data     []byte
	file     *corrections.File
	counting corrections.File // those of file that count
	err      error
	mark     string // of counting
	apart    bool   // some do not count
}

// Counting reports which corrections of an episode count, given the bytes of their file and who brought it: all, or
// this user's own and those that counted before.
func Counting(o *track.Origins, id string, data []byte) func(corrections.Entry) bool {
	apart, known := o.Apart(id, data)
	return func(e corrections.Entry) bool {
		if !apart {
			return true
		}
		mark := OwnMark(id)(e)
		return mark != "" && (mark == e.Mark || known(mark, e.By))
	}
}

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

// loadFixes finds which episodes have corrections. origins, if not nil, says who brought them.
func (r *run) loadFixes(origins *track.Origins) (err error) {
	r.fixes = fixes{files: map[string]fix{}}
	if r.m != nil {
		r.fixes.ids, err = r.m.Corrected()
		if r.fixes.origins = origins; origins == nil {
			r.fixes.origins = track.Ask(r.m, r.start)
		}
	}
	r.keepLines = r.Read != nil || len(r.fixes.ids) > 0
	return err
}

// fix returns the corrections of an episode.
func (r *run) fix(id string) fix {
	if !r.fixes.ids[id] {
		return fix{file: &corrections.File{}}
	}
	f, ok := r.fixes.files[id]
	if !ok {
		if f.data, f.err = r.m.Corrections(id, corrections.MaxBytes); f.err == nil {
			f.file, f.err = corrections.Parse(f.data)
			if f.err != nil {
				f.err = &memory.FileError{Path: r.m.CorrectionsPath(id), Err: f.err}
			}
		}
		f.mark = corrections.Mark(f.data)
		if f.err == nil {
			counts := Counting(r.fixes.origins, id, f.data)
			f.counting.Entries = slices.DeleteFunc(slices.Clone(f.file.Entries), func(e corrections.Entry) bool { return !counts(e) })
			if f.apart = len(f.counting.Entries) < len(f.file.Entries); f.apart {
				f.mark = f.counting.Mark()
			}
		}
		r.fixes.files[id] = f
	}
	return f
}

// rulesOf is how the log of an episode is read: the rules, and a mark of the corrections.
func (r *run) rulesOf(id string) string {
	return corrections.WithMark(r.extractor.Rules(), r.fix(id).mark)
}

// correct applies to the episode of log i the corrections of id. Those that no longer hold are reported.
func (r *run) correct(p *plan, i int, at, id string) *failure {
	l := &p.logs[i]
	f := r.fix(at)
	if f.err != nil {
		return &failure{code: "corrections-damaged", err: f.err, hint: "correct the file; each line of it is one correction"}
	}
	mark, counting := f.mark, f.counting
	if delete(p.idx.Counted, id); len(counting.Entries) > 0 {
		if l.lines == nil && !l.streamed {
			return &failure{code: "corrected-meanwhile", err: errors.New("it was corrected while it was read"), hint: "extract again"}
		}
		for _, e := range counting.Entries {
			if p.idx.Counted != nil {
				p.idx.Counted[id] = append(p.idx.Counted[id], OwnMark(id)(e))
			}
		}
		lines := l.lines
		if l.rendered { // records keep their places, and what is shown of them depends on this version
			lines = nil
		}
		dropped := corrections.Apply(l.ep, lines, counting.Entries)
		for _, d := range dropped {
			l.item.Diagnostics = append(l.item.Diagnostics,
				Diagnostic{File: l.shown, Code: "correction-dropped", Message: d.String()})
		}
		l.item.Counts = track.CountsOf(l.ep)
		stated := l.ep.Provenance.By[episode.OutcomeRef] != "" // maybe that it is unknown
		l.item.Diagnostics = slices.DeleteFunc(l.item.Diagnostics, func(d Diagnostic) bool {
			return d.Code == "no-outcome" && (stated || l.ep.Outcome.Known()) ||
				d.Code == "no-facts" && (stated || len(l.ep.Decisions)+len(l.ep.Events)+len(l.ep.Lessons) > 0)
		})
	}
	l.ep.Provenance.Extractor = corrections.WithMark(l.ep.Provenance.Extractor, mark)
	p.rules[id] = l.ep.Provenance.Extractor
	return nil
}

// saveReadings adds to the episodes of logs what a reader said of them now, in the place of what it had said before.
func (r *run) saveReadings(p *plan) error {
	for i := range p.logs {
		l := &p.logs[i]
		if l.key == "" || p.verdict[i].fail != nil {
			continue
		}
		id := p.names[i].id
		ep, err := r.m.Load(id)
		if err != nil {
			return err
		}
		before, _, _ := p.idx.Authors().Join(r.m, ep, nil)
		of := additions.Of{Episode: ep, Files: slices.DeleteFunc(slices.Clone(before), func(f *additions.File) bool { return f.Who() == r.By })}
		if of.Log = l.spoken; of.Log == nil {
			of.Log = lesson.FromMarkdown(l.lines)
		}
		ep.Taught = slices.DeleteFunc(ep.Taught, func(t episode.Lesson) bool { return ep.Provenance.By[string(t.ID)] == r.By })
		entries, res := of.Take(l.said, lesson.Check{By: lesson.Reader, Redact: r.extractor.Redactor()})
		for _, bad := range res.Refused {
			l.item.Diagnostics = append(l.item.Diagnostics, Diagnostic{File: l.shown, Code: "answer-refused", Message: bad.Text})
		}
		said := slices.ContainsFunc(res.Taken, func(e lesson.Entry) bool { return e.Outcome != nil }) // maybe that it is unknown
		l.item.Diagnostics = slices.DeleteFunc(l.item.Diagnostics, func(d Diagnostic) bool {
			return d.Code == "no-outcome" && said || d.Code == "no-facts" && len(res.Taken) > 0
		})
		byNow := func(f *additions.File) bool { return f.Key != "" && f.Own && f.Who() == r.By }
		if slices.ContainsFunc(before, func(f *additions.File) bool { return byNow(f) && f.Key == l.key && f.Says(entries) }) {
			continue
		}
		head := additions.Head{By: lesson.Reader, Name: strings.TrimSpace(strings.TrimPrefix(r.By, corrections.ReaderMark)), At: additions.After(before, r.start),
			Session: ep.Provenance.Source.Session, Log: l.sha, Instructions: reader.Version, Key: l.key}
		data, err := head.Encode(entries)
		if err == nil {
			err = r.m.Add(id, data, r.m.IsPrivate(id))
		}
		if err != nil {
			return err
		}
		for _, f := range before {
			if byNow(f) {
				if err := r.m.RemoveAddition(id, f.Hash); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// knownBy reports whether a reader has seen the log in this state already.
func (r *run) knownBy(l parsed, key string) bool {
	ids := []string{episode.IDFromSession(l.session), qualifiedID(l.session, l.logPath)}
	if r.m != nil {
		ids = append(ids, r.index().Logs[l.path].Episode)
	}
	return slices.ContainsFunc(ids, func(id string) bool {
		if f := r.fix(id); f.err == nil && f.file.WasRead(key) {
			return true
		}
		if r.m == nil || id == "" {
			return false
		}
		files, _, _ := r.m.Additions(id)
		return slices.ContainsFunc(files, func(f memory.Addition) bool { return additions.Parse(f).Key == key })
	})
}

package capture

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/internal/reader"
)

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
		if r.m == nil || id == "" {
			return false
		}
		old, _ := r.m.Corrections(id, corrections.MaxBytes)
		if f, err := corrections.Parse(old); err == nil && f.WasRead(key) {
			return true
		}
		files, _, _ := r.m.Additions(id)
		return slices.ContainsFunc(files, func(f memory.Addition) bool { return additions.Parse(f).Key == key })
	})
}

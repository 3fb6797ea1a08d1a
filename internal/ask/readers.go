package ask

import (
	"errors"
	"fmt"

	"episodes/internal/additions"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/term"
	"episodes/ledger"
)

// ReaderFigures say what readers did to the episodes of a memory, and what that has cost.
type ReaderFigures struct {
	Sessions int `json:"sessions"` // that a reader has read
	Of       int `json:"of"`
	Records  int `json:"records"` // lessons and corrections: added or changed
	Dropped  int `json:"dropped"`
	Links    int `json:"links"`
	Outcomes int `json:"outcomes"`
	Disputed int `json:"disputed"` // sessions of which readers say different things
	// The account of readers that are commands, of the last forecastDays.
	In      int `json:"tokens_in"`
	Out     int `json:"tokens_out"`
	Refused int `json:"lines_refused"`
	Failed  int `json:"failed"`
}

// readers counts what readers did; nil if none was asked.
func (m *Memory) readers() (*ReaderFigures, error) {
	if m.here.absent != nil || m.Shared {
		return nil, nil
	}
	since, here := m.now().AddDate(0, 0, -forecastDays), ledger.MemoryKey(m.Location.Home().Dir)
	cost, err := ledger.Readers(func(a ledger.Reading) bool { return a.Memory == here && a.Time.After(since) })
	if err != nil {
		return nil, err
	}
	r := &ReaderFigures{In: cost.In, Out: cost.Out, Refused: cost.Refused, Failed: cost.Failed}
	corrected, err := m.folder.Corrected()
	added, failed := m.folder.Added()
	if err = errors.Join(err, failed); err != nil || len(corrected)+len(added)+r.In+r.Failed == 0 {
		return nil, err
	}
	files, _, err := m.folder.Files()
	if err != nil {
		return nil, err
	}
	r.Of = len(files)
	for _, f := range files {
		if corrected[f.ID] || added[f.ID] {
			r.add(m.here.corrected(f.ID), m.here.additionsOf(f.ID))
		}
	}
	if r.Sessions+r.In+r.Failed == 0 {
		return nil, nil
	}
	return r, nil
}

func (r *ReaderFigures) add(entries []corrections.Entry, files []*additions.File) {
	read := false
	for _, f := range files {
		if f.By != lesson.Reader {
			continue
		}
		read = true
		for _, e := range f.Entries {
			switch {
			case e.Lesson != nil:
				r.Records++
			case e.Link != nil, e.Again != nil:
				r.Links++
			case e.Drop != nil:
				r.Dropped++
			}
		}
	}
	for _, e := range entries {
		if !e.FromReader() {
			continue
		}
		read = true
		switch e.Op {
		case corrections.Put:
			r.Records++
		case corrections.Drop:
			r.Dropped++
		case corrections.PutLink, corrections.DropLink:
			r.Links++
		case corrections.SetOutcome:
			r.Outcomes++
		}
	}
	if read {
		r.Sessions++
	}
	if len(corrections.Disputed(nil, entries)) > 0 {
		r.Disputed++
	}
}

// Text is some sentences.
func (r *ReaderFigures) Text() string {
	text := fmt.Sprintf("readers: %d of %s read; %s added or changed, %d dropped, %s and %s corrected\n", r.Sessions,
		term.Plural(r.Of, "session"), term.Plural(r.Records, "record"), r.Dropped, term.Plural(r.Links, "link"), term.Plural(r.Outcomes, "outcome"))
	if r.Disputed > 0 {
		text += fmt.Sprintf("  readers disagree about %s: show says of what\n", term.Plural(r.Disputed, "session"))
	}
	if r.In+r.Failed > 0 {
		text += fmt.Sprintf("  in %d days %d tokens in and %d out; %s refused, %d failed\n", forecastDays, r.In, r.Out,
			term.Plural(r.Refused, "line"), r.Failed)
	}
	return text
}

package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/capture"
	"episodes/internal/corrections"
	"episodes/internal/track"
)

// Limits of what is listed of edited episodes: each needs its log to be read again.
const (
	mostEdited      = 3
	mostDifferences = 5 // of one episode
)

// edited lists what edited episodes say otherwise than their logs, and how to keep it.
func (p *patient) edited(ctx context.Context, edited []*episode.Episode) error {
	for _, ep := range edited[:min(len(edited), mostEdited)] {
		log, differences, err := p.differences(ctx, ep)
		if err != nil {
			const todo = "restore the file or its log, or leave it as it is"
			p.add(Note, "edited", todo, "%s cannot be compared with its log: %v", ep.ID, err)
			continue
		}
		again := "extract --force " + corrections.Quote(log)
		if p.m.IsPrivate(ep.ID) {
			again = "extract --force --from all" // a log that is named is shared
		}
		todo := []string{p.Command(again)}
		var text strings.Builder
		for _, d := range differences[:min(len(differences), mostDifferences)] {
			fmt.Fprintf(&text, "; %s", d)
			if d.Command != "" {
				todo = append(todo, p.Command(d.Command))
			}
		}
		if n := len(differences) - mostDifferences; n > 0 {
			fmt.Fprintf(&text, "; and %d more", n)
		}
		p.add(Note, "edited", "to keep what a command can keep: "+strings.Join(todo, " && "), "%s%s", ep.ID, &text)
	}
	return ctx.Err()
}

// differences compares an episode with what its log gives, as a run of extract would.
func (p *patient) differences(ctx context.Context, ep *episode.Episode) (
	log string, out []corrections.Difference, err error) {
	src := ep.Provenance.Source
	if log = track.Load(p.m).Episodes[ep.ID].Log; log == "" && filepath.IsLocal(src.Path) {
		log = src.Path // never leads out of the repository
	}
	if log == "" || log == capture.Stdin {
		return "", nil, errors.New("it is not known where that lies")
	}
	format := "auto"
	if _, known := extract.FormatNamed(src.Format); known {
		format = src.Format
	}
	rep, err := capture.Run(ctx, capture.Options{Location: p.Location, Cwd: p.Location.Root,
		Args: []string{log}, Unnamed: !filepath.IsAbs(log), Format: format, DryRun: true, NoGraph: true,
		Explain: true, // also where the index says that nothing changed
		Jobs:    1, Graph: p.Graph, Now: time.Now, Free: p.Free})
	if err != nil {
		return "", nil, err
	}
	for _, it := range rep.Episodes {
		switch {
		case it.ID == ep.ID && it.Status == capture.Kept:
			return log, it.Edited, nil
		case it.Status == capture.Failed:
			return "", nil, errors.New(it.Diagnostics[0].String())
		}
	}
	return "", nil, fmt.Errorf("%q gives another episode, or none", log)
}

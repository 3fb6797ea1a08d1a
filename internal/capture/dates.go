package capture

import (
	"context"
	"path/filepath"
	"time"

	"episodes/internal/gitdir"
)

// boundDates gives logs that name a day after that of their last commit the date of this commit: what a text says
// happened before it was committed. Logs that are not committed as they are keep their dates.
func (r *run) boundDates(ctx context.Context, read []parsed) {
	repo, found := gitdir.Find(r.Location.Root)
	if !found {
		return
	}
	var files []string
	at := map[string]*parsed{}
	for i := range read {
		p := &read[i]
		name, err := filepath.Rel(repo.Top, p.path)
		if p.ep == nil || p.streamed || err != nil || !filepath.IsLocal(name) {
			continue
		}
		if _, dated := p.ep.Time(); !dated {
			continue
		}
		name = filepath.ToSlash(name)
		files, at[name] = append(files, name), p
	}
	if len(files) == 0 {
		return
	}
	for name, committed := range gitdir.Committed(ctx, repo.Top, files) {
		if p := at[name]; p != nil && p.ep.Timestamp[:len(time.DateOnly)] > committed.Format(time.DateOnly) {
			p.ep.Timestamp = committed.Format(time.RFC3339)
			p.item.Diagnostics = append(p.item.Diagnostics, Diagnostic{File: p.shown, Code: "later-than-commit",
				Message: "it names a day after that of its last commit, whose date it has"})
		}
	}
}

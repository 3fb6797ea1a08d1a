package doctor

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/track"
)

// mostAuthors is how many authors are named.
const mostAuthors = 3

// origins says what is new, and which facts of episodes that others read are not borne out by their logs.
func (p *patient) origins(ctx context.Context) error {
	const check = "authors"
	now := time.Now()
	o := track.LoadOrigins(p.m, now)
	if fresh := o.Fresh(); len(fresh) > 0 {
		var by []string
		for _, id := range fresh {
			author := o.Of(id).Author
			if author = strconv.Quote(author[:min(40, len(author))]); author == `""` {
				author = "an author who is not known"
			}
			if !slices.Contains(by, author) {
				by = append(by, author)
			}
		}
		p.add(Note, check, p.Command("trust AUTHOR")+", once you have read them",
			"%d episodes are new and not reviewed, by %s: hooks, loops and patterns leave them out", len(fresh),
			strings.Join(by[:min(mostAuthors, len(by))], ", "))
	}
	files, _, err := p.m.Files()
	if err != nil {
		return err
	}
	own, logs := track.Owned(p.m, o), capture.Logs{Root: p.Location.Root}
	facts, missing, first := 0, 0, ""
	for _, f := range files {
		if own(f.ID) {
			continue
		}
		ep, err := p.m.Load(f.ID)
		if err != nil {
			continue // reported with the episodes
		}
		not, here := unsaid(&logs, ep)
		if facts += not; not > 0 && first == "" {
			first = f.ID
		}
		if !here {
			missing++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if facts > 0 {
		p.add(Note, check, p.Command("extract --force")+" reads the logs again",
			"%d facts that came with the repository have words that their logs do not say, first in %q", facts, first)
	}
	if missing > 0 {
		p.add(Note, check, "", "the logs of %d episodes that came with the repository are not here", missing)
	}
	return nil
}

// unsaid counts the facts of an episode that its log does not bear out. here is false where it is missing.
func unsaid(logs *capture.Logs, ep *episode.Episode) (n int, here bool) {
	here = true
	look := func(id, text string) {
		span, cited := ep.Provenance.Spans[id]
		if !cited || text == "" {
			return
		}
		switch logs.Says(ep.Provenance.Source, span, text) {
		case capture.NotSaid:
			n++
		case capture.NotHere:
			here = false
		}
	}
	for i := range ep.Events {
		look(ep.Events[i].ID, ep.Events[i].Content)
	}
	for i := range ep.Decisions {
		look(ep.Decisions[i].ID, ep.Decisions[i].Chosen)
	}
	for i, l := range ep.Lessons {
		look(episode.LessonID(i+1), l)
	}
	return n, here
}

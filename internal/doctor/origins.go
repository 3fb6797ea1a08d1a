package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/track"
)

// origins counts the episodes that are new, and the facts of others that their logs do not bear out.
func (p *patient) origins(ctx context.Context) error {
	const check = "authors"
	o := track.LoadOrigins(p.m, time.Now())
	if fresh := o.Fresh(); len(fresh) > 0 {
		var by []string
		for _, id := range fresh {
			if author := fmt.Sprintf("%.40q", o.Of(id).Author); !slices.Contains(by, author) {
				by = append(by, author)
			}
		}
		p.add(Note, check, p.Command("trust AUTHOR")+", once you have read them",
			"%d episodes are new and not reviewed, by %s: agents and patterns do not get them", len(fresh), strings.Join(by[:min(3, len(by))], ", "))
	}
	files, _, err := p.m.Files()
	if err != nil {
		return err
	}
	facts, missing := 0, 0
	for _, f := range files {
		if o.Of(f.ID).Own {
			continue
		}
		ep, err := p.m.Load(f.ID)
		if err != nil {
			continue // reported with the episodes
		}
		switch n, held := unsaid(&capture.Logs{Root: p.Location.Root}, ep); held {
		case capture.NotHere:
			missing++
		default:
			facts += n
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if facts > 0 {
		p.add(Note, check, p.Command("extract --force")+" reads the logs again",
			"%d facts that came with the repository have words that their logs do not say", facts)
	}
	if missing > 0 {
		p.add(Note, check, "", "the logs of %d episodes that came with the repository are not here", missing)
	}
	return nil
}

// unsaid counts the facts of an episode that are not in its log.
func unsaid(logs *capture.Logs, ep *episode.Episode) (n int, held capture.Held) {
	texts := map[string]string{}
	for i := range ep.Events {
		texts[ep.Events[i].ID] = ep.Events[i].Content
	}
	for i := range ep.Decisions {
		texts[ep.Decisions[i].ID] = ep.Decisions[i].Chosen
	}
	for i, l := range ep.Lessons {
		texts[episode.LessonID(i+1)] = l
	}
	for id, text := range texts {
		span, cited := ep.Provenance.Spans[id]
		if !cited {
			continue
		}
		if held = logs.Says(ep.Provenance.Source, span, text); held == capture.NotHere {
			return 0, held
		}
		if held == capture.NotSaid {
			n++
		}
	}
	return n, capture.Holds
}

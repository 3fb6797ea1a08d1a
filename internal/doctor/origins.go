package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/corrections"
	"episodes/internal/track"
)

// mostAuthors is how many authors are named.
const mostAuthors = 10

// origins counts the episodes that are new, and the facts of others that their logs do not bear out.
func (p *patient) origins(ctx context.Context) error {
	const check = "authors"
	o := track.LoadOrigins(p.m, time.Now())
	fresh, by := 0, []string(nil)
	for _, a := range o.Asides() {
		name := "an author who is not known"
		if a.Author.Email+a.Author.Name != "" {
			name = fmt.Sprintf("%.80q", a.Author.Name+" <"+a.Author.Email+">")
		}
		if fresh += a.Episodes; len(by) < mostAuthors {
			by = append(by, fmt.Sprintf("%s (%d)", name, a.Episodes))
		}
		if a.Maybe {
			p.add(Note, check, p.Command("trust "+corrections.Quote(a.Author.Email)),
				"%s may be you, with an address that your configuration of git does not have", name)
		}
	}
	if fresh > 0 {
		p.add(Note, check, p.Command("trust ADDRESS")+", once you have read them",
			"%d episodes are new and not reviewed, by %s: agents and patterns do not get them", fresh, strings.Join(by, ", "))
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
		switch n, has := lacking(&capture.Logs{Root: p.Location.Root}, ep); has {
		case capture.NoLog:
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

// lacking counts the facts of an episode that are not in its log.
func lacking(logs *capture.Logs, ep *episode.Episode) (n int, has capture.Support) {
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
		if has = logs.Support(ep.Provenance.Source, span, text); has == capture.NoLog {
			return 0, has
		}
		if has == capture.Lacks {
			n++
		}
	}
	return n, capture.Has
}

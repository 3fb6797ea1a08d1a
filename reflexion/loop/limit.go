package loop

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"episodes/agents/agent"
	"episodes/internal/lazy"
	"episodes/internal/proc"
)

// unavailable is the line in which an agent that failed says that it cannot work now; "" without one.
func unavailable(by *agent.Agent, a *Acted, r *proc.Durable) string {
	if by == nil || by.Actor.Unavailable == nil || a.failed == "" && r.Exit <= 0 {
		return ""
	}
	for line := range strings.Lines(cmp.Or(a.failed, string(r.Stderr)+"\n"+lastLine(r.Stdout))) {
		if by.Actor.Unavailable().MatchString(line) {
			return short(strings.TrimSpace(line), maxDescription)
		}
	}
	return ""
}

var (
	// aboutLimit matches what is said of a limit, rather than of a login.
	aboutLimit = lazy.Pattern(`(?i)limit|quota|exhausted`)
	// limitEnds matches when a limit ends: in seconds since 1970, by the clock, or after a number of units.
	limitEnds = lazy.Pattern(`(?i)\|(\d{10})\b|\b(?:resets?|again)(?: at)? (\d{1,2}(?::\d\d)? ?[ap]m)\b|\b(?:in|after) (\d{1,6})(?:\.\d+)? ?([smhd])`)
)

// Between two tries of an agent that is at a limit.
const (
	usualWait   = 5 * time.Minute // where it does not say when the limit ends
	longestWait = time.Hour       // whatever it says
)

func limitWait(said string, now time.Time) (wait time.Duration) {
	if m := limitEnds().FindStringSubmatch(said); m != nil {
		n, _ := strconv.ParseInt(m[1]+m[3], 10, 64)
		switch {
		case m[1] != "":
			wait = time.Unix(n, 0).Sub(now)
		case m[2] != "":
			for _, layout := range []string{"2006-01-02 3pm", "2006-01-02 3:04pm"} {
				clock := now.Format(time.DateOnly) + " " + strings.ToLower(strings.ReplaceAll(m[2], " ", ""))
				if end, err := time.ParseInLocation(layout, clock, now.Location()); err == nil {
					wait = end.Sub(now)
				}
			}
		default: // smaller units may follow
			wait = time.Duration(n+1) * map[string]time.Duration{"s": time.Second, "m": time.Minute}[strings.ToLower(m[4])]
			wait = cmp.Or(wait, longestWait)
		}
	}
	if wait <= 0 {
		wait = usualWait
	}
	return min(wait, longestWait)
}

// wait waits until the agent may be tried again.
func (p *Processes) wait(ctx context.Context, said string) error {
	wait := limitWait(said, time.Now())
	if p.Note != nil {
		p.Note("%s is at a limit, and is tried again in %s: %s", p.Config.Agent, wait.Round(time.Second), said)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

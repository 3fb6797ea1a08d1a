package pages

import (
	"fmt"
	"html/template"
	"math"
	"path"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/query"
)

// functions are those of the templates. They only say how a value is shown.
var functions = template.FuncMap{
	"plural":   plain.Plural,
	"percent":  func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	"duration": duration,
	"times":    times,
	"outcome":  outcomeText,
	"session":  sessionName,
	"base":     path.Base,
	"lines":    func(l []string) string { return strings.Join(l, "\n") },
	"ways":     waysWith,
	"part":     part,
	"ref":      func(episode, record string) string { return episode + "#" + record },
	"words":    func(s any) string { return strings.ReplaceAll(fmt.Sprint(s), "_", " ") },
	"add":      func(a, b int) int { return a + b },
	"page":     func(p Page, v any) inner { return inner{p, v} },
}

// inner is a page with the value that a part of it is about.
type inner struct {
	Page
	Value any
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// duration is a number of minutes in the units that people use.
func duration(minutes float64) string {
	switch m := int(math.Round(minutes)); {
	case m < 1:
		return "less than a minute"
	case m < 120:
		return plain.Plural(m, "minute")
	case m < 48*60:
		return plain.Plural(m/60, "hour")
	default:
		return plain.Plural(m/60/24, "day")
	}
}

// outcomeText is an outcome in words.
func outcomeText(o any) string {
	switch s := fmt.Sprint(o); s {
	case "success":
		return "succeeded"
	case "failure":
		return "failed"
	case "partial":
		return "partly succeeded"
	default:
		return "outcome not known"
	}
}

// sessionName is the id of an episode without what all ids begin with.
func sessionName(id string) string { return strings.TrimPrefix(id, "episode-") }

// waysWith are the ways out of an error that ended in one of some results.
func waysWith(ways []query.Way, results ...string) (out []query.Way) {
	for _, w := range ways {
		for _, r := range results {
			if string(w.Result) == r {
				out = append(out, w)
			}
		}
	}
	return out
}

// part is one piece of a bar of outcomes.
type share struct {
	Class, Text string
	X, Width    float64 // of a hundred
}

// part splits a bar by outcomes.
func part(t causal.Tally) (out []share) {
	total, x := float64(max(1, t.Total())), 0.0
	for _, s := range []struct {
		class, text string
		n           int
	}{{"success", "succeeded", t.Success}, {"partial", "partly succeeded", t.Partial}, {"failure", "failed", t.Failure},
		{"unknown", "not known", t.Unknown}} {
		if s.n > 0 {
			width := 100 * float64(s.n) / total
			out = append(out, share{s.class, fmt.Sprintf("%d %s", s.n, s.text), x, width})
			x += width
		}
	}
	return out
}

package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/query"
)

// functions are those of the templates. They only say how a value is shown.
var functions = template.FuncMap{
	"clip":     func(s string) string { return plain.Clip(s, 90) },
	"day":      func(timestamp string) string { return timestamp[:min(len(timestamp), len(time.DateOnly))] },
	"duration": duration,
	"hundred":  func(share float64) float64 { return math.Round(1000*share) / 10 },
	"kind":     func(kind string) string { return cmp.Or(kinds[kind], strings.ReplaceAll(kind, "_", " ")) },
	"lines":    func(l []string) string { return strings.Join(l, "\n") },
	"moment":   func(kind string) string { return cmp.Or(moments[kind], kind) },
	"number":   func(n *int) string { return strconv.Itoa(*n) },
	"outcome":  func(o any) string { return cmp.Or(endings[fmt.Sprint(o)], "outcome not known") },
	"outcomes": episode.Outcomes,
	"page":     func(p Page, v any) inner { return inner{p, v} },
	"part":     part,
	"percent":  func(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) },
	"plural":   plain.Plural,
	"rate": func(label string, r ask.LedgerRate) rate {
		return rate{label, r.Count, r.Of, r.Interval[0], r.Interval[1]}
	},
	"ref": func(episode, record string) string { // of the record of a link that of its source
		record, _, _ = strings.Cut(record, ">")
		return strings.TrimSuffix(episode+"#"+record, "#")
	},
	"searched": ask.SearchKinds,
	"session":  func(id string) string { return strings.TrimPrefix(id, "episode-") },
	"since": func(s string) string {
		if days, is := strings.CutSuffix(s, "d"); is {
			return "in the last " + days + " days"
		}
		return "since " + s
	},
	"span": func(low, high float64) float64 { return math.Round(1000*(high-low)) / 10 },
	"times": func(n int) string {
		return cmp.Or(map[int]string{1: "once", 2: "twice"}[n], fmt.Sprintf("%d times", n))
	},
	"untried": func(l []query.Tried) []query.Tried {
		return slices.DeleteFunc(slices.Clone(l), func(o query.Tried) bool { return o.N > 0 })
	},
	"wayResult": func(r query.WayResult) string { return wayResults[r] },
	"ways": func(ways []query.Way, result string) []query.Way { // those with the result
		return slices.DeleteFunc(slices.Clone(ways), func(w query.Way) bool { return string(w.Result) != result })
	},
	"who": who,
}

// kinds are the kinds of records in words, where they are not such words themselves.
var kinds = map[string]string{"tool_call": "done", "line": "line of a log", "fix": "done about an error",
	"failed": "did not help", "choice": "chosen"}

// endings are outcomes in words.
var endings = map[string]string{"success": "succeeded", "failure": "failed", "partial": "partly succeeded"}

var wayResults = map[query.WayResult]string{query.WayEnded: "ended it: the log says so",
	query.WayHelped: "the session succeeded; the log does not say that this was why", query.WayUnclear: "result not known", query.WayVain: "did not help"}

// moments are the kinds of what agents were told.
var moments = map[string]string{"error": "a command failed", "action": "before an edit or a command", "task": "at a new prompt",
	"choice": "at a choice", "start": "when a session began"}

// who says who added a record.
func who(by string) string {
	switch kind, name, _ := strings.Cut(by, " "); {
	case by == episode.FileSays:
		return "a file of the repository"
	case kind == "reader" && name != "":
		return "the reader " + name
	case kind == "reader":
		return "a reader"
	case kind == "person":
		return "you"
	default:
		return by
	}
}

// rate is a line of a table of rates.
type rate struct {
	Label     string
	Count, Of int
	Low, High float64
}

// inner is a page with the value that a part of it is about.
type inner struct {
	Page
	Value any
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

// share is one piece of a bar of outcomes.
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

package pages

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
)

func day(timestamp string) string { return timestamp[:min(len(timestamp), len(time.DateOnly))] }

func hundred(share float64) float64 { return math.Round(1000*share) / 10 }

func percent(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) }

func kind(kind string) string { return cmp.Or(kinds[kind], strings.ReplaceAll(kind, "_", " ")) }

func outcome(o episode.Outcome) string { return cmp.Or(endings[o], "outcome not known") }

// ref is a record of an episode. Of the record of a link it is that of its source.
func ref(episode, record string) string {
	record, _, _ = strings.Cut(record, ">")
	return strings.TrimSuffix(episode+"#"+record, "#")
}

func session(id string) string { return strings.TrimPrefix(id, "episode-") }

func since(s string) string {
	if days, is := strings.CutSuffix(s, "d"); is {
		return "in the last " + days + " days"
	}
	return "since " + s
}

func times(n int) string {
	return cmp.Or(map[int]string{1: "once", 2: "twice"}[n], fmt.Sprintf("%d times", n))
}

// kinds are the kinds of records in words, where they are not such words themselves.
var kinds = map[string]string{
	"tool_call": "done",
	"line":      "line of a log",
	"fix":       "done about an error",
	"choice":    "chosen",
}

// endings are outcomes in words.
var endings = map[episode.Outcome]string{
	episode.Success: "succeeded",
	episode.Failure: "failed",
	episode.Partial: "partly succeeded",
}

// states are what became of logs that cannot be quoted.
var states = map[ask.LogState]string{
	ask.Changed: "has changed since it was read",
	ask.Gone:    "is gone",
	ask.Unknown: "is not on this machine",
}

// shown are the sources of outcomes.
var shown = map[episode.OutcomeSource]string{
	episode.Measured: "A check or an exit code in the log shows it:",
	episode.Stated:   "These lines of the log say it:",
}

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

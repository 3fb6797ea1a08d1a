package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/capture"
	"episodes/internal/memory"
)

// fewLogs is how many logs are told one by one; more are only summed up.
const fewLogs = 20

// defaultLogs is what extract takes when it is not told: the folder of the
// sessions, where there is one.
func (a *app) defaultLogs(loc memory.Location) []string {
	dir := filepath.Join(loc.Root, ".agents", "sessions")
	if _, err := os.Stat(dir); err != nil {
		a.note(fmt.Sprintf("%q does not exist", dir))
		return nil
	}
	if rel, err := filepath.Rel(a.cwd, dir); err == nil {
		return []string{rel}
	}
	return []string{dir}
}

// tellFailures says on stderr what went wrong with which log, and how to go on.
func (a *app) tellFailures(rep *capture.Report) {
	for _, it := range rep.Episodes {
		if it.Status != capture.Failed || a.flags.json {
			continue
		}
		for _, d := range it.Diagnostics {
			a.say("%s", d)
		}
		if it.Hint != "" {
			a.hint(it.Hint)
		}
	}
}

// captureText tells what a run did.
func (a *app) captureText(rep *capture.Report) string {
	var b strings.Builder
	if a.flags.quiet || len(rep.Episodes) == 0 {
		return ""
	}
	if len(rep.Episodes) <= fewLogs || a.flags.verbose {
		for _, it := range rep.Episodes {
			a.itemText(&b, it, rep.DryRun)
		}
	}
	for _, r := range rep.Renamed {
		fmt.Fprintf(&b, "renamed    %s to %s: another log has its file name\n", r.From, r.To)
	}
	var sum strings.Builder
	a.summaryText(&sum, rep)
	if a.flags.maxTokens > 0 { // what matters most must survive the cut
		return a.budgeted(sum.String() + b.String())
	}
	return b.String() + sum.String()
}

func (a *app) itemText(b *strings.Builder, it capture.Item, dry bool) {
	word, colour := string(it.Status), green
	switch {
	case it.Status == capture.Failed:
		colour = red
	case it.Status == capture.Unchanged:
		colour = ""
	case dry:
		word = "to write"
	}
	pad := strings.Repeat(" ", max(1, 11-len(word)))
	if colour != "" {
		word = a.paint(colour, word)
	}
	if it.Status == capture.Failed {
		fmt.Fprintf(b, "%s%s%s\n", word, pad, printable(it.Path))
		return
	}
	fmt.Fprintf(b, "%s%s%s: %s, %s, %s, %s, %s\n", word, pad, it.ID, it.Outcome,
		plural(it.Decisions, "decision"), plural(it.Events, "event"), plural(it.Links, "link"), plural(it.Lessons, "lesson"))
	for _, d := range it.Diagnostics {
		fmt.Fprintf(b, "           %s\n", printable(d.String()))
	}
	a.takenText(b, it)
}

// takenText prints the log's lines, and under them what was taken from there.
func (a *app) takenText(b *strings.Builder, it capture.Item) {
	for n, line := range it.Lines {
		fmt.Fprintf(b, "%s:%d: %s\n", printable(it.Path), n+1, printable(line))
		for _, t := range it.Taken {
			if t.First != n+1 {
				continue
			}
			where := ""
			if t.Last > t.First {
				where = fmt.Sprintf(" (to line %d)", t.Last)
			}
			fmt.Fprintf(b, "    %s%s: %s\n", a.paint(green, printable(t.What)), where, printable(t.Why))
		}
	}
}

func (a *app) summaryText(b *strings.Builder, rep *capture.Report) {
	outcomes := map[episode.Outcome]int{}
	var decisions, events, links, lessons, remarks int
	for _, it := range rep.Episodes {
		if it.Status == capture.Failed {
			continue
		}
		outcomes[it.Outcome]++
		decisions, events, links, lessons = decisions+it.Decisions, events+it.Events, links+it.Links, lessons+it.Lessons
		remarks += len(it.Diagnostics)
	}
	written := "written"
	if rep.DryRun {
		written = "to write"
	}
	fmt.Fprintf(b, "%s: %d %s, %d unchanged, %d failed", plural(len(rep.Episodes), "log"),
		rep.Count(capture.Written), written, rep.Count(capture.Unchanged), rep.Count(capture.Failed))
	fmt.Fprintf(b, " (%.2f s)\n", float64(rep.DurationMS)/1000)
	var parts []string
	for _, o := range episode.Outcomes() {
		if outcomes[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", outcomes[o], o))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "outcomes: %s\n", strings.Join(parts, ", "))
		fmt.Fprintf(b, "content: %s, %s, %s, %s\n", plural(decisions, "decision"), plural(events, "event"), plural(links, "link"), plural(lessons, "lesson"))
	}
	if remarks > 0 && len(rep.Episodes) > fewLogs && !a.flags.verbose {
		fmt.Fprintf(b, "remarks: %d on how logs were read (--verbose shows them)\n", remarks)
	}
	if rep.Graph != nil {
		fmt.Fprintf(b, "graph: %s\n", rep.Graph)
	}
}

// plural counts things in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

package main

import (
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/plain"
	"episodes/internal/term"
)

// fewLogs is how many logs are listed one by one; of more there is only a summary.
const fewLogs = 20

// reportFailures says on stderr which logs were not taken in, why, and how to go on.
func (a *app) reportFailures(rep *ask.ExtractAnswer) {
	for _, it := range rep.Episodes {
		if it.Status != ask.Failed && it.Hint == "" || a.flags.json {
			continue
		}
		for _, d := range it.Diagnostics {
			a.say(d.String())
		}
		if it.Hint != "" {
			a.hint(it.Hint)
		}
	}
}

// captureText describes what a run did.
func (a *app) captureText(rep *ask.ExtractAnswer) string {
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
	for _, j := range rep.Joined {
		fmt.Fprintf(&b, "joined     %s into %s: what it says is in that one now\n", j.From, j.To)
	}
	var sum strings.Builder
	a.summaryText(&sum, rep)
	if a.flags.maxTokens > 0 { // what matters most must survive the cut
		return a.budgeted(sum.String() + b.String())
	}
	return b.String() + sum.String()
}

func (a *app) itemText(b *strings.Builder, it ask.Log, dry bool) {
	word, colour := string(it.Status), green
	switch {
	case it.Status == ask.Failed:
		colour = red
	case it.Status == ask.Unchanged:
		colour = ""
	case dry:
		word = "to write"
	}
	pad := strings.Repeat(" ", max(1, 11-len(word)))
	if colour != "" {
		word = a.paint(colour, word)
	}
	if it.Status == ask.Failed {
		fmt.Fprintf(b, "%s%s%s\n", word, pad, term.Line(it.Path))
		return
	}
	fmt.Fprintf(b, "%s%s%s: %s, %s, %s, %s, %s\n", word, pad, it.ID, a.paintOutcome(it.Outcome),
		term.Plural(it.Decisions, "decision"), term.Plural(it.Events, "event"), term.Plural(it.Links, "link"),
		term.Plural(it.Lessons, "lesson"))
	for _, d := range it.Diagnostics {
		if it.Hint == "" { // else they are on stderr
			fmt.Fprintf(b, "           %s\n", term.Line(d.String()))
		}
	}
	a.takenText(b, it)
}

// headingText offers headings that a project may explain.
func (a *app) headingText(b *strings.Builder, rep *ask.ExtractAnswer) {
	const most, width = 3, 60
	if len(rep.Headings) == 0 {
		return
	}
	var list []string
	for _, h := range rep.Headings[:min(len(rep.Headings), most)] {
		list = append(list, fmt.Sprintf("%s in %d logs", plain.Quote(h.Text, width), h.Logs))
	}
	fmt.Fprintf(b, "headings not understood: %s; where one means lessons, add it to lesson under [names] in %s\n",
		strings.Join(list, ", "), ask.VocabularyFile)
}

// paintOutcome colours one outcome.
func (a *app) paintOutcome(o episode.Outcome) string {
	if colour := outcomeColours[string(o)]; colour != "" {
		return a.paint(colour, string(o))
	}
	return string(o)
}

// takenText prints the log's lines, and under them what was taken from there.
func (a *app) takenText(b *strings.Builder, it ask.Log) {
	for n, line := range it.Lines {
		fmt.Fprintf(b, "%s:%d: %s\n", term.Line(it.Path), n+1, term.Line(line))
		for _, t := range it.Taken {
			if t.First != n+1 {
				continue
			}
			where := ""
			if t.Last > t.First {
				where = fmt.Sprintf(" (to line %d)", t.Last)
			}
			fmt.Fprintf(b, "    %s%s: %s\n", a.paint(green, term.Line(t.What)), where, term.Line(t.Why))
		}
	}
}

func (a *app) summaryText(b *strings.Builder, rep *ask.ExtractAnswer) {
	written := "written"
	if rep.DryRun {
		written = "to write"
	}
	fmt.Fprintf(b, "%s: %d %s, %d unchanged, %d failed", term.Plural(len(rep.Episodes), "log"), rep.Written(),
		written, rep.Unchanged()+rep.Kept(), rep.Failed())
	fmt.Fprintf(b, " (%.2f s)\n", float64(rep.DurationMS)/1000)
	t := rep.Totals()
	var parts []string
	for _, o := range episode.Outcomes() {
		if t.Outcomes[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", t.Outcomes[o], o))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "outcomes: %s\n", strings.Join(parts, ", "))
		fmt.Fprintf(b, "found: %s, %s, %s, %s\n", term.Plural(t.Decisions, "decision"),
			term.Plural(t.Events, "event"), term.Plural(t.Links, "link"), term.Plural(t.Lessons, "lesson"))
	}
	if t.Diagnostics > 0 && len(rep.Episodes) > fewLogs && !a.flags.verbose {
		fmt.Fprintf(b, "%s on how logs were read: --verbose shows them\n", term.Plural(t.Diagnostics, "remark"))
	}
	a.headingText(b, rep)
	if n := rep.Private(); n > 0 {
		fmt.Fprintf(b, "private: %d of the episodes; git does not see them, episodes share moves one to the others\n", n)
	}
	if rep.Graph != nil && a.flags.verbose {
		fmt.Fprintf(b, "graph: %s\n", rep.Graph)
	}
	if proof := rep.Proof(); proof != "" {
		fmt.Fprintln(b, proof)
	}
}

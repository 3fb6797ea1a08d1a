package export

import (
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/internal/plain"
)

// Serena is the name of the format of the memories of Serena: Markdown, a file each, which
// its tools list by name.
const Serena = "serena"

// SerenaMark begins each memory that is written for Serena, so that what is a digest of
// episodes is known as such.
const SerenaMark = "<!-- episodes: digest of a session -->"

// SerenaName is the name of the memory of an episode: its session. Its file has the ending
// ".md".
func SerenaName(e *episode.Episode) string {
	return strings.TrimPrefix(e.ID, episode.IDFromSession(""))
}

// SerenaMemory is an episode as a memory of Serena, of some kilobytes at most.
func SerenaMemory(e *episode.Episode) string {
	d := digestOf(e)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n# Session %s: %s\n\n%s\n\n", SerenaMark, name(SerenaName(e)), d.Outcome, quoteNotice)
	if d.Task != "" {
		fmt.Fprintf(&b, "- Task: %s\n", d.Task)
	}
	if began, ok := e.Time(); ok {
		fmt.Fprintf(&b, "- Began: %s\n", began.Format("2006-01-02T15:04:05Z07:00"))
	}
	fmt.Fprintf(&b, "- Episode: %s\n", name(e.ID))
	if log := e.Provenance.Source.Path; log != "" {
		fmt.Fprintf(&b, "- Log: %s\n", name(log))
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"Failures, and what was done", d.Failures}, {"Decisions", d.Choices}, {"Lessons", d.Lessons},
		{"Memories of Serena that it names", d.Memories}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n- %s\n", part.title, strings.Join(part.lines[:min(len(part.lines), mostOfKind)], "\n- "))
		}
		if n := len(part.lines) - mostOfKind; n > 0 {
			fmt.Fprintf(&b, "- and %d more in the episode\n", n)
		}
	}
	return plain.Text(b.String())
}

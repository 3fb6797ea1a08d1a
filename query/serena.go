package query

import (
	"regexp"
	"strings"
	"sync"

	"episodes/episode"
)

// SerenaMemory is a memory that an agent keeps with Serena, named in a session.
type SerenaMemory struct {
	Name   string `json:"name"`
	Record string `json:"record"` // of the episode, the first that names it
}

// longestMemoryName is in bytes: what is longer is no name.
const longestMemoryName = 200

// serenaNames are the ways in which a log names a memory of Serena: its file, a call of one of
// its tools, or the word and a name in quotation marks.
var serenaNames = sync.OnceValue(func() []*regexp.Regexp {
	const name = `([A-Za-z0-9][\w.-]*(?:/[\w-][\w.-]*)*)`
	return []*regexp.Regexp{
		regexp.MustCompile(`\.serena/memories/` + name + `\.md\b`),
		regexp.MustCompile(`\b(?:read|write|edit|delete)_memory\b[^\w"'` + "`" + `]{0,4}(?:memory_name|memory_file_name)?[^\w]{0,4}["'` + "`" + `]` + name + `["'` + "`" + `]`),
		regexp.MustCompile(`(?i)\bmemory ["'` + "`" + `]` + name + `["'` + "`" + `]`),
		regexp.MustCompile(`(?i)\bserena memory ` + name + `\b`), // extraction takes code marks away
	}
})

// SerenaMemories lists the memories of Serena that the records of an episode name.
func SerenaMemories(e *episode.Episode) []SerenaMemory {
	var out []SerenaMemory
	seen := map[string]bool{}
	check := func(record string, texts ...string) {
		for _, text := range texts {
			for _, re := range serenaNames() {
				for _, m := range re.FindAllStringSubmatch(text, -1) {
					memory := strings.TrimSuffix(m[1], ".md")
					if !seen[memory] && len(memory) <= longestMemoryName {
						seen[memory] = true
						out = append(out, SerenaMemory{memory, record})
					}
				}
			}
		}
	}
	check("task", e.Task)
	for i := range e.Decisions {
		c := &e.Decisions[i]
		check(c.ID, append([]string{c.Context, c.Chosen, c.Rationale}, c.Options...)...)
	}
	for i := range e.Events {
		check(e.Events[i].ID, e.Events[i].Content)
	}
	for i, l := range e.Lessons {
		check(episode.LessonID(i+1), l)
	}
	return out
}
